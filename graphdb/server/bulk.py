"""A first load through Neo4j's own importer: much faster than over the wire.

Only for a local Neo4j managed by seedrank, and only while it is empty.

Everything that fits goes through CSV files; what CSV cannot carry exactly (NaN, dates, anchors that hold every
delimiter) is written over the wire afterwards, by the same code as any other load.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.csv

from seedrank.core.changes import Changes, Load
from seedrank.core.errors import StoreError, shorten
from seedrank.core.files import claim_folder, sweep
from seedrank.core.progress import Progress, silent
from seedrank.graphdb.column_types import stored_type
from seedrank.graphdb.neo4j import schema
from seedrank.graphdb.neo4j.loading import Writer, check
from seedrank.graphdb.neo4j.store import BATCH_SIZE
from seedrank.graphdb.server.config import Server
from seedrank.graphdb.server.docker import REPORT
from seedrank.graphdb.server.server import admin, connect, down, up

__all__ = ["bulk_load"]

_DELIMITERS = "\x1f\x1e\x1d\x1c\x02\x03\x04\x05"
"""What may separate the anchors of a link: no text has all of these."""

_CSV_TYPES = {pa.int64(): "long", pa.float64(): "double", pa.bool_(): "boolean", pa.string(): "string"}
_ROWS_PER_WRITE = 1 << 18


def bulk_load(server: Server, changes: Changes, load: Load, *, progress: Progress = silent) -> None:
    """Fill an empty local Neo4j managed by seedrank.

    Parameters
    ----------
    server
        The server; it is stopped for the import and runs afterwards.
    changes
        The load. It must bring a whole graph: nothing to change in pages or links that are there.
    """
    if not server.state():
        raise StoreError(
            "{home} has no server that seedrank manages",
            hint="start one with `seedrank db up`, or leave out {bulk}",
            fields=("bulk",),
            values={"home": server.home},
        )
    if changes.changed_pages.num_rows or changes.changed_links.num_rows:
        raise StoreError(
            "a bulk import fills an empty database, and this load changes one",
            hint="leave out {bulk}",
            fields=("bulk",),
        )
    check(changes)
    server = up(server, progress)
    with connect(server) as store:
        if not store.is_empty():
            raise StoreError(
                "{url} is not empty, and a bulk import replaces everything",
                hint="leave out {bulk}, or start afresh with `seedrank db up --wipe`",
                fields=("bulk",),
                values={"url": server.url},
            )
        if kept := schema.others(store.connection):
            raise StoreError(
                "{url} has indexes or constraints of others, which a bulk import would delete: {names}",
                hint="leave out {bulk}",
                fields=("bulk",),
                values={"url": server.url, "names": shorten(", ".join(kept))},
            )
    down(server)
    sweep(server.home)
    with claim_folder(server.home, "import") as claim:
        left = _import(server, claim.path, changes, progress)
    server = up(server, progress)
    with connect(server, patience=60.0) as store, store.writing():
        writer = Writer(store.connection, BATCH_SIZE, progress)
        writer.start(load)
        with progress("making indexes"):
            store.create_schema()
        writer.columns(changes)
        writer.page_values(left.pages)
        writer.host_values(left.hosts)
        writer.links(left.anchors, change=True)
        writer.finish(load)


def _import(server: Server, folder: Path, changes: Changes, progress: Progress) -> _Left:
    """Run the importer on files in a folder; returns what must be written otherwise."""
    files = _Files(folder, progress)
    try:
        left = _write(files, changes)
        # The importer's own progress is of no use to a terminal that shows ours.
        with progress("importing"):
            admin(server, files.arguments(), files=folder)
    except StoreError as error:
        raise error.advising("repeat it after `seedrank db up --wipe`", joined="; then ") from error
    return left


@dataclass(frozen=True)
class _Left:
    """What does not go through CSV."""

    pages: pa.Table
    hosts: pa.Table
    anchors: pa.Table


@dataclass
class _Files:
    """The importer's files: for each table a header of its own and the rows."""

    folder: Path
    progress: Progress
    delimiter: str = ";"
    nodes: list[str] = field(default_factory=list)
    relationships: list[str] = field(default_factory=list)

    def add(self, kind: str, name: str, table: pa.Table, header: Mapping[str, str]) -> None:
        """Write a table whose columns have these headings."""
        head, rows = self.folder / f"{name}-header.csv", self.folder / f"{name}.csv"
        head.write_text(",".join(_quoted(title) for title in header.values()) + "\n", encoding="utf-8")
        # "needed" quotes every text and no null: an empty text stays one, a null stays none.
        options = pyarrow.csv.WriteOptions(include_header=False, quoting_style="needed")
        table = table.select(list(header))
        with (
            self.progress(f"writing {name} for the importer", total=table.num_rows) as advance,
            pyarrow.csv.CSVWriter(rows, table.schema, write_options=options) as writer,
        ):
            for start in range(0, table.num_rows, _ROWS_PER_WRITE):
                part = table.slice(start, _ROWS_PER_WRITE)
                writer.write_table(part)
                advance(part.num_rows)
        (self.nodes if kind == "node" else self.relationships).append(f"{name}={head},{rows}")

    def arguments(self) -> list[str]:
        """The importer's command line; its report is not read."""
        (self.folder / REPORT).mkdir()
        return [
            *("database", "import", "full", "neo4j"),
            "--overwrite-destination=true",
            "--id-type=integer",
            "--multiline-fields=true",
            f"--array-delimiter={self.delimiter}",
            f"--report-file={self.folder / REPORT / 'report.txt'}",
            *(f"--nodes={argument}" for argument in self.nodes),
            *(f"--relationships={argument}" for argument in self.relationships),
        ]


