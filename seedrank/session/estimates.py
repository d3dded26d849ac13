"""What a question will cost, before it is asked: seconds and bytes of memory.

Questions are made of parts that were measured at several sizes of a made web, on two cores (`costs.csv`, written by
``python -m benchmarks.growth --keep``). Between two sizes a cost grows as some power of pages and links, beyond them in
proportion to both.
"""

from __future__ import annotations

import csv
import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cache
from importlib import resources
from typing import Any

import numpy as np

from seedrank.core.numbers import show_duration, show_size
from seedrank.graphdb.store import HasGds, IsGraph
from seedrank.questions.question import Levelled, Question
from seedrank.session import Session

__all__ = ["Estimate", "estimate"]

FETCHED = 80_000_000 / 105_896_555
"""Share of the pages that the measured crawls fetch."""
_NEED_IN_LINKS = ("pagerank", "rw")


@dataclass(frozen=True)
class Estimate:
    """What a question costs on a machine with two cores."""

    seconds: float
    """Once the graph is in memory, or its arrays are opened."""
    memory: int
    """Bytes beside the mapped files of the graph."""

    def __str__(self) -> str:
        return f"about {show_duration(self.seconds)} and {show_size(self.memory)} of memory"


def estimate(session: Session, question: Question) -> Estimate | None:
    """What a question will cost; `None` where its method was not measured or does not run in memory.

    Parameters
    ----------
    session
        The store; its graph is not read.
    """
    if question.words not in _PARTS or _runs_elsewhere(session, question):
        return None
    store, counts = session.store, session.store.counts()
    parts = _PARTS[question.words](question, counts.pages)
    transposed = isinstance(store, IsGraph) and store.graph.transposed
    if not transposed and any(name in parts for name in _NEED_IN_LINKS):
        parts = {**parts, "transposing": 1.0}
    costs = [(times, cost_of(name, counts.pages + counts.links)) for name, times in parts.items() if times]
    if not costs:
        return None
    # One part after the other: seconds add up, memory is free again.
    return Estimate(sum(times * one.seconds for times, one in costs), max(one.memory for _, one in costs))


def cost_of(part: str, size: int) -> Estimate:
    """What a measured part costs on a graph whose pages and links together are `size`."""
    sizes, seconds, memory = _measured()[part]
    return Estimate(_between(size, sizes, seconds), round(_between(size, sizes, memory)))


def _between(size: int, sizes: np.ndarray, costs: np.ndarray) -> float:
    if size <= sizes[0] or size >= sizes[-1]:
        end = 0 if size <= sizes[0] else -1
        return float(costs[end] * size / sizes[end])
    return math.exp(np.interp(math.log(size), np.log(sizes), np.log(costs)))


@cache
def _measured() -> dict[str, tuple[np.ndarray, np.ndarray, np.ndarray]]:
    """Of each part: sizes in pages and links together, ascending, with seconds and bytes."""
    table = resources.files("seedrank.session").joinpath("costs.csv").read_text(encoding="utf-8")
    rows = list(csv.DictReader(table.splitlines()))
    found = {}
    for part in dict.fromkeys(row["part"] for row in rows):
        own = [row for row in rows if row["part"] == part]
        sizes = [int(row["pages"]) + int(row["links"]) for row in own]
        found[part] = (
            np.array(sizes),
            np.array([float(row["seconds"]) for row in own]),
            np.array([float(row["memory"]) for row in own]),
        )
    return found


def _runs_elsewhere(session: Session, question: Question) -> bool:
    """Whether another engine answers, or the graph is made of the stored one first."""
    if isinstance(question, Levelled) and question.level not in (None, session.level):
        return True
    in_memory = session.engine_name == "native" or not isinstance(session.store, HasGds)
    return session.engine_name in ("gds", "spark") or not in_memory or session.in_spark


# -- how often each measured part runs, by the fields of a question and the pages of the graph

_Parts = Callable[[Any, int], Mapping[str, float]]


def _sweeps(question: Any) -> float:
    """Of a walk, over those with a damping of 0.85: its change falls by the damping with every sweep."""
    return math.log(0.85) / math.log(question.damping)


def _walks(part: str, number: int) -> _Parts:
    return lambda question, pages: {part: number * _sweeps(question)}


def _crawl(order: str) -> _Parts:
    def parts(question: Any, pages: int) -> Mapping[str, float]:
        share = min(question.limit or pages, pages) / max(pages, 1) / FETCHED
        # PageRank for the metrics and the usual seeds, the walk from the seeds, the order, and its measures.
        return {"pagerank": 1.0, "rankmass": 1.0, order: share, "measures": share}

    return parts


def _seeds(part: str, times: Callable[[Any], float]) -> _Parts:
    def parts(question: Any, pages: int) -> Mapping[str, float]:
        other = question.per_site or question.allocate or question.certify
        return {} if other else {part: times(question)}

    return parts


_PARTS: dict[str, _Parts] = {
    "stats": lambda question, pages: {} if question.distances or question.suspicious else {"stats": 1.0},
    "rank pagerank": _walks("pagerank", 1),
    "rank trust": _walks("pagerank", 1),
    "rank spam-mass": _walks("pagerank", 2),
    "rank hits": lambda question, pages: {"hits": question.iterations / 60},
    "seeds pagerank": lambda question, pages: {"pagerank": 1.0},
    # A pass over the links for each hop of a round and, for the bound, two for each hop that a seed reaches.
    "seeds maxout": _seeds("maxout", lambda question: (question.k + 2 * question.hops) / 20),
    "seeds maxweight": _seeds("maxweight", lambda question: (question.k * question.depth + 2 * question.hops) / 30),
    "seeds cores": lambda question, pages: {"cores": question.k / 2 * question.iterations / 60},
    "frontier rw": _walks("rw", 1),
    "crawl fpr": _crawl("fpr"),
}
