"""The orders a crawl may follow. A new one is a row here and a function that imports it and makes its `Policy`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from seedrank.questions.crawl import CompareQuestion, CrawlQuestion, named
from seedrank.questions.methods import Family, Method
from seedrank.questions.question import WEIGHING

if TYPE_CHECKING:
    from seedrank.methods.crawl.orders import CrawlProblem
    from seedrank.methods.crawl.policy import Policy

__all__ = ["CRAWL", "orders_of"]

_TRAN = "Tran et al. 2015"


def _fpr(problem: CrawlProblem) -> Policy:
    from seedrank.methods.crawl.push_orders import fpr

    asked = problem.question
    return fpr(problem.seeds, inter_host_weight=asked.inter_host_weight, damping=asked.damping, weights=problem.weights)


def _rankmass(problem: CrawlProblem) -> Policy:
    from seedrank.methods.crawl.push_orders import rankmass

    return rankmass(problem.seeds, damping=problem.question.damping, epsilon=problem.question.epsilon)


def _windowed_rankmass(problem: CrawlProblem) -> Policy:
    from seedrank.methods.crawl.push_orders import windowed_rankmass

    asked = problem.question
    return windowed_rankmass(
        problem.seeds, problem.graph.pages, window=asked.window, damping=asked.damping, epsilon=asked.epsilon
    )


def _opic(problem: CrawlProblem) -> Policy:
    from seedrank.methods.crawl.push_orders import opic

    return opic(problem.seeds)


def _l_neighbor(problem: CrawlProblem) -> Policy:
    from seedrank.methods.crawl.push_orders import l_neighbor

    return l_neighbor(problem.seeds, damping=problem.question.damping, epsilon=problem.question.epsilon)


def _bfs(problem: CrawlProblem) -> Policy:
    from seedrank.methods.crawl.policy import Policy

    return Policy("bfs")


def _backlink(problem: CrawlProblem) -> Policy:
    from seedrank.engines.kernels.push import COUNT
    from seedrank.methods.crawl.policy import Policy

    return Policy("backlink", COUNT)


def _pagerank(problem: CrawlProblem) -> Policy:
    from seedrank.methods.crawl.orders import batch_pagerank

    return batch_pagerank(problem.question.damping, problem.every, problem.question.partial)


def _larger_sites(problem: CrawlProblem) -> Policy:
    from seedrank.methods.crawl.policy import Policy

    return Policy("larger-sites", by_size=True)


def _transdomain(problem: CrawlProblem) -> Policy:
    from seedrank.engines.kernels.push import COUNT_INTER
    from seedrank.methods.crawl.policy import Policy

    return Policy("transdomain", COUNT_INTER, sites=problem.domains())


def _rw(problem: CrawlProblem) -> Policy:
    from seedrank.methods.crawl.orders import rw

    return rw(problem)


def _rw_eg(problem: CrawlProblem) -> Policy:
    from seedrank.methods.crawl.orders import rw_eg

    return rw_eg(problem)


def _omniscient(problem: CrawlProblem) -> Policy:
    from seedrank.methods.crawl.orders import omniscient

    return omniscient(problem)


def _random(problem: CrawlProblem) -> Policy:
    from seedrank.methods.crawl.orders import random

    return random(problem.seeds, problem.graph.pages, problem.question.rng)


CRAWL = Family(
    CrawlQuestion,
    (
        Method("fpr", "Fractional PageRank: every page hands its score on once; an inter-host weight of M is FPR@M.",
               "Alam et al.", _fpr, {"inter_host_weight": 20, "limit": 1_000},
               uses=("inter_host_weight", "damping", *WEIGHING)),
        Method("rankmass", "RankMass: pages are pushed repeatedly, with a proved lower bound.",
               "Cho and Schonfeld 2007", _rankmass, {"epsilon": 0.1}, uses=("damping", "epsilon", *WEIGHING)),
        Method("windowed-rankmass",
               "Windowed RankMass: fetch the best part of the frontier, push all that is fetched, repeat.",
               "Cho and Schonfeld 2007", _windowed_rankmass, {"window": 0.1},
               uses=("window", "damping", "epsilon", *WEIGHING)),
        Method("opic", "OPIC: the page with the most cash first.",
               "Abiteboul et al. 2003", _opic, {"seeds": "maxweight:10"}, uses=WEIGHING),
        Method("l-neighbor", "Everything within L links of the seeds; L follows from epsilon (28 for 0.01).",
               "Cho and Schonfeld 2007", _l_neighbor, {"seeds": "seeds.txt", "epsilon": 0.05},
               uses=("damping", "epsilon")),
        Method("bfs", "Breadth first: by discovery.", "", _bfs, {"seeds": "run:latest", "per_host": 100}),
        Method("backlink", "The most links seen so far.",
               "Cho et al. 1998", _backlink, {"limit": 1_000, "value": "clicks"}),
        Method("pagerank", "PageRank of the known pages, scored again after every batch of pages.",
               "Cho et al. 1998", _pagerank, {"every": "10%", "partial": True},
               uses=("damping", "every", "partial", *WEIGHING)),
        Method("larger-sites", "Larger sites first: the site with the most waiting pages.",
               "Castillo and Baeza-Yates", _larger_sites, {"host_delay": 2, "parallel": 4}),
        Method("transdomain", "The most links from other registered domains.",
               "Fetterly et al. 2009", _transdomain, {"limit": 1_000}),
        Method("rw", "RW in batches: fetched pages show their links and their impact, and pass it on.",
               _TRAN, _rw, {"every": "10%", "impact": "views"}, uses=("damping", "every", "impact", "beta", *WEIGHING)),
        Method("rw-eg", "RW-EG in batches: RW over links and over pages cited together.",
               _TRAN, _rw_eg, {"impact": "views", "omega": 0.5},
               uses=("damping", "every", "impact", "omega", "beta", *WEIGHING)),
        Method("omniscient", "The highest PageRank of the whole graph among discovered pages: no crawler can know it.",
               "", _omniscient, {"seeds": "pagerank:10", "limit": 1_000}, uses=WEIGHING),
        Method("random", "Any discovered page.", "", _random, {"limit": 1_000}),
    ),
)  # fmt: skip


def orders_of(question: CompareQuestion) -> list[CrawlQuestion]:
    """A question per order of a comparison; an option that none of them uses is refused."""
    found = [named(name, question) for name in question.orders]
    CRAWL.refuse_unused(question, dict.fromkeys(one.order for one in found))
    return found
