"""``seedrank report``: one HTML file with the graph, the experiments and the answers."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from seedrank.cli.completions import offered
from seedrank.cli.open import opened
from seedrank.cli.options import Settings, shared
from seedrank.cli.output import remark
from seedrank.cli.repeat import command_of

__all__ = ["register"]


@shared("store", "database", "site", "output", "refresh")
def report(
    settings: Settings,
    runs: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="[RUN]...",
            help="Runs to show; the latest of each method by default.",
            show_default=False,
            autocompletion=offered("RUN"),
        ),
    ] = None,
) -> None:
    """Write a report: the graph at a glance, experiments with their claims, seeds and rankings, and how to repeat them.

    One file (report.html unless -o names another) that needs no network.

    Example: seedrank report -o report.html
    """
    path = settings.output or Path("report.html")
    with opened(settings, free_form=True) as bench:
        bench.report(path, runs or (), command=command_of)
    remark(settings, f"wrote {path}: open it in a browser")


def register(root: typer.Typer) -> None:
    """Add the command."""
    root.command("report")(report)
