"""Functions of users as seedrank calls them: each gets what it declares, by the names of its parameters."""

from __future__ import annotations

import difflib
import inspect
import re
import traceback
from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from seedrank.core.errors import GraphError, SeedrankError, UsageError, shorten
from seedrank.graph import WebGraph

__all__ = ["Columns", "call", "check_function", "failure", "first_line"]

_NAME = re.compile(r"[a-z][a-z0-9]*(-[a-z0-9]+)*")


def check_function(name: Any, function: Any) -> None:
    """Refuse a name that nobody could type, and a function whose parameters have no names to give by."""
    if not isinstance(name, str) or not _NAME.fullmatch(name):
        raise UsageError(f"{shorten(name)} cannot be a name", hint="write it like degree-discount")
    if not callable(function):
        raise UsageError(f"{shorten(function)} is no function", hint=f"put the decorator of {name} above one")
    for one in inspect.signature(function).parameters.values():
        if one.kind in (one.POSITIONAL_ONLY, one.VAR_POSITIONAL, one.VAR_KEYWORD):
            raise UsageError(f"{name} declares {one}, which has no name to give by", hint="declare what it needs")


def first_line(function: Callable[..., Any], otherwise: str) -> str:
    """What a function says of itself, in a line."""
    return (inspect.getdoc(function) or otherwise).partition("\n")[0]


class Columns:
    """Page columns of a graph by the names that a function may declare.

    Parameters
    ----------
    graph
        The graph: its columns of numbers and texts, and ``url``, ``status`` and ``host``.
    known
        Boolean per page: where numbers are known, NaN elsewhere; everywhere when `None`.
    """

    def __init__(self, graph: WebGraph, known: np.ndarray | None = None) -> None:
        self._graph, self._known = graph, known
        self._held: dict[str, np.ndarray] = {}
        self.names = ["url"] * (graph.urls is not None) + ["status", "host", *graph.column_names]

    def __getitem__(self, name: str) -> np.ndarray:
        """A column, indexed by page id; read once."""
        if name not in self._held:
            self._held[name] = self._read(name)
        return self._held[name]

    def _read(self, name: str) -> np.ndarray:
        graph = self._graph
        texts = graph.urls if name == "url" else graph.text(name) if name in graph.text_names else None
        if texts is not None:
            return texts.to_numpy()
        if name in ("status", "host"):
            return graph.status if name == "status" else graph.host
        values = np.asarray(graph.column(name))
        return values if self._known is None else np.where(self._known, values, np.nan)


def call(name: str, function: Callable[..., Any], known: Mapping[str, Callable[[], Any]], columns: Columns) -> Any:
    """What a function gives, called with what it declares.

    Parameters
    ----------
    name, function
        What it was registered as.
    known
        What it may ask for, by name; made when it does.
    columns
        Any other name is one of these; a parameter with a default keeps it where there is no such column.
    """
    values: dict[str, Any] = {}
    for one in inspect.signature(function).parameters.values():
        if one.name in known:
            values[one.name] = known[one.name]()
        elif one.name in columns.names:
            values[one.name] = columns[one.name]
        elif one.default is one.empty:
            near = difflib.get_close_matches(one.name, [*known, *columns.names], 1)
            raise GraphError(
                f"{name} asks for {one.name}, and pages have no such column",
                hint=f"did you mean {near[0]}?" if near else f"declare {', '.join(known)} or a page column",
            )
    try:
        return function(**values)
    except SeedrankError:
        raise
    except Exception as error:
        raise failure(name, error) from error


def failure(name: str, error: Exception) -> SeedrankError:
    """What went wrong in a function of the user's, in one line; the error itself is its cause."""
    last = traceback.extract_tb(error.__traceback__)[-1]
    reason = str(error).partition("\n")[0]
    return SeedrankError(
        f"{name} failed: {type(error).__name__}: {shorten(reason)} ({last.filename}, line {last.lineno})",
        hint="mend the function; it is not part of seedrank",
    )
