"""Strings and numbers by hash: each distinct one gets the next number.

Tables are open-addressing with linear probing. A slot is a uint64: the upper half of the key's hash, then
the key's number plus one; 0 is empty. Callers own the arrays and make room before they insert.

The hash is SipHash-1-3 under a secret drawn per process, since the strings come from the web: nobody outside
can make keys that all fall on one slot.
"""

from __future__ import annotations

from typing import Any

import numba
import numpy as np
from llvmlite import ir  # type: ignore[import-untyped]
from numba.core import types
from numba.extending import intrinsic

from seedrank.kernels.prefetch import prefetch

__all__ = [
    "copy_strings",
    "find_numbers",
    "find_strings",
    "hash_numbers",
    "hash_strings",
    "insert_numbers",
    "insert_strings",
    "rehash",
]

_AHEAD = 24
"""How many keys before its turn a slot is called into the cache."""


@intrinsic
def _word_at(typing: Any, data: Any, position: Any) -> Any:
    """Eight bytes of a uint8 array as one uint64, wherever they begin; byte by byte costs five times as much."""

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        array = context.make_array(signature.args[0])(context, builder, arguments[0])
        place = builder.gep(array.data, [arguments[1]])
        loaded = builder.load(builder.bitcast(place, ir.IntType(64).as_pointer()))
        loaded.align = 1
        return loaded

    return types.uint64(data, position), generate


# An intrinsic takes one argument less than its definition, which mypy cannot know.
_word: Any = _word_at

_Word = Any
"""A uint64 in compiled code."""


@intrinsic
def _round_of(typing: Any, v0: Any, v1: Any, v2: Any, v3: Any) -> Any:
    """A round of SipHash. As Python it is called five times a string and takes a second to compile."""
    state = types.UniTuple(types.uint64, 4)  # type: ignore[no-untyped-call]

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        def rotate(value: Any, bits: int) -> Any:
            left, right = (ir.Constant(ir.IntType(64), count) for count in (bits, 64 - bits))
            return builder.or_(builder.shl(value, left), builder.lshr(value, right))

        v0, v1, v2, v3 = arguments
        v0, v2 = builder.add(v0, v1), builder.add(v2, v3)
        v1, v3 = builder.xor(rotate(v1, 13), v0), builder.xor(rotate(v3, 16), v2)
        v0 = rotate(v0, 32)
        v2, v0 = builder.add(v2, v1), builder.add(v0, v3)
        v1, v3 = builder.xor(rotate(v1, 17), v2), builder.xor(rotate(v3, 21), v0)
        v2 = rotate(v2, 32)
        return context.make_tuple(builder, state, (v0, v1, v2, v3))

    return state(types.uint64, types.uint64, types.uint64, types.uint64), generate


_round: Any = _round_of


@numba.njit(inline="always")
def _start(secret: np.ndarray) -> tuple[_Word, _Word, _Word, _Word]:
    return (
        secret[0] ^ np.uint64(0x736F6D6570736575),
        secret[1] ^ np.uint64(0x646F72616E646F6D),
        secret[0] ^ np.uint64(0x6C7967656E657261),
        secret[1] ^ np.uint64(0x7465646279746573),
    )


@numba.njit(inline="always")
def _end(v0: _Word, v1: _Word, v2: _Word, v3: _Word) -> _Word:
    v2 ^= np.uint64(0xFF)
    v0, v1, v2, v3 = _round(v0, v1, v2, v3)
    v0, v1, v2, v3 = _round(v0, v1, v2, v3)
    v0, v1, v2, v3 = _round(v0, v1, v2, v3)
    return v0 ^ v1 ^ v2 ^ v3


@numba.njit(cache=True, nogil=True)
def hash_strings(data: np.ndarray, offsets: np.ndarray, secret: np.ndarray) -> np.ndarray:
    """uint64 per string; string i is ``data[offsets[i]:offsets[i + 1]]``, `secret` two uint64."""
    count = len(offsets) - 1
    hashes = np.empty(count, np.uint64)
    for i in range(count):
        begin = np.int64(offsets[i])
        end = np.int64(offsets[i + 1])
        v0, v1, v2, v3 = _start(secret)
        position = begin
        while position + 8 <= end:
            word = _word(data, position)
            v3 ^= word
            v0, v1, v2, v3 = _round(v0, v1, v2, v3)
            v0 ^= word
            position += 8
        word = np.uint64(end - begin) << np.uint64(56)
        shift = np.uint64(0)
        while position < end:
            word |= np.uint64(data[position]) << shift
            shift += np.uint64(8)
            position += 1
        v3 ^= word
        v0, v1, v2, v3 = _round(v0, v1, v2, v3)
        v0 ^= word
        hashes[i] = _end(v0, v1, v2, v3)
    return hashes


