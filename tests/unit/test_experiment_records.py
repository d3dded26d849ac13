"""Kept experiments: of every version, and taken away whole or not at all."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pytest

from seedrank.core.errors import InputError
from seedrank.output.charts.chart import Chart, Series
from seedrank.output.charts.panels import Panel
from seedrank.runs import Run, RunStore, experiment_files
from seedrank.runs.experiment import Claim, Experiment

SERIES = Series("fpr", np.array([1.0, 2.0]), np.array([3.0, 4.0]))
FOUND = Experiment(
    "coverage",
    {"sites": pa.table({"site": ["a"], "gain": [1.5]})},
    [Chart("by-k", "Gain", "k", "gain", [SERIES])],
    [Claim(paper="000", claim="seeds matter", quote="10 %", verdict="holds", value=12.0, low=9.0, high=15.0, n=40)],
    ["a later snapshot"],
    {"quick": True},
)


@pytest.fixture
def folder(tmp_path) -> Path:
    experiment_files.save(RunStore(tmp_path), Run("a", "experiment coverage"), FOUND)
    return tmp_path / "a"


def change(folder: Path, record: Any) -> None:
    (folder / "experiment.json").write_text(json.dumps(record))


def test_an_experiment_is_read_as_it_was_kept(folder):
    found = experiment_files.read(folder)
    assert (found.name, found.claims, found.left_out, found.parameters) == (
        *("coverage", FOUND.claims, FOUND.left_out, FOUND.parameters),
    )
    assert found.charts[0].series[0].y.tolist() == [3.0, 4.0]


def test_whole_numbers_are_numbers(tmp_path):
    """JSON does not tell 60 from 60.0: a claim within 60 to 70 must be readable."""
    claim = replace(FOUND.claims[0], least=60, most=70)
    experiment_files.save(RunStore(tmp_path), Run("b", "experiment coverage"), replace(FOUND, claims=[claim]))
    [found] = experiment_files.read(tmp_path / "b").claims
    assert (found.least, found.most) == (60.0, 70.0)


def test_what_a_later_version_added_is_passed_over_and_what_an_older_lacked_is_empty(folder):
    record = json.loads((folder / "experiment.json").read_text())
    record |= {"format": 9, "mood": "good"}
    record["claims"][0]["certainty"] = 0.9
    record["charts"][0]["colour"] = "blue"
    record["charts"][0]["series"][0]["dash"] = [1, 2]
    change(folder, record)
    assert experiment_files.read(folder).claims == FOUND.claims

    for key in ("format", "charts", "left_out", "parameters"):
        del record[key]
    del record["claims"][0]["why"]
    change(folder, record)
    found = experiment_files.read(folder)
    assert (found.claims, found.charts, found.left_out, found.parameters) == (FOUND.claims, [], [], {})


@pytest.mark.parametrize(
    "text", ["", "null", "[]", "{}", '{"name": "x", "tables": ["../x"]}', "[" * 100_000, '{"a":' * 100_000]
)
def test_a_record_that_cannot_be_read_is_named_and_nobody_is_told_to_delete_it(text, folder):
    (folder / "experiment.json").write_text(text)
    with pytest.raises(InputError, match=r"experiment\.json") as raised:
        experiment_files.read(folder)
    assert "delete" not in str(raised.value)


def test_files_are_taken_away_all_or_none(tmp_path, monkeypatch):
    into = tmp_path / "results"
    into.mkdir()
    (into / "notes.txt").touch()

    def fails(panel: Panel) -> str:
        raise RuntimeError

    with monkeypatch.context() as broken, pytest.raises(RuntimeError):
        broken.setattr("seedrank.output.charts.render.as_svg", fails)
        experiment_files.export(FOUND, into)
    assert [path.name for path in into.iterdir()] == ["notes.txt"]
    written = experiment_files.export(FOUND, into)
    assert {path.name for path in into.iterdir()} == {"notes.txt", *(path.name for path in written)}
    assert {path.name for path in written} == {
        *("coverage-sites.csv", "coverage-claims.csv", "coverage-claims.json", "coverage-by-k.svg", "provenance.json"),
    }


def test_a_chart_of_many_curves_is_several_files_and_one_without_data_none(tmp_path):
    many = Chart("many", "Many", "k", "gain", [replace(SERIES, name=str(n)) for n in range(11)])
    flat = Chart("flat", "Flat", "k", "gain", [Series("a", SERIES.x, 0 * SERIES.y)])
    written = experiment_files.export(replace(FOUND, charts=[many, flat]), tmp_path / "results")
    assert [path.name for path in written if path.suffix == ".svg"] == ["coverage-many-2.svg", "coverage-many.svg"]
