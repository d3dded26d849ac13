"""The report: one HTML file that needs no network, no server and no script to be read."""

from __future__ import annotations

import base64
import hashlib
import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from importlib import resources
from pathlib import Path
from typing import Any

import jinja2
import numpy as np
from markupsafe import Markup, escape

from seedrank.charts.chart import Chart
from seedrank.charts.draw import as_svg
from seedrank.charts.sheets import sheets
from seedrank.charts.svg import STYLE
from seedrank.charts.text import visible
from seedrank.core.errors import InputError
from seedrank.core.files import whole_file
from seedrank.core.levels import PLURAL
from seedrank.core.papers import called
from seedrank.core.version import VERSION
from seedrank.evaluate import kept
from seedrank.evaluate.experiment import Experiment
from seedrank.report import glance
from seedrank.report.answers import ShownRanking, answers, cores_of, latest_of_each
from seedrank.report.findings import findings, missing
from seedrank.report.picture import core_picture, neighbourhood
from seedrank.report.tables import View, view_of
from seedrank.runs import Run
from seedrank.runs.record import now
from seedrank.session import Session
from seedrank.stats import Stats, measure

__all__ = ["render", "write_report"]

_TABLE_ROWS = 60
"""Rows of an experiment's table that are shown."""

_VERDICTS = ("holds", "holds by construction", "does not hold", "cannot be judged", "figure")

_GROUPS = {
    "seeds": ("Seeds", "choose some with `seedrank seeds maxweight -k 20`"),
    "crawl": ("Crawl orders", "order a crawl with `seedrank crawl fpr`"),
    "frontier": ("Frontier", "rank it with `seedrank frontier rw`"),
    "rank": ("Central pages", "rank pages with `seedrank rank pagerank`"),
}
"""Verbs whose answers are shown: heading, and what to do where there is none."""


@dataclass(frozen=True)
class _Shown:
    """An experiment as the template takes it."""

    run: Run
    experiment: Experiment
    charts: list[tuple[Markup, str]]
    tables: list[View]
    older: bool

    @property
    def verdicts(self) -> list[tuple[str, int]]:
        """How many claims came to each verdict."""
        found = [claim.outcome for claim in self.experiment.claims if not claim.part]
        return [(verdict, found.count(verdict)) for verdict in _VERDICTS if verdict in found]


def write_report(
    session: Session, path: Path, names: Sequence[str] = (), *, command: Callable[[Run], str] | None = None
) -> None:
    """Write the report to a file, whole or not at all; the parameters are those of `render`."""
    if not path.parent.is_dir():
        raise InputError("its folder is not there", file=str(path), hint="make it, or name another file")
    with whole_file(path) as half:
        # Names of files in records may not be UTF-8.
        half.write_text(render(session, names, command=command), encoding="utf-8", errors="backslashreplace")


