"""What Alam et al. claims of its orders, judged over seed sets (docs/algorithms.md §4.1)."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from seedrank.evaluate.experiment import Claim, Verdict
from seedrank.evaluate.intervals import Interval, paired_difference, ratio_over

__all__ = ["judge"]

PAPER = "002"
ALIKE = 2.0
"""Per cent of the area within which two orders count as alike: the paper's curves lie on one another."""
LEAST_SECONDS = 0.1
"""Seconds of scheduling below which two orders cannot be told apart."""
MEASURABLE = 10.0
"""Seconds of scheduling below which the course of the time is noise."""

Judged = tuple[str, Verdict, str]
"""What was measured, the verdict, and why."""


def judge(tables: Mapping[str, pa.Table], rng: int) -> list[Claim]:
    """Every claim with what was measured and its verdict.

    Parameters
    ----------
    tables
        Of the experiment: ``seed-sets`` has a row per order and set, ``curves`` the course of each order.
    rng
        Of the resamples.
    """
    some = _Sets(tables["seed-sets"], tables["curves"], rng)
    windowed = "windowed-rankmass:5%"
    claims: list[tuple[str, str, tuple[str, str], Callable[[str, str], Judged]]] = [
        ("FPR is as good as windowed RankMass 5 %", "curves on one another", ("fpr", windowed), some.alike),
        ("FPR@2 is better than FPR", "higher curve", ("fpr@2", "fpr"), some.higher),
        ("FPR@20 is better than FPR@2", "higher curve", ("fpr@20", "fpr@2"), some.higher),
        ("FPR@100 is at least as good as FPR@20", "slightly higher curve", ("fpr@100", "fpr@20"), some.at_least),
        ("M above 100 gains nothing", "no gain", ("fpr@1000", "fpr@100"), some.no_gain),
        ("FPR takes less scheduling time than windowed RankMass 5 %", "2 h and 9 h for 80 M pages", ("fpr", windowed),
         some.faster),
        ("FPR@M takes longer than FPR at first and less overall", "figure 3", ("fpr@100", "fpr"), some.slower_at_first),
        ("A large M fetches more spam early (robustness to spam is future work there)", "", ("fpr@100", "fpr"),
         some.more_spam),
    ]  # fmt: skip
    return [_claim(some, *one) for one in claims]


def _claim(
    some: _Sets, text: str, reported: str, orders: tuple[str, str], judged: Callable[[str, str], Judged]
) -> Claim:
    """A claim about two orders; it cannot be judged where one of them was not run."""
    lacking = [name for name in orders if name not in some.orders]
    if lacking:
        return Claim(PAPER, text, reported, "", "cannot be judged", f"{', '.join(lacking)} was not run")
    return Claim(PAPER, text, reported, *judged(*orders))


class _Sets:
    """Two orders at a time, compared over the seed sets both began from."""

    def __init__(self, sets: pa.Table, curves: pa.Table, rng: int) -> None:
        self.sets, self.curves, self.rng = sets, curves, rng
        self.orders: Sequence[str] = list(dict.fromkeys(sets["order"].to_pylist()))

    def column(self, order: str, name: str) -> np.ndarray:
        """One number per set."""
        return np.asarray(self.sets.filter(pc.equal(self.sets["order"], order))[name].to_numpy(), np.float64)

    def lift(self, one: str, other: str) -> Interval:
        """How much larger the area under the curve is, in per cent."""
        return ratio_over(self.column(one, "pagerank_area"), self.column(other, "pagerank_area"), rng=self.rng)

    def higher(self, one: str, other: str) -> Judged:
        found = self.lift(one, other)
        return f"area {found} % larger", _sign(found), ""

    def alike(self, one: str, other: str) -> Judged:
        found = self.lift(one, other)
        within = found.low >= -ALIKE and found.high <= ALIKE
        beyond = found.low > ALIKE or found.high < -ALIKE
        verdict: Verdict = "holds" if within else "does not hold" if beyond else "cannot be judged"
        return f"area {found} % larger", verdict, f"alike means within {ALIKE:g} % of the area"

    def at_least(self, one: str, other: str) -> Judged:
        found = self.lift(one, other)
        verdict: Verdict = (
            "does not hold" if found.below_zero else "holds" if found.low > -ALIKE else "cannot be judged"
        )
        return f"area {found} % larger", verdict, ""

    def no_gain(self, one: str, other: str) -> Judged:
        found = self.lift(one, other)
        verdict: Verdict = (
            "holds" if found.high <= ALIKE else "does not hold" if found.low > ALIKE else "cannot be judged"
        )
        text = f"area {found} % larger with M = 1000 than with 100"
        return text, verdict, f"a gain is more than {ALIKE:g} % of the area"

    def faster(self, one: str, other: str) -> Judged:
        """Whether `one` is faster than windowed RankMass."""
        slow, fast = self.column(other, "seconds"), self.column(one, "seconds")
        found = ratio_over(slow, fast, rng=self.rng)
        factor = Interval(*(1 + value / 100 for value in (found.value, found.low, found.high)))
        text = f"windowed RankMass takes {factor} times as long"
        if slow.mean() < LEAST_SECONDS:
            return text, "cannot be judged", f"less than {LEAST_SECONDS:g} s: too short to tell"
        return text, _sign(found), ""

    def slower_at_first(self, one: str, other: str) -> Judged:
        weighted, plain = self._seconds(one), self._seconds(other)
        first = weighted(0.1) - plain(0.1)
        overall = weighted(1.0) - plain(1.0)
        text = f"{first:+.3g} s after a tenth of the pages, {overall:+.3g} s overall"
        if plain(1.0) < MEASURABLE:
            return text, "cannot be judged", f"an order of less than {MEASURABLE:g} s says nothing about its parts"
        return text, "holds" if first > 0 > overall else "does not hold", "one run each; times of this machine"

    def more_spam(self, one: str, other: str) -> Judged:
        if "spam_10" not in self.sets.column_names or self.sets["spam_10"].null_count:
            return "", "cannot be judged", "pages have no column `spam`, or too few can be reached"
        more, less = self.column(one, "spam_10"), self.column(other, "spam_10")
        found = paired_difference(more, less, rng=self.rng)
        return f"{more.mean():.2%} against {less.mean():.2%} of the first tenth, difference {found}", _sign(found), ""

    def _seconds(self, order: str) -> Callable[[float], float]:
        """Scheduling time of an order after a share of its fetches."""
        table = self.curves.filter(pc.equal(self.curves["order"], order))
        pages, seconds = table["pages"].to_numpy(), table["seconds"].to_numpy()
        return lambda part: float(np.interp(part * pages[-1], pages, seconds))


def _sign(found: Interval) -> Verdict:
    return "holds" if found.above_zero else "does not hold" if found.high <= 0 else "cannot be judged"
