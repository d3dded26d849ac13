"""Traps for crawlers: URL prefixes under which pages never end.

Signs are counted over the pages of a prefix: many queries of several parameters (faceted search), many numbers in a
path or many dates (calendars), many numbers of pages in a query (listings without end), session ids, paths that are
deep, paths that repeat a part.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from urllib.parse import urlsplit

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from seedrank.engines.kernels.suspicious import path_shapes
from seedrank.graph import WebGraph
from seedrank.graph.webgraph import url_blocks, url_bytes
from seedrank.loaders.lines import truth
from seedrank.methods.suspicious.found import Found
from seedrank.questions.graph import StatsQuestion
from seedrank.questions.question import default_of

__all__ = ["traps", "traps_of"]

_ASP = r"/\((?:[A-Za-z]\([^()/]*\))+\)(?:/|$)"
"""A session as ASP.NET writes it into the path: /(S(…))/."""
_SESSION = (
    r"(?i)[?&;/](?:jsessionid|phpsessid|session_?id|sess_?id|sid|aspsessionid\w*|cfid|cftoken|oscsid|zenid|s_id)="
    rf"|{_ASP}"
)
_DAY = r"(?:19|20)[0-9]{2}[-/](?:0?[1-9]|1[0-2])[-/](?:0?[1-9]|[12][0-9]|3[01])"
_DATED = rf"^[^:]*://[^/?#]*/(?:[^?#]*[/_-])?{_DAY}(?:\.[A-Za-z]{{2,5}})?/?$"
"""A path that ends in a whole date; articles by date have a title behind it."""
_DATE_ASKED = r"(?i)^[^?#]*\?(?:date|day|week|month|year|when|cal(?:endar)?)=[0-9][0-9./:-]*$"
_PAGE_ASKED = r"(?i)^[^?#]*\?(?:page|paged|pg|pagenum|page_?no|start|offset)=[0-9]+$"
_FIRST = r"^([^:]*://[^/?#]*/[^/?#;]*).*$"
_NUMBERS = r"[0-9]+"


@dataclass(frozen=True)
class _Sign:
    """What a trap is told by."""

    pages: Callable[[pa.Array, np.ndarray, np.ndarray], np.ndarray]
    """Which URLs of a block show it: boolean; takes the URLs, the parts of their paths and their repeats."""
    prefix: Callable[[pa.Array], pa.Array]
    """What they are counted by."""
    least: int
    """Pages at least."""
    why: str
    """The reason, with ``{pages}``."""


def traps(graph: WebGraph, *, pages: int, fan_out: int, depth: int, repeats: int) -> list[Found]:
    """URL prefixes that look like traps, those with the most pages first.

    Parameters
    ----------
    graph
        The graph; its pages have URLs.
    pages
        Pages of a prefix at least that have a session id, are too deep or repeat a part.
    fan_out
        Pages at least that differ in their query only, or in numbers only.
    depth
        Parts of a path from which on it is deep.
    repeats
        How often a path has the same part, at least.
    """
    signs = _signs(pages, fan_out, depth, repeats)
    counted: list[list[pa.Table]] = [[] for _ in signs]
    for _, urls in url_blocks(graph):
        parts, same = path_shapes(*url_bytes(urls))
        for sign, tables in zip(signs, counted, strict=True):
            shown = urls.filter(pa.array(sign.pages(urls, parts, same)))
            if len(shown):
                tables.append(
                    pa.table({"prefix": sign.prefix(shown)}).group_by("prefix").aggregate([([], "count_all")])
                )
    found = [
        one
        for sign, tables in zip(signs, counted, strict=True)
        if tables
        for one in _listed(sign, pa.concat_tables(tables))
    ]
    return sorted(found, key=lambda one: -one.pages)


def traps_of(graph: WebGraph) -> np.ndarray:
    """Boolean per page: whether it shows a sign of a trap, under a prefix where enough do (by the usual limits)."""
    limits = (default_of(StatsQuestion, f"trap_{name}") for name in ("pages", "fan_out", "depth", "repeats"))
    signs = _signs(*limits)
    flags = np.zeros(graph.pages, bool)
    for sign in signs:
        shown, prefixes = [], []
        for begin, urls in url_blocks(graph):
            own = np.flatnonzero(sign.pages(urls, *path_shapes(*url_bytes(urls))))
            shown.append(begin + own)
            prefixes.append(sign.prefix(urls.take(pa.array(own))))
        if shown:
            number = pa.chunked_array(prefixes).combine_chunks().dictionary_encode().indices.to_numpy()
            flags[np.concatenate(shown)[np.bincount(number)[number] >= sign.least]] = True
    return flags


def _signs(pages: int, fan_out: int, depth: int, repeats: int) -> list[_Sign]:
    return [
        _Sign(_faceted, _path_alone, fan_out, "{pages} pages differ in a query of two parameters or more"),
        _Sign(_numbered, _pattern, fan_out, "{pages} pages differ in two numbers of the path or more, like a calendar"),
        _Sign(_shown(_DATED), _pattern, fan_out, "{pages} pages differ in the date of the path only, like a calendar"),
        _Sign(_shown(_DATE_ASKED), _path_alone, fan_out, "{pages} pages differ in the date of the query only"),
        _Sign(_shown(_PAGE_ASKED), _path_alone, fan_out, "{pages} pages are numbered in the query, and nothing else"),
        _Sign(_shown(_SESSION), _without_session, pages, "{pages} URLs have a session id"),
        _Sign(
            lambda urls, parts, same: same >= repeats,
            _first_part,
            pages,
            f"{{pages}} paths have the same part {repeats} times or more",
        ),
        _Sign(
            lambda urls, parts, same: parts >= depth, _first_part, pages, f"{{pages}} paths have {depth} parts or more"
        ),
    ]


def _listed(sign: _Sign, counted: pa.Table) -> list[Found]:
    """Prefixes with enough pages."""
    total = counted.group_by("prefix").aggregate([("count_all", "sum")])
    many = total.filter(pc.greater_equal(total["count_all_sum"], sign.least))
    return [
        Found("trap", prefix, pages, sign.why.format(pages=f"{pages:,}"), [_host(prefix)])
        for prefix, pages in zip(many["prefix"].to_pylist(), many["count_all_sum"].to_pylist(), strict=True)
    ]


def _host(prefix: str) -> str:
    try:
        return urlsplit(prefix).netloc
    except ValueError:
        return ""


def _faceted(urls: pa.Array, parts: np.ndarray, same: np.ndarray) -> np.ndarray:
    return truth(pc.match_substring_regex(urls, r"^[^?#]*\?[^#]*=[^#]*[&;][^#]*="))


def _numbered(urls: pa.Array, parts: np.ndarray, same: np.ndarray) -> np.ndarray:
    """Paths, without a query, that have two numbers or more in parts of their own."""
    numbers = truth(pc.match_substring_regex(urls, r"^[^:]*://[^/?#]*(?:/[^?#]*)?/[0-9]+(?:/[^?#]*)?/[0-9]+/?$"))
    return numbers & ~truth(pc.match_substring_regex(urls, _DATED))


def _shown(expression: str) -> Callable[[pa.Array, np.ndarray, np.ndarray], np.ndarray]:
    """URLs that match."""
    return lambda urls, parts, same: truth(pc.match_substring_regex(urls, expression))


def _without_session(urls: pa.Array) -> pa.Array:
    return _first_part(pc.replace_substring_regex(urls, _ASP, "/(S(*))/"))


def _path_alone(urls: pa.Array) -> pa.Array:
    return pc.replace_substring_regex(urls, r"\?.*$", "?")


def _pattern(urls: pa.Array) -> pa.Array:
    """The URL with a star for each number of its path; those of its host stay."""
    split = pc.extract_regex(urls, r"^(?P<host>[^:]*://[^/]*)(?P<path>.*)$")
    path = pc.replace_substring_regex(split.field("path"), _NUMBERS, "*")
    return pc.binary_join_element_wise(split.field("host"), path, pa.scalar("", pa.large_string()))


def _first_part(urls: pa.Array) -> pa.Array:
    return pc.replace_substring_regex(urls, _FIRST, r"\1")
