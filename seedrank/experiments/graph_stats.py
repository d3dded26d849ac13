"""The graph in numbers, as an answer; with the distances between its pages where they are asked for."""

from __future__ import annotations

import math
import time
from collections.abc import Iterator
from dataclasses import replace
from typing import Any, Literal

import numpy as np
import pyarrow as pa

from seedrank.core.errors import UsageError
from seedrank.core.model import Status
from seedrank.core.progress import Progress, silent
from seedrank.engines.native.engine import NativeEngine
from seedrank.experiments.intervals import Interval, mean_interval, ratio_interval
from seedrank.graph import WebGraph
from seedrank.methods.stats import Distances, Stats, measure
from seedrank.methods.suspicious.found import KINDS, members_of, table_of
from seedrank.questions.graph import StatsQuestion
from seedrank.runs import Answer, experiment_files
from seedrank.runs.experiment import Experiment
from seedrank.session import Session

__all__ = ["answer", "distances_of", "stats_of", "suspicious"]

WORK = 2_000_000_000
"""Pages and links that searches may look at: some ten seconds."""
SOURCES, FEWEST_SOURCES = 500, 100
"""Pages that searches begin from, and below how many HyperBall tells more."""
BATCH = 128
"""Sources of one call: enough for threads, and the progress is seen in between."""
RUNS = 8
"""Estimates by HyperBall, each with a hash function of its own."""
SHARE = 0.9
"""Of the reachable pairs: within the effective diameter."""


def answer(session: Session, question: StatsQuestion, *, write: str | None = None) -> Answer:
    """What the store holds: a row per number (``name``, ``value``), and all of it, texts too, as the facts.

    It is not kept as a run: `seedrank runs` does not list it, and no question takes it as input. With `suspicious`
    a row for all that looks wrong, kept as a run. `write` also writes the number of each page's strong component as
    this property.
    """
    session.check_column(write)
    if write is not None:
        session.write_scores(write, session.engine.components().component.astype(np.int64))
    if question.suspicious:
        return suspicious(session, question)
    started = time.perf_counter()
    facts = stats_of(session, question).plain()
    rows = list(_numbers(facts))
    run = session.record(question, started, facts, site=session.site)
    return Answer(run, lambda: pa.table({"name": [name for name, _ in rows], "value": [value for _, value in rows]}))


def suspicious(session: Session, question: StatsQuestion) -> Answer:
    """What looks wrong, one row each with the reason; table ``members`` has the hosts of each. It is kept as a run."""
    from seedrank.methods.suspicious.detect import detect  # brings SciPy, which plain statistics do without

    started = time.perf_counter()
    found, left_out = detect(session.stored_graph, question, session.site, session.level)
    tables = {"suspicious": table_of(found), "members": members_of(found)}
    counts = {kind: sum(one.kind == kind for one in found) for kind in KINDS}
    experiment = Experiment("suspicious", tables, (), (), left_out)
    run = session.record(question, started, {**counts, "left_out": list(left_out)}, site=session.site)
    with session.keeping():
        experiment_files.save(session.runs, run, experiment)
    return experiment_files.answer_of(run, experiment)


def stats_of(session: Session, question: StatsQuestion) -> Stats:
    """The same as an object."""
    if question.suspicious:
        raise UsageError("what looks wrong is a table of its own", hint="ask by suspicious() of the workbench")
    runs = session.runs.count()
    stats = measure(session.store, session.stored_graph, site=session.site, runs=runs, level=session.level)
    if not question.distances:
        return stats
    return replace(stats, distances=distances_of(session.graph, question.rng, session.progress))


