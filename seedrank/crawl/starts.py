"""Where a crawl begins: pages of a file, of a seeds method or of a kept run."""

from __future__ import annotations

import logging
from typing import Any

import numpy as np

from seedrank import runs
from seedrank.centrality import pagerank_of
from seedrank.core.errors import GraphError, UsageError
from seedrank.core.model import Status
from seedrank.crawl.question import seed_source
from seedrank.questions.seeds import SeedQuestion
from seedrank.seeds import ask, baselines, posing
from seedrank.seeds.cores import CoreQuestion
from seedrank.seeds.methods import SEEDS
from seedrank.session import Session

__all__ = ["best_pages", "named_run", "start_pages"]

log = logging.getLogger(__name__)


def best_pages(session: Session, count: int) -> np.ndarray:
    """The crawled pages with the highest PageRank, best first, at most `count`: those of ``seeds pagerank``.

    What they cover is not asked for, which would take longer than to choose them.
    """
    if not (session.graph.status == Status.CRAWLED).any():
        return np.empty(0, np.int64)
    question = SeedQuestion(method="pagerank", k=count)
    every = np.ones(session.graph.pages, bool)
    problem = ask.pose(question, session.graph, session.engine, session.sites, every, np.empty(0, np.int64))
    return baselines.pages_by_pagerank(problem, pagerank_of(session))[0]


def start_pages(session: Session, text: str, rng: int = 1) -> tuple[dict[str, Any], np.ndarray]:
    """Pages a crawl begins with, int64, and facts about them.

    Parameters
    ----------
    session
        The store.
    text
        A file, ``METHOD:N`` or ``run:ID``. Seeds of a method other than ``pagerank`` are kept as a run of their own.
    rng
        Random sequence of the method.
    """
    source, count = seed_source(text, (*SEEDS.names, "cores"))
    if source.startswith("run:"):
        run, ranking = runs.read(session.runs_folder, source)
        if run.facts.get("partial"):
            log.warning("run:%s was interrupted: its order is a part", run.id)
        pages = ranking.pages[:count]
        if not len(pages):
            raise UsageError(f"{source} has no pages", hint="name another run")
    elif source == "pagerank":
        pages = best_pages(session, count or 1)
    elif source == "cores":
        pages = posing.find_cores(session, CoreQuestion(k=count or 1, rng=rng))[1].ranking.pages
    elif source in SEEDS.names:
        pages = posing.choose_seeds(session, SeedQuestion(method=source, k=count or 1, rng=rng))[1].pages
    else:
        facts, pages = session.known_pages(source)
        return {"seeds": len(pages), "seeds unknown": facts["unknown"]}, pages
    if not len(pages):
        raise GraphError("no page is crawled, so there are no seeds", hint="load pages with their links")
    return {"seeds": len(pages)}, np.asarray(pages, np.int64)


def named_run(session: Session, seeds: str) -> str:
    """The same seeds with the id of ``run:latest``, which will be another run later."""
    if seeds.split(":")[:2] != ["run", "latest"]:
        return seeds
    return seeds.replace("latest", runs.read(session.runs_folder, "run:latest")[0].id, 1)
