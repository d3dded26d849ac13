"""The blocks of docs/python.md run as they stand, one after the other, on a made web."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pandas as pd
import pytest

import seedrank
from seedrank.exporters import targets
from seedrank.ingest.synthetic import WebSpec, write_tables
from seedrank.loaders import formats
from seedrank.methods.crawl.methods import CRAWL
from seedrank.methods.frontier.methods import FRONTIER
from seedrank.methods.seeds.methods import SEEDS

PAGE = Path(__file__).resolve().parents[2] / "docs" / "python.md"
BLOCKS = re.findall(r"^```python\n(.*?)^```$", PAGE.read_text(encoding="utf-8"), re.DOTALL | re.MULTILINE)


@pytest.fixture
def web(tmp_path, monkeypatch):
    """An empty folder with ``web.duckdb``; what the page registers is gone afterwards."""
    monkeypatch.chdir(tmp_path)
    write_tables(WebSpec(1_000), tmp_path / "tables")
    tables = {kind: pd.read_parquet(tmp_path / "tables" / f"{kind}.parquet") for kind in ("pages", "links", "hosts")}
    with seedrank.open("web.duckdb", create=True) as bench:
        bench.load(**tables)
    yield tmp_path
    for family in (CRAWL, SEEDS, FRONTIER):
        family._registered.clear()
    for known in (formats.FORMATS, targets.TARGETS):
        for name in [name for name, one in known.items() if one.own]:
            del known[name]


@pytest.mark.docs
@pytest.mark.filterwarnings("ignore:unclosed file:ResourceWarning")
def test_the_blocks_run(web):
    known: dict[str, object] = {}
    for block in BLOCKS:
        exec(compile(block, str(PAGE), "exec"), known)
    assert (web / "table.tex").read_text().count("view-citations") == 1
    assert {"ordering-gathered.pdf", "ordering-orders.csv", "provenance.json"} <= {
        path.name for path in (web / "out").iterdir()
    }
    record = json.loads((web / "out" / "provenance.json").read_text())
    assert re.fullmatch("[0-9a-f]{64}", record["graph"]["sha256"])
    assert (web / "pages.txt").read_text().startswith("1. http")
    bench = known["bench"]
    assert isinstance(bench, seedrank.Workbench)
    kept = {run.method for run in bench.runs()}
    assert {"seeds degree-discount", "frontier mean-impact", "experiment ordering", "crawl compare"} <= kept
    bench.close()


def test_plugins_take_ten_lines():
    for block in BLOCKS:
        for function in re.findall(r"^@seedrank\..*?(?=^\n|\Z)", block, re.DOTALL | re.MULTILINE):
            assert len(function.rstrip().splitlines()) <= 10, function
