"""The graph of hosts or domains, made of the graph of their pages; and the site of each page.

One node per host (or registered domain), addressed ``http://name/``; one link per pair of different hosts. What a page
column becomes is declared with the column (`seedrank.core.model.Column.together`).
"""

from __future__ import annotations

from typing import Literal

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from seedrank.core.errors import GraphError
from seedrank.core.levels import PLURAL, HostWeights, Level, addresses_of_names
from seedrank.core.model import TABLES, Status
from seedrank.core.urls import registered_domain
from seedrank.engines.kernels import csr
from seedrank.engines.kernels import level_graph as kernel
from seedrank.graph.webgraph import WebGraph, frozen
from seedrank.graph.writer import MemoryWriter, Writer

__all__ = ["LOAD_HOSTS", "level_graph", "level_in_memory", "level_names", "site_of"]

LOAD_HOSTS = "load URLs or a host column"
"""What to do where no page has a host."""

_TEXT = pa.large_string()
_HOW = {"sum": kernel.SUM, "mean": kernel.MEAN, "max": kernel.MAX}


def level_names(hosts: pa.ChunkedArray, level: Level) -> tuple[np.ndarray, pa.Array]:
    """The nodes of a level.

    Parameters
    ----------
    hosts
        Names of the hosts of a graph.
    level
        ``host`` or ``domain``.

    Returns
    -------
    node, names
        int32 per host: its node; and the name of each node. Hosts are their own nodes, domains are numbered as their
        first host is.
    """
    named = hosts.cast(_TEXT)
    whole = named.combine_chunks() if isinstance(named, pa.ChunkedArray) else named
    if not len(whole):
        raise GraphError(f"no page has a host, so there are no {PLURAL[level]}", hint=LOAD_HOSTS)
    if level == "host":
        return np.arange(len(whole), dtype=np.int32), whole
    domains = pc.dictionary_encode(registered_domain(whole).cast(_TEXT))
    return domains.indices.to_numpy().astype(np.int32), domains.dictionary


def site_of(graph: WebGraph, site: Literal["host", "domain"] = "host") -> np.ndarray:
    """Site number of each page, int32, -1 where the page has no host.

    Parameters
    ----------
    site
        ``host``: the full host name. ``domain``: the registered domain (``example.co.uk``), by the public suffix list.
    """
    if site == "host" or not len(graph.host_names):
        return graph.host
    # -1, a page without a host, picks the extra last entry.
    return np.append(level_names(graph.host_names, site)[0], np.int32(-1))[graph.host]


def level_in_memory(graph: WebGraph, level: Level, host_weights: HostWeights = "links") -> WebGraph:
    """The graph of a level, kept nowhere."""
    return level_graph(graph, level, host_weights, MemoryWriter(version=graph.version))


def level_graph(
    graph: WebGraph, level: Level, host_weights: HostWeights, into: Writer, *, stored: Level = "page", **facts: str
) -> WebGraph:
    """Make the graph of hosts or domains.

    Memory beside what `into` writes: 8 bytes a page, 24 a node.

    Parameters
    ----------
    graph
        Of pages, or of hosts where domains are wanted.
    level
        ``host`` or ``domain``.
    host_weights
        ``links``: a link weighs what the links between the pages weigh together, 1 each where no weight is stored.
        ``pages``: each page counts once per pair of hosts.
    into
        What the graph is made with.
    stored
        What a page of `graph` is.
    facts
        Kept with the graph.

    Returns
    -------
    WebGraph
        ``meta["left_out"]`` counts the pages without a host.
    """
    of_host, names = level_names(graph.host_names, level)
    node = frozen(graph.host if level == "host" else np.append(of_host, np.int32(-1))[graph.host])
    with into as writer:
        links = _links(graph, node, len(names), host_weights, writer)
        status = writer.array("status", np.int8, len(names))
        codes = (Status.CRAWLED.value, Status.FRONTIER.value, Status.MISSING.value)
        kernel.combine_status(frozen(graph.status), node, *codes, status)
        writer.put("host", np.arange(len(names), dtype=np.int32))
        _columns(graph, node, of_host, len(names), PLURAL[stored], writer)
        hosts = graph.hosts if level == "host" else pa.table({"name": names})
        writer.text("hosts", hosts.to_batches(), hosts.schema)
        urls = pa.table({"url": addresses_of_names(names)})
        writer.text("urls", urls.to_batches(), urls.schema)
        return writer.close(len(names), links, left_out=int((node < 0).sum()), **facts)


def _links(graph: WebGraph, node: np.ndarray, nodes: int, host_weights: HostWeights, writer: Writer) -> int:
    """Write the links; returns how many."""
    held = graph.weights
    weights = frozen(np.empty(0, np.float32) if held is None else held)
    page_links = (frozen(graph.out_offsets), frozen(graph.out_targets))
    starts, pages = csr.group(node, nodes)
    offsets = writer.array("out_offsets", np.int64, nodes + 1)
    offsets[0] = 0
    np.cumsum(kernel.count_links(*page_links, node, starts, pages), out=offsets[1:])
    links = int(offsets[-1])
    targets = writer.array("out_targets", np.int32, links)
    with writer.room(np.float32, (links,)) as summed:
        each_page = host_weights == "pages"
        kernel.add_links(*page_links, weights, node, starts, pages, each_page, offsets, targets, summed)
        if (summed != 1).any():
            writer.put("weights", summed)
    return links


def _columns(graph: WebGraph, node: np.ndarray, of_host: np.ndarray, nodes: int, counted: str, writer: Writer) -> None:
    """Write the numbers of pages taken together, those of hosts before them, and how many pages each node has."""
    numbers = [name for name in graph.column_names if name not in graph.text_names]
    hosts = {
        name: graph.hosts[name].to_numpy().astype(np.float64)
        for name in graph.hosts.column_names
        if name not in ("name", "pages") and _is_number(graph.hosts.schema.field(name).type)
    }
    for name in dict.fromkeys([*numbers, *hosts]):
        column = writer.array(f"column-{name}", np.float64, nodes)
        column[:] = np.nan
        if name in numbers:
            kernel.combine(frozen(graph.column(name)), node, _how("pages", name), column)
        if name in hosts:
            own = np.empty(nodes)
            kernel.combine(hosts[name], of_host, _how("hosts", name), own)
            column[:] = np.where(np.isnan(own), column, own)
    if counted not in (*numbers, *hosts):
        writer.put(f"column-{counted}", np.bincount(node[node >= 0], minlength=nodes).astype(np.float64))


def _how(kind: str, name: str) -> int:
    """How a column of pages or hosts is taken together, as the kernel knows it."""
    if name in PLURAL.values():  # how many there are, in a graph that was made of another level
        return kernel.SUM
    known = TABLES[kind].column(name)
    return _HOW["mean" if known is None else known.together]


def _is_number(kind: pa.DataType) -> bool:
    return bool(pa.types.is_integer(kind) or pa.types.is_floating(kind) or pa.types.is_boolean(kind))
