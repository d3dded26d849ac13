"""A queue of pages per host, and the hosts in two heaps: those that may be asked now, and those that must wait.

The pages of a host are a pairing heap, as three links a page (first child, next sibling, and back), so that hosts of
any size share the same arrays. Hosts that may be asked are a heap by their best page, or by how many pages they have
waiting (larger sites first); the others wait in a heap by the time at which they may be asked again.
"""

from __future__ import annotations

from typing import NamedTuple

import numba
import numpy as np

from seedrank.kernels import heap as heaps
from seedrank.kernels.heap import ROOT, Heap, better

__all__ = ["HostQueues", "add", "best", "gain", "make", "pop", "rekey", "release"]

_NONE = -1
_READY, _WAITING = 0, 1


class HostQueues(NamedTuple):
    """Queues of pages by host; see the functions of this module.

    `key`, `found` and the three links are per page, everything else per host. `ends` holds where the two heaps end.
    """

    host: np.ndarray
    key: np.ndarray
    found: np.ndarray
    child: np.ndarray
    sibling: np.ndarray
    back: np.ndarray
    root: np.ndarray
    pending: np.ndarray
    again_at: np.ndarray
    ready: Heap
    waiting: Heap
    ends: np.ndarray
    by_size: bool


def make(host: np.ndarray, hosts: int, *, by_size: bool) -> HostQueues:
    """Empty queues; `host` is the host of each page, none of them -1. 24 bytes a page, 64 a host."""
    pages = len(host)
    return HostQueues(
        host=host,
        key=np.empty(pages),
        found=np.empty(pages, np.uint32),
        child=np.empty(pages, np.int32),
        sibling=np.empty(pages, np.int32),
        back=np.empty(pages, np.int32),
        root=np.full(hosts, _NONE, np.int32),
        pending=np.zeros(hosts, np.int32),
        again_at=np.zeros(hosts),
        ready=heaps.entries(hosts, np.full(hosts, _NONE, np.int32)),
        waiting=heaps.entries(hosts, np.full(hosts, _NONE, np.int32)),
        ends=np.full(2, ROOT, np.int64),
        by_size=by_size,
    )


@numba.njit(cache=True, nogil=True)
def _meld(q: HostQueues, a: int, b: int) -> int:
    """One tree of two; the better root stays."""
    if a == _NONE:
        return b
    if b == _NONE:
        return a
    if better(q.key[b], q.found[b], q.key[a], q.found[a]):
        a, b = b, a
    first = q.child[a]
    q.sibling[b] = first
    if first != _NONE:
        q.back[first] = b
    q.child[a] = b
    q.back[b] = a
    return a


@numba.njit(cache=True, nogil=True)
def _without_root(q: HostQueues, page: int) -> int:
    """The tree that is left of a root's children: melded in pairs, then from the last pair back."""
    rest = q.child[page]
    pairs = _NONE
    while rest != _NONE:
        first = rest
        second = q.sibling[first]
        rest = _NONE
        q.sibling[first] = _NONE
        q.back[first] = _NONE
        if second != _NONE:
            rest = q.sibling[second]
            q.sibling[second] = _NONE
            q.back[second] = _NONE
        pair = _meld(q, first, second)
        q.sibling[pair] = pairs
        pairs = pair
    tree = _NONE
    while pairs != _NONE:
        following = q.sibling[pairs]
        q.sibling[pairs] = _NONE
        tree = _meld(q, tree, pairs)
        pairs = following
    return tree


