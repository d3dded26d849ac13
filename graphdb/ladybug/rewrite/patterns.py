"""Patterns that the embedded database cannot match, or writes differently."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from graphdb.ladybug.rewrite.scope import names_in
from graphdb.ladybug.rewrite.state import State
from graphdb.statements.tree import Match

__all__ = ["checked"]

_MOST_HOPS = 30


def checked(state: State, clause: Match) -> Match:
    """The pattern with its shortest paths as this database writes them; refuses what it cannot match."""
    paths = []
    for path in clause.paths:
        for node in path.nodes:
            if len(node.labels) > 1:
                raise state.refuse(node.place, "a node has one label here: (n:A:B) would mean A or B", "name one label")
            _check_known(state, node.place, "label", node.labels, state.schema.nodes)
        for step in path.relationships:
            _check_known(state, step.place, "type of link", step.types, state.schema.relationships)
            if step.hops is not None and (step.hops[1] is None or step.hops[1] > _MOST_HOPS):
                raise state.refuse(
                    step.place,
                    f"a pattern of variable length needs an end of at most {_MOST_HOPS}",
                    "such as *1..3",
                )
            if step.hops is not None and step.properties is not None:
                raise state.refuse(step.place, "a map on links of variable length", "use all(r IN rels(…) WHERE …)")
        if path.shortest is not None:
            if len(path.relationships) != 1 or path.relationships[0].hops is None:
                raise state.refuse(path.place, f"{path.shortest} takes one pattern of variable length", "such as *1..5")
            mode = "SHORTEST" if path.shortest == "shortestPath" else "ALL SHORTEST"
            steps = tuple(replace(s, mode=mode) if s in path.relationships else s for s in path.steps)
            looks = {path.name, path.relationships[0].name} & names_in(clause.where)
            if looks:
                raise state.refuse(
                    path.place, "a condition on a shortest path holds after the search here, not during it", "use *1..5"
                )
            path = replace(path, steps=steps, shortest=None)
        paths.append(path)
    return replace(clause, paths=tuple(paths))


def _check_known(state: State, place: int, what: str, names: tuple[str, ...], known: Mapping[str, Any]) -> None:
    """Refuse a name that is not there in these letters: Neo4j finds nothing, and here capitals do not count."""
    for name in names:
        if name not in known:
            raise state.refuse(place, f"there is no {what} {name}", f"one of {', '.join(sorted(known))}")
