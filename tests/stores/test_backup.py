"""Backups of every database, restored into every database: nothing changes on the way."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pyarrow as pa
import pytest

import seedrank
from seedrank.api.backup import backup, restore
from seedrank.core.errors import StoreError
from seedrank.graphdb.store import Contents, Database
from seedrank.runs import Ranking, Run
from seedrank.session import Session
from tests.stores import graphs
from tests.stores.graphs import SMALL

RUN = Run(
    "20260131-142305-k3v9qa", "seeds maxout", {"k": 2}, "1234", "web", "native", "0.3", "2026-01-31T14:23:05", 0.5
)


@pytest.fixture(autouse=True)
def _folders(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Runs of a server are kept in the user's folder."""
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))


def fill(database: Database) -> None:
    """The small graph in two loads, with saved and kept runs, scores and virtual links."""
    database.apply(graphs.everything(SMALL), graphs.load("first", counts={"pages": 6}))
    database.apply(graphs.changes(queries=[{"text": "more", "freq": 2.0, "need": None}]), graphs.load("second"))
    database.write_scores("score", np.array([0.5, np.nan, 1e-300, 3.0, -1.0, 0.0]))
    database.write_run(RUN, Ranking(np.array([4, 1]), np.array([2.0, np.nan])))
    cores = pa.table({"id": [0, 4], "n": [1, 1], "role": ["hub", "authority"]})
    database.write_cores(RUN, cores)
    database.write_virtual_links(pa.table({"source": [0, 3], "target": [4, 1], "weight": [2.0, 1.0]}))


def everything(database: Database) -> dict[str, object]:
    saved = database.read_saved_runs()
    return {
        "graph": graphs.read(database),
        "loads": database.loads(),
        "virtual links": [row for batch in database.read_virtual_links() for row in batch.to_pylist()],
        "runs": saved.runs.to_pylist(),
        "ranked": saved.ranked.to_pylist(),
        "cores": saved.cores.to_pylist(),
    }


def restored(file: Path, path: Path) -> Session:
    bench = seedrank.open(path, create=True)
    bench.restore(file)
    return bench.session


def test_what_is_backed_up_is_restored(database: Database, tmp_path: Path) -> None:
    fill(database)
    session = Session(database)
    session.runs.keep(RUN, Ranking(np.array([4, 1]), np.array([2.0, 1.0])), {"more": pa.table({"x": [1]})})
    manifest = backup(session, tmp_path / "web.zip")
    again = restored(tmp_path / "web.zip", tmp_path / "again.duckdb")
    assert isinstance(again.store, Database)
    assert everything(again.store) == everything(database)
    assert again.store.change_count() == database.change_count()
    assert again.store.check() == []
    assert [run.id for run in again.runs.all()] == [RUN.id]
    assert again.runs.ranking(again.runs.record(RUN.id)).pages.tolist() == [4, 1]
    same = type(again.store) is type(database)
    assert (again.store.version() == manifest["version"]) == same
    again.close()


def test_there_and_back_again(database: Database, tmp_path: Path) -> None:
    """From an embedded store into each database, and from there into an embedded one."""
    with seedrank.open(tmp_path / "first.duckdb", create=True) as bench:
        assert isinstance(bench.store, Database)
        fill(bench.store)
        before = everything(bench.store)
        bench.backup(tmp_path / "first.zip")
    session = Session(database)
    restore(session, tmp_path / "first.zip")
    assert everything(database) == before
    backup(session, tmp_path / "second.zip")
    again = restored(tmp_path / "second.zip", tmp_path / "again.duckdb")
    assert isinstance(again.store, Database)
    assert everything(again.store) == before
    again.close()


def test_a_store_that_is_not_empty_is_refused(filled_database: Database, tmp_path: Path) -> None:
    session = Session(filled_database)
    backup(session, tmp_path / "web.zip")
    with pytest.raises(StoreError, match="is not empty"):
        restore(session, tmp_path / "web.zip")


def test_a_load_that_was_cut_off_stays_so(database: Database, tmp_path: Path) -> None:
    database.restore(_with_a_running_load(tmp_path))
    assert [(load.id, load.state) for load in database.loads()] == [("first", "done"), ("second", "running")]
    assert ["cut off" in finding.what for finding in database.check()] == [True]


def _with_a_running_load(folder: Path) -> Contents:
    with seedrank.open(folder / "first.duckdb", create=True) as bench:
        store = bench.store
        assert isinstance(store, Database)
        fill(store)
        return Contents(
            pages=pa.Table.from_batches(store.read_pages()),
            links=pa.Table.from_batches(store.read_links(("weight", "anchors"))),
            hosts=store.read_hosts(),
            queries=store.read_queries(),
            results=store.read_results(),
            virtual_links=pa.Table.from_batches(store.read_virtual_links()),
            saved=store.read_saved_runs(),
            loads=[graphs.load("first", state="done"), graphs.load("second", state="running")],
            changes=store.change_count(),
        )
