"""Questions about how central pages and hosts are."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, Literal

from seedrank.core.numbers import MOST_TIMES
from seedrank.questions.levels import Levelled
from seedrank.questions.question import field

__all__ = ["RankQuestion"]

WALK = "PageRank"


@dataclass(frozen=True, kw_only=True)
class RankQuestion(Levelled):
    """How central pages, hosts or domains are, by a method of `seedrank.rank.methods`."""

    command: ClassVar[str] = "rank"
    answered_by: ClassVar[str] = "seedrank.rank.answer:rank"
    chooses: ClassVar[str] = "method"

    method: str = "pagerank"
    damping: float = field(0.85, "Above 0, below 1.", panel=WALK, above=0, below=1)
    dangling: Literal["uniform", "teleport", "drop"] = field(
        "teleport",
        "Where the score of pages without links goes: evenly to all, like the teleport, nowhere.",
        panel=WALK,
        choices=("uniform", "teleport", "drop"),
    )
    teleport: str | None = field(
        None, "Trusted pages, a URL, name or id a line.", panel=WALK, metavar="FILE", shown="all"
    )
    iterations: int = field(60, "Iterations of HITS.", least=1, most=MOST_TIMES)
