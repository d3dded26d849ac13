"""Page and value coverage of seed selection, over random seeds (docs/algorithms.md §2.5).

Every site is a graph of its own, and all of them are chosen in at once. Methods choose one seed after the other, so
ten seeds of a site hold the answers for one to ten.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Literal

import numpy as np
import pyarrow as pa

from seedrank.experiments.checkpoints import Steps
from seedrank.experiments.claim_specs import RULE
from seedrank.experiments.coverage.bounds import bounds
from seedrank.experiments.coverage.choosing import METHODS, Grid, Sample, choices, choose_in_sites, curves, timed
from seedrank.experiments.intervals import Interval, lift_interval, mean_interval
from seedrank.methods.seeds import graph_methods
from seedrank.methods.seeds.coverage import CoverageProblem
from seedrank.session import Session

__all__ = ["MEASURES", "Along", "Measured", "measure", "or_none", "tables_of"]

MEASURES = ("pages", "value")
"""What is counted, in the order of the last axis."""
Along = Literal["k", "h"]


@dataclass(frozen=True)
class Measured:
    """What was measured on the sites."""

    by_k: Mapping[str, np.ndarray]
    by_h: Mapping[str, np.ndarray]
    """Per method: pages and value covered, (sites, steps, 2), along the number of seeds and of hops."""
    seeds: int
    hops: tuple[int, ...]
    at_seeds: int
    """The grids."""
    seconds: Mapping[str, np.ndarray]
    """Per method, all sites together: one number a run."""
    depths: tuple[int, ...]
    """Depths of MaxWeight among the seconds."""
    structure: pa.Table
    """Per site: ``pages``, ``components``, ``largest_share``, ``positive_worth``."""
    rng: int
    """Of the resamples."""
    chosen: Mapping[str, pa.Table] = field(default_factory=dict)
    """Per method: its choices at the most hops."""
    bound_by_k: np.ndarray | None = None
    bound_by_h: np.ndarray | None = None
    """What could be covered at most (`bounds`), of the same shape; without it, all there is."""

    @property
    def sites(self) -> int:
        """How many sites."""
        return len(self.by_k["Random"])

    def along(self, along: Along) -> Mapping[str, np.ndarray]:
        """Per method: what is covered along seeds or hops."""
        return self.by_k if along == "k" else self.by_h

    def steps(self, along: Along) -> tuple[int, ...]:
        """Numbers of seeds, or of hops."""
        return tuple(range(1, self.seeds + 1)) if along == "k" else self.hops

    def lift(self, one: str, other: str, measure: int, along: Along = "k", place: int | None = None) -> Interval:
        """What `one` covers more than `other`, in per cent of Random, over sites.

        Parameters
        ----------
        measure
            Of `MEASURES`.
        along, place
            At this step of the grid. Default: the mean of all numbers of seeds.
        """
        covered = [self.covered(name, measure, along, place) for name in (one, other, "Random")]
        return lift_interval(covered[0], covered[1], covered[2], "sites", rng=self.rng)

    def gain(self, one: str, other: str, measure: int, along: Along = "k", place: int | None = None) -> Interval:
        """What `one` gains more than `other`, of the way from Random to the bound, over the sites that have room.

        Parameters as for `lift`.
        """
        mine, others, random = (self.covered(name, measure, along, place) for name in (one, other, "Random"))
        there = self.room(measure, along, place)
        way = self.bound(measure, along, place) - random
        return mean_interval((mine - others)[there] / way[there], "sites with room", rng=self.rng)

    def room(self, measure: int, along: Along = "k", place: int | None = None) -> np.ndarray:
        """Boolean per site: whether the bound exceeds Random by enough to be gained."""
        random, bound = self.covered("Random", measure, along, place), self.bound(measure, along, place)
        return np.asarray(bound - random >= RULE["headroom"]["coverage"] / 100 * np.abs(random)) & (bound > random)

    def bound(self, measure: int, along: Along = "k", place: int | None = None) -> np.ndarray:
        """What could be covered at most, per site."""
        bound = self.bound_by_k if along == "k" else self.bound_by_h
        if bound is None:
            return self.all_there_is(measure)
        return np.asarray(bound[..., measure].mean(axis=1) if place is None else bound[:, place, measure])

    def covered(self, name: str, measure: int, along: Along = "k", place: int | None = None) -> np.ndarray:
        """Pages or value that a method covers, per site; parameters as for `lift`."""
        column = self.along(along)[name][..., measure]
        return column.mean(axis=1) if place is None else column[:, place]

    def all_there_is(self, measure: int) -> np.ndarray:
        """Pages of each site, or the worth of those worth something: the most that can be covered."""
        return self.structure["pages" if measure == 0 else "positive_worth"].to_numpy().astype(np.float64)


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
                f"{name}-h{hops}", partial(choose_in_sites, asked, methods.get(name), grid.repeats, rng)
            )
            advance(1)
    by_k = {name: curves(chosen[name, grid.most_hops], drawn, grid.seeds) for name in METHODS}
    by_h = {
        name: np.stack([curves(chosen[name, hops], drawn, grid.at_seeds)[:, -1] for hops in grid.hops], axis=1)
        for name in METHODS
    }
    farthest = {name: table for (name, hops), table in chosen.items() if hops == grid.most_hops}
    seconds = {name: table["seconds"].to_numpy()[:1] for name, table in farthest.items()}
    if max(grid.depths) > 3:
        deep = {name: methods[name] for name in ("MaxWeight3", f"MaxWeight{max(grid.depths)}")}
        with session.progress("timing MaxWeight", 1) as advance:
            runs = steps.table("runs", partial(timed, problem, deep, grid.runs)).to_pandas()
            advance(1)
        seconds |= {name: runs[runs.method == name].seconds.to_numpy() for name in deep}
    structure = steps.table("structure", lambda: _structure(sample))
    return Measured(
        by_k,
        by_h,
        grid.seeds,
        grid.hops,
        grid.at_seeds,
        seconds,
        grid.depths,
        structure,
        rng,
        chosen=farthest,
        **_bounds(session, sample, grid, chosen, steps),
    )


def _bounds(
    session: Session, sample: Sample, grid: Grid, chosen: Mapping[tuple[str, int], pa.Table], steps: Steps
) -> dict[str, np.ndarray]:
    """The bounds along seeds and along hops, (sites, steps, 2)."""
    found = {}
    with session.progress("bounding what could be covered", len(grid.hops)) as advance:
        for hops in grid.hops:
            seeds = range(1, grid.seeds + 1) if hops == grid.most_hops else [grid.at_seeds]
            problem = replace(sample.problem, hops=hops)
            made = partial(_bound_table, problem, chosen["MaxWeight2", hops], list(seeds), sample.drawn)
            table = steps.table(f"bounds-h{hops}", made)
            cube = np.stack([table["pages"].to_numpy(), table["value"].to_numpy()], axis=1)
            found[hops] = cube.reshape(len(sample.drawn), len(seeds), 2)
            advance(1)
    at = [found[hops][:, grid.at_seeds - 1 if hops == grid.most_hops else 0] for hops in grid.hops]
    return {"bound_by_k": found[grid.most_hops], "bound_by_h": np.stack(at, axis=1)}


def _bound_table(problem: CoverageProblem, chosen: pa.Table, seeds: list[int], drawn: np.ndarray) -> pa.Table:
    found = bounds(problem, chosen, seeds)[drawn].reshape(-1, 2)
    return pa.table({"pages": found[:, 0], "value": found[:, 1]})


def tables_of(sample: Sample, measured: Measured) -> dict[str, pa.Table]:
    """The tables of the experiment, the main one first."""
    return {
        "coverage": _coverage_table(measured),
        "sites": _site_table(sample, measured),
        "counts": sample.counts,
        "structure": measured.structure,
        "seconds": _seconds_table(measured),
    }


def _structure(sample: Sample) -> pa.Table:
    """Strong components of each site's crawled pages: how many, and the share of the largest; and what could be won."""
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
    columns |= {"largest_share": columns["largest"] / np.maximum(pages, 1)}
    worth = problem.per_group(np.maximum(problem.value, 0))[sample.drawn]
    return pa.table({"site": sample.names, **columns, "positive_worth": worth})


