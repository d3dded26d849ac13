"""The methods that rank the frontier. A new one is a row here and a function that takes `Scores`."""

from __future__ import annotations

from seedrank.questions.frontier import FrontierQuestion
from seedrank.questions.links import WEIGHING
from seedrank.questions.methods import Family, Method

__all__ = ["FRONTIER", "IMPACT_METHODS", "QUERY_METHODS", "SCORED"]

_TRAN = "Tran et al. 2015"
_SCORES = "seedrank.methods.frontier.scores"
_IMPACT = ("transform", "epsilon", "beta")
_ENRICHED = ("omega", "virtual", "fan_out_cap")
_QUERIES = (
    " A baseline for evaluation: it knows what people search for now, so it finds little that is new, and it is silent "
    "on pages whose URL and anchors show none of the words."
)

FRONTIER = Family(
    FrontierQuestion,
    (
        Method(
            "random",
            "Frontier pages in random order: what every method must beat.",
            _TRAN,
            f"{_SCORES}:at_random",
            {"budget": "1%"},
        ),
        Method(
            "indegree",
            "The pages that most crawled pages link to.",
            _TRAN,
            f"{_SCORES}:indegree",
            {"budget": "100", "only": ("host=*.example",)},
        ),
        Method(
            "pagerank",
            "PageRank over crawled and frontier pages, eq (3).",
            _TRAN,
            f"{_SCORES}:pagerank",
            {"budget": "1%", "damping": 0.9},
            uses=("damping", *WEIGHING),
        ),
        Method(
            "trust",
            "PageRank, and a walk in which every host begins alike, however many pages it has.",
            "",
            f"{_SCORES}:trust",
            {"budget": "1%"},
            uses=("damping", *WEIGHING),
        ),
        Method(
            "q-overlap",
            "Q-Overlap: pages with the words of poorly answered searches." + _QUERIES,
            "Pandey and Olston 2008",
            f"{_SCORES}:q_overlap",
            {"budget": "1%", "match": "share"},
            uses=("match",),
        ),
        Method(
            "q-hybrid",
            "Q-Hybrid: the average of Q-Overlap and PageRank." + _QUERIES,
            _TRAN,
            f"{_SCORES}:q_hybrid",
            {"budget": "1%", "mix": 0.3},
            uses=("damping", "mix", "match", *WEIGHING),
        ),
        Method(
            "rw",
            "RW: a walk in which crawled pages with more impact count more, eq (5).",
            _TRAN,
            f"{_SCORES}:rw",
            {"budget": "1%", "impact": "views"},
            uses=("damping", *_IMPACT, *WEIGHING),
        ),
        Method(
            "rw-eg",
            "RW-EG: RW over links and over virtual links to pages that share in-links, eq (10).",
            _TRAN,
            f"{_SCORES}:rw_eg",
            {"budget": "1%", "impact": "views", "omega": 0.7},
            uses=("damping", *_IMPACT, *_ENRICHED, *WEIGHING),
        ),
        Method(
            "learned",
            "A model learnt from the scores of all methods; see `frontier learn`.",
            _TRAN,
            "seedrank.methods.frontier.answer:learned",
            {"budget": "1%", "impact": "views", "model": "views.json"},
            uses=("damping", *_IMPACT, *_ENRICHED, "mix", "match", "model", *WEIGHING),
        ),
    ),
)

SCORED = tuple(name for name in FRONTIER.names if name not in ("learned", "trust"))
"""Methods of the papers that score pages by themselves; a model learns from their scores."""
QUERY_METHODS = ("q-overlap", "q-hybrid")
IMPACT_METHODS = tuple(one.name for one in FRONTIER.methods if set(_IMPACT) <= set(one.uses))
"""Methods that look at the impact of crawled pages."""
