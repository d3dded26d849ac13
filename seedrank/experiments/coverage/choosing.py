"""Choosing seeds in many sites at once: which sites, by which methods, and what was covered after each seed."""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from seedrank.core.model import Status
from seedrank.engines.kernels.assemble import count_external_in_links
from seedrank.methods.seeds import baselines, graph_methods
from seedrank.methods.seeds.choose import pose
from seedrank.methods.seeds.coverage import CoverageProblem as Problem
from seedrank.methods.seeds.coverage import Selection
from seedrank.questions.experiments import CoverageExperiment
from seedrank.questions.seeds import SeedQuestion
from seedrank.session import Session

__all__ = [
    "GRAPH_METHODS", "HEURISTICS", "METHODS", "Grid", "Sample", "choices", "choose_in_sites", "curves", "grid_of",
    "rows", "sample_of", "site_names", "timed",
]  # fmt: skip

HEURISTICS = ("PageRank", "OutDegree")
GRAPH_METHODS = ("MaxOut", "MaxWeight2", "MaxWeight3", "MaxSCC", "RootSCC")
METHODS = ("Random", *HEURISTICS, *GRAPH_METHODS)


@dataclass(frozen=True)
class Grid:
    """How much is measured."""

    seeds: int = 10
    """k = 1 … this, at the most hops. Default 10."""
    hops: tuple[int, ...] = (1, 2, 3, 4, 5)
    """h: each of these, at `at_seeds`. Default 1 … 5."""
    at_seeds: int = 5
    """k while the hops vary, and of what is reported as one number. Default 5."""
    depths: tuple[int, ...] = (1, 2, 3, 4)
    """d of MaxWeight whose seconds are measured. Default 1 … 4."""
    runs: int = 5
    """How often d = 3 and the deepest d are timed, where that is deeper. Default 5."""
    repeats: int = 10
    """Random choices that are averaged. Default 10."""
    sites: int = 2000
    """At most so many sites, drawn at random. Default 2,000, as in the paper."""
    work: float = math.inf
    """Pages times links, summed over the sites, that are not exceeded: a site that would is left out, unless it is the
    only one. No limit by default."""
    min_pages: int = 100
    min_external_inlinks: int = 1
    """Crawled pages of a site, and links to it from other sites. Default 100 and 1, as in the paper."""

    @property
    def most_hops(self) -> int:
        """Hops while the seeds vary."""
        return max(self.hops)


QUICK = Grid(hops=(1, 3, 5), depths=(1, 2, 3), repeats=3, sites=300, work=3e10)
"""Its work takes half a minute of a processor or so."""


def grid_of(question: CoverageExperiment) -> Grid:
    """How much is measured for a question: less where it is to be quick."""
    grid = QUICK if question.quick else Grid()
    return replace(grid, min_pages=question.min_pages, min_external_inlinks=question.min_external_inlinks)


@dataclass(frozen=True)
class Sample:
    """The sites that are measured."""

    problem: Problem
    """One group per site, the most seeds and hops; sites that were not drawn have no seeds."""
    drawn: np.ndarray
    """Groups that were drawn, ascending."""
    names: pa.Array
    """Names of the sites drawn."""
    left_out: tuple[str, ...]
    """What the graph cannot serve."""
    counts: pa.Table
    """How many sites there are, were left out for which reason, and are measured: ``sites``, ``count``."""


