"""One process that runs commands under faults, and a web whose later state changes many rows."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path

import harness
import pytest
from harness import Case


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
    saved = commands.folder / "saved"
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
