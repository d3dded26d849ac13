"""Lines that nobody has checked, against Python's own reading of them."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import seedrank.loaders.compressed
import seedrank.loaders.lines
from seedrank.core.errors import InputError
from seedrank.loaders.compressed import Input
from seedrank.loaders.lines import lines
from seedrank.loaders.rejects import Rejects

BYTES = (
    st.binary(max_size=30) | st.text(max_size=12).map(str.encode) | st.text("ab\n\r\t\0é", max_size=20).map(str.encode)
)


def expected(data: bytes, longest: int) -> tuple[list[tuple[int, str]], int]:
    good, broken = [], 0
    rows = data.removeprefix(b"\xef\xbb\xbf").split(b"\n")
    for number, row in enumerate(rows[:-1] if not rows[-1] else rows, 1):
        row = row.removesuffix(b"\r")
        try:
            text = row.decode()
        except UnicodeDecodeError:
            text = "\0"
        if "\0" in text or len(row) > longest:
            broken += 1
        elif text:
            good.append((number, text))
    return good, broken


@pytest.mark.slow
@settings(
    max_examples=150,
    deadline=None,
    derandomize=True,
    suppress_health_check=[HealthCheck.function_scoped_fixture],
)
@given(
    data=st.lists(BYTES, max_size=6).map(b"".join),
    block=st.integers(1, 20),
    piece=st.integers(1, 20),
    longest=st.sampled_from([3, 10, 1000]),
)
def test_lines_in_pieces_of_any_size(tmp_path, monkeypatch, data, block, piece, longest):
    monkeypatch.setattr(seedrank.loaders.compressed, "BLOCK", block)
    monkeypatch.setattr(seedrank.loaders.lines, "_PIECE", piece)
    monkeypatch.setattr(seedrank.loaders.lines, "LONGEST", longest)
    monkeypatch.setattr(seedrank.loaders.lines, "MAX_ROWS", 3)
    path = tmp_path / "a.txt"
    # Not the beginning of a compressed file.
    path.write_bytes(b"x" + data)
    broken = Rejects()
    found = []
    for some in lines(Input(str(path)), broken):
        assert len(some) <= 3
        found += zip(some.numbers.tolist(), some.text(some.starts, some.ends).to_pylist(), strict=True)
    assert (found, broken.count) == expected(b"x" + data, longest)


@settings(max_examples=100, deadline=None, derandomize=True)
@given(row=st.text("a\t,é", max_size=20), room=st.integers(1, 5))
def test_fields(row, room):
    data = np.frombuffer(row.encode(), np.uint8)
    some = seedrank.loaders.lines.Lines(data, np.array([0]), np.array([len(data)]), np.array([1]), "a")
    begins, stops, counts = some.split("\t", room)
    fields = row.split("\t")
    assert counts.tolist() == [len(fields)]
    assert [some.text(begins[at], stops[at])[0].as_py() for at in range(room)] == (fields + [""] * room)[:room]


@pytest.mark.slow
def test_a_line_without_end_takes_little_memory(tmp_path, monkeypatch):
    monkeypatch.setattr(seedrank.loaders.compressed, "BLOCK", 1 << 20)
    path = tmp_path / "a.txt"
    path.write_bytes(b"one\n" + b"x" * (40 << 20) + b"\ntwo\n")
    held = []

    def watched(chunks):
        for piece in pieces(chunks):
            held.append(len(piece))
            yield piece

    pieces = seedrank.loaders.lines._pieces
    monkeypatch.setattr(seedrank.loaders.lines, "_pieces", watched)
    broken = Rejects()
    found = [text for some in lines(Input(str(path)), broken) for text in some.text(some.starts, some.ends).to_pylist()]
    assert found == ["one", "two"]
    assert broken.first == [f"{path}: line 2: is longer than 1 MiB"]
    assert max(held) < 3 << 20


def test_strict_stops_at_the_first(tmp_path):
    path = tmp_path / "a.txt"
    path.write_bytes(b"one\n\xff\n\0\n")
    with pytest.raises(InputError, match="line 2: is not UTF-8; repair the file, or leave such records out"):
        list(lines(Input(str(path)), Rejects(strict=True)))
