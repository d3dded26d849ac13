"""The sentences of Zheng et al. 2009 judged on the sites at hand (docs/algorithms.md §2.5)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace

import numpy as np
import pyarrow as pa

from seedrank.experiments.claim_specs import RULE, ClaimSpec, claim_specs
from seedrank.experiments.coverage.choosing import GRAPH_METHODS, HEURISTICS
from seedrank.experiments.coverage.measure import MEASURES, Along, Measured, or_none
from seedrank.experiments.intervals import FEWEST, Interval, ratio_interval, share_interval, sum_of_ratios
from seedrank.experiments.verdicts import judge, judge_parts, no_room, undecided, withheld
from seedrank.runs.experiment import Claim

__all__ = ["MIN_SITES", "Budget", "budget_table", "claims_by_budget", "claims_of"]

SAID = claim_specs("coverage")
ORDERINGS = tuple(spec for spec in SAID.values() if spec.pairs)
Budget = tuple[Along, int]
"""A number of seeds (``k``) or of hops (``h``)."""
MIN_SITES = 30
"""With fewer sites coverage is shown and not judged."""
_TIMED = 1.0
"""Seconds below which times say nothing of larger graphs."""
_METHODS = (*HEURISTICS, *GRAPH_METHODS)
_NO_WORTH = "Random covers nothing of positive worth, so nothing can be compared with it"


def claims_of(measured: Measured) -> list[Claim]:
    """Every claim with what was measured and its verdict."""
    orderings = [claim for ordering in ORDERINGS for claim in _ordering(measured, ordering)]
    others = [*_on_seeds(measured), _on_small_parts(measured), *_on_hops(measured)]
    return [
        *_over_enough_sites(measured, [_on_large_sites(measured)]),
        _on_depth(measured),
        *_over_enough_sites(measured, [*orderings, *others]),
    ]


def claims_by_budget(measured: Measured) -> dict[Budget, list[Claim]]:
    """Claims that order methods, at each number of seeds (at the most hops) and of hops (at the usual seeds)."""
    alongs: tuple[Along, ...] = ("k", "h")
    return {
        (along, step): _over_enough_sites(
            measured, [_ordering(measured, ordering, along, place)[0] for ordering in ORDERINGS]
        )
        for along in alongs
        for place, step in enumerate(measured.steps(along))
    }


def budget_table(measured: Measured, found: Mapping[Budget, Iterable[Claim]]) -> pa.Table:
    """Verdicts by budget, a row each."""
    records = [
        {
            "key": claim.key,
            "claim": claim.claim,
            "k": step if along == "k" else measured.at_seeds,
            "h": step if along == "h" else max(measured.hops),
            "along": along,
            "verdict": claim.outcome,
            "estimate": or_none(claim.value),
            "low": or_none(claim.low),
            "high": or_none(claim.high),
            "sites": claim.n,
            "why": claim.why,
        }
        for (along, step), claims in found.items()
        for claim in claims
    ]
    return pa.Table.from_pylist(records, _BY_BUDGET)


def _over_enough_sites(measured: Measured, claims: Iterable[Claim]) -> list[Claim]:
    why = _too_few(measured)
    return [withheld(claim, why) for claim in claims] if why else list(claims)


def _too_few(measured: Measured) -> str:
    """Why coverage is not judged here; empty where it is."""
    if measured.sites >= MIN_SITES:
        return ""
    return f"{measured.sites} {'site' if measured.sites == 1 else 'sites'}: coverage is judged over {MIN_SITES} or more"


def _judged(measured: Measured, spec: ClaimSpec, parts: Mapping[str, Interval], note: str = "") -> list[Claim]:
    """The claim and its parts; of a claim with one part that part."""
    if any(np.isnan(found.value) for found in parts.values()):
        note = _NO_WORTH
    apart = _too_few(measured)
    if len(parts) == 1:
        return [judge(spec, next(iter(parts.values())), note=note, apart=apart)]
    whole, *each = judge_parts(spec, parts, apart=apart)
    return [replace(whole, why="; ".join(text for text in (whole.why, note) if text)), *each]


def _ordering(measured: Measured, ordering: ClaimSpec, along: Along = "k", place: int | None = None) -> list[Claim]:
    """An ordering over all numbers of seeds, or at one step of a grid."""
    number = MEASURES.index(ordering.measure)
    there = measured.room(number, along, place)
    parts = {f"{one} - {other}": measured.gain(one, other, number, along, place) for one, other in ordering.pairs}
    random, bound = measured.covered("Random", number, along, place), measured.bound(number, along, place)
    headroom = 100 * float(bound.mean() / random.mean() - 1) if random.mean() > 0 else float("nan")
    found = [replace(claim, headroom=headroom) for claim in _judged(measured, ordering, parts, ordering.note)]
    return _with_room(measured, found, int(there.sum()))


def _with_room(measured: Measured, claims: list[Claim], room: int) -> list[Claim]:
    """Claims about gains: no evidence where too few sites have anything to gain."""
    if measured.sites < MIN_SITES or room >= FEWEST:
        return claims
    sites = f"{room} of {measured.sites:,} sites have room"
    why = f"{sites}: on the others no seeds cover {RULE['headroom']['coverage']:g} % more than Random"
    return [no_room(claim, why) for claim in claims]


def _on_seeds(measured: Measured) -> list[Claim]:
    claims = []
    for number, measure in enumerate(MEASURES):
        parts = {name: _change(measured, name, "k", [(-1, number)]) for name in _METHODS}
        some = _judged(measured, SAID[f"shrinks-with-seeds-{measure}"], parts)
        claims += _with_room(measured, some, int(measured.room(number, "k").sum()))
    return claims


def _on_hops(measured: Measured) -> list[Claim]:
    claims = []
    for number, measure in enumerate(MEASURES):
        parts = {name: _change(measured, name, "h", [(1, number)]) for name in _METHODS}
        some = _judged(measured, SAID[f"grows-with-hops-{measure}"], parts)
        claims += _with_room(measured, some, int(measured.room(number, "h").sum()))
    both = {f"{name}, pages": _change(measured, name, "h", [(1, 0)]) for name in _METHODS}
    both |= {f"{name}, pages - value": _change(measured, name, "h", [(1, 0), (-1, 1)]) for name in _METHODS}
    some = _judged(measured, SAID["hops-pages-over-value"], both)
    return claims + _with_room(measured, some, int(measured.room(0, "h").sum()))


def _change(measured: Measured, name: str, along: Along, signs: Iterable[tuple[int, int]]) -> Interval:
    """How much the lead over Random, in per cent, grows from the first step to the last, over the sites with room.

    `signs` are the measures that are summed, with their signs.
    """
    cubes, signs = measured.along(along), list(signs)
    there = np.logical_and.reduce([measured.room(number, along) for _, number in signs])
    terms = [
        (100.0 * sign * end, cubes[name][there, place, number], cubes["Random"][there, place, number])
        for sign, number in signs
        for end, place in ((1, -1), (-1, 0))
    ]
    return sum_of_ratios(terms, "sites with room", rng=measured.rng)


def _on_small_parts(measured: Measured) -> Claim:
    share = measured.structure["largest_share"].to_numpy()
    found = share_interval(int((share < 0.5).sum()), len(share), "sites")
    return judge(SAID["small-components"], found, apart=_too_few(measured))


def _on_large_sites(measured: Measured) -> Claim:
    share, pages = (measured.structure[name].to_numpy() for name in ("largest_share", "pages"))
    large = share[pages >= np.quantile(pages, 0.75)]
    found = share_interval(int((large < 0.9).sum()), len(large), "large sites")
    note = f"{int((large < 1).sum()):,} of {len(large):,} have more than one component"
    return judge(SAID["large-sites-not-strong"], found, note=note, apart=_too_few(measured))


def _on_depth(measured: Measured) -> Claim:
    deepest = max(measured.depths)
    if deepest <= 3:
        return undecided(SAID["deeper-prohibitive"], "nothing deeper than d = 3 is timed when quick")
    shallow, deep = measured.seconds["MaxWeight3"], measured.seconds[f"MaxWeight{deepest}"]
    note = (
        f"d = {deepest} takes {deep.mean():.2g} s and d = 3 {shallow.mean():.2g} s: only balls that can still win are "
        "summed here"
    )
    small = max(shallow.mean(), deep.mean()) < _TIMED
    why = f"d = {deepest} takes {deep.mean():.2g} s in all: a graph this small says nothing of time" if small else ""
    claim = judge(
        SAID["deeper-prohibitive"], ratio_interval(deep, shallow, "runs on this machine"), note=note, apart=why
    )
    return withheld(claim, why) if small else claim


_BY_BUDGET = pa.schema(
    [
        ("key", pa.string()), ("claim", pa.string()), ("k", pa.int64()), ("h", pa.int64()), ("along", pa.string()),
        ("verdict", pa.string()), ("estimate", pa.float64()), ("low", pa.float64()), ("high", pa.float64()),
        ("sites", pa.int64()), ("why", pa.string()),
    ]
)  # fmt: skip
