"""What an operator does by the verdict of a claim: a sentence, with its effect and what would settle it."""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Mapping
from functools import cache

from seedrank.experiments.claim_specs import MARGINS, RULE, ClaimSpec, Decision, claim_specs
from seedrank.runs.experiment import Claim

__all__ = ["decided", "deciding", "effect_of", "hardly_matters", "plain", "sentences"]

MOST_UNITS = 100
"""More webs, sites or splits than this nobody will measure to settle a claim."""
_MORE = {
    "coverage gain": (100, " % more", " % less"),
    "order gain": (100, " % more", " % less"),
    "crawled PageRank": (1, " % more", " % less"),
    "impact share": (1, " more", " fewer"),
}
"""How differences are told, by quantity: what they are multiplied by, and the words for more and for less."""


@cache
def deciding() -> Mapping[str, ClaimSpec]:
    """Claims that decide something, by key; those about a frontier on either one."""
    found = {}
    for experiment in ("coverage", "cores", "ordering", "impact"):
        for spec in claim_specs(experiment).values():
            if spec.decision is not None:
                kinds = [spec.on(kind) for kind in RULE["frontier"]] if experiment == "impact" else [spec]
                found.update({one.key: one for one in kinds})
    return found


def decided(decision: Decision, claim: Claim) -> tuple[str, str]:
    """What to do by a claim, and where it is open, what would settle it."""
    if claim.verdict in ("holds", "exceeds"):
        return decision.then, ""
    if claim.verdict == "does not hold":
        return decision.otherwise, ""
    if claim.verdict == "no room":
        return f"Any choice will do here: {claim.why}.", ""
    if decision.little and hardly_matters(claim):
        return decision.little, ""
    settle = re.search(r"(about ([\d,]+)|no number of) .*? would settle it", claim.why)
    if settle and int((settle[2] or f"{MOST_UNITS + 1}").replace(",", "")) > MOST_UNITS:
        return decision.open, "so near to what counts that more webs will hardly settle it: try yours"
    return decision.open, settle[0] if settle else ""


def hardly_matters(claim: Claim) -> bool:
    """Whether a difference is less than what counts as much either way, although its verdict is open."""
    much = MARGINS[claim.quantity].much
    return claim.verdict == "cannot be judged" and claim.quantity in _MORE and -much < claim.low <= claim.high < much


def effect_of(decision: Decision, claim: Claim) -> str:
    """What was measured, in words: the sentence of the decision with its numbers, the interval last."""
    factor, more, less = _MORE.get(claim.quantity, (1, *[f" {MARGINS[claim.quantity].unit}"] * 2))
    size = f"{plain(factor * abs(claim.value))}{more if claim.value >= 0 else less}"
    said = decision.effect.format(effect=size, share=f"{plain(100 * claim.value)} %")
    if math.isnan(claim.low):
        return said
    low, high = factor * claim.low, factor * claim.high
    if "{share}" in decision.effect:
        high = min(high, 100)  # nothing exceeds what could be gained
    if low < 0 < high:
        return f"{said} [{plain(-low)}{less} to {plain(high)}{more}]"
    ends = sorted((abs(low), abs(high)))
    return f"{said} [{plain(ends[0])} to {plain(ends[1])}]"


def plain(number: float) -> str:
    """A number for people who decide by it: two digits."""
    return f"{float(f'{number:.2g}'):,g}"


def sentences(claims: Iterable[Claim]) -> list[str]:
    """The decisions that the claims of one graph make, the decided ones first."""
    by_key: dict[str, dict[str, Claim]] = {}
    for claim in claims:
        by_key.setdefault(claim.key, {})[claim.part] = claim
    found: list[tuple[bool, str]] = []
    for key, parts in by_key.items():
        decision = deciding()[key].decision if key in deciding() else None
        if decision is None:
            continue
        claim = parts.get(decision.part) or parts.get("")
        if claim is None or math.isnan(claim.value):
            continue
        what, settle = decided(decision, claim)
        is_open = claim.verdict in ("cannot be judged", "figure")
        more = f"; {settle}" if settle else ""
        found.append((is_open, f"{decision.lead}: {what} ({effect_of(decision, claim)}{more})"))
    return [text for _, text in sorted(found, key=lambda one: one[0])]
