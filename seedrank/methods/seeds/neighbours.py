"""Pages of a newer graph that are like pages of an older one: by address, by links, by host.

The list of seeds is short and the graph is not: what grows with the graph is done for all pages of a host at once.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from seedrank.core.model import Status
from seedrank.core.urls import fold_variants, hosts, normalise
from seedrank.graph import WebGraph

__all__ = ["FORMS", "Neighbours", "folded_hosts", "links_of", "steps_between"]

_NONE = np.iinfo(np.int64).max


class Neighbours:
    """Crawled pages on the hosts of seeds that are gone; each method gives a page per seed, -1 where there is none."""

    def __init__(self, graph: WebGraph, gone: pa.Array) -> None:
        assert graph.urls is not None
        self.graph = graph
        self.urls = gone
        text, _ = normalise(gone)
        named = folded_hosts(hosts(text))
        known = named.unique().drop_null()
        names = folded_hosts(graph.host_names.combine_chunks())
        of_host = np.append(_place(names, known), -1)  # the last for pages without a host
        site = of_host[graph.host]
        self.site = _place(named, known)
        """Per seed: its host, -1 where it has none or no page is on it."""
        # By host, ascending within one: the first of equals is the one with the smallest id.
        pages = np.flatnonzero((site >= 0) & (graph.status == Status.CRAWLED))
        self.pages = pages[np.argsort(site[pages], kind="stable")]
        self.starts = np.searchsorted(site[self.pages], np.arange(len(known) + 1))
        self.addresses = graph.urls.take(pa.array(self.pages)).combine_chunks()
        self._links: tuple[int, np.ndarray, np.ndarray] = (-1, np.empty(0), np.empty(0))

    def in_another_form(self) -> np.ndarray:
        """By address: scheme, ``www.``, slash or index file at the end, letter case; the closest form first."""
        found = np.full(len(self.urls), -1, np.int64)
        text, _ = normalise(self.urls)
        for form in FORMS:
            wanted = form(text.cast(pa.large_string()))
            keys = wanted.unique().drop_null()
            place = _place(form(self.addresses), keys)
            first = np.full(len(keys) + 1, _NONE)
            np.minimum.at(first, place, self.pages)  # -1 is the last, which no seed asks for
            first[-1] = _NONE
            there = first[_place(wanted, keys)]
            found = np.where((found < 0) & (there < _NONE), there, found)
        return found

    def with_the_same_links(
        self, wanted: np.ndarray, counts: np.ndarray, rows: np.ndarray, targets: np.ndarray
    ) -> tuple[np.ndarray, np.ndarray]:
        """On the seed's host, the page that has the most link targets of the old one, ties by the closest path.

        Parameters
        ----------
        wanted
            Boolean per seed.
        counts
            Link targets of the old page, per seed.
        rows, targets
            Seed, and page of this graph that the old page links to, by seed.

        Returns
        -------
        pages, similarity
            And the share of the old page's link targets.
        """
        found, alike = np.full(len(self.urls), -1, np.int64), np.zeros(len(self.urls))
        starts = np.searchsorted(rows, np.arange(len(self.urls) + 1))
        flags = np.zeros(self.graph.pages, bool)
        asked = np.flatnonzero(wanted & (self.site >= 0) & (counts > 0))
        for seed in asked[np.argsort(self.site[asked], kind="stable")]:  # the links of a host are gathered once
            own = targets[starts[seed] : starts[seed + 1]]
            flags[own] = True
            first, shared = self._links_into(flags, int(self.site[seed]))
            flags[own] = False
            if not shared.any():
                continue
            best = first + np.flatnonzero(shared == shared.max())
            if len(best) > 1:
                steps = steps_between(self.addresses.take(pa.array(best)), self.urls[int(seed)].as_py())
                best = best[steps == steps.min()]
            found[seed], alike[seed] = self.pages[best[0]], shared.max() / counts[seed]
        return found, alike

    def with_the_most_links(self, wanted: np.ndarray) -> np.ndarray:
        """On the seed's host, the page with the most links to crawled pages, one at least."""
        crawled = self.graph.status == Status.CRAWLED
        best = np.full(len(self.starts), -1, np.int64)
        for site in np.unique(self.site[wanted & (self.site >= 0)]):
            first, count = self._links_into(crawled, int(site))
            if count.any():
                best[site] = self.pages[first + int(count.argmax())]
        return np.where(wanted & (self.site >= 0), best[self.site], -1)

    def _links_into(self, flags: np.ndarray, site: int) -> tuple[int, np.ndarray]:
        """Where the pages of a host begin, and how many flagged pages each of them links to."""
        first, last = int(self.starts[site]), int(self.starts[site + 1])
        if self._links[0] != site:
            self._links = (site, *links_of(self.graph, self.pages[first:last]))
        _, offsets, targets = self._links
        return first, np.diff(np.append(0, np.cumsum(flags[targets]))[offsets])


def links_of(graph: WebGraph, pages: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Targets of the links of some pages, one after the other, and where those of each begin."""
    begin = graph.out_offsets[pages]
    count = graph.out_offsets[pages + 1] - begin
    offsets = np.append(0, np.cumsum(count))
    return offsets, graph.out_targets[np.repeat(begin - offsets[:-1], count) + np.arange(offsets[-1])]


def _place(values: pa.Array, known: pa.Array) -> np.ndarray:
    """Place of each of `values` in `known`, int64, -1 where it is not there."""
    place = pc.index_in(values, value_set=known.cast(values.type), skip_nulls=True)
    return np.asarray(pc.fill_null(place, -1).to_numpy(zero_copy_only=False), np.int64)


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
    places = _path_of(urls)
    parts = _path_of(pa.array([url], pa.large_string()))[0].as_py().split("/")
    shared = np.zeros(len(urls), np.int64)
    for depth in range(3, len(parts)):  # the first three are scheme, nothing and host
        folder = "/".join(parts[:depth]) + "/"
        shared += pc.starts_with(places, folder).to_numpy(zero_copy_only=False)
    depths = pc.count_substring(places, "/").to_numpy(zero_copy_only=False).astype(np.int64) - 2
    return np.asarray(depths + (len(parts) - 3) - 2 * shared)


def _path_of(urls: pa.Array) -> pa.Array:
    return pc.replace_substring_regex(fold_variants(urls), r"\?.*$", "")
