"""Several orders side by side: the two figures of Alam et al., run time and effectiveness, as tables and charts."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

import numpy as np
import pyarrow as pa

from seedrank.charts.chart import Chart, Series
from seedrank.crawl.measures import Yardstick, curve, summary
from seedrank.crawl.simulate import Crawl

__all__ = ["MAIN", "charts", "join", "measured"]

MAIN = (
    "order", "pages", "seconds", "us_per_page", "pagerank", "pagerank_area", "pagerank_pages_50", "overlap_10", "hosts",
    "spam_10", "bound", "hours",
)  # fmt: skip
"""Columns that come first, in this order."""


def measured(yardstick: Yardstick, name: str, crawl: Crawl, horizon: int | None) -> tuple[pa.Table, pa.Table]:
    """One order: a row of the table of orders, and its curve."""
    facts = {"order": name, **summary(yardstick, crawl, horizon=horizon)}
    # Every column has its type even where an order never came so far.
    row = pa.table({key: _cell(key, value) for key, value in facts.items()})
    points = curve(yardstick, crawl)
    return row, points.add_column(0, "order", pa.array([name] * points.num_rows))


def join(tables: Sequence[pa.Table]) -> pa.Table:
    """Rows of several orders below one another, the main columns first."""
    whole = pa.concat_tables(tables, promote_options="default")
    first = [name for name in MAIN if name in whole.column_names]
    return whole.select([*first, *(name for name in whole.column_names if name not in first)])


def charts(curves: pa.Table) -> list[Chart]:
    """Figure 4 (effectiveness), figure 3 (run time), and what else the curves hold."""
    orders = list(dict.fromkeys(curves["order"].to_pylist()))
    of_order = {name: curves.filter(pa.compute.equal(curves["order"], name)) for name in orders}

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
            "Alam et al.).",
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
        "spam_share": ("Spam among the pages fetched so far", "share of the pages, %", 100),
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
    return made


def _numbers(table: pa.Table, x: str, y: str, scale: float) -> tuple[np.ndarray, np.ndarray]:
    to_float: Callable[[str], np.ndarray] = lambda name: table[name].to_numpy().astype(np.float64)  # noqa: E731
    return to_float(x), scale * to_float(y)


def _cell(key: str, value: object) -> pa.Array:
    if key in ("order", "stopped"):
        return pa.array([value], pa.string())
    whole = key in ("pages", "missing", "hosts") or "_pages_" in key
    return pa.array([value], pa.int64() if whole else pa.float64())
