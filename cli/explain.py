"""``seedrank explain``: why a frontier page has the score it has."""

from __future__ import annotations

from typing import Annotated

import typer

from cli.frontier_options import Ask, asks_of_frontier
from cli.open import opened
from cli.options import Settings, shared
from cli.output import emit, remark

__all__ = ["register"]


@shared("store", "database", "engine", "site", "rng", "format", "output", "top", "refresh")
@asks_of_frontier
def explain(
    settings: Settings,
    ask: Ask,
    url: Annotated[str, typer.Argument(metavar="URL", help="A frontier page: its URL, or its id in the source.")],
    methods: Annotated[bool, typer.Option("--methods", help="Give what each method says as rows instead.")] = False,
) -> None:
    """Show from which pages a frontier page gets its score, by link and by co-citation, and what each method says.

    Example: seedrank explain https://example.org/new --impact views
    """
    with opened(settings) as bench:
        run, senders, verdicts = bench.explain(url, ask("rw-eg"))
    facts = run.facts
    remark(settings, f"rw-eg {facts['score']:.6g} = {facts['teleport']:.6g} as every page has + what these pages send")
    if methods:
        emit(settings, verdicts, title=f"what each method says of {url} (run:{run.id})")
        return
    for row in verdicts.to_pylist():
        remark(settings, f"{row['method']}: place {row['place']:,} of {row['of']:,}, score {row['score']:.6g}")
    emit(settings, senders, title=f"what sends to {url} (run:{run.id})")


def register(root: typer.Typer) -> None:
    """Add the command."""
    root.command("explain")(explain)
