"""What Daneshpajouh et al. 2008 claim, with their sentences; places are those of the published paper.

The papers count iterations of a crawl and do not say whether the first one is the seeds: claims about certain
iterations come in two readings.
"""

from __future__ import annotations

import math

from seedrank.experiments.margins import MARGINS
from seedrank.experiments.verdicts import Statement, greater, within

__all__ = [
    "COMPLETE",
    "FAR",
    "LATE",
    "LINEAR",
    "MORE_HUBS",
    "MORE_PAGES",
    "NEAR",
    "OUR_PAGERANK",
    "OUR_PAGES",
    "OUR_REPLACEMENTS",
    "PAGERANK",
    "SETTLED",
    "SURVIVAL",
    "TRANSFERRED_PAGERANK",
    "TRANSFERRED_PAGES",
]

PAPER = "001, 003"
NEAR = 3
"""Iterations that count as close."""
OURS = "(not in the papers)"


def _least(quantity: str) -> float:
    return MARGINS[quantity].least


SETTLED = Statement(
    PAPER,
    "hits settled",
    "60 iterations of HITS have settled the ranks that cores are grown from: 99 % of the first 1,000 are final",
    "We have found experimentally that a number of more than 50 is enough for convergence of hub and authority ranks "
    "with the dataset we use.",
    "section 2.4",
    "rank agreement",
    greater(1 - _least("rank agreement")),
)
COMPLETE = Statement(
    PAPER,
    "complete at first",
    "Most cores by size are complete at their first five pairs",
    "at the very first steps, all the hubs have links to all authorities which is a complete bipartite sub-graph",
    "section 2.2",
    "core share",
    greater(_least("core share")),
)
LINEAR = Statement(
    PAPER,
    "linear time",
    "The running time is linear in the size of the graph",
    "the total running time of Seed-Extraction Algorithm is O(|SeedCount|*n), which is equal to O(n)",
    "section 2.5",
    "growth",
    within(-math.inf, 1 + _least("growth")),
)
MORE_HUBS = Statement(
    PAPER,
    "more hubs",
    "Most cores have more hubs than authorities",
    "Normally, the hub sizes are bigger than the authority sizes.",
    "section 3.4, figures 4 and 5",
    "core share",
    greater(_least("core share")),
)
FAR = Statement(
    PAPER,
    "close iterations",
    f"Cores of close iterations (up to {NEAR} apart) are as far apart as all cores, or farther: difference of means",
    "bipartite cores in close iterations have a distance equal or bigger than average distance of related web graph",
    "section 3.5.2, figure 6",
    "core distance",
    greater(-_least("core distance")),
)
LATE = Statement(
    PAPER,
    "close cores",
    "Cores one link apart come from iterations farther apart than other pairs do: difference of means",
    "The cores that are close to each other are identified in far iteration.",
    "section 3.5.2, figure 6",
    "core gap",
    greater(_least("core gap")),
)
_BETTER = (
    "Except the first depth (iteration) of crawl, in the other steps, up to step 4, the average PageRank of pages "
    "crawled with our method appear to be better."
)
PAGERANK = {
    (1, 3): Statement(
        PAPER,
        "pagerank, depths 1 to 3",
        "New pages have more PageRank than from random seeds at steps 2 to 4, the seeds being step 1: depths 1 to 3",
        _BETTER,
        "section 3.5.3, figure 7",
        "crawled PageRank",
        greater(_least("crawled PageRank")),
    ),
    (2, 4): Statement(
        PAPER,
        "pagerank, depths 2 to 4",
        "New pages have more PageRank than from random seeds at steps 2 to 4, their links being step 1: depths 2 to 4",
        _BETTER,
        "section 3.5.3, figure 7",
        "crawled PageRank",
        greater(_least("crawled PageRank")),
    ),
}
"""By first and last depth."""
MORE_PAGES = Statement(
    PAPER,
    "more pages",
    "More pages are crawled up to every depth than from random seeds",
    "the results of our method are always better than crawl starting random seeds and a crawl with seeds extracted "
    "with our method downloads more pages in less iteration",
    "section 3.5.3, figure 8",
    "crawled pages",
    greater(_least("crawled pages")),
)
SURVIVAL = Statement(
    PAPER,
    "durable hubs",
    "More hubs than random pages of an older graph are left in the newer one",
    "Hubs are durable pages, so we can rely upon them for crawling.",
    "section 1",
    "survival",
    greater(_least("survival")),
)
TRANSFERRED_PAGERANK = {
    (first, first + 2): Statement(
        PAPER,
        f"transferred pagerank, depths {first} to {first + 2}",
        f"Seeds of an older graph: new pages have more PageRank than from random seeds up to iteration 3, {step} being "
        f"iteration 1: depths {first} to {first + 2}",
        "The result of our method is better until iteration 3.",
        "section 3.5.4, figure 11",
        "crawled PageRank",
        greater(_least("crawled PageRank")),
    )
    for first, step in ((0, "the seeds"), (1, "their links"))
}
TRANSFERRED_PAGES = {
    (first, first + 11): Statement(
        PAPER,
        f"transferred pages, depths {first} to {first + 11}",
        f"Seeds of an older graph: more pages than from random seeds at steps 4 to 15, {step} being step 1: up to "
        f"depths {first} to {first + 11}",
        "the result of our method is better than the random case between steps 4 and 15",
        "section 3.5.4, figure 12",
        "crawled pages",
        greater(_least("crawled pages")),
    )
    for first, step in ((3, "the seeds"), (4, "their links"))
}
OUR_PAGES = Statement(
    PAPER,
    "replaced seeds, pages",
    f"Replacements for lost seeds: more pages are crawled than from the seeds that are left alone {OURS}",
    "",
    "",
    "crawled pages",
    greater(_least("crawled pages")),
)
OUR_PAGERANK = Statement(
    PAPER,
    "replaced seeds, pagerank",
    f"Replacements for lost seeds: new pages have more PageRank than from the seeds that are left alone {OURS}",
    "",
    "",
    "crawled PageRank",
    greater(_least("crawled PageRank")),
)
OUR_REPLACEMENTS = Statement(
    PAPER,
    "replaced seeds, random",
    f"Replacements for lost seeds: more pages are crawled than with as many random pages in their place {OURS}",
    "",
    "",
    "crawled pages",
    greater(_least("crawled pages")),
)
