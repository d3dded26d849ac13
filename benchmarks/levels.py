"""The graph of hosts, made of a graph of pages and kept in a folder, against one PageRank of the pages, in one run.

    python -m benchmarks.levels                      1 M pages, 14 links each
    python -m benchmarks.levels 5000000              the goal's size: 5 M pages, 70 M links, 1 GB of disk
    python -m benchmarks.levels --folder DIR         keep the web there, and use it again

Twice: with the pages in the order they are made in, host by host, and in random order, as links may bring them.
Everything is compiled on a small web first; times are the fastest of --repeats, which take turns.
"""

from __future__ import annotations

import argparse
import resource
import shutil
import tempfile
from pathlib import Path

import numpy as np

from benchmarks.common import race
from seedrank.core.levels import HostWeights, Level
from seedrank.engines.kernels.assemble import sort_rows
from seedrank.engines.native.engine import NativeEngine
from seedrank.graph import GraphWriter, WebGraph
from seedrank.graph.levels import level_graph
from seedrank.ingest.synthetic import WebSpec, write_graph

GOAL = 2.0


def web(folder: Path, pages: int) -> WebGraph:
    """A web of `pages` pages, all crawled, 14 links each; made once."""
    place = folder / f"levels-{pages}"
    if not (place / "graph.json").is_file():
        write_graph(WebSpec(pages, rng=1, links_per_page=14.0, crawled=1.0), place)
    return WebGraph.open(place)


def shuffled(graph: WebGraph) -> WebGraph:
    """The same web with its pages in random order."""
    order = np.random.default_rng(1).permutation(graph.pages)
    place = np.empty(graph.pages, np.int32)
    place[order] = np.arange(graph.pages, dtype=np.int32)
    degree = graph.out_degree[order]
    offsets = np.concatenate([[0], np.cumsum(degree)])
    rows = np.repeat(graph.out_offsets[:-1][order] - offsets[:-1], degree) + np.arange(graph.links)
    targets = place[graph.out_targets[rows]]
    sort_rows(offsets, targets, np.empty(0, np.float32))
    arrays = {
        "out_offsets": offsets,
        "out_targets": targets,
        "status": graph.status[order],
        "host": graph.host[order],
        **{f"column-{name}": graph.column(name)[order] for name in graph.column_names},
    }
    return WebGraph(arrays, graph.meta, texts={"hosts": graph.hosts})


def made(graph: WebGraph, folder: Path, level: Level, host_weights: HostWeights) -> WebGraph:
    shutil.rmtree(folder, ignore_errors=True)
    return level_graph(graph, level, host_weights, GraphWriter(folder, version=graph.version))


def measure(name: str, graph: WebGraph, folder: Path, repeats: int) -> None:
    engine = NativeEngine(graph)
    graph.in_offsets  # noqa: B018 - PageRank needs the links the other way round, and their making does not count
    place = folder / "level"
    times = race(
        repeats,
        {
            "PageRank of the pages": lambda: engine.walk(),
            "hosts, links": lambda: made(graph, place, "host", "links"),
            "hosts, pages": lambda: made(graph, place, "host", "pages"),
            "domains, links": lambda: made(graph, place, "domain", "links"),
        },
    )
    hosts = made(graph, place, "host", "links")
    print(f"\n{name}: {graph.pages:,} pages, {graph.links:,} links -> {hosts.pages:,} hosts, {hosts.links:,} links")
    walk = times.pop("PageRank of the pages")
    print(f"  {'PageRank of the pages':<24}{walk:8.2f} s")
    for what, seconds in times.items():
        print(f"  {what:<24}{seconds:8.2f} s   {seconds / walk:5.2f} x PageRank (goal: {GOAL:g})")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("pages", type=int, nargs="?", default=1_000_000)
    parser.add_argument("--repeats", type=int, default=3)
    parser.add_argument("--folder", type=Path, default=None, help="where to write; a temporary folder by default")
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as temporary:
        folder = arguments.folder or Path(temporary)
        measure("to compile", web(folder, 1_000), Path(temporary), 1)
        graph = web(folder, arguments.pages)
        measure("host by host", graph, Path(temporary), arguments.repeats)
        measure("in random order", shuffled(graph), Path(temporary), arguments.repeats)
    print(f"\npeak memory {resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 2**10:,.0f} MiB")


if __name__ == "__main__":
    main()
