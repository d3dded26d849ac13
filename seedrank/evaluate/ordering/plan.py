"""How much the experiment of Alam et al. measures."""

from __future__ import annotations

from seedrank.questions.experiments import OrderingExperiment

__all__ = ["ORDERS", "POOL", "orders_measured", "sets_drawn"]

ORDERS = (
    "fpr", "fpr@2", "fpr@20", "fpr@100", "fpr@1000", "windowed-rankmass:5%", "windowed-rankmass:10%",
    "windowed-rankmass:20%", "windowed-rankmass:100%", "backlink", "bfs", "random", "omniscient",
)  # fmt: skip
"""The paper's orders, then others for scale."""
QUICK = ("fpr", "fpr@2", "fpr@20", "fpr@100", "windowed-rankmass:5%", "bfs", "omniscient")
SETS, QUICK_SETS = 10, 4
POOL = 10
"""Seed sets are drawn from so many times as many pages of the highest PageRank."""


def orders_measured(question: OrderingExperiment) -> list[str]:
    """Orders by their short names."""
    return list(question.orders or (QUICK if question.quick else ORDERS))


def sets_drawn(question: OrderingExperiment) -> int:
    """How many seed sets are drawn."""
    return QUICK_SETS if question.quick else SETS
