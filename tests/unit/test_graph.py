"""WebGraph: made in memory, written to a folder, opened again."""

from __future__ import annotations

import json

import networkx as nx
import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

from seedrank.core.errors import GraphError, InputError
from seedrank.core.model import Status
from seedrank.engines.kernels.assemble import count_inter, place_links, sort_rows
from seedrank.graph import GraphWriter, WebGraph

LINKS = st.integers(1, 12).flatmap(
    lambda pages: st.tuples(
        st.just(pages), st.lists(st.tuples(st.integers(0, pages - 1), st.integers(0, pages - 1)), max_size=40)
    )
)


def small(tmp_path, links=((0, 1), (0, 2), (2, 0))) -> WebGraph:
    graph = WebGraph.from_links(3, *np.array(links).T)
    with GraphWriter(tmp_path / "g", version="v1") as writer:
        writer.put("out_offsets", graph.out_offsets)
        writer.put("out_targets", graph.out_targets)
        writer.put("status", graph.status)
        writer.put("host", np.array([0, 0, -1], np.int32))
        writer.put("column-clicks", np.array([1.0, np.nan, 3.0]))
        for name, column, values in (
            ("hosts", "name", ["a.example"]),
            ("urls", "url", ["http://a.example/", None, "http://a.example/2"]),
            ("text-kind", "kind", ["x", "y", None]),
        ):
            batch = pa.record_batch([pa.array(values, pa.large_string())], names=[column])
            writer.text(name, [batch], batch.schema)
        return writer.close(3, len(links))


@pytest.mark.slow
@given(LINKS)
def test_links_both_ways_equal_networkx(case):
    pages, links = case
    graph = WebGraph.from_links(pages, np.array([s for s, _ in links]), np.array([t for _, t in links]))
    expected = nx.DiGraph()
    expected.add_nodes_from(range(pages))
    expected.add_edges_from((s, t) for s, t in links if s != t)

    assert graph.links == expected.number_of_edges()
    for page in range(pages):
        out = graph.out_targets[graph.out_offsets[page] : graph.out_offsets[page + 1]]
        into = graph.in_sources[graph.in_offsets[page] : graph.in_offsets[page + 1]]
        assert out.tolist() == sorted(expected.successors(page))
        assert into.tolist() == sorted(expected.predecessors(page))
    assert graph.in_degree.tolist() == [expected.in_degree(page) for page in range(pages)]
    assert graph.out_degree.tolist() == [expected.out_degree(page) for page in range(pages)]


@pytest.mark.slow
@given(LINKS, st.booleans())
def test_links_in_any_order_are_placed_and_sorted(case, weighted):
    pages, links = case
    links = list(dict.fromkeys(links))
    ends = np.array(links, np.int32).reshape(-1, 2)
    weights = np.arange(1, len(links) + 1, dtype=np.float32) if weighted else np.empty(0, np.float32)
    offsets = np.zeros(pages + 1, np.int64)
    np.cumsum(np.bincount(ends[:, 0], minlength=pages), out=offsets[1:])
    targets, placed = np.empty(len(links), np.int32), np.empty_like(weights)

    place_links(ends, weights, offsets, targets, placed)
    sort_rows(offsets, targets, placed)

    assert targets.tolist() == [target for _, target in sorted(links)]
    if weighted:
        assert placed.tolist() == [float(links.index(link) + 1) for link in sorted(links)]


@pytest.mark.parametrize("links", [2, 32, 33, 1_000])
@pytest.mark.parametrize("weighted", [True, False])
def test_rows_of_any_length_are_sorted_with_their_weights(links, weighted):
    rng = np.random.default_rng(links)
    targets = rng.permutation(2 * links).astype(np.int32)[:links]
    before, row = targets.copy(), np.array([0, 0, links], np.int64)
    weights = rng.random(links).astype(np.float32) if weighted else np.empty(0, np.float32)
    expected = weights[np.argsort(targets)] if weighted else weights

    sort_rows(row, targets, weights)

    assert targets.tolist() == sorted(before.tolist())
    assert weights.tolist() == expected.tolist()


