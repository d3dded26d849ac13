"""From a question about the frontier to its answer."""

from __future__ import annotations

import logging
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np

from seedrank.core.errors import GraphError, UsageError
from seedrank.frontier.scores import METHODS as SCORED
from seedrank.frontier.scores import Options, Scores, best_first
from seedrank.runs import Ranking

if TYPE_CHECKING:
    from seedrank.frontier.model import Model

__all__ = ["METHODS", "FrontierQuestion", "answer", "budget_of"]

log = logging.getLogger(__name__)

METHODS = (*SCORED, "learned")


@dataclass(frozen=True)
class FrontierQuestion:
    """What is asked.

    Parameters
    ----------
    method
        One of `METHODS`.
    impact
        Page column that is the impact: ``clicks``, ``views`` or another.
    budget
        Pages to choose: a number, or a share of the frontier such as ``5%``; all by default.
    options
        Parameters of the methods.
    events
        Files of events: impact is their sum, not a column.
    since, until
        ISO 8601: events from this time (included) to that time (excluded); all by default.
    """

    method: str = "rw-eg"
    impact: str = "clicks"
    budget: str | None = None
    options: Options = field(default_factory=Options)
    events: tuple[str, ...] = ()
    since: str | None = None
    until: str | None = None

    def __post_init__(self) -> None:
        if self.method not in METHODS:
            raise UsageError(f"there is no method {self.method!r}", hint=f"one of {', '.join(METHODS)}")
        if self.budget is not None:
            budget_of(self.budget, None)
        if (self.since or self.until) and not self.events:
            raise UsageError("--from and --to choose events", hint="name their file with --events")

    @property
    def needs_impact(self) -> bool:
        """Whether the method looks at impact at all."""
        return self.method in ("rw", "rw-eg", "learned")


def budget_of(text: str | None, frontier: int | None) -> int:
    """Pages of a budget; a share is rounded up, `None` is the whole frontier.

    Parameters
    ----------
    text
        ``N`` or ``P%``.
    frontier
        Frontier pages there are; with `None` only the text is checked.
    """
    if text is None:
        return frontier or 0
    try:
        number = float(text.removesuffix("%"))
        proper = number > 0 and np.isfinite(number) and (text.endswith("%") or number == int(number))
    except ValueError:
        proper = False
    if not proper:
        raise UsageError(f"{text!r} is no budget", hint="give a number of pages or a share such as 5%")
    if frontier is None:
        return 0
    pages = int(np.ceil(number / 100 * frontier - 1e-9)) if text.endswith("%") else int(number)
    if pages > frontier:
        raise UsageError(
            f"a budget of {text} is more than the {frontier:,} frontier pages",
            hint=f"give at most {frontier:,} or 100%",
        )
    return pages


def answer(
    question: FrontierQuestion, scores: Scores, candidates: np.ndarray, model: Model | None = None
) -> tuple[Ranking, dict[str, Any]]:
    """The best frontier pages, and what is to be said of the whole answer.

    Parameters
    ----------
    question
        What is asked.
    scores
        Of the problem.
    candidates
        Boolean per page, from ``--only`` and ``--exclude``: frontier pages among them may be chosen.
    model
        For ``learned``.
    """
    problem = scores.problem
    pages = np.flatnonzero(problem.frontier & candidates)
    if not len(pages):
        raise GraphError("no frontier page may be chosen", hint="check --only and --exclude")
    budget = budget_of(question.budget, len(pages))
    if question.needs_impact and not problem.impact.any():
        log.warning(
            "every crawled page has %s 0: all senders count alike, and PageRank is what remains", question.impact
        )
    if question.method == "learned":
        assert model is not None
        from seedrank.frontier.features import features

        values = np.full(problem.engine.pages, np.nan)
        values[pages] = model.predict(features(scores, pages, model.features))
        first = best_first(values, pages)
    else:
        values = scores.of(question.method)
        first = best_first(values, pages, _ties(question))
    first = first[:budget]
    columns = {"in_links": problem.in_degree[first]}
    facts: dict[str, Any] = {
        "frontier": len(problem.pages),
        "crawled": int(problem.crawled.sum()),
        "share of crawled with impact": float((problem.impact[problem.crawled] > 0).mean()),
        "budget": budget,
    }
    if question.method == "rw-eg":
        virtual = scores.virtual_links
        facts |= {
            "virtual links": len(virtual),
            "capped pages": virtual.capped_pages,
            "capped pairs": virtual.capped_pairs,
        }
    return Ranking(first, values[first], columns), facts


def _ties(question: FrontierQuestion) -> np.random.Generator | None:
    return np.random.default_rng(question.options.rng) if question.method == "q-overlap" else None
