"""The question of a kept run, from its record."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields
from typing import Any

from seedrank.questions.crawl import CompareQuestion, CrawlQuestion
from seedrank.questions.experiments import EXPERIMENTS
from seedrank.questions.frontier import ExplainQuestion, FrontierQuestion, LearnQuestion, TuneQuestion
from seedrank.questions.graph import StatsQuestion
from seedrank.questions.question import Kind, Question
from seedrank.questions.rank import RankQuestion
from seedrank.questions.seeds import CoreQuestion, EvaluateQuestion, ReduceQuestion, SeedQuestion, TransferQuestion

__all__ = ["QUESTIONS", "kind_of_run", "question_of"]

_ALL: tuple[type[Question], ...] = (
    StatsQuestion,
    RankQuestion,
    SeedQuestion,
    EvaluateQuestion,
    ReduceQuestion,
    TransferQuestion,
    CoreQuestion,
    CrawlQuestion,
    CompareQuestion,
    FrontierQuestion,
    TuneQuestion,
    LearnQuestion,
    ExplainQuestion,
    *EXPERIMENTS.values(),
)
QUESTIONS = {kind.command: kind for kind in _ALL}
"""Every kind of question by the command that asks it."""


def kind_of_run(method: str) -> Kind:
    """What the answer of a run is."""
    kind = _class_of(method)
    return "table" if kind is None else kind.gives


def question_of(method: str, parameters: Mapping[str, Any]) -> Question | None:
    """What was asked; `None` of a run that this version cannot ask again.

    Parameters
    ----------
    method
        The run's method, such as ``seeds maxweight``.
    parameters
        The run's parameters.
    """
    kind = _class_of(method)
    if kind is None:
        return None
    said = dict(parameters)
    if kind.chooses == "method":
        said["method"] = method.partition(" ")[2]
    known = {one.name for one in fields(kind)}
    return kind(**{name: _value(value) for name, value in said.items() if name in known})


def _class_of(method: str) -> type[Question] | None:
    """The kind of question a run answers, by its method: ``seeds evaluate``, or the family of ``seeds maxweight``."""
    return QUESTIONS.get(method) or QUESTIONS.get(method.partition(" ")[0])


def _value(value: Any) -> Any:
    return tuple(value) if isinstance(value, list) else value
