"""``seedrank seeds``: where to start a crawl."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Annotated, Any

import typer

from cli.open import opened
from cli.options import Settings, shared
from cli.output import emit, remark
from cli.seed_cores import cores
from seedrank.core.errors import UsageError

if TYPE_CHECKING:
    from seedrank.runs import Run
    from seedrank.seeds.ask import SeedQuestion

__all__ = ["register"]

app = typer.Typer(no_args_is_help=True, rich_markup_mode="rich")

VALUE, SITES, WHICH = "What a page is worth", "Sites", "Which pages"

METHODS = {
    "random": "Random crawled pages: what every method must beat (paper 000).",
    "pagerank": "The pages with the highest PageRank of the whole graph (paper 000).",
    "outdegree": "The pages that link to the most crawled pages (paper 000).",
    "maxout": "MaxOut (paper 000): again and again the uncovered page with the most uncovered pages it links to.",
    "maxweight": "MaxWeight (paper 000): again and again the page whose d-hop ball is worth the most.",
    "maxscc": "MaxSCC (paper 000): the heaviest d-hop ball inside the heaviest strong component.",
    "rootscc": "RootSCC (paper 000): the heaviest d-hop ball in the heaviest root component above the heaviest one.",
    "greedy": "Exact greedy of Algorithm 1 (paper 000): the page whose whole h-hop ball adds the most.",
}

Hops = Annotated[int, typer.Option(help="How many links a seed reaches.")]
Value = Annotated[
    str,
    typer.Option(rich_help_panel=VALUE, metavar="uniform|paper|COLUMN", help="1 per crawled page, the paper's rules, "
                 "or a page column."),
]  # fmt: skip
Certify = Annotated[bool, typer.Option("--certify", help="Sum the ball of every candidate for a tight bound.")]


def _command(name: str) -> Callable[..., None]:
    def choose(
        settings: Settings,
        k: Annotated[int, typer.Option("-k", help="Seeds at most; in every site with --per-site.")] = 5,
        hops: Hops = 5,
        depth: Annotated[int, typer.Option(help="d of maxweight, maxscc and rootscc.")] = 2,
        value: Value = "uniform",
        value_base: Annotated[float, typer.Option(rich_help_panel=VALUE, help="paper: a crawled page.")] = 1.0,
        value_spam: Annotated[float, typer.Option(rich_help_panel=VALUE, help="paper: a spam page.")] = -10.0,
        value_clicked: Annotated[float, typer.Option(rich_help_panel=VALUE, help="paper: a clicked page.")] = 10.0,
        spam_bonus: Annotated[
            bool,
            typer.Option(
                "--spam-bonus", rich_help_panel=VALUE, help="paper, literally: uncrawled links lift spam too."
            ),
        ] = False,
        history: Annotated[
            str | None,
            typer.Option(
                rich_help_panel=VALUE,
                metavar="FILE",
                show_default=False,
                help="paper: past crawls as a table host, fetched, unique.",
            ),
        ] = None,
        keep: Annotated[
            str | None,
            typer.Option(
                rich_help_panel=WHICH, metavar="FILE", help="Seeds in use: count as chosen.", show_default=False
            ),
        ] = None,
        only: Annotated[
            list[str] | None,
            typer.Option(
                rich_help_panel=WHICH,
                metavar="COND",
                help="Such as host=*.example, url=*/docs/*, clicks>0.",
                show_default=False,
            ),
        ] = None,
        exclude: Annotated[
            list[str] | None, typer.Option(rich_help_panel=WHICH, metavar="COND", help="The same.", show_default=False)
        ] = None,
        per_site: Annotated[
            bool, typer.Option("--per-site", rich_help_panel=SITES, help="K in every site; sites are apart.")
        ] = False,
        allocate: Annotated[
            str | None,
            typer.Option(
                rich_help_panel=SITES,
                metavar="equal|pages|pagerank|harmonic|COLUMN",
                show_default=False,
                help="K in all, split over the sites.",
            ),
        ] = None,
        min_pages: Annotated[int, typer.Option(rich_help_panel=SITES, help="Leave out smaller sites.")] = 1,
        min_external_inlinks: Annotated[
            int, typer.Option(rich_help_panel=SITES, help="Leave out sites with fewer links from elsewhere.")
        ] = 0,
        always_k: Annotated[bool, typer.Option("--always-k", help="Add seeds even where they add nothing.")] = False,
        repeats: Annotated[int, typer.Option(help="random: draw so often and report the mean.")] = 1,
        certify: Certify = False,
        save: Annotated[bool, typer.Option("--save", help="Also write the answer into the database.")] = False,
    ) -> None:
        from seedrank.seeds.ask import SeedQuestion
        from seedrank.seeds.value import PaperRules

        question = SeedQuestion(
            method=name, k=k, hops=hops, depth=depth, value=value,
            rules=PaperRules(value_base, value_spam, value_clicked, spam_bonus),
            history=None if history is None else _history(history),
            per_site=per_site, allocate=allocate, min_pages=min_pages, min_external_inlinks=min_external_inlinks,
            always_k=always_k, rng=settings.rng, repeats=repeats, certify=certify,
        )  # fmt: skip
        with opened(settings, write=save) as bench:
            run, table = bench.seeds(question, only=only or [], exclude=exclude or [], keep=keep, save=save)
        _tell(settings, run)
        emit(settings, table, title=f"{run.method} (run:{run.id})")

    return choose


def _question(hops: int, value: str, certify: bool = False) -> SeedQuestion:
    from seedrank.seeds.ask import SeedQuestion

    return SeedQuestion(hops=hops, value=value, certify=certify)


@app.command("evaluate")
@shared("store", "database", "engine", "site", "format", "output", "top")
def evaluate(
    settings: Settings,
    file: Annotated[str, typer.Argument(metavar="FILE", help="Seeds: one URL or id a line, or a table.")],
    hops: Hops = 5,
    value: Value = "uniform",
    certify: Certify = False,
) -> None:
    """How good is the list I have: what it covers, what each seed adds, which add nothing, which are dead.

    Example: seedrank seeds evaluate seeds.txt --hops 3
    """
    with opened(settings) as bench:
        run, table = bench.evaluate_seeds(file, _question(hops, value, certify))
    facts = run.facts
    lost = ("unknown", "not crawled", "repeated", "add nothing")
    remark(settings, ", ".join(f"{facts[name]:,} {name}" for name in lost))
    _tell(settings, run)
    emit(settings, table, title=f"{file} (run:{run.id})")


@app.command("reduce")
@shared("store", "database", "engine", "site", "format", "output", "top")
def reduce(
    settings: Settings,
    file: Annotated[str, typer.Argument(metavar="FILE", help="Seeds: one URL or id a line, or a table.")],
    share: Annotated[
        str, typer.Option("--keep-share", metavar="P%", help="Of what the whole list reaches, such as 99% or 0.99.")
    ] = "100%",
    hops: Hops = 5,
    value: Value = "uniform",
) -> None:
    """Choose the fewest seeds of a list that reach as much; the rows are the curve.

    Example: seedrank seeds reduce seeds.txt --keep-share 99% -o fewer.csv
    """
    with opened(settings) as bench:
        run, table = bench.reduce_seeds(file, _question(hops, value), _share(share))
    facts = run.facts
    part = 100 * facts["value"] / facts["value of all"] if facts["value of all"] else 0.0
    remark(settings, f"{facts['seeds']:,} of {facts['of']:,} seeds reach {part:.2f} % of what all reach")
    emit(settings, table, title=f"{run.method} (run:{run.id})")


def _tell(settings: Settings, run: Run) -> None:
    facts: dict[str, Any] = dict(run.facts)
    ratio = "" if facts["ratio"] is None else f", {100 * facts['ratio']:.1f} % of it"
    remark(
        settings,
        f"{facts['seeds']:,} seeds cover {facts['pages']:,} pages worth {facts['value']:,.6g}; "
        f"no choice is worth more than {facts['bound']:,.6g} ({facts['bound form']} bound){ratio}",
    )
    if "mean value" in facts:
        remark(settings, f"mean value of all repeats {facts['mean value']:,.6g} ± {facts['standard error']:,.3g}")
    if "stopped" in facts:
        remark(settings, f"stopped early: {facts['stopped']}")


def _share(text: str) -> float:
    try:
        return float(text.removesuffix("%")) / 100 if text.endswith("%") else float(text)
    except ValueError:
        raise UsageError(f"{text!r} is no share", hint="write it like 99%") from None


def _history(file: str) -> dict[str, tuple[float, float]]:
    from loaders.history import read_history

    return read_history(file)


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
