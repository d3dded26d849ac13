"""Recrawl: what each policy comes to on a made history, and how long rates and plans of many pages take.

    python -m benchmarks.recrawl                       10 M pages, 4 visits each, 100,000 hosts; 8 GB of memory
    python -m benchmarks.recrawl --pages 1000000       a smaller one
    python -m benchmarks.recrawl --policies            the policies alone, 20,000 pages

The made history: views by Zipf (exponent 1.15), log-normal rates of change (median 0.09 a day, sigma 1.75), 0.1 fetches
a page and day. Seconds are of the whole and of processors; everything is compiled on a small history first.
"""

from __future__ import annotations

import argparse
import resource
import time
from collections.abc import Callable
from typing import TypeVar

import numpy as np

from seedrank.methods.recrawl.freshness import at_fixed_intervals
from seedrank.methods.recrawl.methods import POLICIES
from seedrank.methods.recrawl.policies import Sharing
from seedrank.methods.recrawl.rates import change_rates
from seedrank.methods.recrawl.simulation import drawn, greedy
from seedrank.methods.recrawl.visits import DAY, Visits, visits_of
from seedrank.questions.recrawl import SimulateQuestion

PAGES, VISITS, PER_HOST = 20_000, 4, 100
PER_PAGE = 0.1
_T = TypeVar("_T")


def history(pages: int, rng: int = 1) -> tuple[np.ndarray, np.ndarray]:
    """What pages are worth, and how often they change."""
    draw = np.random.default_rng(rng)
    weight = 1 / np.arange(1, pages + 1) ** 1.15
    return weight / weight.sum(), np.exp(draw.normal(np.log(0.09), 1.75, pages))


def sharing(weight: np.ndarray, change: np.ndarray) -> Sharing:
    """A budget of 0.1 fetches a page and day, without bounds."""
    pages = len(weight)
    free = np.full(pages, np.inf)
    return Sharing(weight, change, PER_PAGE * pages, np.zeros(pages), free, np.full(pages, -1), np.empty(0))


def visited(change: np.ndarray, rng: int = 1) -> tuple[np.ndarray, Callable[[], Visits]]:
    """The site of each page, and what sorts visits of all pages that come by their time."""
    draw = np.random.default_rng(rng)
    pages = len(change)
    site = draw.integers(0, max(pages // PER_HOST, 1), pages)
    gap = draw.exponential(7, (VISITS, pages))
    changed = (draw.random((VISITS, pages)) < -np.expm1(-change * gap)).astype(np.int8)
    times = (np.cumsum(gap, axis=0) * DAY + 1.6e9).astype(np.int64)
    page = np.tile(np.arange(pages), VISITS)
    return site, lambda: visits_of(site, page, times.ravel(), changed.ravel())


def timed(name: str, run: Callable[[], _T]) -> tuple[_T, float, float]:
    """What a function gives, with a line of what it took."""
    start, begun = time.perf_counter(), time.process_time()
    found = run()
    seconds, processors = time.perf_counter() - start, time.process_time() - begun
    print(f"{name:<28} {seconds:7.1f} s {processors:7.1f} CPU s", flush=True)
    return found, seconds, processors


def compare() -> None:
    """The policies on the made history: expected, simulated, and pages that are never fetched again."""
    weight, change = history(PAGES)
    question = SimulateQuestion(days=60, repeats=10)
    print(f"{'policy':<14}{'expected':>10}{'simulated':>11}{'error':>9}{'never':>8}")
    for policy in POLICIES:
        rates = policy.run(sharing(weight, change))
        fresh, error = drawn(rates, change, weight, question)
        expected = (weight * at_fixed_intervals(rates, change)).sum()
        print(f"{policy.name:<14}{expected:10.3f}{fresh:11.3f}{error:9.4f}{(rates <= 0).mean():8.0%}")
    fresh, error = greedy(change, weight, PER_PAGE * PAGES, question)
    print(f"{'next':<14}{'':>10}{fresh:11.3f}{error:9.4f}", flush=True)


def large(pages: int) -> None:
    """Rates and plans of many pages, step by step."""
    weight, change = history(pages)
    site, sort = visited(change)
    visits, *sorting = timed(f"sorting {VISITS * pages:,} visits", sort)
    found, *rating = timed("change rates", lambda: change_rates(visits, int(site.max()) + 1))
    plan = [timed(f"plan: {one.name}", lambda one=one: one.run(sharing(weight, found.rate)))[1:] for one in POLICIES]
    wall, processors = (sum(step[place] for step in (sorting, rating, *plan)) for place in (0, 1))
    print(f"{pages:,} pages: {wall:.1f} s, {processors:.1f} CPU s in all (goal: 60 s on two cores)")
    print(f"peak memory {resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 2**20:.1f} GiB")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--pages", type=int, default=10_000_000)
    parser.add_argument("--policies", action="store_true")
    options = parser.parse_args()
    compare()
    if options.policies:
        return
    _, change = history(1_000)
    site, sort = visited(change)
    change_rates(sort(), int(site.max()) + 1)
    large(options.pages)


if __name__ == "__main__":
    main()
