"""How seeds hold over time: chosen on a graph, measured on the same web some time later (Zheng et al. 2009).

Sites are those of the older graph, found again by name; pages by URL.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import partial

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from seedrank.core.model import Status
from seedrank.experiments.checkpoints import Steps
from seedrank.experiments.coverage.choosing import Grid, Sample, choices, curves, rows, site_names
from seedrank.experiments.coverage.measure import or_none
from seedrank.experiments.intervals import lift_interval, ratio_interval
from seedrank.methods.seeds import baselines
from seedrank.methods.seeds.choose import pose
from seedrank.methods.seeds.coverage import CoverageProblem as Problem
from seedrank.methods.seeds.coverage import Selection, cover_in_order
from seedrank.questions.seeds import SeedQuestion
from seedrank.session import Session

__all__ = ["measure_later"]


def measure_later(
    session: Session,
    later: Session,
    sample: Sample,
    grid: Grid,
    rng: int,
    chosen: Mapping[str, pa.Table],
    steps: Steps,
) -> pa.Table | str:
    """Seeds of every method, measured on the newer graph.

    Parameters
    ----------
    grid
        `at_seeds` and the most hops.
    rng
        Of random choices and resamples.
    chosen
        Per method: its choices on the older graph.
    steps
        Where choices on the newer graph are kept.

    Returns
    -------
    pa.Table or str
        A row per method: ``alive`` (share of seeds still crawled), ``value`` reached on the newer graph, ``fresh``
        (value that seeds chosen there by the same method reach), ``retained`` = value / fresh, ``new_pages`` reached,
        and value and new pages over Random in per cent with intervals over sites. Or why it cannot be done.
    """
    if session.graph.urls is None or later.graph.urls is None:
        return "how seeds hold over time: pages are found again by URL, so load URLs into both stores"
    problem, groups = _newer_problem(later, sample, grid)
    shared = np.flatnonzero(groups >= 0)
    if not len(shared):
        return f"how seeds hold over time: no site measured here has crawled pages in {later.store.url}"
    place = _places(session, later)
    new = _new_pages(session, later)
    fresh_of = choices(later)
    results, alive, fresh = {}, {}, {}
    with later.progress("measuring seeds later", len(chosen)) as advance:
        for name, table in chosen.items():
            results[name], alive[name] = _measured(table, sample, problem, groups, shared, place, new, grid)
            if name == "Random":
                again = steps.table("later-Random", partial(_random, problem, grid, rng))
            else:
                again = steps.table(f"later-{name}", partial(_anew, fresh_of[name], problem))
            fresh[name] = curves(again, np.arange(len(problem.quota)), grid.at_seeds)[groups[shared], -1, 1]
            advance(1)
    return _table(results, alive, fresh, rng)


def _table(
    results: Mapping[str, np.ndarray], alive: Mapping[str, float], fresh: Mapping[str, np.ndarray], rng: int
) -> pa.Table:
    """A row per method, from value and new pages per site, the share alive, and the value of seeds chosen anew."""
    records = []
    for name, found in results.items():
        value, new_pages = found.T
        retained = ratio_interval(value, fresh[name], "sites", rng=rng).scaled(100)
        record = {"method": name, "sites": len(found), "alive": alive[name]}
        record |= {"value": value.mean(), "fresh": fresh[name].mean()}
        record |= {"retained": retained.value, "retained_low": retained.low, "retained_high": retained.high}
        record["new_pages"] = new_pages.mean()
        for column, what in enumerate(("value", "new_pages")):
            base = results["Random"][:, column]
            over = lift_interval(found[:, column], base, base, "sites", rng=rng)
            record |= {f"{what}_over_random": over.value, f"{what}_low": over.low, f"{what}_high": over.high}
        records.append({key: or_none(one) if isinstance(one, float) else one for key, one in record.items()})
    numbers = [(name, pa.float64()) for name in records[0] if name not in ("method", "sites")]
    return pa.Table.from_pylist(records, pa.schema([("method", pa.string()), ("sites", pa.int64()), *numbers]))


def _newer_problem(later: Session, sample: Sample, grid: Grid) -> tuple[Problem, np.ndarray]:
    """The problem on the newer graph, and the group there of each site of the sample (-1 where it is gone)."""
    by_site = sample.problem.group is not None
    question = SeedQuestion(k=grid.at_seeds, hops=grid.most_hops, value="paper", per_site=by_site, always_k=True)
    every = np.ones(later.graph.pages, bool)
    problem = pose(question, later.graph, later.engine, later.sites, every, np.empty(0, np.int64))
    names = site_names(later, problem)
    found = pc.fill_null(pc.index_in(sample.names, value_set=names), -1).to_numpy(zero_copy_only=False)
    groups = found.astype(np.int64)
    wanted = np.zeros(len(problem.quota), bool)
    wanted[groups[groups >= 0]] = True
    return replace(problem, quota=np.where(wanted, problem.quota, 0)), groups


def _places(session: Session, later: Session) -> np.ndarray:
    """Page of the newer graph for each page of the older one, -1 where it is not there or not crawled."""
    assert session.graph.urls is not None and later.graph.urls is not None
    held = later.graph.urls.combine_chunks()
    place = pc.fill_null(pc.index_in(session.graph.urls.combine_chunks(), value_set=held, skip_nulls=True), -1)
    pages = place.to_numpy(zero_copy_only=False).astype(np.int64)
    crawled = np.append(later.graph.status == Status.CRAWLED, False)
    return np.where(crawled[pages], pages, -1)


def _new_pages(session: Session, later: Session) -> np.ndarray:
    """Pages crawled in the newer graph that were not crawled in the older one, boolean."""
    assert session.graph.urls is not None and later.graph.urls is not None
    old = session.graph.urls.combine_chunks().filter(pa.array(session.graph.status == Status.CRAWLED))
    known = pc.is_in(later.graph.urls.combine_chunks(), value_set=old).to_numpy(zero_copy_only=False)
    return (later.graph.status == Status.CRAWLED) & ~known


def _measured(
    table: pa.Table,
    sample: Sample,
    problem: Problem,
    groups: np.ndarray,
    shared: np.ndarray,
    place: np.ndarray,
    new: np.ndarray,
    grid: Grid,
) -> tuple[np.ndarray, float]:
    """Value and new pages per shared site, (sites, 2), means of repeats; and the share of seeds that are alive."""
    columns = {name: table[name].to_numpy() for name in ("repeat", "group", "round", "page")}
    first = columns["round"] < grid.at_seeds
    site = np.searchsorted(sample.drawn, columns["group"])
    # The new pages take the place of the frontier, which is counted apart.
    counting = replace(problem, frontier=new)
    repeats = int(columns["repeat"].max(initial=0)) + 1
    found = np.zeros((repeats, len(groups), 2))
    asked, alive = 0, 0
    for repeat in range(repeats):
        now = first & (columns["repeat"] == repeat)
        pages = place[columns["page"][now]]
        there = (pages >= 0) & (groups[site[now]] >= 0)
        asked += int((groups[site[now]] >= 0).sum())
        alive += int(there.sum())
        lists: list[np.ndarray] = [np.empty(0, np.int64)] * len(problem.quota)
        order = np.argsort(site[now][there], kind="stable")
        held, its_site = pages[there][order], site[now][there][order]
        starts = np.searchsorted(its_site, np.arange(len(groups) + 1))
        for number in np.unique(its_site):
            lists[groups[number]] = held[starts[number] : starts[number + 1]]
        selection = cover_in_order(counting, lists)
        value, fresh_pages = np.zeros(len(problem.quota)), np.zeros(len(problem.quota))
        value[selection.groups] = selection.covered_value
        fresh_pages[selection.groups] = selection.frontier_reached
        inside = groups >= 0
        found[repeat, inside] = np.stack([value, fresh_pages], axis=1)[groups[inside]]
    return found.mean(axis=0)[shared], alive / max(asked, 1)


def _anew(method: Callable[[Problem], Selection], problem: Problem) -> pa.Table:
    return rows([method(problem)], 0.0)


def _random(problem: Problem, grid: Grid, rng: int) -> pa.Table:
    return rows([baselines.at_random(problem, rng + turn) for turn in range(grid.repeats)], 0.0)
