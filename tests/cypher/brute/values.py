"""Cypher's values: equality, order, arithmetic and functions, with null as `None`."""

from __future__ import annotations

import datetime
import functools
import math
import re
from collections.abc import Callable, Mapping, Sequence
from decimal import ROUND_HALF_UP, Decimal
from typing import Any

from tests.cypher.brute.graph import Link, Node, Path


class Failed(Exception):
    """The statement fails while it runs, as it should."""


def kind(value: Any) -> str:
    """What a value is compared as."""
    if isinstance(value, bool):
        return "boolean"
    if isinstance(value, int | float):
        return "number"
    if isinstance(value, datetime.datetime):
        return "datetime"
    for name, classes in _KINDS.items():
        if isinstance(value, classes):
            return name
    raise TypeError(type(value))


_KINDS: dict[str, Any] = {
    "map": dict, "node": Node, "link": Link, "list": list, "path": Path, "date": datetime.date, "text": str,
}  # fmt: skip
_ORDER = ("map", "node", "link", "list", "path", "datetime", "date", "text", "boolean", "number")


def equal(one: Any, other: Any) -> bool | None:
    """``one = other``."""
    if one is None or other is None:
        return None
    if kind(one) != kind(other):
        return False
    if isinstance(one, list):
        return _all_equal(one, other) if len(one) == len(other) else False
    if isinstance(one, dict):
        keys = sorted(one)
        return _all_equal([one[key] for key in keys], [other[key] for key in keys]) if keys == sorted(other) else False
    return bool(one == other)


def _all_equal(one: Sequence[Any], other: Sequence[Any]) -> bool | None:
    found = [equal(a, b) for a, b in zip(one, other, strict=True)]
    return False if False in found else None if None in found else True


def less(one: Any, other: Any, *, or_equal: bool = False) -> bool | None:
    """``one < other``: null where they are not to be compared."""
    if one is None or other is None or kind(one) != kind(other) or kind(one) in ("map", "node", "link", "path"):
        return None
    if isinstance(one, list):
        raise NotImplementedError
    return bool(one <= other if or_equal else one < other)


@functools.total_ordering
class Key:
    """A value as ORDER BY sees it: kinds in Cypher's order, NaN after all numbers, null last."""

    def __init__(self, value: Any) -> None:
        self.value = value

    def _parts(self) -> tuple[Any, ...]:
        value = self.value
        if value is None:
            return (len(_ORDER),)
        rank = _ORDER.index(kind(value))
        if isinstance(value, float) and math.isnan(value):
            return (rank, 1)
        if kind(value) == "number":
            return (rank, 0, value)
        if isinstance(value, list):
            return (rank, [Key(item) for item in value])
        if isinstance(value, Node | Link):
            return (rank, id(value))
        return (rank, value)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Key) and self._parts() == other._parts()

    def __lt__(self, other: Key) -> bool:
        return self._parts() < other._parts()

    __hash__ = None  # type: ignore[assignment]


def group_key(value: Any) -> Any:
    """Values of one key are one group."""
    if isinstance(value, list):
        return ("list", *map(group_key, value))
    if isinstance(value, dict):
        return ("map", *((name, group_key(item)) for name, item in sorted(value.items())))
    if isinstance(value, float) and math.isnan(value):
        return ("number", "nan")
    return None if value is None else (kind(value), value)


def whole(value: Any) -> Any:
    """A number; integers that 64 bits do not hold fail."""
    if isinstance(value, int) and not -(2**63) <= value < 2**63:
        raise Failed("overflow")
    return value


def add(one: Any, other: Any) -> Any:
    """``one + other``."""
    if isinstance(one, list) or isinstance(other, list):
        if one is None or other is None:
            return None
        return (one if isinstance(one, list) else [one]) + (other if isinstance(other, list) else [other])
    if one is None or other is None:
        return None
    if isinstance(one, str) or isinstance(other, str):
        return text_of(one) + text_of(other)
    return whole(one + other)


