"""Many nodes or relationships in one statement.

Each function sends its rows as one parameter of one ``UNWIND``: a call is all or nothing. Cut what is large into calls
of some 10,000 rows, and create a uniqueness constraint or an index on the keys first; without one every row is a scan.

Arguments, the same in all four:

tx
    A transaction, ``graph.auto()`` or ``graph.begin()``.
data
    For nodes dictionaries of properties, or lists of values in the order of `keys`. For relationships rows of (start,
    properties, end): the properties likewise, the ends by the values of their keys: one value, or a tuple where the
    key has several properties. A row whose ends are not there is passed over.
labels
    Labels of all the nodes; when nodes are merged, labels beyond those of the key.
merge_key
    What makes a node the same: label (or a tuple of labels), then names of properties: ``("Person", "name")``; a
    relationship between two nodes: its type, alone or with names of properties: ``("KNOWS", "since")``.
start_node_key, end_node_key
    How the ends are found: label (or a tuple of labels), then names of properties. By default by the element id.
preserve
    Properties that are left alone on what was there.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, TypeAlias

from seedrank.cypher import quote_identifier

if TYPE_CHECKING:
    from seedrank.graphdb.py2neo.database import Transaction

__all__ = ["create_nodes", "create_relationships", "merge_nodes", "merge_relationships"]

Row: TypeAlias = Mapping[str, Any] | Sequence[Any]
Link: TypeAlias = tuple[Any, Row | None, Any]
Key: TypeAlias = "str | Sequence[Any]"
Keys: TypeAlias = Sequence[str] | None

_UPDATE = "ON CREATE SET _ += row.new ON MATCH SET _ += row.old"


def create_nodes(tx: Transaction, data: Iterable[Row], labels: Iterable[str] | None = None, keys: Keys = None) -> None:
    """Create a node per row."""
    tx.update(
        f"UNWIND $data AS row CREATE (_{_labels(labels)}) SET _ += row.new", data=[_row(row, keys) for row in data]
    )


def merge_nodes(
    tx: Transaction,
    data: Iterable[Row],
    merge_key: Key,
    labels: Iterable[str] | None = None,
    keys: Keys = None,
    preserve: Collection[str] | None = None,
) -> None:
    """Create a node per row, or update the one that is there."""
    of, names = _node_key(merge_key)
    more = _labels(labels)
    also = f" SET _{more}" if more else ""
    cypher = f"UNWIND $data AS row MERGE (_{_labels(of)} {_pattern(names)}) {_UPDATE}{also}"
    tx.update(cypher, data=[_row(row, keys, preserve) for row in data])


def create_relationships(
    tx: Transaction,
    data: Iterable[Link],
    rel_type: str,
    start_node_key: Key | None = None,
    end_node_key: Key | None = None,
    keys: Keys = None,
) -> None:
    """Create a relationship per row."""
    what = f"CREATE (a)-[_:{quote_identifier(rel_type)}]->(b) SET _ += row.new"
    _between(tx, data, what, start_node_key, end_node_key, keys)


def merge_relationships(
    tx: Transaction,
    data: Iterable[Link],
    merge_key: str | Sequence[str],
    start_node_key: Key | None = None,
    end_node_key: Key | None = None,
    keys: Keys = None,
    preserve: Collection[str] | None = None,
) -> None:
    """Create a relationship per row, or update the one that is there."""
    name, *names = [merge_key] if isinstance(merge_key, str) else merge_key
    what = f"MERGE (a)-[_:{quote_identifier(name)} {_pattern(names)}]->(b) {_UPDATE}"
    _between(tx, data, what, start_node_key, end_node_key, keys, preserve)


def _between(
    tx: Transaction,
    data: Iterable[Link],
    what: str,
    start: Key | None,
    end: Key | None,
    keys: Keys,
    preserve: Collection[str] | None = None,
) -> None:
    cypher = f"UNWIND $data AS row {_match('a', start, 'row.source')} {_match('b', end, 'row.target')} {what}"
    tx.update(cypher, data=[{"source": a, "target": b, **_row(row or {}, keys, preserve)} for a, row, b in data])


def _row(row: Row, keys: Keys, preserve: Collection[str] | None = None) -> dict[str, Any]:
    """The properties of what is new, and those that change what was there."""
    if not isinstance(row, Mapping):
        if keys is None:
            raise ValueError("rows are lists of values: name them in `keys`")
        row = dict(zip(keys, row, strict=True))
    return {"new": dict(row), "old": {key: value for key, value in row.items() if key not in (preserve or ())}}


def _labels(labels: Iterable[str] | None) -> str:
    return "".join(f":{quote_identifier(label)}" for label in labels or ())


def _node_key(key: Key) -> tuple[tuple[str, ...], list[str]]:
    label, *names = [key] if isinstance(key, str) else list(key)
    return (label,) if isinstance(label, str) else tuple(label), names


def _pattern(names: Sequence[str]) -> str:
    return "{" + ", ".join(f"{quote_identifier(name)}: row.new.{quote_identifier(name)}" for name in names) + "}"


def _match(variable: str, key: Key | None, source: str) -> str:
    """A ``MATCH`` of one end of a relationship, by the value or values in `source`."""
    if key is None:
        return f"MATCH ({variable}) WHERE elementId({variable}) = {source}"
    labels, names = _node_key(key)
    if not names:
        raise ValueError(f"{key!r} names no property: a node key is a label and properties, as in ('Person', 'name')")
    values = [source] if len(names) == 1 else [f"{source}[{index}]" for index in range(len(names))]
    tests = ", ".join(f"{quote_identifier(name)}: {value}" for name, value in zip(names, values, strict=True))
    return f"MATCH ({variable}{_labels(labels)} {{{tests}}})"
