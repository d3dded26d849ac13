"""Two ranks side by side, of different times or methods: who entered, who left, who moved, how alike their tops are."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from seedrank.core.errors import InputError, UsageError, shorten
from seedrank.core.levels import name_column
from seedrank.core.urls import turned
from seedrank.loaders.cc_files import holds_ranks, read_ranks
from seedrank.loaders.compressed import Input
from seedrank.loaders.pagelist import read_name_list
from seedrank.runs import Ranking
from seedrank.runs.comparison import correlation, moves_of
from seedrank.session import Session
from seedrank.session.kept_runs import kept_answer

__all__ = ["TOPS", "RankChange", "compare_ranks"]

TOPS = (100, 1_000, 10_000)
"""First places of the old rank whose order is compared."""
_POSITION = {"harmonic": "harmonicc_pos", "pagerank": "pr_pos"}


@dataclass(frozen=True)
class RankChange:
    """What changed from an old rank to a new one."""

    facts: Mapping[str, Any]
    """How many are in each, ``entered``, ``left``, ``moved`` and ``unmoved``, and of the first 100, 1,000 and 10,000 of
    the old rank: the share that is among as many first of the new one (``kept of 100``), and Spearman's correlation of
    the places of those that the new one has at all (``rank correlation of 100``)."""
    moves: pa.Table
    """``url``, ``host`` or ``name``, ``rank_old``, ``rank_new``, ``move`` (places won) and ``change``; the most moved
    first, then those that left, then those that entered."""


def compare_ranks(old: str, new: str, *, by: str = "harmonic", session: Session | None = None) -> RankChange:
    """Compare two ranks by name.

    Parameters
    ----------
    old, new
        ``run:ID`` of a ranking, a file of ranks in Common Crawl's form (`seedrank.loaders.cc_files.RANKS`), or a list
        or table of URLs or names, best first, such as ``rank … -o FILE`` writes.
    by
        ``harmonic`` or ``pagerank``: whose positions count in files and in runs of ``rank centrality``; another run has
        one order.
    session
        The store of the runs; not needed for files.
    """
    if by not in _POSITION:
        raise UsageError("{by} is harmonic or pagerank, not {given}", fields=("by",), values={"given": shorten(by)})
    (what, first), (other, second) = (_ranked(name, by, session) for name in (old, new))
    if "url" in (what, other) and what != other:
        raise UsageError(
            f"{old if what == 'url' else new} ranks pages, the other one hosts or domains", hint="rank one level"
        )
    names = pa.chunked_array([first, second], pa.large_string()).combine_chunks().dictionary_encode()
    ids = names.indices.to_numpy(zero_copy_only=False).astype(np.int64)
    rankings = [Ranking(part, np.zeros(len(part))) for part in (ids[: len(first)], ids[len(first) :])]
    moves, known = moves_of(*rankings)
    places = {name: moves[name].to_numpy() for name in ("rank_first", "rank_second", "move")}
    change = np.select(
        [np.isnan(places["rank_second"]), np.isnan(places["rank_first"]), places["move"] != 0],
        ["left", "entered", "moved"],
        "unmoved",
    )
    facts = {"old": len(first), "new": len(second)}
    facts |= {kind: int((change == kind).sum()) for kind in ("entered", "left", "moved", "unmoved")}
    facts["rank correlation"] = known["rank correlation"]
    table = pa.table(
        {
            what if what == other else "name": names.dictionary.take(moves["id"]),
            "rank_old": moves["rank_first"],
            "rank_new": moves["rank_second"],
            "move": moves["move"],
            "change": pa.array(change, pa.string()),
        }
    )
    return RankChange(facts | _tops(*(one.pages for one in rankings)), table)


def _tops(old: np.ndarray, new: np.ndarray) -> dict[str, Any]:
    """How much of the first places of `old` is kept, and in which order; for as many as it has."""
    facts: dict[str, Any] = {}
    for count in TOPS:
        if count > len(old):
            break
        _, here, there = np.intersect1d(old[:count], new, return_indices=True)
        facts[f"kept of {count:,}"] = float((there < count).sum() / count)
        facts[f"rank correlation of {count:,}"] = correlation(here, there)
    return facts


def _ranked(name: str, by: str, session: Session | None) -> tuple[str, pa.Array]:
    """What is ranked, and the names in their order."""
    if not name.startswith("run:"):
        return _of_file(name, by)
    if session is None:
        raise UsageError(f"{name} is kept in a store", hint="open it, and compare there")
    table = kept_answer(session, name, "ranking").table
    if by == "pagerank" and "pr_pos" in table.column_names:
        table = table.sort_by("pr_pos")
    what = name_column(table.column_names)
    names = table[what].cast(pa.large_string()).combine_chunks()
    if names.null_count:
        raise UsageError(f"{name} ranks pages without a URL", hint="compare them by `runs compare`")
    return what, names


def _of_file(file: str, by: str) -> tuple[str, pa.Array]:
    """What a file ranks, and the names in their order; never one twice."""
    source = Input(file)
    source.check()
    what, names = ("host", _of_ranks(source, by)) if holds_ranks(source) else _of_list(file)
    counts = names.value_counts()
    if len(counts) < len(names):
        twice = counts.filter(pc.greater(counts.field("counts"), 1)).field("values")[0].as_py()
        raise InputError("a name is there twice", file=file, value=twice, hint="give the ranks of one graph")
    return what, names


def _of_list(file: str) -> tuple[str, pa.Array]:
    """Names of a list or table, which has the best first."""
    listed = read_name_list(file)
    if not listed.by_url:
        raise InputError("ranks pages by their ids", file=file, hint="give a file with URLs or names")
    addresses = pc.any(pc.match_substring(listed.keys, "://")).as_py()
    return "url" if addresses else "host", listed.keys.cast(pa.large_string())


def _of_ranks(source: Input, by: str) -> pa.Array:
    """Names of a file of Common Crawl's ranks by one of its positions."""
    batches = [batch.rows for batch in read_ranks(source)]
    rows = pa.Table.from_batches(batches)
    positions, names = rows[_POSITION[by]], turned(rows["url"].cast(pa.large_string()).combine_chunks())
    if positions.null_count:
        raise InputError("a position is missing", file=source.name, column=_POSITION[by], hint="give the whole file")
    return names.take(pc.sort_indices(positions))
