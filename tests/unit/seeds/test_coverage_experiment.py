"""The experiment of Zheng et al. 2009 against the same measured plainly, site by site."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import replace
from itertools import combinations
from types import SimpleNamespace

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.stats import t

from seedrank.core.errors import GraphError, UsageError
from seedrank.core.model import Status
from seedrank.core.progress import silent
from seedrank.engines.native.engine import NativeEngine
from seedrank.experiments.checkpoints import Steps
from seedrank.experiments.claim_specs import MARGINS
from seedrank.experiments.coverage import _experiment, claims, later
from seedrank.experiments.coverage.bounds import bounds
from seedrank.experiments.coverage.choosing import METHODS, Grid, choose_in_sites, grid_of, sample_of
from seedrank.experiments.coverage.measure import MEASURES, Measured
from seedrank.experiments.intervals import Interval, lift_interval
from seedrank.graph import WebGraph
from seedrank.graph.levels import site_of
from seedrank.methods.seeds import graph_methods
from seedrank.questions.experiments import CoverageExperiment
from seedrank.runs import experiment_files
from seedrank.runs.experiment import Claim
from tests import seed_reference as plain
from tests.few import one_of_each

pytestmark = pytest.mark.slow

GRID = Grid(seeds=4, hops=(1, 2, 3), at_seeds=2, depths=(1, 2, 4), runs=2, repeats=2, min_pages=3)
PAGES, SITES = 60, 5


def web(seed: int, *, hosts: bool = True, crawled: float = 0.85) -> WebGraph:
    """Five sites of mixed size; a few frontier pages, clicks and spam."""
    draw = np.random.default_rng(seed)
    host = draw.integers(0, SITES, PAGES)
    source, target = draw.integers(0, PAGES, (2, 4 * PAGES))
    near = draw.random(4 * PAGES) < 0.8
    target = np.where(near, np.array([draw.choice(np.flatnonzero(host == host[s])) for s in source]), target)
    status = np.where(draw.random(PAGES) < crawled, Status.CRAWLED, Status.FRONTIER)
    columns = {"clicks": (draw.random(PAGES) < 0.1) * 1.0, "spam": (draw.random(PAGES) < 0.1) * 1.0}
    return WebGraph.from_links(
        PAGES,
        source,
        target,
        status=status,
        host=host if hosts else None,
        host_names=[f"h{n}.org" for n in range(SITES)] if hosts else (),
        urls=[f"http://h{h}.org/{n}" for n, h in enumerate(host)],
        columns=columns,
        version=f"v{seed}",
    )


def desk_of(graph: WebGraph):
    return SimpleNamespace(
        graph=graph,
        engine=NativeEngine(graph),
        engine_name="native",
        site="host",
        sites=site_of(graph),
        progress=silent,
        store=SimpleNamespace(url="memory", version=lambda: graph.version),
    )


def plain_sites(graph: WebGraph, value: np.ndarray) -> list[tuple[plain.Plain, np.ndarray]]:
    """Every site as a plain graph of its own, with the ids of its pages."""
    sites = []
    for host in range(SITES):
        ids = np.flatnonzero(graph.host == host)
        number = {int(page): place for place, page in enumerate(ids)}
        links = [
            (number[page], number[int(target)])
            for page in ids.tolist()
            for target in graph.out_targets[graph.out_offsets[page] : graph.out_offsets[page + 1]]
            if int(target) in number
        ]
        sites.append((plain.Plain(len(ids), links, value[ids].tolist()), ids))
    return sites


@pytest.mark.parametrize("seed", one_of_each(range(4)))
def test_outdegree_equals_a_plain_measurement(seed, tmp_path):
    graph = web(seed)
    session = desk_of(graph)
    found = _experiment(session, None, GRID, 1, Steps(tmp_path, {}), {})
    problem = sample_of(session, GRID, 1).problem
    crawled = graph.status == Status.CRAWLED
    table = found.tables["coverage"].to_pandas().set_index(["along", "k", "h", "measure", "method"])["mean"]
    sites = plain_sites(graph, problem.value)
    # Frontier pages are no candidates, which the plain picks of the graph methods do not know.
    degree = {
        int(page): sum(bool(crawled[sites[graph.host[page]][1][t]]) for t in sites[graph.host[page]][0].out[place])
        for _, ids in sites
        for place, page in enumerate(ids)
    }
    for k, h in [(k, 3) for k in range(1, 5)] + [(2, h) for h in (1, 2, 3)]:
        pages, value = [], []
        for site, ids in sites:
            order = sorted((p for p in ids.tolist() if crawled[p]), key=lambda p: (-degree[p], p))[:k]
            covered = site.covered([int(np.flatnonzero(ids == p)[0]) for p in order], h)
            pages.append(sum(bool(crawled[ids[p]]) for p in covered))
            value.append(sum(site.value[p] for p in covered))
        along = "k" if h == 3 else "h"
        assert table[along, k, h, "pages", "OutDegree"] == pytest.approx(np.mean(pages))
        assert table[along, k, h, "value", "OutDegree"] == pytest.approx(np.mean(value))


PLAIN = {
    "MaxOut": plain.maxout,
    "MaxWeight2": plain.maxweight(2),
    "MaxWeight3": plain.maxweight(3),
    "MaxSCC": plain.maxscc(2),
    "RootSCC": plain.rootscc(2),
}


@pytest.mark.parametrize("seed", one_of_each(range(3)))
@pytest.mark.parametrize("method", PLAIN)
def test_graph_methods_equal_a_plain_measurement(method, seed, tmp_path):
    graph = web(seed, crawled=1.0)
    session = desk_of(graph)
    found = _experiment(session, None, GRID, 1, Steps(tmp_path, {}), {}).tables["coverage"].to_pandas()
    table = found.set_index(["along", "k", "h", "measure", "method"])["mean"]
    sites = [site for site, _ in plain_sites(graph, sample_of(session, GRID, 1).problem.value)]
    for k, h in [(k, 3) for k in range(1, 5)] + [(2, h) for h in (1, 2)]:
        seeds = [plain.run(site, h, k, PLAIN[method], by_pages=method == "MaxOut", always=True) for site in sites]
        along = "k" if h == 3 else "h"
        pages = [len(site.covered(some, h)) for site, some in zip(sites, seeds, strict=True)]
        value = [site.worth(some, h) for site, some in zip(sites, seeds, strict=True)]
        assert table[along, k, h, "pages", method] == pytest.approx(np.mean(pages))
        assert table[along, k, h, "value", method] == pytest.approx(np.mean(value))


@pytest.mark.parametrize("seed", one_of_each(range(4)))
def test_k_seeds_are_the_first_of_more(seed, tmp_path):
    """One choice of four seeds holds the answers for one to four: each asked on its own gives the same."""
    session = desk_of(web(seed))
    whole = _experiment(session, None, GRID, 1, Steps(tmp_path / "whole", {}), {}).tables["coverage"].to_pandas()
    for k in (1, 3):
        grid = Grid(seeds=k, hops=(3,), at_seeds=k, depths=(2,), repeats=2, min_pages=3)
        alone = _experiment(session, None, grid, 1, Steps(tmp_path / str(k), {}), {}).tables["coverage"].to_pandas()
        pick = lambda frame: frame[(frame.along == "k") & (frame.k == k)].set_index(["measure", "method"])  # noqa: E731, B023
        columns = ["mean", "over_random", "low", "high"]
        assert np.allclose(pick(whole)[columns], pick(alone)[columns], equal_nan=True)


def test_intervals_are_those_of_the_sites(tmp_path):
    found = _experiment(desk_of(web(3)), None, GRID, 7, Steps(tmp_path, {}), {})
    sites = found.tables["sites"].to_pandas().pivot(index="site", columns="method", values="pages")
    random = sites["Random"].to_numpy()
    expected = lift_interval(sites["MaxOut"].to_numpy(), random, random, "sites", rng=7)
    frame = found.tables["coverage"].to_pandas()
    [row] = frame[
        (frame.along == "k") & (frame.k == 2) & (frame.measure == "pages") & (frame.method == "MaxOut")
    ].to_dict("records")
    assert (row["over_random"], row["low"], row["high"]) == pytest.approx((expected.value, expected.low, expected.high))
    assert row["sites"] == SITES


def slow_interval(of: Callable[[np.ndarray], float], sites: int) -> tuple[float, float, float]:
    """Estimate and Student's interval of any figure of sites, from what it gains when one site weighs a little more."""
    step = 1e-6
    even = np.ones(sites)
    adds = [(of(even + step * one) - of(even - step * one)) / (2 * step) * sites for one in np.eye(sites)]
    half = t.ppf(0.975, sites - 1) * np.std(adds, ddof=1) / math.sqrt(sites)
    return of(even), of(even) - half, of(even) + half


