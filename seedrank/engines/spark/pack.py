"""Between tables and blocks: the functions that Spark's Python workers map over record batches."""

from __future__ import annotations

import gc
from collections.abc import Callable, Iterator
from itertools import pairwise
from typing import Any

import numpy as np
import pyarrow as pa

from seedrank.engines.spark.block_tasks import Block, Step, Way

__all__ = ["ANSWER", "NUMBERED", "PACKED", "joined", "numbered", "packed", "stepped"]

NUMBERED = "block int, sender bigint, receiver bigint, weight float"
PACKED = (
    "block int, offsets binary, senders binary, weights binary, "
    "out_ids binary, out_offsets binary, out_senders binary, out_weights binary"
)
ANSWER = "block int, own binary, ids binary, received binary, moved double"
"""A row with `own` is of a block itself, any other is what comes to its pages `ids` from another block."""

_ARRAYS = (
    ("offsets", np.int64),
    ("senders", np.int32),
    ("weights", np.float32),
    ("out_ids", np.int64),
    ("out_offsets", np.int64),
    ("out_senders", np.int32),
    ("out_weights", np.float32),
)
_ANSWER = pa.schema(
    [
        ("block", pa.int32()),
        ("own", pa.binary()),
        ("ids", pa.binary()),
        ("received", pa.binary()),
        ("moved", pa.float64()),
    ]
)
_loaded: set[str] = set()
"""Kinds of tasks that this process has done."""


def numbered(batches: Iterator[pa.RecordBatch], *, bounds: np.ndarray) -> Iterator[pa.RecordBatch]:
    """Links with the number of the block that their sender is in."""
    for batch in batches:
        block = np.searchsorted(bounds, batch.column("sender").to_numpy(), side="right") - 1
        yield pa.record_batch(
            [pa.array(block.astype(np.int32)), *(batch.column(name) for name in ("sender", "receiver", "weight"))],
            names=["block", "sender", "receiver", "weight"],
        )


def packed(batches: Iterator[pa.RecordBatch], *, bounds: np.ndarray, weighted: bool) -> Iterator[pa.RecordBatch]:
    """One row for each block whose links come in."""
    held: dict[int, list[pa.RecordBatch]] = {}
    for batch in batches:
        block = batch.column("block").to_numpy()
        for number in np.unique(block).tolist():
            held.setdefault(number, []).append(batch.filter(pa.array(block == number)))
    for number in sorted(held):
        links = pa.Table.from_batches(held.pop(number))
        found = block_of(
            int(bounds[number]),
            int(bounds[number + 1]),
            *(links[name].to_numpy() for name in ("sender", "receiver", "weight")),
            weighted=weighted,
        )
        cells = {name: [_bytes(getattr(found, name))] for name, _ in _ARRAYS}
        yield pa.record_batch(
            {
                "block": pa.array([number], pa.int32()),
                **{name: pa.array(cell, pa.binary()) for name, cell in cells.items()},
            }
        )


def block_of(
    first: int, end: int, sender: np.ndarray, receiver: np.ndarray, weight: np.ndarray, *, weighted: bool
) -> Block:
    """The block of pages ``first … end - 1`` from the links that leave them."""
    order = np.lexsort((sender, receiver))
    sender, receiver, weight = (sender[order] - first).astype(np.int32), receiver[order], weight[order]
    within = (receiver >= first) & (receiver < end)
    offsets = np.zeros(end - first + 1, np.int64)
    np.cumsum(np.bincount(receiver[within] - first, minlength=end - first), out=offsets[1:])
    out_ids, counts = np.unique(receiver[~within], return_counts=True)
    return Block(
        first,
        offsets,
        sender[within],
        weight[within].astype(np.float32) if weighted else None,
        out_ids.astype(np.int64),
        np.concatenate((np.zeros(1, np.int64), np.cumsum(counts))).astype(np.int64),
        sender[~within],
        weight[~within].astype(np.float32) if weighted else None,
    )


def unpacked(batch: pa.RecordBatch, row: int, first: int) -> Block:
    """The block in a row that `packed` made; nothing is copied."""
    arrays: dict[str, Any] = {}
    for name, kind in _ARRAYS:
        cell = batch.column(name)[row]
        arrays[name] = np.frombuffer(cell.as_buffer(), kind) if cell.is_valid else None
    return Block(first, **arrays)


