"""Memory that may be taken, by the files of control groups of both versions."""

from __future__ import annotations

from pathlib import Path

import pytest

from seedrank.core.resources import container_limits, free_memory, usable_memory

MIB = 1 << 20


def write(root: Path, **files: object) -> None:
    """Files of a group; ``_`` stands for the dot in their names."""
    root.mkdir(parents=True, exist_ok=True)
    for name, content in files.items():
        (root / name.replace("_", ".", 1)).write_text(f"{content}\n")


def stat(**rows: int) -> str:
    return "\n".join(f"{name} {value}" for name, value in rows.items())


@pytest.fixture
def process(tmp_path: Path) -> Path:
    file = tmp_path / "process"
    file.write_text("0::/system/job\n")
    return file


def test_limits_of_control_groups(tmp_path: Path, process: Path) -> None:
    write(tmp_path / "system", memory_max=1 << 30)
    write(tmp_path / "system/job", memory_max="max")
    assert container_limits(tmp_path, process) == [1 << 30]

    process.write_text("5:cpu,cpuacct:/x\n4:memory:/docker/abc\n")
    write(tmp_path / "memory", memory_limit_in_bytes=2**63 - 4096)
    assert container_limits(tmp_path, process) == []
    # In a container the group's path is the host's; its limit stands at the root.
    write(tmp_path / "memory", memory_limit_in_bytes=512 * MIB)
    assert container_limits(tmp_path, process) == [512 * MIB]
    assert container_limits(tmp_path, tmp_path / "none") == []


def test_the_machine_has_some() -> None:
    assert usable_memory() > 64 * MIB


def test_files_that_the_system_keeps_count_as_free(tmp_path: Path, process: Path) -> None:
    process.write_text("0::/\n")
    write(
        tmp_path, memory_max=64 * MIB, memory_current=60 * MIB, memory_stat=stat(anon=20 * MIB, inactive_file=40 * MIB)
    )
    assert free_memory(tmp_path, process) == 44 * MIB


def test_the_tightest_of_nested_groups_counts(tmp_path: Path, process: Path) -> None:
    write(tmp_path / "system", memory_max=40 * MIB, memory_current=30 * MIB, memory_stat=stat(inactive_file=2 * MIB))
    write(tmp_path / "system/job", memory_max=32 * MIB, memory_current=16 * MIB)
    assert free_memory(tmp_path, process) == 12 * MIB
    write(tmp_path / "system/job", memory_current=31 * MIB)
    assert free_memory(tmp_path, process) == MIB


def test_version_1(tmp_path: Path, process: Path) -> None:
    process.write_text("4:memory:/docker/abc\n")
    write(
        tmp_path / "memory/docker/abc",
        memory_limit_in_bytes=64 * MIB,
        memory_usage_in_bytes=60 * MIB,
        memory_stat=stat(inactive_file=MIB, total_inactive_file=8 * MIB),
    )
    assert free_memory(tmp_path, process) == 12 * MIB


def test_a_group_that_holds_more_than_it_may_has_nothing_left(tmp_path: Path, process: Path) -> None:
    """Its limit was lowered, or the two files were read at different times."""
    process.write_text("0::/\n")
    write(tmp_path, memory_max=64 * MIB, memory_current=80 * MIB)
    assert free_memory(tmp_path, process) == 0


def test_no_control_groups(tmp_path: Path) -> None:
    whole = free_memory(tmp_path, tmp_path / "none")
    assert whole is None or whole > MIB
