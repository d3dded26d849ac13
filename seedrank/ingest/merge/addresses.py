"""URLs as they come in: prefixed and normalised; what cannot be parsed is listed."""

from __future__ import annotations

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from seedrank.core import urls
from seedrank.core.errors import InputError, shorten
from seedrank.loaders.base import LoadOptions, Summary, Where
from seedrank.loaders.rejects import Rejects

__all__ = ["Addresses", "valid_rows"]

_LISTED = 20
_UNPARSABLE = "is not a URL that can be parsed"


class Addresses:
    """What becomes of URLs."""

    def __init__(self, options: LoadOptions, summary: Summary, rejects: Rejects | None = None) -> None:
        self._options, self._summary, self._rejects = options, summary, rejects
        self.folds = options.merge_variants
        """Whether variants of a URL are one page: then its key is not the URL."""
        self.left_out: list[tuple[str, str]] = []
        """The first URLs that could not be parsed, each after its place."""

    def normal(self, strings: pa.Array) -> tuple[pa.Array, np.ndarray]:
        """The normal forms, null where there is none; and whether each is there and cannot be parsed."""
        strings = self.prefixed(strings)
        if self._options.urls == "verbatim":
            return strings, np.zeros(len(strings), np.bool_)
        normal, ok = urls.normalise(strings)
        return normal, ~ok & valid_rows(strings)

    def prefixed(self, strings: pa.Array) -> pa.Array:
        """Strings with the prefix of the load; an empty one is none."""
        strings = _text(strings)
        if self._options.url_prefix:
            prefix, nothing = (pa.scalar(text, strings.type) for text in (self._options.url_prefix, ""))
            strings = pc.binary_join_element_wise(prefix, strings, nothing)
        return strings

    def key(self, normal: pa.Array) -> pa.Array:
        """What a page is known by."""
        return urls.fold_variants(normal) if self.folds else normal

    def leave_out(self, strings: pa.Array, where: Where, column: str) -> None:
        """List the first of some URLs that cannot be parsed; `where` has the line of each.

        Raises
        ------
        InputError
            Where the load is strict.
        """
        strings = self.prefixed(strings)
        tolerant = self._rejects is not None and self._rejects.tolerant
        if self._rejects is not None and tolerant:
            self._rejects.add(_UNPARSABLE, where, np.arange(len(strings)), lambda row: strings[row].as_py())
        for row, url in enumerate(strings[:_LISTED].to_pylist()):
            place = where.place(row)
            if self._options.strict:
                raise InputError(
                    _UNPARSABLE,
                    file=place,
                    column=column,
                    value=url,
                    hint="mend it, or leave out {strict} to skip such rows",
                    fields=("strict",),
                )
            if len(self.left_out) < _LISTED:
                self.left_out.append((place, url))
                if not tolerant:  # else they are told among the rejects
                    self._summary.unparsable.append(f"{place}: {shorten(url)}")


def valid_rows(array: pa.Array) -> np.ndarray:
    """Whether each row is not null."""
    if not array.null_count:
        return np.ones(len(array), np.bool_)
    valid: np.ndarray = array.is_valid().to_numpy(zero_copy_only=False)
    return valid


def _text(strings: pa.Array) -> pa.Array:
    """Strings with 32- or 64-bit offsets; an empty one is none."""
    if not (pa.types.is_string(strings.type) or pa.types.is_large_string(strings.type)):
        strings = strings.cast(pa.string())
    empty = pc.equal(strings, pa.scalar("", strings.type))
    if pc.any(empty).as_py():
        strings = pc.if_else(empty, pa.scalar(None, strings.type), strings)
    return strings
