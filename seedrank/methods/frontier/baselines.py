"""Baselines of RW and RW-EG without queries: random, in-degree, PageRank (docs/algorithms.md §5.3, §5.8)."""

from __future__ import annotations

import numpy as np

from seedrank.methods.frontier.problem import FrontierProblem

__all__ = ["indegree", "pagerank", "random_scores"]


def pagerank(problem: FrontierProblem, damping: float = 0.85) -> np.ndarray:
    """PageRank on D ∪ F, the score of pages without links dropped (eq 3); float64 per page."""
    return problem.engine.walk(damping=damping, teleport=problem.teleport, dangling="drop").scores


def indegree(problem: FrontierProblem) -> np.ndarray:
    """How many crawled pages link to a page; float64 per page."""
    return problem.in_degree.astype(np.float64)


def random_scores(problem: FrontierProblem, rng: int) -> np.ndarray:
    """A uniform permutation, as distinct numbers in (0, 1]; float64 per page."""
    return (np.random.default_rng(rng).permutation(problem.engine.pages) + 1.0) / problem.engine.pages
