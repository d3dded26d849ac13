"""Columns of tables: which a file has, of which type they are, and whether their values can stand."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from loaders.base import Where
from loaders.levels import link_ends
from seedrank.core.errors import InputError, UsageError
from seedrank.core.model import RESERVED_PAGE_COLUMNS, TABLES, Column, Status

__all__ = ["FEWER_COLUMNS", "MAX_COLUMNS", "Layout", "LinkEnds", "check_rows", "convert", "first_failure"]

MAX_COLUMNS = 256
"""Columns of a table, and of the pages or hosts of a store: each takes an open file and 1 to 2 MB during a load."""

FEWER_COLUMNS = "keep those you need: `cut -f1,2,5` takes columns of a TSV file, pyarrow's `select` of a Parquet file"

_STATUSES = pa.array([status.label for status in Status])
_NOT_NEGATIVE = frozenset({"id", "source", "target", "weight", "clicks", "views", "bytes", "freq", "rank"})
_INTEGER = r"^[ \t]*-?[0-9]+[ \t]*$"
_TIME_HINT = "give ISO 8601 (2024-10-31T12:00:00Z) or seconds since 1970"
_YEAR_10000 = 253_402_300_800


@dataclass(frozen=True)
class Layout:
    """The columns of one file.

    Parameters
    ----------
    kind
        Kind of table.
    names
        All columns, as the file has them.
    kept
        Those that are read: name in the file to name in the table. Columns of the user's own are kept
        where the kind of table is open.
    """

    kind: str
    names: tuple[str, ...]
    kept: dict[str, str]

    @classmethod
    def of(cls, kind: str, names: Sequence[str], *, file: str | None = None, line: int | None = None) -> Layout:
        """Match a header (or, without `file`, the names a user gives) with the known columns."""
        table = TABLES[kind]
        if len(names) > MAX_COLUMNS:
            raise _wrong(kind, f"{len(names):,} columns, and a table may have {MAX_COLUMNS}", FEWER_COLUMNS, file, line)
        kept: dict[str, str] = {}
        ends = link_ends(kind, names)
        for name in names:
            known = _known(kind, ends.get(name, name))
            if known is None and table.open:
                if not name:
                    raise _wrong(kind, "a column has no name", "name every column", file, line)
                if kind == "pages" and name.lower() in RESERVED_PAGE_COLUMNS:
                    raise _wrong(kind, "a column may not be called {name}", "rename it", file, line, name=name)
            shown = known.name if known else name
            if shown in kept.values() or name in kept:
                twice = [other for other in names if other == name or kept.get(other) == shown]
                found = {"shown": shown, "twice": ", ".join(twice)}
                raise _wrong(kind, "two columns are {shown} ({twice})", "rename one", file, line, **found)
            if known is not None or table.open:
                kept[name] = shown
        if not any(need <= set(kept.values()) for need in table.needs):
            needed = " or ".join(" and ".join(c.name for c in table.columns if c.name in need) for need in table.needs)
            # A line is known of text alone: other files have the names of their columns.
            without_header = f", or name them with {{columns[{kind}]}} where the file has no header"
            raise _wrong(
                kind,
                f"{kind} need {needed}; the columns are {{names}}",
                f"rename them{'' if line is None else without_header}",
                file,
                line,
                names=", ".join(names),
            )
        return cls(kind, tuple(names), kept)

    def type_of(self, name: str) -> pa.DataType | None:
        """Type of a column of the file; `None` for the user's own."""
        known = _known(self.kind, name)
        return None if known is None else known.type

    def is_flag(self, name: str) -> bool:
        """Whether a column of the file may say true and false for 1 and 0."""
        known = _known(self.kind, name)
        return known is not None and known.flag


def _known(kind: str, name: str) -> Column | None:
    return TABLES[kind].column(name) or TABLES[kind].column(name.lower())