def as_tuple(found: Interval) -> tuple[float, float, float]:
    return found.value, found.low, found.high


@settings(max_examples=30, deadline=None)
@given(st.integers(0, 2**32 - 1), st.integers(5, 19), st.sampled_from([None, 0, 2]), st.integers(0, 1))
def test_leads_equal_those_of_a_slow_reference(seed, sites, place, measure):
    draw = np.random.default_rng(seed)
    cubes = {name: draw.gamma(2, 3, (sites, 3, 2)) + 0.5 for name in METHODS}
    room = np.full((sites, 3, 2), 1e9)
    found = replace(measured({}), by_k=cubes, by_h=cubes, bound_by_k=room, bound_by_h=room)

    def mean(name: str, weights: np.ndarray, at: int | None) -> float:
        total = 0.0
        for site in range(sites):
            steps = [cubes[name][site, step, measure] for step in (range(3) if at is None else [at])]
            total += weights[site] * sum(steps) / len(steps)
        return total / weights.sum()

    def lead(weights: np.ndarray) -> float:
        one, other, random = (mean(name, weights, place) for name in ("MaxOut", "OutDegree", "Random"))
        return 100 * (one - other) / random

    assert as_tuple(found.lift("MaxOut", "OutDegree", measure, "k", place)) == pytest.approx(
        slow_interval(lead, sites), rel=1e-5, abs=1e-5
    )

    def change(weights: np.ndarray) -> float:
        last, first = (100 * mean("MaxOut", weights, at) / mean("Random", weights, at) for at in (2, 0))
        return last - first

    assert as_tuple(claims._change(found, "MaxOut", "h", [(1, measure)])) == pytest.approx(
        slow_interval(change, sites), rel=1e-5, abs=1e-5
    )


