"""What Alam et al. claim of their orders, judged over draws of seeds and repeated runs (docs/algorithms.md §4.5)."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from seedrank.experiments import verdicts
from seedrank.experiments.intervals import Interval, lift_interval, mean_interval, ratio_interval
from seedrank.experiments.margins import MARGINS
from seedrank.experiments.ordering.measure import Measured
from seedrank.experiments.ordering.plan import RAISED, WINDOWED
from seedrank.experiments.verdicts import Region, Statement, alike, greater
from seedrank.runs.experiment import Claim

__all__ = ["STATEMENTS", "judge"]

DRAWS, RUNS = "seed draws of this graph", "runs on this machine"
OMNISCIENT = "omniscient"
LEAST_SECONDS = 0.1
"""Seconds below which a run cannot be told from noise."""


def _stated(key: str, claim: str, quote: str, quantity: str, region: Region) -> Statement:
    place = "section 4.3, figure 4" if quantity == "area" else "section 4.2, figure 3"
    return Statement("002", key, claim, quote, place, quantity, region)


_BETTER, _SAME = greater(MARGINS["area"].least), alike(MARGINS["area"].least)
_LONGER = greater(MARGINS["time"].least)

FPR_ALIKE = _stated(
    "fpr-alike", "FPR is almost as effective as 5 % windowed RankMass",
    "The results indicate that the FPR crawler downloaded web pages almost as effective as the 5% Windowed RankMass "
    "crawler.", "area", _SAME,
)  # fmt: skip
HEADLINE = _stated(
    "every-m-better", "Every FPR@M is more effective than 5 % windowed RankMass",
    "Figure 4 illustrates that all FPR@M crawlers achieve greater effectiveness than 5% Windowed RankMass crawler.",
    "area", _BETTER,
)  # fmt: skip
HIGHER = _stated(
    "higher-m", "A higher M is more effective",
    "It showed that high values of M produce more effective crawl scheduling.", "area", _BETTER,
)  # fmt: skip
STEPS = _stated(
    "steps-of-m", "M from 2 to 20 gains more than M from 20 to 100",
    "Figure 4 shows that the effectiveness achieved between FPR@20 crawler and FPR@100 crawler is not as significant "
    "as the effectiveness achieved between FPR@2 crawler and FPR@20 crawler.", "area", _BETTER,
)  # fmt: skip
ABOVE = _stated(
    "m-above-100", "M above 100 (1,000 here) is about as effective as 100",
    "Therefore, the value of M greater than hundred will result almost same crawl scheduling as FPR@100.",
    "area", _SAME,
)  # fmt: skip
BEST = _stated(
    "m-100-best", "FPR@100 is more effective than every other order of the paper",
    "FPR@100 outperformed other crawling policies.", "area", _BETTER,
)  # fmt: skip
FPR_TIME = _stated(
    "fpr-time", "FPR takes less time than 5 % windowed RankMass",
    "the FPR crawler is quick since it downloaded 80 million pages within 2 hours. However, the 5% Windowed RankMass "
    "crawler required around 9 hours.", "time", _LONGER,
)  # fmt: skip
RAISED_TIME = _stated(
    "fpr-m-time", "FPR@M takes more time than 5 % windowed RankMass at first and less overall",
    "Although FPR@M crawler initially took more time, overall it took less time than the Windowed RankMass crawler.",
    "time", _LONGER,
)  # fmt: skip
GROWTH = _stated(
    "windowed-growth", "The time of 5 % windowed RankMass grows faster than in proportion to the pages",
    "The time needed by Windowed RankMass crawler increases rapidly when the number of pages increases.",
    "growth", greater(1 + MARGINS["growth"].least),
)  # fmt: skip
STATEMENTS = (FPR_ALIKE, HEADLINE, HIGHER, STEPS, ABOVE, BEST, FPR_TIME, RAISED_TIME, GROWTH)
"""In the order in which they are judged."""


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

    def against(statement: Statement, pairs: Mapping[str, tuple[str, str]]) -> list[Claim]:
        needed = [name for pair in pairs.values() for name in pair]

        def parts() -> list[Claim]:
            intervals = {name: over(*pair) for name, pair in pairs.items()}
            return verdicts.judge_parts(statement, intervals, note=note, apart=found.apart)

        return _where_run(statement, needed, areas, found.same, parts)

    def single(statement: Statement, needed: Sequence[str], interval: Callable[[], Interval]) -> list[Claim]:
        def one() -> list[Claim]:
            return [verdicts.judge(statement, interval(), note=note, apart=found.apart)]

        return _where_run(statement, needed, areas, found.same, one)

    low, middle, high = RAISED
    others = ("fpr", low, middle, WINDOWED)
    return [
        *single(FPR_ALIKE, ("fpr", WINDOWED), lambda: over("fpr", WINDOWED)),
        *against(HEADLINE, {name: (name, WINDOWED) for name in RAISED}),
        *against(HIGHER, {"M 2 to 20": (middle, low), "M 20 to 100": (high, middle)}),
        *single(STEPS, RAISED, steps),
        *single(ABOVE, (high, "fpr@1000"), lambda: over("fpr@1000", high)),
        *against(BEST, {f"over {name}": (high, name) for name in others}),
    ]


def _quick(found: Measured, rng: int) -> list[Claim]:
    """Ratios of times, paired by run; the power with which the time grows, from half of the pages to all of them."""
    tenth, half, whole = (_by_order(found.times, part) for part in ("tenth", "half", "whole"))

    def ratio(statement: Statement, more: np.ndarray, less: np.ndarray, part: str = "") -> Claim:
        seconds = max(float(more.mean()), float(less.mean()))
        return _long_enough(statement, ratio_interval(more, less, RUNS, rng=rng), seconds, found.apart, part)

    def raised() -> list[Claim]:
        parts = []
        for name in RAISED:
            parts.append(ratio(RAISED_TIME, tenth[name], tenth[WINDOWED], f"{name} more, first tenth"))
            parts.append(ratio(RAISED_TIME, whole[WINDOWED], whole[name], f"{name} less, overall"))
        return [verdicts.conjunction(parts), *parts]

    def growth() -> list[Claim]:
        first, all_of_it = half[WINDOWED], whole[WINDOWED]
        power = np.full(len(first), np.nan)
        power[first > 0] = np.log2(all_of_it[first > 0] / first[first > 0])
        interval = mean_interval(power, RUNS, rng=rng)
        return [_long_enough(GROWTH, interval, float(first.mean()), found.apart)]

    return [
        *_where_run(
            FPR_TIME, ("fpr", WINDOWED), whole, found.same, lambda: [ratio(FPR_TIME, whole[WINDOWED], whole["fpr"])]
        ),
        *_where_run(RAISED_TIME, (*RAISED, WINDOWED), whole, found.same, raised),
        *_where_run(GROWTH, (WINDOWED,), whole, found.same, growth),
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
    statement: Statement,
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
    return [verdicts.undecided(statement, same if alone else f"{', '.join(lacking)} was not run")]


def _long_enough(statement: Statement, interval: Interval, seconds: float, apart: str, part: str = "") -> Claim:
    """A claim about times: not judged, and not pooled, where they are too short to be told from noise."""
    if seconds >= LEAST_SECONDS:
        return verdicts.judge(statement, interval, part=part, apart=apart)
    why = f"it took {seconds:.2g} s: less than {LEAST_SECONDS:g} s cannot be told from noise"
    return verdicts.withheld(verdicts.judge(statement, interval, part=part, apart=apart or why), why)


def _by_order(table: pa.Table, column: str) -> dict[str, np.ndarray]:
    """A column of each order, one number a seed set or run, in their order."""
    names = dict.fromkeys(table["order"].to_pylist())
    return {name: table.filter(pc.equal(table["order"], name))[column].to_numpy() for name in names}
