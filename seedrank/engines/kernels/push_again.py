"""The loop of `push` for RankMass and OPIC: fetched pages receive too, and are pushed again, which costs no fetch.

A page that hands nothing on gives what it holds to all seeds alike. To raise every seed's key each time would cost
|seeds| updates of a heap, for thousands of seeds nearly all the time of a crawl. So seeds wait in two heaps of their
own, queued and fetched, with keys that leave out what all were given since a time (`GIVEN`): one addition raises them
all, and the best page is the better of two tops. A seed that is pushed keeps -`GIVEN`, which is nothing.

From time to time `settle` writes what was given into the keys: after |seeds| / 256 gifts, so that a gift costs 256
additions at most (for up to 256 seeds every gift is written at once, digit for digit as if there were no such sum), and
before the sum is so large against the keys which decide that it would take digits from them.

Beside what `push` keeps: 8 bytes a page, an entry for fetched pages that hold something, 40 bytes a seed.
"""

from __future__ import annotations

from typing import Any

import numba
import numpy as np

from seedrank.engines.kernels import heap as heaps
from seedrank.engines.kernels import push as loop
from seedrank.engines.kernels.heap import ALONE, ROOT, better
from seedrank.engines.kernels.prefetch import prefetch
from seedrank.engines.kernels.push import Links, Out, Queue, Rule

__all__ = [
    "best", "discover", "fetch", "give", "hold", "number", "revisits", "settle", "take_fetched", "take_fetched_seed",
]  # fmt: skip

SEED = -16
"""Place of the first seed; that of seed i is `SEED` - i, and its entry in one of the heaps of seeds."""

_NOWHERE = -1
_SHIFT, _NO_WORD = np.uint64(32), np.uint64(0)
_FREE_REVISITS = 1000
_NEGLIGIBLE = 1e-250
_NO_MORE = 1e-16
LARGE = 1024.0
"""How many times the key that is pushed `GIVEN` may be: keys of seeds then keep 13 digits where it counts."""


def number(queue: Queue, seeds: np.ndarray) -> None:
    """Let links to seeds find them in the heaps of seeds."""
    queue.heap.place[seeds] = SEED - np.arange(len(seeds), dtype=np.int32)


@numba.njit(cache=True, nogil=True)
def discover(queue: Queue, keys: np.ndarray) -> None:
    """Queue all seeds, with these keys."""
    n, seeds = queue.tallies, queue.seeds
    for i in range(len(keys)):
        heaps.put(seeds.keys, seeds.words, seeds.place, ALONE, n[loop.SEEDS_END], keys[i], i, i)
        n[loop.SEEDS_END] += 1
        n[loop.FOUND] += 1


@numba.njit(cache=True, nogil=True, inline="always")
def best(
    keys: np.ndarray, words: np.ndarray, end: Any, seed_keys: np.ndarray, seed_words: np.ndarray, seed_end: Any,
    given: float,
) -> tuple[float, Any, bool]:  # fmt: skip
    """The better of the tops of a heap and of a heap of seeds: key (-1 for none), word, and whether it is a seed."""
    key, word, of_seed = -1.0, _NO_WORD, False
    if end > ROOT:
        key, word = keys[2 * ROOT], words[2 * ROOT + 1]
    if seed_end > ROOT and better(seed_keys[2 * ROOT] + given, seed_words[2 * ROOT + 1], key, word):
        key, word, of_seed = seed_keys[2 * ROOT] + given, seed_words[2 * ROOT + 1], True
    return key, word, of_seed


@numba.njit(cache=True, nogil=True)
def hold(
    keys: np.ndarray, words: np.ndarray, place: np.ndarray, found: np.ndarray, n: np.ndarray, page: Any, amount: float
) -> None:
    """Add to what a fetched page holds."""
    if amount <= 0.0:
        return
    at = place[page]
    if at < 0:
        heaps.put(keys, words, place, ALONE, n[loop.AGAIN_END], amount, found[page], page)
        n[loop.AGAIN_END] += 1
    else:
        heaps.rise(keys, words, place, ALONE, at, keys[2 * at] + amount)


@numba.njit(cache=True, nogil=True)
def revisits(
    n: np.ndarray, per_fetch: int, enough: float, top: float, top_word: Any, key: float, word: Any, nothing_left: bool
) -> bool:
    """Whether the best fetched page goes before the best queued one, whose keys and words are given."""
    holding = n[loop.AGAIN_END] - ROOT + n[loop.SEEDS_AGAIN_END] - ROOT
    if holding == 0:
        return False
    if nothing_left:
        # Only for the bound, as long as what is left can still move it.
        return enough <= 1.0 and top * holding > _NO_MORE
    if per_fetch > 0 and n[loop.REVISITS] >= _FREE_REVISITS + per_fetch * n[loop.DONE]:
        return False
    return key > _NEGLIGIBLE and better(top, top_word, key, word)


