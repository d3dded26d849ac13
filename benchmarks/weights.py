"""Weighted walks against plain ones over the same links, in the same run.

    python -m benchmarks.weights                       5 M pages, about 70 M links
    python -m benchmarks.weights --pages 500000        the same ratios on a smaller web
    python -m benchmarks.weights --real                cnr-2000

A weight is random, from 1e-2 to 1e2 on a log scale, so that both walks take about as many sweeps; a line has the
seconds per sweep too.
"""

from __future__ import annotations

import argparse
import tempfile
from pathlib import Path

import numpy as np

from benchmarks.common import cnr_2000, race
from seedrank.engines.native.engine import NativeEngine
from seedrank.graph import WebGraph
from seedrank.ingest.synthetic import WebSpec, write_graph

GOAL = 1.5
LINKS_PER_PAGE = 14


def weighted(graph: WebGraph) -> WebGraph:
    """The graph with random weights."""
    weights = (10.0 ** np.random.default_rng(1).uniform(-2, 2, graph.links)).astype(np.float32)
    names = ("out_offsets", "out_targets", "in_offsets", "in_sources", "status", "host")
    arrays = {name: getattr(graph, name) for name in names}
    return WebGraph({**arrays, "weights": weights}, graph.meta)


def measure(name: str, graph: WebGraph, repeats: int) -> None:
    """Print a line per primitive: the best of `repeats`, which take turns."""
    with_weights = weighted(graph)
    plain, by_weight = NativeEngine(with_weights.unweighted()), NativeEngine(with_weights)
    shares = np.linspace(0.1, 1.0, 5)
    for what, plainly, weighing in (
        ("walk", plain.walk, by_weight.walk),
        ("walks of five shares", lambda: plain.walk_shares(shares), lambda: by_weight.walk_shares(shares)),
        ("hits, 20 iterations", lambda: plain.hits(20), lambda: by_weight.hits(20)),
    ):
        best = race(repeats, {"plain": plainly, "weighted": weighing})
        ratio = best["weighted"] / best["plain"]
        sweeps = ""
        if what == "walk":
            counts = plain.walk().iterations, by_weight.walk().iterations
            each = [1000 * best[kind] / count for kind, count in zip(("plain", "weighted"), counts, strict=True)]
            sweeps = f"; {counts[0]} and {counts[1]} sweeps, {each[0]:.1f} and {each[1]:.1f} ms each"
        print(
            f"{name}, {graph.pages:,} pages, {graph.links:,} links: {what}: plain {best['plain']:.3f} s, "
            f"weighted {best['weighted']:.3f} s, ratio {ratio:.2f} (goal <= {GOAL}){sweeps}",
            flush=True,
        )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--pages", type=int, default=5_000_000)
    parser.add_argument("--repeats", type=int, default=3)
    parser.add_argument("--real", action="store_true")
    chosen = parser.parse_args()
    if chosen.real:
        measure("cnr-2000", cnr_2000(), chosen.repeats)
        return
    with tempfile.TemporaryDirectory() as folder:
        spec = WebSpec(pages=chosen.pages, rng=1, links_per_page=LINKS_PER_PAGE, crawled=1.0)
        measure("generated", write_graph(spec, Path(folder) / "web"), chosen.repeats)


if __name__ == "__main__":
    main()
