"""Lanes of links: every link once, and no page in two lanes at a time."""

from __future__ import annotations

import threading

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

from seedrank.graphdb.neo4j import lanes


@given(lanes_at_once=st.integers(1, 5), pages=st.integers(1, 40), seed=st.integers(0, 2**32 - 1))
def test_each_link_once_and_no_page_in_two_lanes(lanes_at_once, pages, seed):
    rng = np.random.default_rng(seed)
    source, target = np.sort(rng.integers(0, pages, 200)), rng.integers(0, pages, 200)
    block, lanes._BLOCK = lanes._BLOCK, 2
    try:
        parts = list(lanes.rounds(pa.table({"source": source, "target": target, "row": np.arange(200)}), lanes_at_once))
    finally:
        lanes._BLOCK = block
    rows = [row for tables in parts for table in tables for row in table["row"].to_pylist()]
    assert sorted(rows) == list(range(200))
    for tables in parts:
        assert len(tables) == lanes_at_once
        touched = [{*table["source"].to_pylist(), *table["target"].to_pylist()} for table in tables]
        assert sum(map(len, touched)) == len(set().union(*touched))
        for table in tables:
            assert table["row"].to_pylist() == sorted(table["row"].to_pylist())


def test_lanes_end_together():
    """Most links stay near, as on the web, and one class has far more than the others."""
    rng = np.random.default_rng(1)
    source = np.sort((40_000 * rng.random(100_000) ** 2).astype(np.int64))
    target = np.where(rng.random(100_000) < 0.8, source ^ 1, rng.integers(0, 40_000, 100_000))
    sizes = [
        [table.num_rows for table in tables] for tables in lanes.rounds(pa.table({"source": source, "target": target}))
    ]
    assert sum(map(max, sizes)) < 1.03 * 100_000 / lanes.LANES


def test_a_failure_stops_the_others():
    failed, rounds_after = threading.Event(), []

    def fails(stopped):
        failed.set()
        raise ValueError("no")

    def goes_on(stopped):
        failed.wait(10)
        while not stopped():
            rounds_after.append(1)
            threading.Event().wait(0.01)

    with pytest.raises(ValueError, match="no"):
        lanes.run([goes_on, fails])
    assert len(rounds_after) < 1_000
