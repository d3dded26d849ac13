"""Small random webs, the same for the same number, written into any database by its contract."""

from __future__ import annotations

import random
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import pyarrow as pa

from seedrank.graphdb.store import Database
from seedrank.runs import Ranking, Run
from tests.stores import graphs

Row = dict[str, Any]

PAGE_COLUMNS = {
    "clicks": pa.float64(),
    "visits": pa.int64(),
    "good": pa.bool_(),
    "title": pa.string(),
    "lang": pa.string(),
    "spam": pa.float64(),
    "score": pa.float64(),
}
HOST_COLUMNS = {"importance": pa.float64(), "country": pa.string()}

_STATUSES = ("crawled", "crawled", "crawled", "frontier", "frontier", "missing")
_CLICKS = (None, None, 0.0, 0.0, 1.0, 1.0, 2.5, -1.0, 7.0, 1e6)
_VISITS = (None, None, 0, 0, 1, 2, 2, 3, 7, -5)
_TITLES = (None, None, "", "a", "news", "News", "Über uns", "été", "日本", "naïve café", "Start page", "x y z")
_LANGS = (None, "de", "de", "fr", "en", "en")
_WEIGHTS = (1.0, 1.0, 1.0, 1.0, 2.0, 2.0, 3.0, 0.5, 0.0, -1.0)
_ANCHORS = (None, None, None, [], ["next"], ["back", "back"], ["été", "", "next"])
_COUNTRIES = (None, "de", "fr", "fr", "ch")
_METHODS = ("seeds greedy", "rank pagerank", "seeds cores", "seeds maxweight")


@dataclass(frozen=True)
class Web:
    """A graph with what runs and virtual links add to it."""

    seed: int
    graph: graphs.Graph
    runs: list[Row] = field(default_factory=list)
    virtual: list[Row] = field(default_factory=list)


def random_web(seed: int) -> Web:
    """A web of 5 to 60 pages: nulls, ties, negative numbers, empty and accented texts; no page links to itself."""
    rng = random.Random(f"web {seed}")
    pages = _pages(rng, rng.randint(5, 60))
    names = sorted({row["host"] for row in pages if row["host"] is not None} | {"empty.example"})
    hosts = [
        {
            "name": name,
            "pages": sum(row["host"] == name for row in pages),
            "importance": rng.choice((None, 0.0, 0.5, 0.5, -2.0, 3.25)),
            "country": rng.choice(_COUNTRIES),
        }
        for name in names
    ]
    links = [
        {"source": a, "target": b, "weight": rng.choice(_WEIGHTS), "anchors": rng.choice(_ANCHORS)}
        for a, b in _pairs(rng, len(pages), round(len(pages) * rng.uniform(1.0, 3.5)))
    ]
    links[0]["anchors"] = ["first"]  # the embedded store has the column once a load brought some
    queries = [
        {"text": text, "freq": rng.choice((1.0, 1.0, 10.0, 90.0)), "need": rng.choice((None, 0.0, 0.25, 0.5))}
        for text in ("chess", "flu", "été", "web seeds", "")[: rng.randint(2, 5)]
    ]
    results = [
        {"query": row["text"], "id": page, "rank": rank, "clicks": rng.choice((None, 0.0, 1.0, 3.0))}
        for row in queries
        for rank, page in enumerate(rng.sample(range(len(pages)), rng.randint(0, min(6, len(pages)))), 1)
    ]
    virtual = [
        {"source": a, "target": b, "weight": rng.choice((2.0, 2.0, 3.0, 5.0))}
        for a, b in _pairs(rng, len(pages), len(pages) // 2)
    ]
    graph = graphs.Graph(
        pages=pages,
        links=links,
        hosts=hosts,
        queries=queries,
        results=results,
        page_columns=PAGE_COLUMNS,
        host_columns=HOST_COLUMNS,
    )
    return Web(seed, graph, _runs(rng, len(pages)), virtual)


def write(web: Web, store: Database) -> None:
    """The web into an empty database."""
    store.create_schema()
    store.apply(graphs.everything(web.graph), graphs.load(f"web {web.seed}"))
    for row in web.runs:
        run = Run(
            id=row["id"],
            method=row["method"],
            parameters={"k": len(row["pages"])},
            graph="made",
            store="made",
            engine="native",
            version="0",
            created=row["created"],
            seconds=row["seconds"],
        )
        if row["pages"]:
            ranking = Ranking(np.array(row["pages"], np.int64), np.array(row["scores"], np.float64))
            store.write_run(run, ranking)
        if row["cores"]:
            kinds = {"id": pa.int64(), "n": pa.int64(), "role": pa.string()}
            store.write_cores(run, graphs.table(row["cores"], kinds))
    virtual = {"source": pa.int64(), "target": pa.int64(), "weight": pa.float64()}
    store.write_virtual_links(graphs.table(web.virtual, virtual))


def _pages(rng: random.Random, count: int) -> list[Row]:
    hosts = [f"{name}.example" for name in "abcdefü"[: rng.randint(1, 7)]]
    pages = []
    for i in range(count):
        host = rng.choice([*hosts, hosts[0], None])
        pages.append(
            {
                "id": i,
                "url": None if host is None and rng.random() < 0.3 else f"http://{host or 'nowhere.example'}/{i}",
                "source_id": rng.choice((None, i, 10 + i)),
                "status": rng.choice(_STATUSES),
                "host": host,
                "clicks": rng.choice(_CLICKS),
                "visits": rng.choice(_VISITS),
                "good": rng.choice((None, True, True, False)),
                "title": rng.choice(_TITLES),
                "lang": rng.choice(_LANGS),
                "spam": rng.choice((None, 0.0, 0.0, 1.0)),
                "score": rng.choice((None, round(rng.uniform(-1, 1), 3), 0.25)),
            }
        )
    return pages


def _pairs(rng: random.Random, pages: int, count: int) -> list[tuple[int, int]]:
    """Distinct pairs of different pages, some of them in both directions, towards low ids more often."""
    pairs = set()
    for _ in range(count):
        a, b = rng.randrange(pages), min(rng.randrange(pages), rng.randrange(pages))
        if a != b:
            pairs.add((a, b))
            if rng.random() < 0.15:
                pairs.add((b, a))
    return sorted(pairs or {(0, 1)})


def _runs(rng: random.Random, pages: int) -> list[Row]:
    runs = []
    for number in range(rng.randint(1, 4)):
        method = _METHODS[number]
        ranked = [] if method == "seeds cores" else rng.sample(range(pages), rng.randint(1, min(8, pages)))
        cores = [
            {"id": page, "n": n, "role": role}
            for n in (1, 2)
            for role in ("hub", "authority")
            for page in sorted(rng.sample(range(pages), rng.randint(1, min(4, pages))))
        ]
        runs.append(
            {
                "id": f"{number + 1}-run",
                "method": method,
                "created": f"2026-0{rng.randint(1, 3)}-01T00:00:00Z",
                "seconds": rng.choice((0.0, 1.5, 1.5, 20.0)),
                "pages": ranked,
                "scores": [rng.choice((0.5, 0.5, 0.125, float("nan"), -1.0)) for _ in ranked],
                "cores": cores if method == "seeds cores" or rng.random() < 0.3 else [],
            }
        )
    return runs
