"""A folder of WebGraph arrays as a store: read-only, no Cypher; for graphs beyond a database on one machine."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

import numpy as np
import pyarrow as pa

from seedrank.core.changes import Load
from seedrank.core.errors import GraphError, InputError
from seedrank.core.files import folder_of
from seedrank.core.model import Status
from seedrank.graph import WebGraph
from seedrank.graph.folder import check_contents
from seedrank.graphdb.store import Counts, Finding

__all__ = ["ArrayStore", "MemoryStore"]

_PAGES_PER_BATCH = 1 << 18
_LINKS_PER_BATCH = 1 << 22
_STATUS_WORDS = pa.array([status.label for status in Status])


class ArrayStore:
    """The pages, links and hosts of a `WebGraph`; it has no anchors and no queries."""

    def __init__(self, graph: WebGraph, url: str) -> None:
        self.graph = graph
        self.url = url

    @classmethod
    def open(cls, folder: str) -> ArrayStore:
        """Open a folder of arrays."""
        return cls(WebGraph.open(folder), folder)

    def counts(self) -> Counts:
        """How much there is."""
        return Counts(self.graph.pages, self.graph.links, self.graph.hosts.num_rows, queries=0, results=0)

    def version(self) -> str:
        """The graph's own version."""
        return self.graph.version

    def loads(self) -> list[Load]:
        """The load that wrote the arrays, where they were made of files."""
        known = Load.__dataclass_fields__
        return [
            Load(**{name: value for name, value in record.items() if name in known})
            for record in self.graph.meta.get("loads", ())
        ]

    def page_columns(self) -> dict[str, pa.DataType]:
        """Columns of pages beyond ``id url source_id status host``."""
        sample = {name: self._column(name, 0, 0) for name in self.graph.column_names}
        return {name: values.type for name, values in sample.items()}

    def host_columns(self) -> dict[str, pa.DataType]:
        """Columns of hosts beyond ``name pages``."""
        return {field.name: field.type for field in self.graph.hosts.schema if field.name not in ("name", "pages")}

    def read_pages(self, columns: Sequence[str] | None = None) -> Iterator[pa.RecordBatch]:
        """Pages by ascending id."""
        own = self.graph.column_names
        names = ["url", "source_id", "status", "host", *own] if columns is None else list(columns)
        for name in names:
            if name not in ("url", "source_id", "status", "host", *own):
                known = ", ".join(sorted(own)) or "none"
                raise GraphError(f"pages have no column {name!r}", hint=f"columns there are: {known}")
        for lo in range(0, self.graph.pages, _PAGES_PER_BATCH):
            hi = min(lo + _PAGES_PER_BATCH, self.graph.pages)
            arrays = [pa.array(np.arange(lo, hi)), *(self._column(name, lo, hi) for name in names)]
            yield pa.record_batch(arrays, names=["id", *names])

    def read_links(self, columns: Sequence[str] = ("weight",)) -> Iterator[pa.RecordBatch]:
        """All links, by source, then target."""
        offsets, weights = self.graph.out_offsets, self.graph.weights
        for lo in range(0, self.graph.links, _LINKS_PER_BATCH):
            hi = min(lo + _LINKS_PER_BATCH, self.graph.links)
            first, last = np.searchsorted(offsets, [lo, hi - 1], side="right") - 1
            bounds = np.clip(offsets[first : last + 2], lo, hi)
            arrays = {
                "source": pa.array(np.repeat(np.arange(first, last + 1), np.diff(bounds))),
                "target": pa.array(self.graph.out_targets[lo:hi].astype(np.int64)),
            }
            for name in columns:
                if name == "weight":
                    values = np.ones(hi - lo) if weights is None else weights[lo:hi].astype(np.float64)
                    arrays[name] = pa.array(values)
                else:
                    arrays[name] = pa.nulls(hi - lo, pa.list_(pa.string()))
            yield pa.record_batch(arrays)

    def read_hosts(self) -> pa.Table:
        """``name``, ``pages`` and the columns, by name."""
        hosts, known = self.graph.hosts, self.graph.host[self.graph.host >= 0]
        if "pages" not in hosts.column_names:
            pages = np.bincount(known, minlength=hosts.num_rows).astype(np.int64)
            hosts = hosts.append_column("pages", pa.array(pages))
        ordered = hosts.select(["name", "pages", *self.host_columns()])
        return ordered.set_column(0, "name", ordered["name"].cast(pa.string())).sort_by("name")

    def read_queries(self) -> pa.Table:
        """None."""
        return pa.table(
            {"text": pa.nulls(0, pa.string()), "freq": pa.nulls(0, pa.float64()), "need": pa.nulls(0, pa.float64())}
        )

    def read_results(self) -> pa.Table:
        """None."""
        types = {"query": pa.string(), "id": pa.int64(), "rank": pa.int64(), "clicks": pa.float64()}
        return pa.table({name: pa.nulls(0, kind) for name, kind in types.items()})

    def check(self) -> list[Finding]:
        """Whether every file has its checksum, and the links are in order."""
        wrong = [] if self.graph.folder is None else _damage(self.graph.folder)
        offsets, targets = self.graph.out_offsets, self.graph.out_targets
        if offsets[0] != 0 or offsets[-1] != len(targets) or (np.diff(offsets) < 0).any():
            wrong.append("the links of pages are not one after the other")
        for lo in range(0, len(targets), _LINKS_PER_BATCH):
            some = targets[lo : lo + _LINKS_PER_BATCH]
            if (some < 0).any() or (some >= self.graph.pages).any():
                wrong.append("links name a page that does not exist")
                break
        return [Finding("error", "store", what, "load the sources into a new folder") for what in wrong]

    def close(self) -> None:
        """Nothing to release: the arrays are mapped."""

    def _column(self, name: str, lo: int, hi: int) -> pa.Array:
        graph = self.graph
        if name == "status":
            return _STATUS_WORDS.take(pa.array(graph.status[lo:hi]))
        if name == "host":
            hosts = graph.host[lo:hi]
            return _text(graph.host_names.take(pa.array(hosts, mask=hosts < 0)))
        if name == "source_id":
            return _source_ids(graph.source_id, lo, hi)
        if name == "url":
            return pa.nulls(hi - lo, pa.string()) if graph.urls is None else _text(graph.urls.slice(lo, hi - lo))
        try:
            values = graph.column(name)[lo:hi]
        except GraphError:  # no numbers, so text
            return _text(graph.text(name).slice(lo, hi - lo))
        return pa.array(values, from_pandas=values.dtype.kind == "f")


class MemoryStore(ArrayStore):
    """A graph that is nowhere but in memory; what is kept for it goes when it is closed."""

    described = "the graph is in memory"

    def __init__(self, graph: WebGraph) -> None:
        place, self._remove = folder_of(self)
        super().__init__(graph, str(place / "memory"))

    def close(self) -> None:
        """Remove the answers that were kept."""
        self._remove()


def _source_ids(ids: np.ndarray | None, lo: int, hi: int) -> pa.Array:
    """The sources' numbers; the arrays say -1 where there is none."""
    if ids is None:
        return pa.nulls(hi - lo, pa.int64())
    return pa.array(ids[lo:hi], mask=ids[lo:hi] < 0)


def _text(values: pa.ChunkedArray) -> pa.Array:
    """Strings as the databases give them."""
    return values.cast(pa.string()).combine_chunks()


def _damage(folder: Path) -> list[str]:
    try:
        check_contents(folder)
    except InputError as error:
        return [error.message]
    return []
