"""The forms a MATCH can take: each with paths of fixed length, one label for each node and one type for each hop.

Variable length, nodes without a label and several types make several forms; their rows are put together.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace

from seedrank.graphdb.duckdb.cypher_sql.scope import State, Variable
from seedrank.graphdb.statements.tree import Node, Path, Relationship

__all__ = ["Chain", "Hop", "Shape", "shapes"]

_LONGEST = 12
_MOST = 48


@dataclass(frozen=True)
class Hop:
    """One relationship of a path, between two slots."""

    tree: Relationship
    left: str
    right: str
    type: str = ""
    direction: str = ""
    """``->`` or ``<-`` as the relationship points, ``--`` for both ways."""


@dataclass(frozen=True)
class Chain:
    """A path of fixed length."""

    path: Path
    slots: tuple[str, ...]
    hops: tuple[Hop, ...]


@dataclass(frozen=True)
class Shape:
    """Paths of a MATCH, with what each of their nodes is."""

    chains: tuple[Chain, ...]
    nodes: tuple[tuple[str, Node], ...]
    """Slots and the nodes of the pattern that stand for them."""
    same: Mapping[str, str] = field(default_factory=dict)
    """Slots that a path of no links makes one."""
    labels: Mapping[str, str] = field(default_factory=dict)

    def slot(self, name: str) -> str:
        """The slot that stands for it."""
        while name in self.same:
            name = self.same[name]
        return name


def shapes(paths: tuple[Path, ...], scope: Mapping[str, Variable], state: State) -> list[Shape]:
    """All forms that can match; none where a label, a type or a pair of them exists nowhere."""
    _check_names(paths, state)
    found: list[Shape] = []
    for lengths in itertools.product(*(_lengths(path, number, state) for number, path in enumerate(paths))):
        chains = tuple(chain for chain, _, _ in lengths)
        same = {other: one for _, _, pairs in lengths for one, other in pairs}
        shape = Shape(chains, tuple(pair for _, nodes, _ in lengths for pair in nodes), same)
        for labelled in _labelled(shape, scope, state):
            found.append(labelled)
            if len(found) > _MOST:
                raise state.refuse(
                    paths[0],
                    f"this pattern has more than {_MOST} forms",
                    "name labels and types: (p:Page)-[:LINKS_TO]->",
                )
    return found


def _check_names(paths: tuple[Path, ...], state: State) -> None:
    """Warn of labels and types that exist nowhere; refuse a name that two relationships share, as Neo4j does."""
    taken: set[str | None] = set()
    for path in paths:
        for node in path.nodes:
            if node.labels is not None:
                state.schema.warn_of(node.labels.names(), state.schema.nodes, "label")
        for step in path.relationships:
            if step.types is not None:
                state.schema.warn_of(step.types.names(), state.schema.relationships, "relationship type")
            if step.name in taken:
                raise state.refuse(step, f"{step.name} names two relationships", "choose another name")
            taken |= {step.name} - {None}


_Length = tuple[Chain, list[tuple[str, Node]], list[tuple[str, str]]]


def _lengths(path: Path, number: int, state: State) -> Iterator[_Length]:
    """A path once for each number of hops it may have."""
    ranges = [_range(step, state) for step in path.relationships]
    named = [(node.name or f"{number}.{place}", node) for place, node in enumerate(path.nodes)]
    for counts in itertools.product(*ranges):
        slots, hops, same = [named[0][0]], [], []
        for place, (step, count) in enumerate(zip(path.relationships, counts, strict=True)):
            target = named[place + 1][0]
            if count == 0:
                if target != slots[-1]:
                    same.append((slots[-1], target))
                continue
            for hop in range(count):
                following = target if hop == count - 1 else f"{number}.{place}.{hop}"
                hops.append(Hop(step, slots[-1], following))
                slots.append(following)
        yield Chain(path, tuple(slots), tuple(hops)), named, same


def _range(step: Relationship, state: State) -> range:
    if step.hops is None:
        return range(1, 2)
    low, high = step.hops
    low = 1 if low is None else low
    if high is None:
        raise state.refuse(step, "a pattern without an end would go through the whole web", "such as *1..5")
    if high > _LONGEST:
        raise state.refuse(step, f"a pattern has at most {_LONGEST} hops here", "shortestPath goes further")
    if step.where is not None:
        raise state.refuse(step, "a WHERE within hops is not known here", "name the path and use relationships(path)")
    return range(low, high + 1)


def _labelled(shape: Shape, scope: Mapping[str, Variable], state: State) -> Iterator[Shape]:
    """The shape with every choice of labels and types that fits."""
    allowed: dict[str, list[str]] = {}
    every = {shape.slot(slot) for chain in shape.chains for slot in chain.slots}
    every |= {shape.slot(slot) for slot, _ in shape.nodes}
    for slot in every:
        allowed[slot] = list(state.schema.nodes)
    for slot, node in shape.nodes:
        name = shape.slot(slot)
        bound = scope.get(node.name or "")
        if bound is not None:
            if bound.value.type.kind not in ("node", "null"):
                raise state.refuse(node, f"{node.name} is {bound.value.type}, not a node", "choose another name")
            allowed[name] = [label for label in allowed[name] if label in bound.value.type.names]
        keys = [] if node.properties is None else [key for key, _ in node.properties.items]
        allowed[name] = [
            label
            for label in allowed[name]
            if (node.labels is None or node.labels.fits(label))
            and all(key in state.schema.nodes[label].properties for key in keys)
        ]
    hops = [hop for chain in shape.chains for hop in chain.hops]
    yield from _assigned(shape, hops, [], allowed, {}, scope, state)


def _assigned(
    shape: Shape,
    hops: list[Hop],
    done: list[Hop],
    allowed: Mapping[str, list[str]],
    labels: Mapping[str, str],
    scope: Mapping[str, Variable],
    state: State,
) -> Iterator[Shape]:
    if len(done) == len(hops):
        rest = [slot for slot in sorted(allowed) if slot not in labels]
        for choice in itertools.product(*(allowed[slot] for slot in rest)):
            chosen = iter(done)
            chains = tuple(replace(chain, hops=tuple(next(chosen) for _ in chain.hops)) for chain in shape.chains)
            yield replace(shape, chains=chains, labels={**labels, **dict(zip(rest, choice, strict=True))})
        return
    hop = hops[len(done)]
    left, right = shape.slot(hop.left), shape.slot(hop.right)
    for candidate, start, end in _candidates(hop, scope, state):
        one, other = (end, start) if candidate.direction == "<-" else (start, end)
        fits = one in allowed[left] and labels.get(left, one) == one
        if fits and other in allowed[right] and {**labels, left: one}.get(right, other) == other:
            yield from _assigned(
                shape, hops, [*done, candidate], allowed, {**labels, left: one, right: other}, scope, state
            )


def _candidates(hop: Hop, scope: Mapping[str, Variable], state: State) -> Iterator[tuple[Hop, str, str]]:
    bound = scope.get(hop.tree.name or "")
    for name, table in state.schema.relationships.items():
        if hop.tree.types is not None and not hop.tree.types.fits(name):
            continue
        if bound is not None and bound.value.type.kind == "relationship" and name not in bound.value.type.names:
            continue
        if hop.tree.properties is not None and any(key not in table.properties for key, _ in hop.tree.properties.items):
            continue
        if hop.tree.direction != "--":
            directions: tuple[str, ...] = (hop.tree.direction,)
        else:
            directions = ("--",) if table.start == table.end else ("->", "<-")
        for direction in directions:
            yield replace(hop, type=name, direction=direction), table.start, table.end
