"""The methods as functions of arrays, for who has a graph and needs no store.

A graph is its links as CSR: `indptr` (pages + 1) and `indices` (the targets of page i from ``indptr[i]`` to
``indptr[i + 1]``), as SciPy's ``matrix.indptr`` and ``matrix.indices``. Links of a page to itself are left out; a
link given twice is one. Arrays in that form without such links are taken as they are, without a copy.

    >>> from seedrank import functional
    >>> functional.fpr_order(matrix.indptr, matrix.indices, seeds=[17, 42], limit=1_000)
"""

from __future__ import annotations

from collections.abc import Sequence
from numbers import Real
from typing import Any

import numpy as np

from seedrank.core.errors import UsageError, shorten
from seedrank.core.model import Status
from seedrank.core.numbers import MOST_POWER, MOST_WORTH, finite, whole
from seedrank.engines.native.engine import NativeEngine
from seedrank.graph import MAX_PAGES, WebGraph, float32_weights
from seedrank.methods.crawl import push_orders
from seedrank.methods.crawl.budget import Budget
from seedrank.methods.crawl.policy import Policy
from seedrank.methods.crawl.simulate import simulate
from seedrank.methods.frontier import walks
from seedrank.methods.frontier.enrich import virtual_links
from seedrank.methods.frontier.impact import checked_impact, impact_factor
from seedrank.methods.frontier.problem import FrontierProblem, pose, reveal
from seedrank.methods.seeds import graph_methods
from seedrank.methods.seeds.coverage import CoverageProblem
from seedrank.questions.frontier import EPSILON

__all__ = [
    "bfs_order",
    "coverage_greedy",
    "coverage_maxweight",
    "fpr_order",
    "harmonic",
    "hits",
    "hops_from",
    "opic_order",
    "pagerank",
    "rankmass_order",
    "rw",
    "rw_eg",
]

Ids = Sequence[int] | np.ndarray
"""Ids of pages: rows of the matrix."""
Numbers = Sequence[float] | np.ndarray
"""A number per page, or per link in the order of `indices`."""


def pagerank(
    indptr: Ids,
    indices: Ids,
    weights: Numbers | None = None,
    *,
    damping: float = 0.85,
    personalization: Numbers | None = None,
    tolerance: float = 1e-12,
) -> np.ndarray:
    """PageRank of every page, sum 1; what pages without links hold goes where the walk begins anew.

    Parameters
    ----------
    weights
        Per link; 1 each by default.
    personalization
        Where the walk begins anew: 0 or more per page; every page alike by default.
    tolerance
        L1 change at which to stop.
    """
    graph = _graph(indptr, indices, weights)
    teleport = None if personalization is None else _per_page(personalization, graph, "personalization", least=0)
    if teleport is not None and not teleport.any():
        raise UsageError("personalization is 0 for every page", hint="give some page a number above 0")
    _share("damping", damping)
    finite("tolerance", tolerance, 0, 1)
    return NativeEngine(graph).walk(damping=damping, teleport=teleport, tolerance=tolerance).scores


def hits(
    indptr: Ids, indices: Ids, weights: Numbers | None = None, *, iterations: int = 60
) -> tuple[np.ndarray, np.ndarray]:
    """Hub and authority scores of every page (Kleinberg's HITS), each of length 1."""
    whole("iterations", iterations, 1)
    found = NativeEngine(_graph(indptr, indices, weights)).hits(iterations)
    return found.hubs, found.authorities


def harmonic(indptr: Ids, indices: Ids) -> np.ndarray:
    """Harmonic centrality of every page: the sum of one over the distance from every other page."""
    return NativeEngine(_graph(indptr, indices)).harmonic(exact=True)[0]


def hops_from(indptr: Ids, indices: Ids, sources: Ids, *, most: int | None = None) -> np.ndarray:
    """Links from the nearest of `sources` to every page, -1 where none leads there, or not within `most`."""
    graph = _graph(indptr, indices)
    if most is not None:
        whole("most", most, 0)
    return NativeEngine(graph).bfs_hops(_ids(sources, graph, "sources"), most)


