"""Files and folders that appear whole or not at all, on disk, with the user's permissions; leftovers are swept."""

from __future__ import annotations

import errno
import os
import stat
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import numpy as np
import pytest

from seedrank.core.errors import InputError
from seedrank.core.files import ANYTHING, SUFFIX, HalfFolder, claim_folder, whole_file, whole_files, whole_folder
from seedrank.experiments.checkpoints import Steps
from seedrank.graph import GraphWriter
from seedrank.ingest.merge import Merge
from seedrank.loaders.base import LoadOptions
from seedrank.runs import Run, RunStore

DAYS_AGO = time.time() - 2 * 86_400


def names(folder: Path) -> set[str]:
    return {path.name for path in folder.iterdir()}


# -- whole or not at all


@pytest.mark.parametrize("there", [False, True])
def test_a_folder_that_fails_leaves_what_was_there(there, tmp_path):
    place = tmp_path / "out"
    if there:
        with whole_folder(place) as half:
            (half / "mark").write_text("old")
    with pytest.raises(RuntimeError), whole_folder(place, replaces="mark") as half:
        (half / "mark").write_text("new")
        raise RuntimeError
    assert names(tmp_path) == ({"out"} if there else set())
    assert not there or (place / "mark").read_text() == "old"
    with whole_folder(place, replaces="mark") as half:
        (half / "mark").write_text("new")
    assert names(tmp_path) == {"out"} and (place / "mark").read_text() == "new"


def test_a_file_behind_a_link_is_replaced_and_the_link_stays(tmp_path):
    (tmp_path / "there").mkdir()
    (tmp_path / "there" / "file").write_text("old")
    (tmp_path / "link").symlink_to(tmp_path / "there" / "file")
    with whole_file(tmp_path / "link") as half:
        half.write_text("new")
        assert (tmp_path / "there" / "file").read_text() == "old"
    assert (tmp_path / "link").is_symlink()
    assert (tmp_path / "there" / "file").read_text() == "new"
    assert names(tmp_path / "there") == {"file"}


def test_what_goes_to_a_pipe_or_a_device_is_written_there(tmp_path):
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    reader = subprocess.Popen(["cat", pipe], stdout=subprocess.PIPE, text=True)
    with whole_file(pipe) as half:
        half.write_text("all of it")
    assert reader.communicate(timeout=60)[0] == "all of it"
    assert stat.S_ISFIFO(pipe.stat().st_mode)
    assert names(tmp_path) == {"pipe"}
    with whole_file(Path(os.devnull)) as half:
        assert half == Path(os.devnull)


def test_a_foreign_folder_is_refused_and_our_own_place_is_not(tmp_path):
    (tmp_path / "out").mkdir()
    (tmp_path / "out" / "thesis.tex").touch()
    with pytest.raises(InputError, match="not empty"):
        HalfFolder(tmp_path / "out", replaces="mark")
    with whole_folder(tmp_path / "out", replaces=ANYTHING) as half:
        (half / "x").touch()
    assert names(tmp_path / "out") == {"x"}


def test_a_folder_somebody_else_filled_meanwhile_is_left_alone(tmp_path):
    with pytest.raises(InputError, match="cannot be written"), whole_folder(tmp_path / "out") as half:
        (half / "mine").touch()
        (tmp_path / "out").mkdir()
        (tmp_path / "out" / "theirs").touch()
    assert names(tmp_path / "out") == {"theirs"}
    assert names(tmp_path) == {"out"}


@pytest.mark.parametrize("there", ["nothing", "an empty folder", "other files"])
def test_files_appear_together_or_not_at_all(there, tmp_path):
    place = tmp_path / "results"
    if there != "nothing":
        place.mkdir()
    if there == "other files":
        (place / "notes.txt").write_text("mine")
        (place / "b.csv").write_text("of an earlier run")
    before = {path.name: path.read_text() for path in place.glob("*")}
    with pytest.raises(RuntimeError), whole_files(place) as half:
        (half / "a.csv").write_text("1")
        raise RuntimeError
    assert {path.name: path.read_text() for path in place.glob("*")} == before
    with whole_files(place) as half:
        (half / "a.csv").write_text("1")
        (half / "b.csv").write_text("2")
    assert {path.name: path.read_text() for path in place.iterdir()} == {**before, "a.csv": "1", "b.csv": "2"}


