"""docs/formats.md has a row for every format, with a command that exists, and the figures of the tests on real data."""

from __future__ import annotations

import re
import shlex
from pathlib import Path

import pytest

from tests.stores.test_real_data import CASES

DOCS = Path(__file__).resolve().parents[2] / "docs"
COMMANDS = "".join(page.read_text(encoding="utf-8") for page in sorted((DOCS / "commands").glob("*.md")))
FORMATS = (DOCS / "formats.md").read_text(encoding="utf-8")
README = (DOCS.parent / "README.md").read_text(encoding="utf-8").partition("## Formats")[2].partition("\n## ")[0]


def rows(title: str) -> list[list[str]]:
    """The cells of the first table below a heading, without its head."""
    section = FORMATS.partition(f"\n## {title}\n")[2].partition("\n## ")[0]
    lines = [line for line in section.splitlines() if line.startswith("|")]
    return [[cell.strip() for cell in line.strip("|").split("|")] for line in lines[2:]]


def options_of(command: str) -> str:
    """What the command reference says of a command."""
    return COMMANDS.partition(f"## `seedrank {command}`\n")[2].partition("\n## ")[0]


def check_options(command: str) -> None:
    """Every option that a command is shown with is one of its own."""
    words = shlex.split(command)
    known = options_of(" ".join(words[1:3]))
    for option in (word for word in words if word.startswith("-")):
        assert re.search(rf"^\* `(?:-\w, )?{option}[ `,]|^\* `{option}, ", known, re.MULTILINE), (
            f"{option} of: {command}"
        )


@pytest.mark.parametrize(("group", "title"), [("load", "In: `seedrank load`"), ("export", "Out: `seedrank export`")])
def test_every_command_has_a_row(group, title):
    found = rows(title)
    names = [name.strip("`") for name, *_ in found]
    assert sorted(names) == sorted(re.findall(rf"^## `seedrank {group} (\S+)`$", COMMANDS, re.MULTILINE))
    for name, (_, about, command, carries) in zip(names, found, strict=True):
        assert command.startswith(f"`seedrank {group} {name} ")
        assert about
        assert carries
        check_options(command.strip("`"))
        assert re.search(rf"`(seedrank load )?{name}[` ]", README), f"README.md does not name {name}"


def test_real_files_are_those_of_the_tests():
    commands = {
        "seedrank load " + " ".join(words).replace("{data}/", ""): counts for _, words, counts, _ in CASES.values()
    }
    found = rows("Real files, and what they load as")
    assert len(found) > 8
    for _, command, _, figures, _ in found:
        check_options(command.strip("`"))
        counts = commands[command.strip("`")]
        for number, kind in re.findall(r"(\d[\d,]*) (\w+)", figures):
            expected = counts.get(f"{kind} new", counts.get(f"{kind} new or changed"))
            assert int(number.replace(",", "")) == expected, f"{command}: {kind}"
