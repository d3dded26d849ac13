"""Loads into every database: new, changed, repeated, several, failed."""

from __future__ import annotations

from dataclasses import replace

import pyarrow as pa
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from seedrank.core.errors import SeedrankError
from seedrank.core.levels import Level
from seedrank.graphdb.store import Database
from tests.stores import graphs
from tests.stores.graphs import SMALL
from tests.stores.traits import Traits


def pages_by_id(database: Database) -> dict[int, graphs.Row]:
    return {row["id"]: row for row in graphs.read(database).pages}


def test_schema_twice(filled_database: Database) -> None:
    before = graphs.read(filled_database)
    filled_database.create_schema()
    assert graphs.read(filled_database) == before


def test_nothing_to_change(filled_database: Database) -> None:
    before, version = graphs.read(filled_database), filled_database.version()
    filled_database.apply(graphs.changes(), graphs.load("first"))
    assert graphs.read(filled_database) == before
    assert filled_database.version() == version


def test_the_record_of_a_load(database: Database) -> None:
    record = graphs.load("a", source=graphs.HOSTILE, counts={"page rows": 6, "pages new": 2**40})
    database.apply(graphs.everything(SMALL), record)
    assert database.loads() == [replace(record, state="done")]


@pytest.mark.parametrize("level", ["page", "host", "domain"])
def test_the_level_of_a_load(database: Database, level: Level) -> None:
    database.apply(graphs.everything(SMALL), graphs.load("a", level=level))
    assert [load.level for load in database.loads()] == [level]


def test_loads_are_listed_oldest_first(database: Database) -> None:
    for name in ("b", "a", "c", "a"):
        database.apply(graphs.changes(), graphs.load(name))
    assert [load.id for load in database.loads()] == ["b", "a", "c"]


def test_a_second_load_adds_and_changes(filled_database: Database) -> None:
    version = filled_database.version()
    filled_database.apply(
        graphs.changes(
            new_pages=[{"id": 6, "url": "http://c.example/", "status": "frontier", "depth": 3}],
            changed_pages=pa.table(
                {
                    "id": [0, 2, 3],
                    "url": pa.array([None, None, "http://c.example/found"]),
                    "status": [None, "crawled", None],
                    "clicks": pa.array([None, 8.0, 9.0]),
                    "title": ["New title", None, None],
                    "depth": pa.array([0, 1, None], pa.int64()),
                }
            ),
            hosts=[
                {"name": "c.example", "pages": 2, "importance": None},
                {"name": "b.example", "pages": 1, "importance": 7.0},
                {"name": "a.example", "pages": 4, "importance": None},
            ],
            page_hosts=[{"id": 3, "host": "c.example"}, {"id": 6, "host": "c.example"}],
            new_links=[{"source": 2, "target": 6, "weight": 4.0, "anchors": ["c"]}],
            changed_links=[
                {"source": 0, "target": 2, "weight": 5.0, "anchors": ["now"]},
                {"source": 1, "target": 0, "weight": 6.0, "anchors": ["back", "home"]},
            ],
            queries=[{"text": "web seeds", "freq": 200.0, "need": 0.5}, {"text": "new", "freq": 1.0, "need": 1.0}],
            results=[
                {"query": "web seeds", "id": 1, "rank": 3, "clicks": 10.0},
                {"query": "new", "id": 6, "rank": 1, "clicks": 1.0},
            ],
            page_columns={"depth": pa.int64(), "clicks": pa.float64(), "title": pa.string()},
            host_columns={"importance": pa.float64()},
        ),
        graphs.load("second"),
    )
    wanted = graphs.plain(replace(SMALL, page_columns={**SMALL.page_columns, "depth": pa.int64()}))
    by_id = {row["id"]: dict(row) for row in wanted.pages}
    by_id[6] = {**dict.fromkeys(by_id[0]), "id": 6, "url": "http://c.example/", "status": "frontier"}
    by_id[0] |= {"title": "New title", "depth": 0}
    by_id[2] |= {"status": "crawled", "clicks": 8.0, "depth": 1}
    by_id[3] |= {"url": "http://c.example/found", "clicks": 9.0, "host": "c.example"}
    by_id[6] |= {"depth": 3, "host": "c.example"}
    there = graphs.read(filled_database)
    assert there.pages == list(by_id.values())
    links = {(row["source"], row["target"]): (row["weight"], row["anchors"]) for row in there.links}
    assert links == {(row["source"], row["target"]): (row["weight"], row["anchors"]) for row in SMALL.links} | {
        (0, 2): (5.0, ["now"]),
        (1, 0): (6.0, ["back", "home"]),
        (2, 6): (4.0, ["c"]),
    }
    assert there.hosts == [
        {"name": "a.example", "pages": 4, "importance": 2.0},
        {"name": "b.example", "pages": 1, "importance": 7.0},
        {"name": "c.example", "pages": 2, "importance": None},
        {"name": "ü.example", "pages": 1, "importance": 0.5},
    ]
    assert {row["text"]: (row["freq"], row["need"]) for row in there.queries} == {
        "web seeds": (200.0, 0.5),
        "new": (1.0, 1.0),
        graphs.HOSTILE: (1.0, None),
    }
    assert {(row["query"], row["id"]): (row["rank"], row["clicks"]) for row in there.results} == {
        ("web seeds", 1): (3, 10.0),
        ("web seeds", 0): (2, None),
        (graphs.HOSTILE, 2): (1, 0.0),
        ("new", 6): (1, 1.0),
    }
    assert filled_database.version() != version


