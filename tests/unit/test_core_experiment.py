"""The experiments of Daneshpajouh et al. 2008 on small webs, and each measure against a plain one."""

from __future__ import annotations

import networkx as nx
import numpy as np
import pyarrow as pa
import pytest

import seedrank
from seedrank.core.errors import InputError, UsageError
from seedrank.core.order import order
from seedrank.core.progress import silent
from seedrank.engines.native.engine import NativeEngine
from seedrank.experiments import cores
from seedrank.experiments.cores import claims, depths, distances, graph_facts, transfer
from seedrank.experiments.cores.plan import sized
from seedrank.experiments.intervals import Interval
from seedrank.experiments.verdicts import judge_parts
from seedrank.graph import WebGraph
from seedrank.graphdb.arrays import ArrayStore
from seedrank.ingest.synthetic import WebSpec, write_graph
from seedrank.questions.experiments import CoresExperiment
from seedrank.runs import RunStore, experiment_files
from seedrank.session import Session

PLAN = CoresExperiment(quick=True)


@pytest.fixture(scope="module")
def web(tmp_path_factory):
    folder = tmp_path_factory.mktemp("webs") / "web"
    write_graph(WebSpec(pages=3_000, rng=3, inter_host=0.2), folder, urls=True)
    return folder


@pytest.fixture(scope="module")
def done(web):
    with seedrank.open(str(web)) as bench:
        return cores.perform(bench.session, PLAN)


def test_every_part_is_there(done):
    run, experiment = done
    assert run.method == "experiment cores"
    assert set(experiment.tables) == {
        "sizes", "depths", "crawls", "graph", "degrees", "power-laws", "hits", "density", "time", "distances", "map",
    }  # fmt: skip
    assert [chart.name for chart in experiment.charts] == [
        "pagerank-by-depth", "pages-by-depth", "new-pages-by-depth", "degrees", "hits-agreement", "density-by-step",
        "running-time",
        "core-sizes", "distance-map", "distance-by-gap",
    ]  # fmt: skip
    assert list(dict.fromkeys(claim.key for claim in experiment.claims)) == [
        "hits settled", "power law", "complete at first", "linear time", "more hubs", "close iterations",
        "close iterations, as quoted", "close cores", "pagerank, depths 1 to 3", "pagerank, depths 2 to 4",
        "superior pagerank, depths 1 to 2", "superior pagerank, depths 2 to 3", "later pagerank, depths 4 to 7",
        "later pagerank, depths 5 to 8", "more pages",
    ]  # fmt: skip
    for claim in experiment.claims:
        assert claim.quote and claim.place and claim.unit
        assert claim.why or claim.verdict != "cannot be judged"
        assert not claim.apart or "times say more of the machine" in claim.apart
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
    assert list(map(repr, again.claims)) == list(map(repr, done[1].claims))


@pytest.mark.slow
def test_it_can_be_kept_and_taken_away(done, tmp_path):
    run, experiment = done
    experiment_files.save(RunStore(tmp_path / "runs"), run, experiment)
    # As text: numbers that are none are not equal to themselves.
    assert list(map(repr, experiment_files.read(tmp_path / "runs" / run.id).claims)) == list(
        map(repr, experiment.claims)
    )
    assert (
        len(experiment_files.export(experiment, tmp_path / "out"))
        == len(experiment.tables) + len(experiment.charts) + 3
    )


