"""What the experiment of Tran et al. 2015 measures."""

from __future__ import annotations

import hashlib
from dataclasses import InitVar, asdict, dataclass, field, replace
from pathlib import Path
from typing import Any

from loaders.compressed import Input
from seedrank.core import numbers
from seedrank.core.errors import UsageError
from seedrank.frontier.ask import FrontierQuestion

__all__ = ["BUDGETS", "ImpactPlan"]

BUDGETS = (0.01, 0.02, 0.05, 0.10)
"""The paper's: 1 and 2 % of its web crawl, 5 and 10 % of Wikipedia."""


@dataclass(frozen=True)
class ImpactPlan:
    """What is measured.

    Parameters
    ----------
    question
        Impact and options; ``options.rng`` starts the random sequences.
    hide
        Share of the crawled pages to hide, in (0, 1). Default 0.35.
    truth
        A table of frontier pages with their impact: judge by these, and hide nothing.
    splits
        How often pages are hidden (or split) anew. Default 10.
    budgets
        Shares of the judged pages to choose. Default 1, 2, 5 and 10 %.
    resamples
        Of the bootstrap that tunes. Default 100.
    queries_are
        What the store's searches are, where they stand in for real ones; goes into tables and claims.
    quick
        At most three splits, and 20 resamples.
    rng
        In place of ``options.rng`` of the question.
    """

    question: FrontierQuestion = field(default_factory=FrontierQuestion)
    hide: float = 0.35
    truth: str | None = None
    splits: int = 10
    budgets: tuple[float, ...] = BUDGETS
    resamples: int = 100
    queries_are: str = "searches of the store"
    quick: bool = False
    rng: InitVar[int | None] = None

    def __post_init__(self, rng: int | None) -> None:
        if rng is not None:
            options = replace(self.question.options, rng=rng)
            object.__setattr__(self, "question", replace(self.question, options=options))
        numbers.whole("splits", self.splits, 1, numbers.MOST_TIMES)
        numbers.whole("resamples", self.resamples, 1, numbers.MOST_TIMES)
        if not self.budgets or not all(0 < budget <= 1 for budget in self.budgets):
            raise UsageError("budgets are shares above 0 and at most 100 %", hint="such as --budget 5%")
        if not 0 < self.hide < 1:
            raise UsageError(
                f"a share of {100 * self.hide:.6g} % cannot be hidden", hint="give more than 0 % and less than 100 %"
            )

    def sized(self) -> ImpactPlan:
        """The plan with the sizes that are used: smaller ones where it is to be quick."""
        return replace(self, splits=min(self.splits, 3), resamples=20) if self.quick else self

    def parameters(self) -> dict[str, Any]:
        """What the results depend on, for the record: fields, and the content of files."""
        # Parts of an interrupted experiment are good only for the same files.
        files = [*self.question.events, *([self.truth] if self.truth else [])]
        return {**asdict(self), "sha256": [_sha256(file) for file in files]}


def _sha256(file: str) -> str:
    Input(file).check()
    with Path(file).open("rb") as content:
        return hashlib.file_digest(content, "sha256").hexdigest()
