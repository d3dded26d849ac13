"""One statement on both databases: the same answer, a wrong one, a refusal or a failure.

What counts as the same is declared here:

- rows are a multiset, unless the statement orders them fully;
- numbers are equal up to 1e-9 of their size, whether a database calls them integer or float; texts, truth values and
  numbers are never equal to each other;
- nodes and links are their label and properties without nulls, paths their nodes in order;
- lists are equal in order, and where the statement collects, as multisets.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from decimal import Decimal
from enum import Enum
from typing import Any

import neo4j
import neo4j.graph
import neo4j.time
import pyarrow as pa
from neo4j.exceptions import Neo4jError

from seedrank.core.errors import StoreError

Row = tuple[Any, ...]
Ask = Callable[[str, Mapping[str, Any]], "list[Row]"]
"""Rows of a statement, their values plain."""

_TOLERANCE = 1e-9
_ENGINE = re.compile(
    r"the embedded database|the statement failed|divided by 0|failed on the statement|more memory|took longer"
)
_RUN_TIME = frozenset(
    f"Neo.{name}"
    for name in (
        "ClientError.Statement.ArithmeticError",
        "ClientError.Statement.ArgumentError",
        "ClientError.Statement.TypeError",
        "DatabaseError.Statement.ExecutionFailed",
    )
)
"""Codes of failures that come with the values, not with the text."""
_TYPES = frozenset({"LINKS_TO", "CO_CITED", "ON", "RESULT", "RANKED", "CORE"})
_COLLECTS = re.compile(r"\b(collect|nodes|relationships|rels)\s*\(|\[\(\w*\)?[-<]|COLLECT \{", re.IGNORECASE)


class Outcome(Enum):
    """What came of asking both."""

    SAME = "same"
    WRONG = "wrong"
    REFUSED = "refused"
    FAILED = "failed"
    INVALID = "invalid"
    """Neo4j does not take it: a mistake of the statement's author."""


@dataclass(frozen=True)
class Question:
    """A statement to ask, and whether its rows have one order."""

    text: str
    parameters: Mapping[str, Any] = field(default_factory=dict)
    ordered: bool = False


@dataclass(frozen=True)
class Answer:
    """What both said."""

    outcome: Outcome
    question: Question
    right: list[Row] | None = None
    found: list[Row] | None = None
    error: str = ""

    def __str__(self) -> str:
        given = f"  with {dict(self.question.parameters)}" if self.question.parameters else ""
        lines = [f"{self.outcome.value}: {self.question.text}{given}"]
        if self.error:
            lines.append(f"    {self.error[:200]}")
        if self.outcome is Outcome.WRONG:
            lines += [f"    right:    {_short(self.right)}", f"    embedded: {_short(self.found)}"]
        return "\n".join(lines)


def compare(question: Question, on_neo4j: Ask, on_embedded: Ask) -> Answer:
    """Ask both, Neo4j's answer being the right one."""
    try:
        right = on_neo4j(question.text, question.parameters)
    except Neo4jError as error:
        if error.code not in _RUN_TIME and "Invalid Regex" not in str(error.message):
            return Answer(Outcome.INVALID, question, error=str(error.message))
        return _both_fail(question, on_embedded, str(error.message))
    try:
        found = on_embedded(question.text, question.parameters)
    except StoreError as error:
        outcome = Outcome.REFUSED if is_refusal(error) else Outcome.FAILED
        return Answer(outcome, question, right, error=str(error))
    return judged(question, right, found)


def judged(question: Question, right: list[Row], found: list[Row]) -> Answer:
    """Whether what was found is right."""
    same = same_rows(right, found, ordered=question.ordered, collects=bool(_COLLECTS.search(question.text)))
    return Answer(Outcome.SAME if same else Outcome.WRONG, question, right, found)


def _both_fail(question: Question, on_embedded: Ask, error: str) -> Answer:
    """Where Neo4j fails while it computes, the embedded store is to fail too."""
    try:
        found = on_embedded(question.text, question.parameters)
    except StoreError:
        return Answer(Outcome.SAME, question, error=error)
    return Answer(Outcome.WRONG, question, None, found, error=error)


def same_rows(right: Sequence[Row], found: Sequence[Row], *, ordered: bool, collects: bool) -> bool:
    """Whether two answers are the same."""
    if len(right) != len(found):
        return False
    if collects:
        right = [tuple(_unordered(value) for value in row) for row in right]
        found = [tuple(_unordered(value) for value in row) for row in found]
    if ordered:
        return _same(tuple(right), tuple(found))
    left = sorted(found, key=_key)
    if _same(tuple(sorted(right, key=_key)), tuple(left)):
        return True
    # Values that differ by rounding may sort differently: pair them one by one.
    for row in right:
        for index, other in enumerate(left):
            if _same(row, other):
                del left[index]
                break
        else:
            return False
    return True


