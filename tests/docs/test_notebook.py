"""docs/notebook.ipynb runs from top to bottom in a kernel, and shows tables and charts."""

from __future__ import annotations

import re
from pathlib import Path

import nbformat
import psutil
import pytest
from nbclient import NotebookClient

ROOT = Path(__file__).resolve().parents[2]
NOTEBOOK = ROOT / "docs" / "notebook.ipynb"
TABLES = ("stats", "seeds", "compare", "frontier", "polars-load", "runs", "again", "compare-runs", "experiment")
CHARTS = ("compare-chart", "experiment-chart", "own-chart")


def test_the_notebook_is_kept_without_outputs():
    """They hold run ids, times and paths, which differ each time."""
    notebook = nbformat.read(NOTEBOOK, as_version=4)
    nbformat.validate(notebook)
    cells = [cell for cell in notebook.cells if cell.cell_type == "code"]
    assert not any(cell.outputs or cell.execution_count for cell in cells)


@pytest.fixture
def work(tmp_path, monkeypatch):
    """A folder for everything that Jupyter, IPython and the notebook write; the code of this checkout."""
    for name in ("IPYTHONDIR", "JUPYTER_CONFIG_DIR", "JUPYTER_DATA_DIR", "JUPYTER_RUNTIME_DIR", "TMPDIR"):
        folder = tmp_path / name.lower()
        folder.mkdir(mode=0o700)
        monkeypatch.setenv(name, str(folder))
    monkeypatch.setenv("PYTHONPATH", str(ROOT))
    return tmp_path


@pytest.mark.docs
@pytest.mark.slow
def test_the_notebook_runs_in_a_kernel(work):
    notebook = nbformat.read(NOTEBOOK, as_version=4)
    addresses = set()

    def listening(**_cell):
        process = psutil.Process(client.km.provisioner.pid)
        addresses.update(one.laddr.ip for one in process.net_connections("inet") if one.status == psutil.CONN_LISTEN)

    client = NotebookClient(
        notebook, timeout=300, resources={"metadata": {"path": str(work)}}, on_cell_executed=listening
    )
    client.execute()
    assert addresses == {"127.0.0.1"}

    outputs = {cell.id: cell.outputs for cell in notebook.cells if cell.cell_type == "code"}
    kinds = [(name, output.output_type, output.get("name")) for name, those in outputs.items() for output in those]
    assert not [one for one in kinds if one[1] == "error"]
    results = {name: those[-1].data for name, those in outputs.items() if those and "data" in those[-1]}
    for name in TABLES:
        assert "<table>" in results[name]["text/html"]
        assert "object at 0x" not in results[name]["text/plain"]
    for name in CHARTS:
        [specification] = [value for mime, value in results[name].items() if "vegalite" in mime]
        assert specification["$schema"].startswith("https://vega.github.io/schema/vega-lite/")
        assert results[name]["image/svg+xml"].startswith("<svg")
    assert ">2,000</td>" in results["stats"]["text/html"]
    assert results["seeds"]["text/html"].count("<tr>") == 11
    assert re.search(r"\d reached; no choice reaches more than \d", outputs["seed-facts"][0].text)
    assert "shape: (5, 2)" in results["polars"]["text/plain"]
    assert "view-citations gathers more of views than fpr" in results["own"]["text/plain"]
    assert "ordering-gathered.pdf" in results["own-files"]["text/plain"]
    assert "coverage-claims.csv" in results["experiment-files"]["text/plain"]
    assert not list((work / "tmpdir").glob("*/web.duckdb")), "the notebook leaves nothing behind"
