"""What Alam et al. claim of their orders, judged over draws of seeds and repeated runs (docs/algorithms.md §4.5)."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from seedrank.experiments.claim_specs import RULE, ClaimSpec, claim_specs
from seedrank.experiments.intervals import Interval, lift_interval, mean_interval, ratio_interval
from seedrank.experiments.ordering.measure import BREADTH_FIRST, OMNISCIENT, RAISED, RANDOM, WINDOWED, Measured
from seedrank.experiments.verdicts import conjunction, judge_parts, no_room, undecided, withheld
from seedrank.experiments.verdicts import judge as judge_one
from seedrank.runs.experiment import Claim

__all__ = ["headroom", "judge"]

SAID = claim_specs("ordering")
DRAWS, RUNS = "seed draws of this graph", "runs on this machine"
LEAST_SECONDS: float = RULE["time"]["seconds"]
"""Seconds below which a run cannot be told from noise."""


def judge(found: Measured, rng: int) -> list[Claim]:
    """Every claim of the paper, with its parts below it."""
    return [*_effective(found, rng), *_quick(found, rng)]


def _effective(found: Measured, rng: int) -> list[Claim]:
    """Gains, paired by seed draw: areas under the curve of cumulative PageRank as shares of the headroom."""
    areas = _by_order(found.sets, "pagerank_area")
    room = headroom(areas)

    def gain(one: np.ndarray, other: np.ndarray) -> Interval:
        whole = areas[OMNISCIENT] - areas[RANDOM]
        return lift_interval(one, other, whole, DRAWS, rng=rng).scaled(0.01)

    def told(claims: list[Claim]) -> list[Claim]:
        claims = [replace(claim, headroom=room) for claim in claims]
        if not room < RULE["headroom"]["area"]:
            return claims
        why = (
            f"{OMNISCIENT} gains {room:.2g} % of the area over breadth first, less than the "
            f"{RULE['headroom']['area']:g} % it takes"
        )
        return [no_room(claim, why) for claim in claims]

    def against(key: str, pairs: Mapping[str, tuple[str, str]]) -> list[Claim]:
        needed = [*(name for pair in pairs.values() for name in pair), OMNISCIENT, RANDOM, BREADTH_FIRST]

        def parts() -> list[Claim]:
            intervals = {name: gain(areas[one], areas[other]) for name, (one, other) in pairs.items()}
            if len(pairs) == 1:
                return told([judge_one(SAID[key], next(iter(intervals.values())), apart=found.apart)])
            return told(judge_parts(SAID[key], intervals, apart=found.apart))

        return _where_run(SAID[key], needed, areas, found.same, parts)

    def steps() -> list[Claim]:
        low, middle, high = (areas[name] for name in RAISED)
        return told([judge_one(SAID["steps-of-m"], gain(middle - low, high - middle), apart=found.apart)])

    low, middle, high = RAISED
    others = ("fpr", low, middle, WINDOWED)
    return [
        *against("fpr-alike", {"fpr": ("fpr", WINDOWED)}),
        *against("every-m-better", {name: (name, WINDOWED) for name in RAISED}),
        *against("higher-m", {"M 2 to 20": (middle, low), "M 20 to 100": (high, middle)}),
        *_where_run(SAID["steps-of-m"], (*RAISED, OMNISCIENT, RANDOM, BREADTH_FIRST), areas, found.same, steps),
        *against("m-above-100", {"fpr@1000": ("fpr@1000", high)}),
        *against("m-100-best", {f"over {name}": (high, name) for name in others}),
        *against("window-100", {"window": ("windowed-rankmass:100%", BREADTH_FIRST)}),
        *against("fpr over bfs", {"fpr": ("fpr", BREADTH_FIRST)}),
    ]


def headroom(areas: Mapping[str, np.ndarray]) -> float:
    """What the order that knows every PageRank gains over breadth first, in per cent of the area; NaN where not run."""
    if OMNISCIENT not in areas or BREADTH_FIRST not in areas:
        return float("nan")
    return 100 * float(areas[OMNISCIENT].mean() / areas[BREADTH_FIRST].mean() - 1)


def _quick(found: Measured, rng: int) -> list[Claim]:
    """Ratios of times, paired by run; the power with which the time grows, from half of the pages to all of them."""
    tenth, half, whole, crawls = (_by_order(found.times, part) for part in ("tenth", "half", "whole", "crawls"))

    def ratio(key: str, seconds: Mapping[str, np.ndarray], more: str, less: str, part: str = "") -> Claim:
        # Times are means of crawls: what was measured is all of them.
        measured = max(float((seconds[name] * crawls[name]).mean()) for name in (more, less))
        interval = ratio_interval(seconds[more], seconds[less], RUNS, rng=rng)
        return _long_enough(SAID[key], interval, measured, found.apart, part)

    def raised() -> list[Claim]:
        parts = []
        for name in RAISED:
            parts.append(ratio("fpr-m-time", tenth, name, WINDOWED, f"{name} more, first tenth"))
            parts.append(ratio("fpr-m-time", whole, WINDOWED, name, f"{name} less, overall"))
        return [conjunction(parts), *parts]

    def growth() -> list[Claim]:
        first, all_of_it = half[WINDOWED], whole[WINDOWED]
        power = np.full(len(first), np.nan)
        power[first > 0] = np.log2(all_of_it[first > 0] / first[first > 0])
        measured = float((first * crawls[WINDOWED]).mean())
        return [_long_enough(SAID["windowed-growth"], mean_interval(power, RUNS, rng=rng), measured, found.apart)]

    def plain() -> list[Claim]:
        return [ratio("fpr-time", whole, WINDOWED, "fpr")]

    return [
        *_where_run(SAID["fpr-time"], ("fpr", WINDOWED), whole, found.same, plain),
        *_where_run(SAID["fpr-m-time"], (*RAISED, WINDOWED), whole, found.same, raised),
        *_where_run(SAID["windowed-growth"], (WINDOWED,), whole, found.same, growth),
    ]


def _where_run(
    spec: ClaimSpec,
    needed: Sequence[str],
    ran: Mapping[str, np.ndarray],
    same: str,
    make: Callable[[], list[Claim]],
) -> list[Claim]:
    """The claim, where all orders that it needs were run."""
    lacking = [name for name in dict.fromkeys(needed) if name not in ran]
    if not lacking:
        return make()
    alone = bool(same) and all("@" in name for name in lacking)
    return [undecided(spec, same if alone else f"{', '.join(lacking)} was not run")]


def _long_enough(spec: ClaimSpec, interval: Interval, seconds: float, apart: str, part: str = "") -> Claim:
    """A claim about times: not judged, and not pooled, where they are too short to be told from noise."""
    if seconds >= LEAST_SECONDS:
        return judge_one(spec, interval, part=part, apart=apart)
    why = f"it took {seconds:.2g} s: less than {LEAST_SECONDS:g} s cannot be told from noise"
    return withheld(judge_one(spec, interval, part=part, apart=apart or why), why)


def _by_order(table: pa.Table, column: str) -> dict[str, np.ndarray]:
    """A column of each order, one number a seed set or run, in their order."""
    names = dict.fromkeys(table["order"].to_pylist())
    return {name: table.filter(pc.equal(table["order"], name))[column].to_numpy() for name in names}
