"""Links: their ends are numbered block by block, and merged once pages have their numbers.

A block is some million links as they came. Its ends are encoded by a dictionary, so that each URL is normalised, staged
and looked up once a dictionary, not once a link; the links lie in a file as codes. Blocks share a dictionary until it
has many names.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import groupby
from operator import attrgetter
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from seedrank.core.errors import InputError
from seedrank.graphdb.duckdb.connection import Connection
from seedrank.ingest.merge.addresses import Addresses, valid_rows
from seedrank.ingest.merge.columns import append
from seedrank.ingest.merge.positions import Positions
from seedrank.ingest.merge.rows import Rows, in_time, refuse, refuse_negative
from seedrank.loaders.base import Batch, LoadOptions, Summary, Where
from seedrank.loaders.columns import convert
from seedrank.loaders.times import utc

__all__ = ["Links", "Merged"]

BLOCK = 1 << 21
"""Links in a block."""
NAMES = 64 << 20
"""Bytes of names from which on a dictionary takes no more blocks."""
ROWS = 1 << 18
"""Sorted links that are merged at a time."""
_HEAVIEST = float(np.finfo(np.float32).max)
"""Graphs in memory keep weights as float32."""
UNKNOWN = -3
"""Page of an id that the store does not have (`numbers`)."""
_LATER = np.iinfo(np.int64).max
_KNOWN = "CREATE OR REPLACE TABLE known_name (code INTEGER, name {kind})"
_ENCODED = "SELECT b.row, k.code FROM block b JOIN known_name k USING (name)"


@dataclass
class _Part:
    """Links of a batch, waiting for their block."""

    positions: np.ndarray
    ends: tuple[pa.Array, pa.Array]
    weights: np.ndarray | None
    anchors: pa.Array | None


@dataclass(eq=False)
class _Names:
    """The names that blocks share, each once; the code of a name is its place. `_KNOWN` has them as they came."""

    first: int
    """Code of the first among those of all dictionaries."""
    of: tuple[bool, bool]
    """Whether they are ids, and whether pages tables gave ids before."""
    normal: list[pa.Array] = field(default_factory=list)
    bad: np.ndarray = field(default_factory=lambda: np.zeros(0, np.bool_))
    outgoing: np.ndarray = field(default_factory=lambda: np.zeros(0, np.bool_))
    incoming: np.ndarray = field(default_factory=lambda: np.zeros(0, np.bool_))
    met: np.ndarray = field(default_factory=lambda: np.zeros(0, np.int64))
    """Position each is first met at."""
    count: int = 0

    def add(self, normal: pa.Array, bad: np.ndarray) -> None:
        """Take names that were not there."""
        self.normal.append(normal)
        none = np.zeros(len(bad), np.bool_)
        self.bad, self.met = np.append(self.bad, bad), np.append(self.met, np.full(len(bad), _LATER))
        self.outgoing, self.incoming = np.append(self.outgoing, none), np.append(self.incoming, none)
        self.count += len(bad)

    def meet(self, source: np.ndarray, target: np.ndarray, positions: np.ndarray) -> None:
        """Note the links of a block."""
        self.outgoing[source] = self.incoming[target] = True
        first = np.full(self.count, _LATER)
        first[target[::-1]] = positions[::-1] + 1
        as_source = np.full(self.count, _LATER)
        as_source[source[::-1]] = positions[::-1]
        self.met = np.minimum(self.met, np.minimum(first, as_source))


@dataclass(frozen=True)
class _Block:
    path: Path
    names: _Names


@dataclass(frozen=True)
class Merged:
    """Links in the order of source, then target; one per pair."""

    source: np.ndarray
    target: np.ndarray
    """int64."""
    weight: np.ndarray
    """float64: sums over the rows of a pair."""


@dataclass
class _Waiting:
    parts: list[_Part] = field(default_factory=list)
    rows: int = 0
    ids: bool = False


class Links:
    """The links of a load.

    Parameters
    ----------
    addresses, positions, rows
        What becomes of URLs, where rows stand, and whether pages tables gave ids.
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
        self._names: _Names | None = None
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
        self._stage()

    def _flush(self) -> None:
        parts, ids = self._waiting.parts, self._waiting.ids
        self._waiting = _Waiting(ids=ids)
        if not parts:
            return
        names, ends = self._dictionary(ids), pa.chunked_array([part.ends[side] for side in (0, 1) for part in parts])
        source, target = np.split(self._encode(names, ends), 2)
        positions = np.concatenate([part.positions for part in parts])
        kept = None
        if names.bad.any():
            bad = names.bad[np.concatenate([source, target])]
            kept = ~(bad[: len(source)] | bad[len(source) :])
            self._leave_out(ends, bad, positions)
            source, target, positions = source[kept], target[kept], positions[kept]
            self._summary.add("links dropped: unparsable URL", int(np.count_nonzero(~kept)))
        names.meet(source, target, positions)
        columns = {"source": pa.array(source), "target": pa.array(target), **_payload(parts, kept)}
        path = self._folder / f"links-{len(self._blocks)}.arrow"
        table = pa.table(columns)
        with pa.OSFile(str(path), "wb") as sink, pa.ipc.new_file(sink, table.schema) as writer:
            writer.write_table(table)
        self._blocks.append(_Block(path, names))
        self.rows += len(source)
        if sum(part.nbytes for part in names.normal) >= NAMES:
            self._stage()
        del parts, ends, columns, table
        pa.default_memory_pool().release_unused()

    def _dictionary(self, ids: bool) -> _Names:
        """The dictionary that takes the next block."""
        of = ids, self._tables.have_ids
        if self._names is None or self._names.of != of:
            self._stage()
            self._names = _Names(self._codes, of)
            self._connection.run(_KNOWN.format(kind="BIGINT" if ids else "VARCHAR"))
        return self._names

    def _encode(self, names: _Names, ends: pa.ChunkedArray) -> np.ndarray:
        """int32 per end: its code; names that were not met before are added."""
        codes = np.full(len(ends), -1, np.int32)
        if names.count:
            block = pa.table({"row": np.arange(len(ends), dtype=np.int32), "name": ends})
            with self._connection.registered("block", block):
                found = self._connection.table(_ENCODED)
            codes[found["row"].to_numpy()] = found["code"].to_numpy()
        unknown = codes < 0
        left = ends if unknown.all() else ends.filter(pa.array(unknown))
        if not len(left):
            return codes
        encoded = left.dictionary_encode()
        new = encoded.chunk(encoded.num_chunks - 1).dictionary
        codes[unknown] = names.count + np.concatenate([chunk.indices.to_numpy() for chunk in encoded.chunks])
        append(self._connection, "known_name", {"code": pa.array(np.arange(len(new)) + names.count), "name": new})
        ids, _ = names.of
        names.add(*((new, np.zeros(len(new), np.bool_)) if ids else self._addresses.normal(new)))
        self._codes += len(new)
        return codes

    def _stage(self) -> None:
        """The dictionary takes no more blocks: its names are staged, each with the position it is first met at."""
        names, self._names = self._names, None
        if names is None:
            return
        met = names.met < _LATER
        ids, must = names.of
        columns: dict[str, pa.Array] = {
            "code": pa.array(np.arange(names.first, names.first + names.count)),
            "pos": pa.array(names.met),
            "outgoing": pa.array(names.outgoing),
            "incoming": pa.array(names.incoming),
        }
        found = pa.concat_arrays(names.normal)
        if ids:
            columns |= {"id": found, "must": pa.array(np.full(names.count, must))}
        else:
            columns["url"] = found
            if self._addresses.folds:
                columns["key"] = self._addresses.key(found)
        if not met.all():
            columns = {name: column.filter(pa.array(met)) for name, column in columns.items()}
        append(self._connection, "id_name" if ids else "url_name", columns)
        names.normal, names.met = [], np.zeros(0, np.int64)
        names.bad = names.outgoing = names.incoming = np.zeros(0, np.bool_)
        self._connection.run("DROP TABLE known_name")

    def _leave_out(self, ends: pa.ChunkedArray, bad: np.ndarray, positions: np.ndarray) -> None:
        """List rows of a block with a bad end; `bad` has sources, then targets, as `ends` does."""
        for side, (column, wrong) in enumerate(zip(("source", "target"), np.split(bad, 2), strict=True)):
            rows = np.flatnonzero(wrong)
            texts = ends.take(pa.array(rows + side * len(positions))).combine_chunks()
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
        for block, page_of in self._numbered():
            self._pair(_read(block.path), page_of, redirected)
            block.path.unlink()

    def sources(self) -> np.ndarray:
        """Pages, perhaps several times, that have a link to a page that was not left out."""
        parts = [np.zeros(0, np.int64)]
        for block, page_of in self._numbered():
            links = _read(block.path)
            source, target = (page_of[links[name].to_numpy()] for name in ("source", "target"))
            parts.append(np.unique(source[(source >= 0) & (target >= 0)]))
        return np.concatenate(parts)

    def _numbered(self) -> Iterator[tuple[_Block, np.ndarray]]:
        """Blocks with the pages of their codes."""
        for names, blocks in groupby(self._blocks, attrgetter("names")):
            page_of = self._pages_of(names)
            for block in blocks:
                yield block, page_of

    def _pages_of(self, names: _Names) -> np.ndarray:
        """int64 per code of a dictionary: its page, negative for none."""
        first, count = names.first, names.count
        page_of = np.full(count, -1, np.int64)
        found = self._connection.table(
            f"SELECT code, page FROM code_page WHERE code >= {first} AND code < {first + count}"
        )
        page_of[found["code"].to_numpy() - first] = found["page"].to_numpy()
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
        append(self._connection, "pair", table if kept.all() else table.filter(pa.array(kept)))

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
            "is not a weight",
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
