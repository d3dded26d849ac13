"""What a statement gives back: a forward-only cursor over records."""

from __future__ import annotations

import weakref
from collections import deque
from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, Any, TypeAlias

import neo4j
import numpy as np

from seedrank.graphdb.py2neo.data import Node, Path, Relationship, Subgraph, hydrate

if TYPE_CHECKING:
    import pandas as pd

    from seedrank.graphdb.py2neo.database import Graph

    # pandas ships no types
    DataFrame: TypeAlias = pd.DataFrame
    Series: TypeAlias = pd.Series

__all__ = ["Cursor", "Record", "Table"]

_READ_AHEAD = 1_000
"""Records fetched at a time; the driver's own batch."""
_COUNTERS = (
    *("nodes_created", "nodes_deleted", "relationships_created", "relationships_deleted", "properties_set"),
    *("labels_added", "labels_removed", "indexes_added", "indexes_removed"),
    *("constraints_added", "constraints_removed"),
)


class Record(neo4j.Record):
    """A row: a tuple whose values can also be had by name, and that iterates over its values.

    ``keys``, ``values``, ``items``, ``get`` and ``index`` are those of the driver's record.
    """

    def data(self, *keys: int | str) -> dict[str, Any]:
        """The row (or some fields of it) as a dictionary; nodes and relationships stay what they are."""
        return dict(self.items(*keys))  # type: ignore[no-untyped-call]

    def to_subgraph(self) -> Subgraph | None:
        """Everything of the graph in this row, `None` where there is nothing."""
        return _subgraph([self])


class Table(list[Record]):
    """Records, and the names of their fields; prints as a table."""

    def __init__(self, records: Iterable[Record], keys: Sequence[str]) -> None:
        super().__init__(records)
        self._keys = list(keys)

    def keys(self) -> list[str]:
        """Names of the fields."""
        return self._keys

    def __repr__(self) -> str:
        columns = []
        for place, key in enumerate(self._keys):
            cells = [key, *(str(record[place]) for record in self)]
            width = max(map(len, cells))
            right = self and all(isinstance(record[place], int | float) for record in self)
            padded = [cell.rjust(width) if right else cell.ljust(width) for cell in cells]
            columns.append([padded[0], "-" * width, *padded[1:]])
        rows = list(zip(*columns, strict=True))
        return "\n".join(("-|-" if n == 1 else " | ").join(row).rstrip() for n, row in enumerate(rows))


