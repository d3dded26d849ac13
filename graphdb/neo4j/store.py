"""Neo4j as a store: `Neo4jStore`, and with the Graph Data Science library `Neo4jGdsStore`."""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from seedrank.core.changes import Changes, Load
from seedrank.core.errors import GraphError, StoreError, UsageError
from seedrank.core.progress import Progress, silent
from seedrank.graphdb.column_types import score_column
from seedrank.graphdb.neo4j import backup, loading, reading, schema
from seedrank.graphdb.neo4j import check as check_store
from seedrank.graphdb.neo4j.connection import Connection
from seedrank.graphdb.neo4j.transactions import make_known, settle, written
from seedrank.graphdb.neo4j.types import query_column, time_text, to_time, to_values
from seedrank.graphdb.neo4j.writer_lock import sole_writer
from seedrank.graphdb.statements import NEO4J, check
from seedrank.graphdb.store import Contents, Counts, Finding, SavedRuns
from seedrank.runs import Ranking, Run

__all__ = ["BATCH_SIZE", "Neo4jGdsStore", "Neo4jStore"]

BATCH_SIZE = 20_000
"""Rows per transaction: the fastest that was measured."""

_CLEARED = 50_000
"""Virtual links that one transaction deletes."""
_HOST_NAMES = ("name", "pages")
_PAGE_NAMES = ("url", "source_id", "status", "host")
_IN_TRANSACTIONS = re.compile(r"\bIN\s+(\S+\s+CONCURRENT\s+|CONCURRENT\s+|\d+\s+)?TRANSACTIONS\b", re.IGNORECASE)
_DEFAULT_DATABASE = "neo4j"


