"""Claims of all graphs, and the pooled ones: what the pages are written from."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, fields, replace
from functools import cached_property
from typing import Any

from docs.reproduction.graphs import GRAPHS
from docs.reproduction.pooling import FEWEST_GRAPHS, Pooled, counts, pool
from seedrank.core.numbers import show_interval
from seedrank.experiments.claim_specs import MARGINS
from seedrank.runs.experiment import ARITHMETIC, SYNTHETIC, Claim

__all__ = [
    "MARKS",
    "PAPERS",
    "Line",
    "Lines",
    "Paper",
    "Results",
    "anchor",
    "listed",
    "mark",
    "measured",
    "unit_of",
    "weakest_part",
]

MARKS = {"holds": "✓", "exceeds": "✓+", "does not hold": "✗", "cannot be judged": "?", "no room": "–", "figure": "·"}


@dataclass(frozen=True)
class Paper:
    """A paper: its number in claims, a name for files, and its heading."""

    number: str
    name: str
    title: str


PAPERS = (
    Paper("000", "coverage", "Seeds that cover the most (Zheng et al. 2009)"),
    Paper("001", "cores", "Seeds from HITS cores (Daneshpajouh et al. 2008)"),
    Paper("002", "ordering", "Crawl orders (Alam et al.)"),
    Paper("004", "impact", "Which frontier pages will matter (Tran et al. 2015)"),
)


@dataclass(frozen=True)
class Line:
    """A claim on a graph, or on the pooled ones: its name, the claim, whether it counts in the pooled line."""

    name: str
    claim: Claim
    counts: bool


@dataclass(frozen=True)
class Lines:
    """A claim on every graph that has an estimate of it.

    Parameters
    ----------
    part
        Which part, of a claim with several: the weakest of the pooled line. Empty where every graph shows its own.
    graphs
        A line each.
    pooled
        Over the graphs that count; none where they are too few.
    """

    part: str
    graphs: Sequence[Line]
    pooled: Claim | None


class Results:
    """What all experiments found.

    Parameters
    ----------
    found
        Records of `docs.reproduction.running`.
    left_out
        What could not be run, a sentence each.
    """

    def __init__(self, found: Sequence[Mapping[str, Any]], left_out: Sequence[str] = ()) -> None:
        self.found, self.left_out = found, list(left_out)
        aparts = {graph.name: graph.apart for graph in GRAPHS}
        self.claims: dict[str, list[Claim]] = {}
        """Claims by graph, in the order of the graphs."""
        for record in found:
            mine = [_claim(one, aparts.get(record["of"], "")) for one in record["claims"]]
            self.claims.setdefault(record["graph"], []).extend(mine)
        self.figures: dict[str, dict[str, Any]] = {}
        """By experiment and graph: the few numbers that the pages quote beside claims (`docs.reproduction.figures`)."""
        for record in found:
            if record.get("figures"):
                self.figures.setdefault(record["experiment"], {})[record["graph"]] = record["figures"]
        self.sites = {graph.name: graph.site for graph in GRAPHS if graph.site}
        """The site of graphs that are recordings of one: they count once."""
        self.pooled: dict[str, Pooled] = {one.claim.key: one for one in pool(self.claims, sites=self.sites)}
        """Pooled lines by key of the claim."""

    @property
    def papers(self) -> list[Paper]:
        """Papers with claims."""
        return [paper for paper in PAPERS if self.keys(paper)]

    def keys(self, paper: Paper) -> list[str]:
        """Keys of a paper's claims, in its order."""
        return list(
            dict.fromkeys(
                claim.key for claims in self.claims.values() for claim in claims if claim.paper.startswith(paper.number)
            )
        )

    def graphs(self, keys: Iterable[str]) -> list[str]:
        """Graphs that have one of these claims: those that count in a pooled line first."""
        some = set(keys)
        here = [name for name, claims in self.claims.items() if any(claim.key in some for claim in claims)]
        return sorted(here, key=lambda name: not any(counts(c) for c in self.claims[name] if c.key in some))

    @cached_property
    def _by_key(self) -> dict[tuple[str, str, str], Claim]:
        return {(c.key, c.part, graph): c for graph, claims in self.claims.items() for c in claims}

    def claim(self, key: str, graph: str, part: str = "") -> Claim | None:
        """A claim, or a part of it, on a graph; `None` where it was not measured there."""
        return self._by_key.get((key, part, graph))

    def any_claim(self, key: str) -> Claim:
        """The claim on some graph, for what is the same on all; the pooled one, where there is one."""
        if key in self.pooled:
            return self.pooled[key].claim
        return next(claim for (other, part, _), claim in self._by_key.items() if other == key and not part)

    def parts(self, key: str) -> list[str]:
        """Names of the parts of a claim, on any graph."""
        return list(dict.fromkeys(part for other, part, _ in self._by_key if other == key and part))

    def lines(self, key: str, part: str = "") -> Lines:
        """The claim on every graph with an estimate, as the forest plot shows it: a part of it, or the weakest."""
        pooled = self.pooled.get(key)
        one = next((one for one in pooled.parts if one.claim.part == part), pooled) if pooled and part else pooled
        part = part or (weakest_part(pooled) if pooled else "")
        some = [(graph, self.claim(key, graph, part)) for graph in self.graphs([key])]
        shown = [
            Line(graph, claim, pooled is not None and counts(claim))
            for graph, claim in some
            if claim is not None and not math.isnan(claim.value)
        ]
        return Lines(part, shown, one.claim if one else None)

    def recorded(self, key: str) -> dict[str, Claim]:
        """The claim on every recorded graph: synthetic webs show nothing."""
        some = {graph: self.claim(key, graph) for graph in self.graphs([key])}
        return {graph: claim for graph, claim in some.items() if claim and claim.by_construction != SYNTHETIC}

    def why_not_pooled(self, key: str) -> str:
        """Why a claim has no pooled line."""
        if self.any_claim(key).by_construction == ARITHMETIC:
            return "not pooled: it holds by arithmetic"
        k = len({self.sites.get(graph, graph) for graph, claim in self.recorded(key).items() if counts(claim)})
        if k >= FEWEST_GRAPHS:
            return f"not pooled: no part of it is measured on {FEWEST_GRAPHS} graphs"
        return f"not pooled: {k} of the {FEWEST_GRAPHS} recorded sites that it takes"


