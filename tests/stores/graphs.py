"""Small graphs as plain lists, what a load of them hands to a store, and the same graph as a folder of arrays."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa

from seedrank.core.changes import Changes, Load
from seedrank.core.model import Status
from seedrank.graph import GraphWriter
from seedrank.graphdb.store import GraphStore

Row = dict[str, Any]

PAGE_SCHEMA = {"id": pa.int64(), "url": pa.string(), "source_id": pa.int64(), "status": pa.string()}
HOST_SCHEMA = {"name": pa.string(), "pages": pa.int64()}
LINK_SCHEMA = {"source": pa.int64(), "target": pa.int64(), "weight": pa.float64(), "anchors": pa.list_(pa.string())}
QUERY_SCHEMA = {"text": pa.string(), "freq": pa.float64(), "need": pa.float64()}
RESULT_SCHEMA = {"query": pa.string(), "id": pa.int64(), "rank": pa.int64(), "clicks": pa.float64()}


@dataclass(frozen=True)
class Graph:
    """A graph as lists of rows; pages carry their ``host``, which is a relationship in the database."""

    pages: list[Row] = field(default_factory=list)
    links: list[Row] = field(default_factory=list)
    hosts: list[Row] = field(default_factory=list)
    queries: list[Row] = field(default_factory=list)
    results: list[Row] = field(default_factory=list)
    page_columns: dict[str, pa.DataType] = field(default_factory=dict)
    host_columns: dict[str, pa.DataType] = field(default_factory=dict)


def table(rows: list[Row], types: dict[str, pa.DataType]) -> pa.Table:
    """Rows as a table; what a row lacks is null."""
    return pa.table({name: pa.array([row.get(name) for row in rows], kind) for name, kind in types.items()})


def changes(
    *,
    new_pages: list[Row] = (),
    changed_pages: pa.Table | None = None,
    hosts: list[Row] = (),
    page_hosts: list[Row] = (),
    new_links: list[Row] = (),
    changed_links: list[Row] = (),
    queries: list[Row] = (),
    results: list[Row] = (),
    page_columns: dict[str, pa.DataType] | None = None,
    host_columns: dict[str, pa.DataType] | None = None,
) -> Changes:
    """Changes by hand."""
    own, own_of_hosts = page_columns or {}, host_columns or {}
    return Changes(
        new_pages=table(list(new_pages), PAGE_SCHEMA | own),
        changed_pages=pa.table({"id": pa.array([], pa.int64())}) if changed_pages is None else changed_pages,
        page_hosts=table(list(page_hosts), {"id": pa.int64(), "host": pa.string()}),
        hosts=table(list(hosts), HOST_SCHEMA | own_of_hosts),
        new_links=table(list(new_links), LINK_SCHEMA),
        changed_links=table(list(changed_links), LINK_SCHEMA),
        queries=table(list(queries), QUERY_SCHEMA),
        results=table(list(results), RESULT_SCHEMA),
        page_columns=own,
        host_columns=own_of_hosts,
    )


def everything(graph: Graph) -> Changes:
    """The graph as a load into an empty store."""
    return changes(
        new_pages=graph.pages,
        hosts=graph.hosts,
        page_hosts=[row for row in graph.pages if row.get("host") is not None],
        new_links=graph.links,
        queries=graph.queries,
        results=graph.results,
        page_columns=graph.page_columns,
        host_columns=graph.host_columns,
    )


def missing(store: GraphStore, graph: Graph) -> Changes:
    """What a store that holds a part of the graph lacks of it: the slow, plain twin of a load's comparison."""
    there = read(store)
    pages = {row["id"] for row in there.pages}
    on_host = {row["id"] for row in there.pages if row["host"] is not None}
    links = {(row["source"], row["target"]) for row in there.links}
    hosts = {row["name"] for row in there.hosts}
    queries = {row["text"] for row in there.queries}
    results = {(row["query"], row["id"]) for row in there.results}
    return changes(
        new_pages=[row for row in graph.pages if row["id"] not in pages],
        hosts=[row for row in graph.hosts if row["name"] not in hosts],
        page_hosts=[row for row in graph.pages if row.get("host") is not None and row["id"] not in on_host],
        new_links=[row for row in graph.links if (row["source"], row["target"]) not in links],
        queries=[row for row in graph.queries if row["text"] not in queries],
        results=[row for row in graph.results if (row["query"], row["id"]) not in results],
        page_columns=graph.page_columns,
        host_columns=graph.host_columns,
    )


def load(name: str, **facts: Any) -> Load:
    """A record of a load."""
    digest = hashlib.sha256(name.encode()).hexdigest()
    return replace(
        Load(id=name, source=f"made by hand: {name}", sha256=digest, started="2026-01-31T12:00:00+00:00"), **facts
    )


def read(store: GraphStore) -> Graph:
    """Everything a store holds, read through the contract, links and hosts in order."""
    pages = [row for batch in store.read_pages() for row in batch.to_pylist()]
    links = [row for batch in store.read_links(["weight", "anchors"]) for row in batch.to_pylist()]
    return Graph(
        pages=pages,
        links=sorted(links, key=lambda row: (row["source"], row["target"])),
        hosts=store.read_hosts().to_pylist(),
        queries=store.read_queries().to_pylist(),
        results=store.read_results().to_pylist(),
        page_columns=store.page_columns(),
        host_columns=store.host_columns(),
    )