def divide(one: Any, other: Any) -> Any:
    """``one / other``; integers are cut off towards zero."""
    if isinstance(one, int) and isinstance(other, int):
        if other == 0:
            raise Failed("/ by zero")
        size = abs(one) // abs(other)
        return whole(size if (one < 0) == (other < 0) else -size)
    if other == 0:
        if one == 0 or math.isnan(one):
            return math.nan
        return math.copysign(math.inf, one) * math.copysign(1, other)
    return one / other


def remainder(one: Any, other: Any) -> Any:
    """``one % other``, with the sign of `one`."""
    if isinstance(one, int) and isinstance(other, int):
        if other == 0:
            raise Failed("/ by zero")
        return abs(one) % abs(other) * (1 if one >= 0 else -1)
    return math.nan if other == 0 or math.isinf(one) else math.fmod(one, other)


def power(one: Any, other: Any) -> float:
    """``one ^ other``, a float."""
    try:
        found = float(one) ** float(other)
    except OverflowError:
        return math.inf
    except ZeroDivisionError:
        return math.inf
    return math.nan if isinstance(found, complex) else found


ARITHMETIC: dict[str, Callable[[Any, Any], Any]] = {
    "-": lambda one, other: whole(one - other),
    "*": lambda one, other: whole(one * other),
    "/": divide,
    "%": remainder,
    "^": power,
}


