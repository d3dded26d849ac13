"""The one loop behind every crawl order: take the best discovered page, fetch it, let its links change other keys.

What a link does to the key of its target is the order's *rule*. The residual push of FPR, RankMass and OPIC is one of
them: ``take r at p; r_q += d · r · share(p, q); r_p = 0``; with `again`, pages that were fetched receive too and are
pushed again, which costs no fetch.

Per page the loop keeps its place (int32) and one 16-byte entry while it is queued; what comes out is its number, key
and discovery (16 bytes): 36 bytes a page, links are read from the mapped file and nothing is kept per link. `again`
adds 4 bytes a page and an entry for fetched pages that hold something.
"""

from __future__ import annotations

from typing import NamedTuple

import numba
import numpy as np

from seedrank.kernels import heap as heaps
from seedrank.kernels.heap import ROOT, better

__all__ = ["Links", "Out", "Queue", "Rule", "discover", "fetch", "queued", "rekey", "sweep"]

UNSEEN, FETCHED, REFUSED = -1, -2, -(2**31)
"""Places of pages that are in no heap; 0 and more is a place in the queue, the rest one in the heap of fetched ones."""
_AGAIN_BASE, _AGAIN_STEP = -3, -1
CRAWLED = 2

NOTHING, COUNT, COUNT_INTER, FIXED, AFTER, SHARE, NEW_SHARE = range(7)
"""What a link does: nothing (first come, first served; batch scores), add 1, add 1 from another site; the target's
own fixed key; the source's key less a step; a share of the source's key; the same for pages found since a mark."""

END, AGAIN_END, FOUND, DONE, PUSHES, REVISITS, REFUSALS, MARK, HEAD, STATE = range(10)
"""Numbers the loop keeps (int64): ends of the heaps, pages found, fetched, pushes, revisits, refused pages, the mark
of `NEW_SHARE`, fetches that have ended (`seedrank.kernels.polite`), and why it stopped."""
TALLIES = 10
MASS, BYTES, NOW = range(3)
"""Sums the loop keeps (float64): mass pushed (CRM of RankMass), bytes fetched, simulated seconds."""
SUMS = 3

GOING, EMPTY, ENOUGH, SPENT = range(4)
"""Why the loop stopped: it did not; nothing is left; the bound is reached; the budget is spent."""

_FREE_REVISITS = 1000
_NEGLIGIBLE = 1e-250
_NO_MORE = 1e-16


class Links(NamedTuple):
    """What is recorded: links as CSR, status and site per page (no sites when empty), sizes (none when empty)."""

    offsets: np.ndarray
    targets: np.ndarray
    status: np.ndarray
    site: np.ndarray
    sizes: np.ndarray


