"""The methods that rank pages and hosts."""

from __future__ import annotations

from seedrank.questions.links import WEIGHING
from seedrank.questions.methods import Family, Method
from seedrank.questions.rank import RankQuestion

__all__ = ["RANK"]

RANK = Family(
    RankQuestion,
    (
        Method(
            "pagerank",
            "PageRank: a walk over the links that begins anew now and then; to an L1 change of 1e-12.",
            "Brin and Page 1998",
            "seedrank.rank.centrality:pagerank",
            {"teleport": "trusted.txt"},
            uses=("damping", "dangling", "teleport", *WEIGHING),
        ),
        Method(
            "hits",
            "HITS: good hubs link to good authorities. The score is the authority; columns hub and authority.",
            "Kleinberg 1999",
            "seedrank.rank.centrality:hits",
            {"iterations": 100},
            uses=("iterations", *WEIGHING),
        ),
        Method(
            "indegree",
            "How many distinct pages link to a page.",
            "",
            "seedrank.rank.centrality:indegree",
            {"level": "host"},
        ),
        Method(
            "outdegree",
            "How many distinct pages a page links to.",
            "",
            "seedrank.rank.centrality:outdegree",
            {"level": "host"},
        ),
        Method(
            "harmonic",
            "Harmonic centrality: the sum of 1/distance over all pages that reach a page; exact up to 5,000 pages, "
            "else by HyperBall counters with their error stated.",
            "Boldi and Vigna 2013",
            "seedrank.rank.centrality:harmonic",
            {"level": "host"},
        ),
    ),
)
