"""Users' statements in a process of their own: right answers, kept limits, nothing left behind."""

from __future__ import annotations

import datetime
import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import duckdb
import pytest

from seedrank.core.errors import StoreError
from seedrank.graphdb.duckdb.worker import Worker

MEMORY = 256 << 20
ENDLESS = "SELECT count(*) FROM range(1000000) a, range(1000000) b, range(1000) c"


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return make(tmp_path / "it's a web.duckdb", 10)


@pytest.fixture
def worker(file: Path, tmp_path: Path) -> Iterator[Worker]:
    yield from started(file, tmp_path / "spill")


@pytest.fixture(scope="module")
def shared(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Worker]:
    """One process for tests whose statements change nothing, whatever they answer."""
    folder = tmp_path_factory.mktemp("worker")
    yield from started(make(folder / "it's a web.duckdb", 10), folder / "spill")


def started(file: Path, spill: Path) -> Iterator[Worker]:
    spill.mkdir()
    with closing(Worker(file, MEMORY, spill)) as made:
        yield made
    assert not list(spill.iterdir())


def make(path: Path, pages: int) -> Path:
    """A file with a table ``page`` of so many rows, complete before it has its name."""
    half = path.with_suffix(".half")
    with duckdb.connect(":memory:") as connection:
        place = str(half).replace("'", "''")
        connection.execute(f"ATTACH '{place}' AS s")
        connection.execute(f"CREATE TABLE s.page AS SELECT range AS id FROM range({pages})")
        connection.execute("DETACH s")
    return half.replace(path)


def pid(worker: Worker) -> int:
    assert worker._process is not None
    return worker._process._child.pid


def is_running(process: int) -> bool:
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    return "Z" not in Path(f"/proc/{process}/stat").read_text().rsplit(")", 1)[1].split()[0]


@pytest.mark.parametrize(
    "value",
    [
        0,
        -(2**63),
        2**63 - 1,
        1.5,
        float("inf"),
        True,
        False,
        None,
        "",
        "'; DROP TABLE page; --",
        'a\x01\n\u2028 {} " \\ $1 ? ß 日本 𝄞',
        [1, 2],
        ["a", None, "'"],
        [1.5, None],
        [],
        datetime.date(2024, 2, 29),
        datetime.datetime(2024, 2, 29, 1, 2, 3, 456789),
        "x" * 1_000_000,
    ],
)
def test_values_go_there_and_back(shared: Worker, value: object) -> None:
    by_name = shared.table("SELECT $a AS a", {"a": value})
    in_order = shared.table("SELECT ? AS a, ? AS b", [value, 1])
    assert by_name.to_pylist() == [{"a": value}]
    assert in_order.to_pylist() == [{"a": value, "b": 1}]


def test_many_rows_come_whole_and_in_order(worker: Worker) -> None:
    found = worker.table("SELECT range AS a, 'page ' || range AS b FROM range(1000000)")
    assert found["a"].to_pylist() == list(range(1_000_000))
    assert found["b"][999_999].as_py() == "page 999999"


def test_no_rows_keep_their_columns(worker: Worker) -> None:
    found = worker.table("SELECT id, 'x' AS x FROM page WHERE id < 0")
    assert (found.num_rows, found.column_names) == (0, ["id", "x"])


def test_one_process_answers_many_statements_also_after_failures(worker: Worker) -> None:
    worker.table("SELECT 1")
    first = pid(worker)
    for bad in ("SELEC", "SELECT * FROM nowhere", "SELECT 1 // 0, error('x')", "SELECT 9223372036854775807 + 1"):
        with pytest.raises(StoreError, match="the embedded database"):
            worker.table(bad)
    for number in range(200):
        assert worker.table("SELECT $n AS n", {"n": number}).to_pylist() == [{"n": number}]
    assert pid(worker) == first


@pytest.mark.parametrize(
    "sql",
    [
        "",
        ";",
        "SELECT 1; SELECT 2",
        "ATTACH '/tmp/other.duckdb'",
        "DETACH web",
        "COPY page TO 'pages.csv'",
        "COPY page FROM 'pages.csv'",
        "EXPORT DATABASE 'folder'",
        "IMPORT DATABASE 'folder'",
        "INSTALL httpfs",
        "LOAD httpfs",
        "SET threads = 1",
        "RESET threads",
        "PRAGMA database_list",
        "USE memory",
        "CALL pragma_version()",
        "CREATE TABLE x (a INTEGER)",
        "CREATE TEMP TABLE x (a INTEGER)",
        "INSERT INTO page VALUES (1)",
        "UPDATE page SET id = 1",
        "DELETE FROM page",
        "DROP TABLE page",
        "BEGIN",
        "CHECKPOINT",
        "EXPLAIN ANALYZE SELECT 1",
        "PREPARE x AS SELECT 1",
    ],
)
def test_only_one_reading_statement_is_run(shared: Worker, sql: str) -> None:
    with pytest.raises(StoreError, match="only one statement that reads"):
        shared.table(sql)
    assert shared.table("SELECT count(*) AS n FROM page").to_pylist() == [{"n": 10}]


@pytest.mark.parametrize(
    "sql",
    [
        "SELECT * FROM read_csv('/etc/passwd')",
        "SELECT * FROM read_text('/etc/passwd')",
        "SELECT * FROM read_blob('/etc/passwd')",
        "SELECT * FROM '/etc/passwd'",
        "SELECT * FROM read_parquet('https://example.org/x.parquet')",
        "SELECT * FROM glob('/*')",
        "SELECT * FROM query('ATTACH ''/tmp/x''')",
        "WITH x AS (INSERT INTO page VALUES (1) RETURNING id) SELECT * FROM x",
        "SELECT * FROM connection",
        "SELECT getenv('HOME')",
    ],
)
def test_a_reading_statement_reaches_nothing_else(shared: Worker, sql: str) -> None:
    with pytest.raises(StoreError):
        shared.table(sql)