def test_structure_counts_strong_components_of_crawled_pages(tmp_path):
    import networkx as nx

    graph = web(1)
    found = _experiment(desk_of(graph), None, GRID, 1, Steps(tmp_path, {}), {}).tables["structure"].to_pylist()
    for (site, ids), row in zip(plain_sites(graph, np.zeros(PAGES)), found, strict=True):
        whole = nx.DiGraph([(s, t) for s in site.out for t in site.out[s]])
        whole.add_nodes_from(range(site.pages))
        parts = [
            sum(graph.status[ids[p]] == Status.CRAWLED for p in part)
            for part in nx.strongly_connected_components(whole)
        ]
        assert row["components"] == sum(size > 0 for size in parts)
        assert row["largest"] == max(parts)
        assert row["pages"] == sum(parts)


def test_few_sites_are_shown_and_judge_nothing(tmp_path):
    found = _experiment(desk_of(web(0)), None, GRID, 1, Steps(tmp_path, {}), {})
    over_sites = [claim for claim in found.claims if claim.quantity != "time"]
    assert {claim.verdict for claim in over_sites} == {"cannot be judged"}
    assert {claim.why for claim in over_sites} == {"5 sites: coverage is judged over 30 or more"}
    assert {claim.apart for claim in over_sites} == {"5 sites: coverage is judged over 30 or more"}
    assert not any(math.isnan(claim.value) for claim in over_sites if claim.key.endswith("-pages"))
    assert set(found.tables["budgets"]["verdict"].to_pylist()) == {"cannot be judged"}
    assert not any(claim.by_construction for claim in found.claims)


def measured(lifts: dict[str, float], sites: int = 40) -> Measured:
    """Sites on which each method covers 100 plus its lift, for every k, h and measure."""
    noise = np.random.default_rng(1).normal(0, 1, (sites, 1, 1))
    cubes = {name: np.full((sites, 3, 2), 100.0 + lifts.get(name, 0.0)) + noise for name in METHODS}
    structure = pa.table(
        {"pages": 500 + np.arange(sites), "largest_share": np.full(sites, 0.2), "positive_worth": np.full(sites, 900.0)}
    )
    seconds = dict.fromkeys(METHODS, np.array([1.0]))
    bound = np.full((sites, 3, 2), 200.0)
    return Measured(cubes, cubes, 3, (1, 2, 3), 2, seconds, (2, 3), structure, 1, bound_by_k=bound, bound_by_h=bound)


