"""``seedrank experiment impact``: Tran et al. 2015 on a graph with clicks or views."""

from __future__ import annotations

from typing import Annotated

import typer

from cli.experiment import Into, Quick, finish
from cli.frontier_options import Ask, asks_of_frontier
from cli.open import opened
from cli.options import Settings, shared
from seedrank.core.shares import share_of

__all__ = ["register"]


@shared("store", "database", "engine", "site", "rng", "format", "output", "top", "refresh")
@asks_of_frontier
def impact(
    settings: Settings,
    ask: Ask,
    hide: Annotated[
        str, typer.Option(metavar="P%", help="Share of the crawled pages to hide: their links and impact.")
    ] = "35%",
    truth: Annotated[
        str | None,
        typer.Option(
            metavar="FILE", show_default=False, help="Impact of frontier pages, known since (url or id): hide nothing."
        ),
    ] = None,
    splits: Annotated[int, typer.Option(min=1, help="How often pages are hidden, or split, anew.")] = 10,
    budget: Annotated[
        list[str] | None,
        typer.Option(metavar="P%", help="Share of the judged pages to choose.", show_default="1% 2% 5% 10%"),
    ] = None,
    queries_are: Annotated[
        str, typer.Option(metavar="TEXT", help="What the store's searches are, where they stand in for real ones.")
    ] = "searches of the store",
    quick: Quick = False,
    into: Into = None,
) -> None:
    """Find hidden pages with impact by every method: impact share, click-through, ratios, claims (Tran et al. 2015).

    Example: seedrank experiment impact --impact views --hide 35% --into results
    """
    plan = {"budgets": tuple(share_of(text) for text in budget)} if budget else {}
    with opened(settings) as bench:
        run, experiment = bench.experiment(
            "impact",
            question=ask(),
            quick=quick,
            hide=share_of(hide),
            truth=truth,
            splits=splits,
            queries_are=queries_are,
            **plan,
        )
    finish(settings, run, experiment, into)


def register(app: typer.Typer) -> None:
    """Add the experiment."""
    app.command("impact")(impact)
