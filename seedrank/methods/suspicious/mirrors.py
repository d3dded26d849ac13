"""Mirrors: hosts with the same paths.

Each host's paths are hashed, and the smallest hash under 64 seeds or more is its signature; two hosts agree in each
place with the chance of their likeness (Broder 1997). Hosts that agree in a whole band of neighbouring places are
compared in full. How wide a band is follows from the likeness asked for: of the pairs that are just alike enough, one
in a hundred agrees in no band.
"""

from __future__ import annotations

import math

import numpy as np
import pyarrow as pa
from scipy import sparse

from seedrank.engines.kernels.suspicious import likeness, path_hashes, signatures
from seedrank.graph import WebGraph, frozen
from seedrank.graph.webgraph import url_blocks, url_bytes
from seedrank.methods.suspicious.found import Found
from seedrank.methods.suspicious.host_links import Hosts

__all__ = ["bands", "candidates", "mirrors"]

SEEDS, MOST_SEEDS = 64, 1024
"""Places of a signature, and where so few do not suffice at most."""
MISSED = 0.01
"""Chance that a pair that is just alike enough agrees in no band."""
NEXT = 4
"""Rows that a row is compared with, of those behind it that agree in a band: more agree by a common path than alike."""


def bands(share: float) -> tuple[int, int]:
    """Places of a signature, and places of a band: the widest that misses few pairs of this likeness."""
    if not 0 < share < 1:
        return (SEEDS, SEEDS) if share >= 1 else (MOST_SEEDS, 1)
    width = 1
    while (1 - share ** (width + 1)) ** (SEEDS // (width + 1)) <= MISSED and width < SEEDS:
        width += 1
    if width > 1:
        return SEEDS, width
    return max(SEEDS, min(MOST_SEEDS, math.ceil(math.log(MISSED) / math.log1p(-share)))), 1


def mirrors(graph: WebGraph, hosts: Hosts, *, share: float, paths: int) -> list[Found]:
    """Groups of hosts with the same paths, those with the most pages first.

    Parameters
    ----------
    graph
        The graph; its pages have URLs.
    share
        Paths that two hosts have in common over the paths that either has, at least.
    paths
        Distinct paths of a host, at least.
    """
    wanted, starts, hashes = _paths(graph, hosts, paths)
    if len(wanted) < 2:
        return []
    places, width = bands(share)
    seeds = np.random.default_rng(1).integers(0, 2**63, places).astype(np.uint64)
    left, right = candidates(signatures(frozen(starts), frozen(hashes), frozen(seeds)), width)
    like = likeness(frozen(starts), frozen(hashes), frozen(left), frozen(right))
    close = like >= share
    left, right, like = left[close], right[close], like[close]
    links = sparse.coo_array((np.ones(len(left)), (left, right)), (len(wanted), len(wanted)))
    _, group = sparse.csgraph.connected_components(links, directed=False)
    lowest = np.full(group.max() + 1, 1.0)
    np.minimum.at(lowest, group[left], like)
    sizes = np.bincount(group)
    order = np.argsort(group, kind="stable")
    listed = np.flatnonzero(sizes > 1)
    begins = np.searchsorted(group[order], np.append(listed, listed + 1)).reshape(2, -1)
    found = []
    for one, first, last in zip(listed, *begins, strict=True):
        ids = wanted[order[first:last]]
        ids = ids[np.argsort(-hosts.pages[ids], kind="stable")]
        names = hosts.names.take(pa.array(ids)).to_pylist()
        why = (
            f"{len(ids)} hosts have the same paths: at least {100 * lowest[one]:.0f} % of those that two of them have "
            f"are on both; others are {', '.join(names[1:4])}{' …' if len(names) > 4 else ''}"
        )
        found.append(Found("mirror", names[0], int(hosts.pages[ids].sum()), why, names))
    return sorted(found, key=lambda one: -one.pages)


def _paths(graph: WebGraph, hosts: Hosts, least: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Hosts with at least so many distinct paths, where the hashes of each begin, and the hashes, ascending."""
    if graph.urls is None or not graph.pages:
        return np.empty(0, np.int64), np.zeros(1, np.int64), np.empty(0, np.uint64)
    value = np.concatenate([path_hashes(*url_bytes(block)) for _, block in url_blocks(graph)])
    known = np.flatnonzero((hosts.of_page >= 0) & graph.urls.is_valid().to_numpy())
    order = known[np.lexsort((value[known], hosts.of_page[known]))]
    host, value = hosts.of_page[order], value[order]
    new = np.ones(len(order), bool)
    new[1:] = (host[1:] != host[:-1]) | (value[1:] != value[:-1])
    host, value = host[new], value[new]
    sizes = np.bincount(host, minlength=len(hosts))
    keep = sizes >= least
    value = value[keep[host]]
    return np.flatnonzero(keep), np.append(0, np.cumsum(sizes[keep])), value


def candidates(found: np.ndarray, width: int) -> tuple[np.ndarray, np.ndarray]:
    """Pairs of rows that agree in a band of their signatures: each with the next few of those that do.

    Those that agree in the places behind the band too are next to each other.
    """
    pairs, places = [], found.shape[1]
    for first in range(0, places - width + 1, width):
        band = found[:, first : first + width]
        behind = found.take(range(first + width, first + 2 * width), axis=1, mode="wrap")
        order = np.lexsort((*behind.T, *band.T))
        for far in range(1, NEXT + 1):
            same = (band[order[far:]] == band[order[:-far]]).all(axis=1)
            pairs.append(np.sort(np.stack([order[:-far][same], order[far:][same]], axis=1), axis=1))
    distinct = np.unique(np.concatenate(pairs), axis=0)
    return distinct[:, 0].copy(), distinct[:, 1].copy()
