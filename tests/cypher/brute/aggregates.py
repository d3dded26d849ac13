"""Aggregates of values that are not null."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

from tests.cypher.brute.values import Key


def aggregate(name: str, values: Sequence[Any], share: float | None = None) -> Any:
    """The aggregate `name`; `share` is the second argument of percentiles."""
    numbers = list(values)
    if name == "count":
        return len(numbers)
    if name == "collect":
        return numbers
    if name == "sum":
        total = sum(numbers)
        return float(total) if isinstance(total, int) and not -(2**63) <= total < 2**63 else total
    if name == "stdev" or name == "stdevp":
        return _deviation(numbers, len(numbers) - (name == "stdev"))
    if not numbers:
        return None
    if name == "avg":
        return sum(numbers) / len(numbers)
    if name in ("min", "max"):
        return (min if name == "min" else max)(numbers, key=Key)
    assert share is not None
    numbers.sort()
    if name == "percentiledisc":
        return numbers[max(math.ceil(share * len(numbers)) - 1, 0)]
    place = share * (len(numbers) - 1)
    low, high = math.floor(place), math.ceil(place)
    return float(numbers[low]) if low == high else numbers[low] * (high - place) + numbers[high] * (place - low)


def _deviation(numbers: Sequence[float], divisor: int) -> float:
    if divisor < 1:
        return 0.0
    mean = sum(numbers) / len(numbers)
    return math.sqrt(sum((number - mean) ** 2 for number in numbers) / divisor)
