"""What only the embedded store must do: its file, its locks, being killed, Ctrl-C, and statements that reach out."""

from __future__ import annotations

import signal
import subprocess
import sys
import threading
import time
from pathlib import Path

import ladybug
import numpy as np
import pyarrow as pa
import pytest

from graphdb import open_store
from graphdb.ladybug import LadybugStore
from graphdb.statements import Refused
from seedrank.core.errors import SeedrankError, StoreBusy, StoreError, UsageError
from tests.conftest import REPOSITORY
from tests.stores import graphs
from tests.stores.graphs import SMALL


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """The path of a store with `SMALL` in it, closed."""
    path = tmp_path / "web.lbug"
    store = LadybugStore.open(str(path), create=True)
    store.create_schema()
    store.apply(graphs.everything(SMALL), graphs.load("first"))
    store.close()
    return path


def in_another_process(path: Path, mode: str) -> subprocess.Popen[str]:
    """A process that opens a store, says so, and holds it until its standard input closes."""
    code = (
        "import sys; from graphdb import open_store\n"
        "store = open_store(sys.argv[1], read_only=sys.argv[2] == 'read')\n"
        "print(store.counts().pages, flush=True); sys.stdin.read(); store.close()\n"
    )
    return subprocess.Popen(
        [sys.executable, "-c", code, str(path), mode], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    )


# -- opening


def test_not_there(tmp_path: Path) -> None:
    with pytest.raises(StoreError, match=r"web.lbug is not there; load a graph first: create=True makes the store"):
        open_store(str(tmp_path / "web.lbug"))
    assert list(tmp_path.iterdir()) == []


def test_no_folder(tmp_path: Path) -> None:
    with pytest.raises(StoreError, match="folder does not exist"):
        open_store(str(tmp_path / "none" / "web.lbug"), create=True)


def test_a_folder_that_is_no_graph(tmp_path: Path) -> None:
    with pytest.raises(StoreError, match=r"a folder without a graph\.json"):
        open_store(str(tmp_path))


def test_another_file(tmp_path: Path) -> None:
    file = tmp_path / "notes.txt"
    file.write_text("not a database\n" * 1000)
    for create in (False, True):
        with pytest.raises(StoreError, match="not a store of seedrank's"):
            open_store(str(file), create=create)
    assert file.read_text() == "not a database\n" * 1000


def test_another_database(tmp_path: Path) -> None:
    with ladybug.Database(tmp_path / "other.lbug", buffer_pool_size=1 << 26) as other:
        ladybug.Connection(other).execute("CREATE NODE TABLE Page(id INT64 PRIMARY KEY)").close()
    with pytest.raises(StoreError, match="not one of seedrank's"):
        open_store(str(tmp_path / "other.lbug"), create=True)


def test_a_later_schema(path: Path) -> None:
    store = LadybugStore.open(str(path))
    with store._writing() as session:
        session.run("COMMENT ON TABLE Page IS 'seedrank schema 99'")
    store.close()
    with pytest.raises(StoreError, match=r"schema 99; this one knows 3.*install"):
        open_store(str(path))


def test_a_store_nothing_was_written_into_goes_away(tmp_path: Path) -> None:
    store = LadybugStore.open(str(tmp_path / "web.lbug"), create=True)
    store.create_schema()
    assert store.counts().pages == 0
    store.close()
    assert list(tmp_path.iterdir()) == []


def test_a_store_stays_when_reopened_to_create(path: Path) -> None:
    LadybugStore.open(str(path), create=True).close()
    store = LadybugStore.open(str(path), create=True)
    assert graphs.read(store) == graphs.plain(SMALL)
    store.close()


def test_what_a_closed_store_says(path: Path) -> None:
    store = LadybugStore.open(str(path))
    store.close()
    with pytest.raises(StoreError, match="is closed"):
        store.counts()


@pytest.mark.parametrize("url", ["http://example.com/web", "s3://bucket/web.lbug"])
def test_a_url_of_something_else(url: str) -> None:
    with pytest.raises(UsageError, match="unknown store scheme"):
        open_store(url)


