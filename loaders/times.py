"""Times in tables: what is read as one, and which lie inside a span."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

__all__ = ["TIME", "TIME_HINT", "holds_months", "to_times", "utc", "within"]

TIME = pa.timestamp("us")
"""UTC without zone."""

TIME_HINT = "give ISO 8601 (2024-10-31T12:00:00Z), 20241031, 202410, 20241031120000 or seconds since 1970"

_YEAR_10000 = 253_402_300_800
_DIGITS = r"^(19|20)([0-9]{6}|[0-9]{12})$"
"""A date, or a date and a time of day, in digits alone; as seconds since 1970 it would be a day in August 1970."""
_MONTH = r"^(19|20)[0-9]{4}$"
"""A month in digits alone; as seconds since 1970 it would be the third of January 1970."""
_NUMBER = r"^-?[0-9]+(\.[0-9]*)?$"


def holds_months(values: pa.Array) -> bool:
    """Whether six digits (``202410``) are months in a column that begins with these values, not seconds since 1970.

    They are where all numbers are dates in digits: months from 190001 to 209912, days, or times of day.
    """
    text = _text(values)
    if text is None:
        return False
    numbers = text.filter(pc.fill_null(pc.match_substring_regex(text, _NUMBER), False))
    months = pc.match_substring_regex(numbers, r"^(19|20)[0-9]{2}(0[1-9]|1[0-2])$")
    return bool(pc.any(months).as_py() and pc.all(pc.or_(months, pc.match_substring_regex(numbers, _DIGITS))).as_py())


def to_times(values: pa.Array, *, months: bool = False) -> pa.Array:
    """Times of text, numbers, dates or other times.

    Text is ISO 8601, a date in digits (``20241031``, with a time of day ``20241031120000``, as web archives write it;
    years 1900 to 2099), else seconds since 1970; numbers are the same without the ISO 8601. With `months`, six digits
    (``202410``) are a month (`holds_months`).

    Raises
    ------
    pa.ArrowException
        Where a value is none of these.
    """
    text = _text(values)
    if text is None:
        numeric = pa.types.is_integer(values.type) or pa.types.is_floating(values.type)
        return _of_seconds(values) if numeric else values.cast(TIME, safe=False)
    digits = pc.match_substring_regex(text, f"{_DIGITS}|{_MONTH}" if months else _DIGITS)
    seconds = pc.and_not(pc.match_substring_regex(text, _NUMBER), digits)
    zoned = pc.match_substring_regex(text, r":.*(Z|[+-][0-9:]+)$")
    text = pc.replace_substring_regex(text, r"(\.[0-9]{6})[0-9]+", r"\1")
    parts: tuple[tuple[pa.Array, Callable[[pa.Array], pa.Array]], ...] = (
        (digits, _of_digits),
        (seconds, lambda part: _of_seconds(part.cast(pa.float64()))),
        (zoned, lambda part: part.cast(pa.timestamp("us", "UTC")).cast(TIME)),
        (pc.invert(pc.or_(pc.or_(digits, seconds), zoned)), lambda part: part.cast(TIME)),
    )
    times = pa.nulls(len(text), TIME)
    for mask, parse in parts:
        mask = pc.fill_null(mask, False)
        if mask.true_count:
            times = pc.replace_with_mask(times, mask, parse(text.filter(mask)))
    return times


def _text(values: pa.Array) -> pa.Array | None:
    """Values as text; `None` for times and dates, and for numbers that are seconds alone."""
    if pa.types.is_string(values.type):
        return pc.ascii_trim(values, " \t")
    # Programs hold the dates of a column with gaps as 20241031.0.
    if pa.types.is_floating(values.type):
        whole = pc.and_(pc.equal(values, pc.round(values)), pc.less(pc.abs(values), 1e15))
        values = values.cast(pa.int64()) if pc.all(whole).as_py() else values
    if not pa.types.is_integer(values.type):
        return None
    maybe = (pc.and_(pc.greater_equal(values, low), pc.less(values, high)) for low, high in _spans(values.type))
    return values.cast(pa.string()) if any(pc.any(mask).as_py() for mask in maybe) else None


def _spans(kind: pa.DataType) -> list[tuple[int, int]]:
    """Numbers that may be months, days and times of day."""
    months, days, seconds = (190_000, 210_000), (19_000_000, 21_000_000), (19_000_000_000000, 21_000_000_000000)
    return [months, days] if kind.bit_width <= 32 else [months, days, seconds]


def _of_seconds(values: pa.Array) -> pa.Array:
    seconds = values.cast(pa.float64(), safe=False)
    if pc.any(pc.greater_equal(pc.abs(seconds), _YEAR_10000)).as_py():
        raise pa.ArrowInvalid("milliseconds are not seconds")
    return pc.round(pc.multiply(seconds, 1e6)).cast(pa.int64()).cast(TIME)


def _of_digits(text: pa.Array) -> pa.Array:
    iso = pc.replace_substring_regex(text, r"^(....)(..)$", r"\1-\2-01")
    iso = pc.replace_substring_regex(iso, r"^(....)(..)(..)$", r"\1-\2-\3")
    iso = pc.replace_substring_regex(iso, r"^(....)(..)(..)(..)(..)(..)$", r"\1-\2-\3T\4:\5:\6")
    return iso.cast(TIME)


def within(times: pa.Array, since: datetime | None, until: datetime | None) -> np.ndarray:
    """Boolean per time: from `since` (included) to `until` (excluded), both in UTC; no time is never inside."""
    inside = np.ones(len(times), np.bool_)
    for bound, test in ((since, pc.greater_equal), (until, pc.less)):
        if bound is not None:
            inside &= pc.fill_null(test(times, pa.scalar(bound, TIME)), False).to_numpy(zero_copy_only=False)
    return inside


def utc(time: datetime | None) -> datetime | None:
    """The time in UTC without zone, as tables have it."""
    return time if time is None or time.tzinfo is None else time.astimezone(UTC).replace(tzinfo=None)
