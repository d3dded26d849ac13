"""Figures of Zheng et al. 2009."""

from __future__ import annotations

import numpy as np
import pyarrow as pa

from seedrank.experiments.coverage.choosing import METHODS
from seedrank.experiments.coverage.measure import Measured
from seedrank.output.charts.chart import Chart, Series

__all__ = ["charts", "later_chart"]


def charts(table: pa.Table, measured: Measured) -> list[Chart]:
    """Coverage by seeds and hops (`table`), seconds, and what sites are made of."""
    return [
        *_curve_charts(table, measured.sites),
        *_time_charts(measured),
        _structure_chart(measured.structure),
    ]


def later_chart(table: pa.Table) -> Chart:
    """What seeds of each method reach on the newer graph, over random seeds."""
    frame = table.to_pandas()
    frame = frame[frame.method != "Random"]
    series = [
        Series(
            label,
            np.arange(len(frame), dtype=float),
            *(frame[f"{what}_{end}"].to_numpy(float) for end in ("over_random", "low", "high")),
        )
        for what, label in (("value", "value"), ("new_pages", "new pages"))
    ]
    return Chart(
        "transfer", "Seeds chosen on the older graph, measured on the newer one", "method", "over Random, %", series,
        kind="bar", ticks=list(frame.method),
        caption="Value and pages that were not crawled before, reached on the newer graph by seeds of the older one, "
        f"over random seeds of the older one. {int(table['sites'][0].as_py()):,} sites; 95 % intervals over sites.",
    )  # fmt: skip


def _curve_charts(table: pa.Table, sites: int) -> list[Chart]:
    frame = table.to_pandas()
    frame = frame[frame.method != "Random"]
    charts = []
    for along, label, rest in (("k", "seeds per site (k)", "h"), ("h", "hops a seed reaches (h)", "k")):
        for measure in ("pages", "value"):
            part = frame[(frame.along == along) & (frame.measure == measure)]
            series = [
                Series(name, *(one[column].to_numpy(float) for column in (along, "over_random", "low", "high")))
                for name, one in part.groupby("method", sort=False)
            ]
            what = "Pages" if measure == "pages" else "Value"
            charts.append(
                Chart(
                    f"{measure}-by-{along}",
                    f"{what} covered over random seeds, at {rest} = {part[rest].iloc[0]}",
                    label,
                    f"{measure} over Random, %",
                    series,
                    caption=f"Mean over {sites:,} {'site' if sites == 1 else 'sites'}; with 95 % intervals over "
                    "sites. Random seeds lie at 0.",
                )
            )
    return charts


def _time_charts(measured: Measured) -> list[Chart]:
    seconds = {name: runs.mean() for name, runs in measured.seconds.items()}
    methods = Chart(
        "seconds", f"Seconds to choose {measured.seeds} seeds in every site, at h = {max(measured.hops)}", "method",
        "seconds", [Series("", np.arange(len(METHODS), dtype=float), np.array([seconds[name] for name in METHODS]))],
        kind="bar", ticks=METHODS, log_y=True,
        caption="Wall time on this machine, all sites together; one run, or the mean where there are several.",
    )  # fmt: skip
    by_depth = np.array([seconds[f"MaxWeight{depth}"] for depth in measured.depths])
    depths = Chart(
        "seconds-by-depth", "Seconds of MaxWeight by the depth it looks ahead", "depth d", "seconds",
        [Series("MaxWeight", np.array(measured.depths, float), by_depth)],
        caption="The paper found d > 3 prohibitively long.",
    )  # fmt: skip
    return [methods, depths]


def _structure_chart(structure: pa.Table) -> Chart:
    pages, share = (structure[name].to_numpy().astype(np.float64) for name in ("pages", "largest_share"))
    return Chart(
        "components", "How much of a site its largest strong component holds", "crawled pages of the site",
        "share of the largest component, %", [Series("sites", pages, 100 * share)], kind="scatter", log_x=True,
        caption="One point per site. The paper: most sites are many small components.",
    )  # fmt: skip