def test_database_goes_with_servers(path: Path) -> None:
    with pytest.raises(UsageError, match="database goes with a neo4j:// store"):
        open_store(str(path), database="web")


# -- locks


@pytest.mark.parametrize(
    ("theirs", "ours", "busy"),
    [("write", "write", True), ("write", "read", True), ("read", "write", True), ("read", "read", False)],
)
def test_two_processes(path: Path, theirs: str, ours: str, busy: bool) -> None:
    with in_another_process(path, theirs) as other:
        assert other.stdout is not None
        assert other.stdout.readline() == "6\n"
        if busy:
            with pytest.raises(
                StoreBusy, match=r"web.lbug is in use by another process, or open twice in this one; wait"
            ):
                open_store(str(path), read_only=ours == "read")
        else:
            store = open_store(str(path), read_only=True)
            assert store.counts().pages == 6
            store.close()
        other.communicate("")
    open_store(str(path)).close()


def test_twice_in_one_process(path: Path) -> None:
    store = LadybugStore.open(str(path))
    with pytest.raises(StoreBusy):
        LadybugStore.open(str(path))
    store.close()


def test_read_only_does_not_write(path: Path) -> None:
    store = LadybugStore.open(str(path), read_only=True)
    assert graphs.read(store) == graphs.plain(SMALL)
    for write in (
        lambda: store.query("CREATE (:Page {id: 9})", write=True),
        lambda: store.apply(graphs.changes(), graphs.load("second")),
        lambda: store.write_scores("x", np.zeros(6)),
    ):
        with pytest.raises(StoreError, match="opened for reading only"):
            write()
    store.close()


# -- being cut off

BIG = graphs.Graph(
    pages=[
        {
            "id": n,
            "url": f"http://h{n % 7}.example/{n}",
            "status": "crawled",
            "host": f"h{n % 7}.example",
            "size": float(n),
        }
        for n in range(3_000)
    ],
    links=[
        {"source": n, "target": m, "weight": 1.0, "anchors": [str(n)] if n % 2 else None}
        for n in range(3_000)
        for m in sorted({(n * k + k) % 3_000 for k in range(2, 12)} - {n})
    ],
    hosts=[{"name": f"h{n}.example", "pages": 429 if n < 4 else 428} for n in range(7)],
    queries=[{"text": f"query {n}", "freq": 1.0, "need": 0.5} for n in range(50)],
    results=[{"query": f"query {n}", "id": n, "rank": 1, "clicks": 2.0} for n in range(50)],
    page_columns={"size": pa.float64()},
)


@pytest.mark.kill
@pytest.mark.parametrize("rows_in_one_transaction", [1_000_000, -1])
def test_killed_at_any_moment(tmp_path: Path, rows_in_one_transaction: int) -> None:
    """SIGKILL, then what is missing: the same graph as an undisturbed load."""
    path = tmp_path / "web.lbug"
    code = (
        "import sys; from tests.stores import graphs, test_ladybug\n"
        "import graphdb.ladybug.store as module; module._ROWS_IN_ONE_TRANSACTION = int(sys.argv[2])\n"
        "store = module.LadybugStore.open(sys.argv[1], create=True); store.create_schema()\n"
        "wanted = graphs.missing(store, test_ladybug.BIG); print('go', flush=True)\n"
        "store.apply(wanted, graphs.load('big')); print('done', flush=True); store.close()\n"
    )
    command = [sys.executable, "-c", code, str(path), str(rows_in_one_transaction)]
    states = set()
    for delay in (0.0, 0.02, 0.05, 0.1, 0.2, 0.4):
        with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, cwd=REPOSITORY) as process:
            assert process.stdout is not None
            assert process.stdout.readline() == "go\n"
            time.sleep(delay)
            process.send_signal(signal.SIGKILL)
        store = LadybugStore.open(str(path), create=True)
        store.create_schema()
        states.add(tuple(load.state for load in store.loads()))
        store.close()
    subprocess.run(command, check=True, stdout=subprocess.PIPE, cwd=REPOSITORY)
    store = LadybugStore.open(str(path))
    assert graphs.read(store) == graphs.plain(BIG)
    assert [load.state for load in store.loads()] == ["done"]
    store.close()
    assert states <= {(), ("running",), ("done",)}


