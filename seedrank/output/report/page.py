"""The report: one HTML file that needs no network, no server and no script to be read."""

from __future__ import annotations

import base64
import hashlib
import json
import re
from collections.abc import Callable, Sequence
from importlib import resources
from pathlib import Path
from typing import Any

import jinja2
from markupsafe import Markup, escape

from seedrank.core.changes import same_graph
from seedrank.core.errors import InputError
from seedrank.core.files import whole_file
from seedrank.core.levels import PLURAL
from seedrank.core.package import VERSION
from seedrank.core.references import called
from seedrank.core.sanitize import safe_link, visible
from seedrank.core.tables import middle_cut, show_cell, sort_key
from seedrank.methods.crawl.methods import CRAWL
from seedrank.methods.frontier.methods import FRONTIER
from seedrank.methods.seeds.methods import SEEDS
from seedrank.methods.stats import Stats, measure
from seedrank.output.charts.svg import STYLE
from seedrank.output.report import overview
from seedrank.output.report.answers import answers, latest_of_each
from seedrank.output.report.cards import cards
from seedrank.output.report.drawings import drawn, pictures
from seedrank.output.report.findings import findings, missing
from seedrank.output.report.groups import experiments, groups
from seedrank.runs import Run
from seedrank.runs.record import now
from seedrank.session import Session

__all__ = ["meanings", "render", "write_report"]

_LONGEST = 300
"""Characters of a cell."""


def write_report(
    session: Session, path: Path, names: Sequence[str] = (), *, command: Callable[[Run], str] | None = None
) -> None:
    """Write the report to a file, whole or not at all; the parameters are those of `render`."""
    if not path.parent.is_dir():
        raise InputError("its folder does not exist", file=str(path), hint="make it, or name another file")
    with whole_file(path) as half:
        # Names of files in records may not be UTF-8.
        half.write_text(render(session, names, command=command), encoding="utf-8", errors="backslashreplace")


def render(session: Session, names: Sequence[str] = (), *, command: Callable[[Run], str] | None = None) -> str:
    """The report on a store, as HTML.

    Parameters
    ----------
    names
        Runs to show (``run:ID``); the latest of each method when there are none.
    """
    found = _named(session, names) if names else latest_of_each(session.runs.all())
    rankings, unread = answers(session, found)
    shown, broken = experiments(session, found)
    charts, left_out = overview.charts(session)
    charts_drawn, without_data = drawn(charts)
    stats = measure(session.store, session.stored_graph, site=session.site, runs=session.runs.count())
    said = _findings(session, found, stats)
    parts, shown = groups(rankings, shown, stats)
    style, script = _asset("page.css") + STYLE, _asset("page.js")
    environment = jinja2.Environment(
        loader=jinja2.BaseLoader(),
        autoescape=True,
        undefined=jinja2.StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.filters |= {"visible": lambda value: visible(str(value)), "coded": _coded, "paper": called}
    environment.filters |= {"cell": _cell, "sort_key": sort_key, "link": lambda value: safe_link(str(value))}
    return environment.from_string(_asset("page.html")).render(
        version=VERSION,
        made=now(),
        stats=stats,
        nodes=PLURAL[stats.level],
        charts=charts_drawn,
        left_out=[*left_out, *without_data],
        unread=[*unread, *broken],
        findings=said,
        cards=cards(session, _current(session, found, stats), command) if said else [],
        words=meanings(said),
        experiments=shown,
        groups=parts,
        pictures=pictures(session, rankings),
        records=[(run, _plain(run.parameters), _plain(run.facts), command(run) if command else "") for run in found],
        style=Markup(style),  # noqa: S704  (our own file)
        script=Markup(script),  # noqa: S704
        policy=_policy(style, script),
    )


def _findings(session: Session, found: Sequence[Run], stats: Stats) -> list[str]:
    """What to do, where some answer says so; answers of an older graph say nothing."""
    said = findings(session, _current(session, found, stats))
    return [*said, *missing(session)] if len(said) > 1 else []


def _current(session: Session, found: Sequence[Run], stats: Stats) -> list[Run]:
    """The answers about the graph as it is, at its level."""
    return [run for run in found if same_graph(run.graph, stats.version) and session.level_of(run) == session.level]


def _named(session: Session, names: Sequence[str]) -> list[Run]:
    """Runs by name, each once."""
    found = [session.runs.record(name) for name in names]
    return list({run.id: run for run in found}.values())


def _coded(sentence: str) -> Markup:
    """A sentence with what stands in backticks as code."""
    parts = visible(sentence).split("`")
    return Markup("").join(Markup("<code>{}</code>").format(p) if n % 2 else escape(p) for n, p in enumerate(parts))


def _plain(record: Any) -> str:
    return visible(json.dumps(dict(record), ensure_ascii=False, default=str))


def _cell(value: Any, name: str) -> str:
    return middle_cut(show_cell(name, value), _LONGEST)


def _asset(name: str) -> str:
    return (resources.files("seedrank.output.report") / Path(name).name).read_text(encoding="utf-8")


def _policy(style: str, script: str) -> str:
    """The Content-Security-Policy: our own style and script, and nothing else from anywhere."""

    def digest(text: str) -> str:
        return base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()

    return (
        f"default-src 'none'; style-src 'sha256-{digest(style)}'; script-src 'sha256-{digest(script)}'; "
        "base-uri 'none'; form-action 'none'"
    )


_WORDS = {
    "seeds": "pages from which a crawl starts",
    "frontier": "pages that crawled pages link to and that are not crawled yet",
    "PageRank": "how well linked a page is: the share of their time that people who follow links at random spend on it",
    "breadth first": "pages in the order in which links to them are found",
    "maxweight": "picks one seed after the other: the page with the most around it, a few links away, not covered yet",
    "greedy": "picks one seed after the other: the page that adds the most to what the others reach",
    "fpr": "fetches first what the pages fetched so far point to the most (Fractional PageRank); in fpr@20 a link to "
    "another host counts 20 times",
    "rw": "ranks a page by the pages that link to it: those that people use count more",
    "rw-eg": "ranks a page by the pages that link to it and those linked beside it: those that people use count more",
}
"""In plain words, before what the register of methods says of the same name."""


def meanings(sentences: Sequence[str]) -> list[tuple[str, str]]:
    """The words that occur in sentences and need to be explained, with their meanings, in the order they occur."""
    known = {
        name: one.summary.removesuffix(".")
        for family in (FRONTIER, CRAWL, SEEDS)
        for name in family.names
        for one in (family.method(name),)
        if "-" in name or name.startswith(("max", "root"))  # others are words of their own: random, pagerank, …
    } | _WORDS
    text = " ".join(sentences)
    places = {word: re.search(rf"(?<![\w/.-]){re.escape(word)}(?![\w/-])", text) for word in known}
    return [(word, known[word]) for _, word in sorted((found.start(), word) for word, found in places.items() if found)]
