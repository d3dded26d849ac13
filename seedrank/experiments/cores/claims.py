"""What Daneshpajouh et al. 2008 claim of cores, judged on one graph (docs/algorithms.md §3.5)."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np
import pyarrow as pa

from seedrank.experiments.claim_specs import ClaimSpec, claim_specs
from seedrank.experiments.cores.depths import DEEPEST, by_draw
from seedrank.experiments.cores.distances import difference_of_pairs, mean_of_pairs
from seedrank.experiments.cores.measure import RANDOM_HUBS, Measured
from seedrank.experiments.cores.plan import ITERATIONS
from seedrank.experiments.cores.transfer import FILLED, LEFT, RANDOM, REPLACED
from seedrank.experiments.intervals import (
    Interval,
    difference_of_shares,
    lift_interval,
    mean_interval,
    share_interval,
)
from seedrank.experiments.verdicts import judge as verdict
from seedrank.experiments.verdicts import judge_parts, undecided, withheld
from seedrank.runs.experiment import Claim

__all__ = [
    "density_claim", "distance_claims", "judge", "lifts", "possible", "power_law_claims", "settling_claims",
    "size_claim", "survival_claim", "time_claim",
]  # fmt: skip

SAID = claim_specs("cores")
NEAR = 3
"""Iterations that count as close."""
CORES, DRAWS, RANDOM_DRAWS = "cores of this graph", "draws of seeds on this graph", "draws of random pages"
EARLY_PAIRS = 5
"""Pairs of a hub and an authority that count as the first steps."""
SHORTEST = 1.0
"""Processor seconds of the whole graph below which times say more of the machine than of the method."""
OVER = 0.99
"""Share of the pages that a crawl finds in all, with which it is over."""
RANDOM_FILE = "choose some at random on the older graph (seeds random) and give their list as `transfer_against`"


def judge(measured: Measured) -> list[Claim]:
    """Every claim with what was measured and its verdict."""
    tables, apart = measured.tables, measured.apart
    found = [
        *settling_claims(tables["hits"], apart),
        *power_law_claims(tables["power-laws"]),
        density_claim(tables["density"], apart),
        time_claim(tables["time"], apart),
        size_claim(tables["sizes"], apart),
        *distance_claims(tables["distances"], len(tables["sizes"]), measured.usual_distance, apart),
        *_crawl_claims(measured, apart),
    ]
    if measured.later_crawls is not None:
        found += [survival_claim(tables["survival"], apart), *_later_claims(measured, measured.later_crawls, apart)]
    return found


def settling_claims(table: pa.Table, apart: str = "") -> list[Claim]:
    """Whether the first hubs and authorities are the final ones; one number each, judged over graphs."""
    row = next(one for one in table.to_pylist() if one["iterations"] == ITERATIONS)
    found = {side: _figure(row[side]) for side in ("hubs", "authorities")}
    return judge_parts(SAID["hits settled"], found, note=f"residual {row['residual']:.2g}", apart=apart)


def density_claim(table: pa.Table, apart: str = "") -> Claim:
    """Cores by size are complete at their first steps."""
    frame = table.to_pandas()
    early = frame[frame["pair"] <= EARLY_PAIRS].groupby("core")["density"].agg(["size", "min"])
    whole = early[early["size"] == EARLY_PAIRS]["min"]  # smaller cores end before
    note = f"the first {len(early)} cores by size, those of {EARLY_PAIRS} pairs or more"
    return verdict(
        SAID["complete at first"], share_interval(int((whole == 100).sum()), len(whole), CORES), note=note, apart=apart
    )


def time_claim(table: pa.Table, apart: str = "") -> Claim:
    """The running time is linear: the power of pages and links that it grows with, in each run."""
    frame = table.to_pandas()
    size = frame["pages"] + frame["links"]
    if size.nunique() < 2:
        return undecided(SAID["linear time"], "the parts of the graph are of one size")
    slopes = [
        np.polyfit(np.log(size[rows.index]), np.log(rows["seconds"]), 1)[0] for _, rows in frame.groupby("run")
    ]  # fmt: skip
    longest = float(frame.groupby("pages")["seconds"].median().max())
    short = ""
    if longest < SHORTEST:
        short = f"{longest:.3g} s for the whole graph: below {SHORTEST:g} s, times say more of the machine"
    claim = verdict(
        SAID["linear time"],
        mean_interval(np.array(slopes), "runs on this machine"),
        note=f"one core of the whole graph takes {longest:.3g} s",
        apart=apart or short,
    )
    return withheld(claim, short) if short else claim


def size_claim(sizes: pa.Table, apart: str = "") -> Claim:
    """Hubs outnumber authorities."""
    hubs, authorities = sizes["hubs"].to_numpy(), sizes["authorities"].to_numpy()
    note = f"medians {np.median(hubs):.4g} hubs, {np.median(authorities):.4g} authorities"
    found = share_interval(int((hubs > authorities).sum()), len(hubs), CORES)
    return verdict(SAID["more hubs"], found, note=note, apart=apart)


def distance_claims(table: pa.Table, cores: int, usual: Interval | None, apart: str = "") -> list[Claim]:
    """Close iterations give distant cores; close cores come from distant iterations.

    `table` is that of `distances.between_cores`, and `usual` the mean distance of pages, reported beside that of cores.
    """
    source, target, distance = (table[name].to_numpy() for name in ("source", "target", "distance"))
    apart_by = np.full((cores, cores), np.nan)
    apart_by[source - 1, target - 1] = distance
    gap = np.abs(np.subtract.outer(np.arange(cores), np.arange(cores))).astype(np.float64)
    close = gap <= NEAR
    found = difference_of_pairs(apart_by, close, CORES)
    if np.isnan(found.value):
        none = "no way leads between cores of close iterations, or between others"
        far = undecided(SAID["close iterations"], none)
    else:
        inside = close[source - 1, target - 1]
        # The reference is the mean of all pairs, the close ones included.
        found = found.scaled(float((~inside).mean()))
        pages = "" if usual is None else f", pages {usual}"
        note = f"mean distance {distance[inside].mean():.3g} links, all cores {distance.mean():.3g}{pages}"
        far = verdict(SAID["close iterations"], found, note=note, apart=apart)
    literal = _as_quoted(mean_of_pairs(apart_by, close, CORES), usual, apart)
    near = difference_of_pairs(gap, apart_by <= 1, CORES)
    if np.isnan(near.value):
        return [far, literal, undecided(SAID["close cores"], "no two cores are one link apart, or all are")]
    note = f"{int((distance <= 1).sum())} of {cores * (cores - 1)} ordered pairs are one link apart"
    return [far, literal, verdict(SAID["close cores"], near, note=note, apart=apart)]


def _as_quoted(cores: Interval, usual: Interval | None, apart: str) -> Claim:
    """The sentence as it stands: the average distance is that of the graph's pages."""
    spec = SAID["close iterations, as quoted"]
    if usual is None or np.isnan(cores.value):
        return undecided(spec, "no way leads between cores of close iterations, or between pages")
    error = float(np.hypot(cores.error, usual.error))
    half = float(np.hypot(cores.value - cores.low, usual.value - usual.low))
    value = cores.value - usual.value
    found = Interval(value, value - half, value + half, cores.n, cores.unit, error)
    note = f"mean distance {cores.value:.3g} links, pages of the graph {usual.value:.3g}: the diameter of the papers"
    return verdict(spec, found, note=note, apart=apart)


