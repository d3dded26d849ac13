"""The synthetic web: the same from the same numbers, and web-like where the methods need it to be."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import ada_url
import numpy as np
import pyarrow.parquet as pq
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.sparse import csr_matrix
from scipy.sparse.csgraph import connected_components
from scipy.stats import spearmanr

from seedrank.core.errors import InputError, UsageError
from seedrank.core.model import TABLES, Status
from seedrank.engines.kernels import synthetic as kernel
from seedrank.graph import MAX_PAGES, WebGraph
from seedrank.ingest.synthetic import WebSpec, arrays, write_graph, write_tables
from seedrank.ingest.synthetic.hosts import make_web
from seedrank.ingest.synthetic.words import FIRST, LAST, MIDDLE, WORDS, host_names

SPEC = WebSpec(pages=20_000, rng=7)
KINDS = ("pages", "links", "hosts", "queries", "results", "events", "truth")


@pytest.fixture(scope="module")
def folder(tmp_path_factory) -> Path:
    return write_tables(SPEC, tmp_path_factory.mktemp("web") / "tables")


@pytest.fixture(scope="module")
def graph(tmp_path_factory) -> WebGraph:
    return write_graph(SPEC, tmp_path_factory.mktemp("web") / "graph", urls=True)


@pytest.fixture(scope="module")
def later(tmp_path_factory) -> WebGraph:
    return write_graph(SPEC, tmp_path_factory.mktemp("web") / "later", later=True, urls=True)


def table(folder: Path, kind: str):
    return pq.read_table(folder / f"{kind}.parquet")


def column(folder: Path, kind: str, name: str) -> np.ndarray:
    return table(folder, kind)[name].to_numpy()


def sources(graph: WebGraph) -> np.ndarray:
    return np.repeat(np.arange(graph.pages), graph.out_degree)


def assert_same_graph(one: WebGraph, two: WebGraph) -> None:
    for name in one.meta["arrays"]:
        np.testing.assert_array_equal(one._array(name), two._array(name), err_msg=name)
    assert one.hosts.equals(two.hosts)


# -- the same web


def test_same_number_same_web_on_any_threads_in_any_blocks(graph, tmp_path, monkeypatch):
    monkeypatch.setattr(arrays, "BLOCK_PAGES", 777)
    monkeypatch.setattr(arrays, "_cores", lambda: 3)
    again = write_graph(SPEC, tmp_path / "again", urls=True)
    assert_same_graph(graph, again)
    assert graph.urls.to_pylist() == again.urls.to_pylist()
    assert graph.version == again.version


def test_another_number_another_web(graph, tmp_path):
    other = write_graph(WebSpec(pages=20_000, rng=8), tmp_path / "other")
    assert other.version != graph.version
    assert other.links != graph.links
    assert other.host_names.to_pylist() != graph.host_names.to_pylist()


@pytest.mark.slow
@pytest.mark.parametrize("snapshot", ["", "later"])
def test_tables_and_arrays_are_one_graph(folder, graph, later, snapshot):
    tables, arrays_ = (folder / snapshot, later if snapshot else graph)
    pages, links = table(tables, "pages"), table(tables, "links")
    np.testing.assert_array_equal(pages["id"].to_numpy(), np.arange(arrays_.pages))
    assert pages["url"].to_pylist() == arrays_.urls.to_pylist()
    labels = np.array([Status(s).label for s in range(3)])
    assert pages["status"].to_pylist() == labels[arrays_.status].tolist()
    for name in ("clicks", "views", "spam", "bytes"):
        np.testing.assert_array_equal(pages[name].to_numpy(), arrays_.column(name), err_msg=name)
    np.testing.assert_array_equal(links["source"].to_numpy(), sources(arrays_))
    np.testing.assert_array_equal(links["target"].to_numpy(), arrays_.out_targets)
    assert table(tables, "hosts")["host"].to_pylist() == arrays_.host_names.to_pylist()


@pytest.mark.slow
def test_tables_do_not_depend_on_blocks(folder, tmp_path, monkeypatch):
    monkeypatch.setattr(arrays, "BLOCK_PAGES", 3_000)
    again = write_tables(SPEC, tmp_path / "again")
    for snapshot in ("", "later"):
        for kind in KINDS:
            assert table(folder / snapshot, kind).equals(table(again / snapshot, kind)), (snapshot, kind)


def test_tables_have_the_columns_that_load_table_reads(folder):
    for kind in KINDS:
        if kind in TABLES:
            names = set(table(folder, kind).column_names)
            assert all(TABLES[kind].column(name) is not None for name in names)
            assert any(needed <= names for needed in TABLES[kind].needs)


# -- links


def test_links_are_distinct_ascending_and_never_to_the_page_itself(graph, later):
    for g in (graph, later):
        source, target = sources(g), np.asarray(g.out_targets)
        assert (source != target).all()
        assert (np.diff(source * g.pages + target) > 0).all()
        assert target.min() >= 0 and target.max() < g.pages


def test_only_crawled_pages_link_and_every_frontier_page_is_linked_to(graph, later):
    for g in (graph, later):
        assert not g.out_degree[g.status != Status.CRAWLED].any()
        assert (g.in_degree[g.status == Status.FRONTIER] > 0).all()
    shares = np.bincount(graph.status, minlength=3) / graph.pages
    assert shares[Status.CRAWLED] == pytest.approx(SPEC.crawled, abs=0.04)
    assert 0.005 < shares[Status.MISSING] < 0.05


@pytest.mark.slow
def test_degrees_and_links_between_hosts_are_as_asked(graph, tmp_path):
    dense = write_graph(
        WebSpec(pages=60_000, rng=1, links_per_page=35, crawled=1.0, inter_host=0.04), tmp_path / "dense"
    )
    assert (dense.status == Status.CRAWLED).all()
    for g, degree, inter in ((graph, 14, 0.06), (dense, 35, 0.04)):
        mean = g.links / (g.status == Status.CRAWLED).sum()
        assert 0.85 * degree < mean < 1.15 * degree
        share = (g.host[sources(g)] != g.host[g.out_targets]).mean()
        assert 0.6 * inter < share < 1.6 * inter


def test_hosts_are_heavy_tailed_and_pages_stand_by_host(graph):
    assert (np.diff(graph.host) >= 0).all()
    sizes = np.sort(np.bincount(graph.host))[::-1]
    assert len(sizes) == SPEC.host_count == len(graph.host_names)
    assert sizes[: len(sizes) // 10].sum() > 0.5 * graph.pages
    assert np.median(sizes) < sizes.mean() / 2


def test_bow_tie(graph):
    matrix = csr_matrix((np.ones(graph.links, np.int8), graph.out_targets, graph.out_offsets), (graph.pages,) * 2)
    _, label = connected_components(matrix, connection="strong")
    sizes = np.sort(np.bincount(label))[::-1]
    crawled = (graph.status == Status.CRAWLED).sum()
    assert 0.25 < sizes[0] / crawled < 0.85
    assert sizes[1] < sizes[0] / 2
    assert (sizes > 1).sum() > 50
    # There are crawled pages that reach the giant component and are not reached from it, and the other way round.
    giant = label == np.bincount(label).argmax()
    into, out_of = reached(matrix.T.tocsr(), giant), reached(matrix, giant)
    linking = graph.out_degree > 0
    assert (linking & into & ~out_of).sum() > 0.02 * crawled
    assert (linking & out_of & ~into).sum() > 0.02 * crawled
    assert (linking & ~out_of & ~into).any()


def reached(matrix: csr_matrix, start: np.ndarray) -> np.ndarray:
    seen = start.copy()
    while True:
        wider = seen | (matrix.T @ seen.astype(np.int64) > 0)
        if (wider == seen).all():
            return seen
        seen = wider


def test_links_between_hosts_are_preferential(graph):
    source, target = sources(graph), np.asarray(graph.out_targets)
    inter = graph.host[source] != graph.host[target]
    received = np.sort(np.bincount(graph.host[target[inter]], minlength=len(graph.host_names)))[::-1]
    assert received[: len(received) // 20].sum() > 0.3 * inter.sum()


def test_spam_farms_link_among_themselves(graph):
    web, _ = make_web(SPEC)
    spam = web.hosts["role"][graph.host] == kernel.Role.SPAM
    assert spam.mean() == pytest.approx(SPEC.spam, abs=0.015)
    known = graph.status == Status.CRAWLED
    np.testing.assert_array_equal(graph.column("spam")[known], spam[known])
    source, target = sources(graph), np.asarray(graph.out_targets)
    inter = (graph.host[source] != graph.host[target]) & spam[source]
    assert inter.sum() > 50
    assert spam[target[inter]].mean() > 0.7
    assert 0 < (spam[target] & ~spam[source]).sum() < 0.01 * graph.links


# -- searchers


def truth_of(folder: Path, pages: int) -> np.ndarray:
    """Clicks of all pages, the frontier's from the judge's table."""
    clicks = np.nan_to_num(column(folder, "pages", "clicks"))
    clicks[column(folder, "truth", "id")] = column(folder, "truth", "clicks")
    return clicks


def test_clicks_are_heavy_tailed_and_at_most_views(folder, graph):
    clicks = truth_of(folder, graph.pages)
    assert 0.01 < (clicks > 0).mean() < 0.15
    assert np.sort(clicks)[::-1][: graph.pages // 100].sum() > 0.3 * clicks.sum()
    for kind in ("pages", "truth"):
        known = ~np.isnan(column(folder, kind, "clicks"))
        assert (column(folder, kind, "clicks")[known] <= column(folder, kind, "views")[known]).all()


def test_clicks_of_frontier_pages_are_known_to_the_judge_only(folder, graph):
    for name in ("clicks", "views", "spam", "bytes"):
        np.testing.assert_array_equal(np.isnan(graph.column(name)), graph.status != Status.CRAWLED)
    np.testing.assert_array_equal(column(folder, "truth", "id"), np.flatnonzero(graph.status == Status.FRONTIER))
    urls = np.array(graph.urls.to_pylist())
    assert table(folder, "truth")["url"].to_pylist() == urls[column(folder, "truth", "id")].tolist()
    for kind in ("events", "results"):
        assert (graph.status[column(folder, kind, "id")] == Status.CRAWLED).all()


def test_links_from_clicked_pages_tell_of_clicks_but_not_all(folder, graph):
    clicks = truth_of(folder, graph.pages)
    clicked = np.nan_to_num(graph.column("clicks")) > 0
    votes = np.bincount(graph.out_targets, weights=clicked[sources(graph)], minlength=graph.pages)
    frontier = graph.status == Status.FRONTIER
    by_votes = spearmanr(votes[frontier], clicks[frontier]).statistic
    by_links = spearmanr(graph.in_degree[frontier], clicks[frontier]).statistic
    assert 0.15 < by_votes < 0.8
    assert by_links < by_votes
    assert (clicks[frontier & (votes == 0)] > 0).any()


def test_ids_do_not_betray_quality(folder, graph):
    clicks = truth_of(folder, graph.pages)
    start = np.searchsorted(graph.host, np.arange(len(graph.host_names)))
    size = np.bincount(graph.host)
    place = (np.arange(graph.pages) - start[graph.host]) / size[graph.host]
    large = size[graph.host] >= 10
    assert abs(spearmanr(place[large], clicks[large]).statistic) < 0.03
    front = np.flatnonzero([url.count("/") == 3 for url in graph.urls.to_pylist()])
    assert len(front) == len(size)
    assert 0.35 < place[front][size >= 10].mean() < 0.6


def test_events_sum_to_the_columns_of_pages(folder, graph):
    for name in ("clicks", "views"):
        summed = np.bincount(column(folder, "events", "id"), column(folder, "events", name), graph.pages)
        np.testing.assert_array_equal(summed, np.nan_to_num(graph.column(name)))
    assert (column(folder, "events", "clicks") <= column(folder, "events", "views")).all()
    days = column(folder, "events", "time").astype("datetime64[D]")
    assert (days.max() - days.min()).astype(int) == 13
    assert len(set(zip(column(folder, "events", "id"), days, strict=True))) == len(days)


def test_searches(folder, graph):
    queries, results = table(folder, "queries"), table(folder, "results")
    texts = queries["query"].to_pylist()
    assert len(set(texts)) == len(texts) > 100
    need, freq = queries["need"].to_numpy(), queries["freq"].to_numpy()
    assert need.min() == 0 and need.max() == 1 and ((need > 0) & (need < 1)).any()
    assert np.sort(freq)[::-1][: len(freq) // 10].sum() > 0.4 * freq.sum() and freq.min() >= 1
    # Ranks count from 1 without gaps, and every result is about the words of its search.
    by_query: dict[str, list[int]] = {}
    urls = graph.urls
    for row in results.to_pylist():
        by_query.setdefault(row["query"], []).append(row["rank"])
        path = urls[row["id"]].as_py().rstrip("/").rsplit("/", 1)[1]
        assert path.count("-") != 2 or path.startswith(row["query"].replace(" ", "-"))
    assert all(ranks == list(range(1, len(ranks) + 1)) and len(ranks) <= 10 for ranks in by_query.values())
    assert set(by_query) <= set(texts)
    clicks = np.bincount(results["id"].to_numpy(), results["clicks"].to_numpy(), graph.pages)
    assert (clicks <= np.nan_to_num(graph.column("clicks"))).all() and clicks.sum() > 0
    # A search without a result from the crawled pages needs everything.
    needs = dict(zip(texts, need, strict=True))
    assert all(needs[text] == 1 for text in set(texts) - set(by_query))


def test_anchors_name_what_the_page_is_about(folder, graph):
    links = table(folder, "links")
    anchors, targets = links["anchor"].to_pylist(), links["target"].to_numpy()
    assert 0.3 < np.mean([a is not None for a in anchors]) < 0.5
    urls = graph.urls.to_pylist()
    telling = [
        urls[t].endswith(".test/") or a.replace(" ", "-") in urls[t] for a, t in zip(anchors, targets, strict=True) if a
    ]
    assert np.mean(telling) > 0.6
    assert set(np.unique(links["weight"].to_numpy())) == {1.0, 2.0, 3.0}


def test_some_hosts_are_mostly_copies(folder):
    unique = column(folder, "hosts", "unique_rate")
    assert unique.min() >= 0 and unique.max() <= 1
    assert 0.1 < (unique < 0.5).mean() < 0.35


# -- names


def test_urls_are_normal_and_unique(graph, later):
    urls = later.urls.to_pylist()
    assert len(set(urls)) == len(urls)
    assert all(ada_url.normalize_url(url) == url for url in urls)
    assert all(url.split("/")[2].endswith((".example", ".test")) for url in urls)
    names = np.array(graph.host_names.to_pylist())
    hosts = [url.split("/")[2] for url in graph.urls.to_pylist()]
    assert hosts == names[graph.host].tolist()


def test_domains_differ_from_hosts(graph):
    domains = Counter(".".join(name.split(".")[-2:]) for name in graph.host_names.to_pylist())
    assert len(domains) < 0.95 * len(graph.host_names)
    assert max(domains.values()) > 5


def test_names_cannot_collide():
    assert not [(a, b) for a in FIRST for b in FIRST if a != b and a.startswith(b)]
    assert not [(a, b) for a in LAST for b in LAST if a != b and a.endswith(b)]
    assert {len(syllable) for syllable in MIDDLE} == {2}
    assert len(set(WORDS)) == len(WORDS)


@given(st.integers(0, 2**63 - 1), st.sampled_from([1, 2, 9, 400, 20_000]))
@settings(max_examples=25, deadline=None)
def test_host_names_are_unique(seed, count):
    names = host_names(np.uint64(seed), count)
    assert len(set(names.to_pylist())) == count


# -- the later snapshot


@pytest.mark.slow
def test_later_snapshot_is_the_same_web_changed(graph, later):
    n = graph.pages
    assert later.urls.to_pylist()[:n] == graph.urls.to_pylist()
    assert 1.05 * n < later.pages < 1.3 * n
    gone = later.status[:n] == Status.MISSING
    assert 0.1 < gone[graph.status == Status.CRAWLED].mean() < 0.35
    opened = (graph.status == Status.FRONTIER) & (later.status[:n] == Status.CRAWLED)
    assert 0.2 < opened.sum() / (graph.status == Status.FRONTIER).sum() < 0.6
    before = set((sources(graph) * 10**9 + graph.out_targets).tolist())
    after = set((sources(later) * 10**9 + later.out_targets).tolist())
    alive = {key for key in before if later.status[key // 10**9] == Status.CRAWLED}
    assert 0.55 < len(alive & after) / len(alive) < 0.9


def test_hubs_and_good_pages_last_longer(graph, later):
    crawled = graph.status == Status.CRAWLED
    survives = later.status[: graph.pages] != Status.MISSING
    hubs = crawled & (graph.out_degree >= np.percentile(graph.out_degree[crawled], 95))
    assert survives[hubs].mean() > survives[crawled].mean() + 0.03
    clicked = np.nan_to_num(graph.column("clicks")) > 0
    assert survives[clicked].mean() > survives[crawled & ~clicked].mean() + 0.05


# -- sizes and bad input


@pytest.mark.slow
@settings(max_examples=15, deadline=None)
@given(
    pages=st.integers(100, 3_000),
    seed=st.integers(0, 2**63 - 1),
    hosts=st.one_of(st.none(), st.integers(1, 50)),
    crawled=st.sampled_from([0.1, 0.35, 0.9, 1.0]),
    links=st.sampled_from([14.0, 60.0]),
    inter=st.sampled_from([0.0, 0.06, 0.5]),
)
def test_any_web_holds_its_promises(tmp_path_factory, pages, seed, hosts, crawled, links, inter):
    spec = WebSpec(
        pages=pages, rng=seed, hosts=hosts, crawled=crawled, inter_host=inter, links_per_page=links + 2 / crawled
    )
    for later in (False, True):
        g = write_graph(spec, tmp_path_factory.mktemp("any") / "graph", later=later, urls=True)
        assert g.pages == pages or (later and g.pages >= pages)
        source, target = sources(g), np.asarray(g.out_targets)
        assert (source != target).all() and (np.diff(source * g.pages + target) > 0).all()
        assert not g.out_degree[g.status != Status.CRAWLED].any()
        assert (g.in_degree[g.status == Status.FRONTIER] > 0).all()
        assert len(set(g.urls.to_pylist())) == g.pages


@pytest.mark.parametrize("count", [1, 5, 31, 32, 33, 64, 100, 1_000, 4_097])
def test_places_are_a_permutation(count):
    inverse = kernel.inverse_stride(count // kernel.BLOCK)
    for turn in (0, 12_345):
        places = [kernel.place(t, count, turn) for t in range(count)]
        assert sorted(places) == list(range(count))
        assert [kernel.unplace(p, count, turn, inverse) for p in places] == list(range(count))


def test_tiny_webs(tmp_path):
    one = write_graph(WebSpec(pages=100, rng=3, hosts=1), tmp_path / "one")
    assert one.pages == 100 and len(one.host_names) == 1
    folder = write_tables(WebSpec(pages=100, rng=3), tmp_path / "tables")
    assert all((folder / part / f"{kind}.parquet").is_file() for part in ("", "later") for kind in KINDS)


@pytest.mark.parametrize(
    "wrong",
    [
        {"pages": 99},
        {"pages": MAX_PAGES + 1},
        {"rng": -1},
        {"rng": 2**63},
        {"crawled": 0.0},
        {"crawled": 1.5},
        {"crawled": 0.05},
        {"links_per_page": 2.0},
        {"links_per_page": float("nan")},
        {"links_per_page": 5_000.0},
        {"hosts": 0},
        {"hosts": 40_000},
        {"spam": 0.9},
        {"inter_host": -0.1},
    ],
)
def test_bad_numbers_are_refused_in_one_line(wrong):
    with pytest.raises(UsageError) as error:
        WebSpec(**wrong)
    assert "\n" not in str(error.value) and ";" in str(error.value)


def test_the_later_web_must_have_int32_ids():
    with pytest.raises(UsageError):
        make_web(WebSpec(pages=MAX_PAGES, hosts=50), later=True)


def test_folder_appears_whole_or_not_at_all(tmp_path):
    def interrupted(title, total=None):
        raise KeyboardInterrupt

    for write in (write_tables, write_graph):
        with pytest.raises(KeyboardInterrupt):
            write(WebSpec(pages=100), tmp_path / "web", progress=interrupted)
        assert list(tmp_path.iterdir()) == []


def test_tables_replace_tables_and_nothing_else(tmp_path):
    mine = tmp_path / "mine"
    mine.mkdir()
    (mine / "notes.txt").write_text("keep")
    with pytest.raises(InputError):
        write_tables(WebSpec(pages=100), mine)
    assert [path.name for path in tmp_path.iterdir()] == ["mine"] and (mine / "notes.txt").exists()
    web = write_tables(WebSpec(pages=100), tmp_path / "web")
    first = table(web, "links")
    write_tables(WebSpec(pages=100, rng=1), web)
    assert not table(web, "links").equals(first)
    assert sorted(path.name for path in tmp_path.iterdir()) == ["mine", "web"]
