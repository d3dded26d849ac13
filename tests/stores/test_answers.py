"""Scores, runs, cores and virtual links in every database; they leave the graph's version alone."""

from __future__ import annotations

import json
import math
from datetime import datetime

import numpy as np
import pyarrow as pa
import pytest

from seedrank.core.errors import SeedrankError
from seedrank.graphdb.neo4j import Neo4jStore
from seedrank.graphdb.store import Database
from seedrank.runs import Ranking, Run
from tests.stores import graphs

RUN = Run(
    id="20260131-142305-k3v9qa",
    method="seeds maxweight",
    parameters={"k": 3, "hops": 2, "value": 'it\'s "quoted"'},
    graph="abc",
    store="web.duckdb",
    engine="native",
    version="0.1.0",
    created="2026-01-31T14:23:05+00:00",
    seconds=1.5,
)


def rows(database: Database, cypher: str) -> list[dict[str, object]]:
    return database.query(cypher).to_pylist()


def ranked(database: Database) -> list[tuple[object, ...]]:
    found = rows(
        database, "MATCH (r:Run)-[k:RANKED]->(p:Page) RETURN r.id AS run, k.rank AS n, p.id AS id, k.score AS score"
    )
    return sorted((row["run"], row["n"], row["id"], row["score"]) for row in found)


def test_scores(filled_database: Database) -> None:
    version = filled_database.version()
    filled_database.write_scores("pagerank", np.array([0.5, 0.25, math.nan, 0.125, 0.0, -1.0]))
    assert filled_database.page_columns()["pagerank"] == pa.float64()
    scores = [row["pagerank"] for batch in filled_database.read_pages(["pagerank"]) for row in batch.to_pylist()]
    assert scores == [0.5, 0.25, None, 0.125, 0.0, -1.0]
    filled_database.write_scores("pagerank", np.array([math.nan, 1.0, 2.0, 3.0, 4.0, 5.0]))
    scores = [row["pagerank"] for batch in filled_database.read_pages(["pagerank"]) for row in batch.to_pylist()]
    assert scores == [None, 1.0, 2.0, 3.0, 4.0, 5.0]
    assert filled_database.version() == version


def test_whole_scores_stay_whole(filled_database: Database) -> None:
    filled_database.write_scores("whole", np.arange(filled_database.counts().pages))
    none = pa.nulls(filled_database.counts().pages - 2, pa.int64())
    filled_database.write_scores("some", pa.concat_arrays([pa.array([2, 1]), none]))
    types = filled_database.page_columns()
    assert (types["whole"], types["some"]) == (pa.int64(), pa.int64())
    found = rows(filled_database, "MATCH (p:Page) RETURN p.whole AS whole, p.some AS some ORDER BY p.id LIMIT 3")
    assert [(type(row["whole"]), row["whole"], row["some"]) for row in found] == [
        (int, 0, 2),
        (int, 1, 1),
        (int, 2, None),
    ]


def test_scores_under_a_hostile_name(filled_database: Database) -> None:
    name = "my `score`'s; DROP 😀"
    filled_database.write_scores(name, np.arange(6.0))
    scores = [row[name] for batch in filled_database.read_pages([name]) for row in batch.to_pylist()]
    assert scores == [0.0, 1.0, 2.0, 3.0, 4.0, 5.0]


@pytest.mark.parametrize("name", ["id", "url", "status", "host", "source_id", "", "a\\u0060b"])
def test_scores_under_a_name_that_is_taken_or_none(filled_database: Database, name: str) -> None:
    with pytest.raises(SeedrankError):
        filled_database.write_scores(name, np.zeros(6))


def test_as_many_scores_as_pages(filled_database: Database) -> None:
    with pytest.raises(SeedrankError, match=r"5.*6"):
        filled_database.write_scores("pagerank", np.zeros(5))


def test_scores_of_hosts(filled_database: Database) -> None:
    version = filled_database.version()
    names = filled_database.read_hosts()["name"]
    scores = np.arange(len(names)) / 4
    scores[-1] = math.nan
    for column, values in (("pr", scores), ("pr", scores + 1), ("my `score`'s; DROP 😀", scores)):
        filled_database.write_host_scores(column, names, values)
        found = filled_database.read_hosts()
        assert found["name"].equals(names)
        assert found[column].to_pylist() == [*values[:-1].tolist(), None]
    assert filled_database.host_columns()["pr"] == pa.float64()
    assert filled_database.version() == version
    for name in ("name", "pages"):
        with pytest.raises(SeedrankError):
            filled_database.write_host_scores(name, names, scores)


def test_a_run_written_twice_stands_once(filled_database: Database) -> None:
    version = filled_database.version()
    ranking = Ranking(np.array([4, 0, 2]), np.array([3.0, 2.0, math.nan]))
    for _ in range(2):
        filled_database.write_run(RUN, ranking)
        assert ranked(filled_database) == [(RUN.id, 1, 4, 3.0), (RUN.id, 2, 0, 2.0), (RUN.id, 3, 2, None)]
    (record,) = rows(
        filled_database,
        "MATCH (r:Run) RETURN r.id AS id, r.method AS method, r.parameters AS parameters, r.graph AS graph, "
        "r.engine AS engine, r.version AS version, r.created AS created, r.seconds AS seconds",
    )
    assert json.loads(str(record.pop("parameters"))) == RUN.parameters
    created = record.pop("created")
    assert isinstance(created, datetime) and created.isoformat() == RUN.created
    assert record == {name: getattr(RUN, name) for name in record}
    assert filled_database.version() == version