# -- crawl orders


def fpr_order(
    indptr: Ids,
    indices: Ids,
    seeds: Ids,
    weights: Numbers | None = None,
    *,
    limit: int | None = None,
    damping: float = 0.85,
    seed_weights: Numbers | None = None,
    sites: Ids | None = None,
    inter_site_weight: float = 1.0,
) -> np.ndarray:
    """Pages in the order in which Fractional PageRank fetches them.

    Parameters
    ----------
    seeds
        Where the crawl begins.
    weights
        Per link; 1 each by default.
    limit
        Pages to fetch; all that can be reached by default.
    seed_weights
        Shares that seeds begin with, above 0; the same for each by default.
    sites, inter_site_weight
        A number per page, -1 for none, and how often a link to another site counts (M of FPR@M).
    """
    _share("damping", damping)
    graph = _graph(indptr, indices, weights)
    start = _ids(seeds, graph, "seeds")
    shares = None if seed_weights is None else _numbers(seed_weights, len(start), "seed_weights", least=0)
    if shares is not None and not shares.all():
        raise UsageError("a seed has weight 0", hint="give weights above 0, or leave the seed out")
    on = None if sites is None else _numbers(sites, graph.pages, "sites", least=-1).astype(np.int32)
    if inter_site_weight != 1 and on is None:
        raise UsageError("inter_site_weight needs the site of every page", hint="give sites too")
    finite("inter_site_weight", inter_site_weight, 0, MOST_WORTH)
    policy = push_orders.fpr(start, inter_host_weight=inter_site_weight, damping=damping, weights=shares)
    return _crawled(graph, policy, start, limit, on)


def bfs_order(indptr: Ids, indices: Ids, seeds: Ids, *, limit: int | None = None) -> np.ndarray:
    """Pages in the order in which a breadth-first crawl fetches them."""
    graph = _graph(indptr, indices)
    return _crawled(graph, Policy("bfs"), _ids(seeds, graph, "seeds"), limit)


def opic_order(
    indptr: Ids, indices: Ids, seeds: Ids, weights: Numbers | None = None, *, limit: int | None = None
) -> np.ndarray:
    """Pages in the order in which OPIC fetches them: the page with the most cash first."""
    graph = _graph(indptr, indices, weights)
    start = _ids(seeds, graph, "seeds")
    return _crawled(graph, push_orders.opic(start), start, limit)


def rankmass_order(
    indptr: Ids,
    indices: Ids,
    seeds: Ids,
    weights: Numbers | None = None,
    *,
    limit: int | None = None,
    damping: float = 0.85,
) -> np.ndarray:
    """Pages in the order in which RankMass fetches them."""
    _share("damping", damping)
    graph = _graph(indptr, indices, weights)
    start = _ids(seeds, graph, "seeds")
    return _crawled(graph, push_orders.rankmass(start, damping=damping), start, limit)


# -- seeds


def coverage_greedy(
    indptr: Ids,
    indices: Ids,
    k: int,
    hops: int,
    value: Numbers | None = None,
    *,
    candidates: Ids | None = None,
) -> tuple[np.ndarray, np.ndarray]:
    """Seeds that cover the most within `hops` links, each the best given those before it.

    Parameters
    ----------
    k
        Seeds at most: fewer where none adds anything.
    value
        What a page is worth; 1 each by default.
    candidates
        Pages that may be chosen; all by default.

    Returns
    -------
    seeds, gains
        Ids, and what each of them adds.
    """
    return coverage_maxweight(indptr, indices, k, hops, value, depth=hops, candidates=candidates)


