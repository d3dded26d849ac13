"""A load that is killed, or meets a full or broken disk, at any call: nothing lost, nothing half, nothing refused."""

from __future__ import annotations

import os
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.faults import harness
from tests.faults.harness import Call, Case, Commands, Fault

pytestmark = pytest.mark.kill

ASK = ("stats",)
DEEP = 55


@pytest.fixture(scope="session")
def commands(tmp_path_factory: pytest.TempPathFactory) -> Iterator[harness.Commands]:
    folder = tmp_path_factory.mktemp("faults").resolve()
    with harness.commands(harness.build(folder), folder) as running:
        yield running


@pytest.fixture(scope="session")
def web(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return harness.make_web(tmp_path_factory.mktemp("web"), 800)


@pytest.fixture(scope="session")
def loaded(commands: harness.Commands, web: Path) -> Path:
    """A store with the web, to be copied."""
    commands.reset()
    commands.succeed(*harness.load(web))
    saved = commands.top / "saved"
    shutil.copyfile(commands.store, saved)
    return saved


@pytest.fixture(scope="session")
def second_load(commands: harness.Commands, web: Path, loaded: Path) -> Case:
    """A load that changes rows of a store and adds others."""
    command = harness.load(web / "later")
    commands.reset(loaded)
    before = harness.contents(commands.store)
    calls = commands.calls(*command)
    return Case(commands, command, loaded, before, harness.contents(commands.store), calls)


@pytest.fixture(scope="session")
def first_load(commands: harness.Commands, web: Path) -> Case:
    """A load that makes the store."""
    command = harness.load(web)
    commands.reset()
    calls = commands.calls(*command)
    return Case(commands, command, None, None, harness.contents(commands.store), calls)


def windows(calls: list[Call]) -> list[int]:
    """Calls beside the writing of the copy: where it is made, synced and renamed."""
    return [call.number for call in calls if call.name not in ("pwrite", "write")]


def aimed(calls: list[Call], count: int) -> list[int]:
    """Two thirds of the faults at the `windows`, the rest anywhere."""
    anywhere = [call.number for call in calls]
    return sorted({*harness.spread(windows(calls), 2 * count // 3), *harness.spread(anywhere, count // 3)})


def check(case: Case, fault: Fault) -> None:
    commands, where = case.commands, f"{fault} of {case.calls[fault.at - 1]}"
    commands.reset(case.saved)
    struck = commands.run(*case.command, fault=fault)
    assert "Traceback" not in struck.stderr, where

    state = harness.contents(commands.store) if commands.store.exists() else None
    assert state in (case.before, case.after), f"{where}: half of the load is there"
    assert struck.code != 0 or state == case.after, f"{where}: a load that succeeded is gone"

    again = commands.run(*case.command)
    assert again.code == 0, f"{where}: {again.stderr}"
    assert harness.contents(commands.store) == case.after, where


def test_killed_while_a_store_is_changed(second_load: Case) -> None:
    for at in aimed(second_load.calls, 14):
        check(second_load, Fault(at))


def test_killed_in_the_middle_of_a_write(second_load: Case) -> None:
    for at in aimed(second_load.calls, 6):
        check(second_load, Fault(at, "torn"))


def test_killed_while_a_store_is_made(first_load: Case) -> None:
    for at in aimed(first_load.calls, 6):
        check(first_load, Fault(at))


def test_full_disk_while_a_store_is_changed(second_load: Case) -> None:
    for at in aimed(second_load.calls, 6):
        check(second_load, Fault(at, "enospc"))


def test_full_disk_while_a_store_is_made(first_load: Case) -> None:
    for at in aimed(first_load.calls, 6):
        check(first_load, Fault(at, "enospc"))


def test_broken_disk(second_load: Case) -> None:
    for at in aimed(second_load.calls, 6):
        check(second_load, Fault(at, "eio"))


def test_a_full_disk_is_explained(second_load: Case) -> None:
    commands = second_load.commands
    commands.reset(second_load.saved)
    at = next(call.number for call in second_load.calls if call.name == "pwrite" and call.file == ".writing")
    struck = commands.run(*second_load.command, fault=Fault(at, "enospc"))
    assert struck.code == 1
    assert "No space left" in struck.stderr
    assert "make room on the disk and run it again" in struck.stderr


def test_the_next_writer_takes_over_what_a_killed_one_left(second_load: Case) -> None:
    commands = second_load.commands
    commands.reset(second_load.saved)
    commands.succeed(*ASK)  # compiles its loops where no test has, and says so
    commands.reset(second_load.saved)
    at = next(call.number for call in second_load.calls if call.name == "rename")
    assert commands.run(*second_load.command, fault=Fault(at)).killed
    assert commands.store.with_name("web.duckdb.writing").exists()
    assert not commands.succeed(*ASK).stderr
    assert harness.contents(commands.store) == second_load.before
    commands.succeed(*second_load.command)
    assert harness.contents(commands.store) == second_load.after
    beside = sorted(path.name for path in commands.folder.iterdir())
    assert beside == ["web.duckdb", "web.duckdb.seedrank"]


@pytest.mark.deep
@pytest.mark.timeout(7200)
@pytest.mark.parametrize("mode", ["kill", "torn", "enospc", "eio"])
@pytest.mark.parametrize("case", ["first_load", "second_load"])
def test_sweep(request: pytest.FixtureRequest, case: str, mode: str) -> None:
    met = request.getfixturevalue(case)
    for at in aimed(met.calls, DEEP):
        check(met, Fault(at, mode))


@pytest.fixture
def small_disk(tmp_path: Path) -> Iterator[Path]:
    if os.geteuid() != 0 or shutil.which("mount") is None:
        pytest.skip("only root can mount a small disk")
    folder = tmp_path / "disk"
    folder.mkdir()
    made = subprocess.run(["mount", "-t", "tmpfs", "-o", "size=1m", "tmpfs", str(folder)], capture_output=True)
    if made.returncode:
        pytest.skip("a small disk cannot be mounted here")
    yield folder
    subprocess.run(["umount", "--lazy", str(folder)], check=True)


def resize(disk: Path, kilobytes: int) -> None:
    subprocess.run(["mount", "-o", f"remount,size={kilobytes}k", str(disk)], check=True)


@pytest.mark.deep
@pytest.mark.timeout(1800)
def test_full_disks_that_are_enlarged(commands: Commands, web: Path, first_load: Case, small_disk: Path) -> None:
    """The first load needs about 7 MB beside what it leaves."""
    there = Commands(small_disk, commands.server)
    for kilobytes in (64, 512, 2_000, 4_100, 6_000):
        resize(small_disk, kilobytes)
        assert there.run(*harness.load(web)).code != 0
        resize(small_disk, 64_000)
        there.succeed(*harness.load(web))
        assert harness.contents(there.store) == first_load.after
        there.reset()
