"""What seeds cover, what is left to gain, and what no choice can exceed (docs/algorithms.md §2.1, §2.2, §2.6).

A problem has one group of pages, or one per site: sites are then graphs of their own, so that every round chooses
one seed in each of them at once.
"""

from __future__ import annotations

import math
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from seedrank.engines.base import Engine

if TYPE_CHECKING:
    from seedrank.methods.seeds.preference import Preference

__all__ = [
    "Bound", "Clock", "Coverage", "CoverageProblem", "Record", "Search", "Selection", "cover_in_order", "cover_kept",
    "first_by_group", "upper_bound",
]  # fmt: skip


@dataclass(frozen=True)
class Search:
    """How hard to look for the heaviest ball."""

    time_limit: float | None = None
    """Seconds for all rounds; those that are left when they are over take the best page found so far. No limit when
    `None`."""
    tolerance: float = 0.0
    """Accept a page whose ball is within this share of the heaviest; 0 is exact."""
    sketch: bool = True
    """Leave out pages that cannot win at five standard deviations, where many are left; without it the search is exact
    without condition."""


@dataclass(frozen=True)
class CoverageProblem:
    """Choose pages whose h-hop balls are worth the most."""

    engine: Engine
    """The graph; where there are several groups, without links between them."""
    value: np.ndarray
    """Worth per page, float64, of any sign."""
    hops: int
    """h: how far a seed reaches."""
    quota: np.ndarray
    """At most so many seeds per group."""
    candidates: np.ndarray
    """Boolean per page: which may be chosen (crawled pages, limited by ``--only`` and ``--exclude``)."""
    crawled: np.ndarray
    frontier: np.ndarray
    """Boolean per page: what page coverage counts and a seed must be to reach anything, and what is reported apart."""
    group: np.ndarray | None = None
    """Group per page, int32, -1 for pages in none; every page in group 0 when `None`."""
    keep: np.ndarray = field(default_factory=lambda: np.empty(0, np.int64))
    """Pages in use already: count as chosen first, and take nothing of the quota."""
    importance: np.ndarray | None = None
    """Per group: what a group leaves of its quota because nothing in it adds anything is shared among the others in
    proportion to it. Without it every quota stays with its group."""
    always: bool = False
    """Take the quota even where a seed adds nothing (the literal rule)."""
    search: Search = field(default_factory=Search)
    """How hard to look."""
    preference: Preference | None = None
    """Which of several pages that are worth the same is taken; the smaller id when `None`."""

    @cached_property
    def groups(self) -> np.ndarray:
        """Group per page, int32."""
        return np.zeros(self.engine.pages, np.int32) if self.group is None else self.group

    def reached(self, seeds: np.ndarray) -> np.ndarray:
        """Boolean per page: within reach of `seeds`. A seed that is not crawled reaches nothing, itself included."""
        live = np.unique(seeds[self.crawled[seeds]])
        if not len(live):
            return np.zeros(self.engine.pages, bool)
        return self.engine.bfs_hops(live, self.hops) >= 0

    def per_group(self, values: np.ndarray, pages: np.ndarray | slice = slice(None)) -> np.ndarray:
        """Sum of values (one per page of `pages`) over each group."""
        if self.group is None:
            return np.array([values.sum()], np.float64)
        group = self.groups[pages]
        inside = group >= 0
        return np.bincount(group[inside], weights=values[inside], minlength=len(self.quota))


