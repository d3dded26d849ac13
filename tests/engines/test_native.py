"""What only the native engine promises: the same bits for any threads, graphs from files, stated errors, refusals."""

from __future__ import annotations

import logging

import numba
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from seedrank.core import resources
from seedrank.core.errors import GraphError
from seedrank.engines.base import LinkSet
from seedrank.engines.kernels import hits as hits_kernels
from seedrank.engines.native import balls, loops, pairs, walks
from seedrank.engines.native.engine import NativeEngine
from seedrank.engines.native.loops import CHUNK_WORK, even_chunks
from seedrank.graph import GraphWriter, WebGraph
from tests.engines import reference
from tests.engines.webs import weighted_webs

PAGES, LINKS = 30_000, 300_000
LARGE: dict[str, list[np.ndarray]] = {}
"""What the first number of threads answered."""


@pytest.fixture(scope="module")
def web() -> WebGraph:
    """A web with hubs, dangling pages and near links, large enough for several chunks and lanes."""
    rng = np.random.default_rng(7)
    source = rng.integers(0, PAGES * 2 // 3, LINKS)
    near = np.abs(source + rng.integers(-50, 51, LINKS)) % PAGES
    popular = (PAGES * rng.random(LINKS) ** 4).astype(np.int64)
    return WebGraph.from_links(PAGES, source, np.where(rng.random(LINKS) < 0.6, near, popular))


def everything(graph: WebGraph) -> dict[str, list[np.ndarray]]:
    engine = NativeEngine(graph)
    rng = np.random.default_rng(1)
    weight, teleport = rng.normal(size=PAGES), rng.random(PAGES)
    left, right = rng.random(PAGES) < 0.2, rng.random(PAGES) < 0.2
    given = LinkSet(0.2, None, (rng.integers(0, PAGES, 5_000), rng.integers(0, PAGES, 5_000), rng.random(5_000) + 0.1))
    hits, parts = engine.hits(), engine.components()
    found = engine.cocitation(left, right, fan_out_cap=40)
    view = engine.without(pages=left, same_site=rng.integers(-1, 500, PAGES))
    return {
        "degrees": list(engine.degrees()),
        "pagerank": [engine.walk().scores],
        "uniform": [engine.walk(teleport=teleport, dangling="uniform").scores],
        "several sets": [engine.walk([LinkSet(0.8, rng.random(PAGES)), given]).scores],
        "hits": [hits.hubs, hits.authorities],
        "components": [parts.component, parts.sizes, parts.arcs],
        "bfs_hops": [engine.bfs_hops(np.array([0, 17]))],
        "balls": [engine.ball_weight(weight, 2), engine.ball_weight(weight, 3, np.arange(0, PAGES, 99))],
        "large balls": [engine.ball_weight(weight, 5, np.arange(0, PAGES, 3))],
        "few with worth": [engine.ball_weight(np.where(np.arange(PAGES) % 50, 0, weight), 5)],
        "bound": [engine.walk_bound(weight, 2), engine.ball_bound(weight, 3)],
        "cocitation": [found.source, found.target, found.count],
        "hyperball": [engine.harmonic()[0]],
        "distances": list(engine.distances(np.arange(0, PAGES, 150), left)),
        "neighbourhood": [engine.neighbourhood(right, 7)],
        "view": [view.graph.out_offsets, view.graph.out_targets],
    }


@pytest.fixture(scope="module")
def answers(web: WebGraph) -> dict[str, list[np.ndarray]]:
    return everything(web)


def assert_same_bits(ours: dict[str, list[np.ndarray]], expected: dict[str, list[np.ndarray]]) -> None:
    for primitive, arrays in expected.items():
        for a, b in zip(ours[primitive], arrays, strict=True):
            assert a.dtype == b.dtype, primitive
            assert a.tobytes() == b.tobytes(), primitive


@pytest.mark.parametrize("threads", [1, 2])
def test_the_same_bits_for_any_number_of_threads(web, answers, threads):
    there = numba.get_num_threads()
    if threads > numba.config.NUMBA_NUM_THREADS:
        pytest.skip("this machine has one thread")
    assert web.pages + web.links > 2 * CHUNK_WORK
    numba.set_num_threads(threads)
    try:
        assert_same_bits(everything(web), answers)
    finally:
        numba.set_num_threads(there)


def test_a_graph_from_files_gives_the_same(web, answers, tmp_path):
    with GraphWriter(tmp_path / "web", version="1") as writer:
        for name in ("out_offsets", "out_targets", "status", "host"):
            writer.put(name, getattr(web, name))
        writer.text("hosts", web.hosts.to_batches(), web.hosts.schema)
        folder = writer.close(web.pages, web.links)
    before = len(hits_kernels.gather.signatures)
    assert_same_bits(everything(folder), answers)
    # Read-only files compile nothing anew; HITS by weights, which other tests ask for, is a signature of its own.
    assert len(hits_kernels.gather.signatures) == before <= 2


def test_large_answers_agree_with_dense_products(web, answers):
    """Where chunks, lanes and buffers meet: against SciPy's products, which have none of them."""
    from scipy.sparse import csr_array

    a = csr_array((np.ones(web.links), web.out_targets, web.out_offsets), (PAGES, PAGES))
    x = answers["pagerank"][0]
    spread = np.divide(x, web.out_degree, out=np.zeros(PAGES), where=web.out_degree > 0)
    step = 0.85 * (a.T @ spread) + (0.15 + 0.85 * x[web.out_degree == 0].sum()) / PAGES
    assert np.abs(step - x).sum() < 1e-12
    authorities = answers["hits"][1]
    leading = a.T @ (a @ authorities)
    np.testing.assert_allclose(leading / np.linalg.norm(leading), authorities, atol=1e-6)
    reach = ((a @ a + a).tolil() + csr_array((np.ones(PAGES), (range(PAGES), range(PAGES))))).tocsr()
    reach.data[:] = 1
    weight = np.random.default_rng(1).normal(size=PAGES)
    np.testing.assert_allclose(answers["balls"][0], reach @ weight, atol=1e-9)


@given(weighted_webs(), st.data())
def test_hits_over_out_links_alone_are_those_over_both(web, data):
    """Against dense products; pages may be left out, links may weigh something, and chunks may be empty."""
    weighted, iterations = data.draw(st.booleans()), data.draw(st.integers(1, 7))
    stays = np.array(data.draw(st.lists(st.booleans(), min_size=web.pages, max_size=web.pages)))
    some = data.draw(st.booleans())
    ends = np.array(sorted(web.links), np.int64).reshape(-1, 2)
    weights = np.array([web.links[link] for link in sorted(web.links)])
    graph = WebGraph.from_links(web.pages, *ends.T, weights=weights if weighted else None)
    left = {(a, b): weight for (a, b), weight in web.links.items() if not some or (stays[a] and stays[b])}
    hubs, authorities = reference.hits(web.pages, left if weighted else set(left), iterations)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("seedrank.engines.native.engine.OUT_LINKS_ALONE", 0)
        found = NativeEngine(graph)._hits(iterations, stays if some else np.empty(0, np.bool_))
    np.testing.assert_allclose(found.hubs, hubs, atol=1e-12)
    np.testing.assert_allclose(found.authorities, authorities, atol=1e-12)
    assert not graph.transposed


@pytest.mark.parametrize("threads", [1, 2])
def test_large_graphs_by_out_links_and_in_two_lanes(web, answers, threads, monkeypatch):
    """The same answers as by both directions and in four lanes; the same bits for any number of threads."""
    if threads > numba.config.NUMBA_NUM_THREADS:
        pytest.skip("this machine has one thread")
    monkeypatch.setattr("seedrank.engines.native.engine.OUT_LINKS_ALONE", 0)
    monkeypatch.setattr(walks, "IN_LANES", 0)
    monkeypatch.setattr(walks, "IN_TWO_LANES", 0)
    there = numba.get_num_threads()
    numba.set_num_threads(threads)
    try:
        engine = NativeEngine(WebGraph.from_links(PAGES, np.repeat(np.arange(PAGES), web.out_degree), web.out_targets))
        hits = engine.hits()
        assert not engine.graph.transposed
        found = [hits.hubs, hits.authorities, engine.walk().scores]
    finally:
        numba.set_num_threads(there)
    for ours, expected in zip(found, [*answers["hits"], *answers["pagerank"]], strict=True):
        np.testing.assert_allclose(ours, expected, atol=1e-13)
    kept = LARGE.setdefault("answers", found)
    assert [ours.tobytes() for ours in found] == [one.tobytes() for one in kept]


def test_many_large_balls_at_once_are_those_one_by_one(web, answers, monkeypatch):
    monkeypatch.setattr("seedrank.engines.native.engine.BIT_PARALLEL_FROM", np.inf)
    engine, weight = NativeEngine(web), np.random.default_rng(1).normal(size=PAGES)
    some = np.arange(0, PAGES, 30)
    for how, worth, ours in (
        ("large balls", weight, answers["large balls"][0][::10]),
        ("few with worth", np.where(np.arange(PAGES) % 50, 0, weight), answers["few with worth"][0][::30]),
    ):
        alone = engine.ball_weight(worth, 5, some)
        assert ours.tobytes() != alone.tobytes(), how  # summed in another order: the other way was taken
        np.testing.assert_allclose(ours, alone, atol=1e-9)


@pytest.mark.parametrize("large", [2, 10**9])
def test_walks_by_component_are_the_solution(monkeypatch, large):
    """Small graphs are swept whole: here each is solved by component, large ones in lanes or not."""
    monkeypatch.setattr(walks, "BY_COMPONENT", 0)
    monkeypatch.setattr(walks, "LARGE", large)
    rng = np.random.default_rng(3)
    for turn in range(60):
        pages = int(rng.integers(1, 14))
        links = {(int(a), int(b)) for a, b in rng.integers(0, pages, (2 * pages, 2)) if a != b}
        weights = {link: float(rng.integers(0, 4)) for link in links}
        ends = np.array(sorted(links), np.int64).reshape(-1, 2)
        weighted = turn % 3 == 0
        graph = WebGraph.from_links(
            pages, *ends.T, weights=np.array([weights[link] for link in sorted(links)]) if weighted else None
        )
        teleport = rng.random(pages) if turn % 2 else None
        factor = rng.integers(0, 3, pages) / 2 if turn % 4 == 0 else None
        for dangling in ("uniform", "teleport", "drop"):
            engine = NativeEngine(graph)
            found = engine.walk([LinkSet(1.0, factor)], teleport=teleport, dangling=dangling, tolerance=1e-13)
            given = weights if weighted else links
            exact = reference.walk(pages, given, [(1.0, factor, None)], 0.85, teleport, dangling)
            assert found.converged
            assert np.abs(found.scores - exact).sum() < 1e-12 * 0.85 / 0.15
            short = engine.walk(dangling=dangling, teleport=teleport, tolerance=1e-15, max_iterations=3)
            assert short.iterations <= 3
            plain = reference.walk(pages, given, [(1.0, None, None)], 0.85, teleport, dangling)
            assert np.abs(short.scores - plain).sum() <= short.residual * 0.85 / 0.15 + 1e-12


@given(st.lists(st.integers(0, 9), max_size=40), st.integers(1, 8))
def test_chunks_are_of_about_equal_work(links, count):
    """A chunk begins with the first page before which its share of links and pages lies."""
    offsets = np.cumsum([0, *links])
    work = int(offsets[-1]) + len(links)
    expected = [
        next((p for p in range(len(links)) if offsets[p] + p >= work * k // count), len(links)) for k in range(count)
    ]
    assert even_chunks(offsets, count).tolist() == [*expected, len(links)]


def test_sketches_are_held_to_five_sigma():
    """The number is written down so that nobody waits for SciPy's import."""
    from scipy import special, stats

    assert pytest.approx(special.gammainccinv(balls.SKETCH, 2.87e-7), rel=1e-12) == balls.FIVE_SIGMA_OF_SKETCH
    assert stats.norm.sf(5) == pytest.approx(2.87e-7, rel=2e-3)


def test_sizes_of_components_are_those_of_the_components(web):
    engine = NativeEngine(web)
    assert sorted(engine.component_sizes()) == sorted(engine.components().sizes)


def test_sketches_are_tight(web):
    """Half as much again as the ball weighs, up to 11 % for the rounding of bytes, and luck that all balls share."""
    engine = NativeEngine(web)
    balls, bound = engine.ball_weight(np.ones(PAGES), 4), engine.ball_bound(np.ones(PAGES), 4)
    large = balls > 1000
    assert large.sum() > 100
    assert (bound >= balls).all()
    assert 1.3 < np.mean(bound[large] / balls[large]) < 2


def test_co_citation_in_many_rounds(web, answers, monkeypatch):
    """Small buffers, and no room taken beforehand: pairs come in rounds and the answer grows."""
    monkeypatch.setattr(pairs, "PAIR_BUFFER", 500)
    monkeypatch.setattr(resources, "free_memory", lambda: None)
    monkeypatch.setattr(pairs._Answer, "__init__", _without_room)
    rng = np.random.default_rng(1)
    rng.normal(size=PAGES), rng.random(PAGES)
    left, right = rng.random(PAGES) < 0.2, rng.random(PAGES) < 0.2
    found = NativeEngine(web).cocitation(left, right, fan_out_cap=40)
    assert_same_bits({"cocitation": [found.source, found.target, found.count]}, {"cocitation": answers["cocitation"]})


def _without_room(self, most):
    self.most, self.pairs = most, 0
    self.arrays = [np.empty(0, np.int32) for _ in range(3)]


def test_hyperball_errs_as_it_says(web):
    """Root mean square of the relative error against the exact values, on a graph where both are quick."""
    keep = 3_000
    offsets = web.out_offsets[: keep + 1]
    source = np.repeat(np.arange(keep), np.diff(offsets))
    target = web.out_targets[: offsets[-1]] % keep
    engine = NativeEngine(WebGraph.from_links(keep, source, target))
    exact, zero = engine.harmonic()
    estimate, error = engine.harmonic(exact=False)
    assert zero == 0
    assert 0 < error < 0.1
    reached = exact > 0
    assert np.sqrt(np.mean((estimate[reached] / exact[reached] - 1) ** 2)) < 1.5 * error
    assert not estimate[~reached].any()


def test_refuses_what_does_not_fit(web, monkeypatch):
    monkeypatch.setattr(resources, "free_memory", lambda: 10 * 2**20)
    monkeypatch.setattr(resources, "_NOT_WORTH_ASKING", 0)
    fresh = WebGraph.from_links(PAGES, [0], [1])
    engine = NativeEngine(fresh)
    monkeypatch.setattr(resources, "free_memory", lambda: 100_000)
    everywhere = np.ones(PAGES, bool)
    for call in (
        engine.walk,
        engine.hits,
        engine.components,
        lambda: engine.ball_weight(np.ones(PAGES), 2),
        lambda: engine.walk_bound(np.ones(PAGES), 2),
        lambda: engine.cocitation(everywhere, everywhere),
        engine.harmonic,
        lambda: engine.harmonic(exact=True),
        lambda: engine.distances(np.arange(100), everywhere),
        lambda: engine.neighbourhood(everywhere, 1),
        lambda: engine.without(pages=everywhere),
    ):
        with pytest.raises(GraphError, match=r"needs about .* of memory and 97.7 KiB are free; "):
            call()


def test_memory_of_this_machine():
    there = resources.free_memory()
    assert there is None or 2**20 < there < 2**50


def test_compiling_is_announced_once(monkeypatch, caplog):
    monkeypatch.setattr("seedrank.engines.native.loops._announced", False)
    engine = NativeEngine(WebGraph.from_links(3, [0], [1]))
    monkeypatch.setattr(loops, "compiled", lambda *kernels: False)
    with caplog.at_level(logging.INFO):
        engine.hits()
        engine.walk()
    assert caplog.messages == ["compiling the loops of this question; from now on they are kept on disk"]
    monkeypatch.undo()
    assert loops.compiled(hits_kernels.gather)


def test_a_reversed_engine_shares_the_arrays():
    graph = WebGraph.from_links(4, np.array([0, 1, 3]), np.array([1, 2, 1]))
    view = NativeEngine(graph).reversed().graph
    assert np.shares_memory(view.out_targets, graph.in_sources)
    assert np.shares_memory(view.in_sources, graph.out_targets)
