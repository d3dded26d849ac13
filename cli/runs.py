"""``seedrank runs``: the answers that are kept."""

from __future__ import annotations

import json

import typer

from cli.open import opened
from cli.options import Settings, shared
from cli.output import emit

__all__ = ["register"]

_COLUMNS = ("id", "method", "created", "seconds", "engine", "graph", "parameters")


@shared("store", "database", "format", "output", "top")
def runs(settings: Settings) -> None:
    """List the answers kept for this store, newest first."""
    import pyarrow as pa

    with opened(settings) as bench:
        kept = bench.runs()
    rows = [
        {**{name: getattr(run, name) for name in _COLUMNS}, "parameters": json.dumps(dict(run.parameters))}
        for run in reversed(kept)
    ]
    schema = pa.schema([(name, pa.float64() if name == "seconds" else pa.string()) for name in _COLUMNS])
    emit(settings, pa.Table.from_pylist(rows, schema))


def register(root: typer.Typer) -> None:
    """Add the command."""
    root.command("runs")(runs)
