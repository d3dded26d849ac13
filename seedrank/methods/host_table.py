"""What an answer means for each host: what is known of it, what is reached and fetched, and whether it starves."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
import pyarrow as pa

from seedrank.core.model import Status
from seedrank.graph import WebGraph
from seedrank.runs.facts import HostFacts

__all__ = ["STARVED", "crawl_hosts", "frontier_hosts", "seed_hosts", "starving"]

STARVED = 0.1
"""A host starves that gets less than this part of its share, where its share is a page at least."""


def crawl_hosts(
    graph: WebGraph, seeds: np.ndarray, reachable: np.ndarray, fetched: np.ndarray, seconds: np.ndarray | None
) -> pa.Table | None:
    """Per host: seeds, pages known, reachable from the seeds, fetched and waiting, first and last fetch.

    `fetched` are pages in the order of their fetches, and `seconds` when those were, where that was simulated.
    """
    done = np.zeros(graph.pages, bool)
    done[fetched] = True
    counts = {
        "seeds": _flags(graph, seeds),
        "known": np.ones(graph.pages, bool),
        "reachable": reachable | done,
        "fetched": done,
        "waiting": reachable & ~done,
    }
    return _table(graph, counts, ("reachable", "fetched"), fetched, seconds)


def seed_hosts(graph: WebGraph, seeds: np.ndarray, covered: np.ndarray) -> pa.Table | None:
    """Per host: seeds, pages known and crawled, those within reach of the seeds, and the first and last seed."""
    crawled = graph.status == Status.CRAWLED
    counts = {
        "seeds": _flags(graph, seeds),
        "known": np.ones(graph.pages, bool),
        "crawled": crawled,
        "reached": covered & crawled,
    }
    return _table(graph, counts, ("crawled", "reached"), seeds)


def frontier_hosts(graph: WebGraph, chosen: np.ndarray) -> pa.Table | None:
    """Per host: pages known, crawled, on the frontier, chosen and waiting, and the first and last of those chosen."""
    frontier, taken = graph.status == Status.FRONTIER, _flags(graph, chosen)
    counts = {
        "known": np.ones(graph.pages, bool),
        "crawled": graph.status == Status.CRAWLED,
        "frontier": frontier,
        "chosen": taken,
        "waiting": frontier & ~taken,
    }
    return _table(graph, counts, ("frontier", "chosen"), chosen)


def starving(table: pa.Table | None) -> HostFacts:
    """How many hosts starve and have no seed, and the largest of them, as facts of an answer."""
    if table is None:
        return {}
    starve = table["host"].filter(table["starves"])
    facts: HostFacts = {"hosts_starving": len(starve), "hosts_starving_such_as": starve.slice(0, 5).to_pylist()}
    if "seeds" in table.column_names:
        facts["hosts_without_seed"] = int((table["seeds"].to_numpy() == 0).sum())
    return facts


def _table(
    graph: WebGraph,
    counts: Mapping[str, np.ndarray],
    share: tuple[str, str],
    order: np.ndarray,
    seconds: np.ndarray | None = None,
) -> pa.Table | None:
    """The hosts, those that could get the most first; `None` where pages have no hosts.

    `share` names the pages a host could get, and those that it got.
    """
    names = graph.host_names
    if not len(names):
        return None
    host = np.asarray(graph.host)
    placed = host >= 0
    columns = {
        name: np.bincount(host[placed & flags], minlength=len(names)).astype(np.int64) for name, flags in counts.items()
    }
    could, got = (columns[name] for name in share)
    fair = could * (got.sum() / max(could.sum(), 1))
    starves = (fair >= 1) & (got < STARVED * fair)
    first, last = _ends(host, order, len(names))
    # A narrow terminal loses the columns on the right.
    waiting = {"waiting": columns.pop("waiting")} if "waiting" in columns else {}
    table: dict[str, np.ndarray | pa.Array] = {
        "host": names.combine_chunks(), **columns, "starves": pa.array(starves), **waiting
    }  # fmt: skip
    table["first"], table["last"] = _places(first + 1, first < 0), _places(last + 1, first < 0)
    if seconds is not None:
        for name, at in (("first_second", first), ("last_second", last)):
            table[name] = pa.array(seconds[at] if len(seconds) else np.zeros(len(at)), mask=at < 0)
    places = np.flatnonzero(columns["known"])
    order = np.lexsort((-columns["known"][places], -could[places]))
    return pa.table(table).take(pa.array(places[order]))


def _ends(host: np.ndarray, order: np.ndarray, hosts: int) -> tuple[np.ndarray, np.ndarray]:
    """Place in `order` of the first and of the last page of each host, -1 for none."""
    first, last = np.full(hosts + 1, -1, np.int64), np.full(hosts + 1, -1, np.int64)
    of = host[order]
    first[of[::-1]] = np.arange(len(order) - 1, -1, -1)
    last[of] = np.arange(len(order))
    return first[:-1], last[:-1]


def _places(values: np.ndarray, none: np.ndarray) -> pa.Array:
    return pa.array(values, pa.int64(), mask=none)


def _flags(graph: WebGraph, pages: np.ndarray) -> np.ndarray:
    flags = np.zeros(graph.pages, bool)
    flags[pages] = True
    return flags
