"""The graph methods of Zheng et al. 2009: Algorithm 1, and what MaxOut, MaxWeight, MaxSCC, RootSCC and greedy pick.

Defined in docs/algorithms.md §2.2, §2.3, §2.4. And what a search that looks less far than a seed reaches leaves.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import cached_property

import numpy as np

from seedrank.core.order import rounded
from seedrank.engines.base import Engine
from seedrank.methods.seeds.allocate import allocate
from seedrank.methods.seeds.coverage import (
    Coverage,
    CoverageProblem,
    Record,
    Search,
    Selection,
    cover_kept,
    first_by_group,
)
from seedrank.methods.seeds.heaviest import heaviest
from seedrank.methods.seeds.preference import gains, settle

__all__ = [
    "SKETCH",
    "Pick",
    "cover_greedily",
    "greedy",
    "left_on_the_table",
    "maxout",
    "maxscc",
    "maxweight",
    "rootscc",
]


SKETCH = 30
"""A sketch of every ball takes as long as so many bounds by walks (25 to 40, measured)."""
_POOL = 1_024
_MOST_LOOKAHEAD = 1e10
"""Links that may be walked to say what a search that looks less far leaves."""

Pick = Callable[[Coverage, np.ndarray], np.ndarray]
"""The best page of each group that is still choosing (boolean per group); -1 where there is none."""


def cover_greedily(problem: CoverageProblem, pick: Pick, *, by_pages: bool = False) -> Selection:
    """Run Algorithm 1: pick, cover the pick's ball in the original graph, until the quota is full or nothing is left.

    A pick that adds nothing is not taken and ends its group, unless the problem says always. What such a group leaves
    of its quota is shared among the others where the problem knows the groups' importance.

    Parameters
    ----------
    pick
        PICK of the method.
    by_pages
        Judge a pick by the pages it adds instead of their worth (MaxOut).
    """
    run = _Run(problem, pick, by_pages)
    left = problem.quota.copy()
    quota = problem.quota.copy()
    goes_on = np.ones(len(quota), bool)
    while True:
        run.fill(left)
        goes_on &= left == 0
        more = _handed_on(problem, run.state, int(left.sum()), goes_on)
        if not more.any():
            break
        quota += more - left
        left = more
    stopped = ""
    if left.any():
        stopped = run.stopped or "everything of worth is covered" + (" in some sites" if len(quota) > 1 else "")
    return run.record.selection(run.kept, run.state, quota=quota, stopped=stopped, hurried_from=run.hurried_from)


class _Run:
    """Rounds of picking and covering, and what they wrote down."""

    def __init__(self, problem: CoverageProblem, pick: Pick, by_pages: bool) -> None:
        self.problem, self.pick, self.by_pages = problem, pick, by_pages
        self.state = Coverage(problem)
        self.record = Record(problem)
        self.kept = cover_kept(problem, self.state, self.record)
        self.stopped = ""
        self.hurried_from = 0

    def fill(self, left: np.ndarray) -> None:
        """Choose at most `left` seeds in each group; what a group does not take stays in `left`."""
        problem, state = self.problem, self.state
        active = left > 0
        while True:
            active &= problem.per_group(state.weight != 0) > 0
            if not active.any():
                return
            state.clock.rounds = int(left[active].max())
            seeds = self.pick(state, active)
            if state.hurried and not self.hurried_from:
                self.hurried_from = len(self.record.rows) + 1
            active &= seeds >= 0
            if not active.any():
                return
            self._cover(np.where(active, seeds, -1), active)
            left[active] -= 1
            active &= left > 0

    def _cover(self, seeds: np.ndarray, active: np.ndarray) -> None:
        """Cover what the picks reach; a pick that adds nothing is not taken, and its group is no longer active."""
        problem, state = self.problem, self.state
        ball = state.ball(seeds[active])
        gain = problem.per_group(state.weight[ball], ball)
        gain_pages = problem.per_group(problem.crawled[ball], ball)
        if not problem.always:
            useful = (gain_pages if self.by_pages else rounded(gain)) > 0
            if (active & ~useful).any():
                late = state.hurried
                self.stopped = "no page found in time adds anything" if late else "no further page adds anything"
            active &= useful
            seeds = np.where(active, seeds, -1)
            group = problem.groups[ball]
            ball = ball[(group >= 0) & active[group]]
            gain, gain_pages = np.where(active, gain, 0), np.where(active, gain_pages, 0)
        state.chosen[seeds[active]] = True
        state.cover(ball)
        self.record.add(seeds, ball, gain, gain_pages)


def _handed_on(problem: CoverageProblem, state: Coverage, seeds: int, goes_on: np.ndarray) -> np.ndarray:
    """Seeds that some groups could not use, split over the groups that go on, int64 per group."""
    if problem.importance is None or not seeds:
        return np.zeros(len(goes_on), np.int64)
    room = problem.per_group(problem.candidates & ~state.chosen)
    return allocate(seeds, np.where(goes_on, problem.importance, 0.0), room.astype(np.int64))


def maxout(problem: CoverageProblem) -> Selection:
    """MaxOut: the uncovered page with the most uncovered crawled pages it links to; ignores worth."""

    def pick(state: Coverage, active: np.ndarray) -> np.ndarray:
        degree = problem.engine.links_into(problem.crawled & ~state.covered)
        allowed = _open(state, active) & ~state.covered
        page = first_by_group(problem, degree, allowed)
        return page if problem.preference is None else _readable(state, degree, allowed, page)

    return cover_greedily(problem, pick, by_pages=True)


def maxweight(problem: CoverageProblem, depth: int = 2) -> Selection:
    """MaxWeight(d): the page with the heaviest d-hop ball of what is not covered yet."""

    def pick(state: Coverage, active: np.ndarray) -> np.ndarray:
        return heaviest(state, depth, _open(state, active))[0]

    return cover_greedily(problem, pick)


def left_on_the_table(problem: CoverageProblem, selection: Selection, depth: int) -> float:
    """What the seeds of a search that looks less far than a seed reaches leave at least: 0 where none is found.

    Greedy choice among few pages: those with the largest balls, of all and of what the seeds leave, and the seeds.
    """
    sketches = 2 * SKETCH * problem.hops * problem.engine.links
    if depth >= problem.hops or len(problem.quota) > 1 or sketches > _MOST_LOOKAHEAD or not len(selection.pages):
        return 0.0
    positive = np.maximum(problem.value, 0.0)
    rest = np.where(problem.reached(np.append(problem.keep, selection.pages)), 0.0, positive)
    pool = np.zeros(problem.engine.pages, bool)
    pool[selection.pages] = True
    for weight in (positive, rest):
        if weight.any():
            bound = np.where(problem.candidates, problem.engine.ball_bound(weight, problem.hops), -1.0)
            pool[np.argsort(-bound, kind="stable")[:_POOL]] = True
    few = replace(problem, candidates=problem.candidates & pool, preference=None, search=Search(sketch=False))
    return max(maxweight(few, few.hops).total - selection.total, 0.0)


def greedy(problem: CoverageProblem) -> Selection:
    """Exact greedy, step 2 of Algorithm 1 as written: MaxWeight at the depth a seed reaches."""
    return maxweight(problem, problem.hops)


def maxscc(problem: CoverageProblem, depth: int = 2) -> Selection:
    """MaxSCC(d): in the strong component that is heaviest now, the page with the heaviest d-hop ball in the graph."""
    parts = _Parts(problem.engine)

    def pick(state: Coverage, active: np.ndarray) -> np.ndarray:
        allowed = _open(state, active)
        weights = parts.weights(state)
        rank = np.empty(parts.count, np.int64)
        rank[np.lexsort((np.arange(parts.count), -weights))] = np.arange(parts.count)
        first = first_by_group(problem, -rank[parts.component], allowed)
        # -1, a group without any, matches no component.
        target = np.where(first >= 0, parts.component[first], -1)
        inside = allowed & (parts.component == np.append(target, -1)[problem.groups])
        return heaviest(state, depth, inside)[0]

    return cover_greedily(problem, pick)


def rootscc(problem: CoverageProblem, depth: int = 2) -> Selection:
    """RootSCC(d), Algorithm 2: in the heaviest root component that reaches the heaviest one, the heaviest d-hop ball.

    Where all of a component's balls weigh nothing the next one is tried: the other roots that reach the heaviest
    component, that component itself, then the next heaviest with its roots. (Without this rule the same root would
    be chosen repeatedly where the heaviest component lies farther from it than a seed reaches.)
    """
    parts = _Parts(problem.engine)

    def pick(state: Coverage, active: np.ndarray) -> np.ndarray:
        allowed = _open(state, active)
        upper = problem.engine.walk_bound(state.weight, depth)
        weights = parts.weights(state)
        proposals = _proposals(problem, parts, weights, allowed & (upper > 0), active)
        best = np.full(len(problem.quota), -1, np.int64)
        looking = active.copy()
        while True:
            target = np.full(len(problem.quota) + 1, -1, np.int64)
            for group in np.flatnonzero(looking):
                target[group] = next(proposals[group], -1)
            looking &= target[:-1] >= 0
            if not looking.any():
                return best
            inside = allowed & (parts.component == target[problem.groups])
            page, weight = heaviest(state, depth, inside, upper=upper)
            found = looking & (page >= 0) & (weight > 0)
            best[found] = page[found]
            looking &= ~found

    return cover_greedily(problem, pick)


def _open(state: Coverage, active: np.ndarray) -> np.ndarray:
    """Pages that may be chosen: candidates of groups that still choose, each at most once."""
    return state.problem.candidates & ~state.chosen & np.append(active, False)[state.problem.groups]


def _readable(state: Coverage, degree: np.ndarray, allowed: np.ndarray, page: np.ndarray) -> np.ndarray:
    """In place of each pick of MaxOut, the most readable page with as many links that adds as many pages."""
    problem, preference = state.problem, state.problem.preference
    assert preference is not None
    best, shunned = page, (page >= 0) & preference.shunned(page)
    if shunned.any():
        other = first_by_group(problem, degree, allowed & ~preference.shunned(np.arange(len(allowed))))
        page = np.where(shunned & (other >= 0) & (degree[other] > 0), other, page)
    settles = (page >= 0) & (degree[page] > 0)
    adds = _adds(state, page)
    links = np.append(np.where(settles, degree[page] * (1 - preference.share), np.inf), np.inf)
    enough = adds * (1 - preference.share)
    pool = np.flatnonzero(allowed & (degree >= links[problem.groups]))

    def same(pages: np.ndarray) -> np.ndarray:
        return np.asarray(_adds(state, pages) >= enough[problem.groups[pages]])

    taken = settle(state, np.where(settles, page, -1), pool, same, problem.hops)
    taken = np.where(settles, taken, page)
    changed = taken != best
    if changed.any():
        state.preferred += int(changed.sum())
        state.preference_cost += float((gains(state, best) - gains(state, taken))[changed].sum())
    return taken


def _adds(state: Coverage, pages: np.ndarray) -> np.ndarray:
    """How many crawled pages each of `pages` would add."""
    fresh = (state.problem.crawled & ~state.covered).astype(np.float64)
    found = np.zeros(len(pages))
    found[pages >= 0] = state.problem.engine.ball_weight(fresh, state.problem.hops, pages[pages >= 0])
    return found


class _Parts:
    """Strong components and the arcs between them, computed once."""

    def __init__(self, engine: Engine) -> None:
        found = engine.components()
        self.component = found.component
        self.count = len(found.sizes)
        self.arcs = found.arcs

    def weights(self, state: Coverage) -> np.ndarray:
        """Worth of each component that is not covered yet, rounded."""
        return rounded(np.bincount(self.component, weights=state.weight, minlength=self.count))

    @cached_property
    def parents(self) -> tuple[np.ndarray, np.ndarray]:
        """Components with an arc into each, as CSR."""
        order = np.argsort(self.arcs[:, 1], kind="stable")
        offsets = np.zeros(self.count + 1, np.int64)
        np.cumsum(np.bincount(self.arcs[:, 1], minlength=self.count), out=offsets[1:])
        return offsets, self.arcs[order, 0]

    def roots_above(self, component: int) -> np.ndarray:
        """Components without parents that reach this one; itself when it is a root."""
        offsets, parents = self.parents
        seen = {component}
        stack = [component]
        roots = []
        while stack:
            part = stack.pop()
            above = parents[offsets[part] : offsets[part + 1]].tolist()
            if not above:
                roots.append(part)
            for parent in above:
                if parent not in seen:
                    seen.add(parent)
                    stack.append(parent)
        return np.array(sorted(roots), np.int64)


def _proposals(
    problem: CoverageProblem, parts: _Parts, weights: np.ndarray, promising: np.ndarray, active: np.ndarray
) -> list[Iterator[int]]:
    """For each group: components to try, in the order of RootSCC; those without a promising page are left out."""
    useful = np.zeros(parts.count, bool)
    useful[parts.component[promising]] = True
    group_of = np.full(parts.count, -1, np.int64)
    group_of[parts.component] = problem.groups
    order = np.lexsort((np.arange(parts.count), -weights))
    by_group = order[np.argsort(group_of[order], kind="stable")]
    starts = np.searchsorted(group_of[by_group], np.arange(len(problem.quota) + 1))

    def tries(group: int) -> Iterator[int]:
        tried: set[int] = set()
        if not useful[by_group[starts[group] : starts[group + 1]]].any():
            return
        for heavy in by_group[starts[group] : starts[group + 1]].tolist():
            roots = parts.roots_above(heavy)
            for part in [*roots[np.lexsort((roots, -weights[roots]))].tolist(), heavy]:
                if useful[part] and part not in tried:
                    tried.add(part)
                    yield part

    return [tries(group) if active[group] else iter(()) for group in range(len(problem.quota))]
