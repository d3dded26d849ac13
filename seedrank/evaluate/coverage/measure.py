"""Page and value coverage of seed selection, over random seeds (docs/algorithms.md §2.5).

Every site is a graph of its own, and all of them are chosen in at once. Methods choose one seed after the other, so
ten seeds of a site hold the answers for one to ten.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property, partial

import numpy as np
import pyarrow as pa

from seedrank.evaluate.coverage.choosing import Sample, choices, choose, curves
from seedrank.evaluate.coverage.plan import METHODS, Grid
from seedrank.evaluate.intervals import interval_of, resampled_means
from seedrank.evaluate.steps import Steps
from seedrank.seeds import graph_methods
from seedrank.session import Session

__all__ = ["Measured", "measure", "over_random", "tables_of"]


@dataclass(frozen=True)
class Measured:
    """What was measured on the sites.

    Parameters
    ----------
    by_k, by_h
        Per method: pages and value covered, (sites, steps, 2), along the number of seeds and of hops.
    seeds, hops, at_seeds
        The grids.
    seconds
        Per method, all sites together.
    depths
        Depths of MaxWeight among the seconds.
    structure
        Per site: ``pages``, ``components``, ``largest_share``.
    rng
        Of the resamples.
    chosen
        Per method: its choices at the most hops.
    """

    by_k: Mapping[str, np.ndarray]
    by_h: Mapping[str, np.ndarray]
    seeds: int
    hops: tuple[int, ...]
    at_seeds: int
    seconds: Mapping[str, float]
    depths: tuple[int, ...]
    structure: pa.Table
    rng: int
    chosen: Mapping[str, pa.Table] = field(default_factory=dict)

    @property
    def sites(self) -> int:
        """How many sites."""
        return len(self.by_k["Random"])

    @cached_property
    def means_by_k(self) -> dict[str, np.ndarray]:
        """Means over sites and their resamples, (1 + resamples, k, 2)."""
        return {name: resampled_means(cube, rng=self.rng) for name, cube in self.by_k.items()}

    @cached_property
    def means_by_h(self) -> dict[str, np.ndarray]:
        """The same along the hops."""
        return {name: resampled_means(cube, rng=self.rng) for name, cube in self.by_h.items()}


def over_random(means: Mapping[str, np.ndarray], name: str) -> np.ndarray:
    """100 · (mean - mean of Random) / mean of Random; nothing where Random covers nothing of worth."""
    base = means["Random"]
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.where(base > 0, 100 * (means[name] / base - 1), np.nan)


def measure(session: Session, sample: Sample, grid: Grid, rng: int, steps: Steps) -> Measured:
    """Choose seeds in every site by every method, and count what they cover."""
    problem, drawn = sample.problem, sample.drawn
    chosen: dict[tuple[str, int], pa.Table] = {}
    methods = choices(session)
    depths = [depth for depth in grid.depths if f"MaxWeight{depth}" not in methods]
    for depth in depths:
        methods[f"MaxWeight{depth}"] = partial(graph_methods.maxweight, depth=depth)
    work = [(name, grid.most_hops) for name in ("Random", *methods)]
    work += [(name, hops) for hops in grid.hops if hops != grid.most_hops for name in METHODS]
    with session.progress("choosing seeds", len(work)) as advance:
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
    farthest = {name: table for (name, hops), table in chosen.items() if hops == grid.most_hops}
    seconds = {name: float(table["seconds"][0].as_py()) for name, table in farthest.items()}
    structure = steps.table("structure", lambda: _structure(sample))
    return Measured(
        by_k, by_h, grid.seeds, grid.hops, grid.at_seeds, seconds, grid.depths, structure, rng, chosen=farthest
    )


def tables_of(sample: Sample, measured: Measured) -> dict[str, pa.Table]:
    """The tables of the experiment, the main one first."""
    return {
        "coverage": _coverage_table(measured),
        "sites": _site_table(sample, measured),
        "structure": measured.structure,
        "seconds": _seconds_table(measured),
    }


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
                    lift = interval_of(over_random(means, name)[:, place, number])
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


def _seconds_table(measured: Measured) -> pa.Table:
    seconds = measured.seconds
    return pa.table(
        {
            "method": list(seconds),
            "k": [measured.seeds] * len(seconds),
            "h": [max(measured.hops)] * len(seconds),
            "seconds": list(seconds.values()),
        }
    )
