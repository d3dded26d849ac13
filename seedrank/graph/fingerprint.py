"""A digest of a graph by what it says, not by how its rows were ordered: pages by name, links by both names."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable

import numpy as np
import pandas as pd
import pyarrow as pa

from seedrank.graph.webgraph import WebGraph

__all__ = ["fingerprint"]

_AT_ONCE = 1 << 20
_STEP, _FIRST, _SECOND = (np.uint64(n) for n in (0x9E3779B97F4A7C15, 0xBF58476D1CE4E5B9, 0x94D049BB133111EB))
_LANES = (np.uint64(0), np.uint64(0x5851F42D4C957F2D))
"""Two sums with other numbers each: 128 bits."""


def fingerprint(graph: WebGraph) -> str:
    """SHA-256 of the pages with their status and columns, and of the links with their weights.

    Pages are known by URL, by the number that their source gave them, or by their id where they have neither. Whatever
    is summed is the same in any order, so that rows may be shuffled; some 24 bytes a page of memory.
    """
    pages = _page_hashes(graph)
    sums = {"status": _summed(_mixed(pages, graph.status.astype(np.uint64)))}
    for name in sorted(graph.column_names):
        sums[f"column {name}"] = _column(graph, name, pages)
    sums["links"] = _summed(_link_hashes(graph, pages))
    digest = hashlib.sha256(f"{graph.pages} {graph.links}".encode())
    for name, values in sums.items():
        digest.update(f"\n{name} {' '.join(f'{value:016x}' for value in values)}".encode())
    return digest.hexdigest()


def _page_hashes(graph: WebGraph) -> np.ndarray:
    """uint64 per page, by its name."""
    ids = np.arange(graph.pages) if graph.source_id is None else np.asarray(graph.source_id)
    hashes = _scrambled(ids.astype(np.int64).view(np.uint64))
    if graph.urls is None:
        return hashes
    named = graph.urls.is_valid().to_numpy()
    return np.where(named, _text_hashes(graph.urls), hashes)


def _text_hashes(texts: pa.ChunkedArray) -> np.ndarray:
    parts = [
        pd.util.hash_array(texts.slice(first, _AT_ONCE).to_numpy(), categorize=False)
        for first in range(0, len(texts), _AT_ONCE)
    ]
    return np.concatenate([np.empty(0, np.uint64), *parts])


def _column(graph: WebGraph, name: str, pages: np.ndarray) -> tuple[int, ...]:
    """The sum over the pages that have a value."""
    if name in graph.text_names:
        texts = graph.text(name)
        there, values = texts.is_valid().to_numpy(), _text_hashes(texts)
    else:
        numbers = np.asarray(graph.column(name), np.float64) + 0.0  # one zero, not two
        there, values = ~np.isnan(numbers), numbers.view(np.uint64)
    return _summed(_mixed(pages[there], values[there]))


def _link_hashes(graph: WebGraph, pages: np.ndarray) -> Iterable[np.ndarray]:
    for first in range(0, graph.links, _AT_ONCE):
        last = min(first + _AT_ONCE, graph.links)
        places = np.arange(first, last)
        source = np.searchsorted(graph.out_offsets, places, side="right") - 1
        both = _scrambled(pages[source]) + pages[graph.out_targets[first:last]]
        weights = np.ones(last - first, np.float32) if graph.weights is None else graph.weights[first:last]
        yield from _mixed(both, np.ascontiguousarray(weights, np.float32).view(np.uint32).astype(np.uint64))


def _mixed(hashes: np.ndarray, values: np.ndarray) -> Iterable[np.ndarray]:
    yield _scrambled(hashes + _scrambled(values))


def _summed(parts: Iterable[np.ndarray]) -> tuple[int, ...]:
    sums = np.zeros(len(_LANES), np.uint64)
    for part in parts:
        sums += np.array([_scrambled(part ^ lane).sum(dtype=np.uint64) for lane in _LANES], np.uint64)
    return tuple(sums.tolist())


def _scrambled(values: np.ndarray) -> np.ndarray:
    """SplitMix64 of each, modulo 2^64."""
    found = values + _STEP
    found = (found ^ (found >> np.uint64(30))) * _FIRST
    found = (found ^ (found >> np.uint64(27))) * _SECOND
    scrambled: np.ndarray = found ^ (found >> np.uint64(31))
    return scrambled
