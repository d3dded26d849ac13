"""From what a caller says to an answer: the question, the session at its level, and what answers it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, Any, TypeVar

from seedrank.core.errors import UsageError, shorten
from seedrank.core.levels import PLURAL
from seedrank.questions.levels import Levelled
from seedrank.questions.question import Question, made
from seedrank.runs import Answer
from seedrank.runs.answer import listed
from seedrank.session import Session

if TYPE_CHECKING:
    from seedrank.experiments.rank_comparison import RankChange

__all__ = ["answered", "at_level", "compare_rank_files", "question_from"]

_Q = TypeVar("_Q", bound=Question)
_LISTS = ("seeds", "keep", "trusted", "bad")
"""Fields that name pages."""


def question_from(
    session: Session, kind: type[_Q], given: Any, fields: Mapping[str, Any], name: str | None = None
) -> _Q:
    """A question from the name of a method (or list), or from a question and what is to be different in it.

    Parameters
    ----------
    session
        The store.
    kind
        The class of the question.
    given
        A method, a list of pages, or a question of this kind; `None` where `fields` say it all.
    fields
        Fields by name; lists of pages may be frames, answers and so on (`seedrank.runs.answer.listed`).
    name
        The field that `given` is, where it is not the one that chooses a method.
    """
    level = fields.get("level") or (given.level if isinstance(given, Levelled) else None) or session.level
    lists = {one: listed(fields[one], level) for one in _LISTS if fields.get(one) is not None}
    if isinstance(given, kind):
        return replace(given, **{**fields, **lists})
    first = {} if given is None else {name or str(kind.chooses): listed(given, level) if name == "file" else given}
    return made(kind, **{**first, **fields, **lists})


def at_level(session: Session, question: Question) -> Session:
    """The session at the level of a question."""
    if not isinstance(question, Levelled):
        return session
    return session.at(question.level, host_weights=question.host_weights)


def answered(session: Session, question: Question, options: dict[str, Any]) -> Answer:
    """The answer to a question of any kind; `options` are ``save`` and the like."""
    if not isinstance(question, Question):
        raise UsageError(f"{shorten(question)} is no question", hint="make one, such as seedrank.SeedQuestion(k=5)")
    asked = at_level(session, question)
    wanted = question.options(options)
    if asked.is_derived and {"save", "save_links"} & set(wanted):
        raise UsageError(
            f"pages can be saved in the database, and {PLURAL[asked.level]} are asked about",
            hint="leave it out: the answer is kept beside the store",
        )
    answer: Answer = question.answerer()(asked, question, **wanted)
    return answer


def compare_rank_files(old: str, new: str, by: str = "harmonic") -> RankChange:
    """As `Workbench.compare_ranks`, of two files: no store is needed."""
    from seedrank.experiments.rank_comparison import compare_ranks

    return compare_ranks(old, new, by=by)
