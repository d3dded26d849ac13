"""Pages of known impact, drawn and divided anew for every split: those that are fitted on, and those that judge."""

from __future__ import annotations

from dataclasses import replace
from functools import cached_property

import numpy as np

from seedrank.core.errors import GraphError
from seedrank.methods.frontier.answer import trial_scores
from seedrank.methods.frontier.learn import learn_from
from seedrank.methods.frontier.model import Model
from seedrank.methods.frontier.scores import Scores
from seedrank.methods.frontier.trial import Trial, split
from seedrank.questions.experiments import ImpactExperiment
from seedrank.questions.frontier import Trying
from seedrank.session import Session

__all__ = ["ALL", "UNSEEN", "Split"]

ALL, UNSEEN = "all", "unseen"
"""Parts of the known pages that judge: all of them, for methods that need no training; and those that nothing was
fitted on, for what is learnt or tuned and for the methods it is compared with."""


class Split:
    """One drawing of pages of known impact, made when it is first looked at.

    Parameters
    ----------
    session
        The store.
    question
        Impact, what is hidden or known, and the first random sequence.
    number
        Of the split, from 0; its random sequence is the question's plus this.
    """

    def __init__(self, session: Session, question: ImpactExperiment | Trying, number: int) -> None:
        self.number, self.rng = number, question.rng + number
        self._session, self._question = session, question
        self._models: dict[tuple[str, tuple[str, ...]], Model] = {}

    @cached_property
    def _made(self) -> tuple[Trial, Scores]:
        question = self._question
        return trial_scores(self._session, replace(question, rng=self.rng), question.hide, question.truth)

    @property
    def trial(self) -> Trial:
        """The known pages."""
        return self._made[0]

    @property
    def scores(self) -> Scores:
        """Of the trial's problem."""
        return self._made[1]

    @cached_property
    def train(self) -> np.ndarray:
        """Boolean per known page: the part that is fitted on; some pages are left to judge by."""
        train = split(len(self.trial.pages), self.rng)
        if train.all():
            raise GraphError(
                f"too few pages of known impact to fit and to judge on: {len(train):,}",
                hint="hide more pages with {hide}, or give the impact of more with {truth}",
                fields=("hide", "truth"),
            )
        return train

    @cached_property
    def judging(self) -> dict[str, np.ndarray]:
        """Ids of the pages that judge, by part."""
        return {ALL: self.trial.pages, UNSEEN: self.trial.pages[~self.train]}

    @cached_property
    def truth(self) -> np.ndarray:
        """float64 per page of the graph: its true impact, NaN where it is not known."""
        truth = np.full(self.trial.problem.engine.pages, np.nan)
        truth[self.trial.pages] = self.trial.truth
        return truth

    def learnt(self, kind: str, names: tuple[str, ...]) -> Model:
        """A model of the part that is fitted on."""
        if (kind, names) not in self._models:
            self._models[kind, names] = learn_from(self.trial, self.scores, self.train, kind, names, self.rng)
        return self._models[kind, names]
