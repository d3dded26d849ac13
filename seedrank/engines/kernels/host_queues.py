"""A queue of pages per host, and the hosts in two heaps: those that may be asked now, and those that must wait.

The pages of a host are a heap (`seedrank.engines.kernels.heap`); the heaps of all hosts lie one behind the other, each
with room for all pages of its host. Hosts that may be asked are a heap by their best page, or by how many pages they
have waiting (larger sites first); the others wait in a heap by the time at which they may be asked again.

The loops take bare arrays, one by one: numba counts the references of a tuple of arrays whenever it is
passed, which took three quarters of the time of a polite crawl.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numba
import numpy as np

from seedrank.engines.kernels import heap as heaps
from seedrank.engines.kernels.heap import ALONE, ROOT, Heap, better

__all__ = ["HostQueues", "add", "best", "delay", "gain", "make", "pop", "raise_all", "rekey", "release"]

_NONE = -1
_READY, _WAITING = 0, 1
_SHIFT = np.uint64(32)


class HostQueues(NamedTuple):
    """Queues of pages by host; see the functions of this module.

    `host` is per page, the rest per host: `base` and `size` of its heap, and when it may be asked again. `ends` holds
    where the two heaps of hosts end. `held` (per page, empty where nothing is pushed twice) is what pages receive while
    they are being fetched. Where seeds have queues of their own, `twin` is the number of a host in the other queues, -1
    for none.
    """

    host: np.ndarray
    held: np.ndarray
    base: np.ndarray
    size: np.ndarray
    again_at: np.ndarray
    twin: np.ndarray
    ready: Heap
    waiting: Heap
    ends: np.ndarray
    by_size: bool


def make(
    host: np.ndarray, hosts: int, *, by_size: bool = False, holds: bool = False, twin: np.ndarray | None = None
) -> tuple[HostQueues, int]:
    """Empty queues, and entries that the heaps of all hosts need; `host` is the host of each page, none of them -1.

    Takes 16 bytes a page with those entries, 8 more where pages hold something (`holds`), 84 to 140 a host.
    """
    bases = heaps.room(np.bincount(host, minlength=hosts))
    queues = HostQueues(
        host=host,
        held=np.zeros(len(host) if holds else 0),
        base=bases[:-1],
        size=np.zeros(hosts, np.int32),
        again_at=np.zeros(hosts),
        twin=np.empty(0, np.int32) if twin is None else twin,
        ready=heaps.entries(hosts, np.full(hosts, _NONE, np.int32)),
        waiting=heaps.entries(hosts, np.full(hosts, _NONE, np.int32)),
        ends=np.full(2, ROOT, np.int64),
        by_size=by_size,
    )
    return queues, int(bases[-1])


@numba.njit(cache=True, nogil=True)
def _settle(
    keys: np.ndarray, words: np.ndarray, base: np.ndarray, size: np.ndarray, again_at: np.ndarray,
    ready_keys: np.ndarray, ready_words: np.ndarray, ready_place: np.ndarray,
    wait_keys: np.ndarray, wait_words: np.ndarray, wait_place: np.ndarray, ends: np.ndarray,
    by_size: bool, host: Any, now: float,
) -> None:  # fmt: skip
    """Put a host where it belongs after its queue changed."""
    at = ready_place[host]
    if size[host] == 0 or again_at[host] > now:
        if at != _NONE:
            heaps.drop(ready_keys, ready_words, ready_place, ALONE, at, ends[_READY])
            ends[_READY] -= 1
            ready_place[host] = _NONE
        if size[host] > 0 and wait_place[host] == _NONE:
            heaps.put(wait_keys, wait_words, wait_place, ALONE, ends[_WAITING], -again_at[host], host, host)
            ends[_WAITING] += 1
        return
    first = 2 * (base[host] + ROOT)
    key = float(size[host]) if by_size else keys[first]
    found = words[first + 1] >> _SHIFT
    if at == _NONE:
        heaps.put(ready_keys, ready_words, ready_place, ALONE, ends[_READY], key, found, host)
        ends[_READY] += 1
        return
    word = (found << _SHIFT) | np.uint64(host)
    up = better(key, word, ready_keys[2 * at], ready_words[2 * at + 1])
    ready_words[2 * at + 1] = word
    if up:
        heaps.rise(ready_keys, ready_words, ready_place, ALONE, at, key)
    else:
        heaps.sink(ready_keys, ready_words, ready_place, ALONE, at, ends[_READY], key)


@numba.njit(cache=True, nogil=True)
def add(
    keys: np.ndarray, words: np.ndarray, place: np.ndarray, base: np.ndarray, size: np.ndarray, again_at: np.ndarray,
    ready_keys: np.ndarray, ready_words: np.ndarray, ready_place: np.ndarray,
    wait_keys: np.ndarray, wait_words: np.ndarray, wait_place: np.ndarray, ends: np.ndarray,
    by_size: bool, host: Any, page: Any, key: float, found: Any, now: float,
) -> None:  # fmt: skip
    """Queue a page of a host."""
    heaps.put(keys, words, place, base[host], ROOT + size[host], key, found, page)
    size[host] += 1
    if (by_size or place[page] == ROOT) and wait_place[host] == _NONE:
        _settle(
            keys, words, base, size, again_at, ready_keys, ready_words, ready_place,
            wait_keys, wait_words, wait_place, ends, by_size, host, now,
        )  # fmt: skip


@numba.njit(cache=True, nogil=True)
def gain(
    keys: np.ndarray, words: np.ndarray, place: np.ndarray, base: np.ndarray, size: np.ndarray, again_at: np.ndarray,
    ready_keys: np.ndarray, ready_words: np.ndarray, ready_place: np.ndarray,
    wait_keys: np.ndarray, wait_words: np.ndarray, wait_place: np.ndarray, ends: np.ndarray,
    by_size: bool, host: Any, page: Any, amount: float, now: float,
) -> None:  # fmt: skip
    """Raise the key of a queued page of a host."""
    at = place[page]
    heaps.rise(keys, words, place, base[host], at, keys[2 * (base[host] + at)] + amount)
    if place[page] == ROOT and wait_place[host] == _NONE:
        _settle(
            keys, words, base, size, again_at, ready_keys, ready_words, ready_place,
            wait_keys, wait_words, wait_place, ends, by_size, host, now,
        )  # fmt: skip


@numba.njit(cache=True, nogil=True)
def release(
    keys: np.ndarray, words: np.ndarray, base: np.ndarray, size: np.ndarray, again_at: np.ndarray,
    ready_keys: np.ndarray, ready_words: np.ndarray, ready_place: np.ndarray,
    wait_keys: np.ndarray, wait_words: np.ndarray, wait_place: np.ndarray, ends: np.ndarray,
    by_size: bool, now: float,
) -> float:  # fmt: skip
    """Let hosts be asked whose time has come; returns when the next one's does, infinity for none."""
    while ends[_WAITING] > ROOT:
        time = -wait_keys[2 * ROOT]
        if time > now:
            return time
        host = heaps.item(wait_words, ROOT)
        heaps.drop(wait_keys, wait_words, wait_place, ALONE, ROOT, ends[_WAITING])
        ends[_WAITING] -= 1
        wait_place[host] = _NONE
        _settle(
            keys, words, base, size, again_at, ready_keys, ready_words, ready_place,
            wait_keys, wait_words, wait_place, ends, by_size, host, now,
        )  # fmt: skip
    return np.inf


