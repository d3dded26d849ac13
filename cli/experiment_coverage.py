"""``seedrank experiment coverage``: Zheng et al. 2009 on the sites of the graph."""

from __future__ import annotations

from typing import Annotated

import typer

from cli.experiment import Into, Quick, finish
from cli.open import opened
from cli.options import Settings, shared

__all__ = ["register"]


@shared("store", "database", "engine", "site", "rng", "format", "output", "top", "refresh")
def coverage(
    settings: Settings,
    quick: Quick = False,
    newer: Annotated[
        str | None,
        typer.Option(
            metavar="URL", show_default=False, help="The same web some time later: seeds chosen now are measured there."
        ),
    ] = None,
    min_pages: Annotated[int, typer.Option(help="Leave out sites with fewer crawled pages.")] = 100,
    into: Into = None,
) -> None:
    """Measure seed selection: pages and value covered over random seeds, site by site (Zheng et al. 2009).

    k = 1 to 10 seeds at 5 hops, 1 to 5 hops at 5 seeds, in up to 2,000 sites with a link from elsewhere; seconds per
    method; strong components of the sites; intervals by the bootstrap over sites.

    Example: seedrank experiment coverage --quick --into results
    """
    with opened(settings) as bench:
        run, experiment = bench.experiment("coverage", quick=quick, newer=newer, min_pages=min_pages, rng=settings.rng)
    finish(settings, run, experiment, into)


def register(app: typer.Typer) -> None:
    """Add the experiment."""
    app.command("coverage")(coverage)
