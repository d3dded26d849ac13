"""Kept experiments and comparisons as the report shows them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from seedrank.core.errors import InputError
from seedrank.core.tables import Sheet, sheet_of
from seedrank.output.report.drawings import Drawn, drawn
from seedrank.runs import Run, experiment_files
from seedrank.runs.experiment import Experiment
from seedrank.session import Session

__all__ = ["Shown", "experiments"]

_TABLE_ROWS = 60
"""Rows of an experiment's table that are shown."""

_VERDICTS = ("holds", "holds by construction", "exceeds", "does not hold", "cannot be judged", "no room", "figure")


@dataclass(frozen=True)
class Shown:
    """An experiment or a comparison as the template takes it."""

    run: Run
    experiment: Experiment
    charts: list[Drawn]
    tables: list[Sheet]
    older: bool

    @property
    def verdicts(self) -> list[tuple[str, int]]:
        """How many claims came to each verdict."""
        found = [claim.outcome for claim in self.experiment.claims if not claim.part]
        return [(verdict, found.count(verdict)) for verdict in _VERDICTS if verdict in found]


def experiments(session: Session, found: Sequence[Run]) -> tuple[list[Shown], list[str]]:
    """Those among runs, and a sentence for each that cannot be read."""
    shown, broken = [], []
    for run in found:
        if not experiment_files.charted(session.runs, run):
            continue
        try:
            experiment = experiment_files.read(session.runs.folder_of(run.id))
        except InputError as error:
            broken.append(str(error))
            continue
        charts, without_data = drawn(experiment.charts)
        experiment = replace(experiment, left_out=[*experiment.left_out, *without_data])
        tables = [sheet_of(table, name, _TABLE_ROWS, empty=True) for name, table in experiment.tables.items()]
        shown.append(Shown(run, experiment, charts, tables, run.graph != session.store.version()))
    return shown, broken
