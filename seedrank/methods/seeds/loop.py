"""Algorithm 1 of Zheng et al. 2009: choose, cover, choose again (docs/algorithms.md §2.2, §2.4)."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from seedrank.core.order import rounded
from seedrank.methods.seeds.allocate import allocate
from seedrank.methods.seeds.coverage import Coverage, CoverageProblem, Record, Selection, cover_kept

__all__ = ["Pick", "cover_greedily"]

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
