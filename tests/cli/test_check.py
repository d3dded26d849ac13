"""``seedrank check``: what is wrong is found, what can be mended is, and scripts are told by the exit code."""

from __future__ import annotations

import json
import os
import shutil
from pathlib import Path

import duckdb
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from tests.cli.conftest import made_once


@pytest.fixture
@made_once
def web(seedrank, tmp_path: Path) -> Path:
    """Three pages on two hosts, one answer that is kept."""
    pq.write_table(
        pa.table({"url": [f"http://{name}.org/" for name in ("a", "b", "c")], "status": ["crawled"] * 3}), "p.parquet"
    )
    links = {"source": ["http://a.org/", "http://b.org/"], "target": ["http://b.org/", "http://c.org/"]}
    pq.write_table(pa.table(links), "l.parquet")
    assert seedrank("load", "table", "--pages", "p.parquet", "--links", "l.parquet").code == 0
    assert seedrank("rank", "indegree").code == 0
    return tmp_path / "web.duckdb"


def sql(store: Path, *statements: str) -> None:
    with duckdb.connect() as database:
        database.execute(f"ATTACH '{store}' AS stored")
        database.execute("USE stored")
        for statement in statements:
            database.execute(statement)


def found_in(outcome) -> list[str]:
    return [json.loads(line)["what"] for line in outcome.out.splitlines()]


def test_a_whole_store_is_clean(seedrank, web: Path) -> None:
    outcome = seedrank("check")
    assert (outcome.code, outcome.out) == (0, "")
    assert "nothing is wrong" in outcome.err


@pytest.mark.parametrize(
    ("statement", "what", "mended"),
    [
        ("INSERT INTO link VALUES (0, 9, 1.0, NULL)", "1 rows of link name a page that does not exist", True),
        ("INSERT INTO link VALUES (1, 1, 1.0, NULL)", "1 rows of link name one page as both ends", True),
        ("INSERT INTO link VALUES (0, 1, 5.0, ['x'])", "1 pairs of pages have more than one link", True),
        ("UPDATE host SET pages = 7 WHERE name = 'a.org'", "1 hosts count their pages wrong", True),
        ("DELETE FROM host WHERE name = 'b.org'", "1 pages are on a host that has no row", True),
        ("INSERT INTO host VALUES ('c.org', 1)", "1 hosts are there twice", False),
        ("UPDATE page SET id = 7 WHERE id = 2", "1 page ids are missing or out of range", False),
        ("UPDATE page SET id = 1 WHERE id = 2", "1 page ids are there twice", False),
        ("UPDATE page SET url = 'http://a.org/'", "1 URLs are there twice", False),
        ("UPDATE page SET status = 'lost' WHERE id = 0", "1 pages have an unknown status", False),
        ("INSERT INTO result VALUES ('q', 0, 1, NULL)", "1 rows of result name a query that does not exist", True),
        ("INSERT INTO ranked VALUES ('r', 0, 1, 1.0)", "1 rows of ranked name a run that does not exist", True),
        ("INSERT INTO core VALUES ('r', 0, 1, 'hub')", "1 rows of core name a run that does not exist", True),
        ("INSERT INTO co_cited VALUES (0, 8, 1.0)", "1 rows of co_cited name a page that does not exist", True),
        ("UPDATE load SET state = 'running'", "1 loads were cut off", False),
        ("INSERT INTO load SELECT * FROM load", "1 loads are there twice", False),
        ("INSERT INTO store SELECT * FROM store", "1 rows too many or too few in the table store", False),
    ],
)
def test_what_was_edited_by_hand(seedrank, web: Path, statement: str, what: str, mended: bool) -> None:
    sql(web, statement)
    outcome = seedrank("check")
    assert outcome.code == 1
    assert what in found_in(outcome)
    again = seedrank("check", "--repair")
    assert (again.code == 0) == mended, again
    assert (what in found_in(again)) != mended
    if mended:
        assert seedrank("check").code == 0


def test_doubled_links_keep_the_greatest_weight(seedrank, web: Path) -> None:
    sql(web, "INSERT INTO link VALUES (0, 1, 5.0, ['x'])")
    assert seedrank("check", "--repair").code == 0
    with duckdb.connect() as database:
        database.execute(f"ATTACH '{web}' AS stored (READ_ONLY)")
        rows = database.execute("SELECT source, target, weight, anchors FROM stored.link ORDER BY ALL").fetchall()
    assert rows == [(0, 1, 5.0, ["x"]), (1, 2, 1.0, None)]


