"""Writing the folder that Spark reads, by Spark itself: it appears whole or not at all."""

from __future__ import annotations

import uuid
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

import pyarrow as pa

from seedrank.core.errors import UsageError
from seedrank.core.files import whole_folder
from seedrank.core.levels import Level
from seedrank.core.model import Status
from seedrank.core.progress import Progress
from seedrank.core.spark_folder import SCHEME, About
from seedrank.graphdb.spark.jobs import followed
from seedrank.graphdb.spark.session import quiet

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession

__all__ = ["new_folder", "remove", "write_tables"]


@contextmanager
def new_folder(url: str) -> Iterator[str]:
    """Where to write the folder that ``spark+parquet:DIR`` names.

    On this machine's disks it is put in its place when it is whole. Elsewhere nothing can be renamed as one: there it
    is filled in its place, and is no store before ``about`` is written, last.
    """
    folder = url.removeprefix(SCHEME).rstrip("/")
    if "://" in folder:
        yield folder
        return
    if Path(folder).exists():
        raise UsageError(f"{folder} exists already", hint="name a new folder")
    with whole_folder(Path(folder).resolve()) as half:
        yield str(half)


def write_tables(
    folder: str, pages: DataFrame, links: DataFrame, *, level: Level, source: str, progress: Progress
) -> dict[str, int]:
    """Write pages with their status, links, hosts and what the folder holds; rows per table.

    Parameters
    ----------
    folder
        As `new_folder` gives it.
    pages
        ``id``, ``url``, ``source_id``, ``host`` and further columns.
    links
        ``source``, ``target``, ``weight``: each pair of different pages once.
    source
        Where it came from, for people.
    """
    spark = pages.sparkSession
    pages = _crawled(pages, links)
    hosts = pages.filter("host is not null").groupBy(pages["host"].alias("name")).count()
    hosts = hosts.withColumnRenamed("count", "pages")
    rows = {}
    for name, table in (("pages", pages.orderBy("id")), ("links", links), ("hosts", hosts.orderBy("name"))):
        with followed(spark, f"writing {name} in Spark", progress):
            table.write.option("compression", "zstd").parquet(f"{folder}/{name}")
            rows[name] = spark.read.parquet(f"{folder}/{name}").count()
    about = About(uuid.uuid4().hex, rows["pages"], rows["links"], rows["hosts"], level, source)
    with followed(spark, "writing about in Spark"):
        spark.createDataFrame(pa.Table.from_pylist([about.row()])).coalesce(1).write.parquet(f"{folder}/about")
    return rows


def remove(spark: SparkSession, folder: str) -> None:
    """Remove a folder that was written on the way, wherever it is."""
    with quiet():
        jvm, context = spark._jvm, spark.sparkContext._jsc
        assert jvm is not None and context is not None
        path = jvm.org.apache.hadoop.fs.Path(folder)
        path.getFileSystem(context.hadoopConfiguration()).delete(path, True)


def _crawled(pages: DataFrame, links: DataFrame) -> DataFrame:
    """Pages with their status: crawled where they link to another."""
    from pyspark.sql import functions as f

    linking = links.select(links["source"].alias("id")).distinct().withColumn("links", f.lit(True))
    status = f.when(f.col("links"), Status.CRAWLED.label).otherwise(Status.FRONTIER.label)
    return pages.join(linking, "id", "left").withColumn("status", status).drop("links")
