"""From an interval to a verdict."""

from __future__ import annotations

from seedrank.evaluate.experiment import Verdict
from seedrank.evaluate.intervals import Interval

__all__ = ["exceeds"]


def exceeds(interval: Interval, value: float = 0.0, name: str = "0") -> tuple[Verdict, str]:
    """Whether all of an interval lies above `value` (called `name`), below it, or neither; and why it is undecided."""
    if interval.low > value:
        return "holds", ""
    if interval.high < value:
        return "does not hold", ""
    return "cannot be judged", f"the interval contains {name}"
