"""Damped walks in memory: Gauss-Seidel over the graph's own links, power iteration over several link sets.

**One set of own links** (PageRank, RW). Let z solve ``z = v + d·P z``, P without the dangling pages' rows. The walk's
fixed point is a multiple of z whichever way the dangling mass m goes, since it only adds to the right side:

* drop: x = (1-d) z;
* teleport: x = t z with t = (1-d) + d·m and m = t·D, D the sum of z over dangling pages, so t = (1-d) / (1 - d·D);
* uniform with teleport vector v: x = (1-d) z_v + d·m·z_u with m = (1-d)·D_v / (1 - d·D_u).

So nothing but P is iterated, dangling pages stay out of the sweeps, and Gauss-Seidel's known trouble with dangling
mass does not arise. If e is how much the sent score moved in the last step (L1), the residual of the step's result
is at most d·e, and its error at most e·d / (1-d): the same as for power iteration.

Where links are in memory, strong components are solved one after the other, those first that the others get from. What
each still moves adds up, so a component's part of the tolerance is that of its pages.

Close to damping 1 a sweep takes off too little: there all pages are swept, and the sweeps extrapolated
(`seedrank.engines.extrapolate`).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial

import numpy as np

from seedrank.engines import checks
from seedrank.engines.base import LinkSet, Walk
from seedrank.engines.checks import WalkProblem
from seedrank.engines.extrapolate import CLOSE, Extrapolation
from seedrank.engines.extrapolate import memory_of as memory_of_extrapolation
from seedrank.engines.kernels import components, csr
from seedrank.engines.kernels import walk as kernels

__all__ = ["OwnLinks", "memory_of", "one_set", "several_sets", "shares_at_once", "with_dangling"]

BY_COMPONENT, IN_LANES = 1 << 18, 1 << 24
"""Links and pages from which a walk is solved component by component, and from which by sweeps in four lanes: a search
for components jumps through the links, which must not be on disk."""
IN_TWO_LANES = 1 << 30
"""Links and pages from which two lanes must do: what the others would take is better used to keep links in memory."""
LARGE = 1 << 14
"""Pages of a component that is worth two lanes."""
BLOCKS = 4


_Arrays = tuple[np.ndarray, np.ndarray, np.ndarray | None, np.ndarray, np.ndarray, np.ndarray, float]
"""What a sweep takes: offsets, sources and weights of the in-links, strength, coefficient, v, damping."""


@dataclass(frozen=True)
class OwnLinks:
    """The graph's links as the kernels take them: read-only arrays and the chunks of a sweep."""

    in_offsets: np.ndarray
    in_sources: np.ndarray
    in_weights: np.ndarray | None
    """`None` where every weight is 1."""
    strength: np.ndarray
    """Per page: what its links weigh together."""
    bounds: np.ndarray
    """Chunks of a plain step."""

    @property
    def pages(self) -> int:
        """Pages of the graph."""
        return len(self.strength)

    @property
    def dangling(self) -> np.ndarray:
        """Boolean per page: sends over no link, because it has none or all of them weigh 0."""
        return self.strength == 0

    @property
    def arrays(self) -> tuple[np.ndarray, np.ndarray, np.ndarray | None]:
        """What a page receives over."""
        return self.in_offsets, self.in_sources, self.in_weights


def sender_coefficients(links: OwnLinks, sets: Sequence[LinkSet]) -> np.ndarray:
    """float64 per page: what share of its score a page sends per unit of weight: over each link, where all weigh 1."""
    total = np.zeros(links.pages)
    for one in sets:
        total += one.share if one.factor is None else one.share * one.factor
    total[links.dangling] = 0.0
    total /= np.where(links.dangling, 1, links.strength)
    return total


def lanes_of(work: int) -> int:
    """Lanes of sweeps over all pages, by the number of links and pages; each takes 8 bytes a page."""
    if work < BY_COMPONENT:
        return 1
    return 4 if work < IN_TWO_LANES else 2


