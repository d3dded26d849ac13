"""Times in tables: what is read as one, and which lie inside a span."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

__all__ = ["TIME", "TIME_HINT", "to_times", "utc", "within"]

TIME = pa.timestamp("us")
"""UTC without zone."""

TIME_HINT = "give ISO 8601 (2024-10-31T12:00:00Z), 20241031, 20241031120000 or seconds since 1970"

_YEAR_10000 = 253_402_300_800
_DIGITS = r"^(19|20)([0-9]{6}|[0-9]{12})$"
"""A date, or a date and a time of day, in digits alone; as seconds since 1970 it would be a day in August 1970."""


def to_times(values: pa.Array) -> pa.Array:
    """Times of text, numbers, dates or other times.

    Text is ISO 8601, a date in digits (``20241031``, with a time of day ``20241031120000``, as web archives write it;
    years 1900 to 2099), else seconds since 1970; numbers are the same without the ISO 8601.

    Raises
    ------
    pa.ArrowException
        Where a value is none of these.
    """
    if pa.types.is_integer(values.type) and not _plain_seconds(values):
        values = values.cast(pa.string())
    if pa.types.is_integer(values.type) or pa.types.is_floating(values.type):
        return _of_seconds(values)
    if not pa.types.is_string(values.type):
        return values.cast(TIME, safe=False)
    text = pc.ascii_trim(values, " \t")
    digits = pc.match_substring_regex(text, _DIGITS)
    seconds = pc.and_not(pc.match_substring_regex(text, r"^-?[0-9]+(\.[0-9]*)?$"), digits)
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


def _plain_seconds(values: pa.Array) -> bool:
    """Whether no number can be a date in digits."""
    maybe = (pc.and_(pc.greater_equal(values, low), pc.less(values, high)) for low, high in _number_spans(values.type))
    return not any(pc.any(mask).as_py() for mask in maybe)


def _number_spans(kind: pa.DataType) -> list[tuple[int, int]]:
    days, seconds = (19_000_000, 21_000_000), (19_000_000_000000, 21_000_000_000000)
    return [days] if kind.bit_width <= 32 else [days, seconds]


def _of_seconds(values: pa.Array) -> pa.Array:
    seconds = values.cast(pa.float64(), safe=False)
    if pc.any(pc.greater_equal(pc.abs(seconds), _YEAR_10000)).as_py():
        raise pa.ArrowInvalid("milliseconds are no seconds")
    return pc.round(pc.multiply(seconds, 1e6)).cast(pa.int64()).cast(TIME)


def _of_digits(text: pa.Array) -> pa.Array:
    iso = pc.replace_substring_regex(text, r"^(....)(..)(..)$", r"\1-\2-\3")
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
