"""``seedrank experiment``: a paper's figures and claims on the graph in the store."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from cli.options import Settings
from cli.output import emit, remark
from seedrank.core.errors import InputError

if TYPE_CHECKING:
    from seedrank.evaluate.experiment import Experiment
    from seedrank.runs import Run

__all__ = ["Into", "Quick", "app", "finish", "register"]

app = typer.Typer(no_args_is_help=True, rich_markup_mode="rich")


def _made(folder: Path | None) -> Path | None:
    """The folder, made now: an hour's work must not end with a folder that cannot be."""
    if folder is not None:
        try:
            folder.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise InputError(
                f"cannot be made ({error.strerror})", file=str(folder), hint="name another folder"
            ) from None
    return folder


Quick = Annotated[bool, typer.Option("--quick", help="Smaller grids and fewer repeats: a minute at most.")]
Into = Annotated[
    Path | None,
    typer.Option(
        "--into",
        callback=_made,
        metavar="DIR",
        show_default=False,
        help="Also write tables (CSV), figures (SVG) and claims there.",
    ),
]
NO_CLAIMS = "this experiment judges no claim on this graph"


def finish(settings: Settings, run: Run, experiment: Experiment, into: Path | None) -> None:
    """Show the claims of an experiment, say what was left out, and write its files where asked."""
    for sentence in experiment.left_out:
        remark(settings, f"left out: {sentence}")
    if into is not None:
        from seedrank.workbench import export

        remark(settings, f"wrote {len(export(experiment, into))} files into {into}")
    if not experiment.claims:
        remark(settings, NO_CLAIMS)
    emit(settings, experiment.claims_table(), title=f"{run.method} (run:{run.id})")


def register(root: typer.Typer) -> None:
    """Add the command, with an experiment from each of the modules that have one."""
    from cli import experiment_cores, experiment_coverage, experiment_impact, experiment_ordering

    for module in (experiment_coverage, experiment_cores, experiment_ordering, experiment_impact):
        module.register(app)
    root.add_typer(app, name="experiment", help="A paper's figures and claims, measured on the graph in the store.")