def test_a_block_that_is_damaged(seedrank, web: Path) -> None:
    data = bytearray(web.read_bytes())
    middle = len(data) // 2 + 5_000
    data[middle : middle + 4_096] = bytes(4_096)
    web.write_bytes(data)
    assert seedrank("check").code == 1


def test_what_a_killed_command_left(seedrank, web: Path) -> None:
    for name in (".writing", ".writing.wal", ".lock"):
        web.with_name(web.name + name).write_bytes(b"half")
    half = web.with_name("web.duckdb.seedrank") / "runs" / ".x-abcdefgh.seedrank-half"
    half.mkdir()
    outcome = seedrank("check")
    assert outcome.code == 1
    assert sum("was left by a command that was killed" in what for what in found_in(outcome)) == 4
    assert seedrank("check", "--repair").code == 0
    assert not half.exists()
    assert sorted(path.name for path in web.parent.glob("web.duckdb*")) == ["web.duckdb", "web.duckdb.seedrank"]


def test_changes_of_another_program(seedrank, web: Path) -> None:
    web.with_name("web.duckdb.wal").write_bytes(b"")
    assert "changes by another program are only in web.duckdb.wal" in found_in(seedrank("check"))


def test_runs_that_were_changed(seedrank, web: Path) -> None:
    folder = next(web.with_name("web.duckdb.seedrank").glob("runs/*/run.json")).parent
    table = pq.read_table(folder / "ranking.parquet")
    pq.write_table(table.slice(1), folder / "ranking.parquet")
    outcome = seedrank("check")
    assert outcome.code == 1
    assert "differs from its checksum" in found_in(outcome)[0]
    assert "differs from its checksum" in seedrank("runs", "show", "run:latest").err
    (folder / "ranking.parquet").unlink()
    assert "is missing" in found_in(seedrank("check"))[0]
    (folder / "run.json").write_text("{")
    assert "not a run record that can be read" in found_in(seedrank("check"))[0]


def test_cached_arrays(seedrank, web: Path) -> None:
    graph = web.with_name("web.duckdb.seedrank") / "graph"
    assert graph.is_dir()
    pq.write_table(pa.table({"source": ["http://c.org/"], "target": ["http://a.org/"]}), "more.parquet")
    assert seedrank("load", "table", "--links", "more.parquet").code == 0
    outcome = seedrank("check")
    assert outcome.code == 0
    assert found_in(outcome) == ["the cached arrays are of an earlier state of the store"]
    next(graph.glob("*.npy")).write_bytes(b"")
    assert seedrank("check").code == 1
    assert seedrank("check", "--repair").code == 0
    assert not graph.exists()


def test_a_folder_of_arrays_is_checked_and_not_repaired(seedrank, web: Path) -> None:
    assert seedrank("generate", "--graph", "arrays", "--pages", "200").code == 0
    assert seedrank("--store", "arrays", "check").code == 0
    outcome = seedrank("--store", "arrays", "check", "--repair")
    assert outcome.code == 1
    assert "arrays cannot be repaired, only checked" in outcome.err
    shutil.copyfile("arrays/out_targets.npy", "arrays/out_offsets.npy")
    assert seedrank("--store", "arrays", "check").code == 1


@pytest.mark.parametrize("store", ["arrays", "web.duckdb"])
def test_arrays_that_changed_on_disk(seedrank, web: Path, store: str) -> None:
    """Of the same size and time, as a disk that loses a block leaves them."""
    assert seedrank("generate", "--graph", "arrays", "--pages", "200").code == 0
    folder = Path("arrays") if store == "arrays" else Path("web.duckdb.seedrank/graph")
    file = folder / "status.npy"
    data, found = file.read_bytes(), file.stat()
    file.write_bytes(data[:-1] + bytes([data[-1] ^ 1]))
    os.utime(file, ns=(found.st_atime_ns, found.st_mtime_ns))
    outcome = seedrank("--store", store, "check")
    assert outcome.code == 1
    assert any("the graph is damaged: status.npy" in what for what in found_in(outcome))
