"""Objects as notebooks and Python's prompt show them: tables as HTML, and the same tables as text.

Values are hostile. They become text and nothing else: every one is escaped, no link is made of a URL, no formula of
what is between dollars, and nothing is fetched to show them.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from html import escape
from itertools import accumulate
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc

from seedrank.core.numbers import show_number
from seedrank.core.sanitize import as_markup, visible

__all__ = ["SHOWN", "Sheet", "as_html", "as_text", "middle_cut", "pairs", "sheet_of", "text_of"]

SHOWN = 10
"""Rows of a table that is shown, not used."""
_LONGEST_HTML, _LONGEST_TEXT = 300, 60
_WIDEST = 160
"""Characters of a line of text; columns beyond it are left out."""
_NO_FORMULAS = "tex2jax_ignore mathjax_ignore"
"""Classes whose text MathJax 2 and 3 leave as it is."""


@dataclass(frozen=True)
class Sheet:
    """A small table to show.

    Parameters
    ----------
    names
        Heads of the columns.
    rows
        Values, as many as there are names in each row.
    caption
        What it is, where that is not clear.
    """

    names: Sequence[str]
    rows: Sequence[Sequence[Any]]
    caption: str = ""


def sheet_of(table: pa.Table, caption: str = "", most: int | None = SHOWN) -> Sheet:
    """The first rows of a table, without columns that hold nothing in them."""
    few = table if most is None else table.slice(0, most)
    full = [place for place, column in enumerate(few.columns) if not few.num_rows or _holds(column)]
    columns = [few.column(place).to_pylist() for place in full]
    return Sheet([few.column_names[place] for place in full], list(zip(*columns, strict=True)), caption)


def pairs(values: Mapping[str, Any], caption: str = "", names: Sequence[str] = ("", "")) -> Sheet:
    """Names and values, a row each."""
    return Sheet(names, list(values.items()), caption)


def as_html(title: str, sheets: Iterable[Sheet]) -> str:
    """A title and tables below it."""
    tables = "".join(_html_table(sheet) for sheet in sheets)
    return f'<div class="{_NO_FORMULAS}"><p>{as_markup(title)}</p>{tables}</div>'


def as_text(title: str, sheets: Iterable[Sheet]) -> str:
    """The same as lines of text, columns one below the other."""
    lines = [visible(title)]
    for sheet in sheets:
        lines += [visible(sheet.caption)] if sheet.caption else []
        lines += _text_table(sheet)
    return "\n".join(lines)


def text_of(value: Any) -> str:
    """A value as people read it: numbers to four digits or whole with separators; nothing that steers a terminal."""
    if value is None or (isinstance(value, float) and math.isnan(value)):
        return ""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, int | float):
        return show_number(value)
    if isinstance(value, Mapping):
        return ", ".join(f"{visible(str(name))}: {text_of(one)}" for name, one in value.items())
    if isinstance(value, list | tuple):
        return ", ".join(map(text_of, value))
    return visible(str(value))


def middle_cut(text: str, longest: int) -> str:
    """Text of at most `longest` characters: a longer one keeps its beginning and its end."""
    if len(text) <= longest:
        return text
    end = (longest - 1) // 3
    return f"{text[: longest - 1 - end]}…{text[len(text) - end :]}"


def _html_table(sheet: Sheet) -> str:
    caption = f"<caption>{as_markup(sheet.caption)}</caption>" if sheet.caption else ""
    names = "".join(f'<th scope="col">{_cell(name)}</th>' for name in sheet.names)
    head = f"<thead><tr>{names}</tr></thead>" if any(sheet.names) else ""
    rows = "".join(f"<tr>{''.join(map(_html_cell, row))}</tr>" for row in sheet.rows)
    return f"<table>{caption}{head}<tbody>{rows}</tbody></table>"


def _html_cell(value: Any) -> str:
    # Notebooks put cells to the right, where numbers belong.
    return f"<td>{_cell(value)}</td>" if _is_number(value) else f'<td style="text-align: left">{_cell(value)}</td>'


def _cell(value: Any) -> str:
    return escape(middle_cut(text_of(value), _LONGEST_HTML))


def _text_table(sheet: Sheet) -> list[str]:
    rows = [[middle_cut(text_of(value), _LONGEST_TEXT) for value in row] for row in sheet.rows]
    heads = [[text_of(name) for name in sheet.names]] if any(sheet.names) else []
    columns = list(zip(*heads, *rows, strict=True))
    widths = [max(map(len, column)) for column in columns]
    right = [all(_is_number(row[place]) or row[place] is None for row in sheet.rows) for place in range(len(widths))]
    fit = sum(end <= _WIDEST for end in accumulate(2 + width for width in widths))
    lines = [
        "  ".join(
            cell.rjust(width) if number else cell.ljust(width)
            for cell, width, number in zip(row[:fit], widths, right, strict=False)
        ).rstrip()
        for row in (*heads, *rows)
    ]
    return lines if fit == len(widths) else [*lines, f"… and {len(widths) - fit:,} more columns"]


def _holds(column: pa.ChunkedArray) -> bool:
    """Whether some value is there: neither null nor NaN."""
    return not pc.all(column.is_null(nan_is_null=True)).as_py()


def _is_number(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)
