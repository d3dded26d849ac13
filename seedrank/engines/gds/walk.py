"""Damped walks by GDS's PageRank.

GDS solves ``raw = start + d·Wᵀ raw`` by adding up what the start sends along, so `raw` grows towards the answer; links
of a page share what it sends in proportion to their weights, and what dangling pages hold goes nowhere. With z the
solution for a start that sums to 1, every rule for dangling mass is a multiple of z or of two of them, as in
`seedrank.engines.native.walks`:

* drop: x = (1-d) z;
* teleport: x = (1-d) / (1 - d·D) · z, D the sum of z over dangling pages;
* uniform with teleport vector v: x = (1-d) z_v + d·m·z_u with m = (1-d)·D_v / (1 - d·D_u).

The plain walk, over links that weigh 1 or what is stored, runs on the graph's own projection. Anything else runs on a
weighted projection with more nodes:

* a *sink*, to which a page sends what its factors and the sets' shares keep back: link weights are then
  ``share·factor·w / Σw``, of own links (w is 1 where they have no weights) and of given ones, and they sum to 1 with
  the sink's;
* a *start node* with links to the pages of a teleport vector, weighted by it, since GDS 2.13 starts at all given nodes
  alike. The walk starts there and takes a step more.

Factors above 1 (allowed while d · factor < 1) would make the sink's weight negative: all weights are divided by the
largest sum M, and d is multiplied with it.

GDS stops when no page changes by more than a tolerance of its own, and forgets changes below it. How far the result
is from the fixed point is therefore not taken from there: since nothing is negative, the L1 residual is
``1 + d·Σ kept·z - Σ z``, from the sums alone (`kept` is the share of its score a page sends to pages).
"""

from __future__ import annotations

import secrets
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np

from seedrank.core.errors import GraphError
from seedrank.engines import checks
from seedrank.engines.base import LinkSet, Walk
from seedrank.engines.checks import WalkProblem
from seedrank.engines.gds.catalog import Catalog, Projection
from seedrank.engines.gds.view import View

__all__ = ["Sends", "is_plain", "sends", "walk"]

MOST_GIVEN_LINKS = 5_000_000
"""Links a walk may be given: they travel to the server as lists, about 100 bytes each there."""
_FINER = 1e-3
_MOST_TRIES = 4


@dataclass(frozen=True)
class Sends:
    """What pages send, over all link sets."""

    kept: np.ndarray
    """float64 per page: share of its score a page sends to pages."""
    dangling: np.ndarray
    """Boolean per page: sends over no link in any set."""
    own: np.ndarray | None
    """float64 per page: what it sends per unit of weight of its own links; `None` when no set has them."""
    links: tuple[np.ndarray, np.ndarray, np.ndarray]
    """Source, target and share sent of the given links."""

    @property
    def plain(self) -> bool:
        """Whether every page sends all of its score over its own links."""
        return self.own is not None and not len(self.links[0]) and bool((self.kept[~self.dangling] == 1).all())


def is_plain(problem: WalkProblem) -> bool:
    """Whether a walk may go over the graph's own projection: all of each score, over own links, from pages alike."""
    sets = problem.sets
    own = all(one.links is None and one.factor is None for one in sets) and sum(one.share for one in sets) == 1
    return own and (problem.teleport is None or _is_flat(problem.teleport))