@numba.njit(cache=True, nogil=True)
def _settle(q: HostQueues, host: int, now: float) -> None:
    """Put a host where it belongs after its queue changed."""
    page = q.root[host]
    at = q.ready.place[host]
    if page == _NONE or q.again_at[host] > now:
        if at != _NONE:
            heaps.drop(q.ready.keys, q.ready.words, q.ready.place, at, q.ends[_READY])
            q.ends[_READY] -= 1
            q.ready.place[host] = _NONE
        if page != _NONE and q.waiting.place[host] == _NONE:
            heaps.put(q.waiting.keys, q.waiting.words, q.waiting.place, q.ends[_WAITING], -q.again_at[host], host, host)
            q.ends[_WAITING] += 1
        return
    key = float(q.pending[host]) if q.by_size else q.key[page]
    if at == _NONE:
        heaps.put(q.ready.keys, q.ready.words, q.ready.place, q.ends[_READY], key, q.found[page], host)
        q.ends[_READY] += 1
        return
    word = (np.uint64(q.found[page]) << np.uint64(32)) | np.uint64(host)
    up = better(key, word, q.ready.keys[2 * at], q.ready.words[2 * at + 1])
    q.ready.words[2 * at + 1] = word
    if up:
        heaps.rise(q.ready.keys, q.ready.words, q.ready.place, at, key)
    else:
        heaps.sink(q.ready.keys, q.ready.words, q.ready.place, at, q.ends[_READY], key)


@numba.njit(cache=True, nogil=True)
def add(q: HostQueues, page: int, key: float, found: int, now: float) -> None:
    """Queue a page."""
    host = q.host[page]
    q.key[page] = key
    q.found[page] = found
    q.child[page] = _NONE
    q.sibling[page] = _NONE
    q.back[page] = _NONE
    q.root[host] = _meld(q, q.root[host], page)
    q.pending[host] += 1
    if q.waiting.place[host] == _NONE:
        _settle(q, host, now)


@numba.njit(cache=True, nogil=True)
def gain(q: HostQueues, page: int, amount: float, now: float) -> None:
    """Raise the key of a queued page."""
    host = q.host[page]
    q.key[page] += amount
    if q.root[host] != page:
        before, after = q.back[page], q.sibling[page]
        if q.child[before] == page:
            q.child[before] = after
        else:
            q.sibling[before] = after
        if after != _NONE:
            q.back[after] = before
        q.sibling[page] = _NONE
        q.back[page] = _NONE
        q.root[host] = _meld(q, q.root[host], page)
        if q.root[host] != page:
            return
    if q.waiting.place[host] == _NONE:
        _settle(q, host, now)


@numba.njit(cache=True, nogil=True)
def release(q: HostQueues, now: float) -> float:
    """Let hosts be asked whose time has come; returns when the next one's does, infinity for none."""
    while q.ends[_WAITING] > ROOT:
        time = -q.waiting.keys[2 * ROOT]
        if time > now:
            return time
        host = heaps.item(q.waiting.words, ROOT)
        heaps.drop(q.waiting.keys, q.waiting.words, q.waiting.place, ROOT, q.ends[_WAITING])
        q.ends[_WAITING] -= 1
        q.waiting.place[host] = _NONE
        _settle(q, host, now)
    return np.inf


@numba.njit(cache=True, nogil=True)
def best(q: HostQueues) -> int:
    """The page to fetch next among hosts that may be asked, -1 for none."""
    if q.ends[_READY] == ROOT:
        return _NONE
    return q.root[heaps.item(q.ready.words, ROOT)]


@numba.njit(cache=True, nogil=True)
def pop(q: HostQueues, page: int, again_at: float, now: float) -> None:
    """Take out the best page of its host, which may be asked again at `again_at`."""
    host = q.host[page]
    q.root[host] = _without_root(q, page)
    q.pending[host] -= 1
    q.again_at[host] = again_at
    _settle(q, host, now)


@numba.njit(cache=True, nogil=True)
def rekey(q: HostQueues, pages: np.ndarray, keys: np.ndarray, now: float) -> None:
    """Give all queued pages new keys."""
    q.root[:] = _NONE
    for i in range(len(pages)):
        page = pages[i]
        q.key[page] = keys[i]
        q.child[page] = _NONE
        q.sibling[page] = _NONE
        q.back[page] = _NONE
        host = q.host[page]
        q.root[host] = _meld(q, q.root[host], page)
    for i in range(len(pages)):
        host = q.host[pages[i]]
        if q.waiting.place[host] == _NONE and q.root[host] == pages[i]:
            _settle(q, host, now)
