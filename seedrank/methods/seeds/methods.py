"""The methods that choose seeds. A new one is a row here and a function that imports it and runs it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from seedrank.questions.methods import Family, Method
from seedrank.questions.question import WEIGHING
from seedrank.questions.seeds import SeedQuestion

if TYPE_CHECKING:
    from seedrank.methods.seeds.choose import SeedProblem
    from seedrank.methods.seeds.coverage import Selection

__all__ = ["SEEDS"]

_ZHENG = "Zheng et al. 2009"
_SEARCH = ("always_k", "time_limit", "tolerance", "sketch", "prefer")


def _best(problem: SeedProblem) -> Selection:
    import numpy as np

    from seedrank.methods.seeds.best import best

    fronts = problem.fronts() if problem.fronts else np.zeros(problem.coverage.engine.pages)
    question = problem.question
    return best(problem.coverage, problem.pagerank(), fronts, question.rng, question.work)


def _random(problem: SeedProblem) -> Selection:
    from seedrank.methods.seeds.baselines import at_random

    return at_random(problem.coverage, problem.question.rng)


def _pagerank(problem: SeedProblem) -> Selection:
    from seedrank.methods.seeds.baselines import by_pagerank

    return by_pagerank(problem.coverage, problem.pagerank())


def _outdegree(problem: SeedProblem) -> Selection:
    from seedrank.methods.seeds.baselines import by_outdegree

    return by_outdegree(problem.coverage)


def _maxout(problem: SeedProblem) -> Selection:
    from seedrank.methods.seeds.graph_methods import maxout

    return maxout(problem.coverage)


def _maxweight(problem: SeedProblem) -> Selection:
    from seedrank.methods.seeds.graph_methods import maxweight

    return maxweight(problem.coverage, problem.depth)


def _maxscc(problem: SeedProblem) -> Selection:
    from seedrank.methods.seeds.graph_methods import maxscc

    return maxscc(problem.coverage, problem.depth)


def _rootscc(problem: SeedProblem) -> Selection:
    from seedrank.methods.seeds.graph_methods import rootscc

    return rootscc(problem.coverage, problem.depth)


def _greedy(problem: SeedProblem) -> Selection:
    from seedrank.methods.seeds.graph_methods import greedy

    return greedy(problem.coverage)


SEEDS = Family(
    SeedQuestion,
    (
        Method("best",
               "The best we have: exact greedy, or MaxWeight as far as the work allows, beside what people do by hand.",
               "", _best, {"k": 10}, uses=("pagerank_of", "work", *_SEARCH)),
        Method("random", "Random crawled pages: what every method must beat.",
               _ZHENG, _random, {"k": 10, "repeats": 20}, uses=("repeats",)),
        Method("pagerank", "The pages with the highest PageRank of the whole graph.",
               _ZHENG, _pagerank, {"k": 10, "per_site": True, "pagerank_of": "site"}, uses=("pagerank_of", *WEIGHING)),
        Method("outdegree", "The pages that link to the most crawled pages.", _ZHENG, _outdegree, {"k": 10, "hops": 3}),
        Method("maxout", "MaxOut: repeatedly pick the uncovered page that links to the most uncovered pages.",
               _ZHENG, _maxout, {"k": 10, "always_k": True}, uses=("always_k", "prefer")),
        Method("maxweight", "MaxWeight: repeatedly pick the page whose d-hop ball is worth the most.",
               _ZHENG, _maxweight, {"k": 10, "hops": 3}, uses=("depth", *_SEARCH)),
        Method("maxscc", "MaxSCC: the heaviest d-hop ball inside the heaviest strong component.",
               _ZHENG, _maxscc, {"k": 10, "depth": 3}, uses=("depth", *_SEARCH)),
        Method("rootscc", "RootSCC: the heaviest d-hop ball in the heaviest root above the heaviest SCC.",
               _ZHENG, _rootscc, {"k": 10, "exclude": ("url=*/login*",)}, uses=("depth", *_SEARCH)),
        Method("greedy", "Exact greedy of Algorithm 1: the page whose whole h-hop ball adds the most.",
               _ZHENG, _greedy, {"k": 10, "value": "clicks", "time_limit": 60}, uses=_SEARCH),
    ),
)  # fmt: skip
