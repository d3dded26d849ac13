"""The one loop behind every crawl order: take the best discovered page, fetch it, let its links change other keys.

What a link does to the key of its target is the order's *rule*. The residual push of FPR, RankMass and OPIC is one of
them: ``take r at p; r_q += d · r · share(p, q); r_p = 0``. RankMass and OPIC push pages again that were fetched, in
the loop of `seedrank.engines.kernels.push_again`. Where links have weights, share(p, q) is in proportion to them; links
of weight 0 are followed and carry nothing, and a page whose links all weigh 0 hands on like one without links.

Per page the loop keeps its place (int32) and one 16-byte entry while it is queued; what comes out is its number, key
and discovery (16 bytes): 36 bytes a page, links are read from the mapped file and nothing is kept per link.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numba
import numpy as np

from seedrank.engines.kernels import heap as heaps
from seedrank.engines.kernels.heap import ALONE, ROOT, Heap
from seedrank.engines.kernels.prefetch import prefetch

__all__ = ["Links", "Out", "Queue", "Rule", "discover", "fetch", "queued", "rekey", "sweep"]

UNSEEN, FETCHED, REFUSED, FETCHING = -1, -2, -3, -4
"""Places of pages that are not in the queue; a fetch takes time in `seedrank.engines.kernels.polite` only."""
CRAWLED = 2

NOTHING, COUNT, COUNT_INTER, FIXED, AFTER, SHARE, NEW_SHARE = range(7)
"""What a link does: nothing (first come, first served; batch scores), add 1, add 1 from another site; the target's
own fixed key; the source's key less a step; a share of the source's key; the same for pages found since a mark."""

END, AGAIN_END, SEEDS_END, SEEDS_AGAIN_END, FOUND, DONE, PUSHES, REVISITS, GIFTS, REFUSALS, MARK, HEAD, STATE = range(
    13
)
"""Numbers the loops keep (int64): ends of the heaps, pages found, fetched, pushes, revisits, pages that gave to the
seeds since those were last brought up to date (`seedrank.engines.kernels.push_again`), refused pages, the mark of
`NEW_SHARE`, fetches that have ended (`seedrank.engines.kernels.polite`), and why it stopped."""
TALLIES = 13
MASS, BYTES, NOW, GIVEN = range(4)
"""Sums the loops keep (float64): mass pushed (CRM of RankMass), bytes fetched, simulated seconds, what each seed was
given since seeds were last brought up to date."""
SUMS = 4

GOING, EMPTY, ENOUGH, SPENT = range(4)
"""Why the loop stopped: it did not; nothing is left; the bound is reached; the budget is spent."""

_SHIFT = np.uint64(32)


class Links(NamedTuple):
    """What is recorded: links as CSR with their weights, and status, sites and size of each page.

    `site` is what the rule compares, `capped` what a cap counts; these, `sizes` and `weights` (all 1) are empty where
    nothing needs them.
    """

    offsets: np.ndarray
    targets: np.ndarray
    weights: np.ndarray
    status: np.ndarray
    site: np.ndarray
    capped: np.ndarray
    sizes: np.ndarray


class Rule(NamedTuple):
    """What a link does, and when to stop.

    `revisits` is how many a fetch pays for on average (0: any number), `lowest` the least key that is queued (`AFTER`),
    `cap` the most pages of a site (0: all), `enough` the mass at which to stop (infinite: never), `most_bytes`
    the budget, `gifts` how many gifts to the seeds are summed before they are written into their keys.
    """

    kind: int
    damping: float
    inter_weight: float
    again: bool
    revisits: int
    seeds: np.ndarray
    fixed: np.ndarray
    lowest: float
    cap: int
    enough: float
    most_bytes: float
    gifts: int


class Queue(NamedTuple):
    """Where pages are: the queue, and the heap of fetched pages that hold something (places -1 for the others).

    `seeds` and `seeds_again` are the same two for seeds, by their numbers, where those rise together
    (`seedrank.engines.kernels.push_again`). `found` holds the numbers of discovery of fetched pages; `taken` counts
    fetched pages per site.
    """

    heap: Heap
    again: Heap
    seeds: Heap
    seeds_again: Heap
    found: np.ndarray
    taken: np.ndarray
    tallies: np.ndarray
    sums: np.ndarray


class Out(NamedTuple):
    """What comes out, a row per fetch; `mass` and `time` may be empty."""

    page: np.ndarray
    key: np.ndarray
    found: np.ndarray
    mass: np.ndarray
    time: np.ndarray


@numba.njit(cache=True, nogil=True)
def discover(queue: Queue, pages: np.ndarray, keys: np.ndarray) -> None:
    """Queue pages that are known from the start, in this order."""
    n = queue.tallies
    for i in range(len(pages)):
        heaps.put(queue.heap.keys, queue.heap.words, queue.heap.place, ALONE, n[END], keys[i], n[FOUND], pages[i])
        n[END] += 1
        n[FOUND] += 1


@numba.njit(cache=True, nogil=True)
def _weight(weights: np.ndarray, start: int, stop: int) -> float:
    """What links weigh together; their number where all weigh 1."""
    if len(weights) == 0:
        return float(stop - start)
    total = 0.0
    for i in range(start, stop):
        total += weights[i]
    return total


@numba.njit(cache=True, nogil=True)
def shares_weights(weights: np.ndarray, kind: int) -> bool:
    """Whether what a link carries depends on its weight."""
    return len(weights) > 0 and (kind in (SHARE, NEW_SHARE))


@numba.njit(cache=True, nogil=True)
def shares(
    targets: np.ndarray, weights: np.ndarray, site: np.ndarray, start: int, stop: int, own: Any,
    kind: int, damping: float, inter_weight: float, key: float,
) -> tuple[float, float]:  # fmt: skip
    """What a link carries per unit of weight to its own site, and to another; 0 where all links weigh nothing.

    Links between sites are counted when a page is fetched.
    """
    if kind == COUNT:
        return 1.0, 1.0
    if kind == COUNT_INTER:
        return 0.0, 1.0
    if kind not in (SHARE, NEW_SHARE):
        return 0.0, 0.0
    total = _weight(weights, start, stop)
    if total == 0.0:
        return 0.0, 0.0
    if kind == NEW_SHARE:
        return key / total, key / total
    if inter_weight == 1.0:
        share = damping * key / total
        return share, share
    inside = 0.0
    outside = 0.0
    for i in range(start, stop):
        weight = float(weights[i]) if len(weights) else 1.0
        if own < 0 or site[targets[i]] != own:
            outside += weight
        else:
            inside += weight
    share = damping * key / (inside + inter_weight * outside)
    return share, share * inter_weight


@numba.njit(cache=True, nogil=True)
def fetch(links: Links, queue: Queue, rule: Rule, out: Out, until: int, work: int) -> None:
    """Fetch up to `until` pages in all, following about `work` links; `STATE` says why it stopped.

    Arrays are taken apart here and handed on one by one: numba counts the references of a tuple of arrays whenever it
    is passed, which would cost more than to fetch a page.
    """
    offsets, targets, weights, status, site, capped, sizes = links
    keys, words, place = queue.heap
    taken, n, sums = queue.taken, queue.tallies, queue.sums
    kind, cap, fixed = rule.kind, rule.cap, rule.fixed
    damping, inter_weight, lowest, enough = rule.damping, rule.inter_weight, rule.lowest, rule.enough
    out_page, out_key, out_found, out_mass = out.page, out.key, out.found, out.mass
    n[STATE] = GOING
    while n[DONE] < until and work > 0:
        if n[END] == ROOT:
            n[STATE] = EMPTY
            return
        word, key = words[2 * ROOT + 1], keys[2 * ROOT]
        page: Any = np.int64(np.uint32(word))
        heaps.drop(keys, words, place, ALONE, ROOT, n[END])
        n[END] -= 1
        if cap > 0 and capped[page] >= 0:
            if taken[capped[page]] >= cap:
                place[page] = REFUSED
                n[REFUSALS] += 1
                continue
            taken[capped[page]] += 1
        row = n[DONE]
        n[DONE] = row + 1
        out_page[row] = page
        out_key[row] = key
        out_found[row] = word >> _SHIFT
        place[page] = FETCHED
        if len(out_mass):
            out_mass[row] = sums[MASS] + key
        if len(sizes):
            sums[BYTES] += sizes[page]
        if kind == SHARE:
            n[PUSHES] += 1
            sums[MASS] += key
        work -= 1 + _follow(
            offsets, targets, weights, status, site, keys, words, place, n,
            kind, damping, inter_weight, fixed, lowest, page, key,
        )  # fmt: skip
        if sums[MASS] >= enough:
            n[STATE] = ENOUGH
            return
        if sums[BYTES] >= rule.most_bytes:
            n[STATE] = SPENT
            return


@numba.njit(cache=True, nogil=True)
def _follow(
    offsets: np.ndarray, targets: np.ndarray, weights: np.ndarray, status: np.ndarray, site: np.ndarray,
    keys: np.ndarray, words: np.ndarray, place: np.ndarray, n: np.ndarray,
    kind: int, damping: float, inter_weight: float, fixed: np.ndarray, lowest: float, page: Any, key: float,
) -> int:  # fmt: skip
    """Follow the links of a page; returns how many there are.

    Its targets' places are asked for first, then their entries, then the links of the page that may be next: cache
    misses overlap instead of queueing up.
    """
    start = offsets[page]
    stop = offsets[page + 1] if status[page] == CRAWLED else start
    if start == stop:
        return 0
    following = np.int64(np.uint32(words[2 * ROOT + 1])) if n[END] > ROOT else 0
    prefetch(offsets, following)
    prefetch(status, following)
    for i in range(start, stop):
        prefetch(place, np.int64(targets[i]))
    by_weight = shares_weights(weights, kind)
    own = site[page] if len(site) else np.int32(-1)
    share, inter_share = shares(targets, weights, site, start, stop, own, kind, damping, inter_weight, key)
    by_site = share != inter_share
    for i in range(start, stop):
        at = place[targets[i]]
        if at >= 0:
            prefetch(words, 2 * np.int64(at))
    prefetch(targets, offsets[following])
    mark, end, found = n[MARK], n[END], n[FOUND]
    for i in range(start, stop):
        target = targets[i]
        at = place[target]
        if at == FETCHED:
            continue
        amount = share
        if by_site and (own < 0 or site[target] != own):
            amount = inter_share
        if by_weight:
            amount *= weights[i]
        if at >= 0:
            if amount > 0.0 and (kind != NEW_SHARE or np.int64(words[2 * at + 1] >> _SHIFT) >= mark):
                heaps.rise(keys, words, place, ALONE, at, keys[2 * at] + amount)
        elif at == UNSEEN:
            if kind == FIXED:
                amount = fixed[target]
            elif kind == AFTER:
                amount = key - (fixed[target] if len(fixed) else 1.0)
                if amount < lowest:
                    continue
            heaps.put(keys, words, place, ALONE, end, amount, found, target)
            end += 1
            found += 1
    n[END] = end
    n[FOUND] = found
    return stop - start


@numba.njit(cache=True, nogil=True)
def queued(queue: Queue) -> np.ndarray:
    """uint32: pages in the queue, in the order of the heap."""
    count = queue.tallies[END] - ROOT
    pages = np.empty(count, np.uint32)
    for i in range(count):
        pages[i] = heaps.item(queue.heap.words, ROOT + i)
    return pages


@numba.njit(cache=True, nogil=True)
def rekey(queue: Queue, keys: np.ndarray) -> None:
    """Give all queued pages new keys, in the order of `queued`; pages found from now on are above the mark."""
    n = queue.tallies
    for i in range(len(keys)):
        queue.heap.keys[2 * (ROOT + i)] = keys[i]
    heaps.heapify(queue.heap.keys, queue.heap.words, queue.heap.place, ALONE, n[END])
    n[MARK] = n[FOUND]


@numba.njit(cache=True, nogil=True)
def _give(residual: np.ndarray, seeds: np.ndarray, given: float) -> None:
    """Give every seed the same."""
    for i in range(len(seeds)):
        residual[seeds[i]] += given


@numba.njit(cache=True, nogil=True)
def sweep(
    links: Links, pages: np.ndarray, first: int, last: int, residual: np.ndarray, estimate: np.ndarray, damping: float,
    least: float, seeds: np.ndarray, rows: np.ndarray, gifts: int,
) -> float:  # fmt: skip
    """Push what `pages[first:last]` hold, one after the other, in place; returns how much was pushed.

    Parameters
    ----------
    links
        The graph; links of pages that are not crawled count where no status is given.
    pages
        Pages in the order of the sweep (uint32); all pages, ascending, when empty.
    first, last
        Part of them.
    residual
        float64 per page: what waits to be pushed.
    estimate
        float64 per page: gets what was pushed; nothing when empty.
    damping
        Share that goes on.
    least
        Pages that hold less are passed over.
    seeds
        Where the mass of pages that hand nothing on goes, evenly; nowhere when empty.
    rows
        Where seeds are among `pages`, ascending (int64).
    gifts
        Pages that hand nothing on after which seeds are brought up to date; a seed that comes up before takes what it
        is owed, and owes it from then on.
    """
    pushed, given, summed = 0.0, 0.0, 0
    at = np.searchsorted(rows, first)
    next_seed = rows[at] if at < len(rows) else last
    offsets, targets, weights, status = links.offsets, links.targets, links.weights, links.status
    for k in range(first, last):
        page = np.int64(pages[k]) if len(pages) else k
        mass, left = residual[page], 0.0
        if k == next_seed:
            mass, left = mass + given, -given
            at += 1
            next_seed = rows[at] if at < len(rows) else last
        if mass < least or mass == 0.0:
            continue
        residual[page] = left
        pushed += mass
        if len(estimate):
            estimate[page] += mass
        start, stop = offsets[page], offsets[page + 1]
        if len(status) and status[page] != CRAWLED:
            stop = start
        total = _weight(weights, start, stop)
        if total == 0.0:
            if len(seeds):
                given += damping * mass / len(seeds)
                summed += 1
                if summed >= gifts:
                    _give(residual, seeds, given)
                    given, summed = 0.0, 0
            continue
        share = damping * mass / total
        if len(weights):
            for i in range(start, stop):
                residual[targets[i]] += share * weights[i]
        else:
            for i in range(start, stop):
                residual[targets[i]] += share
    _give(residual, seeds, given)
    return pushed
