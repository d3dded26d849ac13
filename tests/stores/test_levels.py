"""Graphs of hosts in every database: their level is kept, and answers have names."""

from __future__ import annotations

import pyarrow as pa
import pytest

from seedrank.core.errors import StoreError
from seedrank.graphdb.store import Database
from seedrank.ingest.load import load_source
from seedrank.loaders.frames import FrameSource
from seedrank.methods.rank.answer import rank
from seedrank.questions.rank import RankQuestion
from seedrank.session import Session
from tests.stores import graphs

LINKS = pa.table(
    {"src_host": ["a.example", "b.example", "a.example"], "dst_host": ["b.example", "c.example", "c.example"]}
)
HOSTS = pa.table({"host": ["b.example", "z.example"], "trust": [0.5, 1.0]})


@pytest.fixture
def session(database: Database, tmp_path, monkeypatch) -> Session:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    return Session(database, engine="native")


def test_hosts_in_names_out(session: Session) -> None:
    assert session.level == "page"
    summary, _ = load_source(session, FrameSource({"hosts": HOSTS, "links": LINKS}))
    assert summary.notes == [
        "the input is of hosts: each is stored as one page http://host/, and answers have its name"
    ]
    assert [load.level for load in session.store.loads()] == ["host"]
    assert session.level == "host"
    there = graphs.read(session.store)
    assert [row["url"] for row in there.pages] == ["http://a.example/", "http://b.example/", "http://c.example/"]
    assert [row["trust"] for row in there.pages] == [None, 0.5, None]
    assert rank(session, RankQuestion(method="indegree")).table.select(["host", "score"]).to_pydict() == {
        "host": ["c.example", "b.example", "a.example"],
        "score": [2.0, 1.0, 0.0],
    }


def test_another_level_changes_nothing(session: Session) -> None:
    load_source(session, FrameSource({"links": LINKS}))
    before, version = graphs.read(session.store), session.store.version()
    pages = pa.table({"source": ["http://a.example/"], "target": ["http://b.example/x"]})
    with pytest.raises(StoreError, match="holds hosts, and this input holds pages"):
        load_source(session, FrameSource({"links": pages}))
    assert (graphs.read(session.store), session.store.version()) == (before, version)
    load_source(session, FrameSource({"hosts": HOSTS}))
    assert [load.level for load in session.store.loads()] == ["host", "host"]
