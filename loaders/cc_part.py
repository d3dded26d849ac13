"""Which vertices of one of Common Crawl's graphs are kept: by top-level domain, by rank, around some of them.

They are chosen in passes over the files, with a bit per vertex and the names that are wanted in memory. A pass that
only chooses gives empty batches, so that its progress is seen.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Generator, Iterable, Sequence
from functools import reduce

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from seedrank.core.errors import InputError, UsageError
from seedrank.core.levels import PLURAL, Level, addresses, names
from seedrank.core.urls import normalise, turned
from seedrank.engines.kernels.marks import are_marked, mark, spread_marks
from seedrank.loaders.base import Batch
from seedrank.loaders.growing import Growing
from seedrank.loaders.lines import truth
from seedrank.loaders.pagelist import read_page_list

__all__ = ["Part", "ends", "ids"]

_NO_NAMES = pa.array([], pa.string())

Passes = Callable[[], Iterable[Batch]]
"""Reads all vertices or all ranks, from the beginning, with names as they are in the file."""


class Part:
    """A part of a graph, or all of it.

    Parameters
    ----------
    tlds
        Keep names below these, such as ``org`` or ``co.uk``; all when empty.
    limit
        Keep at most this many: the first by rank where there are ranks, else the first vertices.
    around
        Keep what is at most `hops` links away, in either direction, from these: names or URLs, or files of them.
    hops
        How far; the way may lead through vertices that are not kept.

    Attributes
    ----------
    notes
        What a person should know, in sentences.
    listed
        Names to look around, once they were read.
    """

    def __init__(self, tlds: Sequence[str], limit: int | None, around: Sequence[str], hops: int) -> None:
        if limit is not None and limit < 1:
            raise UsageError("{limit} is 1 or more", hint="leave it out to keep all", fields=("limit",))
        if hops < 1:
            raise UsageError("{hops} is 1 or more", hint="the hosts themselves are kept too", fields=("hops",))
        self._tlds = [_reversed_tld(tld) for tld in tlds]
        self.limit, self.around, self.hops = limit, list(around), hops
        self.notes: list[str] = []
        self.listed: list[str] = []
        self._near: np.ndarray | None = None
        self._best: pa.Array | None = None
        self._count = 0

    def __bool__(self) -> bool:
        return bool(self._tlds or self.around or self.limit is not None)

    def below(self, batch: Batch) -> np.ndarray:
        """Boolean per row: whether its name is below one of the top-level domains that are wanted."""
        found = batch.rows.column("url")
        if not self._tlds:
            return np.ones(len(found), np.bool_)
        tests = (pc.or_(pc.equal(found, tld), pc.starts_with(found, f"{tld}.")) for tld in self._tlds)
        below: np.ndarray = reduce(pc.or_, tests).to_numpy(zero_copy_only=False)
        return below

    def keep(self, batch: Batch) -> np.ndarray:
        """Boolean per vertex, each asked for once and in order: whether it is kept."""
        keep = self.below(batch)
        if self._near is not None:
            keep &= are_marked(self._near, ids(batch))
        if self._best is not None:
            keep &= truth(pc.is_in(batch.rows.column("url"), self._best))
        elif self.limit is not None:
            keep &= np.cumsum(keep) + self._count <= self.limit
        self._count += int(np.count_nonzero(keep))
        return keep

    def look_around(
        self, level: Level, vertices: Passes, edges: Callable[[int], Iterable[Batch]]
    ) -> Generator[Batch, None, None]:
        """Mark the vertices at most `hops` links away from those that are named; `edges` takes how many vertices."""
        given = normalise(addresses(_listed(self.around, level), level))[0].drop_null()
        wanted = pc.unique(turned(names(given)))
        self.listed = names(given).to_pylist()
        found, marks, total = np.zeros(len(wanted), np.bool_), Growing(np.uint8, 0), 0
        for batch in vertices():
            numbers = pc.index_in(batch.rows.column("url"), wanted)
            there = np.flatnonzero(numbers.is_valid().to_numpy(zero_copy_only=False))
            found[numbers.drop_null().to_numpy()] = True
            mark(marks.reserve(((total + batch.rows.num_rows) >> 3) + 1), there + total)
            total += batch.rows.num_rows
            yield _nothing(batch)
        unknown = turned(wanted.filter(pa.array(~found))).to_pylist()
        if not found.any():
            raise InputError(
                f"none of the {len(found):,} {PLURAL[level]} to look around is in the graph, such as",
                value=unknown[0] if unknown else " ".join(self.around),
                hint="check the names in {around}",
                fields=("around",),
            )
        if unknown:
            self.notes.append(f"not in the graph: {', '.join(unknown[:3])}{', …' if len(unknown) > 3 else ''}")
        near = marks.values
        for _ in range(self.hops):
            before, near = near, near.copy()
            for batch in edges(total):
                spread_marks(before, *ends(batch), near)
                yield _nothing(batch)
        self._near = near

    def choose_best(self, vertices: Passes, ranks: Passes) -> Generator[Batch, None, None]:
        """Choose the first by rank, of those around which was looked if any were."""
        pool: list[pa.Array] = []
        if self._near is not None:
            for batch in vertices():
                pool.append(batch.rows.column("url").filter(pa.array(are_marked(self._near, ids(batch)))))
                yield _nothing(batch)
        near, best = pa.concat_arrays([_NO_NAMES, *pool]), _NO_NAMES
        for batch in ranks():
            if len(best) < (self.limit or 0):
                ranked = batch.rows.column("url")
                keep = self.below(batch)
                if self._near is not None:
                    keep &= truth(pc.is_in(ranked, near))
                best = pc.unique(pa.concat_arrays([best, ranked.filter(pa.array(keep))])).slice(0, self.limit)
            yield _nothing(batch)
        self._best = best


def ids(batch: Batch) -> np.ndarray:
    """Ids of vertices."""
    found: np.ndarray = batch.rows.column("id").to_numpy()
    return found


def ends(batch: Batch) -> tuple[np.ndarray, np.ndarray]:
    """Ids of the ends of links."""
    return batch.rows.column("source").to_numpy(), batch.rows.column("target").to_numpy()


def _listed(around: Sequence[str], level: Level) -> pa.Array:
    """Names or URLs from files, and words that are no files."""
    parts = []
    for given in around:
        found = read_page_list(given, level).keys if os.path.lexists(given) else pa.array(given.split(), pa.string())
        if not pa.types.is_string(found.type):
            raise InputError(f"holds numbers, not names of {PLURAL[level]}", file=given, hint="give a name a line")
        parts.append(found)
    return pa.concat_arrays(parts)


def _reversed_tld(tld: str) -> str:
    name, ok = normalise(addresses(pa.array([tld.strip(" .")]), "host"))
    if not ok[0]:
        raise UsageError(f"{tld!r} is not a top-level domain", hint="give one such as org")
    found: str = turned(names(name))[0].as_py()
    return found


def _nothing(batch: Batch) -> Batch:
    return Batch(batch.kind, batch.rows.slice(0, 0), batch.where)
