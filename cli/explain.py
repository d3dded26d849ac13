"""``seedrank explain``: why a frontier page has the score it has."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, cast

import typer

from seedrank.cli.open import answer_to
from seedrank.cli.options import Settings, shared
from seedrank.cli.output import emit_answer, remark
from seedrank.cli.question_options import takes
from seedrank.questions.frontier import ExplainQuestion

if TYPE_CHECKING:
    from seedrank.runs.facts import ExplainFacts

__all__ = ["register"]


@shared("store", "database", "engine", "master", "site", "rng", "format", "output", "top", "refresh")
@takes(ExplainQuestion)
def explain(
    settings: Settings,
    question: ExplainQuestion,
    methods: Annotated[bool, typer.Option("--methods", help="Give what each method says as rows instead.")] = False,
) -> None:
    """Show from which pages a frontier page gets its score, by link and by co-citation, and what each method says.

    Example: seedrank explain https://example.org/new --impact views
    """
    answer = answer_to(settings, question)
    facts = cast("ExplainFacts", answer.facts)
    remark(settings, f"rw-eg {facts['score']:.6g} = {facts['teleport']:.6g} as every page has + what these pages send")
    if methods:
        title = f"what each method says of {question.page} ({answer.run.name})"
        emit_answer(settings, answer, answer.tables["methods"], title=title)
        return
    for row in answer.tables["methods"].to_pylist():
        remark(settings, f"{row['method']}: place {row['place']:,} of {row['of']:,}, score {row['score']:.6g}")
    emit_answer(settings, answer, title=f"what sends to {question.page} ({answer.run.name})")


def register(root: typer.Typer) -> None:
    """Add the command."""
    root.command("explain")(explain)