def _write(files: _Files, changes: Changes) -> _Left:
    """All tables as files; returns what must be written otherwise."""
    pages, page_header, later_pages = _split(changes.new_pages, "id")
    files.add("node", "Page", pages, {"id": "id:ID(Page){id-type:long}", **page_header})
    # Hosts and queries are numbered for the importer: any text may be a name, an empty one too.
    hosts, host_header, later_hosts = _split(changes.hosts, "name")
    files.add("node", "Host", _numbered(hosts), {"#": ":ID(Host){id-type:long}", "name": "name:string", **host_header})
    queries, query_header, _ = _split(changes.queries, "text")
    numbered = _numbered(queries)
    files.add("node", "Query", numbered, {"#": ":ID(Query){id-type:long}", "text": "text:string", **query_header})

    links, anchors_left = _with_anchors(files, changes.new_links)
    ends = {"source": ":START_ID(Page)", "target": ":END_ID(Page)", "weight": "weight:double"}
    files.add(
        "relationship",
        "LINKS_TO",
        links,
        {**ends, **({"anchors": "anchors:string[]"} if "anchors" in links.column_names else {})},
    )
    on = changes.page_hosts.set_column(
        1, "host", pc.index_in(changes.page_hosts["host"], hosts["name"].combine_chunks())
    )
    files.add("relationship", "ON", on, {"id": ":START_ID(Page)", "host": ":END_ID(Host)"})
    results = changes.results
    place = results.column_names.index("query")
    results = results.set_column(place, "query", pc.index_in(results["query"], queries["text"].combine_chunks()))
    ends = {"query": ":START_ID(Query)", "id": ":END_ID(Page)"}
    files.add("relationship", "RESULT", results, {**ends, "rank": "rank:long", "clicks": "clicks:double"})
    return _Left(later_pages, later_hosts, anchors_left)


def _split(table: pa.Table, key: str) -> tuple[pa.Table, dict[str, str], pa.Table]:
    """The columns a CSV file carries exactly, with their headings; and the key with the others."""
    header, later = {}, [key]
    for name in table.column_names:
        kind = stored_type(name, table.field(name).type)
        if name == key:
            continue
        if kind not in _CSV_TYPES or (pa.types.is_floating(kind) and not _finite(table[name])) or not _plain(name):
            later.append(name)
            continue
        table = table.set_column(table.column_names.index(name), name, pc.cast(table[name], kind))
        header[name] = f"{name}:{_CSV_TYPES[kind]}"
    return table, header, table.select(later)


def _with_anchors(files: _Files, links: pa.Table) -> tuple[pa.Table, pa.Table]:
    """Links with their anchors joined by a character none has, and the links whose anchors must be written later."""
    none = links.slice(0, 0)
    if "anchors" not in links.column_names:
        return links, none
    place = links.column_names.index("anchors")
    texts = links["anchors"].combine_chunks()
    flat = pc.list_flatten(texts)
    delimiter = next((c for c in _DELIMITERS if not pc.any(pc.match_substring(flat, c)).as_py()), None)
    if delimiter is None or pc.any(pc.equal(flat, "")).as_py():
        # An empty anchor cannot be told from no anchor in a file.
        return links.remove_column(place), links.filter(pc.is_valid(texts))
    files.delimiter = delimiter
    return links.set_column(place, "anchors", pc.binary_join(texts, delimiter)), none


def _numbered(table: pa.Table) -> pa.Table:
    return table.append_column("#", pa.array(range(table.num_rows), pa.int64()))


def _finite(column: pa.ChunkedArray) -> bool:
    return pc.all(pc.is_finite(column), skip_nulls=True, min_count=0).as_py() is not False


def _plain(name: str) -> bool:
    """Whether the importer takes a name as it is: colons and brackets mean something in a heading."""
    return not set(name) & set(':(){}"\n\r,')


def _quoted(title: str) -> str:
    return '"' + title.replace('"', '""') + '"'
