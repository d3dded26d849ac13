"""Common Crawl's graphs of hosts and domains, made into the folder that Spark reads, by Spark itself."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pyarrow as pa
import pyarrow.compute as pc

from seedrank.core.errors import InputError
from seedrank.core.levels import Level
from seedrank.core.progress import Progress, silent
from seedrank.core.urls import turned
from seedrank.graphdb.spark.jobs import followed
from seedrank.graphdb.spark.session import located, session, size_shuffles
from seedrank.graphdb.spark.writing import new_folder, write_tables

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession

__all__ = ["convert"]

_VERTICES = "id bigint, name string, n_hosts bigint"
_EDGES = "source bigint, target bigint"


def convert(
    vertices: Sequence[str],
    edges: Sequence[str],
    url: str,
    *,
    level: Level = "host",
    master: str | None = None,
    progress: Progress = silent,
) -> dict[str, int]:
    """Write the folder of a graph of Common Crawl; rows per table.

    Each host or domain is a page, crawled where it links to another, as `seedrank load cc-webgraph` has it.

    Parameters
    ----------
    vertices, edges
        Files, plain or gzip, at any path that Spark reads: ``id<TAB>reversed name``, ``from<TAB>to``.
    url
        ``spark+parquet:DIR``, of a folder that does not exist yet.
    """
    for file in (*vertices, *edges):
        if file == "-" or file.endswith(".zst"):
            raise InputError("Spark reads plain files and .gz", file=file, hint="unpack it first")
    with new_folder(url) as folder:
        spark = session(master)
        size_shuffles(spark, _rows(edges))
        with followed(spark, "reading the graph in Spark", progress):
            pages, links = _pages(spark, vertices, level), _links(spark, edges)
            _check(pages, links, vertices[0], edges[0])
        source = " ".join((*vertices, *edges))
        rows = write_tables(folder, pages, links, level=level, source=source, progress=progress)
        links.unpersist()
    return rows


def _rows(files: Sequence[str]) -> int:
    """About how many edges files hold: four bytes each, packed; a hundred million where Spark alone sees the file."""
    return sum(100_000_000 if "://" in file else Path(file).stat().st_size // 4 for file in files)


def _read(spark: SparkSession, files: Sequence[str], schema: str) -> DataFrame:
    # Names are taken as they are: a quote is none, and a line with too few or strange fields ends it.
    return spark.read.csv([located(file) for file in files], schema, sep="\t", quote="", mode="FAILFAST")


def _pages(spark: SparkSession, files: Sequence[str], level: Level) -> DataFrame:
    more = ", n_hosts bigint" if level == "domain" else ""
    table = _read(spark, files, _VERTICES if level == "domain" else _VERTICES.removesuffix(", n_hosts bigint"))
    return table.mapInArrow(_named, f"id bigint, url string, source_id bigint, host string{more}")


def _named(batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
    for batch in batches:
        host = turned(batch.column("name")).cast(pa.string())
        columns: dict[str, Any] = {
            "id": batch.column("id"),
            "url": pc.binary_join_element_wise("http://", host, "/", ""),
            "source_id": batch.column("id"),
            "host": host,
        }
        if "n_hosts" in batch.schema.names:
            columns["n_hosts"] = batch.column("n_hosts")
        yield pa.record_batch(columns)


def _links(spark: SparkSession, files: Sequence[str]) -> DataFrame:
    from pyspark.sql import functions as f

    table = _read(spark, files, _EDGES)
    return table.filter("source <> target").distinct().withColumn("weight", f.lit(1.0)).persist()


def _check(pages: DataFrame, links: DataFrame, vertices: str, edges: str) -> None:
    """Refuse ids other than 0, 1, 2, … and links that are not between two of them."""
    from pyspark.sql import functions as f

    seen = pages.agg(f.count("id"), f.min("id"), f.max("id"), f.countDistinct("id"), f.count("host")).toArrow()
    count, least, most, distinct, named = seen.to_pylist()[0].values()
    if not count == distinct == named or (least, most) != (0, count - 1):
        raise InputError(
            f"ids of {count:,} vertices are not 0, 1, 2, … with a name each", file=vertices,
            hint="give all files of vertices of one graph",
        )  # fmt: skip
    ends = links.agg(f.count("source"), f.min(f.least("source", "target")), f.max(f.greatest("source", "target")))
    total, lowest, highest = ends.toArrow().to_pylist()[0].values()
    if total and (lowest < 0 or highest >= count):
        raise InputError(
            f"no vertex has this id: there are {count:,}, from 0", file=edges,
            value=lowest if lowest < 0 else highest, hint="give all files of vertices of the same graph",
        )  # fmt: skip
