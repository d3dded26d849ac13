"""The model of a power cut finds what is written carelessly, and lets pass what is written with care."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.faults import harness
from tests.faults.harness import Commands, Traced
from tests.faults.power import Cut

pytestmark = pytest.mark.kill

OLD, NEW = b"o" * 10_000, b"n" * 20_000
IN_PLACE = harness.HERE / "in_place.py"


@pytest.fixture(scope="module")
def commands(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Commands]:
    folder = tmp_path_factory.mktemp("power").resolve()
    with harness.commands(harness.build(folder), folder) as running:
        yield running


def trace(commands: Commands, code: str) -> Traced:
    """A script on a folder in which ``file`` is old."""
    script = commands.top / "script.py"
    script.write_text("import os\nNEW = b'n' * 20_000\n" + code)
    commands.fill({"file": OLD})
    return commands.traced(script=script)


def ends(traced: Traced, seeds: int = 60) -> list[bytes | None]:
    """What ``file`` may hold once the script has ended."""
    return [traced.after_cut(Cut(len(traced.steps), seed)).get("file", None) for seed in range(seeds)]


def test_data_that_was_not_synced_is_lost_kept_or_torn(commands: Commands) -> None:
    found = ends(trace(commands, "open('file', 'wb').write(NEW)"))
    assert {OLD, NEW} < set(found)
    torn = [data for data in found if data not in (OLD, NEW)]
    assert torn
    for data in torn:
        assert data is not None
        blocks = {data[at : at + 512] for at in range(0, len(data) - 512, 512)}
        assert blocks <= {b"o" * 512, b"n" * 512, bytes(512), b"o" * 272 + bytes(240)}


def test_data_that_was_synced_stays(commands: Commands) -> None:
    found = ends(trace(commands, "f = open('file', 'r+b'); f.write(NEW); f.flush(); os.fsync(f.fileno())"))
    assert set(found) == {NEW}


RENAMED = """
f = open("half", "wb")
f.write(NEW)
f.flush()
{sync}
f.close()
os.rename("half", "file")
{sync_folder}
"""
SYNC, SYNC_FOLDER = "os.fsync(f.fileno())", "os.fsync(os.open('.', os.O_RDONLY))"


def test_a_rename_may_overtake_the_data(commands: Commands) -> None:
    found = set(ends(trace(commands, RENAMED.format(sync="", sync_folder=SYNC_FOLDER))))
    assert OLD not in found
    assert {b"", NEW} < found
    assert any(data and data.strip(b"\0") == b"" for data in found)


def test_a_rename_is_lost_until_the_folder_is_synced(commands: Commands) -> None:
    assert set(ends(trace(commands, RENAMED.format(sync=SYNC, sync_folder="")))) == {OLD, NEW}


def test_a_file_that_is_synced_and_renamed_is_old_or_new(commands: Commands) -> None:
    traced = trace(commands, RENAMED.format(sync=SYNC, sync_folder=SYNC_FOLDER))
    assert set(ends(traced)) == {NEW}
    for at in range(len(traced.steps)):
        assert {traced.after_cut(Cut(at, seed))["file"] for seed in range(20)} <= {OLD, NEW}


def test_a_folder_is_lost_until_the_one_above_is_synced(commands: Commands) -> None:
    made = "os.mkdir('new')\nf = open('new/x', 'wb')\nf.write(NEW)\nf.flush()\nos.fsync(f.fileno())\n"
    traced = trace(commands, made + "os.fsync(os.open('new', os.O_RDONLY))")
    found = [traced.after_cut(Cut(len(traced.steps), seed)) for seed in range(60)]
    assert {files.get("new/x") for files in found} == {None, NEW}


def test_writes_through_stdio_and_mappings_are_seen(commands: Commands) -> None:
    code = """
import numpy as np
np.save("saved.npy", np.arange(5_000))
mapped = np.lib.format.open_memmap("mapped.npy", "w+", np.int64, (5_000,))
mapped[:] = 7
del mapped
os.fsync(os.open("mapped.npy", os.O_RDONLY))
"""
    traced = trace(commands, code)  # fails where the trace does not give what is in the folder
    sizes = {len(traced.after_cut(Cut(len(traced.steps), seed)).get("saved.npy") or b"") for seed in range(20)}
    assert len(sizes) > 1


def test_a_database_that_is_changed_in_place_is_destroyed(commands: Commands) -> None:
    """What the embedded store is written by copy and rename for."""
    commands.fill({})
    commands.run(script=IN_PLACE)
    traced = commands.traced(script=IN_PLACE)
    broken = 0
    cuts = traced.cuts(60)
    for cut in cuts:
        commands.fill(traced.after_cut(cut))
        opened = commands.run(script=harness.HERE / "open_in_place.py")
        broken += opened.code != 0
    assert broken, "the model has lost its teeth"
