"""``seedrank recrawl``: when to come back."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any, Literal, TypeAlias, cast

import typer

from seedrank.cli.ask import answer_to
from seedrank.cli.command import add_group, command, group_class
from seedrank.cli.experiment import FILES, Files
from seedrank.cli.options import ASKING, Save, Settings, column_for, saved
from seedrank.cli.output import emit_answer, remark, remark_about
from seedrank.core.errors import UsageError
from seedrank.core.numbers import counted
from seedrank.questions.recrawl import NextQuestion, PlanQuestion, RecrawlQuestion, SimulateQuestion

if TYPE_CHECKING:
    from seedrank.runs import Answer
    from seedrank.runs.facts import NextFacts, RecrawlFacts

__all__ = ["app"]

BySite: TypeAlias = Annotated[
    Literal["page", "site"],
    typer.Option("--by", help="Rows: pages, or sites with what their lastmod is worth."),
]
ByPolicy: TypeAlias = Annotated[
    Literal["page", "policy", "host"], typer.Option("--by", help="Rows: pages, what each policy comes to, or hosts.")
]

app = typer.Typer()
recrawl = add_group(
    app,
    "recrawl",
    "When to come back: how often pages change, how often to fetch each, which to fetch now.",
    group_class({}, default="rates"),
)


@command(recrawl, "rates", *ASKING, question=RecrawlQuestion)
def rates(
    settings: Settings,
    question: RecrawlQuestion,
    save: Save = None,
    write: Annotated[str | None, column_for("the rates")] = None,
    by: BySite = "page",
) -> None:
    """How often pages change, by visits at any intervals, those that change most often first.

    The score is the likeliest rate, in changes a day, shrunk towards that of the host; own is what the page's visits
    say alone. A lastmod is compared with what else is known of changes, site by site.

    Example: seedrank recrawl rates --history visits.csv --by site
    """
    answer = answer_to(settings, question, save=saved(save), write=write)
    facts = cast("RecrawlFacts", answer.facts)
    remark(
        settings,
        f"{counted(facts['visits'], 'visit')} of {counted(facts['pages'], 'page')}, "
        f"{counted(facts['changes'], 'change')}; a page changes {facts['rate']:.3g} times a day on average",
    )
    judged = {word: count for word, count in facts["lastmod"].items() if word != "none"}
    if judged:
        remark(settings, "lastmod by site: " + ", ".join(f"{word} {count:,}" for word, count in judged.items()))
    _emit_by(settings, answer, by)


@command(recrawl, "plan", *ASKING, question=PlanQuestion)
def plan(
    settings: Settings,
    question: PlanQuestion,
    save: Save = None,
    write: Annotated[str | None, column_for("the interval in days")] = None,
    by: ByPolicy = "page",
) -> None:
    """How often to fetch each page so that what people look at is fresh, with a budget of fetches.

    The score is fetches a day. Freshness is the share of the time in which a copy is as the page is, by what pages are
    worth. `export nutch-seeds` and `export urlfrontier` hand intervals and dates over.

    Example: seedrank recrawl plan --history visits.csv --budget 200/day --importance views --max-interval 90d
    """
    answer = answer_to(settings, question, save=saved(save), write=write)
    from seedrank.output.advice import recrawl_advice  # few commands need it

    for sentence in recrawl_advice(answer.run):
        remark(settings, sentence)
    _emit_by(settings, answer, by)


@command(recrawl, "next", *ASKING, question=NextQuestion)
def next_(
    settings: Settings,
    question: NextQuestion,
    save: Save = None,
    write: Annotated[str | None, column_for("each page's place")] = None,
) -> None:
    """Which pages to fetch now: those whose fetch is worth the most, each with the reason.

    Example: seedrank recrawl next --history visits.csv --at 2024-06-01 --budget 500 -o today.csv
    """
    answer = answer_to(settings, question, save=saved(save), write=write)
    facts = cast("NextFacts", answer.facts)
    late = f", {facts['overdue']:,} of them overdue" if facts["overdue"] else ""
    remark(
        settings,
        f"at {facts['at']}: {facts['pages']:,} of {counted(facts['candidates'], 'page')}{late}; they have "
        f"{100 * facts['value']:.1f} % of what fetching all is worth",
    )
    emit_answer(settings, answer)


@command(recrawl, "simulate", *ASKING, question=SimulateQuestion, options=FILES)
def simulate(settings: Settings, question: SimulateQuestion, **given: Any) -> None:
    """Whether plans do what is expected of them: changes drawn at the rates, and changes as the record has them.

    Recorded is what plans that know the first half of the record come to on the changes of the second.

    Example: seedrank recrawl simulate --history visits.csv --budget 200/day
    """
    files = Files(**given)
    answer = answer_to(settings, question, exported=files.into is not None)
    files.write(settings, answer)
    remark_about(settings, answer)
    emit_answer(settings, answer)


def _emit_by(settings: Settings, answer: Answer, by: str) -> None:
    """Give an answer to the user by page, or one of its tables."""
    name = {"site": "sites", "policy": "policies", "host": "hosts"}.get(by)
    if name is not None and name not in answer.tables:
        raise UsageError(f"pages have no hosts here, so there is no table by {by}", hint="load URLs or a host column")
    emit_answer(settings, answer, None if name is None else answer.tables[name])