class Neo4jStore:
    """A database on a Neo4j server.

    Parameters
    ----------
    connection
        The open connection.
    batch_size
        Rows per transaction of a load.
    gds_problem
        Why the server's GDS cannot be used, where it cannot.
    wait
        Seconds that a write waits for another writer.
    """

    def __init__(
        self, connection: Connection, *, batch_size: int = BATCH_SIZE, gds_problem: str = "", wait: float = 0.0
    ) -> None:
        if batch_size < 1:
            raise UsageError(f"a batch of {batch_size} rows cannot be written", hint="give a batch size of 1 or more")
        self.prefix = connection.prefix
        self.url = f"{connection.url}#{self.prefix}" if self.prefix else connection.url
        # The server takes names in capitals too. The default one has no name here, so that what was kept for it
        # is found whether it was named or not.
        name = (connection.database or "").lower()
        self.database = "" if name == _DEFAULT_DATABASE else name
        self.connection = connection
        self.gds_problem = gds_problem
        self._batch_size = batch_size
        self._wait = wait

    def __enter__(self) -> Neo4jStore:
        return self

    def __exit__(self, *exception: object) -> None:
        self.close()

    def close(self) -> None:
        """Close the connection; safe to call twice."""
        self.connection.close()

    # -- reading

    def counts(self) -> Counts:
        """How much there is, from the database's own counters."""
        return reading.counts(self.connection)

    def version(self) -> str:
        """A short digest of the counter of changes, the loads, the counts and the transactions of others.

        It moves with every transaction of another program, by the server's own number: none says what it changed.
        """
        counts, found = self.counts(), written(self.connection)
        loads = [(load.id, load.state, load.started) for load in self.loads()]
        known = [
            counts.pages,
            counts.links,
            counts.hosts,
            loads,
            found.changes,
            *([self.prefix] if self.prefix else []),
        ]
        ours = hashlib.sha256(json.dumps(known).encode()).hexdigest()[:16]
        if not found.others:
            return ours
        # Begins as before: see `seedrank.core.changes.same_graph`.
        return ours[:8] + hashlib.sha256(f"{ours} {found.others}".encode()).hexdigest()[:8]

    def loads(self) -> list[Load]:
        """All loads, oldest first."""
        return reading.loads(self.connection)

    def begun(self) -> str:
        """When what the database holds was first loaded, in UTC; empty where that is not known."""
        return time_text(self.connection.read(self.connection.statement("read/begun"))[0]["begun"])

    def page_columns(self) -> dict[str, pa.DataType]:
        """Columns of pages beyond ``id url source_id status host``, with their types."""
        return reading.columns(self.connection)[0]

    def host_columns(self) -> dict[str, pa.DataType]:
        """Columns of hosts beyond ``name pages``, with their types."""
        return reading.columns(self.connection)[1]

    def read_pages(self, columns: Sequence[str] | None = None) -> Iterator[pa.RecordBatch]:
        """Pages by ascending ``id``, in batches of up to 20,000."""
        types = self.page_columns()
        names = [*_PAGE_NAMES, *types] if columns is None else [name for name in columns if name != "id"]
        for name in names:
            if name not in _PAGE_NAMES and name not in types:
                known = ", ".join(types) or "none"
                raise GraphError(f"pages have no column {name!r}", hint=f"columns there are: {known}")
        return reading.pages(self.connection, names, types)

    def read_links(self, columns: Sequence[str] = ("weight",)) -> Iterator[pa.RecordBatch]:
        """All links by source, in batches of about 200,000."""
        for name in columns:
            if name not in ("weight", "anchors"):
                raise GraphError(f"links have no column {name!r}", hint="columns there are: weight, anchors")
        return reading.links(self.connection, columns)

    def read_hosts(self) -> pa.Table:
        """``name``, ``pages`` and the columns of hosts, by name."""
        return reading.hosts(self.connection, self.host_columns())

    def read_queries(self) -> pa.Table:
        """``text``, ``freq``, ``need``, by text."""
        return reading.queries(self.connection)

    def read_results(self) -> pa.Table:
        """``query``, ``id`` (page), ``rank``, ``clicks``, by query, then rank, then id."""
        return reading.results(self.connection)

    def query(
        self,
        cypher: str,
        parameters: Mapping[str, Any] | None = None,
        *,
        write: bool = False,
        timeout: float | None = None,
    ) -> pa.Table:
        """Run a user's statement; the server refuses to write unless asked."""
        text = self.explain(cypher, parameters, write=write)
        auto = write and _IN_TRANSACTIONS.search(cypher) is not None
        if write:
            self._upgrade()
            self._count_change()
        try:
            names, rows = self.connection.rows(text, parameters or {}, write=write, auto=auto, timeout=timeout)
        finally:
            # Before it for a client that dies, and after it for those who read meanwhile. Not within its transaction:
            # that of a statement which changes the schema takes no other change.
            if write:
                self._count_change()
        values = list(zip(*rows, strict=True)) if rows else [()] * len(names)
        columns = [query_column(list(column)) for column in values]
        return pa.Table.from_arrays(columns, names=names)

    def explain(self, cypher: str, parameters: Mapping[str, Any] | None = None, *, write: bool = False) -> str:
        """The statement itself, once it is known to do no more than it may."""
        check(cypher, NEO4J, write=write)
        return cypher

    # -- writing

    def create_schema(self) -> None:
        """Make the constraints that are missing; refuse nodes of others under our labels before."""
        schema.refuse_foreign(self.connection)
        schema.create(self.connection)
        self._upgrade()
        if not written(self.connection).settled:
            schema.make_names(self.connection)
            settle(self.connection)

    @contextmanager
    def writing(self) -> Iterator[None]:
        """Keep other writers out (`writer_lock`); within it this store's own writes need not ask again."""
        if self.connection.owner is not None:
            yield
            return
        self._upgrade()
        with sole_writer(self.connection, self._wait):
            yield

    def apply(self, changes: Changes, load: Load, *, progress: Progress = silent) -> None:
        """Write a load: pages by ascending id first, so that a cut-off leaves a prefix of them."""
        with self.writing():
            self._writer(progress).load(changes, load)

    def write_scores(self, column: str, values: np.ndarray | pa.Array, *, progress: Progress = silent) -> None:
        """Set a page property from an array indexed by page id; NaN leaves a page without it."""
        if column in ("id", *_PAGE_NAMES):
            raise UsageError(f"scores cannot be written to {column!r}", hint="name another column")
        if len(values) != (pages := self.counts().pages):
            raise GraphError(
                f"there are {len(values):,} scores for {pages:,} pages",
                hint="read the graph again ({refresh=True})",
                fields=("refresh",),
            )
        cypher = self.connection.statement("load/set_page_column", column=column)
        scores = score_column(values)
        self._new_column({column: scores.type}, {})
        table = pa.table({"id": np.arange(len(scores)), "value": scores})
        with progress(f"writing {column}", total=len(values)) as advance:
            for batch in loading.batches(table, self._batch_size):
                self.connection.write(cypher, id=to_values(batch["id"]), values=to_values(batch["value"]))
                advance(batch.num_rows)

    def write_host_scores(
        self, column: str, hosts: pa.ChunkedArray, values: np.ndarray | pa.Array, *, progress: Progress = silent
    ) -> None:
        """Set a property of hosts, given by their names; NaN leaves a host without it."""
        if column in _HOST_NAMES:
            raise UsageError(f"scores cannot be written to {column!r}", hint="name another column")
        cypher = self.connection.statement("load/set_host_column", column=column)
        scores = score_column(values)
        self._new_column({}, {column: scores.type})
        table = pa.table({"name": hosts, "value": scores})
        with progress(f"writing {column}", total=table.num_rows) as advance:
            for batch in loading.batches(table, self._batch_size):
                self.connection.write(cypher, name=to_values(batch["name"]), values=to_values(batch["value"]))
                advance(batch.num_rows)

    def write_run(self, run: Run, ranking: Ranking, *, limit: int | None = 1_000, progress: Progress = silent) -> None:
        """Write ``(:Run)-[:RANKED]->(:Page)`` for the first `limit` pages."""
        self._write_run_record(run)
        self.connection.write(self.connection.statement("write/delete_ranked"), id=run.id)
        table = ranking.table().select(["id", "rank"]).slice(0, limit)
        table = table.append_column("score", pa.array(ranking.scores[:limit], pa.float64(), from_pandas=True))
        self._write_rows(table, "write/ranked", "writing the ranking", progress, run=run.id)

    def write_cores(self, run: Run, cores: pa.Table, *, progress: Progress = silent) -> None:
        """Write ``(:Run)-[:CORE {n, role}]->(:Page)``."""
        self._write_run_record(run)
        self.connection.write(self.connection.statement("write/delete_cores"), id=run.id)
        table = cores.select(["id", "n", "role"])
        self._write_rows(table, "write/cores", "writing cores", progress, run=run.id)

    def write_virtual_links(self, links: pa.Table, *, progress: Progress = silent) -> None:
        """Replace all ``CO_CITED`` links."""
        cypher = self.connection.statement("write/co_cited")
        with self.writing(), progress("writing virtual links", total=links.num_rows) as advance:
            clear = self.connection.statement("write/clear_co_cited")
            while self.connection.write(clear, most=_CLEARED)[0]["deleted"]:
                pass
            for batch in loading.batches(links.sort_by("source"), self._batch_size):
                weight = to_values(batch["weight"], pa.float64())
                self.connection.write(cypher, **loading.grouped(batch), weight=weight)
                advance(batch.num_rows)

    def delete_run(self, run_id: str) -> None:
        """Forget a run."""
        self.connection.write(self.connection.statement("write/delete_run"), id=run_id)

    def change_count(self) -> int:
        """The counter of changes."""
        return written(self.connection).changes

    def read_virtual_links(self) -> Iterator[pa.RecordBatch]:
        """All virtual links by source."""
        return backup.virtual_links(self.connection, self.counts().pages)

    def read_saved_runs(self) -> SavedRuns:
        """Runs that were written into the database."""
        return backup.saved_runs(self.connection)

    def restore(self, contents: Contents, *, progress: Progress = silent) -> None:
        """Fill the database; the loads stand in state ``running`` until everything is written."""
        self.create_schema()
        with self.writing():
            self._restore(contents, progress)

    def _restore(self, contents: Contents, progress: Progress) -> None:
        writer = self._writer(progress)
        writer.load(contents.as_changes(), backup.start_loads(writer, contents))
        self.write_virtual_links(contents.virtual_links, progress=progress)
        for run in contents.saved.runs.to_pylist():
            run["created"] = to_time(run["created"])
            self.connection.write(self.connection.statement("write/run"), **run)
            for name, table in (("ranked", contents.saved.ranked), ("cores", contents.saved.cores)):
                rows = table.filter(pc.equal(table["run"], run["id"])).drop_columns(["run"])
                self._write_rows(rows, f"write/{name}", f"writing {name} pages", progress, run=run["id"])
        backup.finish_loads(writer, contents)

    def check(self) -> list[Finding]:
        """What is wrong, by statements that count it."""
        running = [load for load in self.loads() if load.state != "done"]
        what, remedy = f"{len(running):,} loads were cut off, or are under way", "repeat the load: it completes them"
        cut_off = [Finding("warning", "loads", what, remedy)] if running else []
        return [*check_store.findings(self.connection), *cut_off]

    def repair(self) -> None:
        """Mend what `check` calls repairable: each finding whole or not at all."""
        schema.refuse_foreign(self.connection)
        with self.writing():
            self._count_change()
            try:
                check_store.mend(self.connection)
                self.create_schema()
            finally:
                self._count_change()

    def remove(self) -> None:
        """Take away everything that seedrank wrote, also its constraints, and nothing else."""
        with self.writing():
            schema.remove(self.connection)
        schema.forget(self.connection)

    def wipe(self) -> None:
        """Delete everything but the schema, of whomever, in batches."""
        self.connection.auto_commit(self.connection.statement("schema/wipe_relationships"))
        self.connection.auto_commit(self.connection.statement("schema/wipe_nodes"))

    def is_empty(self) -> bool:
        """Whether there is no node of any kind, ours or another's."""
        return bool(self.connection.read(self.connection.statement("read/count_nodes"))[0]["nodes"] == 0)

    def _upgrade(self) -> None:
        """Turn what 0.2 kept into what is kept now, and keep it unique, before a write makes the same beside it."""
        schema.create_records(self.connection)
        for name in ("relabel_schema", "times"):
            self.connection.write(self.connection.statement(f"schema/{name}"))

    def _new_column(self, of_pages: dict[str, pa.DataType], of_hosts: dict[str, pa.DataType]) -> None:
        self._upgrade()
        make_known(self.connection, [*of_pages, *of_hosts])
        loading.merge_columns(self.connection, of_pages, of_hosts)

    def _count_change(self) -> None:
        self.connection.write(self.connection.statement("load/change"), load="", name="turn")

    def _writer(self, progress: Progress) -> loading.Writer:
        return loading.Writer(self.connection, self._batch_size, progress)

    def _write_run_record(self, run: Run) -> None:
        self._upgrade()  # runs are put in order by when they were made
        self.connection.write(
            self.connection.statement("write/run"),
            id=run.id,
            method=run.method,
            parameters=json.dumps(dict(run.parameters), default=str),
            graph=run.graph,
            engine=run.engine,
            version=run.version,
            created=to_time(run.created),
            seconds=run.seconds,
        )

    def _write_rows(self, table: pa.Table, name: str, title: str, progress: Progress, **fixed: Any) -> None:
        cypher = self.connection.statement(name)
        with progress(title, total=table.num_rows) as advance:
            for batch in loading.batches(table, self._batch_size):
                columns: dict[str, Any] = {column: to_values(batch[column]) for column in batch.schema.names}
                self.connection.write(cypher, **columns, **fixed)
                advance(batch.num_rows)