def _wrong(
    kind: str, message: str, hint: str, file: str | None, line: int | None, **values: str
) -> InputError | UsageError:
    if file is None:
        return UsageError(f"{{columns[{kind}]}}: {message}", hint=hint, fields=("columns",), values=values)
    return InputError(message, file=file, line=line, hint=hint, fields=("columns",), values=values)


class LinkEnds:
    """Whether links name their ends by id or by URL: decided by the first rows, kept for all.

    Parameters
    ----------
    names_only
        Never take them for ids (names that happen to be numbers, put behind a URL prefix).
    """

    def __init__(self, *, names_only: bool) -> None:
        self.names_only = names_only
        self.type: pa.DataType | None = None

    @property
    def ids(self) -> bool:
        """Whether they are known to be ids."""
        return bool(self.type is not None and pa.types.is_integer(self.type))

    def decide(self, rows: pa.RecordBatch) -> pa.DataType:
        """The type of both ends, int64 or string, from the first rows."""
        ends = [rows.column(name) for name in ("source", "target")]
        self.type = pa.int64() if all(map(self._ids, ends)) else pa.string()
        return self.type

    def _ids(self, end: pa.Array) -> bool:
        if pa.types.is_integer(end.type):
            return True
        if self.names_only or not pa.types.is_string(end.type):
            return False
        return bool(pc.all(pc.match_substring_regex(end, _INTEGER)).as_py() and end.null_count < len(end))


def first_failure(rows: int, passes: Callable[[int, int], bool]) -> int:
    """The first row that fails, found by halving, `rows` where all pass; `passes(start, stop)` tries some rows."""
    low, high = 0, rows
    if passes(low, high):
        return rows
    while high - low > 1:
        middle = (low + high) // 2
        if passes(low, middle):
            low = middle
        else:
            high = middle
    return low


def convert(values: pa.Array, kind: pa.DataType, *, column: str, where: Where, flag: bool = False) -> pa.Array:
    """Values of a column in another type; the first that does not fit is an `InputError` with its line.

    Text of a `flag` may also be true or false.
    """
    if values.type == kind:
        return values
    try:
        return _cast(values, kind, flag)
    except pa.ArrowException:
        pass

    def passes(start: int, stop: int) -> bool:
        try:
            _cast(values[start:stop], kind, flag)
        except pa.ArrowException:
            return False
        return True

    row = min(first_failure(len(values), passes), len(values) - 1)
    value = values[row].as_py()
    message, hint = _misfit(value, kind, column, flag)
    raise InputError(
        message,
        file=where.file,
        line=where.line(row),
        column=column,
        value=value,
        hint=hint,
        fields=("url_prefix",),
    )


def _cast(values: pa.Array, kind: pa.DataType, flag: bool) -> pa.Array:
    if pa.types.is_dictionary(values.type):
        values = values.dictionary_decode()
    if values.type == kind:
        return values
    if pa.types.is_large_string(values.type):
        values = values.cast(pa.string())
    if pa.types.is_timestamp(kind):
        return _times(values)
    if pa.types.is_string(values.type) and not pa.types.is_string(kind):
        values = pc.ascii_trim(values, " \t")
        values = pc.if_else(pc.equal(values, ""), None, values)
        if flag:
            word = pc.ascii_lower(values)
            values = pc.if_else(pc.equal(word, "true"), "1", pc.if_else(pc.equal(word, "false"), "0", values))
    # An integer over 2^53 may lose its last digits as a double: weights and counts can bear that.
    return values.cast(kind, safe=not (pa.types.is_integer(values.type) and pa.types.is_floating(kind)))


