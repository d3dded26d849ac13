"""The embedded store's memory: sizes, their range, the container's limit, and work in little of it."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing, contextmanager
from dataclasses import replace
from pathlib import Path

import numpy as np
import pyarrow as pa
import pytest

import seedrank
from seedrank.core.changes import map_table
from seedrank.core.errors import UsageError
from seedrank.core.numbers import parse_size
from seedrank.core.progress import Advance
from seedrank.graphdb import open_store
from seedrank.graphdb.duckdb import connection, writing
from seedrank.graphdb.duckdb.connection import SMALLEST, pool_size
from seedrank.graphdb.store import Database
from tests.resident import mapped_bytes, needs_proc
from tests.stores import graphs
from tests.stores.graphs import SMALL

MIB = 1 << 20


@pytest.fixture(autouse=True)
def no_variable(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv(connection.VARIABLE, raising=False)


@pytest.mark.parametrize(
    ("text", "size"),
    [
        ("512M", 512 * MIB),
        ("512m", 512 * MIB),
        ("1G", 1024 * MIB),
        ("1GiB", 1024 * MIB),
        ("1 GB", 1024 * MIB),
        ("1.5G", 1536 * MIB),
        ("2T", 2 << 40),
        ("64K", 64 << 10),
        ("300", 300),
        ("300B", 300),
        (" 7M ", 7 * MIB),
    ],
)
def test_sizes(text: str, size: int) -> None:
    assert parse_size(text, "x") == size


@pytest.mark.parametrize("text", ["", "M", "-1G", "1X", "1e9", "1,5G", "0x10", "1GG", "१G\n"])
def test_what_is_no_size(text: str) -> None:
    with pytest.raises(UsageError, match=r"the memory: .* is not a size; write bytes or a unit"):
        parse_size(text, "the memory")


@pytest.mark.parametrize("wanted", [0, 1, "1K", SMALLEST - 1, "900T", -5])
def test_the_range_is_checked(wanted: int | str) -> None:
    with pytest.raises(UsageError, match="must be between 64 MiB and"):
        pool_size(wanted)


def test_the_variable(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(connection.VARIABLE, "300M")
    assert pool_size() == 300 * MIB
    assert pool_size("200M") == 200 * MIB
    monkeypatch.setenv(connection.VARIABLE, "lots")
    with pytest.raises(UsageError, match="SEEDRANK_STORE_MEMORY: 'lots' is not a size"):
        pool_size()


def test_a_quarter_of_what_there_is(monkeypatch: pytest.MonkeyPatch) -> None:
    for there, given in ((512 * MIB, 256 * MIB), (2048 * MIB, 512 * MIB), (64 << 30, 768 * MIB)):
        monkeypatch.setattr(connection, "usable_memory", lambda there=there: there)
        assert pool_size() == given


def test_a_store_in_the_least_memory(tmp_path: Path) -> None:
    path = str(tmp_path / "web.duckdb")
    store = open_store(path, create=True, store_memory=SMALLEST)
    assert isinstance(store, Database)
    store.create_schema()
    store.apply(graphs.everything(SMALL), graphs.load("first"))
    store.close()
    with seedrank.open(path, store_memory="64M", read_only=True) as bench:
        assert graphs.read(bench.store) == graphs.plain(SMALL)


@needs_proc
def test_links_in_a_file_are_written_part_by_part(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    count, pages = 1 << 22, 1 << 12
    source, target = np.divmod(np.arange(count), pages >> 1)
    links = pa.table({"source": source, "target": target, "weight": np.ones(count)})
    with pa.ipc.new_file(str(tmp_path / "links.arrow"), links.schema) as sink:
        sink.write_table(links, max_chunksize=1 << 18)
    mapped = map_table(tmp_path / "links.arrow")
    changes = graphs.changes(new_pages=[{"id": number, "status": "crawled"} for number in range(pages)])
    monkeypatch.setattr(writing, "_PART", 1 << 18)
    before = mapped_bytes()
    seen: list[int] = []

    @contextmanager
    def watched(title: str, total: int | None = None, *, in_bytes: bool = False) -> Iterator[Advance]:
        yield lambda rows: seen.append(mapped_bytes() - before)

    with closing(open_store(str(tmp_path / "web.duckdb"), create=True)) as store:
        assert isinstance(store, Database)
        store.apply(replace(changes, new_links=mapped), graphs.load("first"), progress=watched)
        found = pa.Table.from_batches(store.read_links())
    assert found.equals(links)
    assert max(seen) < links.nbytes // 2
