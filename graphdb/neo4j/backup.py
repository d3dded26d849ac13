"""What a backup holds beyond the graph, out of a database on a Neo4j server and into an empty one."""

from __future__ import annotations

from collections.abc import Iterator

import pyarrow as pa

from seedrank.core.changes import Load
from seedrank.graphdb.neo4j.connection import Connection
from seedrank.graphdb.neo4j.loading import Writer
from seedrank.graphdb.neo4j.types import time_text
from seedrank.graphdb.store import Contents, SavedRuns

__all__ = ["finish_loads", "saved_runs", "start_loads", "virtual_links"]

_SOURCES = 20_000
_RUN = ("id", "method", "parameters", "graph", "engine", "version", "created")
_RUN_TYPES = {**dict.fromkeys(_RUN, pa.string()), "seconds": pa.float64()}
_RANKED = {"run": pa.string(), "id": pa.int64(), "rank": pa.int64(), "score": pa.float64()}
_CORES = {"run": pa.string(), "id": pa.int64(), "n": pa.int64(), "role": pa.string()}
_LINKS = {"source": pa.int64(), "target": pa.int64(), "weight": pa.float64()}


def virtual_links(connection: Connection, pages: int) -> Iterator[pa.RecordBatch]:
    """All virtual links, by source, then target."""
    cypher = connection.statement("read/virtual_links")
    for lo in range(0, pages, _SOURCES):
        found = connection.read(cypher, lo=lo, hi=lo + _SOURCES)[0]
        batch = pa.record_batch({name: pa.array(found[name], kind) for name, kind in _LINKS.items()})
        if batch.num_rows:
            yield batch.sort_by([("source", "ascending"), ("target", "ascending")])


def saved_runs(connection: Connection) -> SavedRuns:
    """Runs that were written into the database."""
    runs = [row.data() for row in connection.read(connection.statement("read/saved_runs"))]
    runs = [{**run, "created": time_text(run["created"])} for run in runs]
    return SavedRuns(
        _table(runs, _RUN_TYPES),
        _table(_of_runs(connection, runs, "ranked"), _RANKED),
        _table(_of_runs(connection, runs, "cores"), _CORES),
    )


def start_loads(writer: Writer, contents: Contents) -> Load:
    """Record all loads, in their order; the last one is that under which everything is written."""
    for load in contents.loads:
        writer.start(load, restored=True)
    return contents.loads[-1] if contents.loads else Load("restored", "a backup", "")


def finish_loads(writer: Writer, contents: Contents) -> None:
    """Give loads the states they had."""
    for load in contents.loads:
        if load.state == "done":
            writer.finish(load)
        else:
            writer.start(load, restored=True)


def _of_runs(connection: Connection, runs: list[dict[str, object]], name: str) -> list[dict[str, object]]:
    cypher = connection.statement(f"read/{name}")
    return [{"run": run["id"], **row.data()} for run in runs for row in connection.read(cypher, run=run["id"])]


def _table(rows: list[dict[str, object]], types: dict[str, pa.DataType]) -> pa.Table:
    return pa.Table.from_pylist(rows, pa.schema(list(types.items())))
