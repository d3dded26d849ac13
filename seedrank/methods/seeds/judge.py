"""Judge a list of seeds: what each of it adds, and how few of it are enough."""

from __future__ import annotations

import logging
import time
from dataclasses import fields, replace

import numpy as np

from seedrank.core.model import Status
from seedrank.core.order import rounded
from seedrank.methods.seeds.choose import listed_pages, pose, search_facts, seed_ranking
from seedrank.methods.seeds.coverage import Coverage, CoverageProblem, Selection, cover_in_order, upper_bound
from seedrank.methods.seeds.graph_methods import cover_greedily
from seedrank.methods.seeds.heaviest import heaviest
from seedrank.questions.seeds import EvaluateQuestion, ReduceQuestion, SeedQuestion, Worth
from seedrank.runs import Answer
from seedrank.runs.facts import EvaluateFacts, ReduceFacts
from seedrank.session import Session
from seedrank.session.page_lists import pinned, unknown_pages

__all__ = ["evaluate", "reduce"]

log = logging.getLogger(__name__)


def evaluate(session: Session, question: EvaluateQuestion) -> Answer:
    """What each seed of a list adds in its order, and all of them together; kept as a run.

    Pages of the list that are not in the graph, not crawled or given twice are counted in the run's facts. A page that
    is not crawled has a row (column ``status``) and adds nothing. Table ``unknown`` has those that are not in the
    graph, and the other form of their URL that is.
    """
    started = time.perf_counter()
    question = replace(question, file=pinned(session, question.file))
    listed, pages = listed_pages(session, question.file)
    problem = _of_list(session, question, pages)
    selection = cover_in_order(problem, [pages])
    bound = upper_bound(problem, selection, tight=question.certify)
    value = float(selection.covered_value[-1]) if len(pages) else 0.0
    facts: EvaluateFacts = {
        **listed,
        "seeds": len(pages),
        "value": value,
        "pages": int(selection.covered_pages[-1]) if len(pages) else 0,
        "bound": bound.value,
        "bound_form": bound.form,
        "ratio": bound.ratio(value),
        "add_nothing": int((selection.gain <= 0).sum()),
    }
    ranking = seed_ranking(selection)
    labels = np.array([status.label for status in Status])
    ranking = replace(ranking, columns={"status": labels[session.graph.status[pages]], **ranking.columns})
    tables = {"unknown": unknown_pages(session, question.file)} if listed["unknown"] else None
    return session.answered(question, started, ranking, facts, tables=tables, site=session.site)


def reduce(session: Session, question: ReduceQuestion) -> Answer:
    """The fewest seeds of a list (by greedy choice) that reach a share of what all of it reaches; kept as a run.

    Pages of the list that are not crawled reach nothing and are left out; the facts count them and name some.
    """
    started = time.perf_counter()
    question = replace(question, file=pinned(session, question.file))
    listed, pages = listed_pages(session, question.file)
    problem = _of_list(session, question, pages)
    candidates = np.zeros(session.graph.pages, bool)
    candidates[pages] = problem.crawled[pages]
    selection, whole = _fewest(replace(problem, candidates=candidates), question.keep_share)
    facts: ReduceFacts = {
        **listed,
        **search_facts(question, selection),
        "of": len(pages),
        "seeds": len(selection.pages),
        "value": float(selection.covered_value[-1]) if len(selection.pages) else 0.0,
        "value_of_all": whole,
    }
    return session.answered(question, started, seed_ranking(selection), facts, site=session.site)


def _of_list(session: Session, question: Worth, pages: np.ndarray) -> CoverageProblem:
    """The problem that a list of seeds is judged by: as many seeds, from all that may be chosen."""
    known = {one.name for one in fields(SeedQuestion)}
    shared = {one.name: getattr(question, one.name) for one in fields(question) if one.name in known}
    asked = SeedQuestion(**shared, k=max(len(pages), 1))
    every = np.ones(session.graph.pages, bool)
    return pose(asked, session.graph, session.engine, session.sites, every, np.empty(0, np.int64))


def _fewest(problem: CoverageProblem, share: float) -> tuple[Selection, float]:
    """Choose among the candidates, best first, until `share` of what all of them reach is reached.

    Greedy choice: with worth of one sign no algorithm that is fast does better in general (1 + ln n times the fewest).

    The problem has one group, and the list as its candidates; the share is in (0, 1].

    Returns
    -------
    selection, whole
        The seeds; what the whole list is worth.
    """
    listed = np.flatnonzero(problem.candidates)
    reached = problem.reached(listed)
    whole = float(problem.value[reached].sum())
    # What the list does not reach is no gain: without it the search ends where the list does.
    inside = replace(problem, value=np.where(reached, problem.value, 0.0), quota=np.array([len(listed)]))
    bound = np.full(problem.engine.pages, np.inf)
    target = float(rounded(np.array([share * whole]))[0])

    def pick(state: Coverage, active: np.ndarray) -> np.ndarray:
        got = whole - float(state.weight.sum())
        if state.chosen.any() and rounded(np.array([got]))[0] >= target:
            return np.array([-1])
        if problem.hops not in state.known:
            # Every ball once; from then on the last sum of each bounds its gain, and few are summed again.
            state.known[problem.hops] = np.full(problem.engine.pages, np.inf)
            positive = np.maximum(state.weight, 0.0)
            state.known[problem.hops][listed] = problem.engine.ball_weight(positive, problem.hops, listed)
            state.evaluations += len(listed)
        allowed = problem.candidates & ~state.chosen
        return heaviest(state, problem.hops, allowed, upper=bound)[0]

    return replace(cover_greedily(inside, pick), stopped=""), whole