def test_count_inter_treats_no_site_as_different():
    graph = WebGraph.from_links(4, np.array([0, 0, 2, 2]), np.array([1, 2, 3, 0]))
    assert count_inter(graph.out_offsets, graph.out_targets, np.array([0, 0, -1, -1], np.int32)) == 3


def test_a_folder_opens_as_it_was_written(tmp_path):
    graph = small(tmp_path)

    assert (graph.pages, graph.links, graph.version) == (3, 3, "v1")
    assert graph.out_targets.tolist() == [1, 2, 0]
    assert graph.urls.to_pylist() == ["http://a.example/", None, "http://a.example/2"]
    assert graph.column("clicks")[2] == 3.0
    assert graph.text("kind").to_pylist() == ["x", "y", None]
    assert sorted(graph.column_names) == ["clicks", "kind"]
    assert graph.host_names.to_pylist() == ["a.example"]
    assert graph.source_id is None
    assert graph.weights is None
    assert graph.status.tolist() == [Status.CRAWLED] * 3


def test_in_links_are_kept_on_disk_and_found_again(tmp_path):
    small(tmp_path).in_sources  # noqa: B018 (made on first use)
    assert (tmp_path / "g" / "in_sources.npy").is_file()

    again = WebGraph.open(tmp_path / "g")
    assert again.in_sources.tolist() == [2, 0, 0]
    assert again.in_offsets.tolist() == [0, 1, 2, 3]
    assert not [path for path in (tmp_path / "g").iterdir() if path.name.startswith(".")]


def test_a_new_graph_replaces_the_old_one(tmp_path):
    small(tmp_path)
    graph = small(tmp_path, links=((1, 0),))
    assert graph.links == 1
    assert [path.name for path in tmp_path.iterdir()] == ["g"]


def test_a_failure_leaves_nothing_behind(tmp_path):
    with pytest.raises(RuntimeError), GraphWriter(tmp_path / "g", version="v") as writer:
        writer.put("status", np.zeros(3, np.int8))
        raise RuntimeError
    assert list(tmp_path.iterdir()) == []


def test_a_foreign_folder_is_not_overwritten(tmp_path):
    (tmp_path / "g").mkdir()
    (tmp_path / "g" / "thesis.tex").touch()
    with pytest.raises(InputError, match="is there and not empty"):
        GraphWriter(tmp_path / "g", version="v")


def test_a_broken_folder_is_refused(tmp_path):
    small(tmp_path)
    meta = json.loads((tmp_path / "g" / "graph.json").read_text())
    for broken in ({**meta, "links": 99}, {**meta, "format": 99}, {**meta, "arrays": ["gone"]}, [], {}):
        (tmp_path / "g" / "graph.json").write_text(json.dumps(broken))
        with pytest.raises(InputError, match=r"graph\.json"):
            WebGraph.open(tmp_path / "g")


def test_an_unknown_column_names_the_ones_there_are(tmp_path):
    graph = small(tmp_path)
    with pytest.raises(GraphError, match="the columns are: clicks, kind"):
        graph.column("views")
    with pytest.raises(GraphError, match="holds text"):
        graph.column("kind")


def test_a_link_outside_the_graph_is_refused():
    with pytest.raises(GraphError, match=r"outside 0\.\.2"):
        WebGraph.from_links(3, np.array([0]), np.array([3]))


# -- weights


def weighted(tmp_path, weights=(2.0, 0.5, 3.0)) -> WebGraph:
    """The graph of `small` with weights, in a folder."""
    graph = WebGraph.from_links(3, [0, 0, 2], [1, 2, 0], weights=np.array(weights))
    with GraphWriter(tmp_path / "w", version="v1") as writer:
        for name in ("out_offsets", "out_targets", "status", "host", "weights"):
            writer.put(name, getattr(graph, name))
        batch = pa.record_batch([pa.array([], pa.large_string())], names=["name"])
        writer.text("hosts", [batch], batch.schema)
        return writer.close(3, 3)


