"""Cores of a graph: their sizes and distances, and what crawls from their hubs find (docs/algorithms.md §3.5)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from seedrank.core.errors import GraphError
from seedrank.core.model import Status
from seedrank.engines.base import Engine
from seedrank.experiments.checkpoints import Steps
from seedrank.experiments.cores import depths, distances, graph_facts
from seedrank.experiments.cores.plan import ITERATIONS, Plan
from seedrank.experiments.cores.transfer import RANDOM, Survivors, later_crawls, random_sets, survival
from seedrank.experiments.intervals import Interval
from seedrank.graph import WebGraph
from seedrank.methods.seeds import cores
from seedrank.methods.seeds.find_cores import hosts_of, members_table, name_of
from seedrank.questions.seeds import CoreQuestion
from seedrank.session import Session

__all__ = ["RANDOM_HUBS", "SEEDS", "Measured", "measure"]

SEEDS = 10
"""Seeds a crawl starts from, as in the papers."""
RANDOM_HUBS = "random hubs of the cores"
"""What the papers crawl from: an arbitrary hub of each core."""


@dataclass(frozen=True)
class Measured:
    """What was measured."""

    tables: Mapping[str, pa.Table]
    """Of the experiment, the main one first."""
    crawls: pa.Table
    """Crawls from hubs of the cores and from random pages (`depths.crawls`)."""
    seeds: int
    """Seeds of those crawls."""
    crawled: int
    """Crawled pages of the graph."""
    usual_distance: Interval | None
    """Mean distance of pages; `None` where nothing is reached."""
    later_crawls: pa.Table | None = None
    """Crawls from the seeds of an older graph, where there are any."""
    survivors: int = 0
    """Seeds of those crawls."""
    apart: str = ""
    """Why the papers' claims are not pooled from this graph; empty where they are."""


def measure(session: Session, plan: Plan, old: Survivors | None, other: Survivors | None, steps: Steps) -> Measured:
    """Find the cores of a graph and measure them; with `old`, crawl from the seeds of an older graph too.

    `old` and `other` are what is left of seeds of an older graph, and of random pages to compare them with.
    """
    graph, whole = session.graph, session.engine
    sites, apart = None if plan.keep_same_site else session.sites, _apart(session, plan)
    engine, pruned = cores.prune(whole, graph, sites)
    if not pruned.links:
        between = "" if plan.keep_same_site else " between sites"
        raise GraphError(f"no link is left{between}, so there is no core", hint="load a graph of several sites")
    crawled = np.flatnonzero(graph.status == Status.CRAWLED)
    tables: dict[str, pa.Table] = {}

    members = steps.table("members", lambda: _members(session, plan, engine, pruned))
    found = [members.filter(pc.equal(members["n"], n)) for n in range(1, int(members["n"].to_numpy().max()) + 1)]
    tables["sizes"] = _sizes(graph, found)

    pagerank = steps.table("pagerank", lambda: pa.table({"score": whole.walk().scores}))["score"].to_numpy()
    crawl = steps.table("crawls-by-depth", lambda: _crawls(session, plan, whole, pagerank, crawled, found))
    tables["depths"], tables["crawls"] = depths.summary(crawl), crawl

    tables["degrees"] = graph_facts.degrees(graph, pruned)
    tables["power-laws"] = steps.table("power-laws", lambda: graph_facts.power_laws(tables["degrees"], plan.rng))
    sampled = steps.table("sampled", lambda: graph_facts.distances(whole, crawled, plan.sources, plan.rng))
    usual = graph_facts.mean_distance(sampled)
    tables["graph"] = _facts(graph, pruned, usual)
    tables["hits"] = steps.table("ranks-by-iteration", lambda: graph_facts.convergence(engine, plan.grid))
    tables["density"] = steps.table(
        "density-of-cores", lambda: graph_facts.density_steps(engine, pruned, plan.size, ITERATIONS, plan.sized)
    )
    tables["time"] = steps.table(
        "time-of-runs", lambda: graph_facts.running_time(graph, sites, plan.shares, ITERATIONS)
    )

    pages = [np.unique(one["id"].to_numpy()) for one in found]
    between = steps.table("apart", lambda: distances.between_cores(whole, pages, session.progress))
    tables["distances"], tables["map"] = between, distances.map_positions(between, len(found))

    made = Measured(tables, crawl, min(SEEDS, len(found)), len(crawled), usual, apart=apart)
    if old is None:
        return made
    tables["survival"] = survival(old, other)
    later = steps.table("transfer-by-depth", lambda: later_crawls(session, old, whole, pagerank, plan))
    tables["transfer"], tables["transfer-crawls"] = depths.summary(later), later
    if old.moved is not None:
        tables["replacements"] = old.moved.table(session)
    return replace(made, later_crawls=later, survivors=len(old.pages))


def _apart(session: Session, plan: Plan) -> str:
    if (session.sites < 0).all():
        return "the graph has no hosts, so links within a site could not be pruned"
    return "links within a site were left in" if plan.keep_same_site else ""


def _members(session: Session, plan: Plan, engine: Engine, pruned: WebGraph) -> pa.Table:
    """Pages of all cores, and per page whether it is the seed and the links of its core."""
    question = CoreQuestion(
        k=plan.cores,
        keep_same_site=plan.keep_same_site,
        core=plan.core,
        density=plan.density,
        cap=plan.cap,
        size=plan.core_size,
        step=plan.step,
        rng=plan.rng,
    )
    found = []
    with session.progress("finding cores", plan.cores) as advance:
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


def _crawls(
    session: Session,
    plan: Plan,
    engine: Engine,
    pagerank: np.ndarray,
    crawled: np.ndarray,
    found: list[pa.Table],
) -> pa.Table:
    """Crawls from the best hubs, from random hubs of the same cores, and from as many random pages."""
    draw = np.random.default_rng(plan.rng)
    first = found[:SEEDS]
    hubs = [core.filter(pc.equal(core["role"], "hub"))["id"].to_numpy() for core in first]
    starts = {
        RANDOM_HUBS: [np.array([draw.choice(some) for some in hubs]) for _ in range(plan.repeats)],
        "best hubs of the cores": [np.array([core.filter(core["seed"])["id"][0].as_py() for core in first])],
        RANDOM: random_sets(draw, crawled, len(first), plan.repeats),
    }
    return depths.crawls(engine, session.graph, pagerank, starts, session.progress)


def _facts(graph: WebGraph, pruned: WebGraph, usual: Interval | None) -> pa.Table:
    """Pages with links and links before and after; mean distance of pages, with its interval, before."""
    linked = [int(((some.in_degree > 0) | (some.out_degree > 0)).sum()) for some in (graph, pruned)]
    facts = {"links_of": ["all", "between sites"], "links": [graph.links, pruned.links], "pages": linked}
    ends = (None, None, None) if usual is None else (usual.value, usual.low, usual.high)
    names = ("mean_distance", "mean_distance_low", "mean_distance_high")
    return pa.table(
        {**facts, **{name: pa.array([end, None], pa.float64()) for name, end in zip(names, ends, strict=True)}}
    )
