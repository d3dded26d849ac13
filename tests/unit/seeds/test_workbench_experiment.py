"""`Workbench.experiment` and what a notebook shows of it."""

from __future__ import annotations

from types import SimpleNamespace

import numpy as np
import pyarrow as pa
import pytest

from seedrank.api.workbench import Workbench
from seedrank.core.errors import UsageError
from seedrank.output.charts.chart import Chart, Series
from seedrank.questions.experiments import EXPERIMENTS
from seedrank.questions.question import Question
from seedrank.runs.experiment import Claim, Experiment


def test_an_experiment_or_option_that_is_not_there_is_refused():
    bench = Workbench(SimpleNamespace(url="web.duckdb"))
    with pytest.raises(UsageError, match="unknown experiment 'nope'; one of coverage"):
        bench.experiment("nope")
    with pytest.raises(UsageError, match="experiment coverage has no field 'sites'"):
        bench.experiment("coverage", sites=3)


@pytest.mark.parametrize("name", EXPERIMENTS)
def test_every_experiment_is_where_it_is_said_to_be(name):
    kind = EXPERIMENTS[name]
    assert kind.answer is not Question.answer
    assert kind(quick=True, rng=2).words == f"experiment {name}"


@pytest.mark.slow
def test_what_a_notebook_shows():
    chart = Chart("c", "t", "x", "y", [Series("s", np.arange(2.0), np.arange(2.0))])
    claim = Claim(paper="000", claim="<b>claim</b>", verdict="holds", value=3.0, low=2.0, high=4.0, n=9, unit="sites")
    found = Experiment("coverage", {"main": pa.table({"n": [1, 2]}), "other": pa.table({"m": [1]})}, [chart], [claim])
    assert list(found.table["n"]) == [1, 2]
    assert found.figure is chart
    assert found.figure._repr_mimebundle_()["image/svg+xml"].startswith("<svg")
    assert "&lt;b&gt;claim" in found._repr_html_()
    assert ">sites</td>" in found._repr_html_()
