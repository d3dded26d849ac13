"""The methods that rank the frontier. A new one is a row here and a function that takes `Scores`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from seedrank.questions.frontier import FrontierQuestion
from seedrank.questions.methods import Family, Method
from seedrank.questions.question import WEIGHING

if TYPE_CHECKING:
    import numpy as np

    from seedrank.methods.frontier.scores import Scores

__all__ = ["FRONTIER", "IMPACT_METHODS", "QUERY_METHODS", "SCORED"]

_TRAN = "Tran et al. 2015"
_IMPACT = ("transform", "epsilon", "beta")
_ENRICHED = ("omega", "virtual", "fan_out_cap")
_QUERIES = (
    " A baseline for evaluation: it knows what people search for now, so it finds little that is new, and it is silent "
    "on pages whose URL and anchors show none of the words."
)


def _random(scores: Scores) -> np.ndarray:
    import numpy as np

    pages = scores.problem.engine.pages
    return (np.random.default_rng(scores.options.rng).permutation(pages) + 1.0) / pages


def _indegree(scores: Scores) -> np.ndarray:
    return scores.problem.in_degree.astype("float64")


def _pagerank(scores: Scores) -> np.ndarray:
    problem = scores.problem
    return problem.engine.walk(damping=scores.options.damping, teleport=problem.teleport, dangling="drop").scores


def _trust(scores: Scores) -> np.ndarray:
    from seedrank.methods.frontier.walks import trust

    return trust(scores.problem, scores.of("pagerank"), scores.options.damping)


def _q_overlap(scores: Scores) -> np.ndarray:
    from seedrank.methods.frontier.queries import q_overlap

    return q_overlap(scores.problem, *scores.words_of_searches(), scores.options.match)


def _q_hybrid(scores: Scores) -> np.ndarray:
    from seedrank.methods.frontier.queries import q_hybrid

    return q_hybrid(scores.of("q-overlap"), scores.of("pagerank"), scores.problem.frontier, scores.options.mix)


def _rw(scores: Scores) -> np.ndarray:
    from seedrank.methods.frontier.walks import rw

    return rw(scores.problem, scores.factor(), scores.options.damping)


def _rw_eg(scores: Scores) -> np.ndarray:
    from seedrank.methods.frontier.walks import rw_eg

    links, options = scores.virtual_links, scores.options
    return rw_eg(
        scores.problem, scores.factor(), links, scores.virtual_factor(), omega=options.omega, damping=options.damping
    )


def _learned(scores: Scores) -> np.ndarray:
    from seedrank.methods.frontier.answer import learned

    return learned(scores, scores.model)


FRONTIER = Family(
    FrontierQuestion,
    (
        Method("random", "Frontier pages in random order: what every method must beat.", _TRAN, _random,
               {"budget": "1%"}),
        Method("indegree", "The pages that most crawled pages link to.",
               _TRAN, _indegree, {"budget": "100", "only": ("host=*.example",)}),
        Method("pagerank", "PageRank over crawled and frontier pages, eq (3).",
               _TRAN, _pagerank, {"budget": "1%", "damping": 0.9}, uses=("damping", *WEIGHING)),
        Method("trust", "PageRank, and a walk in which every host begins alike, however many pages it has.",
               "", _trust, {"budget": "1%"}, uses=("damping", *WEIGHING)),
        Method("q-overlap", "Q-Overlap: pages with the words of poorly answered searches." + _QUERIES,
               "Pandey and Olston 2008", _q_overlap, {"budget": "1%", "match": "share"}, uses=("match",)),
        Method("q-hybrid", "Q-Hybrid: the average of Q-Overlap and PageRank." + _QUERIES,
               _TRAN, _q_hybrid, {"budget": "1%", "mix": 0.3}, uses=("damping", "mix", "match", *WEIGHING)),
        Method("rw", "RW: a walk in which crawled pages with more impact count more, eq (5).",
               _TRAN, _rw, {"budget": "1%", "impact": "views"}, uses=("damping", *_IMPACT, *WEIGHING)),
        Method("rw-eg", "RW-EG: RW over links and over virtual links to pages that share in-links, eq (10).",
               _TRAN, _rw_eg, {"budget": "1%", "impact": "views", "omega": 0.7},
               uses=("damping", *_IMPACT, *_ENRICHED, *WEIGHING)),
        Method("learned", "A model learnt from the scores of all methods; see `frontier learn`.",
               _TRAN, _learned, {"budget": "1%", "impact": "views", "model": "views.json"},
               uses=("damping", *_IMPACT, *_ENRICHED, "mix", "match", "model", *WEIGHING)),
    ),
)  # fmt: skip

SCORED = tuple(one.name for one in FRONTIER.built_in if one.name not in ("learned", "trust"))
"""Methods of the papers that score pages by themselves; a model learns from their scores."""
QUERY_METHODS = ("q-overlap", "q-hybrid")
IMPACT_METHODS = tuple(one.name for one in FRONTIER.built_in if set(_IMPACT) <= set(one.uses))
"""Methods that look at the impact of crawled pages."""
