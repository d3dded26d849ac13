"""Ten things a user does, and the best alternative, in one run on web-NotreDame: the first lines of docs/benchmarks.md.

Everybody starts from the same arrays (the load: from the same Parquet files), runs take turns and the fastest counts.
Where the alternative gives the same answer that is checked, and where it does not the line says so.
"""

from __future__ import annotations

import tempfile
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path

import duckdb
import igraph
import networkit
import numpy as np
import pyarrow as pa
import pyarrow.parquet
import scipy.sparse as sp

import seedrank
from benchmarks.common import race, web_notredame
from benchmarks.crawl import plain_fpr
from benchmarks.embedded import bare_sql, load
from seedrank import functional

SEEDS, HOPS = 10, 5
MOST_LINKED = (
    "MATCH (:Page)-[:LINKS_TO]->(p:Page) RETURN p.id AS id, count(*) AS n ORDER BY n DESC, id LIMIT 10",
    "SELECT target AS id, count(*) AS n FROM link GROUP BY target ORDER BY n DESC, id LIMIT 10",
)


def lazy_greedy(graph: igraph.Graph, k: int, hops: int) -> list[int]:
    """Greedy coverage on balls of igraph; a page is counted again only while its old gain is the largest."""
    gains = np.array(graph.neighborhood_size(order=hops, mode="out"))
    counted = np.zeros(len(gains), np.int64)
    covered: set[int] = set()
    chosen: list[int] = []
    while len(chosen) < k:
        page = int(gains.argmax())
        if counted[page] == len(chosen):
            chosen.append(page)
            covered.update(graph.neighborhood(page, order=hops, mode="out"))
            gains[page] = -1
        else:
            gains[page] = len(set(graph.neighborhood(page, order=hops, mode="out")) - covered)
            counted[page] = len(chosen)
    return chosen


def line(what: str, times: dict[str, float], note: str) -> None:
    """One row: ours, the fastest of the others, and how many times as long that takes."""
    ours = times.pop("seedrank")
    peer = min(times, key=lambda name: times[name])
    print(f"| {what} | {ours:.3g} s | {peer}: {times[peer]:.3g} s | {times[peer] / ours:.3g} × | {note} |", flush=True)