class Neo4jGdsStore(Neo4jStore):
    """A database on a Neo4j server that has the Graph Data Science library."""

    def gds_version(self) -> str:
        """The library's version."""
        return str(self.call("version")[0]["version"])

    def client(self) -> Any:
        """A ``graphdatascience.GraphDataScience`` on this store's connection, which closing the client leaves open."""
        from seedrank.graphdb.neo4j.client import client_on

        return client_on(self.connection)

    def state(self) -> str:
        """A short digest of the last committed transaction that wrote, whoever wrote it."""
        last = self.connection.last_transaction()
        return hashlib.sha256(last.encode()).hexdigest()[:8] if last else ""

    def call(
        self, statement: str, parameters: Mapping[str, Any] | None = None, **placeholders: str
    ) -> list[dict[str, Any]]:
        """Run the statement in ``cypher/gds/<statement>.cypher``, its placeholders filled; return its rows.

        It is sent once: a projection that was made though its answer was lost would be refused the second time.
        """
        try:
            text = self.connection.statement(f"gds/{statement}", **placeholders)
        except FileNotFoundError:
            raise StoreError(f"unknown statement gds/{statement}") from None
        # Projections are no writing: a user who may only read can ask everything.
        names, rows = self.connection.rows(text, parameters or {}, write=False)
        return [dict(zip(names, row, strict=True)) for row in rows]
