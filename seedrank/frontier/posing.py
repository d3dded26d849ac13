"""Pose a question about the frontier to a store: its scores, trials, impact, searches and models; keep the answer."""

from __future__ import annotations

import logging
import time
from collections.abc import Sequence
from dataclasses import asdict, replace
from datetime import datetime

import numpy as np
import pyarrow as pa

from graphdb.store import database
from seedrank.core.errors import GraphError, UsageError
from seedrank.core.model import Status
from seedrank.engines.base import Engine
from seedrank.engines.native import NativeEngine
from seedrank.filters import allowed
from seedrank.frontier.ask import FrontierQuestion, answer
from seedrank.frontier.explain import contributions, verdicts
from seedrank.frontier.features import feature_names
from seedrank.frontier.impact import checked_impact, column_impact
from seedrank.frontier.learn import learn_from
from seedrank.frontier.model import Model, read_model
from seedrank.frontier.problem import pose, reveal
from seedrank.frontier.scores import Scores, Searches
from seedrank.frontier.tables import events_impact, later_impact
from seedrank.frontier.trial import Trial, hide, known_later
from seedrank.runs import Ranking, Run
from seedrank.session import Session

__all__ = [
    "HIDDEN",
    "explain_page",
    "frontier_scores",
    "impact_of",
    "model_for",
    "rank_frontier",
    "searches_of",
    "trial_scores",
]

log = logging.getLogger(__name__)

HIDDEN = 0.35
"""Share of the crawled pages that is hidden where nobody says otherwise."""


def rank_frontier(
    session: Session,
    question: FrontierQuestion,
    *,
    model: str | None = None,
    only: Sequence[str] = (),
    exclude: Sequence[str] = (),
    save: bool = False,
    save_links: bool = False,
) -> tuple[Run, Ranking]:
    """Rank frontier pages and keep them as a run; the arguments are those of `Workbench.frontier`."""
    started = time.perf_counter()
    scores = frontier_scores(session, question)
    learnt = model_for(session, question, scores, model) if question.method == "learned" else None
    ranking, facts = answer(question, scores, allowed(session.graph, only, exclude), learnt)
    if save_links:
        links = scores.virtual_links.table()
        database(session.store, "saving virtual links").write_virtual_links(links, progress=session.progress)
        facts["virtual links saved"] = links.num_rows
    parameters = {**asdict(question), "model": model, "only": list(only), "exclude": list(exclude)}
    run = session.record(f"frontier {question.method}", parameters, started, facts)
    session.keep(run, ranking, save=save)
    return run, ranking


def explain_page(session: Session, page: str, question: FrontierQuestion) -> tuple[Run, Ranking, pa.Table]:
    """Who sends to a frontier page, kept as a run, and what each method says of it; as `Workbench.explain`."""
    started = time.perf_counter()
    number = session.page_named(page)
    status = Status(int(session.graph.status[number]))
    if status is not Status.FRONTIER:
        raise UsageError(f"{page} is {status.label}: its score is known", hint="name a frontier page")
    scores = frontier_scores(session, question)
    ranking, teleport = contributions(scores, number)
    facts = {"page": number, "score": float(scores.of("rw-eg")[number]), "teleport": teleport}
    run = session.record("explain", {**asdict(question), "page": page}, started, facts)
    session.keep(run, ranking, save=False)
    return run, ranking, verdicts(scores, number)


def frontier_scores(session: Session, question: FrontierQuestion) -> Scores:
    """Scores of the real frontier."""
    graph = session.graph
    crawled, frontier = graph.status == Status.CRAWLED, graph.status == Status.FRONTIER
    impact = impact_of(session, question, crawled)
    revealed = reveal(graph, crawled)
    engine: Engine = session.engine if revealed is graph else NativeEngine(revealed)
    return Scores(pose(revealed, engine, crawled, frontier, impact), question.options, searches_of(session))


def trial_scores(
    session: Session, question: FrontierQuestion, hidden: float = HIDDEN, truth: str | None = None
) -> tuple[Trial, Scores]:
    """Frontier pages whose impact is known, and the methods' scores of them.

    Parameters
    ----------
    session
        The store.
    question
        Impact and options; ``options.rng`` draws what is hidden.
    hidden
        Share of the crawled pages to hide, in (0, 1).
    truth
        A table of frontier pages with their impact: take these, and hide nothing.
    """
    question = replace(question, method="rw-eg")
    if truth is not None:
        scores = frontier_scores(session, question)
        later = later_impact(truth, question.impact, session.find, session.graph.pages)
        return known_later(scores.problem, later), scores
    graph = session.graph
    crawled, frontier = graph.status == Status.CRAWLED, graph.status == Status.FRONTIER
    if not crawled.any():
        raise GraphError("no page is crawled, so none can be hidden", hint="load crawled pages")
    impact = impact_of(session, question, crawled)
    if not impact[crawled].any():
        raise GraphError(
            f"every crawled page has {question.impact} 0, so there is nothing to judge by",
            hint="name a column with values, --impact COLUMN",
        )
    trial = hide(graph, crawled, frontier, impact, hidden, question.options.rng)
    return trial, Scores(trial.problem, question.options, searches_of(session))


def impact_of(session: Session, question: FrontierQuestion, crawled: np.ndarray) -> np.ndarray:
    """Impact per page, float64: a column, or the sum of events; 0 where the method does not look at it."""
    if question.events:
        since, until = (
            None if text is None else datetime.fromisoformat(text) for text in (question.since, question.until)
        )
        impact, unknown = events_impact(
            question.events, question.impact, session.find, session.graph.pages, since, until
        )
        if unknown:
            log.warning("%s pages of the events are not in the graph", f"{unknown:,}")
        return checked_impact(impact, question.impact, crawled)
    if not question.needs_impact and question.impact not in session.graph.column_names:
        return np.zeros(session.graph.pages)
    return column_impact(session.graph, question.impact, crawled)


def searches_of(session: Session) -> Searches:
    """The store's searches, read when a method first needs them."""
    store = session.store
    return session.remember(
        "frontier searches",
        lambda: Searches(
            store.read_queries,
            store.read_results,
            lambda: session.graph.urls,
            lambda: store.read_links(("anchors",)),
        ),
    )


def model_for(session: Session, question: FrontierQuestion, scores: Scores, file: str | None) -> Model:
    """The model of ``learned``: read from a file, or a tree learnt on hidden crawled pages."""
    if file is not None:
        model = read_model(file, feature_names(scores, extras=True))
        learnt_on = model.about.get("impact", question.impact)
        if learnt_on != question.impact:
            log.warning("%s was learnt on %s, and ranks by that, not by %s", file, learnt_on, question.impact)
        return model
    log.info("learning a tree on 35 %% of the crawled pages, hidden; `frontier learn` has other models")
    trial, of_trial = trial_scores(session, question)
    every = np.ones(len(trial.pages), bool)
    return learn_from(trial, of_trial, every, "tree", feature_names(scores), question.options.rng)
