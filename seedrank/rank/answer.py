"""Answer a question about how central pages and hosts are."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

from graphdb.store import database
from seedrank.core.errors import GraphError, UsageError
from seedrank.engines.base import Engine
from seedrank.engines.choose import noted_with
from seedrank.engines.native import NativeEngine
from seedrank.questions.methods import arguments_of
from seedrank.questions.rank import RankQuestion
from seedrank.rank.centrality import Centrality, host_graph
from seedrank.rank.members import members
from seedrank.rank.methods import RANK
from seedrank.runs import Answer
from seedrank.session import Session

__all__ = ["rank"]

_OWN_COLUMNS = frozenset({"id", "url", "source_id", "status", "host"})


def rank(session: Session, question: RankQuestion, *, write: str | None = None) -> Answer:
    """Rank pages or hosts; the answer is kept as a run.

    Parameters
    ----------
    session
        The store.
    question
        What is asked.
    write
        Also write the scores as this page property.
    """
    RANK.check(question)
    _check_column(question, write)
    started = time.perf_counter()
    session = session.linked(question.weights, question.cap_links)
    engine: Engine = session.engine
    if question.level == "host":
        if session.level == "domain":
            raise UsageError(
                "the graph is of domains, and its hosts are not known", hint="leave out {level}", fields=("level",)
            )
        if not len(session.graph.host_names):
            raise GraphError("no page has a host", hint="load URLs or a host column")
        engine = noted_with(session.engine, NativeEngine(host_graph(session.graph)))
    more: dict[str, Callable[[], Any]] = {
        "engine": lambda: engine,
        "trust": lambda: None if question.teleport is None else session.weights(question.teleport, engine.pages),
        "trusted": lambda: members(session, str(question.trusted)),
        "bad": lambda: members(session, str(question.bad)),
    }
    method = RANK.method(question.method).load()
    found: Centrality = method(**arguments_of(method, question, more))
    answer = session.answered(question, started, found.ranking(), found.facts)
    if write is not None:
        database(session.store, "writing scores").write_scores(write, found.scores, progress=session.progress)
        session.cached_column(write, found.scores)
    return answer


def _check_column(question: RankQuestion, write: str | None) -> None:
    if write is None:
        return
    if question.level == "host":
        raise UsageError("{write} goes with pages", hint="leave it out, or rank pages", fields=("write",))
    if not write.isidentifier() or write in _OWN_COLUMNS:
        raise UsageError(f"scores cannot be written to {write!r}", hint="name a column: letters, digits and _")
