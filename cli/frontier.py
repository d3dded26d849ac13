"""``seedrank frontier``: which uncrawled pages will matter to searchers."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Annotated

import typer

from cli.frontier_options import Ask, asks_of_frontier
from cli.open import opened
from cli.options import Settings, shared
from cli.output import emit, remark
from seedrank.core.shares import share_of

__all__ = ["register"]

app = typer.Typer(no_args_is_help=True, rich_markup_mode="rich")

WHICH = "Which pages"
_SHARED = ("store", "database", "engine", "site", "rng", "format", "output", "top", "refresh")
_QUERIES = (
    " A baseline for evaluation: it knows what people search for now, so it finds little that is new, and it is silent "
    "on pages whose URL and anchors show none of the words."
)

METHODS = {
    "random": "Frontier pages in random order: what every method must beat (Tran et al. 2015).",
    "indegree": "The pages that most crawled pages link to (Tran et al. 2015).",
    "pagerank": "PageRank over crawled and frontier pages, eq (3) (Tran et al. 2015).",
    "q-overlap": "Q-Overlap: pages with the words of poorly answered searches (Pandey and Olston 2008)." + _QUERIES,
    "q-hybrid": "Q-Hybrid: the average of Q-Overlap and PageRank (Tran et al. 2015)." + _QUERIES,
    "rw": "RW: a walk in which crawled pages with more impact count more, eq (5) (Tran et al. 2015).",
    "rw-eg": "RW-EG: RW over links and over virtual links to pages that share in-links, eq (10) (Tran et al. 2015).",
    "learned": "A model learnt from the scores of all methods (Tran et al. 2015); see `frontier learn`.",
}

Hide = Annotated[
    str, typer.Option(metavar="P%", help="Share of the crawled pages to hide, so that their impact is known.")
]
Truth = Annotated[
    str | None,
    typer.Option(
        metavar="FILE", show_default=False, help="Impact of frontier pages, known since (url or id): hide nothing."
    ),
]
Budget = Annotated[
    str | None, typer.Option(metavar="N|P%", help="How many frontier pages to choose.", show_default="all")
]
JudgedBudget = Annotated[str | None, typer.Option(metavar="N|P%", help="Pages to choose.", show_default="5%")]


def _command(name: str) -> Callable[..., None]:
    def choose(
        settings: Settings,
        ask: Ask,
        budget: Budget = None,
        only: Annotated[
            list[str] | None,
            typer.Option(
                rich_help_panel=WHICH, metavar="COND", help="Such as host=*.example, url=*/docs/*.", show_default=False
            ),
        ] = None,
        exclude: Annotated[
            list[str] | None, typer.Option(rich_help_panel=WHICH, metavar="COND", help="The same.", show_default=False)
        ] = None,
        model: Annotated[
            str | None,
            typer.Option(
                metavar="FILE",
                show_default=False,
                help="learned: a model of `frontier learn`; else one is learnt on hidden crawled pages.",
            ),
        ] = None,
        save: Annotated[bool, typer.Option("--save", help="Also write the answer into the database.")] = False,
        save_links: Annotated[
            bool, typer.Option("--save-links", help="Also write the virtual links into the database (CO_CITED).")
        ] = False,
    ) -> None:
        question = ask(name, budget)
        with opened(settings, write=save or save_links) as bench:
            run, table = bench.frontier(
                question, model=model, only=only or [], exclude=exclude or [], save=save, save_links=save_links
            )
        facts = run.facts
        remark(
            settings,
            f"{facts['budget']:,} of {facts['frontier']:,} frontier pages, from {facts['crawled']:,} crawled ones; "
            f"{100 * facts['share of crawled with impact']:.3g} % of these have {question.impact}",
        )
        if "virtual links" in facts:
            remark(settings, f"{facts['virtual links']:,} virtual links")
        emit(settings, table, title=f"{run.method} (run:{run.id})")

    return choose


@app.command("tune")
@shared(*_SHARED)
@asks_of_frontier
def tune(
    settings: Settings,
    ask: Ask,
    budget: JudgedBudget = None,
    hide: Hide = "35%",
    truth: Truth = None,
    resamples: Annotated[int, typer.Option(min=1, help="Of the .632 bootstrap.")] = 100,
) -> None:
    """Find ω and β of RW-EG on pages whose impact is known: 65 % of them tune, 35 % judge (Tran et al. 2015).

    Example: seedrank frontier tune --impact views --budget 5%
    """
    with opened(settings) as bench:
        run, experiment = bench.tune_frontier(ask(budget=budget), hide=share_of(hide), truth=truth, resamples=resamples)
    best = experiment.tables["best"].to_pylist()[0]
    remark(settings, f"best: --omega {best['omega']:g} --beta {best['beta']:g}")
    emit(settings, experiment.tables["grid"], title=f"{run.method} (run:{run.id})")


@app.command("learn")
@shared(*_SHARED)
@asks_of_frontier
def learn(
    settings: Settings,
    ask: Ask,
    model: Annotated[Path, typer.Option(metavar="FILE", help="Where the model goes (JSON).")] = Path("model.json"),
    kind: Annotated[
        str,
        typer.Option(
            metavar="tree|sgd|boosting",
            help="Regression tree (paper, Wikipedia), online linear (paper, web crawl), gradient-boosted trees.",
        ),
    ] = "tree",
    extras: Annotated[
        bool, typer.Option("--extras", help="Learn from impact of citing pages, virtual neighbours, URL depth too.")
    ] = False,
    budget: JudgedBudget = None,
    hide: Hide = "35%",
    truth: Truth = None,
) -> None:
    """Learn impact from the scores of all methods, on pages of known impact; shows what counts (Tran et al. 2015).

    Example: seedrank frontier learn --impact views --model views.json && seedrank frontier learned --model views.json
    """
    with opened(settings) as bench:
        run, experiment = bench.learn_frontier(
            ask(budget=budget), str(model), kind=kind, extras=extras, hide=share_of(hide), truth=truth
        )
    for row in experiment.tables["shares"].to_pylist():
        remark(settings, f"{row['method']}: {100 * row['share']:.1f} % of the ideal on pages not learnt from")
    remark(settings, f"wrote {model}")
    emit(settings, experiment.tables["importance"], title=f"{run.method} (run:{run.id})")


for _name, _help in METHODS.items():
    app.command(_name, help=_help)(shared(*_SHARED)(asks_of_frontier(_command(_name))))


def register(root: typer.Typer) -> None:
    """Add the command."""
    root.add_typer(app, name="frontier", help="Rank uncrawled pages by expected clicks or views (Tran et al. 2015).")
