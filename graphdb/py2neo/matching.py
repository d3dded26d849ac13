"""Matchers: nodes and relationships chosen by label, type, property and predicate, without writing Cypher.

A match is a description; it runs anew each time it is iterated or evaluated, and each refinement is a new match.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Generic, Self, TypeAlias, TypeVar

from seedrank.cypher import quote_identifier
from seedrank.graphdb.py2neo.data import Entity, Node, Relationship
from seedrank.graphdb.py2neo.predicates import Parameters, as_predicate

if TYPE_CHECKING:
    from seedrank.graphdb.py2neo.database import Graph

__all__ = ["Ends", "NodeMatch", "NodeMatcher", "RelationshipMatch", "RelationshipMatcher"]

E = TypeVar("E", bound=Entity)
Condition: TypeAlias = "str | tuple[str, Mapping[str, Any]]"
Type: TypeAlias = "str | type[Relationship]"
Ends: TypeAlias = "Sequence[Node | None] | AbstractSet[Node] | Node | None"
Types: TypeAlias = "Type | Sequence[Type] | AbstractSet[Type] | None"


@dataclass(frozen=True)
class _Match(Generic[E]):
    """What matches of nodes and of relationships share."""

    graph: Graph
    conditions: tuple[Condition, ...] = ()
    properties: tuple[tuple[str, Any], ...] = ()
    order: tuple[str, ...] = ()
    skipped: int | None = None
    limited: int | None = None

    def where(self, /, *predicates: Condition, **properties: Any) -> Self:
        """Keep what also satisfies all of these.

        Parameters
        ----------
        predicates
            Cypher expressions in which ``_`` is the thing matched: ``"_.born % 10 = 0"``; with values of their own
            as a pair, ``("_.born > $year", {"year": 1960})``.
        properties
            A value or a predicate for each property.
        """
        return replace(
            self,
            conditions=self.conditions + predicates,
            properties=self.properties + tuple(properties.items()),
        )

    def order_by(self, *fields: str) -> Self:
        """Sort by Cypher expressions such as ``"_.name"`` or ``"_.born DESC"``."""
        return replace(self, order=fields)

    def skip(self, amount: int) -> Self:
        """Leave out the first ones."""
        return replace(self, skipped=amount)

    def limit(self, amount: int) -> Self:
        """Keep at most so many."""
        return replace(self, limited=amount)

    def first(self) -> E | None:
        """The first one, `None` where there is none."""
        return next(iter(self.limit(1 if self.limited is None else min(1, self.limited))), None)

    def all(self) -> list[E]:
        """All of them."""
        return list(self)

    def count(self) -> int:
        """How many there are."""
        cypher, parameters = self._statement()
        return int(self.graph.query(f"{cypher} RETURN count(*)", parameters).evaluate())

    def exists(self) -> bool:
        """Whether there is at least one."""
        return self.first() is not None

    def __len__(self) -> int:
        return self.count()

    def __bool__(self) -> bool:
        return self.exists()

    def __iter__(self) -> Iterator[E]:
        cypher, parameters = self._statement()
        for record in self.graph.query(f"{cypher} RETURN {self._returned()}", parameters):
            yield record[0]

    def _pattern(self, parameters: Parameters) -> str:
        raise NotImplementedError

    def _returned(self) -> str:
        return "_"

    def _statement(self) -> tuple[str, Parameters]:
        """``MATCH`` … ``WITH``: what is in scope afterwards is what was matched."""
        parameters = Parameters()
        cypher = self._pattern(parameters)
        tests = [as_predicate(value)(f"_.{quote_identifier(key)}", parameters) for key, value in self.properties]
        for condition in self.conditions:
            text, values = (condition, {}) if isinstance(condition, str) else condition
            if clash := parameters.keys() & values.keys():
                raise ValueError(f"two conditions use the parameter {min(clash)!r}: give one of them another name")
            parameters.update(values)
            tests.append(f"({text})")
        if tests:
            cypher += f" WHERE {' AND '.join(tests)}"
        cypher += " WITH *"
        if self.order:
            cypher += f" ORDER BY {', '.join(self.order)}"
        if self.skipped is not None:
            cypher += f" SKIP {parameters.add(self.skipped)}"
        if self.limited is not None:
            cypher += f" LIMIT {parameters.add(self.limited)}"
        return cypher, parameters


@dataclass(frozen=True)
class NodeMatch(_Match[Node]):
    """Nodes that were asked for; made by `NodeMatcher.match`."""

    labels: frozenset[str] = frozenset()

    def _pattern(self, parameters: Parameters) -> str:
        return f"MATCH (_{''.join(':' + quote_identifier(label) for label in sorted(self.labels))})"


@dataclass(frozen=True)
class RelationshipMatch(_Match[Relationship]):
    """Relationships that were asked for; made by `RelationshipMatcher.match`.

    In conditions ``a`` and ``b`` are the ends.
    """

    nodes: tuple[Node | None, Node | None] = (None, None)
    directed: bool = True
    types: tuple[str, ...] = ()

    def _pattern(self, parameters: Parameters) -> str:
        ends = [
            f"MATCH ({name}) WHERE elementId({name}) = {parameters.add(node.identity)} "
            for name, node in zip("ab", self.nodes, strict=True)
            if node is not None
        ]
        types = "|".join(map(quote_identifier, self.types))
        return f"{''.join(ends)}MATCH (a)-[_{':' if types else ''}{types}]-{'>' if self.directed else ''}(b)"

    def _returned(self) -> str:
        return "_, a, b"  # so that the ends come with labels and properties


class _Matcher(Generic[E]):
    """What matchers of nodes and of relationships share: look-up by identity."""

    _ANY = ""

    def __init__(self, graph: Graph) -> None:
        self.graph = graph

    def get(self, identity: str | int) -> E | None:
        """The one with this identity (element id, or the integer id of old), `None` where there is none."""
        function = "elementId" if isinstance(identity, str) else "id"
        found: E | None = self.graph.query(
            f"MATCH {self._ANY} WHERE {function}(_) = $identity RETURN _", identity=identity
        ).evaluate()
        return found

    def __getitem__(self, identity: str | int) -> E:
        found = self.get(identity)
        if found is None:
            raise KeyError(identity)
        return found

    def __contains__(self, identity: object) -> bool:
        return isinstance(identity, str | int) and self.get(identity) is not None

    def __len__(self) -> int:
        return int(self.graph.query(f"MATCH {self._ANY} RETURN count(_)").evaluate())

    def __bool__(self) -> bool:
        return True

    def __iter__(self) -> Iterator[str]:
        for record in self.graph.query(f"MATCH {self._ANY} RETURN elementId(_)"):
            yield record[0]


class NodeMatcher(_Matcher[Node]):
    """Finds nodes: ``NodeMatcher(graph).match("Person", name="Alice").first()``.

    Its length is the number of all nodes; it iterates over their identities.
    """

    _ANY = "(_)"

    def match(self, /, *labels: str, **properties: Any) -> NodeMatch:
        """Nodes with all these labels and properties (values or predicates)."""
        return NodeMatch(self.graph, labels=frozenset(labels), properties=tuple(properties.items()))


class RelationshipMatcher(_Matcher[Relationship]):
    """Finds relationships: ``RelationshipMatcher(graph).match((alice, None), "KNOWS")``."""

    _ANY = "()-[_]->()"

    def match(
        self,
        nodes: Ends = None,
        r_type: Types = None,
        **properties: Any,
    ) -> RelationshipMatch:
        """Relationships between given nodes, of given types.

        Parameters
        ----------
        nodes
            A sequence of start and end (either may be `None` or left out: any node), or a set of one or two nodes
            for relationships in either direction.
        r_type
            A type or several, as names or classes; any by default.
        properties
            A value or a predicate for each property.
        """
        ends: list[Node | None] = [nodes] if isinstance(nodes, Node) else list(nodes or ())
        if len(ends) > 2:
            raise ValueError(f"a relationship has two ends, but {len(ends)} nodes were given")
        if any(node is not None and node.identity is None for node in ends):
            raise ValueError("a node of the match is not in the database yet: create or merge it first")
        start, end = [*ends, None, None][:2]
        return RelationshipMatch(
            self.graph,
            nodes=(start, end),
            directed=not (isinstance(nodes, AbstractSet) and ends),
            types=_types(r_type),
            properties=tuple(properties.items()),
        )


def _types(given: Types) -> tuple[str, ...]:
    if given is None:
        return ()
    several = (given,) if isinstance(given, str | type) else given
    return tuple(kind if isinstance(kind, str) else kind.__name__ for kind in several)
