"""The orders a crawl may follow. A new one is a row here and a function that makes a `Policy`."""

from __future__ import annotations

from seedrank.questions.crawl import CompareQuestion, CrawlQuestion, named
from seedrank.questions.links import WEIGHING
from seedrank.questions.methods import Family, Method

__all__ = ["CRAWL", "orders_of"]

_TRAN = "Tran et al. 2015"
_ORDERS = "seedrank.methods.crawl.orders"
_PUSH = "seedrank.methods.crawl.push_orders"

CRAWL = Family(
    CrawlQuestion,
    (
        Method(
            "fpr",
            "Fractional PageRank: every page hands its score on once; an inter-host weight of M is FPR@M.",
            "Alam et al.",
            f"{_PUSH}:fpr",
            {"inter_host_weight": 20, "limit": 1_000},
            uses=("inter_host_weight", "damping", *WEIGHING),
        ),
        Method(
            "rankmass",
            "RankMass: pages are pushed repeatedly, with a proved lower bound.",
            "Cho and Schonfeld 2007",
            f"{_PUSH}:rankmass",
            {"epsilon": 0.1},
            uses=("damping", "epsilon", *WEIGHING),
        ),
        Method(
            "windowed-rankmass",
            "Windowed RankMass: fetch the best part of the frontier, push all that is fetched, repeat.",
            "Cho and Schonfeld 2007",
            f"{_PUSH}:windowed_rankmass",
            {"window": 0.1},
            uses=("window", "damping", "epsilon", *WEIGHING),
        ),
        Method(
            "opic",
            "OPIC: the page with the most cash first.",
            "Abiteboul et al. 2003",
            f"{_PUSH}:opic",
            {"seeds": "maxweight:10"},
            uses=WEIGHING,
        ),
        Method(
            "l-neighbor",
            "Everything within L links of the seeds; L follows from epsilon (28 for 0.01).",
            "Cho and Schonfeld 2007",
            f"{_PUSH}:l_neighbor",
            {"seeds": "seeds.txt", "epsilon": 0.05},
            uses=("damping", "epsilon"),
        ),
        Method("bfs", "Breadth first: by discovery.", "", f"{_ORDERS}:bfs", {"seeds": "run:latest", "per_host": 100}),
        Method(
            "backlink",
            "The most links seen so far.",
            "Cho et al. 1998",
            f"{_ORDERS}:backlink",
            {"limit": 1_000, "value": "clicks"},
        ),
        Method(
            "pagerank",
            "PageRank of what is known, scored again after every batch of pages.",
            "Cho et al. 1998",
            f"{_ORDERS}:batch_pagerank",
            {"every": "10%", "partial": True},
            uses=("damping", "every", "partial", *WEIGHING),
        ),
        Method(
            "larger-sites",
            "Larger sites first: the site with the most waiting pages.",
            "Castillo and Baeza-Yates",
            f"{_ORDERS}:larger_sites",
            {"host_delay": 2, "parallel": 4},
        ),
        Method(
            "transdomain",
            "The most links from other registered domains.",
            "Fetterly et al. 2009",
            f"{_ORDERS}:transdomain",
            {"limit": 1_000},
        ),
        Method(
            "rw",
            "RW in batches: fetched pages show their links and their impact, and pass it on.",
            _TRAN,
            f"{_ORDERS}:rw",
            {"every": "10%", "impact": "views"},
            uses=("damping", "every", "impact", "beta", *WEIGHING),
        ),
        Method(
            "rw-eg",
            "RW-EG in batches: RW over links and over pages cited together.",
            _TRAN,
            f"{_ORDERS}:rw_eg",
            {"impact": "views", "omega": 0.5},
            uses=("damping", "every", "impact", "omega", "beta", *WEIGHING),
        ),
        Method(
            "omniscient",
            "The highest PageRank of the whole graph among discovered pages: no crawler can know it.",
            "",
            f"{_ORDERS}:omniscient",
            {"seeds": "pagerank:10", "limit": 1_000},
            uses=WEIGHING,
        ),
        Method("random", "Any discovered page.", "", f"{_ORDERS}:random", {"limit": 1_000}),
    ),
)


def orders_of(question: CompareQuestion) -> list[CrawlQuestion]:
    """A question per order of a comparison; an option that none of them uses is refused."""
    found = [named(name, question) for name in question.orders]
    CRAWL.refuse_unused(question, dict.fromkeys(one.order for one in found))
    return found
