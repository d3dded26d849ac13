"""What the arrays of a graph must be like: types, lengths, and numbers within range."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from seedrank.core.errors import InputError
from seedrank.core.model import Status
from seedrank.graph.reading import pieces

__all__ = ["DERIVED", "IN_LINKS", "check_array", "check_ranges"]

IN_LINKS = ("in_offsets", "in_sources")
"""The links the other way round: both or neither."""
DERIVED = (*IN_LINKS, "in_weights")
"""Arrays that are made of the others on first use."""

_TYPES = {
    "out_offsets": np.int64,
    "out_targets": np.int32,
    "in_offsets": np.int64,
    "in_sources": np.int32,
    "weights": np.float32,
    "in_weights": np.float32,
    "status": np.int8,
    "host": np.int32,
    "source_id": np.int64,
}
_PER_LINK = ("out_targets", "in_sources", "weights", "in_weights")


def check_array(name: str, array: np.ndarray, pages: int, links: int) -> None:
    """Type and length of an array; `ValueError` says which is wrong."""
    length = links if name in _PER_LINK else pages + name.endswith("_offsets")
    if array.shape != (length,):
        raise ValueError(f"has the shape {array.shape}, not ({length},)")
    if name in _TYPES and array.dtype != _TYPES[name]:
        raise ValueError(f"holds {array.dtype}, not {np.dtype(_TYPES[name])}")
    if name not in _TYPES and array.dtype.kind not in "biuf":
        raise ValueError(f"holds {array.dtype}, not numbers")


def check_ranges(arrays: dict[str, np.ndarray], pages: int, links: int, hosts: int, *, cache: bool) -> None:
    """Read through what loops use as indices; in-links that are damaged are left out of what is no cache."""
    ranges = {
        "out_targets": (0, pages - 1),
        "in_sources": (0, pages - 1),
        "host": (-1, hosts - 1),
        "status": (min(Status), max(Status)),
    }
    for name in ("out_offsets", "out_targets", "host", "status", *IN_LINKS):
        if name not in arrays:
            continue
        try:
            if name.endswith("_offsets"):
                _check_offsets(arrays[name], links)
            else:
                _check_range(arrays[name], *ranges[name])
        except ValueError as error:
            if cache or name not in IN_LINKS:
                raise _damaged(Path(str(arrays[name].filename)), error) from error  # type: ignore[attr-defined]
            for derived in DERIVED:
                arrays.pop(derived, None)


def _check_offsets(offsets: np.ndarray, links: int) -> None:
    before = 0
    for first, block in pieces(offsets):
        if (first == 0 and block[0] != 0) or block[0] < before or (np.diff(block) < 0).any():
            raise ValueError("has offsets that do not ascend from 0")
        before = int(block[-1])
    if before != links:
        raise ValueError(f"ends at {before:,}, not at {links:,}")


def _check_range(values: np.ndarray, low: int, high: int) -> None:
    for _, block in pieces(values):
        if len(block) and (block.min() < low or block.max() > high):
            raise ValueError(f"has a number outside {low}..{high}")


def _damaged(path: Path, error: Exception) -> InputError:
    return InputError(
        f"the graph is damaged: {path.name} {error}",
        file=str(path),
        hint="restore the folder from a copy, or make it again",
    )
