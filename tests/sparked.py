"""A Spark session for the tests, and small webs in it."""

from __future__ import annotations

import importlib.util
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

import numpy as np
import pyarrow as pa
import pytest

from seedrank.core.errors import SeedrankError
from seedrank.graphdb.server.java import java_for
from seedrank.graphdb.spark.session import JAVA

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession

    from seedrank.engines.spark.engine import SparkEngine
    from tests.engines.reference import Links, Weights

SETTINGS = {
    # Many small jobs: time goes into starting, compiling and planning.
    "spark.driver.extraJavaOptions": "-XX:TieredStopAtLevel=1 -XX:+UseSerialGC",
    "spark.sql.codegen.wholeStage": "false",
}


def needs_spark() -> None:
    """Skip the test where PySpark or Java is absent."""
    if importlib.util.find_spec("pyspark") is None:
        pytest.skip("no Spark: PySpark is not installed (pip install '.[spark]')")
    try:
        java_for("Spark", JAVA)
    except SeedrankError as error:
        pytest.skip(f"no Spark: {error}")


def in_spark(spark: SparkSession, links: Links | Weights) -> DataFrame:
    """Links as a store gives them."""
    ends = np.array(sorted(links), np.int64).reshape(-1, 2)
    weight = [links[link] for link in sorted(links)] if isinstance(links, dict) else np.ones(len(ends))
    table = pa.table({"source": ends[:, 0], "target": ends[:, 1], "weight": pa.array(weight, pa.float64())})
    from seedrank.graphdb.spark import quiet

    with quiet():
        return spark.createDataFrame(table)


@contextmanager
def spark_engines(
    spark: SparkSession, **options: Any
) -> Iterator[tuple[Callable[[int, Links | Weights], SparkEngine], Callable[[], None]]]:
    """Makes an engine over a web; the one before it is closed, the last by the other function."""
    from seedrank.engines.spark.engine import SparkEngine

    made: list[SparkEngine] = []

    def close() -> None:
        while made:
            made.pop().close()

    def make(pages: int, links: Links | Weights) -> SparkEngine:
        close()
        made.append(SparkEngine(in_spark(spark, links), pages, weighted=isinstance(links, dict), **options))
        return made[-1]

    yield make, close
    close()
