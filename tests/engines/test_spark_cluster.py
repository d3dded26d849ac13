"""A cluster of a master and two workers on loopback, one of which is killed in the middle of PageRank."""

from __future__ import annotations

import subprocess
import sys

import numpy as np
import pandas as pd
import pytest

from seedrank.engines.native.engine import NativeEngine
from seedrank.exporters.spark import export_spark
from seedrank.graph import WebGraph
from tests.docs.test_docs import BIN, ROOT, shell_blocks
from tests.spark_cluster import cluster
from tests.sparked import needs_spark

# A cluster starts four Java processes: on a busy machine each takes a minute.
pytestmark = [pytest.mark.spark, pytest.mark.xdist_group("spark"), pytest.mark.timeout(1800)]

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
    np.save(answer, engine.walk(tolerance=1e-7).scores)
"""


@pytest.fixture(scope="module")
def running(tmp_path_factory):
    """The cluster; the test that kills a worker is the last to use it."""
    needs_spark()
    with cluster(tmp_path_factory.mktemp("cluster")) as started:
        yield started


def test_the_walk_through_of_scale_md(running, tmp_path):
    """From Common Crawl's files to host ranks on the cluster, line by line, and as in memory."""
    [block] = [part for part in shell_blocks(ROOT / "docs" / "scale.md") if "cc-webgraph" in part]
    environment = {**running.environment, "MASTER": running.master}
    environment["PATH"] = f"{BIN}:{environment['PATH']}"

    def run(line):
        done = subprocess.run(line, shell=True, cwd=tmp_path, env=environment, capture_output=True, text=True)
        assert done.returncode == 0, f"{line}\n{done.stderr}"

    for line in block.strip().splitlines():
        run(line)
    run("seedrank --store hosts.duckdb load cc-webgraph cc/vertices.txt.gz cc/edges.txt.gz")
    run("seedrank --store hosts.duckdb rank pagerank -o here.csv")
    in_spark, here = (pd.read_csv(tmp_path / f"{name}.csv") for name in ("ranks", "here"))
    assert len(here) == 300
    assert in_spark["host"].tolist() == here["host"].tolist()
    np.testing.assert_allclose(in_spark["score"], here["score"], atol=1e-11)


def test_a_killed_worker_changes_nothing_in_the_answer(running, tmp_path):
    from seedrank.graphdb.arrays import ArrayStore

    rng = np.random.default_rng(5)
    source, far = rng.integers(0, 2_000, (2, 20_000))
    near = (source + rng.integers(1, 50, 20_000)) % 2_000
    graph = WebGraph.from_links(2_000, source, np.where(rng.random(20_000) < 0.8, near, far))
    export_spark(ArrayStore(graph, "made"), tmp_path / "web.spark")
    killed, passes = 0, []
    words = [sys.executable, "-c", DRIVER, str(tmp_path / "web.spark"), running.master, str(tmp_path / "answer.npy")]
    said = []
    with subprocess.Popen(
        words, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, env=running.environment, cwd=tmp_path
    ) as driver:
        assert driver.stdout is not None
        for line in driver.stdout:
            said.append(line)
            if ":pass " in line:
                passes.append(line)
            if len(passes) == 3 and not killed:
                running.kill(0)
                killed = len(passes)
    assert driver.returncode == 0, "".join(said[-20:])
    assert "blocks 2\n" in said
    assert killed and len(passes) > killed + 1
    np.testing.assert_allclose(np.load(tmp_path / "answer.npy"), NativeEngine(graph).walk().scores, atol=1e-7)
