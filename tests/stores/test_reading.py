"""What every store gives back of the same small graph."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pyarrow as pa
import pytest

from seedrank.core.errors import GraphError, StoreError
from seedrank.graphdb.store import Counts, Database, GraphStore, IsGraph
from seedrank.graphdb.store import database as as_database
from seedrank.session.graph_cache import open_graph
from tests.stores import graphs
from tests.stores.graphs import SMALL
from tests.stores.traits import Traits


def expected(traits: Traits) -> graphs.Graph:
    graph = graphs.plain(SMALL)
    if not traits.anchors:
        graph = replace(graph, links=[{**row, "anchors": None} for row in graph.links])
    if not traits.queries:
        graph = replace(graph, queries=[], results=[])
    if traits.one_number_type:
        types = {name: kind if pa.types.is_string(kind) else pa.float64() for name, kind in SMALL.page_columns.items()}
        graph = replace(graph, page_columns=types)
    return graph


def test_everything_comes_back(store: GraphStore, traits: Traits) -> None:
    assert graphs.read(store) == expected(traits)


def test_counts(store: GraphStore, traits: Traits) -> None:
    wanted = expected(traits)
    assert store.counts() == Counts(6, 5, 3, queries=len(wanted.queries), results=len(wanted.results))


def test_ids_come_first_and_columns_as_asked(store: GraphStore) -> None:
    for columns in ([], ["host"], ["title", "url"], ["status", "host", "clicks"], ["my column"]):
        batches = list(store.read_pages(columns))
        assert all(batch.schema.names == ["id", *columns] for batch in batches)
        rows = [row for batch in batches for row in batch.to_pylist()]
        wanted = graphs.plain(SMALL).pages
        assert rows == [{name: row[name] for name in ["id", *columns]} for row in wanted]


def test_flags_in_memory(store: GraphStore, tmp_path: Path) -> None:
    graph = store.graph if isinstance(store, IsGraph) else open_graph(store, tmp_path / "graph")
    np.testing.assert_array_equal(graph.column("good"), [1.0, np.nan, 0.0, 1.0, 1.0, 0.0])


def test_types(store: GraphStore) -> None:
    pages = next(iter(store.read_pages()))
    assert pages.schema.field("id").type == pa.int64()
    assert pages.schema.field("source_id").type == pa.int64()
    for name in ("url", "status", "host"):
        assert pages.schema.field(name).type == pa.string()
    for name, kind in store.page_columns().items():
        assert pages.schema.field(name).type == kind
    links = next(iter(store.read_links(["weight", "anchors"])))
    assert links.schema.types == [pa.int64(), pa.int64(), pa.float64(), pa.list_(pa.string())]
    assert store.read_hosts().schema.types == [pa.string(), pa.int64(), pa.float64()]
    assert store.read_queries().schema.types == [pa.string(), pa.float64(), pa.float64()]
    assert store.read_results().schema.types == [pa.string(), pa.int64(), pa.int64(), pa.float64()]


@pytest.mark.parametrize("columns", [[], ["weight"], ["anchors"], ["anchors", "weight"]])
def test_links_carry_what_was_asked(store: GraphStore, columns: list[str]) -> None:
    names = {tuple(batch.schema.names) for batch in store.read_links(columns)}
    assert names == {("source", "target", *columns)}


def test_links_carry_their_weight_unless_told(store: GraphStore) -> None:
    assert {tuple(batch.schema.names) for batch in store.read_links()} == {("source", "target", "weight")}


def test_a_column_no_page_has(store: GraphStore) -> None:
    with pytest.raises(GraphError, match=r"no column 'klicks'.*clicks"):
        list(store.read_pages(["klicks"]))


def test_loads(store: GraphStore, traits: Traits) -> None:
    assert [(load.id, load.state) for load in store.loads()] == ([("first", "done")] if traits.loads else [])


def test_version_stays_while_nothing_changes(store: GraphStore) -> None:
    assert store.version() == store.version()
    assert len(store.version()) <= 64


def test_databases_are_told_from_arrays(store: GraphStore, traits: Traits) -> None:
    assert isinstance(store, GraphStore)
    assert isinstance(store, Database) == traits.loads
    if not traits.loads:
        with pytest.raises(StoreError, match="is a folder that is only read: running Cypher needs a database"):
            as_database(store, "running Cypher")


def test_closing_twice(store: GraphStore) -> None:
    store.close()
    store.close()


def test_an_empty_database(database: Database) -> None:
    assert graphs.read(database) == graphs.Graph()
    assert database.counts() == Counts(0, 0, 0, 0, 0)
    assert database.loads() == []
    assert database.version()
