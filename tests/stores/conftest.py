"""Every store, empty or filled with the same small graph; how the stores differ is data, in `traits`."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from seedrank.graphdb import open_store
from seedrank.graphdb.store import Database, GraphStore
from tests.stores import graphs
from tests.stores.graphs import SMALL
from tests.stores.traits import TRAITS, Traits

DATABASES = ("duckdb", "neo4j")


def empty_database(name: str, request: pytest.FixtureRequest, folder: Path) -> Database:
    """A database with the schema made and nothing in it."""
    if name == "neo4j":
        store = request.getfixturevalue("neo4j_store")
    else:
        store = open_store(str(folder / "web.duckdb"), create=True)
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
