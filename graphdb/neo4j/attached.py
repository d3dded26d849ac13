"""A graph of others in a Neo4j database, as a model says: it is read, and written nothing but scores one asks for."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Sequence
from functools import cached_property
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from seedrank.core.changes import Load
from seedrank.core.errors import GraphError, StoreError, UsageError, shorten
from seedrank.core.levels import addresses_of_names
from seedrank.core.model import STATUS_CODES
from seedrank.core.progress import Progress, silent
from seedrank.core.urls import hosts as hosts_of
from seedrank.core.urls import turned
from seedrank.graph import WebGraph
from seedrank.graphdb.arrays import ArrayStore
from seedrank.graphdb.column_types import score_column
from seedrank.graphdb.neo4j.connection import Connection
from seedrank.graphdb.neo4j.loading import batches
from seedrank.graphdb.neo4j.model import Model
from seedrank.graphdb.neo4j.types import to_values
from seedrank.graphdb.store import Counts

__all__ = ["AttachedStore"]

_BATCH_SIZE = 20_000


class AttachedStore:
    """Nodes of a database that others fill, as pages, in the order of their ids, and relationships as links.

    Everything is read at once when it is first needed. A relationship from a node to itself is no link, and those
    between the same two nodes are one, whose weight is the sum.

    Parameters
    ----------
    connection
        The open connection; it reads only, but for `write_scores`.
    model
        What is a page and what is a link.
    """

    prefix = ""
    gds_problem = "a graph that is attached by a model is read into memory"

    def __init__(self, connection: Connection, model: Model) -> None:
        self.connection = connection
        self.model = model
        self.url = f"{connection.url}#{model.path}"
        self.described = f"{self.url} is a graph of others that is only read"
        name = (connection.database or "").lower()
        self.database = "" if name == "neo4j" else name

    def close(self) -> None:
        """Close the connection; safe to call twice."""
        self.connection.close()

    # -- what it is

    def version(self) -> str:
        """A short digest of the model, the last transaction that wrote to the database, and the counts."""
        known = [self.model.digest, self.connection.last_transaction(), self._nodes(), self._relationships()]
        return hashlib.sha256(repr(known).encode()).hexdigest()[:16]

    def begun(self) -> str:
        """Not known."""
        return ""

    def counts(self) -> Counts:
        """How much there is; at most so much, until everything is read."""
        if "_read" in self.__dict__:
            return self._read.counts()
        return Counts(self._nodes(), self._relationships(), hosts=0, queries=0, results=0)

    def loads(self) -> list[Load]:
        """One, that stands for the model: it says what a node is."""
        return [Load(self.model.digest, str(self.model.path), self.model.digest, "done", level=self.model.level)]

    def snapshot(self) -> None:
        """Read everything as it is now; `counts` are exact from then on."""
        self.__dict__.pop("_read", None)
        _ = self._read

    # -- what is in it

    def page_columns(self) -> dict[str, pa.DataType]:
        """The columns that the model names."""
        return self._read.page_columns()

    def host_columns(self) -> dict[str, pa.DataType]:
        """None."""
        return {}

    def read_pages(self, columns: Sequence[str] | None = None) -> Iterator[pa.RecordBatch]:
        """Pages by ascending id."""
        return self._read.read_pages(columns)

    def read_links(self, columns: Sequence[str] = ("weight",)) -> Iterator[pa.RecordBatch]:
        """All links, by source, then target."""
        return self._read.read_links(columns)

    def read_hosts(self) -> pa.Table:
        """``name`` and ``pages``, by name."""
        return self._read.read_hosts()

    def read_queries(self) -> pa.Table:
        """None."""
        return self._read.read_queries()

    def read_results(self) -> pa.Table:
        """None."""
        return self._read.read_results()

    # -- scores

    def write_scores(self, column: str, values: np.ndarray | pa.Array, *, progress: Progress = silent) -> None:
        """Set a property of the nodes from an array indexed by page id; NaN leaves a node without it."""
        if column in self.model.properties:
            raise UsageError(f"scores cannot be written to {shorten(column)}: the model reads it", hint="name another")
        if len(values) != len(self._elements):
            raise GraphError(
                f"there are {len(values):,} scores for {len(self._elements):,} nodes",
                hint="read the graph again ({refresh=True})",
                fields=("refresh",),
            )
        for label in self.model.labels:
            cypher = self.connection.statement("attach/in_use", label=label)
            if found := self.connection.read(cypher, column=column)[0]["found"]:
                raise StoreError(
                    f"{found:,} nodes have a property {shorten(column)} already",
                    hint="name another, or remove it from the nodes first",
                )
        cypher = self.connection.statement("attach/set_property", column=column)
        table = pa.table({"element": self._elements, "value": score_column(values)})
        with progress(f"writing {column}", total=table.num_rows) as advance:
            for batch in batches(table, _BATCH_SIZE):
                rows = {"element": to_values(batch["element"]), "values": to_values(batch["value"])}
                self.connection.write_plain(cypher, **rows)
                advance(batch.num_rows)

    # -- inside

    def _nodes(self) -> int:
        return self._count("counts", "label", "nodes", self.model.labels)

    def _relationships(self) -> int:
        return self._count("link_count", "type", "links", self.model.types)

    def _count(self, name: str, placeholder: str, column: str, values: Sequence[str]) -> int:
        statements = [self.connection.statement(f"attach/{name}", **{placeholder: value}) for value in values]
        return sum(int(self.connection.read(one)[0][column]) for one in statements)

    @property
    def _elements(self) -> pa.Array:
        """What the database calls each page."""
        _ = self._read
        return self._names

    @cached_property
    def _read(self) -> ArrayStore:
        model, rows = self.model, self._rows()
        self._names = rows["element"].combine_chunks()
        hosts = self._hosts(rows)
        urls = _text(rows["url"]) if model.url else None
        if model.level != "page" and urls is None:
            urls = addresses_of_names(hosts)
        if not model.host:
            hosts = pa.nulls(len(rows)) if urls is None else hosts_of(urls)
        coded = pc.fill_null(hosts.cast(pa.string()), "").dictionary_encode()
        names = coded.dictionary.to_pylist()
        order = np.argsort(np.array(names, object)) if names else np.empty(0, np.int64)
        kept = [names[place] for place in order if names[place]]
        number = np.full(len(names) + 1, -1, np.int32)
        number[[place for place in order if names[place]]] = np.arange(len(kept))
        source, target, weights = self._links()
        graph = WebGraph.from_links(
            len(rows),
            source,
            target,
            weights=weights if model.weight else None,
            status=self._statuses(rows),
            host=number[coded.indices.to_numpy()],
            host_names=kept,
            urls=None if urls is None else urls.to_pylist(),
            source_id=None if model.id is None else rows["id"].to_numpy(),
            columns={name: _column(rows[f"column {name}"]) for name in model.columns},
        )
        return ArrayStore(graph, self.url)

    def _rows(self) -> pa.Table:
        """A row per node, in the order of its id, else of what the database calls it."""
        model, parts = self.model, []
        for label in model.labels:
            found = self.connection.read(
                self.connection.statement("attach/pages", label=label),
                id=model.id or "",
                url=list(model.url),
                host=list(model.host),
                status=model.status_property or "",
                columns=list(model.columns),
            )
            parts += [record.values() for record in found]
        if not parts:
            raise StoreError(f"{self.connection.url} has no nodes of {', '.join(model.labels)}", hint="check the model")
        # A node may have two of the labels.
        by_element = {row[0]: row for row in parts}
        element, ids, url, host, status, columns = zip(*by_element.values(), strict=True)
        table = {
            "element": pa.array(element, pa.string()),
            "id": self._ids(ids),
            "url": _loose(url),
            "host": _loose([_joined(one) for one in host]),
            "status": _loose(status),
            **{
                f"column {name}": _loose(values)
                for name, values in zip(model.columns, zip(*columns, strict=True), strict=True)
            },
        }
        return pa.table(table).sort_by([("id", "ascending"), ("element", "ascending")])

    def _ids(self, ids: Sequence[Any]) -> pa.Array:
        if self.model.id is None:
            return pa.nulls(len(ids), pa.int64())
        wrong = next((one for one in ids if not isinstance(one, int) or isinstance(one, bool) or one < 0), 0)
        found = pa.array(ids, pa.int64()) if wrong == 0 else None
        if found is None or found.null_count or len(pc.unique(found)) != len(found):
            what = "is no whole number from 0 on" if found is None else "is missing or there twice"
            raise StoreError(
                f"the id of a node, {self.model.id}, {what}" + (f": {shorten(str(wrong))}" if found is None else ""),
                hint=f"leave out id in {self.model.path}: nodes are then told apart by the database's own",
            )
        return found

    def _hosts(self, rows: pa.Table) -> pa.Array:
        hosts = _text(rows["host"])
        return turned(hosts) if self.model.host_is_reversed else hosts

    def _statuses(self, rows: pa.Table) -> np.ndarray:
        if self.model.status_property is None:
            return np.full(len(rows), STATUS_CODES[self.model.status], np.int8)
        words = rows["status"].to_pylist()
        unknown = next((word for word in words if word is not None and word not in STATUS_CODES), None)
        if unknown is not None:
            raise StoreError(
                f"{self.model.status_property} of a node is {shorten(str(unknown))}",
                hint=f"a status is {', '.join(STATUS_CODES)}; or give one for all nodes in {self.model.path}",
            )
        return np.array([STATUS_CODES[word or "crawled"] for word in words], np.int8)

    def _links(self) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Ends and weights of all relationships between the nodes."""
        parts = [self._links_of(label, kind) for label in self.model.labels for kind in self.model.types]
        nothing = np.empty(0, np.int64), np.empty(0, np.int64), np.empty(0)
        source, target, weights = (np.concatenate(ends) for ends in zip(nothing, *parts, strict=True))
        return source, target, weights

    def _links_of(self, label: str, kind: str) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        cypher = self.connection.statement("attach/links", label=label, type=kind)
        found = self.connection.read(cypher, weight=self.model.weight or "")
        many = [len(record["targets"]) for record in found]
        source = self._numbers(record["source"] for record in found).repeat(many)
        target = self._numbers(one for record in found for one in record["targets"])
        weights = np.array([one for record in found for one in record["weights"]], float)
        known = (source >= 0) & (target >= 0)  # others may link to nodes that are no pages
        return source[known], target[known], weights[known]

    def _numbers(self, elements: Iterator[str]) -> np.ndarray:
        """Page ids of nodes; -1 of those that are no pages."""
        found = pc.index_in(pa.array(elements, pa.string()), value_set=self._names)
        return np.asarray(pc.fill_null(found, -1).cast(pa.int64()).to_numpy(zero_copy_only=False))


def _joined(host: Any) -> Any:
    """A host that is kept in parts, as one name."""
    return ".".join(map(str, host)) if isinstance(host, list) else host


def _loose(values: Sequence[Any]) -> pa.Array:
    """Values as a column of one type; text where they have several."""
    try:
        return pa.array(values)
    except (pa.ArrowInvalid, pa.ArrowTypeError, pa.ArrowNotImplementedError, OverflowError):
        return pa.array([None if value is None else str(value) for value in values], pa.string())


def _text(column: pa.ChunkedArray) -> pa.Array:
    return column.combine_chunks().cast(pa.string())


def _column(column: pa.ChunkedArray) -> np.ndarray | pa.Array:
    """Numbers as float64, anything else as text."""
    kind = column.type
    if pa.types.is_integer(kind) or pa.types.is_floating(kind) or pa.types.is_boolean(kind):
        return np.asarray(pc.cast(column, pa.float64()).to_numpy())
    return pa.array([None if one is None else str(one) for one in column.to_pylist()], pa.large_string())
