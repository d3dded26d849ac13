"""Interning tables against dictionaries."""

from __future__ import annotations

import hashlib

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numba import typeof

from loaders.spool import interning
from loaders.spool.interning import IdTable, StringTable
from seedrank.kernels.strings import hash_strings

texts = st.lists(
    st.one_of(st.none(), st.text(max_size=20), st.sampled_from(["", "a" * 7, "a" * 8, "a" * 9, "ab" * 40]))
)


def siphash13(data: bytes, k0: int, k1: int) -> int:
    """SipHash-1-3 as its authors describe it, with Python's integers."""
    full = 2**64 - 1
    v = [k0 ^ 0x736F6D6570736575, k1 ^ 0x646F72616E646F6D, k0 ^ 0x6C7967656E657261, k1 ^ 0x7465646279746573]

    def rotate(x, b):
        return ((x << b) | (x >> (64 - b))) & full

    def mix():
        v[0] = (v[0] + v[1]) & full
        v[1] = rotate(v[1], 13) ^ v[0]
        v[0] = rotate(v[0], 32)
        v[2] = (v[2] + v[3]) & full
        v[3] = rotate(v[3], 16) ^ v[2]
        v[0] = (v[0] + v[3]) & full
        v[3] = rotate(v[3], 21) ^ v[0]
        v[2] = (v[2] + v[1]) & full
        v[1] = rotate(v[1], 17) ^ v[2]
        v[2] = rotate(v[2], 32)

    padded = data + b"\0" * (7 - len(data) % 8) + bytes([len(data) % 256])
    for at in range(0, len(padded), 8):
        word = int.from_bytes(padded[at : at + 8], "little")
        v[3] ^= word
        mix()
        v[0] ^= word
    v[2] ^= 0xFF
    for _ in range(3):
        mix()
    return v[0] ^ v[1] ^ v[2] ^ v[3]


@given(st.lists(st.binary(max_size=300), max_size=5), st.integers(0, 2**64 - 1), st.integers(0, 2**64 - 1))
@settings(max_examples=50, deadline=None)
def test_hash_is_siphash(strings, k0, k1):
    data = np.frombuffer(b"".join(strings), np.uint8)
    offsets = np.cumsum([0, *map(len, strings)])
    hashes = hash_strings(data, offsets, np.array([k0, k1], np.uint64))
    assert hashes.tolist() == [siphash13(string, k0, k1) for string in strings]


@pytest.mark.slow
@pytest.mark.parametrize("kind", [pa.string(), pa.large_string()])
@settings(max_examples=60, deadline=None)
@given(st.lists(texts, max_size=4))
def test_strings_are_numbered_in_their_order(kind, batches):
    table, expected = StringTable(), {}
    for batch in batches:
        array = pa.array(["skipped", *batch], kind)[1:]
        assert table.find(array).tolist() == [-1 if text is None else expected.get(text, -1) for text in batch]
        numbers = table.intern(array)
        assert numbers.tolist() == [-1 if text is None else expected.setdefault(text, len(expected)) for text in batch]
        assert table.take(numbers).to_pylist() == batch
    assert len(table) == len(expected)
    assert table.take(np.arange(len(table))).to_pylist() == list(expected)


def test_one_compiled_loop_serves_all_strings(monkeypatch):
    """Also those of the table itself, which it hashes again when it grows."""
    kinds = set()

    def listening(data, offsets, secret):
        kinds.add(tuple(typeof(array) for array in (data, offsets, secret)))
        return hash_strings(data, offsets, secret)

    monkeypatch.setattr(interning, "hash_strings", listening)
    table = StringTable()
    for kind in (pa.string(), pa.large_string()):
        for strings in ([], [None], [""], ["a", "b"], [str(n) for n in range(2_000)]):
            table.intern(pa.array(["skipped", *strings], kind)[1:])
    assert len(kinds) == 1


def test_a_table_that_grows_forgets_nothing():
    strings = [hashlib.sha256(str(i).encode()).hexdigest()[: i % 60] + str(i) for i in range(30_000)]
    table = StringTable()
    for at in range(0, len(strings), 7_000):
        table.intern(pa.array(strings[at : at + 7_000]))
    assert len(table) == len(strings)
    assert (table.find(pa.array(strings[::-1])) == np.arange(len(strings))[::-1]).all()
    assert (table.find(pa.array([text + "?" for text in strings])) == -1).all()


def test_a_million_equal_strings_are_one():
    table = StringTable()
    assert not table.intern(pa.array(["http://a.example/"]).take(pa.array(np.zeros(10**6, np.int32)))).any()
    assert len(table) == 1


@pytest.mark.slow
@settings(max_examples=100, deadline=None)
@given(
    st.lists(
        st.lists(st.one_of(st.none(), st.integers(0, 40), st.sampled_from([10**6, 3 * 10**6, 2**40, 2**63 - 1]))),
        max_size=4,
    )
)
def test_ids_keep_their_values_compact_or_not(batches):
    table, expected = IdTable(), {}
    for batch in batches:
        ids = np.array([-1 if number is None else number for number in batch], np.int64)
        places = table.places(ids, ids >= 0)
        assert (places < 0).tolist() == [number is None for number in batch]
        for number, place in zip(batch, places.tolist(), strict=True):
            if number is not None:
                assert table.values[place] == expected.get(number, -1)
                table.values[place] = expected.setdefault(number, len(expected))
        asked = np.array([*expected, 41, 2**50, -5], np.int64)
        assert table.find(asked).tolist() == [*expected.values(), -1, -1, -1]
