"""Figures of Alam et al.: effectiveness and run time of orders, and what else their curves hold."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from seedrank.output.charts.chart import Chart, Series

__all__ = ["areas", "charts"]


def charts(curves: pa.Table, *, early: bool = False) -> list[Chart]:
    """Figure 4 (effectiveness), figure 3 (run time), and what else the curves hold.

    `early` shows the beginning at large, where most crawls stop: what is gathered on a logarithmic axis.
    """
    orders = list(dict.fromkeys(curves["order"].to_pylist()))
    of_order = {name: curves.filter(pc.equal(curves["order"], name)) for name in orders}

    def series(column: str, scale: float = 1.0, x: str = "pages") -> list[Series]:
        return [
            Series(name, *_numbers(table, x, column, scale))
            for name, table in of_order.items()
            if column in table.column_names and table[column].null_count < table.num_rows
        ]

    made = [
        Chart(
            "effectiveness", "PageRank of the pages fetched so far", "pages fetched", "share of all PageRank, %",
            series("pagerank", 100), caption="The higher the curve, the earlier important pages come (figure 4 of "
            "Alam et al.).", log_x=early,
        ),
        Chart(
            "run-time", "Scheduling time", "pages fetched", "seconds", series("seconds"),
            caption="Time spent on deciding what to fetch next, without the fetching (figure 3 of Alam et al.).",
        ),
    ]  # fmt: skip
    others: Mapping[str, tuple[str, str, float]] = {
        "clicks": ("Clicks on the pages fetched so far", "share of all clicks, %", 100),
        "views": ("Views of the pages fetched so far", "share of all views, %", 100),
        "value": ("Worth of the pages fetched so far", "share of all worth, %", 100),
        "hosts": ("Hosts reached", "hosts", 1),
        "spam_share": ("Spam among the pages fetched so far", "share of the labelled pages, %", 100),
        "trusted_share": ("Trusted pages among the pages fetched so far", "share of the labelled pages, %", 100),
        "rankmass": ("RankMass of the pages fetched so far", "share of the RankMass, %", 100),
        "bound": ("RankMass that is proved", "share of the RankMass, %", 100),
    }
    for column, (title, label, scale) in others.items():
        drawn = series(column, scale) if column in curves.column_names else []
        if drawn:
            made.append(Chart(column.replace("_", "-"), title, "pages fetched", label, drawn))
    if "hours" in curves.column_names:
        made.append(
            Chart("pagerank-by-hours", "PageRank against simulated time", "hours", "share of all PageRank, %",
                  series("pagerank", 100, x="hours"))
        )  # fmt: skip
    # Every chart gives an order the colour it has in the others.
    return [replace(one, palette=orders) for one in made]


def areas(orders: pa.Table) -> Chart:
    """The area under the curve of each order, with its interval over seed draws."""
    area, low, high = (100 * orders[name].to_numpy().astype(np.float64) for name in ("area", "low", "high"))
    return Chart(
        "area", "Area under the curve of cumulative PageRank", "order", "mean share of all PageRank, %",
        [Series("area", np.arange(orders.num_rows), area, low, high)], kind="bar", ticks=orders["order"].to_pylist(),
        caption="Over draws of seeds, with 95 % intervals; paired differences are in the claims.",
    )  # fmt: skip


def _numbers(table: pa.Table, x: str, y: str, scale: float) -> tuple[np.ndarray, np.ndarray]:
    to_float: Callable[[str], np.ndarray] = lambda name: table[name].to_numpy().astype(np.float64)  # noqa: E731
    return to_float(x), scale * to_float(y)
