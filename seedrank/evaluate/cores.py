"""The experiments of Daneshpajouh et al. 2008 on the graph in a store (docs/algorithms.md §3.5)."""

from __future__ import annotations

from dataclasses import asdict, dataclass, replace
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from seedrank.charts.chart import Chart, Series
from seedrank.core import numbers
from seedrank.core.errors import GraphError, UsageError
from seedrank.core.model import Status
from seedrank.desk import Desk
from seedrank.engines.base import Engine
from seedrank.evaluate import core_distance, core_graph, core_transfer, depths
from seedrank.evaluate.core_transfer import Survivors
from seedrank.evaluate.experiment import Claim, Experiment
from seedrank.evaluate.intervals import Interval, mean_interval
from seedrank.evaluate.perform import perform
from seedrank.evaluate.steps import Steps
from seedrank.evaluate.verdicts import exceeds
from seedrank.graph import WebGraph
from seedrank.runs import Run
from seedrank.seeds import cores
from seedrank.seeds.ask_cores import members_table
from seedrank.seeds.core_names import hosts_of, name_of
from seedrank.seeds.cores import CoreQuestion

__all__ = ["CoreTrial", "experiment", "hits_cores"]

PAPER = "001, 003"
SEEDS = 10
"""Seeds a crawl starts from, as in the papers."""
FEWEST_CORES = 5
"""Cores below which their sizes say nothing."""
OURS = "random hubs of the cores"
"""What the papers crawl from: an arbitrary hub of each core."""


@dataclass(frozen=True)
class CoreTrial:
    """What the experiment is made with.

    Parameters
    ----------
    cores
        Cores at most. Default 50.
    repeats
        Draws of random pages (and of hubs). Default 50.
    sources
        Pages whose distances to all others are measured. Default 200.
    grid
        Iterations of HITS that are looked at; 20 and 60 among them.
    shares
        Of the graph, for the running time.
    size
        Of the core whose density is followed step by step. Default 200.
    keep_same_site
        Leave links within a site in. Default no.
    transfer_from, transfer_against
        Files of URLs from an older graph: seeds, and random crawled pages to compare their survival with.
    rng
        Random sequence.
    """

    cores: int = 50
    repeats: int = 50
    sources: int = 200
    grid: tuple[int, ...] = (2, 5, 10, 15, 20, 30, 40, 50, 60, 80)
    shares: tuple[float, ...] = (0.125, 0.25, 0.5, 1.0)
    size: int = 200
    keep_same_site: bool = False
    transfer_from: str | None = None
    transfer_against: str | None = None
    rng: int = 1

    def __post_init__(self) -> None:
        numbers.whole("cores", self.cores, 1)
        numbers.whole("repeats", self.repeats, 2, numbers.MOST_TIMES)

    def quick(self) -> CoreTrial:
        """Fewer of everything."""
        return replace(self, cores=12, repeats=12, sources=30, grid=(5, 10, 20, 40, 60), shares=(0.25, 0.5, 1.0))


def hits_cores(desk: Desk, *, quick: bool = False, **options: Any) -> tuple[Run, Experiment]:
    """Make the experiment and keep it as a run; its parts are kept as they come.

    Parameters
    ----------
    desk
        The store.
    quick
        Fewer of everything.
    options
        Fields of `CoreTrial`.
    """
    trial = CoreTrial(**options)
    return experiment(desk, trial.quick() if quick else trial, quick=quick)


def experiment(desk: Desk, trial: CoreTrial, *, quick: bool = False) -> tuple[Run, Experiment]:
    """The experiment with everything given; `quick` goes into its record."""
    if trial.transfer_against is not None and trial.transfer_from is None:
        raise UsageError("--transfer-against goes with --transfer-from", hint="give the seeds of the older graph too")
    # Files are read before anything is computed, so that a wrong one costs nothing.
    old = None if trial.transfer_from is None else core_transfer.survivors(desk, trial.transfer_from)
    other = None
    if trial.transfer_against is not None:
        other = core_transfer.survivors(desk, trial.transfer_against, some=False)
    lists = {"survivors": [] if old is None else old.pages.tolist(), "other survivors": other and other.pages.tolist()}
    parameters = {**asdict(trial), "quick": quick, "site": desk.site}

    def make(steps: Steps) -> Experiment:
        return _make(desk, trial, old, other, steps)

    # What the files say counts, not their names alone.
    return perform(desk, "cores", {**parameters, **lists}, make)


