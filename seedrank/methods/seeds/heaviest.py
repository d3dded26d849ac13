"""The page with the heaviest ball, found lazily, exactly, also with negative values (docs/algorithms.md §2.6).

Plain lazy greedy is wrong where values may be negative: a gain can rise when spam is covered by another seed. The
positive part of a ball's worth only falls, so it bounds the gain in every later round. Pages are looked at in the
order of that bound, and the search stops when the best gain found comes before every bound that is left.
"""

from __future__ import annotations

import numpy as np

from seedrank.core.order import rounded
from seedrank.methods.seeds.coverage import Coverage, CoverageProblem, first_by_group
from seedrank.methods.seeds.preference import gains, settle

__all__ = ["heaviest"]

_FIRST_BLOCK, _FIRST_LARGE_BLOCK = 64, 1_024
"""Balls summed before the best so far is compared again; large ones cost little more when many are summed at once."""
_SWEEP = 512
"""Balls that are summed in one sweep: what a round sums that has no time for more."""
_LARGEST_BLOCK = 16_384
_NEAR = 1e-8
"""Part of a number within which another may be the same to ten digits, and well above it."""


def heaviest(
    state: Coverage,
    depth: int,
    allowed: np.ndarray,
    *,
    upper: np.ndarray | None = None,
) -> tuple[np.ndarray, np.ndarray]:
    """The allowed page with the heaviest depth-d ball in each group, and that weight.

    Where the problem has a preference, the page is the most readable of those that are worth the same, and an error
    page, a calendar or a feed only where no other page adds anything.

    Parameters
    ----------
    state
        Weights as they are now.
    depth
        d of W_d; any d ≥ 0.
    allowed
        Boolean per page.
    upper
        An upper bound of the positive part of each page's ball; `Engine.walk_bound` when `None`.

    Returns
    -------
    pages, weights
        Per group; -1 and -inf where no page is allowed. Ties by the rule: ten digits, then smaller id.
    """
    if state.late:
        return _in_a_hurry(state, depth, allowed, upper)
    page, weight, bound = _search(state, depth, allowed, upper)
    if state.problem.preference is None or state.hurried:
        return page, weight
    return _readable(state, depth, allowed, bound, page, weight)