def test_a_page_that_moves_leaves_its_host(filled_database: Database) -> None:
    filled_database.apply(graphs.changes(page_hosts=[{"id": 5, "host": "b.example"}]), graphs.load("second"))
    assert pages_by_id(filled_database)[5]["host"] == "b.example"
    assert len(pages_by_id(filled_database)) == filled_database.counts().pages == 6


def test_every_part_on_its_own_then_the_rest(database: Database) -> None:
    """A load that was cut off after any table is completed by repeating it."""
    whole = graphs.everything(SMALL)
    nothing = graphs.changes(page_columns=SMALL.page_columns, host_columns=SMALL.host_columns)
    for part in ("new_pages", "hosts", "page_hosts", "new_links", "queries", "results"):
        database.apply(replace(nothing, **{part: getattr(whole, part)}), graphs.load("first", state="running"))
        remaining = graphs.missing(database, SMALL)
        assert getattr(remaining, part).num_rows == 0
    assert graphs.missing(database, SMALL).empty
    assert graphs.read(database) == graphs.plain(SMALL)


def test_links_without_anchors(database: Database) -> None:
    whole = graphs.everything(SMALL)
    database.apply(replace(whole, new_links=whole.new_links.drop_columns("anchors")), graphs.load("first"))
    changed = pa.table({"source": [0], "target": [1], "weight": [9.0]})
    database.apply(replace(graphs.changes(), changed_links=changed), graphs.load("second"))
    rows = graphs.read(database).links
    assert {(row["source"], row["target"]): row["weight"] for row in rows}[0, 1] == 9.0
    assert all(row["anchors"] is None for row in rows)


def test_pages_without_urls(database: Database) -> None:
    rows = [{"id": number, "source_id": 100 + number, "status": "crawled"} for number in range(5)]
    database.apply(graphs.changes(new_pages=rows), graphs.load("ids"))
    assert [row["url"] for row in graphs.read(database).pages] == [None] * 5


def test_long_urls(database: Database, traits: Traits) -> None:
    url = "http://a.example/" + "é" * ((traits.longest_url - 17) // 2)
    database.apply(graphs.changes(new_pages=[{"id": 0, "url": url, "status": "crawled"}]), graphs.load("long"))
    assert pages_by_id(database)[0]["url"] == url


def test_a_load_the_store_refuses(filled_database: Database, traits: Traits) -> None:
    """A link to a page that is not there: only a bug makes one, and it must leave no trace."""
    if not traits.all_or_nothing:
        pytest.skip("this store writes a load piece by piece")
    before = graphs.read(filled_database)
    bad = graphs.changes(
        new_pages=[{"id": 6, "url": "http://c.example/", "status": "frontier"}],
        new_links=[{"source": 6, "target": 77, "weight": 1.0}],
    )
    with pytest.raises(SeedrankError):
        filled_database.apply(bad, graphs.load("bad"))
    assert graphs.read(filled_database) == before
    assert [load.id for load in filled_database.loads()] == ["first"]


def test_version_changes_with_loads(database: Database) -> None:
    seen = {database.version()}
    database.apply(graphs.everything(SMALL), graphs.load("first"))
    seen.add(database.version())
    database.apply(graphs.changes(), graphs.load("second"))
    seen.add(database.version())
    assert len(seen) == 3


def test_version_changes_with_edits_by_hand(filled_database: Database, traits: Traits) -> None:
    if not traits.cypher_writes:
        pytest.skip("Cypher only reads this store")
    version = filled_database.version()
    filled_database.query("MATCH (:Page {id: 0})-[r:LINKS_TO]->(:Page {id: 1}) DELETE r", write=True)
    assert filled_database.version() != version


texts = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0"), max_size=30)


@settings(max_examples=20, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    titles=st.lists(texts, min_size=1, max_size=5),
    numbers=st.lists(st.floats(allow_nan=False), min_size=5, max_size=5),
    whole=st.lists(st.integers(-(2**63), 2**63 - 1), min_size=5, max_size=5),
)
def test_any_value_comes_back(database: Database, titles: list[str], numbers: list[float], whole: list[int]) -> None:
    types = {"title": pa.string(), "number": pa.float64(), "whole": pa.int64()}
    start = database.counts().pages
    rows = [
        {"id": start + place, "status": "crawled", "title": title, "number": number, "whole": integer}
        for place, (title, number, integer) in enumerate(zip(titles, numbers, whole, strict=False))
    ]
    database.apply(graphs.changes(new_pages=rows, page_columns=types), graphs.load(f"load {start}"))
    there = pages_by_id(database)
    for row in rows:
        assert {name: there[row["id"]][name] for name in types} == {name: row[name] for name in types}