def sends(sets: Sequence[LinkSet], strength: np.ndarray) -> Sends:
    """What pages send; `sets` are checked, `strength` is what the own links of each page weigh together."""
    pages = len(strength)
    kept, dangling = np.zeros(pages), np.ones(pages, bool)
    own: np.ndarray | None = None
    given: list[tuple[np.ndarray, np.ndarray, np.ndarray]] = []
    for one in sets:
        sent = np.full(pages, one.share) if one.factor is None else one.share * one.factor
        if one.links is None:
            has = strength > 0
            own = np.zeros(pages) if own is None else own
            own[has] += sent[has] / strength[has]
        else:
            source, target, weight = one.links
            total = np.bincount(source, weight, minlength=pages)
            has = total > 0
            given.append((source, target, sent[source] * weight / total[source]))
        kept[has] += sent[has]
        dangling[has] = False
    if not given:
        nothing = np.empty(0, np.int64)
        return Sends(kept, dangling, own, (nothing, nothing, np.empty(0)))
    source, target, share = (np.concatenate(arrays) for arrays in zip(*given, strict=True))
    return Sends(kept, dangling, own, (source, target, share))


def walk(
    catalog: Catalog, view: View, whole: Callable[[], Projection | None], sent: Sends, problem: WalkProblem
) -> Walk:
    """The fixed point; `whole` makes the view's projection."""
    pages = len(sent.kept)
    damping, teleport, max_iterations = problem.damping, problem.teleport, problem.most_steps
    uniform = np.full(pages, 1 / pages)
    two = problem.dangling == "uniform" and teleport is not None
    starts = [uniform if teleport is None else teleport] + [uniform] * two
    goal = problem.tolerance * damping / len(starts)  # of each solution, by its sum: their residuals add
    if not (sent.kept > 0).any():
        solved = [_Solution(v, 0.0, 1) for v in starts]
    elif sent.plain and all(_is_flat(v) for v in starts):
        projection = whole()
        assert projection is not None
        solved = [_plain(catalog, projection, sent, damping, v, goal, max_iterations) for v in starts]
    else:
        solved = _weighted(catalog, view, sent, damping, starts, goal, max_iterations)
    lost = [float(one.z[sent.dangling].sum()) for one in solved]
    if two:
        mass = (1 - damping) * lost[0] / (1 - damping * lost[1])
        scales = [1 - damping, damping * mass]
    else:
        scales = [1 - damping if problem.dangling == "drop" else (1 - damping) / (1 - damping * lost[0])]
    scores = np.zeros(pages)
    for scale, one in zip(scales, solved, strict=True):
        scores += scale * one.z
    # As the change of the last iteration, which bounds the error with damping / (1 - damping).
    residual = sum(scale * one.residual for scale, one in zip(scales, solved, strict=True)) / damping
    return checks.walked(problem, scores, max(one.iterations for one in solved), residual)


@dataclass(frozen=True)
class _Solution:
    """``z = v + d·Wᵀ z`` and ``|v + d·Wᵀ z - z|``."""

    z: np.ndarray
    residual: float
    iterations: int


def _is_flat(v: np.ndarray) -> bool:
    """Whether all pages with a weight have the same."""
    some = v[v > 0]
    return bool((some == some[0]).all())


def _plain(
    catalog: Catalog, projection: Projection, sent: Sends, damping: float, v: np.ndarray, goal: float, most: int
) -> _Solution:
    """Over the graph's own links, from all pages or some of them alike."""
    configuration: dict[str, Any] = {"relationshipWeightProperty": "weight"} if catalog.weighted else {}
    if (v == 0).any():
        configuration["sourceNodes"] = projection.nodes_of(np.flatnonzero(v))
        if not configuration["sourceNodes"]:
            return _Solution(v, 0.0, 1)
    scale = (1 - damping) / v.max()
    return _solve(catalog, projection, sent, damping, v, scale, goal, most, configuration)


