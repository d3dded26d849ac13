"""Columns of tables: of which type they are, and whether their values can stand."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from seedrank.core.errors import InputError
from seedrank.core.model import TABLES, Status
from seedrank.loaders.base import Where
from seedrank.loaders.rejects import Rejects, Sieve
from seedrank.loaders.times import TIME_HINT, to_times

__all__ = ["LinkEnds", "check_rows", "convert", "failures", "first_failure"]

_STATUSES = pa.array([status.label for status in Status])
_NOT_NEGATIVE = frozenset({"id", "source", "target", "weight", "clicks", "views", "bytes", "freq", "rank"})
_INTEGER = r"^[ \t]*-?[0-9]+[ \t]*$"


class LinkEnds:
    """Whether links name their ends by id or by URL: decided by the first rows, kept for all.

    With `names_only` never for ids: names that happen to be numbers, put behind a URL prefix.
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


def failures(rows: int, passes: Callable[[int, int], bool]) -> np.ndarray:
    """Boolean per row: whether it fails, found by halving; `passes(start, stop)` tries some rows."""
    failing = np.zeros(rows, np.bool_)
    waiting = [(0, rows)] if rows else []
    while waiting:
        start, stop = waiting.pop()
        if passes(start, stop):
            continue
        if stop - start == 1:
            failing[start] = True
        else:
            middle = (start + stop) // 2
            waiting += [(start, middle), (middle, stop)]
    return failing


def convert(
    values: pa.Array,
    kind: pa.DataType,
    *,
    column: str,
    where: Where,
    flag: bool = False,
    months: bool = False,
    sieve: Sieve | None = None,
) -> pa.Array:
    """Values of a column in another type; the first that does not fit is an `InputError` with its line.

    Text of a `flag` may also be true or false; `months` is as of `seedrank.loaders.times.to_times`. A `sieve` that is
    tolerant takes the rows that do not fit, and their values are null.
    """
    if values.type == kind:
        return values
    try:
        return _cast(values, kind, flag, months)
    except pa.ArrowException:
        pass

    def passes(start: int, stop: int) -> bool:
        try:
            _cast(values[start:stop], kind, flag, months)
        except pa.ArrowException:
            return False
        return True

    def misfit(row: int) -> InputError:
        value = values[row].as_py()
        message, hint = _misfit(value, kind, column, flag)
        return where.error(row, message, hint, column=column, value=value, fields=("url_prefix",))

    if sieve is None or not sieve.tolerant:
        raise misfit(min(first_failure(len(values), passes), len(values) - 1))
    bad = failures(len(values), passes)
    sieve.refuse(bad, misfit)
    return _cast(pc.if_else(pa.array(bad), pa.scalar(None, values.type), values), kind, flag, months)


def _cast(values: pa.Array, kind: pa.DataType, flag: bool, months: bool) -> pa.Array:
    if pa.types.is_dictionary(values.type):
        values = values.dictionary_decode()
    if values.type == kind:
        return values
    if pa.types.is_large_string(values.type) or (pa.types.is_binary(values.type) and not pa.types.is_binary(kind)):
        values = values.cast(pa.string())
        if values.type == kind:
            return values
    if pa.types.is_timestamp(kind):
        return to_times(values, months=months)
    if pa.types.is_string(values.type) and not pa.types.is_string(kind):
        values = pc.ascii_trim(values, " \t")
        values = pc.if_else(pc.equal(values, ""), None, values)
        if flag:
            word = pc.ascii_lower(values)
            values = pc.if_else(pc.equal(word, "true"), "1", pc.if_else(pc.equal(word, "false"), "0", values))
    # An integer over 2^53 may lose its last digits as a double: weights and counts can bear that.
    return values.cast(kind, safe=not (pa.types.is_integer(values.type) and pa.types.is_floating(kind)))


def _misfit(value: object, kind: pa.DataType, column: str, flag: bool) -> tuple[str, str]:
    if pa.types.is_integer(kind):
        if _whole(value):
            return "does not fit in 64 bits", "ids go to 9223372036854775807"
        if column in ("source", "target"):
            return "is not an id, and the rows before it are", "name all pages by id or all by URL"
        return "is not a whole number", "ids are numbers; names belong into a column url (see {url_prefix})"
    if pa.types.is_floating(kind):
        message = "is neither true or false nor a number" if flag else "is not a number"
        return message, "leave the field empty where there is none"
    if pa.types.is_timestamp(kind):
        return "is not a time", TIME_HINT
    if isinstance(value, bytes) and pa.types.is_string(kind):
        return "is not UTF-8", "convert the file"
    return f"cannot be read as {kind}", "check the column's type"


def _whole(value: object) -> bool:
    return isinstance(value, int) or (isinstance(value, str) and value.strip(" \t").lstrip("+-").isdecimal())


def check_rows(
    kind: str, rows: pa.RecordBatch, where: Where, *, mappable: bool = False, sieve: Sieve | None = None
) -> None:
    """Raise `InputError` for the first value that cannot stand in its column, or the first row that names nothing.

    `mappable` says that users can give statuses other names. A tolerant `sieve` takes the rows instead.
    """
    sieve = sieve or Sieve(Rejects(), where, str)
    for name in rows.schema.names:
        values = rows.column(name)
        column = TABLES[kind].column(name)
        if column is None:
            continue
        if name == "status":
            bad = pc.and_(values.is_valid(), pc.invert(pc.is_in(values, _STATUSES)))
            hint = f"one of {', '.join(_STATUSES.to_pylist())}"
            hint = f"{hint}, or say which it is with {{status_map}}" if mappable else hint
            _refuse(sieve, bad, values, name, where, "is not a status", hint)
        if pa.types.is_floating(values.type):
            finite = pc.invert(pc.is_finite(values))
            _refuse(sieve, finite, values, name, where, "is not a finite number", "leave the field empty")
        if name in _NOT_NEGATIVE and (pa.types.is_integer(values.type) or pa.types.is_floating(values.type)):
            _refuse(sieve, pc.less(values, 0), values, name, where, "is negative", "it must be 0 or more")
    needs = [need for need in TABLES[kind].needs if need <= set(rows.schema.names)]
    if any(all(rows.column(name).null_count == 0 for name in need) for need in needs):
        return
    named = np.zeros(rows.num_rows, np.bool_)
    for need in needs:
        valid = [rows.column(name).is_valid().to_numpy(zero_copy_only=False) for name in need]
        named |= np.logical_and.reduce(valid)

    def empty(row: int) -> InputError:
        names = sorted({name for need in needs for name in need if not rows.column(name)[row].is_valid})
        return where.error(row, "is empty", "fill it", column=" and ".join(names))

    sieve.refuse(~named, empty)


def _refuse(sieve: Sieve, bad: pa.Array, values: pa.Array, name: str, where: Where, message: str, hint: str) -> None:
    def refused(row: int) -> InputError:
        return where.error(row, message, hint, column=name, value=values[row].as_py(), fields=("status_map",))

    if pc.any(bad).as_py():
        sieve.refuse(pc.fill_null(bad, False).to_numpy(zero_copy_only=False), refused)
