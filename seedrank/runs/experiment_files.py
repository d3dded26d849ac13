"""Experiments as they are kept beside the store, and as people take them away.

A kept experiment is a run: ``run.json`` as for every answer, ``experiment.json`` (charts, claims, what was left out)
and a Parquet file per table. What people take away is a folder of CSV, JSON and SVG files.
"""

from __future__ import annotations

import json
import math
import re
from collections.abc import Mapping
from dataclasses import asdict, fields, replace
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.csv
import pyarrow.parquet as pq

from seedrank.core.errors import InputError, UsageError, shorten
from seedrank.core.files import whole_files
from seedrank.core.package import VERSION
from seedrank.output.charts.chart import Chart, Series
from seedrank.runs.answer import Answer
from seedrank.runs.experiment import Claim, Experiment
from seedrank.runs.record import Run, now, plain
from seedrank.runs.store import RunStore

__all__ = ["FILE", "answer_of", "charted", "export", "read", "save"]

FILE = "experiment.json"
FORMAT = 3
"""Of the record."""


def answer_of(run: Run, experiment: Experiment) -> Answer:
    """An experiment as an answer: its claims are the rows, or its main table where it is not about claims."""

    def rows() -> pa.Table:
        return experiment.claims_table() if run.kind == "experiment" else next(iter(experiment.tables.values()))

    return Answer(run, rows, tables=experiment.tables, experiment=experiment)


def charted(runs: RunStore, run: Run) -> bool:
    """Whether a run keeps tables with charts, not a ranking."""
    return (runs.folder_of(run.id) / FILE).is_file()


def save(runs: RunStore, run: Run, experiment: Experiment) -> None:
    """Keep an experiment as a run; it appears whole or not at all."""
    with runs.keeping(run) as half:
        for name, table in experiment.tables.items():
            pq.write_table(table, half / f"{name}.parquet")
        record = {
            "format": FORMAT,
            "name": experiment.name,
            "tables": list(experiment.tables),
            "charts": [_plain_chart(chart) for chart in experiment.charts],
            "claims": [_plain_claim(claim) for claim in experiment.claims],
            "left_out": list(experiment.left_out),
            "parameters": dict(experiment.parameters),
            "about": list(experiment.about),
            "decisions": list(experiment.decisions),
        }
        (half / FILE).write_text(json.dumps(record, indent=1, default=plain) + "\n", encoding="utf-8")


def read(folder: Path) -> Experiment:
    """A kept experiment of any version from its own folder.

    What the record lacks is left empty; what a later version wrote into it is passed over.
    """
    path = folder / FILE
    try:
        record = json.loads(path.read_text(encoding="utf-8"))
        experiment = Experiment(
            record["name"],
            {name: pq.read_table(folder / f"{name}.parquet") for name in record["tables"]},
            [_chart(chart) for chart in record.get("charts", [])],
            [_claim(claim) for claim in record.get("claims", [])],
            list(record.get("left_out", [])),
            dict(record.get("parameters", {})),
            list(record.get("about", [])),
            list(record.get("decisions", [])),
        )
        _check(experiment)
    except (OSError, ValueError, LookupError, TypeError, AttributeError, RecursionError, pa.ArrowException) as error:
        raise InputError(
            "not an experiment that can be read",
            file=str(path),
            hint="restore it from a copy; the other runs are not affected",
        ) from error
    return experiment


def _check(experiment: Experiment) -> None:
    """Raise `TypeError` for fields of another kind."""
    texts = [experiment.name, *experiment.left_out, *experiment.about, *experiment.decisions]
    texts += [claim.measured for claim in experiment.claims]
    for claim in experiment.claims:
        for one in fields(Claim):
            value, kind = getattr(claim, one.name), type(one.default)
            if not isinstance(value, str if kind not in (int, float) else kind):
                raise TypeError(f"{one.name} of another kind")
    if not all(isinstance(text, str) for text in texts) or not isinstance(experiment.parameters, dict):
        raise TypeError("fields of another kind")


