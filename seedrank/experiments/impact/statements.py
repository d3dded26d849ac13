"""The sentences of Tran et al. 2015 that an experiment judges, with their margins."""

from __future__ import annotations

import math

from seedrank.experiments.margins import MARGINS
from seedrank.experiments.verdicts import Region, Statement, greater, within

__all__ = [
    "BEST",
    "CLICK_THROUGH",
    "DRIES_UP",
    "ENRICHMENT",
    "GAIN",
    "LEARNING",
    "MEAN_PAGERANK",
    "QUERIES_EARLY",
    "RANDOM",
    "REACH",
    "WALKS_LATE",
    "over_pagerank",
    "virtual_ratio",
    "with_impact_ratio",
]

PAPER = "004"
_SHARE, _CHOICE, _RATIO = MARGINS["impact share"], MARGINS["choice"], MARGINS["impact ratio"]


def _statement(
    key: str, claim: str, quote: str, place: str, quantity: str, region: Region, *, arithmetic: bool = False
) -> Statement:
    return Statement(PAPER, key, claim, quote, place, quantity, region, arithmetic)


def over_pagerank(walk: str) -> Statement:
    """RW or RW-EG finds considerably more impact than PageRank."""
    return _statement(
        f"{walk} over pagerank",
        f"{walk.upper()} (tuned) finds considerably more impact than PageRank",
        "RW and RW-EG provide considerably better performance compared to PageRank",
        "section 5, figures 4 and 5",
        "impact share",
        greater(_SHARE.much),
    )


ENRICHMENT = _statement(
    "rw-eg over rw",
    "RW-EG finds more impact than RW, both tuned",
    "The difference in the performance of RW and RW-EG indicates the effectiveness of the proposed link graph "
    "enrichment technique",
    "section 5, figure 4",
    "impact share",
    greater(_SHARE.least),
)
QUERIES_EARLY = _statement(
    "queries early",
    "The better one of Q-Overlap and Q-Hybrid finds more impact than RW and than RW-EG at budgets below 5 %",
    "when the fraction of downloaded pages is below 5%, Q-Overlap and Q-Hybrid outperforms RW and RW-EG",
    "section 5, figure 4 (Wikipedia)",
    "impact share",
    greater(_SHARE.least),
)
WALKS_LATE = _statement(
    "rw-eg late",
    "RW-EG finds more impact than every other method at budgets above 6 %",
    "when the fraction of the downloaded pages exceeds 6% of the frontier, RW-EG provides the best results",
    "section 5, figure 4 (Wikipedia)",
    "impact share",
    greater(_SHARE.least),
)
DRIES_UP = _statement(
    "q-overlap dries up",
    "Q-Overlap finds less than half as much impact in the second half of the budget as in the first",
    "a very rapid drying up trend is observed for Q-Overlap",
    "section 5, figure 5 (web crawl)",
    "dry",
    within(-math.inf, MARGINS["dry"].much),
)
RANDOM = _statement(
    "random",
    "Random finds about 20 % of the ideal: 15 to 25",
    "it still obtains approximately 20% of the impact attained by the ideal ranking",
    "section 5 (Wikipedia; nearly zero on the web crawl)",
    "impact level",
    within(20 - _SHARE.much, 20 + _SHARE.much),
)
REACH = _statement(
    "reach",
    "The better one of RW and RW-EG reaches 60 to 70 % of the ideal",
    "our approach obtains up to 60%-70% of the search quality attainable by an ideal web crawler",
    "section 1",
    "impact level",
    within(60, 70),
)
GAIN = _statement(
    "gain",
    "The better one of RW and RW-EG is 5 to 10 points of the ideal over the best baseline",
    "while outperforming the best baseline by a margin of 5%-10%",
    "section 1",
    "impact share",
    within(5, 10),
)
LEARNING = _statement(
    "learning over walks",
    "A learnt model finds more impact than RW and than RW-EG",
    "ML outperforms RW and RW-EG for the Wikipedia dataset",
    "section 6, figure 8a (not on the web crawl, figure 8b)",
    "impact share",
    greater(_SHARE.least),
)
MEAN_PAGERANK = _statement(
    "mean pagerank",
    "Mean PageRank of the choice: PageRank's is the highest, and those of RW, RW-EG and Q-Hybrid are above Q-Overlap's",
    "PageRank performs the best in this metric … pages selected by Q-Overlap tend to have low PageRank scores",
    "section 5, figure 7",
    "choice",
    greater(_CHOICE.least),
)
CLICK_THROUGH = _statement(
    "click-through",
    "Click-through rate of the choice: RW's and RW-EG's are above PageRank's",
    "for the WebCrawl dataset, RW and RW-EG lead to higher average CTR",
    "section 5, figure 6 (Wikipedia: the query methods)",
    "choice",
    greater(_CHOICE.least),
)


def with_impact_ratio(impact: str) -> Statement:
    """Table 2: links of crawled pages with impact lead to more of it."""
    return _statement(
        f"table 2 {impact}",
        f"Links of crawled pages with {impact} lead to frontier pages with more {impact} than those of pages without",
        "pages in D_C and D_V have significantly higher impact ratio values than the pages in D_NC and D_NV",
        "section 4, table 2",
        "impact ratio",
        greater(_RATIO.much),
    )


def virtual_ratio(impact: str) -> Statement:
    """Table 3: with virtual links they lead to more of it."""
    return _statement(
        f"table 3 {impact}",
        f"With virtual links a crawled page with {impact} leads to no fewer {impact}",
        "We observe that, via enrichment, the impact of the set of pages in the frontier that are linked by D_C and "
        "D_V has increased.",
        "section 4, table 3",
        "impact ratio",
        greater(0),  # more links cannot lead to less
        arithmetic=True,
    )


BEST = ("rw-tuned", "rw-eg-tuned")
"""What the paper proposes and calls its approach; learnt models combine it with the baselines, and are judged apart."""
