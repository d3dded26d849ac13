"""Links between pages by their names, as Common Crawl's WAT files are made into, numbered by Spark.

`cc-pyspark` writes Parquet with the columns ``s`` and ``t``: reversed names of hosts (``org.example.www``), or URLs.
Text has the same two, with a tab between them.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pyarrow as pa
import pyarrow.compute as pc

from seedrank.core.errors import InputError
from seedrank.core.levels import Level
from seedrank.core.progress import Progress, silent
from seedrank.core.urls import hosts, normalise, turned
from seedrank.graphdb.spark.jobs import followed
from seedrank.graphdb.spark.session import located, session, size_shuffles
from seedrank.graphdb.spark.writing import new_folder, remove, write_tables

if TYPE_CHECKING:
    from pyspark.sql import Column, DataFrame, SparkSession

__all__ = ["number"]

_ENDS = (("s", "t"), ("source", "target"))
"""What the two ends are called in Parquet."""
_BYTES_PER_LINK = 8
_TEXT = (".txt", ".tsv", ".gz")


def number(files: Sequence[str], url: str, *, master: str | None = None, progress: Progress = silent) -> dict[str, int]:
    """Write the folder of the graph that links by name make up; rows per table.

    Pages are numbered in the order of their names, so that those of a site are neighbours. A name with ``://`` is the
    URL of a page, put in its normal form; what is no URL on the web is left out. Any other is the reversed name of a
    host. Files are of one kind.

    Parameters
    ----------
    files
        Parquet, or text of two fields with a tab between them (``.txt``, ``.tsv``, perhaps ``.gz``); files, folders or
        patterns, at any path that Spark reads.
    url
        ``spark+parquet:DIR``, of a folder that does not exist yet.
    """
    with new_folder(url) as folder:
        spark = session(master)
        size_shuffles(spark, _links_about(files))
        with followed(spark, "reading links in Spark", progress):
            links = _read(spark, files)
            level = _level(links, files[0])
            links = links.mapInArrow(partial(_normal, level=level), "s string, t string")
            links = links.filter("s is not null and t is not null").distinct().persist()
            names = links.selectExpr("s as name").union(links.selectExpr("t as name")).distinct().orderBy("name")
            names.write.parquet(f"{folder}/names")
            pages = _numbered(spark, f"{folder}/names")
            if pages.isEmpty():
                raise InputError("holds no link between two names", file=files[0], hint="give files with links")
            ids = pages.select("id", "name")
            from_id, to_id = (
                ids.withColumnsRenamed({"id": end, "name": key}) for key, end in (("s", "source"), ("t", "target"))
            )
            between = (
                links.filter("s <> t")
                .join(from_id, "s")
                .join(to_id, "t")
                .selectExpr("source", "target", "1D as weight")
            )
            described = pages.mapInArrow(
                partial(_described, level=level), "id bigint, url string, source_id bigint, host string"
            )
        rows = write_tables(folder, described, between, level=level, source=" ".join(files), progress=progress)
        links.unpersist()
        remove(spark, f"{folder}/names")
    return rows


def _read(spark: SparkSession, files: Sequence[str]) -> DataFrame:
    """``s`` and ``t`` of all files."""
    paths = [located(file) for file in files]
    kinds = {file.endswith(_TEXT) for file in files}
    if len(kinds) > 1:
        raise InputError("text and Parquet are not read together", file=files[0], hint="load files of one kind")
    if kinds == {True}:
        return spark.read.csv(paths, "s string, t string", sep="\t", quote="", mode="FAILFAST")
    table = spark.read.parquet(*paths)
    if "weight" in table.columns:
        raise InputError(
            "has a column weight, and links that Spark numbers by name count once each", file=files[0],
            hint="leave the column out, or load into an embedded store and export it",
        )  # fmt: skip
    for ends in _ENDS:
        if set(ends) <= set(table.columns):
            return table.select(*(table[end].cast("string").alias(name) for end, name in zip(ends, "st", strict=True)))
    raise InputError(
        f"has the columns {', '.join(table.columns)}", file=files[0],
        hint="links have the columns s and t, or source and target",
    )  # fmt: skip


def _level(links: DataFrame, file: str) -> Level:
    """``page`` where names are URLs, ``host`` where none is one."""
    from pyspark.sql import functions as f

    def urls(end: str) -> Column:
        return f.count_if(f.col(end).contains("://"))

    counted = links.agg(f.count("s"), f.count("t"), urls("s"), urls("t")).toArrow().to_pylist()[0]
    sources, targets, source_urls, target_urls = counted.values()
    if source_urls + target_urls == 0:
        return "host"
    if (source_urls, target_urls) != (sources, targets):
        raise InputError("names are URLs in some links, and hosts in others", file=file, hint="load files of one kind")
    return "page"


def _normal(batches: Iterator[pa.RecordBatch], *, level: Level) -> Iterator[pa.RecordBatch]:
    """Names in their normal form; null where they have none."""
    for batch in batches:
        yield pa.record_batch({name: _normal_names(batch.column(name), level) for name in ("s", "t")})


def _normal_names(names: pa.Array, level: Level) -> pa.Array:
    if level == "page":
        return normalise(names)[0].cast(pa.string())
    lower = pc.utf8_lower(pc.utf8_trim_whitespace(names))
    return pc.if_else(pc.equal(pc.utf8_length(lower), 0), None, lower).cast(pa.string())


def _numbered(spark: SparkSession, folder: str) -> DataFrame:
    """``id`` and ``name``, numbered through the files that sorted names were written to.

    Files are there for good, so every reader of them sees the same numbers, also after a worker was lost.
    """
    from pyspark.sql import functions as f

    names = spark.read.parquet(folder)
    placed = names.select("name", f.col("_metadata.file_path").alias("file"), f.col("_metadata.row_index").alias("row"))
    counted = placed.groupBy("file").count().orderBy("file").toArrow()
    counts = counted["count"].to_numpy()
    first = spark.createDataFrame(pa.table({"file": counted["file"], "first": counts.cumsum() - counts}))
    return placed.join(f.broadcast(first), "file").select((f.col("first") + f.col("row")).alias("id"), "name")


def _described(batches: Iterator[pa.RecordBatch], *, level: Level) -> Iterator[pa.RecordBatch]:
    """Pages as a store has them."""
    for batch in batches:
        name: Any = batch.column("name")
        if level == "page":
            url, host = name, hosts(name).cast(pa.string())
        else:
            host = turned(name).cast(pa.string())
            url = pc.binary_join_element_wise("http://", host, "/", "")
        yield pa.record_batch({"id": batch.column("id"), "url": url, "source_id": batch.column("id"), "host": host})


def _links_about(files: Sequence[str]) -> int:
    """About how many links files hold; a hundred million each where Spark alone sees them."""
    total = 0
    for name in files:
        path = Path(name)
        if "://" in name or not path.exists():
            total += 100_000_000
        else:
            inside = path.rglob("*") if path.is_dir() else [path]
            total += sum(file.stat().st_size for file in inside if file.is_file()) // _BYTES_PER_LINK
    return total
