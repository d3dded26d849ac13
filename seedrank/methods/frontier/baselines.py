"""Methods without queries and impact: random, in-degree, PageRank (docs/algorithms.md §5.3, §5.8), and trust."""

from __future__ import annotations

import numpy as np

from seedrank.methods.frontier.problem import FrontierProblem

__all__ = ["indegree", "pagerank", "random_scores", "trust"]


def pagerank(problem: FrontierProblem, damping: float = 0.85) -> np.ndarray:
    """PageRank on D ∪ F, the score of pages without links dropped (eq 3); float64 per page."""
    return problem.engine.walk(damping=damping, teleport=problem.teleport, dangling="drop").scores


def trust(problem: FrontierProblem, damping: float = 0.85) -> np.ndarray:
    """The geometric mean of PageRank and of a walk that begins at hosts, each once however many pages it has.

    Pages of its own raise a host's PageRank and not its part of the second walk. PageRank alone where pages have no
    hosts; float64 per page.
    """
    plain = pagerank(problem, damping)
    host = np.asarray(problem.graph.host)
    placed = problem.crawled & (host >= 0)
    if not placed.any():
        return plain
    sizes = np.bincount(host[placed])
    start = np.zeros(problem.engine.pages)
    start[placed] = 1.0 / sizes[host[placed]]
    return np.asarray(np.sqrt(plain * problem.engine.walk(damping=damping, teleport=start, dangling="drop").scores))


def indegree(problem: FrontierProblem) -> np.ndarray:
    """How many crawled pages link to a page; float64 per page."""
    return problem.in_degree.astype(np.float64)


def random_scores(problem: FrontierProblem, rng: int) -> np.ndarray:
    """A uniform permutation, as distinct numbers in (0, 1]; float64 per page."""
    return (np.random.default_rng(rng).permutation(problem.engine.pages) + 1.0) / problem.engine.pages
