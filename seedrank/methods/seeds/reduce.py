"""The fewest seeds of a list that do what the whole list does."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from seedrank.core.order import rounded
from seedrank.methods.seeds.coverage import Coverage, CoverageProblem, Selection
from seedrank.methods.seeds.heaviest import heaviest
from seedrank.methods.seeds.loop import cover_greedily

__all__ = ["reduce"]


def reduce(problem: CoverageProblem, share: float) -> tuple[Selection, float]:
    """Choose among the candidates, best first, until `share` of what all of them reach is reached.

    Greedy choice: with worth of one sign no algorithm that is fast does better in general (1 + ln n times the fewest).

    Parameters
    ----------
    problem
        One group; the candidates are the list.
    share
        In (0, 1].

    Returns
    -------
    selection, whole
        The seeds; what the whole list is worth.
    """
    listed = np.flatnonzero(problem.candidates)
    reached = problem.reached(listed)
    whole = float(problem.value[reached].sum())
    # What the list does not reach is no gain: without it the search ends where the list does.
    inside = replace(problem, value=np.where(reached, problem.value, 0.0), quota=np.array([len(listed)]))
    bound = np.full(problem.engine.pages, np.inf)
    target = float(rounded(np.array([share * whole]))[0])

    def pick(state: Coverage, active: np.ndarray) -> np.ndarray:
        got = whole - float(state.weight.sum())
        if state.chosen.any() and rounded(np.array([got]))[0] >= target:
            return np.array([-1])
        if problem.hops not in state.known:
            # Every ball once; from then on the last sum of each bounds its gain, and few are summed again.
            state.known[problem.hops] = np.full(problem.engine.pages, np.inf)
            positive = np.maximum(state.weight, 0.0)
            state.known[problem.hops][listed] = problem.engine.ball_weight(positive, problem.hops, listed)
            state.evaluations += len(listed)
        allowed = problem.candidates & ~state.chosen
        return heaviest(state, problem.hops, allowed, upper=bound)[0]

    return replace(cover_greedily(inside, pick), stopped=""), whole
