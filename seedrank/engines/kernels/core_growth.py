"""Growing a hub-authority core page by page: the best candidates of either side come from a heap."""

from __future__ import annotations

import math

import numba
import numpy as np

from seedrank.engines.kernels import heap as heaps
from seedrank.engines.kernels.heap import ALONE, ROOT

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
def _empty_heap(pages: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Room for the pages of one side: the largest score first, ties by smaller id."""
    keys = np.empty(2 * (pages + ROOT + 4))
    return keys, keys.view(np.uint64), np.empty(pages, np.int32)


@numba.njit(cache=True, nogil=True)
def _next(
    keys: np.ndarray, words: np.ndarray, place: np.ndarray, end: int, role: np.ndarray, taken: int
) -> tuple[int, int]:
    """The best page of a heap that has none of the roles `taken`, -1 for none; and where the heap then ends."""
    while end > ROOT:
        page = int(heaps.item(words, ROOT))
        heaps.drop(keys, words, place, ALONE, ROOT, end)
        end -= 1
        if role[page] & taken == 0:
            return page, end
    return -1, end


@numba.njit(cache=True, nogil=True)
def _offer(
    offsets: np.ndarray, neighbours: np.ndarray, page: int, gone: np.ndarray, scores: np.ndarray, powers: np.ndarray,
    linked: np.ndarray, keys: np.ndarray, words: np.ndarray, place: np.ndarray, end: int,
) -> int:  # fmt: skip
    """`page` joined one side: its neighbours count one link more, and those seen first become candidates."""
    for i in range(offsets[page], offsets[page + 1]):
        other = int(neighbours[i])
        if not gone[other]:
            linked[other] += 1
            if linked[other] == 1:
                heaps.put(keys, words, place, ALONE, end, rounded(scores[other], powers), 0, other)
                end += 1
    return end


@numba.njit(cache=True, nogil=True)
def dense_core(
    offsets: np.ndarray, targets: np.ndarray, in_offsets: np.ndarray, in_sources: np.ndarray, gone: np.ndarray,
    hub_scores: np.ndarray, authority_scores: np.ndarray, powers: np.ndarray, first: int, density: float, cap: int,
    rule: int,
) -> tuple[np.ndarray, np.ndarray, int]:  # fmt: skip
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
    waiting_hubs, waiting_authorities = _empty_heap(n), _empty_heap(n)
    hubs, authorities = np.empty(n, np.int64), np.empty(n, np.int64)
    authorities[0] = first
    role[first] = _AUTHORITY
    hub_count, authority_count, links = 0, 1, 0
    authority_end = ROOT
    hub_end = _offer(in_offsets, in_sources, first, gone, hub_scores, powers, into, *waiting_hubs, ROOT)
    hubs_open, authorities_open, adding = True, True, True
    while adding and (hubs_open or authorities_open):
        adding = False
        while hubs_open:
            if hub_count == cap:
                hubs_open = False
                break
            page, hub_end = _next(*waiting_hubs, hub_end, role, _HUB | _AUTHORITY)
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
            authority_end = _offer(
                offsets, targets, page, gone, authority_scores, powers, out_of, *waiting_authorities, authority_end
            )
            adding = True
            break
        while authorities_open:
            page, authority_end = _next(*waiting_authorities, authority_end, role, _HUB | _AUTHORITY)
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
            hub_end = _offer(in_offsets, in_sources, page, gone, hub_scores, powers, into, *waiting_hubs, hub_end)
            adding = True
            break
        if rule == LITERAL and 100.0 * links < density * hub_count * authority_count:
            break
    return hubs[:hub_count].copy(), authorities[:authority_count].copy(), links


@numba.njit(cache=True, nogil=True)
def sized_core(
    offsets: np.ndarray, targets: np.ndarray, in_offsets: np.ndarray, in_sources: np.ndarray, gone: np.ndarray,
    hub_scores: np.ndarray, authority_scores: np.ndarray, powers: np.ndarray, first: int, size: int, step: int,
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:  # fmt: skip
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
    waiting_hubs, waiting_authorities = _empty_heap(n), _empty_heap(n)
    hubs, authorities = np.empty(n, np.int64), np.empty(n, np.int64)
    rounds = np.empty((min(size, 2 * n) + 1, 3), np.int64)
    authorities[0] = first
    role[first] = _AUTHORITY
    hub_count, authority_count, links, count = 0, 1, 0, 0
    authority_end = ROOT
    hub_end = _offer(in_offsets, in_sources, first, gone, hub_scores, powers, into, *waiting_hubs, ROOT)
    while hub_count + authority_count < size:
        before, known = hub_count + authority_count, hub_count
        for _ in range(step):
            page, hub_end = _next(*waiting_hubs, hub_end, role, _HUB)
            if page < 0:
                break
            role[page] |= _HUB
            hubs[hub_count] = page
            hub_count += 1
            links += into[page]
        for k in range(known, hub_count):
            authority_end = _offer(
                offsets, targets, hubs[k], gone, authority_scores, powers, out_of, *waiting_authorities, authority_end
            )
        known = authority_count
        for _ in range(step):
            page, authority_end = _next(*waiting_authorities, authority_end, role, _AUTHORITY)
            if page < 0:
                break
            role[page] |= _AUTHORITY
            authorities[authority_count] = page
            authority_count += 1
            links += out_of[page]
        for k in range(known, authority_count):
            hub_end = _offer(
                in_offsets, in_sources, authorities[k], gone, hub_scores, powers, into, *waiting_hubs, hub_end
            )
        if hub_count + authority_count == before:
            break
        rounds[count] = hub_count, authority_count, links
        count += 1
    return hubs[:hub_count].copy(), authorities[:authority_count].copy(), rounds[:count].copy()
