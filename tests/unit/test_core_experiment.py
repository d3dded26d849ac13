"""The experiments of Daneshpajouh et al. 2008 on small webs, and each measure against a plain one."""

from __future__ import annotations

import networkx as nx
import numpy as np
import pyarrow as pa
import pytest

import seedrank
from seedrank.core.errors import InputError, UsageError
from seedrank.core.progress import silent
from seedrank.engines.native import NativeEngine
from seedrank.evaluate import cores, kept
from seedrank.evaluate.cores import claims, depths, distances, graph_facts, survival
from seedrank.evaluate.cores.plan import sized
from seedrank.evaluate.intervals import Interval
from seedrank.graph import WebGraph
from seedrank.questions.experiments import CoresExperiment
from seedrank.runs import RunStore
from seedrank.synthetic import WebSpec, write_graph

PLAN = CoresExperiment(quick=True)


@pytest.fixture(scope="module")
def web(tmp_path_factory):
    folder = tmp_path_factory.mktemp("webs") / "web"
    write_graph(WebSpec(pages=3_000, seed=3, inter_host=0.2), folder, urls=True)
    return folder


@pytest.fixture(scope="module")
def done(web):
    with seedrank.open(str(web)) as bench:
        return cores.perform(bench.session, PLAN)


def test_every_part_is_there(done):
    run, experiment = done
    assert run.method == "experiment cores"
    assert set(experiment.tables) == {
        "sizes", "depths", "crawls", "graph", "degrees", "hits", "density", "time", "distances", "map",
    }  # fmt: skip
    assert [chart.name for chart in experiment.charts] == [
        "pagerank-by-depth", "pages-by-depth", "degrees", "hits-residual", "density-by-step", "running-time",
        "core-sizes", "distance-map", "distance-by-gap",
    ]  # fmt: skip
    assert len(experiment.claims) == 9
    assert all(claim.why for claim in experiment.claims if claim.verdict == "cannot be judged")
    assert all(claim.by_construction for claim in experiment.claims)
    (sentence,) = experiment.left_out
    assert "transfer_from" in sentence


def test_crawls_are_told_by_draw_and_depth(done):
    crawls = done[1].tables["crawls"].to_pandas()
    assert list(crawls) == ["method", "draw", "depth", "new", "cumulative", "pagerank"]
    draws = crawls.groupby(["method", "draw"])
    assert (draws.depth.agg(list).str.len() == depths.DEEPEST + 1).all()
    assert (draws.new.cumsum() == crawls.cumulative).all()
    assert draws.ngroups == 2 * sized(PLAN).repeats + 1
    told = done[1].tables["depths"].to_pandas().set_index(["method", "depth"])
    means = crawls.groupby(["method", "depth"])[["new", "cumulative"]].mean().loc[told.index]
    assert told[["new", "cumulative"]].to_numpy() == pytest.approx(means.to_numpy())


def test_sizes_are_those_of_the_seeds(done, web):
    with seedrank.open(str(web)) as bench:
        _, seeds = bench.cores(k=sized(PLAN).cores)
    sizes = done[1].tables["sizes"]
    assert sizes["seed"].to_pylist() == seeds["id"].to_pylist()
    assert sizes["hubs"].to_pylist() == seeds["hub_count"].to_pylist()
    assert sizes["density"].to_pylist() == [100.0] * sizes.num_rows


def test_it_goes_on_where_it_stopped(done, web, monkeypatch):
    def never(*_, **__):
        raise AssertionError("this part was kept")

    monkeypatch.setattr(graph_facts, "convergence", never)
    monkeypatch.setattr(distances, "between_cores", never)
    with seedrank.open(str(web)) as bench:
        _, again = cores.perform(bench.session, PLAN)
    assert again.claims == done[1].claims


def test_it_can_be_kept_and_taken_away(done, tmp_path):
    run, experiment = done
    kept.save(RunStore(tmp_path / "runs"), run, experiment)
    assert kept.read(tmp_path / "runs" / run.id).claims == experiment.claims
    assert len(kept.export(experiment, tmp_path / "out")) == len(experiment.tables) + len(experiment.charts) + 2