def _weighted(
    catalog: Catalog, view: View, sent: Sends, damping: float, starts: list[np.ndarray], goal: float, most: int
) -> list[_Solution]:
    """Over a projection with weights, a sink and, where walks do not start everywhere alike, start nodes."""
    pages = len(sent.kept)
    largest = max(1.0, float(sent.kept.max()))
    source, target, share = sent.links
    to_sink = 1 - sent.kept / largest
    losing = np.flatnonzero(~sent.dangling & (to_sink > 0))
    everywhere = len(starts) == 1 and bool((starts[0] == starts[0][0]).all())
    parts = [(source, target, share / largest), (losing, np.full(len(losing), pages), to_sink[losing])]
    for number, v in enumerate([] if everywhere else starts):
        at = np.flatnonzero(v)
        parts.append((np.full(len(at), pages + 1 + number), at, v[at]))
    source, target, share = (np.concatenate(arrays) for arrays in zip(*parts, strict=True))
    if len(source) - pages > MOST_GIVEN_LINKS:
        raise GraphError(
            f"a walk over {len(source):,} given links is too much for lists sent to the server",
            hint="use {engine=native}",
            fields=("engine",),
        )
    links = len(source) + (0 if sent.own is None else catalog.links)
    catalog.require_projection(pages + 1 + len(starts), links, weighted=True)
    name, _ = catalog.project(
        "project_walk",
        "projecting weighted links",
        own=sent.own is not None and catalog.links > 0,
        weighted=catalog.weighted,
        coefficient=[] if sent.own is None else (sent.own / largest).tolist(),
        source=source.tolist(),
        target=target.tolist(),
        weight=share.tolist(),
        **view.parameters(),
    )
    try:
        projection = Projection(name, pages + 1 + len(starts), links)
        inner = damping * largest
        configuration: dict[str, Any] = {"relationshipWeightProperty": "weight"}
        if everywhere:
            scale = (1 - inner) * pages
            return [_solve(catalog, projection, sent, damping, starts[0], scale, goal, most, configuration, largest)]
        solved = []
        for number, v in enumerate(starts):
            configuration["sourceNodes"] = [pages + 1 + number]
            scale = inner * (1 - inner)
            one = _solve(catalog, projection, sent, damping, v, scale, goal, most + 1, configuration, largest)
            solved.append(_Solution(one.z, one.residual, one.iterations - 1))
        return solved
    finally:
        catalog.drop(name)


def _solve(
    catalog: Catalog,
    projection: Projection,
    sent: Sends,
    damping: float,
    v: np.ndarray,
    scale: float,
    goal: float,
    most: int,
    configuration: dict[str, Any],
    largest: float = 1.0,
) -> _Solution:
    """Run PageRank until the residual is below `goal` for a sum of 1; what it returns is `scale` times z."""
    pages, name = len(v), projection.name
    catalog.require("pagerank_estimate", "PageRank", name=name, concurrency=catalog.concurrency)
    finest = goal * scale / (10 * pages)
    score = f"score_{secrets.token_hex(4)}"  # others may use the projection at the same time
    for _ in range(_MOST_TRIES):
        settings = configuration | {
            "maxIterations": most,
            "tolerance": finest,
            "dampingFactor": damping * largest,
            "mutateProperty": score,
            "concurrency": catalog.concurrency,
        }
        ran, rows = catalog.written(name, score, partial(_scores, catalog, name, score, settings))
        raw = projection.spread(rows, np.zeros(projection.pages))
        z = raw[:pages] / scale
        if projection.present is not None:
            z[~projection.present] = v[~projection.present]
        total = float(z.sum())
        # Never below what rounding hides.
        residual = max(1 + damping * float(sent.kept @ z) - total, 0.0) + 4 * float(np.finfo(np.float64).eps) * total
        if (
            residual <= (goal * max(total, 1.0) if sent.kept.max() <= checks.MOST_KEPT else goal)
            or not ran["converged"]
        ):
            break
        finest *= _FINER
    return _Solution(z, residual, int(ran["iterations"]))


def _scores(
    catalog: Catalog, name: str, score: str, configuration: dict[str, Any]
) -> tuple[dict[str, Any], list[dict[str, Any]]]:
    """Run PageRank into a property of a projection, and read it."""
    ran = catalog.run("pagerank", "PageRank", name=name, configuration=configuration)[0]
    return ran, catalog.run("scores", name=name, property=score)
