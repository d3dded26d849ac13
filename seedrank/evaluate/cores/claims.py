"""What Daneshpajouh et al. 2008 claim of cores, judged on one graph (docs/algorithms.md §3.5)."""

from __future__ import annotations

from typing import Any

import numpy as np
import pyarrow as pa

from seedrank.evaluate.cores.depths import DEEPEST, by_draw
from seedrank.evaluate.cores.graph_facts import SETTLED
from seedrank.evaluate.cores.measure import RANDOM_HUBS, Measured
from seedrank.evaluate.experiment import Claim
from seedrank.evaluate.intervals import RESAMPLES, Interval, mean_interval, paired_difference
from seedrank.evaluate.verdicts import exceeds

__all__ = [
    "convergence_claims",
    "density_claim",
    "distance_claims",
    "judge",
    "more_pages_claim",
    "pagerank_claim",
    "size_claim",
    "survival_claim",
    "time_claim",
]

PAPER = "001, 003"
FEWEST_CORES = 5
"""Cores below which their sizes say nothing."""
NEAR = 3
"""Iterations that count as close."""
FEWEST_PAIRS = 10
"""Pairs of cores below which nothing is judged."""
EARLY_PAIRS = 5
"""Pairs of a hub and an authority that count as the first steps."""
SHORTEST = 1.0
"""Processor seconds of the whole graph below which times say more of the machine than of the method."""
RANDOM_FILE = "choose 1,000 pages of the older graph at random, and give the list as `transfer_against`"


def judge(measured: Measured, rng: int) -> list[Claim]:
    """Every claim with what was measured and its verdict."""
    tables, crawl, usual = measured.tables, measured.crawls, measured.usual_distance
    found = [
        *convergence_claims(tables["hits"]),
        density_claim(tables["density"]),
        time_claim(tables["time"]),
        size_claim(tables["sizes"]),
        *distance_claims(tables["distances"], usual),
        pagerank_claim(
            crawl, RANDOM_HUBS, 2, 4, "Pages first visited at depths 2 to 4 have more PageRank than from random pages",
            "better at 2 to 4, not at 1 (UK-2002)",
        ),
        more_pages_claim(
            crawl, RANDOM_HUBS, 1, DEEPEST, "More pages are found at every depth than from random pages",
            "always higher (UK-2002, UK-2005)",
        ),
    ]  # fmt: skip
    if measured.later_crawls is not None:
        later = measured.later_crawls
        found += [
            survival_claim(tables["survival"], rng),
            pagerank_claim(
                later, "seeds", 1, 3, "Seeds of an older graph find more PageRank up to depth 3 than random pages",
                "better up to depth 3 (11 seeds left)",
            ),
            more_pages_claim(
                later, "seeds", 4, DEEPEST,
                "Seeds of an older graph find more pages at depths 4 to 15 than random pages", "better at 4 to 15",
            ),
        ]  # fmt: skip
    return found


def convergence_claims(table: pa.Table) -> list[Claim]:
    """More than 50 iterations are enough, 20 are not: by whether the first cores are the final ones."""
    rows = {row["iterations"]: row for row in table.to_pylist()}
    few, many = rows[20], rows[60]
    why = f"final: the first cores after {SETTLED} iterations"

    def measured(row: dict[str, Any]) -> str:
        return (
            f"after {row['iterations']}: {row['final']} of {row['cores']} cores are final (residual of the first "
            f"{row['residual']:.2g})"
        )

    settled, early = many["final"] == many["cores"], few["final"] == few["cores"]
    return [
        Claim(PAPER, "HITS has settled after more than 50 iterations", "> 50", measured(many),
              "holds" if settled else "does not hold", why),
        Claim(PAPER, "20 iterations of HITS are too few", "20", measured(few),
              "does not hold" if early else "holds", why),
    ]  # fmt: skip


def density_claim(table: pa.Table) -> Claim:
    """Cores by size are complete at their first steps."""
    density = table["density"].to_numpy()
    whole = int(np.argmax(density < 100)) if (density < 100).any() else len(density)
    return Claim(
        PAPER,
        "Cores by size are complete at their first steps",
        "",
        f"complete for the first {whole} of {len(density)} pairs, {density[-1]:.4g} % at the end",
        "cannot be judged" if len(density) < EARLY_PAIRS else "holds" if whole >= EARLY_PAIRS else "does not hold",
        f"the first steps are taken to be {EARLY_PAIRS} pairs",
    )


def time_claim(table: pa.Table) -> Claim:
    """The running time is linear."""
    x, y = table["pages"].to_numpy() + table["links"].to_numpy(), table["seconds"].to_numpy()
    slope = float(np.polyfit(np.log(x), np.log(y), 1)[0]) if x.min() < x.max() else np.nan
    short = y.max() < SHORTEST or np.isnan(slope)
    return Claim(
        PAPER,
        "The running time is linear in the size of the graph",
        "O(n)",
        f"time grows with the {slope:.2f}th power of pages and links, {y.max():.3g} s for the whole graph",
        "cannot be judged" if short else "holds" if slope <= 1.2 else "does not hold",
        f"less than {SHORTEST:g} s: the graph is too small to tell"
        if short
        else "one core; up to a power of 1.2 counts",
    )


def size_claim(sizes: pa.Table) -> Claim:
    """Hubs outnumber authorities."""
    claim, reported = "Cores usually have more hubs than authorities", "usually; hubs capped at 999 (UK-2002)"
    hubs, authorities = sizes["hubs"].to_numpy(), sizes["authorities"].to_numpy()
    if len(hubs) < FEWEST_CORES:
        return Claim(PAPER, claim, reported, f"{len(hubs)} cores", "cannot be judged", "too few cores")
    share = mean_interval((hubs > authorities).astype(float))
    measured = f"share of cores {share}; medians {np.median(hubs):.4g} hubs, {np.median(authorities):.4g} authorities"
    verdict, why = exceeds(share, 0.5, "one half")
    return Claim(PAPER, claim, reported, measured, verdict, why)


