"""Subgraphs to and from the database: create, merge, delete, separate, exists, push and pull.

Rows are sent in groups of equal labels or type, one statement a group, so that a subgraph costs few round trips.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Hashable, Iterable
from typing import TYPE_CHECKING, Any, TypeVar

from seedrank.cypher import quote_identifier
from seedrank.graphdb.py2neo.data import Entity, Node, Relationship, Subgraph

if TYPE_CHECKING:
    from seedrank.graphdb.py2neo.database import Transaction

__all__ = ["create", "delete", "exists", "merge", "pull", "push", "separate"]

E = TypeVar("E", bound=Entity)
K = TypeVar("K", bound=Hashable)

_ENDS = "MATCH (a) WHERE elementId(a) = row.source MATCH (b) WHERE elementId(b) = row.target"
_NODE = "MATCH (n) WHERE elementId(n) = row.identity"
_RELATIONSHIP = "MATCH ()-[r]->() WHERE elementId(r) = row.identity"


def create(tx: Transaction, subgraph: Subgraph) -> None:
    """Create what is not in the database yet, and bind it."""
    for labels, nodes in _grouped(_unbound(subgraph.nodes), lambda node: frozenset(node.labels)):
        _bind(tx, nodes, f"UNWIND $rows AS row CREATE (n{_labels(labels)}) SET n = row.properties RETURN elementId(n)")
    for name, relationships in _grouped(_unbound(subgraph.relationships), _type):
        pattern = f"CREATE (a)-[r:{quote_identifier(name)}]->(b) SET r = row.properties"
        _bind(tx, relationships, f"UNWIND $rows AS row {_ENDS} {pattern} RETURN elementId(r)")


def merge(tx: Transaction, subgraph: Subgraph, primary_label: str | None, primary_key: tuple[str, ...]) -> None:
    """Create what is not there by label and key, update what is, and bind it."""
    for (label, keys, labels), nodes in _grouped(
        _unbound(subgraph.nodes), lambda node: (*_primary(node, primary_label, primary_key), frozenset(node.labels))
    ):
        test = ", ".join(f"{quote_identifier(key)}: row.properties.{quote_identifier(key)}" for key in keys)
        extra = f" SET n{_labels(labels)}" if labels else ""
        pattern = f"MERGE (n:{quote_identifier(label)} {{{test}}}) SET n += row.properties{extra}"
        _bind(tx, nodes, f"UNWIND $rows AS row {pattern} RETURN elementId(n)")
    for name, relationships in _grouped(_unbound(subgraph.relationships), _type):
        pattern = f"MERGE (a)-[r:{quote_identifier(name)}]->(b) SET r += row.properties"
        _bind(tx, relationships, f"UNWIND $rows AS row {_ENDS} {pattern} RETURN elementId(r)")


def delete(tx: Transaction, subgraph: Subgraph) -> None:
    """Delete nodes with all their relationships, and unbind them."""
    separate(tx, subgraph)
    nodes = _bound(subgraph.nodes)
    tx.update(f"UNWIND $rows AS row {_NODE} DETACH DELETE n", rows=_identities(nodes))
    for node in nodes:
        node._bind(None, None)


def separate(tx: Transaction, subgraph: Subgraph) -> None:
    """Delete the relationships and unbind them; the nodes stay."""
    relationships = _bound(subgraph.relationships)
    tx.update(f"UNWIND $rows AS row {_RELATIONSHIP} DELETE r", rows=_identities(relationships))
    for relationship in relationships:
        relationship._bind(None, None)


def exists(tx: Transaction, subgraph: Subgraph) -> bool:
    """Whether every node and relationship is in the database."""
    parts: tuple[tuple[tuple[Entity, ...], str], ...] = (
        (subgraph.nodes, f"{_NODE} RETURN count(DISTINCT elementId(n))"),
        (subgraph.relationships, f"{_RELATIONSHIP} RETURN count(DISTINCT elementId(r))"),
    )
    return all(
        len(_bound(entities)) == len(entities)
        and tx.evaluate(f"UNWIND $rows AS row {statement}", rows=_identities(entities)) == len(entities)
        for entities, statement in parts
    )


def push(tx: Transaction, subgraph: Subgraph) -> None:
    """Make the database's labels and properties those of the bound nodes and relationships here."""
    for labels, nodes in _grouped(_bound(subgraph.nodes), lambda node: frozenset(node.labels)):
        old = tx.evaluate(
            f"UNWIND $rows AS row {_NODE} UNWIND labels(n) AS label RETURN collect(DISTINCT label)",
            rows=_identities(nodes),
        )
        gone = _labels(frozenset(old) - labels)
        change = (f" REMOVE n{gone}" if gone else "") + (f" SET n{_labels(labels)}" if labels else "")
        tx.update(f"UNWIND $rows AS row {_NODE} SET n = row.properties{change}", rows=_rows(nodes))
    relationships = _bound(subgraph.relationships)
    tx.update(f"UNWIND $rows AS row {_RELATIONSHIP} SET r = row.properties", rows=_rows(relationships))