def _times(values: pa.Array) -> pa.Array:
    """Timestamps in UTC without zone: of ISO 8601 text, seconds since 1970, dates or other timestamps."""
    kind = pa.timestamp("us")
    if pa.types.is_integer(values.type) or pa.types.is_floating(values.type):
        seconds = values.cast(pa.float64(), safe=False)
        if pc.any(pc.greater_equal(pc.abs(seconds), _YEAR_10000)).as_py():
            raise pa.ArrowInvalid("milliseconds are no seconds")
        return pc.round(pc.multiply(seconds, 1e6)).cast(pa.int64()).cast(kind)
    if not pa.types.is_string(values.type):
        return values.cast(kind, safe=False)
    text = pc.ascii_trim(values, " \t")
    seconds = pc.match_substring_regex(text, r"^-?[0-9]+(\.[0-9]*)?$")
    zoned = pc.match_substring_regex(text, r":.*(Z|[+-][0-9:]+)$")
    text = pc.replace_substring_regex(text, r"(\.[0-9]{6})[0-9]+", r"\1")
    parts: tuple[tuple[pa.Array, Callable[[pa.Array], pa.Array]], ...] = (
        (seconds, lambda part: _times(part.cast(pa.float64()))),
        (pc.and_not(zoned, seconds), lambda part: part.cast(pa.timestamp("us", "UTC")).cast(kind)),
        (pc.invert(pc.or_(seconds, zoned)), lambda part: part.cast(kind)),
    )
    times = pa.nulls(len(text), kind)
    for mask, parse in parts:
        mask = pc.fill_null(mask, False)
        if mask.true_count:
            times = pc.replace_with_mask(times, mask, parse(text.filter(mask)))
    return times


def _misfit(value: object, kind: pa.DataType, column: str, flag: bool) -> tuple[str, str]:
    if pa.types.is_integer(kind):
        if _whole(value):
            return "does not fit in 64 bits", "ids go to 9223372036854775807"
        if column in ("source", "target"):
            return "is no id, and the rows before it are", "name all pages by id or all by URL"
        return "is not a whole number", "ids are numbers; names belong into a column url (see {url_prefix})"
    if pa.types.is_floating(kind):
        message = "is neither true or false nor a number" if flag else "is not a number"
        return message, "leave the field empty where there is none"
    if pa.types.is_timestamp(kind):
        return "is not a time", _TIME_HINT
    return f"cannot be read as {kind}", "check the column's type"


def _whole(value: object) -> bool:
    return isinstance(value, int) or (isinstance(value, str) and value.strip(" \t").lstrip("+-").isdecimal())


def check_rows(kind: str, rows: pa.RecordBatch, where: Where) -> None:
    """Raise `InputError` for the first value that cannot stand in its column, or the first row that names nothing."""
    for name in rows.schema.names:
        values = rows.column(name)
        column = TABLES[kind].column(name)
        if column is None:
            continue
        if name == "status":
            bad = pc.and_(values.is_valid(), pc.invert(pc.is_in(values, _STATUSES)))
            _refuse(bad, values, name, where, "is no status", f"one of {', '.join(_STATUSES.to_pylist())}")
        if pa.types.is_floating(values.type):
            finite = pc.invert(pc.is_finite(values))
            _refuse(finite, values, name, where, "is not a finite number", "leave the field empty")
        if name in _NOT_NEGATIVE and (pa.types.is_integer(values.type) or pa.types.is_floating(values.type)):
            _refuse(pc.less(values, 0), values, name, where, "is negative", "it must be 0 or more")
    needs = [need for need in TABLES[kind].needs if need <= set(rows.schema.names)]
    if any(all(rows.column(name).null_count == 0 for name in need) for need in needs):
        return
    named = np.zeros(rows.num_rows, np.bool_)
    for need in needs:
        valid = [rows.column(name).is_valid().to_numpy(zero_copy_only=False) for name in need]
        named |= np.logical_and.reduce(valid)
    if not named.all():
        row = int(np.argmin(named))
        empty = sorted({name for need in needs for name in need if not rows.column(name)[row].is_valid})
        raise InputError("is empty", file=where.file, line=where.line(row), column=" and ".join(empty), hint="fill it")


def _refuse(bad: pa.Array, values: pa.Array, name: str, where: Where, message: str, hint: str) -> None:
    row = pc.index(bad, True).as_py()
    if row >= 0:
        raise InputError(
            message, file=where.file, line=where.line(row), column=name, value=values[row].as_py(), hint=hint
        )