@numba.njit(cache=True, nogil=True)
def take_fetched(keys: np.ndarray, words: np.ndarray, place: np.ndarray, n: np.ndarray) -> Any:
    """Take what the best fetched page holds; returns the page."""
    page = heaps.item(words, ROOT)
    heaps.drop(keys, words, place, ALONE, ROOT, n[loop.AGAIN_END])
    n[loop.AGAIN_END] -= 1
    n[loop.REVISITS] += 1
    place[page] = _NOWHERE
    return page


@numba.njit(cache=True, nogil=True)
def take_fetched_seed(keys: np.ndarray, words: np.ndarray, place: np.ndarray, n: np.ndarray, given: float) -> Any:
    """Take what the best fetched seed holds; returns its number."""
    seed = heaps.item(words, ROOT)
    heaps.sink(keys, words, place, ALONE, ROOT, n[loop.SEEDS_AGAIN_END], -given)
    n[loop.REVISITS] += 1
    return seed


@numba.njit(cache=True, nogil=True)
def give(n: np.ndarray, sums: np.ndarray, amount: float, seeds: int, most: int) -> bool:
    """Give every seed a part of what a page holds that hands nothing on; whether as many gifts as `most` are summed."""
    sums[loop.GIVEN] += amount / seeds
    n[loop.GIFTS] += 1
    return bool(n[loop.GIFTS] >= most)


@numba.njit(cache=True, nogil=True)
def settle(queue: Queue) -> None:
    """Write what seeds were given into their keys."""
    n, given = queue.tallies, queue.sums[loop.GIVEN]
    for heap, end in ((queue.seeds, n[loop.SEEDS_END]), (queue.seeds_again, n[loop.SEEDS_AGAIN_END])):
        for at in range(ROOT, end):
            heap.keys[2 * at] += given
        # Keys that come to be equal by rounding go by discovery.
        heaps.heapify(heap.keys, heap.words, heap.place, ALONE, end)
    queue.sums[loop.GIVEN] = 0.0
    n[loop.GIFTS] = 0


@numba.njit(cache=True, nogil=True)
def fetch(links: Links, queue: Queue, rule: Rule, out: Out, until: int, work: int) -> None:
    """Fetch up to `until` pages in all, following about `work` links; `STATE` says why it stopped.

    As in `push`, arrays are taken apart once and handed on one by one.
    """
    offsets, targets, weights, status, site, capped, sizes = links
    keys, words, place = queue.heap
    again_keys, again_words, again_place = queue.again
    seed_keys, seed_words, seed_place = queue.seeds
    seed_again_keys, seed_again_words, seed_again_place = queue.seeds_again
    found, taken, n, sums = queue.found, queue.taken, queue.tallies, queue.sums
    cap, seeds, damping, inter_weight = rule.cap, rule.seeds, rule.damping, rule.inter_weight
    enough, most_bytes = rule.enough, rule.most_bytes
    out_page, out_key, out_found, out_mass = out.page, out.key, out.found, out.mass
    n[loop.STATE] = loop.GOING
    while n[loop.DONE] < until and work > 0:
        given = sums[loop.GIVEN]
        key, word, of_seed = best(keys, words, n[loop.END], seed_keys, seed_words, n[loop.SEEDS_END], given)
        top, top_word, top_of_seed = best(
            again_keys, again_words, n[loop.AGAIN_END], seed_again_keys, seed_again_words, n[loop.SEEDS_AGAIN_END],
            given,
        )  # fmt: skip
        page: Any = np.int64(np.uint32(word))
        if revisits(n, rule.revisits, enough, top, top_word, key, word, key < 0.0):
            key = top
            if top_of_seed:
                number = take_fetched_seed(seed_again_keys, seed_again_words, seed_again_place, n, given)
                page = np.int64(seeds[number])
            else:
                page = take_fetched(again_keys, again_words, again_place, n)
        elif key < 0.0:
            n[loop.STATE] = loop.EMPTY
            return
        else:
            if of_seed:
                number, page = page, np.int64(seeds[page])
                heaps.drop(seed_keys, seed_words, seed_place, ALONE, ROOT, n[loop.SEEDS_END])
                n[loop.SEEDS_END] -= 1
                seed_place[number] = _NOWHERE
            else:
                heaps.drop(keys, words, place, ALONE, ROOT, n[loop.END])
                n[loop.END] -= 1
            if cap > 0 and capped[page] >= 0:
                if taken[capped[page]] >= cap:
                    place[page] = loop.REFUSED
                    n[loop.REFUSALS] += 1
                    continue
                taken[capped[page]] += 1
            if of_seed:
                heaps.put(
                    seed_again_keys, seed_again_words, seed_again_place, ALONE, n[loop.SEEDS_AGAIN_END], -given,
                    number, number,
                )  # fmt: skip
                n[loop.SEEDS_AGAIN_END] += 1
            else:
                place[page] = loop.FETCHED
                found[page] = word >> _SHIFT
            row = n[loop.DONE]
            n[loop.DONE] = row + 1
            out_page[row] = page
            out_key[row] = key
            out_found[row] = word >> _SHIFT
            if len(out_mass):
                out_mass[row] = sums[loop.MASS] + key
            if len(sizes):
                sums[loop.BYTES] += sizes[page]
        n[loop.PUSHES] += 1
        sums[loop.MASS] += key
        if given > LARGE * key:
            settle(queue)
        followed, gives_back = _follow(
            offsets, targets, weights, status, site, keys, words, place, again_keys, again_words, again_place, found,
            seed_keys, seed_words, seed_place, seed_again_keys, seed_again_words, seed_again_place, n,
            damping, inter_weight, page, key,
        )  # fmt: skip
        if gives_back and give(n, sums, damping * key, len(seeds), rule.gifts):
            settle(queue)
        work -= 1 + followed
        if sums[loop.MASS] >= enough:
            n[loop.STATE] = loop.ENOUGH
            return
        if sums[loop.BYTES] >= most_bytes:
            n[loop.STATE] = loop.SPENT
            return