@pytest.mark.parametrize("write", [whole_folder, whole_files])
def test_a_disk_that_fills_is_told_with_the_folder(write, tmp_path):
    told = r"^\S*kept: cannot be written \(No space left on device\); make room on that disk"
    with pytest.raises(InputError, match=told), write(tmp_path / "kept"):
        raise OSError(errno.ENOSPC, "Error writing bytes to file")
    # What else fails in between is told by who knows of it.
    with pytest.raises(OSError, match="of the input"), write(tmp_path / "kept"):
        raise OSError(errno.ENOENT, "of the input")
    assert not (tmp_path / "kept").exists()


def test_files_go_into_the_folder_a_shell_stands_in(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    inode = tmp_path.stat().st_ino
    with whole_files(Path()) as half:
        (half / "a.csv").touch()
    assert names(tmp_path) == {"a.csv"}
    assert tmp_path.stat().st_ino == inode


# -- on disk, with the user's permissions


@pytest.fixture
def order(monkeypatch) -> list[tuple[str, int]]:
    """What is brought to disk and what is renamed, by inode, in order."""
    seen: list[tuple[str, int]] = []
    fsync, rename, replace = os.fsync, os.rename, os.replace
    monkeypatch.setattr(os, "fsync", lambda fd: (seen.append(("disk", os.fstat(fd).st_ino)), fsync(fd))[1])
    monkeypatch.setattr(os, "rename", lambda a, b: (seen.append(("name", Path(a).stat().st_ino)), rename(a, b))[1])
    monkeypatch.setattr(os, "replace", lambda a, b: (seen.append(("name", Path(a).stat().st_ino)), replace(a, b))[1])
    return seen


def test_a_file_is_on_disk_before_it_has_its_name(tmp_path, order):
    with whole_file(tmp_path / "x") as half:
        half.write_text("x")
    file, folder = (tmp_path / "x").stat().st_ino, tmp_path.stat().st_ino
    assert order == [("disk", file), ("name", file), ("disk", folder)]


def test_a_folder_is_on_disk_before_it_has_its_name(tmp_path, order):
    with whole_folder(tmp_path / "out") as half:
        (half / "sub").mkdir()
        (half / "sub" / "x").write_text("x")
    made = [(tmp_path / "out" / name).stat().st_ino for name in (".", "sub", "sub/x")]
    named = order.index(("name", made[0]))
    assert {("disk", inode) for inode in made} <= set(order[:named])
    assert order[named + 1 :] == [("disk", tmp_path.stat().st_ino)]


@pytest.mark.parametrize("mask", [0o022, 0o027, 0o077])
def test_permissions_are_those_the_umask_leaves_and_it_is_not_changed(mask, tmp_path, monkeypatch):
    before = os.umask(mask)
    try:
        with monkeypatch.context() as patched:
            patched.setattr(os, "umask", None)
            with whole_file(tmp_path / "x") as half:
                half.touch()
            with whole_folder(tmp_path / "out") as half:
                (half / "y").touch()
            with GraphWriter(tmp_path / "graph", version="v") as writer:
                graph = {"out_offsets": np.zeros(1, np.int64), "out_targets": np.zeros(0, np.int32)}
                for name, values in {**graph, "status": np.zeros(0, np.int8), "host": np.zeros(0, np.int32)}.items():
                    writer.put(name, values)
                import pyarrow as pa

                writer.text("hosts", [], pa.schema({"name": pa.large_string()}))
                writer.close(0, 0)
    finally:
        os.umask(before)
    for name in ("x", "out/y", "graph/graph.json"):
        assert stat.S_IMODE((tmp_path / name).stat().st_mode) == 0o666 & ~mask
    for name in ("out", "graph"):
        assert stat.S_IMODE((tmp_path / name).stat().st_mode) == 0o777 & ~mask


# -- leftovers of killed processes

HALVES = {
    "a file": "from seedrank.core.files import whole_file\nmaking = whole_file(folder / 'out.csv')",
    "a folder": "from seedrank.core.files import whole_folder\nmaking = whole_folder(folder / 'out')",
    "files": "from seedrank.core.files import whole_files\n(folder / 'x').touch()\nmaking = whole_files(folder)",
    "a graph": "from seedrank.graph import GraphWriter\nmaking = GraphWriter(folder / 'graph', version='v')",
    "a run": "from seedrank.runs import Run, RunStore\n"
    "making = RunStore(folder).keeping(Run('20260131-142305-k3v9qa', 'rank'))",
    "a spool": "from seedrank.ingest.merge.folder import MergeFolder\nfrom contextlib import closing, nullcontext\n"
    "making = nullcontext(MergeFolder(folder))",
}  # fmt: skip
AGAIN = {
    "a file": lambda folder: whole_file(folder / "other.csv"),
    "a folder": lambda folder: whole_folder(folder / "other"),
    "files": lambda folder: whole_files(folder),
    "a graph": lambda folder: GraphWriter(folder / "graph", version="v"),
    "a run": lambda folder: RunStore(folder).keeping(Run("20260131-142306-k3v9qa", "rank")),
    "a spool": lambda folder: Merge(folder, LoadOptions()),
}


@contextmanager
def writer_of(kind: str, folder: Path) -> Iterator[subprocess.Popen[str]]:
    """A process in the middle of writing something into a folder; killed at the end."""
    code = f"from pathlib import Path\nimport sys, time\nfolder = Path(sys.argv[1])\n{HALVES[kind]}\n"
    code += "with making:\n    print('half', flush=True)\n    time.sleep(600)\n"
    running = subprocess.Popen([sys.executable, "-c", code, str(folder)], stdout=subprocess.PIPE, text=True)
    try:
        assert running.stdout is not None and running.stdout.readline() == "half\n"
        yield running
    finally:
        running.kill()
        running.wait()
        assert running.stdout is not None
        running.stdout.close()


def halves(folder: Path) -> set[str]:
    return {name for name in names(folder) if name.endswith(SUFFIX)}


@pytest.mark.slow
@pytest.mark.parametrize("kind", HALVES)
def test_what_a_killed_process_left_is_swept_and_what_a_living_one_writes_is_not(kind, tmp_path):
    with writer_of(kind, tmp_path):
        pass
    dead = halves(tmp_path)
    assert len(dead) == 1
    with writer_of(kind, tmp_path):
        living = halves(tmp_path)
        assert len(living) == 1 and not living & dead
        with AGAIN[kind](tmp_path):
            assert len(halves(tmp_path)) == 2
        assert halves(tmp_path) == living


def test_links_and_what_belongs_to_others_is_left_alone(tmp_path):
    (tmp_path / "precious").mkdir()
    (tmp_path / f".x-abcdefgh{SUFFIX}").symlink_to(tmp_path / "precious")
    theirs = tmp_path / f".y-abcdefgh{SUFFIX}"
    theirs.mkdir()
    if os.getuid() == 0:
        os.chown(theirs, 12_345, 12_345)
    else:
        theirs.rmdir()
    before = names(tmp_path)
    with whole_file(tmp_path / "out"):
        pass
    assert names(tmp_path) == {*before, "out"}


@pytest.mark.parametrize("new", [True, False])
def test_a_replacement_cut_off_between_its_two_renames_is_completed(new, tmp_path):
    """The old folder is aside and the new one not in place: whoever writes here next puts it there."""
    claim = claim_folder(tmp_path, ".out")
    (claim.path / "old").mkdir()
    (claim.path / "old" / "mark").write_text("old")
    if new:
        (claim.path / "new").mkdir()
        (claim.path / "new" / "mark").write_text("new")
    os.close(claim._lock)
    with whole_file(tmp_path / "x"):
        assert (tmp_path / "out" / "mark").read_text() == ("new" if new else "old")
    assert names(tmp_path) == {"out", "x"}


# -- parts of experiments


def test_parts_nobody_can_go_on_from_are_swept_after_a_day(tmp_path):
    import pyarrow as pa

    table = pa.table({"x": [1]})
    folders = []
    for graph in ("v1", "v2", "v3"):
        steps = Steps(tmp_path, {"graph": graph, "experiment": "coverage"})
        steps.table("part", lambda: table)
        (steps.folder / f".part.parquet-abcdefgh{SUFFIX}").touch()
        folders.append(steps.folder)
    (tmp_path / "0123456789abcdef").mkdir()
    for folder in (folders[0], folders[1], tmp_path / "0123456789abcdef"):
        for path in (*folder.iterdir(), folder):
            os.utime(path, (DAYS_AGO, DAYS_AGO))
    os.utime(folders[0] / "part.parquet")
    steps = Steps(tmp_path, {"graph": "v4", "experiment": "cores"})
    assert names(tmp_path) == {folders[0].name, folders[2].name}
    assert not [path for path in tmp_path.rglob("*") if path.name.endswith(SUFFIX)]
    for path in (*folders[2].iterdir(), folders[2]):
        os.utime(path, (DAYS_AGO, DAYS_AGO))
    steps = Steps(tmp_path, {"graph": "v3", "experiment": "ordering"})
    assert folders[2].exists(), "an interrupted experiment on this graph can go on"
    again = Steps(tmp_path, {"graph": "v3", "experiment": "coverage"})
    assert again.table("part", lambda: pytest.fail("it is kept")) == table
    assert (again.reused, steps.reused) == (1, 0)
