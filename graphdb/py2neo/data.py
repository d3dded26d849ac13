"""Nodes, relationships and paths as py2neo's users know them: property containers that can be changed and pushed.

Each is *bound* once it corresponds to something in a database: then `graph` and `identity` are set.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, MutableMapping
from typing import TYPE_CHECKING, Any, cast

import neo4j.graph

if TYPE_CHECKING:
    from seedrank.graphdb.py2neo.database import Graph

__all__ = ["Entity", "Node", "Path", "Relationship", "Subgraph", "hydrate"]


class Subgraph:
    """Nodes and relationships taken together; ``a | b`` joins two of them.

    Parameters
    ----------
    nodes
        Nodes; the ends of the relationships are added.
    relationships
        Relationships.
    """

    def __init__(self, nodes: Iterable[Node] = (), relationships: Iterable[Relationship] = ()) -> None:
        self._relationships = tuple(dict.fromkeys(relationships))
        ends = (node for relationship in self._relationships for node in relationship.nodes)
        self._nodes = tuple(dict.fromkeys((*nodes, *ends)))

    @property
    def nodes(self) -> tuple[Node, ...]:
        """The nodes: of a subgraph each once, of a path in order."""
        return self._nodes

    @property
    def relationships(self) -> tuple[Relationship, ...]:
        """The relationships, likewise."""
        return self._relationships

    def __or__(self, other: Subgraph) -> Subgraph:
        return Subgraph((*self.nodes, *other.nodes), (*self.relationships, *other.relationships))

    def __bool__(self) -> bool:
        return bool(self.nodes)

    def labels(self) -> set[str]:
        """All labels of all nodes."""
        return {label for node in self.nodes for label in node.labels}

    def types(self) -> set[str]:
        """All types of all relationships."""
        return {type(relationship).__name__ for relationship in self.relationships}


class Entity(Subgraph, MutableMapping[str, Any]):
    """A node or relationship: a mapping of properties. A missing key reads as `None`; setting `None` removes it."""

    def __init__(self, properties: Mapping[str, Any]) -> None:
        self._properties = {key: value for key, value in properties.items() if value is not None}
        self._pending = False
        self._labels: set[str] = set()
        self.graph: Graph | None = None
        """The database this is bound to."""
        self.identity: str | None = None
        """The server's element id."""

    def _bind(self, graph: Graph | None, identity: str | None, *, pending: bool = False) -> None:
        """Tie this to the database; `pending` leaves labels and properties to be read when first asked for."""
        self.graph, self.identity, self._pending = graph, identity, pending

    def _read(self) -> dict[str, Any]:
        if self._pending and self.graph is not None:
            self._pending = False
            self.graph.pull(self)
        return self._properties

    def __getitem__(self, key: str) -> Any:
        return self._read().get(key)

    def get(self, key: str, default: Any = None) -> Any:
        """The value of a property, or the default."""
        return self._read().get(key, default)

    def __setitem__(self, key: str, value: Any) -> None:
        if value is None:
            self._read().pop(key, None)
        else:
            self._read()[key] = value

    def __delitem__(self, key: str) -> None:
        del self._read()[key]

    def __contains__(self, key: object) -> bool:
        return key in self._read()

    def __iter__(self) -> Iterator[str]:
        return iter(self._read())

    def __len__(self) -> int:
        return len(self._read())

    def __bool__(self) -> bool:
        return True

    def __or__(self, other: Subgraph) -> Subgraph:  # not MutableMapping's notion of a union
        return Subgraph.__or__(self, other)

    def __repr__(self) -> str:
        return f"{type(self).__name__}({', '.join([*self._shown(), *(f'{k}={v!r}' for k, v in sorted(self.items()))])})"

    def _shown(self) -> list[str]:
        return []

    def _replace(self, labels: Iterable[str] | None, properties: Mapping[str, Any]) -> None:
        """Take over what the database has; relationships have no labels."""
        self._pending, self._properties = False, dict(properties)
        if labels is not None:
            self._labels = set(labels)


class Node(Entity):
    """A node: ``Node("Person", name="Alice", age=33)``.

    Two nodes are equal when they are the same node of the same database; an unbound node equals only itself.
    """

    def __init__(self, /, *labels: str, **properties: Any) -> None:
        super().__init__(properties)
        self._labels = set(labels)

    @property
    def nodes(self) -> tuple[Node, ...]:
        """The node itself."""
        return (self,)

    @property
    def relationships(self) -> tuple[Relationship, ...]:
        """None: a node alone has no relationships."""
        return ()

    @property
    def labels(self) -> set[str]:  # type: ignore[override]  # py2neo's own: a method of subgraphs, a set on nodes
        """The labels."""
        self._read()
        return self._labels

    def has_label(self, label: str) -> bool:
        """Whether the node has this label."""
        return label in self.labels

    def add_label(self, label: str) -> None:
        """Add a label."""
        self.labels.add(label)

    def remove_label(self, label: str) -> None:
        """Remove a label; does nothing where it is absent."""
        self.labels.discard(label)

    def update_labels(self, labels: Iterable[str]) -> None:
        """Add labels."""
        self.labels.update(labels)

    def clear_labels(self) -> None:
        """Remove all labels."""
        self.labels.clear()

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Node):
            return NotImplemented
        return self is other or (
            self.identity is not None and (self.graph, self.identity) == (other.graph, other.identity)
        )

    def __hash__(self) -> int:
        return id(self) if self.identity is None else hash(self.identity)

    def _shown(self) -> list[str]:
        return [repr(label) for label in sorted(self.labels)]


