"""Loops over links between hosts and over paths of URLs: what link farms, traps and mirrors are told by."""

from __future__ import annotations

import numba
import numpy as np

__all__ = ["between", "folders", "likeness", "path_hashes", "path_shapes", "shared_neighbours", "signatures"]

MOST_PARTS = 64
"""Parts of a path that are compared; the rest of a longer one is not looked at."""
_SLASH, _QUERY, _FRAGMENT, _COLON = 47, 63, 35, 58
_PRIME = np.uint64(1_099_511_628_211)
_BASIS = np.uint64(14_695_981_039_346_656_037)


@numba.njit(cache=True, nogil=True)
def between(
    offsets: np.ndarray, targets: np.ndarray, site: np.ndarray, sites: int, weights: np.ndarray
) -> tuple[np.ndarray, np.ndarray]:
    """Links between two sites, as ``source · sites + target`` (int64), and what each counts (float64)."""
    count = 0
    for page in range(len(offsets) - 1):
        for i in range(offsets[page], offsets[page + 1]):
            other = site[targets[i]]
            if site[page] >= 0 and other >= 0 and other != site[page]:
                count += 1
    keys, each = np.empty(count, np.int64), np.ones(count)
    count = 0
    for page in range(len(offsets) - 1):
        for i in range(offsets[page], offsets[page + 1]):
            other = site[targets[i]]
            if site[page] >= 0 and other >= 0 and other != site[page]:
                keys[count] = np.int64(site[page]) * sites + other
                if len(weights):
                    each[count] = weights[i]
                count += 1
    return keys, each


@numba.njit(cache=True, nogil=True)
def shared_neighbours(offsets: np.ndarray, neighbours: np.ndarray) -> np.ndarray:
    """int32 per entry of an undirected graph (both directions, rows ascending): neighbours that its two ends share."""
    shared = np.zeros(len(neighbours), np.int32)
    for node in range(len(offsets) - 1):
        for i in range(offsets[node], offsets[node + 1]):
            other = neighbours[i]
            if other < node:
                continue
            a, b, count = offsets[node], offsets[other], 0
            while a < offsets[node + 1] and b < offsets[other + 1]:
                if neighbours[a] < neighbours[b]:
                    a += 1
                elif neighbours[a] > neighbours[b]:
                    b += 1
                else:
                    count += 1
                    a += 1
                    b += 1
            shared[i] = count
            back = np.searchsorted(neighbours[offsets[other] : offsets[other + 1]], node)
            shared[offsets[other] + back] = count
    return shared


@numba.njit(cache=True, nogil=True)
def _path(data: np.ndarray, start: int, stop: int) -> int:
    """Where the path of a URL starts: behind the host, at its slash, or at the end."""
    i = start
    while i + 2 < stop and not (data[i] == _COLON and data[i + 1] == _SLASH and data[i + 2] == _SLASH):
        i += 1
    i += 3
    while i < stop and data[i] != _SLASH and data[i] != _QUERY and data[i] != _FRAGMENT:
        i += 1
    return min(i, stop)


