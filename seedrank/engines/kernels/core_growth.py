"""Growing a hub-authority core page by page: the best candidates of either side come from a heap."""

from __future__ import annotations

import math

import numba
import numpy as np

__all__ = ["CLOSE", "LITERAL", "POWERS", "SKIP", "STOP", "dense_core", "rounded", "sized_core"]

CLOSE, STOP, SKIP, LITERAL = 0, 1, 2, 3
"""What a page does that brings the density below the limit: closes its side, stops both, is left out, is kept (and the
core ends there)."""

_HUB, _AUTHORITY = 1, 2
_DIGITS = 10
_MIDDLE = 200
POWERS = 10.0 ** np.arange(-_MIDDLE, _MIDDLE + 1)
"""Powers of ten; a kernel takes them as an argument, so that they are NumPy's own."""


@numba.njit(cache=True, nogil=True)
def rounded(value: float, powers: np.ndarray) -> float:
    """A score to ten significant digits: `seedrank.core.order.rounded` for one finite number."""
    if value == 0.0:
        return 0.0
    shift = _DIGITS - 1 - math.floor(math.log10(abs(value)))
    half = shift // 2
    digits = np.rint(value * powers[_MIDDLE + half] * powers[_MIDDLE + shift - half])
    if abs(digits) == 10.0**_DIGITS:
        digits /= 10
        shift -= 1
    half = -shift // 2
    return digits * powers[_MIDDLE + half] * powers[_MIDDLE - shift - half]


@numba.njit(cache=True, nogil=True)
def _before(keys: np.ndarray, pages: np.ndarray, i: int, j: int) -> bool:
    return keys[i] > keys[j] or (keys[i] == keys[j] and pages[i] < pages[j])


@numba.njit(cache=True, nogil=True)
def _swap(keys: np.ndarray, pages: np.ndarray, i: int, j: int) -> None:
    keys[i], keys[j] = keys[j], keys[i]
    pages[i], pages[j] = pages[j], pages[i]


@numba.njit(cache=True, nogil=True)
def _push(keys: np.ndarray, pages: np.ndarray, count: int, key: float, page: int) -> int:
    """Add a page to the heap of `count`; returns the new count. Largest key first, ties by smaller id."""
    keys[count], pages[count] = key, page
    at = count
    while at > 0:
        above = (at - 1) // 2
        if not _before(keys, pages, at, above):
            break
        _swap(keys, pages, at, above)
        at = above
    return count + 1


@numba.njit(cache=True, nogil=True)
def _pop(keys: np.ndarray, pages: np.ndarray, count: int) -> int:
    """Take the first page off the heap of `count` (at least 1): it then stands at the end; returns the new count."""
    count -= 1
    _swap(keys, pages, 0, count)
    at = 0
    while True:
        child = 2 * at + 1
        if child >= count:
            return count
        if child + 1 < count and _before(keys, pages, child + 1, child):
            child += 1
        if not _before(keys, pages, child, at):
            return count
        _swap(keys, pages, child, at)
        at = child


@numba.njit(cache=True, nogil=True)
def _next(keys: np.ndarray, pages: np.ndarray, count: int, role: np.ndarray, taken: int) -> tuple[int, int]:
    """The best page of a heap that has none of the roles `taken`, -1 for none; and what the heap then holds."""
    while count > 0:
        count = _pop(keys, pages, count)
        page = int(pages[count])
        if role[page] & taken == 0:
            return page, count
    return -1, 0


@numba.njit(cache=True, nogil=True)
def _offer(
    offsets: np.ndarray,
    neighbours: np.ndarray,
    page: int,
    gone: np.ndarray,
    scores: np.ndarray,
    powers: np.ndarray,
    linked: np.ndarray,
    keys: np.ndarray,
    pages: np.ndarray,
    count: int,
) -> int:
    """`page` joined one side: its neighbours count one link more, and those seen first become candidates."""
    for i in range(offsets[page], offsets[page + 1]):
        other = int(neighbours[i])
        if not gone[other]:
            linked[other] += 1
            if linked[other] == 1:
                count = _push(keys, pages, count, rounded(scores[other], powers), other)
    return count