class Relationship(Entity):
    """A relationship: ``Relationship(alice, "KNOWS", bob, since=1999)``.

    Every type is a class of its own, named by it: ``type(r).__name__`` is the type, ``Relationship.type("KNOWS")``
    the class, and ``KNOWS(alice, bob)`` makes one. Without a type it is ``TO``. Two relationships are equal when they
    have the same type between the same nodes.
    """

    def __new__(cls, /, *nodes: Any, **properties: Any) -> Relationship:
        """Make an instance of the class that stands for the type."""
        names = [part for part in nodes if isinstance(part, str)]
        if names:
            cls = Relationship.type(names[0])
        elif cls is Relationship:
            cls = Relationship.type("TO")
        return super().__new__(cls)

    def __init__(self, /, *nodes: Any, **properties: Any) -> None:
        super().__init__(properties)
        ends = [part for part in nodes if not isinstance(part, str)]
        if len(ends) != 2 or not all(isinstance(end, Node) for end in ends):
            raise ValueError("a relationship has a start node and an end node: Relationship(a, 'KNOWS', b)")
        self.start_node: Node = ends[0]
        self.end_node: Node = ends[1]

    @staticmethod
    def type(name: str) -> type[Relationship]:
        """The class of all relationships of a type."""
        return _TYPES.setdefault(name, type(name, (Relationship,), {}))

    @property
    def nodes(self) -> tuple[Node, ...]:
        """Start and end."""
        return (self.start_node, self.end_node)

    @property
    def relationships(self) -> tuple[Relationship, ...]:
        """The relationship itself."""
        return (self,)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Relationship):
            return NotImplemented
        return (type(self), self.nodes) == (type(other), other.nodes)

    def __hash__(self) -> int:
        return hash((type(self), self.nodes))

    def _shown(self) -> list[str]:
        return [repr(self.start_node), repr(self.end_node)]


_TYPES: dict[str, type[Relationship]] = {}


class Path(Subgraph):
    """A walk as a query returns it: nodes and relationships in order, repeats included.

    Parameters
    ----------
    nodes
        All nodes, one more than relationships.
    relationships
        What joins each to the next.
    """

    def __init__(self, nodes: Iterable[Node], relationships: Iterable[Relationship]) -> None:
        self._nodes, self._relationships = tuple(nodes), tuple(relationships)

    @property
    def start_node(self) -> Node:
        """The first node."""
        return self.nodes[0]

    @property
    def end_node(self) -> Node:
        """The last node."""
        return self.nodes[-1]

    def __len__(self) -> int:
        return len(self.relationships)

    def __iter__(self) -> Iterator[Relationship]:
        return iter(self.relationships)

    def __repr__(self) -> str:
        return f"Path({', '.join(map(repr, self.nodes))})"


_PLAIN = frozenset({str, int, float, bool, type(None)})
"""Most values of most results: they are passed on without a look inside."""


def hydrate(value: Any, graph: Graph) -> Any:
    """A value from the driver, with its nodes, relationships and paths as the classes above."""
    if type(value) in _PLAIN:
        return value
    match value:
        case neo4j.graph.Node():
            return _node(value, graph)
        case neo4j.graph.Relationship():
            return _relationship(value, graph)
        case neo4j.graph.Path():
            return Path([_node(n, graph) for n in value.nodes], [_relationship(r, graph) for r in value.relationships])
        case list():
            return [hydrate(item, graph) for item in value]
        case dict():
            return {key: hydrate(item, graph) for key, item in value.items()}
        case _:
            return value


def _node(value: neo4j.graph.Node, graph: Graph) -> Node:
    node = Node(*value.labels, **dict(value.items()))
    # The ends of a relationship arrive bare where the query did not return them as well.
    node._bind(graph, value.element_id, pending=not value.labels and not len(value))
    return node


def _relationship(value: neo4j.graph.Relationship, graph: Graph) -> Relationship:
    start, end = (_node(cast(neo4j.graph.Node, node), graph) for node in value.nodes)
    relationship = Relationship.type(value.type)(start, end, **dict(value.items()))
    relationship._bind(graph, value.element_id)
    return relationship
