"""``seedrank load … --dry-run``: what the first rows would become."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

from seedrank.cli.options import Settings
from seedrank.cli.output import check_output, draw_table, emit_object, printable

if TYPE_CHECKING:
    from seedrank.ingest.dry_run import Preview
    from seedrank.loaders.base import LoadOptions, Source, Summary

__all__ = ["try_load"]

_KINDS = {"int64": "whole numbers", "double": "numbers", "bool": "true or false", "string": "text"}


def try_load(settings: Settings, source: Source, options: LoadOptions, spool: Path | None) -> Summary:
    """Read the first rows of a source, print what they would become, and write nothing."""
    from seedrank.ingest.dry_run import preview

    check_output(settings)
    tried = preview(source, options, spool=spool)
    columns = {name: _KINDS.get(str(kind), str(kind)) for name, kind in tried.columns.items()}
    facts = {
        "first rows": tried.rows,
        "files": tried.reads,
        "counts": tried.summary.counts,
        "columns": columns,
        "pages": tried.pages,
    }
    emit_object(settings, facts, lambda console: _draw(console, tried, columns))
    return tried.summary


def _draw(console: Any, tried: Preview, columns: dict[str, str]) -> None:
    import pyarrow as pa
    from rich.table import Table

    def say(text: str) -> None:
        console.print(printable(text), markup=False, highlight=False, soft_wrap=True)

    say(f"From the first {tried.rows:,} rows of each table; nothing was written.")
    for line in tried.reads:
        say(line)
    counts = Table(box=None, show_header=False, pad_edge=False)
    counts.add_column(justify="left")
    counts.add_column(justify="right")
    for name, count in tried.summary.counts.items():
        counts.add_row(name, f"{count:,}")
    console.print(counts)
    if columns:
        say(f"Columns of pages: {', '.join(f'{name} ({kind})' for name, kind in columns.items())}")
    if tried.pages:
        draw_table(console, pa.Table.from_pylist(tried.pages))
