"""Statements that people type, and the web they are asked of."""

from __future__ import annotations

import random
import re
from pathlib import Path
from typing import Any

import pyarrow as pa

from tests.cypher.compare import Question
from tests.cypher.graphs import Row, Web
from tests.stores import graphs

PAGES = 600
EVERYDAY = 0
"""The number of the web."""
FAILING = (
    "RETURN 9223372036854775807 + 1 AS a",
    "RETURN -9223372036854775807 - 2 AS a",
    "RETURN 4611686018427387904 * 2 AS a",
    "RETURN reduce(s = 0, x IN [9223372036854775807, 1] | s + x) AS s",
    "RETURN -(-9223372036854775808) AS a",
    "RETURN toInteger('99999999999999999999') AS a",
    "MATCH (p:Page) RETURN p.id / 0 AS a",
    "MATCH (p:Page) RETURN count(p.id * 9223372036854775807) AS n",
    "MATCH (p:Page) WITH p.id * 9223372036854775807 AS x RETURN count(x) AS n",
    "RETURN 5 % 0 AS a",
    "RETURN substring('abc', -1) AS a",
    "RETURN left('abc', -1) AS a",
    "RETURN 'a' =~ '(' AS a",
)
"""Neo4j refuses these while it runs them; an answer would be wrong."""

_VALUES: dict[str, Any] = {
    "x": 3,
    "n": 4,
    "ids": [5, 60, 60, 599, 100000],
    "re": r"https?://[^/]+/page-\d{2}",
    "rows": [{"id": 1, "name": "one"}, {"id": 2, "name": "two"}],
}
_TITLES = (None, "Hauptstraße 1", "STRASSE", "Strasse", "Über uns", "über alles", "été", "日本語", "news", "")


def everyday() -> list[Question]:
    """All statements of the list."""
    lines = Path(__file__).with_name("everyday.txt").read_text(encoding="utf-8").splitlines()
    return [_question(line) for line in lines if line and not line.startswith("#")]


def _question(text: str) -> Question:
    values = _VALUES | {"urls": [everyday_web().graph.pages[7]["url"], "https://nowhere.example/"]}
    parameters = {name: values[name] for name in re.findall(r"\$(\w+)", text)}
    return Question(text, parameters, ordered="ORDER BY" in text.rpartition("RETURN")[2])


def everyday_web() -> Web:
    """600 pages on eight hosts, with a page that links to itself, clicks that tie and are missing."""
    rng = random.Random("everyday")
    names = [f"{'www.' if number % 2 else ''}site{number}.example" for number in range(8)]
    pages: list[Row] = []
    for number in range(PAGES):
        host = None if number % 97 == 13 else names[int(rng.random() ** 2 * len(names))]
        path = rng.choice((f"page-{number}", f"page-{number}", f"doc/{number}.pdf", f"list?n={number}"))
        pages.append(
            {
                "id": number,
                "url": f"https://{host or 'nowhere.example'}/{path}",
                "source_id": None,
                "status": rng.choice(("crawled", "crawled", "crawled", "frontier", "frontier", "missing")),
                "host": host,
                "clicks": rng.choice((None, 0.0, 0.0, 1.0, 1.0, 2.5, 4.5, 7.0)),
                "views": rng.choice((None, 0, 1, 10, 10, 250)),
                "lang": rng.choice((None, "de", "de", "fr", "en")),
                "title": rng.choice(_TITLES),
                "good": rng.choice((None, True, False)),
            }
        )
    pairs = {(60, 60), (7, 7)}
    while len(pairs) < 4 * PAGES:
        pairs.add((rng.randrange(PAGES), int(rng.random() ** 3 * PAGES)))
    pairs |= {(60, number) for number in (1, 3, 12, 40, 300)} | {(12, 60)}
    links = [
        {"source": a, "target": b, "weight": rng.choice((1.0, 1.0, 1.0, 2.0, 5.0)), "anchors": None}
        for a, b in sorted(pairs)
    ]
    links[0]["anchors"] = ["first"]
    queries = [{"text": text, "freq": 5.0, "need": None} for text in ("chess", "flu", "été")]
    results = [
        {"query": row["text"], "id": page, "rank": rank, "clicks": rng.choice((None, 0.0, 3.0))}
        for row in queries
        for rank, page in enumerate(rng.sample(range(PAGES), 9), 1)
    ]
    graph = graphs.Graph(
        pages=pages,
        links=links,
        hosts=[
            {"name": name, "pages": sum(page["host"] == name for page in pages)} for name in [*names, "empty.example"]
        ],
        queries=queries,
        results=results,
        page_columns={
            "clicks": pa.float64(),
            "views": pa.int64(),
            "lang": pa.string(),
            "title": pa.string(),
            "good": pa.bool_(),
        },
    )
    ranked = rng.sample(range(PAGES), 20)
    runs = [
        {
            "id": f"{number}-run",
            "method": "rank pagerank",
            "created": f"202{number + 5}-01-01T00:00:00Z",
            "seconds": 1.5,
            "pages": ranked,
            "scores": [1.0 / rank for rank in range(1, 21)],
            "cores": [],
        }
        for number in (0, 1)
    ]
    return Web(EVERYDAY, graph, runs)
