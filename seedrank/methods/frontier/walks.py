"""RW and RW-EG: walks with senders weighted by impact, over links and virtual links (docs/algorithms.md §5.5, §5.7).

Frontier pages send nothing, so the walk is solved on D alone and one pass gives F its scores. Virtual links from D to F
add to that pass only: with ``x_D`` the solution of ``x = α·ω·MᵀΦ x + (1-α) v`` on D,

    x(f) = α·ω Σ_i M_if F_i x(i) + α (1-ω) Σ_i M′_if F′_i x(i) + (1-α) v_f,

which is `Engine.walk` over the graph's own links, share ω, and one pass over the virtual links. Only with virtual
links among crawled pages does the walk itself go over both sets.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from seedrank.core.errors import UsageError
from seedrank.engines.base import LinkSet
from seedrank.engines.kernels import frontier as kernels
from seedrank.engines.kernels.walk import COLUMNS
from seedrank.methods.frontier.enrich import VirtualLinks
from seedrank.methods.frontier.problem import FrontierProblem

__all__ = ["OMEGAS", "rw", "rw_eg", "rw_eg_grid"]

OMEGAS = tuple(round(0.1 * step, 1) for step in range(11))
"""The paper's grid."""


def rw(problem: FrontierProblem, factor: np.ndarray, damping: float = 0.85, *, tolerance: float = 1e-12) -> np.ndarray:
    """Scores of all pages by eq (5); a ranking, not a distribution."""
    return problem.engine.walk(
        [LinkSet(1.0, factor)], damping=damping, teleport=problem.teleport, dangling="drop", tolerance=tolerance
    ).scores


def rw_eg(
    problem: FrontierProblem,
    factor: np.ndarray,
    links: VirtualLinks,
    virtual_factor: np.ndarray,
    omega: float = 0.8,
    damping: float = 0.85,
    *,
    tolerance: float = 1e-12,
) -> np.ndarray:
    """Scores of all pages by eq (10); ω = 1 is RW.

    F′ is `impact_factor` with ``links.degree``; virtual links have the share that ω leaves.
    """
    _check_omega(omega)
    if links.among_crawled:
        sets = [
            LinkSet(omega, factor),
            LinkSet(1 - omega, virtual_factor, (links.source, links.target, links.weight)),
        ]
        options = {"damping": damping, "teleport": problem.teleport, "tolerance": tolerance}
        return problem.engine.walk(sets, dangling="drop", **options).scores  # type: ignore[arg-type]
    scores = problem.engine.walk(
        [LinkSet(omega, factor)], damping=damping, teleport=problem.teleport, dangling="drop", tolerance=tolerance
    ).scores
    if omega < 1:
        sent = damping * (1 - omega) * _per_weight(links, virtual_factor) * scores
        kernels.receive(links.source, links.target, links.weight, sent, scores)
    return scores


def rw_eg_grid(
    problem: FrontierProblem,
    factor: np.ndarray,
    links: VirtualLinks,
    virtual_factor: np.ndarray,
    omegas: Sequence[float] = OMEGAS,
    damping: float = 0.85,
    *,
    tolerance: float = 1e-12,
) -> np.ndarray:
    """`rw_eg` for several ω at once: float64 (ω, pages of F), for the cost of a few.

    Takes 24 bytes a page and ω.
    """
    for omega in omegas:
        _check_omega(omega)
    pages = problem.pages
    if links.among_crawled:
        return np.array(
            [
                rw_eg(problem, factor, links, virtual_factor, omega, damping, tolerance=tolerance)[pages]
                for omega in omegas
            ]
        )
    shares = np.asarray(omegas, np.float64)
    scores = problem.engine.walk_shares(shares, factor, damping=damping, teleport=problem.teleport, tolerance=tolerance)
    answer = scores[:, pages]
    per_weight = damping * _per_weight(links, virtual_factor)
    # Columns lie in groups of five, as the pass over the links takes them; spare ones send nothing.
    mixed = np.flatnonzero(shares < 1)
    groups = -(-len(mixed) // COLUMNS)
    rows, sending = np.zeros(groups * COLUMNS, np.int64), np.zeros(groups * COLUMNS)
    rows[: len(mixed)], sending[: len(mixed)] = mixed, 1 - shares[mixed]
    shape = groups, COLUMNS
    received = np.zeros((groups, len(factor), COLUMNS))
    kernels.receive_shares(
        links.source,
        links.target,
        links.weight,
        per_weight,
        sending.reshape(shape),
        rows.reshape(shape),
        scores,
        received,
    )
    for row, number in enumerate(mixed):
        answer[number] += received[row // COLUMNS, pages, row % COLUMNS]
    return answer


def _per_weight(links: VirtualLinks, virtual_factor: np.ndarray) -> np.ndarray:
    """float64 per page: what share of its score a page sends per unit of virtual weight."""
    return virtual_factor / np.maximum(links.strength, 1.0)


def _check_omega(omega: float) -> None:
    if not 0 <= omega <= 1:
        raise UsageError(f"omega must be from 0 to 1, not {omega:.6g}")


def trust(problem: FrontierProblem, pagerank: np.ndarray, damping: float = 0.85) -> np.ndarray:
    """The geometric mean of PageRank and of a walk that begins at hosts, each once however many pages it has.

    Pages of its own raise a host's PageRank and not its part of the second walk. PageRank alone where pages have no
    hosts; float64 per page.
    """
    host = np.asarray(problem.graph.host)
    placed = problem.crawled & (host >= 0)
    if not placed.any():
        return pagerank
    sizes = np.bincount(host[placed])
    start = np.zeros(problem.engine.pages)
    start[placed] = 1.0 / sizes[host[placed]]
    hosts = problem.engine.walk(damping=damping, teleport=start, dangling="drop").scores
    return np.asarray(np.sqrt(pagerank * hosts))
