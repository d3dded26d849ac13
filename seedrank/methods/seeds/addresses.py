"""Addresses of one page in several forms, and how far two addresses lie apart. Whole Arrow arrays at a time."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from seedrank.core.urls import fold_variants, hosts

__all__ = ["FORMS", "folded_hosts", "steps_between"]

_INDEX = r"^([^?]*?)/(?:(?i:index|default)\.(?i:html?|xhtml|shtml|php|aspx?|jsp))?(\?.*)?$"
"""A folder's address: a slash and perhaps an index file, then perhaps a query."""


def _without_index(urls: pa.Array) -> pa.Array:
    return pc.replace_substring_regex(fold_variants(urls), _INDEX, r"\1\2")


FORMS: tuple[Callable[[pa.Array], pa.Array], ...] = (
    fold_variants,
    _without_index,
    lambda urls: pc.utf8_lower(_without_index(urls)),
)
"""Keys under which forms of an address are one, the closest first: without scheme and ``www.``, then without a slash or
index file at the end, then without letter case."""


def folded_hosts(names: pa.Array) -> pa.Array:
    """Host names without ``www.``, as `fold_variants` has them; null where there is none."""
    before, after, between = (pa.scalar(text, pa.large_string()) for text in ("http://", "/", ""))
    return hosts(fold_variants(pc.binary_join_element_wise(before, names.cast(pa.large_string()), after, between)))


def steps_between(urls: pa.Array, url: str) -> np.ndarray:
    """Steps from each of `urls` to `url` in the tree of folders, int64: up to the last folder they share, then down.

    Scheme, ``www.`` and query do not count.
    """
    places = _place(urls)
    parts = _place(pa.array([url], pa.large_string()))[0].as_py().split("/")
    shared = np.zeros(len(urls), np.int64)
    for depth in range(3, len(parts)):  # the first three are scheme, nothing and host
        folder = "/".join(parts[:depth]) + "/"
        shared += pc.starts_with(places, folder).to_numpy(zero_copy_only=False)
    depths = pc.count_substring(places, "/").to_numpy(zero_copy_only=False).astype(np.int64) - 2
    return np.asarray(depths + (len(parts) - 3) - 2 * shared)


def _place(urls: pa.Array) -> pa.Array:
    return pc.replace_substring_regex(fold_variants(urls), r"\?.*$", "")
