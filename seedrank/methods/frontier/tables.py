"""Impact from files: events summed over a time, and what became known of frontier pages later."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime

import numpy as np
import pyarrow as pa

from seedrank.core.errors import InputError
from seedrank.loaders.base import Batch
from seedrank.loaders.columns import convert
from seedrank.loaders.pagelist import PageList
from seedrank.loaders.table import TableSource
from seedrank.loaders.times import TIME, utc, within

__all__ = ["Find", "Later", "events_impact", "later_impact"]

Find = Callable[[PageList], tuple[np.ndarray, np.ndarray]]
"""Ids of the pages of a list (-1 where no page has it) and which were found, as `PageNames.find` gives them."""


def events_impact(
    files: Sequence[str], name: str, find: Find, pages: int, since: datetime | None, until: datetime | None
) -> tuple[np.ndarray, int]:
    """Impact summed from events.

    Parameters
    ----------
    files
        Tables with ``time``, ``url`` or ``id``, and the column `name`.
    name
        ``clicks`` or ``views``; an event without clicks and views is one view.
    find
        Finds pages.
    since, until
        Events from this time (included) to that time (excluded) count; all by default.

    Returns
    -------
    impact, unknown
        float64 per page; and how many of the events' pages are not in the graph.
    """
    parts = []
    for batch in TableSource(events=files).batches():
        inside = _in_time(batch, since, until)
        rows = batch.rows
        if name in rows.schema.names:
            values = convert(rows.column(name), pa.float64(), column=name, where=batch.where).fill_null(0)
        elif name == "views" and "clicks" not in rows.schema.names:
            values = pa.array(np.ones(rows.num_rows))
        else:
            raise InputError(
                "events have no column {name}",
                file=batch.where.file,
                hint="name it with {impact}",
                fields=("impact",),
                values={"name": repr(name)},
            )
        parts.append(_summed(_keys(batch), values, inside))
    keys, sums = _whole(parts)
    ids, known = find(PageList("events", keys, sums))
    return np.bincount(ids[known], sums[known], minlength=pages), int((~known).sum())


@dataclass(frozen=True)
class Later:
    """What became known of pages later."""

    impact: np.ndarray
    """float64 per page, NaN where it is not known."""
    named: np.ndarray
    """Boolean per page: whether the table names it, with a value or without."""
    unknown: int = 0
    unknown_such_as: Sequence[str] = ()
    """Rows of the table whose page is not in the graph, and the first three of them."""

    @property
    def known(self) -> np.ndarray:
        """Boolean per page: whether its impact is known."""
        return ~np.isnan(self.impact)


def later_impact(file: str, name: str, find: Find, pages: int) -> Later:
    """What became known of pages later, from a table with ``url`` or ``id`` and the column `name`."""
    truth, named, unknown = np.full(pages, np.nan), np.zeros(pages, np.bool_), 0
    such_as: list[str] = []
    for batch in TableSource(pages=[file]).batches():
        if name not in batch.rows.schema.names:
            raise InputError(
                "has no column {name}",
                file=file,
                hint="name the column of impact with {impact}",
                fields=("impact",),
                values={"name": repr(name)},
            )
        column = convert(batch.rows.column(name), pa.float64(), column=name, where=batch.where)
        keys = _keys(batch)
        values = np.asarray(column.fill_null(np.nan).to_numpy(), np.float64)
        ids, known = find(PageList(file, keys, values))
        wrong = np.flatnonzero(known & ((values < 0) | np.isinf(values)))
        if len(wrong):
            raise InputError(
                "impact below 0 or without end",
                file=file,
                column=name,
                value=float(values[wrong[0]]),
                hint="mend the column",
            )
        truth[ids[known]], named[ids[known]] = values[known], True
        unknown += int((~known).sum())
        such_as += [str(keys[int(row)].as_py()) for row in np.flatnonzero(~known)[: 3 - len(such_as)]]
    return Later(truth, named, unknown, such_as)


def _keys(batch: Batch) -> pa.Array:
    if "url" in batch.rows.schema.names:
        return convert(batch.rows.column("url"), pa.string(), column="url", where=batch.where)
    return convert(batch.rows.column("id"), pa.int64(), column="id", where=batch.where)


def _summed(keys: pa.Array, values: pa.Array, inside: np.ndarray) -> pa.Table:
    table = pa.table({"key": keys, "value": values}).filter(pa.array(inside))
    return table.group_by("key").aggregate([("value", "sum")]).rename_columns(["key", "value"])


def _whole(parts: list[pa.Table]) -> tuple[pa.Array, np.ndarray]:
    if not parts:
        return pa.nulls(0, pa.string()), np.empty(0)
    table = pa.concat_tables(parts).group_by("key").aggregate([("value", "sum")])
    return table["key"].combine_chunks(), np.asarray(table["value_sum"].to_numpy(), np.float64)


def _in_time(batch: Batch, since: datetime | None, until: datetime | None) -> np.ndarray:
    if since is None and until is None:
        return np.ones(batch.rows.num_rows, np.bool_)
    times = convert(batch.rows.column("time"), TIME, column="time", where=batch.where)
    return within(times, utc(since), utc(until))
