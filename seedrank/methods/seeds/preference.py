"""Readable seeds: among pages that are worth the same, the one whose address a person would type.

The host's front page comes first, then fewer parts of a path, then the shorter address. Error pages, calendars and
feeds come last, whatever they are worth: they vanish, never end, or repeat what others hold.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from seedrank.core.order import rounded
from seedrank.engines.kernels.suspicious import path_shapes
from seedrank.graph import WebGraph
from seedrank.graph.webgraph import url_blocks, url_bytes

if TYPE_CHECKING:
    from seedrank.methods.seeds.coverage import Coverage

__all__ = ["Preference", "front_pages", "gains", "preference_of", "settle"]

_PAGE = r"(?:\.(?:x?html?|shtml|php|aspx?|jsp))?"
FRONT = rf"^[^:]*://[^/?#]+(?:/(?:(?i:index|default|home){_PAGE})?)?$"
"""The front page of a host: its root, or an index file there."""
SHUNNED = (
    rf"(?i)^[^:]*://[^/?#]+/(?:[^?#]*/)?(?:"
    rf"[45]0[0-9]\.\w{{1,6}}|errors?(?:[-_]?(?:page|doc|document)s?)?{_PAGE}(?:[/?#]|$)|error[-_]?[45]\d\d"
    rf"|(?:page[-_]?)?not[-_]?found{_PAGE}/?(?:[?#]|$)"
    rf"|(?:calendar|kalender)s?{_PAGE}(?:[/?#]|$)|[^/?#]*\.ics(?:[?#]|$)"
    rf"|(?:feeds?|rss|atom)(?:\.(?:xml|rdf|json|php))?/?(?:[?#]|$)|[^/?#]*\.(?:rss|atom)(?:[?#]|$)"
    rf")|^[^:]*://[^/?#]+/[45]0[0-9]/?$|^[^?#]*\?(?:[^#]*&)?feed="
)
"""Error pages, calendars and feeds."""
_NOT_FRONT, _NO_ADDRESS, _SHUNNED = np.int32(1 << 24), np.int32((1 << 25) - 1), np.int32(1 << 25)
_MOST_PARTS, _MOST_LENGTH = 255, (1 << 16) - 1
_FIRST_BLOCK, _LARGEST_BLOCK = 64, 4_096
_LARGE = 512
"""Balls of three hops and more are summed so many at a time, one sweep of bits."""


@dataclass(frozen=True)
class Preference:
    """Which of two pages that are worth the same is the better seed."""

    key: np.ndarray
    """int32 per page: the smaller goes first."""
    share: float
    """How much less than the best a page may be worth, as a share of the best."""

    def shunned(self, pages: np.ndarray) -> np.ndarray:
        """Whether each of `pages` is an error page, a calendar or a feed."""
        return np.asarray(self.key[pages] >= _SHUNNED)


def preference_of(graph: WebGraph, share: float) -> Preference | None:
    """The preference among the pages of a graph; `None` where they have no addresses."""
    if graph.urls is None:
        return None
    key = np.full(graph.pages, _NO_ADDRESS, np.int32)
    for first, urls in url_blocks(graph):
        key[first : first + len(urls)] = _keys(urls)
    return Preference(key, share)


def front_pages(graph: WebGraph) -> np.ndarray:
    """Boolean per page: whether it is the front page of its host."""
    front = np.zeros(graph.pages, bool)
    for first, urls in url_blocks(graph):
        front[first : first + len(urls)] = _fronts(urls, path_shapes(*url_bytes(urls))[0])
    return front


def settle(
    state: Coverage, picked: np.ndarray, pool: np.ndarray, same: Callable[[np.ndarray], np.ndarray], depth: int
) -> np.ndarray:
    """The pages to take in place of those picked: per group the most readable of the pool that is worth the same.

    Parameters
    ----------
    state
        Weights as they are now.
    picked
        The best page of each group; -1 where the pick of a group stands.
    pool
        Pages that may be worth the same.
    depth
        Hops of the balls that `same` sums: how many are looked at together.
    """
    preference, problem = state.problem.preference, state.problem
    assert preference is not None
    taken = picked.copy()
    best = np.append(np.where(picked >= 0, preference.key[picked], -1), -1)
    pool = pool[preference.key[pool] < best[problem.groups[pool]]]
    pool = pool[np.lexsort((pool, preference.key[pool], problem.groups[pool]))]
    group = problem.groups[pool]
    place = np.arange(len(pool)) - np.searchsorted(group, group)
    open_groups = np.ones(len(picked), bool)
    first = _FIRST_BLOCK if depth <= 2 else _LARGE
    block = max(first // max(len(np.unique(group)), 1), 4)
    done = 0
    while len(pool) and not state.late:
        now = (place >= done) & (place < done + block) & open_groups[group]
        if not now.any():
            break
        some = pool[now]
        some = some[same(some)]
        groups, where = np.unique(problem.groups[some], return_index=True)
        taken[groups] = some[where]
        open_groups[groups] = False
        done += block
        block = min(2 * block, _LARGEST_BLOCK)
    return taken


def gains(state: Coverage, pages: np.ndarray) -> np.ndarray:
    """What each of `pages` would add, rounded; 0 for -1."""
    found = np.zeros(len(pages))
    real = pages >= 0
    if real.any():
        found[real] = rounded(state.problem.engine.ball_weight(state.weight, state.problem.hops, pages[real]))
        state.evaluations += int(real.sum())
    return found


def _keys(urls: pa.Array) -> np.ndarray:
    parts, _ = path_shapes(*url_bytes(urls))
    length = pc.fill_null(pc.binary_length(urls), 0).to_numpy(zero_copy_only=False)
    key = (np.minimum(parts, _MOST_PARTS).astype(np.int64) << 16) + np.minimum(length, _MOST_LENGTH)
    key[~_fronts(urls, parts)] += _NOT_FRONT
    key[_matches(urls, SHUNNED)] += _SHUNNED
    key[~urls.is_valid().to_numpy(zero_copy_only=False)] = _NO_ADDRESS
    return key.astype(np.int32)


def _fronts(urls: pa.Array, parts: np.ndarray) -> np.ndarray:
    """Whether each is a front page; only paths of at most one part are looked at."""
    short = np.flatnonzero(parts <= 1)
    front = np.zeros(len(urls), bool)
    front[short] = _matches(urls.take(pa.array(short)), FRONT)
    return front


def _matches(urls: pa.Array, pattern: str) -> np.ndarray:
    found = pc.fill_null(pc.match_substring_regex(urls, pattern), False)
    return np.asarray(found.to_numpy(zero_copy_only=False), bool)
