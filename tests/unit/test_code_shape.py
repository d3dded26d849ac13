"""The code stays in pieces a reader can take in: no long function outside the kernels."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
PACKAGES = ("cli", "cypher", "exporters", "graphdb", "loaders", "seedrank")
KERNELS = ROOT / "seedrank" / "engines" / "kernels"  # one loop over many arrays is one function there: calls would cost
LONGEST = 60


def functions(source: str) -> Iterator[tuple[str, int]]:
    """Name and lines of every function, from `def` to its end, docstring and inner functions included."""
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            assert node.end_lineno is not None
            yield node.name, node.end_lineno - node.lineno + 1


@pytest.mark.slow
@pytest.mark.parametrize("package", PACKAGES)
def test_no_function_is_long(package):
    files = [path for path in sorted((ROOT / package).rglob("*.py")) if KERNELS not in path.parents]
    assert files
    long = [
        f"{path.relative_to(ROOT)}: {name} has {lines} lines"
        for path in files
        for name, lines in functions(path.read_text(encoding="utf-8"))
        if lines > LONGEST
    ]
    assert not long, f"over {LONGEST} lines, split by meaning:\n" + "\n".join(long)


def test_lines_of_a_function_are_counted_from_its_name_to_its_end():
    source = '@noted\ndef f(\n    a,\n):\n    """What."""\n\n    def g():\n        pass\n\n    return g\n\nx = 1\n'
    assert dict(functions(source)) == {"f": 9, "g": 2}
