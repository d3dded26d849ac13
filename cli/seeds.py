"""``seedrank seeds``: where to start a crawl."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Annotated, Any

import typer

from cli.open import opened
from cli.options import Settings, shared
from cli.output import emit, remark
from cli.seed_cores import cores
from cli.seed_options import OPTIONS, Question, asks
from seedrank.core.shares import share_of

if TYPE_CHECKING:
    from seedrank.runs import Run

__all__ = ["register"]

app = typer.Typer(no_args_is_help=True, rich_markup_mode="rich")

WHICH = "Which pages"
ALL_VALUES = ("value", "value_base", "value_spam", "value_clicked", "spam_bonus", "history")
SEARCHING = ("time_limit", "tolerance", "sketch")

METHODS = {
    "random": "Random crawled pages: what every method must beat (Zheng et al. 2009).",
    "pagerank": "The pages with the highest PageRank of the whole graph (Zheng et al. 2009).",
    "outdegree": "The pages that link to the most crawled pages (Zheng et al. 2009).",
    "maxout": "MaxOut: repeatedly pick the uncovered page that links to the most uncovered pages (Zheng et al. 2009).",
    "maxweight": "MaxWeight: repeatedly pick the page whose d-hop ball is worth the most (Zheng et al. 2009).",
    "maxscc": "MaxSCC: the heaviest d-hop ball inside the heaviest strong component (Zheng et al. 2009).",
    "rootscc": "RootSCC: the heaviest d-hop ball in the heaviest root above the heaviest SCC (Zheng et al. 2009).",
    "greedy": "Exact greedy of Algorithm 1: the page whose whole h-hop ball adds the most (Zheng et al. 2009).",
}

Conditions = list[str] | None
SeedFile = Annotated[str, typer.Argument(metavar="FILE", help="Seeds: one URL or id a line, or a table.")]


def _command(name: str) -> Callable[..., None]:
    @asks(*OPTIONS)
    def choose(
        settings: Settings,
        question: Question,
        keep: Annotated[
            str | None,
            typer.Option(
                rich_help_panel=WHICH, metavar="FILE", help="Seeds in use: count as chosen.", show_default=False
            ),
        ] = None,
        only: Annotated[
            Conditions,
            typer.Option(
                rich_help_panel=WHICH,
                metavar="COND",
                help="Such as host=*.example, url=*/docs/*, clicks>0.",
                show_default=False,
            ),
        ] = None,
        exclude: Annotated[
            Conditions, typer.Option(rich_help_panel=WHICH, metavar="COND", help="The same.", show_default=False)
        ] = None,
        save: Annotated[bool, typer.Option("--save", help="Also write the answer into the database.")] = False,
    ) -> None:
        asked = question(method=name)
        with opened(settings, write=save) as bench:
            run, table = bench.seeds(asked, only=only or [], exclude=exclude or [], keep=keep, save=save)
        _tell(settings, run)
        emit(settings, table, title=f"{run.method} (run:{run.id})")

    return choose


@app.command("evaluate")
@shared("store", "database", "engine", "site", "format", "output", "top")
@asks("hops", *ALL_VALUES, "certify")
def evaluate(settings: Settings, question: Question, file: SeedFile) -> None:
    """How good is the list I have: what it covers, what each seed adds, which add nothing, which are dead.

    Example: seedrank seeds evaluate seeds.txt --hops 3
    """
    with opened(settings) as bench:
        run, table = bench.evaluate_seeds(file, question())
    facts = run.facts
    lost = ("unknown", "not crawled", "repeated", "add nothing")
    remark(settings, ", ".join(f"{facts[name]:,} {name}" for name in lost))
    _tell(settings, run)
    emit(settings, table, title=f"{file} (run:{run.id})")


@app.command("reduce")
@shared("store", "database", "engine", "site", "format", "output", "top")
@asks("hops", *ALL_VALUES, *SEARCHING)
def reduce(
    settings: Settings,
    question: Question,
    file: SeedFile,
    keep_share: Annotated[
        str, typer.Option("--keep-share", metavar="P%", help="Of what the whole list reaches, such as 99% or 0.99.")
    ] = "100%",
) -> None:
    """Choose the fewest seeds of a list that reach as much; the rows are the curve.

    Example: seedrank seeds reduce seeds.txt --keep-share 99% -o fewer.csv
    """
    with opened(settings) as bench:
        run, table = bench.reduce_seeds(file, question(), share_of(keep_share))
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


for _name, _help in METHODS.items():
    app.command(_name, help=_help)(
        shared("store", "database", "engine", "site", "rng", "format", "output", "top", "refresh")(_command(_name))
    )

app.command("cores")(cores)


def register(root: typer.Typer) -> None:
    """Add the command."""
    root.add_typer(
        app, name="seeds", help="Choose pages to start a crawl from, so that what they reach is worth the most."
    )
