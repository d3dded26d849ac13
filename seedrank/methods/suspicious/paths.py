"""URLs of a graph as the kernels take them."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import pyarrow as pa

from seedrank.graph import WebGraph, frozen

__all__ = ["AT_ONCE", "url_blocks", "url_bytes"]

AT_ONCE = 1 << 18
"""URLs that are looked at together."""


def url_blocks(graph: WebGraph) -> Iterator[tuple[int, pa.Array]]:
    """The URLs, some at a time, with the id of the first page; nothing where no page has one."""
    if graph.urls is None:
        return
    for first in range(0, graph.pages, AT_ONCE):
        block = graph.urls.slice(first, AT_ONCE).cast(pa.large_string()).combine_chunks()
        yield first, block.chunk(0) if isinstance(block, pa.ChunkedArray) else block


def url_bytes(urls: pa.Array) -> tuple[np.ndarray, np.ndarray]:
    """Bytes of large strings, and where each begins; a null is empty."""
    _, offsets, data = urls.buffers()
    bounds = np.frombuffer(offsets, np.int64)[urls.offset : urls.offset + len(urls) + 1]
    text = np.empty(0, np.uint8) if data is None else np.frombuffer(data, np.uint8)
    return frozen(text), frozen(bounds)