LIFTS = {"PageRank": 8, "OutDegree": 35, "MaxOut": 80, "MaxWeight2": 70, "MaxWeight3": 71, "MaxSCC": 50, "RootSCC": 42}


def wholes(judged: list[Claim]) -> dict[str, Claim]:
    return {claim.key: claim for claim in judged if not claim.part}


def test_claims_are_judged_by_the_interval_against_the_margin():
    judged = wholes(claims.claims_of(measured(LIFTS)))
    verdict = {key: claim.verdict for key, claim in judged.items()}
    assert verdict["random-worst-pages"] == "does not hold"  # 8 % of the way is better, and not significantly so
    assert verdict["pagerank-over-random-pages"] == "holds"
    assert verdict["pagerank-below-outdegree-value"] == "holds"
    assert verdict["graph-over-heuristics-value"] == "holds"
    assert verdict["graph-far-over-heuristics-value"] == "does not hold"
    assert verdict["maxout-best-pages"] == "holds"
    assert verdict["maxout-weak-value"] == "does not hold"
    assert verdict["weight-over-components-value"] == "holds"
    assert verdict["rootscc-below-outdegree-value"] == "does not hold"
    assert verdict["depths-alike-value"] == "holds"
    assert verdict["shrinks-with-seeds-pages"] == "does not hold"
    assert verdict["small-components"] == "holds"
    assert verdict["large-sites-not-strong"] == "holds"
    weakest = judged["graph-far-over-heuristics-value"]
    assert "the weakest is RootSCC - OutDegree" in weakest.why
    assert weakest.value == pytest.approx(0.07, abs=0.001)
    assert weakest.headroom == pytest.approx(100, abs=1)


def test_an_ordering_is_as_strong_as_its_weakest_pair():
    """MaxOut leads by far over all methods but one, which it equals."""
    judged = claims.claims_of(measured({**dict.fromkeys(METHODS, 5), "Random": 0, "MaxOut": 40, "RootSCC": 40}))
    best = [claim for claim in judged if claim.key == "maxout-best-pages"]
    verdicts = {claim.part: claim.verdict for claim in best}
    assert verdicts.pop("") == "does not hold"
    assert verdicts.pop("MaxOut - RootSCC") == "does not hold"
    assert len(verdicts) == 6
    assert set(verdicts.values()) == {"holds"}


def test_every_claim_says_what_it_is_of():
    judged = claims.claims_of(measured(LIFTS))
    for claim in judged:
        assert claim.paper == "000"
        assert len(claim.quote) > 20
        assert claim.place
        assert claim.quantity in MARGINS
        assert claim.region
        if claim.verdict != "cannot be judged":
            assert claim.unit in ("sites", "sites with room", "large sites")
            assert claim.n == (10 if claim.unit == "large sites" else 40)
    keys = [(claim.key, claim.part) for claim in judged]
    assert len(keys) == len(set(keys))


def test_sentences_that_contradict_each_other_name_each_other():
    judged = wholes(claims.claims_of(measured(LIFTS)))
    assert "RootSCC is worse than OutDegree" in judged["graph-over-heuristics-value"].why
    assert "all four of the graph based algorithms" in judged["rootscc-below-outdegree-value"].why
    assert not judged["graph-over-heuristics-pages"].why.endswith("cannot hold")


def leads(by_step: dict[str, tuple[float, float]]) -> Measured:
    """Every method's lead over Random, at the first and the last step, for each measure."""
    base = measured({})
    cubes = {name: cube.copy() for name, cube in base.by_h.items()}
    for name in METHODS[1:]:
        for number, measure in enumerate(MEASURES):
            for place, lead in zip((0, -1), by_step[measure], strict=True):
                cubes[name][:, place, number] *= 1 + lead / 100
    return replace(base, by_h=cubes, by_k=cubes)


@pytest.mark.parametrize(
    ("pages", "value", "slightly", "more"),
    [
        ((10, 16), (10, 13), "holds", "holds"),
        ((10, 60), (10, 13), "does not hold", "holds"),  # that is not slightly
        ((10, 11), (10, 10), "does not hold", "does not hold"),
        ((60, 50), (60, 30), "does not hold", "does not hold"),  # less of a fall is no larger increase
    ],
)
def test_leads_that_grow_with_the_hops(pages, value, slightly, more):
    found = wholes(claims.claims_of(leads({"pages": pages, "value": value})))
    assert found["grows-with-hops-pages"].verdict == slightly
    assert found["hops-pages-over-value"].verdict == more
    assert found["shrinks-with-seeds-pages"].verdict == ("holds" if pages[0] > pages[1] else "does not hold")


