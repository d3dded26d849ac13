"""Numbers without a verdict that the pages quote beside claims: a few of each experiment's tables."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import pyarrow as pa

from seedrank.experiments.intervals import lift_interval, ratio_interval
from seedrank.experiments.ordering.measure import BREADTH_FIRST, WINDOWED
from seedrank.runs.experiment import Experiment

__all__ = ["EARLY", "READINGS", "figures_of"]

EARLY = (0.01, 0.05)
"""Shares of the pages after which orders are compared."""
READINGS = {
    "mean_impact": "mean impact of the pages linked to (judged)",
    "hit_rate": "share of the pages linked to that have any",
    "per_source": "impact of the pages linked to, a linking page",
}
"""Of the impact ratio of Tran et al."""


def figures_of(experiment: Experiment) -> dict[str, Any]:
    """What `docs.reproduction.running` keeps of an experiment beside its claims; empty where nothing is quoted."""
    if experiment.name == "ordering":
        return _orders(experiment.tables)
    if experiment.name == "coverage":
        return _coverage(experiment.tables)
    return _frontier(experiment.tables) if experiment.name == "impact" else {}


def _coverage(tables: Any) -> dict[str, Any]:
    """How many times the pages of a random seed one seed of MaxWeight2 covers, with the interval over sites."""
    frame = tables["coverage"].to_pandas()
    rows = frame[(frame.along == "k") & (frame.k == 1) & (frame.measure == "pages") & (frame.method == "MaxWeight2")]
    if not len(rows) or np.isnan(rows.iloc[0]["over_random"]):
        return {}
    return _plain({"times": _as_times([rows.iloc[0][name] for name in ("over_random", "low", "high")])})


def _orders(tables: Any) -> dict[str, Any]:
    """What orders gain over windowed RankMass, in per cent: over draws with intervals; from the paper's seeds once.

    And how many times the PageRank of breadth first FPR has gathered early.
    """
    early, areas, once = (tables[name].to_pandas() for name in ("reached", "seed-sets", "paper-seeds"))
    by_share = {
        f"{share:g}": early[np.isclose(early["share"], share)].pivot(index="set", columns="order", values="pagerank")
        for share in EARLY
    }
    by_share["area"] = areas.pivot(index="set", columns="order", values="pagerank_area")
    found: dict[str, Any] = {}
    for name, frame in by_share.items():
        if WINDOWED in frame:
            found[name] = {order: _over(frame[order], frame[WINDOWED]) for order in frame.columns.drop(WINDOWED)}
    paper = once.set_index("order")["pagerank_area"]
    if WINDOWED in paper:
        found["paper seeds"] = {order: [100 * (area / paper[WINDOWED] - 1)] for order, area in paper.items()}
    both = {"over windowed": found} if found else {}
    first = by_share[f"{EARLY[-1]:g}"]
    if {"fpr", BREADTH_FIRST} <= set(first):
        both["times"] = _as_times(_over(first["fpr"], first[BREADTH_FIRST]))
    return _plain(both)


def _as_times(more: Sequence[float]) -> list[float]:
    """Per cent more as times as much."""
    return [1 + end / 100 for end in more if not np.isnan(end)]


def _over(one: Any, other: Any) -> list[float]:
    found = lift_interval(*(np.asarray(some, np.float64) for some in (one, other, other)))
    return [found.value] if np.isnan(found.low) else [found.value, found.low, found.high]


def _frontier(tables: Any) -> dict[str, Any]:
    """Pages that a budget buys where methods are compared, and the three readings of Table 2."""
    shares = tables["shares"].to_pandas()
    asked = shares[shares["asked"] & (shares["part"] == "unseen")]
    bought = asked.groupby("budget")["pages"].mean()
    return _plain({"pages": {f"{budget:g}": pages for budget, pages in bought.items()}, **_readings(tables["ratios"])})


def _readings(ratios: pa.Table) -> dict[str, Any]:
    """Per cent more of pages with impact than of those without, and than of as many random pages, over splits."""
    frame = ratios.to_pandas().sort_values("split")
    plain = frame[frame["over"] == "links"]
    found: dict[str, Any] = {}
    for impact in dict.fromkeys(plain["impact"]):
        groups = {
            name: plain[(plain["impact"] == impact) & (plain["crawled_pages"] == name)]
            for name in ("with", "without", "random")
        }
        for reading in READINGS:
            for other, name in (("without", reading), ("random", f"{reading}, same size")):
                some = (np.asarray(groups[each][reading], np.float64) for each in ("with", other))
                one = ratio_interval(*some)
                if np.isnan(one.value):
                    continue
                ends = [100 * (end - 1) for end in (one.value, one.low, one.high)]
                # One frontier is the same in every split.
                ends = ends[:1] if np.isclose(one.low, one.high, rtol=1e-9) else ends
                found.setdefault("table 2", {}).setdefault(impact, {})[name] = ends
    return found


def _plain(value: Any) -> Any:
    """Numbers as JSON has them: eight digits, nothing where there is none."""
    if isinstance(value, dict):
        return {str(name): _plain(one) for name, one in value.items()}
    if isinstance(value, list):
        return [_plain(one) for one in value]
    return None if np.isnan(value) else float(f"{float(value):.8g}")
