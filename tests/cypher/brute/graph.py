"""A web as nodes and links in memory."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from tests.cypher.graphs import Web
from tests.stores import graphs


@dataclass(frozen=True, eq=False)
class Node:
    label: str
    properties: Mapping[str, Any]


@dataclass(frozen=True, eq=False)
class Link:
    type: str
    start: Node
    end: Node
    properties: Mapping[str, Any]


@dataclass(frozen=True)
class Path:
    nodes: tuple[Node, ...]
    links: tuple[Link, ...]


@dataclass
class Graph:
    nodes: list[Node] = field(default_factory=list)
    links: list[Link] = field(default_factory=list)
    out: dict[Node, list[Link]] = field(default_factory=dict)
    into: dict[Node, list[Link]] = field(default_factory=dict)

    def add(self, label: str, properties: Mapping[str, Any]) -> Node:
        node = Node(label, {name: value for name, value in properties.items() if value is not None})
        self.nodes.append(node)
        return node

    def join(self, kind: str, start: Node, end: Node, properties: Mapping[str, Any]) -> None:
        link = Link(kind, start, end, {name: value for name, value in properties.items() if value is not None})
        self.links.append(link)
        self.out.setdefault(start, []).append(link)
        self.into.setdefault(end, []).append(link)


def graph_of(web: Web) -> Graph:
    """The graph that a database filled with `web` holds."""
    graph = Graph()
    hosts = {row["name"]: graph.add("Host", row) for row in web.graph.hosts}
    pages = [graph.add("Page", _without(row, "host")) for row in web.graph.pages]
    for page, row in zip(pages, web.graph.pages, strict=True):
        if row.get("host") is not None:
            graph.join("ON", page, hosts[row["host"]], {})
    for name, rows in (("LINKS_TO", web.graph.links), ("CO_CITED", web.virtual)):
        for row in rows:
            graph.join(name, pages[row["source"]], pages[row["target"]], _without(row, "source", "target"))
    queries = {row["text"]: graph.add("Query", row) for row in web.graph.queries}
    for row in web.graph.results:
        graph.join("RESULT", queries[row["query"]], pages[row["id"]], _without(row, "query", "id"))
    _add_runs(graph, pages, web)
    load = graphs.load(f"web {web.seed}")
    graph.add(
        "Load",
        vars(load)
        | {
            "started": datetime.fromisoformat(load.started),
            "state": "done",
            "counts": json.dumps(load.counts),
            "seq": 1,
        },
    )
    return graph


def _add_runs(graph: Graph, pages: list[Node], web: Web) -> None:
    for row in web.runs:
        told = {"graph": "made", "engine": "native", "version": "0", "parameters": json.dumps({"k": len(row["pages"])})}
        run = graph.add(
            "Run",
            told | _without(row, "pages", "scores", "cores") | {"created": datetime.fromisoformat(row["created"])},
        )
        for rank, (page, score) in enumerate(zip(row["pages"], row["scores"], strict=True), 1):
            graph.join("RANKED", run, pages[page], {"rank": rank, "score": None if math.isnan(score) else score})
        for core in row["cores"]:
            graph.join("CORE", run, pages[core["id"]], _without(core, "id"))


def _without(row: Mapping[str, Any], *names: str) -> dict[str, Any]:
    return {name: value for name, value in row.items() if name not in names}