def test_there_is_a_verdict_for_every_budget():
    found = replace(measured(LIFTS), seeds=3)
    late = {name: cube.copy() for name, cube in found.by_k.items()}
    late["MaxOut"][:, 2] -= 40  # with three seeds MaxOut is best no more
    found = replace(found, by_k=late)
    budgets = claims.budget_table(found, claims.claims_by_budget(found)).to_pandas()
    best = budgets[budgets.key == "maxout-best-pages"]
    assert best[best.along == "k"].set_index("k").verdict.to_dict() == {
        1: "holds",
        2: "holds",
        3: "does not hold",
    }
    assert set(best[best.along == "h"].h) == {1, 2, 3}
    assert set(best[best.along == "h"].k) == {2}
    assert set(best[best.along == "k"].h) == {3}


def test_sites_without_room_are_left_out():
    """Where nothing covers 2 % more than Random there is no gain to tell; below 5 sites with room nothing is judged."""
    full = measured(LIFTS)
    for room, verdict in ((40, "holds"), (5, "holds"), (4, "no room")):
        bound = np.full((40, 3, 2), 200.0)
        bound[room:] = full.by_k["Random"][room:] * 1.019
        judged = wholes(claims.claims_of(replace(full, bound_by_k=bound, bound_by_h=bound)))
        claim = judged["maxout-best-pages"]
        assert (claim.verdict, claim.n) == (verdict, room)
        assert judged["small-components"].verdict == "holds"
    assert claim.why == "4 of 40 sites have room: on the others no seeds cover 2 % more than Random"
    assert claim.apart == f"no room: {claim.why}"


@pytest.mark.parametrize("seed", range(3))
def test_no_seeds_cover_more_than_the_bound(seed):
    """By trying all pairs of seeds in every site."""
    graph = web(seed)
    problem = sample_of(desk_of(graph), GRID, 1).problem
    nothing = pa.table({"round": np.empty(0, np.int32), "page": np.empty(0, np.int64)})
    best = choose_in_sites(replace(problem, hops=2), lambda one: graph_methods.maxweight(one, 2), 1, 1)
    crawled = graph.status == Status.CRAWLED
    for chosen in (nothing, best):
        found = bounds(replace(problem, hops=2), chosen, [1, 2])
        for number, (site, ids) in enumerate(plain_sites(graph, np.maximum(problem.value, 0))):
            seeds = [place for place, page in enumerate(ids) if crawled[page]]
            for count in (1, 2):
                balls = [site.covered(list(some), 2) for some in combinations(seeds, count)]
                pages = max(sum(bool(crawled[ids[p]]) for p in ball) for ball in balls)
                value = max(sum(site.value[p] for p in ball) for ball in balls)
                assert found[number, count - 1, 0] >= pages - 1e-9
                assert found[number, count - 1, 1] >= value - 1e-9
            assert found[number, 0].tolist() == pytest.approx(
                [max(sum(bool(crawled[ids[p]]) for p in site.covered([s], 2)) for s in seeds),
                 max(sum(site.value[p] for p in site.covered([s], 2)) for s in seeds)]
            )  # fmt: skip


@pytest.mark.parametrize(
    ("seconds", "verdict"),
    [
        ([0.5] * 5, "cannot be judged"),
        ([4.9, 5, 5, 5, 5.1], "does not hold"),
        ([19, 20, 20, 20, 21], "holds"),
        ([20.0], "figure"),
    ],
)
def test_times_are_judged_over_runs_where_they_can_be_measured(seconds, verdict):
    runs = {"MaxWeight3": np.full(len(seconds), 0.9), "MaxWeight4": np.array(seconds)}
    timed = replace(measured({}), depths=(2, 3, 4), seconds=runs)
    claim = wholes(claims.claims_of(timed))["deeper-prohibitive"]
    assert (claim.verdict, claim.unit, claim.n) == (verdict, "runs on this machine", len(seconds))


def test_a_quick_experiment_times_nothing_deep():
    claim = wholes(claims.claims_of(measured({})))["deeper-prohibitive"]
    assert claim.verdict == "cannot be judged"
    assert "when quick" in claim.why


