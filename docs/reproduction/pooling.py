"""One estimate from several graphs: random effects, every graph counting alike.

Graphs differ by more than chance. With weights by their errors, one graph that is measured a hundred times as exactly
as the others decides alone wherever the spread between three graphs is estimated as nothing, and intervals of 95 %
cover half of the cases (tests/unit/experiments/test_intervals.py). With equal weights the interval of Hartung and Knapp
is Student's over the graphs' estimates, which covers what it says. Ratios are pooled by their logarithms: their pooled
estimate is a geometric mean. A site counts once: several recordings of one site are averaged first. Where sites are
what is drawn (coverage), a graph weighs by its sites, and is a cluster of them: the spread between graphs counts as
well as the error within, with Student's t of k − 1. Graphs without room do not enter.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from seedrank.experiments.claim_specs import MARGINS, Margin
from seedrank.experiments.intervals import LEVEL, Interval
from seedrank.experiments.verdicts import conjunction, judged_again, without_parts
from seedrank.runs.experiment import Claim

__all__ = ["FEWEST_GRAPHS", "Pooled", "counts", "pool", "random_effects"]

FEWEST_GRAPHS = 3
"""Graphs below which nothing is pooled."""


@dataclass(frozen=True)
class Pooled:
    """A claim over several graphs."""

    claim: Claim
    """With the pooled estimate, interval and verdict; ``n`` counts graphs."""
    graphs: Mapping[str, Claim]
    """The claim on each graph that entered, by name."""
    parts: Sequence[Pooled] = ()
    """Its parts, pooled alike; none where it has one part."""


def random_effects(
    values: Sequence[float] | np.ndarray,
    level: float = LEVEL,
    unit: str = "graphs",
    weights: Sequence[float] | None = None,
    errors: Sequence[float] | None = None,
) -> Interval:
    """The mean over graphs and its interval.

    Graphs weigh alike, by the spread of the estimates, unless `weights` and standard `errors` are given. `level` is how
    often the interval is to contain the true mean.
    """
    from scipy.stats import t

    y = np.asarray(values, np.float64)
    if weights is None or errors is None:
        mean, error = float(y.mean()), float(y.std(ddof=1)) / math.sqrt(len(y))
    else:
        share, within = np.asarray(weights, np.float64) / float(np.sum(weights)), np.asarray(errors, np.float64) ** 2
        between = max(0.0, float(y.var(ddof=1)) - float(within.mean()))
        mean, error = float(share @ y), math.sqrt(float(share**2 @ (within + between)))
    half = float(t.ppf((1 + level) / 2, len(y) - 1)) * error
    return Interval(mean, mean - half, mean + half, len(y), unit, error)


def counts(claim: Claim) -> bool:
    """Whether a claim may enter a pooled line: measured on a graph that may, and not true by construction."""
    return not claim.apart and not claim.by_construction and not math.isnan(claim.value)


def pool(
    graphs: Mapping[str, Sequence[Claim]], level: float = LEVEL, sites: Mapping[str, str] | None = None
) -> list[Pooled]:
    """Every claim that three or more recorded sites measure, over those sites.

    Parameters
    ----------
    graphs
        Claims by the name of the graph. Claims that must stay apart (synthetic webs, graphs without hosts) or hold by
        arithmetic are left out.
    level
        Of the intervals.
    sites
        The site that a graph is of, where several are of one: they are averaged first. Other graphs are their own.
    """
    sites = sites or {}
    rows: dict[tuple[str, str], dict[str, Claim]] = {}
    for graph, claims in graphs.items():
        for claim in claims:
            if counts(claim):
                rows.setdefault((claim.key, claim.part), {})[graph] = claim
    found = []
    for key in dict.fromkeys(key for key, _ in rows):
        parts = {part: some for (other, part), some in rows.items() if other == key}
        named = [
            _pooled(some, level, sites) for part, some in parts.items() if part and _sites(some, sites) >= FEWEST_GRAPHS
        ]
        whole = parts.get("", {})
        if named:
            few = {part: some for part, some in parts.items() if part and _sites(some, sites) < FEWEST_GRAPHS}
            found.append(Pooled(_all_of(named, few), whole, named))
        elif _sites(whole, sites) >= FEWEST_GRAPHS and set(parts) == {""}:
            found.append(_pooled(whole, level, sites))
    return found


def _all_of(parts: Sequence[Pooled], few: Mapping[str, Mapping[str, Claim]]) -> Claim:
    claim = conjunction([one.claim for one in parts])
    if not few:
        return claim
    note = f"parts that fewer than {FEWEST_GRAPHS} graphs have are left out: {', '.join(few)}"
    return without_parts(replace(claim, why="; ".join(text for text in (claim.why, note) if text)), few)


def _sites(graphs: Mapping[str, Claim], sites: Mapping[str, str]) -> int:
    return len({sites.get(graph, graph) for graph in graphs})


def _pooled(graphs: Mapping[str, Claim], level: float, sites: Mapping[str, str]) -> Pooled:
    by_site: dict[str, list[Claim]] = {}
    for graph, claim in graphs.items():
        by_site.setdefault(sites.get(graph, graph), []).append(claim)
    first, some = next(iter(graphs.values())), list(by_site.values())
    values = np.array([np.mean([one.value for one in claims]) for claims in some])
    margin, unit, over = MARGINS[first.quantity], "graphs" if len(some) == len(graphs) else "sites", ""
    if margin.pool == "sites" and all(one.error == one.error for one in graphs.values()):
        # A graph holds many sites here: no two graphs are of one.
        counted, errors = ([float(getattr(one, name)) for one in graphs.values()] for name in ("n", "error"))
        interval = random_effects(values, level, "graphs", counted, errors)
        over = f"over {int(sum(counted)):,} sites"
    elif margin.ratio and bool((values > margin.lowest).all()):
        interval = _of_ratios(values, margin, level)
    else:
        interval = random_effects(values, level)
    claim = judged_again(first, replace(interval, unit=unit))
    why = "; ".join(text for text in (claim.why, over) if text)
    return Pooled(replace(claim, headroom=math.nan, why=why), dict(graphs))


def _of_ratios(values: np.ndarray, margin: Margin, level: float) -> Interval:
    """The geometric mean of what lies above the lowest possible value."""
    found = random_effects(np.log(values - margin.lowest), level)
    with np.errstate(over="ignore"):
        value, low, high = (float(np.exp(end)) for end in (found.value, found.low, found.high))
    value, low, high = (end + margin.lowest for end in (value, low, high))
    return Interval(value, low, high, found.n, found.unit, found.error * (value - margin.lowest))
