"""Whether what was fitted is worth using: repeated splits against the default, pair by pair."""

from __future__ import annotations

import numpy as np

from seedrank.core.errors import GraphError
from seedrank.experiments.intervals import FEWEST, Interval, mean_interval
from seedrank.runs.facts import AdviceFacts

__all__ = ["advise", "share_interval"]


def advise(fitted: np.ndarray, default: np.ndarray) -> AdviceFacts:
    """The shares of both with their intervals, that of their difference, and what follows.

    The advice is to ``use`` what was fitted where the whole interval of the difference is above 0, otherwise to
    ``keep`` the default. A split whose judging pages have no impact has no share and is left out.

    Parameters
    ----------
    fitted, default
        float64 per split: impact shares of both on the same pages, that nothing was fitted on.
    """
    told = np.isfinite(fitted) & np.isfinite(default)
    if told.sum() < FEWEST:
        raise GraphError(
            f"{told.sum()} of {len(told)} splits have impact among the pages that judge, too few to advise",
            hint="hide more pages with {hide}, or try more {splits}",
            fields=("hide", "splits"),
        )
    share, usual = share_interval(fitted[told]), share_interval(default[told])
    gain = mean_interval(fitted[told] - default[told])
    return {
        "advice": "use" if gain.low > 0 else "keep",
        "share": share.value,
        "low": share.low,
        "high": share.high,
        "default_share": usual.value,
        "default_low": usual.low,
        "default_high": usual.high,
        "gain": gain.value,
        "gain_low": gain.low,
        "gain_high": gain.high,
        "splits": int(told.sum()),
        "intervals": "95 %, over splits of this graph",
    }


def share_interval(shares: np.ndarray) -> Interval:
    """Interval of a mean share; its ends are shares too, from 0 to 1."""
    found = mean_interval(shares)
    return Interval(found.value, max(found.low, 0.0), min(found.high, 1.0))
