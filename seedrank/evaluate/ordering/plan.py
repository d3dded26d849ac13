"""What the experiment of Alam et al. measures."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from seedrank.core.errors import UsageError

__all__ = ["ORDERS", "POOL", "OrderingPlan"]

ORDERS = (
    "fpr", "fpr@2", "fpr@20", "fpr@100", "fpr@1000", "windowed-rankmass:5%", "windowed-rankmass:10%",
    "windowed-rankmass:20%", "windowed-rankmass:100%", "backlink", "bfs", "random", "omniscient",
)  # fmt: skip
"""The paper's orders, then others for scale."""
QUICK = ("fpr", "fpr@2", "fpr@20", "fpr@100", "windowed-rankmass:5%", "bfs", "omniscient")
SEEDS = 160
SETS, QUICK_SETS = 10, 4
POOL = 10
"""Seed sets are drawn from so many times as many pages of the highest PageRank."""


@dataclass(frozen=True)
class OrderingPlan:
    """What is measured.

    Parameters
    ----------
    orders
        Orders to compare; the paper's and some others by default.
    seeds
        Seeds of a set. Default 160, as in the paper; fewer on graphs of less than 16,000 crawled pages.
    quick
        Fewer orders and seed sets.
    rng
        Random sequence of the draws.
    """

    orders: Sequence[str] | None = None
    seeds: int = SEEDS
    quick: bool = False
    rng: int = 1

    def __post_init__(self) -> None:
        if self.seeds < 1:
            raise UsageError(f"{self.seeds} seeds are too few", hint="give 1 or more")

    @property
    def names(self) -> list[str]:
        """Orders by their short names."""
        return list(self.orders or (QUICK if self.quick else ORDERS))

    @property
    def sets(self) -> int:
        """Seed sets that are drawn."""
        return QUICK_SETS if self.quick else SETS

    def parameters(self, site: str) -> dict[str, Any]:
        """What the results depend on, for the record."""
        return {
            "orders": self.names,
            "seeds": self.seeds,
            "sets": self.sets,
            "quick": self.quick,
            "rng": self.rng,
            "site": site,
        }
