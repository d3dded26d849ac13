"""Several orders side by side: a row of numbers and a curve for each."""

from __future__ import annotations

from collections.abc import Sequence

import pyarrow as pa

from seedrank.methods.crawl.metrics import Yardstick, curve, summary
from seedrank.methods.crawl.simulate import Crawl

__all__ = ["join", "main_columns", "measured"]

MAIN = (
    "order", "pages", "hosts", "hours", "value", "value_area", "value_pages_50", "pagerank", "pagerank_area",
    "pagerank_pages_50", "overlap_10", "spam_10", "spam_10_labelled", "trusted_10", "trusted_10_labelled", "bound",
    "seconds", "us_per_page",
)  # fmt: skip
"""Columns that come first, in this order; those of the first N pages that were asked for follow."""


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
    first = main_columns(whole.column_names)
    return whole.select([*first, *(name for name in whole.column_names if name not in first)])


def main_columns(names: Sequence[str]) -> list[str]:
    """The columns of `names` that people look for first."""
    return [name for name in MAIN if name in names] + [name for name in names if "_first_" in name]


def _cell(key: str, value: object) -> pa.Array:
    if key in ("order", "stopped"):
        return pa.array([value], pa.string())
    whole = key in ("pages", "missing", "hosts") or "_pages_" in key or key.endswith("_labelled")
    return pa.array([value], pa.int64() if whole else pa.float64())
