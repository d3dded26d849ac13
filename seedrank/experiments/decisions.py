"""What an operator does by the verdict of a claim: a sentence, with its effect and what would settle it."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from functools import cache

from seedrank.core.numbers import show_interval
from seedrank.experiments.claim_specs import MARGINS, RULE, ClaimSpec, Decision, claim_specs
from seedrank.runs.experiment import Claim

__all__ = ["decided", "deciding", "sentences"]

MOST_UNITS = 100
"""More webs, sites or splits than this nobody will measure to settle a claim."""


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
    settle = re.search(r"(about ([\d,]+)|no number of) .*? would settle it", claim.why)
    if settle and int((settle[2] or f"{MOST_UNITS + 1}").replace(",", "")) > MOST_UNITS:
        return decision.open, "so near to what counts that more webs will hardly settle it: try yours"
    return decision.open, settle[0] if settle else ""


def sentences(claims: Iterable[Claim]) -> list[str]:
    """The decisions that the claims of one graph make, the decided ones first."""
    found: list[tuple[bool, str]] = []
    for claim in claims:
        spec = deciding().get(claim.key)
        if spec is None or spec.decision is None or claim.part or claim.value != claim.value:
            continue
        what, settle = decided(spec.decision, claim)
        effect = show_interval(claim.value, claim.low, claim.high, short=True, unit=MARGINS[claim.quantity].unit)
        is_open = claim.verdict in ("cannot be judged", "figure")
        more = f"; {settle}" if settle else ""
        found.append((is_open, f"{spec.decision.lead}: {what} ({effect}{more})"))
    return [text for _, text in sorted(found, key=lambda one: one[0])]
