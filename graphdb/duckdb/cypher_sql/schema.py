"""The graph that the tables hold: labels and relationship types with their tables, keys, ends and properties."""

from __future__ import annotations

import difflib
import logging
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from seedrank.graphdb.duckdb.cypher_sql.types import INSTANT, Type, of_column, sql_type
from seedrank.graphdb.duckdb.schema import quote

__all__ = ["GraphSchema", "NodeTable", "RelationshipTable", "graph_schema"]

log = logging.getLogger(__name__)

_NODES = {
    "Page": ("page", "id"),
    "Host": ("host", "name"),
    "Query": ("query", "text"),
    "Run": ("run", "id"),
    "Load": ("load", "id"),
}
_RELATIONSHIPS = {
    "LINKS_TO": ("link", "Page", "source", "Page", "target"),
    "CO_CITED": ("co_cited", "Page", "source", "Page", "target"),
    "ON": ("page", "Page", "id", "Host", "host"),
    "RESULT": ("result", "Query", "query", "Page", "page"),
    "RANKED": ("ranked", "Run", "run", "Page", "page"),
    "CORE": ("core", "Run", "run", "Page", "page"),
}
_NO_PROPERTIES = {"Page": frozenset({"host"})}
"""Columns of nodes that the graph has as relationships."""
_TIMES = {"run": "created", "load": "started"}
"""Columns of text, as records have them, that are times in the graph, as in Neo4j."""


@dataclass(frozen=True)
class NodeTable:
    """Nodes of one label."""

    label: str
    table: str
    key: str
    properties: Mapping[str, Type]
    columns: Mapping[str, str]
    """Of each property its column, with a cast where it is narrower than its type."""
    others: frozenset[str] = frozenset()
    """Columns of types that Cypher has nothing like."""


@dataclass(frozen=True)
class RelationshipTable:
    """Relationships of one type; a row is one, known by its rowid."""

    type: str
    table: str
    start: str
    """Label of the node it starts at, and the column with its key."""
    start_key: str
    end: str
    end_key: str
    properties: Mapping[str, Type]
    columns: Mapping[str, str]
    others: frozenset[str] = frozenset()


@dataclass(frozen=True)
class GraphSchema:
    """Labels and relationship types."""

    nodes: Mapping[str, NodeTable]
    relationships: Mapping[str, RelationshipTable]

    def warn_of(self, names: Iterable[str], known: Iterable[str], what: str) -> None:
        """Say which names exist nowhere: they match nothing, which is rarely what was meant."""
        known = list(known)
        for name in names:
            if name not in known:
                near = difflib.get_close_matches(name, known, n=1, cutoff=0.5) or [
                    each for each in known if each.lower() == name.lower()
                ]
                hint = f"; do you mean {near[0]}?" if near else f"; there are {', '.join(sorted(known))}"
                log.warning("no %s is called %s%s", what, name, hint)


def graph_schema(columns: Mapping[str, Mapping[str, str]]) -> GraphSchema:
    """The graph in tables.

    Parameters
    ----------
    columns
        Of each table its columns with their types, as information_schema.columns names them.
    """
    nodes = {}
    for label, (table, key) in _NODES.items():
        own = _properties(columns.get(table, {}), _NO_PROPERTIES.get(label, frozenset()), _TIMES.get(table))
        nodes[label] = NodeTable(label, quote(table), quote(key), *own)
    relationships = {}
    for name, (table, start, start_key, end, end_key) in _RELATIONSHIPS.items():
        known = {} if name == "ON" else columns.get(table, {})
        own = _properties(known, frozenset({start_key, end_key}))
        relationships[name] = RelationshipTable(name, quote(table), start, quote(start_key), end, quote(end_key), *own)
    return GraphSchema(nodes, relationships)


def _properties(
    columns: Mapping[str, str], hidden: frozenset[str], time: str | None = None
) -> tuple[dict[str, Type], dict[str, str], frozenset[str]]:
    properties, reading = {}, {}
    for name, text in columns.items():
        kind = of_column(text)
        if kind is not None and name not in hidden:
            kind = INSTANT if name == time else kind
            properties[name] = kind
            reading[name] = quote(name) if text == sql_type(kind) else f"{quote(name)}::{sql_type(kind)}"
    return properties, reading, frozenset(columns) - hidden - frozenset(properties)
