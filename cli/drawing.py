"""Tables that fit a terminal.

Minor columns go, URLs are shortened in the middle, sentences go over lines, digits and the first column stay.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from seedrank.cli.streams import printable

if TYPE_CHECKING:
    import pyarrow as pa

__all__ = ["Column", "columns_of", "draw_columns", "draw_table", "fit", "shortened"]

_GAP = 2
"""Blanks between two columns."""
_LEAST_ADDRESS = 32
_LEAST_TEXT = 16
_ADDRESSES = ("url", "host", "domain", "old", "new", "page")
_PROSE = ("why", "answers", "parameters")
"""Columns of sentences: they go over several lines."""
_MINOR = (
    *("source_id", "id", "host", "site", "frontier_reached", "gain_pages", "covered_pages", "discovered"),
    *("engine", "seconds", "created"),
)
"""Columns that a narrow terminal loses first, in this order; then those farthest to the right."""


@dataclass(frozen=True)
class Column:
    """A column as people see it.

    Parameters
    ----------
    name
        Its heading.
    cells
        A text per row.
    number
        Whether it holds numbers: never shortened, aligned to the right.
    """

    name: str
    cells: Sequence[str]
    number: bool

    @property
    def width(self) -> int:
        """Cells of the terminal that the longest text takes."""
        from rich.cells import cell_len

        return max(map(cell_len, (self.name, *self.cells)))

    @property
    def least(self) -> int:
        """The width it may be shortened to."""
        if self.number:
            return self.width
        return min(self.width, _LEAST_ADDRESS if self.name in _ADDRESSES else _LEAST_TEXT)


def columns_of(table: pa.Table) -> list[Column]:
    """The columns of a table; what only repeats another column is left out."""
    from seedrank.core.levels import name_column

    known = set(table.column_names)
    left_out = set()
    named = name_column(known)
    if named in known and not table[named].null_count and (named == "url" or "source_id" in known):
        # A page is known by its URL, a host by its name: others would leave no room for what is asked.
        left_out = {"id", "source_id", "host"} - {named}
    elif "id" in known and "source_id" in known and table["id"].equals(table["source_id"]):
        left_out = {"source_id"}
    if {"score", "gain"} <= known and table["score"].equals(table["gain"]):
        left_out.add("score")
    return [
        Column(printable(name), [_cell(value) for value in table[name].to_pylist()], _is_number(table[name].type))
        for name in table.column_names
        if name not in left_out
    ]


def fit(columns: Sequence[Column], width: int) -> tuple[list[Column], list[int], list[str]]:
    """The columns that fit, the width of each, and the names of those that do not.

    Parameters
    ----------
    columns
        In order; the first stays.
    width
        Of the terminal, in cells.
    """
    shown = list(columns)
    hidden: list[str] = []
    # Beside URLs a host says little; in a table of hosts it is the name.
    minor = [name for name in _MINOR if name != "host" or any(one.name == "url" for one in columns)]
    first = min(columns[0].width, max(columns[0].least, width // 2)) if columns else 0

    def least() -> list[int]:
        return [first, *(one.least for one in shown[1:])]

    while len(shown) > 1 and _total(least()) > width:
        gone = next((one for name in minor for one in shown[1:] if one.name == name), None) or _last(shown)
        shown = [one for one in shown if one is not gone]
        hidden.append(gone.name)
    widths = least()
    room = width - _total(widths)
    # What is left goes to the texts, the shortest wish first, so that none keeps room that it does not need.
    for place in sorted(range(len(shown)), key=lambda place: shown[place].width):
        wishes = [one for one, has in zip(shown, widths, strict=True) if one.width > has]
        more = min(shown[place].width - widths[place], max(room, 0) // max(len(wishes), 1))
        widths[place] += more
        room -= more
    if _total(widths) > width:
        # One column is left, or the first is wide: then even it is shortened, if it is no number.
        widths = [min(has, max(width, 1)) if not one.number else has for one, has in zip(shown, widths, strict=True)]
    return shown, widths, hidden


def _last(columns: Sequence[Column]) -> Column:
    """The column farthest to the right that may go: an address goes after everything else."""
    others = [one for one in columns[1:] if one.name not in _ADDRESSES]
    return others[-1] if others else columns[-1]


def _total(widths: Sequence[int]) -> int:
    return sum(widths) + _GAP * (len(widths) - 1)


def shortened(text: str, width: int) -> str:
    """A text in `width` cells; where it is longer its middle is replaced by an ellipsis."""
    from rich.cells import cell_len, set_cell_size

    if cell_len(text) <= width:
        return text
    if width <= 1:
        return "…"[:width]
    tail = (width - 1) * 2 // 5
    kept = text[len(text) - tail :] if tail else ""
    while cell_len(kept) > tail:
        kept = kept[1:]
    head = width - 1 - cell_len(kept)
    return f"{set_cell_size(text, head).rstrip()}…{kept}"


def draw_columns(console: Any, columns: Sequence[Column], *, title: str | None = None) -> None:
    """Draw columns in the width of the console; names those that do not fit."""
    from rich.table import Table
    from rich.text import Text

    shown, widths, hidden = fit(columns, console.width)
    if title is not None:
        console.print(Text(shortened(printable(title), console.width), style="italic"))
    drawn = Table(box=None, pad_edge=False, padding=(0, _GAP, 0, 0), header_style="bold")
    for one, width in zip(shown, widths, strict=True):
        justify: Any = "right" if one.number else "left"
        heading = Text(shortened(one.name, width))
        # Names in a sentence are folded where they are too long; everything else fits its column already.
        drawn.add_column(heading, justify=justify, width=width, no_wrap=one.name not in _PROSE, overflow="fold")
    for row in zip(*(one.cells for one in shown), strict=True):
        cells = zip(shown, row, widths, strict=True)
        drawn.add_row(*(Text(cell if one.name in _PROSE else shortened(cell, width)) for one, cell, width in cells))
    console.print(drawn)
    if hidden:
        text = f"not shown for lack of width: {', '.join(hidden)}; -o FILE takes all"
        console.print(Text(text, style="dim"))


def draw_table(console: Any, table: pa.Table, *, title: str | None = None, total: int = 0) -> None:
    """Draw a table for people; says so when it is the first rows of `total`."""
    from rich.text import Text

    draw_columns(console, columns_of(table), title=title)
    if table.num_rows < total:
        console.print(Text(f"{table.num_rows:,} of {total:,} rows; --top N shows more, -o FILE takes all", style="dim"))


def _cell(value: object) -> str:
    """A number in six digits; anything else as text, nothing for `None`."""
    if value is None:
        return ""
    if isinstance(value, float):
        return f"{value:.6g}"
    if isinstance(value, Mapping):
        return printable(", ".join(f"{name}: {_cell(one)}" for name, one in value.items()))
    return printable(value)


def _is_number(kind: Any) -> bool:
    import pyarrow.types as types

    return bool(types.is_integer(kind) or types.is_floating(kind))