def memory_of(pages: int, links: int, damping: float = 0.85) -> int:
    """Bytes that a walk over own links takes."""
    work = pages + links
    if damping > CLOSE:
        return (40 + 8 * lanes_of(work)) * pages + memory_of_extrapolation(pages)
    return (72 if BY_COMPONENT <= work < IN_LANES else 40 + 8 * lanes_of(work)) * pages


def one_set(links: OwnLinks, problem: WalkProblem) -> Walk:
    """The walk over the graph's own links only (several sets of them are one, with summed coefficients)."""
    coefficient = sender_coefficients(links, problem.sets)
    tells = checks.most_sent(problem.sets) <= checks.MOST_KEPT

    def solve(v: np.ndarray, tolerance: float, of_sum: bool) -> tuple[np.ndarray, int, float]:
        return _solve(links, coefficient, v, problem.damping, tolerance, problem.most_steps, of_sum and tells)

    return with_dangling(solve, links.dangling, problem)


def with_dangling(
    solve: Callable[[np.ndarray, float, bool], tuple[np.ndarray, int, float]], nowhere: np.ndarray, problem: WalkProblem
) -> Walk:
    """The walk from solutions of ``z = v + damping·P z``, whichever way the dangling mass goes.

    Parameters
    ----------
    solve
        Takes v, a tolerance, and whether that is of the sum of z, if no page sends more than its score; gives z, the
        steps and the residual.
    nowhere
        Boolean per page: sends over no link.
    """
    damping, teleport, tolerance = problem.damping, problem.teleport, problem.tolerance
    v = np.full(len(nowhere), 1.0 / len(nowhere)) if teleport is None else teleport
    if problem.dangling == "drop":
        z, steps, moved = solve(v, tolerance / (1 - damping), False)
        z *= 1 - damping
        residual = moved * (1 - damping)
    elif problem.dangling == "teleport" or teleport is None:
        # At most 1 / Σ z, and exactly that where no score is lost.
        z, steps, moved = solve(v, tolerance, True)
        scale = (1 - damping) / (1 - damping * float(z[nowhere].sum()))
        z *= scale
        residual = moved * scale
    else:
        uniform = np.full(len(nowhere), 1.0 / len(nowhere))
        # Each right side gets half of the tolerance: their errors add.
        z, steps, moved = solve(v, tolerance / (1 - damping) / 2, False)
        z_even, more, moved_even = solve(uniform, tolerance / 2, True)
        mass = (1 - damping) * float(z[nowhere].sum())
        mass /= 1 - damping * float(z_even[nowhere].sum())
        z *= 1 - damping
        z += damping * mass * z_even
        residual = (1 - damping) * moved + damping * mass * moved_even
        steps = max(steps, more)
    return checks.walked(problem, z, steps, residual)


def _solve(
    links: OwnLinks,
    coefficient: np.ndarray,
    v: np.ndarray,
    damping: float,
    tolerance: float,
    max_iterations: int,
    of_sum: bool,
) -> tuple[np.ndarray, int, float]:
    """``z = v + damping·P z``; returns z, the sweeps, and how much the last one moved (L1).

    With `of_sum` the tolerance is a share of the sum of z, 1 + damping · (what is sent).
    """
    arrays = (*links.arrays, links.strength, coefficient, v, damping)
    work = links.pages + len(links.in_sources)
    if BY_COMPONENT <= work < IN_LANES and damping <= CLOSE:
        sends = 1 + damping * float((coefficient * links.strength) @ v) if of_sum else 1.0
        sent_by_page, steps = _by_component(links, arrays, tolerance * sends, max_iterations)
    else:
        lanes = lanes_of(work)
        sent_by_page, steps = _by_lanes(links, arrays, tolerance, max_iterations, of_sum, lanes)
    z, moved = np.empty(links.pages), np.empty(len(links.bounds) - 1)
    kernels.scores(*arrays, sent_by_page, z, links.bounds, moved)
    return z, steps, float(moved.sum())


