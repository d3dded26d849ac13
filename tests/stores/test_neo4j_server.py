"""A managed server that lives: bulk import, kill -9 in the middle of a load, start afresh."""

from __future__ import annotations

import os
import random
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from typing import Any

import numpy as np
import pyarrow as pa
import pytest

from seedrank.core.errors import SeedrankError, StoreError
from seedrank.graphdb.neo4j import Neo4jStore, open_store
from seedrank.graphdb.server import USER, Server, connect, down, free_port, is_running, process, status, up
from seedrank.graphdb.server.bulk import bulk_load
from tests.conftest import LINE, REPOSITORY
from tests.stores import graphs
from tests.stores.graphs import SMALL

LOADER = """
import sys
from seedrank.graphdb.neo4j import open_store
from tests.stores import graphs
from tests.stores.test_neo4j_server import web

with open_store(sys.argv[1], batch_size=40) as store:
    store.create_schema()
    changes = graphs.missing(store, web())
    print("writing", flush=True)
    store.apply(changes, graphs.load("first"))
"""


def web(pages: int = 1_500) -> graphs.Graph:
    """The same made graph every time."""
    rng = np.random.default_rng(11)
    pairs = {(int(a), int(b)) for a, b in rng.integers(0, pages, (3 * pages, 2)) if a != b}
    hosts = [f"h{i}.example" for i in range(20)]
    return graphs.Graph(
        pages=[
            {"id": i, "url": f"http://{hosts[i % 20]}/{i}", "source_id": i, "status": "crawled", "host": hosts[i % 20]}
            for i in range(pages)
        ],
        links=[{"source": a, "target": b, "weight": float(1 + a % 3), "anchors": None} for a, b in sorted(pairs)],
        hosts=[{"name": name, "pages": pages // 20} for name in sorted(hosts)],
    )


@pytest.fixture(scope="module")
def managed(neo4j_server: Any, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """A second server, which these tests stop and kill; only where the first one shows that it can be had."""
    if neo4j_server.home is None:
        pytest.skip("the server of this run was not assembled here")
    server = Server(
        tmp_path_factory.mktemp("managed"), port=free_port(), http_port=free_port(), heap="512m", neo4j=LINE
    )
    try:
        yield up(server, use_docker=False)
    finally:
        down(server)


@pytest.fixture
def managed_store(managed: Server) -> Iterator[Neo4jStore]:
    up(managed, use_docker=False)
    with connect(managed) as store:
        store.wipe()
    with connect(managed, patience=120.0) as store:
        yield store
        store.wipe()


def hostile() -> graphs.Graph:
    """Everything a CSV file may stumble over; but no anchor is empty, so that they too go through the file."""
    texts = [
        "",
        " ",
        '"',
        '""',
        "\\",
        "\\N",
        "a,b",
        "a;b",
        "line\nbreak",
        "\r\n",
        "\t",
        "null",
        "NaN",
        "日本 😀",
        "'",
        "\x1f",
    ]
    types = {
        "title": pa.string(),
        "score": pa.float64(),
        "n": pa.int64(),
        "ok": pa.bool_(),
        "day": pa.date32(),
        "a:b": pa.float64(),
    }
    values = [0.1, -0.0, 1e-300, 1.7976931348623157e308, float("inf"), None, 5e-324, 1 / 3]
    pages = [
        {
            "id": i,
            "url": f"http://a.example/{text}",
            "source_id": None if i % 3 else -i,
            "status": "frontier",
            "host": SMALL.hosts[i % 3]["name"],
            "title": text,
            "score": values[i % len(values)],
            "n": [0, None, 2**63 - 1, -(2**63)][i % 4],
            "ok": [True, False, None][i % 3],
            "day": None,
            "a:b": float(i),
        }
        for i, text in enumerate(texts)
    ]
    links = [
        {"source": 0, "target": i, "weight": 1 / i, "anchors": texts[max(i - 1, 1) : i + 2] if i % 2 else None}
        for i in range(1, len(texts))
    ]
    queries = [{"text": text, "freq": float(i), "need": None if i % 2 else 0.5} for i, text in enumerate(texts)]
    results = [
        {"query": text, "id": i, "rank": i + 1, "clicks": None if i % 2 else 1.5} for i, text in enumerate(texts)
    ]
    return graphs.Graph(pages, links, SMALL.hosts, queries, results, types, SMALL.host_columns)


@pytest.mark.long
@pytest.mark.parametrize("graph", [hostile(), pytest.param(SMALL, marks=pytest.mark.deep)], ids=["hostile", "small"])
def test_bulk_gives_what_a_load_over_the_wire_gives(
    managed: Server, managed_store: Neo4jStore, neo4j_store: Neo4jStore, graph: graphs.Graph
) -> None:
    changes, load = graphs.everything(graph), graphs.load("first", counts={"page rows": 3})
    others = managed_store.connection
    for make, undo, said in (
        ("CREATE CONSTRAINT truck FOR (t:Truck) REQUIRE t.n IS UNIQUE", "DROP CONSTRAINT truck", "others.*: 'truck'"),
        ("CREATE (:Schema {name: 'columns', of: 'others'})", "MATCH (s:Schema) DELETE s", "is not empty"),
    ):
        others.auto_commit(make)
        with pytest.raises(StoreError, match=said):
            bulk_load(managed, changes, load)
        others.auto_commit(undo)
    bulk_load(managed, changes, load)
    neo4j_store.create_schema()
    neo4j_store.apply(changes, load)
    with connect(managed) as store:
        assert graphs.read(store) == graphs.read(neo4j_store) == graphs.plain(graph)
        assert (store.loads(), store.counts()) == (neo4j_store.loads(), neo4j_store.counts())
        kinds = "MATCH (p:Page) UNWIND keys(p) AS k RETURN p.id AS id, k, valueType(p[k]) AS kind ORDER BY id, k"
        assert store.query(kinds).to_pylist() == neo4j_store.query(kinds).to_pylist()
        constraints = "SHOW CONSTRAINTS YIELD name RETURN name ORDER BY name"
        asked = (constraints, {})
        assert store.connection.rows(*asked, write=False) == neo4j_store.connection.rows(*asked, write=False)
    with pytest.raises(StoreError, match=r"is not empty.*leave out bulk.*--wipe"):
        bulk_load(managed, changes, load)


@pytest.mark.long
def test_status_of_a_server_that_runs(managed: Server) -> None:
    up(managed, use_docker=False)
    seen = status(Server(managed.home, neo4j=LINE))
    assert (seen.running, seen.kind, seen.url, seen.browser) == (True, "java", managed.url, managed.browser)
    assert seen.version.startswith(LINE) and seen.gds.startswith("2.") and seen.bytes > 0
    pid = managed.state()["pid"]
    assert managed.password() not in process._command_line(pid)
    assert up(managed).port == managed.port and managed.state()["pid"] == pid


@pytest.mark.long
def test_sigkill_of_the_loading_process_at_any_moment(neo4j_store: Neo4jStore) -> None:
    rng = random.Random(5)
    command = [sys.executable, "-W", "error", "-c", LOADER, neo4j_store.url]
    for moment in (0.0, rng.uniform(0, 1), rng.uniform(0, 3)):
        loader = subprocess.Popen(command, stdout=subprocess.PIPE, cwd=REPOSITORY)
        assert loader.stdout is not None and loader.stdout.readline() == b"writing\n"
        time.sleep(moment)
        loader.send_signal(signal.SIGKILL)
        loader.stdout.close()
        loader.wait()
        # A commit the server had already been asked for may still be under way.
        time.sleep(1)
        ids = [row["id"] for batch in neo4j_store.read_pages([]) for row in batch.to_pylist()]
        assert ids == list(range(len(ids))), "what is there is a prefix by id"
        states = [load.state for load in neo4j_store.loads()]
        assert states in ([], ["running"], ["done"])
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL, cwd=REPOSITORY)
    assert graphs.read(neo4j_store) == graphs.plain(web())
    assert [load.state for load in neo4j_store.loads()] == ["done"]


@pytest.mark.deep
def test_a_server_killed_in_the_middle_of_a_load_and_started_again(managed: Server, managed_store: Neo4jStore) -> None:
    store = Neo4jStore(managed_store.connection, batch_size=20)
    store.create_schema()
    restarts = []

    def kill_and_restart() -> None:
        os.kill(managed.state()["pid"], signal.SIGKILL)
        while is_running(managed):
            time.sleep(0.1)
        restarts.append(up(managed, use_docker=False))

    killer = threading.Timer(1.5, kill_and_restart)
    killer.start()
    store.apply(graphs.everything(web()), graphs.load("first"))
    killer.join()
    assert restarts
    assert graphs.read(store) == graphs.plain(web())
    assert [load.state for load in store.loads()] == ["done"]


@pytest.mark.deep
def test_a_server_that_stays_away_is_reported_and_the_load_can_be_repeated(
    managed: Server, managed_store: Neo4jStore
) -> None:
    with open_store(managed.url, auth=(USER, managed.password()), batch_size=20, patience=2.0) as store:
        store.create_schema()
        killer = threading.Timer(1.0, lambda: os.kill(managed.state()["pid"], signal.SIGKILL))
        killer.start()
        with pytest.raises(SeedrankError, match=r"no Neo4j server answers.*repeat the command"):
            store.apply(graphs.everything(web()), graphs.load("first"))
    up(managed, use_docker=False)
    with connect(managed) as store:
        assert [load.state for load in store.loads()] == ["running"]
        store.apply(graphs.missing(store, web()), graphs.load("first"))
        assert graphs.read(store) == graphs.plain(web())


@pytest.mark.deep
def test_wipe_starts_afresh_with_a_new_password(managed: Server) -> None:
    up(managed, use_docker=False)
    with connect(managed) as store:
        store.query("CREATE (:Page {id: 0})", write=True)
    password = managed.password()
    up(managed, wipe=True, use_docker=False)
    assert managed.password() != password
    with connect(managed) as store:
        assert store.is_empty()
    assert down(managed) is True and down(managed) is False
    assert status(managed).running is False
