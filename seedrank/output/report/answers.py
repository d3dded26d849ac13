"""Kept answers as the report shows them: the latest of each method, its first pages, and why they are there."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

import numpy as np
import pyarrow as pa

from seedrank.core.changes import same_graph
from seedrank.core.errors import SeedrankError
from seedrank.core.levels import PLURAL, Level, name_column
from seedrank.core.tables import Sheet, sheet_of
from seedrank.output.report.reasons import reasons
from seedrank.runs import Ranking, Run, RunStore, experiment_files
from seedrank.session import Session

__all__ = ["ShownRanking", "answers", "cores_of", "latest_of_each"]

ROWS = 100
"""Pages of an answer that are shown."""
HOSTS = 20
"""Hosts of an answer that are shown."""


@dataclass(frozen=True)
class ShownRanking:
    """A ranking to show."""

    run: Run
    """Its record."""
    view: Sheet
    """Its first rows."""
    first: list[tuple[int, str, str]]
    """The first pages: place, name, and why each is there; empty for hosts."""
    pages: np.ndarray
    """Ids of all rows."""
    level: Level = "page"
    """What they are ids of."""
    remark: str = ""
    """A caution, or nothing."""
    hosts: Sheet | None = None
    """What it means for hosts, those that starve first; `None` where it keeps no such table."""

    @property
    def verb(self) -> str:
        """``seeds``, ``frontier``, ``crawl``, ``rank``, …."""
        return self.run.method.partition(" ")[0]


def latest_of_each(found: Iterable[Run]) -> list[Run]:
    """The latest run of each method, in the order of the methods."""
    latest: dict[str, Run] = {}
    for run in sorted(found, key=lambda run: run.order):
        latest[f"{run.method} of {run.level}"] = run
    return [latest[method] for method in sorted(latest)]


def answers(session: Session, found: Sequence[Run]) -> tuple[list[ShownRanking], list[str]]:
    """Rankings of the runs that rank something, and a sentence for each that cannot be shown."""
    shown, left_out = [], []
    for run in found:
        if experiment_files.charted(session.runs, run):
            continue
        try:
            shown.append(_answer(session, run))
        except (SeedrankError, pa.ArrowException, IndexError) as error:
            left_out.append(f"{run.name} ({run.method}): {error}")
    return shown, left_out


def cores_of(runs: RunStore, run: Run) -> pa.Table | None:
    """Pages of the cores a run found (``id``, ``n``, ``role``); `None` where it found none."""
    try:
        table = runs.table(run, "cores")
    except (OSError, pa.ArrowException):
        return None
    return table if table is not None and table.num_rows and {"id", "n", "role"} <= set(table.column_names) else None


def _answer(session: Session, run: Run) -> ShownRanking:
    session.check_same_graph(run)
    ranking = session.runs.ranking(run)
    cautions = [str(run.facts["unfinished"])] if "unfinished" in run.facts else []
    if not same_graph(run.graph, session.store.version()):
        cautions.append("made of another version of the graph than is there now")
    asked = session.of_run(run)
    if len(ranking.pages) and int(ranking.pages.max()) >= asked.graph.pages:
        raise SeedrankError("it ranks pages that the graph no longer has", hint="ask again")
    few = Ranking(
        ranking.pages[:ROWS], ranking.scores[:ROWS], {name: values[:ROWS] for name, values in ranking.columns.items()}
    )
    of = f" of {PLURAL[asked.level]}" if asked.is_derived else ""
    caption = f"{run.method}{of}, {run.name}"
    table = asked.rows(few)
    # One name is enough: the URL (of a host its name), else the number of the source, else ours.
    names = (name_column(table.column_names), "source_id", "id")
    named = next(name for name in names if table[name].null_count == 0)
    # The host is in the URL, the score of a seed is its gain.
    unused = ({*names} - {named}) | ({"host", "gain"} & {*table.column_names} - {named})
    called = [name if named == names[0] else f"{asked.level} {name}" for name in table[named].to_pylist()]
    first = [(place + 1, called[place], why) for place, why in reasons(asked, run, few)]
    view = replace(sheet_of(table.drop_columns(sorted(unused)), caption, None, empty=True), total=len(ranking.pages))
    return ShownRanking(run, view, first, ranking.pages, asked.level, "; ".join(cautions), _hosts(session, run))


def _hosts(session: Session, run: Run) -> Sheet | None:
    """The first hosts of the table that is kept with a run: those that starve, then those with the most pages."""
    table = session.runs.table(run, "hosts")
    if table is None or not table.num_rows or not {"host", "known", "starves"} <= set(table.column_names):
        return None
    ordered = table.sort_by([("starves", "descending"), ("known", "descending")])
    return sheet_of(ordered, f"{run.method} by host, those that starve first, {run.name}", HOSTS)