def test_seconds_are_those_of_every_run(tmp_path):
    found = _experiment(desk_of(web(1)), None, GRID, 1, Steps(tmp_path, {}), {}).tables["seconds"].to_pandas()
    assert found.groupby("method").run.max().to_dict() == {
        **dict.fromkeys((*METHODS, "MaxWeight1"), 1),
        "MaxWeight3": 2,
        "MaxWeight4": 2,
    }


def test_random_without_worth_is_compared_with_nothing():
    judged = claims.claims_of(measured({"Random": -200}))
    value = [claim for claim in judged if claim.key.startswith(("grows", "shrinks")) and not claim.part]
    assert len(value) == 4
    assert {claim.verdict for claim in value} == {"cannot be judged"}
    assert all("nothing of positive worth" in claim.why for claim in value)


def lonely_web() -> WebGraph:
    """Sites of 2, 3, 4 and 5 crawled pages and one of a frontier page; one crawled site has a link from another."""
    sizes = [2, 3, 4, 5, 1]
    host = np.repeat(np.arange(5), sizes)
    start = np.cumsum([0, *sizes[:-1]])
    source = [start[h] for h, size in enumerate(sizes) for _ in range(1, size)]
    target = [start[h] + n for h, size in enumerate(sizes) for n in range(1, size)]
    return WebGraph.from_links(
        15,
        np.array([*source, start[3], start[0]]),
        np.array([*target, start[2], start[4]]),
        status=np.where(host == 4, Status.FRONTIER, Status.CRAWLED),
        host=host,
        host_names=[f"h{n}.org" for n in range(5)],
        version="lonely",
    )


@pytest.mark.parametrize(
    ("min_pages", "links", "counts", "sentences"),
    [
        (1, 1, [4, 0, 3, 0, 1], ["3 of 4 sites: fewer than `min_external_inlinks` 1 link from other sites"]),
        (3, 1, [4, 1, 2, 0, 1], ["1 of 4 sites: fewer than `min_pages` 3 crawled pages", "2 of 4 sites: fewer than"]),
        (3, 0, [4, 1, 0, 0, 3], ["`min_external_inlinks` is 0): 2 of the 3 sites have none"]),
    ],
)
def test_sites_that_are_left_out_are_counted(min_pages, links, counts, sentences):
    grid = replace(GRID, min_pages=min_pages, min_external_inlinks=links)
    sample = sample_of(desk_of(lonely_web()), grid, 1)
    assert sample.counts["count"].to_pylist() == counts
    assert sample.counts["sites"].to_pylist()[-1] == "measured"
    assert len(sample.drawn) == counts[-1]
    for sentence in sentences:
        assert any(sentence in one for one in sample.left_out), sample.left_out


def test_a_quick_experiment_leaves_out_sites_that_take_too_long():
    """Estimated before anything is chosen; one site is always left."""
    desk = desk_of(web(0))
    every = sample_of(desk, GRID, 1)
    assert len(every.drawn) == SITES and grid_of(CoverageExperiment(quick=True)).work < math.inf
    some = sample_of(desk, replace(GRID, work=1500.0), 1)
    assert 0 < len(some.drawn) < SITES
    assert any("quick keeps to a minute" in text for text in some.left_out)
    assert (some.problem.quota > 0).sum() == len(some.drawn)
    assert len(sample_of(desk, replace(GRID, work=0.0), 1).drawn) == 1


def test_the_paper_asks_for_a_link_from_elsewhere():
    assert grid_of(CoverageExperiment()).min_external_inlinks == 1
    assert grid_of(CoverageExperiment(min_external_inlinks=0, quick=True)).min_external_inlinks == 0
    with pytest.raises(UsageError, match="min_external_inlinks must be at least 0, not -1"):
        CoverageExperiment(min_external_inlinks=-1)


def test_a_graph_without_hosts_is_one_site(tmp_path):
    found = _experiment(desk_of(web(2, hosts=False)), None, GRID, 1, Steps(tmp_path, {}), {})
    assert set(found.tables["sites"]["site"].to_pylist()) == {"the whole graph"}
    assert any("load URLs or a host column" in sentence for sentence in found.left_out)


