"""``seedrank experiment ordering``: the figures and claims of Alam et al."""

from __future__ import annotations

from typing import Annotated

import typer

from cli.experiment import Into, Quick, finish
from cli.open import opened
from cli.options import Settings, shared

__all__ = ["register"]


@shared("store", "database", "engine", "site", "rng", "format", "output", "top", "refresh")
def ordering(
    settings: Settings,
    orders: Annotated[
        list[str] | None,
        typer.Argument(metavar="[ORDER]...", show_default=False, help="Instead of the paper's and some others."),
    ] = None,
    seeds: Annotated[int, typer.Option(help="Seeds of a set; the paper's by default.")] = 160,
    quick: Quick = False,
    into: Into = None,
) -> None:
    """Crawl orders: how early important pages come, what deciding costs, how much of it is spam (Alam et al.).

    Example: seedrank experiment ordering --into figures
    """
    with opened(settings) as bench:
        run, experiment = bench.experiment("ordering", orders=orders, seeds=seeds, quick=quick, rng=settings.rng)
    finish(settings, run, experiment, into)


def register(app: typer.Typer) -> None:
    """Add the experiment."""
    app.command("ordering")(ordering)
