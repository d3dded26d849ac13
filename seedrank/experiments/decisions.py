"""What an operator does by the verdict of a claim: a sentence, with its effect and what would settle it."""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Mapping
from functools import cache

from seedrank.experiments.claim_specs import MARGINS, RULE, ClaimSpec, Decision, claim_specs
from seedrank.runs.experiment import Claim

__all__ = ["axis_of", "decided", "deciding", "difference", "effect_of", "hardly_matters", "plain", "sentences"]

MOST_UNITS = 100
"""More webs, sites or splits than this nobody will measure to settle a claim."""
_MORE = {
    "coverage gain": (100, " % more", " % less"),
    "order gain": (100, " % more", " % less"),
    "crawled PageRank": (1, " % more", " % less"),
    "impact share": (1, " more", " fewer"),
}
"""How differences are told, by quantity: what they are multiplied by, and the words for more and for less."""
_OF = {
    "coverage gain": "of what seeds can gain",
    "order gain": "of what an order can gain",
    "crawled PageRank": "PageRank",
    "impact share": "of 100 clicks",
    "time": "as fast",
}
"""What a difference is of, in a few words."""


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
    said = decision.effect.format(effect=difference(claim.quantity, claim.value), share=f"{plain(100 * claim.value)} %")
    if math.isnan(claim.low):
        return said
    if claim.low < 0 < claim.high:
        return f"{said} [{difference(claim.quantity, claim.low)} to {difference(claim.quantity, claim.high)}]"
    factor = _MORE.get(claim.quantity, (1,))[0]
    most = 100 if "{share}" in decision.effect else math.inf  # nothing exceeds what could be gained
    ends = sorted(min(factor * abs(end), most) for end in (claim.low, claim.high))
    return f"{said} [{plain(ends[0])} to {plain(ends[1])}]"


def difference(quantity: str, value: float, *, of: bool = False) -> str:
    """``41 more``, ``6.5 % less``, ``19 times``; with what it is of, in a few words, where asked."""
    unit = f" {MARGINS[quantity].unit}"
    factor, more, less = _MORE.get(quantity, (1, unit, unit))
    words = f" {_OF[quantity]}" if of else ""
    return f"{plain(factor * abs(value))}{more if value >= 0 else less}{words}"


def axis_of(quantity: str) -> tuple[float, str]:
    """What differences are multiplied by on an axis, and what the axis is called."""
    factor, more, _ = _MORE.get(quantity, (1, f" {MARGINS[quantity].unit}", ""))
    return factor, f"{more.strip()} {_OF[quantity]}"


def plain(number: float) -> str:
    """A number for people who decide by it: two digits."""
    return f"{float(f'{number:.2g}'):,g}"


def sentences(claims: Iterable[Claim]) -> list[str]:
    """The decisions that the claims of one graph make, the decided ones first."""
    by_key: dict[str, dict[str, Claim]] = {}
    for claim in claims:
        by_key.setdefault(claim.key, {})[claim.part] = claim
    found: dict[tuple[bool, str], list[str]] = {}
    for key, parts in by_key.items():
        decision = deciding()[key].decision if key in deciding() else None
        if decision is None:
            continue
        one = parts.get(decision.part) or parts.get("")
        if one is None or math.isnan(one.value):
            continue
        what, settle = decided(decision, one)
        is_open = one.verdict in ("cannot be judged", "figure")
        effects = found.setdefault((is_open, f"{decision.lead}: {what}"), [])
        effects += [text for text in (effect_of(decision, one), settle) if text]
    return [f"{text} ({'; '.join(found[is_open, text])})" for is_open, text in sorted(found, key=lambda one: one[0])]
