"""A cache is disposable: whatever happens to its files, the answer is the same and the cache is whole afterwards."""

from __future__ import annotations

import errno
import json
import logging
import os
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from itertools import cycle, islice
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import seedrank
from seedrank import graphdb
from seedrank.core.errors import InputError
from seedrank.engines.native.engine import NativeEngine
from seedrank.graph import WebGraph
from seedrank.graph.folder import writing
from seedrank.graphdb.arrays import ArrayStore
from seedrank.graphdb.store import GraphStore
from seedrank.loaders.table import TableSource
from seedrank.session.graph_cache import open_graph, update_column

pytestmark = pytest.mark.slow

PAGES = """url,id,status,clicks,kind
http://a.example/,10,crawled,5,home
http://a.example/1,11,crawled,,leaf
http://b.example/,12,crawled,7.5,home
http://b.example/1,13,frontier,,
http://c.example/,14,missing,1,leaf
"""
LINKS = """source,target,weight
http://a.example/,http://a.example/1,1
http://a.example/,http://b.example/,3
http://a.example/1,http://b.example/,1
http://b.example/,http://b.example/1,2
http://b.example/,http://a.example/,1
http://a.example/1,http://c.example/,1
"""
ARRAYS = (
    *("out_offsets", "out_targets", "in_offsets", "in_sources", "status", "host", "source_id", "weights"),
    "in_weights",
    "column-clicks",
)
TEXTS = ("urls", "hosts", "text-kind")
FILES = ("graph.json", *(f"{name}.npy" for name in ARRAYS), *(f"{name}.arrow" for name in TEXTS))


def ask(store: GraphStore, folder: Path) -> dict[str, Any]:
    """Everything the graph in memory holds, and scores made of it."""
    graph = open_graph(store, folder)
    names = ("in_offsets", "in_sources", "out_offsets", "out_targets", "status", "host", "source_id", "weights")
    found = {name: getattr(graph, name).tolist() for name in names}
    found["clicks"] = np.nan_to_num(graph.column("clicks")).tolist()
    found["texts"] = [graph.urls.to_pylist(), graph.text("kind").to_pylist(), graph.hosts.to_pylist()]
    found["scores"] = NativeEngine(graph).walk().scores.tolist()
    return found


def stamps(folder: Path) -> dict[str, tuple[int, int]]:
    """Which files stand in a folder, and when they were written."""
    return {path.name: (path.stat().st_ino, path.stat().st_mtime_ns) for path in folder.iterdir()}


@pytest.fixture(scope="module")
def store(tmp_path_factory) -> Iterator[GraphStore]:
    folder = tmp_path_factory.mktemp("store")
    (folder / "pages.csv").write_text(PAGES)
    (folder / "links.csv").write_text(LINKS)
    with seedrank.open(str(folder / "web.duckdb"), create=True) as bench:
        bench.load(TableSource(pages=[str(folder / "pages.csv")], links=[str(folder / "links.csv")]))
        yield bench.store


@pytest.fixture(scope="module")
def pristine(store, tmp_path_factory) -> tuple[Path, dict[str, Any]]:
    """A whole cache, and the answer."""
    folder = tmp_path_factory.mktemp("pristine") / "graph"
    return folder, ask(store, folder)


@pytest.fixture
def cache(pristine, tmp_path) -> Path:
    """A copy of the cache, to damage."""
    return Path(shutil.copytree(pristine[0], tmp_path / "graph"))


# -- damages


def flip(place: float) -> Callable[[Path], None]:
    def damage(path: Path) -> None:
        data = bytearray(path.read_bytes())
        at = min(int(place * len(data)), len(data) - 1)
        data[at] ^= 0xFF
        path.write_bytes(data)

    return damage


def to_folder(path: Path) -> None:
    path.unlink()
    path.mkdir()
    (path / "something").touch()


def to_nothing(path: Path) -> None:
    path.unlink()
    path.symlink_to("nowhere")


def swap(path: Path) -> None:
    other = next(one for one in sorted(path.parent.iterdir()) if one.suffix == path.suffix and one != path)
    data = path.read_bytes(), other.read_bytes()
    path.write_bytes(data[1])
    other.write_bytes(data[0])


