"""WebGraph: the graph in memory, and the folder it is kept in.

On disk a graph is a folder that opens in milliseconds whatever its size:

    graph.json                 pages, links, version, which columns there are; every file with its size and checksum
    out_offsets.npy            int64, pages + 1
    out_targets.npy            int32, links: page i links to the pages at out_offsets[i]:out_offsets[i+1], ascending
    in_offsets.npy in_sources.npy   the same the other way round, made on first use
    status.npy host.npy source_id.npy   int8, int32 (-1 without a host), int64
    weights.npy                float32, per link, only where some weight is not 1
    in_weights.npy             the same in the order of in_sources, made on first use
    column-NAME.npy            numbers and booleans of pages
    urls.arrow hosts.arrow text-NAME.arrow   strings
    (host-level columns are columns of hosts.arrow)

Memory: 4 bytes a link and 8 a page for either direction, 4 more a link for its weights where they
are asked for, and what is touched of the rest.
"""

from __future__ import annotations

from seedrank.graph.folder import FORMAT, is_graph_folder
from seedrank.graph.webgraph import MAX_PAGES, WebGraph, float32_weights, frozen
from seedrank.graph.writer import GraphWriter, MemoryWriter, Stream, Writer, new_array, put_column, put_host_column

__all__ = [
    "FORMAT",
    "MAX_PAGES",
    "GraphWriter",
    "MemoryWriter",
    "Stream",
    "WebGraph",
    "Writer",
    "float32_weights",
    "frozen",
    "is_graph_folder",
    "new_array",
    "put_column",
    "put_host_column",
]
