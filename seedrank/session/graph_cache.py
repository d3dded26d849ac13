"""The graph in memory, read once per version of the store and kept as arrays beside it."""

from __future__ import annotations

import contextlib
import hashlib
import logging
import os
from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack
from pathlib import Path
from typing import Protocol

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from seedrank.core.changes import same_graph
from seedrank.core.errors import GraphError, InputError, StoreError
from seedrank.core.files import ANYTHING
from seedrank.core.levels import HostWeights, Level
from seedrank.core.model import STATUS_CODES
from seedrank.core.progress import Progress, silent
from seedrank.engines.kernels.assemble import add_degrees, place_links, sort_rows
from seedrank.graph import (
    MAX_PAGES,
    GraphWriter,
    MemoryWriter,
    WebGraph,
    Writer,
    float32_weights,
    put_column,
    put_host_column,
)
from seedrank.graph.folder import DERIVED, RECORD
from seedrank.graph.levels import level_graph
from seedrank.graphdb.store import GraphStore, HasSnapshot

__all__ = [
    "PageReader",
    "kept_graph",
    "open_graph",
    "open_level",
    "open_pages",
    "read_pages",
    "update_column",
    "write_pages",
]

log = logging.getLogger(__name__)

_TEXT = pa.large_string()


def open_graph(store: GraphStore, folder: Path, *, refresh: bool = False, progress: Progress = silent) -> WebGraph:
    """The graph of a store.

    Parameters
    ----------
    store
        Where it is read from when the cached arrays are of another version.
    folder
        Where the arrays are kept; milliseconds to open when they are there. They can be made again at any time:
        whatever is damaged there is replaced, and where nothing can be written the graph is made in memory.
    refresh
        Read again whatever the version says (after edits by hand).
    """
    version = store.version()

    def make(writer: Writer) -> WebGraph:
        return _read(store, writer, version, progress)

    return _kept_or_made(folder, version, make, lambda graph: not refresh, "read from the store")


def read_pages(store: GraphStore, *, progress: Progress = silent) -> WebGraph:
    """The pages of a store as a graph without its links, in memory: they are asked where they are."""
    counts = store.counts()
    if counts.pages > MAX_PAGES:
        raise GraphError(f"{counts.pages:,} pages are more than the {MAX_PAGES:,} a graph can number")
    with MemoryWriter(version=store.version()) as writer:
        write_pages(store, writer, counts.pages, progress)
        return writer.close(counts.pages, counts.links)


def open_pages(store: GraphStore, folder: Path, *, refresh: bool = False, progress: Progress = silent) -> WebGraph:
    """The pages of a store; its links are read when something asks for them, as by `open_graph`."""

    def fetch() -> WebGraph:
        log.info("links are read from %s: what was asked goes through them page by page", store.url)
        return open_graph(store, folder, refresh=refresh, progress=progress)

    kept = None if refresh else kept_graph(store, folder)
    return (kept or read_pages(store, progress=progress)).fetching(fetch)


def kept_graph(store: GraphStore, folder: Path) -> WebGraph | None:
    """The graph of a store as it is, where its arrays are kept; nothing is read from the store."""
    try:
        graph = WebGraph.open(folder, cache=True)
    except InputError:
        return None
    return graph if graph.version == store.version() else None


def open_level(
    graph: WebGraph,
    folder: Path,
    level: Level,
    host_weights: HostWeights = "links",
    *,
    stored: Level = "page",
    progress: Progress = silent,
) -> WebGraph:
    """The graph of hosts or domains of a graph of pages.

    Parameters
    ----------
    graph
        Of pages, or of hosts where domains are wanted. One that is kept nowhere gives one that is kept nowhere.
    folder
        Where the arrays are kept. They are made again when those of `graph` are others.
    level, host_weights, stored
        As of `seedrank.graph.levels.level_graph`.
    """
    made_of = _identity(graph)

    def make(writer: Writer) -> WebGraph:
        with progress(f"taking pages together by {level}"):
            return level_graph(graph, level, host_weights, writer, stored=stored, made_of=made_of or "")

    if made_of is None:
        return make(MemoryWriter(version=graph.version))
    return _kept_or_made(folder, graph.version, make, lambda kept: kept.meta.get("made_of") == made_of, "made")