class Coverage:
    """What is covered so far, and what is left to gain."""

    def __init__(self, problem: CoverageProblem) -> None:
        self.problem = problem
        self.weight = problem.value.astype(np.float64, copy=True)
        """Worth of pages that are not covered yet, 0 of the others."""
        self.covered = np.zeros(problem.engine.pages, bool)
        self.chosen = np.zeros(problem.engine.pages, bool)
        self.known: dict[int, np.ndarray] = {}
        """Per depth: positive part of each page's ball when it was last summed; it only falls."""
        self.evaluations = 0
        """Balls summed."""
        self.sketched = False
        """Whether pages were left out by sketches."""
        self.hurried = False
        """Whether the time limit ended a search."""
        self.clock = Clock(problem.search.time_limit)
        self.preferred = 0
        """Picks that gave way to a page with a more readable address."""
        self.preference_cost = 0.0
        """What the picks were worth more than the pages taken in their place."""

    @property
    def late(self) -> bool:
        """Whether no time is left for this search, where the searches after it are to have theirs."""
        return self.clock.left <= 0

    def ball(self, pages: np.ndarray) -> np.ndarray:
        """Pages within reach of `pages` that are not covered yet."""
        return np.flatnonzero(self.problem.reached(pages) & ~self.covered)

    def cover(self, pages: np.ndarray) -> None:
        """Take the worth of `pages`."""
        self.covered[pages] = True
        self.weight[pages] = 0.0


@dataclass(frozen=True)
class Selection:
    """Chosen pages, round by round, and what they cover; arrays have one entry per seed."""

    pages: np.ndarray
    groups: np.ndarray
    """The seeds and their groups."""
    gain: np.ndarray
    """Value that each adds."""
    gain_pages: np.ndarray
    """Crawled pages that each adds."""
    covered_pages: np.ndarray
    covered_value: np.ndarray
    frontier_reached: np.ndarray
    """Of all seeds of the group so far."""
    kept_pages: np.ndarray
    kept_value: np.ndarray
    """Per group: what the seeds in use cover."""
    quota: np.ndarray
    """Per group: how many seeds it could have at most, with what others handed on to it."""
    evaluations: int
    """Balls that were summed to choose."""
    stopped: str = ""
    """Why fewer than the quota were chosen, or nothing."""
    sketched: bool = False
    """Whether pages were left out that could not win at five standard deviations."""
    hurried_from: int = 0
    """Number of the first seed (from 1) whose search the time limit ended; 0 for none."""
    preferred: int = 0
    """Seeds taken for their address in place of a page worth as much."""
    preference_cost: float = 0.0
    """What those pages were worth more, summed."""
    compared: Mapping[str, Selection] = field(default_factory=dict)
    winner: str = ""
    """Where several methods were tried: what each of them chose, and the one that covers the most."""

    @property
    def total(self) -> float:
        """What all seeds cover, with those in use."""
        return float(self.kept_value.sum() + self.gain.sum())


class Record:
    """Rows of a selection as they come."""

    def __init__(self, problem: CoverageProblem) -> None:
        groups = len(problem.quota)
        self.rows: list[tuple[int, int, float, int, int, float, int]] = []
        self.pages = np.zeros(groups, np.int64)
        self.value = np.zeros(groups)
        self.frontier = np.zeros(groups, np.int64)
        self.problem = problem

    def add(self, seeds: np.ndarray, ball: np.ndarray, gain: np.ndarray, gain_pages: np.ndarray) -> None:
        """A round: one seed per group (-1 for none), what they newly cover together, and the sums of that per group."""
        frontier = self.problem.per_group(self.problem.frontier[ball], ball)
        self.pages += gain_pages.astype(np.int64)
        self.value += gain
        self.frontier += frontier.astype(np.int64)
        for group in np.flatnonzero(seeds >= 0):
            self.rows.append(
                (
                    int(seeds[group]), int(group), float(gain[group]), int(gain_pages[group]),
                    int(self.pages[group]), float(self.value[group]), int(self.frontier[group]),
                )
            )  # fmt: skip

    def selection(
        self,
        kept: tuple[np.ndarray, np.ndarray],
        state: Coverage,
        *,
        quota: np.ndarray,
        stopped: str = "",
        hurried_from: int = 0,
    ) -> Selection:
        """The rows as arrays."""
        names = ("pages", "groups", "gain", "gain_pages", "covered_pages", "covered_value", "frontier_reached")
        types = (np.int64, np.int32, np.float64, np.int64, np.int64, np.float64, np.int64)
        columns = list(zip(*self.rows, strict=True)) or [()] * len(names)
        arrays: dict[str, Any] = {
            name: np.array(column, kind) for name, column, kind in zip(names, columns, types, strict=True)
        }
        return Selection(
            **arrays,
            kept_pages=kept[0],
            kept_value=kept[1],
            quota=quota,
            evaluations=state.evaluations,
            stopped=stopped,
            sketched=state.sketched,
            hurried_from=hurried_from,
            preferred=state.preferred,
            preference_cost=state.preference_cost,
        )


