"""URLs as they come in: prefixed, normalised, perhaps folded, and numbered; what cannot be parsed is listed."""

from __future__ import annotations

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from loaders.base import LoadOptions, Summary, Where
from loaders.spool.interning import StringTable, valid_rows
from seedrank.core import urls
from seedrank.core.errors import InputError, shorten

__all__ = ["BAD", "NONE", "Addresses"]

NONE = -1
"""No URL, or one that is not known."""
BAD = -2
"""A URL that cannot be parsed."""

_LISTED = 20


class Addresses:
    """Every URL of the load and the store, numbered in the order they come.

    Parameters
    ----------
    options
        What becomes of URLs.
    summary
        Takes the first URLs that cannot be parsed.
    """

    def __init__(self, options: LoadOptions, summary: Summary) -> None:
        self._options, self._summary = options, summary
        self.left_out: list[tuple[str, str]] = []
        """The first URLs that could not be parsed, each after its place."""
        self._keys = StringTable()
        # Where variants are folded the key is not the URL: the first URL of each key is kept beside it.
        self._kept = StringTable() if options.merge_variants else None
        self._kept_of_key: list[np.ndarray] = []

    def __len__(self) -> int:
        return len(self._keys)

    def add_stored(self, strings: pa.Array) -> np.ndarray:
        """Number URLs that stand in the store, as they are."""
        return self._intern(_text(strings))

    def find_stored(self, strings: pa.Array) -> np.ndarray:
        """int32 per URL in normal form: its number, `NONE` where null or unknown."""
        return self._keys.find(self._key(_text(strings)))

    def number(self, strings: pa.Array, where: Where, column: str = "url") -> np.ndarray:
        """int32 per URL: its number, a new one where it is new; `NONE` where null, `BAD` where it cannot be parsed."""
        (numbers,) = self._number([strings], where, [column])
        return numbers

    def number_pairs(self, source: pa.Array, target: pa.Array, where: Where) -> tuple[np.ndarray, np.ndarray]:
        """The same for both ends of links, in row order, source before target.

        Where either end cannot be parsed both are `BAD` and neither is numbered: the row is left out.
        """
        source_numbers, target_numbers = self._number([source, target], where, ["source", "target"])
        return source_numbers, target_numbers

    def find(self, strings: pa.Array, where: Where) -> np.ndarray:
        """int32 per URL: its number; `NONE` where null or unknown, `BAD` where it cannot be parsed."""
        strings = self._prefixed(strings)
        numbers = self._known(strings)
        rest = np.flatnonzero((numbers < 0) & valid_rows(strings))
        if len(rest):
            normal, ok = self._normal(strings.take(pa.array(rest)))
            self._list(strings, rest[~ok], where, "url")
            numbers[rest] = self._keys.find(self._key(normal))
            numbers[rest[~ok]] = BAD
        return numbers

    def take(self, numbers: np.ndarray) -> pa.Array:
        """URLs by number, null where negative."""
        if self._kept is None:
            return self._keys.take(numbers)
        self._kept_of_key = [np.concatenate([np.zeros(0, np.int32), *self._kept_of_key])]
        kept = self._kept_of_key[0]
        return self._kept.take(np.where(numbers >= 0, kept[numbers], NONE) if len(kept) else numbers)

    def _number(self, columns: list[pa.Array], where: Where, names: list[str]) -> list[np.ndarray]:
        columns = [self._prefixed(strings) for strings in columns]
        numbers = [self._known(strings) for strings in columns]
        rest = [
            np.flatnonzero((known < 0) & valid_rows(strings)) for known, strings in zip(numbers, columns, strict=True)
        ]
        if not any(map(len, rest)):
            return numbers
        parts = [self._normal(strings.take(pa.array(rows))) for strings, rows in zip(columns, rest, strict=True)]
        bad = np.unique(np.concatenate([rows[~ok] for rows, (_, ok) in zip(rest, parts, strict=True)]))
        if len(bad):
            for name, strings, rows, (_, ok) in zip(names, columns, rest, parts, strict=True):
                self._list(strings, rows[~ok], where, name)
            keeps = [~np.isin(rows, bad) for rows in rest]
            for known in numbers:
                known[bad] = BAD
            parts = [(urls_.filter(pa.array(keep)), ok) for (urls_, ok), keep in zip(parts, keeps, strict=True)]
            rest = [rows[keep] for rows, keep in zip(rest, keeps, strict=True)]
        if len(columns) == 1:
            numbers[0][rest[0]] = self._intern(parts[0][0])
            return numbers
        # Row order, source before target: the order in which new pages are numbered.
        order = np.argsort(np.concatenate([rows * 2 + side for side, rows in enumerate(rest)]), kind="stable")
        together = pa.concat_arrays([urls_ for urls_, _ in parts]).take(pa.array(order))
        found = np.empty(len(order), np.int32)
        found[order] = self._intern(together)
        for side, at in enumerate(np.split(found, [len(rest[0])])):
            numbers[side][rest[side]] = at
        return numbers

    def _known(self, strings: pa.Array) -> np.ndarray:
        """Numbers of URLs that stand in the table as they are.

        A URL in the table is in normal form and so its own normal form: nothing more is to do for it, and of links
        nearly all ends are met again. A folded key is no URL, so there everything goes the long way.
        """
        if self._kept is not None:
            return np.full(len(strings), NONE, np.int32)
        return self._keys.find(strings)

    def _prefixed(self, strings: pa.Array) -> pa.Array:
        strings = _text(strings)
        if self._options.url_prefix:
            prefix, nothing = (pa.scalar(text, strings.type) for text in (self._options.url_prefix, ""))
            strings = pc.binary_join_element_wise(prefix, strings, nothing)
        return strings

    def _normal(self, strings: pa.Array) -> tuple[pa.Array, np.ndarray]:
        if self._options.urls == "verbatim":
            return strings, np.ones(len(strings), np.bool_)
        return urls.normalise(strings)

    def _key(self, normal: pa.Array) -> pa.Array:
        return normal if self._kept is None else urls.fold_variants(normal)

    def _intern(self, normal: pa.Array) -> np.ndarray:
        before = len(self._keys)
        numbers = self._keys.intern(self._key(normal))
        if self._kept is not None:
            _, first = np.unique(numbers, return_index=True)
            new = first[numbers[first] >= before]
            self._kept_of_key.append(self._kept.intern(normal.take(pa.array(new))))
        return numbers

    def _list(self, strings: pa.Array, rows: np.ndarray, where: Where, column: str) -> None:
        for row in rows[:_LISTED].tolist():
            url = strings[row].as_py()
            if self._options.strict:
                raise InputError(
                    "is no URL that can be parsed",
                    file=where.place(row),
                    column=column,
                    value=url,
                    hint="mend it, or leave out {strict} to skip such rows",
                    fields=("strict",),
                )
            if len(self._summary.unparsable) < _LISTED:
                self._summary.unparsable.append(f"{where.place(row)}: {shorten(url)}")
                self.left_out.append((where.place(row), url))


def _text(strings: pa.Array) -> pa.Array:
    """Strings with 32- or 64-bit offsets; an empty one is none."""
    if not (pa.types.is_string(strings.type) or pa.types.is_large_string(strings.type)):
        strings = strings.cast(pa.string())
    empty = pc.equal(strings, pa.scalar("", strings.type))
    if pc.any(empty).as_py():
        strings = pc.if_else(empty, pa.scalar(None, strings.type), strings)
    return strings
