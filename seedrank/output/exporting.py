"""Hand a kept answer to another program: which runs may leave, their pages, and the file."""

from __future__ import annotations

import logging
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

from seedrank.core.errors import StoreError, UsageError
from seedrank.core.levels import PLURAL, Level
from seedrank.exporters.about import About
from seedrank.exporters.export import Export, check_name
from seedrank.exporters.rows import Rows, rows_of
from seedrank.exporters.spark import export_spark
from seedrank.exporters.tables import TableFormat, export_tables
from seedrank.exporters.targets import TARGETS, Target, check_options, target_named
from seedrank.graphdb.arrays import ArrayStore
from seedrank.methods.frontier.methods import QUERY_METHODS
from seedrank.runs import Answer, Ranking, Run, run_name
from seedrank.session import Session
from seedrank.session.kept_runs import kept_answer

__all__ = ["check_leave", "export", "tables", "to_spark_folder"]

log = logging.getLogger(__name__)

_BOTH = "rank centrality"
"""A run of harmonic centrality and PageRank: it serves where either is wanted."""


def export(
    session: Session,
    target: str,
    run: str | Run | Answer | None = None,
    file: str | Path | None = None,
    **options: Any,
) -> Export:
    """Hand the pages of a kept run over.

    Parameters
    ----------
    session
        The store.
    target
        One of `seedrank.exporters.targets.TARGETS`.
    run
        The run, or its name; ``run:latest`` by default.
    file
        Where it goes; nothing is written when `None`, and the export has the bytes.
    options
        ``top`` pages at most; ``only`` and ``exclude``, conditions as for methods; ``with_missing``, pages that were
        missing too; ``level``, what the run is to rank (the newest such run where none is named); and the target's
        own: ``fetch_interval`` and ``metadata`` of Nutch, the runs ``harmonic`` and ``pagerank`` of Common Crawl's
        ranks.
    """
    wanted = target_named(target)
    given = {name: value for name, value in options.items() if value is not None}
    if run is not None:
        given = {"run": run, **given}
    check_options(wanted, given)
    path = None if file is None else Path(file)
    if path is not None:
        check_name(wanted, path)
        if wanted.plain and ".txt" in path.suffixes[-2:]:
            wanted = replace(TARGETS["urls"], name=wanted.name)
    runs = [given.pop(name, None) for name in wanted.runs]
    own = {name: given.pop(name) for name in wanted.options if name in given}
    found = _rows(session, wanted, runs, given.pop("level", None), given)
    about = About(wanted, found)
    made = Export(wanted, about.record(), lambda: wanted.load()(*found, about.sentences(), **own))
    made.blocks()  # wrong options are told now, not when it is read
    if path is not None:
        made.write(path)
    return made


def check_leave(session: Session, run: Run) -> None:
    """Refuse a run whose order comes from searches: it leaves as a table only.

    Runs that begin with the pages of such a run are refused too.
    """
    hint = "write it as a table (csv, json, parquet), or rank the frontier by another method, such as rw-eg"
    method = run.method.removeprefix("frontier ")
    if run.method == "frontier learned":
        used = run.facts.get("features")
        if used is None:
            raise UsageError(
                f"{run.name} does not say which scores its model learnt from", hint="ask again, and hand that over"
            )
        method = next((name for name in QUERY_METHODS if name in used), "")
    if run.method.startswith("frontier ") and method in QUERY_METHODS:
        of = f"uses the scores of {method}" if run.method == "frontier learned" else f"is of {method}"
        raise UsageError(
            f"{run.name} {of}, a baseline for evaluation: to crawl in the order of searches is claimed by US patent "
            "7,899,807",
            hint=hint,
        )
    for name in ("file", "seeds", "trusted", "bad"):
        pages = str(run.parameters.get(name, ""))
        if pages.startswith("run:") and (inner := _kept(session, pages.split(":")[1])) is not None:
            check_leave(session, inner)


def _kept(session: Session, run_id: str) -> Run | None:
    try:
        return session.runs.record(run_id)
    except StoreError:  # it was deleted
        return None


