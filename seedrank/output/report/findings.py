"""What to do, in a few sentences: read off the kept answers, for a terminal and for the top of the report."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np

from seedrank.core.errors import SeedrankError
from seedrank.core.levels import PLURAL, name_column
from seedrank.core.model import Status
from seedrank.core.numbers import counted
from seedrank.methods.frontier.answer import trial_scores
from seedrank.methods.frontier.methods import IMPACT_METHODS
from seedrank.methods.frontier.quality import impact_shares
from seedrank.output.report.reasons import LARGEST
from seedrank.questions.frontier import FrontierQuestion
from seedrank.questions.seeds import SeedQuestion
from seedrank.runs import Run
from seedrank.session import Session

__all__ = ["IMPACTS", "best_frontier", "best_seeds", "findings", "impact_column", "missing", "orders_compared"]

IMPACTS = ("clicks", "views")
"""Columns that count as impact where nobody names one, the first that has values."""
_TRIED = 0.1
"""Share of the hidden pages that may be fetched in the trial."""
_ALIKE = 0.95
"""An order that needs more than this part of the pages of another is no better."""
_POINT = 0.01


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


def best_seeds(runs: Iterable[Run]) -> Run | None:
    """The run whose seeds are worth the most; `None` where no seeds were chosen."""
    chosen = [run for run in runs if isinstance(run.question, SeedQuestion) and run.facts.get("seeds")]
    return max(chosen, key=lambda run: (run.facts.get("value", 0.0), run.order), default=None)


def best_frontier(runs: Iterable[Run]) -> Run | None:
    """The ranking of the frontier to follow: the latest of a method that looks at impact, else the latest."""
    asked = [(run, run.question) for run in runs]
    found = [(run, question.method) for run, question in asked if isinstance(question, FrontierQuestion)]
    best = max(found, key=lambda one: (one[1] in IMPACT_METHODS, one[0].order), default=None)
    return best[0] if best else None


def _seeds(session: Session, by_method: dict[str, Run]) -> list[str]:
    best = best_seeds(by_method.values())
    if best is None:
        return []
    facts: Any = best.facts
    question = best.question
    assert isinstance(question, SeedQuestion)
    many = counted(facts["seeds"], "seed")
    ratio = ""
    if facts["ratio"] is not None:
        share = f"{100 * facts['ratio']:.0f} %"
        # The bound is everything there is, which no choice of seeds may reach.
        of_all = facts.get("bound_form") == "all"
        ratio = f", {share} of all there is" if of_all else f", at least {share} of the best that {many} can do"
    reach = f"Start from the {many} of {question.method}: within {counted(question.hops, 'link')} "
    said = [f"{reach}of one of them are {counted(facts['pages'], 'crawled page')}{ratio}."]
    others = []
    for name, words in (("seeds random", "random pages"), ("seeds pagerank", "the pages with the most PageRank")):
        other = by_method.get(name)
        if other is not None and other is not best and other.facts.get("seeds") == facts["seeds"]:
            others.append(f"{words} reach {counted(other.facts['pages'], 'page')}")
    if others:
        said.append(f"As many {' and '.join(others)}.")
    ranking = session.kept.ranking(best)
    names = session.of_run(best).rows(ranking).slice(0, 1)
    address = names[name_column(names.column_names)][0].as_py()
    if address is not None and "gain_pages" in ranking.columns:
        alone = counted(int(ranking.columns["gain_pages"][0]), "crawled page")
        said.append(f"The first seed is {address}: alone it reaches {alone}.")
    return said


def _order(session: Session, by_method: dict[str, Run]) -> list[str]:
    run = by_method.get("crawl compare")
    if run is None or (table := session.kept.table(run, "orders")) is None:
        return []
    return orders_compared(table.to_pylist())


def orders_compared(orders: Sequence[dict[str, Any]]) -> list[str]:
    """Which order to follow, of the rows of a comparison, and by how much it is better than breadth first."""
    rows = {row["order"]: row for row in orders}
    plain = rows.get("bfs")
    best = max((row for name, row in rows.items() if name != "bfs"), key=lambda row: row["pagerank_area"], default=None)
    if best is None:
        return []
    half = best.get("pagerank_pages_50")
    if half and plain and plain.get("pagerank_pages_50"):
        gathered = f"half of all PageRank is gathered after {half:,} pages"
        takes = f"breadth first takes {plain['pagerank_pages_50']:,}"
        alike = half > _ALIKE * plain["pagerank_pages_50"]
        advice = "The order hardly matters here: with {}" if alike else "Fetch in the order of {}:"
        return [f"{advice.format(best['order'])} {gathered}; {takes}.", *_spam(best, plain)]
    area = f"area {best['pagerank_area']:.3f}" + (
        f" against {plain['pagerank_area']:.3f} breadth first" if plain else ""
    )
    return [f"Fetch in the order of {best['order']}: it gathers PageRank the earliest ({area})."]


def _spam(best: dict[str, Any], plain: dict[str, Any]) -> list[str]:
    """What both orders fetch of spam in the beginning, where that differs by a point or more."""
    ours, theirs = best.get("spam_10"), plain.get("spam_10")
    if ours is None or theirs is None or abs(ours - theirs) < _POINT:
        return []
    shown = f"{100 * ours:.1f} % is spam with {best['order']}, {100 * theirs:.1f} % breadth first"
    return [f"Of the labelled pages among the first tenth that is fetched {shown}."]


def _frontier(session: Session, by_method: dict[str, Run]) -> list[str]:
    run = best_frontier(by_method.values())
    if run is None:
        return []
    question = run.question
    assert isinstance(question, FrontierQuestion)
    many = len(session.kept.ranking(run).pages)
    known = f"{run.facts['frontier']:,} on the frontier (known, not crawled)"
    said = [f"Fetch next the {counted(many, 'page')} that {question.method} puts first, of {known}."]
    if question.method not in IMPACT_METHODS or question.model or session.graph.pages > LARGEST:
        return said
    try:
        trial, scores = trial_scores(session.view_of(question), question)
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
