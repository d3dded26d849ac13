"""What only the embedded store must do: its file, its one writer, being killed, Ctrl-C, full disks."""

from __future__ import annotations

import errno
import os
import shutil
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import duckdb
import numpy as np
import pyarrow as pa
import pytest

from seedrank.core.errors import SeedrankError, StoreBusy, StoreError, UsageError
from seedrank.graphdb import open_store
from seedrank.graphdb.duckdb import DuckDBStore
from seedrank.graphdb.duckdb.files import WriteLock
from seedrank.graphdb.store import HasFile
from tests.conftest import REPOSITORY
from tests.stores import graphs
from tests.stores.graphs import SMALL

MORE = graphs.changes(new_pages=[{"id": 6, "url": "http://c.example/", "status": "frontier"}])


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """The path of a store with `SMALL` in it, closed."""
    path = tmp_path / "web.duckdb"
    with opened(path, create=True) as store:
        store.apply(graphs.everything(SMALL), graphs.load("first"))
    return path


@contextmanager
def opened(path: Path, **options: object) -> Iterator[DuckDBStore]:
    store = DuckDBStore.open(str(path), **options)  # type: ignore[arg-type]
    try:
        yield store
    finally:
        store.close()


@contextmanager
def another_process(path: Path, code: str) -> Iterator[subprocess.Popen[str]]:
    """A process with the `store` open that runs the code; what it prints comes line by line."""
    code = f"import sys\nfrom seedrank.graphdb import open_store\nstore = open_store(sys.argv[1])\n{code}\n"
    with subprocess.Popen(
        [sys.executable, "-c", code, str(path)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
        cwd=REPOSITORY,
    ) as process:
        yield process


HOLD = "with store.writing():\n    print('held', flush=True); sys.stdin.read()"


# -- opening


def test_not_there(tmp_path: Path) -> None:
    with pytest.raises(StoreError, match=r"web.duckdb does not exist; load a graph first: create=True makes the store"):
        open_store(str(tmp_path / "web.duckdb"))
    assert list(tmp_path.iterdir()) == []


def test_an_empty_file(tmp_path: Path) -> None:
    path = tmp_path / "web.duckdb"
    path.touch(0o640)
    with pytest.raises(StoreError, match=r"web.duckdb holds no graph yet; load a graph first"):
        open_store(str(path))
    with opened(path, create=True) as store:
        store.apply(graphs.everything(SMALL), graphs.load("first"))
    assert path.stat().st_mode & 0o777 == 0o640


def test_no_folder(tmp_path: Path) -> None:
    with pytest.raises(StoreError, match="folder does not exist"):
        open_store(str(tmp_path / "none" / "web.duckdb"), create=True)


def test_a_folder_that_is_no_graph(tmp_path: Path) -> None:
    with pytest.raises(StoreError, match=r"a folder without a graph\.json"):
        open_store(str(tmp_path))


@pytest.mark.parametrize("content", [b"x", b"not a database\n" * 1000, b"\0" * 20_000])
def test_another_file(tmp_path: Path, content: bytes) -> None:
    file = tmp_path / "notes.txt"
    file.write_bytes(content)
    for create in (False, True):
        with pytest.raises(StoreError, match="not a store of seedrank's"):
            open_store(str(file), create=create)
    assert file.read_bytes() == content
    assert list(tmp_path.iterdir()) == [file]


def test_a_store_of_the_database_before(tmp_path: Path) -> None:
    """As stores of 0.2 began, whatever they are called."""
    file = tmp_path / "web.duckdb"
    file.write_bytes(b"LBUG1\0\0\0\0\0\0\0\x93\0\0\0\x02" + bytes(8192))
    with pytest.raises(StoreError, match=r"web.duckdb was written by seedrank 0.2 or older.*load its sources again"):
        open_store(str(file))


def test_another_database(tmp_path: Path) -> None:
    file = tmp_path / "other.duckdb"
    with duckdb.connect(file) as other:
        other.execute("CREATE TABLE page (id INTEGER)")
    for create in (False, True):
        with pytest.raises(StoreError, match="a DuckDB database, but not one of seedrank's"):
            open_store(str(file), create=create)


def test_a_later_schema(path: Path) -> None:
    with duckdb.connect(path) as other:
        other.execute("UPDATE store SET schema = 99")
    with pytest.raises(StoreError, match=r"schema 99; this one knows 1.*install"):
        open_store(str(path))


@pytest.mark.parametrize("kept", [0.01, 0.5])
def test_a_file_that_was_cut_short(path: Path, kept: float) -> None:
    os.truncate(path, int(path.stat().st_size * kept))
    with pytest.raises(SeedrankError) as caught, opened(path) as store:
        graphs.read(store)
    assert "\n" not in str(caught.value)


def test_nothing_is_made_before_the_first_write(tmp_path: Path) -> None:
    with opened(tmp_path / "web.duckdb", create=True) as store:
        store.create_schema()
        assert store.counts().pages == 0
        with pytest.raises(StoreError, match="holds no graph yet"):
            store.query("MATCH (p:Page) RETURN p.id")
    assert list(tmp_path.iterdir()) == []


def test_nothing_is_left_beside_it(path: Path) -> None:
    with opened(path) as store:
        store.write_scores("x", np.zeros(6))
        assert list(path.parent.iterdir()) == [path]
    assert list(path.parent.iterdir()) == [path]


def test_a_store_stays_when_reopened_to_create(path: Path) -> None:
    with opened(path, create=True) as store:
        assert graphs.read(store) == graphs.plain(SMALL)


def test_what_a_closed_store_says(path: Path) -> None:
    with opened(path) as store:
        pass
    for use in (store.counts, lambda: store.write_scores("x", np.zeros(6)), lambda: store.query("RETURN 1 AS x")):
        with pytest.raises(StoreError, match="is closed"):
            use()


@pytest.mark.parametrize("url", ["http://example.com/web", "s3://bucket/web.duckdb"])
def test_a_url_of_something_else(url: str) -> None:
    with pytest.raises(UsageError, match="unknown store scheme"):
        open_store(url)


def test_database_goes_with_servers(path: Path) -> None:
    with pytest.raises(UsageError, match="database, prefix and model go with a neo4j:// store"):
        open_store(str(path), database="web")


def test_any_client_reads_it(path: Path) -> None:
    with opened(path), duckdb.connect(path, read_only=True) as other:
        assert other.sql("SELECT id, host FROM page WHERE status = 'missing'").fetchall() == [(3, None)]
        pages, links = (other.sql(f"FROM {name}").fetchall() for name in ("page", "link"))
    assert [row[0] for row in pages] == list(range(6))
    assert [row[:2] for row in links] == sorted(row[:2] for row in links)


# -- one writer, any number of readers


def test_a_second_writer_is_refused(path: Path) -> None:
    with another_process(path, HOLD) as other, opened(path) as store:
        assert other.stdout is not None and other.stdout.readline() == "held\n"
        with pytest.raises(StoreBusy, match=r"web.duckdb is being written by another command; run .*wait=60"):
            store.apply(MORE, graphs.load("second"))
        assert graphs.read(store) == graphs.plain(SMALL)
        other.communicate("")
        store.apply(MORE, graphs.load("second"))
        assert store.counts().pages == 7


def test_a_second_writer_waits(path: Path) -> None:
    with another_process(path, HOLD) as other, opened(path, wait=60.0) as store:
        assert other.stdout is not None and other.stdout.readline() == "held\n"
        writer = threading.Thread(target=store.apply, args=(MORE, graphs.load("second")))
        writer.start()
        writer.join(0.3)
        assert writer.is_alive()
        other.communicate("")
        writer.join()
        assert store.counts().pages == 7


def test_what_was_computed_from_an_older_state_is_refused(path: Path) -> None:
    with opened(path) as ours, opened(path) as theirs:
        theirs.apply(MORE, graphs.load("second"))
        with pytest.raises(StoreError, match="was changed by another command meanwhile; run it again"):
            ours.apply(MORE, graphs.load("second"))
        theirs.apply(graphs.changes(), graphs.load("empty"))
        with ours.writing():
            assert [load.id for load in ours.loads()] == ["first", "second", "empty"]
            ours.apply(graphs.changes(page_hosts=[{"id": 6, "host": "b.example"}]), graphs.load("third"))
        assert [load.id for load in ours.loads()] == ["first", "second", "empty", "third"]
        assert theirs.counts().pages == 7


def test_several_writes_under_one_lock(path: Path) -> None:
    with opened(path) as store, opened(path) as other:
        assert isinstance(store, HasFile)
        with store.writing():
            store.apply(MORE, graphs.load("second"))
            with pytest.raises(StoreBusy):
                other.write_scores("x", np.zeros(7))
            store.write_scores("x", np.arange(7.0))
        other.write_scores("y", np.arange(7.0))
        assert {"x", "y"} <= other.page_columns().keys()


def test_who_reads_keeps_what_they_opened(path: Path) -> None:
    with opened(path, read_only=True) as reader, opened(path) as writer:
        links = reader.read_links(["weight", "anchors"])
        pages = reader.read_pages()
        first = next(pages)
        writer.apply(MORE, graphs.load("second"))
        assert first.num_rows + sum(batch.num_rows for batch in pages) == 6
        assert sum(batch.num_rows for batch in links) == 5
        assert graphs.read(reader) == graphs.plain(SMALL)
        assert writer.counts().pages == 7
        with opened(path, read_only=True) as later:
            assert later.counts().pages == 7


def test_who_writes_may_be_reading(path: Path) -> None:
    with opened(path) as store:
        pages = store.read_pages()
        first = next(pages)
        store.apply(MORE, graphs.load("second"))
        assert first.num_rows + sum(batch.num_rows for batch in pages) == 6
        assert store.counts().pages == 7


def test_another_process_reads_while_it_is_written(path: Path) -> None:
    read = (
        "from tests.stores import graphs\nprint(store.counts().pages, graphs.read(store) == graphs.plain(graphs.SMALL))"
    )

    def during(title: str, *given: object, **options: object):
        from seedrank.core.progress import silent

        if title == "writing links":
            with another_process(path, read) as other:
                assert other.communicate()[0] == "6 True\n"
        return silent(title)

    with opened(path) as store:
        store.apply(MORE, graphs.load("second"), progress=during)
        assert store.counts().pages == 7


def test_threads_read_one_store(path: Path) -> None:
    with opened(path) as store:
        found: list[graphs.Graph] = []
        threads = [threading.Thread(target=lambda: found.append(graphs.read(store))) for _ in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert found == [graphs.plain(SMALL)] * 4


def test_read_only_does_not_write(path: Path) -> None:
    with opened(path, read_only=True) as store:
        assert graphs.read(store) == graphs.plain(SMALL)
        for write in (
            lambda: store.apply(graphs.changes(), graphs.load("second")),
            lambda: store.write_scores("x", np.zeros(6)),
        ):
            with pytest.raises(StoreError, match="opened for reading only"):
                write()


def test_cypher_does_not_write(path: Path) -> None:
    with (
        opened(path) as store,
        pytest.raises(StoreError, match=r"Cypher only reads an embedded store; load .* or use Neo4j"),
    ):
        store.query("CREATE (:Page {id: 9})", write=True)


# -- the file


def test_a_link_is_followed(path: Path, tmp_path: Path) -> None:
    (tmp_path / "links").mkdir()
    link = tmp_path / "links" / "web.duckdb"
    link.symlink_to(path)
    with opened(link) as store:
        store.apply(MORE, graphs.load("second"))
    assert link.is_symlink()
    with opened(path) as store:
        assert store.counts().pages == 7


def test_a_link_to_nothing_is_filled(tmp_path: Path) -> None:
    link = tmp_path / "link.duckdb"
    link.symlink_to(tmp_path / "web.duckdb")
    with opened(link, create=True) as store:
        store.apply(graphs.everything(SMALL), graphs.load("first"))
    assert link.is_symlink()
    with opened(tmp_path / "web.duckdb") as store:
        assert graphs.read(store) == graphs.plain(SMALL)


def test_permissions(tmp_path: Path) -> None:
    path = tmp_path / "web.duckdb"
    before = os.umask(0o027)
    try:
        with opened(path, create=True) as store:
            store.apply(graphs.everything(SMALL), graphs.load("first"))
    finally:
        os.umask(before)
    assert path.stat().st_mode & 0o777 == 0o640
    path.chmod(0o604)
    with opened(path) as store:
        store.apply(MORE, graphs.load("second"))
    assert path.stat().st_mode & 0o777 == 0o604


def test_what_a_killed_writer_left_is_taken_over(path: Path) -> None:
    for name in ("web.duckdb.lock", "web.duckdb.writing", "web.duckdb.writing.wal"):
        (path.parent / name).write_bytes(b"half" * 10_000)
    with opened(path) as store:
        assert graphs.read(store) == graphs.plain(SMALL)
        store.apply(MORE, graphs.load("second"))
        assert store.counts().pages == 7
    assert list(path.parent.iterdir()) == [path]


def test_changes_of_another_program_are_not_lost(path: Path, tmp_path: Path) -> None:
    """They are in a log beside the store until that program completes them."""
    with duckdb.connect(path) as other:
        other.execute("PRAGMA disable_checkpoint_on_shutdown")
        other.execute("UPDATE page SET status = 'frontier' WHERE id = 3")
    assert (tmp_path / "web.duckdb.wal").exists()
    with (
        opened(path) as store,
        pytest.raises(StoreError, match=r"changes by another program that are only in web.duckdb.wal; .*CHECKPOINT"),
    ):
        store.write_scores("x", np.zeros(6))
    with duckdb.connect(path) as other:
        other.execute("CHECKPOINT")
    with opened(path) as store:
        store.write_scores("x", np.zeros(6))
        assert graphs.read(store).pages[3]["status"] == "frontier"


def test_a_program_that_writes_it_is_named(path: Path) -> None:
    code = (
        "store.close(); import duckdb\nheld = duckdb.connect(sys.argv[1]); print('held', flush=True); sys.stdin.read()"
    )
    with another_process(path, code) as other:
        assert other.stdout is not None and other.stdout.readline() == "held\n"
        with pytest.raises(StoreBusy, match="open for writing in another program; close it there"):
            DuckDBStore.open(str(path))
        other.communicate("")


def test_no_room_for_the_copy(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("seedrank.core.resources.free_disk", lambda folder: 1000)
    before = path.read_bytes()
    with opened(path) as store:
        with pytest.raises(
            StoreError, match=r"writing web.duckdb needs .* of disk at .*, and 1000 bytes are free; make room"
        ):
            store.apply(MORE, graphs.load("second"))
        assert list(path.parent.iterdir()) == [path]
    assert path.read_bytes() == before


@pytest.mark.parametrize("broken", ["os.copy_file_range", "os.fsync"])
@pytest.mark.parametrize("number", [errno.ENOSPC, errno.EIO])
def test_a_disk_that_fails(path: Path, monkeypatch: pytest.MonkeyPatch, broken: str, number: int) -> None:
    def fail(*given: object) -> None:
        raise OSError(number, os.strerror(number))

    with opened(path) as store:
        with monkeypatch.context() as failing:
            failing.setattr(broken, fail)
            with pytest.raises(StoreError, match=f"web.duckdb could not be written: {os.strerror(number)}"):
                store.apply(MORE, graphs.load("second"))
        assert list(path.parent.iterdir()) == [path]
        assert graphs.read(store) == graphs.plain(SMALL)
        store.apply(MORE, graphs.load("second"))
        assert store.counts().pages == 7


def test_a_full_disk_while_the_copy_is_written(tmp_path: Path) -> None:
    """On a file system of its own, where the database itself runs out of room."""
    disk = tmp_path / "disk"
    disk.mkdir()
    if os.getuid() != 0 or shutil.which("unshare") is None:
        pytest.skip("no mounts can be made here")
    code = (
        "import sys; from pathlib import Path; import pytest\n"
        "from seedrank.graphdb.duckdb import DuckDBStore; from seedrank.core.errors import StoreError\n"
        "from tests.stores import graphs, test_duckdb\n"
        "import seedrank.core.resources as room; room.free_disk = lambda folder: 1 << 40\n"
        "path = Path(sys.argv[1]) / 'web.duckdb'\n"
        "store = DuckDBStore.open(str(path), create=True)\n"
        "store.apply(graphs.everything(graphs.SMALL), graphs.load('first'))\n"
        "filler = path.with_name('filler'); file = filler.open('wb', 0)\n"
        "try:\n    while True: file.write(bytes(4096))\nexcept OSError: pass\n"
        "file.truncate(filler.stat().st_size - path.stat().st_size - 200_000)\n"
        "with pytest.raises(StoreError, match='make room on the disk'):\n"
        "    store.apply(graphs.missing(store, test_duckdb.BIG), graphs.load('big'))\n"
        "assert sorted(one.name for one in path.parent.iterdir()) == ['filler', 'web.duckdb']\n"
        "assert graphs.read(store) == graphs.plain(graphs.SMALL)\n"
        "filler.unlink(); store.write_scores('x', __import__('numpy').zeros(6)); store.close()\n"
    )
    mount = 'mount -t tmpfs -o size=16m none "$0" && exec "$@"'
    done = subprocess.run(
        ["unshare", "-m", "sh", "-c", mount, str(disk), sys.executable, "-c", code, str(disk)],
        cwd=REPOSITORY,
        capture_output=True,
        text=True,
    )
    if "mount:" in done.stderr or "unshare:" in done.stderr:
        pytest.skip("no mounts can be made here")
    assert done.returncode == 0, done.stderr


def test_a_lock_that_is_renamed_away_is_not_held(path: Path) -> None:
    """Who waited for a lock that its holder removed takes a new one."""
    with WriteLock(path):
        place = path.with_name("web.duckdb.lock")
        waiting = os.open(place, os.O_RDONLY)
    assert not place.exists()
    with WriteLock(path):
        assert os.fstat(waiting).st_ino != place.stat().st_ino or os.fstat(waiting).st_nlink == 0
        with pytest.raises(StoreBusy):
            WriteLock(path)
    os.close(waiting)


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
def test_killed_at_any_moment(tmp_path: Path) -> None:
    """SIGKILL, then the same again: nothing or all of it is there, and the graph is that of an undisturbed load."""
    path = tmp_path / "web.duckdb"
    code = (
        "import sys; from tests.stores import graphs, test_duckdb; from seedrank.graphdb import open_store\n"
        "store = open_store(sys.argv[1], create=True)\n"
        "wanted = graphs.missing(store, test_duckdb.BIG); print('go', flush=True)\n"
        "store.apply(wanted, graphs.load('big')); print('done', flush=True); store.close()\n"
    )
    command = [sys.executable, "-c", code, str(path)]
    for delay in (0.0, 0.02, 0.05, 0.1, 0.2, 0.4):
        with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, cwd=REPOSITORY) as process:
            assert process.stdout is not None
            assert process.stdout.readline() == "go\n"
            time.sleep(delay)
            process.send_signal(signal.SIGKILL)
        with opened(path, create=True) as store:
            assert graphs.read(store) == (graphs.plain(BIG) if store.loads() else graphs.Graph())
    subprocess.run(command, check=True, stdout=subprocess.PIPE, cwd=REPOSITORY)
    with opened(path) as store:
        assert graphs.read(store) == graphs.plain(BIG)
        assert [load.state for load in store.loads()] == ["done"]
    assert list(tmp_path.iterdir()) == [path]


@pytest.mark.usefixtures("ctrl_c")
def test_ctrl_c_ends_a_statement(path: Path) -> None:
    with opened(path) as store, store._reading() as connection:
        threading.Timer(0.3, lambda: signal.raise_signal(signal.SIGINT)).start()
        with pytest.raises(KeyboardInterrupt):
            connection.value(
                "SELECT count(*) FROM range(100000000) AS a, range(100000000) AS b WHERE a.range < b.range"
            )
        assert connection.value("SELECT 1") == 1


def test_ctrl_c_in_a_load_leaves_the_store_as_it_was(path: Path) -> None:
    def interrupt(title: str, total: int | None = None):
        if title == "writing links":
            raise KeyboardInterrupt
        from seedrank.core.progress import silent

        return silent(title, total)

    with opened(path) as store:
        with pytest.raises(KeyboardInterrupt):
            store.apply(MORE, graphs.load("second"), progress=interrupt)
        assert list(path.parent.iterdir()) == [path]
        assert graphs.read(store) == graphs.plain(SMALL)
        assert [load.id for load in store.loads()] == ["first"]
        store.apply(MORE, graphs.load("second"))
        assert store.counts().pages == 7


# -- columns, and what is stored


def test_columns_of_all_types(path: Path) -> None:
    store = DuckDBStore.open(str(path))
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
        ({"clicks": pa.string()}, "holds DOUBLE in the store and VARCHAR"),
        ({"tags": pa.list_(pa.int64())}, "'tags' holds list.*cannot keep"),
    ],
)
def test_columns_that_do_not_fit(path: Path, columns: dict[str, pa.DataType], message: str) -> None:
    store = DuckDBStore.open(str(path))
    before = graphs.read(store)
    with pytest.raises(StoreError, match=message):
        store.apply(graphs.changes(page_columns=columns), graphs.load("second"))
    assert graphs.read(store) == before
    store.close()


