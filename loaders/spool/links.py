"""Links from rows to tables: resolved, merged, compared with what the store has."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from itertools import islice
from pathlib import Path
from typing import TypeVar

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from loaders.base import Batch, Existing, LoadOptions, Summary, Where
from loaders.columns import convert
from loaders.spool.files import ArrowFile, map_table
from loaders.spool.interning import StringTable
from loaders.spool.pages import Pages
from loaders.spool.redirects import Redirects
from loaders.spool.sorted_links import Piece, SortedLinks, cuts, text_lists
from loaders.times import TIME, utc, within
from seedrank.core.errors import InputError
from seedrank.core.model import MAX_ANCHORS
from seedrank.core.progress import Progress
from seedrank.kernels.links import anchors_by_link, compare_links, pack_links, unpack_links

__all__ = ["Links"]

_NO_ROWS = np.zeros(0, np.int32)
_HEAVIEST = float(np.finfo(np.float32).max)
"""Graphs in memory keep weights as float32."""
_THREADS = 2
_T = TypeVar("_T")


class Links:
    """The links of a load.

    Parameters
    ----------
    folder
        Where the files go.
    pages
        Tells the pages of links' ends.
    existing
        The store, `None` for an empty one.
    stored_pages
        Pages of the store.
    summary
        Takes the counts.
    options
        Which links count, and whether pages are marked that are only linked to.
    anchors
        Keep the texts of links; otherwise they are counted.
    """

    def __init__(
        self,
        folder: Path,
        pages: Pages,
        existing: Existing | None,
        stored_pages: int,
        summary: Summary,
        options: LoadOptions,
        anchors: bool = True,
    ) -> None:
        self._folder, self._pages, self._summary = folder, pages, summary
        self._existing, self._stored_pages = existing, stored_pages
        self._since, self._until = utc(options.since), utc(options.until)
        self._mark_targets = options.assume is not None
        self._keep_anchors = anchors
        self._sorted = SortedLinks(folder, "links")
        self._stored: SortedLinks | None = None

    @property
    def rows(self) -> int:
        """Rows so far, as they came."""
        return self._sorted.rows

    def add(self, batch: Batch) -> None:
        """Take rows of a links table."""
        batch = self._in_time(batch)
        rows, where = batch.rows, batch.where
        names = rows.schema.names
        source, target = self._ends(rows, where)
        if self._mark_targets:
            self._pages.linked_to[target[target >= 0]] = True
        weights = _weights(rows.column("weight"), where) if "weight" in names else None
        anchors = _anchors(rows.column("anchor")) if "anchor" in names else None
        if anchors is not None and not self._keep_anchors:
            self._summary.add("link texts left out", len(anchors) - anchors.null_count)
            anchors = None
        keys = self._sorted.room(rows.num_rows)
        kept_rows = np.empty(rows.num_rows, np.int32) if weights is not None or anchors is not None else _NO_ROWS
        kept, to_themselves = pack_links(source, target, self._pages.links_out, keys, kept_rows)
        self._pages.followed |= batch.followed
        self._summary.add("links dropped: to themselves", to_themselves)
        self._summary.add("links dropped: unparsable URL", rows.num_rows - kept - to_themselves)
        kept_rows = kept_rows[:kept]
        self._sorted.add(
            kept,
            None if weights is None else weights[kept_rows],
            None if anchors is None else anchors.take(pa.array(kept_rows)),
        )

    def _in_time(self, batch: Batch) -> Batch:
        """The rows that count; rows without time do not where one is asked for."""
        if "time" not in batch.rows.schema.names or (self._since is None and self._until is None):
            return batch
        times = convert(batch.rows.column("time"), TIME, column="time", where=batch.where)
        inside = within(times, self._since, self._until)
        self._summary.add("links dropped: out of time", int(np.count_nonzero(~inside)))
        return batch.filter(inside)

    def finish(
        self,
        progress: Progress,
        redirects: Redirects | None = None,
        take: Callable[[Piece], None] | None = None,
    ) -> tuple[pa.Table, pa.Table]:
        """New and changed links (`seedrank.core.changes.Changes`); none of them where `take` takes them, in order."""
        self._sorted.close()
        if redirects is not None:
            moved, gone = self._sorted.redirect(redirects.ends)
            self._summary.add("links redirected", moved)
            self._summary.add("links dropped: to themselves", gone)
        stored = self._read_stored(progress)
        anchors = self._sorted.have_anchors
        schema = pa.schema([("source", pa.int64()), ("target", pa.int64()), ("weight", pa.float64())])
        if take is not None:
            assert self._existing is None, "links that go elsewhere are not compared with a store"
            self._merge(None, _all_new, take, progress)
            return schema.empty_table(), schema.empty_table()
        if anchors:
            schema = schema.append(pa.field("anchors", pa.list_(pa.string())))
        files = {name: ArrowFile(self._folder / f"links-{name}.arrow", schema) for name in ("new", "changed")}

        def write(tables: list[tuple[str, pa.RecordBatch]]) -> None:
            for name, table in tables:
                files[name].write(table)

        try:
            self._merge(stored, lambda piece, old: _compare(piece, old, anchors), write, progress)
        except BaseException:
            for file in files.values():
                file.discard()
            raise
        for file in files.values():
            file.close()
        return map_table(files["new"].path), map_table(files["changed"].path)

    def discard(self) -> None:
        """Let go of threads and files."""
        self._sorted.discard()
        if self._stored is not None:
            self._stored.discard()

    def _ends(self, rows: pa.RecordBatch, where: Where) -> tuple[np.ndarray, np.ndarray]:
        ends = [rows.column(name) for name in ("source", "target")]
        for name, end in zip(("source", "target"), ends, strict=True):
            if end.null_count:
                row = pc.index(end.is_null(), True).as_py()
                raise InputError("is empty", file=where.file, line=where.line(row), column=name, hint="fill it")
        if all(pa.types.is_integer(end.type) for end in ends):
            source, target = (
                convert(end, pa.int64(), column=name, where=where).to_numpy()
                for name, end in zip(("source", "target"), ends, strict=True)
            )
            return self._pages.by_id(source, target, where)
        return self._pages.by_url(ends[0], ends[1], where)

    def _read_stored(self, progress: Progress) -> SortedLinks | None:
        """The store's links from pages that have links in the load."""
        if self._existing is None or not self._stored_pages or not self._sorted.rows:
            return None
        self._stored = SortedLinks(self._folder, "stored-links")
        columns = ("weight", "anchors") if self._sorted.have_anchors else ("weight",)
        links_out = self._pages.links_out
        with progress("reading the store's links") as advance:
            for batch in self._existing.read_links(columns):
                source = batch.column("source").to_numpy()
                rows = np.flatnonzero(links_out[source])
                self._add_stored(batch.take(pa.array(rows)) if len(rows) < batch.num_rows else batch)
                advance(batch.num_rows)
        self._stored.close()
        return self._stored if self._stored.rows else None

    def _add_stored(self, batch: pa.RecordBatch) -> None:
        assert self._stored is not None
        source, target = (batch.column(name).to_numpy() for name in ("source", "target"))
        weights = batch.column("weight").fill_null(1.0).to_numpy()
        keys = (source << 32) | target
        anchors = None
        if "anchors" in batch.schema.names and batch.column("anchors").null_count < batch.num_rows:
            keys, weights, anchors = _one_text_a_row(keys, weights, batch.column("anchors"))
        self._stored.room(len(keys))[:] = keys
        self._stored.add(len(keys), None if (weights == 1).all() else weights, anchors)

    def _merge(
        self,
        stored: SortedLinks | None,
        make: Callable[[Piece, Piece | None], tuple[_T, dict[str, int]]],
        take: Callable[[_T], None],
        progress: Progress,
    ) -> None:
        """Merge all links, piece by piece: `make` works on several at once, `take` takes what it made in order."""
        ranges = cuts([self._sorted] if stored is None else [self._sorted, stored])

        def merge(low: int, high: int) -> tuple[int, _T, dict[str, int]]:
            piece = self._sorted.piece(low, high)
            return piece.rows, *make(piece, None if stored is None else stored.piece(low, high))

        with progress("merging links", self._sorted.rows) as advance, ThreadPoolExecutor(_THREADS) as pool:
            waiting = [pool.submit(merge, low, high) for low, high in islice(ranges, _THREADS + 1)]
            while waiting:
                rows, made, counts = waiting.pop(0).result()
                following = next(ranges, None)
                if following is not None:
                    waiting.append(pool.submit(merge, *following))
                take(made)
                for name, count in counts.items():
                    self._summary.add(name, count)
                advance(rows)


