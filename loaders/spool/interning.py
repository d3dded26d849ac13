"""Tables that number what they are given: strings, source ids; and arrays that grow."""

from __future__ import annotations

import secrets
from typing import Any

import numpy as np
import pyarrow as pa

from seedrank.core.errors import InputError
from seedrank.graph import frozen
from seedrank.kernels.pages import values_at
from seedrank.kernels.strings import (
    copy_strings,
    find_numbers,
    find_strings,
    hash_numbers,
    hash_strings,
    insert_numbers,
    insert_strings,
    rehash,
)

__all__ = ["Growing", "IdTable", "StringTable", "valid_rows"]

_BLOCK = 1 << 20
_MOST = 2**31 - 2
_NO_MASK = np.zeros(0, np.bool_)
_CHUNK_BYTES = 1 << 30

_SECRET = np.frombuffer(secrets.token_bytes(16), np.uint64)
"""Keys the hashes of this process, so that nobody outside can choose strings that collide."""


class Growing:
    """An array that grows; new elements hold `fill`."""

    def __init__(self, dtype: Any, fill: int) -> None:
        self.fill = fill
        self.values: np.ndarray = np.full(0, fill, dtype)

    def reserve(self, length: int) -> np.ndarray:
        """The array, now at least so long."""
        have = len(self.values)
        if length > have:
            longer = np.empty(max(length, have + have // 2, 1024), self.values.dtype)
            longer[:have] = self.values
            longer[have:] = self.fill
            self.values = longer
        return self.values


class StringTable:
    """Distinct strings, numbered from 0 in the order they come.

    Holds their bytes and 21 to 34 bytes each.
    """

    def __init__(self) -> None:
        self._count = 0
        self._slots = np.zeros(1024, np.uint64)
        self._arena = np.zeros(1 << 14, np.uint8)
        self._ends = np.zeros(512, np.int64)

    def __len__(self) -> int:
        return self._count

    def find(self, strings: pa.Array) -> np.ndarray:
        """int32 per string: its number, -1 where it is null or not there."""
        numbers, *_ = self._find(strings)
        numbers[numbers < 0] = -1
        return numbers

    def intern(self, strings: pa.Array) -> np.ndarray:
        """int32 per string: its number, a new one where it was not there; -1 where it is null."""
        numbers, missing, missing_bytes, data, offsets, hashes = self._find(strings)
        if missing:
            self._reserve(missing, missing_bytes)
            self._count = insert_strings(
                data, offsets, hashes, self._slots, self._arena, self._ends, self._count, numbers
            )
        numbers[numbers < 0] = -1
        return numbers

    def take(self, numbers: np.ndarray) -> pa.Array:
        """Strings by number (string; large_string beyond 1 GiB); null where a number is negative."""
        known = numbers >= 0
        lengths = np.zeros(len(numbers) + 1, np.int64)
        at = np.where(known, numbers, 0)
        np.cumsum(np.where(known, self._ends[at + 1] - self._ends[at], 0), out=lengths[1:])
        data = np.empty(int(lengths[-1]), np.uint8)
        copy_strings(self._arena, self._ends, numbers.astype(np.int32, copy=False), data)
        large = lengths[-1] > _CHUNK_BYTES
        offsets = lengths if large else lengths.astype(np.int32)
        bitmap = None if known.all() else pa.py_buffer(np.packbits(known, bitorder="little"))
        kind = pa.large_string() if large else pa.string()
        return pa.Array.from_buffers(kind, len(numbers), [bitmap, pa.py_buffer(offsets), pa.py_buffer(data)])

    def _find(self, strings: pa.Array) -> tuple[np.ndarray, int, int, np.ndarray, np.ndarray, np.ndarray]:
        data, offsets = _buffers(strings)
        hashes = hash_strings(data, offsets, _SECRET)
        numbers = np.empty(len(strings), np.int32)
        missing, missing_bytes = find_strings(
            data, offsets, _mask(strings), hashes, self._slots, self._arena, self._ends, numbers
        )
        return numbers, missing, missing_bytes, data, offsets, hashes

    def _reserve(self, more: int, more_bytes: int) -> None:
        count = self._count + more
        if count > _MOST:
            raise InputError(
                f"more than {_MOST:,} different URLs or names",
                hint="a graph has at most 2^31 - 1 pages: load a part of it, or its hosts",
            )
        # realloc moves no pages of a large block, so growing by a quarter is cheap and wastes little.
        need = int(self._ends[self._count]) + more_bytes
        if need > len(self._arena):
            self._arena.resize(max(need, len(self._arena) * 5 // 4), refcheck=False)
        if count + 1 > len(self._ends):
            self._ends.resize(max(count + 1, len(self._ends) * 5 // 4), refcheck=False)
        size = _table_size(count, len(self._slots))
        if size > len(self._slots):
            self._slots = np.zeros(size, np.uint64)
            for first in range(0, self._count, _BLOCK):
                ends = self._ends[first : min(first + _BLOCK, self._count) + 1]
                rehash(hash_strings(frozen(self._arena), frozen(ends), _SECRET), first, self._slots)


class IdTable:
    """Pages by the source's ids: any int64 from 0.

    A plain array while the ids are compact (below 8 × their count + 1 M), a hash table otherwise.
    """

    def __init__(self) -> None:
        self._offered = 0
        self._values = Growing(np.int32, -1)
        self._known = np.zeros(0, np.int64)
        self._slots: np.ndarray | None = None
        self._count = 0

    @property
    def values(self) -> np.ndarray:
        """int32 by place: the page, -1 for none."""
        return self._values.values

    def find(self, ids: np.ndarray) -> np.ndarray:
        """int32 per id: its value, -1 where there is none."""
        places = ids
        if self._slots is not None:
            places = np.empty(len(ids), np.int64)
            find_numbers(ids, _NO_MASK, hash_numbers(ids, _SECRET), self._slots, self._known, places)
        return np.asarray(values_at(self.values, places))

    def places(self, ids: np.ndarray, valid: np.ndarray | None = None) -> np.ndarray:
        """int64 per id: where its value stands in `values`, with room made; -1 where it is not `valid`."""
        mask = _NO_MASK if valid is None else valid
        self._offered += len(ids)
        largest = int(ids.max(where=valid, initial=-1)) if valid is not None else int(ids.max(initial=-1))
        if self._slots is None:
            if largest < 8 * self._offered + (1 << 20):
                self._values.reserve(largest + 1)
                return ids if valid is None else np.where(valid, ids, -1)
            self._hash_all()
        return self._intern(ids, mask)

    def _hash_all(self) -> None:
        given = np.flatnonzero(self.values != -1)
        values = self.values[given]
        self._slots = np.zeros(1024, np.uint64)
        self._values = Growing(np.int32, -1)
        places = self._intern(given, _NO_MASK)
        self.values[places] = values

    def _intern(self, ids: np.ndarray, mask: np.ndarray) -> np.ndarray:
        assert self._slots is not None
        hashes = hash_numbers(ids, _SECRET)
        places = np.empty(len(ids), np.int64)
        missing = find_numbers(ids, mask, hashes, self._slots, self._known, places)
        if missing:
            count = self._count + missing
            if count > len(self._known):
                self._known.resize(max(count, len(self._known) * 5 // 4, 1024), refcheck=False)
            size = _table_size(count, len(self._slots))
            if size > len(self._slots):
                self._slots = np.zeros(size, np.uint64)
                rehash(hash_numbers(self._known[: self._count], _SECRET), 0, self._slots)
            self._count = insert_numbers(ids, hashes, self._slots, self._known, self._count, places)
            self._values.reserve(self._count)
        places[places < 0] = -1
        return places


def valid_rows(array: pa.Array) -> np.ndarray:
    """Whether each row is not null."""
    if not array.null_count:
        return np.ones(len(array), np.bool_)
    valid: np.ndarray = array.is_valid().to_numpy(zero_copy_only=False)
    return valid


def _mask(strings: pa.Array) -> np.ndarray:
    return valid_rows(strings) if strings.null_count else _NO_MASK


def _table_size(count: int, size: int) -> int:
    while count * 8 > size * 5:
        size *= 2
    return size


def _buffers(strings: pa.Array) -> tuple[np.ndarray, np.ndarray]:
    """Bytes and offsets of an array of string or large_string: bytes that are not copied, offsets as int64.

    Both are read-only whatever the array, so that one compiled loop serves all.
    """
    dtype = np.int64 if pa.types.is_large_string(strings.type) else np.int32
    if not len(strings):
        return frozen(np.zeros(0, np.uint8)), frozen(np.zeros(1, np.int64))
    _, offsets, data = strings.buffers()
    window = np.frombuffer(offsets, dtype, len(strings) + 1, strings.offset * dtype().itemsize)
    text = np.frombuffer(data, np.uint8) if data is not None and data.size else np.zeros(0, np.uint8)
    return frozen(text), frozen(window.astype(np.int64))