def test_transfer(web, tmp_path):
    with seedrank.open(str(web)) as bench:
        urls = bench.graph.urls.to_pylist()
        crawled = np.flatnonzero(bench.graph.status == 2)
        frontier = int(np.flatnonzero(bench.graph.status == 0)[0])
        seeds, random = tmp_path / "seeds.txt", tmp_path / "random.txt"
        some = [urls[page] for page in crawled[:20]]
        seeds.write_text("\n".join([*some, urls[frontier], "http://gone.example/"]))
        random.write_text(
            "\n".join([*(urls[page] for page in crawled[20:30]), *(f"http://gone{i}.example/" for i in range(90))])
        )
        plan = CoresExperiment(transfer_from=str(seeds), transfer_against=str(random), repeats=5, quick=True)
        _, experiment = cores.perform(bench.session, plan)
    assert experiment.tables["survival"].to_pylist() == [
        {"pages": "hubs", "listed": 22, "in_graph": 21, "crawled": 20},
        {"pages": "random", "listed": 100, "in_graph": 10, "crawled": 10},
    ]
    assert experiment.left_out == []
    crawls = experiment.tables["transfer-crawls"].to_pandas()
    assert (crawls.groupby("method").draw.unique().map(list) == [list(range(sized(plan).repeats))] * 2).all()
    assert crawls[crawls.method == "seeds"].groupby("depth").new.nunique().eq(1).all()
    durable, *_ = [claim for claim in experiment.claims if "durable" in claim.claim]
    assert durable.verdict == "holds"
    assert {"transfer-pagerank-by-depth", "transfer-pages-by-depth"} <= {chart.name for chart in experiment.charts}


@pytest.mark.parametrize(
    ("text", "message"),
    [("http://gone.example/\n", "none of its 1 pages is left"), ("7\n8\n", "by number")],
)
def test_lists_that_are_of_no_use(web, tmp_path, text, message):
    (tmp_path / "old.txt").write_text(text)
    with seedrank.open(str(web)) as bench, pytest.raises(InputError, match=message):
        cores.perform(bench.session, CoresExperiment(transfer_from=str(tmp_path / "old.txt")))


def test_a_comparison_needs_seeds(web):
    with seedrank.open(str(web)) as bench, pytest.raises(UsageError, match="transfer_from"):
        cores.perform(bench.session, CoresExperiment(transfer_against="random.csv"))


def test_no_random_pages_no_verdict():
    survivors = survival.Survivors(10, 9, np.arange(8))
    claim = claims.survival_claim(survival.survival(survivors, None), 1)
    assert claim.verdict == "cannot be judged"
    assert "--transfer-against" in claim.why


# -- measures


def random_web(seed=1, pages=60, links=150):
    rng = np.random.default_rng(seed)
    graph = WebGraph.from_links(pages, *rng.integers(0, pages, (2, links)))
    nxg = nx.DiGraph()
    nxg.add_nodes_from(range(pages))
    for page in range(pages):
        nxg.add_edges_from(
            (page, int(t)) for t in graph.out_targets[graph.out_offsets[page] : graph.out_offsets[page + 1]]
        )
    return graph, nxg


def test_distances_between_cores_are_those_of_networkx():
    graph, nxg = random_web()
    members = [np.array([0, 1]), np.array([2, 3, 4]), np.array([59]), np.array([10, 20])]
    expected = {}
    for i, source in enumerate(members):
        for j, target in enumerate(members):
            ways = [
                nx.shortest_path_length(nxg, int(a), int(b))
                for a in source
                for b in target
                if nx.has_path(nxg, int(a), int(b))
            ]
            if i != j and ways:
                expected[i + 1, j + 1] = min(ways)
    table = distances.between_cores(NativeEngine(graph), members, silent)
    assert {(row["source"], row["target"]): row["distance"] for row in table.to_pylist()} == expected
    assert all(row["gap"] == abs(row["source"] - row["target"]) for row in table.to_pylist())


def test_mean_distance_is_that_of_networkx():
    graph, nxg = random_web()
    ways = [length for _, to in nx.all_pairs_shortest_path_length(nxg) for length in to.values() if length]
    mean = graph_facts.mean_distance(graph_facts.distances(NativeEngine(graph), np.arange(60), 60, 1))
    assert mean.value == pytest.approx(np.mean(ways))
    assert mean.low < mean.value < mean.high


@pytest.mark.parametrize("uncrawled_link", [False, True])
def test_crawls_by_depth_are_those_of_networkx_over_crawled_pages(uncrawled_link):
    """Two thirds of the pages are crawled; links of the others, where any are recorded, lead a crawl nowhere."""
    _, nxg = random_web(2, links=240)
    rng = np.random.default_rng(5)
    status, pagerank = rng.choice([2, 2, 2, 2, 0, 1], 60), rng.random(60)
    status[[3, 9]] = 2
    kept = [(a, b) for a, b in nxg.edges if uncrawled_link or status[a] == 2]
    graph = WebGraph.from_links(60, *np.array(kept).T, status=status)
    assert graph.out_degree[status != 2].any() == uncrawled_link
    known = nxg.subgraph(np.flatnonzero(status == 2).tolist()).copy()
    known.add_edges_from(("start", page) for page in (3, 9))
    depth = {page: level - 1 for page, level in nx.single_source_shortest_path_length(known, "start").items() if level}
    table = depths.crawls(NativeEngine(graph), graph, pagerank, {"seeds": [np.array([3, 9])]}, silent)
    assert max(depth.values()) > 2
    for row in table.to_pylist():
        there = [page for page, level in depth.items() if level == row["depth"]]
        assert row["new"] == len(there)
        assert row["cumulative"] == sum(level <= row["depth"] for level in depth.values())
        assert row["pagerank"] == pytest.approx(sum(pagerank[page] for page in there))
    every = depths.summary(table).to_pylist()
    assert [row["depth"] for row in every] == list(range(max(depth.values()) + 1))
    assert [(row["new"], row["cumulative"]) for row in every] == [
        (row["new"], row["cumulative"]) for row in table.to_pylist()[: len(every)]
    ]


