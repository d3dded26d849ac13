"""The command reference, from the help of the commands: ``make docs``.

docs/commands.md has what goes with every command; docs/commands/VERB.md has a verb with the commands below it.
"""

from __future__ import annotations

import html
import re
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
DOCS = ROOT / "docs"
_CODE = re.compile(r"`[^`\n]+`")
"""What is shown as it is typed."""
_EXAMPLE = re.compile(r"^Example: (.+?)\n\n", re.DOTALL | re.MULTILINE)
_LISTED = re.compile(r"^\* `([\w-]+)`(?:: .*)?$", re.MULTILINE)


def pages() -> dict[str, str]:
    """Text by path below docs/."""
    first, *others = re.split(r"^(?=## )", _help(), flags=re.MULTILINE)
    made = {"commands.md": _listed(first, others, "commands/{name}.md")}
    for text in others:
        verb = _name(text)
        raised = re.sub(r"^#(#+ )", r"\1", text, flags=re.MULTILINE)
        head, *below = re.split(r"^(?=## )", raised, flags=re.MULTILINE)
        made[f"commands/{verb}.md"] = "".join([_listed(head, below, f"#seedrank-{verb}-{{name}}"), *below])
    return {path: text.rstrip() + "\n" for path, text in made.items()}


def _help() -> str:
    """All of it as one document, as typer writes it; examples are blocks, to be copied as they are typed."""
    command = [
        sys.executable,
        "-m",
        "typer",
        "seedrank.cli.main",
        "utils",
        "docs",
        "--name",
        "seedrank",
        "--title",
        "Commands",
    ]
    text = subprocess.run(command, cwd=ROOT, check=True, capture_output=True, text=True).stdout
    return _CODE.sub(lambda code: html.unescape(code[0]), _EXAMPLE.sub(_block, text))


def _block(example: re.Match[str]) -> str:
    return f"Example:\n\n```console\n$ {' '.join(html.unescape(example[1]).split())}\n```\n\n"


def _name(text: str) -> str:
    """The command that a section is about: the last word of its heading."""
    return text.partition("\n")[0].strip("#` ").split()[-1]


def _listed(head: str, sections: list[str], target: str) -> str:
    """The part above the sections of the commands, its list leading to each and with the first paragraph of each."""
    about = {_name(text): " ".join(text.split("\n\n")[1].split()) for text in sections}
    above, title, commands = head.partition("**Commands**:")

    def row(found: re.Match[str]) -> str:
        name = found[1]
        return f"* [`{name}`]({target.format(name=name)}): {about[name]}"

    return above + title + _LISTED.sub(row, commands)


def main() -> None:
    made = pages()
    (DOCS / "commands").mkdir(exist_ok=True)
    for old in (DOCS / "commands").glob("*.md"):
        if f"commands/{old.name}" not in made:
            old.unlink()
    for path, text in made.items():
        (DOCS / path).write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
