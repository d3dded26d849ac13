"""Tables for people: one kind of table, on a terminal, at Python's prompt, in notebooks, reports, documents and LaTeX.

Values are hostile. They become text and nothing else: every one is escaped, no link is made of a URL, no formula of
what is between dollars, and nothing is fetched to show them.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from html import escape
from itertools import zip_longest
from os.path import commonprefix
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc

from seedrank.core.numbers import show_interval, show_number
from seedrank.core.sanitize import as_markup, visible

__all__ = [
    "SHOWN",
    "Bounded",
    "Column",
    "Sheet",
    "as_html",
    "as_latex",
    "as_markdown",
    "as_text",
    "columns_of",
    "cut_apart",
    "ends_of",
    "escaped",
    "fit",
    "lines_of",
    "markdown_cell",
    "middle_cut",
    "pairs",
    "sheet_of",
    "show_cell",
    "sort_key",
    "text_of",
]


SHOWN = 10
"""Rows of a table that is shown, not used."""
_LONGEST = 300
"""Characters of a text in a cell, where lines may be of any length."""
_WIDEST = 160
"""Cells of a line at Python's prompt."""
_LEAST_APART, _BACK = 16, 4
"""Cells in which texts can be told apart, and letters before the place where they differ in which a part may begin."""
_GAP = 2
"""Blanks between two columns."""
_LEAST_ADDRESS, _LEAST_TEXT = 32, 16
_IDS = ("id", "source_id")
"""Whole numbers that name something, written without separators."""
_ADDRESSES = ("url", "host", "domain", "old", "new", "page")
_SCHEME = re.compile(r"^https?://")
_PROSE = ("why", "answers", "parameters")
"""Columns of sentences: they go over several lines."""
_MINOR = (
    *("source_id", "id", "host", "site", "frontier_reached", "gain_pages", "covered_pages", "discovered"),
    *("engine", "us_per_page", "seconds", "created"),
)
"""Columns that a narrow line loses first, in this order; then those farthest to the right."""
_NO_FORMULAS = "tex2jax_ignore mathjax_ignore"
"""Classes whose text MathJax 2 and 3 leave as it is."""


@dataclass(frozen=True)
class Sheet:
    """A small table to show."""

    names: Sequence[str]
    """Heads of the columns."""
    rows: Sequence[Sequence[Any]]
    """Values, as many as there are names in each row."""
    caption: str = ""
    """What it is, where that is not clear."""
    total: int = 0
    """Rows there are in all, where these are the first of them."""

    @cached_property
    def numeric(self) -> list[bool]:
        """Whether each column holds numbers."""
        return [all(_is_number(row[n]) or row[n] is None for row in self.rows) for n in range(len(self.names))]


@dataclass(frozen=True)
class Bounded:
    """A number with its interval, in one cell."""

    value: float
    low: float
    high: float
    digits: int = 4

    def __str__(self) -> str:
        return show_interval(self.value, self.low, self.high, self.digits)


@dataclass(frozen=True)
class Column:
    """A column of text."""

    name: str
    """Its heading."""
    cells: Sequence[str]
    """A text per row."""
    number: bool
    """Whether it holds numbers: never shortened, aligned to the right."""

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


# -- tables from what there is


def sheet_of(table: pa.Table, caption: str = "", most: int | None = SHOWN, *, empty: bool = False) -> Sheet:
    """The first rows of a table, without columns that hold nothing in them unless `empty` asks for those too."""
    few = table if most is None else table.slice(0, most)
    full = [place for place, column in enumerate(few.columns) if empty or not few.num_rows or _holds(column)]
    columns = [few.column(place).to_pylist() for place in full]
    return Sheet([few.column_names[place] for place in full], list(zip(*columns, strict=True)), caption, table.num_rows)


def pairs(values: Mapping[str, Any], caption: str = "", names: Sequence[str] = ("", "")) -> Sheet:
    """Names and values, a row each."""
    return Sheet(names, list(values.items()), caption)


# -- values as text


def text_of(value: Any, digits: int = 4) -> str:
    """A value as people read it: numbers whole with separators or to a few digits; nothing that steers a terminal."""
    if value is None or (isinstance(value, float) and math.isnan(value)):
        return ""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, int | float):
        return show_number(value, digits)
    if isinstance(value, Mapping):
        return ", ".join(f"{visible(str(name))}: {text_of(one, digits)}" for name, one in value.items())
    if isinstance(value, list | tuple):
        return ", ".join(text_of(one, digits) for one in value)
    return visible(str(value))


def show_cell(name: str, value: Any, digits: int = 4) -> str:
    """A value as it stands in the column `name`: ids have no separators."""
    return str(value) if name in _IDS and isinstance(value, int) else text_of(value, digits)


def sort_key(value: Any) -> str | None:
    """What a cell of a page is sorted by; `None` where that is its text."""
    return "" if text_of(value) == "" else repr(value) if _is_number(value) else None


