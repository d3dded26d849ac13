"""The loop of `push` as a polite crawler runs it: several fetchers, a pause per host, simulated time.

A fetch takes the same time for every page, so fetches end in the order in which they started. The links of a page are
known when its fetch has ended; until then it is not pushed again, whatever it receives. A fetcher that is free takes
the best page of the hosts that may be asked.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numba
import numpy as np

from seedrank.kernels import host_queues as hosts
from seedrank.kernels import push as loop
from seedrank.kernels.host_queues import HostQueues
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
    n = queue.tallies
    for i in range(len(pages)):
        queue.heap.place[pages[i]] = 0
        hosts.add(waiting, pages[i], keys[i], n[loop.FOUND], 0.0)
        n[loop.FOUND] += 1


@numba.njit(cache=True, nogil=True)
def _give(queue: Queue, waiting: HostQueues, page: int, amount: float, now: float) -> None:
    """Add to what a page holds that was discovered before."""
    place = queue.heap.place[page]
    if place >= 0:
        hosts.gain(waiting, page, amount, now)
    elif place == loop.FETCHING:
        # Its key has left the queue, and gathers here what it can be pushed with when its links are known.
        waiting.key[page] += amount
    else:
        loop.give_fetched(queue, page, amount)


@numba.njit(cache=True, nogil=True)
def _end(queue: Queue, waiting: HostQueues, rule: Rule, page: Any) -> None:
    """The fetch of a page has ended: it may be pushed again."""
    queue.heap.place[page] = loop.FETCHED
    if rule.again:
        loop.give_fetched(queue, page, waiting.key[page])


@numba.njit(cache=True, nogil=True)
def _give_back(queue: Queue, waiting: HostQueues, rule: Rule, key: float, now: float) -> None:
    """Give to the seeds what a page holds that hands nothing on."""
    part = rule.damping * key / len(rule.seeds)
    for i in range(len(rule.seeds)):
        _give(queue, waiting, rule.seeds[i], part, now)


@numba.njit(cache=True, nogil=True)
def _expand(links: Links, queue: Queue, waiting: HostQueues, rule: Rule, page: Any, key: float) -> int:
    start = links.offsets[page]
    stop = links.offsets[page + 1] if links.status[page] == loop.CRAWLED else start
    kind, n, now = rule.kind, queue.tallies, queue.sums[loop.NOW]
    if start == stop:
        if rule.again and kind == loop.SHARE:
            _give_back(queue, waiting, rule, key, now)
        return 0
    share, inter_share = loop.link_shares(links, rule, page, key)
    by_weight = loop.shares_weights(links.weights, kind)
    if by_weight and share == 0.0 and key > 0.0 and rule.again and kind == loop.SHARE:
        _give_back(queue, waiting, rule, key, now)
    by_site = share != inter_share
    own = links.site[page] if by_site else np.int32(-1)
    for i in range(start, stop):
        target = links.targets[i]
        at = queue.heap.place[target]
        amount = share
        if by_site and (own < 0 or links.site[target] != own):
            amount = inter_share
        if by_weight:
            amount *= links.weights[i]
        if at >= 0:
            if amount > 0.0 and (kind != loop.NEW_SHARE or waiting.found[target] >= n[loop.MARK]):
                hosts.gain(waiting, target, amount, now)
        elif at == loop.UNSEEN:
            if kind == loop.FIXED:
                amount = rule.fixed[target]
            elif kind == loop.AFTER:
                amount = key - (rule.fixed[target] if len(rule.fixed) else 1.0)
                if amount < rule.lowest:
                    continue
            queue.heap.place[target] = 0
            hosts.add(waiting, target, amount, n[loop.FOUND], now)
            n[loop.FOUND] += 1
        elif rule.again:
            _give(queue, waiting, target, amount, now)
    return stop - start


@numba.njit(cache=True, nogil=True)
def fetch(
    links: Links, queue: Queue, waiting: HostQueues, rule: Rule, pace: Pace, out: Out, until: int, work: int
) -> None:
    """Fetch until so many pages are, or until about `work` links were followed; `STATE` says why it stopped."""
    n, sums = queue.tallies, queue.sums
    n[loop.STATE] = loop.GOING
    while True:
        # Fetches that have ended, oldest first: out.time[HEAD] is when the oldest running one started.
        while n[loop.HEAD] < n[loop.DONE] and (
            out.time[n[loop.HEAD]] + pace.fetch_seconds <= sums[loop.NOW]
            or n[loop.DONE] - n[loop.HEAD] >= pace.parallel
        ):
            row = n[loop.HEAD]
            sums[loop.NOW] = max(sums[loop.NOW], out.time[row] + pace.fetch_seconds)
            n[loop.HEAD] = row + 1
            _end(queue, waiting, rule, np.int64(out.page[row]))
            work -= 1 + _expand(links, queue, waiting, rule, np.int64(out.page[row]), out.key[row])
        if n[loop.DONE] >= until or work <= 0:
            return
        now = sums[loop.NOW]
        next_host = hosts.release(waiting, now)
        page = hosts.best(waiting)
        running = n[loop.DONE] - n[loop.HEAD]
        nothing_left = page < 0 and running == 0 and next_host == np.inf
        if (page >= 0 or nothing_left) and loop.revisits(
            queue,
            rule,
            0.0 if page < 0 else waiting.key[page],
            np.uint64(0 if page < 0 else waiting.found[page]) << np.uint64(32),
            nothing_left,
        ):
            visited, key = loop.take_fetched(queue)
            sums[loop.MASS] += key
            n[loop.PUSHES] += 1
            work -= 1 + _expand(links, queue, waiting, rule, visited, key)
        elif nothing_left:
            n[loop.STATE] = loop.EMPTY
            return
        elif page < 0:
            sums[loop.NOW] = next_host
            if running > 0:
                sums[loop.NOW] = min(next_host, out.time[n[loop.HEAD]] + pace.fetch_seconds)
            continue
        else:
            if now >= pace.most_seconds:
                n[loop.STATE] = loop.SPENT
                return
            if loop.refused(links, queue, rule, page):
                hosts.pop(waiting, page, waiting.again_at[waiting.host[page]], now)
                continue
            key = waiting.key[page]
            hosts.pop(waiting, page, now + pace.host_delay, now)
            waiting.key[page] = 0.0
            loop.note(links, queue, rule, out, page, key, np.int64(waiting.found[page]))
        if sums[loop.MASS] >= rule.enough:
            n[loop.STATE] = loop.ENOUGH
            return
        if sums[loop.BYTES] >= rule.most_bytes:
            n[loop.STATE] = loop.SPENT
            return