@numba.njit(cache=True, nogil=True)
def dense_core(
    offsets: np.ndarray,
    targets: np.ndarray,
    in_offsets: np.ndarray,
    in_sources: np.ndarray,
    gone: np.ndarray,
    hub_scores: np.ndarray,
    authority_scores: np.ndarray,
    powers: np.ndarray,
    first: int,
    density: float,
    cap: int,
    rule: int,
) -> tuple[np.ndarray, np.ndarray, int]:
    """CoreDensity from the authority `first`.

    Parameters
    ----------
    offsets, targets, in_offsets, in_sources
        Links, both ways.
    gone
        Boolean per page: as if it had no links.
    density
        Per cent of the links between hubs and authorities that must be there.
    cap
        Most hubs.
    rule
        `CLOSE`, `STOP`, `SKIP` or `LITERAL`.

    Returns
    -------
    hubs, authorities, links
        Pages in the order they joined, and links from hubs to authorities.
    """
    n = len(offsets) - 1
    role = np.zeros(n, np.uint8)
    into, out_of = np.zeros(n, np.int32), np.zeros(n, np.int32)
    hub_keys, hub_pages = np.empty(n), np.empty(n, np.uint32)
    authority_keys, authority_pages = np.empty(n), np.empty(n, np.uint32)
    hubs, authorities = np.empty(n, np.int64), np.empty(n, np.int64)
    authorities[0] = first
    role[first] = _AUTHORITY
    hub_count, authority_count, links = 0, 1, 0
    authority_heap = 0
    hub_heap = _offer(in_offsets, in_sources, first, gone, hub_scores, powers, into, hub_keys, hub_pages, 0)
    hubs_open, authorities_open, adding = True, True, True
    while adding and (hubs_open or authorities_open):
        adding = False
        while hubs_open:
            if hub_count == cap:
                hubs_open = False
                break
            page, hub_heap = _next(hub_keys, hub_pages, hub_heap, role, _HUB | _AUTHORITY)
            if page < 0:
                break
            thin = 100.0 * (links + into[page]) < density * (hub_count + 1) * authority_count
            if thin and rule != LITERAL:
                if rule == SKIP:
                    continue
                hubs_open = False
                authorities_open = authorities_open and rule != STOP
                break
            role[page] = _HUB
            hubs[hub_count] = page
            hub_count += 1
            links += into[page]
            authority_heap = _offer(
                offsets, targets, page, gone, authority_scores, powers, out_of,
                authority_keys, authority_pages, authority_heap,
            )  # fmt: skip
            adding = True
            break
        while authorities_open:
            page, authority_heap = _next(authority_keys, authority_pages, authority_heap, role, _HUB | _AUTHORITY)
            if page < 0:
                break
            thin = 100.0 * (links + out_of[page]) < density * hub_count * (authority_count + 1)
            if thin and rule != LITERAL:
                if rule == SKIP:
                    continue
                authorities_open = False
                hubs_open = hubs_open and rule != STOP
                break
            role[page] = _AUTHORITY
            authorities[authority_count] = page
            authority_count += 1
            links += out_of[page]
            hub_heap = _offer(
                in_offsets, in_sources, page, gone, hub_scores, powers, into, hub_keys, hub_pages, hub_heap
            )
            adding = True
            break
        if rule == LITERAL and 100.0 * links < density * hub_count * authority_count:
            break
    return hubs[:hub_count].copy(), authorities[:authority_count].copy(), links


@numba.njit(cache=True, nogil=True)
def sized_core(
    offsets: np.ndarray,
    targets: np.ndarray,
    in_offsets: np.ndarray,
    in_sources: np.ndarray,
    gone: np.ndarray,
    hub_scores: np.ndarray,
    authority_scores: np.ndarray,
    powers: np.ndarray,
    first: int,
    size: int,
    step: int,
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """CoreSize from the authority `first`: hubs and authorities, `step` of each a round, until there are `size`.

    Returns
    -------
    hubs, authorities, rounds
        Pages in the order they joined (a page may be on both sides); and after each round hubs, authorities and links
        between them (int64, rounds x 3).
    """
    n = len(offsets) - 1
    role = np.zeros(n, np.uint8)
    into, out_of = np.zeros(n, np.int32), np.zeros(n, np.int32)
    hub_keys, hub_pages = np.empty(n), np.empty(n, np.uint32)
    authority_keys, authority_pages = np.empty(n), np.empty(n, np.uint32)
    hubs, authorities = np.empty(n, np.int64), np.empty(n, np.int64)
    rounds = np.empty((min(size, 2 * n) + 1, 3), np.int64)
    authorities[0] = first
    role[first] = _AUTHORITY
    hub_count, authority_count, links, count = 0, 1, 0, 0
    authority_heap = 0
    hub_heap = _offer(in_offsets, in_sources, first, gone, hub_scores, powers, into, hub_keys, hub_pages, 0)
    while hub_count + authority_count < size:
        before, known = hub_count + authority_count, hub_count
        for _ in range(step):
            page, hub_heap = _next(hub_keys, hub_pages, hub_heap, role, _HUB)
            if page < 0:
                break
            role[page] |= _HUB
            hubs[hub_count] = page
            hub_count += 1
            links += into[page]
        for k in range(known, hub_count):
            authority_heap = _offer(
                offsets, targets, hubs[k], gone, authority_scores, powers, out_of,
                authority_keys, authority_pages, authority_heap,
            )  # fmt: skip
        known = authority_count
        for _ in range(step):
            page, authority_heap = _next(authority_keys, authority_pages, authority_heap, role, _AUTHORITY)
            if page < 0:
                break
            role[page] |= _AUTHORITY
            authorities[authority_count] = page
            authority_count += 1
            links += out_of[page]
        for k in range(known, authority_count):
            hub_heap = _offer(
                in_offsets, in_sources, authorities[k], gone, hub_scores, powers, into, hub_keys, hub_pages, hub_heap
            )
        if hub_count + authority_count == before:
            break
        rounds[count] = hub_count, authority_count, links
        count += 1
    return hubs[:hub_count].copy(), authorities[:authority_count].copy(), rounds[:count].copy()
