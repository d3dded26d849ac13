"""The smallest difference of each quantity that matters, and why; declared before results under this rule were seen.

Results under an earlier rule (version 0.1: intervals against 0, several readings of "alike") were known when these
were written; they were not used to choose them, and each reason names what was. Units and limits came later and move no
margin.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

__all__ = ["MARGINS", "Margin"]


@dataclass(frozen=True)
class Margin:
    """What "better", "similar" and "much" mean for a quantity.

    Parameters
    ----------
    quantity
        What is measured.
    unit
        What stands behind a number of it.
    least
        The smallest difference that matters: "better" is more than this, "similar" is within it, either way.
    much
        What "much" and "significantly" mean.
    reason
        Why these.
    lowest, highest
        Between which values every true value lies: what an interval cannot reach beyond.
    ratio
        Whether it is a ratio, `lowest` being that of nothing: graphs are pooled by its logarithm.
    """

    quantity: str
    unit: str
    least: float
    much: float
    reason: str
    lowest: float = -math.inf
    highest: float = math.inf
    ratio: bool = False


MARGINS = {
    "coverage": Margin(
        "pages or value covered, difference in per cent of what Random covers",
        "% of Random",
        2.0,
        10.0,
        "Zheng et al. show differences of tens of per cent on axes read to about 2; much is five times that",
    ),
    "site share": Margin(
        "share of sites",
        "of the sites",
        0.5,
        0.5,
        "most is more than half; many (as in many large sites) is more than a quarter, given with the claim",
        lowest=0.0,
        highest=1.0,
    ),
    "time": Margin(
        "running time, ratio",
        "times",
        1.1,
        10.0,
        "repeated runs on one machine differ by up to a tenth; prohibitive is ten times as long",
        lowest=0.0,
        ratio=True,
    ),
    "growth": Margin(
        "power of the number of pages or links that the time grows with",
        "as exponent",
        0.2,
        0.5,
        "caches make a linear algorithm grow with up to the 1.2th power over the sizes measured",
    ),
    "rank agreement": Margin(
        "share of the first 1,000 pages that are the final ones",
        "of the first 1,000",
        0.01,
        0.1,
        "one page in a hundred: cores grow from the first pages of the order, and their sets change by single pages",
        lowest=0.0,
        highest=1.0,
    ),
    "core distance": Margin(
        "links between cores, mean",
        "links",
        0.5,
        2.0,
        "distances are whole numbers: a mean that rounds to the same number is the same distance",
    ),
    "core gap": Margin(
        "iterations between two cores, mean",
        "iterations",
        3.0,
        10.0,
        "cores up to three iterations apart count as close, so a smaller difference is none",
    ),
    "core share": Margin(
        "share of cores",
        "of the cores",
        0.5,
        0.5,
        "usually is more than half of them",
        lowest=0.0,
        highest=1.0,
    ),
    "crawled pages": Margin(
        "pages crawled up to a depth, per cent more than from the seeds compared with",
        "% in pages",
        10.0,
        100.0,
        "Daneshpajouh et al. plot logarithms over six decades: less than a tenth cannot be seen there",
        lowest=-100.0,
        ratio=True,
    ),
    "crawled PageRank": Margin(
        "mean PageRank of crawled pages, per cent more than from the seeds compared with",
        "% in PageRank",
        10.0,
        100.0,
        "as for pages, so that both measures of one crawl are judged alike",
        lowest=-100.0,
        ratio=True,
    ),
    "survival": Margin(
        "seeds that the newer graph has, difference of shares in points",
        "points",
        5.0,
        25.0,
        "of 100 seeds 11 were left in the paper: five more or fewer would change what to do",
        lowest=-100.0,
        highest=100.0,
    ),
    "area": Margin(
        "area under the curve of cumulative PageRank by pages fetched, difference in per cent",
        "% of the area",
        2.0,
        10.0,
        "curves that differ by less than 2 % of the axis lie on one another in the figure of Alam et al.",
        lowest=-100.0,
    ),
    "spam": Margin(
        "spam among the first tenth of the labelled pages fetched, difference in points",
        "points",
        1.0,
        5.0,
        "one page in a hundred",
        lowest=-100.0,
        highest=100.0,
    ),
    "impact share": Margin(
        "impact found, share of the ideal choice: difference in points",
        "points of the ideal",
        1.0,
        5.0,
        "a fifth of the smallest gain over a baseline that Tran et al. report (5 points)",
        lowest=-100.0,
        highest=100.0,
    ),
    "impact level": Margin(
        "impact found, share of the ideal choice",
        "% of the ideal",
        1.0,
        5.0,
        "as for differences of such shares",
        lowest=0.0,
        highest=100.0,
    ),
    "impact ratio": Margin(
        "impact that links of one group of pages lead to, per cent more than those of the other",
        "% in impact",
        10.0,
        100.0,
        "Table 2 of Tran et al. shows factors of 2 and more; a tenth is far below its smallest",
        lowest=-100.0,
        ratio=True,
    ),
    "choice": Margin(
        "mean PageRank or click-through rate of the chosen pages, difference in per cent",
        "% in the mean",
        5.0,
        25.0,
        "the bars of figures 6 and 7 of Tran et al. can be read to about 5 %",
        lowest=-100.0,
        ratio=True,
    ),
    "dry": Margin(
        "impact found in the second half of the budget, in per cent of that found in the first half",
        "% of the first half",
        10.0,
        50.0,
        "a curve that goes on as it began has 100; one that dries up has less than half, given with the claim",
        lowest=0.0,
        ratio=True,
    ),
}
"""By the short name of the quantity."""
