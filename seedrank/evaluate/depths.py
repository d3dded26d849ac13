"""What a breadth-first crawl finds at each depth: mean PageRank and number of pages, seeds against random pages."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
import pyarrow as pa

from seedrank.charts.chart import Chart, Series
from seedrank.core.progress import Progress
from seedrank.engines.base import Engine
from seedrank.evaluate.experiment import Claim
from seedrank.evaluate.intervals import mean_interval, paired_difference
from seedrank.evaluate.verdicts import exceeds

__all__ = ["DEEPEST", "charts", "crawls", "more_pages", "pagerank_claim", "summary"]

PAPER = "001, 003"
DEEPEST = 15


def crawls(
    engine: Engine, pagerank: np.ndarray, starts: Mapping[str, Sequence[np.ndarray]], progress: Progress
) -> pa.Table:
    """Crawl breadth-first from every start.

    Parameters
    ----------
    engine
        Over the whole graph.
    pagerank
        Of every page.
    starts
        By method: sets of pages to start from, one per draw.

    Returns
    -------
    table
        ``method``, ``draw``, ``depth`` (0 to 15), ``pages`` first visited there, ``pagerank`` (sum of theirs).
    """
    method, draw, depth, pages, score = [], [], [], [], []
    with progress("crawling", sum(map(len, starts.values()))) as advance:
        for name, sets in starts.items():
            for number, chosen in enumerate(sets):
                level = engine.levels(chosen, DEEPEST)
                there = level >= 0
                pages.append(np.bincount(level[there], minlength=DEEPEST + 1))
                score.append(np.bincount(level[there], pagerank[there], DEEPEST + 1))
                depth.append(np.arange(DEEPEST + 1))
                method += [name] * (DEEPEST + 1)
                draw += [number] * (DEEPEST + 1)
                advance(1)
    return pa.table(
        {
            "method": method,
            "draw": draw,
            "depth": np.concatenate(depth),
            "pages": np.concatenate(pages),
            "pagerank": np.concatenate(score),
        }
    )


def summary(table: pa.Table) -> pa.Table:
    """Per method and depth: means over draws with their 95 % interval, of ``pages`` and of ``mean_pagerank``.

    The mean PageRank at a depth is over the draws that find a page there (``draws``).
    """
    rows = []
    for method in _methods(table):
        pages, score = _by_draw(table, method)
        for depth in range(DEEPEST + 1):
            found = pages[:, depth] > 0
            if not found.any():
                continue
            count, mean = (
                mean_interval(pages[:, depth].astype(float)),
                mean_interval(score[found, depth] / pages[found, depth]),
            )
            rows.append(
                {"method": method, "depth": depth, "draws": int(found.sum()),
                 "pages": count.value, "pages_low": count.low, "pages_high": count.high,
                 "mean_pagerank": mean.value, "mean_pagerank_low": mean.low, "mean_pagerank_high": mean.high}
            )  # fmt: skip
    return pa.Table.from_pylist(rows)


def charts(table: pa.Table, prefix: str, title: str) -> list[Chart]:
    """Mean PageRank and number of pages by depth, from `summary`."""
    frame = table.to_pandas()
    made = []
    for column, label, name in (
        ("mean_pagerank", "mean PageRank of pages first visited", "pagerank"),
        ("pages", "pages first visited", "pages"),
    ):
        series = [
            Series(
                method, *(rows[each].to_numpy(float) for each in ("depth", column, f"{column}_low", f"{column}_high"))
            )
            for method, rows in frame.groupby("method", sort=False)
        ]
        made.append(
            Chart(f"{prefix}{name}-by-depth", f"{title}: {label}", "depth (links from the start)", label, series,
                  log_y=True, caption="Means over draws, with 95 % intervals.")
        )  # fmt: skip
    return made


def pagerank_claim(table: pa.Table, ours: str, first: int, last: int, claim: str, reported: str) -> Claim:
    """Whether pages first visited at depths `first` to `last` have more PageRank from `ours` than from random pages."""
    ratio = []
    for method in (ours, "random"):
        pages, score = _by_draw(table, method)
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


def more_pages(table: pa.Table, ours: str, first: int, last: int, claim: str, reported: str) -> Claim:
    """Whether `ours` finds more pages at every depth from `first` to `last` that either finds pages at."""
    mine, random = _by_draw(table, ours)[0], _by_draw(table, "random")[0]
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


def _list(depths: list[int]) -> str:
    return ", ".join(map(str, depths)) or "none"


def _methods(table: pa.Table) -> list[str]:
    return list(dict.fromkeys(table["method"].to_pylist()))


def _by_draw(table: pa.Table, method: str) -> tuple[np.ndarray, np.ndarray]:
    """Pages and sums of PageRank: draws x depths."""
    chosen = np.flatnonzero(np.array(table["method"].to_pylist(), object) == method)
    pages, score = (table[name].to_numpy()[chosen].reshape(-1, DEEPEST + 1) for name in ("pages", "pagerank"))
    return pages, score
