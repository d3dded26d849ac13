"""``seedrank load``: files into the store. A module per group of formats; `common` is what they share."""

from __future__ import annotations

from importlib import import_module

import typer

from seedrank.cli.load.common import load

__all__ = ["app"]

app = typer.Typer()
app.add_typer(load)
for _module in ("table", "graphs", "archives", "logs"):  # help lists the formats in this order
    import_module(f"{__name__}.{_module}")
