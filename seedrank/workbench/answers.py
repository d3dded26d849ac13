"""Experiments, kept answers and the report on them."""

from __future__ import annotations

import importlib
import inspect
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from graphdb.store import Database
from seedrank import runs
from seedrank.core.errors import InputError, UsageError
from seedrank.runs import Run
from seedrank.session import Session

if TYPE_CHECKING:
    import pandas as pd
    import pyarrow as pa

    from seedrank.evaluate.experiment import Experiment
    from seedrank.evaluate.run_comparison import Comparison

__all__ = ["EXPERIMENTS", "AnswerBench", "export"]

EXPERIMENTS = {name: f"seedrank.evaluate.{name}" for name in ("coverage", "cores", "ordering", "impact")}
"""Experiments by name: the package with the plan (`Plan`) and the performance (`perform`) of each."""


class AnswerBench(Session):
    """Experiments, kept answers and the report on them."""

    def experiment(self, name: str, **options: Any) -> tuple[Run, Experiment]:
        """Perform the experiment of a paper on this graph; it is kept as a run, and goes on where it was cut off.

        Parameters
        ----------
        name
            One of `EXPERIMENTS`.
        options
            Of the experiment, such as ``quick=True`` or ``rng=2``: the fields of its plan.

        Returns
        -------
        run, experiment
            The record; tables, charts and claims.
        """
        if name not in EXPERIMENTS:
            raise UsageError(f"there is no experiment {name!r}", hint=f"one of {', '.join(EXPERIMENTS)}")
        package = importlib.import_module(EXPERIMENTS[name])
        try:
            inspect.signature(package.Plan).bind(**options)
        except TypeError as error:
            raise UsageError(f"experiment {name}: {error}", hint="see its help for the options there are") from None
        made: tuple[Run, Experiment] = package.perform(self, package.Plan(**options))
        return made

    def run_rows(self, name: str) -> tuple[Run, pa.Table]:
        """A kept answer by name (``run:ID``, ``run:latest``): its pages, its hosts, or the claims of an experiment."""
        run = runs.record(self.runs_folder, name)
        if run.method.startswith("experiment "):
            from seedrank.evaluate import kept

            return run, kept.read(self.runs_folder / run.id).claims_table()
        if run.parameters.get("level") != "host":
            return self.answer(run.id)
        table = runs.read(self.runs_folder, run.id)[1].table()
        return run, table.set_column(1, "host", self.graph.host_names.take(table["id"]))

    def frame(self, name: str = "run:latest") -> pd.DataFrame:
        """A kept answer as a DataFrame, a row per page by its rank; for an experiment its claims.

        Parameters
        ----------
        name
            ``run:ID``, or ``run:latest`` (the default).
        """
        frame = self.run_rows(name)[1].to_pandas()
        return frame.set_index("rank") if "rank" in frame else frame

    def compare_runs(self, first: str, second: str) -> Comparison:
        """What changed from one kept answer to another: parameters, and pages (with their names) or claims."""
        from seedrank.evaluate.run_comparison import compare

        found = compare(self.runs_folder, first, second)
        if "id" not in found.moves.column_names:
            return found
        moves = found.moves
        if found.first.parameters.get("level") == "host":
            return replace(found, moves=moves.set_column(0, "host", self.graph.host_names.take(moves["id"])))
        names = self.page_names(moves["id"])
        for place, name in enumerate(("source_id", "url", "host")):
            moves = moves.add_column(1 + place, name, names[name])
        return replace(found, moves=moves)

    def delete_run(self, name: str) -> str:
        """Forget a kept answer, also in the database where it was saved; returns its id."""
        wanted = name.removeprefix("run:")
        if wanted == "latest":
            wanted = runs.record(self.runs_folder, name).id
        runs.folder_of(self.runs_folder, wanted)
        if isinstance(self.store, Database):
            self.store.delete_run(wanted)
        return runs.delete(self.runs_folder, wanted)

    def report(
        self,
        file: str | Path,
        names: Sequence[str] = (),
        *,
        command: Callable[[Run], str] | None = None,
    ) -> None:
        """Write a report on the store as one HTML file: the graph, kept experiments and answers, and their records.

        Parameters
        ----------
        file
            Where; it appears whole or not at all.
        names
            Runs to show (``run:ID``); the latest of each method when there are none.
        command
            Gives the command line that repeats a run; without it only the parameters are shown.
        """
        from seedrank.core.files import whole_file
        from seedrank.report.page import render

        path = Path(file)
        if not path.parent.is_dir():
            raise InputError("its folder is not there", file=str(path), hint="make it, or name another file")
        with whole_file(path) as half:
            # Names of files in records may not be UTF-8.
            half.write_text(render(self, names, command=command), encoding="utf-8", errors="backslashreplace")


def export(experiment: Experiment, folder: Path) -> list[Path]:
    """Write an experiment into `folder`: tables (CSV), charts (SVG), claims (CSV and JSON); all of them or none."""
    from seedrank.evaluate import kept

    return kept.export(experiment, folder)