def test_a_number_that_is_none_is_no_value(path: Path) -> None:
    rows = pa.table({"id": [0, 1], "depth": [float("nan"), 2.0]})
    changes = graphs.changes(changed_pages=rows, page_columns={"depth": pa.float64()})
    with opened(path) as store:
        store.apply(changes, graphs.load("second"))
        found = store.query("MATCH (p:Page) WHERE p.id < 2 RETURN p.depth = p.depth AS same ORDER BY p.id")
        assert found["same"].to_pylist() == [None, True]


def test_scores_over_a_column_of_text(path: Path) -> None:
    with opened(path) as store, pytest.raises(SeedrankError, match="'title' holds VARCHAR"):
        store.write_scores("title", np.zeros(6))


@pytest.mark.parametrize("name", ["rowid", "select", "r", "t", 'a"b', "given_rows", "Order"])
def test_columns_with_the_names_of_sql(path: Path, name: str) -> None:
    with opened(path) as store:
        store.write_scores(name, np.arange(6.0))
        changed = pa.table({"id": [2, 4], name: [7.5, None]})
        more = graphs.changes(changed_pages=changed, page_columns={name: pa.float64()})
        store.apply(more, graphs.load("second"))
        scores = [row[name] for batch in store.read_pages([name]) for row in batch.to_pylist()]
        assert scores == [0.0, 1.0, 7.5, 3.0, 4.0, 5.0]


