"""Quotes in delimited text: fields that run over line ends, and stray quotes that would swallow rows."""

from __future__ import annotations

import re
from collections.abc import Sequence

__all__ = ["RowPattern", "has_quoted", "long_field"]

_NUMBER = re.compile(r"[+-]?[0-9]+(\.[0-9]*)?([eE][+-]?[0-9]+)?")


class RowPattern:
    """What a row of a file looks like: how many fields, and which of them are URLs or numbers."""

    def __init__(self, fields: Sequence[str], delimiter: str) -> None:
        mark = re.escape(delimiter)
        quoted_end = rf"(?={mark}|\r?$)"
        kinds = {
            "url": rf'(?>"[^"\n]*://[^"\n]*"{quoted_end}|[^{mark}\n]*://[^{mark}\n]*)',
            "number": r'(?>"?[ \t]*[+-]?[0-9]+(?:\.[0-9]*)?(?:[eE][+-]?[0-9]+)?[ \t]*"?)',
            "text": rf'(?>"(?:[^"\n]|"")*"{quoted_end}|[^{mark}\n]*)',
        }
        found = [_kind(field) for field in fields]
        self._urls, self._fewest = "url" in found, 2 if "number" in found else 20
        self._several = len(fields) > 1
        self._row = re.compile(f"^{mark.join(kinds[kind] for kind in found)}\r?$".encode(), re.MULTILINE)

    def is_swallowed(self, record: bytes) -> bool:
        """Whether a record of several lines holds rows of their own, behind a stray quote.

        With URLs among the fields it does where a line after the first reads as a row. With numbers all that follow
        must, at least two, and with neither at least twenty: text may look like numbers and names by chance.
        """
        if self._urls:
            return self._row.search(record, record.find(b"\n") + 1) is not None
        lines = [line for line in record.split(b"\n")[1:] if line.strip()]
        return self._several and len(lines) >= self._fewest and all(map(self._row.match, lines))


def _kind(field: str) -> str:
    if "://" in field:
        return "url"
    return "number" if _NUMBER.fullmatch(field.strip()) else "text"


def has_quoted(text: bytes, delimiter: str) -> bool:
    """Whether a line has a field that begins and ends with a quote."""
    mark = re.escape(delimiter)
    return re.search(rf'(?:^|{mark})"(?>[^"\n]|"")*"(?={mark}|\r?$)'.encode(), text, re.MULTILINE) is not None


def long_field(record: bytes, delimiter: str, begin: int = 0) -> tuple[int, int, int] | None:
    """Number, byte and line of the first quoted field from field `begin` on that holds a line end, all from 0.

    A field that is not closed runs to the end of the record; `None` where no field holds a line end.
    """
    mark = re.escape(delimiter).encode()
    field = re.compile(rb'((?:"(?>[^"]+|"")*+(?:"|\Z))?)[^' + mark + rb"\n]*")
    at = number = line = 0
    while (found := field.match(record, at)) is not None:
        ends = found[1].count(b"\n")
        if ends and number >= begin:
            return number, at, line
        at, number, line = found.end(), number + 1, line + ends
        if record[at : at + 1] != delimiter.encode():
            return None
        at += 1
    return None
