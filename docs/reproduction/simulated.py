"""How often 95 % intervals contain the true value, measured on simulated samples."""

from __future__ import annotations

import json
import math
from collections.abc import Callable
from pathlib import Path

import numpy as np

from docs.reproduction.pooling import random_effects
from seedrank.experiments.intervals import Interval, mean_interval

__all__ = ["kept_coverage", "measure_coverage"]

REPEATS = 4000
_Draw = Callable[[np.random.Generator], np.ndarray]


def kept_coverage(work: Path, repeats: int = REPEATS) -> dict[str, float]:
    """As `measure_coverage`, kept in WORK."""
    kept = work / f"simulated-intervals-{repeats}.json"
    if not kept.is_file():
        kept.write_text(json.dumps(measure_coverage(repeats), indent=1, ensure_ascii=False), encoding="utf-8")
    return dict(json.loads(kept.read_text(encoding="utf-8")))


def measure_coverage(repeats: int = REPEATS) -> dict[str, float]:
    """Per cent of the intervals that contain the true value, by what was drawn."""

    def pooled(graphs: int) -> _Draw:
        return lambda random: random.normal(random.normal(2, 1, graphs), random.uniform(0.5, 1.5, graphs))

    def lopsided(random: np.random.Generator) -> np.ndarray:
        return random.normal(random.normal(2, 1, 3), (0.01, 1.5, 2.5))

    cases: dict[str, tuple[_Draw, float, Callable[[np.ndarray], Interval]]] = {
        **{f"normal, n = {n}": (_normal(n), 3.0, mean_interval) for n in (5, 10, 30)},
        "exponential, n = 30": (lambda random: random.exponential(1, 30), 1.0, mean_interval),
        "lognormal(1), n = 10": (lambda random: random.lognormal(0, 1, 10), math.exp(0.5), mean_interval),
        "lognormal(1), n = 30": (lambda random: random.lognormal(0, 1, 30), math.exp(0.5), mean_interval),
        **{f"pooled, {k} graphs": (pooled(k), 2.0, random_effects) for k in (3, 5)},
        "pooled, 3 graphs, one a hundred times as exact": (lopsided, 2.0, random_effects),
    }
    return {name: _share(*case, repeats) for name, case in cases.items()}


def _normal(n: int) -> _Draw:
    return lambda random: random.normal(3, 2, n)


def _share(draw: _Draw, true: float, interval: Callable[[np.ndarray], Interval], repeats: int) -> float:
    random = np.random.default_rng(20260131)
    found = (interval(draw(random)) for _ in range(repeats))
    return 100 * float(np.mean([one.low <= true <= one.high for one in found]))
