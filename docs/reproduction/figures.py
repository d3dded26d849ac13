"""Numbers without a verdict that the pages quote beside claims: a few of each experiment's tables."""

from __future__ import annotations

from typing import Any

import numpy as np
import pyarrow as pa

from seedrank.experiments.intervals import ratio_interval
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
    return _frontier(experiment.tables) if experiment.name == "impact" else {}


def _orders(tables: Any) -> dict[str, Any]:
    """Area of each order over drawn seeds and from the paper's seeds, and its PageRank after a few pages."""
    areas, once, early = (tables[name].to_pandas() for name in ("orders", "paper-seeds", "by-pages"))
    reached = {
        f"{share:g}": dict(early[np.isclose(early["share"], share)].set_index("order")["pagerank"]) for share in EARLY
    }
    return _plain(
        {
            "areas": dict(areas.set_index("order")["area"]),
            "paper seeds": dict(once.set_index("order")["pagerank_area"]),
            "reached": reached,
        }
    )


def _frontier(tables: Any) -> dict[str, Any]:
    """Pages that a budget buys where methods are compared, and the three readings of Table 2."""
    shares = tables["shares"].to_pandas()
    asked = shares[shares["asked"] & (shares["part"] == "unseen")]
    bought = asked.groupby("budget")["pages"].mean()
    return _plain({"pages": {f"{budget:g}": pages for budget, pages in bought.items()}, **_readings(tables["ratios"])})


def _readings(ratios: pa.Table) -> dict[str, Any]:
    """Per cent more of pages with impact than of those without, over splits."""
    frame = ratios.to_pandas().sort_values("split")
    plain = frame[frame["over"] == "links"]
    found: dict[str, Any] = {}
    for impact in dict.fromkeys(plain["impact"]):
        groups = [plain[(plain["impact"] == impact) & (plain["crawled_pages"] == one)] for one in ("with", "without")]
        for reading in READINGS:
            one = ratio_interval(*(np.asarray(group[reading], np.float64) for group in groups))
            if not np.isnan(one.value):
                ends = [100 * (end - 1) for end in (one.value, one.low, one.high)]
                # One frontier is the same in every split.
                ends = ends[:1] if np.isclose(one.low, one.high, rtol=1e-9) else ends
                found.setdefault("table 2", {}).setdefault(impact, {})[reading] = ends
    return found


def _plain(value: Any) -> Any:
    """Numbers as JSON has them: eight digits, nothing where there is none."""
    if isinstance(value, dict):
        return {str(name): _plain(one) for name, one in value.items()}
    if isinstance(value, list):
        return [_plain(one) for one in value]
    return None if np.isnan(value) else float(f"{float(value):.8g}")
