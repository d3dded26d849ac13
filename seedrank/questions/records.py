"""The question of a kept run, from its record: also of runs that 0.1 kept."""

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

__all__ = ["QUESTIONS", "kind_of_run", "method_of", "question_of"]

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

_METHODS_OF_01 = {
    "experiment frontier-tune": "frontier tune",
    "experiment frontier-learn": "frontier learn",
    "experiment crawl-compare": "crawl compare",
}


def method_of(method: str) -> str:
    """The method of a record by today's name: 0.1 kept some tables as experiments."""
    return _METHODS_OF_01.get(method, method)


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
    said = _as_today(parameters, method)
    if kind.chooses == "method":
        said["method"] = method.partition(" ")[2]
    known = {one.name for one in fields(kind)}
    return kind(**{name: _value(value) for name, value in said.items() if name in known})


def _class_of(method: str) -> type[Question] | None:
    """The kind of question a run answers, by its method: ``seeds evaluate``, or the family of ``seeds maxweight``."""
    return QUESTIONS.get(method) or QUESTIONS.get(method.partition(" ")[0])


def _as_today(parameters: Mapping[str, Any], method: str) -> dict[str, Any]:
    """Parameters by today's names: 0.1 kept some of them together, and a past crawl without its file."""
    said = dict(parameters)
    for name in ("question", "options"):
        inner = said.pop(name, None)
        if isinstance(inner, Mapping):
            said = {**_as_today(inner, method), **said}
    rules = said.pop("rules", None)
    if isinstance(rules, Mapping):
        said |= {name if name == "spam_bonus" else f"value_{name}": value for name, value in rules.items()}
    rule = said.pop("rule", None)
    if isinstance(rule, Mapping):
        said |= {name: value for name, value in rule.items() if name != "violator"}
        said[str(rule.get("violator", "close")).replace("-", "_")] = True
    if isinstance(said.get("history"), Mapping):
        said["history"] = "FILE"
    if "share" in said:
        said["keep_share"] = said.pop("share")
    if method == "frontier learn" and "file" in said:
        said["model"] = said.pop("file")
    return said


def _value(value: Any) -> Any:
    return tuple(value) if isinstance(value, list) else value