def plain(graph: Graph) -> Graph:
    """The graph with every column in every row, in the order `read` gives."""
    page_names = ["id", "url", "source_id", "status", "host", *graph.page_columns]
    host_names = ["name", "pages", *graph.host_columns]
    return replace(
        graph,
        pages=[{name: row.get(name) for name in page_names} for row in sorted(graph.pages, key=lambda row: row["id"])],
        links=[
            {name: row.get(name) for name in LINK_SCHEMA}
            for row in sorted(graph.links, key=lambda row: (row["source"], row["target"]))
        ],
        hosts=[
            {name: row.get(name) for name in host_names} for row in sorted(graph.hosts, key=lambda row: row["name"])
        ],
        queries=sorted(graph.queries, key=lambda row: row["text"]),
        results=sorted(graph.results, key=lambda row: (row["query"], row["rank"], row["id"])),
    )


def write_arrays(graph: Graph, folder: Path) -> None:
    """The graph as a folder of arrays: all numbers as float64, no anchors, no queries."""
    pages, graph = graph.pages, plain(graph)
    names = [row["name"] for row in graph.hosts]
    degree = np.bincount([row["source"] for row in graph.links], minlength=len(pages))
    texts = {name for name, kind in graph.page_columns.items() if pa.types.is_string(kind)}
    with GraphWriter(folder, version="by hand") as writer:
        writer.put("out_offsets", np.concatenate([[0], np.cumsum(degree)]).astype(np.int64))
        writer.put("out_targets", np.array([row["target"] for row in graph.links], np.int32))
        writer.put("weights", np.array([row["weight"] for row in graph.links], np.float32))
        writer.put("status", np.array([Status[row["status"].upper()] for row in graph.pages], np.int8))
        hosts = [-1 if row["host"] is None else names.index(row["host"]) for row in graph.pages]
        writer.put("host", np.array(hosts, np.int32))
        source_ids = [-1 if row["source_id"] is None else row["source_id"] for row in graph.pages]
        writer.put("source_id", np.array(source_ids, np.int64))
        for name in graph.page_columns:
            if name not in texts:
                values = [np.nan if row[name] is None else float(row[name]) for row in graph.pages]
                writer.put(f"column-{name}", np.array(values))
        for name, column in {"urls": "url", **{f"text-{name}": name for name in texts}}.items():
            rows = table(graph.pages, {column: pa.large_string()})
            writer.text(name, rows.to_batches(), rows.schema)
        rows = table(graph.hosts, {"name": pa.large_string(), "pages": pa.int64()} | graph.host_columns)
        writer.text("hosts", rows.to_batches(), rows.schema)
        writer.close(len(pages), len(graph.links))


HOSTILE = "it's \"quoted\" `ticked` \\u0060 $x {{y}} '; DROP TABLE Page; // 😀 ünï\tcødé"

SMALL = Graph(
    pages=[
        {"id": 0, "url": "http://a.example/", "source_id": 10, "status": "crawled", "host": "a.example",
         "clicks": 2.5, "visits": 7, "good": True, "title": "Front page", "my column": 1.0},
        {"id": 1, "url": "http://a.example/x", "source_id": 11, "status": "crawled", "host": "a.example",
         "clicks": None, "visits": None, "good": None, "title": None, "my column": None},
        {"id": 2, "url": "http://b.example/?q=" + HOSTILE, "source_id": None, "status": "frontier",
         "host": "b.example", "clicks": 0.0, "visits": 0, "good": False, "title": HOSTILE, "my column": -1e300},
        {"id": 3, "url": None, "source_id": 2**62, "status": "missing", "host": None,
         "clicks": 1e-300, "visits": 2**52, "good": True, "title": "", "my column": 3.0},
        {"id": 4, "url": "http://ü.example/日本", "source_id": 0, "status": "frontier", "host": "ü.example",
         "clicks": 4.0, "visits": -5, "good": True, "title": "日本", "my column": 4.0},
        {"id": 5, "url": "http://a.example/z", "source_id": 15, "status": "frontier", "host": "a.example",
         "clicks": None, "visits": 1, "good": False, "title": "z", "my column": 5.0},
    ],
    links=[
        {"source": 0, "target": 1, "weight": 1.0, "anchors": ["next", HOSTILE]},
        {"source": 0, "target": 2, "weight": 3.0, "anchors": None},
        {"source": 0, "target": 5, "weight": 1.0, "anchors": None},
        {"source": 1, "target": 0, "weight": 2.0, "anchors": ["back"]},
        {"source": 1, "target": 4, "weight": 1.0, "anchors": ["日本", ""]},
    ],
    hosts=[
        {"name": "ü.example", "pages": 1, "importance": 0.5},
        {"name": "a.example", "pages": 3, "importance": 2.0},
        {"name": "b.example", "pages": 1, "importance": None},
    ],
    queries=[
        {"text": "web seeds", "freq": 100.0, "need": 0.25},
        {"text": HOSTILE, "freq": 1.0, "need": None},
    ],
    results=[
        {"query": "web seeds", "id": 1, "rank": 1, "clicks": 9.0},
        {"query": "web seeds", "id": 0, "rank": 2, "clicks": None},
        {"query": HOSTILE, "id": 2, "rank": 1, "clicks": 0.0},
    ],
    page_columns={
        "clicks": pa.float64(), "visits": pa.int64(), "good": pa.bool_(), "title": pa.string(),
        "my column": pa.float64(),
    },
    host_columns={"importance": pa.float64()},
)  # fmt: skip