def cover_in_order(problem: CoverageProblem, seeds: Sequence[np.ndarray]) -> Selection:
    """Cover by given seeds, a list per group, in their order: the static heuristics and lists of the user's."""
    state = Coverage(problem)
    record = Record(problem)
    kept = cover_kept(problem, state, record)
    for turn in range(max((len(some) for some in seeds), default=0)):
        now = np.array([some[turn] if turn < len(some) else -1 for some in seeds], np.int64)
        ball = state.ball(now[now >= 0])
        gain = problem.per_group(state.weight[ball], ball)
        gain_pages = problem.per_group(problem.crawled[ball], ball)
        state.cover(ball)
        record.add(now, ball, gain, gain_pages)
    return record.selection(kept, state, quota=problem.quota)


def first_by_group(problem: CoverageProblem, scores: np.ndarray, allowed: np.ndarray) -> np.ndarray:
    """The allowed page with the largest score in each group, ties by smaller id; -1 where none is allowed.

    Scores are compared as they are: round them first.
    """
    pages = np.flatnonzero(allowed & (problem.groups >= 0))
    best = np.full(len(problem.quota), -1, np.int64)
    if len(problem.quota) == 1:
        if len(pages):
            best[0] = pages[np.argmax(scores[pages])]
        return best
    order = np.lexsort((pages, -scores[pages], problem.groups[pages]))
    pages = pages[order]
    groups, first = np.unique(problem.groups[pages], return_index=True)
    best[groups] = pages[first]
    return best


def cover_kept(problem: CoverageProblem, state: Coverage, record: Record) -> tuple[np.ndarray, np.ndarray]:
    """Cover what the seeds in use reach, so that the rows count on from there; its pages and worth per group."""
    if not len(problem.keep):
        return np.zeros(len(problem.quota), np.int64), np.zeros(len(problem.quota))
    ball = state.ball(problem.keep)
    pages = problem.per_group(problem.crawled[ball], ball).astype(np.int64)
    value = problem.per_group(state.weight[ball], ball)
    record.pages[:], record.value[:] = pages, value
    record.frontier[:] = problem.per_group(problem.frontier[ball], ball)
    state.cover(ball)
    state.chosen[problem.keep] = True
    return pages, value


_SKETCHES = 40
"""A sketch of every ball takes as long as so many bounds by walks (25 to 40, measured)."""


class Clock:
    """Seconds that are left, and what the parts of a search took when they last ran.

    No limit of the seconds for all rounds when `None`.
    """

    def __init__(self, limit: float | None) -> None:
        self.limited = limit is not None
        self._end = math.inf if limit is None else time.monotonic() + limit
        self.rounds = 1
        """Rounds that are left, this one included."""
        self._bound = self._ball = self._least = 0.0
        self._swept = False

    @property
    def left(self) -> float:
        """Seconds left for this round, when each round after it bounds every ball twice and sums a few."""
        return self._end - time.monotonic() - (self.rounds - 1) * (2 * self._bound + self._least)

    @property
    def over(self) -> bool:
        """Whether all the time is gone."""
        return time.monotonic() >= self._end

    def allows_a_sketch(self) -> bool:
        """Whether a sketch of every ball fits into the time left."""
        return not self.limited or _SKETCHES * self._bound < self.left

    def balls(self, wanted: int, least: int) -> int:
        """How many of `wanted` balls fit into the time left, `least` at least."""
        if not self.limited or not self._ball:
            return wanted
        return max(least, min(wanted, int(self.left / self._ball)))

    @contextmanager
    def bounding(self) -> Iterator[None]:
        """Take the time of a bound of every ball."""
        started = time.monotonic()
        yield
        self._bound = time.monotonic() - started

    @contextmanager
    def summing(self, balls: int, least: int) -> Iterator[None]:
        """Take the time of so many balls; those of a round that has no time for more are `least`."""
        started = time.monotonic()
        yield
        seconds = time.monotonic() - started
        if balls and (balls >= least or not self._swept):  # few balls take longer, each, than many at once
            self._swept = balls >= least
            self._ball = seconds / balls
            self._least = self._ball * least