def loads(folder: Path, source: np.ndarray, target: np.ndarray, pages: int) -> None:
    """The web by URL, and again with a hundredth more links."""
    names = pa.array([f"http://host{page // 50}.example/page/{page}" for page in range(pages)])
    tables = {
        "pages": pa.table({"url": names, "status": pa.repeat("crawled", pages)}),
        "links": pa.table({"source": names.take(pa.array(source)), "target": names.take(pa.array(target))}),
    }
    random = np.random.default_rng(0)
    more = (random.integers(0, pages, len(source) // 100) for _ in range(2))
    tables["more"] = pa.table(dict(zip(("source", "target"), (names.take(pa.array(end)) for end in more), strict=True)))
    files = {name: str(folder / f"{name}.parquet") for name in tables}
    for name, table in tables.items():
        pyarrow.parquet.write_table(table, files[name])
    tables["all"] = pa.concat_tables([tables["links"], tables["more"]])
    files["all"] = str(folder / "all.parquet")
    pyarrow.parquet.write_table(tables["all"], files["all"])

    def timed(work: Callable[[str], object], store: Path) -> float:
        started = time.perf_counter()
        work(str(store))
        return time.perf_counter() - started

    def ours(store: str) -> None:
        load(store, f"pages={files['pages']}", f"links={files['links']}")

    ours(str(folder / "first.duckdb"))  # compiles
    first, again, bare, bare_again = [], [], [], []
    for turn in range(2):
        first.append(timed(ours, folder / f"web{turn}.duckdb"))
        bare.append(timed(partial(bare_sql, pages=files["pages"], links=files["links"]), folder / f"bare{turn}.duckdb"))
        again.append(timed(lambda store: load(store, f"links={files['more']}"), folder / f"web{turn}.duckdb"))
        bare_again.append(
            timed(partial(bare_sql, pages=files["pages"], links=files["all"]), folder / f"again{turn}.duckdb")
        )
    line(
        "load pages and links by URL into a database",
        {"seedrank": min(first), "SQL in DuckDB": min(bare)},
        "the SQL takes URLs as they are, and checks nothing",
    )
    line(
        "load a hundredth more",
        {"seedrank": min(again), "the same SQL, from the start": min(bare_again)},
        "the SQL has no second load",
    )


def questions(folder: Path) -> None:
    """A Cypher statement on the store of `loads`, and the SQL that a person would write."""
    path = folder / "web0.duckdb"
    with seedrank.open(str(path), read_only=True) as bench, duckdb.connect(str(path), read_only=True) as session:
        runners = {
            "seedrank": lambda: bench.query(MOST_LINKED[0]),
            "SQL in DuckDB": lambda: session.execute(MOST_LINKED[1]).fetchall(),
        }
        same = [tuple(row.values()) for row in bench.query(MOST_LINKED[0]).to_pylist()] == runners["SQL in DuckDB"]()
        line("the ten most linked pages, by Cypher", race(5, runners), f"the same rows: {same}")


def main() -> None:
    web = web_notredame()
    matrix = web.to_scipy()
    links = matrix.indptr, matrix.indices
    plain = sp.csr_matrix((np.ones(web.links), matrix.indices, matrix.indptr), matrix.shape)
    source = np.repeat(np.arange(web.pages), np.diff(matrix.indptr))
    graph = igraph.Graph(n=web.pages, edges=np.column_stack((source, matrix.indices)), directed=True)
    third = networkit.GraphFromCoo((source, np.ascontiguousarray(matrix.indices)), n=web.pages, directed=True)
    print(f"web-NotreDame: {web.pages:,} pages, {web.links:,} links\n")
    print("| what | seedrank | best alternative | it takes | |\n| --- | ---: | --- | ---: | --- |")
    with tempfile.TemporaryDirectory() as name:
        loads(Path(name), source, matrix.indices, web.pages)
        questions(Path(name))

    exact = functional.pagerank(*links, tolerance=1e-15)
    error = float(np.abs(np.array(graph.pagerank()) - exact).sum())
    tolerance = next(
        tolerance
        for tolerance in 10.0 ** np.arange(-8, -15, -0.25)
        if np.abs(functional.pagerank(*links, tolerance=tolerance) - exact).sum() <= error
    )
    sinks = networkit.centrality.SinkHandling.DistributeSinks
    runners: dict[str, Callable[[], object]] = {
        "seedrank": lambda: functional.pagerank(*links, tolerance=tolerance),
        "igraph": graph.pagerank,
        "NetworKit": lambda: networkit.centrality.PageRank(third, 0.85, tolerance, False, sinks).run(),
    }
    line("PageRank", race(3, runners), f"to igraph's error, {error:.0e}")

    seed = int(np.argmax(np.diff(matrix.indptr)))
    runners = {
        "seedrank": lambda: functional.hops_from(*links, [seed]),
        "igraph": lambda: graph.distances(source=[seed]),
        "NetworKit": lambda: networkit.distance.BFS(third, seed, False).run(),
    }
    line("how far every page is from one", race(5, runners), "")

    weight = np.random.default_rng(0).random(web.pages)
    runners = {
        "seedrank": lambda: functional.pagerank(*links, personalization=weight, tolerance=tolerance),
        "igraph": lambda: graph.personalized_pagerank(reset=weight),
    }
    line("PageRank from weighted pages (trust, RW)", race(3, runners), "to the same tolerance as above")

    transposed = plain.T.tocsr()
    runners = {
        "seedrank": lambda: functional.hits(*links),
        "SciPy": lambda: sixty_rounds(plain, transposed),
    }
    line("HITS, 60 rounds", race(3, runners), "the transposed matrix made beforehand")

    runners = {
        "seedrank": lambda: functional.coverage_greedy(*links, SEEDS, HOPS),
        "igraph": lambda: lazy_greedy(graph, SEEDS, HOPS),
    }
    same = functional.coverage_greedy(*links, SEEDS, HOPS)[0].tolist() == lazy_greedy(graph, SEEDS, HOPS)
    line(f"ten seeds, exact, {HOPS} hops", race(1, runners), f"a lazy loop over igraph's balls; the same seeds: {same}")

    most = np.argsort(-exact)[:160]
    runners = {"seedrank": lambda: functional.fpr_order(*links, most), "heapq": lambda: plain_fpr(web, most)}
    same = plain_fpr(web, most) == functional.fpr_order(*links, most).tolist()
    line("the order of a crawl by FPR", race(1, runners), f"plain Python with a heap; the same order: {same}")

    runners = {
        "seedrank": lambda: functional.bfs_order(*links, [seed]),
        "igraph": lambda: graph.bfs(seed, mode="out"),
    }
    line("the order of a crawl breadth first", race(5, runners), "")


def sixty_rounds(matrix: sp.csr_matrix, transposed: sp.csr_matrix) -> None:
    """HITS by products of sparse matrices."""
    hubs = np.ones(matrix.shape[0])
    for _ in range(60):
        authorities = transposed @ hubs
        authorities /= np.linalg.norm(authorities)
        hubs = matrix @ authorities
        hubs /= np.linalg.norm(hubs)


if __name__ == "__main__":
    main()