def coverage_maxweight(
    indptr: Ids,
    indices: Ids,
    k: int,
    hops: int,
    value: Numbers | None = None,
    *,
    depth: int = 2,
    candidates: Ids | None = None,
) -> tuple[np.ndarray, np.ndarray]:
    """The same, where a choice looks only `depth` links far (MaxWeight); parameters of `coverage_greedy`."""
    whole("k", k, 1)
    whole("hops", hops, 0)
    whole("depth", depth, 0)
    graph = _graph(indptr, indices)
    worth = np.ones(graph.pages) if value is None else _per_page(value, graph, "value")
    allowed = np.ones(graph.pages, bool)
    if candidates is not None:
        allowed[:] = False
        allowed[_ids(candidates, graph, "candidates")] = True
    every = np.ones(graph.pages, bool)
    problem = CoverageProblem(NativeEngine(graph), worth, hops, np.array([k]), allowed, every, ~every)
    found = graph_methods.maxweight(problem, min(depth, graph.pages))
    return found.pages, found.gain


# -- the frontier


def rw(
    indptr: Ids,
    indices: Ids,
    crawled: Ids,
    impact: Numbers,
    weights: Numbers | None = None,
    *,
    damping: float = 0.85,
    beta: float = 0.0,
    epsilon: float = EPSILON,
) -> np.ndarray:
    """Score of every page by RW (Tran et al. 2015); those of pages that are not crawled rank the frontier.

    Parameters
    ----------
    crawled
        Ids of the crawled pages; the links of others are not looked at.
    impact
        Clicks or views per page, 0 or more, NaN where nobody knows them; of crawled pages only.
    damping, beta, epsilon
        α of the walk, power of the out-degree, what is added to every impact.
    """
    _share("damping", damping)
    _tuning(beta, epsilon)
    problem = _frontier(indptr, indices, crawled, impact, weights)
    return walks.rw(problem, _factor(problem, problem.out_degree, beta, epsilon), damping)


def rw_eg(
    indptr: Ids,
    indices: Ids,
    crawled: Ids,
    impact: Numbers,
    weights: Numbers | None = None,
    *,
    omega: float = 0.8,
    damping: float = 0.85,
    beta: float = 0.0,
    epsilon: float = EPSILON,
) -> np.ndarray:
    """The same by RW-EG: over links, and over pages cited together; `omega` is the share of the links."""
    _share("damping", damping)
    _tuning(beta, epsilon)
    finite("omega", omega, 0, 1)
    problem = _frontier(indptr, indices, crawled, impact, weights)
    linked = virtual_links(problem)
    factor, virtual = (_factor(problem, degree, beta, epsilon) for degree in (problem.out_degree, linked.degree))
    return walks.rw_eg(problem, factor, linked, virtual, omega, damping)


# -- inside


def _crawled(
    graph: WebGraph, policy: Policy, seeds: np.ndarray, limit: int | None, site: np.ndarray | None = None
) -> np.ndarray:
    if limit is not None:
        whole("limit", limit, 1)
    found = simulate(graph, policy, seeds, site=site, budget=Budget(pages=limit))
    return found.pages.astype(np.int64)


def _frontier(indptr: Ids, indices: Ids, crawled: Ids, impact: Numbers, weights: Numbers | None) -> FrontierProblem:
    graph = _graph(indptr, indices, weights)
    known = np.zeros(graph.pages, bool)
    known[_ids(crawled, graph, "crawled")] = True
    values = _numbers(impact, graph.pages, "impact", least=None)
    revealed = reveal(graph, known)
    return pose(revealed, NativeEngine(revealed), known, ~known, checked_impact(values, "impact", known))


def _factor(problem: FrontierProblem, degree: np.ndarray, beta: float, epsilon: float) -> np.ndarray:
    return impact_factor(problem.impact, problem.crawled, degree, beta=beta, epsilon=epsilon, unknown=problem.unknown)


