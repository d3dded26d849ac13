"""From a question about the frontier to its answer."""

from __future__ import annotations

import logging
from typing import TYPE_CHECKING

import numpy as np

from seedrank.core.errors import GraphError
from seedrank.frontier.features import features
from seedrank.frontier.scores import Scores, best_first
from seedrank.questions.frontier import FrontierQuestion, budget_of
from seedrank.runs import Ranking
from seedrank.runs.facts import FrontierFacts

if TYPE_CHECKING:
    from seedrank.frontier.model import Model

__all__ = ["answer", "learned", "needs_impact"]

log = logging.getLogger(__name__)


def answer(
    question: FrontierQuestion, scores: Scores, candidates: np.ndarray, model: Model | None = None
) -> tuple[Ranking, FrontierFacts]:
    """The best frontier pages, and facts about the whole answer.

    Parameters
    ----------
    question
        What is asked.
    scores
        Of the problem.
    candidates
        Boolean per page, from ``only`` and ``exclude``: frontier pages among them may be chosen.
    model
        For ``learned``.
    """
    problem = scores.problem
    pages = np.flatnonzero(problem.frontier & candidates)
    if not len(pages):
        raise GraphError(
            "no frontier page may be chosen", hint="check {only} and {exclude}", fields=("only", "exclude")
        )
    budget = budget_of(question.budget, len(pages))
    if needs_impact(question) and not problem.impact.any():
        log.warning(
            "every crawled page has %s 0: all senders count alike, and PageRank is what remains", question.impact
        )
    if question.method == "learned":
        assert model is not None
        values = learned(scores, model)
    else:
        values = scores.of(question.method)
    first = best_first(values, pages, _ties(question))
    first = first[:budget]
    columns = {"in_links": problem.in_degree[first]}
    facts: FrontierFacts = {
        "frontier": len(problem.pages),
        "crawled": int(problem.crawled.sum()),
        "share_of_crawled_with_impact": float((problem.impact[problem.crawled] > 0).mean()),
        "budget": budget,
    }
    if question.method == "rw-eg":
        virtual = scores.virtual_links
        facts |= {
            "virtual_links": len(virtual),
            "capped_pages": virtual.capped_pages,
            "capped_pairs": virtual.capped_pairs,
        }
    return Ranking(first, values[first], columns), facts


def learned(scores: Scores, model: Model) -> np.ndarray:
    """Impact that a model expects of frontier pages, NaN for every other page."""
    values = np.full(scores.problem.engine.pages, np.nan)
    values[scores.problem.pages] = model.predict(features(scores, scores.problem.pages, model.features))
    return values


def needs_impact(question: FrontierQuestion) -> bool:
    """Whether the method looks at impact at all."""
    return question.method in ("rw", "rw-eg", "learned")


def _ties(question: FrontierQuestion) -> np.random.Generator | None:
    return np.random.default_rng(question.rng) if question.method == "q-overlap" else None