def test_anchors_that_come_later(tmp_path: Path) -> None:
    with opened(tmp_path / "web.duckdb", create=True) as store:
        bare = [{**row, "anchors": None} for row in SMALL.links]
        first = graphs.changes(new_pages=graphs.everything(SMALL).new_pages.to_pylist(), new_links=bare[:3])
        store.apply(first, graphs.load("first"))
        assert [row["anchors"] for row in graphs.read(store).links] == [None] * 3
        store.apply(graphs.changes(changed_links=SMALL.links[:2], new_links=SMALL.links[3:]), graphs.load("second"))
        assert graphs.read(store).links == graphs.plain(SMALL).links


@pytest.mark.parametrize(
    "bad",
    [
        lambda: graphs.changes(new_pages=[{"id": 7, "status": "crawled"}]),
        lambda: graphs.changes(new_pages=[{"id": 5, "status": "crawled"}]),
        lambda: graphs.changes(new_links=[{"source": 0, "target": 6, "weight": 1.0}]),
        lambda: graphs.changes(new_links=[{"source": -1, "target": 1, "weight": 1.0}]),
        lambda: graphs.changes(results=[{"query": "web seeds", "id": 9, "rank": 1, "clicks": 1.0}]),
        lambda: graphs.changes(page_hosts=[{"id": 9, "host": "a.example"}]),
    ],
)
def test_what_belongs_to_no_page_is_refused(path: Path, bad: Callable[[], object]) -> None:
    with opened(path) as store:
        with pytest.raises(StoreError, match=r"is not in the store|new pages are numbered"):
            store.apply(bad(), graphs.load("bad"))  # type: ignore[arg-type]
        assert graphs.read(store) == graphs.plain(SMALL)


