"""Inputs of hosts and domains on their way into a store: their rows become rows of pages."""

from __future__ import annotations

from dataclasses import replace

import pyarrow as pa

from seedrank.core.errors import StoreError, UsageError
from seedrank.core.levels import PLURAL, Level, addresses
from seedrank.core.model import PAGE_COLUMNS
from seedrank.loaders.base import Batch, LoadOptions
from seedrank.loaders.columns import check_rows, convert

__all__ = ["as_pages", "check_level", "check_options", "remarks_on"]


def as_pages(batch: Batch, level: Level) -> Batch:
    """Rows about hosts or domains as rows about the pages that stand for them, ``http://name/``.

    Rows of hosts become rows of the pages that are known: they add no page.
    """
    if level == "page":
        return batch
    if batch.kind == "hosts":
        batch = _of_hosts(batch)
    rows = batch.rows
    if batch.kind == "pages" and "url" not in rows.schema.names and "host" in rows.schema.names:
        rows = rows.append_column("url", rows.column("host"))
    for place, field in enumerate(rows.schema):
        if field.name in ("url", "source", "target") and not pa.types.is_integer(field.type):
            rows = rows.set_column(place, field.name, addresses(rows.column(place).cast(pa.string()), level))
    if batch.kind == "pages" and "host" in rows.schema.names:
        # It follows from the address.
        rows = rows.drop_columns(["host"])
    return replace(batch, rows=rows)


def _of_hosts(batch: Batch) -> Batch:
    """Rows of hosts as rows of pages; columns that pages have too are of the same types."""
    rows, where = batch.rows, batch.where
    # Without columns that would name another page.
    rows = rows.select([name for name in rows.schema.names if name not in ("id", "url")])
    for column in PAGE_COLUMNS:
        if column.name in rows.schema.names:
            place = rows.schema.get_field_index(column.name)
            values = convert(rows.column(place), column.type, column=column.name, where=where, flag=column.flag)
            rows = rows.set_column(place, column.name, values)
    rows = rows.rename_columns(["url" if name == "host" else name for name in rows.schema.names])
    check_rows("pages", rows, where)
    return replace(batch, kind="pages", rows=rows, known=True)


def check_level(level: Level, stored: Level | None, store: str) -> None:
    """Refuse an input of another level than a store holds."""
    if stored is not None and level != stored:
        raise StoreError(
            f"{{store_url}} holds {PLURAL[stored]}, and this input holds {PLURAL[level]}",
            hint=f"load it into a store of its own: {{store={PLURAL[level]}.duckdb}}",
            fields=("store",),
            values={"store_url": store},
        )


def check_options(level: Level, options: LoadOptions) -> None:
    """Refuse options that make URLs of names, where hosts and domains are named."""
    if level != "page" and options.url_prefix:
        raise UsageError(
            f"{{url_prefix}} goes with pages, and the input is of {PLURAL[level]}",
            hint="leave it out",
            fields=("url_prefix",),
        )


def remarks_on(level: Level) -> list[str]:
    """What people should know of an input of hosts or domains."""
    if level == "page":
        return []
    return [f"the input is of {PLURAL[level]}: each is stored as one page http://{level}/, and answers have its name"]
