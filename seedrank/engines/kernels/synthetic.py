"""Loops of the synthetic web: what a page is and where it links, as pure functions of (seed, host, page of the host).

Nothing is drawn in sequence: every number is a hash of what it is for, so any block of pages can be computed by any
thread, in any order, and comes out the same. A host is a tree in breadth-first order: page 0 is the front page and
page i stands below page (i - 1) // fan_out. A page that has pages below it is crawled and links to all of them, so
every other page of a crawled host has a crawled page that links to it.

The later snapshot keeps host, place in the tree, words and quality of every page; pages are added at the end of the
tree, some are gone, and a share of the links is drawn anew.

Helpers take a row of the host table, not the arrays: passing many arrays to each would cost more than the work.
"""

from __future__ import annotations

from enum import IntEnum
from statistics import NormalDist
from typing import Any, NamedTuple

import numba
import numpy as np

from seedrank.engines.kernels.hashing import GOLDEN, mix

__all__ = [
    "HOST", "Hosting", "Role", "Web", "block_pages", "gone_pages", "locate_pages", "page_ids", "uniforms",
]  # fmt: skip


class Role(IntEnum):
    """Place of a host in the bow tie."""

    CORE = 0
    IN = 1
    OUT = 2
    TENDRIL = 3
    ISLAND = 4
    SPAM = 5
    FRONTIER = 6  # nothing of it is crawled yet: a few pages that one crawled page links to
    LATE = 7  # there only in the later snapshot


class Hosting(IntEnum):
    """How the pages of a host link back, which decides how much of it is one strong component."""

    MENU = 0  # every page links to the front page and to the page above
    TRAIL = 1  # every page links to the page above
    FEED = 2  # pages link onwards only: hardly a cycle


HOST = np.dtype(
    [
        ("number", np.int64),
        ("start", np.int64),  # id of its first page
        ("before", np.int64),  # pages in the first snapshot
        ("added", np.int64),  # id of the first page that was added later
        ("grown", np.int64),  # how many were; 0 in the first snapshot
        ("turn", np.int64),  # rotation of the host's page ids, so that an id does not betray the front page
        ("fan_out", np.int64),
        ("hosting", np.int64),
        ("role", np.int64),
        ("topic", np.int64),
        ("closed", np.int64),  # 1: no page is crawled
        ("dead", np.int64),  # 1: the whole host is gone
        ("quality", np.float64),  # log of the host's quality
        ("crawled", np.float64),  # share of its pages that is crawled
        ("template", np.int64),  # links to other hosts that stand on every page
        ("inter_factor", np.int64),  # how many times as many links to other hosts as usual
        ("room", np.int64),  # hosts in the pool other than this one; no page has more links to other hosts
        # Ranges of the order of hosts that links go to: hosts in general, of the same topic, beyond them,
        # and where that last range ends for links that are drawn anew.
        ("pool", np.int64),
        ("pool_end", np.int64),
        ("topical", np.int64),
        ("topical_end", np.int64),
        ("side", np.int64),
        ("side_end", np.int64),
        ("new_side_end", np.int64),
    ]
)
"""A row of the host table."""


class Web(NamedTuple):
    """Everything the kernels must know: one row per host, no row per page."""

    seed: np.uint64
    pages: int
    """Pages of the first snapshot; ids from here on are pages added later."""
    later: bool
    hosts: np.ndarray
    """Of type `HOST`."""
    start: np.ndarray
    """int64, hosts + 1: first page id of each host."""
    added: np.ndarray
    """int64, hosts + 1: first id of the pages added later."""
    order: np.ndarray
    """int32: hosts by role and topic."""
    popularity: np.ndarray
    """float64, len(order) + 1: running sum of popularity in that order."""
    sponsor: np.ndarray
    """int64, ascending: page ids that link to all pages of a frontier host."""
    sponsored: np.ndarray
    """int32: those hosts."""
    extra: np.ndarray
    """int16, 4096: quantiles of the links inside a host beyond those to the pages below."""
    inter: np.ndarray
    """int16, 4096: quantiles of a page's own links to other hosts."""