def _all_new(piece: Piece, old: Piece | None) -> tuple[Piece, dict[str, int]]:
    """A piece as it is, where there is no store."""
    return piece, {"links merged": piece.rows - len(piece.keys), "links new": len(piece.keys)}


def _compare(piece: Piece, old: Piece | None, anchors: bool) -> tuple[list[tuple[str, pa.RecordBatch]], dict[str, int]]:
    """What is new and what is changed of a piece, against the store's piece."""
    counts = {"links merged": piece.rows - len(piece.keys)}
    if old is None or not len(old.keys):
        counts["links new"] = len(piece.keys)
        return ([("new", _table(piece, anchors))] if len(piece.keys) else []), counts
    places = compare_links(piece.keys, old.keys)
    known = np.flatnonzero(places >= 0)
    places = places[known]
    both, more = _unite(_select(piece, known), _select(old, places))
    heavier = both.weights > old.weights[places]
    changed = _select(both, np.flatnonzero(heavier | more))
    fresh = _select(piece, np.flatnonzero(~np.isin(np.arange(len(piece.keys)), known, assume_unique=True)))
    counts |= {"links new": len(fresh.keys), "links known": len(known), "links changed": len(changed.keys)}
    tables = [("new", fresh), ("changed", changed)]
    return [(name, _table(part, anchors)) for name, part in tables if len(part.keys)], counts


