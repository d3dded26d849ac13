"""``seedrank stats``: the graph at a glance."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Annotated, Any

import typer

from seedrank.cli.ask import answer_to
from seedrank.cli.command import command
from seedrank.cli.options import Settings, column_for
from seedrank.cli.output import emit_answer, emit_object, printable, remark
from seedrank.questions.graph import StatsQuestion

if TYPE_CHECKING:
    from seedrank.methods.stats import Degrees, Distances, Stats

__all__ = ["app"]

app = typer.Typer()
_SHARED = ("store", "database", "site", "rng", "format", "output", "top", "refresh")


@command(app, "stats", *_SHARED, question=StatsQuestion)
def stats(
    settings: Settings,
    question: StatsQuestion,
    write: Annotated[str | None, column_for("the number of each page's strong component")] = None,
) -> None:
    """Show what the store holds: pages by status, links, hosts, degrees, components, columns, loads and runs.

    Example: seedrank stats --suspicious -o suspicious.csv
    """
    answer = answer_to(settings, question, read=question.suspicious, write=write)
    facts = answer.facts
    if question.suspicious:
        for sentence in facts["left_out"]:
            remark(settings, sentence)
        remark(settings, ", ".join(f"{kind} {facts[kind]:,}" for kind in facts if kind != "left_out"))
        emit_answer(settings, answer)
        return

    def drawn(console: Any) -> None:
        from seedrank.methods.stats import Stats

        draw(console, Stats.read(facts))

    emit_object(settings, dict(facts), drawn)


def draw(console: Any, stats: Stats) -> None:
    """Draw the statistics for people."""
    from rich import box
    from rich.columns import Columns
    from rich.panel import Panel
    from rich.table import Table
    from rich.text import Text

    from seedrank.core.levels import PLURAL

    def sheet(rows: list[tuple[str, str, str]]) -> Table:
        table = Table(box=None, show_header=False, pad_edge=False)
        table.add_column(style="dim")
        table.add_column(justify="right", style="bold")
        table.add_column(style="cyan")
        for row in rows:
            table.add_row(*(Text(part) for part in row))
        return table

    block = "#" if console.options.ascii_only else "█"
    nodes = PLURAL[stats.level]
    pages = [(nodes, f"{stats.pages:,}", "")]
    pages += [
        (f"  {name}", f"{count:,}", _bar(count, stats.pages, block))
        for name, count in (("crawled", stats.crawled), ("frontier", stats.frontier), ("missing", stats.missing))
    ]
    pages += [
        ("with URL" if stats.level == "page" else "with name", f"{stats.pages_with_url:,}", ""),
        ("dangling", f"{stats.dangling:,}", "crawled, no links"),
        ("isolated", f"{stats.isolated:,}", "no links either way"),
    ]
    links = [
        ("links", f"{stats.links:,}", "weighted" if stats.weighted else ""),
        *_sites(stats, block),
        ("strong components", f"{stats.components:,}", ""),
        ("  largest", f"{stats.largest_component:,}", _bar(stats.largest_component, stats.pages, block)),
        ("queries", f"{stats.queries:,}", f"{stats.results:,} results" if stats.results else ""),
    ]
    degrees = Table(box=None, pad_edge=False, header_style="dim")
    for name in (f"links per {stats.level}", "mean", "median", "90 %", "99 %", "max"):
        degrees.add_column(name, justify="left" if name.startswith("links per") else "right")
    degrees.add_row("out (crawled)", *_quantiles(stats.out_degree))
    degrees.add_row("in (all)", *_quantiles(stats.in_degree))
    panels = [
        Panel(sheet(pages), title=nodes.capitalize(), title_align="left", box=box.ROUNDED),
        Panel(sheet(links), title="Links", title_align="left", box=box.ROUNDED),
        Panel(degrees, title="Degrees", title_align="left", box=box.ROUNDED),
    ]
    if stats.distances is not None:
        far = sheet(_distances(stats.distances))
        panels.append(Panel(far, title=f"Distances between crawled {nodes}", title_align="left", box=box.ROUNDED))
    level = "" if stats.level == "page" else f"  level: {stats.level}"
    console.print(Text(f"{printable(stats.store)}  version {stats.version}{level}", style="bold"))
    console.print(Columns(panels))
    for line, style in _lines(stats, nodes):
        console.print(Text(line, style=style))


def _sites(stats: Stats, block: str) -> list[tuple[str, str, str]]:
    """Links between sites, hosts and sites; nothing where no page has a host."""
    if stats.inter_site_links is None:
        return []
    return [
        ("  between sites", f"{stats.inter_site_links:,}", _bar(stats.inter_site_links, stats.links, block)),
        ("hosts", f"{stats.hosts:,}", ""),
        ("sites", f"{stats.sites:,}", ""),
    ]


def _lines(stats: Stats, nodes: str) -> Iterator[tuple[str, str]]:
    """What is not known without hosts, columns, loads and runs, each line with its style."""
    if stats.pages and stats.inter_site_links is None:
        yield "No page has a host, so there are no sites: load URLs or a host column", "yellow"
    if stats.columns:
        filled = ", ".join(f"{printable(name)} ({count:,})" for name, count in stats.columns.items())
        yield f"Columns ({nodes} with a value): {filled}", ""
    for load in stats.loads:
        mark = "loaded" if load["state"] == "done" else "NOT FINISHED, repeat it:"
        yield f"{load['started']}  {mark} {printable(load['source'])}", "" if load["state"] == "done" else "bold red"
    yield f"Runs kept: {stats.runs:,}", ""


def _distances(found: Distances) -> list[tuple[str, str, str]]:
    """Name, number, and its interval or what it means."""

    def with_interval(value: float | None, low: float | None, high: float | None, unit: str = "") -> tuple[str, str]:
        if value is None:
            return "none", ""
        exact = low is None or high is None or low == high
        return f"{value:.4g}{unit}", "" if exact else f"[{low:.4g}, {high:.4g}]"

    share = [None if n is None else 100 * n for n in (found.reachable, found.reachable_low, found.reachable_high)]
    diameter = found.effective_diameter
    return [
        ("mean", *with_interval(found.mean, found.mean_low, found.mean_high)),
        ("effective diameter", "none" if diameter is None else f"{diameter:.4g}", "90 % of the pairs"),
        ("reachable pairs", *with_interval(share[0], share[1], share[2], " %")),
        ("by", found.method, f"{found.n:,} {found.unit}"),
    ]


def _quantiles(degrees: Degrees) -> list[str]:
    numbers = (degrees.median, degrees.p90, degrees.p99, degrees.max)
    return [f"{degrees.mean:.1f}", *(f"{number:,}" for number in numbers)]


def _bar(part: int, whole: int, block: str, width: int = 12) -> str:
    if not whole:
        return ""
    return block * max(round(width * part / whole), 1 if part else 0) + f" {100 * part / whole:.1f} %"
