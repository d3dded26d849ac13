"""Every question of the command line, asked before a change of the house and compared after it.

    python -m benchmarks.questions keep FILE.json       answers on the embedded store, and on Neo4j (NEO4J_URI)
    python -m benchmarks.questions compare FILE.json    the same commands now: which answer differs

The commands are the examples of docs/commands, so that each method is asked with options of its own, on a synthetic web
of 2,000 pages. Whole numbers, texts and orders must be equal; other numbers may differ by 1e-9 of their size. The
command ends with 1 where an answer differs. Kernels by themselves, on recorded graphs: `benchmarks.answers`.
"""

from __future__ import annotations

import argparse
import json
import math
import os
import re
import shlex
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[1]
SEEDRANK = str(Path(sys.executable).parent / "seedrank")
FAMILIES = ("rank", "seeds", "crawl", "frontier", "experiment", "stats", "explain", "explore")
LEFT_OUT = re.compile(r"rank compare|allow-writes|favourites|experiment cores|seeds transfer")
"""They need files that do not come along, or change the store."""
FILES = re.compile(r" (-o|--into|--time-limit) \S+")
VARIES = re.compile(r"seconds|created|started|us_per_page|^apart$|^run$|version|^graph$")
"""Columns that differ from run to run."""
ERROR = 1e-9
NEW = "https://example.org/new"


def examples() -> list[str]:
    """Command lines of the documentation that ask something, without the files they write."""
    lines = []
    for family in FAMILIES:
        text = (ROOT / "docs" / "commands" / f"{family}.md").read_text(encoding="utf-8")
        shown = re.findall(r"Example:\s+```console\s+\$ seedrank ([^\n]+)", text)
        lines += [FILES.sub("", one.partition(" && ")[0]) for one in shown if not LEFT_OUT.search(one)]
    return lines


def ask(store: str, folder: Path, line: str) -> Any:
    """The answer of a command: rows, or the one line that refuses it."""
    words = [SEEDRANK, "--store", store, "--format", "json", "--quiet", *shlex.split(line)]
    done = subprocess.run(words, capture_output=True, text=True, cwd=folder, check=False)
    if done.returncode:
        return {"exit": done.returncode, "said": done.stderr.strip().splitlines()[-1:]}
    return [json.loads(row) for row in done.stdout.splitlines() if row.startswith(("{", "["))]


def make_world(store: str, folder: Path) -> None:
    """A web with seeds, trusted pages and a model in `folder`, and loaded into `store`."""

    def run(*words: str) -> str:
        done = subprocess.run(
            [SEEDRANK, "--store", store, *words], capture_output=True, text=True, cwd=folder, check=False
        )
        if done.returncode:
            sys.exit(f"seedrank {' '.join(words)}: {done.stderr}")
        return done.stdout

    if not (folder / "web").exists():
        run("generate", "web", "--pages", "2000")
    kinds = ("pages", "links", "hosts", "queries", "results")
    run("load", "table", *(word for kind in kinds for word in (f"--{kind}", f"web/{kind}.parquet")))
    seeds = [json.loads(row)["url"] for row in run("--format", "json", "seeds", "maxweight", "-k", "5").splitlines()]
    for name in ("seeds.txt", "trusted.txt"):
        (folder / name).write_text("\n".join(seeds) + "\n", encoding="utf-8")
    (folder / "link.csv").write_text(
        f"source,target\n{seeds[0]},{NEW}\n{seeds[1]},https://example.org/\n", encoding="utf-8"
    )
    run("load", "table", "--links", "link.csv")
    run("frontier", "learn", "--impact", "views", "--model", "views.json")
    run("seeds", "outdegree", "-k", "5", "--save")


def answers(lines: list[str] | None = None) -> dict[str, dict[str, Any]]:
    """Answers by store and command."""
    found: dict[str, dict[str, Any]] = {}
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        stores = {"embedded": str(folder / "web.duckdb")}
        if os.environ.get("NEO4J_URI"):
            stores["neo4j"] = os.environ["NEO4J_URI"]
        for kind, store in stores.items():
            make_world(store, folder)
            found[kind] = {}
            for line in examples() if lines is None else lines:
                print(f"{kind}: {line}", file=sys.stderr, flush=True)
                found[kind][line] = ask(store, folder, line)
    return found


def differs(now: Any, kept: Any, name: str = "") -> str:
    """Where two answers differ first, empty where they do not."""
    if isinstance(kept, dict) and isinstance(now, dict):
        names = [one for one in {*now, *kept} if not VARIES.search(one)]
        parts = (differs(now.get(one), kept.get(one), f"{name}.{one}") for one in sorted(names))
    elif isinstance(kept, list) and isinstance(now, list):
        if len(now) != len(kept):
            return f"{name}: {len(now)} for {len(kept)}"
        parts = (differs(a, b, f"{name}[{place}]") for place, (a, b) in enumerate(zip(now, kept, strict=True)))
    elif (
        isinstance(kept, float)
        and isinstance(now, int | float)
        and math.isclose(now, kept, rel_tol=ERROR, abs_tol=1e-15)
    ):
        return ""
    else:
        return "" if now == kept else f"{name}: {now!r} for {kept!r}"
    return next((part for part in parts if part), "")


def compare(file: Path) -> bool:
    """Print what differs; whether nothing does."""
    before = json.loads(file.read_text(encoding="utf-8"))
    now = answers(list(before["embedded"]))
    well, same = True, 0
    for kind, kept in before.items():
        if kind not in now:
            print(f"left out, because NEO4J_URI names no empty server: {kind}")
            continue
        for line, answer in kept.items():
            where = differs(now[kind][line], answer)
            same += not where
            well &= not where
            if where:
                print(f"ANOTHER {kind}: seedrank {line}\n        {where[:300]}")
    print(f"{same} answers are the same")
    return well


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("what", choices=["keep", "compare"])
    parser.add_argument("file", type=Path)
    options = parser.parse_args()
    if options.what == "keep":
        options.file.write_text(json.dumps(answers()), encoding="utf-8")
    elif not compare(options.file):
        sys.exit(1)


if __name__ == "__main__":
    main()