def test_pages_come_by_id_whoever_stored_them(path: Path) -> None:
    with duckdb.connect(path) as other:
        other.execute("CREATE TABLE again AS FROM page ORDER BY hash(id)")
        other.execute("DROP TABLE page")
        other.execute("ALTER TABLE again RENAME TO page")
    with opened(path) as store:
        assert graphs.read(store) == graphs.plain(SMALL)


def test_writing_again_and_again_does_not_grow_the_file(tmp_path: Path) -> None:
    path = tmp_path / "web.duckdb"
    with opened(path, create=True) as store:
        store.apply(graphs.everything(BIG), graphs.load("first"))
        store.write_scores("x", np.random.default_rng(1).random(3_000))
        size = path.stat().st_size
        for seed in range(20):
            store.write_scores("x", np.random.default_rng(seed).random(3_000))
        assert path.stat().st_size <= 2 * size


@pytest.mark.parametrize(
    ("cypher", "told"),
    [
        ("RETURN toInteger('9223372036854775808') AS x", "integer overflow"),
        ("RETURN abs(-9223372036854775808) AS x", "integer overflow"),
        ("MATCH (p:Page) RETURN p.id / 0 AS x", "a whole number is divided by 0"),
        ("RETURN date('2024-13-01') AS x", 'the statement failed: date field value out of range: "2024-13-01"$'),
        (
            "WITH 20000000 AS n RETURN range(1, n) AS x",
            r"the statement failed: range\(\) has more than 10,000,000 numbers$",
        ),
    ],
)
def test_a_statement_that_fails_says_so_in_its_own_words(path: Path, cypher: str, told: str) -> None:
    with opened(path) as store, pytest.raises(StoreError, match=told):
        store.query(cypher)