def test_another_database_file_is_not_read(worker: Worker, tmp_path: Path) -> None:
    other = make(tmp_path / "other.duckdb", 3)
    with pytest.raises(StoreError, match="disabled"):
        worker.table(f"SELECT * FROM read_duckdb('{other}')")


@pytest.mark.parametrize("bound", [True, False])
@pytest.mark.parametrize(
    "sql",
    [
        "SELECT len(range(2000000000))",
        "SELECT length(repeat('a', 2000000000))",
        "SELECT list_reduce(range(200000000), lambda x, y: x + y)",
        "SELECT list(range) FROM range(500000000)",
        "SELECT count(*) FROM (SELECT unnest(range(1000000000)))",
    ],
)
def test_memory_is_bound(file: Path, sql: str, bound: bool) -> None:
    if bound and sys.platform != "linux":
        pytest.skip("the system does not bind address space")
    with closing(Worker(file, MEMORY, bound=bound)) as worker:
        with pytest.raises(StoreError, match="more memory than the 256 MiB") as caught:
            worker.table(sql)
        assert "store_memory" in str(caught.value)
        assert worker.table("SELECT count(*) AS n FROM page").to_pylist() == [{"n": 10}]


@pytest.mark.parametrize(
    "sql",
    [
        ENDLESS,
        "SELECT count(*) FROM range(1000000000000)",
        "WITH RECURSIVE t(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM t) SELECT max(n) FROM t",
        "SELECT a.range FROM range(1000000) a, range(1000000) b ORDER BY hash(a.range)",
        "SELECT pg_sleep(1000)",
    ],
)
def test_time_is_bound(worker: Worker, sql: str) -> None:
    worker.table("SELECT 1")
    with pytest.raises(StoreError, match=r"longer than 0\.5 seconds"):
        worker.table(sql, timeout=0.5)
    assert worker.table("SELECT count(*) AS n FROM page", timeout=60).to_pylist() == [{"n": 10}]


def test_time_is_bound_while_rows_stream(worker: Worker) -> None:
    with pytest.raises(StoreError, match="longer than 1 seconds"):
        worker.table("SELECT range FROM range(1000000000000) WHERE hash(range) % 100000 = 0", timeout=1)


def test_rows_that_are_given_are_bound_too(worker: Worker) -> None:
    with pytest.raises(StoreError, match="more memory than the 256 MiB"):
        worker.table("SELECT range, repeat('x', 200) AS x FROM range(20000000)")
    assert worker.table("SELECT count(*) AS n FROM page").to_pylist() == [{"n": 10}]


def test_work_larger_than_memory_spills(worker: Worker) -> None:
    sql = "SELECT count(*) AS n FROM (SELECT DISTINCT hash(range) FROM range(8000000))"
    assert worker.table(sql).to_pylist() == [{"n": 8_000_000}]


def test_a_file_that_was_replaced_is_opened_anew(worker: Worker, file: Path) -> None:
    asked = "SELECT count(*) AS n FROM page"
    assert worker.table(asked).to_pylist() == [{"n": 10}]
    make(file, 12)
    assert worker.table(asked).to_pylist() == [{"n": 12}]


def test_a_process_that_was_killed_is_started_anew(worker: Worker) -> None:
    worker.table("SELECT 1")
    os.kill(pid(worker), signal.SIGKILL)
    os.waitid(os.P_PID, pid(worker), os.WEXITED | os.WNOWAIT)
    assert worker.table("SELECT 1 AS n").to_pylist() == [{"n": 1}]


def test_no_file(tmp_path: Path) -> None:
    with closing(Worker(tmp_path / "none.duckdb", MEMORY)) as worker, pytest.raises(StoreError, match="cannot be read"):
        worker.table("SELECT 1")


def test_no_database(tmp_path: Path) -> None:
    path = tmp_path / "text.duckdb"
    path.write_text("no database")
    with closing(Worker(path, MEMORY)) as worker:
        for _ in range(2):
            with pytest.raises(StoreError, match="the embedded database"):
                worker.table("SELECT 1")


def test_ctrl_c_ends_the_statement(worker: Worker, ctrl_c: None) -> None:
    worker.table("SELECT 1")
    process = pid(worker)
    threading.Timer(0.3, os.kill, (os.getpid(), signal.SIGINT)).start()
    with pytest.raises(KeyboardInterrupt):
        worker.table(ENDLESS)
    assert not is_running(process)


def test_the_process_ends_with_the_one_that_started_it(file: Path) -> None:
    script = f"""
from pathlib import Path
from seedrank.graphdb.duckdb.worker import Worker
worker = Worker(Path({str(file)!r}), {MEMORY})
worker.table("SELECT 1")
print(worker._process._child.pid, worker._process._folder.name, flush=True)
worker.table({ENDLESS!r})
"""
    started = subprocess.Popen([sys.executable, "-c", script], stdout=subprocess.PIPE, text=True)
    assert started.stdout is not None
    process, spill = started.stdout.readline().split(maxsplit=1)
    started.kill()
    started.wait()
    started.stdout.close()
    while is_running(int(process)):
        time.sleep(0.01)
    assert not Path(spill.strip()).exists()


def test_statements_of_several_threads_take_turns(worker: Worker) -> None:
    found: dict[int, object] = {}

    def ask(number: int) -> None:
        found[number] = worker.table("SELECT $n + sum(range) AS n FROM range(100000)", {"n": number})["n"][0].as_py()

    threads = [threading.Thread(target=ask, args=(number,)) for number in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert found == {number: 4_999_950_000 + number for number in range(8)}
