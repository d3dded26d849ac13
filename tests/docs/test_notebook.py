"""The examples of docs/notebook.md run as they stand."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path
from xml.etree import ElementTree

ROOT = Path(__file__).resolve().parents[2]


def test_the_notebook_examples_run(tmp_path):
    text = (ROOT / "docs" / "notebook.md").read_text()
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}

    def run(*arguments: str) -> str:
        command = [sys.executable, *arguments]
        done = subprocess.run(command, cwd=tmp_path, env=environment, capture_output=True, text=True)
        assert done.returncode == 0, done.stderr
        return done.stdout

    [shell] = re.findall(r"```sh\n(.*?)```", text, re.DOTALL)
    for line in shell.splitlines():
        run("-m", "cli.main", *line.split()[1:])
    blocks = re.findall(r"```python\n(.*?)```", text, re.DOTALL)
    assert len(blocks) == 7
    out = run("-W", "error", "-c", "\n".join(blocks))
    assert "cannot be judged" in out or "holds" in out or "does not hold" in out
    ElementTree.fromstring((tmp_path / "by-k.svg").read_text())
    assert (tmp_path / "results" / "coverage-claims.csv").is_file()
    assert "seedrank report" in (tmp_path / "report.html").read_text()
