"""Choose seeds: which pages count, which sites, which method, and how good the choice is."""

from __future__ import annotations

import logging
import time
from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from seedrank.core.errors import GraphError, UsageError
from seedrank.core.levels import PLURAL, name_column
from seedrank.core.model import Status
from seedrank.engines.base import Engine
from seedrank.engines.gds.sums import require_time_for_passes
from seedrank.engines.kernels.assemble import count_external_in_links
from seedrank.graph import WebGraph
from seedrank.graph.filters import allowed
from seedrank.graph.levels import LOAD_HOSTS
from seedrank.methods.host_table import seed_hosts, starving
from seedrank.methods.seeds.allocate import allocate
from seedrank.methods.seeds.best import enough, front_page_scores
from seedrank.methods.seeds.coverage import Bound, CoverageProblem, Search, Selection, upper_bound
from seedrank.methods.seeds.graph_methods import left_on_the_table
from seedrank.methods.seeds.methods import SEEDS
from seedrank.methods.seeds.preference import preference_of
from seedrank.methods.seeds.value import worth_of
from seedrank.methods.worthless import worthless
from seedrank.questions.question import Saved
from seedrank.questions.seeds import Searching, SeedQuestion
from seedrank.runs import Answer, Ranking
from seedrank.runs.facts import ListFacts, SearchFacts, SeedFacts
from seedrank.session import Session
from seedrank.session.page_lists import known_pages, list_name, pinned

__all__ = ["SeedAnswer", "SeedProblem", "choose", "chosen", "listed_pages", "pose", "search_facts", "seed_ranking"]

_SERVER_TAKES = 500
"""Times as long as in memory, to walk links by sums over all of them (measured: 300 to 800)."""
_BY_ROUNDS = ("best", "greedy", "maxscc", "maxweight", "rootscc")
ENOUGH = 0.95
"""Share of what all seeds cover that the first few are counted for."""

log = logging.getLogger(__name__)


@dataclass(frozen=True)
class SeedProblem:
    """What a method of `seedrank.methods.seeds.methods` takes."""

    question: SeedQuestion
    graph: WebGraph
    coverage: CoverageProblem
    """The problem behind it (`pose`)."""
    pagerank: Callable[[], np.ndarray]
    """PageRank of the whole graph, or of each site, as the question says; worked out when it is called."""
    fronts: Callable[[], np.ndarray] | None = None
    """The same for the front pages of hosts (`front_page_scores`); none by default."""

    @property
    def depth(self) -> int:
        """The depth that is asked for: no ball is wider than the graph."""
        return min(self.question.depth, self.coverage.engine.pages)


@dataclass(frozen=True)
class SeedAnswer:
    """Seeds, what they cover, and how much better an answer could be."""

    selection: Selection
    value: float
    bound: Bound
    facts: SeedFacts


def choose(session: Session, question: SeedQuestion, *, save: Saved = False, write: str | None = None) -> Answer:
    """Choose seeds and keep them as a run; `save` and `write` also write them into the database."""
    SEEDS.check(question)
    session.check_column(write)
    if question.method == "greedy":
        session.check_here("greedy", "it needs the balls of all pages")
    started = time.perf_counter()
    if question.keep is not None:
        question = replace(question, keep=pinned(session, question.keep))
    kept = np.empty(0, np.int64) if question.keep is None else listed_pages(session, question.keep)[1]
    candidates = allowed(session.graph, question.only, question.exclude, session.level, non_pages=question.non_pages)
    idle = np.zeros(session.graph.pages, bool)
    if question.fold or question.no_traps:
        idle = worthless(session, fold=question.fold, no_traps=question.no_traps)
    problem = pose(question, session.graph, session.engine, session.sites, candidates & ~idle, kept)
    if idle.any():
        problem = replace(problem, value=np.where(idle, 0.0, problem.value))
    _warn_of(question, problem)
    within = question.preferred_within
    if within is not None and "prefer" in SEEDS.fields(question.method):
        problem = replace(problem, preference=preference_of(session.graph, within))

    def pagerank() -> np.ndarray:
        if question.pagerank_of == "site":
            return session.engine.without(between_sites=session.sites).walk().scores
        return session.pagerank

    if session.in_database:
        _check_hours(session, question, problem)
    found = chosen(
        SeedProblem(
            replace(question, work=_work(session, question)),
            session.graph,
            problem,
            pagerank,
            lambda: front_page_scores(session.graph, session.engine.degrees()[1]),
        )
    )
    facts = found.facts
    if question.method == "maxweight" and not (session.in_spark or session.in_database):
        left = left_on_the_table(problem, found.selection, question.depth)
        if left > 0:
            facts["left"] = left
    ranking = seed_ranking(found.selection)
    tables = {"compared": _curves(found.selection)} if found.selection.compared else {}
    if not session.is_derived and not session.in_spark:
        reached = problem.reached(np.append(problem.keep, found.selection.pages))
        hosts = seed_hosts(session.graph, found.selection.pages, reached)
        facts = {**facts, **starving(hosts)}
        tables |= {} if hosts is None else {"hosts": hosts}
    if question.allocate is not None:
        facts.update(_without_seed(session, problem, found.selection))
    return session.answered(question, started, ranking, facts, save=save, write=write, tables=tables, site=session.site)


