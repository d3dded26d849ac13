"""Where the score of a frontier page comes from, page by page."""

from __future__ import annotations

import numpy as np
import pyarrow as pa

from seedrank.methods.frontier.methods import QUERY_METHODS, SCORED
from seedrank.methods.frontier.scores import Scores
from seedrank.runs import Ranking

__all__ = ["contributions", "verdicts"]


def contributions(scores: Scores, page: int) -> tuple[Ranking, float]:
    """What each page sends to a frontier page under RW-EG, by link and by co-citation; largest first.

    Returns
    -------
    ranking, teleport
        Pages with what they send as score and the columns ``via_link``, ``via_co_citation``, ``shared_in_links``,
        ``impact``, ``factor``, ``sender_score``; and (1-α) v of the page itself, the rest of its score.
    """
    problem, options = scores.problem, scores.options
    x, factor = scores.of("rw-eg"), scores.factor()
    graph = problem.graph
    row = slice(graph.in_offsets[page], graph.in_offsets[page + 1])
    links = graph.in_sources[row]
    shares = np.ones(len(links)) if graph.in_weights is None else graph.in_weights[row].astype(np.float64)
    # A page whose links all weigh 0 sends nothing.
    shares /= np.where(graph.strength[links] > 0, graph.strength[links], 1.0)
    by_link = np.zeros(problem.engine.pages)
    by_link[links] = options.damping * options.omega * factor[links] * x[links] * shares
    virtual = scores.virtual_links
    own = np.flatnonzero(virtual.target == page)
    source, weight = virtual.source[own], virtual.weight[own]
    shared = np.zeros(problem.engine.pages, np.int64)
    shared[source] = weight
    by_citation = np.zeros(problem.engine.pages)
    by_citation[source] = (
        options.damping * (1 - options.omega) * scores.virtual_factor()[source] * x[source]
        * weight / virtual.strength[source]
    )  # fmt: skip
    total = by_link + by_citation
    senders = np.union1d(links, source).astype(np.int64)
    senders = senders[np.lexsort((senders, -total[senders]))]
    columns = {
        "via_link": by_link[senders],
        "via_co_citation": by_citation[senders],
        "shared_in_links": shared[senders],
        "impact": problem.impact[senders],
        "factor": factor[senders],
        "sender_score": x[senders],
    }
    return Ranking(senders, total[senders], columns), float(x[page] - total[senders].sum())


def verdicts(scores: Scores, page: int) -> pa.Table:
    """What each method says of a frontier page: ``method``, ``score``, ``place`` among ``of`` frontier pages."""
    asked = scores.searches is not None and scores.searches.there
    rows = []
    for method in SCORED:
        if method == "random" or (method in QUERY_METHODS and not asked):
            continue
        place = int(np.flatnonzero(scores.ranked(method) == page)[0]) + 1
        rows.append(
            {"method": method, "score": float(scores.of(method)[page]), "place": place, "of": len(scores.problem.pages)}
        )
    return pa.Table.from_pylist(rows)
