"""The loop of `push` as a polite crawler runs it: several fetchers, a pause per host, simulated time.

A fetch takes the same time for every page, so fetches end in the order in which they started. The links of a page are
known when its fetch has ended; until then it is not pushed again, whatever it receives. A fetcher that is free takes
the best page of the hosts that may be asked.

As in `push`, arrays are taken apart once and handed on one by one.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numba
import numpy as np

from seedrank.kernels import host_queues as hosts
from seedrank.kernels import push as loop
from seedrank.kernels.heap import ROOT
from seedrank.kernels.host_queues import HostQueues
from seedrank.kernels.prefetch import prefetch
from seedrank.kernels.push import Links, Out, Queue, Rule

__all__ = ["Pace", "discover", "fetch"]


class Pace(NamedTuple):
    """How fast one may go: seconds between fetches of a host, seconds a fetch takes, fetchers, seconds in all."""

    host_delay: float
    fetch_seconds: float
    parallel: int
    most_seconds: float


@numba.njit(cache=True, nogil=True)
def discover(queue: Queue, waiting: HostQueues, pages: np.ndarray, keys: np.ndarray) -> None:
    """Queue pages that are known from the start, in this order."""
    n, heap, ready, wait = queue.tallies, queue.heap, waiting.ready, waiting.waiting
    for i in range(len(pages)):
        hosts.add(
            heap.keys, heap.words, heap.place, waiting.base, waiting.size, waiting.again_at,
            ready.keys, ready.words, ready.place, wait.keys, wait.words, wait.place, waiting.ends,
            waiting.by_size, waiting.host[pages[i]], pages[i], keys[i], n[loop.FOUND], 0.0,
        )  # fmt: skip
        n[loop.FOUND] += 1


@numba.njit(cache=True, nogil=True)
def _give_back(queue: Queue, waiting: HostQueues, rule: Rule, key: float, now: float) -> None:
    """Give to the seeds what a page holds that hands nothing on."""
    part = rule.damping * key / len(rule.seeds)
    keys, words, place = queue.heap
    again_keys, again_words, again_place = queue.again
    found, n, seeds = queue.found, queue.tallies, rule.seeds
    host, held, base, size, again_at = waiting.host, waiting.held, waiting.base, waiting.size, waiting.again_at
    ready_keys, ready_words, ready_place = waiting.ready
    wait_keys, wait_words, wait_place = waiting.waiting
    ends, by_size = waiting.ends, waiting.by_size
    for i in range(len(seeds)):
        page = seeds[i]
        if place[page] >= 0:
            hosts.gain(
                keys, words, place, base, size, again_at, ready_keys, ready_words, ready_place,
                wait_keys, wait_words, wait_place, ends, by_size, host[page], page, part, now,
            )  # fmt: skip
        elif place[page] == loop.FETCHING:
            # Its key has left the queue, and gathers here what it can be pushed with when its links are known.
            held[page] += part
        elif place[page] == loop.FETCHED:
            loop.hold(again_keys, again_words, again_place, found, n, page, part)


@numba.njit(cache=True, nogil=True)
def _expand(
    offsets: np.ndarray, targets: np.ndarray, weights: np.ndarray, status: np.ndarray, site: np.ndarray,
    keys: np.ndarray, words: np.ndarray, place: np.ndarray,
    again_keys: np.ndarray, again_words: np.ndarray, again_place: np.ndarray, again_found: np.ndarray, n: np.ndarray,
    host: np.ndarray, held: np.ndarray, base: np.ndarray, size: np.ndarray, again_at: np.ndarray,
    ready_keys: np.ndarray, ready_words: np.ndarray, ready_place: np.ndarray,
    wait_keys: np.ndarray, wait_words: np.ndarray, wait_place: np.ndarray, ends: np.ndarray, by_size: bool,
    kind: int, damping: float, inter_weight: float, again: bool, fixed: np.ndarray, lowest: float,
    page: Any, key: float, now: float,
) -> tuple[int, bool]:  # fmt: skip
    """Follow the links of a page; returns how many there are, and whether what it holds goes back to the seeds."""
    start = offsets[page]
    stop = offsets[page + 1] if status[page] == loop.CRAWLED else start
    if start == stop:
        return 0, again and kind == loop.SHARE
    for i in range(start, stop):
        prefetch(place, np.int64(targets[i]))
        prefetch(host, np.int64(targets[i]))
    own = site[page] if len(site) else np.int32(-1)
    share, inter_share = loop.shares(targets, weights, site, start, stop, own, kind, damping, inter_weight, key)
    by_weight = loop.shares_weights(weights, kind)
    gives_back = by_weight and share == 0.0 and key > 0.0 and again and kind == loop.SHARE
    by_site = share != inter_share
    for i in range(start, stop):
        at = place[targets[i]]
        if at >= 0:
            prefetch(words, 2 * (base[host[targets[i]]] + at))
    for i in range(start, stop):
        target = targets[i]
        at = place[target]
        if at == loop.FETCHED and not again:
            continue
        amount = share
        if by_site and (own < 0 or site[target] != own):
            amount = inter_share
        if by_weight:
            amount *= weights[i]
        if at >= 0:
            found = words[2 * (base[host[target]] + at) + 1] >> np.uint64(32)
            if amount > 0.0 and (kind != loop.NEW_SHARE or np.int64(found) >= n[loop.MARK]):
                hosts.gain(
                    keys, words, place, base, size, again_at, ready_keys, ready_words, ready_place,
                    wait_keys, wait_words, wait_place, ends, by_size, host[target], target, amount, now,
                )  # fmt: skip
        elif at == loop.UNSEEN:
            if kind == loop.FIXED:
                amount = fixed[target]
            elif kind == loop.AFTER:
                amount = key - (fixed[target] if len(fixed) else 1.0)
                if amount < lowest:
                    continue
            hosts.add(
                keys, words, place, base, size, again_at, ready_keys, ready_words, ready_place,
                wait_keys, wait_words, wait_place, ends, by_size, host[target], target, amount, n[loop.FOUND], now,
            )  # fmt: skip
            n[loop.FOUND] += 1
        elif again and at == loop.FETCHING:
            held[target] += amount
        elif again and at == loop.FETCHED:
            loop.hold(again_keys, again_words, again_place, again_found, n, target, amount)
    return stop - start, gives_back


@numba.njit(cache=True, nogil=True)
def fetch(
    links: Links, queue: Queue, waiting: HostQueues, rule: Rule, pace: Pace, out: Out, until: int, work: int
) -> None:
    """Fetch until so many pages are, or until about `work` links were followed; `STATE` says why it stopped."""
    offsets, targets, weights, status, site, capped, sizes = links
    keys, words, place = queue.heap
    again_keys, again_words, again_place = queue.again
    again_found, taken, n, sums = queue.found, queue.taken, queue.tallies, queue.sums
    host, held, base, size, again_at = waiting.host, waiting.held, waiting.base, waiting.size, waiting.again_at
    ready_keys, ready_words, ready_place = waiting.ready
    wait_keys, wait_words, wait_place = waiting.waiting
    ends, by_size = waiting.ends, waiting.by_size
    kind, again, cap, fixed, lowest = rule.kind, rule.again, rule.cap, rule.fixed, rule.lowest
    damping, inter_weight, enough, most_bytes = rule.damping, rule.inter_weight, rule.enough, rule.most_bytes
    out_page, out_key, out_found, out_mass, out_time = out
    n[loop.STATE] = loop.GOING
    visited: Any = np.int64(-1)
    visited_key = 0.0
    while True:
        # First what has no choice: a fetched page that is pushed again, or the oldest fetch if it has ended;
        # out_time[HEAD] is when the oldest running one started.
        page, key = visited, visited_key
        visited = np.int64(-1)
        if (
            page < 0
            and n[loop.HEAD] < n[loop.DONE]
            and (
                out_time[n[loop.HEAD]] + pace.fetch_seconds <= sums[loop.NOW]
                or n[loop.DONE] - n[loop.HEAD] >= pace.parallel
            )
        ):
            row = n[loop.HEAD]
            sums[loop.NOW] = max(sums[loop.NOW], out_time[row] + pace.fetch_seconds)
            n[loop.HEAD] = row + 1
            page, key = np.int64(out_page[row]), out_key[row]
            place[page] = loop.FETCHED
            if again:
                loop.hold(again_keys, again_words, again_place, again_found, n, page, held[page])
        now = sums[loop.NOW]
        if page >= 0:
            followed, gives_back = _expand(
                offsets, targets, weights, status, site, keys, words, place,
                again_keys, again_words, again_place, again_found, n, host, held, base, size, again_at,
                ready_keys, ready_words, ready_place, wait_keys, wait_words, wait_place, ends, by_size,
                kind, damping, inter_weight, again, fixed, lowest, page, key, now,
            )  # fmt: skip
            if gives_back:
                _give_back(queue, waiting, rule, key, now)
            work -= 1 + followed
            if again and sums[loop.MASS] >= enough:
                n[loop.STATE] = loop.ENOUGH
                return
            continue
        if n[loop.DONE] >= until or work <= 0:
            return
        next_host = hosts.release(
            keys, words, base, size, again_at, ready_keys, ready_words, ready_place,
            wait_keys, wait_words, wait_place, ends, by_size, now,
        )  # fmt: skip
        asked = hosts.best(ready_words, ends)
        first = 2 * (base[asked] + ROOT) if asked >= 0 else 0
        word = words[first + 1] if asked >= 0 else np.uint64(0)
        key = keys[first] if asked >= 0 else 0.0
        running = n[loop.DONE] - n[loop.HEAD]
        nothing_left = asked < 0 and running == 0 and next_host == np.inf
        if again and (asked >= 0 or nothing_left) and loop.revisits(queue, rule, key, word, nothing_left):
            visited, visited_key = loop.take_fetched(queue)
            sums[loop.MASS] += visited_key
            n[loop.PUSHES] += 1
            continue
        if nothing_left:
            n[loop.STATE] = loop.EMPTY
            return
        if asked < 0:
            sums[loop.NOW] = next_host
            if running > 0:
                sums[loop.NOW] = min(next_host, out_time[n[loop.HEAD]] + pace.fetch_seconds)
            continue
        if now >= pace.most_seconds:
            n[loop.STATE] = loop.SPENT
            return
        page = np.int64(np.uint32(word))
        refused = cap > 0 and capped[page] >= 0 and taken[capped[page]] >= cap
        hosts.pop(
            keys, words, place, base, size, again_at, ready_keys, ready_words, ready_place,
            wait_keys, wait_words, wait_place, ends, by_size, asked,
            again_at[asked] if refused else now + pace.host_delay, now,
        )  # fmt: skip
        if refused:
            place[page] = loop.REFUSED
            n[loop.REFUSALS] += 1
            continue
        if cap > 0 and capped[page] >= 0:
            taken[capped[page]] += 1
        place[page] = loop.FETCHING
        if again:
            again_found[page] = word >> np.uint64(32)
        row = n[loop.DONE]
        n[loop.DONE] = row + 1
        out_page[row] = page
        out_key[row] = key
        out_found[row] = word >> np.uint64(32)
        out_time[row] = now
        if kind == loop.SHARE:
            sums[loop.MASS] += key
            n[loop.PUSHES] += 1
        if len(out_mass):
            out_mass[row] = sums[loop.MASS]
        if len(sizes):
            sums[loop.BYTES] += sizes[page]
        if sums[loop.MASS] >= enough:
            n[loop.STATE] = loop.ENOUGH
            return
        if sums[loop.BYTES] >= most_bytes:
            n[loop.STATE] = loop.SPENT
            return
