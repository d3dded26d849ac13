"""A cluster of a master and two workers on loopback, one of which is killed in the middle of PageRank."""

from __future__ import annotations

import json
import subprocess
import sys

import numpy as np
import pytest

from benchmarks.host_graph import make_host_graph
from exporters.spark import export_spark
from seedrank.engines.native import NativeEngine
from seedrank.graph import WebGraph
from tests.spark_cluster import cluster
from tests.sparked import needs_spark

pytestmark = [pytest.mark.spark, pytest.mark.xdist_group("spark")]

DRIVER = """
import logging, sys
import numpy as np
import seedrank
from seedrank.engines.spark.blocks import Layout
from seedrank.engines.spark.engine import SparkEngine

logging.basicConfig(stream=sys.stdout, level=logging.INFO)
folder, master, answer = sys.argv[1:]
with seedrank.open(f"spark+parquet:{folder}", engine="spark", master=master) as bench:
    store = bench.session.store
    engine = SparkEngine(store.spark_links(), store.counts().pages, layout=Layout(one_block=0, through_driver=0))
    print("blocks", engine._along.count, flush=True)
    np.save(answer, engine.walk(tolerance=1e-10).scores)
"""


@pytest.fixture(scope="module")
def running(tmp_path_factory):
    """The cluster; the test that kills a worker is the last to use it."""
    needs_spark()
    with cluster(tmp_path_factory.mktemp("cluster")) as started:
        yield started


def test_host_ranks_of_common_crawls_files(running, tmp_path):
    """From its files to ranks by the command line on the cluster, as docs/scale.md has it, and as in memory."""
    files = [str(file) for file in make_host_graph(tmp_path / "cc", 300, 2_000)]

    def seedrank(*words):
        done = subprocess.run(
            [sys.executable, "-m", "cli.main", *words, "--format", "json"],
            capture_output=True, text=True, env=running.environment, cwd=tmp_path, timeout=500,
        )  # fmt: skip
        assert done.returncode == 0, done.stderr
        return [json.loads(line) for line in done.stdout.splitlines()]

    at = ("--master", running.master, "--store", "spark+parquet:hosts.spark")
    [facts] = seedrank(*at, "load", "cc-webgraph", *files)
    assert (facts["pages"], facts["hosts"]) == (300, 300)
    in_spark = seedrank(*at, "rank", "pagerank", "--engine", "spark")
    seedrank("--store", "hosts.lbug", "load", "cc-webgraph", *files)
    here = seedrank("--store", "hosts.lbug", "rank", "pagerank", "--engine", "native")
    assert [row["host"] for row in in_spark] == [row["host"] for row in here]
    np.testing.assert_allclose([row["score"] for row in in_spark], [row["score"] for row in here], atol=1e-11)


def test_a_killed_worker_changes_nothing_in_the_answer(running, tmp_path):
    from graphdb.arrays import ArrayStore

    rng = np.random.default_rng(5)
    graph = WebGraph.from_links(2_000, *rng.integers(0, 2_000, (2, 20_000)))
    export_spark(ArrayStore(graph, "made"), tmp_path / "web.spark")
    killed, passes = 0, []
    driver = subprocess.Popen(
        [sys.executable, "-c", DRIVER, str(tmp_path / "web.spark"), running.master, str(tmp_path / "answer.npy")],
        stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, env=running.environment, cwd=tmp_path,
    )  # fmt: skip
    assert driver.stdout is not None
    said = []
    for line in driver.stdout:
        said.append(line)
        if ":pass " in line:
            passes.append(line)
        if len(passes) == 3 and not killed:
            running.kill(0)
            killed = len(passes)
    assert driver.wait(60) == 0, "".join(said[-20:])
    assert "blocks 2\n" in said
    assert killed and len(passes) > killed + 1
    np.testing.assert_allclose(np.load(tmp_path / "answer.npy"), NativeEngine(graph).walk().scores, atol=1e-10)