def power_law_claims(table: pa.Table, apart: str = "") -> list[Claim]:
    """Degrees are power laws: the gap to the fitted one, a number each, judged over graphs."""
    rows = table.to_pylist()
    found = {f"{row['direction']}-degrees": _figure(row["gap"]) for row in rows}
    note = ", ".join(
        f"{row['direction']}-degrees: exponent {row['exponent']:.3g} from degree {row['from_degree']} on, "
        f"{100 * row['tail']:.3g} % of the pages, p = {row['p']:.2g}"
        for row in rows
    )
    return judge_parts(SAID["power law"], found, note=note or "too few pages have links", apart=apart)


def lifts(
    table: pa.Table, ours: str, others: str, what: str, depths: Iterable[int], unit: str = DRAWS
) -> dict[str, Interval]:
    """Per depth: `what` of `ours` over that of `others` in per cent, over draws.

    Depths at which neither finds a new page are left out.

    Parameters
    ----------
    table
        Crawls (`depths.crawls`).
    ours, others
        Methods. One with a single set of seeds is compared with every draw of the other; two of them give a figure.
    what
        ``cumulative``, ``new`` or ``mean_pagerank``.
    depths
        To look at, a part of the claim each.
    unit
        What a draw is.
    """
    mine, theirs = by_draw(table, ours), by_draw(table, others)
    draws = max(len(mine["new"]), len(theirs["new"]))
    found = {}
    for depth in depths:
        if not (mine["new"][:, depth].any() or theirs["new"][:, depth].any()):
            continue
        one, other = (np.broadcast_to(some[what][:, depth], draws) for some in (mine, theirs))
        lift = lift_interval(one, other, other, unit if draws > 1 else "graph")
        if not np.isnan(lift.value):
            found[f"depth {depth}"] = lift
    return found


