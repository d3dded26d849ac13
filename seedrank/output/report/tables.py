"""Tables as the report shows them: text, something to sort by, and a link only where it is safe."""

from __future__ import annotations

import math
import re
from dataclasses import dataclass
from typing import Any

import pyarrow as pa
import pyarrow.types

from seedrank.core.numbers import show_number
from seedrank.core.sanitize import visible

__all__ = ["Cell", "View", "cell", "safe_link", "view_of"]

_SAFE = re.compile(r"https?://[^\s\x00-\x20\x7f\"<>]+", re.IGNORECASE)
_LONGEST = 300


@dataclass(frozen=True)
class Cell:
    """What is in a cell, what it is sorted by (nothing: its text), where it leads."""

    text: str
    key: str | None = None
    link: str | None = None


@dataclass(frozen=True)
class View:
    """A table to show: its first rows, and how many there are."""

    caption: str
    names: list[str]
    numeric: list[bool]
    rows: list[list[Cell]]
    total: int


def safe_link(text: str) -> str | None:
    """The URL where a link to it is safe: http and https only, nothing that is not printed."""
    return text if _SAFE.fullmatch(text) and text.isprintable() else None


def view_of(table: pa.Table, *, caption: str, total: int | None = None, most: int | None = None) -> View:
    """A table to show.

    Parameters
    ----------
    table
        Any.
    caption
        What it is.
    total
        Rows there are in all; those of `table` when `None`.
    most
        Show only so many.
    """
    kinds = [field.type for field in table.schema]
    numeric = [pyarrow.types.is_integer(kind) or pyarrow.types.is_floating(kind) for kind in kinds]
    few = table if most is None else table.slice(0, most)
    columns = [few.column(place).to_pylist() for place in range(few.num_columns)]
    rows = [[cell(value) for value in row] for row in zip(*columns, strict=True)]
    whole = table.num_rows if total is None else total
    return View(caption, [visible(name) for name in table.column_names], numeric, rows, whole)


def cell(value: Any) -> Cell:
    """A value as a cell shows it."""
    if value is None or (isinstance(value, float) and math.isnan(value)):
        return Cell("", "")
    if isinstance(value, bool):
        return Cell("yes" if value else "no")
    if isinstance(value, int | float):
        return Cell(show_number(value), repr(value))
    text = visible(str(value))
    link = safe_link(str(value))
    return Cell(text if len(text) <= _LONGEST else text[: _LONGEST - 1] + "…", None, link)
