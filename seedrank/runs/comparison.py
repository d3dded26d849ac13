"""Two kept answers side by side: what was asked otherwise, and what came out otherwise."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
import pyarrow as pa

from seedrank.core.errors import UsageError
from seedrank.core.tables import SHOWN, Sheet, as_html, as_text, pairs, sheet_of
from seedrank.runs import experiment_files
from seedrank.runs.record import Ranking, Run
from seedrank.runs.store import RunStore

__all__ = ["Comparison", "compare", "correlation", "moves_of"]


@dataclass(frozen=True)
class Comparison:
    """What differs between two runs."""

    first: Run
    second: Run
    """The records."""
    changed: Mapping[str, tuple[Any, Any]]
    """Parameters (and ``method``, ``graph``, ``engine``, ``version``) that differ: both values."""
    facts: Mapping[str, Any]
    """Numbers about the answers: pages of each, shared pages, overlap (shared / all, in [0, 1]) and, over shared pages,
    Spearman's correlation of their ranks; for experiments how many claims changed their verdict."""
    moves: pa.Table
    """For rankings: ``id``, ``rank_first``, ``rank_second``, ``move`` (places won in the second), the most moved pages
    first, then those in one answer only. For experiments: the claims with both verdicts, changed first."""

    def __repr__(self) -> str:
        return as_text(self._heading(), self._sheets())

    def _repr_html_(self) -> str:
        """What differs, and the first rows, as a notebook shows them."""
        return as_html(self._heading(), self._sheets())

    def _heading(self) -> str:
        both = f"{self.first.name} ({self.first.method}) and {self.second.name} ({self.second.method})"
        return both if self.changed else f"{both}: the same was asked of the same graph"

    def _sheets(self) -> list[Sheet]:
        changed = [(name, one, other) for name, (one, other) in self.changed.items()]
        what, rows = "claims" if "claim" in self.moves.column_names else "moves", self.moves.num_rows
        first = f", the first {SHOWN} of {rows:,}" if rows > SHOWN else ""
        return [
            *([Sheet(("asked", "first", "second"), changed, "asked otherwise")] if changed else []),
            pairs(self.facts, "facts"),
            sheet_of(self.moves, f"{what}{first}"),
        ]


def compare(runs: RunStore, first: str, second: str) -> Comparison:
    """Compare two kept runs by name (``run:ID`` or ``run:latest``)."""
    one, other = runs.record(first), runs.record(second)
    if one.kind != other.kind:
        raise UsageError(
            f"{one.name} ({one.method}) and {other.name} ({other.method}) cannot be compared", hint="name two of a kind"
        )
    changed = _changed(one, other)
    if experiment_files.charted(runs, one):
        claims = [experiment_files.read(runs.folder_of(run.id)).claims for run in (one, other)]
        moves, facts = _verdicts(
            *({f"{claim.claim}: {claim.part}".removesuffix(": "): claim for claim in some} for some in claims)
        )
    else:
        moves, facts = moves_of(runs.ranking(one), runs.ranking(other))
    return Comparison(one, other, changed, facts, moves)


def _changed(one: Run, other: Run) -> dict[str, tuple[Any, Any]]:
    pairs: dict[str, tuple[Any, Any]] = {
        name: (getattr(one, name), getattr(other, name)) for name in ("method", "graph", "engine", "version")
    }
    for name in [*one.parameters, *(name for name in other.parameters if name not in one.parameters)]:
        pairs.setdefault(name, (one.parameters.get(name), other.parameters.get(name)))
    return {name: (a, b) for name, (a, b) in pairs.items() if json.dumps(a, default=str) != json.dumps(b, default=str)}


def moves_of(one: Ranking, other: Ranking) -> tuple[pa.Table, dict[str, Any]]:
    """What moved from one order to another, and numbers about it: `Comparison.moves` and `Comparison.facts`."""
    shared, here, there = np.intersect1d(one.pages, other.pages, return_indices=True)
    move = here - there
    order = np.lexsort((here, -np.abs(move)))
    only_one = np.setdiff1d(np.arange(len(one.pages)), here)
    only_other = np.setdiff1d(np.arange(len(other.pages)), there)
    ids = np.concatenate([shared[order], one.pages[only_one], other.pages[only_other]])
    count, lost, new = len(shared), len(only_one), len(only_other)
    first = np.concatenate([here[order] + 1, only_one + 1, np.zeros(new, np.int64)])
    second = np.concatenate([there[order] + 1, np.zeros(lost, np.int64), only_other + 1])
    absent = np.arange(len(ids)) >= count
    table = pa.table(
        {
            "id": pa.array(ids.astype(np.int64)),
            "rank_first": pa.array(first, mask=first == 0),
            "rank_second": pa.array(second, mask=second == 0),
            "move": pa.array(np.concatenate([move[order], np.zeros(lost + new, np.int64)]), mask=absent),
        }
    )
    facts = {
        "pages of the first": len(one.pages),
        "pages of the second": len(other.pages),
        "shared": count,
        "overlap": count / len(ids) if len(ids) else 1.0,
        "rank correlation": correlation(here, there),
    }
    return table, facts


def correlation(here: np.ndarray, there: np.ndarray) -> float | None:
    """Spearman's correlation of places; `None` with fewer than two."""
    if len(here) < 2:
        return None
    ranks = [np.argsort(np.argsort(places)) for places in (here, there)]
    return float(np.corrcoef(ranks[0], ranks[1])[0, 1])


def _verdicts(one: Mapping[str, Any], other: Mapping[str, Any]) -> tuple[pa.Table, dict[str, Any]]:
    rows = [
        {
            "claim": name,
            **{
                f"{what}_{which}": getattr(claims[name], field) if name in claims else None
                for what, field in (("verdict", "outcome"), ("measured", "measured"))
                for which, claims in (("first", one), ("second", other))
            },
        }
        for name in [*one, *(name for name in other if name not in one)]
    ]
    rows.sort(key=lambda row: row["verdict_first"] == row["verdict_second"])
    changed = sum(row["verdict_first"] != row["verdict_second"] for row in rows)
    names = ("claim", "verdict_first", "verdict_second", "measured_first", "measured_second")
    schema = pa.schema([(name, pa.string()) for name in names])
    return pa.Table.from_pylist(rows, schema), {"claims": len(rows), "verdicts that changed": changed}
