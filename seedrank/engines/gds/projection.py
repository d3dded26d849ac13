"""A graph in the server's memory, as an engine sees it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from seedrank.core.errors import StoreError

__all__ = ["Projection"]


@dataclass(frozen=True)
class Projection:
    """A graph in the server's memory, by name, and which page each of its nodes is."""

    name: str
    pages: int
    links: int
    nodes: np.ndarray | None = None
    """int64 per page: its node; a page's node is its id when `None`."""
    present: np.ndarray | None = None
    """Boolean per page: has a node; all have when `None`."""

    @cached_property
    def _by_node(self) -> tuple[np.ndarray, np.ndarray]:
        assert self.nodes is not None
        order = np.argsort(self.nodes)
        return self.nodes[order], order

    def nodes_of(self, pages: np.ndarray) -> list[int]:
        """The nodes of these pages, without those that have none."""
        if self.present is not None:
            pages = pages[self.present[pages]]
        return list((pages if self.nodes is None else self.nodes[pages]).tolist())

    def pages_of(self, nodes: Sequence[int]) -> np.ndarray:
        """The pages these nodes are, int64."""
        ids = np.array(nodes, np.int64)
        if self.nodes is None:
            return ids
        known, order = self._by_node
        places = np.minimum(np.searchsorted(known, ids), max(len(known) - 1, 0))
        if len(ids) and not np.array_equal(known[places], ids):
            raise StoreError("the graph was changed meanwhile", hint="repeat the command")
        return np.asarray(order[places])

    def spread(self, rows: Sequence[Mapping[str, Any]], values: np.ndarray, column: str = "value") -> np.ndarray:
        """`values` with what the rows' lists `node` and `column` say."""
        for row in rows:
            values[self.pages_of(row["node"])] = row[column]
        return values