@pytest.mark.slow
def test_transfer(web, tmp_path):
    with seedrank.open(str(web)) as bench:
        urls = bench.graph.urls.to_pylist()
        crawled = np.flatnonzero(bench.graph.status == 2)
        frontier = int(np.flatnonzero(bench.graph.status == 0)[0])
        seeds, random = tmp_path / "seeds.txt", tmp_path / "random.txt"
        some = [urls[page] for page in crawled[:20]]
        seeds.write_text("\n".join([*some, urls[frontier], urls[crawled[-1]] + "/gone", "http://gone.example/"]))
        random.write_text(
            "\n".join([*(urls[page] for page in crawled[20:30]), *(f"http://gone{i}.example/" for i in range(90))])
        )
        plan = CoresExperiment(
            transfer_from=str(seeds), transfer_against=str(random), old_store=str(web), repeats=5, quick=True
        )
        _, experiment = cores.perform(bench.session, plan)
    assert experiment.tables["survival"].to_pylist() == [
        {"pages": "hubs", "listed": 23, "in_graph": 21, "crawled": 20, "replaced": 1},
        {"pages": "random", "listed": 100, "in_graph": 10, "crawled": 10, "replaced": 0},
    ]
    assert experiment.tables["replacements"]["rule"].to_pylist()[20:] == ["dropped", "host", "dropped"]
    assert experiment.left_out == []
    crawls = experiment.tables["transfer-crawls"].to_pandas().groupby("method").draw.nunique()
    assert crawls.to_dict() == {transfer.LEFT: 1, transfer.RANDOM: 12, transfer.REPLACED: 1, transfer.FILLED: 12}
    assert {"transfer-pagerank-by-depth", "transfer-pages-by-depth"} <= {chart.name for chart in experiment.charts}
    by_key = {claim.key: claim for claim in reversed(experiment.claims)}
    assert by_key["durable hubs"].verdict == "holds"
    assert by_key["durable hubs"].value == pytest.approx(100 * (20 / 23 - 0.1))
    ours = [claim for claim in experiment.claims if claim.key.startswith("replaced seeds")]
    assert {claim.verdict for claim in ours if "random" not in claim.key} == {"figure"}
    assert not any(claim.quote or claim.place for claim in ours)
    assert all("(not in the papers)" in claim.claim for claim in ours)
    assert all(claim.value >= 0 for claim in ours if claim.key == "replaced seeds, pages")
    assert {claim.unit for claim in ours if "random" in claim.key} == {"draws of random pages"}


@pytest.mark.slow
def test_without_a_replacement_there_is_nothing_to_judge(web, tmp_path):
    with seedrank.open(str(web)) as bench:
        urls, crawled = bench.graph.urls.to_pylist(), np.flatnonzero(bench.graph.status == 2)
        (tmp_path / "seeds.txt").write_text("\n".join(urls[page] for page in crawled[:20]))
        plan = CoresExperiment(transfer_from=str(tmp_path / "seeds.txt"), quick=True)
        _, experiment = cores.perform(bench.session, plan)
    ours = [claim for claim in experiment.claims if claim.key.startswith("replaced seeds")]
    assert [claim.why for claim in ours] == ["no seed was replaced"] * 3


@pytest.mark.slow
def test_a_graph_without_hosts_stays_apart(tmp_path):
    rng = np.random.default_rng(2)
    graph = WebGraph.from_links(400, *rng.integers(0, 400, (2, 3000)))
    with Session(ArrayStore(graph, str(tmp_path / "web"))) as session:
        _, experiment = cores.perform(session, CoresExperiment(keep_same_site=True, quick=True))
    assert {claim.apart for claim in experiment.claims if claim.key != "power law" and not np.isnan(claim.value)} == {
        "the graph has no hosts, so links within a site could not be pruned"
    }


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


@pytest.mark.parametrize("name", ["transfer_against", "old_store"])
def test_a_comparison_names_the_field_it_goes_with(name):
    with pytest.raises(UsageError, match=f"{name} goes with transfer_from"):
        CoresExperiment(**{name: "other"})


def test_no_random_pages_no_verdict():
    survivors = transfer.Survivors(10, 9, np.arange(8))
    claim = claims.survival_claim(transfer.survival(survivors, None))
    assert claim.verdict == "cannot be judged"
    assert "8 of 10 hubs are left" in claim.why
    assert "transfer_against" in claim.why


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
        {"method": method, "draw": draw, "depth": depth, "new": found * (depth in (0, 2)),
         "cumulative": found * (1 + (depth >= 2)), "pagerank": (rank + draw % 3 / 100) * found * (depth in (0, 2))}
        for method, count, rank in zip(("seeds", "random"), pages, ranks, strict=True)
        for draw, found in enumerate(count + turn % 2 for turn in range(10)) for depth in range(depths.DEEPEST + 1)
    ]  # fmt: skip
    return pa.Table.from_pylist(rows)


def test_lifts_are_over_draws_by_depth():
    table = curves((50, 20), (2.0, 1.0))
    pages = claims.lifts(table, "seeds", "random", "cumulative", range(1, 16))
    assert list(pages) == ["depth 2"]  # nothing new elsewhere
    assert pages["depth 2"].value == pytest.approx(100 * (50.5 / 20.5 - 1))
    assert (pages["depth 2"].n, pages["depth 2"].unit) == (10, "draws of seeds on this graph")
    mean = claims.lifts(table, "seeds", "random", "mean_pagerank", range(2, 5))
    assert mean["depth 2"].value == pytest.approx(100 * (2.009 / 1.009 - 1))
    assert mean["depth 2"].low < mean["depth 2"].value < mean["depth 2"].high


