"""Graphs of networkx, both ways."""

from __future__ import annotations

import logging
from typing import TYPE_CHECKING, Any

import numpy as np
import pyarrow as pa

from seedrank.core.errors import GraphError, UsageError, shorten
from seedrank.core.model import STATUS_CODES, Status
from seedrank.core.urls import hosts
from seedrank.graph.webgraph import WebGraph

if TYPE_CHECKING:
    import networkx as nx

__all__ = ["graph_of_networkx", "graph_to_networkx"]

log = logging.getLogger(__name__)


def graph_of_networkx(graph: nx.Graph, weight: str = "weight") -> WebGraph:
    """A graph of networkx as arrays, its nodes in their order; `weight` is the edge attribute that weighs a link."""
    if not all(hasattr(graph, name) for name in ("nodes", "edges", "is_directed")):
        raise UsageError(f"{shorten(graph)} is no graph of networkx", hint="give a Graph or a DiGraph")
    place = {node: row for row, node in enumerate(graph.nodes)}
    if not place:
        raise GraphError("the graph has no nodes", hint="add some")
    edges = [(place[one], place[other], data.get(weight, 1)) for one, other, data in graph.edges(data=True)]
    source, target = (np.array([edge[end] for edge in edges], np.int64) for end in (0, 1))
    weights = _weights([edge[2] for edge in edges], weight)
    if not graph.is_directed():
        source, target = np.concatenate([source, target]), np.concatenate([target, source])
        weights = np.concatenate([weights, weights])
    attributes = _attributes(graph)
    named = _names(list(place), attributes)
    status = attributes.pop("status", None)
    columns = {name: column for name, values in attributes.items() if (column := _column(name, values)) is not None}
    return WebGraph.from_links(
        len(place),
        source,
        target,
        weights=weights,
        status=None if status is None else _codes(status),
        columns=columns,
        **named,
    )


def graph_to_networkx(graph: WebGraph) -> nx.DiGraph:
    """A graph as networkx has it."""
    try:
        import networkx as nx
    except ImportError:
        raise UsageError("networkx is not installed", hint="install it: pip install networkx") from None
    made = nx.DiGraph()
    labels = list(STATUS_CODES)
    attributes: dict[str, list[Any]] = {"status": [labels[code] for code in graph.status.tolist()]}
    if graph.urls is not None:
        attributes["url"] = graph.urls.to_pylist()
    if graph.source_id is not None:
        attributes["source_id"] = graph.source_id.tolist()
    if (graph.host >= 0).any():
        attributes["host"] = graph.host_names.take(pa.array(graph.host, mask=graph.host < 0)).to_pylist()
    texts = set(graph.text_names)
    for name in graph.column_names:
        attributes[name] = graph.text(name).to_pylist() if name in texts else graph.column(name).tolist()
    rows = zip(*attributes.values(), strict=True)
    made.add_nodes_from((page, dict(zip(attributes, row, strict=True))) for page, row in enumerate(rows))
    source = np.repeat(np.arange(graph.pages), np.diff(graph.out_offsets)).tolist()
    weights = [1.0] * graph.links if graph.weights is None else graph.weights.tolist()
    made.add_weighted_edges_from(zip(source, graph.out_targets.tolist(), weights, strict=True))
    return made


def _attributes(graph: nx.Graph) -> dict[str, list[Any]]:
    """Values of each node attribute, `None` where a node has none."""
    names = dict.fromkeys(str(name) for _, data in graph.nodes(data=True) for name in data)
    return {name: [data.get(name) for _, data in graph.nodes(data=True)] for name in names if name != "id"}


def _names(nodes: list[Any], attributes: dict[str, list[Any]]) -> dict[str, Any]:
    """What pages are called: URLs, ids of the source and hosts, from attributes of these names, else from the nodes."""
    urls, ids, on = (attributes.pop(name, None) for name in ("url", "source_id", "host"))
    if urls is None and all(isinstance(node, str) for node in nodes):
        urls = nodes
    if ids is None and all(isinstance(node, int) and not isinstance(node, bool) for node in nodes):
        ids = nodes
    if urls is not None and on is None:
        on = hosts(pa.array(urls, pa.string())).to_pylist()
    named: dict[str, Any] = {"urls": urls}
    if ids is not None:
        named["source_id"] = np.array([-1 if one is None else one for one in ids], np.int64)
    if on is not None:
        codes = pa.array(on, pa.string()).dictionary_encode()
        named |= {"host": codes.indices.fill_null(-1).to_numpy(), "host_names": codes.dictionary.to_pylist()}
    return named


def _weights(values: list[Any], name: str) -> np.ndarray:
    try:
        weights = np.array(values, np.float64)
    except (TypeError, ValueError):
        weights = np.array([np.nan])
    if not (np.isfinite(weights) & (weights >= 0)).all():
        raise UsageError(
            f"an edge has a {shorten(name)} that is no number of 0 or more", hint="mend it, or name another attribute"
        )
    return weights


def _codes(words: list[Any]) -> np.ndarray:
    """Statuses by their names; a node without one is in the frontier."""
    for word in words:
        if word is not None and word not in STATUS_CODES:
            raise UsageError(f"{shorten(word)} is no status of a page", hint=f"one of {', '.join(STATUS_CODES)}")
    return np.array([Status.FRONTIER if word is None else STATUS_CODES[word] for word in words], np.int8)


def _column(name: str, values: list[Any]) -> np.ndarray | pa.Array | None:
    """A page column: numbers, NaN where there is none, or text."""
    there = [value for value in values if value is not None]
    if all(isinstance(value, str) for value in there):
        return pa.array(values, pa.string())
    if all(isinstance(value, int | float | np.number | np.bool_) for value in there):
        return np.array([np.nan if value is None else value for value in values], np.float64)
    log.warning("node attribute %s is left out: it holds neither numbers nor text alone", name)
    return None