def distance_claims(table: pa.Table, usual: Interval | None) -> list[Claim]:
    """Close iterations give distant cores; close cores come from distant iterations."""
    gap, distance = table["gap"].to_numpy(), table["distance"].to_numpy().astype(float)
    close, near = distance[gap <= NEAR], gap[distance <= 1]
    far = Claim(
        PAPER, f"Cores of close iterations (up to {NEAR} apart) are at least the mean distance of pages apart",
        "7.15 between cores, 14.9 between pages (UK-2002)", "", "cannot be judged",
        f"only {len(close)} pairs of such cores are connected",
    )  # fmt: skip
    if len(close) >= FEWEST_PAIRS and usual is not None:
        mean = mean_interval(close)
        verdict, why = exceeds(mean, usual.value, "the mean distance of pages")
        far = Claim(far.paper, far.claim, far.reported, f"{mean} links between cores, {usual} between pages",
                    verdict, why)  # fmt: skip
    late = Claim(
        PAPER, "Close cores come from far iterations", "distance 1: cores 32 and 47 of 56", "", "cannot be judged",
        f"only {len(near)} pairs of cores are one link apart, {len(table) - len(near)} farther",
    )  # fmt: skip
    if min(len(near), len(gap) - len(near)) >= FEWEST_PAIRS:
        mean, others = mean_interval(near.astype(float)), float(gap[distance > 1].mean())
        verdict, why = exceeds(mean, others, "that of the others")
        late = Claim(late.paper, late.claim, late.reported,
                     f"{mean} iterations between cores one link apart, {others:.4g} between the others",
                     verdict, why)  # fmt: skip
    return [far, late]


def pagerank_claim(table: pa.Table, ours: str, first: int, last: int, claim: str, reported: str) -> Claim:
    """Whether pages first visited at depths `first` to `last` have more PageRank from `ours` than from random pages."""
    ratio = []
    for method in (ours, "random"):
        pages, score = by_draw(table, method)
        count = pages[:, first : last + 1].sum(axis=1)
        with np.errstate(invalid="ignore", divide="ignore"):
            ratio.append(score[:, first : last + 1].sum(axis=1) / count)
    some = ~(np.isnan(ratio[0]) | np.isnan(ratio[1]))
    if not some.any():
        return Claim(
            PAPER, claim, reported, "", "cannot be judged", f"no crawl finds pages at depths {first} to {last}"
        )
    gain = paired_difference(ratio[0][some], ratio[1][some])
    lift = ratio[0][some].mean() / ratio[1][some].mean()
    measured = f"{lift:.3g} times the mean PageRank; difference {gain} over {int(some.sum())} draws"
    verdict, why = exceeds(gain)
    return Claim(PAPER, claim, reported, measured, verdict, why)


def more_pages_claim(table: pa.Table, ours: str, first: int, last: int, claim: str, reported: str) -> Claim:
    """Whether `ours` finds more pages at every depth from `first` to `last` that either finds pages at."""
    mine, random = by_draw(table, ours)[0], by_draw(table, "random")[0]
    more: list[int] = []
    fewer: list[int] = []
    alike: list[int] = []
    for depth in range(first, last + 1):
        if mine[:, depth].any() or random[:, depth].any():
            gain = paired_difference(mine[:, depth], random[:, depth])
            (more if gain.above_zero else fewer if gain.below_zero else alike).append(depth)
    whole = paired_difference(mine[:, first : last + 1].sum(axis=1), random[:, first : last + 1].sum(axis=1))
    measured = f"more at depths {_list(more)}, fewer at {_list(fewer)}, alike at {_list(alike)}; in all {whole} pages"
    if not (more or fewer or alike):
        return Claim(
            PAPER, claim, reported, "", "cannot be judged", f"no crawl finds pages at depths {first} to {last}"
        )
    if alike and not fewer:
        return Claim(PAPER, claim, reported, measured, "cannot be judged", "some intervals contain 0")
    return Claim(PAPER, claim, reported, measured, "does not hold" if fewer else "holds")


def survival_claim(table: pa.Table, rng: int) -> Claim:
    """Hubs last longer than random pages."""
    rows = {row["pages"]: row for row in table.to_pylist()}
    claim, reported = "Hubs are durable: more of them are left than of random pages", "11 of 100 (UK-2002 to UK-2005)"
    hubs = rows["hubs"]
    found = f"{hubs['crawled']} of {hubs['listed']} hubs"
    if "random" not in rows:
        return Claim(PAPER, claim, reported, found, "cannot be judged", f"no random pages to compare: {RANDOM_FILE}")
    other = rows["random"]
    gap = _difference(hubs["crawled"], hubs["listed"], other["crawled"], other["listed"], rng)
    measured = f"{found}, {other['crawled']} of {other['listed']} random pages; difference of shares {gap}"
    verdict, why = exceeds(gap)
    return Claim(PAPER, claim, reported, measured, verdict, why)


def _difference(some: int, of: int, others: int, of_others: int, rng: int) -> Interval:
    """Difference of two shares, by draws from Jeffreys' beta: all or none of few is no certainty."""
    draw = np.random.default_rng(rng)
    share = draw.beta(some + 0.5, of - some + 0.5, RESAMPLES)
    drawn = share - draw.beta(others + 0.5, of_others - others + 0.5, RESAMPLES)
    low, high = np.percentile(drawn, [2.5, 97.5])
    return Interval(some / of - others / of_others, float(low), float(high))


def _list(depths: list[int]) -> str:
    return ", ".join(map(str, depths)) or "none"