def test_a_shorter_ranking_replaces_a_longer(filled_database: Database) -> None:
    filled_database.write_run(RUN, Ranking(np.arange(6), np.arange(6.0)))
    filled_database.write_run(RUN, Ranking(np.array([5]), np.array([1.0])))
    assert ranked(filled_database) == [(RUN.id, 1, 5, 1.0)]


def test_only_the_first_pages_are_written(filled_database: Database) -> None:
    filled_database.write_run(RUN, Ranking(np.arange(6), np.arange(6.0)), limit=2)
    assert len(ranked(filled_database)) == 2


def test_an_empty_ranking(filled_database: Database) -> None:
    filled_database.write_run(RUN, Ranking(np.array([], np.int64), np.array([])))
    assert ranked(filled_database) == []
    assert rows(filled_database, "MATCH (r:Run) RETURN r.id AS id") == [{"id": RUN.id}]


def test_cores(filled_database: Database) -> None:
    cores = pa.table({"id": [0, 1, 1], "n": [0, 0, 1], "role": ["hub", "authority", "hub"]})
    filled_database.write_run(RUN, Ranking(np.array([0]), np.array([1.0])))
    for _ in range(2):
        filled_database.write_cores(RUN, cores)
    found = rows(
        filled_database, "MATCH (r:Run)-[c:CORE]->(p:Page) RETURN r.id AS run, p.id AS id, c.n AS n, c.role AS role"
    )
    assert sorted((row["run"], row["id"], row["n"], row["role"]) for row in found) == [
        (RUN.id, 0, 0, "hub"),
        (RUN.id, 1, 0, "authority"),
        (RUN.id, 1, 1, "hub"),
    ]
    assert ranked(filled_database) == [(RUN.id, 1, 0, 1.0)]


def test_deleting_a_run(filled_database: Database) -> None:
    filled_database.write_run(RUN, Ranking(np.array([0]), np.array([1.0])))
    filled_database.write_cores(RUN, pa.table({"id": [0], "n": [0], "role": ["hub"]}))
    filled_database.delete_run("another")
    assert len(ranked(filled_database)) == 1
    filled_database.delete_run(RUN.id)
    assert ranked(filled_database) == []
    assert rows(filled_database, "MATCH (r:Run) RETURN r.id AS id") == []
    assert filled_database.counts().pages == 6


def test_virtual_links_replace_those_before(filled_database: Database) -> None:
    version = filled_database.version()
    for links in ([(0, 1, 2.0), (3, 4, 1.0)], [(0, 1, 5.0)], []):
        sources, targets, weights = zip(*links, strict=True) if links else ([], [], [])
        filled_database.write_virtual_links(
            pa.table(
                {
                    "source": pa.array(sources, pa.int64()),
                    "target": pa.array(targets, pa.int64()),
                    "weight": pa.array(weights, pa.float64()),
                }
            )
        )
        found = rows(
            filled_database, "MATCH (a:Page)-[r:CO_CITED]->(b:Page) RETURN a.id AS s, b.id AS t, r.weight AS w"
        )
        assert sorted((row["s"], row["t"], row["w"]) for row in found) == links
    assert filled_database.counts().links == 5
    assert filled_database.version() == version


def test_times_that_0_2_wrote_as_text_become_times(neo4j_store: Neo4jStore) -> None:
    neo4j_store.create_schema()
    neo4j_store.apply(graphs.everything(graphs.SMALL), graphs.load("first"))
    loads = neo4j_store.loads()
    write = neo4j_store.connection.rows
    write("MATCH (l:Load) SET l.started = '2026-01-31T14:23:05+00:00'", {}, write=True)
    write("CREATE (:Run {id: 'old', version: '0.2.0', created: '2026-01-30T14:23:05+00:00'})", {}, write=True)
    write("CREATE (:Run {id: 'of others', created: 'yesterday'})", {}, write=True)
    assert neo4j_store.loads()[0].started == "2026-01-31T14:23:05+00:00"
    neo4j_store.write_run(RUN, Ranking(np.array([5]), np.array([1.0])))
    types = neo4j_store.query(
        "MATCH (n:Run|Load) RETURN coalesce(n.id, '') AS id, valueType(coalesce(n.created, n.started)) AS t"
    )
    kinds = dict(zip(types["id"].to_pylist(), types["t"].to_pylist(), strict=True))
    assert kinds.pop("of others") == "STRING NOT NULL"
    assert set(kinds.values()) == {"ZONED DATETIME NOT NULL"} and len(kinds) == 2 + len(loads)
    assert neo4j_store.loads()[0].started == "2026-01-31T14:23:05+00:00"
    assert set(neo4j_store.read_saved_runs().runs["created"].to_pylist()) >= {RUN.created, "2026-01-30T14:23:05+00:00"}


def test_there_is_an_index_on_status(neo4j_store: Neo4jStore) -> None:
    neo4j_store.create_schema()
    found = neo4j_store.connection.rows(
        "SHOW INDEXES YIELD labelsOrTypes AS l, properties AS p", {}, write=False, auto=True
    )
    assert [["Page"], ["status"]] in found[1]