def _make(desk: Desk, trial: CoreTrial, old: Survivors | None, other: Survivors | None, steps: Steps) -> Experiment:
    graph, whole = desk.graph, desk.engine
    sites = None if trial.keep_same_site else desk.sites
    engine, pruned = cores.prune(whole, graph, sites)
    if not pruned.links:
        between = "" if trial.keep_same_site else " between sites"
        raise GraphError(f"no link is left{between}, so there is no core", hint="load a graph of several sites")
    crawled = np.flatnonzero(graph.status == Status.CRAWLED)
    tables: dict[str, pa.Table] = {}
    charts: list[Chart] = []
    claims: list[Claim] = []

    # 1, since the others stand on it: cores and their sizes
    members = steps.table("members", lambda: _members(desk, trial, engine, pruned))
    found = [members.filter(pc.equal(members["n"], n)) for n in range(1, int(members["n"].to_numpy().max()) + 1)]
    tables["sizes"] = sizes = _sizes(graph, found)

    # 3: crawls from the seeds
    pagerank = steps.table("pagerank", lambda: pa.table({"score": whole.walk().scores}))["score"].to_numpy()
    crawl = steps.table("crawls", lambda: _crawls(desk, trial, whole, pagerank, crawled, found))
    tables["depths"] = curves = depths.summary(crawl)
    charts += depths.charts(curves, "", f"Crawls from {min(SEEDS, len(found))} seeds")

    # 0: the data
    tables["degrees"] = core_graph.degrees(graph, pruned)
    sampled = steps.table("sampled", lambda: core_graph.distances(whole, crawled, trial.sources, trial.rng))
    usual = core_graph.mean_distance(sampled)
    tables["graph"] = _facts(graph, pruned, usual)
    tables["hits"] = steps.table("settling", lambda: core_graph.convergence(engine, pruned, trial.grid))
    tables["density"] = steps.table(
        "density", lambda: core_graph.density_steps(engine, pruned, trial.size, cores.PAPER_ITERATIONS)
    )
    tables["time"] = steps.table(
        "processor-time", lambda: core_graph.running_time(graph, sites, trial.shares, cores.PAPER_ITERATIONS)
    )
    charts += [
        core_graph.degree_chart(tables["degrees"]),
        core_graph.convergence_chart(tables["hits"]),
        core_graph.density_chart(tables["density"]),
        core_graph.time_chart(tables["time"]),
    ]
    claims += core_graph.convergence_claims(tables["hits"])
    claims += [core_graph.density_claim(tables["density"]), core_graph.time_claim(tables["time"])]

    charts.append(_size_chart(sizes))
    claims.append(_size_claim(sizes))

    # 2: distances
    pages = [np.unique(one["id"].to_numpy()) for one in found]
    apart = steps.table("apart", lambda: core_distance.between_cores(whole, pages, desk.progress))
    tables["distances"], tables["map"] = apart, core_distance.places(apart, len(found))
    charts += core_distance.charts(apart, tables["map"], usual)
    claims += core_distance.claims(apart, usual)

    claims += [
        depths.pagerank_claim(
            crawl, OURS, 2, 4, "Pages first visited at depths 2 to 4 have more PageRank than from random pages",
            "better at 2 to 4, not at 1 (UK-2002)",
        ),
        depths.more_pages(
            crawl, OURS, 1, depths.DEEPEST, "More pages are found at every depth than from random pages",
            "always higher (UK-2002, UK-2005)",
        ),
    ]  # fmt: skip
    left_out: list[str] = []

    # 4: transfer
    if old is None:
        left_out.append(
            "transfer to a newer graph: save seeds on the older one (`seedrank seeds cores -k 100 -o old-seeds.csv`) "
            "and give --transfer-from old-seeds.csv on the store of the newer one"
        )
    else:
        tables["survival"] = core_transfer.survival(old, other)
        later = steps.table("transfer", lambda: _transfer(desk, trial, whole, pagerank, crawled, old))
        tables["transfer"] = depths.summary(later)
        charts += depths.charts(
            tables["transfer"], "transfer-", f"Crawls from {len(old.pages)} seeds of an older graph"
        )
        claims += [
            core_transfer.survival_claim(tables["survival"], trial.rng),
            depths.pagerank_claim(
                later, "seeds", 1, 3, "Seeds of an older graph find more PageRank up to depth 3 than random pages",
                "better up to depth 3 (11 seeds left)",
            ),
            depths.more_pages(
                later, "seeds", 4, depths.DEEPEST,
                "Seeds of an older graph find more pages at depths 4 to 15 than random pages", "better at 4 to 15",
            ),
        ]  # fmt: skip
    return Experiment("cores", tables, charts, claims, left_out, asdict(trial))


# -- parts


def _members(desk: Desk, trial: CoreTrial, engine: Engine, pruned: WebGraph) -> pa.Table:
    """Pages of all cores, and per page whether it is the seed and the links of its core."""
    question = CoreQuestion(k=trial.cores, keep_same_site=trial.keep_same_site, rng=trial.rng)
    found = []
    with desk.progress("finding cores", trial.cores) as advance:
        for core in cores.find(question, engine, pruned):
            found.append(core)
            advance(1)
    table = members_table(found)
    core = table["n"].to_numpy() - 1
    seeds, links = np.array([one.seed for one in found]), np.array([one.links for one in found])
    is_seed = (seeds[core] == table["id"].to_numpy()) & (np.array(table["role"].to_pylist()) == "hub")
    return table.append_column("seed", pa.array(is_seed)).append_column("links", pa.array(links[core]))


