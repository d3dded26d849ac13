"""Loops of the synthetic web's links: how many each page has, and where they go.

The number of links of a page is known without drawing them, and each is drawn until it is a new one: so offsets are
computed first, cheaply, and then any block of links on its own.
"""

from __future__ import annotations

from typing import Any

import numba
import numpy as np

from seedrank.engines.kernels.hashing import GOLDEN, mix
from seedrank.engines.kernels.synthetic import (
    CRAWLED,
    DEGREE,
    Hosting,
    Web,
    draw,
    locate,
    log_quality,
    page_id,
    page_key,
    unit,
)

__all__ = ["block_degrees", "block_links"]

_S16, _S32, _S48 = (np.uint64(s) for s in (16, 32, 48))
_LOW12, _LOW16, _LOW32 = np.uint64(0xFFF), np.uint64(0xFFFF), np.uint64(0xFFFFFFFF)
_TEMPLATE_KEY = np.uint64(0x7E3A)
FIRST_LINK = 64  # number of a page's first link among the purposes its bits are drawn for
RETRY = np.uint64(0xD1342543DE82EF95)

# Links inside a host, in 65536ths.
NEAR = np.uint64(int(0.55 * 65536))  # to a page close by; the rest goes near the front page
CARRY_SHARE = np.uint64(int(0.95 * 65536))  # pages that carry the host's template
# Links between hosts, in 65536ths.
SIDE_SHARE = np.uint64(int(0.15 * 65536))  # to the side range: what the core knows beyond itself
TOPIC_SHARE = np.uint64(int(0.5 * 65536))  # to a host of the same topic
FRONT_SHARE = np.uint64(int(0.6 * 65536))  # to the front page
TRIES = 4  # draws before a link takes the next free page
CHURN = np.uint64(int(0.25 * 65536))  # of the links is drawn anew later
_SHORT = 48  # links that are sorted by insertion

_MENU, _TRAIL, _FEED = int(Hosting.MENU), int(Hosting.TRAIL), int(Hosting.FEED)


@numba.njit(cache=True, nogil=True)
def link_counts(row: Any, i: Any, key: Any, extra: Any, inter: Any) -> Any:
    """Links of a crawled page: to the pages below, to others of the host, to other hosts."""
    now = row.before + row.grown
    below = min(max(now - 1 - i * row.fan_out, 0), row.fan_out)
    bits = draw(key, DEGREE)
    # A feed has only what comes after the page; elsewhere half of the host, for a small host is not a clique.
    room = now - 1 - i - below if row.hosting == _FEED else (now - below) // 2
    inside = min(np.int64(extra[np.int64(bits & _LOW12)]), room)
    outside = np.int64(inter[np.int64((bits >> _S16) & _LOW12)]) * row.inter_factor
    if (bits >> _S48) < CARRY_SHARE:
        outside += row.template
    return below, inside, min(outside, row.room)


@numba.njit(cache=True, nogil=True)
def block_degrees(
    web: Web, first: int, hosts: np.ndarray, inner: np.ndarray, status: np.ndarray, degrees: np.ndarray
) -> None:
    """Fill the out-degrees (int64) of the pages from id `first` on; exactly what `block_links` will write."""
    seed, rows, extra, inter, start = web.seed, web.hosts, web.extra, web.inter, web.start
    sponsors, sponsored = web.sponsor, web.sponsored
    sponsor = np.searchsorted(sponsors, first)
    for k in range(len(degrees)):
        degrees[k] = 0
        if status[k] != CRAWLED:
            continue
        row, i = rows[hosts[k]], inner[k]
        below, inside, outside = link_counts(row, i, page_key(seed, row.number, i), extra, inter)
        degrees[k] = below + inside + outside
        while sponsor < len(sponsors) and sponsors[sponsor] <= first + k:
            if sponsors[sponsor] == first + k:
                guest = sponsored[sponsor]
                degrees[k] += start[guest + 1] - start[guest]
            sponsor += 1


