"""The version of a graph: another one after every change of it, the same one after our own answers."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pyarrow as pa
import pytest

from seedrank.graphdb.store import Database
from seedrank.runs import Ranking, Run
from tests.stores import graphs
from tests.stores.graphs import SMALL
from tests.stores.traits import Traits

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


def test_a_statement_that_may_write_moves_it(filled_database: Database, traits: Traits) -> None:
    if not traits.cypher_writes:
        pytest.skip("Cypher only reads this store")
    version = filled_database.version()
    filled_database.query("MATCH (p:Page {id: 0}) SET p.clicks = 77.0", write=True)
    assert filled_database.version() != version


def test_a_statement_that_reads_leaves_it(filled_database: Database) -> None:
    version = filled_database.version()
    filled_database.query("MATCH (p:Page) RETURN count(*) AS n")
    assert filled_database.version() == version
