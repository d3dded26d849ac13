"""One estimate from several graphs: random effects with Hartung-Knapp intervals.

Graphs differ by more than chance, so the spread between them counts: its variance is estimated by Paule and Mandel's
equation, and the interval is Student's with one degree of freedom fewer than graphs.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from seedrank.evaluate.experiment import SYNTHETIC, Claim
from seedrank.evaluate.intervals import LEVEL, Interval
from seedrank.evaluate.verdicts import conjunction, judged_again

__all__ = ["FEWEST_GRAPHS", "Pooled", "pool", "random_effects"]

FEWEST_GRAPHS = 3
"""Graphs below which nothing is pooled."""


@dataclass(frozen=True)
class Pooled:
    """A claim over several graphs.

    Parameters
    ----------
    claim
        With the pooled estimate, interval and verdict; ``n`` counts graphs.
    graphs
        The claim on each graph that entered, by name.
    parts
        Its parts, pooled alike; none where it has one part.
    """

    claim: Claim
    graphs: Mapping[str, Claim]
    parts: Sequence[Pooled] = ()


def random_effects(values: Sequence[float], errors: Sequence[float], unit: str = "graphs") -> Interval:
    """The mean over graphs and its interval.

    Parameters
    ----------
    values
        An estimate per graph.
    errors
        Their standard errors; 0 or NaN where a graph gives one number.
    unit
        What is counted.
    """
    from scipy.stats import t

    y = np.asarray(values, np.float64)
    v = np.nan_to_num(np.asarray(errors, np.float64)) ** 2
    k = len(y)
    weights = 1 / (v + _between(y, v)) if (v + _between(y, v)).all() else np.ones(k)
    mean = float(weights @ y / weights.sum())
    error = math.sqrt(float(weights @ (y - mean) ** 2) / ((k - 1) * float(weights.sum())))
    half = float(t.ppf((1 + LEVEL) / 2, k - 1)) * error
    return Interval(mean, mean - half, mean + half, k, unit, error)


def pool(graphs: Mapping[str, Sequence[Claim]]) -> list[Pooled]:
    """Every claim that three or more recorded graphs measure, over those graphs.

    Parameters
    ----------
    graphs
        Claims by the name of the graph. Claims that must stay apart (synthetic webs, graphs without hosts) are left
        out.
    """
    rows: dict[tuple[str, str], dict[str, Claim]] = {}
    for graph, claims in graphs.items():
        for claim in claims:
            if not claim.apart and claim.by_construction != SYNTHETIC and not math.isnan(claim.value):
                rows.setdefault((claim.key, claim.part), {})[graph] = claim
    found = []
    for key in dict.fromkeys(key for key, _ in rows):
        parts = {part: some for (other, part), some in rows.items() if other == key and len(some) >= FEWEST_GRAPHS}
        named = [_pooled(some) for part, some in parts.items() if part]
        if named:
            whole = rows.get((key, ""), {})
            found.append(Pooled(conjunction([one.claim for one in named]), whole, named))
        elif "" in parts:
            found.append(_pooled(parts[""]))
    return found


def _pooled(graphs: Mapping[str, Claim]) -> Pooled:
    claims = list(graphs.values())
    interval = random_effects([one.value for one in claims], [one.error for one in claims])
    return Pooled(judged_again(claims[0], interval), dict(graphs))


def _between(y: np.ndarray, v: np.ndarray) -> float:
    """Variance between graphs, by Paule and Mandel: the one that makes the weighted spread what chance would give."""

    def surplus(variance: float) -> float:
        weights = 1 / (v + variance)
        mean = weights @ y / weights.sum()
        return float(weights @ (y - mean) ** 2) - (len(y) - 1)

    top = float(np.var(y, ddof=1)) if len(y) > 1 else 0.0
    if top == 0 or (v.all() and surplus(0.0) <= 0):
        return 0.0
    low, high = 0.0, top
    while surplus(high) > 0:
        high *= 2
    for _ in range(200):
        middle = (low + high) / 2
        low, high = (middle, high) if middle > 0 and surplus(middle) > 0 else (low, middle)
    return high