@pytest.mark.usefixtures("ctrl_c")
def test_ctrl_c_ends_a_query(path: Path) -> None:
    store = LadybugStore.open(str(path))
    threading.Timer(0.3, lambda: signal.raise_signal(signal.SIGINT)).start()
    with pytest.raises(KeyboardInterrupt):
        store.query("UNWIND range(1, 100000) AS a UNWIND range(1, 100000) AS b RETURN count(a * b) AS n")
    assert store.query("RETURN 1 AS one").to_pydict() == {"one": [1]}
    store.close()


def test_ctrl_c_in_a_load_leaves_the_store_as_it_was(path: Path) -> None:
    store = LadybugStore.open(str(path))
    before = graphs.read(store)

    def interrupt(title: str, total: int | None = None):
        if title == "writing links":
            raise KeyboardInterrupt
        from seedrank.core.progress import silent

        return silent(title, total)

    more = graphs.changes(new_pages=[{"id": 6, "url": "http://c.example/", "status": "frontier"}])
    with pytest.raises(KeyboardInterrupt):
        store.apply(more, graphs.load("second"), progress=interrupt)
    assert graphs.read(store) == before
    assert [load.id for load in store.loads()] == ["first"]
    store.apply(more, graphs.load("second"))
    assert store.counts().pages == 7
    store.close()


# -- edits by hand, columns


def test_links_after_pages_were_deleted_by_hand(path: Path) -> None:
    """The database then gives the rows of its table other numbers than the pages."""
    store = LadybugStore.open(str(path))
    store.query("MATCH (p:Page {id: 3}) DETACH DELETE p", write=True)
    store.apply(
        graphs.changes(
            new_pages=[{"id": n, "url": f"http://d.example/{n}", "status": "crawled"} for n in (6, 7)],
            new_links=[{"source": 6, "target": 7, "weight": 1.0}, {"source": 7, "target": 5, "weight": 2.0}],
        ),
        graphs.load("second"),
    )
    ends = {(row["source"], row["target"]) for row in graphs.read(store).links}
    assert ends == {(row["source"], row["target"]) for row in SMALL.links} | {(6, 7), (7, 5)}
    store.close()


def test_anchors_that_come_later(tmp_path: Path) -> None:
    """Links have no column for anchors until a load brings some."""
    store = LadybugStore.open(str(tmp_path / "web.lbug"), create=True)
    store.create_schema()
    bare = [{**row, "anchors": None} for row in SMALL.links]
    first = graphs.changes(new_pages=graphs.everything(SMALL).new_pages.to_pylist(), new_links=bare[:3])
    store.apply(first, graphs.load("first"))
    assert [row["anchors"] for row in graphs.read(store).links] == [None] * 3
    with pytest.raises(StoreError, match="anchors"):
        store.query("MATCH ()-[r:LINKS_TO]->() RETURN r.anchors")
    store.apply(graphs.changes(changed_links=SMALL.links[:2], new_links=SMALL.links[3:]), graphs.load("second"))
    assert graphs.read(store).links == graphs.plain(SMALL).links
    store.close()


def test_columns_of_all_types(path: Path) -> None:
    store = LadybugStore.open(str(path))
    values = pa.table(
        {
            "id": pa.array([6, 7]),
            "url": pa.array(["http://d.example/1", None], pa.large_string()),
            "source_id": pa.array([1, None], pa.int64()),
            "status": pa.array(["crawled", "crawled"]).dictionary_encode(),
            "small": pa.array([1, None], pa.int16()),
            "single": pa.array([0.5, None], pa.float32()),
            "day": pa.array([100, None], pa.date32()),
            "time": pa.array([1_000, None], pa.timestamp("ms")),
            "nothing": pa.nulls(2),
        }
    )
    types = {field.name: field.type for field in values.schema if field.name not in graphs.PAGE_SCHEMA}
    whole = graphs.changes(page_columns=types)
    store.apply(type(whole)(**{**vars(whole), "new_pages": values}), graphs.load("types"))
    assert {name: store.page_columns()[name] for name in types} == {
        "small": pa.int64(),
        "single": pa.float64(),
        "day": pa.date32(),
        "time": pa.timestamp("us"),
        "nothing": pa.string(),
    }
    rows = [row for batch in store.read_pages(list(types)) for row in batch.to_pylist() if row["id"] >= 6]
    wanted = values.select(["id", *types]).to_pylist()
    assert rows == wanted
    store.close()


