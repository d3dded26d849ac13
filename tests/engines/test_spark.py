"""What only the engine on Spark does: several blocks, the shuffle between them, colouring, weak components."""

from __future__ import annotations

import numpy as np
import pytest

from seedrank.core.errors import GraphError
from tests.engines import reference
from tests.sparked import in_spark

PAGES = 40


@pytest.fixture(scope="module")
def web():
    """Two loose parts, links within and between blocks, dangling and lonely pages."""
    rng = np.random.default_rng(3)
    links = {(int(a), int(b)) for a, b in rng.integers(0, 30, (70, 2)) if a != b}
    return links | {(32, 33), (33, 34), (34, 32), (35, 34)}


@pytest.fixture(params=["through the driver", "by shuffle"])
def engine(spark, web, request):
    """Blocks for each core, however few pages there are."""
    from seedrank.engines.spark.blocks import Layout
    from seedrank.engines.spark.engine import SparkEngine

    layout = Layout(one_block=0, through_driver=0 if request.param == "by shuffle" else 1 << 26)
    with SparkEngine(in_spark(spark, web), PAGES, layout=layout, most_native=0) as made:
        assert made._along.count > 1
        yield made


def test_a_walk_over_several_blocks(engine, web):
    found = engine.walk(damping=0.5, tolerance=1e-9)
    expected = reference.walk(PAGES, web, [(1, None, None)], 0.5, None, "teleport")
    assert found.converged
    assert np.abs(found.scores - expected).sum() <= found.residual + 1e-14


def test_hits_levels_and_balls_over_several_blocks(engine, web):
    np.testing.assert_allclose(engine.hits(2).hubs, reference.hits(PAGES, web, 2)[0], atol=1e-12)
    assert engine.bfs_hops(np.array([0])).tolist() == reference.levels(PAGES, web, [0], None)
    weight = np.arange(PAGES) + 0.5
    some = np.array([0, 32, 39])
    np.testing.assert_allclose(
        engine.ball_weight(weight, 2, some), reference.ball_weight(PAGES, web, weight, 2, some), rtol=1e-12
    )


def test_levels_look_no_further_than_asked(spark, monkeypatch):
    """Every link of a chain leads to the other block: a pass each."""
    from seedrank.engines.spark.blocks import Blocks, Layout
    from seedrank.engines.spark.engine import SparkEngine

    passes = []
    run = Blocks.run
    monkeypatch.setattr(Blocks, "run", lambda self, *given: passes.append(1) or run(self, *given))
    half = PAGES // 2
    chain = {(k, k + half) for k in range(half)} | {(k + half, k + 1) for k in range(half - 1)}
    with SparkEngine(in_spark(spark, chain), PAGES, layout=Layout(one_block=0)) as engine:
        found = engine.bfs_hops(np.array([0]), max_hops=2)
    assert found.tolist() == reference.levels(PAGES, chain, [0], 2)
    assert len(passes) <= 3


def test_strong_components_by_colouring(engine, web):
    """None is left to the driver."""
    component, arcs = reference.components(PAGES, web)
    found = engine.components()
    assert found.component.tolist() == component
    assert list(map(tuple, found.arcs.tolist())) == arcs


def test_a_view_without_pages_over_several_blocks(engine, web):
    gone = np.arange(PAGES) % 5 == 0
    stay = reference.without(web, gone, None)
    view = engine.without(pages=gone)
    assert view.links == len(stay)
    assert view.bfs_hops(np.array([1])).tolist() == reference.levels(PAGES, stay, [1], None)


def test_one_log_line_per_pass(engine, caplog):
    with caplog.at_level("INFO", logger="seedrank"):
        passes = engine.walk(damping=0.3, tolerance=1e-4).iterations
    assert [record.message.split(":")[0] for record in caplog.records] == [f"pass {k + 1}" for k in range(passes)]


@pytest.mark.parametrize("asked", ["ball_weight", "harmonic"])
def test_balls_of_very_many_pages_are_refused(spark, asked):
    from seedrank.engines.spark.engine import SparkEngine

    with SparkEngine(in_spark(spark, {(0, 1)}), 20_000) as engine, pytest.raises(GraphError, match="engine"):
        engine.ball_weight(np.ones(20_000), 2) if asked == "ball_weight" else engine.harmonic()
