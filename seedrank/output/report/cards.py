"""The first screen of the report: four decisions, each with its figure, a small chart and the command."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from seedrank.core.model import Status
from seedrank.methods.worthless import savings
from seedrank.output.advice import recommended_order, seed_advice
from seedrank.output.charts.chart import Chart, Series
from seedrank.output.report.drawings import Drawn, drawn_small
from seedrank.output.report.findings import best_frontier, best_seeds, shares_tried
from seedrank.output.report.reasons import LARGEST
from seedrank.runs import Run
from seedrank.session import Session

__all__ = ["Card", "cards"]

_FIRST = 0.2
"""Share of the fetches that the figure of an order is for."""


@dataclass(frozen=True)
class Card:
    """A decision."""

    title: str
    figure: str
    unit: str
    """What it is about; its figure in large type, and what that counts."""
    decision: str
    """A sentence."""
    command: str
    """What asks this again, or asks for more."""
    chart: Drawn | None = None
    """Small; `None` where there is nothing to draw."""


def cards(session: Session, runs: Sequence[Run], command: Callable[[Run], str] | None) -> list[Card]:
    """Where to start, what to fetch first, what next, and what looks wrong: those that the answers decide.

    Parameters
    ----------
    runs
        Answers about the graph as it is.
    """
    asked = command or (lambda run: f"seedrank {run.method}")
    by_method = {run.method: run for run in sorted(runs, key=lambda run: run.order)}
    made = [_seeds(session, by_method, asked), _order(session, by_method, asked), _frontier(session, by_method, asked)]
    there = [card for card in made if card is not None]
    return [*there, _wrong(session, by_method)] if there else []


def _seeds(session: Session, runs: dict[str, Run], command: Callable[[Run], str]) -> Card | None:
    best = best_seeds(runs.values())
    if best is None or not best.facts.get("compared"):
        return None
    facts: Any = best.facts
    table = session.runs.table(best, "compared")
    chart = None
    if table is not None and facts["seeds"] > 1:
        chart = Chart(
            "card-seeds",
            "Reached by the first seeds",
            "seeds",
            "pages reached",
            _curves(table, "method", "seeds", "pages"),
        )
    crawled = max(int((session.graph.status == Status.CRAWLED).sum()), 1)
    return Card(
        "Start from",
        f"{100 * facts['pages'] / crawled:.0f} %",
        f"of the crawled pages are within reach of {facts['seeds']:,} seeds",
        seed_advice(best, session.level)[0],
        command(best),
        drawn_small(chart),
    )


def _order(session: Session, runs: dict[str, Run], command: Callable[[Run], str]) -> Card | None:
    run = runs.get("crawl compare")
    orders, curves = (None if run is None else session.runs.table(run, name) for name in ("orders", "curves"))
    if run is None or orders is None or curves is None:
        return None
    name, sentence = recommended_order(orders.to_pylist(), curves)
    own = curves.filter(pc.equal(curves["order"], name))
    pages = own["pages"].to_numpy().astype(np.float64)
    gathered = float(np.interp(_FIRST * pages.max(initial=0), pages, own["pagerank"].to_numpy().astype(np.float64)))
    chart = Chart(
        "card-order",
        "Gathered by the first fetches",
        "pages fetched",
        "PageRank, %",
        _curves(curves, "order", "pages", "pagerank", 100),
        log_x=True,
    )
    return Card(
        "Fetch first",
        f"{100 * gathered:.0f} %",
        f"of all PageRank is in the first fifth that {name} fetches",
        sentence,
        command(run),
        drawn_small(chart),
    )


def _frontier(session: Session, runs: dict[str, Run], command: Callable[[Run], str]) -> Card | None:
    run = best_frontier(runs.values())
    if run is None:
        return None
    shares = shares_tried(session, run)
    question: Any = run.question
    many = len(session.runs.ranking(run).pages)
    chart = None
    if shares:
        values = 100 * np.array(list(shares.values()))
        chart = Chart(
            "card-frontier", "Found with a tenth fetched", "", "share of the best choice, %",
            [Series("", np.arange(len(shares)).astype(np.float64), values)], kind="bar", ticks=list(shares),
        )  # fmt: skip
    words = f"Fetch the {many:,} pages that {question.method} puts first, of {run.facts['frontier']:,} on the frontier."
    figure = f"{100 * shares[question.method]:.0f} %" if question.method in shares else f"{many:,}"
    unit = (
        f"of the {question.impact} that the best choice finds, tried on hidden pages"
        if question.method in shares
        else "pages to fetch next"
    )
    return Card("Fetch next", figure, unit, words, command(run), drawn_small(chart))


def _wrong(session: Session, runs: dict[str, Run]) -> Card:
    """Spam that is labelled, duplicates, pages in traps, hosts that starve: shares of what there is."""
    graph = session.graph
    crawled = graph.status == Status.CRAWLED
    parts: dict[str, float] = {}
    if "spam" in graph.column_names:
        spam = graph.column("spam")
        parts["spam"] = 100 * float((spam > 0).sum()) / max(int((~np.isnan(spam)).sum()), 1)
    if graph.urls is not None and not session.is_derived and graph.pages <= LARGEST:
        repeated, trapped = savings(session)
        parts["duplicates"] = 100 * repeated / max(int(crawled.sum()), 1)
        parts["in traps"] = 100 * trapped / max(int(crawled.sum()), 1)
    best = best_seeds(runs.values())
    hosts = len(graph.host_names)
    starving = int(best.facts.get("hosts_starving", 0)) if best is not None else 0
    if hosts and best is not None:
        parts["hosts starve"] = 100 * starving / hosts
    worst = max(parts, key=lambda name: parts[name], default="")
    chart = None
    if parts:
        chart = Chart(
            "card-wrong", "What looks wrong", "", "share, %",
            [Series("", np.arange(len(parts)).astype(np.float64), np.array(list(parts.values())))],
            kind="bar", ticks=list(parts),
        )  # fmt: skip
    said = {
        "spam": "of the labelled pages are spam",
        "duplicates": "of the crawled pages repeat others of their host",
        "in traps": "of the crawled pages lie in traps",
        "hosts starve": f"of {hosts:,} hosts get less than a tenth of their share of what the seeds reach",
    }
    figure, unit = (f"{parts[worst]:.0f} %", said[worst]) if worst else ("–", "nothing to look at: load URLs or labels")
    words = "; ".join(f"{parts[name]:.1f} % {said[name]}" for name in parts if name != worst)
    return Card("What looks wrong", figure, unit, f"Also: {words}." if words else "", "seedrank stats --suspicious",
                drawn_small(chart))  # fmt: skip


def _curves(table: pa.Table, by: str, x: str, y: str, scale: float = 1.0) -> list[Series]:
    """A series per value of a column, in the order of the table."""
    series = []
    for name in dict.fromkeys(table[by].to_pylist()):
        own = table.filter(pc.equal(table[by], name))
        values = (own[column].to_numpy().astype(np.float64) for column in (x, y))
        along, up = values
        series.append(Series(name, along, scale * up))
    return series
