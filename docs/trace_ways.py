"""The way of four commands through our files, from a trace, into docs/architecture.md.

    python docs/trace_ways.py

Each command runs twice on a small synthetic web, and the second run is traced: every file of the project that is
entered between the command line and the engines, in the order of first entry, and every call from a lower layer up into
a higher one (the layers are those of import-linter).
"""

from __future__ import annotations

import contextlib
import os
import re
import sys
import tempfile
import tomllib
from pathlib import Path
from types import FrameType
from typing import Any

from seedrank.cli.main import command

ROOT = Path(__file__).resolve().parents[1]
PAGE = ROOT / "docs" / "architecture.md"
BEGIN, END = "<!-- ways: made by docs/trace_ways.py -->", "<!-- end of ways -->"
COMMANDS = (
    "seeds maxweight -k 3 --hops 2",
    "crawl fpr --seeds pagerank:10",
    "frontier rw-eg --impact clicks",
    "experiment ordering --quick",
)
TABLES = ("pages", "links", "hosts", "queries", "results")
BELOW = (
    "cypher",
    "graphdb",
    "seedrank/session/graph_cache",
    "seedrank/core",
    "seedrank/engines",
    "seedrank/graph",
    "seedrank/engines/kernels",
)
"""What every command ends in: stores, engines, arrays, kernels and helpers; these files are only counted."""
WORK = ("seedrank/methods", "seedrank/experiments")
"""What commands do."""
OURS = ("cli", "cypher", "exporters", "graphdb", "loaders", "seedrank")


class Way:
    """Files entered, in order, and calls that go up."""

    def __init__(self, layers: dict[str, int]) -> None:
        self.layers = layers
        self.files: list[str] = []
        self.upward: list[str] = []

    def __call__(self, frame: FrameType, event: str, _: Any) -> None:
        """Note a call; for `sys.setprofile`."""
        if event != "call" or (here := _ours(frame)) is None:
            return
        if here not in self.files:
            self.files.append(here)
        back = frame.f_back
        there = None if back is None else _ours(back)
        # By design functions that were handed down are called from below (a lambda, a closure, one given to
        # `Session.once`): they are the callee's own code; and a question calls what answers it.
        by_design = "<locals>" in frame.f_code.co_qualname or (back and back.f_code.co_name in ("answer", "once"))
        if there is not None and not by_design and self._is_lower(there, here):
            call = f"{there} → {here}:{frame.f_code.co_name}"
            if call not in self.upward:
                self.upward.append(call)

    def _is_lower(self, one: str, other: str) -> bool:
        low, high = self._layer(one), self._layer(other)
        return low is not None and high is not None and low < high

    def _layer(self, file: str) -> int | None:
        module = file.removesuffix(".py").removesuffix("/__init__").replace("/", ".")
        if not module.startswith("seedrank"):
            module = f"seedrank.{module}"
        if module == "seedrank":
            return max(self.layers.values())  # what Python users import
        known = [name for name in self.layers if module == name or module.startswith(f"{name}.")]
        return self.layers[max(known, key=len)] if known else None  # what no contract names


def _ours(frame: FrameType) -> str | None:
    name = frame.f_code.co_filename
    if not name.startswith(f"{ROOT}{os.sep}") or frame.f_code.co_name == "<module>":
        return None
    file = Path(name).relative_to(ROOT).as_posix()
    return file if file.split("/")[0] in OURS else None


def layers() -> dict[str, int]:
    """Number of the layer of each module, the highest the largest."""
    contracts = tomllib.loads((ROOT / "pyproject.toml").read_text())["tool"]["importlinter"]["contracts"]
    rows = next(one["layers"] for one in contracts if one["type"] == "layers")
    return {name.strip(): len(rows) - place for place, row in enumerate(rows) for name in re.split("[|:]", row)}


def way_of(words: str) -> Way:
    """The way of a command."""
    way = Way(layers())
    for traced in (False, True):
        sys.setprofile(way if traced else None)
        with contextlib.suppress(SystemExit):
            command()(args=[*words.split(), "--quiet", "-o", "answer.csv"], standalone_mode=False)
        sys.setprofile(None)
    return way


def page() -> str:
    """The section of docs/architecture.md: what every command enters, then what each adds."""
    ways = {words: way_of(words) for words in COMMANDS}
    middle = {words: [file for file in way.files if not file.startswith(BELOW)] for words, way in ways.items()}
    first, *others = middle.values()
    trunk = [file for file in first if all(file in other for other in others)]
    before = [file for file in trunk if all(files.index(file) < _work(files) for files in middle.values())]
    after = [file for file in trunk if file not in before]
    parts = [
        f"**Every command** enters {len(before)} files before its own work. {_chain(before)}. "
        f"Its answer goes through {len(after)} more. {_chain(after)}."
    ]
    for words, way in ways.items():
        own = [file for file in middle[words] if file not in trunk]
        upward = "none" if not way.upward else ", ".join(f"`{call}`" for call in way.upward)
        parts.append(
            f"**`seedrank {words}`** adds {len(own)}, and {len(way.files) - len(middle[words])} below them. "
            f"{_chain(own)}. Calls upward: {upward}."
        )
    return "\n\n".join(parts)


def _work(files: list[str]) -> int:
    """Where the work of a command begins: at its method or experiment."""
    return next(place for place, file in enumerate(files) if file.startswith(WORK))


def _chain(files: list[str]) -> str:
    return " → ".join(f"`{file.removesuffix('.py')}`" for file in files)


def main() -> None:
    """Trace the commands on a web made for it, and write the section."""
    with tempfile.TemporaryDirectory() as folder, contextlib.chdir(folder):
        run = command()
        run(args=["generate", "web", "--pages", "3000", "--quiet"], standalone_mode=False)
        tables = [word for name in TABLES for word in (f"--{name}", f"web/{name}.parquet")]
        run(args=["load", "table", *tables, "--quiet"], standalone_mode=False)
        section = page()
    text = PAGE.read_text(encoding="utf-8")
    made = f"{BEGIN}\n\n{section}\n\n{END}"
    PAGE.write_text(re.sub(f"{re.escape(BEGIN)}.*{re.escape(END)}", lambda _: made, text, flags=re.S), encoding="utf-8")


if __name__ == "__main__":
    main()
