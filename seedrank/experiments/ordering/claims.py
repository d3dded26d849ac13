"""What Alam et al. claim of their orders, judged over draws of seeds and repeated runs (docs/algorithms.md §4.5)."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from seedrank.experiments import verdicts
from seedrank.experiments.claim_specs import MARGINS, ClaimSpec, claim_specs
from seedrank.experiments.experiment import Claim
from seedrank.experiments.intervals import Interval, lift_interval, mean_interval, ratio_interval
from seedrank.experiments.ordering.measure import RAISED, WINDOWED, Measured

__all__ = ["judge"]

SAID = claim_specs("ordering")
DRAWS, RUNS = "seed draws of this graph", "runs on this machine"
OMNISCIENT = "omniscient"
LEAST_SECONDS = 0.1
"""Seconds below which a run cannot be told from noise."""


def judge(found: Measured, rng: int) -> list[Claim]:
    """Every claim of the paper, with its parts below it.

    Parameters
    ----------
    found
        What was measured.
    rng
        Of the resamples.
    """
    return [*_effective(found, rng), *_quick(found, rng)]


def _effective(found: Measured, rng: int) -> list[Claim]:
    """Areas under the curve of cumulative PageRank, paired by seed draw; differences in per cent of the second."""
    areas = _by_order(found.sets, "pagerank_area")
    note = _room(areas)

    def over(one: str, other: str) -> Interval:
        return lift_interval(areas[one], areas[other], areas[other], DRAWS, rng=rng)

    def steps() -> Interval:
        low, middle, high = (areas[name] for name in RAISED)
        return lift_interval(middle - low, high - middle, low, DRAWS, rng=rng)

    def against(spec: ClaimSpec, pairs: Mapping[str, tuple[str, str]]) -> list[Claim]:
        needed = [name for pair in pairs.values() for name in pair]

        def parts() -> list[Claim]:
            intervals = {name: over(*pair) for name, pair in pairs.items()}
            return verdicts.judge_parts(spec, intervals, note=note, apart=found.apart)

        return _where_run(spec, needed, areas, found.same, parts)

    def single(spec: ClaimSpec, needed: Sequence[str], interval: Callable[[], Interval]) -> list[Claim]:
        def one() -> list[Claim]:
            return [verdicts.judge(spec, interval(), note=note, apart=found.apart)]

        return _where_run(spec, needed, areas, found.same, one)

    low, middle, high = RAISED
    others = ("fpr", low, middle, WINDOWED)
    return [
        *single(SAID["fpr-alike"], ("fpr", WINDOWED), lambda: over("fpr", WINDOWED)),
        *against(SAID["every-m-better"], {name: (name, WINDOWED) for name in RAISED}),
        *against(SAID["higher-m"], {"M 2 to 20": (middle, low), "M 20 to 100": (high, middle)}),
        *single(SAID["steps-of-m"], RAISED, steps),
        *single(SAID["m-above-100"], (high, "fpr@1000"), lambda: over("fpr@1000", high)),
        *against(SAID["m-100-best"], {f"over {name}": (high, name) for name in others}),
    ]


def _quick(found: Measured, rng: int) -> list[Claim]:
    """Ratios of times, paired by run; the power with which the time grows, from half of the pages to all of them."""
    tenth, half, whole = (_by_order(found.times, part) for part in ("tenth", "half", "whole"))

    def ratio(spec: ClaimSpec, more: np.ndarray, less: np.ndarray, part: str = "") -> Claim:
        seconds = max(float(more.mean()), float(less.mean()))
        return _long_enough(spec, ratio_interval(more, less, RUNS, rng=rng), seconds, found.apart, part)

    def raised() -> list[Claim]:
        parts = []
        for name in RAISED:
            parts.append(ratio(SAID["fpr-m-time"], tenth[name], tenth[WINDOWED], f"{name} more, first tenth"))
            parts.append(ratio(SAID["fpr-m-time"], whole[WINDOWED], whole[name], f"{name} less, overall"))
        return [verdicts.conjunction(parts), *parts]

    def growth() -> list[Claim]:
        first, all_of_it = half[WINDOWED], whole[WINDOWED]
        power = np.full(len(first), np.nan)
        power[first > 0] = np.log2(all_of_it[first > 0] / first[first > 0])
        interval = mean_interval(power, RUNS, rng=rng)
        return [_long_enough(SAID["windowed-growth"], interval, float(first.mean()), found.apart)]

    return [
        *_where_run(
            SAID["fpr-time"],
            ("fpr", WINDOWED),
            whole,
            found.same,
            lambda: [ratio(SAID["fpr-time"], whole[WINDOWED], whole["fpr"])],
        ),
        *_where_run(SAID["fpr-m-time"], (*RAISED, WINDOWED), whole, found.same, raised),
        *_where_run(SAID["windowed-growth"], (WINDOWED,), whole, found.same, growth),
    ]


def _room(areas: Mapping[str, np.ndarray]) -> str:
    """That no order can gain what matters, where that is so: judged by the one that knows what it looks for."""
    if OMNISCIENT not in areas or WINDOWED not in areas:
        return ""
    least, most = MARGINS["area"].least, 100 * (areas[OMNISCIENT].mean() / areas[WINDOWED].mean() - 1)
    if most >= least:
        return ""
    return (
        f"no order can gain {least:g} % over windowed RankMass here: the one that knows every PageRank ({OMNISCIENT}) "
        f"gains {most:.2g} %"
    )


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
    return [verdicts.undecided(spec, same if alone else f"{', '.join(lacking)} was not run")]


def _long_enough(spec: ClaimSpec, interval: Interval, seconds: float, apart: str, part: str = "") -> Claim:
    """A claim about times: not judged, and not pooled, where they are too short to be told from noise."""
    if seconds >= LEAST_SECONDS:
        return verdicts.judge(spec, interval, part=part, apart=apart)
    why = f"it took {seconds:.2g} s: less than {LEAST_SECONDS:g} s cannot be told from noise"
    return verdicts.withheld(verdicts.judge(spec, interval, part=part, apart=apart or why), why)


def _by_order(table: pa.Table, column: str) -> dict[str, np.ndarray]:
    """A column of each order, one number a seed set or run, in their order."""
    names = dict.fromkeys(table["order"].to_pylist())
    return {name: table.filter(pc.equal(table["order"], name))[column].to_numpy() for name in names}
