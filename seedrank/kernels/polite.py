"""The loop of `seedrank.kernels.push` as a polite crawler runs it: several fetchers, a pause per host, simulated time.

A fetch takes the same time for every page, so fetches end in the order in which they started. The links of a page are
known when its fetch has ended; until then it is not pushed again, whatever it receives. A fetcher that is free takes
the best page of the hosts that may be asked.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numba
import numpy as np

from seedrank.kernels import host_queues as hosts
from seedrank.kernels import push
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
        hosts.add(waiting, pages[i], keys[i], n[push.FOUND], 0.0)
        n[push.FOUND] += 1


@numba.njit(cache=True, nogil=True)
def _give(queue: Queue, waiting: HostQueues, page: int, amount: float, now: float) -> None:
    """Add to what a page holds that was discovered before."""
    place = queue.heap.place[page]
    if place >= 0:
        hosts.gain(waiting, page, amount, now)
    elif place == push.FETCHING:
        # Its key has left the queue, and gathers here what it can be pushed with when its links are known.
        waiting.key[page] += amount
    else:
        push.give_fetched(queue, page, amount)


@numba.njit(cache=True, nogil=True)
def _end(queue: Queue, waiting: HostQueues, rule: Rule, page: Any) -> None:
    """The fetch of a page has ended: it may be pushed again."""
    queue.heap.place[page] = push.FETCHED
    if rule.again:
        push.give_fetched(queue, page, waiting.key[page])


@numba.njit(cache=True, nogil=True)
def _expand(links: Links, queue: Queue, waiting: HostQueues, rule: Rule, page: Any, key: float) -> int:
    start = links.offsets[page]
    stop = links.offsets[page + 1] if links.status[page] == push.CRAWLED else start
    kind, n, now = rule.kind, queue.tallies, queue.sums[push.NOW]
    if start == stop:
        if rule.again and kind == push.SHARE:
            part = rule.damping * key / len(rule.seeds)
            for i in range(len(rule.seeds)):
                _give(queue, waiting, rule.seeds[i], part, now)
        return 0
    share, inter_share = push.link_shares(links, rule, page, key)
    by_site = share != inter_share
    own = links.site[page] if by_site else np.int32(-1)
    for i in range(start, stop):
        target = links.targets[i]
        at = queue.heap.place[target]
        amount = share
        if by_site and (own < 0 or links.site[target] != own):
            amount = inter_share
        if at >= 0:
            if amount > 0.0 and (kind != push.NEW_SHARE or waiting.found[target] >= n[push.MARK]):
                hosts.gain(waiting, target, amount, now)
        elif at == push.UNSEEN:
            if kind == push.FIXED:
                amount = rule.fixed[target]
            elif kind == push.AFTER:
                amount = key - (rule.fixed[target] if len(rule.fixed) else 1.0)
                if amount < rule.lowest:
                    continue
            queue.heap.place[target] = 0
            hosts.add(waiting, target, amount, n[push.FOUND], now)
            n[push.FOUND] += 1
        elif rule.again:
            _give(queue, waiting, target, amount, now)
    return stop - start


@numba.njit(cache=True, nogil=True)
def fetch(
    links: Links, queue: Queue, waiting: HostQueues, rule: Rule, pace: Pace, out: Out, until: int, work: int
) -> None:
    """Fetch until so many pages are, or until about `work` links were followed; `STATE` says why it stopped."""
    n, sums = queue.tallies, queue.sums
    n[push.STATE] = push.GOING
    while True:
        # Fetches that have ended, oldest first: out.time[HEAD] is when the oldest running one started.
        while n[push.HEAD] < n[push.DONE] and (
            out.time[n[push.HEAD]] + pace.fetch_seconds <= sums[push.NOW]
            or n[push.DONE] - n[push.HEAD] >= pace.parallel
        ):
            row = n[push.HEAD]
            sums[push.NOW] = max(sums[push.NOW], out.time[row] + pace.fetch_seconds)
            n[push.HEAD] = row + 1
            _end(queue, waiting, rule, np.int64(out.page[row]))
            work -= 1 + _expand(links, queue, waiting, rule, np.int64(out.page[row]), out.key[row])
        if n[push.DONE] >= until or work <= 0:
            return
        now = sums[push.NOW]
        next_host = hosts.release(waiting, now)
        page = hosts.best(waiting)
        running = n[push.DONE] - n[push.HEAD]
        nothing_left = page < 0 and running == 0 and next_host == np.inf
        if (page >= 0 or nothing_left) and push.revisits(
            queue,
            rule,
            0.0 if page < 0 else waiting.key[page],
            np.uint64(0 if page < 0 else waiting.found[page]) << np.uint64(32),
            nothing_left,
        ):
            visited, key = push.take_fetched(queue)
            sums[push.MASS] += key
            n[push.PUSHES] += 1
            work -= 1 + _expand(links, queue, waiting, rule, visited, key)
        elif nothing_left:
            n[push.STATE] = push.EMPTY
            return
        elif page < 0:
            sums[push.NOW] = next_host
            if running > 0:
                sums[push.NOW] = min(next_host, out.time[n[push.HEAD]] + pace.fetch_seconds)
            continue
        else:
            if now >= pace.most_seconds:
                n[push.STATE] = push.SPENT
                return
            if push.refused(links, queue, rule, page):
                hosts.pop(waiting, page, waiting.again_at[waiting.host[page]], now)
                continue
            key = waiting.key[page]
            hosts.pop(waiting, page, now + pace.host_delay, now)
            waiting.key[page] = 0.0
            push.note(links, queue, rule, out, page, key, np.int64(waiting.found[page]))
        if sums[push.MASS] >= rule.enough:
            n[push.STATE] = push.ENOUGH
            return
        if sums[push.BYTES] >= rule.most_bytes:
            n[push.STATE] = push.SPENT
            return
