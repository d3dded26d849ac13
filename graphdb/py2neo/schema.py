"""Labels, types, indexes and uniqueness constraints."""

from __future__ import annotations

from typing import TYPE_CHECKING

from seedrank.cypher import quote_identifier

if TYPE_CHECKING:
    from seedrank.graphdb.py2neo.database import Graph

__all__ = ["Schema"]


_SHOW = {
    "INDEX": "SHOW INDEXES YIELD name, labelsOrTypes, properties, owningConstraint, entityType, type "
    "WHERE entityType = 'NODE' AND type = 'RANGE' AND owningConstraint IS NULL",
    "CONSTRAINT": "SHOW CONSTRAINTS YIELD name, labelsOrTypes, properties, type "
    "WHERE type IN ['UNIQUENESS', 'NODE_PROPERTY_UNIQUENESS']",
}


class Schema:
    """The schema of a database; had as `Graph.schema`."""

    def __init__(self, graph: Graph) -> None:
        self.graph = graph

    @property
    def node_labels(self) -> frozenset[str]:
        """All labels that have been used."""
        return frozenset(record[0] for record in self.graph.query("CALL db.labels()"))

    @property
    def relationship_types(self) -> frozenset[str]:
        """All relationship types that have been used."""
        return frozenset(record[0] for record in self.graph.query("CALL db.relationshipTypes()"))

    def create_index(self, label: str, *property_keys: str) -> None:
        """Create an index over one or more properties and wait until it is filled."""
        keys = ", ".join(f"n.{quote_identifier(key)}" for key in property_keys)
        self.graph.update(f"CREATE INDEX FOR (n:{quote_identifier(label)}) ON ({keys})")
        self.graph.update("CALL db.awaitIndexes(300)")

    def create_uniqueness_constraint(self, label: str, property_key: str) -> None:
        """Let no two nodes of a label have the same value of a property."""
        name, key = quote_identifier(label), quote_identifier(property_key)
        self.graph.update(f"CREATE CONSTRAINT FOR (n:{name}) REQUIRE n.{key} IS UNIQUE")

    def drop_index(self, label: str, *property_keys: str) -> None:
        """Remove an index made by `create_index`."""
        self._drop("INDEX", label, property_keys)

    def drop_uniqueness_constraint(self, label: str, property_key: str) -> None:
        """Remove a constraint made by `create_uniqueness_constraint`."""
        self._drop("CONSTRAINT", label, (property_key,))

    def get_indexes(self, label: str) -> list[tuple[str, ...]]:
        """The properties of each index of a label; those that constraints bring along are not among them."""
        return sorted(self._names("INDEX", label))

    def get_uniqueness_constraints(self, label: str) -> list[str]:
        """The properties that are unique for a label."""
        return sorted(keys[0] for keys in self._names("CONSTRAINT", label) if len(keys) == 1)

    def _names(self, kind: str, label: str) -> dict[tuple[str, ...], str]:
        """The names of indexes or constraints of a label, by their properties."""
        cypher = f"{_SHOW[kind]} AND labelsOrTypes = [$label] RETURN properties, name"
        return {tuple(keys): name for keys, name in self.graph.query(cypher, label=label)}

    def _drop(self, kind: str, label: str, keys: tuple[str, ...]) -> None:
        there = self._names(kind, label)
        if keys not in there:
            raise ValueError(f"there is no such {kind.lower()} on :{label}({', '.join(keys)})")
        self.graph.update(f"DROP {kind} {quote_identifier(there[keys])}")