def _identity(graph: WebGraph) -> str | None:
    """Digest of the arrays of a graph that is kept; another after a refresh, or when a column was written."""
    files = graph.meta.get("files")
    if graph.folder is None or files is None:
        return None
    stamps = sorted((name, stored["crc32"], stored["bytes"]) for name, stored in files.items() if name not in DERIVED)
    return hashlib.sha256(repr(stamps).encode()).hexdigest()[:16]


def _kept_or_made(
    folder: Path,
    version: str,
    make: Callable[[Writer], WebGraph],
    fits: Callable[[WebGraph], bool],
    again: str,
) -> WebGraph:
    """The graph kept in a folder where it is whole, of this version and `fits`; else it is made, and kept there."""
    try:
        graph = WebGraph.open(folder, cache=True)
        if graph.version == version and fits(graph):
            return graph
    except InputError as error:
        if os.path.lexists(folder):
            log.info("the graph is %s again: %s", again, error.message)
    try:
        return make(GraphWriter(folder, version=version, replaces=ANYTHING))
    except (InputError, OSError) as error:
        log.warning("the graph cannot be kept in %s (%s): it is %s each time", folder, _why(error), again)
    return make(MemoryWriter(version=version))


def update_column(folder: Path, name: str, values: np.ndarray, *, of_hosts: bool = False) -> None:
    """Let the cached graph know of a column that was written into the store: its version stays the same.

    Parameters
    ----------
    name, values
        The column: one value per page, or per host.
    of_hosts
        Whether it is one of hosts.
    """
    try:
        (put_host_column if of_hosts else put_column)(folder, name, values)
    except (InputError, OSError) as error:
        # There is none, or a damaged one, or no room: the next question reads the graph again.
        with contextlib.suppress(OSError):
            (folder / RECORD).unlink()
        if os.path.lexists(folder / RECORD):
            log.warning(
                "column %s is not in the graph kept in %s (%s): refresh it to read the graph again",
                name, folder, _why(error),
            )  # fmt: skip


def _read(store: GraphStore, into: Writer, version: str, progress: Progress) -> WebGraph:
    with into as writer:
        if isinstance(store, HasSnapshot):
            store.snapshot()
        pages = store.counts().pages
        if pages > MAX_PAGES:
            raise GraphError(f"{pages:,} pages are more than the {MAX_PAGES:,} a graph in memory can number")
        write_pages(store, writer, pages, progress)
        links = _read_links(store, writer, pages, progress)
        if not same_graph(now := store.version(), version):
            raise StoreError(
                f"{store.url} changed while it was read", hint="run the command again once the load is done"
            )
        if now != version:
            log.warning("others wrote to %s while it was read: part of what they changed may be missing", store.url)
        return writer.close(pages, links)


class PageReader(Protocol):
    """What gives pages and hosts as a store does; `seedrank.graphdb.store.GraphStore` has all of it."""

    url: str

    def page_columns(self) -> dict[str, pa.DataType]:
        """Columns of pages with their types."""

    def read_pages(self) -> Iterator[pa.RecordBatch]:
        """Pages by ascending id."""

    def read_hosts(self) -> pa.Table:
        """Hosts by name."""


def write_pages(store: PageReader, writer: Writer, pages: int, progress: Progress) -> None:
    """Write what is known of pages and hosts: everything in a graph but its links.

    Parameters
    ----------
    store
        Where they are read from.
    pages
        How many there are.
    """
    hosts = store.read_hosts()
    writer.text("hosts", hosts.cast(_large(hosts.schema)).to_batches(), _large(hosts.schema))
    host_numbers = {name: number for number, name in enumerate(hosts["name"].to_pylist())}
    types = store.page_columns()
    numbers = {
        name: writer.array(f"column-{name}", np.float64, pages) for name, kind in types.items() if _numeric(kind)
    }
    status = writer.array("status", np.int8, pages)
    host = writer.array("host", np.int32, pages)
    source_ids = np.full(pages, -1, np.int64)
    has_source_ids = has_urls = False
    with ExitStack() as open_sinks:
        sinks = {"url": writer.text_sink("urls", pa.schema([("url", _TEXT)]))}
        for name in types:
            if name not in numbers:
                sinks[name] = writer.text_sink(f"text-{name}", pa.schema([(name, _TEXT)]))
        for sink in sinks.values():
            open_sinks.callback(sink.close)
        start = 0
        with progress("reading pages", pages) as advance:
            for batch in store.read_pages():
                stop = start + batch.num_rows
                if stop > pages:
                    raise _changed(store)
                _check_dense(store, batch.column("id"), start)
                status[start:stop] = _codes(batch.column("status"))
                host[start:stop] = _host_numbers(batch.column("host"), host_numbers)
                ids = batch.column("source_id")
                if ids.null_count < len(ids):
                    has_source_ids = True
                    source_ids[start:stop] = pc.fill_null(ids, -1)
                has_urls = has_urls or batch.column("url").null_count < batch.num_rows
                for name, array in numbers.items():
                    array[start:stop] = pc.fill_null(batch.column(name).cast(pa.float64()), np.nan)
                for name, sink in sinks.items():
                    sink.write(pa.record_batch([batch.column(name).cast(_TEXT)], names=[name]))
                advance(batch.num_rows)
                start = stop
        if start != pages:
            raise StoreError(f"{store.url} gave {start:,} of {pages:,} pages", hint="run the command again")
    if has_source_ids:
        writer.put("source_id", source_ids)
    if not has_urls:
        writer.drop_text("urls")