def pose(
    question: SeedQuestion,
    graph: WebGraph,
    engine: Engine,
    site: np.ndarray,
    candidates: np.ndarray,
    keep: np.ndarray,
) -> CoverageProblem:
    """The problem behind a question.

    Pages with site -1 are in none. Of the `candidates` (`seedrank.graph.filters.allowed`) those that are crawled may be
    chosen.
    """
    crawled, frontier = graph.status == Status.CRAWLED, graph.status == Status.FRONTIER
    worth = worth_of(question, graph, engine, site)
    candidates = candidates & crawled
    if not candidates.any():
        raise GraphError(
            "no page may be chosen",
            hint="seeds are crawled pages: check {only}, {exclude}, {non_pages} and statuses",
            fields=("only", "exclude", "non_pages"),
        )
    common = {
        "hops": min(question.hops, graph.pages),
        "crawled": crawled,
        "frontier": frontier,
        "always": question.always_k,
        "keep": keep,
        "search": Search(question.time_limit, question.tolerance, question.sketch),
    }
    if not question.per_site and question.allocate is None:
        return CoverageProblem(
            engine, worth, quota=np.array([min(question.k, graph.pages)]), candidates=candidates, **common
        )
    group, sites = _sites(question, graph, site, crawled)
    free = candidates & (group >= 0)
    free[keep] = False
    capacity = np.bincount(group[free], minlength=sites)
    importance = None
    if question.per_site:
        quota = np.minimum(min(question.k, graph.pages), capacity)
    else:
        importance = _importance(question, graph, engine, group, sites)
        quota = allocate(min(question.k, graph.pages), importance, capacity)
    inside = engine.without(between_sites=group)
    return CoverageProblem(
        inside, worth, quota=quota.astype(np.int64), candidates=candidates, group=group, importance=importance, **common
    )


def chosen(asked: SeedProblem) -> SeedAnswer:
    """Choose, and say how good the choice is."""
    question, problem = asked.question, asked.coverage
    method = SEEDS.method(question.method)
    selection: Selection = method.run(asked)
    repeated: SeedFacts = {}
    if question.repeats > 1:
        turns = (replace(question, rng=question.rng + turn) for turn in range(1, question.repeats))
        others = [method.run(replace(asked, question=turn)) for turn in turns]
        values = np.array([_reached(problem, some) for some in (selection, *others)])
        repeated = {
            "mean_value": float(values.mean()),
            "standard_error": float(values.std(ddof=1) / len(values) ** 0.5),
        }
    reached = _reached(problem, selection)
    bound = upper_bound(problem, selection, tight=question.certify)
    ratio = bound.ratio(reached)
    facts: SeedFacts = {
        **repeated,
        **search_facts(question, selection),
        "seeds": len(selection.pages),
        "value": reached,
        "pages": int(_last(selection, selection.covered_pages, selection.kept_pages).sum()),
        "bound": bound.value,
        "bound_form": bound.form,
        "ratio": ratio,
        "evaluations": selection.evaluations,
        **_comparison(selection),
    }
    return SeedAnswer(selection, reached, bound, facts)


def _work(session: Session, question: SeedQuestion) -> float:
    """Links that the search may walk where the links are."""
    if session.in_spark:
        return 0.0  # balls of more than two links do not leave Spark
    return question.work / _SERVER_TAKES if session.in_database else question.work