@pytest.mark.parametrize(
    ("pages", "verdict"), [((50, 20), "holds"), ((20, 50), "does not hold"), ((20, 20), "does not hold")]
)
def test_verdicts_on_crawls(pages, verdict):
    found = claims.lifts(curves(pages, (1.0, 1.0)), "seeds", "random", "cumulative", range(1, 16))
    whole, _ = judge_parts(claims.SAID["more pages"], found)
    assert whole.verdict == verdict


def test_where_all_is_found_no_seeds_can_find_more():
    table = curves((50, 20), (1.0, 1.0))  # 41 pages from random seeds, on average
    found = claims.lifts(table, "seeds", "random", "cumulative", [2])
    assert claims.possible(found, table, "random", 46) == found
    assert claims.possible(found, table, "random", 45) == {}


def test_one_set_of_seeds_is_compared_with_every_draw():
    table = curves((50, 20), (2.0, 1.0))
    once = table.filter([row["method"] == "random" or row["draw"] == 0 for row in table.to_pylist()])
    found = claims.lifts(once, "seeds", "random", "cumulative", [2])["depth 2"]
    assert found.value == pytest.approx(100 * (50 / 20.5 - 1))
    assert found.n == 10
    both = claims.lifts(once, "seeds", "seeds", "cumulative", [2])["depth 2"]
    assert (both.value, both.n, both.unit, both.known) == (0.0, 1, "graph", False)


def pairs(distance):
    return pa.Table.from_pylist(
        [
            {"source": i, "target": j, "gap": abs(i - j), "distance": distance(abs(i - j))}
            for i in range(1, 13) for j in range(1, 13) if i != j
        ]
    )  # fmt: skip


def test_verdicts_on_distances():
    usual = Interval(15.0, 14.0, 16.0)
    far, quoted, late = claims.distance_claims(pairs(lambda gap: 9 if gap <= 3 else 1), 12, usual)
    assert (far.verdict, late.verdict) == ("holds", "holds")
    assert "pages 15 [14, 16]" in far.why
    assert (quoted.verdict, quoted.value) == ("does not hold", pytest.approx(9 - 15))
    near, *_ = claims.distance_claims(pairs(lambda gap: 3 if gap <= 3 else 9), 12, usual)
    assert near.verdict == "does not hold"
    # The mean of the 60 close pairs of 132 is 3, that of all 6.27.
    assert near.value == pytest.approx(3 - (60 * 3 + 72 * 9) / 132)
    few = pairs(lambda gap: 2).slice(0, 4)
    assert {claim.verdict for claim in claims.distance_claims(few, 12, None)} == {"cannot be judged"}


@pytest.mark.slow
def test_ranks_that_are_final():
    graph, _ = random_web(3, pages=3000, links=30_000)
    engine = NativeEngine(graph)
    table = graph_facts.convergence(engine, (2, 5, 60, 240))
    final = engine.hits(240)
    for row in table.to_pylist():
        now = engine.hits(row["iterations"])
        for side in ("hubs", "authorities"):
            first, last = (set(order(getattr(one, side))[:1000].tolist()) for one in (now, final))
            assert row[side] == len(first & last) / 1000
    assert table["hubs"].to_pylist()[-1] == 1
    assert table["hubs"].to_pylist()[0] < 1
    assert {claim.verdict for claim in claims.settling_claims(table)} == {"figure"}


def test_density_by_step():
    hubs = [(0, 10), (0, 11), (1, 10), (1, 11), (2, 10), (3, 12), (2, 12)]
    source, target = np.array(hubs).T
    graph = WebGraph.from_links(13, source, target)
    table = graph_facts.density_steps(NativeEngine(graph), graph, 7, 60, 3)
    assert table["density"][0].as_py() == 100
    first = [row for row in table.to_pylist() if row["core"] == 1]
    assert first[-1]["hubs"] + first[-1]["authorities"] >= 6
    assert claims.density_claim(table).verdict == "cannot be judged"


