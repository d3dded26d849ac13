"""Answer a question about seeds: choose, judge a list, find cores; and keep what was found."""

from __future__ import annotations

import logging
import time
from dataclasses import fields, replace

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from graphdb.store import database
from seedrank.core.model import Status
from seedrank.filters import allowed
from seedrank.questions.seeds import CoreQuestion, EvaluateQuestion, ReduceQuestion, SeedQuestion, Worth
from seedrank.rank.centrality import pagerank_of
from seedrank.runs import Answer, Ranking
from seedrank.runs.facts import EvaluateFacts, ListFacts, ReduceFacts
from seedrank.seeds import ask, ask_cores
from seedrank.seeds.bound import upper_bound
from seedrank.seeds.coverage import CoverageProblem, Selection, cover_in_order
from seedrank.seeds.methods import SEEDS
from seedrank.seeds.reduce import reduce as fewest
from seedrank.session import Session

__all__ = ["choose", "evaluate", "find_cores", "reduce", "seed_ranking"]

log = logging.getLogger(__name__)


def choose(session: Session, question: SeedQuestion, *, save: bool = False) -> Answer:
    """Choose seeds and keep them as a run; `save` also writes them into the database."""
    SEEDS.check(question)
    started = time.perf_counter()
    if question.keep is not None:
        question = replace(question, keep=session.pinned(question.keep))
    kept = np.empty(0, np.int64) if question.keep is None else _listed(session, question.keep)[1]
    candidates = allowed(session.graph, question.only, question.exclude)
    problem = ask.pose(question, session.graph, session.engine, session.sites, candidates, kept)
    _warn_of(question, problem)

    def pagerank() -> np.ndarray:
        if question.pagerank_of == "site":
            return session.engine.without(between_sites=session.sites).walk().scores
        return pagerank_of(session)

    found = ask.answer(question, problem, pagerank)
    ranking = seed_ranking(found.selection)
    return session.answered(question, started, ranking, found.facts, save=save, site=session.site)


def evaluate(session: Session, question: EvaluateQuestion) -> Answer:
    """What each seed of a list adds in its order, and all of them together; kept as a run.

    Pages of the list that are not in the graph, not crawled or given twice are counted in the run's facts. A page that
    is not crawled has a row (column ``status``) and adds nothing.
    """
    started = time.perf_counter()
    question = replace(question, file=session.pinned(question.file))
    listed, pages = _listed(session, question.file)
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
    return session.answered(question, started, ranking, facts, site=session.site)


def reduce(session: Session, question: ReduceQuestion) -> Answer:
    """The fewest seeds of a list (by greedy choice) that reach a share of what all of it reaches; kept as a run.

    Pages of the list that are not crawled reach nothing and are left out; the facts count them and name some.
    """
    started = time.perf_counter()
    question = replace(question, file=session.pinned(question.file))
    listed, pages = _listed(session, question.file)
    problem = _of_list(session, question, pages)
    candidates = np.zeros(session.graph.pages, bool)
    candidates[pages] = problem.crawled[pages]
    selection, whole = fewest(replace(problem, candidates=candidates), question.keep_share)
    facts: ReduceFacts = {
        **listed,
        **ask.search_facts(question, selection),
        "of": len(pages),
        "seeds": len(selection.pages),
        "value": float(selection.covered_value[-1]) if len(selection.pages) else 0.0,
        "value_of_all": whole,
    }
    return session.answered(question, started, seed_ranking(selection), facts, site=session.site)


def find_cores(session: Session, question: CoreQuestion, *, save: bool = False) -> Answer:
    """Find cores and keep their seeds as a run, with the pages of each core (table ``cores``).

    A row per seed has ``name`` of its core, ``density``, how many hubs, authorities and hosts it has, and its members
    as lists: ``hubs`` and ``authorities`` (id, url), ``hosts`` (host, pages).
    """
    started = time.perf_counter()
    store = database(session.store, "saving an answer") if save else None
    found = ask_cores.answer(question, session.engine, session.graph, session.sites, session.progress)
    tables = {"cores": found.members}
    kept = session.answered(question, started, found.ranking, found.facts, save=save, tables=tables, site=session.site)
    if store is not None:
        store.write_cores(kept.run, found.members, progress=session.progress)
    return Answer(
        kept.run,
        lambda: found.with_members(session.rows(found.ranking), session.rows(found.as_ranking())),
        ranking=found.ranking,
        tables=tables,
    )


def seed_ranking(selection: Selection) -> Ranking:
    """Seeds with what each adds and all so far cover."""
    names = ("gain", "gain_pages", "covered_pages", "covered_value", "frontier_reached")
    return Ranking(selection.pages, selection.gain, {name: getattr(selection, name) for name in names})


def _warn_of(question: SeedQuestion, problem: CoverageProblem) -> None:
    free = problem.candidates & (problem.groups >= 0)
    free[problem.keep] = False
    wanted, there = question.k, int(free.sum())
    if not question.per_site and wanted > there:
        log.warning("%s seeds were asked for, and only %s pages may be chosen", f"{wanted:,}", f"{there:,}")
    if question.depth > question.hops and "depth" in SEEDS.fields(question.method):
        log.warning("depth %d looks farther than the %d hops a seed reaches", question.depth, question.hops)
    if (problem.value <= 0).all():
        log.warning("no page is worth more than 0, so no seed is worth choosing")


def _listed(session: Session, file: str) -> tuple[ListFacts, np.ndarray]:
    """Pages of a list of seeds; its facts, and a warning, name those that are not crawled."""
    facts, pages = session.known_pages(file)
    dead = pages[session.graph.status[pages] != Status.CRAWLED]
    names = session.page_names(pa.chunked_array([dead[:5]]))
    facts["not_crawled"] = len(dead)
    facts["not_crawled_such_as"] = pc.coalesce(names["url"], names["source_id"].cast(names["url"].type)).to_pylist()
    if len(dead):
        some = ", ".join(map(str, facts["not_crawled_such_as"][:3]))
        log.warning(
            "%s: %d of %d pages are not crawled and reach nothing, such as %s", file, len(dead), len(pages), some
        )
    return facts, pages


def _of_list(session: Session, question: Worth, pages: np.ndarray) -> CoverageProblem:
    """The problem that a list of seeds is judged by: as many seeds, from all that may be chosen."""
    known = {one.name for one in fields(SeedQuestion)}
    shared = {one.name: getattr(question, one.name) for one in fields(question) if one.name in known}
    asked = SeedQuestion(**shared, k=max(len(pages), 1))
    every = np.ones(session.graph.pages, bool)
    return ask.pose(asked, session.graph, session.engine, session.sites, every, np.empty(0, np.int64))
