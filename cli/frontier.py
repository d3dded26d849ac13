"""``seedrank frontier`` and ``explain``: which uncrawled pages will matter to searchers, and why."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, cast

import typer

from seedrank.cli.ask import answer_to
from seedrank.cli.command import add_group, command, methods_class
from seedrank.cli.options import ASKING, Save, Settings, column_for, saved
from seedrank.cli.output import By, emit_answer, emit_by, remark, remark_about
from seedrank.core.numbers import counted
from seedrank.methods.frontier.methods import FRONTIER, IMPACT_METHODS
from seedrank.questions.frontier import ExplainQuestion, FrontierQuestion, LearnQuestion, TuneQuestion

if TYPE_CHECKING:
    from seedrank.runs.facts import AdviceFacts, ExplainFacts, FrontierFacts

__all__ = ["app"]


def _rank(
    settings: Settings,
    question: FrontierQuestion,
    save: Save = None,
    write: Annotated[str | None, column_for("the scores")] = None,
    save_links: Annotated[
        bool, typer.Option("--save-links", help="Also write the virtual links into the database (CO_CITED).")
    ] = False,
    by: By = "page",
) -> None:
    answer = answer_to(settings, question, save=saved(save), write=write, save_links=save_links)
    facts = cast("FrontierFacts", answer.facts)
    found = f"{facts['budget']:,} of {counted(facts['frontier'], f'frontier {answer.level}')}"
    known = f"from {counted(facts['crawled'], f'crawled {answer.level}')}"
    if question.method in IMPACT_METHODS:
        known += f", {100 * facts['share_of_crawled_with_impact']:.3g} % of which have {question.impact}"
    remark(settings, f"{found}, {known}")
    if "virtual_links" in facts:
        remark(settings, counted(facts["virtual_links"], "virtual link"))
    emit_by(settings, answer, by)


app = typer.Typer()
frontier = add_group(
    app,
    "frontier",
    "Rank uncrawled pages by expected clicks or views (Tran et al. 2015).",
    methods_class(FRONTIER, _rank, *ASKING),
)


@command(frontier, "tune", *ASKING, question=TuneQuestion)
def tune(settings: Settings, question: TuneQuestion) -> None:
    """Find ω and β of RW-EG on pages whose impact is known: 65 % of them tune, 35 % judge (Tran et al. 2015).

    Ends in advice: the ω and β to use, or to keep the default, with the impact share to expect and its 95 % interval.

    Example: seedrank frontier tune --impact views --budget 5%
    """
    answer = answer_to(settings, question)
    facts = cast("AdviceFacts", answer.facts)
    remark_about(settings, answer)
    found = f"--omega {facts['omega']:g} --beta {facts['beta']:g}"
    default = f"--omega {facts['default_omega']:g} --beta {facts['default_beta']:g}"
    remark(settings, _advice(facts, found, default, "tuning"))
    emit_answer(settings, answer)


@command(frontier, "learn", *ASKING, question=LearnQuestion)
def learn(settings: Settings, question: LearnQuestion) -> None:
    """Learn impact from the scores of all methods, on pages of known impact; shows what counts (Tran et al. 2015).

    Ends in advice: to use the model, or to keep the default method, with the impact share to expect and its 95 %
    interval.

    Example: seedrank frontier learn --impact views --model views.json && seedrank frontier learned --model views.json
    """
    answer = answer_to(settings, question)
    facts = cast("AdviceFacts", answer.facts)
    remark_about(settings, answer)
    for row in answer.tables["shares"].to_pylist():
        where = "pages not learnt from" if row["part"] == "unseen" else "all pages of known impact"
        remark(settings, f"{row['method']}: {_share(row['share'], row['low'], row['high'])} of the ideal on {where}")
    remark(settings, f"wrote {question.model}")
    remark(settings, _advice(facts, f"frontier learned --model {question.model}", "frontier rw-eg", "the model"))
    emit_answer(settings, answer)


@command(app, "explain", *ASKING, question=ExplainQuestion)
def explain(
    settings: Settings,
    question: ExplainQuestion,
    methods: Annotated[
        bool, typer.Option("--methods", help="Print the rank and score by each method instead.")
    ] = False,
) -> None:
    """Show from which pages a frontier page gets its score, by link and by co-citation, and its score by each method.

    Example: seedrank explain https://example.org/new --impact views
    """
    answer = answer_to(settings, question)
    facts = cast("ExplainFacts", answer.facts)
    remark(settings, f"rw-eg {facts['score']:.6g} = {facts['teleport']:.6g} as every page has + what these pages send")
    if methods:
        title = f"{question.page} by each method ({answer.run.name})"
        emit_answer(settings, answer, answer.tables["methods"], title=title)
        return
    for row in answer.tables["methods"].to_pylist():
        remark(settings, f"{row['method']}: place {row['place']:,} of {row['of']:,}, score {row['score']:.6g}")
    emit_answer(settings, answer, title=f"what sends to {question.page} ({answer.run.name})")


def _advice(facts: AdviceFacts, found: str, default: str, what: str) -> str:
    """What to do, what to expect of it, and against what.

    Parameters
    ----------
    facts
        Shares and intervals.
    found, default
        Words of the command that use what was fitted, or nothing that was.
    what
        Was fitted.
    """
    low, high = 100 * facts["gain_low"], 100 * facts["gain_high"]
    gain = f"{100 * facts['gain']:+.1f} points [{low:.1f}, {high:.1f}]"
    over = f"(95 %, over {facts['splits']} splits of this graph)"
    if facts["advice"] == "use":
        share = _share(facts["share"], facts["low"], facts["high"])
        return f"use {found}: {share} of the ideal, {gain} over the default {over}"
    share = _share(facts["default_share"], facts["default_low"], facts["default_high"])
    return f"keep the default, {default}: {share} of the ideal; {what} gives {gain} against it {over}"


def _share(value: float, low: float, high: float) -> str:
    shown = f"{100 * value:.1f} %"
    return shown if low != low else f"{shown} [{100 * low:.1f}, {100 * high:.1f}]"
