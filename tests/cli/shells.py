"""Commands in a process of their own, for what only a process can show: its streams, signals and exit code."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

__all__ = ["COMMAND", "shell"]

COMMAND = f"{sys.executable} -c 'from seedrank.cli.main import main; main()'"


def shell(line: str, folder: Path, *, environment: dict[str, str] | None = None) -> subprocess.CompletedProcess[str]:
    """Run a line of bash in which ``$S`` is the command; its exit code is that of the first command of a pipe."""
    return subprocess.run(
        ["bash", "-c", f'S() {{ {COMMAND} "$@"; }}; {line}'],
        cwd=folder,
        env={**os.environ, "SEEDRANK_STORE": "web.duckdb", **(environment or {})},
        capture_output=True,
        text=True,
        errors="backslashreplace",
        check=False,
    )
