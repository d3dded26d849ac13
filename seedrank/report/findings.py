"""What to do, in a few sentences: read off the kept answers, for a terminal and for the top of the report."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from seedrank.core.errors import SeedrankError
from seedrank.core.levels import PLURAL, name_column
from seedrank.core.model import Status
from seedrank.core.numbers import counted
from seedrank.frontier.answer import trial_scores
from seedrank.frontier.methods import IMPACT_METHODS
from seedrank.frontier.quality import impact_shares
from seedrank.questions.frontier import FrontierQuestion
from seedrank.questions.seeds import SeedQuestion
from seedrank.runs import Run
from seedrank.session import Session

__all__ = ["IMPACTS", "findings", "impact_column", "missing"]

IMPACTS = ("clicks", "views")
"""Columns that count as impact where nobody names one, the first that has values."""
_TRIED = 0.1
"""Share of the hidden pages that may be fetched in the trial."""
_LARGEST_TRIAL = 5_000_000
"""Pages beyond which hiding some of them takes longer than people wait for a sentence."""


def impact_column(session: Session) -> str | None:
    """The column that says what pages are worth to searchers; `None` where there is none."""
    graph = session.graph
    return next((name for name in IMPACTS if name in graph.column_names and np.nansum(graph.column(name)) > 0), None)


def missing(session: Session) -> list[str]:
    """What the graph cannot answer, and what to load for it."""
    status = session.graph.status
    if not (status == Status.CRAWLED).any():
        return ["No page is crawled, so there are no seeds and no order: load links."]
    if not (status == Status.FRONTIER).any():
        return ["No page is known and not crawled, so there is no frontier to rank: load links that lead out."]
    if impact_column(session) is None:
        return ["No page has clicks or views: load clicks or views to rank the frontier by what people read."]
    return []


def findings(session: Session, runs: Sequence[Run]) -> list[str]:
    """Five to eight sentences with figures, about the answers among `runs`."""
    by_method = {run.method: run for run in sorted(runs, key=lambda run: run.order)}
    graph, nodes = session.graph, PLURAL[session.level]
    crawled = int((graph.status == Status.CRAWLED).sum())
    said = [f"The graph has {graph.pages:,} {nodes}, {crawled:,} of them crawled, and {counted(graph.links, 'link')}."]
    said += _seeds(session, by_method)
    said += _order(session, by_method)
    said += _frontier(session, by_method)
    return said


def _seeds(session: Session, by_method: dict[str, Run]) -> list[str]:
    chosen = [run for run in by_method.values() if isinstance(run.question, SeedQuestion)]
    best = max(chosen, key=lambda run: (run.facts.get("value", 0.0), run.order), default=None)
    if best is None or not best.facts.get("seeds"):
        return []
    facts: Any = best.facts
    many = counted(facts["seeds"], "seed")
    ratio = "" if facts["ratio"] is None else f", at least {100 * facts['ratio']:.0f} % of what any choice can"
    question = best.question
    assert isinstance(question, SeedQuestion)
    reach = f"Start from the {many} of {question.method}: within {counted(question.hops, 'link')} "
    said = [f"{reach}of one of them are {counted(facts['pages'], 'crawled page')}{ratio}."]
    others = []
    for name, words in (("seeds random", "random pages"), ("seeds pagerank", "the pages with the most PageRank")):
        other = by_method.get(name)
        if other is not None and other is not best and other.facts.get("seeds") == facts["seeds"]:
            others.append(f"{words} reach {counted(other.facts['pages'], 'page')}")
    if others:
        said.append(f"As many {' and '.join(others)}.")
    names = session.rows(session.kept.ranking(best)).slice(0, 1)
    address = names[name_column(names.column_names)][0].as_py()
    if address is not None:
        said.append(f"The first seed is {address}.")
    return said


def _order(session: Session, by_method: dict[str, Run]) -> list[str]:
    run = by_method.get("crawl compare")
    if run is None or (table := session.kept.table(run, "orders")) is None:
        return []
    rows = {row["order"]: row for row in table.to_pylist()}
    plain = rows.get("bfs")
    best = max((row for name, row in rows.items() if name != "bfs"), key=lambda row: row["pagerank_area"], default=None)
    if best is None:
        return []
    half = best.get("pagerank_pages_50")
    if half and plain and plain.get("pagerank_pages_50"):
        against = f", after {plain['pagerank_pages_50']:,} breadth first"
        return [f"Fetch in the order of {best['order']}: half of all PageRank is there after {half:,} pages{against}."]
    area = f"area {best['pagerank_area']:.3f}" + (
        f" against {plain['pagerank_area']:.3f} breadth first" if plain else ""
    )
    return [f"Fetch in the order of {best['order']}: it gathers PageRank the earliest ({area})."]


def _frontier(session: Session, by_method: dict[str, Run]) -> list[str]:
    ranked = [run for run in by_method.values() if isinstance(run.question, FrontierQuestion)]
    run = max(ranked, key=lambda run: (run.question.method in IMPACT_METHODS, run.order), default=None)  # type: ignore[union-attr]
    if run is None:
        return []
    question = run.question
    assert isinstance(question, FrontierQuestion)
    many = len(session.kept.ranking(run).pages)
    frontier = f"{run.facts['frontier']:,} on the frontier"
    said = [f"Fetch next the {counted(many, 'page')} of {question.method}, of {frontier}."]
    if question.method not in IMPACT_METHODS or question.model or session.graph.pages > _LARGEST_TRIAL:
        return said
    try:
        trial, scores = trial_scores(session, question)
    except SeedrankError:
        return said
    budget = max(1, int(_TRIED * len(trial.pages)))
    impact = np.zeros(session.graph.pages)
    impact[trial.pages] = trial.truth
    share = {
        name: 100 * float(impact_shares(impact[scores.ranked(name)], [budget])[0])
        for name in (question.method, "pagerank")
        if name != "learned"
    }
    if len(share) == 2:
        shown = f"{share[question.method]:.0f} % of the {question.impact} that the best choice finds"
        said.append(
            f"Tried on crawled pages that were hidden: with a tenth of them to fetch, {question.method} finds {shown}, "
            f"PageRank {share['pagerank']:.0f} %."
        )
    return said
