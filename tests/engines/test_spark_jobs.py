"""Jobs in Spark: told while they run, ended by Ctrl-C, and explained in one line when they fail."""

from __future__ import annotations

import contextlib
import os
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from seedrank.core.errors import InputError, StoreError
from tests.sparked import in_spark, needs_spark

PATHS = {**os.environ, "PYTHONPATH": str(Path(__file__).resolve().parents[2])}


@contextlib.contextmanager
def counted(told, title, total=None, *, in_bytes=False):
    """Progress that notes what it is told."""
    told.append((title, []))
    yield told[-1][1].append


def slow(batches):
    """A task that nobody waits for to the end."""
    for batch in batches:
        time.sleep(600)
        yield batch


def failing(batches):
    for _ in batches:
        raise ValueError("no such luck")
    yield from ()


def crashing(batches):
    for _ in batches:
        os._exit(3)
    yield from ()


def test_progress_is_told_of_tasks(spark):
    from seedrank.engines.spark.engine import SparkEngine

    told: list = []
    links = in_spark(spark, {(0, 1), (1, 2), (2, 0)})
    with SparkEngine(links, 3, progress=lambda *given, **more: counted(told, *given, **more)) as engine:
        engine.walk()
    [(title, advances)] = told
    assert title == "walking in Spark"
    assert sum(advances) > 0


def test_ctrl_c_ends_the_job(spark, ctrl_c):
    from seedrank.graphdb.spark import followed

    status = spark.sparkContext.statusTracker()

    def interrupt() -> None:
        while not status.getActiveStageIds():
            time.sleep(0.1)
        os.kill(os.getpid(), signal.SIGINT)

    thread = threading.Thread(target=interrupt)
    with pytest.raises(KeyboardInterrupt), followed(spark, "sleeping"):
        thread.start()
        in_spark(spark, {(0, 1)}).mapInArrow(slow, "source bigint, target bigint, weight double").toArrow()
    thread.join()
    while status.getActiveStageIds():  # the test's own limit ends it where a job goes on
        time.sleep(0.1)
    assert signal.getsignal(signal.SIGINT) is signal.default_int_handler
    with followed(spark, "counting"):
        assert in_spark(spark, {(0, 1)}).count() == 1


STARTS = """
import signal, threading
from pyspark import java_gateway

start = java_gateway.Popen


def interrupted(*words, **settings):
    started = start(*words, **settings)
    print(started.pid, flush=True)
    threading.Timer(0.3, signal.pthread_kill, (threading.main_thread().ident, signal.SIGINT)).start()
    return started


java_gateway.Popen = interrupted
signal.signal(signal.SIGINT, signal.default_int_handler)
from seedrank.graphdb.spark import session
session("local[1]")
"""


@pytest.mark.spark
@pytest.mark.xdist_group("spark")
def test_ctrl_c_while_spark_starts_leaves_no_java(tmp_path):
    needs_spark()
    # Java holds the same pipes: where it goes on, they stay open, and the test's own limit ends it.
    done = subprocess.run([sys.executable, "-c", STARTS], capture_output=True, text=True, cwd=tmp_path, env=PATHS)
    assert done.stderr.rstrip().endswith("KeyboardInterrupt")
    assert done.stdout.strip().isdecimal()  # it was started


@pytest.mark.parametrize(
    ("task", "told"), [(failing, "ValueError: no such luck"), (crashing, "Python worker exited unexpectedly")]
)
def test_a_failed_task_in_one_line(spark, task, told):
    from seedrank.graphdb.spark import followed

    with pytest.raises(StoreError, match=told) as error, followed(spark, "failing"):
        in_spark(spark, {(0, 1)}).mapInArrow(task, "source bigint, target bigint, weight double").toArrow()
    assert "\n" not in str(error.value)
    assert "org.apache" not in str(error.value)


@pytest.mark.parametrize(
    ("broken", "kind", "told"),
    [
        ("no links", StoreError, "Path does not exist"),
        ("no Parquet", InputError, r"links/part-00000\.parquet: Spark cannot read it"),
        ("no column", StoreError, "`target` cannot be resolved"),
        ("bad bytes", InputError, r"links/part-00000\.parquet: Spark cannot read it"),
    ],
)
def test_a_folder_that_is_damaged(spark, tmp_path, broken, kind, told):
    from seedrank.engines.spark.engine import SparkEngine
    from seedrank.exporters.spark import export_spark
    from seedrank.graph import WebGraph
    from seedrank.graphdb.arrays import ArrayStore
    from seedrank.graphdb.spark import SparkStore

    source, target = np.random.default_rng(1).integers(0, 3_000, (2, 30_000))
    export_spark(ArrayStore(WebGraph.from_links(3_000, source, target), "made"), tmp_path / "web.spark")
    file = tmp_path / "web.spark" / "links" / "part-00000.parquet"
    if broken == "no links":
        file.unlink()
        file.parent.rmdir()
    elif broken == "no Parquet":
        file.write_bytes(b"PAR1 and nothing else PAR1")
    elif broken == "no column":
        pq.write_table(pa.table({"source": [0], "goal": [1], "weight": [1.0]}), file)
    else:
        content = bytearray(file.read_bytes())
        content[200:20_000] = bytes(19_800)
        file.write_bytes(bytes(content))
    with pytest.raises(kind, match=told) as error:
        SparkEngine(SparkStore.open(f"spark+parquet:{tmp_path}/web.spark").spark_links(), 3_000).degrees()
    assert "\n" not in str(error.value)