def export(
    given: Answer | Experiment, folder: str | Path, *, figures: str = "svg", size: str | None = None
) -> list[Path]:
    """Write tables (CSV), charts, claims (CSV and JSON) and ``provenance.json`` into `folder`, all of them or none.

    A chart of more than ten curves becomes several files, one without data none.

    Parameters
    ----------
    given
        An answer, or an experiment; an answer knows more of where it comes from.
    folder
        Made where it does not exist.
    figures
        ``svg``, ``pdf`` or ``png``.
    size
        Of each figure, such as ``8x5cm``; SVG for a screen, others 16 cm wide, where none is given.
    """
    if not isinstance(given, Answer | Experiment) or not isinstance(folder, str | Path):
        raise UsageError("export takes an answer or an experiment, and a folder", hint='such as export(answer, "out")')
    folder = Path(folder)
    experiment = given if isinstance(given, Experiment) else given.experiment
    figure = _figures(figures, size, experiment)
    if isinstance(given, Experiment):
        record = {"seedrank": VERSION, "method": f"experiment {given.name}", "parameters": dict(given.parameters)}
        record |= {"exported": now()}
    else:
        record = given.provenance
    with whole_files(folder) as half:
        for name, table in _tables(given).items():
            pyarrow.csv.write_csv(table, half / f"{name}.csv")
        if experiment is not None:
            claims = json.dumps(experiment.claims_table().to_pylist(), indent=1, ensure_ascii=False) + "\n"
            (half / f"{experiment.name}-claims.json").write_text(claims, encoding="utf-8")
        for name, content in figure.items():
            (half / name).write_bytes(content)
        text = json.dumps(record, indent=1, ensure_ascii=False, default=plain) + "\n"
        (half / "provenance.json").write_text(text, encoding="utf-8")
        written = sorted(path.name for path in half.iterdir())
    return [folder / name for name in written]


def _tables(given: Answer | Experiment) -> dict[str, pa.Table]:
    """Tables by the names of their files."""
    experiment = given if isinstance(given, Experiment) else given.experiment
    if experiment is not None:
        return {
            f"{experiment.name}-{name}": _flat(table)
            for name, table in {**experiment.tables, "claims": experiment.claims_table()}.items()
        }
    assert isinstance(given, Answer)
    name = re.sub(r"[^a-z0-9]+", "-", given.run.method.lower()).strip("-")
    return {name: _flat(given.table), **{f"{name}-{one}": _flat(table) for one, table in given.tables.items()}}


def _flat(table: pa.Table) -> pa.Table:
    """A table whose lists are text: CSV has none."""
    for place, one in enumerate(table.schema):
        if pa.types.is_nested(one.type):
            table = table.set_column(place, one.name, pa.array([json.dumps(v) for v in table[one.name].to_pylist()]))
    return table


def _figures(kind: str, size: str | None, experiment: Experiment | None) -> dict[str, bytes]:
    """Every panel as a file of a kind, by its name."""
    from seedrank.output.charts.panels import panels
    from seedrank.output.charts.render import KINDS, as_svg, figure_size

    if f".{kind}" not in KINDS:
        raise UsageError(f"figures cannot be {shorten(kind)}", hint="one of svg, pdf, png")
    measures = figure_size(size)
    if experiment is None:
        return {}
    drawn, _ = panels(experiment.charts)
    on_screen = kind == "svg" and size is None
    return {
        f"{experiment.name}-{one.chart.name}.{kind}": as_svg(one).encode()
        if on_screen
        else KINDS[f".{kind}"](one, measures)
        for one in drawn
    }


def _plain_claim(claim: Claim) -> dict[str, Any]:
    """A claim as JSON has it: numbers that are none are left out."""
    record = asdict(claim)
    return {name: value for name, value in record.items() if not isinstance(value, float) or math.isfinite(value)}


def _claim(record: dict[str, Any]) -> Claim:
    known = _known(Claim, record)
    for one in fields(Claim):
        # JSON writes 60.0 and 60 alike where a margin is a whole number.
        if isinstance(one.default, float) and type(known.get(one.name)) is int:
            known[one.name] = float(known[one.name])
    return Claim(**known)


def _plain_chart(chart: Chart) -> dict[str, Any]:
    record = {name: getattr(chart, name) for name in chart.__dataclass_fields__ if name != "series"}
    return {**record, "series": [asdict(series) for series in chart.series]}


def _chart(record: dict[str, Any]) -> Chart:
    chart = Chart(**{**_known(Chart, record), "series": ()})
    series = [
        Series(**{name: _array(name, value) for name, value in _known(Series, one).items()}) for one in record["series"]
    ]
    return replace(chart, series=series)


def _known(kind: type, record: Mapping[str, Any]) -> dict[str, Any]:
    """The part of a record that this version knows."""
    return {name: value for name, value in record.items() if name in kind.__dataclass_fields__}  # type: ignore[attr-defined]


def _array(name: str, value: Any) -> Any:
    return value if name == "name" or value is None else np.array(value, np.float64)
