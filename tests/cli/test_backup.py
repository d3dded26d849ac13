"""``seedrank backup`` and ``restore`` from the command line, and archives that no `backup` wrote."""

from __future__ import annotations

import hashlib
import json
import zipfile
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from seedrank.core import resources
from tests.cli.conftest import made_once

Members = dict[str, bytes]


@pytest.fixture
@made_once
def archive(seedrank, tmp_path: Path) -> Path:
    """A backup of two pages and one answer."""
    pq.write_table(pa.table({"url": ["http://a.org/", "http://b.org/"], "status": ["crawled"] * 2}), "p.parquet")
    pq.write_table(pa.table({"source": ["http://a.org/"], "target": ["http://b.org/"]}), "l.parquet")
    assert seedrank("load", "table", "--pages", "p.parquet", "--links", "l.parquet").code == 0
    assert seedrank("rank", "indegree").code == 0
    outcome = seedrank("backup", "web.zip")
    assert outcome.code == 0, outcome.err
    assert "web.zip: 2 pages, 1 links" in outcome.err
    return tmp_path / "web.zip"


def members(path: Path) -> Members:
    with zipfile.ZipFile(path) as archive:
        return {name: archive.read(name) for name in archive.namelist()}


def write(path: Path, content: Members, *, signed: bool = True, packed: int = zipfile.ZIP_STORED) -> None:
    """Write an archive; `signed` gives the manifest the digests of what is there."""
    if signed:
        manifest = json.loads(content["manifest.json"])
        manifest["members"] = {
            name: {"bytes": len(data), "sha256": hashlib.sha256(data).hexdigest()}
            for name, data in content.items()
            if name != "manifest.json"
        }
        content = {**content, "manifest.json": json.dumps(manifest).encode()}
    with zipfile.ZipFile(path, "w", packed) as archive:
        for name, data in content.items():
            archive.writestr(name, data)


def test_a_store_is_restored_with_its_answers(seedrank, archive: Path) -> None:
    outcome = seedrank("--store", "again.duckdb", "restore", "web.zip")
    assert outcome.code == 0, outcome.err
    assert "earlier graph" not in outcome.err
    first, second = (
        seedrank("--store", store, "runs", "show", "run:latest") for store in ("web.duckdb", "again.duckdb")
    )
    assert first.out == second.out
    assert seedrank("--store", "again.duckdb", "check").code == 0
    twice = seedrank("--store", "again.duckdb", "restore", "web.zip")
    assert twice.code == 1
    assert "again.duckdb is not empty; restore into a new store" in twice.err


def test_a_restore_that_was_cut_off_after_the_runs_is_completed(seedrank, archive: Path) -> None:
    assert seedrank("--store", "again.duckdb", "restore", "web.zip").code == 0
    Path("again.duckdb").unlink()
    assert seedrank("--store", "again.duckdb", "restore", "web.zip").code == 0
    assert len(seedrank("--store", "again.duckdb", "runs").out.splitlines()) == 1


def test_an_empty_store_has_nothing_to_back_up(seedrank) -> None:
    assert seedrank("backup", "web.zip").code == 1
    assert not Path("web.zip").exists()


def renamed(name: str) -> Callable[[Members], Members]:
    """One more member of this name."""
    return lambda content: {**content, name: b"x"}


def without(name: str) -> Callable[[Members], Members]:
    return lambda content: {key: data for key, data in content.items() if key != name}


def with_table(name: str, **columns: object) -> Callable[[Members], Members]:
    def change(content: Members) -> Members:
        sink = pa.BufferOutputStream()
        pq.write_table(pa.table(columns), sink)
        return {**content, name: sink.getvalue().to_pybytes()}

    return change


def with_manifest(**values: object) -> Callable[[Members], Members]:
    def change(content: Members) -> Members:
        return {**content, "manifest.json": json.dumps({**json.loads(content["manifest.json"]), **values}).encode()}

    return change


def files(folder: Path) -> set[Path]:
    return {path for path in folder.rglob("*") if path.is_file()}


NULL_LIST = pa.nulls(1, pa.list_(pa.string()))
RUN = "runs/20260131-142305-k3v9qa"


