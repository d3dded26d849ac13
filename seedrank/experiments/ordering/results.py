"""Results of the orders with their intervals: the tables that come before any claim."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import pandas as pd
import pyarrow as pa

from seedrank.experiments.intervals import Interval, lift_interval, mean_interval
from seedrank.experiments.ordering.measure import OMNISCIENT, RANDOM, Measured

__all__ = ["results"]


def results(found: Measured, rng: int) -> dict[str, pa.Table]:
    """Every table of the experiment, the main one first.

    Returns
    -------
    tables
        ``orders``: area under the curve up to the paper's stop and the gain, its share of the way from random to
        omniscient, over seed draws; and seconds over runs;
        ``by-pages``: cumulative PageRank at shares of the pages; ``spam``, where it is known, among the first pages;
        then what they are made of: ``seed-sets`` and ``reached`` (by draw), ``paper-seeds`` and ``curves`` (from the
        paper's seeds), ``times``.
    """
    sets = found.sets.to_pandas()
    tables = {"orders": _orders(found, sets, rng), "by-pages": _by_pages(found, rng)}
    spam = _spam(sets, rng)
    if spam is not None:
        tables["spam"] = spam
    sources = {
        "seed-sets": found.sets,
        "reached": found.reached,
        "paper-seeds": found.best,
        "curves": found.curves,
        "times": found.times,
    }
    return {**tables, **sources}


def _orders(found: Measured, sets: pd.DataFrame, rng: int) -> pa.Table:
    times = found.times.to_pandas()
    by_draw = sets.pivot(index="set", columns="order", values="pagerank_area")
    between = {OMNISCIENT, RANDOM} <= set(by_draw)
    rows = []
    for order, some in sets.groupby("order", sort=False):
        seconds = mean_interval(times.loc[times["order"] == order, "whole"].to_numpy(), rng=rng)
        rows.append(
            {
                "order": order,
                **_ends("area", mean_interval(some["pagerank_area"].to_numpy(), rng=rng)),
                **(_gain(by_draw, str(order), rng) if between else {}),
                "draws": len(some),
                "seconds": seconds.value,
                "seconds_low": seconds.low,
                "seconds_high": seconds.high,
                "runs": seconds.n,
            }
        )
    return _table(rows, whole=("draws", "runs"))


def _gain(by_draw: pd.DataFrame, order: str, rng: int) -> dict[str, float]:
    """The share of the way from random to omniscient."""
    base = by_draw[RANDOM].to_numpy()
    found = lift_interval(by_draw[order].to_numpy(), base, by_draw[OMNISCIENT].to_numpy() - base, rng=rng).scaled(0.01)
    return {"gain": found.value, "gain_low": found.low, "gain_high": found.high}


def _by_pages(found: Measured, rng: int) -> pa.Table:
    frame = found.reached.to_pandas()
    rows = [
        {
            "order": order,
            "share": share,
            "pages": some["pages"].iloc[0],
            **_ends("pagerank", mean_interval(some["pagerank"].to_numpy(), rng=rng)),
            "draws": len(some),
        }
        for (order, share), some in frame.groupby(["order", "share"], sort=False)
    ]
    return _table(rows, whole=("pages", "draws"))


def _spam(sets: pd.DataFrame, rng: int) -> pa.Table | None:
    """Spam among the first 1, 10 and 50 % of the pages; `None` where nobody knows what is spam."""
    rows = []
    for share in (1, 10, 50):
        if f"spam_{share}" not in sets or sets[f"spam_{share}"].isna().all():
            continue
        for order, some in sets.groupby("order", sort=False):
            spam = mean_interval(some[f"spam_{share}"].to_numpy(np.float64), rng=rng)
            rows.append({"order": order, "share": share / 100, **_ends("spam", spam), "draws": spam.n})
    return _table(rows, whole=("draws",)) if rows else None


def _ends(name: str, interval: Interval) -> dict[str, float]:
    return {name: interval.value, "low": interval.low, "high": interval.high}


def _table(rows: Sequence[dict[str, Any]], whole: Sequence[str]) -> pa.Table:
    """Rows as a table: columns of `whole` numbers as such, and nothing where there is no number."""
    columns = {}
    for name in rows[0]:
        kind = pa.string() if name == "order" else pa.int64() if name in whole else pa.float64()
        values = [None if pd.isna(row[name]) else row[name] for row in rows]
        columns[name] = pa.array([int(v) if kind == pa.int64() and v is not None else v for v in values], kind)
    return pa.table(columns)