@numba.njit(cache=True, nogil=True)
def hash_numbers(numbers: np.ndarray, secret: np.ndarray) -> np.ndarray:
    """uint64 per int64."""
    hashes = np.empty(len(numbers), np.uint64)
    for i in range(len(numbers)):
        v0, v1, v2, v3 = _start(secret)
        word = np.uint64(numbers[i])
        v3 ^= word
        v0, v1, v2, v3 = _round(v0, v1, v2, v3)
        v0 ^= word
        hashes[i] = _end(v0, v1, v2, v3)
    return hashes


@numba.njit(inline="always")
def _same(a: np.ndarray, a_begin: Any, b: np.ndarray, b_begin: Any, length: Any) -> bool:
    position = 0
    while position + 8 <= length:
        if _word(a, a_begin + position) != _word(b, b_begin + position):
            return False
        position += 8
    while position < length:
        if a[a_begin + position] != b[b_begin + position]:
            return False
        position += 1
    return True


@numba.njit(cache=True, nogil=True)
def find_strings(
    data: np.ndarray,
    offsets: np.ndarray,
    valid: np.ndarray,
    hashes: np.ndarray,
    slots: np.ndarray,
    arena: np.ndarray,
    ends: np.ndarray,
    numbers: np.ndarray,
) -> tuple[int, int]:
    """Look strings up: `numbers` becomes the number, -1 where the table has none, -2 where `valid` is false.

    Parameters
    ----------
    data, offsets
        The strings looked for.
    valid
        bool per string, or empty: all are.
    hashes
        Of `hash_strings`.
    slots
        The table, a power of two long.
    arena, ends
        The table's strings: number n is ``arena[ends[n]:ends[n + 1]]``.
    numbers
        int32 per string, filled here.

    Returns
    -------
    tuple
        How many were not found, and their bytes.
    """
    mask = np.uint64(len(slots) - 1)
    count = len(hashes)
    all_valid = len(valid) == 0
    missing = 0
    missing_bytes: Any = 0
    for i in range(count):
        if i + _AHEAD < count:
            prefetch(slots, np.int64(hashes[i + _AHEAD] & mask))
        if i + _AHEAD // 2 < count:
            # The likely number is known by now: call its place in the arena too.
            number = np.int64(slots[hashes[i + _AHEAD // 2] & mask] & np.uint64(0xFFFFFFFF))
            if number:
                prefetch(ends, number - 1)
        if i + _AHEAD // 4 < count:
            number = np.int64(slots[hashes[i + _AHEAD // 4] & mask] & np.uint64(0xFFFFFFFF))
            if number:
                prefetch(arena, ends[number - 1])
        if not all_valid and not valid[i]:
            numbers[i] = -2
            continue
        begin = np.int64(offsets[i])
        length = np.int64(offsets[i + 1]) - begin
        tag = hashes[i] >> np.uint64(32)
        place = hashes[i] & mask
        found: Any = -1
        while slots[place]:
            slot = slots[place]
            if slot >> np.uint64(32) == tag:
                number = np.int64(slot & np.uint64(0xFFFFFFFF)) - 1
                if ends[number + 1] - ends[number] == length and _same(arena, ends[number], data, begin, length):
                    found = number
                    break
            place = (place + np.uint64(1)) & mask
        numbers[i] = found
        if found < 0:
            missing += 1
            missing_bytes += length
    return missing, missing_bytes


@numba.njit(cache=True, nogil=True)
def insert_strings(
    data: np.ndarray,
    offsets: np.ndarray,
    hashes: np.ndarray,
    slots: np.ndarray,
    arena: np.ndarray,
    ends: np.ndarray,
    count: int,
    numbers: np.ndarray,
) -> int:
    """Give the strings whose number is -1 the next numbers, equal strings the same; returns the new count.

    Parameters as for `find_strings`; the table has room for all of them, and `count` strings.
    """
    mask = np.uint64(len(slots) - 1)
    for i in range(len(hashes)):
        if i + _AHEAD < len(hashes):
            prefetch(slots, np.int64(hashes[i + _AHEAD] & mask))
        if numbers[i] != -1:
            continue
        begin = np.int64(offsets[i])
        length = np.int64(offsets[i + 1]) - begin
        tag = hashes[i] >> np.uint64(32)
        place = hashes[i] & mask
        found: Any = -1
        while slots[place]:
            slot = slots[place]
            if slot >> np.uint64(32) == tag:
                number = np.int64(slot & np.uint64(0xFFFFFFFF)) - 1
                if ends[number + 1] - ends[number] == length and _same(arena, ends[number], data, begin, length):
                    found = number
                    break
            place = (place + np.uint64(1)) & mask
        if found < 0:
            found = count
            to = ends[found]
            for k in range(length):
                arena[to + k] = data[begin + k]
            ends[found + 1] = to + length
            count += 1
            slots[place] = (tag << np.uint64(32)) | np.uint64(count)
        numbers[i] = found
    return count


@numba.njit(cache=True, nogil=True)
def find_numbers(
    keys: np.ndarray, valid: np.ndarray, hashes: np.ndarray, slots: np.ndarray, known: np.ndarray, numbers: np.ndarray
) -> int:
    """Look int64 keys up as `find_strings` does; key number n is ``known[n]``. Returns how many were not found."""
    mask = np.uint64(len(slots) - 1)
    all_valid = len(valid) == 0
    missing = 0
    for i in range(len(keys)):
        if i + _AHEAD < len(keys):
            prefetch(slots, np.int64(hashes[i + _AHEAD] & mask))
        if not all_valid and not valid[i]:
            numbers[i] = -2
            continue
        place = hashes[i] & mask
        found: Any = -1
        while slots[place]:
            number = np.int64(slots[place] & np.uint64(0xFFFFFFFF)) - 1
            if known[number] == keys[i]:
                found = number
                break
            place = (place + np.uint64(1)) & mask
        numbers[i] = found
        missing += found < 0
    return missing


@numba.njit(cache=True, nogil=True)
def insert_numbers(
    keys: np.ndarray, hashes: np.ndarray, slots: np.ndarray, known: np.ndarray, count: int, numbers: np.ndarray
) -> int:
    """Give the int64 keys whose number is -1 the next numbers; returns the new count."""
    mask = np.uint64(len(slots) - 1)
    for i in range(len(keys)):
        if numbers[i] != -1:
            continue
        place = hashes[i] & mask
        found: Any = -1
        while slots[place]:
            number = np.int64(slots[place] & np.uint64(0xFFFFFFFF)) - 1
            if known[number] == keys[i]:
                found = number
                break
            place = (place + np.uint64(1)) & mask
        if found < 0:
            found = count
            known[found] = keys[i]
            count += 1
            slots[place] = ((hashes[i] >> np.uint64(32)) << np.uint64(32)) | np.uint64(count)
        numbers[i] = found
    return count


@numba.njit(cache=True, nogil=True)
def rehash(hashes: np.ndarray, first: int, slots: np.ndarray) -> None:
    """Enter keys first, first + 1, … with these hashes into a table that does not have them yet."""
    mask = np.uint64(len(slots) - 1)
    for i in range(len(hashes)):
        place = hashes[i] & mask
        while slots[place]:
            place = (place + np.uint64(1)) & mask
        slots[place] = ((hashes[i] >> np.uint64(32)) << np.uint64(32)) | np.uint64(first + i + 1)


@numba.njit(cache=True, nogil=True)
def copy_strings(arena: np.ndarray, ends: np.ndarray, numbers: np.ndarray, data: np.ndarray) -> None:
    """Write strings by number one behind the other into `data`; a negative number writes nothing."""
    to = 0
    for i in range(len(numbers)):
        if numbers[i] < 0:
            continue
        begin = ends[numbers[i]]
        length = ends[numbers[i] + 1] - begin
        for k in range(length):
            data[to + k] = arena[begin + k]
        to += length