def or_none(number: float) -> float | None:
    """A number for a table, nothing where it is NaN."""
    return None if np.isnan(number) else number


def _coverage_table(measured: Measured) -> pa.Table:
    """Means over sites, what they are over Random in per cent, and the gain where there is room; for both grids."""
    alongs: tuple[Along, ...] = ("k", "h")
    records = []
    for along in alongs:
        cubes, steps = measured.along(along), measured.steps(along)
        for number, measure in enumerate(MEASURES):
            for name in METHODS:
                for place, step in enumerate(steps):
                    lift = measured.lift(name, "Random", number, along, place)
                    gain = measured.gain(name, "Random", number, along, place)
                    records.append(
                        {
                            "along": along,
                            "k": step if along == "k" else measured.at_seeds,
                            "h": step if along == "h" else max(measured.hops),
                            "measure": measure,
                            "method": name,
                            "mean": float(cubes[name][:, place, number].mean()),
                            "over_random": or_none(lift.value),
                            "low": or_none(lift.low),
                            "high": or_none(lift.high),
                            "sites": lift.n,
                            "gain": or_none(gain.value),
                            "gain_low": or_none(gain.low),
                            "gain_high": or_none(gain.high),
                            "with_room": gain.n,
                        }
                    )
    return pa.Table.from_pylist(records, _COVERAGE)


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
    """A row per method and run."""
    records = [
        {"method": name, "k": measured.seeds, "h": max(measured.hops), "run": run, "seconds": seconds}
        for name, runs in measured.seconds.items()
        for run, seconds in enumerate(runs.tolist(), start=1)
    ]
    return pa.Table.from_pylist(records)


_COVERAGE = pa.schema(
    [
        ("along", pa.string()), ("k", pa.int64()), ("h", pa.int64()), ("measure", pa.string()),
        ("method", pa.string()), ("mean", pa.float64()), ("over_random", pa.float64()), ("low", pa.float64()),
        ("high", pa.float64()), ("sites", pa.int64()), ("gain", pa.float64()), ("gain_low", pa.float64()),
        ("gain_high", pa.float64()), ("with_room", pa.int64()),
    ]
)  # fmt: skip
