"""Answer a question about how central pages and hosts are."""

from __future__ import annotations

import time
from dataclasses import dataclass

import numpy as np

from seedrank.engines.base import Engine
from seedrank.methods.rank.centrality import Centrality
from seedrank.methods.rank.members import members
from seedrank.methods.rank.methods import RANK
from seedrank.questions.rank import RankQuestion
from seedrank.runs import Answer
from seedrank.session import Session
from seedrank.session.page_lists import page_weights

__all__ = ["RankProblem", "rank"]


@dataclass(frozen=True)
class RankProblem:
    """What a method of `seedrank.methods.rank.methods` takes: the question, and what its fields name."""

    session: Session
    question: RankQuestion

    @property
    def engine(self) -> Engine:
        """The graph."""
        return self.session.engine

    @property
    def teleport(self) -> np.ndarray | None:
        """Weight per page where a walk begins anew; `None` for all alike."""
        named = self.question.teleport
        return None if named is None else page_weights(self.session, named, self.engine.pages)

    @property
    def trusted(self) -> np.ndarray:
        """Weight per page, above 0 in the trusted set."""
        return members(self.session, str(self.question.trusted))

    @property
    def bad(self) -> np.ndarray:
        """Weight per page, above 0 in the bad set."""
        return members(self.session, str(self.question.bad))


def rank(session: Session, question: RankQuestion, *, write: str | None = None) -> Answer:
    """Rank pages, hosts or domains; the answer is kept as a run.

    With `write` the scores are also written as this property of pages, or of hosts where those are ranked.
    """
    RANK.check(question)
    session.check_column(write)
    started = time.perf_counter()
    found: Centrality = RANK.method(question.method).run(RankProblem(session, question))
    answer = session.answered(question, started, found.ranking(), found.facts)
    if write is not None:
        session.write_scores(write, found.scores)
    return answer