@pytest.mark.parametrize(
    ("change", "why"),
    [
        (renamed("../../evil.txt"), "does not belong there"),
        (renamed("runs/../../evil/run.json"), "does not belong there"),
        (renamed("runs/a/../../evil"), "does not belong there"),
        (renamed("/etc/evil"), "does not belong there"),
        (renamed("runs/x\\..\\evil/run.json"), "does not belong there"),
        (renamed("runs/.hidden/run.json"), "does not belong there"),
        (renamed("runs/x/"), "does not belong there"),
        (renamed("other.parquet"), "does not belong there"),
        (renamed(f"{RUN}/ranking.parquet"), "the record of run"),
        (renamed(f"{RUN}/run.json"), "the record of run"),
        (without("links.parquet"), "it lacks links.parquet"),
        (without("manifest.json"), "no manifest"),
        (lambda content: {**content, "pages.parquet": b"PAR1"}, "pages of the backup cannot be read"),
        (with_table("pages.parquet", id=[0]), "column url is missing"),
        (with_table("links.parquet", source=[0], target=[9], weight=[1.0], anchors=NULL_LIST), "page 9 is not in"),
        (with_table("links.parquet", source=[0], target=[0], weight=[1.0], anchors=NULL_LIST), "not a whole graph"),
        (with_manifest(format=2), "the backup has format 2"),
        (with_manifest(format="1"), "no manifest"),
        (with_manifest(loads=[{"id": 1}]), "records of loads"),
        (with_manifest(loads=["x"]), "records of loads"),
        (lambda content: {**content, "manifest.json": b"[" * 100_000}, "no manifest"),
    ],
)
def test_hostile_archives(
    seedrank, archive: Path, tmp_path: Path, change: Callable[[Members], Members], why: str
) -> None:
    content = change(members(archive))
    signed = "manifest.json" in content and content["manifest.json"].startswith(b"{")
    write(tmp_path / "hostile.zip", content, signed=signed)
    before = files(tmp_path.parent)
    outcome = seedrank("--store", "new.duckdb", "restore", "hostile.zip")
    assert outcome.code == 1, outcome
    assert why in outcome.err
    assert outcome.err.count("\n") == 1
    assert files(tmp_path.parent) == before


def test_a_table_that_unpacks_to_more_than_the_disk_holds(seedrank, archive: Path, monkeypatch) -> None:
    rows = 3 << 20
    links = {"source": np.zeros(rows, np.int64), "target": np.zeros(rows, np.int64), "weight": np.ones(rows)}
    content = with_table("virtual_links.parquet", **links)(members(archive))
    assert len(content["virtual_links.parquet"]) < 1 << 20
    write(Path("bomb.zip"), content)
    monkeypatch.setattr(resources, "free_disk", lambda folder: 64 << 20)
    outcome = seedrank("--store", "new.duckdb", "restore", "bomb.zip")
    assert outcome.code == 1
    assert "unpacking virtual_links of bomb.zip needs 72 MiB of disk" in outcome.err
    assert not Path("new.duckdb").exists()


def test_links_packed_and_damaged_members(seedrank, archive: Path, tmp_path: Path) -> None:
    content = members(archive)
    write(tmp_path / "packed.zip", content, packed=zipfile.ZIP_DEFLATED)
    assert "does not belong there" in seedrank("--store", "new.duckdb", "restore", "packed.zip").err
    name = next(name for name in content if name.endswith("/run.json"))
    with zipfile.ZipFile("linked.zip", "w") as linked:
        for key, data in content.items():
            info = zipfile.ZipInfo(key)
            info.external_attr = (0o120777 if key == name else 0o100644) << 16
            linked.writestr(info, data)
    assert "does not belong there" in seedrank("--store", "new.duckdb", "restore", "linked.zip").err
    write(tmp_path / "changed.zip", {**content, "hosts.parquet": content["hosts.parquet"] + b" "}, signed=False)
    assert "differs from its digest" in seedrank("--store", "new.duckdb", "restore", "changed.zip").err
    data = archive.read_bytes()
    for place in (0, len(data) // 3, len(data) // 2, len(data) - 30):
        (tmp_path / "damaged.zip").write_bytes(data[:place] + bytes(16) + data[place + 16 :])
        assert seedrank("--store", "new.duckdb", "restore", "damaged.zip").code == 1
    (tmp_path / "short.zip").write_bytes(data[: len(data) // 2])
    assert "not a backup that can be read" in seedrank("--store", "new.duckdb", "restore", "short.zip").err
    assert not Path("new.duckdb").exists()
