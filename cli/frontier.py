"""``seedrank frontier``: which uncrawled pages will matter to searchers."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, cast

import typer

from cli.asking import asks
from cli.open import asked
from cli.options import Settings, shared
from cli.output import emit_answer, remark
from seedrank.frontier.methods import FRONTIER
from seedrank.questions.frontier import FrontierQuestion, LearnQuestion, TuneQuestion

if TYPE_CHECKING:
    from seedrank.runs.facts import FrontierFacts

__all__ = ["register"]

app = typer.Typer(no_args_is_help=True, rich_markup_mode="rich")

_SHARED = ("store", "database", "engine", "site", "rng", "format", "output", "top", "refresh")


def _rank(
    settings: Settings,
    question: FrontierQuestion,
    save: Annotated[bool, typer.Option("--save", help="Also write the answer into the database.")] = False,
    save_links: Annotated[
        bool, typer.Option("--save-links", help="Also write the virtual links into the database (CO_CITED).")
    ] = False,
) -> None:
    answer = asked(settings, question, save=save, save_links=save_links)
    facts = cast("FrontierFacts", answer.facts)
    remark(
        settings,
        f"{facts['budget']:,} of {facts['frontier']:,} frontier pages, from {facts['crawled']:,} crawled ones; "
        f"{100 * facts['share_of_crawled_with_impact']:.3g} % of these have {question.impact}",
    )
    if "virtual_links" in facts:
        remark(settings, f"{facts['virtual_links']:,} virtual links")
    emit_answer(settings, answer)


@app.command("tune")
@shared(*_SHARED)
@asks(TuneQuestion)
def tune(settings: Settings, question: TuneQuestion) -> None:
    """Find ω and β of RW-EG on pages whose impact is known: 65 % of them tune, 35 % judge (Tran et al. 2015).

    Example: seedrank frontier tune --impact views --budget 5%
    """
    answer = asked(settings, question)
    best = answer.tables["best"].to_pylist()[0]
    remark(settings, f"best: --omega {best['omega']:g} --beta {best['beta']:g}")
    emit_answer(settings, answer)


@app.command("learn")
@shared(*_SHARED)
@asks(LearnQuestion)
def learn(settings: Settings, question: LearnQuestion) -> None:
    """Learn impact from the scores of all methods, on pages of known impact; shows what counts (Tran et al. 2015).

    Example: seedrank frontier learn --impact views --model views.json && seedrank frontier learned --model views.json
    """
    answer = asked(settings, question)
    for row in answer.tables["shares"].to_pylist():
        remark(settings, f"{row['method']}: {100 * row['share']:.1f} % of the ideal on pages not learnt from")
    remark(settings, f"wrote {question.model}")
    emit_answer(settings, answer)


for _method in FRONTIER.methods:
    app.command(_method.name, help=_method.help)(
        shared(*_SHARED)(asks(FrontierQuestion, FRONTIER.fields(_method.name), method=_method.name)(_rank))
    )


def register(root: typer.Typer) -> None:
    """Add the command."""
    root.add_typer(app, name="frontier", help="Rank uncrawled pages by expected clicks or views (Tran et al. 2015).")
