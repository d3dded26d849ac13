"""What a model learns from: the scores of all methods, and facts of the pages (docs/algorithms.md §5.9)."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pyarrow.compute as pc

from seedrank.core.errors import UsageError
from seedrank.methods.frontier.methods import QUERY_METHODS
from seedrank.methods.frontier.scores import Scores

__all__ = ["EXTRAS", "METHOD_FEATURES", "feature_names", "features"]

METHOD_FEATURES = ("indegree", "pagerank", "q-overlap", "q-hybrid", "rw", "rw-eg")
WALKS = ("pagerank", "rw", "rw-eg")
"""Scores that are shares of a walk, 1/n on average or less: n times them are features that fit a graph of any size."""
EXTRAS = ("mean-impact-of-citing", "max-impact-of-citing", "virtual-neighbours", "url-depth")


def feature_names(scores: Scores, *, extras: bool = False) -> tuple[str, ...]:
    """Features that can be had here: without searches those of the query methods cannot."""
    asked = scores.searches is not None and scores.searches.there
    methods = tuple(name for name in METHOD_FEATURES if asked or name not in QUERY_METHODS)
    return methods + (EXTRAS if extras else ())


def features(scores: Scores, pages: np.ndarray, names: Sequence[str]) -> np.ndarray:
    """float64 (pages, names); a feature this version does not know is refused.

    Scores of walks are relative to uniform ones (n times the score), counts and impact as they are.
    """
    size = int((scores.problem.crawled | scores.problem.frontier).sum())
    columns = []
    for name in names:
        if name in WALKS:
            columns.append(scores.of(name)[pages] * size)
        elif name in METHOD_FEATURES:
            columns.append(scores.of(name)[pages])
        elif name in EXTRAS:
            columns.append(_extra(scores, name)[pages])
        else:
            raise UsageError(f"unknown feature {name!r}", hint="learn the model again with this version")
    return np.column_stack(columns) if columns else np.empty((len(pages), 0))


def _extra(scores: Scores, name: str) -> np.ndarray:
    problem = scores.problem
    if name == "virtual-neighbours":
        links = scores.virtual_links
        return np.bincount(links.target, minlength=links.pages).astype(np.float64)
    if name == "url-depth":
        urls = None if scores.searches is None else scores.searches.urls()
        if urls is None:
            return np.zeros(problem.engine.pages)
        return np.asarray(pc.fill_null(pc.count_substring(urls, "/"), 0).to_numpy(), np.float64)
    offsets, citing = problem.graph.in_offsets, problem.impact[problem.graph.in_sources]
    linked = problem.in_degree > 0
    found = np.zeros(problem.engine.pages)
    if not linked.any():
        return found
    if name == "mean-impact-of-citing":
        known = np.add.reduceat(~problem.unknown[problem.graph.in_sources], offsets[:-1][linked], dtype=np.int64)
        found[linked] = np.add.reduceat(citing, offsets[:-1][linked]) / np.maximum(known, 1)
    else:
        found[linked] = np.maximum.reduceat(citing, offsets[:-1][linked])
    return found
