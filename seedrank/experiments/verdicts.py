"""The one rule that makes a verdict: a claim holds where the whole interval lies in its region.

A region is what the sentence of the paper leaves: above a margin, within it either way, between two values
(`seedrank.experiments.claim_specs`). The claim does not hold where the whole interval lies outside, and where it
lies above an "up to" of the paper, that it exceeds it is told. An interval that straddles an end cannot be judged, and
the reason says what would settle it. A graph without room is no evidence. No other module makes a verdict.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import replace

from seedrank.experiments.claim_specs import MARGINS, ClaimSpec, Region
from seedrank.experiments.intervals import FEWEST, Interval, units_needed
from seedrank.runs.experiment import ARITHMETIC, Claim, Verdict

__all__ = [
    "conjunction",
    "judge",
    "judge_parts",
    "judged_again",
    "no_room",
    "undecided",
    "withheld",
    "without_parts",
]


def judge(spec: ClaimSpec, found: Interval, *, part: str = "", note: str = "", apart: str = "") -> Claim:
    """What becomes of a claim on a graph.

    `part` is which of several parts of a claim, `note` what a reader must know of this result, `apart` why this graph
    must not enter the pooled line.
    """
    found = _possible(found, spec.quantity)
    verdict, why = _verdict(found, spec.region, spec.exceeding)
    return Claim(
        paper=spec.paper,
        key=spec.key,
        part=part,
        claim=spec.claim,
        quote=spec.quote,
        place=spec.place,
        quantity=spec.quantity,
        region=str(spec.region),
        least=spec.region.least,
        most=spec.region.most,
        value=found.value,
        low=found.low,
        high=found.high,
        error=found.error,
        n=found.n,
        unit=found.unit,
        verdict=verdict,
        why="; ".join(text for text in (why, note) if text),
        exceeding="told" if spec.exceeding else "",
        apart=apart,
        by_construction=ARITHMETIC if spec.arithmetic else "",
    )


def judge_parts(spec: ClaimSpec, found: Mapping[str, Interval], *, note: str = "", apart: str = "") -> list[Claim]:
    """A claim with several parts, all of which must hold: the claim as a whole with its weakest part, then each."""
    if not found:
        return [undecided(spec, note or "nothing could be measured")]
    parts = [judge(spec, interval, part=name, note=note, apart=apart) for name, interval in found.items()]
    return [_whole(parts), *parts]


def judged_again(claim: Claim, found: Interval) -> Claim:
    """The same claim on another interval, such as the pooled one of several graphs."""
    found = _possible(found, claim.quantity)
    verdict, why = _verdict(found, Region(claim.least, claim.most), bool(claim.exceeding))
    again = replace(claim, value=found.value, low=found.low, high=found.high, error=found.error)
    return replace(again, n=found.n, unit=found.unit, verdict=verdict, why=why)


def conjunction(parts: Sequence[Claim]) -> Claim:
    """The claim that all of `parts` are of: it holds where all hold."""
    return _whole(parts)


def without_parts(claim: Claim, left_out: Mapping[str, Mapping[str, Claim]]) -> Claim:
    """A claim some of whose parts too few graphs have, by graph: one that fails on a graph keeps it from holding."""
    failed = {
        part: [graph for graph, one in graphs.items() if one.verdict == "does not hold"]
        for part, graphs in left_out.items()
    }
    said = [f"{part} does not hold on {', '.join(graphs)}" for part, graphs in failed.items() if graphs]
    claim = replace(claim, why="; ".join((claim.why, *said)))
    return replace(claim, verdict="cannot be judged") if said and claim.verdict in ("holds", "exceeds") else claim


def undecided(spec: ClaimSpec, why: str) -> Claim:
    """A claim of which nothing could be measured."""
    return replace(judge(spec, Interval(math.nan, math.nan, math.nan)), verdict="cannot be judged", why=why)


def withheld(claim: Claim, why: str) -> Claim:
    """A claim that this graph cannot judge, whatever was measured."""
    return replace(claim, verdict="cannot be judged", why=why)


def no_room(claim: Claim, why: str) -> Claim:
    """A claim on a graph that has nothing to gain: outside the count, whatever was measured."""
    return replace(claim, verdict="no room", why=why, apart=claim.apart or f"no room: {why}")


def _possible(found: Interval, quantity: str) -> Interval:
    """The part of an interval that can be true: a share is not negative. It covers as often as before."""
    margin = MARGINS[quantity]
    if not found.known:
        return found
    return replace(found, low=max(found.low, margin.lowest), high=min(found.high, margin.highest))


def _whole(parts: Sequence[Claim]) -> Claim:
    order: tuple[Verdict, ...] = ("does not hold", "cannot be judged", "no room", "figure", "exceeds", "holds")
    weakest = min(parts, key=lambda one: (order.index(one.verdict), _inside(one)))
    if len(parts) == 1:
        return replace(weakest, part="")
    fell = sum(1 for one in parts if one.verdict == "does not hold")
    held = sum(1 for one in parts if one.verdict == "holds")
    text = f"{held} of {len(parts)} parts hold, {fell} do not; the weakest is {weakest.part}"
    if weakest.verdict == "figure":
        text = f"the weakest of {len(parts)} parts is {weakest.part}"
    return replace(weakest, part="", why=f"{text}; {weakest.why}" if weakest.why else text)


def _inside(claim: Claim) -> float:
    """How far the estimate lies inside the region; the least is the weakest."""
    inside = min(claim.value - claim.least, claim.most - claim.value)
    return -math.inf if math.isnan(inside) else inside


def _verdict(found: Interval, region: Region, exceeding: bool) -> tuple[Verdict, str]:
    if math.isnan(found.value):
        return "cannot be judged", "nothing could be measured"
    if not found.known:
        if found.n <= 1:
            return "figure", "one number of this graph: judged over graphs"
        return "cannot be judged", f"{found.n} {found.unit}: an interval needs at least {FEWEST}"
    if region.least <= found.low and found.high <= region.most:
        return "holds", ""
    if exceeding and found.low > region.most:
        return "exceeds", "more than the paper says"
    if found.high < region.least or found.low > region.most:
        return "does not hold", ""
    return "cannot be judged", _straddles(found, region)


def _straddles(found: Interval, region: Region) -> str:
    """Which end the interval straddles, by how much, and how many units would settle it."""
    ends = [end for end in (region.least, region.most) if found.low < end < found.high]
    end = min(ends, key=lambda one: abs(found.value - one)) if ends else region.least
    short = f"the interval straddles {end:+.6g}"
    gap = abs(found.value - end)
    half = found.value - found.low if found.value > end else found.high - found.value
    if len(ends) == 2:
        short = f"the interval is wider than {region}"
        gap = min(abs(found.value - one) for one in ends)
        half = max(found.value - found.low, found.high - found.value)
    needed = units_needed(found.n, half, gap)
    if needed is None:
        return f"{short}, and the estimate lies on it: no number of {found.unit or 'units'} would settle it"
    return f"{short}; about {needed:,} {found.unit or 'units'} would settle it"