def _search(
    state: Coverage, depth: int, allowed: np.ndarray, upper: np.ndarray | None
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """The heaviest of each group, its weight, and the bound of every page that the search ended with."""
    problem, engine = state.problem, state.problem.engine
    bound = _bounds(state, depth, upper)
    known = state.known.setdefault(depth, np.full(engine.pages, np.inf))
    best_page = np.full(len(problem.quota), -1, np.int64)
    best = np.full(len(problem.quota), -np.inf)
    hops, balls = engine.sketch_from
    sketch = problem.search.sketch and depth >= hops
    while True:
        np.minimum(bound, known, out=bound)
        np.minimum(bound, _left(state), out=bound)
        # Sums of the same numbers in another order differ in the last bits: the bound is lifted by more than that.
        bound *= 1 + 1e-12
        first = _first(problem, bound, allowed)
        _take_best(best, best_page, *_by_group(problem, first[first >= 0], _weigh(state, depth, first[first >= 0])))
        pages, key = _that_may_win(problem, bound, allowed, best, best_page)
        if not sketch or len(pages) < balls or not state.clock.allows_a_sketch():
            break
        sketch = False
        state.sketched = True
        # What a page's ball can weigh at most holds for later rounds too: its positive part only falls.
        np.minimum(known, engine.ball_bound(state.weight, depth), out=known)
    _weigh_by_bound(state, depth, key, pages, best, best_page)
    return best_page, best, bound


def _bounds(state: Coverage, depth: int, upper: np.ndarray | None) -> np.ndarray:
    if upper is not None:
        return upper.copy()
    with state.clock.bounding():
        return state.problem.engine.walk_bound(state.weight, depth)


def _in_a_hurry(
    state: Coverage, depth: int, allowed: np.ndarray, upper: np.ndarray | None
) -> tuple[np.ndarray, np.ndarray]:
    """The best of a few pages, where there is no time for a search: those with the largest bounds, near and far."""
    state.hurried = True
    problem = state.problem
    known = state.known.setdefault(depth, np.full(problem.engine.pages, np.inf))
    far = known.copy() if np.isfinite(known).any() else _bounds(state, depth, upper)
    np.minimum(far, _left(state), out=far)
    near = problem.engine.walk_bound(state.weight, min(depth, 2))
    pages = np.flatnonzero(allowed & (problem.groups >= 0) & (far > 0))
    most = max(_SWEEP // ((16 if state.clock.over else 2) * len(problem.quota)), 1)
    some = np.union1d(_top(problem, pages, far[pages], most), _top(problem, pages, near[pages], most))
    best_page, best = np.full(len(problem.quota), -1, np.int64), np.full(len(problem.quota), -np.inf)
    if len(some):
        _take_best(best, best_page, *_by_group(problem, some, _weigh(state, depth, some)))
    return best_page, best


def _top(problem: CoverageProblem, pages: np.ndarray, scores: np.ndarray, most: int) -> np.ndarray:
    """At most so many of `pages` in each group, by score."""
    if len(problem.quota) == 1 and len(pages) > most:
        return pages[np.argpartition(-scores, most)[:most]]
    order = np.lexsort((pages, -scores, problem.groups[pages]))
    return pages[order][_place_in_group(problem.groups[pages[order]]) < most]


def _readable(
    state: Coverage, depth: int, allowed: np.ndarray, bound: np.ndarray, page: np.ndarray, weight: np.ndarray
) -> tuple[np.ndarray, np.ndarray]:
    """In place of each pick, the most readable page that weighs and adds as much; one that is shunned gives way."""
    problem, preference = state.problem, state.problem.preference
    assert preference is not None
    gain = _gains(state, depth, page, weight)
    best, best_gain = page, gain
    shunned = (page >= 0) & (gain > 0) & preference.shunned(page)
    if shunned.any():
        others = allowed & np.append(shunned, False)[problem.groups] & ~preference.shunned(np.arange(len(allowed)))
        other, their_weight, _ = _search(state, depth, others, None)
        their_gain = _gains(state, depth, other, their_weight)
        better = shunned & (other >= 0) & (their_weight > 0) & (their_gain > 0)
        page, weight = np.where(better, other, page), np.where(better, their_weight, weight)
        gain = np.where(better, their_gain, gain)
    settles = (page >= 0) & (weight > 0) & (gain > 0)
    enough, enough_gain = weight * (1 - preference.share), gain * (1 - preference.share)
    least = np.append(np.where(settles, enough * (1 - _NEAR), np.inf), np.inf)
    pool = np.flatnonzero(allowed & (bound >= least[problem.groups]))

    def same(pages: np.ndarray) -> np.ndarray:
        group = problem.groups[pages]
        alike: np.ndarray = _weigh(state, depth, pages) >= enough[group]
        if depth != problem.hops:
            alike[alike] = gains(state, pages[alike]) >= enough_gain[group[alike]]
        return alike

    taken = np.where(settles, settle(state, np.where(settles, page, -1), pool, same, depth), page)
    changed = taken != best
    if changed.any():
        weight = weight.copy()
        weight[changed] = _weigh(state, depth, taken[changed])
        state.preferred += int(changed.sum())
        gain = _gains(state, depth, taken, weight)
        state.preference_cost += float((best_gain[changed] - gain[changed]).sum())
    return taken, weight


def _gains(state: Coverage, depth: int, pages: np.ndarray, weight: np.ndarray) -> np.ndarray:
    """What pages would add: what they weigh, where the search looks as far as a seed reaches."""
    return weight if depth == state.problem.hops else gains(state, pages)


def _left(state: Coverage) -> np.ndarray | float:
    """What is left of positive worth in the group of each page; one number where there is one group."""
    problem = state.problem
    left = problem.per_group(np.maximum(state.weight, 0))
    return float(left[0]) if problem.group is None else np.append(left, 0.0)[problem.groups]


def _first(problem: CoverageProblem, bound: np.ndarray, allowed: np.ndarray) -> np.ndarray:
    """The allowed page with the largest bound, rounded, in each group, ties by smaller id; -1 where none is allowed."""
    if problem.group is not None:
        return first_by_group(problem, rounded(bound), allowed)
    top = float(bound.max(where=allowed, initial=-np.inf))
    near = np.flatnonzero(allowed & (bound >= top - _NEAR * abs(top))) if np.isfinite(top) else np.flatnonzero(allowed)
    if not len(near):
        return np.array([-1])
    return near[[np.argmax(rounded(bound[near]))]]


def _that_may_win(
    problem: CoverageProblem, bound: np.ndarray, allowed: np.ndarray, best: np.ndarray, best_page: np.ndarray
) -> tuple[np.ndarray, np.ndarray]:
    """Allowed pages whose bound, rounded, comes before the best of their group; and that number for each of them."""
    # Only what is near the best or above is rounded: rounding all would take as long as a pass over the links.
    near = np.where(np.isfinite(best), best - _NEAR * np.abs(best), -np.inf)
    if problem.group is None:
        pages = np.flatnonzero(allowed & (bound >= near[0]))
    else:
        pages = np.flatnonzero(allowed & (problem.groups >= 0) & (bound >= np.append(near, np.inf)[problem.groups]))
    key = rounded(bound[pages])
    wins = _may_win(problem, key, pages, best, best_page)
    return pages[wins], key[wins]


def _weigh_by_bound(
    state: Coverage, depth: int, key: np.ndarray, pages: np.ndarray, best: np.ndarray, best_page: np.ndarray
) -> None:
    """Weigh pages in the order of their bound `key`, in growing blocks, until none that is left can beat the best."""
    problem = state.problem
    in_order = np.lexsort((pages, -key, problem.groups[pages]))
    pages, key = pages[in_order], key[in_order]
    group = problem.groups[pages]
    first_block = _FIRST_BLOCK if depth <= 2 else _FIRST_LARGE_BLOCK
    if state.clock.limited:
        first_block = min(first_block, _SWEEP)
    block = max(first_block // max(len(np.unique(group)), 1), 4)
    place = _place_in_group(group)
    done = 0
    while True:
        now = (place >= done) & (place < done + block) & _may_win(problem, key, pages, best, best_page)
        if not now.any():
            return
        if state.late:
            state.hurried = True
            return
        some = pages[now]
        _take_best(best, best_page, *_by_group(problem, some, _weigh(state, depth, some)))
        done += block
        block = state.clock.balls(min(2 * block, _LARGEST_BLOCK), _SWEEP)


def _may_win(
    problem: CoverageProblem, key: np.ndarray, pages: np.ndarray, best: np.ndarray, best_page: np.ndarray
) -> np.ndarray:
    """Whether the bound `key` of a page comes before the best found in its group, by more than is tolerated."""
    group = problem.groups[pages]
    enough = best * np.where(best > 0, 1 + problem.search.tolerance, 1)
    return _precedes(key, pages, enough[group], best_page[group])


def _by_group(
    problem: CoverageProblem, pages: np.ndarray, weights: np.ndarray
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Groups of some pages, and the best page of each: by weight, then smaller id."""
    group = problem.groups[pages]
    order = np.lexsort((pages, -weights, group))
    groups, first = np.unique(group[order], return_index=True)
    return groups, pages[order][first], weights[order][first]


def _take_best(
    best: np.ndarray, best_page: np.ndarray, groups: np.ndarray, pages: np.ndarray, weights: np.ndarray
) -> None:
    better = _precedes(weights, pages, best[groups], best_page[groups]) | (best_page[groups] < 0)
    best[groups[better]], best_page[groups[better]] = weights[better], pages[better]


def _weigh(state: Coverage, depth: int, pages: np.ndarray) -> np.ndarray:
    """Rounded weights of balls; remembers their positive part for later rounds."""
    engine = state.problem.engine
    state.evaluations += len(pages)
    with state.clock.summing(len(pages), _SWEEP):
        weights = engine.ball_weight(state.weight, depth, pages)
        if (state.weight < 0).any():
            state.known[depth][pages] = engine.ball_weight(np.maximum(state.weight, 0), depth, pages)
        else:
            state.known[depth][pages] = weights
    return rounded(weights)


def _precedes(score: np.ndarray, page: np.ndarray, other: np.ndarray, other_page: np.ndarray) -> np.ndarray:
    """Whether a page comes before another: larger score, or the same and a smaller id."""
    return (score > other) | ((score == other) & (page < other_page))


def _place_in_group(group: np.ndarray) -> np.ndarray:
    """Position of each entry within its run of equal (sorted) groups."""
    if not len(group):
        return np.empty(0, np.int64)
    starts = np.flatnonzero(np.append(True, group[1:] != group[:-1]))
    return np.arange(len(group)) - np.repeat(starts, np.diff(np.append(starts, len(group))))
