"""The methods that choose seeds. A new one is a row here and a function that takes a `CoverageProblem`."""

from __future__ import annotations

from seedrank.questions.links import WEIGHING
from seedrank.questions.methods import Family, Method
from seedrank.questions.seeds import SeedQuestion

__all__ = ["SEEDS"]

_ZHENG = "Zheng et al. 2009"
_SEARCH = ("always_k", "time_limit", "tolerance", "sketch", "prefer")

SEEDS = Family(
    SeedQuestion,
    (
        Method(
            "best",
            "The best we have: exact greedy, or MaxWeight as far as the work allows, beside what people do by hand.",
            "",
            "seedrank.methods.seeds.best:best",
            {"k": 10},
            uses=("pagerank_of", "work", *_SEARCH),
        ),
        Method(
            "random",
            "Random crawled pages: what every method must beat.",
            _ZHENG,
            "seedrank.methods.seeds.baselines:at_random",
            {"k": 10, "repeats": 20},
            uses=("repeats",),
        ),
        Method(
            "pagerank",
            "The pages with the highest PageRank of the whole graph.",
            _ZHENG,
            "seedrank.methods.seeds.baselines:by_pagerank",
            {"k": 10, "per_site": True, "pagerank_of": "site"},
            uses=("pagerank_of", *WEIGHING),
        ),
        Method(
            "outdegree",
            "The pages that link to the most crawled pages.",
            _ZHENG,
            "seedrank.methods.seeds.baselines:by_outdegree",
            {"k": 10, "hops": 3},
        ),
        Method(
            "maxout",
            "MaxOut: repeatedly pick the uncovered page that links to the most uncovered pages.",
            _ZHENG,
            "seedrank.methods.seeds.graph_methods:maxout",
            {"k": 10, "always_k": True},
            uses=("always_k", "prefer"),
        ),
        Method(
            "maxweight",
            "MaxWeight: repeatedly pick the page whose d-hop ball is worth the most.",
            _ZHENG,
            "seedrank.methods.seeds.graph_methods:maxweight",
            {"k": 10, "hops": 3},
            uses=("depth", *_SEARCH),
        ),
        Method(
            "maxscc",
            "MaxSCC: the heaviest d-hop ball inside the heaviest strong component.",
            _ZHENG,
            "seedrank.methods.seeds.graph_methods:maxscc",
            {"k": 10, "depth": 3},
            uses=("depth", *_SEARCH),
        ),
        Method(
            "rootscc",
            "RootSCC: the heaviest d-hop ball in the heaviest root above the heaviest SCC.",
            _ZHENG,
            "seedrank.methods.seeds.graph_methods:rootscc",
            {"k": 10, "exclude": ("url=*/login*",)},
            uses=("depth", *_SEARCH),
        ),
        Method(
            "greedy",
            "Exact greedy of Algorithm 1: the page whose whole h-hop ball adds the most.",
            _ZHENG,
            "seedrank.methods.seeds.graph_methods:greedy",
            {"k": 10, "value": "clicks", "time_limit": 60},
            uses=_SEARCH,
        ),
    ),
)
