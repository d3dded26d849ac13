"""How much the experiment of Alam et al. measures."""

from __future__ import annotations

from seedrank.experiments.intervals import FEWEST
from seedrank.questions.experiments import OrderingExperiment

__all__ = ["ORDERS", "POOL", "RAISED", "REPEATS", "SHARES", "TIMED", "WINDOWED", "orders_measured", "sets_drawn"]

WINDOWED = "windowed-rankmass:5%"
RAISED = ("fpr@2", "fpr@20", "fpr@100")
"""FPR@M as the paper runs it."""
TIMED = ("fpr", *RAISED, WINDOWED)
"""The paper's orders: those whose time its figure 3 shows."""
ORDERS = (
    "fpr", *RAISED, "fpr@1000", WINDOWED, "windowed-rankmass:10%", "windowed-rankmass:20%", "windowed-rankmass:100%",
    "backlink", "bfs", "random", "omniscient",
)  # fmt: skip
"""The paper's orders, then others for scale."""
QUICK = ("fpr", *RAISED, "fpr@1000", WINDOWED, "bfs", "omniscient")
SETS, QUICK_SETS = 10, FEWEST
POOL = 10
"""Seeds are drawn from this many times as many pages of the highest PageRank."""
REPEATS = FEWEST
"""Timed runs of an order from the paper's seeds."""
SHARES = (0.01, 0.02, 0.05, 0.1, 0.2, 0.5)
"""Of the graph's pages: where the curves are read off."""


def orders_measured(question: OrderingExperiment) -> list[str]:
    """Orders by their short names."""
    return list(question.orders or (QUICK if question.quick else ORDERS))


def sets_drawn(question: OrderingExperiment) -> int:
    """How many seed sets are drawn."""
    return QUICK_SETS if question.quick else SETS
