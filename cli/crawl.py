"""``seedrank crawl``: in which order to fetch."""

from __future__ import annotations

import sys
from collections.abc import Callable
from typing import TYPE_CHECKING, Annotated, Any

import typer

from cli.experiment import Into
from cli.open import opened
from cli.options import Format, Settings, shared
from cli.output import emit, remark
from seedrank.core.errors import UsageError
from seedrank.core.shares import share_of

if TYPE_CHECKING:
    import pyarrow as pa

    from seedrank.crawl.question import CrawlQuestion
    from seedrank.runs import Run

__all__ = ["register"]

app = typer.Typer(no_args_is_help=True, rich_markup_mode="rich")

BUDGET, POLITE, ORDER = "When to stop", "Politeness", "The order"
INTERRUPTED = 130

ORDERS = {
    "fpr": "Fractional PageRank: every page hands its score on once; --inter-host-weight M is FPR@M (Alam et al.).",
    "rankmass": "RankMass: pages are pushed repeatedly, with a proved lower bound (Cho and Schonfeld 2007).",
    "windowed-rankmass": "Windowed RankMass: fetch the best part of the frontier, push all that is fetched, repeat.",
    "opic": "OPIC: the page with the most cash first (Abiteboul et al. 2003).",
    "l-neighbor": "Everything within L links of the seeds; L follows from --epsilon (28 for 0.01).",
    "bfs": "Breadth first: by discovery.",
    "backlink": "The most links seen so far (Cho et al. 1998).",
    "pagerank": "PageRank of what is known, scored again after every --every pages (Cho et al. 1998).",
    "larger-sites": "Larger sites first (Castillo and Baeza-Yates): the site with the most waiting pages.",
    "transdomain": "The most links from other registered domains (Fetterly et al. 2009).",
    "rw": "RW in batches: fetched pages show their links and their impact, and pass it on (Tran et al. 2015).",
    "rw-eg": "RW-EG in batches: RW over links and over pages cited together (Tran et al. 2015).",
    "omniscient": "The highest PageRank of the whole graph among discovered pages: no crawler can know it.",
    "random": "Any discovered page.",
}

Seeds = Annotated[
    str,
    typer.Option(metavar="FILE|METHOD:N|run:ID", help="Where to begin: a list of pages, a seeds method, or a run."),
]
Damping = Annotated[float, typer.Option(rich_help_panel=ORDER, help="d of the pushing orders and of pagerank.")]
Epsilon = Annotated[
    float | None,
    typer.Option(
        rich_help_panel=ORDER, show_default=False, help="rankmass: stop when 1 - ε is proved. l-neighbor: decides L."
    ),
]
Every = Annotated[
    str,
    typer.Option(
        rich_help_panel=ORDER,
        metavar="N|P%",
        help="Batch orders: score again after so many, or that part of the crawl.",
    ),
]
Impact = Annotated[str, typer.Option(rich_help_panel=ORDER, metavar="COLUMN", help="rw, rw-eg: clicks, views, …")]
Omega = Annotated[float, typer.Option(rich_help_panel=ORDER, help="rw-eg: share of links against virtual links.")]
Beta = Annotated[float, typer.Option(rich_help_panel=ORDER, help="rw, rw-eg: power of the out-degree.")]
Limit = Annotated[
    int | None, typer.Option("--limit", "--pages", rich_help_panel=BUDGET, show_default=False, help="Pages to fetch.")
]
Bytes = Annotated[float | None, typer.Option("--bytes", rich_help_panel=BUDGET, show_default=False, help="Bytes.")]
Hours = Annotated[float | None, typer.Option(rich_help_panel=BUDGET, show_default=False, help="Simulated hours.")]
PerHost = Annotated[
    int | None,
    typer.Option(
        rich_help_panel=BUDGET, show_default=False, help="Pages of one host at most (transdomain: of one domain)."
    ),
]
HostDelay = Annotated[float, typer.Option(rich_help_panel=POLITE, help="Seconds from one fetch of a host to its next.")]
Parallel = Annotated[int, typer.Option(rich_help_panel=POLITE, help="Fetchers side by side.")]
FetchSeconds = Annotated[float, typer.Option(rich_help_panel=POLITE, help="Seconds a fetch takes.")]
Value = Annotated[
    str | None,
    typer.Option(metavar="uniform|paper|COLUMN", show_default=False, help="Also measure what the pages are worth."),
]

_TAKEN = ("store", "database", "engine", "site", "rng", "format", "output", "top", "refresh")