def _by_component(links: OwnLinks, arrays: _Arrays, tolerance: float, max_iterations: int) -> tuple[np.ndarray, int]:
    """What pages send, and the steps of the slowest component.

    Most of a web's pages lie outside its large components and need one visit; those inside are fewer, and stay in the
    cache. A large component is swept in two lanes, all others in one thread. Takes 48 bytes a page.
    """
    coefficient, v = arrays[-3], arrays[-2]
    label = components.strong(links.in_offsets, links.in_sources)
    starts, members = csr.group(label, links.pages)
    sizes = np.diff(starts)
    per_page = tolerance / max(int(sizes[sizes > 1].sum()), 1)
    y = np.empty((2, links.pages))
    y[0] = coefficient * v
    steps, most, done = 1, max_iterations - 1, len(sizes)
    for large in np.flatnonzero(sizes >= LARGE)[::-1].tolist() if most else []:
        before = kernels.by_component(*arrays, starts, members, done, large + 1, per_page, most, y[0])
        y[1] = y[0]
        inside = members[starts[large] : starts[large + 1]]
        senders = inside[coefficient[inside] != 0]
        enough = partial(_at_most, per_page * len(inside))
        steps = max(steps, 1 + before, _sweep_lanes(links, arrays, senders, y, most, enough))
        done = large
    if most:
        steps = max(steps, 1 + kernels.by_component(*arrays, starts, members, done, 0, per_page, most, y[0]))
    return y[0], steps


def _at_most(allowed: float, moved: float, _sent: float) -> bool:
    return moved <= allowed


def _sweep_lanes(
    links: OwnLinks,
    arrays: _Arrays,
    senders: np.ndarray,
    y: np.ndarray,
    most: int,
    enough: Callable[[float, float], bool],
) -> int:
    """Sweep over `senders`, at most `most` times, in as many lanes as `y` has rows; returns the steps with the first.

    `enough` is asked with what the next plain step can move at most, and what is sent over all links.
    """
    lanes, (strength, coefficient, v, damping) = len(y), arrays[-4:]
    faster = Extrapolation(strength) if damping > CLOSE else None
    blocks = BLOCKS if lanes > 1 else 1
    cut = csr.cut_rows(links.in_offsets, senders, lanes * blocks)
    ends = np.stack([cut[lane * blocks : (lane + 1) * blocks + 1] for lane in range(lanes)])
    sent, moved = np.empty(lanes), np.empty(lanes)
    steps = 1
    while steps <= most:
        kernels.sweep(*arrays, senders, ends, y, sent, moved)
        steps += 1
        # The plain step that follows moves at most damping times what this sweep moved.
        if enough(damping * float(moved.sum()), float(sent.sum())):
            break
        better = None if faster is None else faster.after(y[0], float(moved.sum()))
        if better is not None:
            y[:] = np.maximum(better, coefficient * v)
    return steps


def _by_lanes(
    links: OwnLinks, arrays: _Arrays, tolerance: float, max_iterations: int, of_sum: bool, lanes: int
) -> tuple[np.ndarray, int]:
    """The same by sweeps over all pages."""
    coefficient, v, damping = arrays[-3:]
    senders = csr.rows_in_tiles(links.in_offsets, coefficient != 0)
    # From v on, z only grows, and `1 - damping · D` stays above 0 wherever the sweeps are stopped.
    y = np.empty((lanes, links.pages))
    y[:] = coefficient * v

    def enough(moved: float, sent: float) -> bool:
        return moved <= tolerance * (1 + damping * sent if of_sum else 1.0)

    return y[0], _sweep_lanes(links, arrays, senders, y, max_iterations - 1, enough)