class Rule(NamedTuple):
    """What a link does, and when to stop.

    `revisits` is how many a fetch pays for on average (0: any number), `lowest` the least key that is queued (`AFTER`), `cap`
    the most pages of a site (0: all), `enough` the mass at which to stop (above 1: never), `most_bytes` the budget.
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


class Queue(NamedTuple):
    """Where pages are: `place`, the heap of the queue, the heap of fetched pages that hold something, and their
    numbers of discovery; `taken` counts fetched pages per site."""

    place: np.ndarray
    heap: np.ndarray
    again: np.ndarray
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
        heaps.put(queue.heap, n[END], keys[i], n[FOUND], pages[i], queue.place, 0, 1)
        n[END] += 1
        n[FOUND] += 1


@numba.njit(cache=True, nogil=True)
def _give(queue: Queue, page: int, amount: float) -> None:
    """Add to the key of a page that is not new."""
    at = queue.place[page]
    if at >= 0:
        queue.heap[at].key += amount
        heaps.rise(queue.heap, at, queue.place, 0, 1)
    else:
        give_fetched(queue, page, amount)


@numba.njit(cache=True, nogil=True)
def give_fetched(queue: Queue, page: int, amount: float) -> None:
    """Add to what a fetched page holds."""
    at, n = queue.place[page], queue.tallies
    if at == REFUSED or amount <= 0.0:
        return
    if at == FETCHED:
        heaps.put(
            queue.again, n[AGAIN_END], amount, queue.found[page], page, queue.place, _AGAIN_BASE, _AGAIN_STEP
        )
        n[AGAIN_END] += 1
    else:
        index = _AGAIN_BASE - at
        queue.again[index].key += amount
        heaps.rise(queue.again, index, queue.place, _AGAIN_BASE, _AGAIN_STEP)


@numba.njit(cache=True, nogil=True)
def take_fetched(queue: Queue) -> tuple[int, float]:
    """Take the fetched page that holds the most, and what it holds."""
    n = queue.tallies
    page, key = np.int64(queue.again[ROOT].item), queue.again[ROOT].key
    heaps.take(queue.again, ROOT, n[AGAIN_END], queue.place, _AGAIN_BASE, _AGAIN_STEP)
    n[AGAIN_END] -= 1
    n[REVISITS] += 1
    queue.place[page] = FETCHED
    return page, key


@numba.njit(cache=True, nogil=True)
def link_shares(links: Links, rule: Rule, page: int, key: float) -> tuple[float, float]:
    """What a link of the page carries to its own site, and to another; `page` has links."""
    start, stop = links.offsets[page], links.offsets[page + 1]
    if rule.kind == COUNT:
        return 1.0, 1.0
    if rule.kind == COUNT_INTER:
        return 0.0, 1.0
    if rule.kind == NEW_SHARE:
        share = key / (stop - start)
        return share, share
    if rule.kind != SHARE:
        return 0.0, 0.0
    if rule.inter_weight == 1.0:
        share = rule.damping * key / (stop - start)
        return share, share
    own = links.site[page]
    inter = 0
    for i in range(start, stop):
        if own < 0 or links.site[links.targets[i]] != own:
            inter += 1
    share = rule.damping * key / ((stop - start - inter) + rule.inter_weight * inter)
    return share, share * rule.inter_weight


@numba.njit(cache=True, nogil=True)
def _expand(links: Links, queue: Queue, rule: Rule, page: int, key: float) -> int:
    """Follow the links of a page; returns how many there are."""
    start = links.offsets[page]
    stop = links.offsets[page + 1] if links.status[page] == CRAWLED else start
    kind, again = rule.kind, rule.again
    if start == stop:
        if again and kind == SHARE:
            part = rule.damping * key / len(rule.seeds)
            for i in range(len(rule.seeds)):
                _give(queue, rule.seeds[i], part)
        return 0
    share, inter_share = link_shares(links, rule, page, key)
    by_site = share != inter_share
    own = links.site[page] if by_site else np.int32(-1)
    n, place, heap = queue.tallies, queue.place, queue.heap
    targets, site = links.targets, links.site
    mark, end, found = n[MARK], n[END], n[FOUND]
    for i in range(start, stop):
        target = targets[i]
        at = place[target]
        if at == FETCHED and not again:
            continue
        amount = share
        if by_site and (own < 0 or site[target] != own):
            amount = inter_share
        if at >= 0:
            if amount > 0.0 and (kind != NEW_SHARE or heap[at].found >= mark):
                heap[at].key += amount
                heaps.rise(heap, at, place, 0, 1)
        elif at == UNSEEN:
            if kind == FIXED:
                amount = rule.fixed[target]
            elif kind == AFTER:
                amount = key - (rule.fixed[target] if len(rule.fixed) else 1.0)
                if amount < rule.lowest:
                    continue
            heaps.put(heap, end, amount, found, target, place, 0, 1)
            end += 1
            found += 1
        elif again:
            give_fetched(queue, target, amount)
    n[END] = end
    n[FOUND] = found
    return stop - start


@numba.njit(cache=True, nogil=True)
def revisits(queue: Queue, rule: Rule, key: float, found: int, nothing_left: bool) -> bool:
    """Whether a fetched page goes before the best queued one, whose key and discovery are given."""
    n = queue.tallies
    if not rule.again or n[AGAIN_END] == ROOT:
        return False
    top = queue.again[ROOT].key
    if nothing_left:
        # Only for the bound, as long as what is left can still move it.
        return rule.enough <= 1.0 and top * (n[AGAIN_END] - ROOT) > _NO_MORE
    if rule.revisits > 0 and n[REVISITS] >= _FREE_REVISITS + rule.revisits * n[DONE]:
        return False
    return key > _NEGLIGIBLE and better(top, queue.again[ROOT].found, key, found)


@numba.njit(cache=True, nogil=True)
def refused(links: Links, queue: Queue, rule: Rule, page: int) -> bool:
    """Whether the page's site has had its share of pages; counts the page for its site when not."""
    if rule.cap == 0 or links.site[page] < 0:
        return False
    if queue.taken[links.site[page]] >= rule.cap:
        queue.place[page] = REFUSED
        queue.tallies[REFUSALS] += 1
        return True
    queue.taken[links.site[page]] += 1
    return False