def render(session: Session, names: Sequence[str] = (), *, command: Callable[[Run], str] | None = None) -> str:
    """The report on a store, as HTML.

    Parameters
    ----------
    session
        The store.
    names
        Runs to show (``run:ID``); the latest of each method when there are none.
    command
        Gives the command line that repeats a run.
    """
    found = _named(session, names) if names else latest_of_each(session.kept.all())
    rankings, unread = answers(session, found)
    experiments, broken = _experiments(session, found)
    charts, left_out = glance.charts(session)
    drawn, without_data = _drawn(charts)
    stats = measure(session.store, session.graph, site=session.site, runs=session.kept.count())
    groups = [
        (verb, title, [one for one in rankings if one.verb == verb], _hint(verb, hint, stats))
        for verb, (title, hint) in _GROUPS.items()
    ]
    others = [one for one in rankings if one.verb not in _GROUPS]
    if others:
        groups.append(("other", "Other answers", others, ""))
    style, script = _asset("page.css") + STYLE, _asset("page.js")
    environment = jinja2.Environment(
        loader=jinja2.BaseLoader(),
        autoescape=True,
        undefined=jinja2.StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.filters |= {"visible": lambda value: visible(str(value)), "coded": _coded}
    environment.filters["paper"] = called
    return environment.from_string(_asset("page.html")).render(
        version=VERSION,
        made=now(),
        stats=stats,
        nodes=PLURAL[stats.level],
        charts=drawn,
        left_out=[*left_out, *without_data],
        unread=[*unread, *broken],
        findings=_findings(session, found, stats),
        experiments=experiments,
        groups=groups,
        pictures=_pictures(session, rankings),
        records=[(run, _plain(run.parameters), _plain(run.facts), command(run) if command else "") for run in found],
        style=Markup(style),  # noqa: S704  (our own file)
        script=Markup(script),  # noqa: S704
        policy=_policy(style, script),
    )


def _findings(session: Session, found: Sequence[Run], stats: Stats) -> list[str]:
    """What to do, where some answer says so; answers of an older graph say nothing."""
    current = [run for run in found if run.graph == stats.version]
    said = findings(session, current)
    return [*said, *missing(session)] if len(said) > 1 else []


def _hint(verb: str, hint: str, stats: Stats) -> str:
    """What to do where there is no answer: first of all load what it needs."""
    if not stats.crawled and verb in ("seeds", "crawl", "rank"):
        return "no page is crawled, so load links first"
    if verb == "frontier" and not stats.frontier:
        return "no page is seen and not crawled, so load links that lead to such pages"
    if verb == "frontier" and not {"clicks", "views"} & set(stats.columns):
        return "no page has clicks or views, so load pages with such a column, or events"
    return hint


def _named(session: Session, names: Sequence[str]) -> list[Run]:
    """Runs by name, each once."""
    found = [session.kept.record(name) for name in names]
    return list({run.id: run for run in found}.values())


def _experiments(session: Session, found: Sequence[Run]) -> tuple[list[_Shown], list[str]]:
    shown, broken = [], []
    for run in found:
        if not kept.charted(session.kept, run):
            continue
        try:
            experiment = kept.read(session.kept.folder_of(run.id))
        except InputError as error:
            broken.append(str(error))
            continue
        charts, without_data = _drawn(experiment.charts)
        experiment = replace(experiment, left_out=[*experiment.left_out, *without_data])
        tables = [view_of(table, caption=name, most=_TABLE_ROWS) for name, table in experiment.tables.items()]
        shown.append(_Shown(run, experiment, charts, tables, run.graph != session.store.version()))
    return shown, broken


def _pictures(session: Session, rankings: Sequence[ShownRanking]) -> list[tuple[str, Markup, str]]:
    """The neighbourhood of the best seed, and the first core, where there are such."""
    drawn = []
    seeds = [one for one in rankings if one.verb == "seeds" and len(one.pages)]
    if seeds:
        best = max(seeds, key=lambda one: (one.run.method == "seeds maxweight", one.run.order))
        around = neighbourhood(session.graph, int(best.pages[0]), session.level)
        drawn.append((f"Around the first seed of {best.run.method}", around))
    for one in rankings:
        members = cores_of(session.kept, one.run)
        if members is not None and int(np.max(members["id"].to_numpy())) < session.graph.pages:
            first = int(np.min(members["n"].to_numpy()))
            core = core_picture(session.graph, members, first, session.level)
            drawn.append((f"The first core of {one.run.method}", core))
            break
    return [(title, Markup(one.svg), one.caption) for title, one in drawn]  # noqa: S704  (every text is escaped)


def _drawn(charts: Sequence[Chart]) -> tuple[list[tuple[Markup, str]], list[str]]:
    """Charts with their captions, and a sentence for each that has no data; every text in a drawing is escaped."""
    some, without_data = sheets(charts)
    drawn = [(Markup(as_svg(sheet, bare=True)), sheet.chart.caption) for sheet in some]  # noqa: S704
    return drawn, without_data


def _coded(sentence: str) -> Markup:
    """A sentence with what stands in backticks as code."""
    parts = visible(sentence).split("`")
    return Markup("").join(Markup("<code>{}</code>").format(p) if n % 2 else escape(p) for n, p in enumerate(parts))


def _plain(record: Any) -> str:
    return visible(json.dumps(dict(record), ensure_ascii=False, default=str))


def _asset(name: str) -> str:
    return (resources.files("seedrank.report") / Path(name).name).read_text(encoding="utf-8")


def _policy(style: str, script: str) -> str:
    """The Content-Security-Policy: our own style and script, and nothing else from anywhere."""

    def digest(text: str) -> str:
        return base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()

    return (
        f"default-src 'none'; style-src 'sha256-{digest(style)}'; script-src 'sha256-{digest(script)}'; "
        "base-uri 'none'; form-action 'none'"
    )