def sample_of(session: Session, grid: Grid, rng: int) -> Sample:
    """The sites that the paper would take: enough pages, enough links from other sites; drawn where there are many.

    A graph without hosts is one site.
    """
    graph, left_out = session.graph, []
    known = [name for name in ("clicks", "spam") if name in graph.column_names]
    if len(known) < 2:
        missing = " and ".join(name for name in ("clicks", "spam") if name not in known)
        left_out.append(f"value knows nothing of {missing}: load pages with such a column")
    by_site = len(graph.host_names) > 0
    if not by_site:
        left_out.append("the whole graph counts as one site, as no page has a host: load URLs or a host column")
    several = len(np.unique(session.sites[session.sites >= 0])) > 1
    question = SeedQuestion(
        k=grid.seeds,
        hops=grid.most_hops,
        value="paper",
        per_site=by_site,
        min_pages=grid.min_pages if by_site else 1,
        min_external_inlinks=grid.min_external_inlinks if several else 0,
        always_k=True,
    )
    every = np.ones(graph.pages, bool)
    problem = pose(question, graph, session.engine, session.sites, every, np.empty(0, np.int64))
    groups = len(problem.quota)
    drawn = np.arange(groups)
    if groups > grid.sites:
        drawn = np.sort(np.random.default_rng(rng).choice(groups, grid.sites, replace=False))
    affordable = _affordable(problem, drawn, grid.work, rng)
    if len(affordable) < len(drawn):
        left_out.append(f"{len(drawn) - len(affordable):,} sites, the larger ones first: quick keeps to a minute or so")
    drawn = affordable
    if len(drawn) < groups:
        rest = np.ones(groups, bool)
        rest[drawn] = False
        problem = replace(problem, quota=np.where(rest, 0, problem.quota))
    counts, sentences = _counted(session, question, len(drawn)) if several else (_counts(1, 0, 0, 0, 1), [])
    names = site_names(session, problem).take(pa.array(drawn))
    return Sample(problem, drawn, names, (*left_out, *sentences), counts)


def _affordable(problem: Problem, drawn: np.ndarray, work: float, rng: int) -> np.ndarray:
    """Sites in random order, as long as their work is not exceeded; those that would exceed it are passed over."""
    inside = np.flatnonzero(problem.groups >= 0)
    count = len(problem.quota)
    pages = np.bincount(problem.groups[inside], minlength=count).astype(np.float64)
    links = np.bincount(problem.groups[inside], problem.engine.degrees()[1][inside], count)
    cost, left, kept = pages * links, work, []
    for site in np.random.default_rng(rng).permutation(drawn):
        if cost[site] <= left:
            left -= cost[site]
            kept.append(site)
    return np.sort(np.array(kept or [drawn[np.argmin(cost[drawn])]], np.int64))


def _counted(session: Session, question: SeedQuestion, drawn: int) -> tuple[pa.Table, list[str]]:
    """How many sites were left out and why, as a table and in words; a site has crawled pages."""
    graph, site = session.graph, session.sites
    number = int(site.max()) + 1
    pages = np.bincount(site[(graph.status == Status.CRAWLED) & (site >= 0)], minlength=number)
    links = count_external_in_links(graph.out_offsets, graph.out_targets, np.asarray(site), number)[pages > 0]
    pages = pages[pages > 0]
    small = int((pages < question.min_pages).sum())
    large = pages >= question.min_pages
    fewest = question.min_external_inlinks
    lonely = int((large & (links < fewest)).sum())
    counts = _counts(len(pages), small, lonely, len(pages) - small - lonely - drawn, drawn)
    sentences = []
    if small:
        sentences.append(
            f"{small:,} of {len(pages):,} sites: fewer than `min_pages` {question.min_pages:,} crawled pages"
        )
    if lonely:
        why = f"fewer than `min_external_inlinks` {fewest:,} {'link' if fewest == 1 else 'links'} from other sites"
        sentences.append(f"{lonely:,} of {len(pages):,} sites: {why}")
    if not fewest:
        apart = int((large & (links == 0)).sum())
        sentences.append(
            "the paper's condition that a site has a link from another one (`min_external_inlinks` is 0): "
            f"{apart:,} of the {int(large.sum()):,} sites have none"
        )
    return counts, sentences


def _counts(*numbers: int) -> pa.Table:
    names = ("with crawled pages", "too few crawled pages", "too few links from elsewhere", "not drawn", "measured")
    return pa.table({"sites": list(names), "count": list(numbers)})