def _check_hours(session: Session, question: SeedQuestion, problem: CoverageProblem) -> None:
    """Refuse rounds of sums over all links that would take hours in the database, and tell how long they will."""
    if question.method not in _BY_ROUNDS:
        return
    depth = min(problem.hops, 2) if question.method == "best" else min(question.depth, problem.engine.pages)
    depth = problem.hops if question.method == "greedy" else depth
    passes = int(problem.quota.max(initial=0)) * depth + 2 * problem.hops
    seconds = require_time_for_passes(problem.engine.links, passes)
    log.info("%s sums over all links in Neo4j: about %.0f s, and the balls of the pages that may win", passes, seconds)


def _without_seed(session: Session, problem: CoverageProblem, selection: Selection) -> SeedFacts:
    """Sites that got no seed, those with the most crawled pages first."""
    sizes = problem.per_group(problem.crawled)
    chosen = np.bincount(selection.groups, minlength=len(sizes))
    none = np.flatnonzero(chosen == 0)
    none = none[np.argsort(-sizes[none], kind="stable")]
    first = np.full(len(sizes), -1, np.int64)
    inside = np.flatnonzero(problem.groups >= 0)[::-1]
    first[problem.groups[inside]] = inside
    hosts = session.graph.host[first[none[:5]]]
    names = session.graph.host_names.combine_chunks().take(pa.array(hosts))
    if session.site == "domain":
        from seedrank.core.urls import registered_domain

        names = registered_domain(names)
    return {"sites_without_seed": len(none), "sites_without_seed_such_as": names.to_pylist()}


def _comparison(selection: Selection) -> SeedFacts:
    """What the other methods cover where several were tried, and how few seeds do most of it."""
    if not selection.compared:
        return {}
    return {
        "winner": selection.winner,
        "enough": enough(selection, ENOUGH),
        "compared": {
            name: {
                "seeds": len(one.pages),
                "pages": int(one.kept_pages.sum() + one.gain_pages.sum()),
                "value": one.total,
            }
            for name, one in selection.compared.items()
        },
    }


def _curves(selection: Selection) -> pa.Table:
    """What the first seeds of each method cover, by their number."""
    rows = [
        {"method": name, "seeds": number + 1, "pages": int(pages), "value": float(value)}
        for name, one in selection.compared.items()
        for number, (pages, value) in enumerate(
            zip(
                one.kept_pages.sum() + np.cumsum(one.gain_pages),
                one.kept_value.sum() + np.cumsum(one.gain),
                strict=True,
            )
        )
    ]
    kinds = [("method", pa.string()), ("seeds", pa.int64()), ("pages", pa.int64()), ("value", pa.float64())]
    return pa.Table.from_pylist(rows, pa.schema(kinds))


def seed_ranking(selection: Selection) -> Ranking:
    """Seeds with what each adds and all so far cover."""
    names = ("gain", "gain_pages", "covered_pages", "covered_value", "frontier_reached")
    return Ranking(selection.pages, selection.gain, {name: getattr(selection, name) for name in names})


def search_facts(question: Searching, selection: Selection) -> SearchFacts:
    """How the seeds were found: how exact the choice is, what a preference cost, and why it ended early."""
    facts: SearchFacts = {}
    if selection.sketched:
        facts["exact"] = "exactly, up to five standard deviations (sketches)"
    if question.tolerance:
        facts["exact"] = f"with each seed within {100 * question.tolerance:g} % of the best"
    if selection.hurried_from:
        proven = selection.hurried_from - 1
        facts["proven"] = proven
        which = {
            0: "no seed is proven the best choice, all are",
            1: "the first seed is proven the best choice, those after are",
        }.get(proven, f"the first {proven:,} seeds are proven the best choice, those after are")
        facts["time_limit"] = f"ended the search: {which} the best found so far"
        facts.pop("exact", None)
    if selection.preferred:
        facts["preferred"], facts["preference_cost"] = selection.preferred, max(selection.preference_cost, 0.0)
    if selection.stopped:
        facts["stopped"] = selection.stopped
    return facts


