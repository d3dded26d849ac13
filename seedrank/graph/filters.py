"""Which pages may be chosen: ``--only`` and ``--exclude`` by host, URL or column, and pages or whatever has a URL."""

from __future__ import annotations

import re
from collections.abc import Sequence

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from seedrank.core.errors import GraphError, UsageError
from seedrank.core.levels import Level
from seedrank.core.model import NON_PAGES, Status
from seedrank.graph import WebGraph

__all__ = ["allowed", "matching"]

_TYPE = "type"
_CONDITION = re.compile(r"(?P<name>[A-Za-z_]\w*)\s*(?P<sign><=|>=|!=|=|<|>)\s*(?P<value>.*)", re.DOTALL)
_COMPARE = {
    "<": np.less, "<=": np.less_equal, ">": np.greater, ">=": np.greater_equal, "=": np.equal, "!=": np.not_equal
}  # fmt: skip
_TRUTH = {"true": 1.0, "false": 0.0}
_NEXT = "such as host=*.example.org, url=*/docs/*, status=crawled or clicks>0"


def allowed(
    graph: WebGraph,
    only: Sequence[str] = (),
    exclude: Sequence[str] = (),
    level: Level = "page",
    *,
    non_pages: bool = True,
) -> np.ndarray:
    """Boolean per page: matches every condition of `only` and none of `exclude`; `level` is that of the graph.

    Without `non_pages` only what is a page: no robots.txt, image or other type of `seedrank.core.model.NON_PAGES`.
    """
    pages = np.ones(graph.pages, bool)
    if not non_pages and _TYPE in graph.text_names:
        others = pc.is_in(graph.text(_TYPE), pa.array(NON_PAGES, graph.text(_TYPE).type))
        pages &= ~pc.fill_null(others, False).to_numpy().astype(bool)
    for condition in only:
        pages &= matching(graph, condition, level)
    for condition in exclude:
        pages &= ~matching(graph, condition, level)
    return pages


def matching(graph: WebGraph, condition: str, level: Level = "page") -> np.ndarray:
    """Boolean per page: whether it meets a condition.

    Parameters
    ----------
    condition
        ``host=PATTERN``, ``url=PATTERN`` or ``status=PATTERN`` (``*`` and ``?`` stand for anything), ``COLUMN=VALUE``
        and the other signs ``!= < <= > >=`` for numbers; ``true`` and ``false`` are 1 and 0. A page without a value
        meets no condition.
    level
        What a page of the graph is; domains are also asked for by ``domain=PATTERN``.
    """
    parts = _CONDITION.fullmatch(condition.strip())
    if parts is None:
        raise UsageError(f"{condition!r} is not a valid condition", hint=_NEXT)
    name, sign, value = parts["name"], parts["sign"], parts["value"]
    if name == "host" or name == level == "domain":
        if not len(graph.host_names):
            raise GraphError("no page has a host", hint="load URLs or a host column")
        of_host = np.append(_texts(graph.host_names, sign, value, condition), False)
        return of_host[graph.host]
    if name == "url":
        if graph.urls is None:
            raise GraphError("no page has a URL", hint="limit pages by another column")
        return _texts(graph.urls, sign, value, condition)
    if name == "status":
        labels = pa.chunked_array([[status.label for status in sorted(Status)]])
        return _texts(labels, sign, value, condition)[graph.status]
    if name in graph.text_names:
        return _texts(graph.text(name), sign, value, condition)
    column = graph.column(name)
    try:
        number = _TRUTH[value.lower()] if value.lower() in _TRUTH else float(value)
    except ValueError:
        raise UsageError(f"{condition!r}: column {name} holds numbers", hint=_NEXT) from None
    return _COMPARE[sign](column, number) & ~np.isnan(column)


def _texts(values: pa.ChunkedArray, sign: str, pattern: str, condition: str) -> np.ndarray:
    if sign not in ("=", "!="):
        raise UsageError(f"{condition!r}: text is compared with = or !=", hint=_NEXT)
    matches = pc.fill_null(pc.match_substring_regex(values, f"^(?:{_regex(pattern)})$"), False)
    found = matches.to_numpy().astype(bool)
    return found if sign == "=" else ~found & values.is_valid().to_numpy().astype(bool)


def _regex(pattern: str) -> str:
    """A glob pattern as RE2 takes it: Python's translation without its wrapping."""
    return "".join(".*" if c == "*" else "." if c == "?" else re.escape(c) for c in pattern)
