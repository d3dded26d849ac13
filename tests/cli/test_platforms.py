"""On a system that cannot lock files, the first command and the first use from Python say so in one line."""

from __future__ import annotations

import subprocess
import sys

import pytest

NO_LOCKS = "import sys; sys.modules['fcntl'] = None; "
TOLD = "this is {}, and only Linux and macOS are supported; on Windows install it inside WSL"


def run(code: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)


@pytest.mark.parametrize("command", [["stats"], ["--help"], ["load", "snap", "x.txt"], []])
@pytest.mark.parametrize("system", ["win32", "emscripten"])
def test_the_first_command_says_so(command, system):
    code = (
        f"from seedrank.cli import main; sys.platform = {system!r}; sys.argv = ['seedrank', *{command!r}]; main.main()"
    )
    done = run(NO_LOCKS + code)
    assert done.returncode == 1
    assert done.stdout == ""
    [line] = done.stderr.splitlines()
    assert TOLD.format(system) in line


def test_python_says_so():
    code = "import seedrank; sys.platform = 'win32'; seedrank.open('web.duckdb')"
    done = run(NO_LOCKS + code)
    assert done.returncode == 1
    assert TOLD.format("win32") in done.stderr.splitlines()[-1]
    assert "SeedrankError" in done.stderr.splitlines()[-1]


def test_the_version_is_told_everywhere():
    done = run(NO_LOCKS + "import seedrank; sys.platform = 'win32'; print(seedrank.__version__)")
    assert (done.returncode, done.stderr) == (0, "")
