"""Pose a question about seeds to a store: choose, find cores, and keep what was found."""

from __future__ import annotations

import logging
import time
from collections.abc import Sequence
from dataclasses import asdict
from typing import TYPE_CHECKING

import numpy as np

from graphdb.store import database
from seedrank.centrality import pagerank_of
from seedrank.desk import Desk
from seedrank.filters import allowed
from seedrank.runs import Ranking, Run
from seedrank.seeds import ask, ask_cores
from seedrank.seeds.coverage import Selection

if TYPE_CHECKING:
    from seedrank.seeds.cores import CoreQuestion

__all__ = ["choose_seeds", "find_cores", "seed_ranking"]

log = logging.getLogger(__name__)


def choose_seeds(
    desk: Desk,
    question: ask.SeedQuestion,
    *,
    only: Sequence[str] = (),
    exclude: Sequence[str] = (),
    keep: str | None = None,
    save: bool = False,
) -> tuple[Run, Ranking]:
    """Choose seeds and keep them as a run; the arguments are those of `Workbench.seeds`."""
    started = time.perf_counter()
    kept = np.empty(0, np.int64) if keep is None else desk.known_pages(keep)[1]
    candidates = allowed(desk.graph, only, exclude)
    problem = ask.pose(question, desk.graph, desk.engine, desk.sites, candidates, kept)
    wanted, there = question.k, int((problem.candidates & (problem.groups >= 0)).sum())
    if not question.per_site and wanted > there:
        log.warning("%s seeds were asked for, and only %s pages may be chosen", f"{wanted:,}", f"{there:,}")
    if question.depth > question.hops and question.method in ("maxweight", "maxscc", "rootscc"):
        log.warning("depth %d looks farther than the %d hops a seed reaches", question.depth, question.hops)
    if (problem.value <= 0).all():
        log.warning("no page is worth more than 0, so no seed is worth choosing")

    def pagerank() -> np.ndarray:
        if question.pagerank_of == "site":
            return desk.engine.without(between_sites=desk.sites).walk().scores
        return pagerank_of(desk)

    found = ask.answer(question, problem, pagerank)
    ranking = seed_ranking(found.selection)
    parameters = {**asdict(question), "site": desk.site, "only": list(only), "exclude": list(exclude), "keep": keep}
    run = desk.record(f"seeds {question.method}", parameters, started, found.facts)
    desk.keep(run, ranking, save=save)
    return run, ranking


def find_cores(desk: Desk, question: CoreQuestion, *, save: bool = False) -> tuple[Run, ask_cores.CoreAnswer]:
    """Find cores and keep their seeds and pages as a run; the arguments are those of `Workbench.core_seeds`."""
    started = time.perf_counter()
    store = database(desk.store, "saving an answer") if save else None
    found = ask_cores.answer(question, desk.engine, desk.graph, desk.sites, desk.progress)
    parameters = {**asdict(question), "site": desk.site}
    run = desk.record("seeds cores", parameters, started, found.facts)
    desk.keep(run, found.ranking, save=save, tables={"cores": found.members})
    if store is not None:
        store.write_cores(run, found.members, progress=desk.progress)
    return run, found


def seed_ranking(selection: Selection) -> Ranking:
    """Seeds with what each adds and all so far cover."""
    names = ("gain", "gain_pages", "covered_pages", "covered_value", "frontier_reached")
    return Ranking(selection.pages, selection.gain, {name: getattr(selection, name) for name in names})