def _sizes(graph: WebGraph, found: list[pa.Table]) -> pa.Table:
    """A row per core: its number, name, hubs, authorities, density, hosts and seed."""
    rows = []
    for n, core in enumerate(found, 1):
        hubs = int((np.array(core["role"].to_pylist()) == "hub").sum())
        authorities = len(core) - hubs
        hosts = hosts_of(graph, np.unique(core["id"].to_numpy()))
        rows.append(
            {"core": n, "name": name_of(hosts), "hubs": hubs, "authorities": authorities,
             "density": 100.0 * core["links"][0].as_py() / (hubs * authorities), "hosts": len(hosts),
             "seed": core.filter(core["seed"])["id"][0].as_py()}
        )  # fmt: skip
    return pa.Table.from_pylist(rows)


def _size_chart(sizes: pa.Table) -> Chart:
    x = sizes["core"].to_numpy().astype(float)
    series = [Series(name, x, sizes[name].to_numpy().astype(float)) for name in ("hubs", "authorities")]
    return Chart("core-sizes", "Sizes of the cores", "iteration", "pages", series, log_y=True,
                 caption="The papers find hub sets usually larger than authority sets.")  # fmt: skip


def _size_claim(sizes: pa.Table) -> Claim:
    claim, reported = "Cores usually have more hubs than authorities", "usually; hubs capped at 999 (UK-2002)"
    hubs, authorities = sizes["hubs"].to_numpy(), sizes["authorities"].to_numpy()
    if len(hubs) < FEWEST_CORES:
        return Claim(PAPER, claim, reported, f"{len(hubs)} cores", "cannot be judged", "too few cores")
    share = mean_interval((hubs > authorities).astype(float))
    measured = f"share of cores {share}; medians {np.median(hubs):.4g} hubs, {np.median(authorities):.4g} authorities"
    verdict, why = exceeds(share, 0.5, "one half")
    return Claim(PAPER, claim, reported, measured, verdict, why)


def _crawls(
    desk: Desk, trial: CoreTrial, engine: Engine, pagerank: np.ndarray, crawled: np.ndarray, found: list[pa.Table]
) -> pa.Table:
    """Crawls from the best hubs, from random hubs of the same cores, and from as many random pages."""
    draw = np.random.default_rng(trial.rng)
    first = found[:SEEDS]
    hubs = [core.filter(pc.equal(core["role"], "hub"))["id"].to_numpy() for core in first]
    starts = {
        OURS: [np.array([draw.choice(some) for some in hubs]) for _ in range(trial.repeats)],
        "best hubs of the cores": [np.array([core.filter(core["seed"])["id"][0].as_py() for core in first])],
        "random": _random(draw, crawled, len(first), trial.repeats),
    }
    return depths.crawls(engine, pagerank, starts, desk.progress)


def _transfer(
    desk: Desk, trial: CoreTrial, engine: Engine, pagerank: np.ndarray, crawled: np.ndarray, old: Survivors
) -> pa.Table:
    """Crawls from the seeds that are left and from as many random pages.

    The seeds are one set, which is crawled from once; its row is repeated, so that draws of random pages are compared
    with it one by one.
    """
    draw = np.random.default_rng(trial.rng)
    starts = {"seeds": [old.pages], "random": _random(draw, crawled, len(old.pages), trial.repeats)}
    table = depths.crawls(engine, pagerank, starts, desk.progress)
    ours = table.slice(0, depths.DEEPEST + 1)
    return pa.concat_tables([ours] * trial.repeats + [table.slice(depths.DEEPEST + 1)])


def _random(draw: np.random.Generator, crawled: np.ndarray, count: int, repeats: int) -> list[np.ndarray]:
    return [draw.choice(crawled, min(count, len(crawled)), replace=False) for _ in range(repeats)]


def _facts(graph: WebGraph, pruned: WebGraph, usual: Interval | None) -> pa.Table:
    """Pages with links and links before and after; mean distance of pages, with its interval, before."""
    linked = [int(((some.in_degree > 0) | (some.out_degree > 0)).sum()) for some in (graph, pruned)]
    facts = {"links_of": ["all", "between sites"], "links": [graph.links, pruned.links], "pages": linked}
    ends = (None, None, None) if usual is None else (usual.value, usual.low, usual.high)
    names = ("mean_distance", "mean_distance_low", "mean_distance_high")
    return pa.table(
        {**facts, **{name: pa.array([end, None], pa.float64()) for name, end in zip(names, ends, strict=True)}}
    )