@given(LINKS, st.integers(0, 2**32 - 1))
def test_weights_stay_with_their_links(case, seed):
    pages, links = case
    weights = np.random.default_rng(seed).random(len(links))
    ends = np.array(links, np.int64).reshape(-1, 2)
    graph = WebGraph.from_links(pages, *ends.T, weights=weights)
    expected: dict[tuple[int, int], float] = {}
    for (a, b), weight in zip(links, weights, strict=True):
        if a != b:
            expected[a, b] = expected.get((a, b), 0.0) + weight
    sources = np.repeat(np.arange(pages), graph.out_degree)
    out = {(a, b): w for a, b, w in zip(sources, graph.out_targets, graph.weights, strict=True)}
    targets = np.repeat(np.arange(pages), np.diff(graph.in_offsets))
    turned = {(a, b): w for a, b, w in zip(graph.in_sources, targets, graph.in_weights, strict=True)}
    assert out == turned == {link: np.float32(weight) for link, weight in expected.items()}
    assert graph.strength == pytest.approx(
        [sum(w for (a, _), w in expected.items() if a == page) for page in range(pages)], rel=1e-6
    )


def test_weights_beyond_float32_stay_finite():
    graph = WebGraph.from_links(2, [0, 0], [1, 1], weights=np.array([1e300, 1.0]))
    assert graph.weights.tolist() == [np.finfo(np.float32).max]


def test_in_weights_are_kept_on_disk(tmp_path):
    graph = weighted(tmp_path)
    assert graph.in_weights.tolist() == [3.0, 2.0, 0.5]
    assert (tmp_path / "w" / "in_weights.npy").is_file()
    assert WebGraph.open(tmp_path / "w").in_weights.tolist() == [3.0, 2.0, 0.5]


def test_damaged_in_weights_are_made_again(tmp_path):
    assert weighted(tmp_path).in_weights is not None
    (tmp_path / "w" / "in_weights.npy").write_bytes(b"nothing")
    assert WebGraph.open(tmp_path / "w").in_weights.tolist() == [3.0, 2.0, 0.5]


def test_an_unweighted_twin_shares_what_either_makes(tmp_path):
    graph = weighted(tmp_path)
    plain = graph.unweighted()
    assert plain is graph.unweighted()
    assert (plain.weights, plain.in_weights) == (None, None)
    assert plain.unweighted() is plain
    assert plain.strength.tolist() == [2, 0, 1]
    assert plain.in_sources.tolist() == [2, 0, 0]
    assert graph.transposed
    assert graph.in_sources is plain.in_sources
    assert graph.weights.tolist() == [2.0, 0.5, 3.0]


@given(LINKS, st.integers(1, 5), st.booleans(), st.integers(0, 2**32 - 1))
def test_caps_leave_the_heaviest_links(case, most, with_weights, seed):
    pages, links = case
    ends = np.array(links, np.int64).reshape(-1, 2)
    weights = np.random.default_rng(seed).integers(0, 4, len(links)) + 0.5
    graph = WebGraph.from_links(pages, *ends.T, weights=weights if with_weights else None)
    before = np.ones(graph.links) if graph.weights is None else graph.weights.copy()
    capped = graph.capped(most)
    for page in range(pages):
        row = slice(graph.out_offsets[page], graph.out_offsets[page + 1])
        stays = capped.weights[row] > 0
        assert stays.sum() == min(most, graph.out_degree[page])
        assert sorted(capped.weights[row][stays]) == sorted(before[row])[::-1][:most][::-1]
        np.testing.assert_array_equal(capped.weights[row][stays], before[row][stays])
    assert capped.links == graph.links
    assert sorted(capped.in_weights) == sorted(capped.weights)
    np.testing.assert_array_equal(graph.weights if with_weights else np.ones(graph.links), before)
    np.testing.assert_array_equal(capped.weights, graph.capped(most).weights)


def test_a_cap_prefers_no_page_for_its_number():
    """Of links that weigh the same, low numbers stay as often as high ones: five standard deviations."""
    source, target = np.divmod(np.arange(400 * 100), 100)
    graph = WebGraph.from_links(500, source, target + 400).capped(10)
    stays = graph.out_targets[graph.weights > 0] - 400
    assert len(stays) == 4000
    assert abs((stays < 50).sum() - 2000) < 5 * 4000**0.5 / 2


def test_a_cap_of_nothing():
    with pytest.raises(GraphError, match="give 1 or more"):
        WebGraph.from_links(2, [0], [1]).capped(0)
