"""How good an order is: what its first n pages are worth, which hosts they reach, how much of them is spam."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import pyarrow as pa

from seedrank.core.model import Status
from seedrank.core.order import order as best_first
from seedrank.graph import WebGraph
from seedrank.methods.crawl.simulate import Crawl

__all__ = ["SHARES", "Metrics", "curve", "join", "main_columns", "measured", "pages_for", "summary"]

POINTS = 200
"""Points of a curve, evenly along it."""
_EARLY = 60
"""And points evenly along a logarithmic axis: crawls stop early."""
SHARES = (0.5, 0.8, 0.9)
"""Of the mass: how many pages it takes."""
FIRST = (0.01, 0.1, 0.5)
"""First n of the order, as shares of the graph's pages: overlap with the ideal, and spam."""
_ROUNDING = 1e-12
"""Part of a sum that may be error of rounding."""


@dataclass(frozen=True)
class Metrics:
    """What orders of one graph are measured by."""

    graph: WebGraph
    """The recorded graph."""
    worth: Mapping[str, np.ndarray]
    """float64 per page by name, ``pagerank`` first, then ``clicks``, ``views``, ``value`` where they are known; missing
    pages are worth nothing. ``rankmass`` of the seeds in use may stand beside them."""
    ideal: np.ndarray
    """Pages by worth of the first, best first: what an order could fetch that knew everything and needed no links."""
    site: np.ndarray
    """Site per page, -1 for none and for missing pages."""
    labels: Mapping[str, np.ndarray]
    """A number per page by name, ``spam``, ``trusted`` and ``duplicates`` where they are known: above 0 where the page
    is that, NaN where nobody labelled it, and for missing pages: their label is that of a page nobody got."""
    first: tuple[int, ...] = ()
    """Numbers of first pages whose labels are measured, beside the shares `FIRST`."""

    @classmethod
    def of(
        cls,
        graph: WebGraph,
        pagerank: np.ndarray,
        site: np.ndarray,
        value: np.ndarray | None = None,
        trusted: np.ndarray | None = None,
        first: tuple[int, ...] = (),
        worthless: np.ndarray | None = None,
    ) -> Metrics:
        """Everything that can be measured on a graph; `value` and `trusted` are the user's own worth and labels.

        Pages that are missing, or `worthless` (boolean per page), are worth nothing.
        """
        there = graph.status != Status.MISSING
        if worthless is not None:
            there &= ~worthless
        worth = {"pagerank": np.where(there, pagerank, 0.0)}
        for name in ("clicks", "views"):
            if name in graph.column_names:
                worth[name] = np.where(there, np.nan_to_num(np.asarray(graph.column(name), np.float64)), 0.0)
        if value is not None:
            worth["value"] = np.where(there, value, 0.0)
        labels = {"spam": np.asarray(graph.column("spam"))} if "spam" in graph.column_names else {}
        if trusted is not None:
            labels["trusted"] = trusted
        labels = {name: np.where(there, values, np.nan) for name, values in labels.items()}
        labels = {name: values for name, values in labels.items() if not np.isnan(values).all()}
        reached = np.where(there, site, np.int32(-1))
        return cls(graph, worth, best_first(worth["pagerank"]), reached, labels, first)


