"""A synthetic web as arrays: blocks of pages, computed by all cores and streamed to disk."""

from __future__ import annotations

import os
from collections import deque
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from pathlib import Path
from typing import TypeVar

import numpy as np
import pyarrow as pa

from seedrank.core.model import Status
from seedrank.core.progress import Progress, silent
from seedrank.engines.kernels import synthetic as kernel
from seedrank.engines.kernels.synthetic import Role, Web
from seedrank.engines.kernels.synthetic_links import block_degrees, block_links
from seedrank.graph import GraphWriter, WebGraph
from seedrank.ingest.synthetic.hosts import HostTable, make_web
from seedrank.ingest.synthetic.spec import WebSpec
from seedrank.ingest.synthetic.text import page_urls
from seedrank.ingest.synthetic.words import host_names

__all__ = ["COLUMNS", "PageBlock", "in_blocks", "page_block", "page_count", "write_graph"]

BLOCK_PAGES = 1 << 17
"""Pages a thread works on at a time; decides memory (some 60 bytes a page of a block and 4 a link), not results."""

COLUMNS = ("clicks", "views", "spam", "bytes")

T = TypeVar("T")


class PageBlock:
    """The pages from id `first` on: what is true of them."""

    def __init__(self, web: Web, first: int, count: int) -> None:
        self.first = first
        self.status = np.empty(count, np.int8)
        self.host = np.empty(count, np.int32)
        self.inner = np.empty(count, np.int64)
        self.clicks = np.empty(count, np.float32)
        self.views = np.empty(count, np.float32)
        self.bytes = np.empty(count, np.float32)
        kernel.block_pages(web, first, self.status, self.host, self.inner, self.clicks, self.views, self.bytes)
        self.crawled = self.status == Status.CRAWLED
        self.spam = (web.hosts["role"][self.host] == Role.SPAM).astype(np.float32)

    def ids(self) -> pa.Array:
        """Page ids, int64."""
        return pa.array(np.arange(self.first, self.first + len(self.status)))

    def degrees(self, web: Web) -> np.ndarray:
        """int64: links of each page."""
        out = np.empty(len(self.status), np.int64)
        block_degrees(web, self.first, self.host, self.inner, self.status, out)
        return out

    def known(self, column: str) -> np.ndarray:
        """A column as the crawler knows it: NaN where the page is not crawled."""
        values: np.ndarray = getattr(self, column)
        return np.where(self.crawled, values, np.float32(np.nan))


def page_count(web: Web) -> int:
    """Pages of the snapshot."""
    return web.pages + int(web.added[-1]) - web.pages if web.later else web.pages


def page_block(web: Web, first: int) -> PageBlock:
    """The block of pages that starts at `first`."""
    return PageBlock(web, first, min(BLOCK_PAGES, page_count(web) - first))


def in_blocks(web: Web, work: Callable[[int], T]) -> Iterator[T]:
    """`work` for the first page of each block, on all cores, results in order; few blocks are in the air at a time."""
    threads = _cores()
    with ThreadPoolExecutor(threads) as pool:
        waiting: deque[Future[T]] = deque()
        try:
            for first in range(0, page_count(web), BLOCK_PAGES):
                waiting.append(pool.submit(work, first))
                if len(waiting) > threads:
                    yield waiting.popleft().result()
            while waiting:
                yield waiting.popleft().result()
        finally:
            for future in waiting:
                future.cancel()