def test_depths_of_a_crawl_that_ends_early_stay_where_it_ended():
    """A chain of four pages against one page: both are told to depth 3."""
    graph = WebGraph.from_links(4, [0, 1, 2], [1, 2, 3])
    starts = {"seeds": [np.array([0]), np.array([1])], "random": [np.array([3]), np.array([3])]}
    table = depths.summary(depths.crawls(NativeEngine(graph), graph, np.full(4, 0.25), starts, silent))
    rows = [(row["method"], row["depth"], row["draws"], row["new"], row["cumulative"]) for row in table.to_pylist()]
    assert rows == [
        ("seeds", 0, 2, 1, 1), ("seeds", 1, 2, 1, 2), ("seeds", 2, 2, 1, 3), ("seeds", 3, 1, 0.5, 3.5),
        ("random", 0, 2, 1, 1), ("random", 1, 0, 0, 1), ("random", 2, 0, 0, 1), ("random", 3, 0, 0, 1),
    ]  # fmt: skip
    assert table["mean_pagerank"].to_pylist() == [0.25] * 5 + [None] * 3


def curves(pages, ranks):
    """Ten draws of two methods that find so many pages, worth so much each, at depth 2."""
    rows = [
        {"method": method, "draw": draw, "depth": depth,
         "new": (count + draw % 2) * (depth == 2), "pagerank": rank * (count + draw % 2) * (depth == 2)}
        for method, count, rank in zip(("seeds", "random"), pages, ranks, strict=True)
        for draw in range(10) for depth in range(depths.DEEPEST + 1)
    ]  # fmt: skip
    return pa.Table.from_pylist(rows)


@pytest.mark.parametrize(
    ("pages", "ranks", "more", "better"),
    [
        ((50, 20), (2.0, 1.0), "holds", "holds"),
        ((20, 50), (1.0, 2.0), "does not hold", "does not hold"),
        ((20, 20), (1.0, 1.0), "cannot be judged", "cannot be judged"),
    ],
)
def test_verdicts_on_crawls(pages, ranks, more, better):
    table = curves(pages, ranks)
    assert claims.more_pages_claim(table, "seeds", 1, 15, "", "").verdict == more
    assert claims.pagerank_claim(table, "seeds", 2, 4, "", "").verdict == better
    assert claims.pagerank_claim(table, "seeds", 3, 4, "", "").verdict == "cannot be judged"


def test_verdicts_on_distances():
    pairs = [(i, j, abs(i - j), 9 if abs(i - j) <= 3 else 1) for i in range(1, 13) for j in range(1, 13) if i != j]
    table = pa.table(
        dict(zip(("source", "target", "gap", "distance"), map(list, zip(*pairs, strict=True)), strict=True))
    )
    usual = Interval(5.0, 4.0, 6.0)
    assert [claim.verdict for claim in claims.distance_claims(table, usual)] == ["holds", "holds"]
    few = table.slice(0, 4)
    assert {claim.verdict for claim in claims.distance_claims(few, usual)} == {"cannot be judged"}
    assert claims.distance_claims(table, None)[0].verdict == "cannot be judged"


def test_density_by_step():
    hubs = [(0, 10), (0, 11), (1, 10), (1, 11), (2, 10), (3, 12), (2, 12)]
    source, target = np.array(hubs).T
    graph = WebGraph.from_links(13, source, target)
    table = graph_facts.density_steps(NativeEngine(graph), graph, 7, 60)
    assert table["density"][0].as_py() == 100
    assert table["hubs"][-1].as_py() + table["authorities"][-1].as_py() >= 6
    assert claims.density_claim(table).verdict == "cannot be judged"


def test_part_of_a_graph_has_the_links_among_its_pages():
    graph, nxg = random_web(4)
    part = graph_facts._first_pages(graph, 20)
    assert part.links == nxg.subgraph(range(20)).number_of_edges()


def test_running_time_grows():
    table = pa.table({"pages": [10, 100, 1000], "links": [90, 900, 9000], "seconds": [0.02, 0.2, 2.0]})
    assert claims.time_claim(table).verdict == "holds"
    slow = table.set_column(2, "seconds", pa.array([0.02, 1.0, 100.0]))
    assert claims.time_claim(slow).verdict == "does not hold"
    short = table.set_column(2, "seconds", pa.array([1e-5, 1e-4, 1e-3]))
    assert claims.time_claim(short).verdict == "cannot be judged"