@numba.njit(cache=True, nogil=True)
def skewed(bits: Any, count: Any) -> Any:
    """A page of a host, mostly near the front: count · u³ for the low 32 bits u."""
    u = bits & _LOW32
    u = (((u * u) >> _S32) * u) >> _S32
    return np.int64((u * np.uint64(count)) >> _S32)


@numba.njit(cache=True, nogil=True)
def better(seed: Any, row: Any, i: Any, j: Any) -> Any:
    """The better of two pages, so that links say something of quality."""
    if i == j:
        return i
    return i if log_quality(seed, row, i) >= log_quality(seed, row, j) else j


@numba.njit(cache=True, nogil=True)
def menu_link(row: Any, i: Any, slot: Any) -> Any:
    """Where the first links inside the host go: to the front page, to the page above; -1 for no such link."""
    above = (i - 1) // row.fan_out
    if row.hosting == _MENU and slot == 0:
        return np.int64(0)
    if (row.hosting == _MENU and slot == 1) or (row.hosting == _TRAIL and slot == 0):
        return above
    return np.int64(-1)


@numba.njit(cache=True, nogil=True)
def draw_inside(seed: Any, row: Any, i: Any, bits: Any, count: Any) -> Any:
    """A page of the host for page i to link to; may be i itself or out of range, then the next draw counts."""
    near = (bits >> _S48) < NEAR
    width = 2 * row.fan_out
    step = (np.int64((bits >> _S32) & _LOW16) * width) >> 16
    if row.hosting == _FEED:
        return i + 1 + (step if near else skewed(bits, max(1, count - i - 1)))
    if near:
        one = i - row.fan_out + step
        two = i - row.fan_out + ((np.int64(bits & _LOW16) * width) >> 16)
        if one < 0 or two < 0 or one >= count or two >= count:
            return max(one, two)
        return better(seed, row, one, two)
    return better(seed, row, skewed(bits, count), skewed(mix(bits), count))


@numba.njit(cache=True, nogil=True)
def draw_outside(seed: Any, row: Any, rows: Any, order: Any, popularity: Any, bits: Any, again: Any) -> Any:
    """Host and page for a link to another host; the host itself when the draw failed."""
    choice = bits & _LOW16
    low, high = row.pool, row.pool_end
    if choice < SIDE_SHARE:
        if row.side < row.side_end:
            low, high = row.side, (row.new_side_end if again else row.side_end)
    elif choice < SIDE_SHARE + TOPIC_SHARE and row.topical < row.topical_end:
        low, high = row.topical, row.topical_end
    wanted = popularity[low] + unit(mix(bits)) * (popularity[high] - popularity[low])
    while high - low > 1:
        middle = (low + high) >> 1
        if popularity[middle] <= wanted:
            low = middle
        else:
            high = middle
    other = np.int64(order[low])
    if ((bits >> _S16) & _LOW16) < FRONT_SHARE:
        return other, np.int64(0)
    there = rows[other]
    count = there.before + there.grown if again or there.before == 0 else there.before
    return other, better(seed, there, skewed(bits >> _S32, count), skewed(mix(bits ^ GOLDEN), count))


@numba.njit(cache=True, nogil=True)
def add(seen: Any, mark: Any, mask: Any, target: Any) -> Any:
    """Put a page into the set of this page's targets; False where it is in it.

    A slot holds mark << 32 | target, so that the set of the page before needs no clearing.
    """
    entry = (mark << 32) | target
    slot = np.int64((np.uint64(target) * GOLDEN) >> _S32) & mask
    while (seen[slot] >> 32) == mark:
        if seen[slot] == entry:
            return False
        slot = (slot + 1) & mask
    seen[slot] = entry
    return True


@numba.njit(cache=True, nogil=True)
def link_bits(later: Any, key: Any, slot: Any) -> Any:
    """Bits of the page's link number `slot`, and whether it was drawn anew for the later snapshot."""
    bits = draw(key, FIRST_LINK + slot)
    if later and (mix(bits + RETRY) & _LOW16) < CHURN:
        return mix(bits ^ RETRY), True
    return bits, False


