"""docs/explore.md runs as it stands, on both databases: every command, every line shown, and its Python."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest

import seedrank
from tests.docs.test_tutorials import terminal

DOCS = Path(__file__).resolve().parents[2] / "docs"
TOUR = DOCS / "explore.md"
_BLOCK = re.compile(r"^```([\w ]*)\n(.*?)^```$", re.DOTALL | re.MULTILINE)


@pytest.fixture(params=["duckdb", "neo4j"])
def store(request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    """Where the tour goes; the environment names it."""
    url = "web.duckdb"
    if request.param == "neo4j":
        request.getfixturevalue("neo4j_store")
        url = request.getfixturevalue("neo4j_server").url
    monkeypatch.setenv("SEEDRANK_STORE", url)
    monkeypatch.setenv("DOCS", str(DOCS))
    monkeypatch.chdir(tmp_path)
    return url


@pytest.mark.docs
@pytest.mark.timeout(1200)
def test_the_tour_runs(store: str, tmp_path: Path) -> None:
    on_neo4j = store != "web.duckdb"
    printed: list[str] = []
    ran = True
    for kind, block in _BLOCK.findall(TOUR.read_text(encoding="utf-8")):
        language, _, where = kind.partition(" ")
        if language in ("sh", "python"):
            ran = where != ("embedded" if on_neo4j else "neo4j")
        if not ran:
            continue
        if language == "sh":
            printed = _run(block, tmp_path)
        elif language == "python":
            _check_python(block, store, tmp_path)
        elif language == "":
            for line in block.splitlines():
                shown = " ".join(line.split())
                assert shown in printed or shown == "…", f"a line that does not come out on {store}: {line}\n{printed}"
    assert (tmp_path / "favourites.zip").is_file()
    assert (tmp_path / "style.grass").is_file()


def _run(block: str, folder: Path) -> list[str]:
    """What the lines of a block print, with blanks as one."""
    printed = []
    for line in block.strip().splitlines():
        code, told = terminal(line, folder)
        assert code == 0, f"{line}\n{told}"
        printed += [" ".join(one.split()) for one in told.splitlines()]
    return printed


def _check_python(block: str, store: str, folder: Path) -> None:
    """Run a block; it opens the store of the tour."""
    if "to_gds" in block:
        pytest.importorskip("graphdatascience", reason="the package graphdatascience is not installed")
    names: dict[str, Any] = {"seedrank": seedrank, "store": store}
    exec(block.replace('"web.duckdb"', "store"), names)
    if "to_gds" in block:
        with seedrank.open(store) as bench:
            left = bench.query("CALL gds.graph.list() YIELD graphName RETURN graphName AS name")["name"].to_pylist()
            assert [name for name in left if not name.startswith("seedrank-kept-")] == []
            assert names["best"] == bench.rank("pagerank").table["url"][0].as_py()
        assert [len(one) for one in names["pages"]["embedding"]] == [16] * 18
    else:
        assert names["table"].num_rows == 5
