"""Every store, empty or filled with the same small graph; how the stores differ is data, below."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import graphs
import pytest
from graphs import SMALL

from graphdb import open_store
from graphdb.store import Database, GraphStore


@dataclass(frozen=True)
class Traits:
    """What a store keeps that others do not.

    Parameters
    ----------
    anchors, queries, loads
        Whether it keeps anchor texts, queries with their results, and records of loads.
    one_number_type
        Whether numbers and booleans of pages all come back as float64.
    all_or_nothing
        Whether a load that fails leaves no trace.
    longest_url
        Characters a URL may have.
    """

    anchors: bool = True
    queries: bool = True
    loads: bool = True
    one_number_type: bool = False
    all_or_nothing: bool = False
    longest_url: int = 100_000


TRAITS = {
    "ladybug": Traits(all_or_nothing=True),
    # As a load of millions of rows is written: table by table, in small pieces when read.
    "ladybug-large": Traits(),
    # Neo4j indexes values of up to 8 kB, and URLs are indexed.
    "neo4j": Traits(longest_url=7_000),
    "arrays": Traits(anchors=False, queries=False, loads=False, one_number_type=True),
}
DATABASES = ("ladybug", "ladybug-large", "neo4j")


def empty_database(name: str, request: pytest.FixtureRequest, folder: Path) -> Database:
    """A database with the schema made and nothing in it."""
    if name == "neo4j":
        try:
            store = request.getfixturevalue("neo4j_store")
        except pytest.FixtureLookupError:
            pytest.skip("no fixture gives a Neo4j server")
    else:
        if name == "ladybug-large":
            monkeypatch = request.getfixturevalue("monkeypatch")
            monkeypatch.setattr("graphdb.ladybug.store._ROWS_IN_ONE_TRANSACTION", -1)
            monkeypatch.setattr("graphdb.ladybug.store._PAGES_PER_READ", 2)
            monkeypatch.setattr("graphdb.ladybug.store._LINKS_PER_READ", 2)
        store = open_store(str(folder / "web.lbug"), create=True)
        request.addfinalizer(store.close)
    assert isinstance(store, Database)
    store.create_schema()
    return store


@pytest.fixture(params=DATABASES)
def database(request: pytest.FixtureRequest, tmp_path: Path) -> Database:
    """Each database, empty."""
    return empty_database(request.param, request, tmp_path)


@pytest.fixture
def filled_database(database: Database) -> Database:
    """Each database with `SMALL` in it."""
    database.apply(graphs.everything(SMALL), graphs.load("first"))
    return database


@pytest.fixture(params=tuple(TRAITS))
def store(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[GraphStore]:
    """Each store with `SMALL` in it."""
    if request.param == "arrays":
        graphs.write_arrays(SMALL, tmp_path / "arrays")
        yield open_store(str(tmp_path / "arrays"))
        return
    filled = empty_database(request.param, request, tmp_path)
    filled.apply(graphs.everything(SMALL), graphs.load("first"))
    yield filled


@pytest.fixture
def traits(request: pytest.FixtureRequest) -> Traits:
    """The traits of the store or database under test."""
    parameters = request.node.callspec.params
    return TRAITS[parameters.get("store", parameters.get("database"))]
