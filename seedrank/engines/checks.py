"""Checks of arguments, shared by the engines: what passes has the right type, length and range."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import get_args

import numpy as np

from seedrank.core import numbers
from seedrank.core.errors import GraphError, UsageError, shorten
from seedrank.engines.base import Dangling, LinkSet, Walk
from seedrank.engines.extrapolate import CLOSE

__all__ = [
    "MOST_KEPT", "MOST_STEPS", "WalkProblem", "damping_in_range", "everything", "flags", "hops", "link_sets",
    "most_sent", "most_steps", "number_of", "page_ids", "pages", "per_page", "positive_tolerance", "sites",
    "unit_teleport", "walk", "walked",
]  # fmt: skip

MOST_STEPS = 256
"""Hops up to which a bound is found step by step: each reads all links, and a web is not as deep."""

MOST_KEPT = 1 + 1e-9
"""What a page may send of its score, as rounded, where the sum of a walk bounds what its residual is divided by."""
MOST_PLAIN_STEPS = 1_000_000
"""Steps at which a walk gives up, unless told otherwise, and says so."""


@dataclass(frozen=True)
class WalkProblem:
    """A walk that was asked for, as `walk` has checked it; the names are those of `WalkOptions`."""

    sets: tuple[LinkSet, ...]
    damping: float
    teleport: np.ndarray | None
    """Sums to 1; uniform when `None`."""
    dangling: Dangling
    tolerance: float
    most_steps: int


def walk(
    sets: Sequence[LinkSet],
    count: int,
    *,
    damping: float = 0.85,
    teleport: np.ndarray | None = None,
    dangling: Dangling = "teleport",
    tolerance: float = 1e-12,
    max_iterations: int | None = None,
) -> WalkProblem:
    """What `Engine.walk` is asked for, over `count` pages."""
    if dangling not in get_args(Dangling):
        raise UsageError(f"dangling must be uniform, teleport or drop, not {dangling!r}")
    damping = damping_in_range(damping)
    checked = link_sets(sets, count, damping)
    start, tolerance = unit_teleport(teleport, count), positive_tolerance(tolerance)
    most = most_steps(max_iterations, checked, damping, tolerance)
    return WalkProblem(checked, damping, start, dangling, tolerance, most)


def walked(problem: WalkProblem, scores: np.ndarray, iterations: int, residual: float) -> Walk:
    """The answer to a walk; scores that sum to 1 are divided by their sum where the tolerance leaves it farther off.

    Over several sets, a page with links in some of them only loses a part.
    """
    one, *others = problem.sets
    whole = not others and one.factor is None and one.share == 1 and problem.dangling != "drop"
    if whole and problem.damping > CLOSE:
        residual /= scores.sum()
        scores /= scores.sum()
    return Walk(scores, iterations, float(residual), bool(residual <= problem.tolerance))


def pages(count: int) -> int:
    """The number of pages, at least 1."""
    if count < 1:
        raise GraphError("the graph has no pages", hint="load some")
    return count


def damping_in_range(value: float) -> float:
    """A damping factor in (0, 1)."""
    if not 0 < value < 1:
        raise UsageError(f"damping must be above 0 and below 1, not {value}")
    return float(value)


def positive_tolerance(value: float) -> float:
    """A tolerance above 0."""
    if not 0 < value < np.inf:
        raise UsageError(f"tolerance must be above 0, not {value}")
    return float(value)


def most_steps(value: int | None, sets: Sequence[LinkSet], damping: float, tolerance: float) -> int:
    """A limit of a walk's steps; when `None` more than plain steps need to get from 1 to the tolerance."""
    if value is not None:
        return number_of("max_iterations", value)
    needed = math.log(min(tolerance, 0.5) / 2) / math.log(damping * min(most_sent(sets), 1.0) or 0.5)
    return 500 + min(int(1.2 * needed), MOST_PLAIN_STEPS)


def number_of(what: str, value: int, most: int | None = None) -> int:
    """A count of at least 1, and at most `most`."""
    numbers.whole(what, value, 1, most)
    return int(value)


def hops(value: int, count: int) -> int:
    """A number of hops, 0 or more; no path to a page is longer than there are pages."""
    if value < 0:
        raise UsageError(f"hops must be 0 or more, not {value}")
    return min(int(value), count)


def everything(weight: np.ndarray) -> np.ndarray:
    """The bound of any ball, however wide: all positive weight there is, also as rounded."""
    whole = float(weight.sum()) * (1.0 + 2 * len(weight) * float(np.finfo(np.float64).eps))
    return np.full(len(weight), whole)