def _select(piece: Piece, at: np.ndarray) -> Piece:
    anchors = None if piece.anchors is None else piece.anchors.take(pa.array(at))
    return Piece(piece.keys[at], piece.weights[at], anchors, len(at))


def _unite(piece: Piece, old: Piece) -> tuple[Piece, np.ndarray]:
    """The same links in load and store: the larger weight, the store's anchors and then the load's.

    Also says which links have anchors that the store does not.
    """
    weights = np.maximum(piece.weights, old.weights)
    more = np.zeros(len(piece.keys), np.bool_)
    if piece.anchors is None:
        return Piece(piece.keys, weights, old.anchors, piece.rows), more
    if old.anchors is None:
        more = piece.anchors.is_valid().to_numpy(zero_copy_only=False)
        return Piece(piece.keys, weights, piece.anchors, piece.rows), more
    texts = StringTable()
    parts = []
    for lists in (old.anchors, piece.anchors):
        links = pc.list_parent_indices(lists).to_numpy()
        parts.append((links, texts.intern(lists.flatten().cast(pa.string()))))
    links, numbers = (np.concatenate(columns) for columns in zip(*parts, strict=True))
    # A row without text for every link, so that links without any keep their place.
    every = np.arange(len(piece.keys), dtype=links.dtype)
    links, numbers = np.concatenate([links, every]), np.append(numbers, np.full(len(every), -1, np.int32))
    order = np.argsort(links, kind="stable")
    ends, kept = anchors_by_link(links[order].astype(np.int64), numbers[order], MAX_ANCHORS)
    before = pc.fill_null(pc.list_value_length(old.anchors), 0).to_numpy()
    more = np.diff(ends) > before
    return Piece(piece.keys, weights, text_lists(ends, texts.take(kept)), piece.rows), more


def _table(piece: Piece, anchors: bool) -> pa.RecordBatch:
    source, target = np.empty(len(piece.keys), np.int64), np.empty(len(piece.keys), np.int64)
    unpack_links(piece.keys, source, target)
    columns: dict[str, pa.Array] = {
        "source": pa.array(source), "target": pa.array(target), "weight": pa.array(piece.weights)
    }  # fmt: skip
    if anchors:
        kind = pa.list_(pa.string())
        columns["anchors"] = pa.nulls(len(piece.keys), kind) if piece.anchors is None else piece.anchors
    return pa.RecordBatch.from_pydict(columns)


def _one_text_a_row(keys: np.ndarray, weights: np.ndarray, lists: pa.Array) -> tuple[np.ndarray, np.ndarray, pa.Array]:
    """Links with lists of texts as rows of one text each; the weight stands in the first row, 0 in the others."""
    lengths = np.maximum(pc.fill_null(pc.list_value_length(lists), 0).to_numpy(), 1)
    links = np.repeat(np.arange(len(keys)), lengths)
    first = np.zeros(len(links), np.bool_)
    first[np.cumsum(lengths) - lengths] = True
    texts = lists.flatten()
    empty = pc.fill_null(pc.list_value_length(lists), 0).to_numpy() == 0
    at = np.cumsum(~empty[links]) - 1
    spread = texts.take(pa.array(at, mask=empty[links]))
    return keys[links], np.where(first, weights[links], 0.0), spread


def _weights(column: pa.Array, where: Where) -> np.ndarray | None:
    weights: np.ndarray = convert(column, pa.float64(), column="weight", where=where).fill_null(1.0).to_numpy()
    good = (weights >= 0) & (weights <= _HEAVIEST)
    if not good.all():
        row = int(good.argmin())
        raise InputError(
            "is no weight",
            file=where.file,
            line=where.line(row),
            column="weight",
            value=float(weights[row]),
            hint="weights are numbers from 0 to 3.4e38; leave the field empty for 1",
        )
    return None if (weights == 1).all() else weights


def _anchors(column: pa.Array) -> pa.Array | None:
    if column.null_count == len(column):
        return None
    texts = column.cast(pa.large_string())
    texts = pc.if_else(pc.equal(texts, pa.scalar("", pa.large_string())), pa.scalar(None, pa.large_string()), texts)
    return None if texts.null_count == len(texts) else texts
