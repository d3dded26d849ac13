"""Loading to arrays and to Neo4j, and reading back, beside bare loops; ratios in one run.

    python -m benchmarks.load graph --pages 5_000_000 --links 72_000_000
    NEO4J_URI=… NEO4J_USERNAME=… NEO4J_PASSWORD=… python -m benchmarks.load neo4j FILE

``graph``: ids from Parquet straight to arrays against a load into the embedded store, and links turned round on disk
against a bare read and write of the same bytes (`benchmarks.straight`). ``neo4j``: an adjacency file against the best
of several bare driver loops. The embedded store itself: `benchmarks.embedded`.
Each measurement runs in a process of its own, so that peak memory is its own.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

from benchmarks import straight

SHAPES = [("5000", "1"), ("20000", "1"), ("60000", "1"), ("5000", "2"), ("20000", "2"), ("5000", "4"), ("20000", "4")]
"""Links a transaction and sessions side by side of the bare loops."""


def make_tables(folder: Path, pages: int, links: int) -> None:
    """Pages and distinct links by id, targets skewed, in random order."""
    rng = np.random.default_rng(1)
    source = rng.integers(0, pages, links)
    target = np.minimum((pages * rng.random(links) ** 3).astype(np.int64), pages - 1)
    keys = np.sort(source[source != target] * pages + target[source != target])
    keys = keys[np.diff(keys, prepend=-1) > 0]  # np.unique hashes, which takes many times as long
    rng.shuffle(keys)
    ends = {"source": keys // pages, "target": keys % pages, "weight": np.ones(len(keys))}
    pq.write_table(pa.table(ends), folder / "links.parquet")
    pq.write_table(pa.table({"id": np.arange(pages)}), folder / "pages.parquet")
    urls = pa.array([f"https://h{i % 5000}.example/page/{i}" for i in range(pages)])
    pq.write_table(pa.table({"id": np.arange(pages), "url": urls}), folder / "url_pages.parquet")


def our_load(folder: Path, pages: str = "pages") -> dict[str, float]:
    import seedrank
    from seedrank.loaders.table import TableSource

    start = time.perf_counter()
    with seedrank.open(str(folder / f"{pages}.duckdb"), create=True) as bench:
        bench.load(TableSource(pages=[f"{folder}/{pages}.parquet"], links=[f"{folder}/links.parquet"]), spool=folder)
    return {"seconds": time.perf_counter() - start}


def read_back(folder: Path) -> dict[str, float]:
    import seedrank

    with seedrank.open(str(folder / "pages.duckdb"), read_only=True) as bench:
        start = time.perf_counter()
        links = bench.graph.links
    return {"seconds": time.perf_counter() - start, "links": links}


def bare_bolt(file: str, batch: str = "20000", sessions: str = "1") -> dict[str, float]:
    """A bare loop of the driver: two flat lists a transaction, `sessions` of them side by side, parted by source."""
    ids, source, target = adjacency_arrays(file)
    size = int(batch)
    with _driver() as driver:
        with driver.session() as session:
            _wipe(session)
            session.run("CREATE CONSTRAINT bare IF NOT EXISTS FOR (p:Page) REQUIRE p.id IS UNIQUE").consume()
            start = time.perf_counter()
            for lo in range(0, len(ids), size):
                _write(session, "UNWIND $ids AS id CREATE (:Page {id: id, source_id: id, status: 'crawled'})",
                       ids=ids[lo : lo + size])  # fmt: skip
            nodes = time.perf_counter() - start

        def links(part: int) -> None:
            mine = np.flatnonzero(source // 1_024 % int(sessions) == part)
            with driver.session() as session:
                for lo in range(0, len(mine), size):
                    at = mine[lo : lo + size]
                    _write(
                        session,
                        "UNWIND range(0, size($s) - 1) AS i MATCH (a:Page {id: $s[i]}) MATCH (b:Page {id: $t[i]}) "
                        "CREATE (a)-[:LINKS_TO {weight: 1.0}]->(b)",
                        s=source[at].tolist(),
                        t=target[at].tolist(),
                    )

        with ThreadPoolExecutor(int(sessions)) as pool:
            list(pool.map(links, range(int(sessions))))
        seconds = time.perf_counter() - start
        with driver.session() as session:
            _wipe(session)
            session.run("DROP CONSTRAINT bare IF EXISTS").consume()
    return {"seconds": seconds, "nodes": nodes, "links": len(source)}


def _write(session: Any, statement: str, **lists: list[int]) -> None:
    """One transaction; the driver repeats it after a deadlock."""
    session.execute_write(lambda tx: tx.run(statement, lists).consume())


def our_bolt(file: str) -> dict[str, float]:
    import seedrank
    from seedrank.loaders.adjacency import AdjacencySource

    with _driver() as driver, driver.session() as session:
        _wipe(session)
    with seedrank.open(os.environ["NEO4J_URI"]) as bench:
        start = time.perf_counter()
        bench.load(AdjacencySource([file]))
        return {"seconds": time.perf_counter() - start}


def bare_read() -> dict[str, float]:
    """The best read: collected lists per range of sources."""
    query = (
        "MATCH (a:Page) WHERE a.id >= $lo AND a.id < $hi MATCH (a)-[:LINKS_TO]->(b:Page) "
        "RETURN collect(a.id) AS a, collect(b.id) AS b"
    )
    with _driver() as driver, driver.session(fetch_size=-1) as session:
        pages = session.run("MATCH (p:Page) RETURN count(p) AS n").single()["n"]
        start = time.perf_counter()
        parts = []
        for lo in range(0, pages, 20_000):
            row = session.run(query, lo=lo, hi=lo + 20_000).single()
            parts.append((np.array(row["a"], np.int64), np.array(row["b"], np.int32)))
        source, target = (np.concatenate(part) for part in zip(*parts, strict=True))
        order = np.lexsort((target, source))
        offsets = np.zeros(pages + 1, np.int64)
        np.cumsum(np.bincount(source, minlength=pages), out=offsets[1:])
        return {"seconds": time.perf_counter() - start, "links": len(target[order])}


def our_read() -> dict[str, float]:
    import seedrank

    with seedrank.open(os.environ["NEO4J_URI"], refresh=True) as bench:
        start = time.perf_counter()
        links = bench.graph.links
        return {"seconds": time.perf_counter() - start, "links": links}


def adjacency_arrays(file: str) -> tuple[list[int], np.ndarray, np.ndarray]:
    """Ids, sources and targets of an adjacency file, without links of pages to themselves."""
    from seedrank.loaders.adjacency import AdjacencySource

    parts: dict[str, list[Any]] = {"id": [], "source": [], "target": []}
    for batch in AdjacencySource([file]).batches():
        for name in batch.rows.schema.names:
            if name in parts:
                parts[name].append(batch.rows.column(name).to_numpy())
    ids, source, target = (np.concatenate(parts[name]) for name in ("id", "source", "target"))
    keep = source != target
    return ids.tolist(), source[keep], target[keep]


def _driver() -> Any:
    import neo4j

    auth = (os.environ.get("NEO4J_USERNAME", "neo4j"), os.environ["NEO4J_PASSWORD"])
    return neo4j.GraphDatabase.driver(os.environ["NEO4J_URI"], auth=auth)


def _wipe(session: Any) -> None:
    session.run("MATCH (n) CALL (n) { DETACH DELETE n } IN TRANSACTIONS OF 10000 ROWS").consume()


def alone(name: str, *arguments: str) -> dict[str, float]:
    """Run one measurement in a process of its own."""
    done = subprocess.run(
        [sys.executable, "-m", "benchmarks.load", "one", name, *arguments], check=True, capture_output=True, text=True
    )
    return json.loads(done.stdout.splitlines()[-1])


def peak_memory() -> int:
    """Most bytes this program had; `ru_maxrss` would count those of its parent too, which made the tables."""
    with Path("/proc/self/status").open(encoding="ascii") as lines:
        return next(int(line.split()[1]) * 1024 for line in lines if line.startswith("VmHWM"))


def row(name: str, found: dict[str, float], peer: dict[str, float] | None = None) -> None:
    ratio = "" if peer is None else f"{found['seconds'] / peer['seconds']:8.2f} x"
    rate = f"{found['links'] / found['seconds'] / 1e6:8.2f} M links/s" if "links" in found else ""
    busy = f" ({found['processor']:.1f} s of processor)" if "processor" in found else ""
    print(f"{name:44} {found['seconds']:9.3f} s{busy} {found['peak'] / 2**30:6.2f} GiB {ratio:>10} {rate}", flush=True)


def graph(pages: int, links: int, folder: str | None) -> None:
    with tempfile.TemporaryDirectory(dir=folder) as name:
        make_tables(Path(name), pages, links)
        alone("our_load_small", name)
        alone("straight_small", f"{name}/small")
        stored = alone("our_load", name)
        row(f"into the embedded store, {pages:,} pages, {links:,} links", stored)
        row("and its links into CSR", alone("read_back", name))
        row("straight to arrays", alone("straight_load", name), stored)
        print(f"the arrays are {'the same' if alone('straight_same', name)['same'] else 'DIFFERENT'}")
        with_urls = alone("our_load_urls", name)
        row("into the embedded store, pages with URLs", with_urls)
        row("straight to arrays, pages with URLs", alone("straight_load_urls", name), with_urls)
        bare = alone("straight_bare", name)
        row("bare read and write of the links", bare)
        for mebibytes in (1024, 128, 64):
            row(f"links turned round in {mebibytes} MiB", alone("straight_turn", name, str(mebibytes)), bare)


def on_neo4j(file: str) -> None:
    alone("bare_bolt", file)  # a cold server would make the first look slow
    shapes = {(batch, sessions): alone("bare_bolt", file, batch, sessions) for batch, sessions in SHAPES}
    bare = min(shapes.values(), key=lambda found: found["seconds"])
    for (batch, sessions), found in shapes.items():
        row(f"bare driver loop, {int(batch):,} links, sessions: {sessions}", found, bare)
    ours = alone("our_bolt", file)
    row("seedrank load adjacency", {**ours, "links": bare["links"]}, bare)
    read = alone("bare_read")
    row("bare collected lists into CSR", read)
    row("links back into CSR", alone("our_read"), read)


ONE: dict[str, Callable[..., dict[str, float]]] = {
    "our_load": lambda folder: our_load(Path(folder)),
    "our_load_urls": lambda folder: our_load(Path(folder), "url_pages"),
    "read_back": lambda folder: read_back(Path(folder)),
    "bare_bolt": bare_bolt,
    "our_bolt": our_bolt,
    "bare_read": bare_read,
    "our_read": our_read,
}


def small_load(folder: str) -> dict[str, float]:
    """Compile the kernels, so that no measurement pays for it."""
    small = Path(folder) / "small"
    small.mkdir()
    make_tables(small, 1_000, 5_000)
    our_load(small, "url_pages")
    our_load(small)
    return read_back(small)


ONE["our_load_small"] = small_load
ONE |= {
    "straight_load": lambda folder: straight.load(Path(folder)),
    "straight_load_urls": lambda folder: straight.load(Path(folder), "url_pages"),
    "straight_same": lambda folder: straight.same(Path(folder)),
    "straight_small": lambda folder: straight.small(Path(folder)),
    "straight_bare": lambda folder: straight.bare_read_and_write(Path(folder)),
    "straight_turn": lambda folder, mebibytes: straight.turn(Path(folder), int(mebibytes) << 20),
}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("what", choices=["graph", "neo4j", "one"])
    parser.add_argument("arguments", nargs="*")
    parser.add_argument("--pages", type=int, default=5_000_000)
    parser.add_argument("--links", type=int, default=72_000_000)
    parser.add_argument("--folder", default=None, help="where temporary files go; about 10 GB")
    given = parser.parse_args()
    if given.what == "one":
        found = ONE[given.arguments[0]](*given.arguments[1:])
        print(json.dumps({**found, "peak": peak_memory()}))
    elif given.what == "graph":
        graph(given.pages, given.links, given.folder)
    else:
        on_neo4j(given.arguments[0])


if __name__ == "__main__":
    main()
