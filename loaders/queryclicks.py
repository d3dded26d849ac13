"""Clicks on search results: tables of query, URL and how often, or logs with a row per click."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import pairwise

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from seedrank.core.errors import InputError
from seedrank.loaders.base import Batch, Where
from seedrank.loaders.compressed import MAX_ROWS, Input
from seedrank.loaders.files import FileSource
from seedrank.loaders.growing import Growing
from seedrank.loaders.lines import Lines, leave_out, lines, truth

__all__ = ["QueryClicksSource", "names_clicks"]

_NAMES = {
    "query": ("query", "text", "keyword", "keywords"),
    "url": ("url", "clickurl", "click_url", "clicked_url"),
    "clicks": ("clicks", "count", "n"),
    "rank": ("rank", "result_rank", "itemrank", "item_rank"),
}
"""Columns by what a header may call them."""
_WITHOUT_HEADER = ("query", "url", "clicks")
_MOST_FIELDS = 64
_NUMBER = "^[0-9]{1,15}$"
_NO_RANK = np.iinfo(np.int64).max
_LINE_BITS = 40
_HINT = "rows are query, URL and clicks, with tabs between them; other columns need a header"


def names_clicks(names: Sequence[str]) -> bool:
    """Whether the names of a header, in lower case, are of a query and of the URL that was clicked."""
    return all(any(name in _NAMES[column] for name in names) for column in ("query", "url"))


class QueryClicksSource(FileSource):
    """Clicks, ready to read (`seedrank.loaders.base.Source`): queries, their results, and clicks of pages.

    Columns are named by a header line (query, url, clicks or count, rank; others are not read), else they are query,
    url and clicks. Without clicks a row is one click. A query's ``freq`` is how many clicks it led to, a row without
    URL being one; a result's ``rank`` the best it had.

    Held in memory: distinct queries and URLs, and 32 bytes for each pair of them.

    Parameters
    ----------
    files
        Plain, gzip or Zstandard, fields divided by tabs; one may be ``-``, standard input.
    """

    def __init__(self, files: Sequence[str], *, strict: bool = False) -> None:
        super().__init__("query-clicks", [("clicks", Input(str(file))) for file in files], strict=strict)

    def batches(self) -> Iterator[Batch]:
        """Read everything once; then batches of queries, results and events."""
        self.check()
        sums = _Sums()
        for number, (_, source) in enumerate(self.inputs):
            columns: dict[str, int] | None = None
            read = 0
            for some in lines(source, self.broken):
                if columns is None:
                    columns, has_header = _columns(some)
                    some = some.take(slice(int(has_header), None))
                read += self._read(some, columns, number, sums)
            if not read:
                raise InputError("no click on a result", file=source.name, hint=_HINT)
        yield from sums.batches(self.files)

    def _read(self, some: Lines, columns: dict[str, int], file: int, sums: _Sums) -> int:
        """Add rows to the sums; how many were good."""
        begins, stops, counts = some.split("\t", max(columns.values()) + 1)
        text = {name: some.text(begins[at], stops[at]) for name, at in columns.items()}
        wrong = {
            "has too few fields": counts <= max(columns["query"], columns["url"]),
            "has no query": truth(pc.equal(pc.ascii_trim_whitespace(text["query"]), "")),
        }
        for name in ("clicks", "rank"):
            if name in text:
                fits = pc.or_(pc.match_substring_regex(text[name], _NUMBER), pc.equal(text[name], ""))
                wrong[f"has a {name} that is not a number"] = ~truth(fits)
        good = leave_out(some, wrong, self.broken)
        mask = pa.array(good)
        sums.add(
            queries=text["query"].filter(mask),
            urls=text["url"].filter(mask),
            clicks=_numbers(text.get("clicks"), mask, 1),
            ranks=_numbers(text.get("rank"), mask, _NO_RANK),
            places=(np.int64(file) << _LINE_BITS) | some.numbers[good],
        )
        return int(np.count_nonzero(good))


@dataclass
class _Sums:
    """Clicks by query and URL; each pair with the place it first stands in."""

    _queries: _Strings = field(default_factory=lambda: _Strings())
    _urls: _Strings = field(default_factory=lambda: _Strings())
    _freq: Growing = field(default_factory=lambda: Growing(np.float64, 0))
    _pairs: list[tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]] = field(default_factory=list)
    _waiting: int = 0

    def add(
        self, *, queries: pa.Array, urls: pa.Array, clicks: np.ndarray, ranks: np.ndarray, places: np.ndarray
    ) -> None:
        of_query = self._queries.intern(queries)
        clicked = truth(pc.not_equal(urls, ""))
        np.add.at(self._freq.reserve(len(self._queries)), of_query, clicks)
        of_url = self._urls.intern(urls.filter(pa.array(clicked)))
        keys = (of_query[clicked].astype(np.int64) << 32) | of_url
        self._pairs.append((keys, clicks[clicked].astype(np.float64), ranks[clicked], places[clicked]))
        self._waiting += len(keys)
        if self._waiting > max(MAX_ROWS, len(self._pairs[0][0])):
            self._merge()

    def _merge(self) -> None:
        """One row for every pair."""
        keys, clicks, ranks, places = (np.concatenate(column) for column in zip(*self._pairs, strict=True))
        order = np.argsort(keys, kind="stable")
        keys = keys[order]
        starts = np.flatnonzero(np.append(True, keys[1:] != keys[:-1])[: len(keys)])
        if len(starts):
            clicks = np.add.reduceat(clicks[order], starts)
            ranks, places = (np.minimum.reduceat(column[order], starts) for column in (ranks, places))
        self._pairs = [(keys[starts], clicks, ranks, places)]
        self._waiting = 0

    def batches(self, files: Sequence[str]) -> Iterator[Batch]:
        """Queries, then results and clicks of pages, by the place they first stand in."""
        self._merge()
        for start in range(0, len(self._queries), MAX_ROWS):
            numbers = np.arange(start, min(start + MAX_ROWS, len(self._queries)))
            found = {"query": self._queries.take(numbers), "freq": self._freq.values[numbers]}
            yield Batch("queries", pa.record_batch(found), Where(files[0]))
        keys, clicks, ranks, places = self._pairs[0]
        order = np.argsort(places)
        bounds = np.searchsorted(places[order], np.arange(len(files) + 1, dtype=np.int64) << _LINE_BITS)
        for file, (first, end) in zip(files, pairwise(bounds.tolist()), strict=True):
            for start in range(first, end, MAX_ROWS):
                rows = order[start : min(start + MAX_ROWS, end)]
                numbers = places[rows] & ((1 << _LINE_BITS) - 1)
                where = Where(file, int(numbers[0]), numbers)
                urls = self._urls.take(keys[rows] & 0xFFFFFFFF)
                found = {
                    "query": self._queries.take(keys[rows] >> 32),
                    "url": urls,
                    "rank": pa.array(ranks[rows], mask=ranks[rows] == _NO_RANK),
                    "clicks": clicks[rows],
                }
                yield Batch("results", pa.record_batch(found), where)
                found = {"time": pa.nulls(len(rows), pa.timestamp("us")), "url": urls, "clicks": clicks[rows]}
                yield Batch("events", pa.record_batch(found), where)


class _Strings:
    """Distinct strings, numbered from 0 in the order they come."""

    def __init__(self) -> None:
        self._numbers: dict[str, int] = {}
        self._all: pa.Array | None = None

    def __len__(self) -> int:
        return len(self._numbers)

    def intern(self, strings: pa.Array) -> np.ndarray:
        """int32 per string: its number, a new one where it was not there."""
        self._all = None
        encoded = strings.dictionary_encode()
        known = self._numbers
        numbers = np.array([known.setdefault(text, len(known)) for text in encoded.dictionary.to_pylist()], np.int32)
        found: np.ndarray = numbers[encoded.indices.to_numpy()]
        return found

    def take(self, numbers: np.ndarray) -> pa.Array:
        """Strings by number."""
        if self._all is None:
            self._all = pa.array(self._numbers.keys(), pa.large_string())
        return self._all.take(pa.array(numbers)).cast(pa.string())


def _columns(some: Lines) -> tuple[dict[str, int], bool]:
    """Which field is which column, and whether the first line says so."""
    first = some.take(slice(0, 1))
    begins, stops, counts = first.split("\t", _MOST_FIELDS)
    fields = first.text(begins[:, 0], stops[:, 0]).to_pylist()[: int(counts[0])]
    said = {name.strip().lower(): at for at, name in reversed(list(enumerate(fields)))}
    found = {
        column: next(said[name] for name in names if name in said)
        for column, names in _NAMES.items()
        if any(name in said for name in names)
    }
    if "query" in found and "url" in found:
        return found, True
    if not 2 <= len(fields) <= len(_WITHOUT_HEADER):
        raise InputError(
            f"{len(fields)} fields, and no header names query and url",
            file=some.file,
            line=int(first.numbers[0]),
            hint=_HINT,
        )
    return {name: at for at, name in enumerate(_WITHOUT_HEADER[: len(fields)])}, False


def _numbers(text: pa.Array | None, mask: pa.Array, default: int) -> np.ndarray:
    """Whole numbers, `default` where there is none."""
    if text is None:
        return np.full(mask.true_count, default, np.int64)
    text = text.filter(mask)
    numbers: np.ndarray = pc.fill_null(pc.if_else(pc.equal(text, ""), None, text).cast(pa.int64()), default).to_numpy()
    return numbers
