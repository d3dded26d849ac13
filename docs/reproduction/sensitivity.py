"""Which pooled verdicts would be others: with other margins, stricter intervals, without a graph."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace

from docs.reproduction.pooling import FEWEST_GRAPHS, Pooled, pool
from docs.reproduction.results import Results
from seedrank.experiments.intervals import LEVEL
from seedrank.runs.experiment import Claim

__all__ = ["agreed", "decided", "open_for_each_part", "open_for_every_claim", "with_margins", "without_a_graph"]


def decided(results: Results) -> list[str]:
    """Keys of the claims whose pooled line holds or does not hold."""
    return [key for key, one in results.pooled.items() if one.claim.verdict in ("holds", "does not hold")]


def agreed(results: Results) -> dict[str, str]:
    """Claims whose pooled line is open though every graph in it has the same verdict: that verdict by key."""
    found = {}
    for key, one in results.pooled.items():
        verdicts = {claim.verdict for claim in one.graphs.values()}
        if one.claim.verdict == "cannot be judged" and len(verdicts) == 1 and "figure" not in verdicts:
            found[key] = verdicts.pop()
    return {key: verdict for key, verdict in found.items() if verdict != "cannot be judged"}


def with_margins(results: Results, factor: float) -> list[str]:
    """Claims that would be judged otherwise with margins `factor` times as large, of those that compare with 0."""

    def scaled(claim: Claim) -> Claim:
        one_sided = math.isinf(claim.most) or math.isinf(claim.least)
        if claim.quantity not in _DIFFERENCES or not (one_sided or claim.least == -claim.most):
            return claim
        return replace(claim, least=factor * claim.least, most=factor * claim.most)

    other = {graph: [scaled(claim) for claim in claims] for graph, claims in results.claims.items()}
    return _changed(results, pool(other, sites=results.sites))


_DIFFERENCES = {
    "coverage", "coverage gain", "core distance", "core gap", "crawled pages", "crawled PageRank", "survival",
    "order gain", "impact share",
    "impact ratio", "choice",
}  # fmt: skip
"""Quantities that are 0 where two things are alike."""


def open_for_every_claim(results: Results) -> list[str]:
    """Decided claims that would be open if all pooled intervals together were to be right in 95 % of the cases."""
    return _opened(results, lambda one: len(results.pooled))


def open_for_each_part(results: Results) -> list[str]:
    """Decided claims that would be open if the intervals of all parts of a claim together were to be right."""
    return _opened(results, lambda one: len(one.parts) or 1)


def without_a_graph(results: Results) -> dict[str, list[str]]:
    """Claims of more graphs than it takes that would be judged otherwise without one: that one, or those, by key."""
    found: dict[str, list[str]] = {}
    for graph in results.claims:
        left = pool({name: claims for name, claims in results.claims.items() if name != graph}, sites=results.sites)
        verdicts = {one.claim.key: one.claim.verdict for one in left}
        for key, one in results.pooled.items():
            if graph in one.graphs and len(one.graphs) > FEWEST_GRAPHS and verdicts.get(key) != one.claim.verdict:
                found.setdefault(key, []).append(graph)
    return found


def _opened(results: Results, together: Callable[[Pooled], int]) -> list[str]:
    levels = {key: 1 - (1 - LEVEL) / together(results.pooled[key]) for key in decided(results)}
    stricter: Mapping[float, Sequence[Pooled]] = {
        level: pool(results.claims, level, results.sites) for level in sorted(set(levels.values()))
    }
    verdicts = {level: {one.claim.key: one.claim.verdict for one in some} for level, some in stricter.items()}
    return [key for key, level in levels.items() if verdicts[level][key] == "cannot be judged"]


def _changed(results: Results, other: Sequence[Pooled]) -> list[str]:
    verdicts = {one.claim.key: one.claim.verdict for one in other}
    return [key for key, one in results.pooled.items() if verdicts.get(key) != one.claim.verdict]