@pytest.mark.parametrize(
    ("columns", "message"),
    [
        ({"Title": pa.string()}, "differ only in capitals"),
        ({"clicks": pa.string()}, "holds DOUBLE in the store and STRING"),
        ({"tags": pa.list_(pa.int64())}, "'tags' holds list.*cannot keep"),
    ],
)
def test_columns_that_do_not_fit(path: Path, columns: dict[str, pa.DataType], message: str) -> None:
    store = LadybugStore.open(str(path))
    before = graphs.read(store)
    with pytest.raises(StoreError, match=message):
        store.apply(graphs.changes(page_columns=columns), graphs.load("second"))
    assert graphs.read(store) == before
    store.close()


# -- statements that do more than ask


@pytest.mark.parametrize(
    "cypher",
    [
        "COPY (MATCH (p:Page) RETURN p.id) TO '{folder}/out.csv'",
        "EXPLAIN COPY (MATCH (p:Page) RETURN p.id) TO '{folder}/out.csv'",
        "EXPORT DATABASE '{folder}/out'",
        "LOAD FROM '{folder}/secret.csv' RETURN *",
        "MATCH (p:Page) LOAD FROM '{folder}/secret.csv' RETURN *",
        "match (p:Page) load /* x */ from '{folder}/secret.csv' return *",
        "CALL read_csv_serial('{folder}/secret.csv') RETURN *",
        "CALL threads=1",
        "CALL current_setting = 1",
        "INSTALL json",
        "LOAD EXTENSION json",
        "ATTACH '{folder}/secret.csv' AS x (dbtype lbug)",
        "BEGIN TRANSACTION",
        "COMMIT",
        "CHECKPOINT",
        "DROP TABLE LINKS_TO",
        "ALTER TABLE Page ADD x DOUBLE",
        "CREATE NODE TABLE X(id INT64 PRIMARY KEY)",
        "RETURN 'a\\'; COMMIT; CREATE (:Page {{id: 99}}) //'; COMMIT",
    ],
)
def test_reaching_out_is_refused(path: Path, cypher: str) -> None:
    (path.parent / "secret.csv").write_text("secret\n")
    store = LadybugStore.open(str(path))
    files = sorted(path.parent.iterdir())
    with pytest.raises(Refused, match=r"^line 1, column \d+: "):
        store.query(cypher.format(folder=path.parent))
    assert sorted(path.parent.iterdir()) == files
    assert graphs.read(store) == graphs.plain(SMALL)
    store.close()


@pytest.mark.parametrize(
    "cypher",
    [
        "CALL show_tables() RETURN *",
        "CALL table_info('Page') RETURN name",
        "EXPLAIN MATCH (p:Page) RETURN p",
        "PROFILE MATCH (p:Page) RETURN count(*)",
        "UNWIND [1, 2] AS load RETURN load",
        "MATCH (p:Page) WHERE EXISTS { MATCH (p)-[:LINKS_TO]->(:Page) } RETURN p.id;",
    ],
)
def test_asking_is_not(path: Path, cypher: str) -> None:
    store = LadybugStore.open(str(path))
    assert store.query(cypher).num_rows > 0
    store.close()


def test_scores_over_a_column_of_text(path: Path) -> None:
    store = LadybugStore.open(str(path))
    with pytest.raises(SeedrankError, match="'title' holds STRING"):
        store.write_scores("title", np.zeros(6))
    store.close()
