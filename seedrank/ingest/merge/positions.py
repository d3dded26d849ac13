"""Positions: every row of a load has one, ascending in the order rows come; each leads back to its file and line."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator
from dataclasses import dataclass, replace

import numpy as np

from seedrank.loaders.base import Where

__all__ = ["Positions", "rows_of"]


@dataclass(frozen=True)
class _Span:
    """Rows of a batch; lines are kept as the rows where they jump, so that a span takes a few bytes."""

    where: Where
    jumps: np.ndarray
    lines: np.ndarray


def rows_of(where: Where, rows: np.ndarray) -> Where:
    """Where some rows of a batch stand."""
    return replace(where, lines=where.first + rows if where.lines is None else np.asarray(where.lines)[rows])


class Positions:
    """Gives each row two positions (its source's and its target's, for links), and one more after all of its batch."""

    def __init__(self) -> None:
        self._starts: list[int] = []
        self._spans: list[_Span] = []
        self._next = 0

    @property
    def next(self) -> int:
        """The position that comes next."""
        return self._next

    def take(self, where: Where, rows: int) -> np.ndarray:
        """int64 per row: its position; the next is free too, and the last + 2 + row comes after all of them."""
        jumps = lines = np.zeros(0, np.int64)
        if where.lines is not None:
            jumps = np.append(0, np.flatnonzero(np.diff(where.lines) != 1) + 1)[: len(where.lines)]
            lines = np.asarray(where.lines)[jumps]
        start = self._next
        self._starts.append(start)
        self._spans.append(_Span(Where(where.file, where.first, None, where.unit), jumps, lines))
        self._next = start + 3 * rows
        return np.arange(start, start + 2 * rows, 2)

    def where(self, position: int) -> Where:
        """Where the row of a position stands: row 0 of what is given."""
        where, _ = next(self.split(np.array([position])))
        return where

    def split(self, positions: np.ndarray) -> Iterator[tuple[Where, np.ndarray]]:
        """Ascending positions by batch: where their rows stand, and which of them it is."""
        spans = np.searchsorted(self._starts, positions, side="right") - 1
        for at in np.unique(spans).tolist():
            mine, span = np.flatnonzero(spans == at), self._spans[at]
            rows = (positions[mine] - self._starts[at]) // 2
            lines = span.where.first + rows
            if len(span.jumps):
                jump = np.searchsorted(span.jumps, rows, side="right") - 1
                lines = span.lines[jump] + rows - span.jumps[jump]
            yield replace(span.where, lines=lines), mine

    def end(self, position: int) -> str:
        """The column of a position of a row of links."""
        at = bisect_right(self._starts, position) - 1
        return ("source", "target")[(position - self._starts[at]) % 2]
