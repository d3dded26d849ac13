"""Real graphs end to end: written for Spark, asked there, and equal to the answer in memory."""

from __future__ import annotations

import numpy as np
import pytest

import seedrank as api
from seedrank.exporters.spark import export_spark
from seedrank.loaders.snap import SnapSource
from seedrank.loaders.table import TableSource


@pytest.fixture(params=["asf-web", "web-NotreDame"])
def folder(request, shared_data, tmp_path):
    """A graph as the folder that Spark reads."""
    with api.open(tmp_path / "web.duckdb", create=True) as bench:
        if request.param == "asf-web":
            data = shared_data("asf-web-2snapshots")
            files = {kind: [str(data / f"2021-12-31.{kind}.tsv.gz")] for kind in ("pages", "links")}
            bench.load(TableSource(**files))
        else:
            bench.load(SnapSource([str(shared_data("web-NotreDame") / "web-NotreDame.txt.gz")]))
        export_spark(bench.session.store, tmp_path / "web.spark")
    return tmp_path / "web.spark"


@pytest.mark.timeout(1800)
def test_answers_are_those_in_memory(spark, folder):
    url = f"spark+parquet:{folder}"
    with api.open(url, engine="spark") as there, api.open(url, engine="native") as here:
        engines = there.session.engine, here.session.engine
        walks = [engine.walk(tolerance=1e-9) for engine in engines]
        assert all(walk.converged for walk in walks)
        assert np.abs(walks[0].scores - walks[1].scores).sum() < 1e-7
        degrees = [np.stack(engine.degrees()) for engine in engines]
        np.testing.assert_array_equal(*degrees)
        parts = [engine.components() for engine in engines]
        np.testing.assert_array_equal(parts[0].component, parts[1].component)
        np.testing.assert_array_equal(parts[0].arcs, parts[1].arcs)
        levels = [engine.bfs_hops(np.array([0])) for engine in engines]
        np.testing.assert_array_equal(*levels)
        chosen = [bench.seeds("outdegree", k=5).table["id"].to_pylist() for bench in (there, here)]
        assert chosen[0] == chosen[1]
