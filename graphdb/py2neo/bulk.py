"""Many nodes or relationships in one statement.

Each function sends its rows as one parameter of one ``UNWIND``: a call is all or nothing. Cut what is large into calls
of some 10,000 rows, and create a uniqueness constraint or an index on the keys first; without one every row is a scan.
The first argument is a transaction, ``graph.auto()`` or ``graph.begin()``.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, TypeAlias

from seedrank.cypher import quote_identifier

if TYPE_CHECKING:
    from seedrank.graphdb.py2neo.database import Transaction

__all__ = ["create_nodes", "create_relationships", "merge_nodes", "merge_relationships"]

Row: TypeAlias = Mapping[str, Any] | Sequence[Any]
NodeKey: TypeAlias = "str | Sequence[Any] | None"


def create_nodes(
    tx: Transaction, data: Iterable[Row], labels: Iterable[str] | None = None, keys: Sequence[str] | None = None
) -> None:
    """Create a node per row.

    Parameters
    ----------
    tx
        Where to do it.
    data
        Dictionaries of properties, or lists of values in the order of `keys`.
    labels
        Labels of all the nodes.
    keys
        Names of the properties where `data` has lists.
    """
    cypher = f"UNWIND $data AS row CREATE (_{_labels(labels)}) SET _ += row"
    tx.update(cypher, data=[_properties(row, keys) for row in data])


def merge_nodes(
    tx: Transaction,
    data: Iterable[Row],
    merge_key: str | Sequence[Any],
    labels: Iterable[str] | None = None,
    keys: Sequence[str] | None = None,
    preserve: Collection[str] | None = None,
) -> None:
    """Create a node per row, or update the one that is there.

    Parameters
    ----------
    tx
        Where to do it.
    data
        Dictionaries of properties, or lists of values in the order of `keys`.
    merge_key
        What makes a node the same: label (or a tuple of labels), then names of properties: ``("Person", "name")``.
    labels
        Further labels.
    keys
        Names of the properties where `data` has lists.
    preserve
        Properties that are left alone on nodes that were there.
    """
    key_labels, names = _node_key(merge_key)
    cypher = (
        f"UNWIND $data AS row MERGE (_{_labels(key_labels)} {_pattern(names, 'row.new')}) "
        f"ON CREATE SET _ += row.new ON MATCH SET _ += row.old"
    )
    if extra := _labels(labels):
        cypher += f" SET _{extra}"
    tx.update(cypher, data=[_merged(_properties(row, keys), preserve) for row in data])


def create_relationships(
    tx: Transaction,
    data: Iterable[tuple[Any, Row | None, Any]],
    rel_type: str,
    start_node_key: NodeKey = None,
    end_node_key: NodeKey = None,
    keys: Sequence[str] | None = None,
) -> None:
    """Create a relationship per row; rows whose ends are not there are passed over.

    Parameters
    ----------
    tx
        Where to do it.
    data
        Rows of (start, properties, end). The ends are values of the keys below: one value, or a tuple where the key
        has several properties. The properties are a dictionary, or a list in the order of `keys`.
    rel_type
        Type of all the relationships.
    start_node_key, end_node_key
        How the ends are found: label (or a tuple of labels), then names of properties, as in ``("Person", "name")``.
        By default by the server's element id.
    keys
        Names of the properties where `data` has lists.
    """
    cypher = (
        f"UNWIND $data AS row {_match('a', start_node_key, 'row.source')} {_match('b', end_node_key, 'row.target')} "
        f"CREATE (a)-[_:{quote_identifier(rel_type)}]->(b) SET _ += row.properties"
    )
    rows = [{"source": start, "properties": _properties(row or {}, keys), "target": end} for start, row, end in data]
    tx.update(cypher, data=rows)


def merge_relationships(
    tx: Transaction,
    data: Iterable[tuple[Any, Row | None, Any]],
    merge_key: str | Sequence[str],
    start_node_key: NodeKey = None,
    end_node_key: NodeKey = None,
    keys: Sequence[str] | None = None,
    preserve: Collection[str] | None = None,
) -> None:
    """Create a relationship per row, or update the one that is there; rows whose ends are not there are passed over.

    Parameters
    ----------
    tx
        Where to do it.
    data
        Rows of (start, properties, end), as for `create_relationships`.
    merge_key
        What makes a relationship between two nodes the same: its type, alone or with names of properties:
        ``("KNOWS", "since")``.
    start_node_key, end_node_key
        How the ends are found, as for `create_relationships`.
    keys
        Names of the properties where `data` has lists.
    preserve
        Properties that are left alone on relationships that were there.
    """
    rel_type, *names = [merge_key] if isinstance(merge_key, str) else merge_key
    cypher = (
        f"UNWIND $data AS row {_match('a', start_node_key, 'row.source')} {_match('b', end_node_key, 'row.target')} "
        f"MERGE (a)-[_:{quote_identifier(rel_type)} {_pattern(names, 'row.new')}]->(b) "
        f"ON CREATE SET _ += row.new ON MATCH SET _ += row.old"
    )
    rows = [
        {"source": start, "target": end, **_merged(_properties(row or {}, keys), preserve)} for start, row, end in data
    ]
    tx.update(cypher, data=rows)


def _properties(row: Row, keys: Sequence[str] | None) -> dict[str, Any]:
    if isinstance(row, Mapping):
        return dict(row)
    if keys is None:
        raise ValueError("rows are lists of values: name them in `keys`")
    return dict(zip(keys, row, strict=True))


def _merged(properties: dict[str, Any], preserve: Collection[str] | None) -> dict[str, Any]:
    kept = frozenset(preserve or ())
    return {"new": properties, "old": {key: value for key, value in properties.items() if key not in kept}}


def _labels(labels: Iterable[str] | None) -> str:
    return "".join(f":{quote_identifier(label)}" for label in labels or ())


def _node_key(key: str | Sequence[Any]) -> tuple[tuple[str, ...], list[str]]:
    label, *names = [key] if isinstance(key, str) else list(key)
    return (label,) if isinstance(label, str) else tuple(label), names


def _pattern(names: Sequence[str], source: str) -> str:
    """Properties of a pattern, taken from the map `source`."""
    return "{" + ", ".join(f"{quote_identifier(name)}: {source}.{quote_identifier(name)}" for name in names) + "}"


def _match(variable: str, key: NodeKey, source: str) -> str:
    """A ``MATCH`` of one end of a relationship, by the value or values in `source`."""
    if key is None:
        return f"MATCH ({variable}) WHERE elementId({variable}) = {source}"
    labels, names = _node_key(key)
    if not names:
        raise ValueError(f"{key!r} names no property: a node key is a label and properties, as in ('Person', 'name')")
    values = [source] if len(names) == 1 else [f"{source}[{index}]" for index in range(len(names))]
    tests = ", ".join(f"{quote_identifier(name)}: {value}" for name, value in zip(names, values, strict=True))
    return f"MATCH ({variable}{_labels(labels)} {{{tests}}})"
