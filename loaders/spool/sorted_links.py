"""Links on disk as sorted blocks, read back piece by piece in order: memory is bounded whatever their number.

A block is some million links as they came, sorted: a file of keys (``source << 32 | target``), one of weights
where any is not 1, and one of anchors where there are any. A piece takes a range of keys from every block.
"""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pyarrow as pa

from loaders.spool.files import write_batches
from loaders.spool.interning import StringTable
from seedrank.core.model import MAX_ANCHORS
from seedrank.kernels.links import anchors_by_link, merge_links, redirect_links, sort_links

__all__ = ["Piece", "SortedLinks", "cuts"]

BLOCK = 1 << 22
"""Links in a block: 64 MB of keys and weights being filled, as much being sorted."""
PIECE = 1 << 21
"""Links merged at a time, about."""
SAMPLE = 1 << 12
_ANCHOR_ROWS = 1 << 16
_NONE = np.zeros(0, np.float64)
_LIST = pa.list_(pa.string())


@dataclass(frozen=True)
class Piece:
    """Links of a range of keys, merged: one per pair, ascending.

    Parameters
    ----------
    keys
        int64.
    weights
        float64: sums over the rows of a pair.
    anchors
        Distinct texts per link, null for none; `None` where no link has any.
    rows
        How many rows were merged.
    """

    keys: np.ndarray
    weights: np.ndarray
    anchors: pa.Array | None
    rows: int


@dataclass(frozen=True)
class _Block:
    path: Path
    keys: np.ndarray
    weights: np.ndarray | None
    anchors: pa.ChunkedArray | None


@dataclass
class _Buffer:
    """Links that wait to be sorted."""

    keys: np.ndarray
    weights: np.ndarray | None = None
    anchors: list[pa.Array] | None = None
    count: int = 0


class SortedLinks:
    """Takes links in any order.

    Parameters
    ----------
    folder
        Where the files go; `name` begins their names.
    name
        Of these links.
    """

    def __init__(self, folder: Path, name: str) -> None:
        self._folder, self._name = folder, name
        self._buffer = _Buffer(np.empty(0, np.int64))
        self._blocks: list[_Block] = []
        self._sorter = ThreadPoolExecutor(1, thread_name_prefix="sort-links")
        self._sorting: Future[_Block] | None = None
        self._written = 0
        self.rows = 0
        self.have_anchors = False

    def room(self, count: int) -> np.ndarray:
        """Where the keys of `count` more links go; `add` then says how many came."""
        buffer = self._buffer
        if buffer.count and buffer.count + count > BLOCK:
            self._sort()
            buffer = self._buffer
        if buffer.count + count > len(buffer.keys):
            size = max(buffer.count + count, min(BLOCK, 4 * (buffer.count + count)))
            keys = np.empty(size, np.int64)
            keys[: buffer.count] = buffer.keys[: buffer.count]
            buffer.keys = keys
        return buffer.keys[buffer.count : buffer.count + count]

    def add(self, count: int, weights: np.ndarray | None = None, anchors: pa.Array | None = None) -> None:
        """Take the first `count` links of `room`; without weights they weigh 1."""
        buffer = self._buffer
        start = buffer.count
        if weights is not None and buffer.weights is None:
            buffer.weights = np.ones(len(buffer.keys))
        if buffer.weights is not None:
            if len(buffer.weights) < len(buffer.keys):
                buffer.weights = np.concatenate([buffer.weights[:start], np.ones(len(buffer.keys) - start)])
            buffer.weights[start : start + count] = 1.0 if weights is None else weights
        if anchors is not None and buffer.anchors is None:
            buffer.anchors = [pa.nulls(start, pa.large_string())]
            self.have_anchors = True
        if buffer.anchors is not None:
            buffer.anchors.append(
                pa.nulls(count, pa.large_string()) if anchors is None else anchors.cast(pa.large_string())
            )
        buffer.count += count
        self.rows += count

    def close(self) -> None:
        """All links have come: wait for the last block."""
        if self._buffer.count:
            self._sort()
        self._wait()
        self._sorter.shutdown()
        self._buffer = _Buffer(np.empty(0, np.int64))

    def redirect(self, ends: np.ndarray) -> tuple[int, int]:
        """Let links lead to where redirects end; after `close`, a block at a time.

        Parameters
        ----------
        ends
            int32 per page: where links to it lead.

        Returns
        -------
        tuple
            Links that lead elsewhere now, and those among them that are gone because they came back to their page.
        """
        blocks, self._blocks = self._blocks, []
        moved = gone = 0
        for block in blocks:
            keys, rows = np.empty(len(block.keys), np.int64), np.empty(len(block.keys), np.int32)
            kept, changed = redirect_links(block.keys, ends, keys, rows)
            moved += changed
            gone += len(rows) - kept
            if not changed:
                self._blocks.append(block)
                continue
            if kept:
                rows = rows[:kept]
                weights = None if block.weights is None else block.weights[rows]
                anchors = None if block.anchors is None else block.anchors.take(pa.array(rows)).chunks
                self._blocks.append(self._write(_Buffer(keys[:kept], weights, anchors, kept), self._written))
                self._written += 1
            for file in block.path.parent.glob(f"{block.path.name}.*"):
                file.unlink()
        self.rows -= gone
        return moved, gone

    def discard(self) -> None:
        """Stop, whatever state it is in."""
        self._sorter.shutdown(cancel_futures=True)

    def sample(self) -> np.ndarray:
        """Every 4,096th key of every block."""
        return np.concatenate([np.zeros(0, np.int64), *(block.keys[::SAMPLE] for block in self._blocks)])

    def piece(self, low: int, high: int) -> Piece:
        """The links with ``low <= key < high``."""
        spans = [np.searchsorted(block.keys, (low, high)).tolist() for block in self._blocks]
        parts = [(block, a, b) for block, (a, b) in zip(self._blocks, spans, strict=True) if a < b]
        keys = np.concatenate([np.zeros(0, np.int64), *(block.keys[a:b] for block, a, b in parts)])
        if any(block.anchors is not None for block, _, _ in parts):
            return _merge_anchored(keys, parts)
        weights = _weights(parts)
        if len(weights):
            keys, weights = sort_links(keys, weights)
        elif len(parts) > 1:
            keys.sort()
        sums = np.empty(len(keys))
        count = merge_links(keys, weights, sums)
        return Piece(keys[:count], sums[:count], None, len(keys))

    def _sort(self) -> None:
        self._wait()
        buffer, self._buffer = self._buffer, _Buffer(np.empty(BLOCK, np.int64))
        self._sorting = self._sorter.submit(self._write, buffer, self._written)
        self._written += 1

    def _wait(self) -> None:
        if self._sorting is not None:
            waiting, self._sorting = self._sorting, None
            self._blocks.append(waiting.result())

    def _write(self, buffer: _Buffer, number: int) -> _Block:
        keys = buffer.keys[: buffer.count]
        path = self._folder / f"{self._name}-{number}"
        weights = None if buffer.weights is None else buffer.weights[: buffer.count]
        texts = None
        if buffer.anchors is not None:
            keys, rows = sort_links(keys, np.arange(len(keys), dtype=np.int32))
            weights = None if weights is None else weights[rows]
            anchors = pa.chunked_array(buffer.anchors).combine_chunks()
            pieces = (rows[at : at + _ANCHOR_ROWS] for at in range(0, len(rows), _ANCHOR_ROWS))
            table = write_batches(
                path.with_suffix(".anchors"),
                pa.schema([("anchor", pa.large_string())]),
                (pa.RecordBatch.from_arrays([anchors.take(pa.array(piece))], ["anchor"]) for piece in pieces),
            )
            texts = table["anchor"]
        elif weights is not None:
            keys, weights = sort_links(keys, weights)
        else:
            keys.sort()
        if weights is not None:
            weights = _to_disk(weights, path.with_suffix(".weights"))
        return _Block(path, _to_disk(keys, path.with_suffix(".keys")), weights, texts)