def test_an_interrupted_experiment_goes_on(tmp_path, monkeypatch):
    session = desk_of(web(2))
    whole = _experiment(session, None, GRID, 1, Steps(tmp_path / "a", {}), {})
    table, made = Steps.table, []

    def cut(self, name, make):
        if len(made) == 5:
            raise KeyboardInterrupt
        made.append(name)
        return table(self, name, make)

    monkeypatch.setattr(Steps, "table", cut)
    with pytest.raises(KeyboardInterrupt):
        _experiment(session, None, GRID, 1, Steps(tmp_path / "b", {}), {})
    monkeypatch.setattr(Steps, "table", table)
    again = _experiment(session, None, GRID, 1, Steps(tmp_path / "b", {}), {})
    for name in ("coverage", "sites", "structure", "budgets"):
        assert again.tables[name].equals(whole.tables[name])


def test_seeds_measured_on_the_same_graph_keep_all_their_value(tmp_path):
    session = desk_of(web(1))
    found = _experiment(session, desk_of(web(1)), GRID, 1, Steps(tmp_path, {}), {}).tables["transfer"].to_pylist()
    assert found
    for row in found:
        assert row["alive"] == 1
        assert row["retained"] == pytest.approx(100)
        assert row["new_pages"] == 0


def test_transfer_equals_a_plain_measurement(tmp_path):
    """The newer web has other links and status, and the same URLs: every figure by sets."""
    old, new = web(1), web(1)
    newer = WebGraph.from_links(
        PAGES, *np.random.default_rng(9).integers(0, PAGES, (2, 200)),
        status=np.where(np.random.default_rng(8).random(PAGES) < 0.8, Status.CRAWLED, Status.MISSING), host=new.host,
        host_names=new.host_names.to_pylist(), urls=new.urls.to_pylist(), version="later",
    )  # fmt: skip
    session, desk_later = desk_of(old), desk_of(newer)
    steps = Steps(tmp_path, {})
    found = _experiment(session, desk_later, GRID, 1, steps, {}).tables["transfer"].to_pandas().set_index("method")
    problem, groups = later._newer_problem(desk_later, sample_of(session, GRID, 1), GRID)
    sites = plain_sites(newer, problem.value)
    choice = steps.table("MaxWeight2-h3", lambda: None).to_pandas()
    value, new_pages, alive, asked = [], [], 0, 0
    for host, (site, ids) in enumerate(sites):
        seeds = choice[(choice.group == host) & (choice["round"] < 2)].page.tolist()
        there = [page for page in seeds if newer.status[page] == Status.CRAWLED]
        covered = site.covered([int(np.flatnonzero(ids == page)[0]) for page in there], 3)
        value.append(sum(site.value[p] for p in covered))
        new_pages.append(sum(newer.status[ids[p]] == Status.CRAWLED != old.status[ids[p]] for p in covered))
        alive, asked = alive + len(there), asked + len(seeds)
    assert (groups == np.arange(SITES)).all()
    assert found.value["MaxWeight2"] == pytest.approx(np.mean(value))
    assert found.new_pages["MaxWeight2"] == pytest.approx(np.mean(new_pages))
    assert found.alive["MaxWeight2"] == pytest.approx(alive / asked)
    assert sum(new_pages) > 0
    assert alive < asked


def test_without_urls_seeds_are_not_followed(tmp_path):
    graph = web(1)
    bare = WebGraph.from_links(PAGES, np.array([0]), np.array([1]), host=graph.host, host_names=["a"] * SITES)
    found = _experiment(desk_of(graph), desk_of(bare), GRID, 1, Steps(tmp_path, {}), {})
    assert "transfer" not in found.tables
    assert any("load URLs into both stores" in sentence for sentence in found.left_out)


def test_an_experiment_is_kept_and_taken_away(tmp_path):
    found = _experiment(desk_of(web(1)), desk_of(web(2)), GRID, 1, Steps(tmp_path, {}), {})
    files = {path.name for path in experiment_files.export(found, tmp_path / "out")}
    assert {
        "coverage-coverage.csv",
        "coverage-claims.json",
        "coverage-pages-by-k.svg",
        "coverage-transfer.svg",
    } <= files


def test_no_site_with_so_many_pages_is_explained(tmp_path):
    with pytest.raises(GraphError, match="no site is left"):
        sample_of(desk_of(web(1)), Grid(min_pages=1000), 1)
    with pytest.raises(UsageError, match="min_pages must be at least 1, not 0"):
        CoverageExperiment(min_pages=0)
