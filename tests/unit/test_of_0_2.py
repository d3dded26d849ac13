"""What version 0.2.0 left on disk is read: arrays, kept rankings and experiments.

``seedrank-0.2.tar.gz`` was written by 0.2.0: `generate --graph web --pages 100 --seed 1`, then `rank pagerank`,
`--engine native seeds maxweight -k 3 --hops 2`, `crawl compare fpr bfs` and `experiment ordering --quick`.
"""

from __future__ import annotations

import json
import tarfile
from pathlib import Path

import numpy as np
import pytest

import seedrank
from seedrank.graph import WebGraph

ARCHIVE = Path(__file__).with_name("seedrank-0.2.tar.gz")
METHODS = ["rank pagerank", "seeds maxweight", "crawl compare", "experiment ordering"]


@pytest.fixture
def web(tmp_path: Path) -> Path:
    with tarfile.open(ARCHIVE) as archive:
        archive.extractall(tmp_path, filter="data")
    return tmp_path / "web"


def test_its_arrays_are_opened_and_verified(web):
    graph = WebGraph.open(web)
    assert (graph.pages, graph.links, graph.meta["format"]) == (100, 247, 2)
    sources = np.repeat(np.arange(100), graph.out_degree)
    assert graph.in_sources.tolist() == sources[np.argsort(graph.out_targets, kind="stable")].tolist()
    with (web / "out_targets.npy").open("r+b") as file:
        file.seek(-4, 2)
        file.write(b"\x07\x00\x00\x00")
    with pytest.raises(seedrank.InputError, match=r"out_targets\.npy"):
        WebGraph.open(web)


def test_its_answers_are_listed_in_order_and_can_be_asked_again(web):
    with seedrank.open(web) as bench:
        runs = bench.runs()
        assert [run.method for run in runs] == METHODS
        assert [run.asked_engine for run in runs] == ["auto", "native", "auto", "auto"]
        assert all(run.question is not None and run.graph == bench.stats().version for run in runs)
        kept, again = bench.answer(runs[0].name), bench.rank("pagerank")
        assert kept.table["id"].to_pylist() == again.table["id"].to_pylist()
        np.testing.assert_allclose(kept.table["score"], again.table["score"], rtol=1e-12)
        seeds = bench.seeds("maxweight", k=3, hops=2).table["id"]
        assert bench.answer(runs[1].name).table["id"].to_pylist() == seeds.to_pylist()


def test_its_experiments_are_read_with_their_claims(web):
    record = json.loads(next(web.with_name("web.seedrank").glob("runs/*-tqnc8r/experiment.json")).read_text())
    with seedrank.open(web) as bench:
        found = bench.answer(bench.runs()[-1].name).experiment
        assert found is not None and list(found.tables) == record["tables"]
        assert [one.claim for one in found.claims] == [one["claim"] for one in record["claims"]]
        assert {one.verdict for one in found.claims} <= {"holds", "does not hold", "cannot be judged", "figure"}
        assert found.figure.name == record["charts"][0]["name"]
