"""``seedrank demo``: the whole tour on a synthetic web."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from cli.options import Settings, shared
from cli.output import printable, remark
from cli.progress import reporter
from seedrank.core.errors import UsageError

if TYPE_CHECKING:
    from collections.abc import Callable

    from loaders.table import TableSource
    from seedrank.evaluate.experiment import Experiment
    from seedrank.runs import Run
    from seedrank.workbench import Workbench

__all__ = ["register"]

_MARK = ".seedrank-demo"
_KINDS = ("pages", "links", "hosts", "queries", "results")


@shared("store_memory")
def demo(
    settings: Settings,
    folder: Annotated[Path, typer.Argument(metavar="[DIR]", help="Where everything goes.")] = Path("demo"),
    pages: Annotated[int, typer.Option(help="Pages of the synthetic web.")] = 50_000,
) -> None:
    """Make a synthetic web, load it into an embedded store, ask it everything, and write a report.

    The four papers' experiments run with --quick; seeds, a crawl order and a ranking of the frontier are chosen; the
    seeds are exported for Apache Nutch. Everything ends in DIR; a demo that is there is made anew.
    """
    import time

    import seedrank
    from cli.repeat import command_of
    from seedrank.synthetic import WebSpec, write_tables

    web = WebSpec(pages)
    _start_anew(folder)
    progress = reporter(settings)
    started = time.monotonic()

    def step(text: str) -> None:
        remark(settings, f"[{time.monotonic() - started:3.0f} s] {text}")

    step(f"making a synthetic web of {pages:,} pages in {folder / 'web'}")
    tables = write_tables(web, folder / "web", progress=progress)
    store = folder / "web.lbug"
    step(f"loading it into {store}")
    with seedrank.open(str(store), create=True, store_memory=settings.store_memory, progress=progress) as bench:
        bench.load(_source(tables))
        made = _experiments(bench, tables / "truth.parquet", step)
        step("choosing seeds, ordering a crawl, ranking the frontier")
        answers = _answers(bench)
        step("exporting the seeds for Apache Nutch, writing the report")
        bench.export("nutch-seeds", answers["seeds"], folder / "nutch-seeds.txt")
        bench.report(folder / "report.html", command=command_of)
    for sentence in _findings(made, answers):
        typer.echo(f"- {printable(sentence)}")
    typer.echo(_tally(made))
    _say_what_next(folder / "report.html", store)


def _start_anew(folder: Path) -> None:
    """Make an empty folder in the place of an older demo, and of nothing else."""
    import shutil

    if folder.exists():
        if not (folder / _MARK).exists():
            raise UsageError(f"{folder} exists and was not made by `seedrank demo`", hint="name another folder")
        shutil.rmtree(folder)
    folder.mkdir(parents=True)
    (folder / _MARK).touch()


def _source(tables: Path) -> TableSource:
    """The tables of the web that are loaded."""
    from loaders.table import TableSource

    pages, links, hosts, queries, results = ([str(tables / f"{kind}.parquet")] for kind in _KINDS)
    return TableSource(pages=pages, links=links, hosts=hosts, queries=queries, results=results)


def _experiments(bench: Workbench, truth: Path, step: Callable[[str], None]) -> dict[str, Experiment]:
    """The quick experiment of each paper, by name."""
    made = {}
    for name, options in (
        ("coverage", {"min_pages": 30}),
        ("cores", {}),
        ("ordering", {}),
        ("impact", {"truth": str(truth)}),
    ):
        step(f"experiment {name}, quick")
        made[name] = bench.experiment(name, quick=True, **options).experiment
    return made


def _answers(bench: Workbench) -> dict[str, Run]:
    return {
        "cores": bench.cores().run,
        "frontier": bench.frontier("rw-eg", budget="1%").run,
        "crawl": bench.crawl("fpr@20", limit=5_000).run,
        "seeds": bench.seeds("maxweight", k=10).run,
    }


def _findings(made: dict[str, Experiment], answers: dict[str, Run]) -> list[str]:
    """What is most interesting, a sentence each."""
    facts = answers["seeds"].facts
    coverage, orders = made["coverage"].table, made["ordering"].tables["paper-seeds"].to_pandas().set_index("order")
    at = coverage[(coverage.along == "k") & (coverage.k == 1) & (coverage.measure == "value")]
    best = at.loc[at.over_random.idxmax()]
    cores = made["cores"].tables["sizes"].to_pandas()
    largest = cores.loc[(cores.hubs + cores.authorities).idxmax()]
    impact = made["impact"].tables["summary"].to_pandas()
    share = impact[(impact.part == "all") & (impact.budget == impact.budget.max())].set_index("method").share
    pages: dict[str, Any] = orders.pagerank_pages_50.to_dict()
    return [
        f"10 seeds cover {facts['pages']:,} crawled pages; no choice is worth more than {facts['bound']:,.0f}, "
        f"so this one is at least {100 * facts['ratio']:.0f} % of the best.",
        f"With one seed a site, {best.method} covers {best.over_random:.0f} % more value than a random page "
        f"[{best.low:.0f}, {best.high:.0f}].",
        f"The largest of {len(cores)} communities, {largest['name']!r}, has {largest.hubs:,} hubs that all link to the "
        f"same {largest.authorities:,} authorities.",
        f"Half of all PageRank is fetched after {pages['fpr@20']:,.0f} pages by FPR@20, after {pages['bfs']:,.0f} "
        "breadth first.",
        f"Of the clicks the best tenth of the frontier will earn, RW-EG finds {100 * share['rw-eg']:.0f} %, PageRank "
        f"{100 * share['pagerank']:.0f} %.",
    ]


def _tally(made: dict[str, Experiment]) -> str:
    verdicts = [claim.verdict for experiment in made.values() for claim in experiment.claims if not claim.part]
    return (
        f"Of {len(verdicts)} claims of the papers {verdicts.count('holds')} hold here, by construction (this web is "
        f"made), {verdicts.count('does not hold')} do not, {verdicts.count('cannot be judged')} cannot be judged."
    )


def _say_what_next(report: Path, store: Path) -> None:
    typer.echo(f"\nOpen {printable(report)} in a browser. Then:")
    for line in (
        "seeds greedy -k 10                 # the best seeds there are",
        "crawl compare fpr fpr@20 bfs       # orders side by side",
        "frontier rw-eg --budget 1%         # what to fetch next",
        'query "MATCH (p:Page) RETURN p.url LIMIT 5"',
    ):
        typer.echo(f"  seedrank --store {printable(store)} {line}")


def register(root: typer.Typer) -> None:
    """Add the command."""
    root.command("demo")(demo)
