"""``seedrank rank``: how central pages and hosts are."""

from __future__ import annotations

from typing import Annotated

import typer

from cli.lazily import methods_group
from cli.offers import offered
from cli.open import answer_to
from cli.options import Settings
from cli.output import emit_answer, remark
from seedrank.questions.rank import RankQuestion
from seedrank.rank.methods import RANK

__all__ = ["register"]

app = typer.Typer(no_args_is_help=True, rich_markup_mode="rich")

_SHARED = ("store", "database", "engine", "format", "output", "top", "refresh")


def _rank(
    settings: Settings,
    question: RankQuestion,
    write: Annotated[
        str | None,
        typer.Option(
            "--write",
            metavar="COLUMN",
            help="Also write the scores as this page property.",
            show_default=False,
            autocompletion=offered("COLUMN"),
        ),
    ] = None,
) -> None:
    answer = answer_to(settings, question, write=write)
    error = answer.facts.get("relative_standard_error")
    if error:
        remark(settings, f"estimated by HyperBall counters, relative standard error {100 * error:.1f} %")
    emit_answer(settings, answer)


def register(root: typer.Typer) -> None:
    """Add the command."""
    root.add_typer(
        app, name="rank", cls=methods_group(RANK, _rank, *_SHARED), help="Rank pages or hosts by how central they are."
    )
