"""Figures of Daneshpajouh et al. 2008."""

from __future__ import annotations

import numpy as np
import pyarrow as pa

from seedrank.experiments.cores.graph_facts import FIRST, SETTLED
from seedrank.experiments.cores.measure import Measured
from seedrank.experiments.intervals import Interval
from seedrank.output.charts.chart import Chart, Series

__all__ = ["charts"]


def charts(measured: Measured) -> list[Chart]:
    """Every figure, in the order of the report."""
    tables = measured.tables
    drawn = [
        *_depth_charts(tables["depths"], "", f"Crawls from {measured.seeds} seeds"),
        _degree_chart(tables["degrees"]),
        _convergence_chart(tables["hits"]),
        _density_chart(tables["density"]),
        _time_chart(tables["time"]),
        _size_chart(tables["sizes"]),
        *_distance_charts(tables["distances"], tables["map"], measured.usual_distance),
    ]
    if "transfer" in tables:
        drawn += _depth_charts(
            tables["transfer"], "transfer-", f"Crawls from {measured.survivors} seeds of an older graph"
        )
    return drawn


def _depth_charts(table: pa.Table, prefix: str, title: str) -> list[Chart]:
    """Mean PageRank, pages so far and new pages by depth, from `summary`."""
    frame = table.to_pandas()
    made = []
    for column, label, name in (
        ("mean_pagerank", "mean PageRank of new pages", "pagerank"),
        ("cumulative", "pages so far", "pages"),
        ("new", "new pages", "new-pages"),
    ):
        series = [
            Series(
                method, *(rows[each].to_numpy(float) for each in ("depth", column, f"{column}_low", f"{column}_high"))
            )
            for method, rows in frame.groupby("method", sort=False)
        ]
        made.append(
            Chart(f"{prefix}{name}-by-depth", f"{title}: {label}", "depth (links from the start)", label, series,
                  log_y=True, caption="Crawled pages; means over draws, with 95 % intervals.")
        )  # fmt: skip
    return made


def _degree_chart(table: pa.Table) -> Chart:
    """Degree distributions on logarithmic axes."""
    frame = table.to_pandas()
    series = [
        Series(f"{direction}-links, {links}", rows["degree"].to_numpy(float), rows["pages"].to_numpy(float))
        for (links, direction), rows in frame[frame["degree"] > 0].groupby(["links", "direction"], sort=False)
    ]
    return Chart(
        "degrees", "Degrees before and after links within sites are left out", "links of a page", "pages", series,
        "scatter", log_x=True, log_y=True, caption="Straight falling points are a power law.",
    )  # fmt: skip


def _convergence_chart(table: pa.Table) -> Chart:
    """Agreement with the final ranks by iteration."""
    x = table["iterations"].to_numpy().astype(float)
    series = [Series(side, x, table[side].to_numpy().astype(float)) for side in ("hubs", "authorities")]
    return Chart(
        "hits-agreement", "Ranks of HITS by iteration", "iterations", f"share of the first {FIRST:,} that are final",
        series, caption=f"Final: after {SETTLED} iterations. The papers take 60.",
    )  # fmt: skip


def _density_chart(table: pa.Table) -> Chart:
    """Density of cores by size as they grow."""
    frame = table.to_pandas()
    first, mean = frame[frame["core"] == 1], frame.groupby("pair", as_index=False)["density"].mean()
    series = [
        Series(name, rows["pair"].to_numpy(float), rows["density"].to_numpy(float))
        for name, rows in (("first core", first), (f"mean of {frame['core'].nunique()} cores", mean))
    ]
    return Chart(
        "density-by-step", "Density of cores that grow by size", "pairs of a hub and an authority added",
        "density in per cent", series, caption="The papers find cores complete at first.",
    )  # fmt: skip


def _time_chart(table: pa.Table) -> Chart:
    """Time of a core by size of the graph."""
    frame = table.to_pandas().groupby(["pages", "links"], as_index=False)["seconds"].median()
    x, y = (frame["pages"] + frame["links"]).to_numpy(float), frame["seconds"].to_numpy(float)
    return Chart(
        "running-time", "Time of one core", "pages and links ranked", "processor seconds, median of runs",
        [Series("one core", x, y)], log_x=True, log_y=True, caption="A slope of one is linear time.",
    )  # fmt: skip


def _size_chart(sizes: pa.Table) -> Chart:
    x = sizes["core"].to_numpy().astype(float)
    series = [Series(name, x, sizes[name].to_numpy().astype(float)) for name in ("hubs", "authorities")]
    return Chart("core-sizes", "Sizes of the cores", "iteration", "pages", series, log_y=True,
                 caption="The papers find hub sets usually larger than authority sets.")  # fmt: skip


def _distance_charts(table: pa.Table, located: pa.Table, usual: Interval | None) -> list[Chart]:
    """The map, cores grouped by iteration; and distance by iteration gap beside the means of cores and of pages.

    None where no way leads from any core to another.
    """
    if not len(table):
        return []
    core, x, y = (located[name].to_numpy() for name in ("core", "x", "y"))
    width = max(1, -(-len(core) // 6))
    groups = [
        Series(f"cores {low}-{low + width - 1}", x[(core >= low) & (core < low + width)],
               y[(core >= low) & (core < low + width)])
        for low in range(1, len(core) + 1, width)
    ]  # fmt: skip
    gap, distance = table["gap"].to_numpy().astype(float), table["distance"].to_numpy().astype(float)
    gaps = np.unique(gap)
    means = np.array([distance[gap == one].mean() for one in gaps])
    lines = [
        Series("pairs of cores", gap, distance),
        Series("mean of the gap", gaps, means),
        Series("mean of all cores", gaps, np.full(len(gaps), distance.mean())),
    ]
    if usual is not None:
        lines.append(Series("mean distance of pages", gaps, np.full(len(gaps), usual.value)))
    return [
        Chart("distance-map", "Map of the cores", "", "", groups, "scatter",
              caption="Cores lie about as far apart as the way between them is long; the table has the numbers."),
        Chart("distance-by-gap", "Distance of cores by how far apart their iterations are", "iterations between",
              "links", lines, "scatter"),
    ]  # fmt: skip