class Cursor(Iterator[Record]):
    """A navigator over a stream of records, made by `Graph.run` and its like.

    Up to 1,000 records are read at once. A longer result is read as it is needed, and until its cursor has come to the
    end, is closed or forgotten, it holds a connection of its own (`session`; `None` where a transaction owns it); other
    statements may run meanwhile, and what the statement wrote is committed then.
    """

    def __init__(self, result: neo4j.Result, graph: Graph, session: neo4j.Session | None) -> None:
        self._result, self._graph = result, graph
        self._keys = list(result.keys())
        self._buffer: deque[Record] = deque()
        self._summary: neo4j.ResultSummary | None = None
        self.current: Record | None = None
        """The record the cursor stands on, `None` before the first and after the last."""
        # Closing a session reads its result to the end, so a cursor that is dropped still commits.
        self._release = weakref.finalize(self, session.close) if session is not None else lambda: None
        # Errors appear here; a short result is complete here, and what it wrote is there for the next statement.
        self._fill(_READ_AHEAD)

    def _fill(self, amount: int | None) -> None:
        """Read ahead until `amount` records wait (all of them for `None`)."""
        if self._summary is not None:
            return
        fresh = self._result if amount is None else self._result.fetch(max(0, amount - len(self._buffer)))
        for record in fresh:
            values = (hydrate(value, self._graph) for value in record)
            self._buffer.append(Record(zip(self._keys, values, strict=True)))  # type: ignore[no-untyped-call]
        if amount is None or len(self._buffer) < amount or self._result.peek() is None:
            self._finish()

    def _finish(self) -> None:
        if self._summary is None:
            self._summary = self._result.consume()
        self._release()

    def forward(self, amount: int = 1) -> int:
        """Move on by at most `amount` records; gives how far it went, 0 at the end."""
        if amount < 0:
            raise ValueError("a cursor only moves forward")
        for moved in range(amount):
            if not self._buffer:
                self._fill(_READ_AHEAD)
            self.current = self._buffer.popleft() if self._buffer else None
            if self.current is None:
                return moved
        return amount

    def __next__(self) -> Record:
        if not self.forward() or self.current is None:
            raise StopIteration
        return self.current

    def keys(self) -> list[str]:
        """Names of the fields."""
        return self._keys

    def evaluate(self, field: int | str = 0) -> Any:
        """One value of the next record; `None` where there is no record or no such field."""
        try:
            return next(self)[field]
        except (StopIteration, IndexError, KeyError):
            return None

    def data(self, *keys: int | str) -> list[dict[str, Any]]:
        """All remaining records (or some fields of them) as dictionaries."""
        return [record.data(*keys) for record in self]

    def preview(self, limit: int = 1) -> Table:
        """The next records, without moving."""
        if limit < 0:
            raise ValueError("a preview has 0 records or more")
        self._fill(limit)
        return Table(list(self._buffer)[:limit], self._keys)

    def summary(self) -> neo4j.ResultSummary:
        """The driver's summary: timings, notifications, counters. Reads ahead; the cursor does not move."""
        self._fill(None)
        assert self._summary is not None
        return self._summary

    def stats(self) -> dict[str, int | bool]:
        """What the statement changed: ``nodes_created``, ``properties_set`` and so on, zeros included."""
        counters = self.summary().counters
        return {"contained_updates": counters.contains_updates, **{name: getattr(counters, name) for name in _COUNTERS}}

    def plan(self) -> dict[str, Any] | None:
        """The plan of an ``EXPLAIN`` or ``PROFILE``, `None` for other statements."""
        return self.summary().profile or self.summary().plan

    def close(self) -> None:
        """Let go of the remaining records."""
        self._finish()
        self._buffer.clear()
        self.current = None

    def to_table(self) -> Table:
        """All remaining records as a list that prints as a table."""
        return Table(self, self._keys)

    def to_subgraph(self) -> Subgraph | None:
        """Everything of the graph in the remaining records, `None` where there is nothing."""
        return _subgraph(list(self))

    def to_data_frame(self, index: Any = None, columns: Any = None, dtype: Any = None) -> DataFrame:
        """All remaining records as a pandas data frame, a column per field; the arguments are those of pandas."""
        import pandas as pd

        rows = list(self)
        by_field = {key: [row[place] for row in rows] for place, key in enumerate(self._keys)}
        return pd.DataFrame(by_field, index=index, columns=columns, dtype=dtype)

    def to_series(self, field: int | str = 0, index: Any = None, dtype: Any = None) -> Series:
        """One field of all remaining records as a pandas series."""
        import pandas as pd

        return pd.Series([record[field] for record in self], index=index, dtype=dtype)

    def to_ndarray(self, dtype: Any = None, order: Any = "K") -> np.ndarray:
        """All remaining records as a NumPy array of two dimensions."""
        return np.array([list(record) for record in self], dtype=dtype, order=order).reshape(-1, len(self._keys))

    def __repr__(self) -> str:
        return repr(self.preview(3))


def _subgraph(records: list[Record]) -> Subgraph | None:
    """What is of the graph in records, at any depth."""
    nodes: list[Node] = []
    relationships: list[Relationship] = []

    def collect(value: Any) -> None:
        if isinstance(value, Node | Relationship | Path):
            nodes.extend(value.nodes)
            relationships.extend(value.relationships)
        elif isinstance(value, list | tuple | dict):
            for item in value.values() if isinstance(value, dict) else value:
                collect(item)

    collect(records)
    return Subgraph(nodes, relationships) if nodes else None
