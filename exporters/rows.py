"""The pages of a run that are handed over: which of them, in its order, with their names."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from seedrank.core.errors import GraphError, UsageError
from seedrank.core.levels import Level
from seedrank.core.model import Status
from seedrank.core.order import rounded
from seedrank.core.urls import hosts
from seedrank.graph import WebGraph
from seedrank.graph.filters import allowed
from seedrank.runs import Ranking, Run

__all__ = ["Rows", "rows_of"]

TEXT = pa.large_string()
_AT_ONCE = 1 << 18
"""Pages that are looked at together."""
_DIVIDERS = r"\p{Z}\p{Cc}\x{fffe}\x{ffff}"
"""Characters that end a line or divide fields in some format, or that XML lacks."""
_WRITABLE = rf"^(?i:https?)://[^{_DIVIDERS}]+$"
"""URLs that keep to their line, field and element in every format: nothing that ends a line or divides fields."""
_WHEN = ("interval", "due")
"""Columns of a run that say when to come back."""
_TAKEN, _GONE, _MISSING, _NAMELESS, _UNWRITABLE = range(5)
_WHY = {
    _GONE: "no longer in the graph",
    _MISSING: "missing",
    _NAMELESS: "without a URL",
    _UNWRITABLE: "with a URL that has spaces or control characters, or is not http",
}


@dataclass(frozen=True)
class Rows:
    """Pages of a run, best first."""

    run: Run
    table: pa.Table
    """``id``, ``rank`` (place in the run, from 1), ``url``, ``host``, ``status`` and ``score``; of a run that says when
    to come back also ``interval`` (days, NaN for never) and ``due`` (a time, missing for never)."""
    left_out: Mapping[str, int]
    """How many pages were left out, by reason."""
    graph: WebGraph
    """Where the pages are; a run of hosts has a graph of hosts."""
    level: Level = "page"
    """What they are: people know hosts and domains by their names, programs that fetch by ``url``."""

    def __len__(self) -> int:
        return int(self.table.num_rows)

    @property
    def scheduled(self) -> bool:
        """Whether the run says when to come back to each page."""
        return all(name in self.table.column_names for name in _WHEN)

    def column(self, name: str) -> pa.Array:
        """A column in one piece."""
        values = self.table[name].combine_chunks()
        return values.chunk(0) if isinstance(values, pa.ChunkedArray) else values

    @cached_property
    def falling(self) -> bool:
        """Whether the scores say the same as the order: finite, from above 0, never below 0, never rising."""
        scores = rounded(self.column("score").to_numpy())
        return bool(np.isfinite(scores).all() and scores[0] > 0 and scores[-1] >= 0 and (np.diff(scores) <= 0).all())

    def shares(self) -> np.ndarray:
        """Scores over the best one where they fall, else by place: float64, 1 for the first page, never rising."""
        if self.falling:
            scores = self.column("score").to_numpy()
            # Scores that tie may differ in their last digits.
            return np.minimum.accumulate(scores) / scores[0]
        return np.arange(len(self), 0, -1) / len(self)


def rows_of(
    graph: WebGraph,
    run: Run,
    ranking: Ranking,
    *,
    top: int | None = None,
    only: Sequence[str] = (),
    exclude: Sequence[str] = (),
    with_missing: bool = False,
    level: Level = "page",
) -> Rows:
    """The pages of a run to hand over; none at all is an error.

    Parameters
    ----------
    graph
        The graph that the ranking's ids are of.
    top
        Pages at most, after everything else.
    only, exclude
        Conditions, as for methods (`seedrank.graph.filters`).
    with_missing
        Take pages that were missing when they were fetched too.
    level
        What a page of the graph is.
    """
    if top is not None and top < 1:
        raise UsageError("{top} must be at least 1", fields=("top",))
    if not graph.pages:
        raise GraphError("the graph has no pages", hint="load some")
    ids = np.asarray(ranking.pages, np.int64)
    there = ids < graph.pages
    places = np.flatnonzero(~there | allowed(graph, only, exclude, level)[np.where(there, ids, 0)])
    urls, why = _judged(graph, ids[places], top, with_missing)
    taken = np.flatnonzero(why == _TAKEN)[:top]
    # Of pages that would have come after the last one taken nothing is said.
    seen = why if top is None or len(taken) < top else why[: taken[-1] + 1]
    left_out = {text: count for code, text in _WHY.items() if (count := int((seen == code).sum()))}
    if not len(taken):
        told = ", ".join(f"{count:,} {text}" for text, count in left_out.items())
        raise UsageError(
            f"{run.name} has no page to hand over" + (f": {told}" if told else ""),
            hint="check {only} and {exclude}, or name another run",
            fields=("only", "exclude"),
        )
    chosen = places[taken]
    table = _named(graph, ids[chosen], chosen, urls.take(pa.array(taken)), ranking)
    return Rows(run, table, left_out, graph, level)


def _judged(graph: WebGraph, ids: np.ndarray, top: int | None, with_missing: bool) -> tuple[pa.Array, np.ndarray]:
    """The URL of each page, and why it is left out or that it is taken; no further than `top` pages that are taken."""
    urls, reasons, found = [], [], 0
    for start in range(0, len(ids), _AT_ONCE):
        part = ids[start : start + _AT_ONCE]
        there = part < graph.pages
        urls.append(_urls(graph, part, there))
        reasons.append(_reasons(graph, part, there, urls[-1], with_missing))
        found += int((reasons[-1] == _TAKEN).sum())
        if top is not None and found >= top:
            break
    return pa.concat_arrays([pa.array([], TEXT), *urls]), np.concatenate([np.zeros(0, np.int64), *reasons])


def _urls(graph: WebGraph, ids: np.ndarray, there: np.ndarray) -> pa.Array:
    if graph.urls is None:
        return pa.nulls(len(ids), TEXT)
    return _one(graph.urls.take(pa.array(ids, mask=~there)).cast(TEXT))


def _reasons(graph: WebGraph, ids: np.ndarray, there: np.ndarray, urls: pa.Array, with_missing: bool) -> np.ndarray:
    missing = np.zeros(len(ids), bool)
    if not with_missing:
        missing = there & (graph.status[np.where(there, ids, 0)] == Status.MISSING)
    named = urls.is_valid().to_numpy(zero_copy_only=False)
    writable = pc.fill_null(pc.match_substring_regex(urls, _WRITABLE), False).to_numpy(zero_copy_only=False)
    return np.select([~there, missing, ~named, ~writable], [_GONE, _MISSING, _NAMELESS, _UNWRITABLE], _TAKEN)


def _named(graph: WebGraph, ids: np.ndarray, places: np.ndarray, urls: pa.Array, ranking: Ranking) -> pa.Table:
    of_host = graph.host[ids]
    known = _one(graph.host_names.take(pa.array(of_host, mask=of_host < 0)).cast(TEXT))
    # Names may come from a user's column: one that would not keep to its line counts as missing.
    known = pc.if_else(pc.match_substring_regex(known, f"[{_DIVIDERS}]"), None, known)
    labels = pa.array([status.label for status in sorted(Status)], TEXT)
    return pa.table(
        {
            "id": ids,
            "rank": places + 1,
            "url": urls,
            "host": pc.coalesce(known, hosts(urls)) if known.null_count else known,
            "status": labels.take(pa.array(graph.status[ids])),
            "score": np.asarray(ranking.scores, np.float64)[places],
            **{name: ranking.columns[name][places] for name in _WHEN if name in ranking.columns},
        }
    )


def _one(values: pa.Array | pa.ChunkedArray) -> pa.Array:
    return values.combine_chunks() if isinstance(values, pa.ChunkedArray) else values