def weakest_part(pooled: Pooled) -> str:
    """Name of the part that a pooled claim's numbers are of; empty where it has one part."""
    claim = pooled.claim
    same = (one.claim for one in pooled.parts if (one.claim.value, one.claim.low) == (claim.value, claim.low))
    return next((one.part for one in same if one.verdict == claim.verdict), "")


def mark(claim: Claim) -> str:
    """The sign of a verdict; in brackets where the claim holds by construction."""
    sign = MARKS[claim.verdict]
    return f"({sign})" if claim.by_construction and claim.verdict == "holds" else sign


def unit_of(claim: Claim) -> str:
    """What stands behind the numbers of a claim."""
    return MARGINS[claim.quantity].unit


def measured(claim: Claim, unit: str = "") -> str:
    """Estimate and interval; the unit comes after the estimate."""
    if math.isnan(claim.value):
        return ""
    return show_interval(claim.value, claim.low, claim.high, short=True, unit=unit)


def listed(names: Sequence[str]) -> str:
    """Names as people list them."""
    return names[0] if len(names) == 1 else f"{', '.join(names[:-1])} and {names[-1]}" if names else "none"


def anchor(key: str) -> str:
    """Where the details of a claim are on the page."""
    return "claim-" + "-".join("".join(c if c.isalnum() else " " for c in key.lower()).split())


def _claim(record: Mapping[str, Any], apart: str) -> Claim:
    known = {one.name for one in fields(Claim)}
    claim = Claim(**{name: value for name, value in record.items() if name in known})
    return replace(claim, apart=claim.apart or apart)
