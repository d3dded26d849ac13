"""What a check finds in each store; `tests/cli/test_check.py` has the embedded one in full."""

from __future__ import annotations

from pathlib import Path

import pytest

from seedrank.api import integrity
from seedrank.core.errors import StoreError
from seedrank.graphdb.neo4j import Neo4jStore
from seedrank.graphdb.store import Checked, Database, GraphStore
from seedrank.session import Session


def test_a_whole_store_is_clean(store: GraphStore) -> None:
    assert isinstance(store, Checked)
    assert store.check() == []


@pytest.fixture
def server(filled_database: Database) -> Neo4jStore:
    if not isinstance(filled_database, Neo4jStore):
        pytest.skip("only Neo4j is edited by statements")
    return filled_database


@pytest.mark.parametrize(
    ("statement", "what"),
    [
        ("MATCH (a:Page {id: 0}), (b:Page {id: 1}) CREATE (a)-[:LINKS_TO {weight: 1.0}]->(b)", "1 pairs of pages"),
        ("MATCH (a:Page {id: 0}) CREATE (a)-[:LINKS_TO {weight: 1.0}]->(a)", "1 links go from a page to itself"),
        ("MATCH (p:Page {id: 0}) SET p.id = 9", "1 page ids are missing"),
        ("MATCH (h:Host {name: 'a.example'}) SET h.pages = 9", "1 hosts count their pages wrong"),
        ("CREATE (:Run {id: 'x', version: '0'})", "1 runs name no page"),
        ("MATCH (l:Load) SET l.state = 'running'", "1 loads were cut off, or are under way"),
    ],
)
def test_what_was_edited_by_hand(server: Neo4jStore, statement: str, what: str) -> None:
    server.query(statement, write=True)
    found = [finding.what for finding in server.check()]
    assert any(one.startswith(what) for one in found), found


def test_a_missing_constraint(server: Neo4jStore) -> None:
    server.connection.auto_commit("DROP CONSTRAINT page_url")
    try:
        assert [finding.what for finding in server.check()] == ["the constraint page_url is missing"]
    finally:
        server.create_schema()


def test_what_a_server_can_mend_is_mended(server: Neo4jStore, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    links, version = rows(server), server.version()
    for statement in (
        "MATCH (a:Page {id: 0})-[r:LINKS_TO]->(b:Page {id: 1}) CREATE (a)-[:LINKS_TO {weight: r.weight / 2}]->(b)",
        "MATCH (a:Page {id: 0}) CREATE (a)-[:LINKS_TO {weight: 1.0}]->(a)",
        "MATCH (h:Host {name: 'a.example'}) SET h.pages = 9",
        "CREATE (:Run {id: 'x', version: '0'}), (:Run {id: 'y', of: 'others'})",
    ):
        server.query(statement, write=True)
    server.connection.auto_commit("DROP CONSTRAINT page_url")
    assert {finding.repairable for finding in server.check()} == {True}
    integrity.repair(Session(server))
    assert server.check() == []
    assert rows(server) == links
    assert server.query("MATCH (r:Run) RETURN r.id AS id")["id"].to_pylist() == ["y"]
    assert server.version() != version


def rows(store: Neo4jStore) -> list[tuple[int, int, float]]:
    """All links, in order."""
    found = [row for batch in store.read_links() for row in batch.to_pylist()]
    return sorted((row["source"], row["target"], row["weight"]) for row in found)


@pytest.mark.parametrize("taken", ["FOR (n:Other) REQUIRE n.id IS UNIQUE", "FOR (n:Other) REQUIRE n.x IS UNIQUE"])
def test_a_constraint_is_known_by_what_it_covers(server: Neo4jStore, taken: str) -> None:
    """One of another program that is called as ours does not stand for it; ours then gets a name of its own."""
    server.connection.auto_commit("DROP CONSTRAINT page_id")
    server.connection.auto_commit(f"CREATE CONSTRAINT page_id {taken}")
    try:
        assert [finding.what for finding in server.check()] == ["the constraint page_id is missing"]
        server.create_schema()
        assert server.check() == []
        with pytest.raises(StoreError):
            server.connection.write("CREATE (:Page {id: 0})")
    finally:
        server.connection.auto_commit("DROP CONSTRAINT page_id")
        server.connection.auto_commit("DROP CONSTRAINT seedrank_page_id IF EXISTS")
        server.create_schema()