@dataclass(frozen=True)
class Bound:
    """An upper bound of the best possible value."""

    value: float
    """No choice within the quota is worth more."""
    form: str
    """``cheap``: gains bounded by walks and by what is left. ``tight``: gains of every candidate summed exactly.
    ``all``: simply everything of positive worth that the groups hold."""

    def ratio(self, reached: float) -> float | None:
        """Share of the bound that was reached; `None` where either is not above 0, and a share means nothing."""
        return reached / self.value if self.value > 0 and reached > 0 else None


def upper_bound(problem: CoverageProblem, selection: Selection, *, tight: bool = False) -> Bound:
    """Bound the best possible value, from what the selection leaves and from the start; worth may be negative.

    After any seeds S, the best choice of k more is worth at most f⁺(S) plus the k largest gains that single pages would
    add to it, where f⁺ counts only what is worth more than nothing.

    What it bounds are choices of as many seeds in each group as the selection could have.

    Parameters
    ----------
    tight
        Sum the ball of every candidate exactly: better, and as costly as a round of exact greedy.
    """
    problem = replace(problem, quota=selection.quota)
    positive = np.maximum(problem.value, 0.0)
    total = float(problem.per_group(positive).sum())
    bounds = [Bound(total, "all")]
    for seeds in (problem.keep, np.concatenate([problem.keep, selection.pages])):
        covered = problem.reached(seeds)
        reached = problem.per_group(np.where(covered, positive, 0.0))
        left = np.where(covered, 0.0, positive)
        bounds.append(_after(problem, reached, left, tight))
    return min(bounds, key=lambda bound: bound.value)


def _after(problem: CoverageProblem, reached: np.ndarray, left: np.ndarray, tight: bool) -> Bound:
    """The bound from one set of seeds: what they reach, and what is left of positive worth per page."""
    may_be_chosen = problem.candidates & (problem.groups >= 0)
    if tight:
        gain = problem.engine.ball_weight(left, problem.hops, np.flatnonzero(may_be_chosen))
    else:
        gain = problem.engine.walk_bound(left, problem.hops)[may_be_chosen]
    group = problem.groups[may_be_chosen]
    left_in_group = problem.per_group(left)
    gain = np.minimum(gain, left_in_group[group])
    gained = np.minimum(_largest(gain, group, problem.quota), left_in_group)
    return Bound(float((reached + gained).sum()), "tight" if tight else "cheap")


def _largest(gain: np.ndarray, group: np.ndarray, quota: np.ndarray) -> np.ndarray:
    """Sum of the largest gains of each group, as many as its quota."""
    if len(quota) == 1 and 0 < quota[0] < len(gain):
        # Of one group no more than the quota need be in order.
        gain = np.partition(gain, len(gain) - quota[0])[-quota[0] :]
        group = np.zeros(len(gain), np.int64)
    order = np.lexsort((-gain, group))
    starts = np.searchsorted(group[order], np.arange(len(quota)))
    place = np.arange(len(order)) - starts[group[order]]
    best = order[place < quota[group[order]]]
    return np.bincount(group[best], weights=gain[best], minlength=len(quota))
