"""A synthetic web as tables: what `seedrank load table` reads, and what only the judge may see."""

from __future__ import annotations

import json
from contextlib import ExitStack
from dataclasses import asdict
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

from seedrank.core.files import whole_folder
from seedrank.core.model import Status
from seedrank.core.progress import Progress, silent
from seedrank.engines.kernels.synthetic import Web
from seedrank.engines.kernels.synthetic_links import block_links
from seedrank.ingest.synthetic.arrays import COLUMNS, PageBlock, in_blocks, page_block, page_count
from seedrank.ingest.synthetic.hosts import make_web
from seedrank.ingest.synthetic.searchers import Searches, page_events
from seedrank.ingest.synthetic.spec import WebSpec
from seedrank.ingest.synthetic.text import anchor_texts, link_texts, page_urls
from seedrank.ingest.synthetic.words import host_names

__all__ = ["write_tables"]

SCHEMAS = {
    "pages": pa.schema(
        [("id", pa.int64()), ("url", pa.string()), ("status", pa.string())] + [(name, pa.float64()) for name in COLUMNS]
    ),
    "links": pa.schema(
        [("source", pa.int64()), ("target", pa.int64()), ("weight", pa.float64()), ("anchor", pa.string())]
    ),
    "events": pa.schema(
        [("time", pa.timestamp("us")), ("id", pa.int64()), ("clicks", pa.float64()), ("views", pa.float64())]
    ),
    "truth": pa.schema([("id", pa.int64()), ("url", pa.string()), ("clicks", pa.float64()), ("views", pa.float64())]),
}
_RECORD = "spec.json"


def write_tables(spec: WebSpec, folder: str | Path, *, progress: Progress = silent) -> Path:
    """Write both snapshots of a synthetic web as Parquet tables; returns the folder.

    ======================  ==================================================================================
    ``pages.parquet``       id, url, status; clicks, views, spam, bytes of crawled pages, null for all others
    ``links.parquet``       source, target (ids), weight, anchor (null for most)
    ``hosts.parquet``       host, importance, unique_rate
    ``queries.parquet``     query, freq, need
    ``results.parquet``     query, id, rank, clicks; crawled pages only
    ``events.parquet``      time, id, clicks, views over two weeks; they sum to the columns of pages
    ``truth.parquet``       id, url, clicks, views of frontier pages: for judging methods, not for loading
    ``later/``              the same tables half a year on; ids and URLs of pages are those of the first
    ``spec.json``           the numbers the web was made from
    ======================  ==================================================================================

    Memory: the hosts, a few blocks of pages, and 17 bytes for each clicked page (one in twenty).

    Parameters
    ----------
    spec
        The web.
    folder
        Where the tables will stand; they appear all or not at all. Older tables of this kind there are replaced;
        any other folder that is not empty is refused.
    progress
        Is told of pages.
    """
    folder = Path(folder)
    with whole_folder(folder, replaces=_RECORD) as half:
        for later in (False, True):
            _write_snapshot(spec, later, half / "later" if later else half, progress)
        (half / _RECORD).write_text(json.dumps(asdict(spec), indent=2) + "\n", encoding="utf-8")
    return folder


def _write_snapshot(spec: WebSpec, later: bool, folder: Path, progress: Progress) -> None:
    web, host_table = make_web(spec, later=later)
    names = host_names(web.seed, len(web.hosts))
    folder.mkdir(exist_ok=True)
    count = len(web.hosts) if later else spec.host_count
    hosts = {"host": names, "importance": host_table.importance, "unique_rate": host_table.unique_rate}
    pq.write_table(pa.table(hosts).slice(0, count), folder / "hosts.parquet")

    anchors = anchor_texts()
    searches = Searches()

    def make(first: int) -> tuple[PageBlock, dict[str, pa.RecordBatch]]:
        block = page_block(web, first)
        urls = page_urls(web, names, block).cast(pa.string())
        return block, {
            "pages": _pages(block, urls),
            "truth": _truth(block, urls),
            "events": page_events(web, block),
            "links": _links(web, block, anchors),
        }

    with ExitStack() as stack, progress(f"making {'later ' if later else ''}pages", total=page_count(web)) as advance:
        writers = {
            kind: stack.enter_context(pq.ParquetWriter(folder / f"{kind}.parquet", schema))
            for kind, schema in SCHEMAS.items()
        }
        for block, batches in in_blocks(web, make):
            searches.add(web, block)
            for kind, batch in batches.items():
                writers[kind].write_batch(batch)
            advance(len(block.status))
    queries, results = searches.tables(web)
    pq.write_table(queries, folder / "queries.parquet")
    pq.write_table(results, folder / "results.parquet")


def _pages(block: PageBlock, urls: pa.Array) -> pa.RecordBatch:
    labels = pa.array([status.label for status in sorted(Status)])
    columns = [pa.array(getattr(block, name).astype(np.float64), mask=~block.crawled) for name in COLUMNS]
    return pa.record_batch([block.ids(), urls, labels.take(pa.array(block.status)), *columns], schema=SCHEMAS["pages"])


def _truth(block: PageBlock, urls: pa.Array) -> pa.RecordBatch:
    frontier = np.flatnonzero(block.status == Status.FRONTIER)
    columns = [pa.array(values[frontier].astype(np.float64)) for values in (block.clicks, block.views)]
    return pa.record_batch(
        [block.ids().take(pa.array(frontier)), urls.take(pa.array(frontier)), *columns], schema=SCHEMAS["truth"]
    )


def _links(web: Web, block: PageBlock, anchors: pa.Array) -> pa.RecordBatch:
    degrees = block.degrees(web)
    offsets = np.zeros(len(degrees) + 1, np.int64)
    np.cumsum(degrees, out=offsets[1:])
    targets = np.empty(offsets[-1], np.int32)
    block_links(web, block.first, offsets, targets)
    sources = np.repeat(np.arange(block.first, block.first + len(degrees), dtype=np.int64), degrees)
    weights, texts = link_texts(web, anchors, sources, targets)
    return pa.record_batch(
        [pa.array(sources), pa.array(targets.astype(np.int64)), pa.array(weights.astype(np.float64)), texts],
        schema=SCHEMAS["links"],
    )
