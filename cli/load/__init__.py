"""``seedrank load``: files into the store. A module per group of formats; `common` is what they share."""

from __future__ import annotations

import typer

from seedrank.cli.load import archives, auto, crawlers, graphs, logs, table, webgraph

__all__ = ["register"]


def register(root: typer.Typer) -> None:
    """Add the command."""
    app = typer.Typer(no_args_is_help=True, rich_markup_mode="rich")
    for group in (auto, table, graphs, webgraph, archives, crawlers, logs):
        group.register(app)
    root.add_typer(app, name="load", help="Load pages, links, hosts, queries and clicks from files.")
