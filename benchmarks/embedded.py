"""The embedded store: loads, a second load, size, reading, everyday Cypher; beside another version in one run.

    python -m benchmarks.embedded [--beside DIR] [--large]

``--beside`` names a checkout of another version with its environment in ``.venv``: each part runs there too, in turn,
and ratios are printed. ``--large`` adds 72 million links by id with 1.5 GB for the database, what the copy of a write
takes on the disk, and the seconds of one ``--save``. Parts run in processes of their own; processor seconds include
those of their children.
"""

from __future__ import annotations

import argparse
import importlib
import json
import os
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

NOTRE_DAME = "web-NotreDame/web-NotreDame.txt.gz"
REPEATS = 5
QUERIES = {
    "a page by id": "MATCH (p:Page {id: 5}) RETURN p.url AS url, p.status AS status",
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


# -- parts: each runs in the version under test, so it imports nothing of this file's own version


def _module(name: str) -> Any:
    """A module of the version under test; in 0.2 it stood beside the package."""
    try:
        return importlib.import_module(f"seedrank.{name}")
    except ModuleNotFoundError:
        return importlib.import_module(name)


def load(store: str, *files: str, memory: str = "") -> dict[str, Any]:
    """Tables into a store; `files` are ``kind=path``."""
    import seedrank

    if memory:
        os.environ["SEEDRANK_STORE_MEMORY"] = memory
    tables: dict[str, list[str]] = {}
    for file in files:
        kind, _, path = file.partition("=")
        tables.setdefault(kind, []).append(path)
    start = time.perf_counter()
    with seedrank.open(store, create=True) as bench:
        summary, _ = bench.load(_module("loaders.table").TableSource(**tables), spool=Path(store).parent)
    new = {name: count for name, count in summary.counts.items() if name in ("links new", "links changed")}
    return {"seconds": time.perf_counter() - start, "size": _size(store), **new}


def bare_sql(store: str, pages: str, links: str) -> dict[str, Any]:
    """The same load in plain SQL, URLs as they are: numbered, joined, sorted, written."""
    import duckdb

    start = time.perf_counter()
    session = duckdb.connect(store, config={"memory_limit": "1GB", "temp_directory": f"{store}.spill"})
    session.execute(
        f"CREATE TABLE page AS SELECT (row_number() OVER (ORDER BY pos) - 1)::INTEGER AS id, url FROM "
        f"(SELECT url, min(pos) AS pos FROM (SELECT url, row_number() OVER () AS pos FROM '{pages}') GROUP BY url)"
    )
    session.execute(
        f"CREATE TABLE link AS SELECT a.id AS source, b.id AS target, count(*)::DOUBLE AS weight FROM '{links}' l "
        "JOIN page a ON a.url = l.source JOIN page b ON b.url = l.target GROUP BY ALL ORDER BY ALL"
    )
    session.close()
    return {"seconds": time.perf_counter() - start, "size": _size(store)}


def read_links(store: str) -> dict[str, Any]:
    """All links as arrays."""
    opened = _module("graphdb").open_store(store, read_only=True)
    start = time.perf_counter()
    links = sum(len(batch.column("source").to_numpy()) for batch in opened.read_links(()))
    seconds = time.perf_counter() - start
    opened.close()
    return {"seconds": seconds, "links": links}


def queries(store: str, *texts: str) -> dict[str, Any]:
    """Each statement `REPEATS` times, after once that does not count."""
    opened = _module("graphdb").open_store(store, read_only=True)
    rows, times = [], []
    for text in texts:
        taken = []
        for repeat in range(REPEATS + 1):
            start = time.perf_counter()
            found = opened.query(text)
            if repeat:
                taken.append(time.perf_counter() - start)
        rows.append(found.num_rows)
        times.append(sorted(taken)[REPEATS // 2])
    opened.close()
    return {"seconds": sum(times), "times": times, "rows": rows}


def save(store: str) -> dict[str, Any]:
    """What a ``--save`` does to the store, without the answer: a change of few rows; the median of three."""
    opened = _module("graphdb").open_store(store)
    taken = []
    for _ in range(3):
        start = time.perf_counter()
        opened.delete_run("none")
        taken.append(time.perf_counter() - start)
    opened.close()
    return {"seconds": sorted(taken)[1], "size": _size(store)}


def _size(store: str) -> int:
    path = Path(store)
    return sum(file.stat().st_size for file in path.parent.glob(f"{path.name}*") if file.is_file())


PARTS: dict[str, Callable[..., dict[str, Any]]] = {
    "load": load, "bare_sql": bare_sql, "read_links": read_links, "queries": queries, "save": save
}  # fmt: skip


def perform(name: str, arguments: list[str]) -> None:
    """Run a part here and print what it took."""
    positional = [one for one in arguments if not one.startswith("memory=")]
    named = dict(one.split("=", 1) for one in arguments if one.startswith("memory="))
    found = PARTS[name](*positional, **named)
    usage = [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    found["processor"] = sum(one.ru_utime + one.ru_stime for one in usage)
    with Path("/proc/self/status").open(encoding="ascii") as lines:
        found["peak"] = next(int(line.split()[1]) * 1024 for line in lines if line.startswith("VmHWM"))
    print(json.dumps(found))


# -- the race


class Version:
    """A checkout with its environment."""

    def __init__(self, name: str, folder: Path) -> None:
        self.name, self.folder = name, folder

    def part(self, name: str, *arguments: str, **environment: str) -> dict[str, Any]:
        """Run a part in a process of its own."""
        python = self.folder / ".venv" / "bin" / "python"
        # By -c, so that no module beside this one is taken for one of the version's.
        code = Path(__file__).read_text(encoding="utf-8")
        done = subprocess.run(
            [python, "-c", code, "one", name, *arguments],
            capture_output=True, text=True, cwd=self.folder,
            env={**os.environ, "PYTHONPATH": str(self.folder), **environment},
        )  # fmt: skip
        if done.returncode:
            sys.exit(f"{name} of {self.folder}:\n{done.stderr}")
        found: dict[str, Any] = json.loads(done.stdout.splitlines()[-1])
        return found


def make_tables(folder: Path, pages: int, links: int, *, urls: bool) -> None:
    """Pages and distinct links, targets skewed, in random order; ``more.parquet`` has a hundredth of new links."""
    import numpy as np
    import pyarrow as pa
    import pyarrow.parquet as pq

    rng = np.random.default_rng(1)
    source = rng.integers(0, pages, links + links // 50)
    target = np.minimum((pages * rng.random(len(source)) ** 3).astype(np.int64), pages - 1)
    keys = np.sort(source[source != target] * pages + target[source != target])
    keys = keys[np.diff(keys, prepend=-1) > 0]
    rng.shuffle(keys)
    first, more = keys[:links], keys[links : links + links // 100]
    names = pa.array([f"https://h{i % 5000}.example/page/{i}" for i in range(pages)]) if urls else None

    def ends(which: Any) -> Any:
        parts = {"source": which // pages, "target": which % pages}
        return pa.table(parts if names is None else {name: names.take(pa.array(part)) for name, part in parts.items()})

    pq.write_table(ends(first), folder / "links.parquet")
    pq.write_table(ends(more), folder / "more.parquet")
    pq.write_table(pa.table({"id": np.arange(pages)} if names is None else {"url": names}), folder / "pages.parquet")


def row(title: str, found: dict[str, dict[str, Any]]) -> None:
    """What each version took, and the ratio of processor seconds of the first to the last."""
    cells = []
    for name, one in found.items():
        size = f" {one['size'] / 1e6:7.1f} MB on disk" if "size" in one else ""
        cells.append(
            f"{name}: {one['seconds']:7.2f} s {one['processor']:7.2f} cpu {one['peak'] / 1e9:5.2f} GB rss{size}"
        )
    ours, *others = found.values()
    ratio = f"  {ours['processor'] / others[-1]['processor']:.2f} x" if others else ""
    print(f"{title:30} {' | '.join(cells)}{ratio}", flush=True)


def by_url(versions: list[Version], folder: Path, pages: int, links: int) -> None:
    """Loads by URL, a second load, reading back."""
    make_tables(folder, pages, links, urls=True)
    first = [f"pages={folder}/pages.parquet", f"links={folder}/links.parquet"]
    stores = {one.name: str(folder / f"{one.name}.db") for one in versions}
    for one in versions:  # kernels and caches of files are warm
        one.part("load", str(folder / f"{one.name}-warm.db"), f"links={folder}/more.parquet")
    tables = [str(folder / "pages.parquet"), str(folder / "links.parquet")]
    row(f"{links:,} links, bare SQL", {"duckdb": versions[0].part("bare_sql", str(folder / "bare.db"), *tables)})
    row(f"{links:,} links by URL", {one.name: one.part("load", stores[one.name], *first) for one in versions})
    more = f"links={folder}/more.parquet"
    row("1 % more", {one.name: one.part("load", stores[one.name], more) for one in versions})
    row("links to NumPy", {one.name: one.part("read_links", stores[one.name]) for one in versions})


def first_use(versions: list[Version], folder: Path) -> None:
    """A small load with an empty kernel cache, and again."""
    small = folder / "small"
    small.mkdir()
    make_tables(small, 64_000, 400_000, urls=True)
    files = [f"pages={small}/pages.parquet", f"links={small}/links.parquet"]
    for turn in ("first", "second"):
        found = {
            one.name: one.part(
                "load", str(small / f"{one.name}-{turn}.db"), *files, NUMBA_CACHE_DIR=str(small / f"kernels-{one.name}")
            )
            for one in versions
        }
        row(f"400,000 links, {turn} time", found)


def everyday(versions: list[Version], folder: Path) -> None:
    """Everyday Cypher on web-NotreDame."""
    from benchmarks.common import SHARED

    file = SHARED / NOTRE_DAME
    if not file.exists():
        print(f"left out, because {file} is not here: everyday queries")
        return
    found = {}
    for one in versions:
        store = str(folder / f"{one.name}-nd.db")
        command = [one.folder / ".venv/bin/seedrank", "--store", store, "load", "snap", file]
        environment = {**os.environ, "PYTHONPATH": str(one.folder)}
        subprocess.run(command, check=True, capture_output=True, cwd=one.folder, env=environment)
        found[one.name] = one.part("queries", store, *QUERIES.values())
    for place, title in enumerate(QUERIES):
        cells = [f"{name}: {1000 * one['times'][place]:8.1f} ms" for name, one in found.items()]
        print(f"  {title:28} {'  '.join(cells)}")
    row(f"{len(QUERIES)} queries", found)


def large(versions: list[Version], folder: Path) -> None:
    """72 million links by id with 1.5 GB."""
    place = folder / "large"
    place.mkdir()
    make_tables(place, 5_000_000, 72_000_000, urls=False)
    files = [f"pages={place}/pages.parquet", f"links={place}/links.parquet"]
    for title, part, arguments in (
        ("72 M links by id, 1.5 GB", "load", [*files, "memory=1536M"]),
        ("one --save there", "save", []),
    ):
        row(title, {one.name: one.part(part, str(place / f"{one.name}.db"), *arguments) for one in versions})


def main() -> None:
    if sys.argv[1:2] == ["one"]:
        perform(sys.argv[2], sys.argv[3:])
        return
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--beside", type=Path, help="a checkout of another version")
    parser.add_argument("--pages", type=int, default=1_000_000)
    parser.add_argument("--links", type=int, default=10_000_000)
    parser.add_argument("--large", action="store_true", help="72 million links too")
    parser.add_argument("--folder", default=None, help="where temporary files go; 2 GB, 10 with --large")
    given = parser.parse_args()
    here = Version("this", Path(__file__).resolve().parents[1])
    versions = [here] + ([] if given.beside is None else [Version("other", given.beside.resolve())])
    with tempfile.TemporaryDirectory(dir=given.folder) as name:
        folder = Path(name)
        by_url(versions, folder, given.pages, given.links)
        first_use(versions, folder)
        everyday(versions, folder)
        if given.large:
            large(versions, folder)


if __name__ == "__main__":
    main()
