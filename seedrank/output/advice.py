"""Advice in sentences, read off the facts of kept answers: one recommendation each, with the figures it stands on."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from seedrank.core.levels import PLURAL
from seedrank.core.numbers import counted
from seedrank.questions.seeds import SeedQuestion
from seedrank.runs import Run

__all__ = ["order_advice", "recommended_order", "recommended_policy", "recrawl_advice", "seed_advice"]

_BY_HAND = {
    "front pages": "the front pages of the largest hosts",
    "pagerank": "the pages with the most PageRank",
    "random": "random pages",
}


def seed_advice(run: Run, level: str) -> list[str]:
    """Where to start, what the same number of other seeds reach, and how few are enough; nothing of other answers."""
    facts: Any = run.facts
    question = run.question
    if not isinstance(question, SeedQuestion):
        return []
    said = []
    if facts.get("compared"):
        said.append(_recommended(facts, question, level))
    left = facts.get("left")
    if left:
        share = f" ({100 * left / facts['value']:.0f} % more)" if facts["value"] > 0 else ""
        what = f"crawled {PLURAL[level]}" if question.value == "uniform" else "of worth"
        said.append(
            f"Looking {counted(question.depth, 'link')} ahead leaves at least {left:,.6g} {what}{share}; "
            "the method best looks farther."
        )
    return said


def _recommended(facts: Any, question: SeedQuestion, level: str) -> str:
    compared, winner = facts["compared"], facts["winner"]
    pages = question.value == "uniform"

    def reached(name: str) -> str:
        return f"{compared[name]['pages']:,}" if pages else f"{compared[name]['value']:,.6g}"

    what = f"crawled {PLURAL[level]}" if pages else "of worth"
    share = ""
    if facts.get("ratio") is not None:
        percent = f"{100 * facts['ratio']:.0f} %"
        # The bound is everything there is, which no choice of seeds may reach.
        of_all = facts.get("bound_form") == "all"
        share = f" ({percent} of all there is)" if of_all else f" (at least {percent} of what as many can)"
    said = (
        f"Start from {_called(winner, facts['seeds'])}: within {counted(question.hops, 'link')} they reach "
        f"{reached(winner)} {what}{share}"
    )
    others = [f"{_called(name)} reach {reached(name)}" for name in compared if name != winner]
    if others:
        said += "; " + ", ".join(others)
    few = facts["enough"]
    if few < facts["seeds"]:
        said += f". The first {few:,} do 95 % of it" if few > 1 else ". The first alone does 95 % of it"
    elif few > 1 and not facts.get("stopped"):
        said += ". The last still adds more than 5 % of it: more seeds reach more"
    return f"{said}."


def _called(name: str, seeds: int | None = None) -> str:
    """A method of the comparison in words; of the winner, with how many seeds it has."""
    many = "" if seeds is None else counted(seeds, "seed")
    if name in _BY_HAND:
        return f"{_BY_HAND[name]} ({many})" if many else _BY_HAND[name]
    search = "exact greedy" if name == "greedy" else f"MaxWeight, {name.split()[1]} links ahead,"
    return f"the {many} of {search}" if many else f"those of {search}"


# -- orders

EARLY = (0.01, 0.05, 0.2)
"""Where people stop: shares of the pages that the orders fetch."""
_PLAIN = "bfs"
_TIE = 0.01
"""Shares of all PageRank, on average over `EARLY`, that differ by less are the same."""
_MUCH = 0.05
"""What an order has to gain to be worth twice the spam or duplicates."""
_BAD_POINT, _BAD_TIMES = 0.005, 1.5
_HOSTS_TIMES = 1.1


@dataclass(frozen=True)
class _Bad:
    """Pages that nobody wants among the first tenth of an order."""

    column: str
    """Their share, in the table of orders."""
    name: str
    pages: str
    """Of which pages it is the share."""
    verb: str
    way_out: str

    def noticeable(self, more: dict[str, Any], less: dict[str, Any]) -> bool:
        """Whether one order has clearly more of them than another."""
        high, low = more.get(self.column), less.get(self.column)
        if high is None or low is None:
            return False
        return bool(high - low >= _BAD_POINT and high >= _BAD_TIMES * low)

    def brings(self, ours: dict[str, Any], theirs: dict[str, Any]) -> str:
        return (
            f"brings more {self.name}: {100 * ours[self.column]:.1f} % of the {self.pages} among its first tenth, "
            f"{100 * theirs[self.column]:.1f} % breadth first"
        )


_BAD = (
    _Bad("spam_10", "spam", "labelled pages", "is spam", "spam out"),
    _Bad("duplicates_10", "duplicates", "pages", "repeat others", "duplicates out"),
)


def order_advice(orders: Sequence[dict[str, Any]], curves: pa.Table) -> list[str]:
    """The sentence that recommends one order of a comparison (`recommended_order`); none of breadth first alone."""
    if {row["order"] for row in orders} <= {_PLAIN}:
        return []
    return [recommended_order(orders, curves)[1]]


def recommended_order(orders: Sequence[dict[str, Any]], curves: pa.Table) -> tuple[str, str]:
    """One order to fetch in, of a comparison that has breadth first, and why: what it gains in the beginning.

    Spam and duplicates among the first tenth, then hosts reached by the first fifth, speak before a tie does; a tie
    goes to breadth first.

    Parameters
    ----------
    orders, curves
        The tables of the comparison.
    """
    early = {row["order"]: _early(curves, row["order"]) for row in orders}
    rows = {row["order"]: row for row in orders}
    plain, others = _PLAIN if _PLAIN in early else None, [name for name in early if name != _PLAIN]
    best = max(others, key=lambda name: early[name]["mean"])
    if plain is None:
        return best, f"Fetch in the order of {best}: {_gathered(early[best])}."
    gain = early[best]["mean"] - early[plain]["mean"]
    against = f"{_gathered(early[best])}; breadth first {_shares(early[plain])}"
    if gain < _TIE:
        return _tied(best, early, against, rows[best], rows[plain])
    worse = next((bad for bad in _BAD if bad.noticeable(rows[best], rows[plain])), None)
    if worse and gain < _MUCH:
        brings = worse.brings(rows[best], rows[plain])
        return plain, f"Fetch breadth first: {best} gathers little more ({against}) and {brings}."
    said = f"Fetch in the order of {best}: {against}"
    if worse:
        said += f". But it {worse.brings(rows[best], rows[plain])}: leave {worse.way_out} first"
    return best, f"{said}."


def _tied(
    best: str, early: dict[str, dict[str, float]], against: str, ours: dict[str, Any], theirs: dict[str, Any]
) -> tuple[str, str]:
    """What speaks for an order where both gather the same: spam, duplicates, hosts, then that it is simple."""
    for bad in _BAD:
        if bad.noticeable(ours, theirs):
            return _PLAIN, f"Fetch breadth first: {best} gathers no more ({against}) and {bad.brings(ours, theirs)}."
        if bad.noticeable(theirs, ours):
            few, many = (f"{100 * row[bad.column]:.1f} %" for row in (ours, theirs))
            return best, (
                f"Fetch in the order of {best}: it gathers as much as breadth first, and of the {bad.pages} among the "
                f"first tenth {few} {bad.verb}, {many} breadth first."
            )
    hosts, plain_hosts = early[best]["hosts"], early[_PLAIN]["hosts"]
    if hosts > _HOSTS_TIMES * plain_hosts:
        return best, (
            f"Fetch in the order of {best}: it gathers as much as breadth first, and its first fifth comes to "
            f"{hosts:,.0f} hosts, that of breadth first to {plain_hosts:,.0f}."
        )
    return _PLAIN, f"It hardly matters in which order: fetch breadth first ({against})."


def _early(curves: pa.Table, order: str) -> dict[str, float]:
    """What an order has gathered by each of `EARLY`, on average, and the hosts it has come to by the last."""
    own = curves.filter(pc.equal(curves["order"], order))
    pages = own["pages"].to_numpy().astype(np.float64)
    most = float(curves["pages"].to_numpy().max(initial=0))
    gathered = np.interp(np.array(EARLY) * most, pages, own["pagerank"].to_numpy().astype(np.float64))
    hosts = float(np.interp(EARLY[-1] * most, pages, own["hosts"].to_numpy().astype(np.float64)))
    return {"mean": float(gathered.mean()), "hosts": hosts, **dict(zip(map(str, EARLY), gathered, strict=True))}


def _gathered(early: dict[str, float]) -> str:
    return (
        f"the first {_listed(f'{100 * part:g}' for part in EARLY)} % of the pages hold {_shares(early)} of all PageRank"
    )


def _shares(early: dict[str, float]) -> str:
    return f"{_listed(f'{100 * early[str(part)]:.0f}' for part in EARLY)} %"


def _listed(words: Any) -> str:
    *first, last = list(words)
    return f"{', '.join(first)} and {last}"


# -- when to come back


def recrawl_advice(run: Run) -> list[str]:
    """Which policy to follow, of those that leave the fewest out, beside the others; nothing of other answers."""
    compared: Any = run.facts.get("compared")
    if not run.method.startswith("recrawl plan") or not compared:
        return []
    name = recommended_policy(compared)
    best = compared[name]
    others = ", ".join(
        f"{other} {100 * row['freshness']:.1f} %{_left_out(row)}" for other, row in compared.items() if other != name
    )
    whole = "no page is left out" if not best["never"] else f"{100 * best['never']:.0f} % are never fetched again"
    said = (
        f"Come back by {name}: {100 * best['freshness']:.1f} % of what pages are worth ({run.facts['importance']}) is "
        f"fresh, and {whole}; {others}."
    )
    return [said] if name == run.facts["policy"] else [said, f"This plan is by {run.facts['policy']}."]


def recommended_policy(compared: Mapping[str, Mapping[str, Any]]) -> str:
    """The freshest of the policies that leave the fewest pages out."""
    return min(compared, key=lambda name: (round(compared[name]["never"], 6), -compared[name]["freshness"]))


def _left_out(row: Mapping[str, Any]) -> str:
    return f" ({100 * row['never']:.0f} % never again)" if row["never"] else ""