def _cores() -> int:
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def write_graph(
    spec: WebSpec,
    folder: str | Path,
    *,
    later: bool = False,
    urls: bool = False,
    progress: Progress = silent,
) -> WebGraph:
    """Write a synthetic web as a folder of arrays that `WebGraph.open` opens.

    Memory does not grow with the pages: the hosts (some 250 bytes each, and their names) and a few blocks of pages
    are held; the arrays go to disk block by block. Link weights and anchors are in the tables only.

    Parameters
    ----------
    spec
        The web.
    folder
        Where the graph will stand; it appears whole or not at all.
    later
        The later snapshot: pages keep their ids, new ones come behind them, pages that are gone are missing.
    urls
        Write URLs too, some 60 bytes a page.
    progress
        Is told of pages, then of links.
    """
    web, table = make_web(spec, later=later)
    with GraphWriter(folder, version=spec.version + ("-later" if later else "")) as writer:
        offsets, links = _write_pages(writer, web, progress)
        _write_links(writer, web, offsets, links, progress)
        names = host_names(web.seed, len(web.hosts))
        _write_hosts(writer, names, table, len(web.hosts) if later else spec.host_count)
        if urls:
            _write_urls(writer, web, names)
        return writer.close(page_count(web), links)


def _write_pages(writer: GraphWriter, web: Web, progress: Progress) -> tuple[_OnDisk, int]:
    """Write what is true of each page; where the links of each begin, and how many there are."""
    pages = page_count(web)
    offsets = _OnDisk(writer, "out_offsets", np.int64, pages + 1)
    status = _OnDisk(writer, "status", np.int8, pages)
    host = _OnDisk(writer, "host", np.int32, pages)
    columns = {name: _OnDisk(writer, f"column-{name}", np.float32, pages) for name in COLUMNS}

    def fill(first: int) -> tuple[int, np.ndarray]:
        block = page_block(web, first)
        status.put(first, block.status)
        host.put(first, block.host)
        for name, array in columns.items():
            array.put(first, block.known(name))
        return first, block.degrees(web)

    links = 0
    offsets.put(0, np.zeros(1, np.int64))
    with progress("making pages", total=pages) as advance:
        for first, degrees in in_blocks(web, fill):
            ends = links + np.cumsum(degrees)
            offsets.put(first + 1, ends)
            links = int(ends[-1])
            advance(len(degrees))
    return offsets, links


def _write_links(writer: GraphWriter, web: Web, offsets: _OnDisk, links: int, progress: Progress) -> None:
    pages = page_count(web)
    targets = _OnDisk(writer, "out_targets", np.int32, links)

    def fill(first: int) -> int:
        bounds = offsets.get(first, min(BLOCK_PAGES, pages - first) + 1)
        values = np.empty(int(bounds[-1] - bounds[0]), np.int32)
        block_links(web, first, bounds, values)
        targets.put(int(bounds[0]), values)
        return len(values)

    with progress("making links", total=links) as advance:
        for made in in_blocks(web, fill):
            advance(made)


def _write_hosts(writer: GraphWriter, names: pa.Array, table: HostTable, count: int) -> None:
    """Write the first `count` hosts: those of the snapshot."""
    hosts = pa.record_batch(
        {"name": names, "importance": pa.array(table.importance), "unique_rate": pa.array(table.unique_rate)}
    )
    writer.text("hosts", [hosts.slice(0, count)], hosts.schema)


def _write_urls(writer: GraphWriter, web: Web, names: pa.Array) -> None:
    schema = pa.schema({"url": pa.large_string()})
    urls = in_blocks(web, lambda first: page_urls(web, names, page_block(web, first)))
    writer.text("urls", (pa.record_batch([column], schema=schema) for column in urls), schema)


class _OnDisk:
    """An array of a `GraphWriter` that is mapped only where and while it is written, so that memory stays small."""

    def __init__(self, writer: GraphWriter, name: str, dtype: type, length: int) -> None:
        whole = writer.array(name, dtype, length)
        assert isinstance(whole, np.memmap) and whole.filename is not None
        self._file, self._start, self._dtype = whole.filename, whole.offset, np.dtype(dtype)

    def put(self, first: int, values: np.ndarray) -> None:
        if len(values):
            self._map(first, len(values), "r+")[:] = values

    def get(self, first: int, count: int) -> np.ndarray:
        return np.array(self._map(first, count, "r"))

    def _map(self, first: int, count: int, mode: str) -> np.ndarray:
        at = self._start + first * self._dtype.itemsize
        return np.memmap(self._file, self._dtype, mode, at, (count,))  # type: ignore[call-overload]
