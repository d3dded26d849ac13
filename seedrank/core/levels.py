"""Levels: what a node of a graph is, and how a host or domain is addressed and named.

In a graph of hosts or domains each of them is one page, ``http://name/``. People give and see the name.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, Literal

import pyarrow as pa
import pyarrow.compute as pc

from seedrank.core.urls import hosts, normalise, registered_domain

if TYPE_CHECKING:
    from seedrank.core.changes import Load

__all__ = [
    "LEVELS",
    "PLURAL",
    "HostWeights",
    "Level",
    "addresses",
    "addresses_of_names",
    "coarser",
    "guesses",
    "name_column",
    "names",
    "stored_level",
]

Level = Literal["page", "host", "domain"]
"""What a node is."""

LEVELS: tuple[Level, ...] = ("page", "host", "domain")
PLURAL = {"page": "pages", "host": "hosts", "domain": "domains"}

HostWeights = Literal["links", "pages"]
"""What a link between two hosts weighs: the links between their pages, or the pages that link."""

_NAME = r"^[^\s/?#@\\]*[^\s/?#@\\0-9][^\s/?#@\\]*$"
"""Some of it is no digit: a number is an id, though a URL parser would take it for an IP address."""
_ADDRESS = r"^http://[^\s/?#@\\]+/$"
_SCHEME = r"^[A-Za-z][A-Za-z0-9+.-]*://"
_AUTHORITY = r"^https?://([^/?#]*).*$"


def addresses(named: pa.Array, level: Level) -> pa.Array:
    """The address of each host or domain.

    Parameters
    ----------
    named
        Names, such as ``example.org``, or URLs, which stand for their host or registered domain; nulls allowed.
    level
        ``host`` or ``domain``.

    Returns
    -------
    pa.Array
        ``http://name/``; what is neither a name nor a URL stays as it is, which no URL parser takes.
    """
    named = pc.utf8_trim_whitespace(named)
    name = pc.match_substring_regex(named, _NAME)
    found = addresses_of_names(named)
    if pc.all(name).as_py() is not False:
        return found
    is_url = pc.and_(pc.match_substring_regex(named, _SCHEME), pc.invert(pc.match_substring_regex(named, _ADDRESS)))
    rest = named
    if pc.any(is_url).as_py():
        rest = pc.replace_with_mask(named, pc.fill_null(is_url, False), _of_urls(named.filter(is_url), level))
    return pc.if_else(name, found, rest)


def guesses(named: pa.Array, level: Level) -> Iterator[pa.Array]:
    """Addresses that people may mean by a URL, or by the name of a host or domain; the likeliest first.

    A host may be known without ``www.``, as in Common Crawl's graphs; a domain is asked for by one of its hosts.
    """
    # As it stands first: a store may have been loaded verbatim.
    yield named
    if level == "page":
        yield normalise(named)[0]
        return
    given = addresses(named, level)
    yield given
    normal, _ = normalise(given)
    yield normal
    of_url = hosts(normal)
    yield addresses_of_names(of_url)
    if level == "domain":
        yield addresses_of_names(registered_domain(of_url))
    else:
        yield addresses_of_names(pc.replace_substring_regex(of_url, r"^www\.", ""))


def names(urls: pa.Array | pa.ChunkedArray) -> pa.Array | pa.ChunkedArray:
    """Names of hosts or domains by their addresses."""
    return pc.replace_substring_regex(urls, r"^http://([^/]*)/$", r"\1")


def stored_level(loads: Sequence[Load]) -> Level | None:
    """What a node of a store is by its loads; `None` where nothing was loaded yet."""
    return loads[-1].level if loads else None


def coarser(level: Level, other: Level) -> bool:
    """Whether a node of `level` holds several of `other`."""
    return LEVELS.index(level) > LEVELS.index(other)


def name_column(columns: Iterable[str]) -> str:
    """Which column of a table with the names of pages holds them: ``url``, ``host`` or ``domain``."""
    there = set(columns)
    return next((name for name in ("url", "host", "domain") if name in there), "url")


def _of_urls(urls: pa.Array, level: Level) -> pa.Array:
    """Addresses of the hosts or domains that URLs belong to; a URL that cannot be parsed stays."""
    normal, _ = normalise(urls)
    if level == "domain":
        found = addresses_of_names(registered_domain(hosts(normal)))
    else:
        found = pc.replace_substring_regex(normal, _AUTHORITY, r"http://\1/")
    return pc.coalesce(found.cast(urls.type), urls)


def addresses_of_names(named: pa.Array | pa.ChunkedArray) -> pa.Array | pa.ChunkedArray:
    """``http://name/`` of each name, whatever it is."""
    before, after, nothing = (pa.scalar(text, named.type) for text in ("http://", "/", ""))
    return pc.binary_join_element_wise(before, named, after, nothing)