def _graph(indptr: Any, indices: Any, weights: Any = None) -> WebGraph:
    """The links as a graph whose pages are all crawled; a copy only where they are out of order."""
    offsets, targets = (_whole_numbers(array, name) for array, name in ((indptr, "indptr"), (indices, "indices")))
    pages = len(offsets) - 1
    if pages < 1 or pages > MAX_PAGES or offsets[0] != 0 or offsets[-1] != len(targets) or (np.diff(offsets) < 0).any():
        raise UsageError(
            "indptr does not begin at 0, ascend and end at the number of links",
            hint="give matrix.indptr and matrix.indices of a CSR matrix",
        )
    if len(targets) and (targets.min() < 0 or targets.max() >= pages):
        raise UsageError(f"a link leads outside 0..{pages - 1}", hint="give a square matrix: a row per page")
    data = None if weights is None else _numbers(weights, len(targets), "weights", least=0)
    sources = np.repeat(np.arange(pages, dtype=np.int32), np.diff(offsets))
    own = targets == sources
    inside = sources[1:] == sources[:-1]
    if own.any() or (inside & (targets[1:] <= targets[:-1])).any():
        kept = ~own
        return WebGraph.from_links(
            pages, sources[kept], targets[kept], weights=None if data is None else data[kept], version="arrays"
        )
    arrays: dict[str, Any] = {
        "out_offsets": offsets.astype(np.int64, copy=False),
        "out_targets": targets.astype(np.int32, copy=False),
        "status": np.full(pages, Status.CRAWLED, np.int8),
        "host": np.full(pages, -1, np.int32),
    }
    if data is not None and (data != 1).any():
        arrays["weights"] = float32_weights(data)
    return WebGraph(arrays, {"pages": pages, "links": len(targets), "version": "arrays"})


def _whole_numbers(array: Any, name: str) -> np.ndarray:
    found = np.asarray(array)
    if found.ndim != 1 or (found.dtype.kind not in "iu" and found.size):
        raise UsageError(f"{name} is no array of whole numbers", hint="give matrix.indptr and matrix.indices")
    return found


def _ids(pages: Any, graph: WebGraph, name: str) -> np.ndarray:
    """Ids of pages, int64, each once, in their order."""
    found = np.asarray([pages] if np.ndim(pages) == 0 else pages)
    if found.ndim != 1 or not found.size or found.dtype.kind not in "iu":
        raise UsageError(f"{name} must be ids of pages, one at least", hint="give whole numbers: rows of the matrix")
    if found.min() < 0 or found.max() >= graph.pages:
        raise UsageError(f"{name} has an id outside 0..{graph.pages - 1}", hint="give rows of the matrix")
    first = np.sort(np.unique(found, return_index=True)[1])
    if len(first) < len(found):
        raise UsageError(f"{name} has a page twice", hint="give each page once: numpy.unique(ids)")
    return found.astype(np.int64)


def _per_page(values: Any, graph: WebGraph, name: str, least: float | None = None) -> np.ndarray:
    return np.nan_to_num(_numbers(values, graph.pages, name, least))


def _numbers(values: Any, count: int, name: str, least: float | None) -> np.ndarray:
    try:
        found = np.asarray(values, np.float64)
    except (TypeError, ValueError):
        raise UsageError(f"{name} must be numbers, not {shorten(values)}", hint=f"give an array of {count:,}") from None
    if found.shape != (count,):
        raise UsageError(f"{name} has {found.size:,} numbers", hint=f"give {count:,}: one for each")
    if np.isinf(found).any() or (least is not None and not (found >= least).all()):
        what = "is not finite" if least is None else f"is below {least}, missing or not finite"
        raise UsageError(f"a number of {name} {what}", hint="mend it")
    return found


def _tuning(beta: float, epsilon: float) -> None:
    finite("beta", beta, 0, MOST_POWER)
    finite("epsilon", epsilon, 0, MOST_WORTH)


def _share(name: str, value: float) -> None:
    if not isinstance(value, Real) or not 0 < value < 1:
        raise UsageError(f"{name} must be above 0 and below 1, not {shorten(value)}", hint="0.85 is usual")
