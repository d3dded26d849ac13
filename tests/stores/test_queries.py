"""The user's own Cypher on every database."""

from __future__ import annotations

import pytest

from seedrank.core.errors import StoreError
from seedrank.graphdb.store import Database
from tests.stores import graphs
from tests.stores.traits import Traits

WRITES = [
    "CREATE (:Page {id: 99})",
    "MATCH (p:Page {id: 0}) SET p.status = 'x'",
    "MATCH (p:Page {id: 0}) DETACH DELETE p",
    "MERGE (p:Page {id: 99})",
    "MATCH (a:Page {id: 0}), (b:Page {id: 3}) CREATE (a)-[:LINKS_TO]->(b)",
    "MATCH (p:Page) WITH p CREATE (:Host {name: 'x'}) RETURN p.id",
    "EXPLAIN MATCH (p:Page) RETURN p.id; MATCH (p:Page) DETACH DELETE p",
    "RETURN 1; CREATE (:Page {id: 99})",
    "/* MATCH */ CREATE (:Page {id: 99})",
]


def test_rows(filled_database: Database) -> None:
    found = filled_database.query("MATCH (p:Page)-[r:LINKS_TO]->(q:Page) RETURN p.id AS s, q.id AS t ORDER BY s, t")
    assert found.to_pydict() == {"s": [0, 0, 0, 1, 1], "t": [1, 2, 5, 0, 4]}


def test_parameters(filled_database: Database) -> None:
    found = filled_database.query("MATCH (p:Page) WHERE p.title = $title RETURN p.id AS id", {"title": graphs.HOSTILE})
    assert found.to_pydict() == {"id": [2]}


def test_no_rows(filled_database: Database) -> None:
    found = filled_database.query("MATCH (p:Page) WHERE p.id < 0 RETURN p.id AS id, p.url AS url")
    assert (found.num_rows, found.column_names) == (0, ["id", "url"])


def test_nodes(filled_database: Database) -> None:
    found = filled_database.query("MATCH (h:Host {name: 'a.example'}) RETURN h AS host").to_pylist()
    assert len(found) == 1
    assert found[0]["host"]["name"] == "a.example"


@pytest.mark.parametrize("cypher", WRITES)
def test_a_query_does_not_write(filled_database: Database, cypher: str) -> None:
    before = graphs.read(filled_database)
    with pytest.raises(StoreError) as caught:
        filled_database.query(cypher)
    assert "\n" not in str(caught.value)
    assert graphs.read(filled_database) == before
    assert filled_database.query("RETURN 1 AS one").to_pydict() == {"one": [1]}


def test_a_query_writes_when_asked(filled_database: Database, traits: Traits) -> None:
    statement = "MATCH (p:Page {id: 0}) SET p.title = $title"
    if not traits.cypher_writes:
        with pytest.raises(StoreError, match="Cypher only reads an embedded store"):
            filled_database.query(statement, {"title": "changed"}, write=True)
        return
    filled_database.query(statement, {"title": "changed"}, write=True)
    found = filled_database.query("MATCH (p:Page {id: 0}) RETURN p.title AS title")
    assert found.to_pydict() == {"title": ["changed"]}


@pytest.mark.parametrize(
    "cypher", ["", "  // nothing\n", "MATCH (p:Page RETURN p", "MATCH (p:Page) RETURN nonsense(p)"]
)
@pytest.mark.parametrize("write", [False, True])
def test_mistakes_are_told_in_one_line(filled_database: Database, cypher: str, write: bool) -> None:
    with pytest.raises(StoreError) as caught:
        filled_database.query(cypher, write=write)
    assert "\n" not in str(caught.value)


def test_words_in_strings_are_no_commands(filled_database: Database) -> None:
    text = "CREATE; LOAD FROM x; it\\'s"
    found = filled_database.query(f"/* SET */ RETURN '{text}' AS text // DELETE;")
    assert found.to_pydict() == {"text": ["CREATE; LOAD FROM x; it's"]}
