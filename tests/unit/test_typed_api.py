"""What editors and type checkers see: the keywords of questions with their types, also at run time."""

from __future__ import annotations

import inspect
import re
import subprocess
import sys
from pathlib import Path

import pytest

import seedrank
from docs import make_fields
from seedrank.questions.question import fields_of

SCRIPT = """
import networkx as nx
import numpy as np
import pandas as pd
from scipy import sparse

import seedrank


@seedrank.crawl_order("view-citations")
def score(known: np.ndarray, views: np.ndarray) -> np.ndarray:
    return np.asarray(views[known])


def chosen(df: pd.DataFrame, pages: seedrank.Pages) -> seedrank.Answer:
    with seedrank.from_frames(pages=df, links=df, status_map={"external": "frontier"}) as bench:
        seedrank.from_networkx(nx.DiGraph())
        seedrank.from_scipy(bench.graph.to_scipy())
        bench.graph.to_networkx()
        bench.seeds("maxweight", k=10, hops=3, value=df["views"])
        bench.seeds("maxweight", budget=10, value=lambda frame: frame["views"] * 2.0)
        bench.crawl("fpr", seeds=[17, 42])
        bench.crawl("view-citations", seeds=["http://a.example/"], limit=10)
        bench.crawl("fpr@20", seeds=pages, level="host")
        bench.compare(["fpr", "bfs"], seeds=df)
        experiment = bench.experiment("ordering", orders=["fpr", score], measure="views", baseline="fpr", seed_sets=10)
        bench.experiment("ordering", orders=score, measure="views", baseline=score)
        answer = bench.transfer(bench.cores(k=50))
        print(len(answer), answer.to_pandas(), answer.to_polars(), experiment)
        return answer


with seedrank.open("web.duckdb") as opened:
    print(chosen(opened.pages(), np.array([1, 2])))
"""


def test_the_keywords_are_those_of_the_questions():
    assert make_fields.FILE.read_text() == make_fields.text(), "run `python -m docs.make_fields`"


@pytest.mark.parametrize(
    ("method", "question"),
    [("seeds", "SeedQuestion"), ("crawl", "CrawlQuestion"), ("frontier", "FrontierQuestion"), ("rank", "RankQuestion")],
)
def test_a_notebook_shows_every_field(method, question):
    parameters = inspect.signature(getattr(seedrank.Workbench, method)).parameters
    assert set(fields_of(getattr(seedrank, question))) <= set(parameters)
    assert not any(one.kind is one.VAR_KEYWORD for one in parameters.values())


def checked(script: str, folder: Path) -> subprocess.CompletedProcess[str]:
    """A user's script, checked against the package as it is installed."""
    root = make_fields.FILE.parents[2]
    (folder / "script.py").write_text(script)
    package = folder / "path" / "seedrank"
    package.mkdir(parents=True)
    for one in (root / "seedrank").iterdir():
        (package / one.name).symlink_to(one)
    for name in ("cli", "cypher", "exporters", "graphdb", "loaders"):
        (package / name).symlink_to(root / name)
    settings = "[mypy]\nstrict = true\nignore_missing_imports = true\ndisable_error_code = import-untyped\n"
    settings += "[mypy-seedrank.*]\nignore_errors = true\n"
    (folder / "mypy.ini").write_text(settings)
    command = [
        sys.executable,
        "-m",
        "mypy",
        "--config-file",
        "mypy.ini",
        "--cache-dir",
        str(root / ".mypy_cache" / "user"),
    ]
    return subprocess.run(
        [*command, "script.py"], cwd=folder, env={"MYPYPATH": "path"}, capture_output=True, text=True, check=False
    )


def test_the_marker_of_typed_packages_is_shipped():
    """Without it a checker takes the package, once installed, for untyped: it finds nothing wrong in any call."""
    root = make_fields.FILE.parents[2]
    assert (root / "seedrank" / "py.typed").is_file()
    assert '"seedrank" = ["py.typed"]' in (root / "pyproject.toml").read_text()


@pytest.mark.long
def test_a_strict_checker_takes_a_script_and_finds_a_wrong_keyword(tmp_path):
    pytest.importorskip("mypy")
    done = checked(SCRIPT, tmp_path)
    assert done.returncode == 0, done.stdout
    wrong = (
        SCRIPT.replace("k=10, hops=3", "kk=3")
        .replace("seed_sets=10", "seed_set=10")
        .replace('level="host"', 'level="hosts"')
    )
    (tmp_path / "second").mkdir()
    done = checked(wrong, tmp_path / "second")
    assert done.returncode == 1
    assert 'Unexpected keyword argument "kk" for "seeds" of "Workbench"' in done.stdout
    assert 'No overload variant of "experiment" of "Workbench" matches' in done.stdout
    assert len(set(re.findall(r"script.py:(\d+): error:", done.stdout))) == 3, done.stdout
