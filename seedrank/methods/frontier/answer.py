"""Answer a question about the frontier: its scores, trials, impact, searches and models."""

from __future__ import annotations

import logging
import time
from datetime import datetime
from typing import cast

import numpy as np

from seedrank.core.errors import GraphError, UsageError
from seedrank.core.levels import PLURAL
from seedrank.core.model import Status
from seedrank.engines.base import Engine
from seedrank.engines.native.engine import NativeEngine
from seedrank.graph.filters import allowed
from seedrank.graphdb.store import database
from seedrank.methods.frontier.explain import contributions, verdicts
from seedrank.methods.frontier.features import feature_names, features
from seedrank.methods.frontier.impact import checked_impact, column_impact
from seedrank.methods.frontier.learn import learn_from
from seedrank.methods.frontier.methods import FRONTIER, IMPACT_METHODS, QUERY_METHODS
from seedrank.methods.frontier.model import Model, read_model
from seedrank.methods.frontier.problem import pose, reveal
from seedrank.methods.frontier.scores import Scores, Searches, best_first
from seedrank.methods.frontier.tables import events_impact, later_impact
from seedrank.methods.frontier.trial import Trial, hide, known_later
from seedrank.methods.host_table import frontier_hosts, starving
from seedrank.methods.worthless import worthless
from seedrank.questions.frontier import ExplainQuestion, FrontierQuestion, Watched, budget_of
from seedrank.questions.question import Saved
from seedrank.runs import Answer, Ranking
from seedrank.runs.facts import ExplainFacts, FrontierFacts
from seedrank.session import Session

__all__ = [
    "HIDDEN", "best_pages", "explain", "frontier_scores", "impact_of", "learned", "model_for", "rank", "searches_of",
    "trial_scores",
]  # fmt: skip

log = logging.getLogger(__name__)

HIDDEN = 0.35
"""Share of the crawled pages that is hidden where nobody says otherwise."""


def rank(
    session: Session,
    question: FrontierQuestion,
    *,
    save: Saved = False,
    write: str | None = None,
    save_links: bool = False,
) -> Answer:
    """Rank frontier pages by the impact they will have; the answer is kept as a run.

    With `save` it is written into the database too, for exploration, with `write` the scores as this property, and with
    `save_links` the virtual links as ``CO_CITED``, in place of those that are there.
    """
    FRONTIER.check(question)
    session.check_column(write)
    if session.is_derived and question.method in QUERY_METHODS:
        raise UsageError(
            f"searches lead to pages, and {PLURAL[session.level]} are asked about",
            hint="rank by another method, such as rw-eg, or leave out {level}",
            fields=("level",),
        )
    started = time.perf_counter()
    scores = frontier_scores(session, question, needed=question.method in IMPACT_METHODS)
    if question.method == "learned":
        scores.model = model_for(session, question, scores)
    candidates = allowed(session.graph, question.only, question.exclude, session.level)
    if question.fold or question.no_traps:
        candidates &= ~worthless(session, fold=question.fold, no_traps=question.no_traps)
    ranking, facts = best_pages(question, scores, candidates)
    if save_links:
        links = scores.virtual_links.table()
        database(session.store, "saving virtual links").write_virtual_links(links, progress=session.progress)
        facts["virtual_links_saved"] = links.num_rows
    hosts = None if session.is_derived else frontier_hosts(session.graph, ranking.pages)
    facts = {**facts, **starving(hosts)}
    tables = None if hosts is None else {"hosts": hosts}
    if write is not None:
        session.write_places(write, ranking.pages, ranking.scores)
    return session.answered(question, started, ranking, facts, save=save, tables=tables)


def best_pages(question: FrontierQuestion, scores: Scores, candidates: np.ndarray) -> tuple[Ranking, FrontierFacts]:
    """The best frontier pages, and facts about the whole answer.

    `candidates` says per page whether it may be chosen, if it is frontier.
    """
    problem = scores.problem
    pages = np.flatnonzero(problem.frontier & candidates)
    if not len(pages):
        raise GraphError(
            "no frontier page may be chosen", hint="check {only} and {exclude}", fields=("only", "exclude")
        )
    budget = budget_of(question.budget, len(pages))
    if question.method in IMPACT_METHODS and not problem.impact.any():
        log.warning(
            "every crawled page has %s 0: all senders count alike, and PageRank is what remains", question.impact
        )
    values = scores.of(question.method)
    first = best_first(values, pages, scores.ties(question.method))[:budget]
    columns = {"in_links": problem.in_degree[first]}
    facts: FrontierFacts = {"frontier": len(problem.pages), "crawled": int(problem.crawled.sum()), "budget": budget}
    every = values[pages]
    if every.sum() > 0 and every.min() >= 0:
        facts["share_of_score"] = float(values[first].sum() / every.sum())
    if question.method in IMPACT_METHODS:
        facts["share_of_crawled_with_impact"] = float((problem.impact[problem.crawled & ~problem.unknown] > 0).mean())
    if scores.model is not None:
        facts["features"] = list(scores.model.features)
    if question.method == "rw-eg":
        virtual = scores.virtual_links
        facts |= {
            "virtual_links": len(virtual),
            "capped_pages": virtual.capped_pages,
            "capped_pairs": virtual.capped_pairs,
        }
    return Ranking(first, values[first], columns), facts


