"""Where answers and cached graphs of a store are kept: each database of a server has its own place."""

from __future__ import annotations

import hashlib
import time

import pytest

from seedrank.cli.command_words import command_of
from seedrank.core.files import cache_folder, runs_folder
from seedrank.graphdb.neo4j import Neo4jStore
from seedrank.graphdb.neo4j.connection import Connection
from seedrank.questions.rank import RankQuestion
from seedrank.session import Session

URL = "neo4j://db.example:7687"


@pytest.fixture(autouse=True)
def home(tmp_path, monkeypatch):
    for variable in ("XDG_DATA_HOME", "XDG_CACHE_HOME"):
        monkeypatch.setenv(variable, str(tmp_path / variable))
    return tmp_path


@pytest.fixture
def session_on(monkeypatch):
    """Sessions on databases of a server that nobody asks anything."""
    opened = []

    def make(database: str | None) -> Session:
        store = Neo4jStore(Connection(URL, database, auth=("neo4j", "unused")))
        monkeypatch.setattr(store, "version", lambda: "v")
        opened.append(Session(store))
        return opened[-1]

    yield make
    for one in opened:
        one.close()


@pytest.mark.parametrize("name", [None, "", "neo4j", "Neo4j"])
def test_the_default_database_keeps_the_place_it_had(name, session_on, home):
    key = hashlib.sha256(URL.encode()).hexdigest()[:16]
    session = session_on(name)
    assert session.runs.folder == home / "XDG_DATA_HOME" / "seedrank" / key / "runs"
    assert session.cache_folder == home / "XDG_CACHE_HOME" / "seedrank" / key


def test_databases_of_one_server_share_neither_answers_nor_cache(session_on):
    sessions = [session_on(name) for name in (None, "a", "b")]
    assert len({session.runs.folder for session in sessions}) == 3
    assert len({session.cache_folder for session in sessions}) == 3


def test_the_server_tells_no_capitals_in_names_of_databases(session_on):
    assert session_on("News").runs.folder == session_on("news").runs.folder


def test_a_store_that_is_a_path_keeps_its_answers_beside_it():
    assert str(runs_folder("web.duckdb")) == "web.duckdb.seedrank/runs"
    assert str(cache_folder("web.duckdb")) == "web.duckdb.seedrank"


@pytest.mark.parametrize(("name", "words"), [(None, ""), ("neo4j", ""), ("News", "--database news ")])
def test_a_run_is_repeated_in_its_database(name, words, session_on):
    run = session_on(name).record(RankQuestion(), time.perf_counter(), {})
    assert command_of(run) == f"seedrank --store {URL} {words}rank pagerank"
