"""How an experiment is shown: results first, then a line per claim, to people; the claims, a row each, to programs."""

from __future__ import annotations

import json
import math
from types import SimpleNamespace

import pyarrow as pa
import pytest

from seedrank.cli.experiment import emit_experiment
from seedrank.cli.options import EngineName, Format, Settings, Site
from seedrank.experiments.claim_specs import ClaimSpec, greater
from seedrank.experiments.intervals import Interval
from seedrank.experiments.verdicts import judge, judge_parts, undecided
from seedrank.runs import Answer
from seedrank.runs.experiment import Experiment

ORDERS = pa.table(
    {
        "order": [f"order {n}" for n in range(60)],
        "area": [0.25 + n for n in range(60)],
        "low": [0.125] * 59 + [None],
        "high": [0.5] * 59 + [None],
        "draws": [5_000] * 60,
        "seconds": [1.23456789] * 60,
        "seconds_low": [1.0] * 60,
        "seconds_high": [2.0] * 60,
    }
)


def stated(key: str, claim: str) -> ClaimSpec:
    return ClaimSpec("002", key, claim, "its words", "section 1", "coverage", greater(2))


def interval(low: float, high: float) -> Interval:
    return Interval((low + high) / 2, low, high, 5, "seed draws of this graph")


CLAIMS = [
    judge(stated("a", "A is better than B"), interval(3, 5)),
    *judge_parts(stated("b", "Every A is better"), {"A1": interval(3, 5), "A2": interval(-1, 1)}),
    undecided(stated("c", "C is best"), "C was not run"),
    undecided(stated("d", "D is best"), "C was not run"),
]


def answer(claims=CLAIMS, decisions=(), **parameters) -> Answer:
    tables = {"orders": ORDERS, "others": ORDERS}
    experiment = Experiment("ordering", tables, [], claims, (), parameters, (), decisions)
    run = SimpleNamespace(method="experiment ordering", name="run:x")
    return Answer(run, experiment.claims_table, tables=experiment.tables, experiment=experiment)


def settings(**given) -> Settings:
    names = {
        "store": "",
        "database": None,
        "prefix": None,
        "model": None,
        "store_memory": None,
        "engine": EngineName.auto,
        "wait": 0.0,
        "master": None,
        "site": Site.host,
        "rng": 1,
    }
    shown = {
        "format": None,
        "output": None,
        "top": None,
        "refresh": False,
        "quiet": False,
        "verbose": False,
        "debug": False,
    }
    return Settings(**{**names, **shown, **given})


@pytest.fixture
def shown(tmp_path):
    def show(found: Answer, **given) -> list[str]:
        file = tmp_path / "shown.txt"
        emit_experiment(settings(output=file, **given), found)
        return [line.rstrip() for line in file.read_text().splitlines()]

    return show


def test_decisions_come_first(shown):
    lines = shown(answer(decisions=["Which M: do not tune it."]))
    assert lines[1:4] == ["- Which M: do not tune it.", "", "Results: orders"]


def test_results_come_before_claims(shown):
    lines = shown(answer(quick=True))
    assert lines[:2] == ["experiment ordering (run:x; quick: fewer repeats)", "Results: orders"]
    assert lines[2].split() == ["order", "area", "draws", "seconds"]
    assert lines[3].split("  ")[0] == "order 0"
    assert "0.25 [0.125, 0.5]  5,000  1.235 [1, 2]" in lines[3]
    assert lines[62].split() == ["order", "59", "59.25", "5,000", "1.235", "[1,", "2]"]  # it has no interval
    assert lines[63:65] == ["", "Claims"]
    assert "quick" not in shown(answer())[0]


def test_parts_are_indented_below_their_claim(shown):
    lines = shown(answer())
    first = lines.index("Claims") + 2
    assert [line.split() for line in lines[first : first + 2]] == [
        ["holds", *["A", "is", "better", "than", "B", "4", "[3,", "5]", "5", "above", "+2"]],
        ["does", "not", "hold", *["Every", "A", "is", "better", "0", "[-1,", "1]", "5", "above", "+2"]],
    ]
    starts = [lines[first + n].index(text) for n, text in enumerate(("A is better", "Every A", "A1", "A2"))]
    assert [start - starts[0] for start in starts] == [0, 0, 2, 2]
    assert lines[first + 6] == "n counts seed draws of this graph"
    assert lines[first + 7 :] == ["no data: C is best; D is best: C was not run"]


def test_as_many_rows_as_asked_for(shown):
    lines = shown(answer(), top=2)
    assert "2 of 60 rows; --top N shows more, --into DIR takes all" in lines
    assert "order 2" not in "".join(lines)
    assert sum("A1" in line for line in lines) == 0


def test_an_experiment_without_claims_has_results(shown):
    assert not any("Claims" in line for line in shown(answer(claims=[])))


def test_programs_get_the_claims(capfdbinary):
    emit_experiment(settings(format=Format.json), answer())
    rows = [json.loads(line) for line in capfdbinary.readouterr().out.splitlines()]
    assert [row["claim"] for row in rows] == [claim.claim for claim in CLAIMS]
    assert rows[0]["estimate"] == 4 and rows[0]["least"] == 2
    assert rows[4]["estimate"] is None and math.isnan(CLAIMS[4].value)
