"""Static types of expressions: every one has a type before the database sees it.

integer, float, text, boolean, date, null
datetime, instant   a local time, and one in UTC
number              integers and floats mixed: kept as a float, refused where the difference shows
list                of one type
map                 names and their types
node, relationship  of one label or type, or of several
path                the types of its nodes and relationships
"""

from __future__ import annotations

import datetime
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from seedrank.graphdb.duckdb.schema import quote

__all__ = [
    "BOOLEAN", "DATE", "DATETIME", "FLOAT", "FLOAT_OR_ZERO", "INSTANT", "INTEGER", "NULL", "NUMBER", "TEXT",
    "Type", "common", "list_of", "map_of", "node_of", "of_column", "of_value", "path_of", "relationship_of", "sql_type",
]  # fmt: skip


@dataclass(frozen=True)
class Type:
    """A type."""

    kind: str
    items: tuple[Type, ...] = ()
    """Of a list: its elements'; of a map: its values'; of a path: its nodes' and its relationships'."""
    names: tuple[str, ...] = ()
    """Labels of a node, types of a relationship, keys of a map; sorted but for maps."""

    @property
    def is_number(self) -> bool:
        """Whether it can be computed with."""
        return self.kind in ("integer", "float", "number")

    @property
    def is_entity(self) -> bool:
        """Whether it is a node or a relationship."""
        return self.kind in ("node", "relationship")

    @property
    def is_temporal(self) -> bool:
        """Whether it is a date or a time."""
        return self.kind in ("date", "datetime", "instant")

    @property
    def item(self) -> Type:
        """The type of a list's elements."""
        return self.items[0]

    @property
    def has_entity(self) -> bool:
        """Whether a node, a relationship or a path is in it."""
        return self.is_entity or self.kind == "path" or any(each.has_entity for each in self.items)

    def __str__(self) -> str:
        if self.kind == "list":
            return "a list" if self.item.kind == "null" else f"a list of {self.item.kind} values"
        article = "an" if self.kind[0] in "aeiou" else "a"
        return "null" if self.kind == "null" else f"{article} {self.kind}"


INTEGER, FLOAT, NUMBER = Type("integer"), Type("float"), Type("number")
FLOAT_OR_ZERO = Type("number", names=("zero",))
"""Floats and the integer 0, as coalesce(x, 0) gives: it can be divided."""
TEXT, BOOLEAN, NULL = Type("text"), Type("boolean"), Type("null")
DATE, DATETIME, INSTANT = Type("date"), Type("datetime"), Type("instant")

_SQL = {
    "integer": "BIGINT",
    "float": "DOUBLE",
    "number": "DOUBLE",
    "text": "VARCHAR",
    "boolean": "BOOLEAN",
    "date": "DATE",
    "datetime": "TIMESTAMP",
    "instant": "TIMESTAMPTZ",
    "null": "BIGINT",
}
_KEYS = {"Page": "INTEGER"}
MIXED_NODE = "STRUCT(label VARCHAR, key VARCHAR)"
MIXED_RELATIONSHIP = "STRUCT(type VARCHAR, key BIGINT)"
_OF_COLUMN = (
    (re.compile(r"U?(TINY|SMALL|BIG)INT|U?INTEGER"), INTEGER),
    (re.compile(r"DOUBLE|FLOAT|DECIMAL.*"), FLOAT),
    (re.compile(r"VARCHAR|ENUM.*|UUID"), TEXT),
    (re.compile(r"BOOLEAN"), BOOLEAN),
    (re.compile(r"DATE"), DATE),
    (re.compile(r"TIMESTAMP(_S|_MS|_NS)?"), DATETIME),
    (re.compile(r"TIMESTAMP WITH TIME ZONE"), INSTANT),
)


def list_of(item: Type) -> Type:
    """The type of lists of this type."""
    return Type("list", (item,))