def cuts(links: list[SortedLinks]) -> Iterator[tuple[int, int]]:
    """Ranges of keys that together hold every link and each about `PIECE` of them."""
    keys = np.sort(np.concatenate([of.sample() for of in links]))
    bounds = np.unique(keys[PIECE // SAMPLE :: PIECE // SAMPLE]).tolist()
    yield from zip([0, *bounds], [*bounds, 2**63 - 1], strict=True)


def _weights(parts: list[tuple[_Block, int, int]]) -> np.ndarray:
    if all(block.weights is None for block, _, _ in parts):
        return _NONE
    return np.concatenate([np.ones(b - a) if block.weights is None else block.weights[a:b] for block, a, b in parts])


def _merge_anchored(keys: np.ndarray, parts: list[tuple[_Block, int, int]]) -> Piece:
    """The same with anchors: rows of one link stay in the order they came, so that its first texts are kept."""
    texts = StringTable()
    numbers = np.concatenate(
        [
            np.full(b - a, -1, np.int32)
            if block.anchors is None
            else np.concatenate([texts.intern(chunk) for chunk in block.anchors.slice(a, b - a).chunks])
            for block, a, b in parts
        ]
    )
    weights = _weights(parts)
    keys, rows = sort_links(keys, np.arange(len(keys), dtype=np.int32))
    ends, kept = anchors_by_link(keys, numbers[rows], MAX_ANCHORS)
    sums = np.empty(len(keys))
    count = merge_links(keys, weights[rows] if len(weights) else _NONE, sums)
    return Piece(keys[:count], sums[:count], text_lists(ends, texts.take(kept)), len(keys))


def text_lists(ends: np.ndarray, texts: pa.Array) -> pa.Array:
    """Lists of strings, null where empty."""
    empty = ends[1:] == ends[:-1]
    offsets = pa.array(ends, pa.int32(), mask=np.append(empty, False))
    return pa.ListArray.from_arrays(offsets, texts.cast(pa.string())).cast(_LIST)


def _to_disk(values: np.ndarray, path: Path) -> np.ndarray:
    with path.open("wb") as file:
        # Not `tofile`, which says nothing of why a write failed.
        file.write(np.ascontiguousarray(values).data)
    return np.memmap(path, values.dtype, "r")