@numba.njit(cache=True, nogil=True)
def path_shapes(data: np.ndarray, offsets: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Per URL: parts of its path, and how often the part is there that is there most often, int32."""
    count = len(offsets) - 1
    depth, repeats = np.zeros(count, np.int32), np.zeros(count, np.int32)
    starts, stops = np.empty(MOST_PARTS, np.int64), np.empty(MOST_PARTS, np.int64)
    for url in range(count):
        stop = offsets[url + 1]
        i = _path(data, offsets[url], stop)
        parts = 0
        while i < stop and data[i] == _SLASH:
            first = i + 1
            i = first
            while i < stop and data[i] != _SLASH and data[i] != _QUERY and data[i] != _FRAGMENT:
                i += 1
            if i > first:
                if parts < MOST_PARTS:
                    starts[parts], stops[parts] = first, i
                parts += 1
        depth[url] = parts
        for a in range(min(parts, MOST_PARTS)):
            same = 1
            for b in range(a + 1, min(parts, MOST_PARTS)):
                if stops[a] - starts[a] == stops[b] - starts[b]:
                    equal = True
                    for k in range(stops[a] - starts[a]):
                        if data[starts[a] + k] != data[starts[b] + k]:
                            equal = False
                            break
                    same += equal
            repeats[url] = max(repeats[url], same)
    return depth, repeats


@numba.njit(cache=True, nogil=True)
def path_hashes(data: np.ndarray, offsets: np.ndarray) -> np.ndarray:
    """uint64 per URL: a hash of all that follows the host."""
    found = np.empty(len(offsets) - 1, np.uint64)
    for url in range(len(found)):
        value = _BASIS
        for i in range(_path(data, offsets[url], offsets[url + 1]), offsets[url + 1]):
            value = (value ^ np.uint64(data[i])) * _PRIME
        found[url] = value
    return found


@numba.njit(cache=True, nogil=True)
def folders(data: np.ndarray, offsets: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
    """Every folder in the path of each URL: number of the URL, bytes up to the slash, hashes of these and of the rest.

    The host and its root are left out: all pages of a host are below them.
    """
    count = 0
    for url in range(len(offsets) - 1):
        i = _path(data, offsets[url], offsets[url + 1]) + 1
        while i < offsets[url + 1] and data[i] != _QUERY and data[i] != _FRAGMENT:
            count += data[i] == _SLASH
            i += 1
    number, length = np.empty(count, np.int64), np.empty(count, np.int64)
    before, after = np.empty(count, np.uint64), np.empty(count, np.uint64)
    count = 0
    for url in range(len(offsets) - 1):
        start, stop, first = offsets[url], offsets[url + 1], count
        path = _path(data, start, stop)
        value, asked = _BASIS, False
        for i in range(start, stop):
            value = (value ^ np.uint64(data[i])) * _PRIME
            asked = asked or (i > path and (data[i] == _QUERY or data[i] == _FRAGMENT))
            if i > path and data[i] == _SLASH and not asked:
                number[count], length[count], before[count] = url, i + 1 - start, value
                count += 1
        value, last = _BASIS, count - 1
        for i in range(stop - 1, path, -1):
            if last >= first and i == start + length[last] - 1:
                after[last] = value
                last -= 1
            value = (value ^ np.uint64(data[i])) * _PRIME
    return number, length, before, after


@numba.njit(cache=True, nogil=True)
def signatures(starts: np.ndarray, hashes: np.ndarray, seeds: np.ndarray) -> np.ndarray:
    """Per set (`hashes` from `starts`) and seed the smallest hash under it: equal with the chance of their likeness."""
    found = np.full((len(starts) - 1, len(seeds)), np.uint64(0xFFFFFFFFFFFFFFFF))
    for one in range(len(starts) - 1):
        for i in range(starts[one], starts[one + 1]):
            for k in range(len(seeds)):
                value = hashes[i] ^ seeds[k]
                value = (value ^ (value >> np.uint64(33))) * np.uint64(0xFF51AFD7ED558CCD)
                value = (value ^ (value >> np.uint64(33))) * np.uint64(0xC4CEB9FE1A85EC53)
                value ^= value >> np.uint64(33)
                if value < found[one, k]:
                    found[one, k] = value
    return found


@numba.njit(cache=True, nogil=True)
def likeness(starts: np.ndarray, hashes: np.ndarray, left: np.ndarray, right: np.ndarray) -> np.ndarray:
    """Jaccard's likeness of pairs of sets: what both have over what either has; rows of `hashes` ascend."""
    found = np.empty(len(left))
    for pair in range(len(left)):
        a, b, both = starts[left[pair]], starts[right[pair]], 0
        last_a, last_b = starts[left[pair] + 1], starts[right[pair] + 1]
        either = (last_a - a) + (last_b - b)
        while a < last_a and b < last_b:
            if hashes[a] < hashes[b]:
                a += 1
            elif hashes[a] > hashes[b]:
                b += 1
            else:
                both += 1
                a += 1
                b += 1
        found[pair] = both / max(either - both, 1)
    return found