def map_of(fields: Mapping[str, Type]) -> Type:
    """The type of maps with these keys."""
    return Type("map", tuple(fields.values()), tuple(fields))


def node_of(labels: Iterable[str]) -> Type:
    """The type of nodes of one of these labels."""
    return Type("node", names=tuple(sorted(set(labels))))


def relationship_of(types: Iterable[str]) -> Type:
    """The type of relationships of one of these types."""
    return Type("relationship", names=tuple(sorted(set(types))))


def path_of(nodes: Type, relationships: Type) -> Type:
    """The type of paths through such nodes and relationships."""
    return Type("path", (nodes, relationships))


def sql_type(kind: Type) -> str:
    """The type in the database."""
    if kind.kind == "list":
        return f"{sql_type(kind.item)}[]"
    if kind.kind == "map":
        if not kind.names:
            return "STRUCT(_ BIGINT)"
        fields = (f"{quote(name)} {sql_type(each)}" for name, each in zip(kind.names, kind.items, strict=True))
        return f"STRUCT({', '.join(fields)})"
    if kind.kind == "node":
        return MIXED_NODE if len(kind.names) != 1 else _KEYS.get(kind.names[0], "VARCHAR")
    if kind.kind == "relationship":
        return MIXED_RELATIONSHIP if len(kind.names) != 1 else "BIGINT"
    if kind.kind == "path":
        return f"STRUCT(nodes {sql_type(kind.items[0])}[], relationships {sql_type(kind.items[1])}[])"
    return _SQL[kind.kind]


def common(kinds: Iterable[Type]) -> Type | None:
    """The type that values of all these types have, nulls aside; None where there is none."""
    known = list(dict.fromkeys(kind for kind in kinds if kind != NULL))
    if not known:
        return NULL
    if len(known) == 1:
        return known[0]
    if all(kind.is_number for kind in known):
        return FLOAT_OR_ZERO if set(known) == {FLOAT, FLOAT_OR_ZERO} else NUMBER
    first = known[0]
    if any(kind.kind != first.kind for kind in known):
        return None
    if first.kind == "node":
        return node_of(name for kind in known for name in kind.names)
    if first.kind == "relationship":
        return relationship_of(name for kind in known for name in kind.names)
    if first.kind in ("list", "path") or (first.kind == "map" and len({kind.names for kind in known}) == 1):
        items = [common(column) for column in zip(*(kind.items for kind in known), strict=True)]
        if all(item is not None for item in items):
            return Type(first.kind, tuple(item for item in items if item is not None), first.names)
    return None


def of_column(text: str) -> Type | None:
    """The type of a column, from the database's name for it; None for what Cypher has nothing like."""
    if text.endswith("[]"):
        item = of_column(text[:-2])
        return None if item is None else list_of(item)
    return next((kind for pattern, kind in _OF_COLUMN if pattern.fullmatch(text)), None)


def of_value(value: Any) -> Type | None:
    """The type of a parameter's value; None for what has none."""
    if value is None:
        return NULL
    if isinstance(value, datetime.datetime) and value.tzinfo is not None:
        return INSTANT if not value.utcoffset() else None
    for python, kind in (
        (bool, BOOLEAN),
        (int, INTEGER),
        (float, FLOAT),
        (str, TEXT),
        (datetime.datetime, DATETIME),
        (datetime.date, DATE),
    ):
        if isinstance(value, python):
            return kind
    if isinstance(value, (list, tuple)):
        if value and all(isinstance(item, Mapping) for item in value):
            value = [{key: item.get(key) for each in value for key in each} for item in value]
        items = [of_value(item) for item in value]
        item = None if None in items else common(each for each in items if each is not None)
        return None if item is None else list_of(item)
    if isinstance(value, Mapping):
        fields = {str(key): of_value(item) for key, item in value.items()}
        return None if None in fields.values() else map_of({key: kind for key, kind in fields.items() if kind})
    return None
