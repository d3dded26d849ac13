"""Arrays of files are read whole, piece by piece, and called into memory where they fit."""

from __future__ import annotations

import os
from pathlib import Path

import numpy as np
import pytest

from seedrank.graph import npy

FILES = Path("/proc/self/fd")


@pytest.mark.parametrize("size", [1, 3, 10, 11])
@pytest.mark.parametrize("length", [1, 9, 10, 33])
def test_pieces_are_the_whole_in_order(tmp_path, monkeypatch, size, length):
    monkeypatch.setattr(npy, "_BLOCK", size)
    np.save(tmp_path / "a.npy", np.arange(length, dtype=np.int32))
    found = list(npy.pieces(np.load(tmp_path / "a.npy", mmap_mode="r")))
    assert [first for first, _ in found] == list(range(0, length, size))
    assert all(len(piece) <= size for _, piece in found)
    assert np.concatenate([piece for _, piece in found]).tolist() == list(range(length))


def test_an_array_in_memory_is_one_piece():
    assert [(first, piece.tolist()) for first, piece in npy.pieces(np.arange(3))] == [(0, [0, 1, 2])]


@pytest.mark.skipif(not FILES.is_dir(), reason="this system does not list open files")
def test_a_reader_that_stops_leaves_no_file_open(tmp_path, monkeypatch):
    monkeypatch.setattr(npy, "_BLOCK", 2)
    np.save(tmp_path / "a.npy", np.arange(9))
    mapped = np.load(tmp_path / "a.npy", mmap_mode="r")
    before = len(list(FILES.iterdir()))
    some = npy.pieces(mapped)
    assert next(some)[1].tolist() == [0, 1]
    assert len(list(FILES.iterdir())) > before
    some.close()
    assert len(list(FILES.iterdir())) == before


@pytest.mark.skipif(not hasattr(os, "posix_fadvise"), reason="this system takes no advice about files")
def test_files_that_fit_into_memory_are_called_there(tmp_path, monkeypatch):
    np.save(tmp_path / "a.npy", np.arange(1_000))
    mapped = np.load(tmp_path / "a.npy", mmap_mode="r")
    asked = []
    monkeypatch.setattr(os, "posix_fadvise", lambda file, *rest: asked.append(os.fstat(file).st_size))
    npy.read_ahead(mapped)  # small: comes by itself
    monkeypatch.setattr(npy, "_LARGE", 100)
    for free, expected in ((7_999, 0), (None, 0), (8_000, 1)):
        monkeypatch.setattr(npy, "free_memory", lambda free=free: free)
        npy.read_ahead(mapped)
        assert len(asked) == expected
    npy.read_ahead(np.arange(1_000))
    assert asked == [(tmp_path / "a.npy").stat().st_size]
