"""``seedrank rank``: how central pages and hosts are."""

from __future__ import annotations

from enum import StrEnum
from typing import Annotated

import typer

from cli.open import opened
from cli.options import Settings, shared
from cli.output import emit, remark

__all__ = ["register"]

WALK = "PageRank"


class Method(StrEnum):
    """What to rank by."""

    pagerank = "pagerank"
    hits = "hits"
    indegree = "indegree"
    outdegree = "outdegree"
    harmonic = "harmonic"


class Level(StrEnum):
    """What to rank."""

    page = "page"
    host = "host"


class Dangling(StrEnum):
    """Where the score of pages without links goes."""

    uniform = "uniform"
    teleport = "teleport"
    drop = "drop"


@shared("store", "database", "engine", "format", "output", "top", "refresh")
def rank(
    settings: Settings,
    method: Annotated[Method, typer.Argument(help="What to rank by.")],
    level: Annotated[Level, typer.Option(help="Rank pages, or hosts by the links between them.")] = Level.page,
    damping: Annotated[float, typer.Option(rich_help_panel=WALK, help="Above 0, below 1.")] = 0.85,
    dangling: Annotated[
        Dangling,
        typer.Option(
            rich_help_panel=WALK,
            help="Where the score of pages without links goes: evenly to all, like the teleport, nowhere.",
        ),
    ] = Dangling.teleport,
    teleport: Annotated[
        str | None,
        typer.Option(
            rich_help_panel=WALK, metavar="FILE", help="Trusted pages, one URL or id a line.", show_default="all"
        ),
    ] = None,
    iterations: Annotated[int, typer.Option(help="Iterations of HITS.")] = 60,
    write: Annotated[
        str | None,
        typer.Option(
            "--write", metavar="COLUMN", help="Also write the scores as this page property.", show_default=False
        ),
    ] = None,
) -> None:
    """Rank pages or hosts.

    pagerank: damping 0.85, to an L1 change of 1e-12. hits: 60 iterations, score = authority, columns hub and
    authority. indegree, outdegree: distinct pages. harmonic: sum of 1/distance over all pages that reach a page, exact
    up to 5,000 pages, else by HyperBall counters with their error stated.

    Example: seedrank rank pagerank --top 10
    """
    with opened(settings, write=write is not None) as bench:
        run, table = bench.rank(
            method.value,
            level=level.value,
            damping=damping,
            dangling=dangling.value,
            teleport=teleport,
            iterations=iterations,
            write=write,
        )
    error = run.facts.get("relative standard error")
    if error:
        remark(settings, f"estimated by HyperBall counters, relative standard error {100 * error:.1f} %")
    emit(settings, table, title=f"{run.method} (run:{run.id})")


def register(root: typer.Typer) -> None:
    """Add the command."""
    root.command("rank")(rank)
