"""``seedrank seeds``: where to start a crawl."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, cast

import typer

from seedrank.cli.ask import answer_to
from seedrank.cli.command import add_group, command, methods_class
from seedrank.cli.options import ASKING, READING, Save, Settings, column_for, saved
from seedrank.cli.output import By, emit_answer, emit_by, remark, takes_lists
from seedrank.core.numbers import counted
from seedrank.methods.seeds.methods import SEEDS
from seedrank.questions.seeds import CoreQuestion, EvaluateQuestion, ReduceQuestion, SeedQuestion, TransferQuestion

if TYPE_CHECKING:
    from seedrank.runs import Answer
    from seedrank.runs.facts import CoreFacts, EvaluateFacts, ReduceFacts, SearchFacts, SeedFacts, TransferFacts

__all__ = ["app"]

_JUDGING = ("store", "database", "engine", "master", "site", "format", "output", "top")
_BOUNDS = {
    "all": "upper bound: every reachable page",
    "cheap": "upper bound by walks",
    "tight": "upper bound by all balls",
}
"""What an upper bound stands on, in words."""
_UNKNOWN = 10
"""Unknown pages of a list that a terminal shows."""
_MEMBERS = ("hubs", "authorities", "hosts")

_BECAME = {
    "same": "stay",
    "redirect": "follow a redirect",
    "address": "have another address",
    "links": "are replaced by their links",
    "host": "are replaced by a page of their host",
    "dropped": "are dropped",
}


def _choose(
    settings: Settings,
    question: SeedQuestion,
    save: Save = None,
    write: Annotated[str | None, column_for("the number of each seed")] = None,
    by: By = "page",
) -> None:
    answer = answer_to(settings, question, save=saved(save), write=write)
    from seedrank.output.advice import seed_advice  # few commands need it

    for sentence in seed_advice(answer.run, answer.level):
        remark(settings, sentence)
    _tell(settings, answer)
    emit_by(settings, answer, by)


app = typer.Typer()
seeds = add_group(
    app,
    "seeds",
    "Choose pages to start a crawl from, so that what they reach is worth the most.",
    methods_class(SEEDS, _choose, *ASKING, default="best"),
)


@command(seeds, "evaluate", *_JUDGING, question=EvaluateQuestion)
def evaluate(settings: Settings, question: EvaluateQuestion) -> None:
    """How good is the list I have: what it covers, what each seed adds, which add nothing, which are dead.

    Example: seedrank seeds evaluate seeds.txt --hops 3
    """
    answer = answer_to(settings, question)
    facts = cast("EvaluateFacts", answer.facts)
    remark(
        settings,
        f"{facts['unknown']:,} unknown, {facts['not_crawled']:,} not crawled, {facts['repeated']:,} repeated, "
        f"{facts['add_nothing']:,} add nothing",
    )
    if "unknown" in answer.tables:
        _tell_unknown(settings, answer.tables["unknown"].to_pylist())
    _tell(settings, answer)
    emit_answer(settings, answer, title=f"{question.file} ({answer.run.name})")


def _tell_unknown(settings: Settings, rows: list[dict[str, str | None]]) -> None:
    """Pages that are not in the graph: all of them beside a file, the first ten on a terminal."""
    shown = rows if settings.output is not None else rows[:_UNKNOWN]
    for row in shown:
        remark(settings, f"unknown: {row['page']}" + (f", known as {row['known_as']}" if row["known_as"] else ""))
    if len(shown) < len(rows):
        remark(settings, f"and {len(rows) - len(shown):,} more; -o FILE lists all")


@command(seeds, "reduce", *_JUDGING, question=ReduceQuestion)
def reduce(settings: Settings, question: ReduceQuestion) -> None:
    """Choose the fewest seeds of a list that reach as much; the rows are the curve.

    Example: seedrank seeds reduce seeds.txt --keep-share 99% -o fewer.csv
    """
    answer = answer_to(settings, question)
    facts = cast("ReduceFacts", answer.facts)
    some, value, whole = f"{facts['seeds']:,} of {facts['of']:,} seeds", facts["value"], facts["value_of_all"]
    if value > 0 and whole > 0:
        remark(settings, f"{some} reach {100 * value / whole:.2f} % of what all reach")
    else:
        remark(settings, f"{some} are worth {value:,.6g}, all of them {whole:,.6g}: only worth above 0 has a share")
    _tell_search(settings, facts)
    emit_answer(settings, answer)


@command(seeds, "transfer", *READING, question=TransferQuestion)
def transfer(settings: Settings, question: TransferQuestion) -> None:
    """Bring a list of an older graph to this one: keep what is crawled here, replace what is gone by a similar page.

    A page that is gone is looked for under another form of its address (or a recorded redirect), then on its host by
    the link targets it shares with the old page, then as the page of its host that links to the most crawled pages;
    otherwise it is dropped. The rows are seeds that any command takes; the run also keeps a row per URL of the list.

    Example: seedrank seeds transfer old-seeds.csv --old-store old.duckdb -o seeds.csv
    """
    answer = answer_to(settings, question)
    facts = cast("TransferFacts", answer.facts)
    became = ", ".join(f"{count:,} {_BECAME[rule]}" for rule, count in facts["rules"].items() if count)
    remark(settings, f"{facts['listed']:,} listed: {became}; {counted(facts['seeds'], 'seed')}")
    if facts["dropped_such_as"]:
        remark(settings, f"dropped: {', '.join(facts['dropped_such_as'][:3])}{_and_more(facts)}")
    emit_answer(settings, answer)


@command(seeds, "cores", *ASKING, question=CoreQuestion)
def cores(
    settings: Settings,
    question: CoreQuestion,
    save: Save = None,
    write: Annotated[str | None, column_for("the number of each page's core")] = None,
) -> None:
    """Find seeds in different communities, without keywords (Daneshpajouh et al. 2008).

    Links within a site go. HITS ranks the rest; a core grows around the best authority: hubs that all link to the same
    authorities. One hub is the seed, the core is taken out, and the search repeats.

    Example: seedrank seeds cores -k 10
    """
    answer = answer_to(settings, question, save=saved(save), write=write)
    facts = cast("CoreFacts", answer.facts)
    remark(
        settings,
        f"{counted(facts['cores'], 'core')} of {counted(facts['pages_in_cores'], answer.level)}; "
        f"{facts['links_ranked']:,} of {facts['links']:,} links were ranked",
    )
    table = answer.table if takes_lists(settings) else answer.table.drop_columns(list(_MEMBERS))
    emit_answer(settings, answer, table)


def _and_more(facts: TransferFacts) -> str:
    return " and others" if facts["rules"]["dropped"] > 3 else ""


def _tell(settings: Settings, answer: Answer) -> None:
    run = answer.run
    facts = cast("SeedFacts", run.facts)
    if facts["ratio"] is not None:
        ratio = f", {100 * facts['ratio']:.1f} % of it"
    elif facts["bound"] > 0:
        ratio = "; no share of it: the seeds are worth no more than 0"
    else:
        ratio = "; no share of it: nothing of worth can be reached"
    by_site = run.parameters.get("per_site") or run.parameters.get("allocate")
    within = " with so many seeds in each site" if by_site else ""
    if run.parameters.get("keep"):
        within += " beside the seeds in use"
    remark(
        settings,
        f"{counted(facts['seeds'], 'seed')} cover{'s' if facts['seeds'] == 1 else ''} "
        f"{counted(facts['pages'], answer.level)} worth {facts['value']:,.6g}; "
        f"no choice{within} is worth more than {facts['bound']:,.6g} ({_BOUNDS[facts['bound_form']]}){ratio}",
    )
    if "mean_value" in facts:
        remark(settings, f"mean value of all repeats {facts['mean_value']:,.6g} ± {facts['standard_error']:,.3g}")
    _tell_search(settings, facts)


def _tell_search(settings: Settings, facts: SearchFacts) -> None:
    if "exact" in facts:
        remark(settings, f"found {facts['exact']}")
    if "time_limit" in facts:
        remark(settings, f"the time limit {facts['time_limit']}")
    if "preferred" in facts:
        instead = counted(facts["preferred"], "seed")
        remark(settings, f"{instead} taken for a readable address, at a cost of {facts['preference_cost']:,.6g} in all")
    if "stopped" in facts:
        remark(settings, f"stopped early: {facts['stopped']}")
