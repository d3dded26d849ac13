"""``seedrank db``: a local Neo4j in one command."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Annotated, Any

import typer

from cli.options import Settings, shared
from cli.output import emit_object, remark
from cli.progress import reporter

if TYPE_CHECKING:
    from graphdb.server import Server, Status

__all__ = ["register"]

app = typer.Typer(no_args_is_help=True, rich_markup_mode="rich")


@app.command("up")
@shared("format")
def up(
    settings: Settings,
    port: Annotated[
        int | None, typer.Option(help="Bolt port; Browser takes the one 213 below.", show_default="7687")
    ] = None,
    heap: Annotated[str | None, typer.Option(help="Memory of the server.", show_default="2g")] = None,
    wipe: Annotated[bool, typer.Option("--wipe", help="Delete its data first; it also gets a new password.")] = False,
) -> None:
    """Start Neo4j 5.26 with Graph Data Science on this machine, for this machine only.

    In a container where a Docker engine answers; otherwise it is fetched by Maven once (about 150 MB; Java 17 or 21
    and mvn must be there). The password is random and lies in a file that only you can read.

    Example: seedrank db up --heap 4g
    """
    from graphdb import server

    started = server.up(_server(port, heap), reporter(settings), wipe=wipe)
    _show(settings, started, server.status(started))


@app.command("down")
@shared()
def down(settings: Settings) -> None:
    """Stop the server; its data stays.

    Example: seedrank db down
    """
    from graphdb import server

    ran = server.down(server.Server().as_started())
    remark(settings, "stopped" if ran else "it was not running")


@app.command("status")
@shared("format")
def status(settings: Settings) -> None:
    """Show whether the server runs, where, and how to connect.

    Example: seedrank db status --format json
    """
    from graphdb import server

    ours = server.Server().as_started()
    _show(settings, ours, server.status(ours))


def _server(port: int | None, heap: str | None) -> Server:
    from graphdb.server import Server

    ours = Server().as_started()
    if port is not None and port != ours.port:
        ours = replace(ours, port=port, http_port=0)
    return ours if heap is None else replace(ours, heap=heap)


def _show(settings: Settings, server: Server, found: Status) -> None:
    facts = {
        "running": found.running,
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
    emit_object(settings, facts, lambda console: _draw(console, server, found))


def _draw(console: Any, server: Server, found: Status) -> None:
    if not found.running:
        console.print("Neo4j is not running; `seedrank db up` starts it", markup=False)
        return
    lines = [
        f"Neo4j {found.version} with GDS {found.gds or '(none)'} runs ({found.kind}), {found.bytes / 2**20:,.0f} MiB",
        f"  store    {found.url}",
        f"  Browser  {found.browser}   user neo4j, password in {found.password_file}",
        f"  log      {found.log}",
        "Set in your shell:",
        *(f"  {line}" for line in server.environment()),
        f"Then, for example:  seedrank --store {found.url} stats",
    ]
    console.print("\n".join(lines), markup=False, highlight=False, soft_wrap=True)


def register(root: typer.Typer) -> None:
    """Add the command."""
    root.add_typer(app, name="db", help="A local Neo4j server: up, down, status.")
