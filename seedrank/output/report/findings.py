"""What to do, in a few sentences: read off the kept answers, for a terminal and for the top of the report."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

import numpy as np

from seedrank.core.errors import SeedrankError
from seedrank.core.levels import PLURAL, name_column
from seedrank.core.model import Status
from seedrank.core.numbers import counted
from seedrank.methods.frontier.methods import IMPACT_METHODS
from seedrank.methods.frontier.tried import tried
from seedrank.methods.worthless import duplicates_of, trapped
from seedrank.output.advice import order_advice, recrawl_advice, seed_advice
from seedrank.output.report.reasons import LARGEST
from seedrank.questions.frontier import FrontierQuestion
from seedrank.questions.question import default_of
from seedrank.questions.seeds import SeedQuestion
from seedrank.runs import Run
from seedrank.session import Session

__all__ = [
    "IMPACTS",
    "Wrong",
    "best_frontier",
    "best_seeds",
    "findings",
    "impact_column",
    "missing",
    "shares_tried",
    "wrongs",
]


_WORTH_SAYING = 0.01
IMPACTS = ("clicks", "views")
"""Columns that count as impact where nobody names one, the first that has values."""


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
        return ["No page has clicks or views: load them to rank the frontier by what people read."]
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
    said += [sentence for run in by_method.values() for sentence in recrawl_advice(run)]
    seeds = best_seeds(by_method.values())
    if len(said) > 1:
        said += _wrong(session, seeds)
    return [*said, *_savings(session, None if seeds is None else seeds.question)]


def _wrong(session: Session, seeds: Run | None) -> list[str]:
    """What looks wrong, in a sentence; none where there is nothing to look at."""
    looked = wrongs(session, seeds)
    some = [f"{one.count:,} of {one.of:,} {one.counted} {one.said}" for one in looked if one.count]
    if not some:
        return ["Nothing looks wrong: 0 " + ", 0 ".join(f"{one.counted} {one.said}" for one in looked) + "."] * bool(
            looked
        )
    return [f"What looks wrong: {'; '.join(some)}."]


def _savings(session: Session, asked: object) -> list[str]:
    """What duplicates and traps cost that were not left out, where that is a hundredth of the pages or more."""
    if session.is_derived or session.graph.urls is None or session.graph.pages > LARGEST:
        return []
    said = []
    if not getattr(asked, "fold", False) and (some := _shares(session, duplicates_of(session).flags)):
        largest = duplicates_of(session).folders[0]
        said.append(
            f"{some} repeat others of their host, such as those below {largest.folder}: `--fold` counts them once."
        )
    if not getattr(asked, "no_traps", False) and (some := _shares(session, trapped(session))):
        said.append(
            f"{some} look like traps, addresses without end: `seedrank stats --suspicious` lists where they are, "
            "`--no-traps` leaves them out."
        )
    return said


def _shares(session: Session, flags: np.ndarray) -> str:
    """How many crawled pages and how many of the frontier, where either is worth saying."""
    parts = []
    for status, word in ((Status.CRAWLED, "crawled pages"), (Status.FRONTIER, "frontier pages")):
        own = session.graph.status == status
        count = int((flags & own).sum())
        if count and count >= _WORTH_SAYING * own.sum():
            parts.append(f"{count:,} {word} ({100 * count / own.sum():.0f} %)")
    return " and ".join(parts)


def best_seeds(runs: Iterable[Run]) -> Run | None:
    """Seeds that stand beside others, else those that are worth the most; `None` where no seeds were chosen."""
    chosen = [run for run in runs if isinstance(run.question, SeedQuestion) and run.facts.get("seeds")]
    return max(
        chosen,
        key=lambda run: (bool(run.facts.get("compared")), run.facts.get("value", 0.0), run.order),
        default=None,
    )


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
    said = seed_advice(best, session.level) or [_reach(best)]
    ranking = session.runs.ranking(best)
    names = session.of_run(best).rows(ranking).slice(0, 1)
    address = names[name_column(names.column_names)][0].as_py()
    if address is not None and "gain_pages" in ranking.columns:
        alone = counted(int(ranking.columns["gain_pages"][0]), "crawled page")
        said.append(f"The first seed is {address}: alone it reaches {alone}.")
    return said


def _reach(run: Run) -> str:
    """What the seeds of a method reach that was not compared with others."""
    question, facts = run.question, run.facts
    assert isinstance(question, SeedQuestion)
    return (
        f"Start from the {counted(facts['seeds'], 'seed')} of {question.method}: within "
        f"{counted(question.hops, 'link')} of one of them are {counted(facts['pages'], 'crawled page')}."
    )


def _order(session: Session, by_method: dict[str, Run]) -> list[str]:
    run = by_method.get("crawl compare")
    if run is None or (table := session.runs.table(run, "orders")) is None:
        return []
    curves = session.runs.table(run, "curves")
    return [] if curves is None else order_advice(table.to_pylist(), curves)


def _frontier(session: Session, by_method: dict[str, Run]) -> list[str]:
    run = best_frontier(by_method.values())
    if run is None:
        return []
    question = run.question
    assert isinstance(question, FrontierQuestion)
    many = counted(len(session.runs.ranking(run).pages), "page")
    said = (
        f"Fetch next the {many} that `frontier {question.method}` puts first, of {run.facts['frontier']:,} on the "
        "frontier (known, not crawled)"
    )
    if question.method == "trust":
        part = 100 * len(session.runs.ranking(run).pages) / max(run.facts["frontier"], 1)
        held = 100 * run.facts.get("share_of_score", 0.0)
        return [
            f"{said}: that {part:.0f} % holds {held:.0f} % of the score of all, which is PageRank that begins in every "
            "host alike."
        ]
    shares = shares_tried(session, run)
    if question.method not in shares:
        return [f"{said}."]
    others = ", ".join(f"{name} {100 * share:.0f} %" for name, share in shares.items() if name != question.method)
    return [
        f"{said}: tried on crawled pages that were hidden, a tenth of them fetched, it finds "
        f"{100 * shares[question.method]:.0f} % of the {question.impact} that the best choice finds; {others}."
    ]


def shares_tried(session: Session, run: Run) -> dict[str, float]:
    """What methods find on hidden pages for the impact of a ranking, best first; nothing where none can be tried."""
    question = run.question
    if not isinstance(question, FrontierQuestion) or question.method == "trust" or question.model:
        return {}
    if impact_column(session) is None or session.graph.pages > LARGEST:
        return {}
    method = default_of(FrontierQuestion, "method")
    try:
        anew = replace(question, method=method, only=(), exclude=(), fold=False, no_traps=False)
        return tried(session.view_of(question), anew)
    except SeedrankError:
        return {}


@dataclass(frozen=True)
class Wrong:
    """A sign that something is wrong."""

    name: str
    """A word or two, for a chart."""
    count: int
    of: int
    """How many show it, and how many there are."""
    counted: str
    said: str
    """What they are, and what is wrong with those that show it."""

    @property
    def percent(self) -> float:
        """Share of all, in per cent."""
        return 100 * self.count / max(self.of, 1)


def wrongs(session: Session, seeds: Run | None) -> list[Wrong]:
    """The signs that can be looked for here, found or not.

    Parameters
    ----------
    seeds
        The seeds whose reach is looked at; `None` where none were chosen.
    """
    graph = session.graph
    found = []
    if "spam" in graph.column_names:
        spam = graph.column("spam")
        found.append(Wrong("spam", int((spam > 0).sum()), int((~np.isnan(spam)).sum()), "labelled pages", "are spam"))
    if graph.urls is not None and not session.is_derived and graph.pages <= LARGEST:
        crawled = graph.status == Status.CRAWLED
        copies = int((duplicates_of(session).flags & crawled).sum())
        found.append(Wrong("duplicates", copies, int(crawled.sum()), "crawled pages", "repeat others of their host"))
        found.append(Wrong("in traps", int(trapped(session).sum()), graph.pages, "pages", "look like traps"))
    hosts = len(np.unique(graph.host[(graph.status == Status.CRAWLED) & (graph.host >= 0)]))
    if hosts and seeds is not None:
        some = ", ".join(map(str, seeds.facts.get("hosts_starving_such_as", ())[:1]))
        said = "get less than a tenth of their share of what the seeds reach"
        starving = int(seeds.facts.get("hosts_starving", 0))
        found.append(
            Wrong("hosts starve", starving, hosts, "crawled hosts", f"{said}, such as {some}" if some else said)
        )
    return found
