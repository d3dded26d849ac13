"""Subgraphs to and from the database: create, merge, delete, separate, exists, push and pull.

Rows are sent in groups of equal labels or type, one statement a group, so that a subgraph costs few round trips.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, TypeVar

from seedrank.cypher import quote_identifier
from seedrank.graphdb.py2neo.data import Entity, Node, Relationship, Subgraph

if TYPE_CHECKING:
    from seedrank.graphdb.py2neo.cursor import Cursor
    from seedrank.graphdb.py2neo.database import Graph

__all__ = ["Writer"]

E = TypeVar("E", bound=Entity)
K = TypeVar("K", bound=Hashable)

_ENDS = "MATCH (a) WHERE elementId(a) = row.source MATCH (b) WHERE elementId(b) = row.target"
_EACH = "UNWIND $rows AS row"
_NODE = "MATCH (_) WHERE elementId(_) = row.identity"
_RELATIONSHIP = "MATCH ()-[_]->() WHERE elementId(_) = row.identity"


class Writer:
    """What `Graph` and `Transaction` do with nodes, relationships and subgraphs."""

    graph: Graph

    def run(self, cypher: str, parameters: Mapping[str, Any] | None = None, **kwparameters: Any) -> Cursor:
        """Run a statement; see `Graph.run`."""
        raise NotImplementedError

    def evaluate(self, cypher: str, parameters: Mapping[str, Any] | None = None, **kwparameters: Any) -> Any:
        """The first value of the first record; `None` where there is none."""
        cursor = self.run(cypher, parameters, **kwparameters)
        try:
            return cursor.evaluate()
        finally:
            cursor.close()

    def update(self, cypher: str, parameters: Mapping[str, Any] | None = None, **kwparameters: Any) -> None:
        """Run a statement to its end and drop what it returns."""
        self.run(cypher, parameters, **kwparameters).close()

    def create(self, subgraph: Subgraph) -> None:
        """Create the nodes and relationships that are not in the database yet, and bind them."""
        for labels, nodes in _grouped(_unbound(subgraph.nodes), _label_set):
            _bind(self, nodes, f"CREATE (_{_labels(labels)}) SET _ = row.properties")
        self._write_relationships(subgraph, "CREATE", "=")

    def merge(self, subgraph: Subgraph, primary_label: str | None = None, *primary_key: str) -> None:
        """Create nodes that are not there, update those that are, and bind them.

        Parameters
        ----------
        subgraph
            A node, a relationship or a subgraph; relationships are merged by type and ends.
        primary_label, primary_key
            Label and properties that make a node the same. A node's own ``__primarylabel__`` and ``__primarykey__``
            come first.
        """
        for (label, keys, labels), nodes in _grouped(
            _unbound(subgraph.nodes), lambda node: (*_primary(node, primary_label, primary_key), _label_set(node))
        ):
            test = ", ".join(f"{quote_identifier(key)}: row.properties.{quote_identifier(key)}" for key in keys)
            extra = f" SET _{_labels(labels)}" if labels else ""
            _bind(self, nodes, f"MERGE (_:{quote_identifier(label)} {{{test}}}) SET _ += row.properties{extra}")
        self._write_relationships(subgraph, "MERGE", "+=")

    def _write_relationships(self, subgraph: Subgraph, verb: str, assign: str) -> None:
        for name, relationships in _grouped(_unbound(subgraph.relationships), lambda one: type(one).__name__):
            pattern = f"{verb} (a)-[_:{quote_identifier(name)}]->(b) SET _ {assign} row.properties"
            _bind(self, relationships, f"{_ENDS} {pattern}")

    def delete(self, subgraph: Subgraph) -> None:
        """Delete the nodes, with all their relationships, and the relationships."""
        self.separate(subgraph)
        self._drop(_bound(subgraph.nodes), f"{_NODE} DETACH DELETE _")

    def separate(self, subgraph: Subgraph) -> None:
        """Delete the relationships; the nodes stay."""
        self._drop(_bound(subgraph.relationships), f"{_RELATIONSHIP} DELETE _")

    def _drop(self, entities: Sequence[Entity], cypher: str) -> None:
        self.update(f"{_EACH} {cypher}", rows=_identities(entities))
        for entity in entities:
            entity._bind(None, None)

    def exists(self, subgraph: Subgraph) -> bool:
        """Whether all of it is in the database."""
        count = "RETURN count(DISTINCT elementId(_))"
        parts: tuple[tuple[Sequence[Entity], str], ...] = (
            (subgraph.nodes, _NODE),
            (subgraph.relationships, _RELATIONSHIP),
        )
        return all(
            len(_bound(some)) == len(some)
            and self.evaluate(f"{_EACH} {find} {count}", rows=_identities(some)) == len(some)
            for some, find in parts
        )

    def push(self, subgraph: Subgraph) -> None:
        """Write labels and properties of bound nodes and relationships."""
        for labels, nodes in _grouped(_bound(subgraph.nodes), _label_set):
            known = f"{_EACH} {_NODE} UNWIND labels(_) AS label RETURN collect(DISTINCT label)"
            gone = _labels(frozenset(self.evaluate(known, rows=_identities(nodes))) - labels)
            change = (f" REMOVE _{gone}" if gone else "") + (f" SET _{_labels(labels)}" if labels else "")
            self.update(f"{_EACH} {_NODE} SET _ = row.properties{change}", rows=_rows(nodes))
        relationships = _bound(subgraph.relationships)
        self.update(f"{_EACH} {_RELATIONSHIP} SET _ = row.properties", rows=_rows(relationships))

    def pull(self, subgraph: Subgraph) -> None:
        """Read labels and properties of bound nodes and relationships."""
        for some, find, labels in (
            (_bound(subgraph.nodes), _NODE, "labels(_)"),
            (_bound(subgraph.relationships), _RELATIONSHIP, "null"),
        ):
            by_identity = {one.identity: one for one in some}
            cypher = f"{_EACH} {find} RETURN row.identity, {labels}, properties(_)"
            for identity, found, properties in self.run(cypher, rows=_identities(some)):
                by_identity[identity]._replace(found, properties)


def _bind(tx: Writer, entities: list[E], cypher: str) -> None:
    """Write the entities, one row each, and bind them to the identities that come back in the same order."""
    identities = [record[0] for record in tx.run(f"{_EACH} {cypher} RETURN elementId(_)", rows=_rows(entities))]
    if len(identities) != len(entities):
        raise ValueError("the key of a merge matches several nodes, or the end of a relationship is gone")
    for entity, identity in zip(entities, identities, strict=True):
        entity._bind(tx.graph, identity)


def _rows(entities: Sequence[Entity]) -> list[dict[str, Any]]:
    rows: list[dict[str, Any]] = [{"identity": entity.identity, "properties": dict(entity)} for entity in entities]
    for row, entity in zip(rows, entities, strict=True):
        if isinstance(entity, Relationship):
            row |= {"source": entity.start_node.identity, "target": entity.end_node.identity}
    return rows


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


def _label_set(node: Node) -> frozenset[str]:
    return frozenset(node.labels)


def _labels(labels: Iterable[str]) -> str:
    return "".join(f":{quote_identifier(label)}" for label in sorted(labels))


def _primary(node: Node, label: str | None, keys: tuple[str, ...]) -> tuple[str, tuple[str, ...]]:
    """Label and keys a node is merged by: those of the node itself before those of the call."""
    own = getattr(node, "__primarykey__", None) or keys
    label, keys = getattr(node, "__primarylabel__", None) or label, (own,) if isinstance(own, str) else tuple(own)
    if not label or not keys:
        raise ValueError("merging a node needs a label and a key: graph.merge(node, 'Person', 'name')")
    return label, keys
