"""``seedrank seeds``: where to start a crawl."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

import typer

from cli.asking import asks
from cli.open import opened
from cli.options import Settings, shared
from cli.output import emit, remark
from cli.seed_cores import cores
from seedrank.questions.asked import asked_fields
from seedrank.questions.seeds import EvaluateQuestion, ReduceQuestion, SeedQuestion
from seedrank.seeds.methods import SEEDS

if TYPE_CHECKING:
    from seedrank.runs import Run

__all__ = ["register"]

app = typer.Typer(no_args_is_help=True, rich_markup_mode="rich")

_SHARED = ("store", "database", "engine", "site", "rng", "format", "output", "top", "refresh")
_JUDGING = ("store", "database", "engine", "site", "format", "output", "top")
_SEARCHING = ("time_limit", "tolerance", "sketch")


def _choose(
    settings: Settings,
    question: SeedQuestion,
    save: Annotated[bool, typer.Option("--save", help="Also write the answer into the database.")] = False,
) -> None:
    with opened(settings, write=save) as bench:
        run, table = bench.seeds(question, save=save)
    _tell(settings, run)
    emit(settings, table, title=f"{run.method} (run:{run.id})")


@app.command("evaluate")
@shared(*_JUDGING)
@asks(EvaluateQuestion, [name for name in asked_fields(EvaluateQuestion) if name not in _SEARCHING])
def evaluate(settings: Settings, question: EvaluateQuestion) -> None:
    """How good is the list I have: what it covers, what each seed adds, which add nothing, which are dead.

    Example: seedrank seeds evaluate seeds.txt --hops 3
    """
    with opened(settings) as bench:
        run, table = bench.evaluate_seeds(question)
    facts = run.facts
    lost = ("unknown", "not crawled", "repeated", "add nothing")
    remark(settings, ", ".join(f"{facts[name]:,} {name}" for name in lost))
    _tell(settings, run)
    emit(settings, table, title=f"{question.file} (run:{run.id})")


@app.command("reduce")
@shared(*_JUDGING)
@asks(ReduceQuestion, [name for name in asked_fields(ReduceQuestion) if name != "certify"])
def reduce(settings: Settings, question: ReduceQuestion) -> None:
    """Choose the fewest seeds of a list that reach as much; the rows are the curve.

    Example: seedrank seeds reduce seeds.txt --keep-share 99% -o fewer.csv
    """
    with opened(settings) as bench:
        run, table = bench.reduce_seeds(question)
    facts = run.facts
    part = 100 * facts["value"] / facts["value of all"] if facts["value of all"] else 0.0
    remark(settings, f"{facts['seeds']:,} of {facts['of']:,} seeds reach {part:.2f} % of what all reach")
    _tell_search(settings, dict(facts))
    emit(settings, table, title=f"{run.method} (run:{run.id})")


def _tell(settings: Settings, run: Run) -> None:
    facts: dict[str, Any] = dict(run.facts)
    ratio = "" if facts["ratio"] is None else f", {100 * facts['ratio']:.1f} % of it"
    by_site = run.parameters.get("per_site") or run.parameters.get("allocate")
    within = " with so many seeds in each site" if by_site else ""
    if run.parameters.get("keep"):
        within += " beside the seeds in use"
    remark(
        settings,
        f"{facts['seeds']:,} seeds cover {facts['pages']:,} pages worth {facts['value']:,.6g}; "
        f"no choice{within} is worth more than {facts['bound']:,.6g} ({facts['bound form']} bound){ratio}",
    )
    if "mean value" in facts:
        remark(settings, f"mean value of all repeats {facts['mean value']:,.6g} ± {facts['standard error']:,.3g}")
    _tell_search(settings, facts)


def _tell_search(settings: Settings, facts: dict[str, Any]) -> None:
    for name, words in (("exact", "found"), ("time limit", "the time limit"), ("stopped", "stopped early:")):
        if name in facts:
            remark(settings, f"{words} {facts[name]}")


for _method in SEEDS.methods:
    app.command(_method.name, help=f"{_method.summary.removesuffix('.')} ({_method.source}).")(
        shared(*_SHARED)(asks(SeedQuestion, SEEDS.fields(_method.name), method=_method.name)(_choose))
    )

app.command("cores")(cores)


def register(root: typer.Typer) -> None:
    """Add the command."""
    root.add_typer(
        app, name="seeds", help="Choose pages to start a crawl from, so that what they reach is worth the most."
    )
