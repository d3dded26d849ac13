"""A folder of Parquet as a store: pages and hosts are read here, links are left to Spark where they do not fit."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Sequence
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

import pyarrow as pa
import pyarrow.dataset as ds

from seedrank.core.changes import Load
from seedrank.core.errors import GraphError, InputError, StoreError
from seedrank.core.spark_folder import SCHEME, About
from seedrank.graphdb.spark.jobs import followed
from seedrank.graphdb.spark.session import located, session
from seedrank.graphdb.store import Counts

if TYPE_CHECKING:
    from pyspark.sql import DataFrame

__all__ = ["SparkStore"]

_OWN = ("id", "url", "source_id", "status", "host")
_ROWS = 1 << 18


class SparkStore:
    """Pages, links and hosts in a folder that Spark reads (`seedrank.core.spark_folder`); no anchors, no queries.

    A path on this machine is read by Arrow, and Spark is started for the links alone; any other, such as
    ``hdfs://…`` or ``s3a://…``, is read by Spark, as it is set up to.
    """

    def __init__(self, url: str, about: About, master: str | None = None) -> None:
        self.url = url
        self.about = about
        self.master = master
        self.path = url.removeprefix(SCHEME)

    @classmethod
    def open(cls, url: str, *, master: str | None = None) -> SparkStore:
        """Open a folder; one that is not there, or not whole, is refused."""
        path = url.removeprefix(SCHEME)
        if not path:
            raise StoreError(f"{url} names no folder", hint=f"name it: {SCHEME}DIR")
        if "://" not in path and not (Path(path) / "about").is_dir():
            raise StoreError(
                f"{path} is not a folder that Spark reads, or it was not written whole",
                hint="write one with `seedrank export spark DIR`",
            )
        rows = [row for batch in _read(path, "about", None, master) for row in batch.to_pylist()]
        if len(rows) != 1:
            raise InputError(f"{len(rows)} rows where one says what the folder holds", file=f"{path}/about")
        return cls(url, About.of(rows[0], f"{path}/about"), master)

    def counts(self) -> Counts:
        """How much there is."""
        return Counts(self.about.pages, self.about.links, self.about.hosts, queries=0, results=0)

    def version(self) -> str:
        """Digest of what the folder says of itself: it is written once."""
        return hashlib.sha256(self.about.version.encode()).hexdigest()[:16]

    def loads(self) -> list[Load]:
        """One: the folder was written whole."""
        return [Load(self.about.version, self.about.source, "", "done", level=self.about.level)]

    def page_columns(self) -> dict[str, pa.DataType]:
        """Columns of pages beyond ``id url source_id status host``."""
        return {field.name: field.type for field in self._page_schema if field.name not in _OWN}

    def host_columns(self) -> dict[str, pa.DataType]:
        """Columns of hosts beyond ``name pages``."""
        return {field.name: field.type for field in self._hosts.schema if field.name not in ("name", "pages")}

    def read_pages(self, columns: Sequence[str] | None = None) -> Iterator[pa.RecordBatch]:
        """Pages by ascending id."""
        names = [field.name for field in self._page_schema if field.name != "id"] if columns is None else list(columns)
        known = self._page_schema.names
        for name in names:
            if name not in known:
                raise GraphError(f"pages have no column {name!r}", hint=f"columns there are: {', '.join(known)}")
        return _read(self.path, "pages", ["id", *names], self.master)

    def read_links(self, columns: Sequence[str] = ("weight",)) -> Iterator[pa.RecordBatch]:
        """All links, as the files have them."""
        for batch in _read(self.path, "links", ["source", "target", "weight"], self.master):
            ends = {"source": batch.column("source"), "target": batch.column("target")}
            more = {
                name: batch.column("weight") if name == "weight" else pa.nulls(batch.num_rows, pa.list_(pa.string()))
                for name in columns
            }
            yield pa.record_batch({**ends, **more})

    def read_hosts(self) -> pa.Table:
        """``name``, ``pages`` and the columns, by name."""
        return self._hosts.sort_by("name")

    def read_queries(self) -> pa.Table:
        """None."""
        return pa.table(
            {"text": pa.nulls(0, pa.string()), "freq": pa.nulls(0, pa.float64()), "need": pa.nulls(0, pa.float64())}
        )

    def read_results(self) -> pa.Table:
        """None."""
        types = {"query": pa.string(), "id": pa.int64(), "rank": pa.int64(), "clicks": pa.float64()}
        return pa.table({name: pa.nulls(0, kind) for name, kind in types.items()})

    def spark_links(self) -> DataFrame:
        """``source``, ``target`` and ``weight`` as a DataFrame; a link without a weight has 1."""
        spark = session(self.master)
        with followed(spark, "opening links in Spark"):
            table = spark.read.parquet(located(_inside(self.path, "links")))
            return table.select("source", "target", "weight").fillna(1.0, ["weight"])

    def close(self) -> None:
        """Nothing to release: the session is the process's."""

    @cached_property
    def _page_schema(self) -> pa.Schema:
        if "://" in self.path:
            spark = session(self.master)
            with followed(spark, "reading pages in Spark"):
                return spark.read.parquet(_inside(self.path, "pages")).limit(0).toArrow().schema
        return ds.dataset(_inside(self.path, "pages")).schema

    @cached_property
    def _hosts(self) -> pa.Table:
        return pa.Table.from_batches(list(_read(self.path, "hosts", None, self.master)))


def _read(path: str, name: str, columns: list[str] | None, master: str | None) -> Iterator[pa.RecordBatch]:
    """Rows of a table of the folder, files in the order of their names."""
    if "://" in path:
        spark = session(master)
        with followed(spark, f"reading {name} in Spark"):
            table = spark.read.parquet(_inside(path, name))
            table = table if columns is None else table.select(*columns)
            rows = (table.orderBy("id") if name == "pages" else table).toArrow()
        yield from rows.to_batches(_ROWS)
        return
    files = sorted(Path(_inside(path, name)).glob("*.parquet"))
    try:
        yield from ds.dataset([str(file) for file in files]).to_batches(columns=columns, batch_size=_ROWS)
    except (OSError, pa.ArrowException) as error:
        raise InputError(f"it cannot be read: {str(error).splitlines()[0]}", file=_inside(path, name)) from error


def _inside(path: str, name: str) -> str:
    return f"{path.rstrip('/')}/{name}"