@numba.njit(cache=True, nogil=True, inline="always")
def best(ready_words: np.ndarray, ends: np.ndarray) -> Any:
    """The host to ask next, -1 for none."""
    return np.int64(_NONE) if ends[_READY] == ROOT else heaps.item(ready_words, ROOT)


@numba.njit(cache=True, nogil=True)
def delay(
    keys: np.ndarray, words: np.ndarray, base: np.ndarray, size: np.ndarray, again_at: np.ndarray,
    ready_keys: np.ndarray, ready_words: np.ndarray, ready_place: np.ndarray,
    wait_keys: np.ndarray, wait_words: np.ndarray, wait_place: np.ndarray, ends: np.ndarray,
    by_size: bool, host: Any, next_time: float, now: float,
) -> None:  # fmt: skip
    """Let a host that may be asked now be asked again at `next_time`."""
    again_at[host] = next_time
    _settle(
        keys, words, base, size, again_at, ready_keys, ready_words, ready_place,
        wait_keys, wait_words, wait_place, ends, by_size, host, now,
    )  # fmt: skip


@numba.njit(cache=True, nogil=True)
def pop(
    keys: np.ndarray, words: np.ndarray, place: np.ndarray, base: np.ndarray, size: np.ndarray, again_at: np.ndarray,
    ready_keys: np.ndarray, ready_words: np.ndarray, ready_place: np.ndarray,
    wait_keys: np.ndarray, wait_words: np.ndarray, wait_place: np.ndarray, ends: np.ndarray,
    by_size: bool, host: Any, next_time: float, now: float,
) -> None:  # fmt: skip
    """Take out the best page of a host, which may be asked again at `next_time`."""
    heaps.drop(keys, words, place, base[host], ROOT, ROOT + size[host])
    size[host] -= 1
    delay(
        keys, words, base, size, again_at, ready_keys, ready_words, ready_place,
        wait_keys, wait_words, wait_place, ends, by_size, host, next_time, now,
    )  # fmt: skip


@numba.njit(cache=True, nogil=True)
def _order(heap: Heap, q: HostQueues, host: Any, now: float) -> None:
    """Put the pages of a host in order, and the host among the others, after keys of any of them changed."""
    heaps.heapify(heap.keys, heap.words, heap.place, q.base[host], ROOT + q.size[host])
    if q.waiting.place[host] == _NONE:
        _settle(
            heap.keys, heap.words, q.base, q.size, q.again_at, q.ready.keys, q.ready.words, q.ready.place,
            q.waiting.keys, q.waiting.words, q.waiting.place, q.ends, q.by_size, host, now,
        )  # fmt: skip


@numba.njit(cache=True, nogil=True)
def raise_all(heap: Heap, q: HostQueues, amount: float, now: float) -> None:
    """Raise the keys of all queued pages alike."""
    for host in range(len(q.size)):
        if q.size[host] == 0:
            continue
        for at in range(ROOT, ROOT + q.size[host]):
            heap.keys[2 * (q.base[host] + at)] += amount
        _order(heap, q, host, now)


@numba.njit(cache=True, nogil=True)
def rekey(heap: Heap, q: HostQueues, pages: np.ndarray, new_keys: np.ndarray, now: float) -> None:
    """Give all queued pages new keys."""
    for i in range(len(pages)):
        heap.keys[2 * (q.base[q.host[pages[i]]] + heap.place[pages[i]])] = new_keys[i]
    for host in range(len(q.size)):
        if q.size[host] > 0:
            _order(heap, q, host, now)
