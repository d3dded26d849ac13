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
            "seedrank.methods.rank.centrality:pagerank",
            {"teleport": "trusted.txt"},
            uses=("damping", "dangling", "teleport", *WEIGHING),
        ),
        Method(
            "hits",
            "HITS: good hubs link to good authorities. The score is the authority; columns hub and authority.",
            "Kleinberg 1999",
            "seedrank.methods.rank.centrality:hits",
            {"iterations": 100},
            uses=("iterations", *WEIGHING),
        ),
        Method(
            "indegree",
            "How many distinct pages link to a page.",
            "",
            "seedrank.methods.rank.centrality:indegree",
            {"level": "host"},
        ),
        Method(
            "outdegree",
            "How many distinct pages a page links to.",
            "",
            "seedrank.methods.rank.centrality:outdegree",
            {"level": "host"},
        ),
        Method(
            "harmonic",
            "Harmonic centrality: the sum of 1/distance over all pages that reach a page; exact up to 5,000 pages, "
            "else by HyperBall counters with their error stated.",
            "Boldi and Vigna 2013",
            "seedrank.methods.rank.centrality:harmonic",
            {"level": "host"},
        ),
        Method(
            "centrality",
            "Harmonic centrality and PageRank, value and position by each, as Common Crawl ranks hosts. "
            "The score is the harmonic centrality.",
            "",
            "seedrank.methods.rank.centrality:centrality",
            {"level": "host"},
            uses=("damping", "dangling", *WEIGHING),
        ),
        Method(
            "trust",
            "TrustRank: a walk over the links that restarts in the trusted set.",
            "Gyöngyi et al. 2004",
            "seedrank.methods.rank.trust:trust",
            {"trusted": "trusted.txt"},
            uses=("damping", "dangling", "trusted", *WEIGHING),
        ),
        Method(
            "distrust",
            "Anti-TrustRank: a walk against the links that restarts in the bad set; pages that lead there score high.",
            "Krishnan and Raj 2006",
            "seedrank.methods.rank.trust:distrust",
            {"bad": "spam"},
            uses=("damping", "dangling", "bad", *WEIGHING),
        ),
        Method(
            "spam-mass",
            "Relative spam mass: the share of a page's PageRank that does not come from the trusted set. Columns mass "
            "and pagerank in units of the PageRank of a page without in-links.",
            "Gyöngyi et al. 2006",
            "seedrank.methods.rank.trust:spam_mass",
            {"trusted": "trusted.txt", "min_pagerank": 10.0},
            uses=("damping", "trusted", "good_share", "min_pagerank", *WEIGHING),
        ),
    ),
)
