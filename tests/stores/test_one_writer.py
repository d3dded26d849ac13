"""One writer at a time in a database on a server, whoever the others are: nothing is there twice, nothing is lost."""

from __future__ import annotations

import os
import threading
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import numpy as np
import pyarrow as pa
import pytest

from seedrank.core.errors import StoreBusy, StoreError
from seedrank.graphdb.neo4j import Neo4jStore, open_store, reading, schema, writer_lock
from seedrank.graphdb.neo4j.connection import Connection
from seedrank.ingest.load import load
from seedrank.session import Session


def opened(store: Neo4jStore, **more: Any) -> Neo4jStore:
    """Another connection to the same database."""
    return open_store(store.url, auth=(os.environ["NEO4J_USERNAME"], os.environ["NEO4J_PASSWORD"]), **more)


def tables(first: int, last: int) -> dict[str, pa.Table]:
    """A ring of pages with chords, so that loads of different parts bring some links in common."""
    ids = list(range(first, last))
    urls = [f"http://h{one % 7}.example/{one}" for one in ids]
    pairs = [(a, a + step) for a in ids for step in (1, 2, 9)]
    links = [(f"http://h{a % 7}.example/{a}", f"http://h{b % 7}.example/{b}") for a, b in pairs]
    return {
        "pages": pa.table({"url": urls, "status": ["crawled"] * len(urls)}),
        "links": pa.table({"source": [a for a, _ in links], "target": [b for _, b in links]}),
    }


def together(*work: Callable[[], object]) -> list[object]:
    with ThreadPoolExecutor(len(work)) as pool:
        return [done.result() for done in [pool.submit(one) for one in work]]


def doubled(store: Neo4jStore) -> int:
    pairs = "MATCH (a:Page)-[r:LINKS_TO]->(b:Page) WITH a, b, count(r) AS n"
    [row] = store.query(f"{pairs} WHERE n > 1 RETURN count(*) AS n").to_pylist()
    return int(row["n"])


def test_two_loads_at_once_write_every_link_once(neo4j_store: Neo4jStore) -> None:
    start = threading.Barrier(2)

    def loading(first: int, last: int) -> None:
        with Session(opened(neo4j_store, batch_size=50, wait=60.0)) as session:
            start.wait()
            load(session, **tables(first, last))

    together(lambda: loading(0, 400), lambda: loading(200, 600))
    assert doubled(neo4j_store) == 0
    [row] = neo4j_store.query("MATCH (:Page)-[r:LINKS_TO]->(:Page) RETURN count(r) AS links").to_pylist()
    assert row["links"] == 3 * 600
    ids = sorted(page["id"] for batch in neo4j_store.read_pages([]) for page in batch.to_pylist())
    assert ids == list(range(609))
    assert neo4j_store.check() == []


def test_a_first_load_that_begins_meanwhile_is_not_of_others(
    neo4j_store: Neo4jStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Between the question whether the database is known and that for nodes of others, another load wrote pages."""
    neo4j_store.create_schema()
    asked, first = schema._is_known, []

    def then_another_loads(connection: Connection) -> bool:
        known = asked(connection)
        if not first:
            first.append(known)
            with opened(neo4j_store) as other:
                load(Session(other), **tables(0, 10))
        return known

    monkeypatch.setattr(schema, "_is_known", then_another_loads)
    load(Session(neo4j_store), **tables(5, 20))
    assert first == [False]
    assert neo4j_store.counts().pages == 29


def test_columns_that_are_added_at_once_are_all_known(neo4j_store: Neo4jStore, monkeypatch: pytest.MonkeyPatch) -> None:
    load(Session(neo4j_store), **tables(0, 10))
    known, first = reading.known_columns, []

    def then_another_adds(connection: Connection) -> list[str]:
        found = known(connection)
        if not first:
            first.append(found)
            with opened(neo4j_store) as other:
                other.write_scores("theirs", np.arange(19))
        return found

    monkeypatch.setattr(reading, "known_columns", then_another_adds)
    neo4j_store.write_scores("ours", np.arange(19.0))
    assert neo4j_store.page_columns() == {"theirs": pa.int64(), "ours": pa.float64()}


def test_a_second_writer_is_refused_and_told_who_writes(neo4j_store: Neo4jStore) -> None:
    neo4j_store.create_schema()
    with neo4j_store.writing(), opened(neo4j_store) as other, pytest.raises(StoreBusy) as refused, other.writing():
        pass
    text = str(refused.value)
    assert f"process {os.getpid()}" in text
    assert "wait" in text


def test_a_second_writer_waits(neo4j_store: Neo4jStore) -> None:
    neo4j_store.create_schema()
    order = []

    def second() -> None:
        with opened(neo4j_store, wait=30.0) as other, other.writing():
            order.append("second")

    with neo4j_store.writing():
        thread = threading.Thread(target=second)
        thread.start()
        time.sleep(0.5)
        order.append("first")
    thread.join()
    assert order == ["first", "second"]


def test_writing_within_writing_is_one_writer(neo4j_store: Neo4jStore) -> None:
    neo4j_store.create_schema()
    with neo4j_store.writing():
        with neo4j_store.writing():
            pass
        with opened(neo4j_store) as other, pytest.raises(StoreBusy), other.writing():
            pass
    with opened(neo4j_store) as other, other.writing():
        pass


@pytest.mark.parametrize("how", ["no sign of life", "a process of this machine that has ended"])
def test_a_dead_writer_holds_nobody_up(neo4j_store: Neo4jStore, how: str) -> None:
    neo4j_store.create_schema()
    place = "elsewhere" if how == "no sign of life" else writer_lock.place()
    beat = "timestamp() - 61000" if how == "no sign of life" else "timestamp()"
    neo4j_store.connection.write(
        f"MERGE (w:SeedrankSchema {{name: 'writer'}}) SET w.owner = 'dead', w.who = 'x', w.place = $place, "
        f"w.process = 4194305, w.since = timestamp(), w.beat = {beat}",
        place=place,
    )
    with neo4j_store.writing():
        pass


def test_who_lost_the_right_to_write_writes_no_more(neo4j_store: Neo4jStore) -> None:
    """A writer that was asleep for too long finds another one in its place, before it writes."""
    neo4j_store.create_schema()
    with pytest.raises(StoreError, match="took over"), neo4j_store.writing():
        neo4j_store.connection.write("MATCH (w:SeedrankSchema {name: 'writer'}) SET w.owner = 'another'")
        neo4j_store.connection.turn = "load"
        try:
            neo4j_store.connection.write("CREATE (:Page {id: 0})")
        finally:
            neo4j_store.connection.turn = None
    assert neo4j_store.counts().pages == 0


def test_what_keeps_its_own_records_is_told_from_others_nodes(neo4j_store: Neo4jStore) -> None:
    """A node that others call Schema is neither read as ours nor deleted or counted; ours of 0.2 gets its new label."""
    neo4j_store.query("CREATE (:Schema {name: 'columns', owner: 'others'})", write=True)
    neo4j_store.query("CREATE (:Schema {name: 'columns', pages: '{\"depth\": \"int64\"}', hosts: '{}'})", write=True)
    assert list(neo4j_store.page_columns()) == ["depth"]
    neo4j_store.create_schema()
    assert list(neo4j_store.page_columns()) == ["depth"]
    rows = neo4j_store.query("MATCH (s:Schema) RETURN s.owner AS owner").to_pylist()
    assert rows == [{"owner": "others"}]
    assert not neo4j_store.is_empty()