@numba.njit(cache=True, nogil=True)
def _follow(
    offsets: np.ndarray, targets: np.ndarray, weights: np.ndarray, status: np.ndarray, site: np.ndarray,
    keys: np.ndarray, words: np.ndarray, place: np.ndarray,
    again_keys: np.ndarray, again_words: np.ndarray, again_place: np.ndarray, again_found: np.ndarray,
    seed_keys: np.ndarray, seed_words: np.ndarray, seed_place: np.ndarray,
    seed_again_keys: np.ndarray, seed_again_words: np.ndarray, seed_again_place: np.ndarray,
    n: np.ndarray, damping: float, inter_weight: float, page: Any, key: float,
) -> tuple[int, bool]:  # fmt: skip
    """Follow the links of a page; returns how many there are, and whether what it holds goes back to the seeds."""
    start = offsets[page]
    stop = offsets[page + 1] if status[page] == loop.CRAWLED else start
    if start == stop:
        return 0, True
    for i in range(start, stop):
        prefetch(place, np.int64(targets[i]))
        prefetch(again_place, np.int64(targets[i]))
    own = site[page] if len(site) else np.int32(-1)
    share, inter_share = loop.shares(targets, weights, site, start, stop, own, loop.SHARE, damping, inter_weight, key)
    by_site, by_weight = share != inter_share, len(weights) > 0
    for i in range(start, stop):
        at = place[targets[i]]
        if at >= 0:
            prefetch(words, 2 * np.int64(at))
    end, found = n[loop.END], n[loop.FOUND]
    for i in range(start, stop):
        target = targets[i]
        at = place[target]
        amount = share
        if by_site and (own < 0 or site[target] != own):
            amount = inter_share
        if by_weight:
            amount *= weights[i]
        if at == loop.UNSEEN:
            heaps.put(keys, words, place, ALONE, end, amount, found, target)
            end += 1
            found += 1
        elif amount <= 0.0:
            continue
        elif at >= 0:
            heaps.rise(keys, words, place, ALONE, at, keys[2 * at] + amount)
        elif at == loop.FETCHED:
            hold(again_keys, again_words, again_place, again_found, n, target, amount)
        elif at <= SEED:
            seed = SEED - at
            if seed_place[seed] >= 0:
                at = seed_place[seed]
                heaps.rise(seed_keys, seed_words, seed_place, ALONE, at, seed_keys[2 * at] + amount)
            else:
                at = seed_again_place[seed]
                heaps.rise(
                    seed_again_keys, seed_again_words, seed_again_place, ALONE, at, seed_again_keys[2 * at] + amount
                )
    n[loop.END] = end
    n[loop.FOUND] = found
    return stop - start, share == 0.0