def ask_neo4j(session: neo4j.Session) -> Ask:
    """Questions to Neo4j."""

    def ask(text: str, parameters: Mapping[str, Any]) -> list[Row]:
        return [tuple(_plain(value) for value in record.values()) for record in session.run(text, dict(parameters))]

    return ask


def plain_rows(table: pa.Table) -> list[Row]:
    """Rows of the embedded store's answer; columns may have the same name."""
    columns = [column.to_pylist() for column in table.columns]
    return [tuple(_plain(value) for value in row) for row in zip(*columns, strict=True)]


def is_refusal(error: BaseException) -> bool:
    """Whether the statement is refused, and not one that the database stumbles over.

    A sum that 64 bits do not hold is one: Neo4j makes it a float.
    """
    return not _ENGINE.search(str(error)) or "is not known here" in str(error)


def _plain(value: Any) -> Any:
    """A value of either database in one form; maps as sorted pairs, entities without nulls."""
    if isinstance(value, neo4j.graph.Node):
        return ("node", *sorted(value.labels), _pairs(dict(value.items())))
    if isinstance(value, neo4j.graph.Relationship):
        return ("link", value.type, _pairs(dict(value.items())))
    if isinstance(value, neo4j.graph.Path):
        return ("path", *(_plain(node) for node in value.nodes))
    if isinstance(value, dict):
        return _plain_map(value)
    if isinstance(value, (list, tuple)):
        return tuple(_plain(item) for item in value)
    if isinstance(value, neo4j.time.Date | neo4j.time.DateTime):
        return value.to_native()
    if isinstance(value, Decimal):
        return int(value) if value == value.to_integral_value() else float(value)
    return value


def _plain_map(value: Mapping[str, Any]) -> Any:
    """A map; the embedded store's nodes have ``labels``, its links a ``type``."""
    if set(value) == {"nodes", "relationships"}:
        return ("path", *(_plain(node) for node in value["nodes"]))
    own = {name: item for name, item in value.items() if name not in ("labels", "type")}
    if isinstance(value.get("labels"), list):
        return ("node", *sorted(value["labels"]), _pairs(own))
    if value.get("type") in _TYPES:
        return ("link", value["type"], _pairs(own))
    return ("map", *((name, _plain(item)) for name, item in sorted(value.items())))


def _pairs(properties: Mapping[str, Any]) -> tuple[Any, ...]:
    return tuple((name, _plain(item)) for name, item in sorted(properties.items()) if item is not None)


def _unordered(value: Any) -> Any:
    if not isinstance(value, tuple):
        return value
    items = [_unordered(item) for item in value]
    if items and isinstance(items[0], str) and items[0] in ("node", "link", "path", "map"):
        return tuple(items)
    return tuple(sorted(items, key=_key))


def _key(value: Any) -> Any:
    """Sorts values of all kinds; numbers to six digits, so that rounding seldom matters."""
    if isinstance(value, tuple):
        return (5, len(value), *(_key(item) for item in value))
    if value is None:
        return (0,)
    if isinstance(value, bool):
        return (1, value)
    if isinstance(value, (int, float)):
        return (2, float(f"{value:.6g}"))
    return (3, str(value))


def _same(one: Any, other: Any) -> bool:
    if isinstance(one, tuple) and isinstance(other, tuple):
        return len(one) == len(other) and all(map(_same, one, other))
    if isinstance(one, bool) or isinstance(other, bool):
        return one is other
    if isinstance(one, (int, float)) and isinstance(other, (int, float)):
        if isinstance(one, int) and isinstance(other, int):
            return one == other
        return math.isclose(one, other, rel_tol=_TOLERANCE, abs_tol=1e-12) or (math.isnan(one) and math.isnan(other))
    return type(one) is type(other) and bool(one == other)


def _short(rows: Sequence[Row] | None, limit: int = 12) -> str:
    if rows is None:
        return "nothing"
    shown = ", ".join(str(row) for row in sorted(rows, key=_key)[:limit])
    text = shown if len(shown) < 1500 else f"{shown[:1500]} …"
    return f"{len(rows)} rows: {text}{' …' if len(rows) > limit else ''}"