def distances_of(
    graph: WebGraph,
    rng: int = 1,
    progress: Progress = silent,
    *,
    method: Literal["searches", "hyperball"] | None = None,
) -> Distances:
    """Distances between crawled pages, along all links.

    Breadth-first searches from crawled pages, all or a sample of them, where the graph is small enough; HyperBall
    otherwise, several times.

    Parameters
    ----------
    rng
        Random sequence of the sample, or of the hash functions.
    method
        By which; chosen by the size of the graph when `None`.
    """
    crawled = graph.status == Status.CRAWLED
    pages, cost = int(crawled.sum()), max(graph.pages + graph.links, 1)
    everything = pages * cost <= WORK
    sources = pages if everything else min(pages, SOURCES, max(WORK // cost, FEWEST_SOURCES))
    if method is None:
        method = "searches" if everything or WORK // cost >= FEWEST_SOURCES else "hyperball"
    if method == "hyperball":
        reached, sums, at = _by_hyperball(NativeEngine(graph), crawled, rng, progress)
        return _distances("hyperball", "hash functions", reached, sums, at, pages * (pages - 1))
    chosen = np.flatnonzero(crawled)
    if not everything:
        chosen = np.sort(np.random.default_rng(rng).choice(chosen, sources, replace=False))
    reached, sums, at = _by_searches(NativeEngine(graph), crawled, chosen, progress)
    done: Literal["all searches", "sampled searches"] = "all searches" if everything else "sampled searches"
    return _distances(done, "crawled pages", reached, sums, at, pages - 1)


def _by_searches(
    engine: NativeEngine, crawled: np.ndarray, sources: np.ndarray, progress: Progress
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Pages reached and the sum of their distances per source, and pairs at distance 1, 2, ….

    Memory: 8 bytes a page and thread.
    """
    parts = []
    with progress("searching from pages", len(sources)) as advance:
        for some in np.array_split(sources, max(1, math.ceil(len(sources) / BATCH))):
            parts.append(engine.distances(some, crawled))
            advance(len(some))
    at = _same_length([part[2] for part in parts]).sum(axis=0)
    return np.concatenate([part[0] for part in parts]), np.concatenate([part[1] for part in parts]), at


def _by_hyperball(
    engine: NativeEngine, crawled: np.ndarray, rng: int, progress: Progress
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """The same per run, over all pages at once."""
    seeds = np.random.default_rng(rng).integers(0, 2**63, RUNS)
    within = []
    with progress("growing balls", RUNS) as advance:
        for seed in seeds:
            within.append(engine.neighbourhood(crawled, int(seed)))
            advance(1)
    at = _same_length([np.diff(counts) for counts in within])
    return at.sum(axis=1), at @ np.arange(1, at.shape[1] + 1), at.mean(axis=0)


def _distances(
    method: Literal["all searches", "sampled searches", "hyperball"],
    unit: str,
    reached: np.ndarray,
    sums: np.ndarray,
    at: np.ndarray,
    pairs: int,
) -> Distances:
    """From pages reached and sums of distances per unit, and pairs at distance 1, 2, …; a unit has `pairs` pairs."""
    if method == "all searches":  # of every pair there is: the values are their own intervals
        of_pairs = sums.mean() / reached.mean() if reached.any() else math.nan
        of_pages = (reached / pairs).mean() if pairs > 0 else math.nan
        mean, share = (Interval(value, value, value) for value in (of_pairs, of_pages))
    else:
        mean, share = ratio_interval(sums, reached), mean_interval(reached / pairs if pairs > 0 else np.empty(0))
    return Distances(
        method, len(reached), unit, *_ends(mean), effective_diameter=_effective(at),
        **dict(zip(("reachable", "reachable_low", "reachable_high"), _ends(share), strict=True)),
    )  # fmt: skip


def _effective(at: np.ndarray) -> float | None:
    """Distance within which `SHARE` of the pairs lie; from one whole number to the next, in proportion."""
    within = np.concatenate([[0.0], np.cumsum(at, dtype=np.float64)])
    if within[-1] == 0:
        return None
    wanted = SHARE * within[-1]
    distance = int(np.searchsorted(within, wanted))
    below, above = within[distance - 1], within[distance]
    return float(distance - 1 + (wanted - below) / (above - below))


def _ends(interval: Interval) -> tuple[float | None, float | None, float | None]:
    """Estimate and interval as JSON has them."""
    value, low, high = (None if math.isnan(n) else float(n) for n in (interval.value, interval.low, interval.high))
    return value, low, high


def _same_length(rows: list[np.ndarray]) -> np.ndarray:
    """Rows of counts below one another, the shorter ones filled up with 0."""
    longest = max(len(row) for row in rows)
    return np.stack([np.pad(row, (0, longest - len(row))) for row in rows])


def _numbers(plain: dict[str, Any], before: str = "") -> Iterator[tuple[str, float]]:
    """Every number by its name, those of a part as ``part.name``."""
    for name, value in plain.items():
        if isinstance(value, dict):
            yield from _numbers(value, f"{before}{name}.")
        elif isinstance(value, int | float):
            yield f"{before}{name}", float(value)
