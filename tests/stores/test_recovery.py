"""A store that a killed process left: who may put it right, and what is said."""

from __future__ import annotations

import fcntl
import logging
import subprocess
import sys
from pathlib import Path

import pytest

from graphdb import open_store
from graphdb.ladybug import LadybugStore, recovery
from seedrank.core.errors import StoreBusy, StoreError
from tests.stores import graphs
from tests.stores.graphs import SMALL

DIES = """
import os, sys
import ladybug
connection = ladybug.Connection(ladybug.Database(sys.argv[1], buffer_pool_size=1 << 28))
connection.execute("MATCH (p:Page {id: 0}) SET p.clicks = 99.0")
os._exit(9)
"""


def opened(path: Path, *, read_only: bool = True) -> LadybugStore:
    store = open_store(str(path), read_only=read_only)
    assert isinstance(store, LadybugStore)
    return store


@pytest.fixture
def filled(tmp_path: Path) -> Path:
    path = tmp_path / "web.lbug"
    store = open_store(str(path), create=True)
    assert isinstance(store, LadybugStore)
    store.create_schema()
    store.apply(graphs.everything(SMALL), graphs.load("first"))
    store.close()
    return path


@pytest.fixture
def left_behind(filled: Path) -> Path:
    """Its writer died between the commit and the checkpoint."""
    assert subprocess.run([sys.executable, "-c", DIES, str(filled)]).returncode == 9
    assert recovery.is_pending(filled)
    return filled


@pytest.mark.parametrize("read_only", [True, False])
def test_it_opens_as_it_was(left_behind: Path, read_only: bool, caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level(logging.WARNING):
        store = opened(left_behind, read_only=read_only)
    assert [record.getMessage() for record in caplog.records] == [
        f"{left_behind}: a change that was cut off is left out (its log is kept as web.lbug.wal.aside); "
        "repeat the command that made it"
    ]
    assert graphs.read(store) == graphs.plain(SMALL)
    store.close()
    assert not recovery.is_pending(left_behind)


def test_readers_share_it_afterwards(left_behind: Path) -> None:
    first, second = opened(left_behind), opened(left_behind)
    assert first.version() == second.version()
    with pytest.raises(StoreBusy):
        opened(left_behind, read_only=False)
    first.close()
    second.close()


def test_a_reader_waits_for_who_has_it_open(left_behind: Path) -> None:
    with left_behind.open("rb") as other:
        fcntl.flock(other, fcntl.LOCK_SH)
        with pytest.raises(StoreBusy, match="in use by another process"):
            opened(left_behind)
    opened(left_behind).close()


def test_a_change_that_was_reported_needs_no_close(filled: Path) -> None:
    """The command may die at once after its last statement."""
    text = (
        "import os, sys; from graphdb import open_store; s = open_store(sys.argv[1]);"
        "s.query('MATCH (p:Page {id: 0}) SET p.clicks = 99.0', write=True); os._exit(9)"
    )
    assert subprocess.run([sys.executable, "-c", text, str(filled)]).returncode == 9
    assert not recovery.is_pending(filled)
    store = opened(filled)
    assert store.query("MATCH (p:Page {id: 0}) RETURN p.clicks AS clicks").to_pylist() == [{"clicks": 99.0}]
    store.close()


def test_one_that_cannot_be_written_says_what_to_do(left_behind: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    # As on a file system mounted for reading only; root may write through any permission.
    def refused(path: Path) -> list[Path]:
        raise OSError(30, "Read-only file system", str(path))

    monkeypatch.setattr(recovery, "set_aside", refused)
    with pytest.raises(StoreError, match="cannot be recovered: Read-only file system; run a command on it where"):
        opened(left_behind)


def test_a_new_store_without_a_load_goes_away(tmp_path: Path) -> None:
    store = open_store(str(tmp_path / "web.lbug"), create=True)
    assert isinstance(store, LadybugStore)
    store.create_schema()
    store.close()
    assert not list(tmp_path.iterdir())
