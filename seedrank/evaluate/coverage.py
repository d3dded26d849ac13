"""The experiment of Zheng et al. 2009: page and value coverage of seed selection, over random seeds.

Every site is a graph of its own, and all of them are chosen in at once. Methods choose one seed after the other, so
ten seeds of a site hold the answers for one to ten (docs/algorithms.md §2.5).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from functools import partial
from typing import Any

import numpy as np
import pyarrow as pa

from seedrank.charts.chart import Chart, Series
from seedrank.core.errors import UsageError
from seedrank.desk import Desk
from seedrank.evaluate import coverage_claims, transfer
from seedrank.evaluate.choices import Grid, Sample, choices, choose, curves, sample_of
from seedrank.evaluate.coverage_claims import GRAPH_METHODS, HEURISTICS, Measured
from seedrank.evaluate.experiment import Experiment
from seedrank.evaluate.intervals import interval_of, resampled_means
from seedrank.evaluate.perform import perform
from seedrank.evaluate.steps import Steps
from seedrank.runs import Run
from seedrank.seeds import graph_methods

__all__ = ["coverage"]

METHODS = ("Random", *HEURISTICS, *GRAPH_METHODS)
QUICK = Grid(hops=(1, 3, 5), depths=(1, 2, 3), repeats=3, sites=300)


def coverage(
    desk: Desk, *, quick: bool = False, newer: str | None = None, min_pages: int = 100, rng: int = 1
) -> tuple[Run, Experiment]:
    """Measure the methods of Zheng et al. 2009 on the sites of a graph; the experiment is kept as a run.

    Parameters
    ----------
    desk
        The store.
    quick
        300 sites, h = 1, 3, 5, three random choices, d up to 3.
    newer
        A store with the same web some time later: seeds chosen now are measured there.
    min_pages
        Leave out sites with fewer crawled pages. Default 100, as in the paper.
    rng
        Random sequence: sites drawn, random seeds, resamples.
    """
    if min_pages < 1:
        raise UsageError(f"a site has at least 1 page, not {min_pages}", hint="give --min-pages 1 or more")
    grid = replace(QUICK if quick else Grid(), min_pages=min_pages)
    parameters: dict[str, Any] = {"quick": quick, "newer": newer, "min_pages": min_pages, "site": desk.site, "rng": rng}
    with transfer.opened(desk, newer) as later:
        key = parameters if later is None else {**parameters, "newer version": later.store.version()}
        return perform(desk, "coverage", key, lambda steps: _measure(desk, later, grid, rng, steps, parameters))


def _measure(
    desk: Desk, later: Desk | None, grid: Grid, rng: int, steps: Steps, parameters: Mapping[str, Any]
) -> Experiment:
    sample = sample_of(desk, grid, rng)
    problem, drawn = sample.problem, sample.drawn
    chosen: dict[tuple[str, int], pa.Table] = {}
    methods = choices(desk)
    depths = [depth for depth in grid.depths if f"MaxWeight{depth}" not in methods]
    for depth in depths:
        methods[f"MaxWeight{depth}"] = partial(graph_methods.maxweight, depth=depth)
    work = [(name, grid.most_hops) for name in ("Random", *methods)]
    work += [(name, hops) for hops in grid.hops if hops != grid.most_hops for name in METHODS]
    with desk.progress("choosing seeds", len(work)) as advance:
        for name, hops in work:
            seeds = grid.seeds if hops == grid.most_hops else grid.at_seeds
            asked = replace(problem, hops=hops, quota=np.minimum(problem.quota, seeds))
            chosen[name, hops] = steps.table(
                f"{name}-h{hops}", partial(choose, asked, methods.get(name), grid.repeats, rng)
            )
            advance(1)
    by_k = {name: curves(chosen[name, grid.most_hops], drawn, grid.seeds) for name in METHODS}
    by_h = {
        name: np.stack([curves(chosen[name, hops], drawn, grid.at_seeds)[:, -1] for hops in grid.hops], axis=1)
        for name in METHODS
    }
    seconds = {name: float(table["seconds"][0].as_py()) for (name, h), table in chosen.items() if h == grid.most_hops}
    structure = steps.table("structure", lambda: _structure(sample))
    measured = Measured(by_k, by_h, grid.seeds, grid.hops, grid.at_seeds, seconds, grid.depths, structure, rng)
    tables = {
        "coverage": _coverage_table(measured),
        "sites": _site_table(sample, measured),
        "structure": structure,
        "seconds": _seconds_table(seconds, grid),
    }
    charts = [*_curve_charts(tables["coverage"], len(drawn)), *_time_charts(seconds, grid), _structure_chart(structure)]
    left_out = list(sample.left_out)
    if later is None:
        left_out.append("how seeds hold over time: name a store of the same web at a later time with --newer URL")
    else:
        found = transfer.measure(desk, later, sample, grid, rng, {m: chosen[m, grid.most_hops] for m in METHODS}, steps)
        if isinstance(found, str):
            left_out.append(found)
        else:
            tables["transfer"] = found
            charts.append(transfer.chart(found))
    claims = coverage_claims.judge(measured)
    return Experiment("coverage", tables, charts, claims, left_out, parameters)


def _structure(sample: Sample) -> pa.Table:
    """Strong components of each site: how many, and the share of the largest; crawled pages count."""
    problem = sample.problem
    found = problem.engine.components()
    inside = np.flatnonzero(problem.crawled & (problem.groups >= 0))
    sizes = np.bincount(found.component[inside], minlength=len(found.sizes))
    group = np.full(len(sizes), -1, np.int64)
    group[found.component[inside]] = problem.groups[inside]
    there = sizes > 0
    pages = np.bincount(problem.groups[inside], minlength=len(problem.quota))[sample.drawn]
    parts = np.bincount(group[there], minlength=len(problem.quota))[sample.drawn]
    largest = np.zeros(len(problem.quota), np.int64)
    np.maximum.at(largest, group[there], sizes[there])
    columns = {"pages": pages, "components": parts, "largest": largest[sample.drawn]}
    return pa.table({"site": sample.names, **columns, "largest_share": columns["largest"] / np.maximum(pages, 1)})


def _coverage_table(measured: Measured) -> pa.Table:
    """Means over sites and what they are over Random in per cent, for both grids."""
    records = []
    for along, steps, cubes in (
        ("k", range(1, measured.seeds + 1), measured.by_k),
        ("h", measured.hops, measured.by_h),
    ):
        means = {name: resampled_means(cube, rng=measured.rng) for name, cube in cubes.items()}
        for number, measure in enumerate(("pages", "value")):
            for name in METHODS:
                for place, step in enumerate(steps):
                    lift = interval_of(coverage_claims.over_random(means, name)[:, place, number])
                    records.append(
                        {
                            "along": along,
                            "k": step if along == "k" else measured.at_seeds,
                            "h": step if along == "h" else max(measured.hops),
                            "measure": measure,
                            "method": name,
                            "mean": float(means[name][0, place, number]),
                            "over_random": lift.value,
                            "low": lift.low,
                            "high": lift.high,
                        }
                    )
    return pa.Table.from_pylist(records)


def _site_table(sample: Sample, measured: Measured) -> pa.Table:
    """Pages and value covered in each site by each method, at the usual k and h."""
    tables = []
    for name in METHODS:
        covered = measured.by_k[name][:, min(measured.at_seeds, measured.seeds) - 1]
        method = pa.array([name] * len(sample.drawn))
        tables.append(
            pa.table({"site": sample.names, "method": method, "pages": covered[:, 0], "value": covered[:, 1]})
        )
    return pa.concat_tables(tables)


def _seconds_table(seconds: Mapping[str, float], grid: Grid) -> pa.Table:
    return pa.table(
        {
            "method": list(seconds),
            "k": [grid.seeds] * len(seconds),
            "h": [grid.most_hops] * len(seconds),
            "seconds": list(seconds.values()),
        }
    )


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
                    caption=f"Mean over {sites:,} {'site' if sites == 1 else 'sites'}; bands are 95 % intervals by the "
                    "bootstrap over sites. Random seeds lie at 0.",
                )
            )
    return charts


def _time_charts(seconds: Mapping[str, float], grid: Grid) -> list[Chart]:
    methods = Chart(
        "seconds",
        f"Seconds to choose {grid.seeds} seeds in every site, at h = {grid.most_hops}",
        "method",
        "seconds",
        [Series("", np.arange(len(METHODS), dtype=float), np.array([seconds[name] for name in METHODS]))],
        kind="bar",
        ticks=METHODS,
        log_y=True,
        caption="Wall time on this machine, all sites together; kernels were compiled before.",
    )
    depths = Chart(
        "seconds-by-depth",
        "Seconds of MaxWeight by the depth it looks ahead",
        "depth d",
        "seconds",
        [
            Series(
                "MaxWeight",
                np.array(grid.depths, float),
                np.array([seconds[f"MaxWeight{depth}"] for depth in grid.depths]),
            )
        ],
        caption="The paper found d > 3 prohibitively long.",
    )
    return [methods, depths]


def _structure_chart(structure: pa.Table) -> Chart:
    pages, share = (structure[name].to_numpy().astype(np.float64) for name in ("pages", "largest_share"))
    return Chart(
        "components",
        "How much of a site its largest strong component holds",
        "crawled pages of the site",
        "share of the largest component, %",
        [Series("sites", pages, 100 * share)],
        kind="scatter",
        log_x=True,
        caption="One point per site. The paper: most sites are many small components.",
    )
