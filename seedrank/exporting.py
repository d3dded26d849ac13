"""Hand a kept answer to another program: which runs may leave, their pages, and the file."""

from __future__ import annotations

import logging
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from exporters.about import About
from exporters.export import Export, check_name
from exporters.rows import Rows, rows_of
from exporters.targets import TARGETS, Target, check_options, target_named
from seedrank.core.errors import StoreError, UsageError
from seedrank.core.model import Status
from seedrank.evaluate.kept import kept_answer
from seedrank.frontier.methods import QUERY_METHODS
from seedrank.graph import WebGraph
from seedrank.runs import Answer, Ranking, Run
from seedrank.session import Session

__all__ = ["check_leave", "export"]

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
        One of `exporters.targets.TARGETS`.
    run
        The run, or its name; ``run:latest`` by default.
    file
        Where it goes; nothing is written when `None`, and the export has the bytes.
    options
        ``top`` pages at most; ``only`` and ``exclude``, conditions as for methods; ``with_missing``, pages that were
        missing too; and the target's own: ``fetch_interval`` and ``metadata`` of Nutch, the runs ``harmonic`` and
        ``pagerank`` of Common Crawl's ranks.
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
    found = _rows(session, wanted, runs, given)
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
        return session.kept.record(run_id)
    except StoreError:  # it was deleted
        return None


def _rows(session: Session, target: Target, runs: list[Any], chosen: dict[str, Any]) -> tuple[Rows, ...]:
    """The pages of each run; `chosen` says which of the first."""
    found: list[Rows] = []
    for given, method in zip(runs, target.runs.values(), strict=True):
        answer = _answer(session, given, method)
        check_leave(session, answer.run)
        ranking = answer.ranking
        assert ranking is not None
        if (answer.run.method, method) == (_BOTH, "rank pagerank"):
            ranking = _by_pagerank(ranking)
        if found and answer.run.kind != found[0].run.kind:
            raise UsageError(
                f"{found[0].run.name} ranks {_ranked(found[0].run)}, {answer.run.name} {_ranked(answer.run)}",
                hint="name runs of one level",
            )
        if found:
            found.append(rows_of(found[0].graph, answer.run, ranking, with_missing=True))
            continue
        graph, level = session.stored_graph, session.level
        if answer.run.kind == "hosts":
            graph, level = _graph_of_hosts(graph, links=target.links), "host"
        found.append(rows_of(graph, answer.run, ranking, level=level, **{"top": target.top, **chosen}))
    return tuple(found)


def _answer(session: Session, given: str | Run | Answer | None, method: str | None) -> Answer:
    """A kept answer that ranks pages or hosts, by a method where it is said."""
    run = given.run if isinstance(given, Answer) else given
    name = run.name if isinstance(run, Run) else run
    if name is None:
        name = "run:latest" if method is None else _newest(session, method)
    answer = kept_answer(session, name, "ranking", "hosts")
    if answer.facts.get("partial"):
        log.warning("%s was interrupted: its order is a part", answer.run.name)
    if method is not None and answer.run.method not in (method, _BOTH):
        raise UsageError(f"{answer.run.name} is of {answer.run.method}, not of {method}", hint="name another run")
    return answer


def _by_pagerank(both: Ranking) -> Ranking:
    """The ranking of both centralities in the order and with the values of PageRank."""
    order = np.argsort(both.columns["pr_pos"])
    return Ranking(both.pages[order], both.columns["pr_val"][order])


def _newest(session: Session, method: str) -> str:
    """The newest run of a method, or of both centralities, one of hosts where there is any."""
    runs = [run for run in session.kept.all() if run.method in (method, _BOTH)]
    if not runs:
        raise StoreError(f"a run of {method} is not there", hint="rank by it first")
    return max(runs, key=lambda run: (run.kind == "hosts", run.order)).name


def _ranked(run: Run) -> str:
    return "hosts" if run.kind == "hosts" else "pages"


def _graph_of_hosts(graph: WebGraph, *, links: bool) -> WebGraph:
    """A graph with a page ``http://host/`` for each host.

    A host is crawled where any of its pages is, otherwise frontier where any is, otherwise missing.
    """
    names = graph.host_names
    count = len(names)
    between = None
    if links:
        from seedrank.rank.centrality import host_graph

        between = host_graph(graph)
    status = np.full(count, Status.MISSING, np.int8)
    for one in (Status.FRONTIER, Status.CRAWLED):
        of_host = graph.host[graph.status == one]
        status[of_host[of_host >= 0]] = one
    arrays = {
        "out_offsets": np.zeros(count + 1, np.int64) if between is None else between.out_offsets,
        "out_targets": np.zeros(0, np.int32) if between is None else between.out_targets,
        "status": status,
        "host": np.arange(count, dtype=np.int32),
    }
    text = pa.large_string()
    urls = pc.binary_join_element_wise(
        pa.scalar("http://", text), names.cast(text), pa.scalar("/", text), pa.scalar("", text)
    )
    meta = {"pages": count, "links": len(arrays["out_targets"]), "version": f"{graph.version}, hosts"}
    return WebGraph(arrays, meta, texts={"hosts": graph.hosts.select(["name"]), "urls": pa.table({"url": urls})})
