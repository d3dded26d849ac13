"""The version of a graph: another one after every change of it, the same one after our own answers."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pyarrow as pa
import pytest

from cypher import statement
from graphdb import open_store
from graphdb.ladybug import LadybugStore
from graphdb.ladybug.connection import Handle
from graphdb.store import Database
from seedrank.core.errors import StoreError
from seedrank.runs import Ranking, Run
from tests.stores import graphs
from tests.stores.graphs import SMALL

RUN = Run(
    id="r1",
    method="indegree",
    parameters={},
    graph="v",
    store="s",
    engine="native",
    version="0",
    created="now",
    seconds=0.1,
)


def clicks(value: float) -> pa.Table:
    return pa.table({"id": [0], "clicks": [value]})


def test_loading_a_again_after_b_is_another_graph(database: Database) -> None:
    database.apply(graphs.everything(SMALL), graphs.load("first"))
    seen = [database.version()]
    for name, value in (("a", 1.0), ("b", 2.0), ("a", 1.0), ("b", 2.0)):
        changed = graphs.changes(changed_pages=clicks(value), page_columns={"clicks": pa.float64()})
        database.apply(changed, graphs.load(name))
        seen.append(database.version())
    assert len(set(seen)) == len(seen)


def test_our_own_answers_leave_it(filled_database: Database) -> None:
    version = filled_database.version()
    ranking = Ranking(np.array([2, 0]), np.array([2.0, 1.0]), {})
    filled_database.write_run(RUN, ranking)
    filled_database.write_cores(replace(RUN, id="r2"), pa.table({"id": [0], "n": [1], "role": ["hub"]}))
    filled_database.write_scores("score", np.arange(6.0))
    filled_database.write_virtual_links(pa.table({"source": [0], "target": [4], "weight": [2.0]}))
    filled_database.delete_run("r1")
    filled_database.create_schema()
    assert filled_database.version() == version


def test_a_statement_that_may_write_moves_it(filled_database: Database) -> None:
    version = filled_database.version()
    filled_database.query("MATCH (p:Page {id: 0}) SET p.clicks = 77.0", write=True)
    assert filled_database.version() != version


def test_a_statement_that_reads_leaves_it(filled_database: Database) -> None:
    version = filled_database.version()
    filled_database.query("MATCH (p:Page) RETURN count(*) AS n")
    assert filled_database.version() == version


@pytest.fixture
def old_store(tmp_path: Path) -> Path:
    """A store as version 0.1.0 made it: schema 1, without the counter of changes and the level of loads."""
    path = tmp_path / "old.lbug"
    store = open_store(str(path), create=True)
    assert isinstance(store, LadybugStore)
    store.create_schema()
    store.apply(graphs.everything(SMALL), graphs.load("first"))
    store.close()
    handle = Handle(path, read_only=False)
    with handle.connection() as connection:
        connection.run("DROP TABLE `Schema`")
        connection.run("ALTER TABLE `Load` DROP level")
        connection.run(statement("schema/ladybug/mark_version", VERSION="1"))
    handle.close()
    return path


def reopened(path: Path, *, read_only: bool) -> LadybugStore:
    store = open_store(str(path), read_only=read_only)
    assert isinstance(store, LadybugStore)
    return store


def test_an_old_store_is_read_as_it_is(old_store: Path) -> None:
    before = old_store.read_bytes()
    store = reopened(old_store, read_only=True)
    assert graphs.read(store) == graphs.plain(SMALL)
    # What 0.1.0 called this graph: its kept answers and cached arrays still belong to it.
    assert store.version() == "9b0bedb1d7de9893"
    assert [load.level for load in store.loads()] == ["page"]
    store.close()
    assert old_store.read_bytes() == before


def test_an_old_store_is_upgraded_by_the_first_write(old_store: Path) -> None:
    store = reopened(old_store, read_only=False)
    version = store.version()
    store.write_scores("score", np.arange(6.0))
    assert store.version() == version
    store.close()
    store = reopened(old_store, read_only=False)
    for number in range(2):
        changed = graphs.changes(changed_pages=clicks(5.0), page_columns={"clicks": pa.float64()})
        store.apply(changed, graphs.load("again"))
        assert store.version() != version, number
        version = store.version()
    store.close()
    store = reopened(old_store, read_only=True)
    assert store.version() == version
    assert graphs.read(store).links == graphs.plain(SMALL).links
    assert [(load.id, load.level) for load in store.loads()] == [("first", "page"), ("again", "page")]
    store.close()


def test_a_store_of_schema_2_keeps_its_version(old_store: Path) -> None:
    """Loads of schema 2 have no level; the counter of changes is there."""
    store = reopened(old_store, read_only=False)
    changed = graphs.changes(changed_pages=clicks(5.0), page_columns={"clicks": pa.float64()})
    store.apply(changed, graphs.load("again"))
    version = store.version()
    store.close()
    handle = Handle(old_store, read_only=False)
    with handle.connection() as connection:
        connection.run("ALTER TABLE `Load` DROP level")
        connection.run(statement("schema/ladybug/mark_version", VERSION="2"))
    handle.close()
    before = old_store.read_bytes()
    store = reopened(old_store, read_only=True)
    assert store.version() == version
    assert [load.level for load in store.loads()] == ["page", "page"]
    store.close()
    assert old_store.read_bytes() == before


def test_a_store_of_a_later_schema_is_refused_by_name(old_store: Path) -> None:
    handle = Handle(old_store, read_only=False)
    with handle.connection() as connection:
        connection.run(statement("schema/ladybug/mark_version", VERSION="99"))
    handle.close()
    with pytest.raises(StoreError, match=r"made by a later version of seedrank \(schema 99; this one knows 3\)"):
        reopened(old_store, read_only=True)


def test_a_store_of_another_storage_version_is_named(old_store: Path) -> None:
    with old_store.open("r+b") as file:
        file.seek(4)
        file.write((99).to_bytes(8, "little"))
    with pytest.raises(
        StoreError, match=r"storage version 99; ladybug .* reads \d+.*seedrank export parquet"
    ) as caught:
        reopened(old_store, read_only=True)
    assert "\n" not in str(caught.value)
