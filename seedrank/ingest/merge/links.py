"""Links: their ends are numbered block by block, and merged once pages have their numbers.

A block is some million links as they came. Its ends are encoded by a dictionary of the block, so that each URL is
normalised, staged and looked up once a block, not once a link; the links lie in a file as codes of that dictionary.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from seedrank.core.errors import InputError
from seedrank.graphdb.duckdb.connection import Connection
from seedrank.ingest.merge.addresses import Addresses, valid_rows
from seedrank.ingest.merge.columns import append
from seedrank.ingest.merge.places import Positions
from seedrank.ingest.merge.rows import Rows, in_time, refuse, refuse_negative
from seedrank.loaders.base import Batch, LoadOptions, Summary, Where
from seedrank.loaders.columns import convert
from seedrank.loaders.times import utc

__all__ = ["Links", "Merged"]

BLOCK = 1 << 21
"""Links in a block."""
ROWS = 1 << 18
"""Sorted links that are merged at a time."""
_HEAVIEST = float(np.finfo(np.float32).max)
"""Graphs in memory keep weights as float32."""
UNKNOWN = -3
"""Page of an id that the store does not have (`numbers`)."""
_LATER = np.iinfo(np.int64).max


@dataclass
class _Part:
    """Links of a batch, waiting for their block."""

    positions: np.ndarray
    ends: tuple[pa.Array, pa.Array]
    weights: np.ndarray | None
    anchors: pa.Array | None


@dataclass(frozen=True)
class _Block:
    path: Path
    first: int
    codes: int


@dataclass(frozen=True)
class Merged:
    """Links in the order of source, then target; one per pair.

    Parameters
    ----------
    source, target
        int64.
    weight
        float64: sums over the rows of a pair.
    """

    source: np.ndarray
    target: np.ndarray
    weight: np.ndarray


@dataclass
class _Waiting:
    parts: list[_Part] = field(default_factory=list)
    rows: int = 0
    ids: bool = False


class Links:
    """The links of a load.

    Parameters
    ----------
    connection
        Holds the staging tables.
    folder
        Where the files go.
    addresses, positions, rows
        What becomes of URLs, where rows stand, and whether pages tables gave ids.
    options
        Which links count.
    summary
        Takes the counts.
    anchors
        Keep the texts of links; otherwise they are counted.
    """

    def __init__(
        self,
        connection: Connection,
        folder: Path,
        addresses: Addresses,
        positions: Positions,
        rows: Rows,
        options: LoadOptions,
        summary: Summary,
        *,
        anchors: bool,
    ) -> None:
        self._connection, self._folder, self._summary = connection, folder, summary
        self._addresses, self._positions, self._tables = addresses, positions, rows
        self._since, self._until = utc(options.since), utc(options.until)
        self._keep_anchors = anchors
        self._waiting = _Waiting()
        self._blocks: list[_Block] = []
        self._codes = 0
        self.rows = 0
        """Rows so far that are links, as they came."""
        self.followed = self.have_anchors = self.have_weights = False

    def add(self, batch: Batch) -> None:
        """Take rows of a links table."""
        counted = in_time(batch, self._since, self._until)
        self._summary.add("links dropped: out of time", batch.rows.num_rows - counted.rows.num_rows)
        self.followed |= batch.followed
        self._tables.sealed = True
        rows, where = counted.rows, counted.where
        if not rows.num_rows:
            return
        ends, ids = _ends(rows, where)
        weights = _weights(rows.column("weight"), where) if "weight" in rows.schema.names else None
        anchors = _anchors(rows.column("anchor")) if "anchor" in rows.schema.names else None
        if anchors is not None and not self._keep_anchors:
            self._summary.add("link texts left out", len(anchors) - anchors.null_count)
            anchors = None
        self.have_weights |= weights is not None
        self.have_anchors |= anchors is not None
        if ids != self._waiting.ids:
            self._flush()
            self._waiting.ids = ids
        self._waiting.parts.append(_Part(self._positions.take(where, rows.num_rows), ends, weights, anchors))
        self._waiting.rows += rows.num_rows
        if self._waiting.rows >= BLOCK:
            self._flush()

    def close(self) -> None:
        """All links have come."""
        self._flush()

    def _flush(self) -> None:
        parts, ids = self._waiting.parts, self._waiting.ids
        self._waiting = _Waiting(ids=ids)
        if not parts:
            return
        encoded = pa.chunked_array([part.ends[side] for side in (0, 1) for part in parts]).dictionary_encode()
        names = encoded.chunk(encoded.num_chunks - 1).dictionary
        both = np.concatenate([chunk.indices.to_numpy() for chunk in encoded.chunks]).astype(np.int32, copy=False)
        source, target = np.split(both, 2)
        positions = np.concatenate([part.positions for part in parts])
        kept = None
        if not ids:
            urls, bad = self._addresses.normal(names)
            if bad.any():
                kept = ~(bad[source] | bad[target])
                self._leave_out(names, bad, (source, target), positions)
                source, target, positions = source[kept], target[kept], positions[kept]
                self._summary.add("links dropped: unparsable URL", int(np.count_nonzero(~kept)))
            names = urls
        self._stage(names, source, target, positions, ids=ids)
        columns = {"source": pa.array(source), "target": pa.array(target), **_payload(parts, kept)}
        path = self._folder / f"links-{len(self._blocks)}.arrow"
        table = pa.table(columns)
        with pa.OSFile(str(path), "wb") as sink, pa.ipc.new_file(sink, table.schema) as writer:
            writer.write_table(table)
        self._blocks.append(_Block(path, self._codes, len(names)))
        self._codes += len(names)
        self.rows += len(source)

    def _stage(
        self, names: pa.Array, source: np.ndarray, target: np.ndarray, positions: np.ndarray, *, ids: bool
    ) -> None:
        """The names of a block with the position each is first met at."""
        out, into = (np.zeros(len(names), np.bool_) for _ in range(2))
        out[source], into[target] = True, True
        first = np.full(len(names), _LATER)
        first[target[::-1]] = positions[::-1] + 1
        as_source = np.full(len(names), _LATER)
        as_source[source[::-1]] = positions[::-1]
        first = np.minimum(first, as_source)
        met = first < _LATER
        columns: dict[str, pa.Array] = {
            "code": pa.array(np.arange(self._codes, self._codes + len(names))),
            "pos": pa.array(first),
            "outgoing": pa.array(out),
            "incoming": pa.array(into),
        }
        if ids:
            columns |= {"id": names, "must": pa.array(np.full(len(names), self._tables.have_ids))}
        else:
            columns["url"] = names
            if self._addresses.folds:
                columns["key"] = self._addresses.key(names)
        if not met.all():
            columns = {name: column.filter(pa.array(met)) for name, column in columns.items()}
        append(self._connection, "id_name" if ids else "url_name", columns)

    def _leave_out(
        self, names: pa.Array, bad: np.ndarray, ends: tuple[np.ndarray, np.ndarray], positions: np.ndarray
    ) -> None:
        for column, codes in zip(("source", "target"), ends, strict=True):
            rows = np.flatnonzero(bad[codes])
            texts = names.take(pa.array(codes[rows]))
            for where, at in self._positions.split(positions[rows]):
                self._addresses.leave_out(texts.take(pa.array(at)), where, column)

    # -- once pages have numbers

    def pair(self, redirected: tuple[np.ndarray, np.ndarray]) -> None:
        """Fill the table ``pair``: a row per link, by the numbers of its pages.

        Parameters
        ----------
        redirected
            Pages, ascending, and where links to each lead.
        """
        columns = [("weight", "DOUBLE", self.have_weights), ("anchor", "VARCHAR", self.have_anchors)]
        more = "".join(f", {name} {kind}" for name, kind, there in columns if there)
        self._connection.run(f"CREATE TABLE pair (key BIGINT{more})")
        for block in self._blocks:
            self._pair(_read(block.path), self._pages_of(block), redirected)
            block.path.unlink()

    def sources(self) -> np.ndarray:
        """Pages, perhaps several times, that have a link to a page that was not left out."""
        parts = [np.zeros(0, np.int64)]
        for block in self._blocks:
            links, page_of = _read(block.path), self._pages_of(block)
            source, target = (page_of[links[name].to_numpy()] for name in ("source", "target"))
            parts.append(np.unique(source[(source >= 0) & (target >= 0)]))
        return np.concatenate(parts)

    def _pages_of(self, block: _Block) -> np.ndarray:
        """int64 per code of a block: its page, negative for none."""
        page_of = np.full(block.codes, -1, np.int64)
        found = self._connection.table(
            f"SELECT code, page FROM code_page WHERE code >= {block.first} AND code < {block.first + block.codes}"
        )
        page_of[found["code"].to_numpy() - block.first] = found["page"].to_numpy()
        return page_of

    def _pair(self, links: pa.Table, page_of: np.ndarray, redirected: tuple[np.ndarray, np.ndarray]) -> None:
        source, target = (page_of[links[name].to_numpy()] for name in ("source", "target"))
        there = (source >= 0) & (target >= 0)
        itself = there & (source == target)
        kept = there & ~itself
        unknown = (source == UNKNOWN) | (target == UNKNOWN)
        self._summary.add("links dropped: unknown id", int(np.count_nonzero(unknown)))
        self._summary.add("links dropped: unparsable URL", int(np.count_nonzero(~there & ~unknown)))
        self._summary.add("links dropped: to themselves", int(np.count_nonzero(itself)))
        pages, ends = redirected
        if len(pages):
            at = np.minimum(np.searchsorted(pages, target), len(pages) - 1)
            led = np.where(pages[at] == target, ends[at], target)
            self._summary.add("links redirected", int(np.count_nonzero(kept & (led != target))))
            self._summary.add("links dropped: to themselves", int(np.count_nonzero(kept & (led == source))))
            target, kept = led, kept & (led != source)
        columns: dict[str, pa.Array] = {"key": pa.array((source << 32) | target)}
        columns |= {name: links[name] for name in links.schema.names if name in ("weight", "anchor")}
        table = pa.table(columns)
        append(self._connection, "pair", _columns(table if kept.all() else table.filter(pa.array(kept))))

    def merged(self) -> Iterator[Merged]:
        """All links, one per pair, in order; after `pair`.

        Rows of a pair are summed by ascending weight, so that the sum does not depend on the order they came in.
        """
        names = "key, coalesce(weight, 1) AS weight" if self.have_weights else "key"
        order = "1, 2" if self.have_weights else "1"
        rows = links = 0
        rest: tuple[np.ndarray, np.ndarray] = (np.zeros(0, np.int64), np.zeros(0))
        sorted_rows = self._connection.batches(f"SELECT {names} FROM pair ORDER BY {order}", rows=ROWS)
        for batch in sorted_rows:
            keys = batch.column(0).to_numpy()
            weights = batch.column(1).to_numpy() if self.have_weights else np.ones(len(keys))
            rows += len(keys)
            keys, weights = np.concatenate([rest[0], keys]), np.concatenate([rest[1], weights])
            starts = np.flatnonzero(np.append(True, keys[1:] != keys[:-1]))
            # The last pair may go on in the next batch.
            last = int(starts[-1])
            rest = keys[last:], weights[last:]
            if last:
                links += len(starts) - 1
                yield _sum(keys[:last], weights[:last], starts[:-1])
        if len(rest[0]):
            links += 1
            yield _sum(*rest, np.zeros(1, np.int64))
        self._summary.add("links merged", rows - links)


def _read(path: Path) -> pa.Table:
    with pa.memory_map(str(path)) as file:
        return pa.ipc.open_file(file).read_all()


def _sum(keys: np.ndarray, weights: np.ndarray, starts: np.ndarray) -> Merged:
    found = keys[starts]
    return Merged(found >> 32, found & 0xFFFFFFFF, np.add.reduceat(weights, starts))


def _columns(table: pa.Table) -> dict[str, pa.ChunkedArray]:
    return dict(zip(table.schema.names, table.columns, strict=True))


def _payload(parts: list[_Part], kept: np.ndarray | None) -> dict[str, pa.Array]:
    """Weights and texts of a block, where any link has one."""
    columns: dict[str, pa.Array] = {}
    if any(part.weights is not None for part in parts):
        weights = np.concatenate(
            [np.ones(len(part.positions)) if part.weights is None else part.weights for part in parts]
        )
        columns["weight"] = pa.array(weights)
    if any(part.anchors is not None for part in parts):
        texts = [
            pa.nulls(len(part.positions), pa.large_string()) if part.anchors is None else part.anchors for part in parts
        ]
        columns["anchor"] = pa.concat_arrays(texts)
    return columns if kept is None else {name: column.filter(pa.array(kept)) for name, column in columns.items()}


def _ends(rows: pa.RecordBatch, where: Where) -> tuple[tuple[pa.Array, pa.Array], bool]:
    """Both ends of links, and whether they are ids."""
    ends = {name: rows.column(name) for name in ("source", "target")}
    for name, end in ends.items():
        refuse(~valid_rows(end), where, name, "is empty", "fill it")
    ids = all(pa.types.is_integer(end.type) for end in ends.values())
    for name, end in ends.items():
        if ids:
            ends[name] = convert(end, pa.int64(), column=name, where=where)
            refuse_negative(ends[name].to_numpy(), True, where, name)
        else:
            ends[name] = end if pa.types.is_string(end.type) else end.cast(pa.string())
            empty = pc.equal(ends[name], "")
            if pc.any(empty).as_py():
                refuse(empty.to_numpy(zero_copy_only=False), where, name, "is empty", "fill it")
    return (ends["source"], ends["target"]), ids


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