def stepped(
    batches: Iterator[pa.RecordBatch],
    *,
    step: Step,
    bounds: np.ndarray,
    kinds: list[str],
    vectors: list[np.ndarray] | None,
    split: bool,
) -> Iterator[pa.RecordBatch]:
    """What `step` makes of each block.

    Parameters
    ----------
    batches
        Rows of `packed`; with a column per vector (``vector0``, …) where `vectors` is `None`.
    step
        One of `seedrank.engines.spark.block_tasks`, its numbers bound.
    bounds
        First page of each block, and the number of pages.
    kinds
        NumPy's names of the types of the vectors.
    vectors
        With a value per page of the graph.
    split
        Give a row for each block that values go to; one for all otherwise.
    """
    for batch in batches:
        for row in range(batch.num_rows):
            number = batch.column("block")[row].as_py()
            first, end = int(bounds[number]), int(bounds[number + 1])
            if vectors is None:
                given = [
                    np.frombuffer(batch.column(f"vector{k}")[row].as_buffer(), kind) for k, kind in enumerate(kinds)
                ]
            else:
                given = [_read_only(vector[first:end]) for vector in vectors]
            block = unpacked(batch, row, first)
            own, out, moved = step(block, *given)
            yield _answer([number], [own.tobytes()], [None], [None], [moved])
            cuts = np.searchsorted(block.out_ids, bounds) if split else np.array([0, len(block.out_ids)])
            parts = [(to, slice(a, b)) for to, (a, b) in enumerate(pairwise(cuts)) if a < b]
            ids, values = ([array[part].tobytes() for _, part in parts] for array in (block.out_ids, out))
            yield _answer([to for to, _ in parts], [None] * len(parts), ids, values, [0.0] * len(parts))
    _keep_loaded(step)


def joined(batches: Iterator[pa.RecordBatch], *, bounds: np.ndarray, way: Way) -> Iterator[pa.RecordBatch]:
    """One row for each block: its own values, and what reaches it from all others, in the order of its pages."""
    own: dict[int, tuple[bytes, float]] = {}
    parts: dict[int, list[tuple[bytes, bytes]]] = {}
    for batch in batches:
        for row in batch.to_pylist():
            if row["own"] is not None:
                own[row["block"]] = row["own"], row["moved"]
            else:
                parts.setdefault(row["block"], []).append((row["ids"], row["received"]))
    for number in sorted(own.keys() | parts.keys()):
        first, end = int(bounds[number]), int(bounds[number + 1])
        received = way.empty(end - first)
        # Rows come in any order; sorted, the same numbers are added in the same order every time.
        for ids, values in sorted(parts.pop(number, [])):
            collect(received, np.frombuffer(ids, np.int64) - first, np.frombuffer(values, way.kind), way)
        mine, moved = own.pop(number, (None, 0.0))
        yield _answer([number], [mine], [None], [received.tobytes()], [moved])
    _keep_loaded(joined)


def collect(into: np.ndarray, ids: np.ndarray, values: np.ndarray, way: Way) -> None:
    """Join values with those that are there; each id comes once."""
    into[ids] = way.join(into[ids], values)


def _keep_loaded(task: Callable[..., Any]) -> None:
    """Once for each kind of task: what it has loaded is no garbage.

    PySpark's daemon collects garbage after every task, 0.2 s with numba and Arrow loaded and much more than most tasks.
    """
    name = getattr(task, "func", task).__name__
    if name not in _loaded:
        _loaded.add(name)
        gc.freeze()


def _answer(block: list[int], *columns: Any) -> pa.RecordBatch:
    cells = (block, *columns)
    return pa.record_batch([pa.array(cell, field.type) for cell, field in zip(cells, _ANSWER, strict=True)], _ANSWER)


def _bytes(array: np.ndarray | None) -> bytes | None:
    return None if array is None else array.tobytes()


def _read_only(array: np.ndarray) -> np.ndarray:
    """As from a buffer: a kernel is compiled once, whichever way a vector came."""
    view = array.view()
    view.flags.writeable = False
    return view
