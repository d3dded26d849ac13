"""The first screen of the report: four decisions, each with its figure, a small chart and the command."""

from __future__ import annotations

import shlex
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from seedrank.core.model import Status
from seedrank.core.numbers import counted
from seedrank.output.advice import recommended_order, recommended_policy, recrawl_advice, seed_advice
from seedrank.output.charts.chart import Chart, Series
from seedrank.output.report.drawings import Drawn, drawn_small
from seedrank.output.report.findings import Wrong, best_frontier, best_seeds, shares_tried, wrongs
from seedrank.runs import Run
from seedrank.session import Session

__all__ = ["Card", "cards", "policy_chart"]

_FIRST = 0.2
"""Share of the fetches that the figure of an order is for."""
_FROM = 0.01
"""Where its chart begins, as a share of those."""


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
    """Where to start, what to fetch first, what next, when to come back, what looks wrong: those that answers decide.

    Parameters
    ----------
    runs
        Answers about the graph as it is.
    """
    asked = command or (lambda run: f"seedrank {run.method}")
    by_method = {run.method: run for run in sorted(runs, key=lambda run: run.order)}
    made = [_seeds(session, by_method, asked), _order(session, by_method, asked), _frontier(session, by_method, asked)]
    made.append(_recrawl(by_method, asked))
    there = [card for card in made if card is not None]
    return [*there, _wrong(session, best_seeds(by_method.values()), asked)] if there else []


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
            "Reached by the seeds",
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
    last = _FIRST * float(curves["pages"].to_numpy().max(initial=0))
    gathered = float(np.interp(last, pages, own["pagerank"].to_numpy().astype(np.float64)))
    # Before, there is nothing to see; beyond, all orders come to the same.
    seen = pc.and_(pc.greater_equal(curves["pages"], _FROM * last), pc.less_equal(curves["pages"], last))
    first = curves.filter(seen)
    chart = Chart(
        "card-order",
        "Gathered early",
        "pages fetched",
        "PageRank, %",
        _curves(first, "order", "pages", "pagerank", 100),
        log_x=True,
    )
    return Card(
        "Fetch first",
        f"{100 * gathered:.0f} %",
        f"of all PageRank is in the first fifth that {'breadth first' if name == 'bfs' else name} fetches",
        sentence,
        command(runs.get(f"crawl {name}", run)),
        drawn_small(chart),
    )


def _frontier(session: Session, runs: dict[str, Run], command: Callable[[Run], str]) -> Card | None:
    run = best_frontier(runs.values())
    if run is None:
        return None
    question: Any = run.question
    shares = shares_tried(session, run)
    ranking = session.runs.ranking(run)
    known = f"{run.facts['frontier']:,} on the frontier"
    words = f"Fetch the {counted(len(ranking.pages), 'page')} that {question.method} puts first, of {known}."
    if question.method in shares:
        values = 100 * np.array(list(shares.values()))
        chart = Chart(
            "card-frontier", f"{question.impact.capitalize()} found", "", "share of the best choice, %",
            [Series("", np.arange(len(shares), dtype=np.float64), values)], kind="bar", ticks=list(shares),
        )  # fmt: skip
        figure = f"{100 * shares[question.method]:.0f} %"
        unit = f"of the {question.impact} that the best choice finds, tried on hidden pages"
        return Card("Fetch next", figure, unit, words, command(run), drawn_small(chart))
    held = run.facts.get("share_of_score")
    if held is None:
        return Card("Fetch next", f"{len(ranking.pages):,}", "pages to fetch next", words, command(run))
    chosen = np.cumsum(ranking.scores)
    chart = Chart(
        "card-frontier", "Held by the first", "pages of the frontier", "score, %",
        [Series("", np.arange(1, len(chosen) + 1, dtype=np.float64), 100 * held * chosen / chosen[-1])], log_x=True,
    )  # fmt: skip
    unit = f"of the score of the whole frontier is on its first {counted(len(chosen), 'page')}"
    return Card("Fetch next", f"{100 * held:.0f} %", unit, words, command(run), drawn_small(chart))


def _recrawl(runs: dict[str, Run], command: Callable[[Run], str]) -> Card | None:
    run = runs.get("recrawl plan")
    if run is None:
        return None
    facts: Any = run.facts
    best = facts["compared"][recommended_policy(facts["compared"])]
    return Card(
        "Come back",
        f"{100 * best['freshness']:.0f} %",
        f"of what pages are worth is fresh with {facts['budget']:,.6g} fetches a day",
        recrawl_advice(run)[0],
        command(run),
        drawn_small(policy_chart(facts["compared"])),
    )


def policy_chart(compared: Mapping[str, Any]) -> Chart:
    """How fresh copies are by each policy of a plan."""
    values = np.array([100 * row["freshness"] for row in compared.values()])
    return Chart(
        "policies", "How fresh copies are", "", "fresh, by what pages are worth, %",
        [Series("", np.arange(len(values), dtype=np.float64), values)], kind="bar", ticks=list(compared),
        caption="Share of the time in which a copy is as the page is, at fixed intervals.",
    )  # fmt: skip


def _wrong(session: Session, best: Run | None, command: Callable[[Run], str]) -> Card:
    """The largest share of what looks wrong, with the others, and what lists it."""
    looked = wrongs(session, best)
    some = sorted((one for one in looked if one.count), key=lambda one: -one.percent)
    chart = None
    if looked:
        places, shares = np.arange(len(looked), dtype=np.float64), np.array([one.percent for one in looked])
        chart = Chart(
            "card-wrong", "Signs", "", "share, %", [Series("", places, shares)], kind="bar",
            ticks=[one.name for one in looked],
        )  # fmt: skip
    if some:
        worst, *others = some
        figure, unit = _percent(worst), f"of {worst.of:,} {worst.counted} {worst.said}"
        words = "; ".join(f"{_percent(one)} of {one.of:,} {one.counted} {one.said}" for one in others)
    else:
        figure, unit, words = "0 %", "of what was looked at" if looked else "was looked at: load URLs or labels", ""
    by_host = bool(some) and some[0].name == "hosts starve" and best is not None
    store = f"seedrank --store {shlex.quote(best.store)}" if best is not None else "seedrank"
    asked = f"{command(best)} --by host" if by_host and best is not None else f"{store} stats --suspicious"
    return Card("What looks wrong", figure, unit, f"Also: {words}." if words else "", asked, drawn_small(chart))


def _percent(one: Wrong) -> str:
    return f"{one.percent:.0f} %" if one.percent >= 1 else f"{one.percent:.1g} %"


def _curves(table: pa.Table, by: str, x: str, y: str, scale: float = 1.0) -> list[Series]:
    """A series per value of a column, in the order of the table."""
    series = []
    for name in dict.fromkeys(table[by].to_pylist()):
        own = table.filter(pc.equal(table[by], name))
        values = (own[column].to_numpy().astype(np.float64) for column in (x, y))
        along, up = values
        series.append(Series(name, along, scale * up))
    return series