@numba.njit(cache=True, nogil=True)
def sort(targets: Any, begin: Any, end: Any) -> Any:
    """Sort a stretch; most are short."""
    if end - begin > _SHORT:
        targets[begin:end].sort()
        return
    for a in range(begin + 1, end):
        value = targets[a]
        b = a - 1
        while b >= begin and targets[b] > value:
            targets[b + 1] = targets[b]
            b -= 1
        targets[b + 1] = value


@numba.njit(cache=True, nogil=True)
def block_links(web: Web, first: int, offsets: np.ndarray, targets: np.ndarray) -> None:
    """Write the targets (int32, ascending, distinct, never the page itself) of the pages from id `first` on.

    Page `first` + k gets ``targets[offsets[k] - offsets[0] : offsets[k + 1] - offsets[0]]``, which must be as long as
    `block_degrees` says.
    """
    count = len(offsets) - 1
    hosts, inner = np.empty(count, np.int32), np.empty(count, np.int64)
    locate(web, first, hosts, inner)
    seed, later, rows, start = web.seed, web.later, web.hosts, web.start
    order, popularity, extra, inter = web.order, web.popularity, web.extra, web.inter
    sponsors, sponsored = web.sponsor, web.sponsored
    longest = 1
    for k in range(count):
        longest = max(longest, offsets[k + 1] - offsets[k])
    size = 64
    while size <= 2 * (longest + 1):
        size *= 2
    seen = np.full(size, -1, np.int64)
    sponsor = np.searchsorted(sponsors, first)
    for k in range(count):
        begin, end = offsets[k] - offsets[0], offsets[k + 1] - offsets[0]
        if begin == end:
            continue
        mask = 63
        while mask < 2 * (end - begin + 1):
            mask = 2 * mask + 1
        at, target = begin, np.int64(0)
        page, row, i = first + k, rows[hosts[k]], inner[k]
        now = row.before + row.grown
        key = page_key(seed, row.number, i)
        below, inside, outside = link_counts(row, i, key, extra, inter)
        add(seen, k, mask, page)

        while sponsor < len(sponsors) and sponsors[sponsor] <= page:
            if sponsors[sponsor] == page:
                guest = sponsored[sponsor]
                for guest_page in range(start[guest], start[guest + 1]):
                    add(seen, k, mask, guest_page)
                    targets[at] = guest_page
                    at += 1
            sponsor += 1

        for j in range(i * row.fan_out + 1, i * row.fan_out + 1 + below):
            target = page_id(row, j)
            add(seen, k, mask, target)
            targets[at] = target
            at += 1

        for slot in range(inside):
            bits, again = link_bits(later, key, slot)
            reach = now if again or i >= row.before else row.before
            j = menu_link(row, i, slot)
            done = False
            for attempt in range(TRIES):
                if attempt > 0 or j < 0:
                    j = draw_inside(seed, row, i, bits, reach)
                    bits = mix(bits + RETRY)
                if 0 <= j < now:
                    target = page_id(row, j)
                    done = add(seen, k, mask, target)
                    if done:
                        break
            j = i
            while not done:
                j = j + 1 if j + 1 < now else 0
                target = page_id(row, j)
                done = add(seen, k, mask, target)
            targets[at] = target
            at += 1

        host_key = mix(seed ^ mix(np.uint64(row.number) ^ (_TEMPLATE_KEY << _S32)))
        for slot in range(outside):
            # The first links to other hosts are the same on all pages of the host.
            if slot < row.template:
                bits, again = link_bits(later, host_key, slot)
            else:
                bits, again = link_bits(later, key, inside + slot)
            done = False
            for _ in range(TRIES):
                other, j = draw_outside(seed, row, rows, order, popularity, bits, again)
                if other != row.number:
                    target = page_id(rows[other], j)
                    done = add(seen, k, mask, target)
                    if done:
                        break
                bits = mix(bits + RETRY)
            # There are at least as many other hosts in the pool as links, so one front page is free.
            position = row.pool
            while not done:
                other = np.int64(order[position])
                position += 1
                if other != row.number:
                    target = page_id(rows[other], np.int64(0))
                    done = add(seen, k, mask, target)
            targets[at] = target
            at += 1
        sort(targets, begin, end)
