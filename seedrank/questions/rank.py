"""Questions about how central pages and hosts are."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar, Literal

from seedrank.core.errors import UsageError
from seedrank.core.numbers import MOST_TIMES
from seedrank.questions.question import Levelled, Linked, field

if TYPE_CHECKING:
    from seedrank.runs import Answer
    from seedrank.session import Session

__all__ = ["RankQuestion"]

WALK, SETS = "PageRank", "Trust"
NEEDS = {"trust": "trusted", "distrust": "bad", "spam-mass": "trusted"}
"""The field that a method cannot do without."""


@dataclass(frozen=True, kw_only=True)
class RankQuestion(Linked, Levelled):
    """How central pages, hosts or domains are, by a method of `seedrank.methods.rank.methods`."""

    command: ClassVar[str] = "rank"
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
        None, "Trusted pages, a URL, name or id a line.", panel=WALK, file=True, takes="pages", shown="all"
    )
    trusted: str | None = field(
        None,
        "Pages to trust: a list of pages, or a page column with numbers above 0 or true.",
        panel=SETS,
        file=True,
        takes="pages",
        completion=("COLUMN",),
    )
    bad: str | None = field(
        None,
        "Pages to distrust: a list of pages, or a page column such as spam.",
        panel=SETS,
        file=True,
        takes="pages",
        completion=("COLUMN",),
    )
    good_share: float = field(0.85, "γ: the share of all pages that are good.", panel=SETS, share=True, above=0, most=1)
    min_pagerank: float = field(
        1.0, "Leave out pages with less PageRank than this many pages without in-links.", panel=SETS, least=0
    )
    iterations: int = field(60, "Iterations of HITS.", least=1, most=MOST_TIMES)

    def __post_init__(self) -> None:
        super().__post_init__()
        name = NEEDS.get(self.method)
        if name is not None and getattr(self, name) is None:
            raise UsageError(f"{{{name}}} is missing", hint="name a file of pages, or a page column", fields=(name,))

    def answer(self, session: Session, *, write: str | None = None) -> Answer:
        """Rank; `write` also writes the scores as this property of pages or hosts."""
        from seedrank.methods.rank.answer import rank

        return rank(session, self, write=write)
