"""The type of a column of the user's own that came as text, from all of its values.

Whole numbers are int64, numbers float64, true and false Boolean, everything else is text; empty fields do not count.
Numbers with a zero before them (``00123``, ``0x1F``) are codes: one of them makes the column text, or the zeros would
be lost.

A column that is not all of one kind is text only if it looks like text. In a table it is an error, with the first
value that does not fit, where more than half of the values are numbers (or true and false), or where all that are not
are marks of a missing value (``n/a``, ``null``, ``-`` …): who looks for pages with more than 100 views must not be told
that ``9`` is more than ``100`` because somebody wrote ``n/a`` into one row of a million.
"""

from __future__ import annotations

import pyarrow as pa
import pyarrow.compute as pc

from seedrank.loaders.base import Where
from seedrank.loaders.columns import first_failure

__all__ = ["BOOL", "FLOAT", "INT", "TEXT", "Misfit", "TextType"]

INT, FLOAT, BOOL, TEXT = pa.int64(), pa.float64(), pa.bool_(), pa.string()

_TRUTH = pa.array(["true", "false"])
_MARKS = pa.array(
    ["n/a", "#n/a", "na", "n.a.", "nil", "null", "none", "\\n", "nan", "-", "--", "?", ".", "unknown", "missing"]
)
"""In small letters."""
_CODE = r"^([+-]?0[0-9]+(\.[0-9]*)?|0[xX][0-9a-fA-F]+)$"
_WHOLE = r"^-?[0-9]+$"
_NUMBER = r"^[+-]?([0-9]+\.?[0-9]*|\.[0-9]+)([eE][+-]?[0-9]+)?$"

Misfit = tuple[Where, int, str]
"""Where the batch comes from, the line in it, and the value."""


class TextType:
    """Takes the values of a column, batch by batch, and knows what they can be read as."""

    def __init__(self) -> None:
        self._misfits: dict[pa.DataType, Misfit] = {}
        self._coded = False
        self._values = self._marks = 0
        self._fits = {FLOAT: 0, BOOL: 0}

    @property
    def type(self) -> pa.DataType:
        """What all values can be read as."""
        return TEXT if self._coded else next((kind for kind in (INT, FLOAT, BOOL) if kind not in self._misfits), TEXT)

    def see(self, values: pa.Array, where: Where) -> None:
        """Take a batch."""
        values = trimmed(values)
        for kind in (INT, FLOAT, BOOL):
            if kind not in self._misfits and (row := _first_misfit(values, kind)) is not None:
                self._misfits[kind] = (where, where.line(row), values[row].as_py())
        present = len(values) - values.null_count
        numbers = _count(pc.match_substring_regex(values, _NUMBER))
        self._values += present
        self._fits[FLOAT] += numbers
        self._coded |= _count(pc.match_substring_regex(values, _CODE)) > 0
        if numbers < present:
            word = pc.ascii_lower(values)
            self._fits[BOOL] += _count(pc.is_in(word, _TRUTH))
            self._marks += _count(pc.is_in(word, _MARKS))

    def misfit(self, wanted: pa.DataType) -> Misfit | None:
        """The first value that cannot be read as `wanted`."""
        return self._misfits.get(wanted)

    def stray(self) -> tuple[pa.DataType, Misfit] | None:
        """The first value that keeps a column of numbers, or of true and false, from being one; `None` for text."""
        if self._coded or self.type != TEXT:
            return None
        for kind, fits in self._fits.items():
            if fits and (2 * fits > self._values or fits + self._marks == self._values):
                return kind, self._misfits[kind]
        return None


def trimmed(values: pa.Array) -> pa.Array:
    """Text without spaces around it, null where nothing is left."""
    values = pc.ascii_trim(values, " \t")
    return pc.if_else(pc.equal(values, ""), pa.scalar(None, values.type), values)


def _count(mask: pa.Array) -> int:
    return int(pc.sum(mask).as_py() or 0)


def _first_misfit(values: pa.Array, kind: pa.DataType) -> int | None:
    if kind == BOOL:
        fits = pc.is_in(pc.ascii_lower(values), _TRUTH)
        row: int = pc.index(pc.or_kleene(fits, values.is_null()), False).as_py()
        return None if row < 0 else row
    # A cast that fails takes a hundred times as long as one that does not: what looks right is told apart first.
    odd = pc.index(pc.match_substring_regex(values, _WHOLE if kind == INT else _NUMBER), False).as_py()
    end = len(values) if odd < 0 else odd
    if _reads(values[:end], kind):
        if end == len(values):
            return None
        if not _reads(values[end : end + 1], kind):
            return end
        start = end + 1  # such as NaN
    else:
        start = 0
    row = start + first_failure(len(values) - start, lambda low, high: _reads(values[start + low : start + high], kind))
    return None if row == len(values) else row


def _reads(values: pa.Array, kind: pa.DataType) -> bool:
    try:
        values.cast(kind)
    except pa.ArrowInvalid:
        return False
    return True
