"""Answer a question about how central pages and hosts are."""

from __future__ import annotations

import time
from dataclasses import dataclass

import numpy as np

from seedrank.core.errors import UsageError
from seedrank.engines.base import Engine
from seedrank.methods.rank.centrality import Centrality
from seedrank.methods.rank.members import members
from seedrank.methods.rank.methods import RANK
from seedrank.questions.rank import RankQuestion
from seedrank.runs import Answer
from seedrank.session import Session
from seedrank.session.page_lists import page_weights

__all__ = ["RankProblem", "rank"]

_OWN_COLUMNS = frozenset({"id", "url", "source_id", "status", "host", "name", "pages"})


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

    Parameters
    ----------
    write
        Also write the scores as this property of pages, or of hosts where those are ranked.
    """
    RANK.check(question)
    _check_column(session, write)
    started = time.perf_counter()
    found: Centrality = RANK.method(question.method).run(RankProblem(session, question))
    answer = session.answered(question, started, found.ranking(), found.facts)
    if write is not None:
        session.write_scores(write, found.scores)
    return answer


def _check_column(session: Session, write: str | None) -> None:
    if write is None:
        return
    if session.is_derived and session.level == "domain":
        raise UsageError(
            "{write} goes with pages and hosts: a domain has no node in the database",
            hint="leave it out, or rank hosts: {level=host}",
            fields=("write", "level"),
        )
    if not write.isidentifier() or write in _OWN_COLUMNS:
        raise UsageError(f"scores cannot be written to {write!r}", hint="name a column: letters, digits and _")
