"""The loop of `push` as a polite crawler runs it: several fetchers, a pause per host, simulated time.

A fetch takes the same time for every page, so fetches end in the order in which they started. The links of a page are
known when its fetch has ended; until then it is not pushed again, whatever it receives. A fetcher that is free takes
the best page of the hosts that may be asked.

Where pages are pushed again, seeds rise together as in `push_again`: they have queues by host of their own, and a host
is asked for the better of its best seed and its best other page.

As in `push`, arrays are taken apart once and handed on one by one.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numba
import numpy as np

from seedrank.engines.kernels import heap as heaps
from seedrank.engines.kernels import host_queues as hosts
from seedrank.engines.kernels import push as loop
from seedrank.engines.kernels import push_again
from seedrank.engines.kernels.heap import ALONE, ROOT, Heap, better
from seedrank.engines.kernels.host_queues import HostQueues
from seedrank.engines.kernels.prefetch import prefetch
from seedrank.engines.kernels.push import Links, Out, Queue, Rule
from seedrank.engines.kernels.push_again import SEED

__all__ = ["Pace", "discover", "fetch", "settle"]


class Pace(NamedTuple):
    """How fast one may go: seconds between fetches of a host, seconds a fetch takes, fetchers, seconds in all."""

    host_delay: float
    fetch_seconds: float
    parallel: int
    most_seconds: float


@numba.njit(cache=True, nogil=True)
def discover(heap: Heap, waiting: HostQueues, n: np.ndarray, pages: np.ndarray, keys: np.ndarray) -> None:
    """Queue pages that are known from the start, in this order; seeds by their numbers where those rise together."""
    ready, wait = waiting.ready, waiting.waiting
    for i in range(len(pages)):
        hosts.add(
            heap.keys, heap.words, heap.place, waiting.base, waiting.size, waiting.again_at,
            ready.keys, ready.words, ready.place, wait.keys, wait.words, wait.place, waiting.ends,
            waiting.by_size, waiting.host[pages[i]], pages[i], keys[i], n[loop.FOUND], 0.0,
        )  # fmt: skip
        n[loop.FOUND] += 1


@numba.njit(cache=True, nogil=True)
def settle(queue: Queue, waiting: HostQueues, waiting_seeds: HostQueues, out: Out) -> None:
    """Write what seeds were given into what they hold: queued, being fetched, fetched."""
    n, given, place = queue.tallies, queue.sums[loop.GIVEN], queue.heap.place
    hosts.raise_all(queue.seeds, waiting_seeds, given, queue.sums[loop.NOW])
    for row in range(n[loop.HEAD], n[loop.DONE]):
        if place[out.page[row]] <= SEED:
            waiting.held[out.page[row]] += given
    push_again.settle(queue)


@numba.njit(cache=True, nogil=True)
def _reach_seeds(
    offsets: np.ndarray, targets: np.ndarray, weights: np.ndarray, site: np.ndarray, place: np.ndarray,
    keys: np.ndarray, words: np.ndarray, seed_place: np.ndarray,
    again_keys: np.ndarray, again_words: np.ndarray, again_place: np.ndarray,
    host: np.ndarray, held: np.ndarray, base: np.ndarray, size: np.ndarray, again_at: np.ndarray,
    ready_keys: np.ndarray, ready_words: np.ndarray, ready_place: np.ndarray,
    wait_keys: np.ndarray, wait_words: np.ndarray, wait_place: np.ndarray, ends: np.ndarray,
    share: float, inter_share: float, page: Any, now: float,
) -> None:  # fmt: skip
    """Give what the links of a page carry to those targets that are seeds; arrays but `place` are those of seeds."""
    own = site[page] if len(site) else np.int32(-1)
    for i in range(offsets[page], offsets[page + 1]):
        target = targets[i]
        if place[target] > SEED:
            continue
        seed = SEED - place[target]
        amount = share
        if share != inter_share and (own < 0 or site[target] != own):
            amount = inter_share
        if len(weights):
            amount *= weights[i]
        if amount <= 0.0:
            continue
        if seed_place[seed] >= 0:
            hosts.gain(
                keys, words, seed_place, base, size, again_at, ready_keys, ready_words, ready_place,
                wait_keys, wait_words, wait_place, ends, False, host[seed], seed, amount, now,
            )  # fmt: skip
        elif again_place[seed] >= 0:
            at = again_place[seed]
            heaps.rise(again_keys, again_words, again_place, ALONE, at, again_keys[2 * at] + amount)
        else:
            held[target] += amount


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
) -> tuple[int, float, float]:  # fmt: skip
    """Follow the links of a page, but not to seeds that rise together.

    Returns how many there are, and what each carries per unit of weight to the page's own site and to another.
    """
    start = offsets[page]
    stop = offsets[page + 1] if status[page] == loop.CRAWLED else start
    if start == stop:
        return 0, 0.0, 0.0
    for i in range(start, stop):
        prefetch(place, np.int64(targets[i]))
        prefetch(host, np.int64(targets[i]))
    own = site[page] if len(site) else np.int32(-1)
    share, inter_share = loop.shares(targets, weights, site, start, stop, own, kind, damping, inter_weight, key)
    by_weight = loop.shares_weights(weights, kind)
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
            push_again.hold(again_keys, again_words, again_place, again_found, n, target, amount)
    return stop - start, share, inter_share


@numba.njit(cache=True, nogil=True)
def fetch(
    links: Links, queue: Queue, waiting: HostQueues, waiting_seeds: HostQueues, rule: Rule, pace: Pace, out: Out,
    until: int, work: int,
) -> None:  # fmt: skip
    """Fetch up to `until` pages in all, following about `work` links; `STATE` says why it stopped."""
    offsets, targets, weights, status, site, capped, sizes = links
    keys, words, place = queue.heap
    again_keys, again_words, again_place = queue.again
    seed_keys, seed_words, seed_place = queue.seeds
    seed_again_keys, seed_again_words, seed_again_place = queue.seeds_again
    again_found, taken, n, sums = queue.found, queue.taken, queue.tallies, queue.sums
    host, held, base, size, again_at = waiting.host, waiting.held, waiting.base, waiting.size, waiting.again_at
    ready_keys, ready_words, ready_place = waiting.ready
    wait_keys, wait_words, wait_place = waiting.waiting
    ends, by_size, twin = waiting.ends, waiting.by_size, waiting.twin
    seed_host, seed_base, seed_size, seed_twin = (
        waiting_seeds.host, waiting_seeds.base, waiting_seeds.size, waiting_seeds.twin,
    )  # fmt: skip
    seed_again_at, seed_ends = waiting_seeds.again_at, waiting_seeds.ends
    seed_ready_keys, seed_ready_words, seed_ready_place = waiting_seeds.ready
    seed_wait_keys, seed_wait_words, seed_wait_place = waiting_seeds.waiting
    seeds = rule.seeds
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
            if place[page] <= SEED:
                seed = SEED - place[page]
                heaps.put(
                    seed_again_keys, seed_again_words, seed_again_place, ALONE, n[loop.SEEDS_AGAIN_END], held[page],
                    seed, seed,
                )  # fmt: skip
                n[loop.SEEDS_AGAIN_END] += 1
            else:
                place[page] = loop.FETCHED
                if again:
                    push_again.hold(again_keys, again_words, again_place, again_found, n, page, held[page])
        now = sums[loop.NOW]
        if page >= 0:
            followed, share, inter_share = _expand(
                offsets, targets, weights, status, site, keys, words, place,
                again_keys, again_words, again_place, again_found, n, host, held, base, size, again_at,
                ready_keys, ready_words, ready_place, wait_keys, wait_words, wait_place, ends, by_size,
                kind, damping, inter_weight, again, fixed, lowest, page, key, now,
            )  # fmt: skip
            if again and share > 0.0:
                _reach_seeds(
                    offsets, targets, weights, site, place, seed_keys, seed_words, seed_place,
                    seed_again_keys, seed_again_words, seed_again_place,
                    seed_host, held, seed_base, seed_size, seed_again_at,
                    seed_ready_keys, seed_ready_words, seed_ready_place,
                    seed_wait_keys, seed_wait_words, seed_wait_place, seed_ends,
                    share, inter_share, page, now,
                )  # fmt: skip
            elif again and push_again.give(n, sums, damping * key, len(seeds), rule.gifts):
                settle(queue, waiting, waiting_seeds, out)
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
        key = keys[first] if asked >= 0 else -1.0
        given = sums[loop.GIVEN]
        of_seed = False
        if again:
            next_host = min(
                next_host,
                hosts.release(
                    seed_keys, seed_words, seed_base, seed_size, seed_again_at,
                    seed_ready_keys, seed_ready_words, seed_ready_place,
                    seed_wait_keys, seed_wait_words, seed_wait_place, seed_ends, False, now,
                ),
            )  # fmt: skip
            asked_for_seed = hosts.best(seed_ready_words, seed_ends)
            if asked_for_seed >= 0:
                first = 2 * (seed_base[asked_for_seed] + ROOT)
                if better(seed_keys[first] + given, seed_words[first + 1], key, word):
                    key, word = seed_keys[first] + given, seed_words[first + 1]
                    asked, of_seed = asked_for_seed, True
        running = n[loop.DONE] - n[loop.HEAD]
        nothing_left = asked < 0 and running == 0 and next_host == np.inf
        if again and (asked >= 0 or nothing_left):
            top, top_word, top_of_seed = push_again.best(
                again_keys, again_words, n[loop.AGAIN_END],
                seed_again_keys, seed_again_words, n[loop.SEEDS_AGAIN_END], given,
            )  # fmt: skip
            if push_again.revisits(n, rule.revisits, enough, top, top_word, key, word, nothing_left):
                visited_key = top
                if top_of_seed:
                    visited = push_again.take_fetched_seed(
                        seed_again_keys, seed_again_words, seed_again_place, n, given
                    )
                    visited = np.int64(seeds[visited])
                else:
                    visited = push_again.take_fetched(again_keys, again_words, again_place, n)
                sums[loop.MASS] += visited_key
                n[loop.PUSHES] += 1
                if given > push_again.LARGE * visited_key:
                    settle(queue, waiting, waiting_seeds, out)
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
        seed = np.int64(np.uint32(word))
        page = np.int64(seeds[seed]) if of_seed else seed
        refused = cap > 0 and capped[page] >= 0 and taken[capped[page]] >= cap
        # The host may be asked again after the pause, for its seeds and for its other pages.
        if of_seed:
            next_time = seed_again_at[asked] if refused else now + pace.host_delay
            hosts.pop(
                seed_keys, seed_words, seed_place, seed_base, seed_size, seed_again_at,
                seed_ready_keys, seed_ready_words, seed_ready_place,
                seed_wait_keys, seed_wait_words, seed_wait_place, seed_ends, False, asked, next_time, now,
            )  # fmt: skip
            seed_place[seed] = loop.UNSEEN
            hosts.delay(
                keys, words, base, size, again_at, ready_keys, ready_words, ready_place,
                wait_keys, wait_words, wait_place, ends, by_size, seed_twin[asked], next_time, now,
            )  # fmt: skip
        else:
            next_time = again_at[asked] if refused else now + pace.host_delay
            hosts.pop(
                keys, words, place, base, size, again_at, ready_keys, ready_words, ready_place,
                wait_keys, wait_words, wait_place, ends, by_size, asked, next_time, now,
            )  # fmt: skip
            if again and twin[asked] >= 0:
                hosts.delay(
                    seed_keys, seed_words, seed_base, seed_size, seed_again_at,
                    seed_ready_keys, seed_ready_words, seed_ready_place,
                    seed_wait_keys, seed_wait_words, seed_wait_place, seed_ends, False, twin[asked], next_time, now,
                )  # fmt: skip
        if refused:
            place[page] = loop.REFUSED
            n[loop.REFUSALS] += 1
            continue
        if cap > 0 and capped[page] >= 0:
            taken[capped[page]] += 1
        if of_seed:
            held[page] = -given
        else:
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
        if again and given > push_again.LARGE * key:
            settle(queue, waiting, waiting_seeds, out)
        if sums[loop.MASS] >= enough:
            n[loop.STATE] = loop.ENOUGH
            return
        if sums[loop.BYTES] >= most_bytes:
            n[loop.STATE] = loop.SPENT
            return
