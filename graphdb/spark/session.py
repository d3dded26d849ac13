"""Starting Spark, or joining a cluster: on loopback where the master is on this machine, quiet, through Arrow."""

from __future__ import annotations

import importlib.util
import ipaddress
import logging
import math
import os
import signal
import socket
import sys
import tempfile
import threading
import warnings
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING

from seedrank.core.errors import StoreError
from seedrank.core.resources import free_memory
from seedrank.graphdb.server.java import java_for

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

__all__ = ["JAVA", "LOCAL", "located", "quiet", "session", "size_shuffles"]

LOCAL = "local[*]"
"""The master where nobody names one: this machine, all of its cores."""
LOOPBACK = "127.0.0.1"
JAVA = (17, 21)
"""What Spark 4.3 runs on."""
_ROWS_PER_PARTITION = 2_000_000
_DRIVER_SHARE, _LEAST_DRIVER_MEBIBYTES = 4, 1_024
"""The driver's Java may take a quarter of the free memory, and a gigabyte at least."""

_SETTINGS = {
    # What is computed here is chosen by size before it starts, and blocks stay where they are.
    "spark.sql.adaptive.enabled": "false",
    # A row is a link, or a block of links, or the values of a block: by bytes, since a batch may not reach 2 GiB.
    "spark.sql.execution.arrow.maxRecordsPerBatch": "200000",
    "spark.sql.execution.arrow.maxBytesPerBatch": str(64 * 2**20),
    # Vectors come back whole.
    "spark.driver.maxResultSize": "0",
    "spark.ui.showConsoleProgress": "false",
    "spark.ui.enabled": "false",
}


def session(master: str | None = None, settings: dict[str, str] | None = None) -> SparkSession:
    """The Spark session of this process; one that runs already is used as it is.

    Parameters
    ----------
    master
        Spark's name of a cluster, such as ``spark://host:7077`` or ``yarn``; ``SPARK_MASTER``, else all cores of this
        machine when `None`.
    settings
        Further settings of Spark, by name.
    """
    if importlib.util.find_spec("pyspark") is None:
        raise StoreError("Spark needs PySpark, which is not installed", hint="pip install 'seedrank[spark]'")
    wanted = master or os.environ.get("SPARK_MASTER") or LOCAL
    _set_environment(here=is_here(wanted))
    # Tasks are one to a core already.
    chosen = {**_SETTINGS, "spark.master": wanted, "spark.executorEnv.NUMBA_NUM_THREADS": "1"}
    if is_here(wanted):
        chosen |= {"spark.driver.bindAddress": LOOPBACK, "spark.driver.host": LOOPBACK}
    with quiet():
        return _started(wanted, chosen | (settings or {}))


def size_shuffles(spark: SparkSession, rows: int) -> None:
    """Choose the partitions of shuffles by how many rows go through them: the default of 200 takes seconds for four."""
    partitions = max(spark.sparkContext.defaultParallelism, math.ceil(rows / _ROWS_PER_PARTITION))
    spark.conf.set("spark.sql.shuffle.partitions", str(partitions))


def located(path: str) -> str:
    """A path as Spark finds it: Java's working folder is that of the process when it was started."""
    return path if "://" in path else str(Path(path).absolute())


@contextmanager
def quiet() -> Iterator[None]:
    """PySpark 4.3 warns that it does not know pandas 3 whenever Arrow is used; it is handed no frame here."""
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", "PySpark does not yet fully support pandas", FutureWarning)
        yield


def _set_environment(*, here: bool) -> None:
    """Which Java and Python Spark starts, with how much memory, and where it listens."""
    java = java_for("Spark", JAVA)
    os.environ["JAVA_HOME"] = str(java.program.resolve().parents[1])
    os.environ.setdefault("PYSPARK_PYTHON", sys.executable)
    # Spark gives its driver 1 GiB, which links handed over fill; spark.driver.memory still goes before this.
    memory = (free_memory() or 0) // _DRIVER_SHARE
    os.environ.setdefault("SPARK_DRIVER_MEMORY", f"{max(memory >> 20, _LEAST_DRIVER_MEBIBYTES)}m")
    if here:
        os.environ.setdefault("SPARK_LOCAL_IP", LOOPBACK)


def _started(master: str, settings: dict[str, str]) -> SparkSession:
    from py4j.protocol import Py4JError
    from pyspark import SparkConf, SparkContext
    from pyspark.errors import PySparkException
    from pyspark.java_gateway import launch_gateway
    from pyspark.sql import SparkSession

    # They write what is wrong to stderr, with a trace, before they raise it; Py4J in the name of all programs.
    logging.getLogger("DataFrameQueryContextLogger").setLevel(logging.CRITICAL)
    logging.getLogger().addFilter(_is_not_of_py4j)
    conf = SparkConf(loadDefaults=False).setAppName("seedrank").setAll(list(settings.items()))
    if SparkContext._active_spark_context is None:
        _require_answer(master)
    with tempfile.TemporaryFile("w+", encoding="utf-8", errors="replace") as said:
        try:
            if SparkContext._active_spark_context is None:
                # What Java says on its way up is of interest only when it fails.
                with _ctrl_c_held_back():
                    gateway = None if SparkContext._gateway else launch_gateway(conf, {"stderr": said})
                    SparkContext(conf=conf, gateway=gateway).setLogLevel("ERROR")
            return SparkSession.builder.config(conf=SparkConf().setAll(list(settings.items()))).getOrCreate()
        except (PySparkException, Py4JError, RuntimeError, OSError) as error:
            said.seek(0)
            raise StoreError(
                "Spark does not start with the master {master}: {reason}", hint="look at the master, and at Java",
                values={"master": master, "reason": _reason(said.read().strip() or str(error))},
            ) from error  # fmt: skip


def _reason(text: str) -> str:
    """The line of Java's words that names what is wrong; the last where none does."""
    lines = [line.strip() for line in text.splitlines()] or [""]
    named = (line for line in lines if not line.startswith("at ") and ("Exception" in line or "Error" in line))
    return next(named, lines[-1]).removeprefix('Exception in thread "main" ')


def _require_answer(master: str) -> None:
    """Refuse a standalone master that nobody answers at: Spark itself would try for over a minute."""
    if not master.startswith("spark://"):
        return
    for place in master.removeprefix("spark://").split(","):
        host, _, port = place.rpartition(":")
        with suppress(OSError, ValueError), socket.create_connection((host.strip("[]"), int(port)), timeout=10):
            return
    raise StoreError(
        "no Spark master answers at {master}",
        hint="start it, or correct the address",
        values={"master": master},
    )


def _is_not_of_py4j(record: logging.LogRecord) -> bool:
    return record.msg not in ("Exception while sending command.", "KeyboardInterrupt while sending command.")


@contextmanager
def _ctrl_c_held_back() -> Iterator[None]:
    """Let SIGINT wait until Spark has started, and keep its handler.

    Interrupted before it is connected with its Java, PySpark leaves it running for good; and the handler that it sets
    calls Java, perhaps in the middle of another call.
    """
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    came: list[int] = []
    before = signal.signal(signal.SIGINT, lambda number, _: came.append(number))
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, signal.default_int_handler if before is None else before)
        if came:
            signal.raise_signal(signal.SIGINT)


def is_here(master: str) -> bool:
    """Whether a master is this process, or a cluster on this machine's loopback."""
    if master.startswith("local"):
        return True
    host = master.partition("://")[2].split(",")[0].rpartition(":")[0].strip("[]")
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"
