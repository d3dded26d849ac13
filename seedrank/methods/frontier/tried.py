"""Which method ranks the frontier of this graph best: each is tried on crawled pages that are hidden."""

from __future__ import annotations

import numpy as np

from seedrank.methods.frontier.answer import learned, trial_scores
from seedrank.methods.frontier.features import feature_names
from seedrank.methods.frontier.learn import learn_from
from seedrank.methods.frontier.quality import impact_shares
from seedrank.methods.frontier.scores import Scores, best_first
from seedrank.methods.frontier.trial import Trial
from seedrank.questions.frontier import Watched
from seedrank.session import Session

__all__ = ["BUDGET", "TRIED", "shares_of", "tried"]

TRIED = ("rw", "rw-eg", "learned", "pagerank")
"""Methods that are tried; the first of equals goes first."""
BUDGET = 0.1
"""Share of the hidden pages that may be fetched."""


def tried(session: Session, question: Watched) -> dict[str, float]:
    """Share of the impact of the best choice that each of `TRIED` finds, best first, on the same hidden pages.

    A model is learnt on one half of the hidden pages, and all methods are judged on the other.
    """
    known = session.once(_tried)
    if question not in known:
        known[question] = shares_of(*trial_scores(session, question))
    return known[question]


def _tried(session: Session) -> dict[Watched, dict[str, float]]:
    """What was tried on the store as it is: a load forgets it."""
    return {}


def shares_of(trial: Trial, scores: Scores) -> dict[str, float]:
    """The same of a trial; a method that finds nothing to learn from is left out."""
    judged = np.zeros(len(trial.pages), bool)
    draw = np.random.default_rng(scores.options.rng)
    judged[draw.choice(len(trial.pages), (len(trial.pages) + 1) // 2, replace=False)] = True
    impact = np.zeros(scores.problem.engine.pages)
    impact[trial.pages] = trial.truth
    pages = trial.pages[judged]
    budget = max(1, round(BUDGET * len(pages)))
    found = {}
    for name in TRIED:
        values = _values(name, trial, scores, ~judged)
        if values is not None:
            share = float(impact_shares(impact[best_first(values, pages)], [budget])[0])
            found[name] = share if np.isfinite(share) else 0.0
    return dict(sorted(found.items(), key=lambda one: -one[1]))


def _values(name: str, trial: Trial, scores: Scores, train: np.ndarray) -> np.ndarray | None:
    if name != "learned":
        return scores.of(name)
    if not trial.truth[train].any():
        return None
    return learned(scores, learn_from(trial, scores, train, "tree", feature_names(scores), scores.options.rng))