def _command(name: str) -> Callable[..., None]:
    def crawl(
        settings: Settings,
        seeds: Seeds = "pagerank:160",
        inter_host_weight: Annotated[
            float, typer.Option(rich_help_panel=ORDER, metavar="M", help="fpr: a link to another host counts M times.")
        ] = 1.0,
        damping: Damping = 0.85,
        epsilon: Epsilon = None,
        window: Annotated[
            str, typer.Option(rich_help_panel=ORDER, metavar="P%", help="windowed-rankmass: part of the frontier.")
        ] = "5%",
        every: Every = "5%",
        partial: Annotated[
            bool, typer.Option("--partial", rich_help_panel=ORDER, help="pagerank: new pages count at once.")
        ] = False,
        impact: Impact = "clicks",
        omega: Omega = 0.8,
        beta: Beta = 0.0,
        limit: Limit = None,
        bytes: Bytes = None,
        hours: Hours = None,
        per_host: PerHost = None,
        host_delay: HostDelay = 0.0,
        parallel: Parallel = 1,
        fetch_seconds: FetchSeconds = 1.0,
        value: Value = None,
        save: Annotated[bool, typer.Option("--save", help="Also write the order into the database.")] = False,
    ) -> None:
        from seedrank.crawl.question import CrawlQuestion

        question = CrawlQuestion(
            order=name, damping=damping, inter_host_weight=inter_host_weight, epsilon=epsilon,
            window=_window(window), every=every, partial=partial, impact=impact, omega=omega, beta=beta,
            limit=limit, per_host=per_host, host_delay=host_delay, parallel=parallel, fetch_seconds=fetch_seconds,
            bytes=bytes, hours=hours,
            rng=settings.rng,
        )  # fmt: skip
        with opened(settings, write=save) as bench:
            run, table = bench.crawl(question, seeds, value=value, save=save)
        _tell(settings, run)
        emit(settings, table, title=f"{run.method} (run:{run.id})")
        if run.facts["partial"]:
            raise typer.Exit(INTERRUPTED)

    return crawl


@app.command("compare")
@shared(*_TAKEN)
def compare(
    settings: Settings,
    orders: Annotated[
        list[str],
        typer.Argument(metavar="ORDER...", help="Such as fpr fpr@2 windowed-rankmass:5% pagerank:partial bfs."),
    ],
    seeds: Seeds = "pagerank:160",
    damping: Damping = 0.85,
    epsilon: Epsilon = None,
    every: Every = "5%",
    impact: Impact = "clicks",
    omega: Omega = 0.8,
    beta: Beta = 0.0,
    limit: Limit = None,
    bytes: Bytes = None,
    hours: Hours = None,
    per_host: PerHost = None,
    host_delay: HostDelay = 0.0,
    parallel: Parallel = 1,
    fetch_seconds: FetchSeconds = 1.0,
    value: Value = None,
    into: Into = None,
) -> None:
    """Orders side by side, from the same seeds: effectiveness and run time, the two figures of Alam et al.

    Example: seedrank crawl compare fpr fpr@2 fpr@20 fpr@100 windowed-rankmass:5% bfs --into figures
    """
    from seedrank.crawl.question import CrawlQuestion, named

    base = _base(
        settings, damping=damping, every=every, impact=impact, omega=omega, beta=beta, limit=limit,
        per_host=per_host, host_delay=host_delay,
        parallel=parallel, fetch_seconds=fetch_seconds, bytes=bytes, hours=hours,
    )  # fmt: skip
    if epsilon is not None:
        base = CrawlQuestion(**{**_fields(base), "order": "rankmass", "epsilon": epsilon})
    for order in orders:
        named(order, base)
    with opened(settings) as bench:
        run, experiment = bench.compare_orders(orders, base, seeds, value=value)
    if into is not None:
        from seedrank.workbench import export

        remark(settings, f"wrote {len(export(experiment, into))} files into {into}")
    emit(settings, _narrow(settings, experiment.tables["orders"]), title=f"{run.method} (run:{run.id})")


def _narrow(settings: Settings, orders: pa.Table) -> pa.Table:
    """The main columns for people; files and pipes get all."""
    from seedrank.crawl.side_by_side import MAIN

    if settings.output is not None or not (settings.format is Format.table or sys.stdout.isatty()):
        return orders
    return orders.select([name for name in MAIN if name in orders.column_names])


def _base(settings: Settings, **given: Any) -> CrawlQuestion:
    from seedrank.crawl.question import CrawlQuestion

    return CrawlQuestion(rng=settings.rng, **given)


def _fields(question: CrawlQuestion) -> dict[str, Any]:
    from dataclasses import asdict

    return asdict(question)


def _window(text: str) -> float:
    try:
        return share_of(text if text.endswith("%") else f"{text}%")
    except UsageError:
        raise UsageError(f"{text!r} is no window", hint="write it like 5%") from None


def _tell(settings: Settings, run: Run) -> None:
    facts: dict[str, Any] = dict(run.facts)
    worth = f"{100 * facts['pagerank']:.2f} % of all PageRank (area {facts['pagerank_area']:.4f})"
    remark(
        settings,
        f"{facts['pages']:,} pages from {facts['seeds']:,} seeds, {facts['hosts']:,} hosts, {worth}; "
        f"{facts['seconds']:.2f} s of scheduling; {facts['stopped']}",
    )
    if facts.get("bound") is not None:
        remark(settings, f"at least {100 * facts['bound']:.2f} % of the RankMass of the seeds")
    if "hours" in facts:
        remark(settings, f"{facts['hours']:,.2f} simulated hours")
    if facts["partial"]:
        remark(settings, f"interrupted: what was fetched until then is kept, marked partial, as run:{run.id}")


for _name, _help in ORDERS.items():
    app.command(_name, help=_help)(shared(*_TAKEN)(_command(_name)))


def register(root: typer.Typer) -> None:
    """Add the command."""
    root.add_typer(app, name="crawl", help="Replay a crawl over the recorded graph, in the order a policy would fetch.")
