"""Eleven everyday queries on web-NotreDame through the store, against the same statements as they are.

    python -m benchmarks.cypher

The embedded store reads every statement first and sends what answers it rightly. Both run in turns in one process on
one file; what counts is the ratio. The last line is what reading takes: the store's time less the engine's for a
statement that does nothing.
"""

from __future__ import annotations

import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

import ladybug

from benchmarks.common import SHARED
from graphdb.ladybug import LadybugStore

FILE = SHARED / "web-NotreDame" / "web-NotreDame.txt.gz"
REPEATS = 9
POOL = 2 << 30

QUERIES = {
    "links of a page": "MATCH (p:Page {id: 5})-[:LINKS_TO]->(q:Page) RETURN count(*) AS n",
    "most links out": (
        "MATCH (p:Page)-[:LINKS_TO]->(:Page) RETURN p.id AS id, count(*) AS n ORDER BY n DESC, id LIMIT 10"
    ),
    "most links in": (
        "MATCH (:Page)-[:LINKS_TO]->(p:Page) RETURN p.id AS id, count(*) AS n ORDER BY n DESC, id LIMIT 10"
    ),
    "two hops from a page": (
        "MATCH (a:Page {id: 5})-[:LINKS_TO]->(b:Page)-[:LINKS_TO]->(c:Page) RETURN count(DISTINCT c.id) AS n"
    ),
    "within three hops": "MATCH (a:Page {id: 5})-[:LINKS_TO*1..3]->(b:Page) RETURN count(DISTINCT b.id) AS n",
    "filters over two hops": (
        "MATCH (a:Page)-[r:LINKS_TO]->(b:Page)-[s:LINKS_TO]->(c:Page) "
        "WHERE a.id < 2000 AND r.weight = 1.0 AND c.status = 'crawled' RETURN count(*) AS n"
    ),
    "cited with a page": (
        "MATCH (p:Page {id: 12})<-[:LINKS_TO]-(citing:Page)-[:LINKS_TO]->(other:Page) WHERE other.id <> p.id "
        "RETURN other.id AS id, count(*) AS n ORDER BY n DESC, id LIMIT 10"
    ),
    "links in both directions": (
        "MATCH (a:Page)-[:LINKS_TO]->(b:Page)-[:LINKS_TO]->(a) WHERE a.id < b.id AND a.id < 20000 RETURN count(*) AS n"
    ),
    "pages without links": ("MATCH (p:Page) WHERE NOT EXISTS { MATCH (p)-[:LINKS_TO]->(:Page) } RETURN count(*) AS n"),
    "links by status and weight": (
        "MATCH (a:Page)-[r:LINKS_TO]->(b:Page) WHERE a.status = 'crawled' AND r.weight >= 1.0 "
        "RETURN b.status AS status, count(*) AS n, sum(r.weight) AS weight"
    ),
    "links of the most linked": (
        "MATCH (:Page)-[:LINKS_TO]->(p:Page) WITH p, count(*) AS n ORDER BY n DESC, p.id LIMIT 5 "
        "MATCH (p)-[:LINKS_TO]->(q:Page) RETURN p.id AS id, n, count(q) AS out ORDER BY n DESC, id"
    ),
}
NOTHING = "RETURN 1 AS one"


def medians(repeats: int, runners: dict[str, Callable[[], object]]) -> dict[str, float]:
    """Median seconds of each, after one run of each that does not count; they take turns."""
    taken: dict[str, list[float]] = {name: [] for name in runners}
    for repeat in range(repeats + 1):
        for name, run in runners.items():
            start = time.perf_counter()
            run()
            if repeat:
                taken[name].append(time.perf_counter() - start)
    return {name: statistics.median(seconds) for name, seconds in taken.items()}


def race(store: LadybugStore, connection: ladybug.Connection, query: str, repeats: int) -> dict[str, float]:
    """A statement through the store, and as it is."""

    def bare() -> None:
        with connection.execute(query) as result:
            result.get_as_arrow(1 << 20)

    return medians(repeats, {"store": lambda: store.query(query), "bare": bare})


def main() -> None:
    if not FILE.exists():
        sys.exit(f"{FILE} is not here")
    with tempfile.TemporaryDirectory() as name:
        path = Path(name) / "web.lbug"
        seedrank = str(Path(sys.executable).parent / "seedrank")
        subprocess.run([seedrank, "--store", path, "load", "snap", FILE], check=True, capture_output=True)
        store = LadybugStore.open(str(path), read_only=True)
        with ladybug.Database(str(path), buffer_pool_size=POOL, read_only=True) as database:
            connection = ladybug.Connection(database)
            total = {"store": 0.0, "bare": 0.0}
            for title, query in QUERIES.items():
                found = race(store, connection, query, REPEATS)
                total = {which: total[which] + seconds for which, seconds in found.items()}
                row(title, found)
            row(f"all {len(QUERIES)}", total)
            nothing = race(store, connection, NOTHING, 50)
            print(f"{'reading a statement and a connection':32} {1000 * (nothing['store'] - nothing['bare']):9.2f} ms")
            connection.close()
        store.close()


def row(title: str, found: dict[str, float]) -> None:
    ratio = found["store"] / found["bare"]
    print(f"{title:32} {1000 * found['store']:9.1f} ms {1000 * found['bare']:9.1f} ms {ratio:7.2f} x", flush=True)


if __name__ == "__main__":
    main()
