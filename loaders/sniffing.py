"""Text files without a word about themselves: how their fields are divided, and whether they begin with a header."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from itertools import chain

from seedrank.loaders.layout import called
from seedrank.loaders.records import BOM, CSV, TSV, Dialect, fields_of

__all__ = ["has_header", "is_json", "peek", "sniff"]

_QUOTED_TSV = Dialect("tabs", "\t", quotes=True)
_OTHERS = (CSV, Dialect("semicolons", ";", quotes=True), Dialect("vertical bars", "|", quotes=True))
_WHITE_SPACE = Dialect("white space", "\t", quotes=False, runs=True)

_HEAD = 1 << 18
_LINES = 20
_NUMBER = re.compile(r"[+-]?[0-9]+(\.[0-9]*)?([eE][+-]?[0-9]+)?")


def peek(chunks: Iterator[bytes]) -> tuple[bytes, Iterator[bytes]]:
    """The first bytes of a file, as many as `sniff` looks at where there are, and all its pieces as they came."""
    first: list[bytes] = []
    for chunk in chunks:
        first.append(chunk)
        if sum(map(len, first)) > _HEAD:
            break
    return b"".join(first), chain(first, chunks)


def sniff(
    head: bytes,
    *,
    likely: Dialect | None = None,
    width: int | None = None,
    is_header: Callable[[Sequence[str]], bool] = lambda fields: False,
) -> Dialect:
    """How the fields of a text are divided, by its first lines (blank ones and comments apart).

    Tabs, commas, semicolons and vertical bars are tried in this order, after `likely`. The first that makes a header of
    the first line divides the fields; else the first that divides all lines into `width` fields; else the first that
    divides all lines alike, else one that divides the first line at all. White space does, in runs of any length, where
    nothing else divides the first line and it makes a header or `width` fields of it. What nothing divides is one
    column.

    Fields may be quoted, except between tabs: there quotes are part of the text, unless all fields of the first line
    that are no numbers are in quotes.

    Parameters
    ----------
    head
        The first bytes.
    likely
        What the file's name says.
    width
        Number of fields of a file without header, where the user has named them.
    is_header
        Whether fields name the columns that are needed.
    """
    lines = list(_lines(head))
    if not lines:
        return likely or TSV
    tabs = _QUOTED_TSV if _is_quoted(lines[0].split("\t")) else TSV
    dialects = [tabs, *_OTHERS]
    if likely is not None and likely != TSV:
        dialects = [likely, *(dialect for dialect in dialects if dialect != likely)]
    divided = [(dialect, [fields_of(line, dialect) for line in lines]) for dialect in dialects]
    several = [(dialect, rows) for dialect, rows in divided if len(rows[0]) > 1]
    words = [line.split() for line in lines]
    spaced = not several and len(words[0]) > 1 and len({len(row) for row in words}) == 1
    for dialect, rows in several:
        if is_header(_stripped(rows[0])):
            return dialect
    if spaced and (is_header(words[0]) or len(words[0]) == width):
        return _WHITE_SPACE
    for dialect, rows in divided:
        if all(len(row) == width for row in rows):
            return dialect
    for dialect, rows in several:
        if all(len(row) == len(rows[0]) for row in rows):
            return dialect
    return several[0][0] if several else dialects[0]


def has_header(kind: str, first: Sequence[str], second: Sequence[str] | None, columns: Sequence[str] | None) -> bool:
    """Whether the first line of a file is a header, though it does not name all the columns that are needed.

    Where it does, it is one; this is for the others. Without `columns` it is one too: a file must have names. With them
    it is where it has a given name in its place, or where no field of it is a number or URL and all of the next line's
    are; else it is the first row.

    Parameters
    ----------
    first, second
        Fields of the first two lines; `None` where there is no second.
    columns
        Names that the user gives to the columns of files without header.
    """
    if columns is None:
        return True
    places = zip(first, columns, strict=False)
    if any(called(kind, field).lower() == called(kind, name).lower() for field, name in places):
        return True
    return bool(second) and not any(map(_is_value, first)) and all(map(_is_value, second or ()))


def is_json(head: bytes) -> bool:
    """Whether a text begins as JSON lines do."""
    return head.removeprefix(BOM).lstrip().startswith(b"{")


def _lines(head: bytes) -> Iterator[str]:
    """The first lines, without the last where it may be cut."""
    text = head[:_HEAD].removeprefix(BOM)
    lines = text.split(b"\n")
    if len(head) > _HEAD and len(lines) > 1:
        lines.pop()
    found = (line.rstrip(b"\r").decode(errors="replace") for line in lines)
    kept = [line for line in found if line and not line.startswith("#")]
    yield from kept[:_LINES]


def _stripped(fields: Sequence[str]) -> list[str]:
    return [field.strip() for field in fields]


def _is_quoted(fields: Sequence[str]) -> bool:
    words = [field for field in fields if not _NUMBER.fullmatch(field)]
    return bool(words) and all(len(word) > 1 and word[0] == word[-1] == '"' for word in words)


def _is_value(field: str) -> bool:
    return "://" in field or _NUMBER.fullmatch(field.strip()) is not None
