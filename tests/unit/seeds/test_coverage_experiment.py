"""The experiment of Zheng et al. 2009 against the same measured plainly, site by site."""

from __future__ import annotations

from dataclasses import replace
from types import SimpleNamespace

import numpy as np
import pyarrow as pa
import pytest

from seedrank.core.errors import GraphError, UsageError
from seedrank.core.model import Status
from seedrank.core.progress import silent
from seedrank.engines.native import NativeEngine
from seedrank.evaluate import kept
from seedrank.evaluate.coverage import _experiment, claims, later
from seedrank.evaluate.coverage.choosing import sample_of
from seedrank.evaluate.coverage.measure import Measured
from seedrank.evaluate.coverage.plan import METHODS, Grid
from seedrank.evaluate.intervals import ratio_over
from seedrank.evaluate.steps import Steps
from seedrank.graph import WebGraph
from seedrank.questions.experiments import CoverageExperiment
from seedrank.sites import site_of
from tests import seed_reference as plain

GRID = Grid(seeds=4, hops=(1, 2, 3), at_seeds=2, depths=(1, 2, 4), repeats=2, min_pages=3)
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


@pytest.mark.parametrize("seed", range(4))
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


@pytest.mark.parametrize("seed", range(3))
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


@pytest.mark.parametrize("seed", range(4))
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


def test_intervals_are_those_of_the_ratio_of_means(tmp_path):
    found = _experiment(desk_of(web(3)), None, GRID, 7, Steps(tmp_path, {}), {})
    sites = found.tables["sites"].to_pandas().pivot(index="site", columns="method", values="pages")
    expected = ratio_over(sites["MaxOut"].to_numpy(), sites["Random"].to_numpy(), rng=7)
    frame = found.tables["coverage"].to_pandas()
    [row] = frame[
        (frame.along == "k") & (frame.k == 2) & (frame.measure == "pages") & (frame.method == "MaxOut")
    ].to_dict("records")
    assert (row["over_random"], row["low"], row["high"]) == pytest.approx((expected.value, expected.low, expected.high))


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


def test_few_sites_judge_nothing_and_say_how_many_it_takes(tmp_path):
    found = _experiment(desk_of(web(0)), None, GRID, 1, Steps(tmp_path, {}), {})
    over_sites = [claim for claim in found.claims if "d = 3" not in claim.claim]
    assert {claim.verdict for claim in over_sites} == {"cannot be judged"}
    assert all("at least 30" in claim.why or "worth" in claim.why for claim in over_sites)
    assert not any(claim.by_construction for claim in found.claims)


def measured(lifts: dict[str, float], sites: int = 40) -> Measured:
    """Sites on which each method covers 100 plus its lift, for every k, h and measure."""
    noise = np.random.default_rng(1).normal(0, 1, (sites, 1, 1))
    cubes = {name: np.full((sites, 3, 2), 100.0 + lifts.get(name, 0.0)) + noise for name in METHODS}
    structure = pa.table({"pages": np.arange(sites), "largest_share": np.full(sites, 0.2)})
    return Measured(cubes, cubes, 3, (1, 2, 3), 2, dict.fromkeys(METHODS, 1.0), (2, 3), structure, 1)


def test_claims_are_judged_by_the_interval():
    lifts = {"PageRank": 5, "OutDegree": 20, "MaxOut": 60, "MaxWeight2": 50, "MaxWeight3": 51, "MaxSCC": 30}
    judged = claims.judge(measured({**lifts, "RootSCC": 25}))
    verdict = {claim.claim: claim.verdict for claim in judged}
    assert verdict["pages: Random is worst, every other method beats it"] == "holds"
    assert verdict["pages: MaxOut is best"] == "holds"
    assert verdict["value: MaxWeight is best"] == "does not hold"
    assert verdict["value: MaxWeight3 is about as good as MaxWeight2"] == "holds"
    assert verdict["value: RootSCC is worse than OutDegree"] == "does not hold"
    assert verdict["pages: the gap to Random grows with the hops"] == "cannot be judged"
    assert verdict["most sites are many small strong components"] == "holds"


@pytest.mark.parametrize(("seconds", "verdict"), [(0.5, "cannot be judged"), (5.0, "does not hold"), (20.0, "holds")])
def test_times_are_judged_where_they_can_be_measured(seconds, verdict):
    timed = replace(measured({}), depths=(2, 4), seconds={"MaxWeight2": 1.0, "MaxWeight4": seconds})
    [claim] = [one for one in claims.judge(timed) if "d = 3" in one.claim]
    assert claim.verdict == verdict


def test_random_without_worth_is_compared_with_nothing():
    judged = claims.judge(measured({"Random": -200}))
    assert {claim.verdict for claim in judged if claim.claim.startswith("value")} == {"cannot be judged"}


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
    for name in ("coverage", "sites", "structure"):
        assert again.tables[name].equals(whole.tables[name])


def test_seeds_measured_on_the_same_graph_keep_all_their_value(tmp_path):
    session = desk_of(web(1))
    found = _experiment(session, desk_of(web(1)), GRID, 1, Steps(tmp_path, {}), {}).tables["transfer"].to_pylist()
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
    files = {path.name for path in kept.export(found, tmp_path / "out")}
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
