"""The documents say what the program does: commands are described, and the README's commands run."""

from __future__ import annotations

import html
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from docs import make_commands
from tests.cli.test_examples import COMMANDS

ROOT = Path(__file__).resolve().parents[2]
DOCS = ROOT / "docs"
BIN = Path(sys.executable).parent


def shell_blocks(document: Path) -> list[str]:
    return re.findall(r"```sh\n(.*?)```", document.read_text(), re.DOTALL)


def command_reference() -> dict[str, str]:
    """The pages that are kept, by path below docs/."""
    files = [DOCS / "commands.md", *sorted((DOCS / "commands").iterdir())]
    return {path.relative_to(DOCS).as_posix(): path.read_text(encoding="utf-8") for path in files}


def test_the_command_reference_is_what_help_says():
    made, kept = make_commands.pages(), command_reference()
    assert set(kept) == set(made), "run `make docs`"
    assert [path for path in made if kept[path] != made[path]] == [], "run `make docs`"


def test_every_command_has_its_place_in_the_reference():
    kept = command_reference()
    for name in COMMANDS:
        verb, _, below = name.partition(" ")
        page = kept[f"commands/{verb}.md"]
        assert f"# `seedrank {name}`\n" in page
        assert f"* [`{verb}`](commands/{verb}.md): " in kept["commands.md"]
        assert not below or f"* [`{below}`](#seedrank-{verb}-{below}): " in page


@pytest.mark.docs
def test_the_readme_runs(tmp_path):
    """The block that makes a web and looks at it, line by line, as a newcomer would type it."""
    [block] = [block for block in shell_blocks(ROOT / "README.md") if "seedrank generate" in block]
    environment = {**os.environ, "PATH": f"{BIN}:{os.environ['PATH']}"}
    for line in block.strip().splitlines():
        done = subprocess.run(line, shell=True, cwd=tmp_path, env=environment, capture_output=True, text=True)
        assert done.returncode == 0, f"{line}\n{done.stderr}"
    assert (tmp_path / "report.html").is_file()


def shown(picture: Path) -> str:
    """The words of a terminal's picture."""
    texts = re.findall(r"<text[^>]*>(.*?)</text>", picture.read_text(encoding="utf-8"))
    return " ".join(html.unescape(" ".join(texts)).split())


@pytest.mark.docs
def test_the_readme_shows_what_the_demo_says(tmp_path):
    """`make demo` calls this command; its findings depend on the web's number alone."""
    done = subprocess.run([BIN / "seedrank", "demo"], cwd=tmp_path, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    said = " ".join(done.stdout.partition("\n\n")[0].split())
    assert said.startswith("- The graph has 50,000 pages")
    assert said in shown(DOCS / "pictures" / "demo.svg")
    assert (tmp_path / "demo" / "report.html").is_file()
    assert "\nhttps://" in (tmp_path / "demo" / "nutch-seeds.txt").read_text()


def test_the_readme_quotes_the_findings():
    decisions = (ROOT / "README.md").read_text(encoding="utf-8").partition("| decision |")[2].partition("\n\n")[0]
    findings = " ".join((DOCS / "findings.md").read_text(encoding="utf-8").split())
    quoted = re.findall(r"([\d.]+(?: fewer)? to [\d.]+)", decisions)
    assert len(quoted) >= 4
    assert [figures for figures in quoted if figures not in findings] == []


@pytest.mark.docs
def test_the_readme_python_runs(tmp_path):
    [code] = re.findall(r"```python\n(.*?)```", (ROOT / "README.md").read_text(), re.DOTALL)
    seedrank = BIN / "seedrank"
    subprocess.run([seedrank, "generate", "web", "--pages", "200"], cwd=tmp_path, check=True, capture_output=True)
    load = [seedrank, "load", "table", "--pages", "web/pages.parquet", "--links", "web/links.parquet"]
    subprocess.run(load, cwd=tmp_path, check=True, capture_output=True)
    done = subprocess.run([sys.executable, "-c", code], cwd=tmp_path, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    assert "WebGraph(pages=200" in done.stdout