def steps(complete):
    """Eight cores of six pairs, complete for so many of them."""
    return pa.Table.from_pylist(
        [{"core": core, "pair": pair, "density": 100.0 if pair <= count else 50.0}
         for core, count in enumerate(complete, 1) for pair in range(1, 7)]
    )  # fmt: skip


def test_verdicts_on_first_steps():
    assert claims.density_claim(steps([5, 6, 5, 5, 6, 5, 5, 5])).verdict == "holds"
    assert claims.density_claim(steps([4, 1, 2, 3, 4, 2, 1, 1])).verdict == "does not hold"
    assert claims.density_claim(steps([5, 1, 5, 1, 5, 1, 5, 1])).verdict == "cannot be judged"


def test_part_of_a_graph_has_the_links_among_its_pages():
    graph, nxg = random_web(4)
    part = graph_facts._first_pages(graph, 20)
    assert part.links == nxg.subgraph(range(20)).number_of_edges()


def times(power, longest):
    return pa.Table.from_pylist(
        [{"run": run, "pages": size, "links": 9 * size, "seconds": longest * (size / 1000) ** power * (1 + run / 100)}
         for size in (10, 100, 1000) for run in range(1, 6)]
    )  # fmt: skip


def test_running_time_grows():
    claim = claims.time_claim(times(1.0, 2.0))
    assert (claim.verdict, claim.n, claim.unit) == ("holds", 5, "runs on this machine")
    assert claim.value == pytest.approx(1)
    assert claims.time_claim(times(1.5, 2.0)).verdict == "does not hold"
    short = claims.time_claim(times(1.0, 0.5))
    assert (short.verdict, "below 1 s" in short.why) == ("cannot be judged", True)


def test_sizes():
    table = pa.table({"hubs": [9] * 18 + [1] * 2, "authorities": [3] * 20})
    claim = claims.size_claim(table)
    assert (claim.verdict, claim.value, claim.n) == ("holds", 0.9, 20)


def test_a_power_law_is_found_again():
    """20,000 degrees drawn with exponent 2.5 from 3 on; and a law that is none."""
    draw = np.random.default_rng(5)
    law = np.floor(2.5 * (1 - draw.random(20_000)) ** (-1 / 1.5) + 0.5).astype(np.int64)
    none = draw.integers(1, 40, 20_000)
    parts = []
    for direction, degrees in (("in", law), ("out", none)):
        degree, pages = np.unique(degrees, return_counts=True)
        names = {"links": ["all"] * len(degree), "direction": [direction] * len(degree)}
        parts.append(pa.table({**names, "degree": degree, "pages": pages}))
    there, other = graph_facts.power_laws(pa.concat_tables(parts), 1).to_pylist()
    assert there["exponent"] == pytest.approx(2.5, abs=0.05)
    assert there["gap"] < 0.02 and there["p"] > 0.1
    assert other["gap"] > 0.05 and other["p"] == 0
    whole, *each = claims.power_law_claims(graph_facts.power_laws(pa.concat_tables(parts), 1))
    assert [claim.verdict for claim in each] == ["figure", "figure"]
    assert "in-degrees: exponent 2.46 from degree 4 on" in whole.why


def test_the_mean_of_pairs_is_over_cores():
    """One core far from all others moves the mean of all pairs that it is in."""
    values = np.full((8, 8), 3.0)
    assert distances.mean_of_pairs(values, np.ones((8, 8), bool)).low == 3.0
    values[0], values[:, 0] = 10.0, 10.0
    found = distances.mean_of_pairs(values, np.ones((8, 8), bool), "cores")
    assert found.value == pytest.approx((14 * 10 + 42 * 3) / 56)
    assert found.low < 3 and found.n == 8


@pytest.mark.parametrize(("options", "field"), [({"core": "size", "cap": 3}, "cap"), ({"core_size": 30}, "core_size")])
def test_how_cores_grow_is_asked_as_for_seeds(options, field):
    with pytest.raises(UsageError, match=field):
        CoresExperiment(**options)


def test_cores_by_size_have_it(web):
    with seedrank.open(str(web)) as bench:
        found = cores.perform(bench.session, CoresExperiment(quick=True, cores=3, core="size", core_size=6))
    sizes = found.experiment.tables["sizes"].to_pylist()
    assert all(6 <= row["hubs"] + row["authorities"] <= 7 for row in sizes)
