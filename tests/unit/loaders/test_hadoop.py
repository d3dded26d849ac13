"""SequenceFiles, against a slow reader and a writer in plain Python."""

from __future__ import annotations

import tarfile

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import seedrank.loaders.hadoop
from seedrank.core.errors import InputError
from seedrank.engines.kernels.hadoop import vint_at
from seedrank.loaders.compressed import Input
from seedrank.loaders.hadoop import SequenceFile
from seedrank.loaders.rejects import Rejects
from tests.unit.loaders.nutch_samples import CODECS, DATUM, SYNC, TEXT, read_sequence, sequence_file, vint

PACKED = [("none", "DefaultCodec"), *((how, codec) for how in ("record", "block") for codec in CODECS)]
PAIRS = [(f"key {i}".encode(), bytes([i]) * i) for i in range(20)]


def read(data: bytes, *, chunk: int = 1 << 20, broken: Rejects | None = None) -> list[tuple[bytes, bytes]]:
    chunks = (data[at : at + chunk] for at in range(0, len(data), chunk))
    file = SequenceFile(chunks, "a", broken or Rejects())
    return [
        pair
        for group in file.records()
        for pair in zip(group.keys.binary().to_pylist(), group.values.binary().to_pylist(), strict=True)
    ]


@pytest.mark.slow
@settings(max_examples=100, derandomize=True)
@given(
    pairs=st.lists(st.tuples(st.binary(max_size=40), st.binary(max_size=300)), max_size=12),
    how=st.sampled_from(PACKED),
    every=st.integers(1, 5),
    chunk=st.integers(1, 200),
)
def test_every_compression_in_chunks_of_any_size(pairs, how, every, chunk):
    compression, codec = how
    data = sequence_file(pairs, DATUM, compression=compression, codec=codec, sync_every=every)
    broken = Rejects()
    assert read(data, chunk=chunk, broken=broken) == pairs
    assert broken.count == 0


@settings(max_examples=150, derandomize=True)
@given(value=st.integers(-(2**63), 2**63 - 1), before=st.binary(max_size=3))
def test_numbers_of_variable_size(value, before):
    data = np.frombuffer(before + vint(value) + b"x", np.uint8)
    assert vint_at(data, len(before), len(data)) == (value, len(data) - 1)
    assert vint_at(data, len(before), len(data) - 2)[1] == -1


def test_every_file_of_a_real_segment_reads_as_by_hand(shared_data, tmp_path):
    with tarfile.open(shared_data("nutch-test-segment") / "test-segments.tar.gz") as archive:
        archive.extractall(tmp_path, filter="data")
    files = sorted([*tmp_path.rglob("part-00000/data"), *tmp_path.rglob("crawl_*/part-00000")])
    files = [file for file in files if file.is_file()]
    assert len(files) == 12
    for path in files:
        broken = Rejects()
        assert read(path.read_bytes(), chunk=1000, broken=broken) == list(read_sequence(path.read_bytes()))
        assert SequenceFile(Input(str(path)).chunks(), "a", broken).key_class == TEXT
        assert broken.count == 0


def test_small_groups_come_out_of_much_data(monkeypatch):
    monkeypatch.setattr(seedrank.loaders.hadoop, "BLOCK", 30)
    data = sequence_file(PAIRS, DATUM, compression="record")
    file = SequenceFile(iter([data]), "a", Rejects())
    groups = [len(group.keys) for group in file.records()]
    assert sum(groups) == len(PAIRS)
    assert len(groups) > 3


@pytest.mark.parametrize("compression", ["none", "record", "block"])
def test_a_break_costs_the_records_up_to_the_next_mark(compression):
    data = sequence_file(PAIRS, DATUM, compression=compression, sync_every=5)
    marks = [at for at in range(len(data)) if data.startswith(b"\xff" * 4 + SYNC, at)]
    at = marks[1] + 20  # the length of a record, or of a block
    damaged = data[:at] + b"\x8b\xff\xff\xff" + data[at + 4 :]
    broken = Rejects()
    found = read(damaged, chunk=50, broken=broken)
    lost = PAIRS[5:10] if compression == "block" else PAIRS[10:15]
    assert found == [pair for pair in PAIRS if pair not in lost]
    assert broken.count == 1
    assert f"byte {marks[1] if compression == 'block' else at}" in broken.first[0]
    with pytest.raises(InputError, match=r"byte \d+"):
        read(damaged, broken=Rejects(strict=True))