def shares_at_once(
    links: OwnLinks,
    sets: Sequence[LinkSet],
    damping: float,
    teleport: np.ndarray | None,
    tolerance: float,
    max_iterations: int,
) -> np.ndarray:
    """Scores (shares, pages) of walks over own links with one factor and a share each, dangling score dropped."""
    moving = np.flatnonzero([one.share > 0 for one in sets])
    answer = np.empty((len(sets), links.pages))
    coefficient = sender_coefficients(links, [LinkSet(1.0, sets[0].factor if sets else None)])
    base = np.full(links.pages, 1.0 / links.pages) if teleport is None else teleport
    base = (1 - damping) * base
    answer[[one.share == 0 for one in sets]] = base
    columns = kernels.COLUMNS
    groups = -(-len(moving) // columns)
    if not groups:
        return answer
    # Dealt out like cards, so that every group has large shares, which take the most sweeps; spare columns are idle.
    place = np.arange(len(moving))
    rates = np.zeros((groups, columns))
    rates[place % groups, place // groups] = [damping * one.share for one in sets if one.share > 0]
    rows = np.full((groups, columns), -1, np.int64)
    rows[place % groups, place // groups] = moving
    senders = csr.rows_in_tiles(links.in_offsets, coefficient != 0)
    y = np.empty((groups, links.pages, columns))
    y[:] = (coefficient * base)[:, None]
    moved = np.empty((groups, columns))
    for _ in range(max_iterations - 1):
        kernels.sweep_shares(*links.arrays, links.strength, coefficient, base, rates, senders, y, moved)
        # What pages receive next moves at most `rates` times what this sweep moved.
        if (rates * moved <= tolerance).all():
            break
    kernels.scores_of_shares(*links.arrays, coefficient, base, rates, rows, y, answer)
    return answer


def several_sets(links: OwnLinks | None, pages: int, problem: WalkProblem) -> Walk:
    """The walk over own links (`None` when no set has them) and links given as arrays, by power iteration."""
    damping, tolerance, most = problem.damping, problem.tolerance, problem.most_steps
    own = [one for one in problem.sets if one.links is None]
    given = [_Given.of(one, pages) for one in problem.sets if one.links is not None]
    sends_nowhere = np.logical_and.reduce([one.dangling for one in given])
    if links is not None:
        sends_nowhere &= links.dangling
        coefficient = sender_coefficients(links, own)
    v = np.full(pages, 1.0 / pages) if problem.teleport is None else problem.teleport
    x = v.copy()
    steps, residual = 0, np.inf
    faster = Extrapolation() if damping > CLOSE else None
    while steps < most and residual > tolerance:
        steps += 1
        received = np.zeros(pages)
        for one in given:
            kernels.add_weighted(one.in_offsets, one.in_sources, one.in_weights, x, one.coefficient, received)
        after = damping * received + (1 - damping) * v
        if problem.dangling != "drop":
            mass = damping * float(x[sends_nowhere].sum())
            after += mass / pages if problem.dangling == "uniform" else mass * v
        if links is not None:
            base, after = after, received
            moved = np.empty(len(links.bounds) - 1)
            kernels.scores(
                *links.arrays, links.strength, coefficient, base, damping,
                coefficient * x, after, links.bounds, moved,
            )  # fmt: skip
        residual = float(np.abs(after - x).sum())
        better = faster.after(after, residual) if faster and tolerance < residual and steps < most else None
        x = after if better is None else np.maximum(better, (1 - damping) * v)
    return checks.walked(problem, x, steps, residual)


@dataclass(frozen=True)
class _Given:
    """Links given as arrays, by target, with what their senders multiply a weight with."""

    in_offsets: np.ndarray
    in_sources: np.ndarray
    in_weights: np.ndarray
    coefficient: np.ndarray
    dangling: np.ndarray

    @classmethod
    def of(cls, one: LinkSet, pages: int) -> _Given:
        assert one.links is not None
        source, target, weight = one.links
        total = np.bincount(source, weight, minlength=pages)
        has = total > 0
        coefficient = np.zeros(pages)
        coefficient[has] = one.share / total[has] if one.factor is None else one.share * one.factor[has] / total[has]
        in_sources, in_weights = np.empty(len(source), np.int32), np.empty(len(source))
        in_offsets = csr.invert(source, target, weight, pages, in_sources, in_weights)
        return cls(in_offsets, in_sources, in_weights, coefficient, ~has)
