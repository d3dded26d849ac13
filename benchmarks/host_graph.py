"""A made host graph in the files of Common Crawl: ``python -m benchmarks.host_graph DIR --hosts 100000``.

Names ascend in their reversed spelling, as Common Crawl sorts them; most links stay near, a few hosts get very many.
"""

from __future__ import annotations

import argparse
import gzip
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

__all__ = ["draw_links", "make_host_graph"]

_LINKS_AT_ONCE = 1 << 22
_TLDS = ("com", "de", "fr", "net", "org")


def make_host_graph(folder: Path, hosts: int, links: int, seed: int = 0) -> tuple[Path, Path]:
    """Write ``vertices.txt.gz`` and ``edges.txt.gz``; the same numbers give the same graph."""
    rng = np.random.default_rng(seed)
    folder.mkdir(parents=True, exist_ok=True)
    vertices, edges = folder / "vertices.txt.gz", folder / "edges.txt.gz"
    ids = np.arange(hosts)
    names = pc.binary_join_element_wise(
        pa.array(_TLDS).take(pa.array(ids * len(_TLDS) // hosts)),
        pc.utf8_lpad(pa.array(ids // 3).cast(pa.string()), 9, "0"),
        pa.array(["blog", "shop", "www"]).take(pa.array(ids % 3)),
        ".",
    )
    names = pc.replace_substring_regex(names, r"^(\w+)\.(\d+)", r"\1.host\2")
    _write(vertices, [pc.binary_join_element_wise(pa.array(ids).cast(pa.string()), names, "\t")])
    parts = (
        pc.binary_join_element_wise(*(pa.array(pairs[:, k]).cast(pa.string()) for k in range(2)), "\t")
        for pairs in draw_links(rng, hosts, links)
    )
    _write(edges, parts)
    return vertices, edges


def draw_links(rng: np.random.Generator, hosts: int, links: int) -> Iterator[np.ndarray]:
    """Links as rows of source and target, by source: near ones, and ones to hosts that many link to."""
    for start in range(0, links, _LINKS_AT_ONCE):
        count = min(_LINKS_AT_ONCE, links - start)
        low, high = hosts * start // links, max(hosts * (start + count) // links, hosts * start // links + 1)
        source = np.sort(rng.integers(low, high, count))
        near = source + rng.integers(1, 200, count)
        far = (hosts * rng.random(count) ** 4).astype(np.int64)
        target = np.where(rng.random(count) < 0.7, near, far) % hosts
        yield np.unique(np.column_stack((source, target))[source != target], axis=0)


def _write(file, parts):
    with gzip.open(file, "wb", 1) as out:
        for part in parts:
            out.write("\n".join(part.to_pylist()).encode() + b"\n")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--hosts", type=int, default=100_000)
    parser.add_argument("--links", type=int, default=1_000_000)
    given = parser.parse_args()
    for file in make_host_graph(given.folder, given.hosts, given.links):
        print(file)


if __name__ == "__main__":
    main()
