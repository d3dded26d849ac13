"""``seedrank query``: Cypher from the command line, and SQL on an embedded store."""

from __future__ import annotations

import json
import sys
from typing import Annotated, Any

import typer

from seedrank.cli.ask import opened
from seedrank.cli.command import command
from seedrank.cli.options import READING, Settings
from seedrank.cli.output import emit
from seedrank.core.errors import UsageError

__all__ = ["app"]

app = typer.Typer()


@command(app, "query", *READING)
def query(
    settings: Settings,
    cypher: Annotated[
        str | None, typer.Argument(metavar="CYPHER", help="The statement; - reads it from standard input.")
    ] = None,
    sql: Annotated[
        str | None,
        typer.Option("--sql", metavar="SELECT", help="Run SQL on the tables of an embedded store instead; - as above."),
    ] = None,
    param: Annotated[
        list[str] | None,
        typer.Option(
            "--param",
            "-p",
            metavar="NAME=VALUE",
            help="A parameter; the value is JSON, or else taken as text.",
            show_default=False,
        ),
    ] = None,
    allow_writes: Annotated[
        bool, typer.Option("--allow-writes", help="Let the statement change the graph; on Neo4j only.")
    ] = False,
    explain: Annotated[
        bool,
        typer.Option("--explain", help="Print what the database would be sent (the SQL of an embedded store)."),
    ] = False,
    timeout: Annotated[
        float | None,
        typer.Option(metavar="SECONDS", min=0.001, help="End the statement after this time.", show_default="none"),
    ] = None,
) -> None:
    """Run a Cypher statement; read-only unless --allow-writes.

    An embedded store answers as Neo4j would: the statement is translated into SQL, and what cannot be is refused with
    the place and a form that works. It runs in a process of its own, within --timeout and --store-memory. No statement
    reads or writes files.

    Example: seedrank query 'MATCH (p:Page)-[:ON]->(h:Host) RETURN h.name AS host, count(*) AS pages'
    """
    statement = _statement(cypher, sql, param, explain=explain, allow_writes=allow_writes)
    parameters = dict(_parameter(text) for text in param or [])
    with opened(settings, write=allow_writes) as bench:
        if explain:
            from seedrank.graphdb.store import database

            typer.echo(database(bench.store, "running Cypher").explain(statement, parameters, write=allow_writes))
            return
        if sql is not None:
            table = bench.sql(statement, timeout=timeout)
        else:
            table = bench.query(statement, parameters, write=allow_writes, timeout=timeout)
    emit(settings, table)


def _statement(
    cypher: str | None, sql: str | None, param: list[str] | None, *, explain: bool, allow_writes: bool
) -> str:
    """The one statement that was given."""
    if (cypher is None) == (sql is None):
        raise UsageError(
            "give one statement: Cypher, or SQL with --sql", hint="such as 'MATCH (p:Page) RETURN count(*)'"
        )
    if sql is not None:
        for given, option in ((param, "--param"), (explain, "--explain"), (allow_writes, "--allow-writes")):
            if given:
                raise UsageError(f"{option} goes with Cypher, not with --sql", hint="leave it out")
    text = cypher if sql is None else sql
    assert text is not None
    return sys.stdin.read() if text == "-" else text


def _parameter(text: str) -> tuple[str, Any]:
    name, equals, value = text.partition("=")
    if not equals or not name.isidentifier():
        raise UsageError(f"--param {text!r} is not NAME=VALUE", hint="such as --param url=https://a.example/")
    try:
        return name, json.loads(value)
    except (ValueError, RecursionError):
        return name, value