def tables(session: Session, folder: Path, kind: TableFormat, level: Level | None = None) -> dict[str, int]:
    """Write the store's tables, or those of its hosts or domains, into a new folder; rows per table.

    Parameters
    ----------
    session
        The store.
    folder, kind
        Where, and how.
    level
        What a row of ``pages`` is; what is stored when `None`.
    """
    asked = session.view(level=level)
    store = ArrayStore(asked.stored_graph, session.store.url) if asked.is_derived else session.store
    return export_tables(store, folder, kind, level=asked.level, progress=session.progress)


def to_spark_folder(session: Session, folder: Path, level: Level | None = None) -> dict[str, int]:
    """Write the store, or the graph of its hosts or domains, into a new folder that Spark reads; rows per table.

    Parameters
    ----------
    session
        The store.
    folder
        Where.
    level
        What a row of ``pages`` is; what is stored when `None`.
    """
    asked = session.view(level=level)
    store = ArrayStore(asked.stored_graph, session.store.url) if asked.is_derived else session.store
    return export_spark(store, folder, level=asked.level, progress=session.progress)


def _rows(
    session: Session, target: Target, runs: list[Any], level: Level | None, chosen: dict[str, Any]
) -> tuple[Rows, ...]:
    """The pages of each run, of a level where it is said; `chosen` says which of the first."""
    found: list[Rows] = []
    for given, method in zip(runs, target.runs.values(), strict=True):
        answer = _answer(session, given, method, level)
        check_leave(session, answer.run)
        ranking, asked = answer.ranking, session.of_run(answer.run)
        assert ranking is not None
        if (answer.run.method, method) == (_BOTH, "rank pagerank"):
            ranking = _by_pagerank(ranking)
        if found and asked.level != found[0].level:
            raise UsageError(
                f"{found[0].run.name} ranks {PLURAL[found[0].level]}, {answer.run.name} {PLURAL[asked.level]}",
                hint="name runs of one level",
            )
        if found:
            found.append(rows_of(found[0].graph, answer.run, ranking, with_missing=True, level=asked.level))
            continue
        options = {"top": target.top, **chosen}
        found.append(rows_of(asked.stored_graph, answer.run, ranking, level=asked.level, **options))
    return tuple(found)


def _answer(session: Session, given: str | Run | Answer | None, method: str | None, level: Level | None) -> Answer:
    """A kept answer that ranks pages, hosts or domains, by a method and of a level where they are said."""
    name = None if given is None else run_name(given)
    if name is None or (name == "run:latest" and level is not None):
        name = "run:latest" if method is None and level is None else _newest(session, method, level)
    answer = kept_answer(session, name, "ranking")
    if answer.facts.get("partial"):
        log.warning("%s was interrupted: its order is a part", answer.run.name)
    if method is not None and answer.run.method not in (method, _BOTH):
        raise UsageError(f"{answer.run.name} is of {answer.run.method}, not of {method}", hint="name another run")
    if level is not None and (other := session.level_of(answer.run)) != level:
        raise UsageError(f"{answer.run.name} ranks {PLURAL[other]}, not {PLURAL[level]}", hint="name another run")
    return answer


def _by_pagerank(both: Ranking) -> Ranking:
    """The ranking of both centralities in the order and with the values of PageRank."""
    order = np.argsort(both.columns["pr_pos"])
    return Ranking(both.pages[order], both.columns["pr_val"][order])


def _newest(session: Session, method: str | None, level: Level | None) -> str:
    """The newest ranking of a method (both centralities serve for either) and level.

    Where no level is said, one of hosts or domains if there is any.
    """
    runs = [
        run
        for run in session.runs.all()
        if run.kind == "ranking"
        and (method is None or run.method in (method, _BOTH))
        and level in (None, session.level_of(run))
    ]
    if not runs:
        wanted = f"run of {method}" if method else "ranking"
        of = f" with {PLURAL[level]}" if level else ""
        raise StoreError(f"no {wanted}{of} is kept", hint="rank by it first" if method else "ask for one first")
    return max(runs, key=lambda run: (session.level_of(run) != "page", run.order)).name