@pytest.mark.parametrize("compression", ["none", "record", "block"])
def test_a_file_that_ends_too_early_gives_what_came_before(compression):
    data = sequence_file(PAIRS, DATUM, compression=compression, sync_every=5)
    broken = Rejects()
    found = read(data[:-3], broken=broken)
    assert found == PAIRS[: 15 if compression == "block" else 19]
    assert "ends inside" in broken.first[0]


def test_a_foreign_mark_is_a_break():
    data = sequence_file(PAIRS, DATUM, sync_every=5)
    at = data.rfind(SYNC)
    broken = Rejects()
    assert read(data[:at] + b"x" + data[at + 1 :], broken=broken) == PAIRS[:15]
    assert "sync mark" in broken.first[0]


@pytest.mark.parametrize("compression", ["record", "block"])
@pytest.mark.parametrize("codec", CODECS)
def test_what_unpacks_to_too_much_is_left_out(monkeypatch, compression, codec):
    for module in (seedrank.loaders.hadoop, seedrank.loaders.hadoop):
        monkeypatch.setattr(module, "MAX_RECORD", 1000)
    pairs = [(b"a", b"small"), (b"b", bytes(100_000)), (b"c", b"small")]
    broken = Rejects()
    data = sequence_file(pairs, DATUM, compression=compression, codec=codec, sync_every=1)
    assert read(data, broken=broken) == [pairs[0], pairs[2]]
    assert "longer than" in broken.first[0]


@pytest.mark.parametrize("codec", CODECS)
def test_what_cannot_be_unpacked_is_left_out(codec):
    data = sequence_file([(b"a", b"x" * 50)], DATUM, compression="record", codec=codec)
    at = len(data) - len(CODECS[codec](b"x" * 50))
    broken = Rejects()
    assert read(data[:at] + b"\0\0" + data[at + 2 :], broken=broken) == []
    assert broken.count == 1
    assert "cannot be unpacked" in broken.first[0]


GOOD = sequence_file(PAIRS, DATUM, compression="record")


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (b"", "ends inside its header"),
        (b"PAR1" + bytes(30), "is not a SequenceFile"),
        (b"SEQ\x05" + GOOD[4:], "of version 5"),
        (GOOD[:30], "ends inside its header"),
        (GOOD.replace(b"compress.DefaultCodec", b"compress.SnappyCodec\0"), r"codec is not known.*SnappyCodec"),
        (b"SEQ\x06" + vint(-5), "a name in its header is -5 bytes long"),
        (b"SEQ\x06" + vint(1 << 40), "a name in its header is 1099511627776 bytes long"),
        (GOOD.replace(b"\0\0\0\x01\x04made", b"\x7f\xff\xff\xff\x04made"), "2147483647 pairs of metadata"),
    ],
)
def test_headers_that_cannot_be_read(data, message):
    with pytest.raises(InputError, match=message):
        read(data)


@pytest.mark.slow
@settings(max_examples=150, derandomize=True)
@given(data=st.data(), how=st.sampled_from(PACKED))
def test_any_damage_is_counted_or_refused(data, how):
    compression, codec = how
    good = bytearray(sequence_file(PAIRS[:6], DATUM, compression=compression, codec=codec))
    for _ in range(data.draw(st.integers(1, 6))):
        at = data.draw(st.integers(0, len(good) - 1))
        good[at : at + data.draw(st.integers(0, 3))] = data.draw(st.binary(max_size=4))
    try:
        read(bytes(good), chunk=data.draw(st.integers(1, 100)))
    except InputError as error:
        assert "\n" not in str(error)