def curve(metrics: Metrics, crawl: Crawl, points: int = POINTS) -> pa.Table:
    """What the first n fetches come to, at some n.

    Returns
    -------
    table
        ``pages`` (n), ``share`` (of the graph's pages), a column per worth (cumulative, as a share of the whole),
        ``hosts`` (distinct), ``spam_share`` (of the labelled pages, ``spam_labelled``; null where none is labelled),
        ``trusted_share`` and ``trusted_labelled`` alike,
        ``bound`` (RankMass proved), ``seconds`` (scheduling time until then) and ``hours`` (simulated), where they are
        known.
    """
    fetched = len(crawl.pages)
    evenly = np.linspace(0, fetched, min(points, fetched) + 1)
    early = np.geomspace(1, fetched, _EARLY) if fetched > points else evenly
    at = np.unique(np.concatenate([evenly, early]).round().astype(np.int64))
    columns: dict[str, np.ndarray | pa.Array] = {"pages": at, "share": at / max(metrics.graph.pages, 1)}
    for name, worth in metrics.worth.items():
        columns[name] = _cumulative(worth, crawl.pages)[at]
    columns["hosts"] = _distinct(metrics.site, crawl.pages)[at]
    for name, values in metrics.labels.items():
        members, labelled = (found[at] for found in _labelled(values, crawl.pages))
        columns[f"{name}_share"] = pa.array(members / np.maximum(labelled, 1), mask=labelled == 0)
        columns[f"{name}_labelled"] = labelled
    if crawl.mass is not None:
        columns["bound"] = np.concatenate([[0.0], crawl.mass])[at]
    columns["seconds"] = np.interp(at, np.append(0, crawl.marks[:, 0]), np.append(0, crawl.marks[:, 1]))
    if crawl.times is not None:
        columns["hours"] = np.concatenate([[0.0], crawl.times])[at] / 3600
    return pa.table(columns)


def summary(metrics: Metrics, crawl: Crawl, *, horizon: int | None = None) -> dict[str, Any]:
    """An order in numbers.

    Parameters
    ----------
    horizon
        Fetches over which areas are taken; an order that ended earlier stays where it was. Its own by default.

    Returns
    -------
    facts
        ``pages``, ``seconds``, ``us_per_page``, per worth (such as ``pagerank``) its share, ``pagerank_area`` under the
        curve (mean share over the fetches) and ``pagerank_pages_50``, ``_80``, ``_90``: the pages after which the curve
        first reaches this share of what all pages are worth (`None` where it never does), ``hosts``, ``missing``,
        and for the first 1, 10 and 50 % of the graph's pages the ``overlap_10`` with the ideal. Where pages are
        labelled as spam or not: ``spam``, the share of spam among the ``spam_labelled`` pages fetched (`None` without
        any), and the same for the first pages (``spam_10``, ``spam_10_labelled``; ``spam_first_1000`` and
        ``spam_first_1000_labelled`` for the first of `Metrics.first`, both `None` where it fetched fewer);
        ``trusted`` and ``duplicates`` alike. Missing pages are not labelled.

        Where some pages are worth less than nothing, shares and areas are parts of the sum of absolute worth, so they
        lie between -1 and 1 and the curve may fall; ``value_pages_50`` asks for half of the sum, negative worth
        included, where the curve of a whole crawl ends, and is `None` where that is not above 0.
    """
    graph, fetched = metrics.graph, len(crawl.pages)
    horizon = max(horizon or fetched, 1)
    facts: dict[str, Any] = {
        "pages": fetched,
        "seconds": crawl.seconds,
        "us_per_page": 1e6 * crawl.seconds / max(fetched, 1),
        "stopped": crawl.stopped,
        "missing": int((graph.status[crawl.pages] == Status.MISSING).sum()),
        "hosts": int(_distinct(metrics.site, crawl.pages)[-1]),
    }
    for name, worth in metrics.worth.items():
        rises, whole = _cumulative(worth, crawl.pages), float(worth.sum() / _absolute(worth))
        inside = rises[1 : horizon + 1]
        facts[name] = float(rises[-1])
        facts[f"{name}_area"] = float((inside.sum() + (horizon - len(inside)) * rises[-1]) / horizon)
        for part in SHARES:
            facts[f"{name}_pages_{100 * part:.0f}"] = pages_for(rises, part, whole)
    facts |= _first_facts(metrics, crawl.pages)
    if crawl.bound is not None:
        facts["bound"] = crawl.bound
    if crawl.times is not None and fetched:
        facts["hours"] = float(crawl.times[-1] / 3600)
    if crawl.bytes is not None:
        facts["bytes"] = crawl.bytes
    return facts


