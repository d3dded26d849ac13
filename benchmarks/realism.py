"""Is the demo's web like recorded ones: degree tails, links between hosts, who holds PageRank, duplicates.

    python -m benchmarks.realism STORE…              a row of a Markdown table for each store

A store is what `--store` takes; its pages need URLs for hosts and duplicates. Nothing is written to it.
"""

from __future__ import annotations

import sys
from pathlib import Path

import numpy as np

import seedrank
from seedrank.core.model import Status
from seedrank.core.tables import as_markdown
from seedrank.experiments.cores.graph_facts import degrees, power_laws
from seedrank.methods.rank.centrality import pagerank
from seedrank.methods.worthless import duplicates_of

HEADS = ("web", "pages", "crawled", "exponent in", "exponent out", "links between hosts", "links in of 1 %",
         "PageRank of 1 %", "duplicates")  # fmt: skip
TOP = 0.01


def row(url: str) -> list[str]:
    """What one web is like."""
    with seedrank.open(url) as bench:
        graph, stats = bench.graph, bench.stats()
        laws = {law["direction"]: law["exponent"] for law in power_laws(degrees(graph, graph), 1).to_pylist()}
        rank = pagerank(bench.engine).scores
        copies = duplicates_of(bench.session).flags & (graph.status == Status.CRAWLED)
        return [
            Path(url).stem, f"{graph.pages:,}", f"{stats.crawled:,}",
            *(f"{laws[side]:.2f}" if side in laws else "–" for side in ("in", "out")),
            f"{100 * (stats.inter_site_links or 0) / max(stats.links, 1):.1f} %",
            *(f"{100 * held(values):.0f} %" for values in (graph.in_degree, rank)),
            f"{100 * copies.sum() / max(stats.crawled, 1):.1f} %",
        ]  # fmt: skip


def held(values: np.ndarray) -> float:
    """Share of a sum that the largest hundredth of its values holds."""
    ordered = np.sort(np.asarray(values, np.float64))[::-1]
    return float(ordered[: max(round(TOP * len(ordered)), 1)].sum() / max(ordered.sum(), 1e-300))


def main() -> None:
    """Print the table."""
    stores = sys.argv[1:]
    if not stores:
        raise SystemExit(__doc__)
    print("\n".join(as_markdown(HEADS, [row(url) for url in stores], right=range(1, len(HEADS)))))


if __name__ == "__main__":
    main()