def _read_links(store: GraphStore, writer: Writer, pages: int, progress: Progress) -> int:
    """Counting sort: links come in any order, are counted and set aside, then placed by source."""
    total = store.counts().links
    degree = np.zeros(pages, np.int64)
    weighted = False
    with writer.room(np.int32, (total, 2)) as ends, writer.room(np.float32, (total,)) as weights:
        start = 0
        with progress("reading links", total) as advance:
            for batch in store.read_links():
                source, target = batch.column("source").to_numpy(), batch.column("target").to_numpy()
                stop = start + len(source)
                # Of pages that came after they were counted, too: the kernels below do not look.
                if stop > total or max(source.max(initial=0), target.max(initial=0)) >= max(pages, 1):
                    raise _changed(store)
                add_degrees(source, degree)
                ends[start:stop, 0], ends[start:stop, 1] = source, target
                weight = batch.column("weight")
                weights[start:stop] = float32_weights(weight.fill_null(1.0).to_numpy())
                weighted = weighted or bool((weights[start:stop] != 1).any())
                advance(len(source))
                start = stop
        if start != total:
            raise StoreError(f"{store.url} gave {start:,} of {total:,} links", hint="run the command again")
        offsets = writer.array("out_offsets", np.int64, pages + 1)
        offsets[0] = 0
        np.cumsum(degree, out=offsets[1:])
        targets = writer.array("out_targets", np.int32, total)
        placed = writer.array("weights", np.float32, total) if weighted else np.empty(0, np.float32)
        place_links(ends, weights if weighted else np.empty(0, np.float32), offsets, targets, placed)
        sort_rows(offsets, targets, placed)
    return total


def _changed(store: PageReader | GraphStore) -> StoreError:
    return StoreError(f"{store.url} changed while it was read", hint="run the command again")


def _why(error: BaseException) -> str:
    cause = error.__cause__ if isinstance(error, InputError) else error
    return getattr(cause, "strerror", None) or str(error)


def _check_dense(store: PageReader, ids: pa.Array, start: int) -> None:
    if not np.array_equal(ids.to_numpy(), np.arange(start, start + len(ids))):
        raise StoreError(
            f"page ids of {store.url} are not 0, 1, 2, … without gaps near {start}: pages were edited by hand",
            hint="export the tables (`seedrank export parquet DIR`) and load them into a new store",
        )


def _host_numbers(hosts: pa.Array, numbers: Mapping[str, int]) -> np.ndarray:
    """Number per page: of its host, -1 where it has none."""
    encoded = hosts.dictionary_encode()
    found = np.array([numbers.get(name, -1) for name in encoded.dictionary.to_pylist()] + [-1], np.int32)
    picked: np.ndarray = found[pc.fill_null(encoded.indices, len(found) - 1).to_numpy(zero_copy_only=False)]
    return picked


def _codes(status: pa.Array) -> np.ndarray:
    words = pa.array(STATUS_CODES, pa.string())
    codes = np.array(list(STATUS_CODES.values()), np.int8)
    index = pc.fill_null(pc.index_in(status, value_set=words), 0)
    picked: np.ndarray = codes[index.to_numpy(zero_copy_only=False)]
    return picked


def _numeric(kind: pa.DataType) -> bool:
    return bool(pa.types.is_integer(kind) or pa.types.is_floating(kind) or pa.types.is_boolean(kind))


def _large(schema: pa.Schema) -> pa.Schema:
    return pa.schema([(field.name, _TEXT if pa.types.is_string(field.type) else field.type) for field in schema])
