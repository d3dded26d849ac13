"""Why the first pages of an answer are there, in a sentence each: what a seed adds, who links to a frontier page."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pyarrow as pa

from seedrank.core.changes import same_graph
from seedrank.core.errors import SeedrankError
from seedrank.core.levels import PLURAL, name_column
from seedrank.core.model import Status
from seedrank.core.numbers import counted, show_number
from seedrank.core.sanitize import visible
from seedrank.methods.frontier.answer import frontier_scores
from seedrank.methods.frontier.explain import contributions
from seedrank.methods.frontier.methods import IMPACT_METHODS
from seedrank.methods.frontier.scores import Scores
from seedrank.questions.frontier import FrontierQuestion
from seedrank.runs import Ranking, Run
from seedrank.session import Session

__all__ = ["LARGEST", "MOST", "reasons", "short_address"]

MOST = 10
"""Pages of an answer that get a reason."""
LARGEST = 5_000_000
"""Pages of a graph beyond which scoring its frontier again takes longer than people wait for a sentence."""
_NAMED = 2
"""Pages that a reason names; of the others it says how many there are."""
_LONGEST = 44
"""Letters of an address in a sentence."""
_ADJECTIVES = {"clicks": "clicked", "views": "viewed"}


def reasons(session: Session, run: Run, ranking: Ranking) -> list[tuple[int, str]]:
    """Why the first pages of an answer are there: the place of each, from 0, and a sentence; at most `MOST`.

    Of a crawl these are the first that it found itself, of other answers those of places 0, 1, ….

    Parameters
    ----------
    run
        The record of the answer, about pages.
    """
    if run.method.startswith("recrawl"):
        said = _when_to_come_back(ranking)
    elif "gain_pages" in ranking.columns:
        said = _what_seeds_add(session, ranking)
    elif "discovered" in ranking.columns and run.facts.get("seeds"):
        return _what_led_here(session, run, ranking)
    else:
        said = _of_frontier(session, run, ranking)
    return [(place, _sentence(words)) for place, words in enumerate(said)]


def short_address(address: str, most: int = _LONGEST) -> str:
    """An address as a sentence holds it: without its scheme, its middle left out where it is long."""
    text = visible(address).partition("://")[2] or visible(address)
    tail = most * 2 // 5
    return text if len(text) <= most else f"{text[: most - tail - 1]}…{text[-tail:]}"


def _sentence(words: str) -> str:
    return f"{words[:1].upper()}{words[1:]}."


def _current(session: Session, run: Run) -> bool:
    return same_graph(run.graph, session.store.version()) and session.graph.pages <= LARGEST


def _what_seeds_add(session: Session, ranking: Ranking) -> list[str]:
    crawled = max(int((session.graph.status == Status.CRAWLED).sum()), 1)
    columns = {name: values[:MOST].tolist() for name, values in ranking.columns.items()}
    said = []
    for pages, worth, covered in zip(columns["gain_pages"], columns["gain"], columns["covered_pages"], strict=True):
        of_worth = "" if worth == pages else f" worth {show_number(worth)}"
        so_far = f"{100 * covered / crawled:.1f} % of all crawled {PLURAL[session.level]} covered so far"
        said.append(f"adds {counted(int(pages), session.level)}{of_worth}; {so_far}")
    return said


def _when_to_come_back(ranking: Ranking) -> list[str]:
    """How often pages are fetched and why, why now, or how often they were found changed."""
    columns = {name: values[:MOST].tolist() for name, values in ranking.columns.items()}
    if "why" in columns:
        return [str(why) for why in columns["why"]]
    if "interval" in columns:
        rows = zip(*(columns[name] for name in ("interval", "change_rate", "freshness")), strict=True)
        return [
            f"{'never again' if every != every else f'every {every:.3g} days'}: it changes every {1 / rate:.3g} days, "
            f"so its copy is fresh {100 * fresh:.0f} % of the time"
            for every, rate, fresh in rows
        ]
    rows = zip(*(columns[name] for name in ("visits", "changes", "days")), strict=True)
    return [
        f"{counted(visits, 'visit')}, {counted(changes, 'change')} in {days:.3g} days" for visits, changes, days in rows
    ]


def _what_led_here(session: Session, run: Run, ranking: Ranking) -> list[tuple[int, str]]:
    """Which pages fetched before link to each of the first pages of a crawl that are no seeds."""
    graph, seeds = session.graph, int(run.facts["seeds"])
    found = np.flatnonzero(ranking.columns["discovered"] > seeds)[:MOST].tolist()
    said = []
    for place in found:
        page = int(ranking.pages[place])
        links = graph.in_sources[graph.in_offsets[page] : graph.in_offsets[page + 1]]
        before = ranking.pages[:place]
        before = before[np.isin(before, links)]
        named = _some(_addresses(session, before[:_NAMED], page), len(before))
        said.append((place, f"Linked from {named}, fetched before it." if named else f"{_linked(session, page)}."))
    return said


def _linked(session: Session, page: int) -> str:
    """How a page is linked: what is known of any page."""
    graph, level = session.graph, session.level
    into, out = int(graph.in_degree[page]), int(graph.out_degree[page])
    by = f"{counted(into, level)} {_link(into)} here"
    return by if graph.status[page] != Status.CRAWLED else f"{by}, it links to {show_number(out)}"


# -- the frontier


def _of_frontier(session: Session, run: Run, ranking: Ranking) -> list[str]:
    first, question = ranking.pages[:MOST], run.question
    if isinstance(question, FrontierQuestion) and question.method in IMPACT_METHODS and _current(session, run):
        try:
            return _who_sends(session, question, first, ranking.scores[:MOST])
        except SeedrankError:
            pass  # a file of events that is gone: how pages are linked is known all the same
    return [_linked(session, page) for page in first.tolist()]


def _who_sends(session: Session, question: FrontierQuestion, pages: np.ndarray, own: np.ndarray) -> list[str]:
    scores = frontier_scores(session.view_of(question), question)
    said = []
    for page, score in zip(pages.tolist(), own.tolist(), strict=True):
        senders, teleport = contributions(scores, page)
        parts = [_by_link(session, question.impact, senders, page)]
        if question.method != "rw":  # which knows links only
            parts.append(_by_citation(session, question.impact, senders, page))
        parts.append(_expected(scores, question, score, teleport, session.level))
        said.append("; ".join(part for part in parts if part))
    return said


def _expected(scores: Scores, question: FrontierQuestion, score: float, teleport: float, level: str) -> str:
    """What a page gets, beside what every page has, to what a frontier page gets on average."""
    if question.method == "learned":
        return f"the model expects {show_number(score)} {visible(question.impact)}"
    mean = float(np.mean(scores.of(question.method)[scores.problem.pages])) - teleport
    if mean <= 0:
        return ""
    times = (score - teleport) / mean
    more = f"{times:,.0f}" if times >= 10 else f"{times:.1f}"
    return f"this brings it {more} times what a frontier {level} gets on average"


def _by_link(session: Session, impact: str, senders: Ranking, page: int) -> str:
    linking = senders.columns["via_link"] > 0
    valued = linking & (senders.columns["impact"] > 0)
    many, of_them, level = int(linking.sum()), int(valued.sum()), session.level
    if not of_them:
        return f"{counted(many, level)} without {visible(impact)} {_link(many)} here" if many else ""
    named = _some(_named(session, impact, senders, valued, page, _NAMED), of_them)
    others = f", and so {_do(many - of_them)} {counted(many - of_them, f'other {level}')}" if many > of_them else ""
    return f"{_valued(level, impact, of_them)} {named} {_link(of_them)} here{others}"


def _by_citation(session: Session, impact: str, senders: Ranking, page: int) -> str:
    near = (senders.columns["via_co_citation"] > 0) & (senders.columns["impact"] > 0)
    near &= senders.columns["via_link"] == 0
    many = int(near.sum())
    if not many:
        return ""
    [best] = _named(session, impact, senders, near, page, 1)
    valued = _valued(session.level, impact, many)
    return f"linked from the same {PLURAL[session.level]}: " + (
        f"{valued} {best}" if many == 1 else f"{many:,} {valued}, such as {best}"
    )


def _named(session: Session, impact: str, senders: Ranking, which: np.ndarray, page: int, most: int) -> list[str]:
    """The first of some senders, with their impact."""
    places = np.flatnonzero(which)[:most]
    worth = senders.columns["impact"][places].tolist()
    addresses = _addresses(session, senders.pages[places], page)
    return [f"{name} ({show_number(one)} {visible(impact)})" for name, one in zip(addresses, worth, strict=True)]


def _addresses(session: Session, pages: np.ndarray, page: int) -> list[str]:
    """Addresses of pages in a sentence about `page`: of those on its host the path is enough."""
    table = session.names.of(pa.chunked_array([np.append(pages, page).astype(np.int64)]))
    names, numbers = table[name_column(table.column_names)].to_pylist(), table["source_id"].to_pylist()
    host = _host(names.pop() or "")
    addresses = []
    for name, other in zip(names, numbers, strict=False):
        path = name.removeprefix(host) if name and host else ""
        addresses.append(
            f"number {other}" if name is None else short_address(path if path[:1] == "/" != path else name)
        )
    return addresses


def _host(address: str) -> str:
    """An address up to its path, which is empty where it is no URL."""
    scheme, there, rest = address.partition("://")
    return f"{scheme}://{rest.partition('/')[0]}" if there else ""


def _some(named: Sequence[str], many: int) -> str:
    """``a and b``, or ``a, b and 3 more`` of `many`."""
    if len(named) == many:
        return " and ".join(named)
    return f"{', '.join(named)} and {many - len(named):,} more"


def _valued(level: str, impact: str, many: int) -> str:
    """``clicked pages``, ``viewed page``, ``pages with sales``: as the column is called."""
    nodes = level if many == 1 else level + "s"
    return f"{_ADJECTIVES[impact]} {nodes}" if impact in _ADJECTIVES else f"{nodes} with {visible(impact)}"


def _link(many: int) -> str:
    return "links" if many == 1 else "link"


def _do(many: int) -> str:
    return "does" if many == 1 else "do"