@numba.njit(cache=True, nogil=True)
def note(links: Links, queue: Queue, rule: Rule, out: Out, page: int, key: float, found: int) -> None:
    """Write down a fetch."""
    n, sums = queue.tallies, queue.sums
    row = n[DONE]
    out.page[row] = page
    out.key[row] = key
    out.found[row] = found
    if rule.kind == SHARE:
        sums[MASS] += key
        n[PUSHES] += 1
    if len(out.mass):
        out.mass[row] = sums[MASS]
    if len(out.time):
        out.time[row] = sums[NOW]
    if len(links.sizes):
        sums[BYTES] += links.sizes[page]
    queue.place[page] = FETCHED
    if rule.again:
        queue.found[page] = found
    n[DONE] = row + 1


@numba.njit(cache=True, nogil=True)
def fetch(links: Links, queue: Queue, rule: Rule, out: Out, until: int, work: int) -> None:
    """Fetch until so many pages are, or until about `work` links were followed; `STATE` says why it stopped."""
    n, sums = queue.tallies, queue.sums
    heap = queue.heap
    n[STATE] = GOING
    while n[DONE] < until and work > 0:
        empty = n[END] == ROOT
        top, found = (0.0, 0) if empty else (heap[ROOT].key, np.int64(heap[ROOT].found))
        if revisits(queue, rule, top, found, empty):
            page, key = take_fetched(queue)
            sums[MASS] += key
            n[PUSHES] += 1
        elif empty:
            n[STATE] = EMPTY
            return
        else:
            page, key = np.int64(heap[ROOT].item), top
            heaps.take(heap, ROOT, n[END], queue.place, 0, 1)
            n[END] -= 1
            if refused(links, queue, rule, page):
                continue
            note(links, queue, rule, out, page, key, found)
        work -= 1 + _expand(links, queue, rule, page, key)
        if sums[MASS] >= rule.enough:
            n[STATE] = ENOUGH
            return
        if sums[BYTES] >= rule.most_bytes:
            n[STATE] = SPENT
            return


@numba.njit(cache=True, nogil=True)
def queued(queue: Queue) -> np.ndarray:
    """uint32: pages in the queue, in the order of the heap."""
    count = queue.tallies[END] - ROOT
    pages = np.empty(count, np.uint32)
    for i in range(count):
        pages[i] = queue.heap[ROOT + i].item
    return pages


@numba.njit(cache=True, nogil=True)
def rekey(queue: Queue, keys: np.ndarray) -> None:
    """Give all queued pages new keys, in the order of `queued`; pages found from now on are above the mark."""
    n = queue.tallies
    for i in range(len(keys)):
        queue.heap[ROOT + i].key = keys[i]
    heaps.heapify(queue.heap, n[END], queue.place, 0, 1)
    n[MARK] = n[FOUND]


@numba.njit(cache=True, nogil=True)
def sweep(
    links: Links,
    pages: np.ndarray,
    first: int,
    last: int,
    residual: np.ndarray,
    estimate: np.ndarray,
    damping: float,
    least: float,
    seeds: np.ndarray,
) -> float:
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
        Where the mass of pages without links goes, evenly; nowhere when empty.
    """
    pushed = 0.0
    offsets, targets, status = links.offsets, links.targets, links.status
    for k in range(first, last):
        page = np.int64(pages[k]) if len(pages) else k
        mass = residual[page]
        if mass < least or mass == 0.0:
            continue
        residual[page] = 0.0
        pushed += mass
        if len(estimate):
            estimate[page] += mass
        start, stop = offsets[page], offsets[page + 1]
        if start == stop or (len(status) and status[page] != CRAWLED):
            for i in range(len(seeds)):
                residual[seeds[i]] += damping * mass / len(seeds)
            continue
        share = damping * mass / (stop - start)
        for i in range(start, stop):
            residual[targets[i]] += share
    return pushed