def per_page(what: str, values: np.ndarray, count: int) -> np.ndarray:
    """Finite numbers, one per page, as float64."""
    array = np.ascontiguousarray(values, np.float64)
    _one_per_page(what, array, count)
    wrong = np.flatnonzero(~np.isfinite(array))
    if len(wrong):
        raise UsageError(f"{what} of page {wrong[0]} is {array[wrong[0]]}", hint="give a finite number")
    return array


def non_negative(what: str, values: np.ndarray, count: int) -> np.ndarray:
    """The same, none below 0."""
    array = per_page(what, values, count)
    wrong = np.flatnonzero(array < 0)
    if len(wrong):
        raise UsageError(f"{what} of page {wrong[0]} is {array[wrong[0]]}", hint="give 0 or more")
    return array


def unit_teleport(values: np.ndarray | None, count: int) -> np.ndarray | None:
    """A teleport vector that sums to 1; `None` (uniform) stays `None`."""
    if values is None:
        return None
    array = non_negative("teleport weight", values, count)
    largest = array.max()
    if largest == 0:
        raise UsageError("every teleport weight is 0", hint="give at least one page a weight above 0")
    array = array / largest  # first, so that the sum of huge or tiny weights neither overflows nor vanishes
    return np.asarray(array / array.sum())


def flags(what: str, values: np.ndarray, count: int) -> np.ndarray:
    """One boolean per page."""
    array = np.ascontiguousarray(values)
    _one_per_page(what, array, count)
    if array.dtype != np.bool_:
        raise UsageError(f"{what} must be booleans, one per page, not {array.dtype}")
    return array


def sites(what: str, values: np.ndarray, count: int) -> np.ndarray:
    """A site per page, int32."""
    array = np.ascontiguousarray(values, np.int32)
    if array.shape != (count,):
        raise UsageError(f"{what}: {array.size} sites for {count} pages", hint="give one per page")
    return array


def page_ids(what: str, values: np.ndarray, count: int) -> np.ndarray:
    """Page ids in range, as int64."""
    array = np.atleast_1d(np.asarray(values))
    if array.ndim != 1 or (array.size and array.dtype.kind not in "iu"):
        raise UsageError(f"{what} must be whole numbers of pages, not {shorten(values)}")
    array = np.ascontiguousarray(array, np.int64)
    wrong = array[(array < 0) | (array >= count)]
    if len(wrong):
        raise UsageError(f"{what}: there is no page {wrong[0]}", hint=f"page ids go from 0 to {count - 1}")
    return array


def link_sets(sets: Sequence[LinkSet], count: int, factor_of_damping: float) -> tuple[LinkSet, ...]:
    """Link sets with checked arrays, whose walk converges."""
    if not sets:
        raise UsageError("a walk needs at least one link set")
    checked = tuple(_link_set(one, count) for one in sets)
    if sum(one.share for one in checked) > 1 + 1e-12:
        raise UsageError(f"the shares of the link sets sum to {sum(one.share for one in checked)}, above 1")
    rate = factor_of_damping * most_sent(checked)
    if rate >= 1:
        raise UsageError(
            f"damping × share × factor reaches {rate:.6g}: such a walk does not converge",
            hint="give factors of at most 1",
        )
    return checked


def most_sent(sets: Sequence[LinkSet]) -> float:
    """The largest share of its score that a page can send on."""
    return sum(one.share * (1.0 if one.factor is None else float(one.factor.max())) for one in sets)


def _link_set(one: LinkSet, count: int) -> LinkSet:
    if not 0 <= one.share <= 1:
        raise UsageError(f"share of a link set must be from 0 to 1, not {one.share}")
    factor = None if one.factor is None else non_negative("factor", one.factor, count)
    if one.links is None:
        return LinkSet(one.share, factor)
    source = page_ids("source of a link", one.links[0], count)
    target = page_ids("target of a link", one.links[1], count)
    weight = np.ascontiguousarray(one.links[2], np.float64)
    if not len(source) == len(target) == len(weight):
        raise UsageError(f"links have {len(source)} sources, {len(target)} targets and {len(weight)} weights")
    wrong = np.flatnonzero(~(np.isfinite(weight) & (weight > 0)))
    if len(wrong):
        raise UsageError(f"weight of link {wrong[0]} is {weight[wrong[0]]}", hint="give a finite number above 0")
    return LinkSet(one.share, factor, (source, target, weight))


def _one_per_page(what: str, array: np.ndarray, count: int) -> None:
    if array.shape != (count,):
        raise UsageError(f"{what}: {array.size} values for {count} pages", hint="give one per page")