def _first_facts(metrics: Metrics, fetched: np.ndarray) -> dict[str, Any]:
    """Labels of the pages fetched, and of the first of them; their overlap with the ideal."""
    facts: dict[str, Any] = {}
    for name, values in metrics.labels.items():
        facts |= _label_facts(name, values, fetched)
        for n in metrics.first:
            first = f"{name}_first_{n}"
            # Both `None` where it fetched fewer: what is asked for is never left out.
            none = {first: None, f"{first}_labelled": None}
            facts |= _label_facts(first, values, fetched[:n]) if n <= len(fetched) else none
    for part in FIRST:
        n = max(1, round(part * metrics.graph.pages))
        if n > len(fetched):
            continue
        ideal = np.zeros(metrics.graph.pages, bool)
        ideal[metrics.ideal[:n]] = True
        facts[f"overlap_{100 * part:.0f}"] = float(ideal[fetched[:n]].mean())
        for name, values in metrics.labels.items():
            facts |= _label_facts(f"{name}_{100 * part:.0f}", values, fetched[:n])
    return facts


def pages_for(rises: np.ndarray, part: float, whole: float = 1.0) -> int | None:
    """Fetches after which a cumulative share (from 0 fetches on) first reaches a part of `whole`, where all pages end.

    `None` where it never does, or where `whole` is not above 0.
    """
    reached = rises >= part * whole * (1 - _ROUNDING)
    return int(np.argmax(reached)) if whole > _ROUNDING and reached.any() else None


def _cumulative(worth: np.ndarray, pages: np.ndarray) -> np.ndarray:
    """Share of all worth in the first 0, 1, … pages; worth may be negative, then the share of the absolute sum."""
    return np.concatenate([[0.0], np.cumsum(worth[pages], dtype=np.float64) / _absolute(worth)])


def _absolute(worth: np.ndarray) -> float:
    """The sum of absolute worth, 1 where there is none."""
    return float(np.abs(worth).sum()) or 1.0


def _labelled(values: np.ndarray, pages: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Pages that are what a label says, and labelled pages, among the first 0, 1, … pages."""
    labels = values[pages]
    counted = (np.cumsum(some, dtype=np.int64) for some in (labels > 0, ~np.isnan(labels)))
    found, labelled = (np.concatenate([[0], count]) for count in counted)
    return found, labelled


def _label_facts(name: str, values: np.ndarray, pages: np.ndarray) -> dict[str, Any]:
    """Share of what a label says among the labelled of `pages`, and how many these are."""
    found, labelled = (int(count[-1]) for count in _labelled(values, pages))
    return {name: found / labelled if labelled else None, f"{name}_labelled": labelled}


def _distinct(site: np.ndarray, pages: np.ndarray) -> np.ndarray:
    """Sites among the first 0, 1, … pages; pages without one count for none."""
    sites = np.asarray(site)[pages]
    # Backwards, so that of a site's fetches the first is written last; pages without a site share one more entry.
    first = np.full(int(sites.max(initial=-1)) + 2, -1, np.int64)
    first[sites[::-1]] = np.arange(len(pages) - 1, -1, -1)
    new = np.zeros(len(pages) + 1, np.int64)
    new[first[:-1][first[:-1] >= 0] + 1] = 1
    return np.cumsum(new)


MAIN = (
    "order", "pages", "hosts", "hours", "value", "value_area", "value_pages_50", "pagerank", "pagerank_area",
    "pagerank_pages_50", "overlap_10", "spam_10", "spam_10_labelled", "duplicates_10", "trusted_10",
    "trusted_10_labelled", "bound", "seconds", "us_per_page",
)  # fmt: skip
"""Columns that come first, in this order; those of the first N pages that were asked for follow."""


def measured(metrics: Metrics, name: str, crawl: Crawl, horizon: int | None) -> tuple[pa.Table, pa.Table]:
    """One order: a row of the table of orders, and its curve."""
    facts = {"order": name, **summary(metrics, crawl, horizon=horizon)}
    # Every column has its type even where an order never came so far.
    row = pa.table({key: _cell(key, value) for key, value in facts.items()})
    points = curve(metrics, crawl)
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
