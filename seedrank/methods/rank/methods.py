"""The methods that rank pages and hosts. A new one is a row here and a function that imports it and runs it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from seedrank.questions.methods import Family, Method
from seedrank.questions.question import WEIGHING
from seedrank.questions.rank import RankQuestion

if TYPE_CHECKING:
    from seedrank.methods.rank.answer import RankProblem
    from seedrank.methods.rank.centrality import Centrality

__all__ = ["RANK"]


def _pagerank(problem: RankProblem) -> Centrality:
    from seedrank.methods.rank.centrality import pagerank

    return pagerank(problem.engine, problem.question.damping, problem.question.dangling, problem.teleport)


def _hits(problem: RankProblem) -> Centrality:
    from seedrank.methods.rank.centrality import hits

    return hits(problem.engine, problem.question.iterations)


def _indegree(problem: RankProblem) -> Centrality:
    from seedrank.methods.rank.centrality import indegree

    return indegree(problem.engine)


def _outdegree(problem: RankProblem) -> Centrality:
    from seedrank.methods.rank.centrality import outdegree

    return outdegree(problem.engine)


def _harmonic(problem: RankProblem) -> Centrality:
    from seedrank.methods.rank.centrality import harmonic

    return harmonic(problem.engine)


def _centrality(problem: RankProblem) -> Centrality:
    from seedrank.methods.rank.centrality import centrality

    return centrality(problem.engine, problem.question.damping, problem.question.dangling)


def _trust(problem: RankProblem) -> Centrality:
    from seedrank.methods.rank.trust import trust

    return trust(problem.engine, problem.trusted, problem.question.damping, problem.question.dangling)


def _distrust(problem: RankProblem) -> Centrality:
    from seedrank.methods.rank.trust import distrust

    return distrust(problem.engine, problem.bad, problem.question.damping, problem.question.dangling)


def _spam_mass(problem: RankProblem) -> Centrality:
    from seedrank.methods.rank.trust import spam_mass

    asked = problem.question
    return spam_mass(problem.engine, problem.trusted, asked.damping, asked.good_share, asked.min_pagerank)


RANK = Family(
    RankQuestion,
    (
        Method("pagerank", "PageRank: a walk over the links with random restarts; to an L1 change of 1e-12.",
               "Brin and Page 1998", _pagerank, {"teleport": "trusted.txt"},
               uses=("damping", "dangling", "teleport", *WEIGHING)),
        Method("hits",
               "HITS: good hubs link to good authorities. The score is the authority; columns hub and authority.",
               "Kleinberg 1999", _hits, {"iterations": 100}, uses=("iterations", *WEIGHING)),
        Method("indegree", "How many distinct pages link to a page.", "", _indegree, {"level": "host"}),
        Method("outdegree", "How many distinct pages a page links to.", "", _outdegree, {"level": "host"}),
        Method("harmonic",
               "Harmonic centrality: the sum of 1/distance over all pages that reach a page; exact up to 5,000 pages, "
               "else by HyperBall counters with their error stated.", "Boldi and Vigna 2013", _harmonic,
               {"level": "host"}),
        Method("centrality",
               "Harmonic centrality and PageRank, value and position by each, as Common Crawl ranks hosts. "
               "The score is the harmonic centrality.", "", _centrality, {"level": "host"},
               uses=("damping", "dangling", *WEIGHING)),
        Method("trust", "TrustRank: a walk over the links that restarts in the trusted set.",
               "Gyöngyi et al. 2004", _trust, {"trusted": "trusted.txt"},
               uses=("damping", "dangling", "trusted", *WEIGHING)),
        Method("distrust",
               "Anti-TrustRank: a walk against the links that restarts in the bad set; pages that lead there score "
               "high.", "Krishnan and Raj 2006", _distrust, {"bad": "spam"},
               uses=("damping", "dangling", "bad", *WEIGHING)),
        Method("spam-mass",
               "Relative spam mass: the share of a page's PageRank that does not come from the trusted set. Columns "
               "mass and pagerank in units of the PageRank of a page without in-links.", "Gyöngyi et al. 2006",
               _spam_mass, {"trusted": "trusted.txt", "min_pagerank": 10.0},
               uses=("damping", "trusted", "good_share", "min_pagerank", *WEIGHING)),
    ),
)  # fmt: skip
