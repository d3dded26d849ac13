"""``seedrank experiment cores``: the experiments of Daneshpajouh et al. 2008."""

from __future__ import annotations

from typing import Annotated

import typer

from cli.experiment import Into, Quick, finish
from cli.open import opened
from cli.options import Settings, shared

__all__ = ["register"]

TRANSFER = "Transfer to a newer graph"


@shared("store", "database", "engine", "site", "rng", "format", "output", "top", "refresh")
def cores(
    settings: Settings,
    number: Annotated[int, typer.Option("--cores", help="Cores at most; 12 with --quick.")] = 50,
    repeats: Annotated[int, typer.Option(help="Draws of random pages to compare with; 12 with --quick.")] = 50,
    keep_same_site: Annotated[
        bool, typer.Option("--keep-same-site", help="Leave links within a site in. (Not in the papers.)")
    ] = False,
    transfer_from: Annotated[
        str | None,
        typer.Option(
            rich_help_panel=TRANSFER,
            metavar="FILE",
            show_default=False,
            help="Seeds found on an older graph, by URL; this store holds the newer one.",
        ),
    ] = None,
    transfer_against: Annotated[
        str | None,
        typer.Option(
            rich_help_panel=TRANSFER,
            metavar="FILE",
            show_default=False,
            help="Random crawled pages of the older graph, to compare survival with.",
        ),
    ] = None,
    quick: Quick = False,
    into: Into = None,
) -> None:
    """Sizes and distances of HITS cores, crawls from their hubs, transfer (Daneshpajouh et al. 2008).

    Example: seedrank experiment cores --transfer-from old-seeds.csv --into figures
    """
    with opened(settings) as bench:
        run, experiment = bench.experiment(
            "cores",
            quick=quick,
            cores=number,
            repeats=repeats,
            keep_same_site=keep_same_site,
            transfer_from=transfer_from,
            transfer_against=transfer_against,
            rng=settings.rng,
        )
    finish(settings, run, experiment, into)


def register(app: typer.Typer) -> None:
    """Add the experiment."""
    app.command("cores")(cores)