_S11, _S32, _S16, _S48 = (np.uint64(s) for s in (11, 32, 16, 48))
_LOW12, _LOW16, _LOW32 = np.uint64(0xFFF), np.uint64(0xFFFF), np.uint64(0xFFFFFFFF)

# What the numbers of a page are for; links count on from `synthetic_links.FIRST_LINK`.
QUALITY, STATUS, GONE, OPENED, DEGREE, VIEWS, SIZE, WORDS, EVENTS = range(9)

# Ids: blocks of siblings stay together (pages near each other link to each other), the blocks are shuffled.
BLOCK = 32
_STRIDE = 1_000_000_007  # a prime beyond any number of blocks, so multiplying by it permutes them

# Quality, as logs: normal noise of the page, of the page above it and of the host, which makes it heavy-tailed,
# alike inside a host and alike between a page and the pages it is linked from.
MEAN_QUALITY = -3.6  # about one page in twenty is clicked
PAGE_SPREAD = 1.5
ABOVE_SPREAD = 1.1
FRONT_BONUS = 1.5
SECTION_BONUS = 0.5
VIEWS_BONUS = 1.6  # about five views a click
VIEWS_SPREAD = 0.5
PAGE_BYTES, BYTES_SPREAD = 9.6, 0.9  # median 15 kB

# Tables, not functions: the same numbers wherever a loop is cut and on every machine.
_NORMAL = np.array([NormalDist().inv_cdf((k + 0.5) / 4096) for k in range(4096)]) * 0.5**0.5
_EXP_STEPS = 256
_EXP = np.floor(np.exp(np.arange(15 * _EXP_STEPS) / _EXP_STEPS)).astype(np.float32)  # to 3 M, exact in float32

MISSING_SHARE = 0.04  # of what is not crawled: linked to, but a fetch found nothing
GONE_LEAF, GONE_SECTION = 0.16, 0.015  # later: pages that are gone; a page with pages below it takes them along
GONE_SLOPE = 0.04  # good pages last longer: less for every unit of log quality
OPENED_SHARE = 0.4  # of the frontier is crawled later

CRAWLED, FRONTIER, MISSING = 2, 0, 1  # seedrank.core.model.Status


@numba.njit(cache=True, nogil=True)
def page_key(seed: Any, number: Any, i: Any) -> Any:
    """The page's own number, from which all its others come."""
    return mix(seed ^ mix((np.uint64(number) << _S32) | np.uint64(i)))


@numba.njit(cache=True, nogil=True)
def draw(key: Any, purpose: Any) -> Any:
    """64 random bits."""
    return mix(key + np.uint64(purpose + 1) * GOLDEN)


@numba.njit(cache=True, nogil=True)
def unit(bits: Any) -> Any:
    """A number in [0, 1) from 64 bits."""
    return np.float64(bits >> _S11) * (1.0 / 9007199254740992.0)


@numba.njit(cache=True, nogil=True)
def uniforms(seed: np.uint64, purpose: int, count: int) -> np.ndarray:
    """float64: `count` numbers in [0, 1), one per host, for one purpose."""
    out = np.empty(count, np.float64)
    for h in range(count):
        out[h] = unit(mix(draw(seed, purpose) ^ mix(np.uint64(h) + GOLDEN)))
    return out


@numba.njit(cache=True, nogil=True)
def normal(bits: Any) -> Any:
    """A normal number; of two table entries, so that the tail reaches 5 deviations."""
    return _NORMAL[np.int64(bits & _LOW12)] + _NORMAL[np.int64((bits >> _S16) & _LOW12)]