def choices(session: Session) -> dict[str, Callable[[Problem], Selection]]:
    """Every method by its name in the paper; random ones are drawn elsewhere."""
    return {
        "PageRank": lambda problem: baselines.by_pagerank(problem, session.engine.walk().scores),
        "OutDegree": baselines.by_outdegree,
        "MaxOut": graph_methods.maxout,
        "MaxWeight2": lambda problem: graph_methods.maxweight(problem, 2),
        "MaxWeight3": lambda problem: graph_methods.maxweight(problem, 3),
        "MaxSCC": lambda problem: graph_methods.maxscc(problem, 2),
        "RootSCC": lambda problem: graph_methods.rootscc(problem, 2),
    }


def rows(selections: list[Selection], seconds: float) -> pa.Table:
    """A table of choices: ``repeat``, ``group``, ``round`` from 0, ``page``, ``pages``, ``value``, ``seconds``."""
    tables = []
    for repeat, some in enumerate(selections):
        order = np.argsort(some.groups, kind="stable")
        group = some.groups[order]
        first = np.searchsorted(group, group)
        columns = {
            "repeat": np.full(len(group), repeat, np.int32),
            "group": group,
            "round": (np.arange(len(group)) - first).astype(np.int32),
            "page": some.pages[order],
            "pages": some.covered_pages[order],
            "value": some.covered_value[order],
            "seconds": np.full(len(group), seconds),
        }
        tables.append(pa.table(columns))
    return pa.concat_tables(tables)


def curves(table: pa.Table, drawn: np.ndarray, seeds: int) -> np.ndarray:
    """Pages and value covered per site by 1 … `seeds` seeds, (sites, seeds, 2), averaged over repeats.

    A site that stopped early keeps what it covers.
    """
    repeats = int(pc.max(table["repeat"]).as_py() or 0) + 1
    columns = {name: table[name].to_numpy() for name in ("repeat", "group", "round")}
    site = np.searchsorted(drawn, columns["group"])
    inside = columns["round"] < seeds
    place = tuple(array[inside] for array in (columns["repeat"], site, columns["round"]))
    filled = np.zeros((repeats, len(drawn), seeds, 2))
    there = np.zeros((repeats, len(drawn), seeds), np.int64)
    there[place] = place[2]
    for number, name in enumerate(("pages", "value")):
        filled[(*place, number)] = table[name].to_numpy()[inside]
    last = np.maximum.accumulate(there, axis=2)
    return np.take_along_axis(filled, last[..., None], axis=2).mean(axis=0)


def choose_in_sites(
    problem: Problem, method: Callable[[Problem], Selection] | None, repeats: int, rng: int
) -> pa.Table:
    """Choose in every site; the seconds are those of one choice in all of them."""
    if method is None:
        started = time.perf_counter()
        drawn = [baselines.at_random(problem, rng + turn) for turn in range(repeats)]
        return rows(drawn, (time.perf_counter() - started) / repeats)
    # Kernels are compiled or read from disk at their first use: that is no time of the method.
    first = np.arange(len(problem.quota)) == np.flatnonzero(problem.quota)[:1]
    method(replace(problem, quota=np.where(first, 1, 0)))
    started = time.perf_counter()
    selection = method(problem)
    return rows([selection], time.perf_counter() - started)


def timed(problem: Problem, methods: Mapping[str, Callable[[Problem], Selection]], runs: int) -> pa.Table:
    """Seconds of choosing in every site, `runs` times: ``run``, ``method``, ``seconds``.

    The methods take turns, so that what else the machine does falls on all of them. They have chosen here before, so
    that every kernel is compiled.
    """
    records = []
    for run in range(runs):
        for name, method in methods.items():
            started = time.perf_counter()
            method(problem)
            records.append({"run": run, "method": name, "seconds": time.perf_counter() - started})
    return pa.Table.from_pylist(records)


def site_names(session: Session, problem: Problem) -> pa.Array:
    """Names of all groups."""
    if problem.group is None:
        return pa.array(["the whole graph"], pa.large_string())
    first = np.full(len(problem.quota), -1, np.int64)
    inside = np.flatnonzero(problem.groups >= 0)[::-1]
    first[problem.groups[inside]] = inside
    names = session.graph.host_names.combine_chunks().take(pa.array(session.graph.host[first]))
    if session.site == "domain":
        from seedrank.core.urls import registered_domain

        return registered_domain(names)
    return names