def middle_cut(text: str, longest: int) -> str:
    """Text that takes at most `longest` cells: a longer one keeps its beginning and its end."""
    from rich.cells import cell_len, set_cell_size

    if cell_len(text) <= longest:
        return text
    if longest <= 1:
        return "…"[:longest]
    tail = (longest - 1) * 2 // 5
    end = text[len(text) - tail :] if tail else ""
    while cell_len(end) > tail:
        end = end[1:]
    return f"{set_cell_size(text, longest - 1 - cell_len(end)).rstrip()}…{end}"


def cut_apart(texts: Sequence[str], longest: int) -> list[str]:
    """Texts as `middle_cut` shortens them, but those that would read the same are cut in what they share.

    Their beginning and their end stay, and between them the place where they differ.
    """
    short = [middle_cut(text, longest) for text in texts]
    differ: list[set[int]] = [set() for _ in texts]
    while longest >= _LEAST_APART:
        alike: dict[str, list[int]] = {}
        for place, one in enumerate(short):
            alike.setdefault(one, []).append(place)
        progress = False
        for places in alike.values():
            shared = len(commonprefix([texts[place] for place in places]))  # noqa: RUF071  (letters are meant)
            for place in places:
                if len(set(map(texts.__getitem__, places))) > 1 and shared not in differ[place]:
                    differ[place].add(shared)
                    short[place] = _cut_before(texts[place], sorted(differ[place]), longest)
                    progress = True
        if not progress:
            break
    return short


