"""The question of a kept run, from its record: also of runs that 0.1 kept."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields
from typing import Any

from seedrank.questions.asked import Question
from seedrank.questions.seeds import EvaluateQuestion, ReduceQuestion, SeedQuestion

__all__ = ["question_of"]

_KINDS: dict[str, type[Question]] = {kind.family: kind for kind in (EvaluateQuestion, ReduceQuestion)}
_FAMILIES: dict[str, type[Question]] = {"seeds": SeedQuestion}
_APART = frozenset({"seeds cores"})
"""Runs under the name of a family that ask another kind of question."""


def question_of(method: str, parameters: Mapping[str, Any]) -> Question | None:
    """What was asked; `None` of a kind of run whose question is not kept as such.

    Parameters
    ----------
    method
        The run's method, such as ``seeds maxweight``.
    parameters
        The run's parameters.
    """
    kind = _KINDS.get(method) or _FAMILIES.get(method.split(" ")[0])
    if kind is None or method in _APART:
        return None
    said = _as_today(parameters)
    if method not in _KINDS:
        said["method"] = method.partition(" ")[2]
    known = {one.name for one in fields(kind)}
    return kind(**{name: _value(value) for name, value in said.items() if name in known})


def _as_today(parameters: Mapping[str, Any]) -> dict[str, Any]:
    """Parameters by today's names: 0.1 kept the rules of a value together, and a past crawl without its file."""
    said = dict(parameters)
    rules = said.pop("rules", None)
    if isinstance(rules, Mapping):
        said |= {name if name == "spam_bonus" else f"value_{name}": value for name, value in rules.items()}
    if isinstance(said.get("history"), Mapping):
        said["history"] = "FILE"
    if "share" in said:
        said["keep_share"] = said.pop("share")
    return said


def _value(value: Any) -> Any:
    return tuple(value) if isinstance(value, list) else value