@numba.njit(cache=True, nogil=True)
def log_quality(seed: Any, row: Any, i: Any) -> Any:
    """Log of the page's hidden quality."""
    own = normal(draw(page_key(seed, row.number, i), QUALITY)) * PAGE_SPREAD + row.quality + MEAN_QUALITY
    if i == 0:
        return own + FRONT_BONUS
    above = (i - 1) // row.fan_out
    own += normal(draw(page_key(seed, row.number, above), QUALITY)) * ABOVE_SPREAD
    return own + SECTION_BONUS if above == 0 else own


@numba.njit(cache=True, nogil=True)
def place(t: Any, count: Any, turn: Any) -> Any:
    """Where the t-th of `count` pages stands among the host's ids."""
    blocks = count // BLOCK
    if t < blocks * BLOCK:
        t = ((t // BLOCK) * _STRIDE % blocks) * BLOCK + t % BLOCK
    t += turn % count
    return t - count if t >= count else t


@numba.njit(cache=True, nogil=True)
def inverse_stride(blocks: int) -> int:
    """The number that undoes `_STRIDE` modulo `blocks` (extended Euclid)."""
    if blocks < 2:
        return 0
    r, next_r, x, next_x = blocks, _STRIDE % blocks, 0, 1
    while next_r > 0:
        q = r // next_r
        r, next_r = next_r, r - q * next_r
        x, next_x = next_x, x - q * next_x
    return x % blocks


@numba.njit(cache=True, nogil=True)
def unplace(position: Any, count: Any, turn: Any, inverse: Any) -> Any:
    """The page that stands at a position: undoes `place`."""
    position -= turn % count
    if position < 0:
        position += count
    blocks = count // BLOCK
    if position < blocks * BLOCK:
        position = ((position // BLOCK) * inverse % blocks) * BLOCK + position % BLOCK
    return position


@numba.njit(cache=True, nogil=True)
def page_id(row: Any, i: Any) -> Any:
    """Id of page i of a host."""
    if i < row.before:
        return row.start + place(i, row.before, row.turn)
    return row.added + place(i - row.before, row.grown, row.turn)


@numba.njit(cache=True, nogil=True)
def page_ids(web: Web, hosts: np.ndarray, inner: np.ndarray) -> np.ndarray:
    """int64: ids of pages given by host and page of the host."""
    out = np.empty(len(hosts), np.int64)
    for k in range(len(hosts)):
        out[k] = page_id(web.hosts[hosts[k]], inner[k])
    return out


@numba.njit(cache=True, nogil=True)
def locate(web: Web, first: int, hosts: np.ndarray, inner: np.ndarray) -> None:
    """Fill `hosts` and `inner` (page of the host) for the page ids from `first` on."""
    end = first + len(hosts)
    page = first
    while page < end:
        bounds = web.start if page < web.pages else web.added
        host = np.searchsorted(bounds, page, side="right") - 1
        begin, stop = bounds[host], min(end, bounds[host + 1])
        count = bounds[host + 1] - bounds[host]
        skip = 0 if page < web.pages else web.hosts[host].before
        inverse = inverse_stride(count // BLOCK)
        turn = web.hosts[host].turn
        while page < stop:
            hosts[page - first] = host
            inner[page - first] = skip + unplace(page - begin, count, turn, inverse)
            page += 1


@numba.njit(cache=True, nogil=True)
def locate_pages(web: Web, pages: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Host (int32) and page of the host (int64) of any page ids."""
    hosts, inner = np.empty(len(pages), np.int32), np.empty(len(pages), np.int64)
    start, added, rows, boundary = web.start, web.added, web.hosts, web.pages
    host, inverse, begin, stop, skip = 0, 0, 0, 0, 0
    for k in range(len(pages)):
        page = np.int64(pages[k])
        if not begin <= page < stop:
            # Links come mostly in runs to one host, so this is rare.
            bounds = start if page < boundary else added
            host = int(np.searchsorted(bounds, page, side="right")) - 1
            begin, stop = bounds[host], bounds[host + 1]
            skip = 0 if page < boundary else rows[host].before
            inverse = inverse_stride((stop - begin) // BLOCK)
        hosts[k] = host
        inner[k] = skip + unplace(page - begin, stop - begin, rows[host].turn, inverse)
    return hosts, inner


@numba.njit(cache=True, nogil=True)
def is_gone(seed: Any, row: Any, i: Any) -> Any:
    """Whether the page is gone in the later snapshot, alone or with a page above it."""
    while i > 0:
        if i < row.before:
            if i * row.fan_out + 1 < row.before:
                chance = GONE_SECTION
            else:
                chance = GONE_LEAF - GONE_SLOPE * (log_quality(seed, row, i) - MEAN_QUALITY)
            if unit(draw(page_key(seed, row.number, i), GONE)) < chance:
                return True
        i = (i - 1) // row.fan_out
    return False


@numba.njit(cache=True, nogil=True)
def gone_pages(web: Web, hosts: np.ndarray, inner: np.ndarray) -> np.ndarray:
    """bool: which of these pages are gone in the later snapshot."""
    out = np.zeros(len(hosts), np.bool_)
    for k in range(len(hosts)):
        out[k] = is_gone(web.seed, web.hosts[hosts[k]], inner[k])
    return out


@numba.njit(cache=True, nogil=True)
def status_of(seed: Any, later: Any, row: Any, i: Any) -> Any:
    """Status of a page in this snapshot."""
    if later and (row.dead or is_gone(seed, row, i)):
        return MISSING
    if row.closed:
        return FRONTIER
    now = row.before + row.grown
    if i == 0 or i * row.fan_out + 1 < now:
        return CRAWLED
    # What is crawled besides the pages with pages below them is drawn, so that the share comes out right.
    size = row.before if i < row.before else now
    inside = max(1, (size - 2 + row.fan_out) // row.fan_out)
    wanted = (row.crawled * size - inside) / max(1, size - inside)
    key = page_key(seed, row.number, i)
    u = unit(draw(key, STATUS))
    if u < wanted:
        return CRAWLED
    if u > 1.0 - MISSING_SHARE * (1.0 - row.crawled):
        return MISSING
    if later and i < row.before and unit(draw(key, OPENED)) < OPENED_SHARE:
        return CRAWLED
    return FRONTIER


@numba.njit(cache=True, nogil=True)
def whole_exp(x: Any) -> Any:
    """exp(x) as a whole number, 0 below 1."""
    if x < 0:
        return np.float32(0)
    step = np.int64(x * _EXP_STEPS)
    return _EXP[step] if step < len(_EXP) else _EXP[-1]


@numba.njit(cache=True, nogil=True)
def block_pages(
    web: Web, first: int, status: np.ndarray, hosts: np.ndarray, inner: np.ndarray, clicks: np.ndarray,
    views: np.ndarray, sizes: np.ndarray,
) -> None:  # fmt: skip
    """Fill the page columns from id `first` on: what is true, also of pages nobody has crawled yet.

    A missing page has neither clicks nor views; only crawled pages have a size (bytes).
    """
    locate(web, first, hosts, inner)
    seed, later, rows = web.seed, web.later, web.hosts
    for k in range(len(status)):
        row, i = rows[hosts[k]], inner[k]
        status[k] = status_of(seed, later, row, i)
        key = page_key(seed, row.number, i)
        clicks[k] = views[k] = sizes[k] = 0
        if status[k] != MISSING:
            quality = log_quality(seed, row, i)
            clicks[k] = whole_exp(quality)
            noise = normal(draw(key, VIEWS)) * VIEWS_SPREAD
            views[k] = clicks[k] + whole_exp(quality + VIEWS_BONUS + noise)
        if status[k] == CRAWLED:
            sizes[k] = whole_exp(PAGE_BYTES + normal(draw(key, SIZE)) * BYTES_SPREAD)
