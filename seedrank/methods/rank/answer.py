"""Answer a question about how central pages and hosts are."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

from seedrank.core.errors import UsageError
from seedrank.engines.base import Engine
from seedrank.methods.rank.centrality import Centrality
from seedrank.methods.rank.members import members
from seedrank.methods.rank.methods import RANK
from seedrank.questions.methods import arguments_of
from seedrank.questions.rank import RankQuestion
from seedrank.runs import Answer
from seedrank.session import Session
from seedrank.session.page_lists import page_weights

__all__ = ["rank"]

_OWN_COLUMNS = frozenset({"id", "url", "source_id", "status", "host", "name", "pages"})


def rank(session: Session, question: RankQuestion, *, write: str | None = None) -> Answer:
    """Rank pages, hosts or domains; the answer is kept as a run.

    Parameters
    ----------
    session
        The store.
    question
        What is asked.
    write
        Also write the scores as this property of pages, or of hosts where those are ranked.
    """
    RANK.check(question)
    _check_column(session, write)
    started = time.perf_counter()
    engine: Engine = session.engine
    more: dict[str, Callable[[], Any]] = {
        "engine": lambda: engine,
        "trust": lambda: None if question.teleport is None else page_weights(session, question.teleport, engine.pages),
        "trusted": lambda: members(session, str(question.trusted)),
        "bad": lambda: members(session, str(question.bad)),
    }
    method = RANK.method(question.method).load()
    found: Centrality = method(**arguments_of(method, question, more))
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
