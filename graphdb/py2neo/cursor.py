"""What a statement gives back: a forward-only cursor over records."""

from __future__ import annotations

import weakref
from collections import deque
from collections.abc import Iterator, Sequence
from functools import partial
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

READ_AHEAD = 1_000
"""Records fetched at a time; the driver's own batch."""


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
    """Records that print as a table.

    Parameters
    ----------
    records
        The rows.
    keys
        Names of the fields.
    """

    def __init__(self, records: Sequence[Record], keys: Sequence[str]) -> None:
        super().__init__(records)
        self._keys = list(keys)

    def keys(self) -> list[str]:
        """Names of the fields."""
        return self._keys

    def __repr__(self) -> str:
        cells = [self._keys, *([str(value) for value in record] for record in self)]
        widths = [max(map(len, column)) for column in zip(*cells, strict=True)]
        right = [all(isinstance(r[i], int | float) for r in self) and len(self) > 0 for i in range(len(widths))]
        lines = [
            " | ".join(c.rjust(w) if r else c.ljust(w) for c, w, r in zip(row, widths, right, strict=True)).rstrip()
            for row in cells
        ]
        return "\n".join([lines[0], "-|-".join("-" * width for width in widths), *lines[1:]])


class Cursor:
    """A navigator over a stream of records, made by `Graph.run` and its like.

    Up to 1,000 records are read at once. A longer result is read as it is needed, and until its cursor has come to the
    end, is closed or forgotten, it holds a connection of its own; other statements may run meanwhile, and what the
    statement wrote is committed then.

    Parameters
    ----------
    result
        The driver's result.
    graph
        The database it came from.
    session
        A session to close after the last record; `None` where a transaction owns it.
    """

    def __init__(self, result: neo4j.Result, graph: Graph, session: neo4j.Session | None) -> None:
        self._result = result
        self._hydrate = partial(hydrate, graph=graph)
        self._keys = list(result.keys())
        self._buffer: deque[Record] = deque()
        self._current: Record | None = None
        self._summary: neo4j.ResultSummary | None = None
        # Closing a session reads its result to the end, so a cursor that is dropped still commits.
        self._release = weakref.finalize(self, session.close) if session is not None else None
        # Errors appear here; a short result is complete here, and what it wrote is there for the next statement.
        self._fill(READ_AHEAD)

    def _fill(self, amount: int | None) -> None:
        """Read ahead until `amount` records wait (all of them for `None`)."""
        if self._summary is not None:
            return
        fresh = self._result if amount is None else self._result.fetch(max(0, amount - len(self._buffer)))
        for record in fresh:
            self._buffer.append(Record(zip(self._keys, map(self._hydrate, record), strict=True)))  # type: ignore[no-untyped-call]
        if amount is None or len(self._buffer) < amount or self._result.peek() is None:
            self._summary = self._result.consume()
            if self._release is not None:
                self._release()

    @property
    def current(self) -> Record | None:
        """The record the cursor stands on, `None` before the first and after the last."""
        return self._current

    def forward(self, amount: int = 1) -> int:
        """Move on.

        Parameters
        ----------
        amount
            How many records at most.

        Returns
        -------
        int
            How far it went; 0 at the end.
        """
        if amount < 0:
            raise ValueError("a cursor only moves forward")
        moved = 0
        while moved < amount:
            if not self._buffer:
                self._fill(READ_AHEAD)
            if not self._buffer:
                self._current = None
                break
            self._current = self._buffer.popleft()
            moved += 1
        return moved

    def __next__(self) -> Record:
        if self.forward():
            assert self._current is not None
            return self._current
        raise StopIteration

    def __iter__(self) -> Iterator[Record]:
        return self

    def keys(self) -> list[str]:
        """Names of the fields."""
        return self._keys

    def evaluate(self, field: int | str = 0) -> Any:
        """One value of the next record; `None` where there is no record or no such field."""
        if not self.forward():
            return None
        assert self._current is not None
        try:
            return self._current[field]
        except (IndexError, KeyError):
            return None

    def data(self, *keys: int | str) -> list[dict[str, Any]]:
        """All remaining records (or some fields of them) as dictionaries."""
        return [record.data(*keys) for record in self]

    def preview(self, limit: int = 1) -> Table:
        """The next records, without moving."""
        if limit < 0:
            raise ValueError("a preview has 0 records or more")
        self._fill(limit)
        return Table([record for record, _ in zip(self._buffer, range(limit), strict=False)], self._keys)

    def stats(self) -> dict[str, int | bool]:
        """What the statement changed: ``nodes_created``, ``properties_set`` and so on, zeros included.

        Reads the rest of the records ahead; the cursor does not move.
        """
        counters = self._finished().counters
        names = (
            *("nodes_created", "nodes_deleted", "relationships_created", "relationships_deleted", "properties_set"),
            *("labels_added", "labels_removed", "indexes_added", "indexes_removed"),
            *("constraints_added", "constraints_removed"),
        )
        return {"contained_updates": counters.contains_updates, **{name: getattr(counters, name) for name in names}}

    def summary(self) -> neo4j.ResultSummary:
        """The driver's summary: timings, notifications, counters."""
        return self._finished()

    def plan(self) -> dict[str, Any] | None:
        """The plan of an ``EXPLAIN`` or ``PROFILE``, `None` for other statements."""
        summary = self._finished()
        return summary.profile or summary.plan

    def _finished(self) -> neo4j.ResultSummary:
        self._fill(None)
        assert self._summary is not None
        return self._summary

    def close(self) -> None:
        """Let go of the remaining records."""
        if self._summary is None:
            self._summary = self._result.consume()
        if self._release is not None:
            self._release()
        self._buffer.clear()
        self._current = None

    def to_table(self) -> Table:
        """All remaining records as a list that prints as a table."""
        return Table(list(self), self._keys)

    def to_subgraph(self) -> Subgraph | None:
        """Everything of the graph in the remaining records, `None` where there is nothing."""
        return _subgraph(list(self))

    def to_data_frame(self, index: Any = None, columns: Any = None, dtype: Any = None) -> DataFrame:
        """All remaining records as a pandas data frame, a column per field.

        Parameters
        ----------
        index
            Labels of the rows; 0, 1, … by default.
        columns
            Which fields; all by default.
        dtype
            Type of all columns; by default each has its own.
        """
        import pandas as pd

        records = list(self)
        by_field = dict(zip(self._keys, zip(*records, strict=True), strict=True)) if records else {}
        return pd.DataFrame(
            {key: list(by_field.get(key, ())) for key in self._keys}, index=index, columns=columns, dtype=dtype
        )

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
    parts: list[Subgraph] = []

    def collect(value: Any) -> None:
        if isinstance(value, Node | Relationship | Path):
            parts.append(value)
        elif isinstance(value, list | tuple):
            for item in value:
                collect(item)
        elif isinstance(value, dict):
            for item in value.values():
                collect(item)

    collect(records)
    if not parts:
        return None
    return Subgraph((n for part in parts for n in part.nodes), (r for part in parts for r in part.relationships))