def listed_pages(session: Session, file: str) -> tuple[ListFacts, np.ndarray]:
    """Pages of a list of seeds; its facts, and a warning, name those that are not crawled."""
    facts, pages = known_pages(session, file)
    dead = pages[session.graph.status[pages] != Status.CRAWLED]
    names = session.names.of(pa.chunked_array([dead[:5]]))
    facts["not_crawled"] = len(dead)
    named = names[name_column(names.column_names)]
    facts["not_crawled_such_as"] = pc.coalesce(named, names["source_id"].cast(named.type)).to_pylist()
    if len(dead):
        some = ", ".join(map(str, facts["not_crawled_such_as"][:3]))
        log.warning(
            "%s: %d of %d %s are not crawled and reach nothing, such as %s",
            list_name(session, file), len(dead), len(pages), PLURAL[session.level], some,
        )  # fmt: skip
    return facts, pages


def _warn_of(question: SeedQuestion, problem: CoverageProblem) -> None:
    free = problem.candidates & (problem.groups >= 0)
    free[problem.keep] = False
    wanted, there = question.k, int(free.sum())
    if not question.per_site and wanted > there:
        log.warning("%s seeds were asked for, and only %s pages may be chosen", f"{wanted:,}", f"{there:,}")
    if question.depth > question.hops and "depth" in SEEDS.fields(question.method):
        log.warning("depth %d looks farther than the %d hops a seed reaches", question.depth, question.hops)
    if (problem.value <= 0).all():
        log.warning("no page is worth more than 0, so no seed is worth choosing")


def _sites(question: SeedQuestion, graph: WebGraph, site: np.ndarray, crawled: np.ndarray) -> tuple[np.ndarray, int]:
    """Group per page: sites that pass the filters, numbered anew; -1 for pages of the others."""
    if (site < 0).all():
        raise GraphError("no page has a host, so there are no sites", hint=LOAD_HOSTS)
    count = int(site.max()) + 1
    pages = np.bincount(site[crawled & (site >= 0)], minlength=count)
    passes = pages >= max(question.min_pages, 1)
    if question.min_external_inlinks:
        external = count_external_in_links(graph.out_offsets, graph.out_targets, np.asarray(site), count)
        passes &= external >= question.min_external_inlinks
    if not passes.any():
        raise GraphError(
            "no site is left",
            hint="lower {min_pages} (and {min_external_inlinks}); a site has crawled pages",
            fields=("min_pages", "min_external_inlinks"),
        )
    number = np.where(passes, np.cumsum(passes) - 1, -1).astype(np.int32)
    return np.append(number, np.int32(-1))[site], int(passes.sum())


def _importance(question: SeedQuestion, graph: WebGraph, engine: Engine, group: np.ndarray, sites: int) -> np.ndarray:
    inside = group >= 0
    by = question.allocate
    if by == "equal":
        return np.ones(sites)
    if by == "pages":
        return np.bincount(group[inside & (graph.status == Status.CRAWLED)], minlength=sites).astype(np.float64)
    if by == "pagerank":
        return np.bincount(group[inside], weights=engine.walk().scores[inside], minlength=sites)
    hosts = graph.hosts
    if by == "harmonic":
        from seedrank.engines.choose import noted_with
        from seedrank.engines.native.engine import NativeEngine
        from seedrank.graph.levels import level_in_memory

        of_host = noted_with(engine, NativeEngine(level_in_memory(graph, "host"))).harmonic()[0]
    elif by in hosts.column_names and by != "name":
        of_host = np.nan_to_num(hosts[by].to_numpy().astype(np.float64))
    else:
        known = ", ".join(
            ["equal", "pages", "pagerank", "harmonic", *(n for n in hosts.column_names if n not in ("name", "pages"))]
        )
        raise UsageError(
            "hosts have no column {name}",
            hint="{allocate} takes one of: {known}",
            fields=("allocate",),
            values={"name": repr(by), "known": known},
        )
    # Each host counts once, for the site of its pages.
    first = np.full(len(of_host), -1, np.int64)
    pages = np.flatnonzero(inside & (graph.host >= 0))
    first[graph.host[pages]] = group[pages]
    there = first >= 0
    return np.bincount(first[there], weights=of_host[there], minlength=sites)


def _last(selection: Selection, column: np.ndarray, kept: np.ndarray) -> np.ndarray:
    """The last entry of a cumulative column per group; what is kept where a group has no seed."""
    last = kept.astype(np.float64).copy()
    last[selection.groups] = column
    return last


def _reached(problem: CoverageProblem, selection: Selection) -> float:
    return float(_last(selection, selection.covered_value, selection.kept_value).sum())