def pull(tx: Transaction, subgraph: Subgraph) -> None:
    """Make labels and properties of the bound nodes and relationships here those of the database."""
    nodes = {node.identity: node for node in _bound(subgraph.nodes)}
    for identity, labels, properties in tx.run(
        f"UNWIND $rows AS row {_NODE} RETURN row.identity, labels(n), properties(n)", rows=_identities(nodes.values())
    ):
        nodes[identity]._pending = False
        nodes[identity]._replace(properties)
        nodes[identity]._labels = set(labels)
    relationships = {relationship.identity: relationship for relationship in _bound(subgraph.relationships)}
    for identity, properties in tx.run(
        f"UNWIND $rows AS row {_RELATIONSHIP} RETURN row.identity, properties(r)",
        rows=_identities(relationships.values()),
    ):
        relationships[identity]._replace(properties)


def _bind(tx: Transaction, entities: list[E], cypher: str) -> None:
    """Write the entities, one row each, and bind them to the identities that come back in the same order."""
    identities = [record[0] for record in tx.run(cypher, rows=_rows(entities))]
    if len(identities) != len(entities):
        raise ValueError("the key of a merge matches several nodes, or the end of a relationship is gone")
    for entity, identity in zip(entities, identities, strict=True):
        entity._bind(tx.graph, identity)


def _rows(entities: Iterable[Entity]) -> list[dict[str, Any]]:
    return [
        {
            "identity": entity.identity,
            "properties": dict(entity),
            **(
                {"source": entity.start_node.identity, "target": entity.end_node.identity}
                if isinstance(entity, Relationship)
                else {}
            ),
        }
        for entity in entities
    ]


def _identities(entities: Iterable[Entity]) -> list[dict[str, Any]]:
    return [{"identity": entity.identity} for entity in entities]


def _unbound(entities: Iterable[E]) -> list[E]:
    return [entity for entity in entities if entity.identity is None]


def _bound(entities: Iterable[E]) -> list[E]:
    return [entity for entity in entities if entity.identity is not None]


def _grouped(entities: Iterable[E], key: Callable[[E], K]) -> list[tuple[K, list[E]]]:
    groups: dict[K, list[E]] = defaultdict(list)
    for entity in entities:
        groups[key(entity)].append(entity)
    return list(groups.items())


def _type(relationship: Relationship) -> str:
    return type(relationship).__name__


def _labels(labels: Iterable[str]) -> str:
    return "".join(f":{quote_identifier(label)}" for label in sorted(labels))


def _primary(node: Node, label: str | None, keys: tuple[str, ...]) -> tuple[str, tuple[str, ...]]:
    """Label and keys a node is merged by: those of the node itself before those of the call."""
    own = getattr(node, "__primarykey__", None) or keys
    label, keys = getattr(node, "__primarylabel__", None) or label, (own,) if isinstance(own, str) else tuple(own)
    if not label or not keys:
        raise ValueError("merging a node needs a label and a key: graph.merge(node, 'Person', 'name')")
    return label, keys