def text_of(value: Any) -> str:
    """`toString`."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, float):
        return _java(value)
    return value.isoformat() if isinstance(value, datetime.date) else str(value)


def _java(value: float) -> str:
    """A float as Java writes it: ``1.0E10``, ``1.0E-4``."""
    if math.isnan(value):
        return "NaN"
    if math.isinf(value):
        return "Infinity" if value > 0 else "-Infinity"
    if value == 0 or 1e-3 <= abs(value) < 1e7:
        text = format(Decimal(repr(value)), "f")
        return text if "." in text else f"{text}.0"
    sign, digits, exponent = Decimal(repr(value)).normalize().as_tuple()
    assert isinstance(exponent, int)
    first, rest = digits[0], "".join(map(str, digits[1:])) or "0"
    return f"{'-' if sign else ''}{first}.{rest}E{exponent + len(digits) - 1}"


def matches(text: Any, pattern: Any) -> bool | None:
    """``text =~ pattern``, all of it."""
    if not isinstance(text, str) or not isinstance(pattern, str):
        return None
    try:
        # Python has no class of all letters; the other classes, and (?i), know ASCII alone, as in Java.
        pattern = pattern.replace(r"\p{L}", r"[a-zA-Z\u00aa-\uffff]")
        return re.fullmatch(pattern, text, re.ASCII) is not None
    except re.error as error:
        raise Failed(str(error)) from error


def to_integer(value: Any) -> int | None:
    """`toInteger`: cut off towards zero; text that is no number is null."""
    if isinstance(value, str):
        if re.fullmatch(r"[+-]?\d+", value):
            return int(whole(int(value)))
        if not re.fullmatch(r"[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?", value):
            return None
        value = float(value)
    return min(max(int(value), -(2**63)), 2**63 - 1)


def to_float(value: Any) -> float | None:
    """`toFloat`."""
    try:
        return float(value)
    except ValueError:
        return None


def to_boolean(value: Any) -> bool | None:
    """`toBoolean`."""
    if isinstance(value, str):
        return {"true": True, "false": False}.get(value.lower().strip())
    return bool(value)


def rounded(value: float, digits: int = 0) -> float:
    """`round`: halves go up, and with digits away from zero."""
    if not math.isfinite(value):
        return value
    if digits == 0:
        return float(math.floor(value + 0.5))
    return float(Decimal(repr(float(value))).quantize(Decimal(1).scaleb(-digits), ROUND_HALF_UP))


def part(value: Any, start: int, length: int | None = None) -> str:
    """`substring`."""
    if start < 0 or (length is not None and length < 0):
        raise Failed("negative")
    return str(value[start:] if length is None else value[start : start + length])


def left(value: str, length: int) -> str:
    """`left`."""
    return part(value, 0, length)


def right(value: str, length: int) -> str:
    """`right`."""
    if length < 0:
        raise Failed("negative")
    return value[max(len(value) - length, 0) :]


def _split(value: str, by: Any) -> list[str]:
    return list(value) if by == "" else value.split(by)


def _rounder(one: Callable[[float], int]) -> Callable[[Any], float]:
    return lambda value: float(one(value)) if math.isfinite(value) else float(value)


def _numbers(first: int, last: int, step: int = 1) -> list[int]:
    if step == 0:
        raise Failed("step 0")
    return list(range(first, last + (1 if step > 0 else -1), step))


def _datetime(value: Any) -> datetime.datetime:
    read = value if isinstance(value, datetime.datetime) else datetime.datetime.fromisoformat(value)
    return read if read.tzinfo is not None else read.replace(tzinfo=datetime.UTC)


def _date(value: Any) -> datetime.date:
    if isinstance(value, datetime.datetime):
        return value.date()
    return value if type(value) is datetime.date else datetime.date.fromisoformat(value)


_SPACES = " \t\n\r\x0b\x0c"

FUNCTIONS: dict[str, Callable[..., Any]] = {
    "size": len,
    "tolower": str.lower,
    "lower": str.lower,
    "toupper": str.upper,
    "upper": str.upper,
    "trim": lambda value: value.strip(_SPACES),
    "ltrim": lambda value: value.lstrip(_SPACES),
    "rtrim": lambda value: value.rstrip(_SPACES),
    "reverse": lambda value: value[::-1],
    "substring": part,
    "left": left,
    "right": right,
    "replace": lambda value, old, new: value.replace(old, new) if old else value,
    "split": _split,
    "tostring": text_of,
    "tointeger": to_integer,
    "tofloat": to_float,
    "toboolean": to_boolean,
    "abs": lambda value: whole(abs(value)),
    "sign": lambda value: (value > 0) - (value < 0),
    "floor": _rounder(math.floor),
    "ceil": _rounder(math.ceil),
    "round": rounded,
    "sqrt": lambda value: math.sqrt(value) if value >= 0 else math.nan,
    "exp": math.exp,
    "log": lambda value: math.log(value) if value > 0 else -math.inf if value == 0 else math.nan,
    "log10": lambda value: math.log10(value) if value > 0 else -math.inf if value == 0 else math.nan,
    "head": lambda value: value[0] if value else None,
    "last": lambda value: value[-1] if value else None,
    "tail": lambda value: value[1:],
    "range": _numbers,
    "type": lambda link: link.type,
    "labels": lambda node: [node.label],
    "keys": lambda value: sorted(value.properties if isinstance(value, Node | Link) else value),
    "properties": lambda value: dict(value.properties),
    "startnode": lambda link: link.start,
    "endnode": lambda link: link.end,
    "nodes": lambda path: list(path.nodes),
    "relationships": lambda path: list(path.links),
    "length": lambda path: len(path.links),
    "isempty": lambda value: len(value) == 0,
    "date": _date,
    "datetime": _datetime,
}
"""Functions that are null where an argument is."""


def property_of(value: Any, name: str) -> Any:
    """``value.name``."""
    if value is None:
        return None
    if isinstance(value, Mapping):
        return value.get(name)
    if isinstance(value, datetime.date):
        return getattr(value, name)
    return value.properties.get(name)


def item_of(value: Any, place: Any) -> Any:
    """``value[place]``."""
    if value is None or place is None:
        return None
    if isinstance(place, str):
        return property_of(value, place)
    return value[place] if -len(value) <= place < len(value) else None


def quantified(word: str, found: Sequence[bool | None]) -> bool | None:
    """`any`, `all`, `none` and `single` of what held for each."""
    yes, unknown = found.count(True), None in found
    if word == "any":
        return True if yes else None if unknown else False
    if word == "none":
        return False if yes else None if unknown else True
    if word == "all":
        return False if False in found else None if unknown else True
    return False if yes > 1 else None if unknown else yes == 1
