"""Where a crawl begins: pages of a file, of a seeds method or of a kept run."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from typing import Any

import numpy as np

from seedrank.core.errors import GraphError, UsageError
from seedrank.core.model import Status
from seedrank.graph.filters import allowed
from seedrank.methods.seeds import baselines
from seedrank.methods.seeds.choose import choose, pose
from seedrank.methods.seeds.find_cores import find_cores
from seedrank.methods.seeds.methods import SEEDS
from seedrank.questions.seeds import CoreQuestion, SeedQuestion
from seedrank.runs import Answer
from seedrank.session import Session
from seedrank.session.page_lists import run_pages, weighted_pages

__all__ = ["Start", "best_pages", "seed_source", "start_pages"]


def best_pages(session: Session, count: int) -> np.ndarray:
    """The crawled pages with the highest PageRank, best first, at most `count`: those of ``seeds pagerank``.

    What they cover is not asked for, which would take longer than to choose them.
    """
    if not (session.graph.status == Status.CRAWLED).any():
        return np.empty(0, np.int64)
    question = SeedQuestion(method="pagerank", k=count)
    candidates = allowed(session.graph, non_pages=question.non_pages)
    problem = pose(question, session.graph, session.engine, session.sites, candidates, np.empty(0, np.int64))
    return baselines.pages_by_pagerank(problem, session.pagerank)[0]


@dataclass(frozen=True)
class Start:
    """Where a crawl begins."""

    pages: np.ndarray
    """int64, each once, in the order they were given or chosen."""
    weights: np.ndarray | None
    """Of each page, where a list has weights that differ."""
    facts: dict[str, Any]

    def refuse_weights(self, what: str) -> None:
        """Refuse a list whose pages weigh differently, where an order begins with all of them alike."""
        if self.weights is not None:
            raise UsageError(
                f"{what} begins with all seeds alike, and their weights differ",
                hint="leave out the column weight, or crawl by fpr",
            )


def start_pages(session: Session, text: str, rng: int = 1) -> Start:
    """Pages a crawl begins with.

    Parameters
    ----------
    text
        A file, URLs between spaces, ``METHOD:N`` or ``run:ID``. Seeds of a method other than ``pagerank`` are kept as
        a run of their own.
    """
    source, count = seed_source(text, (*SEEDS.names, "cores"))
    if source.startswith("run:"):
        pages = run_pages(session, source)[:count]
    elif source == "pagerank":
        pages = best_pages(session, count or 1)
    elif source == "cores":
        pages = _pages(find_cores(session.unweighted, CoreQuestion(k=count or 1, rng=rng)))
    elif source in SEEDS.names:
        pages = _pages(choose(session.unweighted, SeedQuestion(method=source, k=count or 1, rng=rng)))
    else:
        facts, pages, weights = weighted_pages(session, source)
        return Start(pages, weights, {"seeds": len(pages), "seeds_unknown": facts["unknown"]})
    if not len(pages):
        raise GraphError("no page is crawled, so there are no seeds", hint="load pages with their links")
    return Start(np.asarray(pages, np.int64), None, {"seeds": len(pages)})


def _pages(found: Answer) -> np.ndarray:
    """Pages of an answer that ranks pages."""
    assert found.ranking is not None
    return found.ranking.pages


def seed_source(text: str, methods: Collection[str]) -> tuple[str, int | None]:
    """Where seeds come from and how many: ``METHOD:N``, ``run:ID`` or ``run:ID:N``; anything else is a file or URLs."""
    if text.startswith(("http://", "https://")):
        return text, None
    source, _, count = text.rpartition(":")
    if text.startswith("run:"):
        if not source.startswith("run:"):
            return text, None
    elif source not in methods:
        if count.isdecimal() and source.replace("-", "").isalpha():
            raise UsageError(f"unknown seeds method {source!r}", hint=f"one of {', '.join(sorted(methods))}")
        if text in methods:
            raise UsageError(f"how many seeds by {text}?", hint=f"write it like {text}:160")
        return text, None
    if not count.isdecimal() or int(count) < 1:
        raise UsageError(f"{text!r}: {count!r} is not a number of seeds", hint=f"write it like {source}:160")
    return source, int(count)
