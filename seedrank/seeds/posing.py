"""Answer a question about seeds on a store: choose, judge a list, find cores; and keep what was found."""

from __future__ import annotations

import logging
import time
from dataclasses import asdict, fields
from typing import TYPE_CHECKING, Any

import numpy as np

from graphdb.store import database
from seedrank.centrality import pagerank_of
from seedrank.core.model import Status
from seedrank.filters import allowed
from seedrank.questions.seeds import EvaluateQuestion, ReduceQuestion, SeedQuestion, Worth
from seedrank.runs import Ranking, Run
from seedrank.seeds import ask, ask_cores
from seedrank.seeds.bound import upper_bound
from seedrank.seeds.coverage import CoverageProblem, Selection, cover_in_order
from seedrank.seeds.methods import SEEDS
from seedrank.seeds.reduce import reduce
from seedrank.session import Session

if TYPE_CHECKING:
    from seedrank.seeds.cores import CoreQuestion

__all__ = ["choose_seeds", "evaluate_seeds", "find_cores", "reduce_seeds", "seed_ranking"]

log = logging.getLogger(__name__)


def choose_seeds(session: Session, question: SeedQuestion, *, save: bool = False) -> tuple[Run, Ranking]:
    """Choose seeds and keep them as a run; `save` also writes them into the database."""
    SEEDS.check(question)
    started = time.perf_counter()
    kept = np.empty(0, np.int64) if question.keep is None else session.known_pages(question.keep)[1]
    candidates = allowed(session.graph, question.only, question.exclude)
    problem = ask.pose(question, session.graph, session.engine, session.sites, candidates, kept)
    _warn_of(question, problem)

    def pagerank() -> np.ndarray:
        if question.pagerank_of == "site":
            return session.engine.without(between_sites=session.sites).walk().scores
        return pagerank_of(session)

    found = ask.answer(question, problem, pagerank)
    ranking = seed_ranking(found.selection)
    run = session.record(question.words, {**asdict(question), "site": session.site}, started, found.facts)
    session.keep(run, ranking, save=save)
    return run, ranking


def evaluate_seeds(session: Session, question: EvaluateQuestion) -> tuple[Run, Ranking]:
    """What each seed of a list adds in its order, and all of them together; kept as a run.

    Pages of the list that are not in the graph, not crawled or given twice are counted in the run's facts.
    """
    started = time.perf_counter()
    facts, pages = session.known_pages(question.file)
    facts["not crawled"] = int((session.graph.status[pages] != Status.CRAWLED).sum())
    problem = _of_list(session, question, pages, np.ones(session.graph.pages, bool))
    selection = cover_in_order(problem, [pages])
    bound = upper_bound(problem, selection, tight=question.certify)
    value = float(selection.covered_value[-1]) if len(pages) else 0.0
    facts |= {
        "seeds": len(pages),
        "value": value,
        "pages": int(selection.covered_pages[-1]) if len(pages) else 0,
        "bound": bound.value,
        "bound form": bound.form,
        "ratio": bound.ratio(value),
        "add nothing": int((selection.gain <= 0).sum()),
    }
    return _judged(session, question, started, facts, selection)


def reduce_seeds(session: Session, question: ReduceQuestion) -> tuple[Run, Ranking]:
    """The fewest seeds of a list (by greedy choice) that reach a share of what all of it reaches; kept as a run."""
    started = time.perf_counter()
    facts, pages = session.known_pages(question.file)
    listed = np.zeros(session.graph.pages, bool)
    listed[pages] = True
    selection, whole = reduce(_of_list(session, question, pages, listed), question.keep_share)
    reached = float(selection.covered_value[-1]) if len(selection.pages) else 0.0
    facts |= {"of": len(pages), "seeds": len(selection.pages), "value": reached, "value of all": whole}
    facts |= ask.search_facts(question, selection)
    return _judged(session, question, started, facts, selection)


def find_cores(session: Session, question: CoreQuestion, *, save: bool = False) -> tuple[Run, ask_cores.CoreAnswer]:
    """Find cores and keep their seeds and pages as a run; the arguments are those of `Workbench.core_seeds`."""
    started = time.perf_counter()
    store = database(session.store, "saving an answer") if save else None
    found = ask_cores.answer(question, session.engine, session.graph, session.sites, session.progress)
    parameters = {**asdict(question), "site": session.site}
    run = session.record("seeds cores", parameters, started, found.facts)
    session.keep(run, found.ranking, save=save, tables={"cores": found.members})
    if store is not None:
        store.write_cores(run, found.members, progress=session.progress)
    return run, found


def seed_ranking(selection: Selection) -> Ranking:
    """Seeds with what each adds and all so far cover."""
    names = ("gain", "gain_pages", "covered_pages", "covered_value", "frontier_reached")
    return Ranking(selection.pages, selection.gain, {name: getattr(selection, name) for name in names})


def _warn_of(question: SeedQuestion, problem: CoverageProblem) -> None:
    wanted, there = question.k, int((problem.candidates & (problem.groups >= 0)).sum())
    if not question.per_site and wanted > there:
        log.warning("%s seeds were asked for, and only %s pages may be chosen", f"{wanted:,}", f"{there:,}")
    if question.depth > question.hops and "depth" in SEEDS.fields(question.method):
        log.warning("depth %d looks farther than the %d hops a seed reaches", question.depth, question.hops)
    if (problem.value <= 0).all():
        log.warning("no page is worth more than 0, so no seed is worth choosing")


def _of_list(session: Session, question: Worth, pages: np.ndarray, candidates: np.ndarray) -> CoverageProblem:
    """The problem that a list of seeds is judged by."""
    shared = {one.name: getattr(question, one.name) for one in fields(Worth)}
    asked = SeedQuestion(**shared, k=max(len(pages), 1))
    return ask.pose(asked, session.graph, session.engine, session.sites, candidates, np.empty(0, np.int64))


def _judged(
    session: Session, question: Worth, started: float, facts: dict[str, Any], selection: Selection
) -> tuple[Run, Ranking]:
    """Keep what was found about a list, with everything it depends on."""
    run = session.record(question.words, {**asdict(question), "site": session.site}, started, facts)
    ranking = seed_ranking(selection)
    session.keep(run, ranking, save=False)
    return run, ranking
