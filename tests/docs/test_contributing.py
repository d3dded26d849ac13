"""The worked examples of docs/contributing, applied to a copy of the code as they are printed, pass their own tests."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
EXAMPLES = sorted((ROOT / "docs" / "contributing").glob("*.md"))
PACKAGES = ("cli", "cypher", "exporters", "graphdb", "loaders", "seedrank")
BLOCK = re.compile(r"^`([\w./-]+)`:\n\n```(\w+)\n(.*?)^```$", re.DOTALL | re.MULTILINE)


def parts(page: Path) -> list[tuple[str, str, str]]:
    """Path, language and text of each block of code that stands below the name of its file."""
    return BLOCK.findall(page.read_text(encoding="utf-8"))


def edited(text: str, block: str) -> str:
    """A file with the lines of a diff without numbers: what it shows of the file is there once."""
    lines = [line if line.strip() else " \n" for line in block.splitlines(keepends=True)]
    before, after = ("".join(line[1:] for line in lines if line[0] in kept) for kept in (" -", " +"))
    assert text.count(before) == 1, f"{text.count(before)} times in the file:\n{before}"
    return text.replace(before, after)


@pytest.fixture
def copy(tmp_path) -> Path:
    """The code and what its tests need, without what the examples do not touch."""
    for package in (*PACKAGES, "tests"):
        shutil.copytree(ROOT / package, tmp_path / package, ignore=shutil.ignore_patterns("__pycache__", "kernels"))
    for package in PACKAGES[:-1]:
        (tmp_path / "seedrank" / package).symlink_to(tmp_path / package)  # as the installed package has it
    shutil.copy(ROOT / "pyproject.toml", tmp_path)
    # Kernels are imported from their own place: compiled ones are cached by path.
    kernels = tmp_path / "seedrank" / "engines" / "kernels" / "__init__.py"
    kernels.parent.mkdir()
    origin = ROOT / "seedrank" / "engines" / "kernels"
    text = (origin / "__init__.py").read_text()
    future = "from __future__ import annotations\n"
    kernels.write_text(text.replace(future, f"{future}\n__path__ = [{str(origin)!r}]\n", 1))
    return tmp_path


def run(copy: Path, *command: str) -> None:
    environment = {name: value for name, value in os.environ.items() if not name.startswith("PYTEST_")}
    environment["PYTHONPATH"] = str(copy)
    command = (sys.executable, "-m", *command)
    done = subprocess.run(command, cwd=copy, env=environment, capture_output=True, text=True)
    assert done.returncode == 0, f"{done.stdout}\n{done.stderr}"


def test_there_is_an_example_of_each_kind():
    assert [page.stem for page in EXAMPLES] == ["experiment", "exporter", "loader", "seed-method", "statement"]


@pytest.mark.docs
@pytest.mark.parametrize("page", EXAMPLES, ids=lambda page: page.stem)
def test_the_example_passes_its_own_test(page, copy):
    for path, language, text in parts(page):
        file = copy / path
        if language == "diff":
            file.write_text(edited(file.read_text(), text))
        else:
            assert not file.exists(), f"{path} is there already"
            file.parent.mkdir(exist_ok=True)
            file.write_text(text)
    paths = sorted({path for path, _, _ in parts(page)})
    code = [path for path in paths if path.endswith(".py")]
    run(copy, "ruff", "check", "--no-cache", *code)
    run(copy, "ruff", "format", "--no-cache", "--check", *code)
    [tests] = [path for path in paths if path.startswith("tests/")]
    run(copy, "pytest", "-q", "-p", "no:cacheprovider", tests)


def test_an_edit_that_fits_nowhere_is_told():
    assert edited("a\nb\nc\n", " b\n+x\n") == "a\nb\nx\nc\n"
    assert edited("a\nb\nc\n", " a\n-b\n+x\n") == "a\nx\nc\n"
    with pytest.raises(AssertionError, match="0 times"):
        edited("a\n", " b\n+x\n")
