"""Experiments as they are kept beside the store, and as people take them away.

A kept experiment is a run: ``run.json`` as for every answer, ``experiment.json`` (charts, claims, what was left out)
and a Parquet file per table. What people take away is a folder of CSV, JSON and SVG files.
"""

from __future__ import annotations

import json
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.csv
import pyarrow.parquet as pq

from seedrank.charts.chart import Chart, Series
from seedrank.core.errors import InputError
from seedrank.core.files import whole_file, whole_folder
from seedrank.evaluate.experiment import Claim, Experiment
from seedrank.runs import Run, plain, write_record

__all__ = ["FILE", "export", "read", "save"]

FILE = "experiment.json"


def save(folder: Path, run: Run, experiment: Experiment) -> None:
    """Keep an experiment as a run below `folder`; it appears whole or not at all."""
    with whole_folder(folder / run.id) as half:
        write_record(half, run)
        for name, table in experiment.tables.items():
            pq.write_table(table, half / f"{name}.parquet")
        record = {
            "name": experiment.name,
            "tables": list(experiment.tables),
            "charts": [_plain_chart(chart) for chart in experiment.charts],
            "claims": [asdict(claim) for claim in experiment.claims],
            "left_out": list(experiment.left_out),
            "parameters": dict(experiment.parameters),
        }
        (half / FILE).write_text(json.dumps(record, indent=1, default=plain) + "\n", encoding="utf-8")


def read(folder: Path) -> Experiment:
    """A kept experiment from its own folder."""
    path = folder / FILE
    try:
        record = json.loads(path.read_text(encoding="utf-8"))
        return Experiment(
            record["name"],
            {name: pq.read_table(folder / f"{name}.parquet") for name in record["tables"]},
            [_chart(chart) for chart in record["charts"]],
            [Claim(**claim) for claim in record["claims"]],
            record["left_out"],
            record["parameters"],
        )
    except (OSError, ValueError, KeyError, TypeError, pa.ArrowException) as error:
        raise InputError(
            "not an experiment of this version of seedrank", file=str(path), hint="delete the run and make it again"
        ) from error


def export(experiment: Experiment, folder: Path) -> list[Path]:
    """Write tables (CSV), charts (SVG) and claims (CSV and JSON) into `folder`, each file whole or not at all."""
    from seedrank.charts.svg import draw

    folder.mkdir(parents=True, exist_ok=True)
    written = []
    claims = experiment.claims_table()
    for name, table in {**experiment.tables, "claims": claims}.items():
        path = folder / f"{experiment.name}-{name}.csv"
        with whole_file(path) as half:
            pyarrow.csv.write_csv(table, half)
        written.append(path)
    for name, text in (
        (f"{experiment.name}-claims.json", json.dumps(claims.to_pylist(), indent=1, ensure_ascii=False) + "\n"),
        *((f"{experiment.name}-{chart.name}.svg", draw(chart)) for chart in experiment.charts),
    ):
        path = folder / name
        with whole_file(path) as half:
            half.write_text(text, encoding="utf-8")
        written.append(path)
    return written


def _plain_chart(chart: Chart) -> dict[str, Any]:
    record = {name: getattr(chart, name) for name in chart.__dataclass_fields__ if name != "series"}
    return {**record, "series": [asdict(series) for series in chart.series]}


def _chart(record: dict[str, Any]) -> Chart:
    chart = Chart(**{**record, "series": ()})
    return replace(chart, series=[Series(**{k: _array(k, v) for k, v in one.items()}) for one in record["series"]])


def _array(name: str, value: Any) -> Any:
    return value if name == "name" or value is None else np.array(value, np.float64)