def learned(scores: Scores, model: Model | None) -> np.ndarray:
    """Impact that a model expects of frontier pages, NaN for every other page."""
    assert model is not None
    values = np.full(scores.problem.engine.pages, np.nan)
    values[scores.problem.pages] = model.predict(features(scores, scores.problem.pages, model.features))
    return values


def explain(session: Session, question: ExplainQuestion) -> Answer:
    """Who sends to a frontier page, by link and by co-citation; kept as a run.

    The page's own share (``teleport``) is among the facts; table ``methods`` has what each method says of it.
    """
    started = time.perf_counter()
    number = session.names.page(question.page)
    status = Status(int(session.graph.status[number]))
    if status is not Status.FRONTIER:
        raise UsageError(f"{question.page} is {status.label}: its score is known", hint="name a frontier page")
    scores = frontier_scores(session, question)
    ranking, teleport = contributions(scores, number)
    facts: ExplainFacts = {"page": number, "score": float(scores.of("rw-eg")[number]), "teleport": teleport}
    return session.answered(question, started, ranking, facts, tables={"methods": verdicts(scores, number)})


def frontier_scores(session: Session, question: Watched, *, needed: bool = True) -> Scores:
    """Scores of the real frontier; impact that is not `needed` may be missing."""
    graph = session.graph
    crawled, frontier = graph.status == Status.CRAWLED, graph.status == Status.FRONTIER
    impact = impact_of(session, question, crawled, needed=needed)
    revealed, engine = graph, cast(Engine, session.engine)
    if graph.links_here or engine.degrees()[1][~crawled].any():
        if not graph.has_links:
            raise GraphError(
                "pages that were not crawled have links here, and in Spark all links count",
                hint="leave those links out of the folder, or use {engine=native}",
                fields=("engine",),
            )
        revealed = reveal(graph, crawled)
        engine = engine if revealed is graph else NativeEngine(revealed)
    return Scores(pose(revealed, engine, crawled, frontier, impact, graph), question, searches_of(session))


def trial_scores(
    session: Session, question: Watched, hidden: float = HIDDEN, truth: str | None = None
) -> tuple[Trial, Scores]:
    """Frontier pages whose impact is known, and the methods' scores of them.

    A share `hidden` of the crawled pages is hidden. Where `truth` names a table of frontier pages with their impact,
    those are taken, and nothing is hidden.
    """
    if truth is not None:
        scores = frontier_scores(session, question)
        later = later_impact(truth, question.impact, session.names.find, session.graph.pages)
        return known_later(scores.problem, later.impact), scores
    graph = session.graph
    crawled, frontier = graph.status == Status.CRAWLED, graph.status == Status.FRONTIER
    if not crawled.any():
        raise GraphError("no page is crawled, so none can be hidden", hint="load crawled pages")
    impact = impact_of(session, question, crawled)
    if not np.nan_to_num(impact[crawled]).any():
        raise GraphError(
            "every crawled page has {column} 0, so there is nothing to judge by",
            hint="name a column with values by {impact}",
            fields=("impact",),
            values={"column": question.impact},
        )
    trial = hide(graph, crawled, frontier, impact, hidden, question.rng)
    return trial, Scores(trial.problem, question, searches_of(session))


def impact_of(session: Session, question: Watched, crawled: np.ndarray, *, needed: bool = True) -> np.ndarray:
    """Impact per page, float64, NaN where it is unknown: a column, or the sum of events; 0 where it is not needed."""
    if question.events:
        since, until = (
            None if text is None else datetime.fromisoformat(text) for text in (question.since, question.until)
        )
        impact, unknown = events_impact(
            question.events, question.impact, session.names.find, session.graph.pages, since, until
        )
        if unknown:
            log.warning("%s pages of the events are not in the graph", f"{unknown:,}")
        return checked_impact(impact, question.impact, crawled)
    if not needed and question.impact not in session.graph.column_names:
        return np.zeros(session.graph.pages)
    return column_impact(session.graph, question.impact, crawled)


def searches_of(session: Session) -> Searches | None:
    """The store's searches, read when a method first needs them; they lead to pages, so hosts and domains have none."""
    if session.is_derived:
        return None
    return session.once(_searches_of)


def _searches_of(session: Session) -> Searches:
    store = session.store
    return Searches(
        store.read_queries, store.read_results, lambda: session.graph.urls, lambda: store.read_links(("anchors",))
    )


def model_for(session: Session, question: FrontierQuestion, scores: Scores) -> Model:
    """The model of ``learned``: read from a file, or a tree learnt on hidden crawled pages."""
    file = question.model
    if file is not None:
        model = read_model(file, feature_names(scores, extras=True))
        learnt_on = model.about.get("impact", question.impact)
        if learnt_on != question.impact:
            log.warning("%s was learnt on %s, and ranks by that, not by %s", file, learnt_on, question.impact)
        return model
    log.info("learning a tree on 35 % of the crawled pages, hidden; `frontier learn` has other models")
    trial, of_trial = trial_scores(session, question)
    every = np.ones(len(trial.pages), bool)
    return learn_from(trial, of_trial, every, "tree", feature_names(scores), question.rng)