def possible(found: dict[str, Interval], table: pa.Table, others: str, crawled: int) -> dict[str, Interval]:
    """The depths at which more pages can be found: where all of the web is found already, no seeds find more."""
    mean = by_draw(table, others)["cumulative"].mean(axis=0)
    least = 1 + SAID["more pages"].region.least / 100
    return {part: lift for part, lift in found.items() if mean[int(part.split()[1])] * least <= crawled}


def survival_claim(table: pa.Table, apart: str = "") -> Claim:
    """Hubs last longer than random pages."""
    rows = {row["pages"]: row for row in table.to_pylist()}
    hubs = rows["hubs"]
    note = f"{hubs['crawled']} of {hubs['listed']} hubs are left"
    if "random" not in rows:
        return undecided(SAID["durable hubs"], f"{note}; no random pages to compare with: {RANDOM_FILE}")
    other = rows["random"]
    gap = difference_of_shares(hubs["crawled"], hubs["listed"], other["crawled"], other["listed"], "seeds")
    note += f", and {other['crawled']} of {other['listed']} random pages"
    return verdict(SAID["durable hubs"], gap.scaled(100), note=note, apart=apart)


def _crawl_claims(measured: Measured, apart: str) -> list[Claim]:
    crawl, claims = measured.crawls, []
    for spec in [*_readings("pagerank"), *_readings("superior pagerank"), *_readings("later pagerank")]:
        first, last = spec.depths
        found = lifts(crawl, RANDOM_HUBS, RANDOM, "mean_pagerank", range(first, last + 1))
        claims += judge_parts(spec, found, note=_none(found, first, last), apart=apart)
    pages = lifts(crawl, RANDOM_HUBS, RANDOM, "cumulative", range(1, DEEPEST + 1))
    pages = possible(pages, crawl, RANDOM, measured.crawled)
    return [*claims, *judge_parts(SAID["more pages"], pages, note=_over(crawl, RANDOM_HUBS), apart=apart)]


def _later_claims(measured: Measured, later: pa.Table, apart: str) -> list[Claim]:
    """Crawls from seeds of an older graph; replacements for those that are gone are not in the papers."""
    claims: list[Claim] = []
    one_set = f"one set of {measured.survivors} seeds: the interval is over random pages alone"
    for what, those in (("mean_pagerank", "transferred pagerank"), ("cumulative", "transferred pages")):
        for spec in _readings(those):
            first, last = spec.depths
            found = lifts(later, LEFT, RANDOM, what, range(first, last + 1), RANDOM_DRAWS)
            if what == "cumulative":
                found = possible(found, later, RANDOM, measured.crawled)
            claims += judge_parts(spec, found, note=_none(found, first, last) or one_set, apart=apart)
    if REPLACED not in later["method"].to_pylist():
        none = "no seed was replaced"
        return [
            *claims,
            *(
                undecided(one, none)
                for one in (
                    SAID["replaced seeds, pages"],
                    SAID["replaced seeds, pagerank"],
                    SAID["replaced seeds, random"],
                )
            ),
        ]
    count = measured.tables["survival"].to_pylist()[0]
    replaced = f"{count['crawled']} seeds are left, {count['replaced']} are replaced"
    never = f"{replaced}; the seeds that are left are in both sets, so it cannot find fewer"
    early = range(1, 4)
    for spec, other, what, note in (
        (SAID["replaced seeds, pages"], LEFT, "cumulative", never),
        (SAID["replaced seeds, pagerank"], LEFT, "mean_pagerank", replaced),
        (SAID["replaced seeds, random"], FILLED, "cumulative", f"{replaced}; the interval is over random pages alone"),
    ):
        found = lifts(later, REPLACED, other, what, early, RANDOM_DRAWS)
        claims += judge_parts(spec, found, note=note, apart=apart)
    return claims


def _readings(key: str) -> list[ClaimSpec]:
    """A claim about certain iterations of a crawl, in either reading of what the first one is."""
    return [spec for name, spec in SAID.items() if name.startswith(f"{key}, depths")]


def _figure(value: float) -> Interval:
    """One number of this graph."""
    return Interval(value, np.nan, np.nan, 1, "graph")


def _none(found: dict[str, Interval], first: int, last: int) -> str:
    return "" if found else f"no crawl finds pages at depths {first} to {last}, or all are found before"


def _over(crawl: pa.Table, ours: str) -> str:
    """From which depth on crawls have nearly all pages they will find."""
    done = []
    for method in (ours, RANDOM):
        mean = by_draw(crawl, method)["cumulative"].mean(axis=0)
        done.append(int(np.argmax(mean >= OVER * mean[-1])))
    return f"{100 * OVER:g} % of their pages are found up to depth {done[0]} from hubs, {done[1]} from random pages"
