"""Where compiled loops are kept."""

from __future__ import annotations

import os
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from numba.core.caching import IndexDataCacheFile

from seedrank.engines import kernels
from seedrank.engines.kernels import numba_fixes


@pytest.fixture(autouse=True)
def no_place_named(monkeypatch):
    monkeypatch.delenv("NUMBA_CACHE_DIR", raising=False)


def test_compiling_is_told_once(capsys, monkeypatch):
    monkeypatch.setattr(numba_fixes._Told, "said", False)
    for _ in range(2):
        numba_fixes._Told().on_start(None)
    assert capsys.readouterr().err == "compiling (once): the first answers take some seconds longer\n"


def test_a_temporary_folder_where_nothing_can_be_written(monkeypatch):
    given = []
    monkeypatch.setattr(kernels.atexit, "register", lambda *args, **options: given.append(args[1]))
    kernels._place_for_cache(lambda folder: False)
    assert Path(os.environ["NUMBA_CACHE_DIR"]).is_dir()
    assert given == [os.environ["NUMBA_CACHE_DIR"]]
    Path(given[0]).rmdir()


@pytest.mark.parametrize("place", ["__pycache__", ".cache"])
def test_none_where_the_package_or_the_cache_of_the_user_can_be_written(monkeypatch, place):
    monkeypatch.delenv("XDG_CACHE_HOME", raising=False)
    kernels._place_for_cache(lambda folder: folder.name == place)
    assert "NUMBA_CACHE_DIR" not in os.environ


def test_a_folder_that_is_named_stays(monkeypatch, tmp_path):
    monkeypatch.setenv("NUMBA_CACHE_DIR", str(tmp_path))
    kernels._place_for_cache(lambda folder: False)
    assert os.environ["NUMBA_CACHE_DIR"] == str(tmp_path)


def test_a_folder_that_is_not_there_can_be_written_where_its_parent_can(tmp_path):
    assert kernels._can_write(tmp_path / "a" / "b")
    (tmp_path / "file").touch()
    assert not kernels._can_write(tmp_path / "file" / "b")


def test_loops_run_where_nothing_can_be_written_and_leave_nothing(tmp_path):
    code = (
        "import os; os.access = lambda *args: False\n"
        "from seedrank.engines.kernels import csr; import numpy as np\n"
        "print(os.environ['NUMBA_CACHE_DIR'], csr.count_targets(np.array([0]), 1).tolist())"
    )
    there = {**os.environ, "TMPDIR": str(tmp_path)}
    told = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, env=there).stdout
    place, answer = told.split(" ", 1)
    assert Path(place).parent == tmp_path
    assert answer.strip() == "[1]"
    assert not list(tmp_path.iterdir())


def test_processes_that_save_at_once_keep_what_each_of_them_compiled(tmp_path):
    """Each opens the lock for itself, as processes do; without it they overwrite each other's index and data."""
    interval = sys.getswitchinterval()

    def save(worker):
        cache = IndexDataCacheFile(str(tmp_path), "kernels.sum-1.py3", b"source")
        for number in range(25):
            cache.save((worker, number), [worker, number])

    sys.setswitchinterval(1e-5)
    try:
        with ThreadPoolExecutor(4) as workers:
            list(workers.map(save, range(4)))
    finally:
        sys.setswitchinterval(interval)
    cache = IndexDataCacheFile(str(tmp_path), "kernels.sum-1.py3", b"source")
    keys = [(worker, number) for worker in range(4) for number in range(25)]
    assert [cache.load(key) for key in keys] == [list(key) for key in keys]


def test_code_of_another_source_never_gets_the_place_of_code_that_an_index_names(tmp_path):
    """A process killed between the two files, or a source that comes back, would find the wrong code there."""
    before, after = (IndexDataCacheFile(str(tmp_path), "kernels.sum-1.py3", source) for source in (b"before", b"after"))
    before.save("key", "code before")
    index = next(tmp_path.glob("*.nbi")).read_bytes()
    after.save("key", "code after")
    next(tmp_path.glob("*.nbi")).write_bytes(index)
    assert before.load("key") == "code before"
