"""Mirrors inside a host: folders that hold the same paths, and whose pages link to the same pages.

Each folder's paths below it are hashed; folders of one host with like signatures are compared in full, as hosts are
for mirrors. Of two folders that are alike, pages with the same path below it are duplicates where most of their links
lead to the same pages, duplicates counted as one. Folders that differ in a number or a language are editions, and stay.
Pages of such a folder that are not crawled are duplicates where the same path is known below the other.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

import numpy as np
import pyarrow as pa
from scipy import sparse

from seedrank.core.model import Status
from seedrank.engines.kernels.suspicious import folders, likeness, signatures
from seedrank.graph import WebGraph, frozen
from seedrank.graph.webgraph import url_blocks, url_bytes
from seedrank.methods.suspicious.mirrors import bands, candidates

__all__ = ["Duplicates", "MirroredFolder", "duplicates"]

LIKE = 0.8
"""Paths that two folders have in common over those that either has, at least; links of two pages alike."""
LEAST = 10
"""Pages of a folder at least."""
_DIGIT = re.compile(r"\d")
_EDITION = re.compile(r"\d|^[a-z]{2}(?:[-_][a-zA-Z]{2,4})?$")


@dataclass(frozen=True)
class MirroredFolder:
    """A folder that repeats another of its host: URL prefixes, and how many of its crawled pages are duplicates."""

    folder: str
    original: str
    pages: int


@dataclass(frozen=True)
class Duplicates:
    """Pages that repeat others."""

    of: np.ndarray
    """int64 per page: the page it repeats, -1 for none; never one that repeats another itself."""
    folders: list[MirroredFolder]
    """Where they are, those with the most first."""

    @property
    def flags(self) -> np.ndarray:
        """Boolean per page: whether it repeats another."""
        return np.asarray(self.of >= 0)


@dataclass(frozen=True)
class _Folders:
    """Folders with enough crawled pages: their prefixes, and their paths (hashes, ascending) with the page of each."""

    prefixes: list[str]
    starts: np.ndarray
    paths: np.ndarray
    pages: np.ndarray

    def of(self, one: int) -> slice:
        return slice(int(self.starts[one]), int(self.starts[one + 1]))


def duplicates(graph: WebGraph, *, like: float = LIKE, least: int = LEAST) -> Duplicates:
    """Pages that repeat others of their host: crawled ones by path and by links, others by path in the same folders.

    Parameters
    ----------
    graph
        The graph; nothing repeats where its pages have no URLs.
    like
        Likeness of folders and of links, at least.
    least
        Pages of a folder at least, and names among those repeated that are no numbers.
    """
    of = np.full(graph.pages, -1, np.int64)
    found: list[MirroredFolder] = []
    held = _folders(graph, least)
    for first, second in _alike(held, like) if len(held.prefixes) > 1 else []:
        _, a, b = np.intersect1d(held.paths[held.of(first)], held.paths[held.of(second)], return_indices=True)
        originals, copies = held.pages[held.of(first)][a], held.pages[held.of(second)][b]
        originals = np.where(of[originals] >= 0, of[originals], originals)
        free = (of[copies] < 0) & (originals != copies) & ~np.isin(originals, copies)
        originals, copies = originals[free], copies[free]
        same = _same_links(graph, of, originals, copies) >= like
        if _telling(graph, copies[same]) >= least:
            of[copies[same]] = originals[same]
            of[of >= 0] = np.where(of[of[of >= 0]] >= 0, of[of[of >= 0]], of[of >= 0])
            found.append(MirroredFolder(held.prefixes[second], held.prefixes[first], int(same.sum())))
    if found:
        _add_uncrawled(graph, of, found)
    return Duplicates(of, sorted(found, key=lambda one: (-one.pages, one.folder)))


def _add_uncrawled(graph: WebGraph, of: np.ndarray, found: Sequence[MirroredFolder]) -> None:
    """Note the pages that are not crawled and stand in folders that repeat others."""
    copies, originals = (_hashes(getattr(one, name) for one in found) for name in ("folder", "original"))
    known = np.unique(np.concatenate([copies, originals]))
    page, _, before, after = _ways(graph, lambda pages, hashes: np.isin(hashes, known))
    crawled = graph.status == Status.CRAWLED
    for copy, original in zip(copies, originals, strict=True):
        own, other = (
            slice(*(np.searchsorted(before, one, side) for side in ("left", "right"))) for one in (copy, original)
        )
        _, a, b = np.intersect1d(after[own], after[other], return_indices=True)
        here, there = page[own][a], page[other][b]
        there = np.where(of[there] >= 0, of[there], there)
        free = ~crawled[here] & (of[here] < 0) & (here != there)
        of[here[free]] = there[free]
        of[of >= 0] = np.where(of[of[of >= 0]] >= 0, of[of[of >= 0]], of[of >= 0])


def _hashes(prefixes: Iterable[str]) -> np.ndarray:
    """The hash of each folder, by its URL."""
    number, _, before, _ = folders(*url_bytes(pa.array(list(prefixes), pa.large_string())))
    return before[np.append(number[1:] != number[:-1], True)]


def _ways(
    graph: WebGraph, wanted: Callable[[np.ndarray, np.ndarray], np.ndarray]
) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
    """Every folder of each URL as `folders` gives it, by its hash; of each path below it one page, the first.

    `wanted` takes pages and hashes of folders, and says which to take.
    """
    parts: list[tuple[np.ndarray, ...]] = [(*(np.empty(0, np.int64),) * 2, *(np.empty(0, np.uint64),) * 2)]
    for begin, urls in url_blocks(graph):
        number, length, before, after = folders(*url_bytes(urls))
        own = wanted(begin + number, before)
        parts.append((number[own] + begin, length[own], before[own], after[own]))
    page, length, before, after = (np.concatenate(column) for column in zip(*parts, strict=True))
    order = np.lexsort((page, after, before))
    page, length, before, after = page[order], length[order], before[order], after[order]
    new = np.ones(len(page), bool)
    new[1:] = (before[1:] != before[:-1]) | (after[1:] != after[:-1])
    return page[new], length[new], before[new], after[new]


def _folders(graph: WebGraph, least: int) -> _Folders:
    crawled = graph.status == Status.CRAWLED
    page, length, before, after = _ways(graph, lambda pages, hashes: crawled[pages])
    if not len(page):
        return _Folders([], np.zeros(1, np.int64), np.empty(0, np.uint64), np.empty(0, np.int64))
    _, first, sizes = np.unique(before, return_index=True, return_counts=True)
    wanted = sizes >= least
    keep = np.repeat(wanted, sizes)
    assert graph.urls is not None
    urls = graph.urls.take(pa.array(page[first[wanted]])).to_pylist()
    prefixes = [
        url.encode()[:stop].decode(errors="replace") for url, stop in zip(urls, length[first[wanted]], strict=True)
    ]
    return _Folders(prefixes, np.append(0, np.cumsum(sizes[wanted])), after[keep], page[keep])


def _alike(held: _Folders, like: float) -> list[tuple[int, int]]:
    """Folders with the paths of another of their host, each after that one; those with the most pages first."""
    places, width = bands(like)
    seeds = np.random.default_rng(1).integers(0, 2**63, places).astype(np.uint64)
    starts, paths = frozen(held.starts), frozen(held.paths)
    left, right = candidates(signatures(starts, paths, frozen(seeds)), width)
    host = np.array([prefix.split("/", 3)[2] for prefix in held.prefixes], object)
    own = host[left] == host[right]
    left, right = left[own], right[own]
    close = likeness(starts, paths, frozen(left), frozen(right)) >= like
    several = sparse.coo_array((np.ones(int(close.sum())), (left[close], right[close])), (len(host), len(host)))
    _, group = sparse.csgraph.connected_components(several, directed=False)
    originals: dict[int, list[int]] = {}
    pairs = []
    for one in sorted(range(len(host)), key=lambda one: _reading(held.prefixes[one])):
        known = originals.setdefault(int(group[one]), [])
        first = next((other for other in known if not _editions(held.prefixes[other], held.prefixes[one])), None)
        if first is None:
            known.append(one)
        else:
            pairs.append((first, one))
    sizes = np.diff(held.starts)
    return sorted(pairs, key=lambda pair: (-int(sizes[pair[1]]), len(held.prefixes[pair[0]]), pair))


def _editions(one: str, other: str) -> bool:
    """Whether two folders differ in a number or a language: versions, dates, translations; or one lies in the other."""
    if one.startswith(other) or other.startswith(one):
        return True
    a, b = one.split("/")[3:-1], other.split("/")[3:-1]
    while a and b and a[0] == b[0]:
        a, b = a[1:], b[1:]
    while a and b and a[-1] == b[-1]:
        a, b = a[:-1], b[:-1]
    return any(_EDITION.search(part) for part in (*a, *b))


def _telling(graph: WebGraph, pages: np.ndarray) -> int:
    """How many names of pages say something: numbered ones (``p12.html``) and index files are in many folders."""
    if not len(pages):
        return 0
    assert graph.urls is not None
    urls = graph.urls.take(pa.array(pages)).to_pylist()
    names = (url.partition("?")[0].rpartition("/")[2].partition(".")[0] for url in urls)
    return len(
        {name for name in names if name and not _DIGIT.search(name) and name.lower() not in ("index", "default")}
    )


def _reading(prefix: str) -> tuple[int, int, str]:
    return prefix.count("/"), len(prefix), prefix


def _same_links(graph: WebGraph, of: np.ndarray, originals: np.ndarray, copies: np.ndarray) -> np.ndarray:
    """Per pair: link targets of both over those of either, with duplicates as the pages they repeat; 1 without any."""
    to = np.where(of >= 0, of, np.arange(len(of)))
    to[copies] = originals
    a, b = _targets(graph, to, originals), _targets(graph, to, copies)
    both = np.intersect1d(a, b, assume_unique=True)
    counts = [np.bincount(keys // graph.pages, minlength=len(copies)) for keys in (a, b, both)]
    either = counts[0] + counts[1] - counts[2]
    return np.where(either == 0, 1.0, counts[2] / np.maximum(either, 1))


def _targets(graph: WebGraph, to: np.ndarray, pages: np.ndarray) -> np.ndarray:
    """Distinct link targets of each page as ``row · pages + target``, ascending; links to itself do not count."""
    begin = graph.out_offsets[pages]
    count = graph.out_offsets[pages + 1] - begin
    row = np.repeat(np.arange(len(pages)), count)
    starts = np.append(0, np.cumsum(count))
    target = to[graph.out_targets[np.repeat(begin - starts[:-1], count) + np.arange(starts[-1])]]
    other = target != to[pages][row]
    return np.unique(row[other] * graph.pages + target[other])
