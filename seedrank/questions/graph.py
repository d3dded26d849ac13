"""Questions about the graph itself."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from seedrank.questions.levels import Levelled
from seedrank.questions.question import Kind, drawn, field

__all__ = ["StatsQuestion"]


@dataclass(frozen=True, kw_only=True)
class StatsQuestion(Levelled):
    """What the store holds, in numbers. Its answer is not kept as a run: it is no input of another question."""

    command: ClassVar[str] = "stats"
    answered_by: ClassVar[str] = "seedrank.graph_stats:answer"
    gives: ClassVar[Kind] = "table"

    distances: bool = field(
        False, "Also the mean distance between crawled pages, the effective diameter and the share of reachable pairs."
    )
    rng: int = drawn()