def _cut_before(text: str, places: Sequence[int], longest: int) -> str:
    """Text cut so that its beginning, what follows each of some places, and its end are seen."""
    from rich.cells import cell_len, set_cell_size

    if cell_len(text) <= longest:
        return text
    head = set_cell_size(text[: places[0]], longest // 4).rstrip()
    room = longest - 1 - cell_len(head)
    parts = [head]
    for number, place in enumerate(places, 1):
        slash = text.rfind("/", max(place - _BACK, 0), place)
        rest = text[place if slash < 0 else slash :]
        if number == len(places):
            parts.append(middle_cut(rest, room))
        else:
            has = room // (len(places) - number + 1) - 1
            parts.append(set_cell_size(rest, max(has, 1)).rstrip())
            room -= 1 + cell_len(parts[-1])
    return middle_cut("…".join(parts), longest)


# -- notebooks


def as_html(title: str, sheets: Iterable[Sheet]) -> str:
    """A title and tables below it."""
    tables = "".join(_html_table(sheet) for sheet in sheets)
    return f'<div class="{_NO_FORMULAS}"><p>{as_markup(title)}</p>{tables}</div>'


def _html_table(sheet: Sheet) -> str:
    caption = f"<caption>{as_markup(sheet.caption)}</caption>" if sheet.caption else ""
    names = "".join(f'<th scope="col">{_html_text("", name)}</th>' for name in sheet.names)
    head = f"<thead><tr>{names}</tr></thead>" if any(sheet.names) else ""
    rows = "".join(f"<tr>{''.join(map(_html_cell, sheet.names, row))}</tr>" for row in sheet.rows)
    return f"<table>{caption}{head}<tbody>{rows}</tbody></table>"


def _html_cell(name: str, value: Any) -> str:
    # Notebooks put cells to the right, where numbers belong.
    left = "" if _is_number(value) else ' style="text-align: left"'
    return f"<td{left}>{_html_text(name, value)}</td>"


def _html_text(name: str, value: Any) -> str:
    return escape(middle_cut(show_cell(name, value), _LONGEST))


# -- documents


def as_markdown(names: Sequence[str], rows: Iterable[Sequence[Any]], right: Sequence[int] = ()) -> list[str]:
    """Lines of a Markdown table; cells are Markdown already (`markdown_cell` makes text so).

    Parameters
    ----------
    names
        Heads of the columns.
    rows
        As many cells as there are names in each.
    right
        Places of the columns that are aligned to the right.
    """
    rules = ["---:" if place in right else "---" for place in range(len(names))]
    return [f"| {' | '.join(map(str, row))} |" for row in (names, rules, *rows)]


def markdown_cell(text: str) -> str:
    """Text as a cell of a Markdown table: nothing in it is markup."""
    return escape(text, quote=False).replace("|", "\\|").replace("\n", " ")


# -- lines of text, at Python's prompt and on a terminal


def as_text(title: str, sheets: Iterable[Sheet]) -> str:
    """A title and tables below it, as lines of text."""
    lines = [visible(title)]
    for sheet in sheets:
        rows, hidden = lines_of(columns_of(sheet), _WIDEST)
        lines += [visible(sheet.caption)] if sheet.caption else []
        lines += rows if any(sheet.names) else rows[1:]
        lines += [middle_cut(f"not shown for lack of width: {', '.join(hidden)}", _WIDEST)] if hidden else []
    return "\n".join(lines)


def columns_of(sheet: Sheet, digits: int = 4) -> list[Column]:
    """The columns of a table as text."""
    return [
        Column(visible(name), [show_cell(name, row[place], digits) for row in sheet.rows], number)
        for place, (name, number) in enumerate(zip(sheet.names, sheet.numeric, strict=True))
    ]


def lines_of(columns: Sequence[Column], width: int) -> tuple[list[str], list[str]]:
    """A line of names, then the rows, columns one below the other; and the names of columns that do not fit."""
    shown, widths, hidden = fit(columns, width)
    lines: list[str] = [] if shown else [""]
    columns_cut = [
        [_fold(cell, has) for cell in (one.name, *one.cells)]
        if one.name in _PROSE
        else [[middle_cut(one.name, has)], *([cell] for cell in cut_apart(_from_host(one, has), has))]
        for one, has in zip(shown, widths, strict=True)
    ]
    for cells in zip(*columns_cut, strict=True):
        for parts in zip_longest(*cells, fillvalue=""):
            padded = (_pad(text, one.number, has) for text, one, has in zip(parts, shown, widths, strict=True))
            lines.append((" " * _GAP).join(padded).rstrip())
    return lines, hidden


def _from_host(column: Column, width: int) -> Sequence[str]:
    """The cells of a column; addresses that are too long for it begin at their host, unless two would be the same."""
    from rich.cells import cell_len

    if column.name not in _ADDRESSES:
        return column.cells
    short = [_SCHEME.sub("…", cell) if cell_len(cell) > width else cell for cell in column.cells]
    return short if len(set(short)) == len(set(column.cells)) else column.cells


def fit(columns: Sequence[Column], width: int) -> tuple[list[Column], list[int], list[str]]:
    """The columns that fit, the width of each, and the names of those that do not.

    Parameters
    ----------
    columns
        In order; the first stays.
    width
        Of the line, in cells.
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


def _fold(text: str, width: int) -> list[str]:
    """A sentence over lines of at most `width` cells."""
    from textwrap import wrap

    from rich.cells import cell_len

    # Letters of some scripts take two cells.
    letters = width if cell_len(text) == len(text) else max(width // 2, 1)
    return wrap(text, letters, break_on_hyphens=False) or [""]


def _pad(text: str, number: bool, width: int) -> str:
    from rich.cells import cell_len

    blanks = " " * (width - cell_len(text))
    return blanks + text if number else text + blanks


def _holds(column: pa.ChunkedArray) -> bool:
    """Whether some value is there: neither null nor NaN."""
    return not pc.all(column.is_null(nan_is_null=True)).as_py()


def _is_number(value: Any) -> bool:
    return isinstance(value, int | float | Bounded) and not isinstance(value, bool)


_SPECIAL = {
    "\\": r"\textbackslash{}", "{": r"\{", "}": r"\}", "$": r"\$", "&": r"\&", "#": r"\#", "%": r"\%", "_": r"\_",
    "~": r"\textasciitilde{}", "^": r"\textasciicircum{}", "<": r"\textless{}", ">": r"\textgreater{}",
    "±": r"$\pm$", "≤": r"$\le$", "≥": r"$\ge$", "∞": r"$\infty$",
}  # fmt: skip


def as_latex(table: pa.Table, caption: str = "") -> str:
    r"""A table for a paper; it needs ``\usepackage{booktabs}``.

    Parameters
    ----------
    table
        Columns ``x_low`` and ``x_high``, or ``low`` and ``high``, behind ``x`` are the ends of its interval.
    caption
        Stands in a comment above it, for whoever reads the file.
    """
    names = [name for name in table.column_names if name not in _all_ends(table.column_names)]
    kinds = [table.schema.field(name).type for name in names]
    aligned = "".join("r" if pa.types.is_integer(kind) or pa.types.is_floating(kind) else "l" for kind in kinds)
    rows = [
        " & ".join(_cell(row[name], *(row[end] for end in ends_of(name, table.column_names))) for name in names)
        for row in table.to_pylist()
    ]
    comment = [f"% {visible(' '.join(caption.split()))}"] if caption else []
    head = " & ".join(escaped(name.replace("_", " ")) for name in names)
    lines = [f"\\begin{{tabular}}{{{aligned}}}", r"\toprule", rf"{head} \\", r"\midrule"]
    lines += [*(rf"{row} \\" for row in rows), r"\bottomrule", r"\end{tabular}"]
    return "\n".join([*comment, *lines, ""])


def escaped(text: str) -> str:
    """Text as LaTeX takes it, on one line."""
    return "".join(_SPECIAL.get(letter, letter) for letter in visible(text))


def ends_of(name: str, names: Sequence[str]) -> tuple[str, ...]:
    """The columns with the ends of the interval around `name`: ``x_low``, ``x_high``, or ``low``, ``high`` after it."""
    place = names.index(name)
    for low, high in ((f"{name}_low", f"{name}_high"), ("low", "high")):
        if tuple(names[place + 1 : place + 3]) == (low, high):
            return low, high
    return ()


def _all_ends(names: Sequence[str]) -> set[str]:
    return {end for name in names for end in ends_of(name, names)}


def _cell(value: Any, low: float | None = None, high: float | None = None) -> str:
    if value is None or value != value:
        return "--"
    if isinstance(value, bool):
        return "yes" if value else "no"
    if not isinstance(value, int | float):
        return escaped(str(value))
    text = show_interval(value, low, high) if low is not None and high is not None else show_number(value)
    return escaped(text).replace("-", "$-$")