EVERY_FILE: dict[str, Callable[[Path], None]] = {
    "truncated": lambda path: os.truncate(path, path.stat().st_size // 2),
    "empty": lambda path: os.truncate(path, 0),
    "longer": lambda path: path.write_bytes(path.read_bytes() + b"\0" * 100),
    "first byte": flip(0.0),
    "early byte": flip(0.2),
    "middle byte": flip(0.5),
    "late byte": flip(0.8),
    "last byte": flip(1.0),
    "zeros": lambda path: path.write_bytes(bytes(path.stat().st_size)),
    "gone": lambda path: path.unlink(),
    "a folder": to_folder,
    "a dangling link": to_nothing,
}


def array(name: str, change: Callable[[np.ndarray], Any]) -> Callable[[Path], None]:
    def damage(folder: Path) -> None:
        values = np.load(folder / f"{name}.npy")
        np.save(folder / f"{name}.npy", change(values))

    return damage


def at(place: int, value: int) -> Callable[[np.ndarray], np.ndarray]:
    def change(values: np.ndarray) -> np.ndarray:
        values[place] = value
        return values

    return change


def meta(change: Callable[[dict[str, Any]], Any]) -> Callable[[Path], None]:
    def damage(folder: Path) -> None:
        record = json.loads((folder / "graph.json").read_text())
        changed = change(record)
        (folder / "graph.json").write_text(json.dumps(record if changed is None else changed))

    return damage


def text(content: bytes) -> Callable[[Path], None]:
    return lambda folder: (folder / "graph.json").write_bytes(content) and None


def emptied(folder: Path) -> None:
    shutil.rmtree(folder)
    folder.mkdir()


def into_file(folder: Path) -> None:
    shutil.rmtree(folder)
    folder.write_text("no folder")


def foreign(folder: Path) -> None:
    emptied(folder)
    (folder / "thesis.tex").touch()


def objects(values: np.ndarray) -> np.ndarray:
    return np.array([{"a": 1}] * len(values), object)


OTHERS: dict[str, Callable[[Path], None]] = {
    "a target out of range": array("out_targets", at(0, 2**31 - 1)),
    "a target just out of range": array("out_targets", at(-1, 5)),
    "a negative target": array("out_targets", at(2, -7)),
    "offsets that decrease": array("out_offsets", at(2, 6)),
    "offsets far out": array("out_offsets", at(3, 2**40)),
    "negative offsets": array("out_offsets", at(1, -4)),
    "first offset": array("out_offsets", at(0, 1)),
    "a source out of range": array("in_sources", at(0, 2**30)),
    "in-offsets out of range": array("in_offsets", at(2, 2**50)),
    "a host out of range": array("host", at(0, 99)),
    "a negative host": array("host", at(0, -9)),
    "a status that is none": array("status", at(0, 77)),
    "targets as floats": array("out_targets", lambda values: values.astype(np.float32)),
    "offsets as int32": array("out_offsets", lambda values: values.astype(np.int32)),
    "offsets in two rows": array("out_offsets", lambda values: values.reshape(2, -1)),
    "status in a matrix": array("status", lambda values: np.stack([values] * 2)),
    "targets of the other byte order": array("out_targets", lambda values: values.astype(">i4")),
    "a column of objects": array("column-clicks", objects),
    "a column of texts": array("column-clicks", lambda values: values.astype("U4")),
    "a short column": array("column-clicks", lambda values: values[:-1]),
    "no weights at the end": array("weights", lambda values: values[:-2]),
    "an empty array": array("source_id", lambda values: values[:0]),
    "broken JSON": text(b'{"format": 2, "pages"'),
    "no JSON": text(b"\xff\xfe\x00"),
    "a list": text(b"[]"),
    "null": text(b"null"),
    "a number": text(b"7"),
    "deep JSON": text(b"[" * 100_000),
    "an empty record": text(b"{}"),
    "another format": meta(lambda record: {**record, "format": 99}),
    "the older format": meta(lambda record: {**record, "format": 1}),
    "format as text": meta(lambda record: {**record, "format": "2"}),
    "a foreign version": meta(lambda record: {**record, "version": "of another store"}),
    "more links": meta(lambda record: {**record, "links": 99}),
    "fewer pages": meta(lambda record: {**record, "pages": 1}),
    "pages as text": meta(lambda record: {**record, "pages": "five"}),
    "negative pages": meta(lambda record: {**record, "pages": -5}),
    "an array that is not there": meta(lambda record: record["arrays"].append("gone")),
    "a path as an array": meta(lambda record: record["arrays"].append("../../x")),
    "arrays as a number": meta(lambda record: {**record, "arrays": 3}),
    "texts as a number": meta(lambda record: {**record, "texts": 3}),
    "no hosts": meta(lambda record: record["texts"].remove("hosts")),
    "no column": meta(lambda record: record["arrays"].remove("column-clicks")),
    **{f"no {key}": meta(lambda record, key=key: record.pop(key) and None) for key in
       ("format", "pages", "links", "version", "arrays", "texts")},
    "an empty folder": emptied,
    "a file for the folder": into_file,
    "no folder": shutil.rmtree,
    "a foreign folder": foreign,
}  # fmt: skip

DAMAGES: dict[str, Callable[[Path], None]] = {
    **{f"{file}: {what}": (lambda folder, file=file, damage=damage: damage(folder / file))
       for file in FILES for what, damage in EVERY_FILE.items()},
    **{f"{file}: swapped": (lambda folder, file=file: swap(folder / file)) for file in FILES if file != "graph.json"},
    **OTHERS,
}  # fmt: skip


FEW = tuple(
    f"{file}: {what}" for number, file in enumerate(FILES) for what in islice(cycle(EVERY_FILE), number, number + 2)
)
"""Two kinds of damage to each file, and each kind to some file; with the damages that are of one file only."""


def each(damages: dict[str, Any]) -> list[Any]:
    """All of them as parameters; those of every file but a few are left to the long tests."""
    among = {*FEW, *OTHERS, "graph.json: middle byte"}
    return [
        pytest.param(damage, id=name, marks=() if name in among else pytest.mark.long)
        for name, damage in damages.items()
    ]


@pytest.mark.parametrize("damage", each(DAMAGES))
def test_a_damaged_cache_heals(damage, cache, store, pristine, caplog):
    damage(cache)

    assert ask(store, cache) == pristine[1]
    whole = stamps(cache)
    assert ask(store, cache) == pristine[1]
    assert stamps(cache) == whole, "made twice"
    assert set(whole) == set(FILES)
    assert [path.name for path in cache.parent.iterdir()] == ["graph"]
    assert not [entry for entry in caplog.records if entry.levelno >= logging.WARNING]


def test_a_copied_cache_is_read_through_once_and_used(cache, store, pristine):
    for path in cache.iterdir():
        os.utime(path, ns=(1, 1))
    kept = {name: inode for name, (inode, _) in stamps(cache).items() if name != "graph.json"}
    assert ask(store, cache) == pristine[1]
    assert {name: inode for name, (inode, _) in stamps(cache).items() if name != "graph.json"} == kept
    record = (cache / "graph.json").stat()
    assert ask(store, cache) == pristine[1]
    assert (cache / "graph.json").stat().st_mtime_ns == record.st_mtime_ns


def test_contents_are_read_through_after_a_write_that_did_not_end(cache, store, pristine):
    """A flipped byte that left size and time alone is noticed once a writer died."""
    path = cache / "out_targets.npy"
    times = path.stat()
    flip(1.0)(path)
    os.utime(path, ns=(times.st_atime_ns, times.st_mtime_ns))
    (cache / ".writing").touch()

    assert ask(store, cache) == pristine[1]
    assert set(stamps(cache)) == set(FILES)


def test_a_process_killed_while_it_adds_files_leaves_a_cache_that_heals(cache, store, pristine):
    code = "import sys, time\nfrom pathlib import Path\nfrom seedrank.graph.folder import writing\n"
    code += "with writing(Path(sys.argv[1])) as half:\n    (half / 'in_sources.npy').touch()\n"
    code += "    print('half', flush=True)\n    time.sleep(600)\n"
    running = subprocess.Popen([sys.executable, "-c", code, str(cache)], stdout=subprocess.PIPE, text=True)
    with running:
        assert running.stdout is not None and running.stdout.readline() == "half\n"
        running.kill()
    assert len(list(cache.iterdir())) == len(FILES) + 2
    path = cache / "weights.npy"
    times = path.stat()
    flip(1.0)(path)
    os.utime(path, ns=(times.st_atime_ns, times.st_mtime_ns))

    assert ask(store, cache) == pristine[1]
    assert set(stamps(cache)) == set(FILES)


def test_a_writer_that_lives_is_not_taken_for_a_dead_one(cache, store, pristine):
    before = stamps(cache)
    with writing(cache):
        assert ask(store, cache) == pristine[1]
        assert {name: stamps(cache)[name] for name in before} == before
    assert stamps(cache) == before


def test_where_no_folder_can_be_made_the_graph_is_made_in_memory(store, pristine, tmp_path, caplog):
    (tmp_path / "file").touch()
    assert ask(store, tmp_path / "file" / "graph") == pristine[1]
    assert "cannot be kept" in caplog.text


def test_a_full_disk_does_not_stop_the_answer(store, pristine, tmp_path, monkeypatch, caplog):
    def no_room(*given: object) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr(os, "posix_fallocate", no_room)
    assert ask(store, tmp_path / "graph") == pristine[1]
    assert "No space left on device" in caplog.text
    assert list(tmp_path.iterdir()) == []


def test_a_whole_cache_is_opened_without_reading_contents(cache, store, pristine, monkeypatch):
    ask(store, cache)

    def never(path: Path) -> int:
        raise AssertionError(path)

    monkeypatch.setattr("seedrank.graph.folder._checksum", never)
    assert ask(store, cache) == pristine[1]


def test_a_written_column_reaches_the_cache_and_readers_keep_theirs(cache, store, pristine):
    before = open_graph(store, cache)
    old = before.column("clicks")[:].tolist()
    update_column(cache, "clicks", np.arange(5.0))
    update_column(cache, "score", np.ones(5))
    assert np.array_equal(before.column("clicks"), old, equal_nan=True)
    now = open_graph(store, cache)
    assert now.column("clicks").tolist() == [0, 1, 2, 3, 4]
    assert now.column("score").tolist() == [1] * 5
    update_column(cache, "clicks", np.arange(5.0) + 1)
    assert open_graph(store, cache).column("clicks").tolist() == [1, 2, 3, 4, 5]
    assert len(list(cache.glob("column-clicks*"))) == 1


def test_a_column_that_finds_no_room_is_read_from_the_store(cache, store, pristine, monkeypatch):
    def no_room(*given: object) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    with monkeypatch.context() as full:
        full.setattr(np, "save", no_room)
        update_column(cache, "clicks", np.arange(5.0))
    (cache / "column-clicks.npy").write_bytes(b"what the store no longer holds")
    assert ask(store, cache) == pristine[1]


def test_a_column_written_beside_a_damaged_cache(cache, store, pristine):
    (cache / "graph.json").write_text("{")
    update_column(cache, "score", np.ones(5))
    assert ask(store, cache) == pristine[1]


# -- a user's own folder


def own(cache: Path, tmp_path: Path) -> Path:
    """A folder of arrays as a user has it."""
    return cache.rename(tmp_path / "mine")


READ_THROUGH = {
    name: damage
    for name, damage in DAMAGES.items()
    if name not in ("no folder", "an empty folder", "a file for the folder", "a foreign folder")
}


@pytest.mark.parametrize("damage", each(READ_THROUGH))
def test_damage_to_a_users_folder_is_named_or_harmless(damage, cache, tmp_path, pristine):
    folder = own(cache, tmp_path)
    damage(folder)
    try:
        opened = graphdb.open_store(str(folder))
        assert isinstance(opened, ArrayStore)
        NativeEngine(opened.graph).walk()
        for table in (opened.graph.hosts, opened.graph.urls or opened.graph.host_names):
            table.validate(full=True)
        assert opened.graph.in_sources.tolist() == pristine[1]["in_sources"]
    except InputError as error:
        assert str(folder) in str(error)
        assert "generate" not in str(error)


@pytest.mark.parametrize(
    ("name", "place", "value"),
    [
        *(("out_offsets", place, value) for place in (0, 2, 5) for value in (-1, 10**15)),
        *(("out_targets", 3, value) for value in (-1, 5, 2**31 - 1)),
        *(("host", 1, value) for value in (-2, 3, 2**31 - 1)),
        *(("in_offsets", 2, 10**15), ("in_sources", 3, 2**31 - 1)),
    ],
)
def test_numbers_out_of_range_are_named_though_the_time_of_the_file_is_kept(
    name, place, value, cache, tmp_path, pristine
):
    """As a disk that forgets leaves it."""
    folder = own(cache, tmp_path)
    WebGraph.open(folder)  # notes the times of the copies
    path = folder / f"{name}.npy"
    before = path.stat()
    array(name, at(place, value))(folder)
    os.utime(path, ns=(before.st_atime_ns, before.st_mtime_ns))
    with pytest.raises(InputError, match=f"{name}.npy"):
        WebGraph.open(folder, cache=True)
    if name in ("in_offsets", "in_sources"):
        assert WebGraph.open(folder).in_sources.tolist() == pristine[1]["in_sources"]
    else:
        with pytest.raises(InputError, match=f"the graph is damaged: {name}.npy"):
            WebGraph.open(folder)


@pytest.mark.parametrize(("number", "when"), [(3, "a later"), (1, "an earlier")])
def test_a_folder_of_another_version_is_named(number, when, cache, tmp_path):
    folder = own(cache, tmp_path)
    (folder / "graph.json").write_text(f'{{"format": {number}}}')
    with pytest.raises(InputError, match=rf"made by {when} version of seedrank \(format {number}\)"):
        WebGraph.open(folder)
