"""``seedrank query``: Cypher from the command line."""

from __future__ import annotations

import json
import sys
from typing import Annotated, Any

import typer

from cli.open import opened
from cli.options import Settings, shared
from cli.output import emit
from seedrank.core.errors import UsageError

__all__ = ["register"]


@shared("store", "database", "format", "output", "top")
def query(
    settings: Settings,
    cypher: Annotated[str, typer.Argument(metavar="CYPHER", help="The statement; - reads it from standard input.")],
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
    allow_writes: Annotated[bool, typer.Option("--allow-writes", help="Let the statement change the graph.")] = False,
    as_is: Annotated[
        bool,
        typer.Option("--as-is", help="Send the embedded store a statement it may answer wrongly, with a warning."),
    ] = False,
    explain: Annotated[
        bool, typer.Option("--explain", help="Print what would be sent to the database, and send nothing.")
    ] = False,
    timeout: Annotated[
        float | None,
        typer.Option(metavar="SECONDS", min=0.001, help="End the statement after this time.", show_default="none"),
    ] = None,
) -> None:
    """Run a Cypher statement; read-only unless --allow-writes.

    The embedded store is asked in a form that it answers as Neo4j would; what has no such form is refused with the
    place and a form that works. No statement reads or writes files.

    Example: seedrank query 'MATCH (p:Page)-[:ON]->(h:Host) RETURN h.name AS host, count(*) AS pages'
    """
    statement = sys.stdin.read() if cypher == "-" else cypher
    parameters = dict(_parameter(text) for text in param or [])
    with opened(settings, write=allow_writes) as bench:
        if explain:
            from graphdb.store import database

            sent = database(bench.store, "running Cypher").asked(statement, parameters, write=allow_writes, as_is=as_is)
            typer.echo(sent.text)
            return
        table = bench.query(statement, parameters, write=allow_writes, as_is=as_is, timeout=timeout)
    emit(settings, table)


def _parameter(text: str) -> tuple[str, Any]:
    name, equals, value = text.partition("=")
    if not equals or not name.isidentifier():
        raise UsageError(f"--param {text!r} is not NAME=VALUE", hint="such as --param url=https://a.example/")
    try:
        return name, json.loads(value)
    except (ValueError, RecursionError):
        return name, value


def register(root: typer.Typer) -> None:
    """Add the command."""
    root.command("query")(query)
