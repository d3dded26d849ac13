"""Figures of Tran et al. 2015."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
import pyarrow as pa

from seedrank.experiments.impact.split import ALL, UNSEEN
from seedrank.output.charts.chart import Chart, Series

__all__ = ["charts"]


def charts(tables: Mapping[str, pa.Table], budgets: Sequence[float]) -> list[Chart]:
    """Impact share over all budgets, mean PageRank and click-through rate of the choice, importance of features."""
    frame = tables["shares"].to_pandas()
    unseen = frame[frame["part"] == UNSEEN]
    methods = [method for method in dict.fromkeys(unseen["method"]) if method != "ideal"]
    untrained = set(frame[frame["part"] == ALL]["method"])
    curves = []
    for method in methods:
        on = (frame["method"] == method) & (frame["part"] == (ALL if method in untrained else UNSEEN))
        share = frame[on & ~frame["asked"]].groupby("budget")["share"]
        mean, spread = share.mean(), share.sem(ddof=1).fillna(0.0) if frame["split"].nunique() > 1 else 0 * share.mean()
        x = np.asarray(mean.index, np.float64)
        # A share is between 0 and 1, whatever the spread of a few splits says.
        ends = (mean, (mean - 1.96 * spread).clip(0, 1), (mean + 1.96 * spread).clip(0, 1))
        y, low, high = (np.asarray(values, np.float64) for values in ends)
        curves.append(Series(method, 100 * x, y, low, high))
    found = [
        Chart(
            "share-by-budget",
            "Impact found, of what the best choice would find",
            "budget, % of the judged pages",
            "impact share of the ideal choice",
            curves,
            log_x=True,
            caption="Higher is better; 1 is the ideal choice. What is tuned or learnt is judged on pages it was not "
            "fitted on, every other method on all pages of known impact. With 95 % intervals over splits.",
        )
    ]
    last = unseen[unseen["asked"] & np.isclose(unseen["budget"], max(budgets))]
    for name, column, title, label in (
        ("mean-pagerank", "mean_pagerank", "Mean PageRank of the chosen pages", "mean PageRank"),
        ("click-through", "ctr", "Click-through rate of the chosen pages", "of the best method's mean"),
    ):
        values = last.groupby("method")[column].mean().reindex(methods)
        if values.notna().any() and values.max() > 0:
            y = np.asarray(values / (values.max() if column == "ctr" else 1.0), np.float64)
            bars = [Series(f"at {max(budgets):.0%}", np.arange(len(methods), dtype=np.float64), y)]
            found.append(Chart(name, title, "method", label, bars, kind="bar", ticks=methods))
    found.append(_by_omega(tables["tuning"]))
    importance = tables["importance"].to_pandas()
    if len(importance):
        means = importance.groupby(["model", "feature"], sort=False)["importance"].mean()
        ticks = list(dict.fromkeys(importance["feature"]))
        bars = [
            Series(
                str(model), np.arange(len(ticks), dtype=np.float64), np.asarray(means[model].reindex(ticks), np.float64)
            )
            for model in dict.fromkeys(importance["model"])
        ]
        title = "What the learnt models look at"
        found.append(Chart("feature-importance", title, "feature", "importance", bars, kind="bar", ticks=ticks))
    return found


def _by_omega(tuning: pa.Table) -> Chart:
    """Figure 3 of Tran et al.: what RW-EG finds by the share of the links, on the pages that nothing was tuned on."""
    means = tuning.to_pandas().groupby(["beta", "omega"])["test"].mean()
    series = [
        Series(f"β = {beta:g}", np.asarray(some.index.get_level_values("omega")), np.asarray(some, np.float64))
        for beta, some in means.groupby("beta")
    ]
    return Chart(
        "share-by-omega", "Impact that RW-EG finds, by ω", "ω, share of the links (1: RW)",
        "impact share of the ideal choice", series,
        caption="At the largest budget, on pages nothing was tuned on; means over splits (figure 3 of Tran et al.).",
    )  # fmt: skip
