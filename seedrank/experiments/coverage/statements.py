"""What Zheng et al. 2009 say of their methods, sentence by sentence, with what each must come to here to hold.

The text at hand has no numbers of sections, so places are named by what they are about. "Much" and "significantly" are
the larger margin of `seedrank.experiments.margins`, "slightly" is between the smaller and the larger.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from seedrank.experiments.coverage.plan import GRAPH_METHODS, HEURISTICS
from seedrank.experiments.margins import MARGINS
from seedrank.experiments.verdicts import Region, Statement, alike, greater, within

__all__ = ["DEEPER", "LARGE_SITES", "MORE_HOPS", "MORE_SEEDS", "ORDERINGS", "PAGES_MORE", "SMALL_PARTS", "Ordering"]

_COVERAGE, _SHARE, _TIME = (MARGINS[name] for name in ("coverage", "site share", "time"))
_BOTH = ("pages", "value")
_BY_SEEDS, _BY_HOPS = "Evaluation, figures 2 and 3", "Evaluation, figures 4 and 5"
_OTHERS = (*HEURISTICS, *GRAPH_METHODS)
_WEIGHT, _COMPONENTS = ("MaxWeight2", "MaxWeight3"), ("MaxSCC", "RootSCC")
_BEAT = "all four of the graph based algorithms outperform the heuristic seed selection approaches."
_ROOT = (
    "In fact, the RootSCC algorithm performs very poorly in terms of the value coverage, worse than the heuristic "
    "OutDegree algorithm."
)


@dataclass(frozen=True)
class Ordering:
    """A sentence that orders methods: the first of each pair covers more than the second.

    Parameters
    ----------
    statement
        The claim.
    measure
        ``pages`` or ``value``.
    pairs
        All of them must hold.
    note
        What a reader must know of every result of it.
    """

    statement: Statement
    measure: str
    pairs: tuple[tuple[str, str], ...]
    note: str = ""


def _said(key: str, claim: str, quote: str, place: str, region: Region, quantity: str = "coverage") -> Statement:
    return Statement("000", key, claim, quote, place, quantity, region)


def _ordered(
    key: str,
    claim: str,
    quote: str,
    pairs: Iterable[tuple[str, str]],
    region: Region,
    *,
    measures: Iterable[str] = _BOTH,
    place: str = _BY_SEEDS,
    value_note: str = "",
) -> list[Ordering]:
    """The same sentence for each measure."""
    return [
        Ordering(
            _said(f"{key}-{measure}", f"{measure}: {claim}", quote, place, region),
            measure,
            tuple(pairs),
            value_note if measure == "value" else "",
        )
        for measure in measures
    ]


def _every(some: Iterable[str], others: Iterable[str]) -> list[tuple[str, str]]:
    return [(one, other) for one in some for other in others if one != other]


_BETTER, _MUCH = greater(_COVERAGE.least), greater(_COVERAGE.much)

ORDERINGS: tuple[Ordering, ...] = (
    *_ordered(
        "random-worst",
        "every other method beats Random significantly",
        "First, Random performs rather poorly. All other strategies outperform it significantly.",
        _every(_OTHERS, ["Random"]),
        _MUCH,
    ),
    *_ordered(
        "pagerank-over-random",
        "PageRank beats Random",
        "One can also see that PageRank, while outperforming Random, performs much worse than the other heuristic "
        "approach, OutDegree, in terms of both the page coverage and the value coverage.",
        [("PageRank", "Random")],
        _BETTER,
    ),
    *_ordered(
        "pagerank-below-outdegree",
        "PageRank is much worse than OutDegree",
        "One can also see that PageRank, while outperforming Random, performs much worse than the other heuristic "
        "approach, OutDegree, in terms of both the page coverage and the value coverage.",
        [("OutDegree", "PageRank")],
        _MUCH,
    ),
    *_ordered(
        "graph-over-heuristics",
        "every graph method beats PageRank and OutDegree",
        f"Second, {_BEAT}",
        _every(GRAPH_METHODS, HEURISTICS),
        _BETTER,
        value_note="the paper also says of value that RootSCC is worse than OutDegree: both cannot hold",
    ),
    *_ordered(
        "maxout-best",
        "MaxOut is best",
        "The MaxOut algorithm, which only uses outdegree of a page to select the best seed, performs best in terms of "
        "the coverage of pages.",
        _every(["MaxOut"], ("Random", *_OTHERS)),
        _BETTER,
        measures=["pages"],
    ),
    *_ordered(
        "maxout-weak",
        "MaxOut is much worse than most graph methods (all but RootSCC, which the paper calls very poor)",
        "However, as expected it performs much worse than most of the graph-based strategies in terms of the coverage "
        "of value.",
        _every((*_WEIGHT, "MaxSCC"), ["MaxOut"]),
        _MUCH,
        measures=["value"],
    ),
    *_ordered(
        "weight-over-components",
        "MaxWeight beats the methods that use strong components",
        "Third, the algorithms using simple depth-d approximation perform better than the algorithms that try to "
        "utilize the knowledge of strongly connected components and their connectivity.",
        _every(_WEIGHT, _COMPONENTS),
        _BETTER,
    ),
    *_ordered(
        "rootscc-below-outdegree",
        "RootSCC is worse than OutDegree",
        _ROOT,
        [("OutDegree", "RootSCC")],
        _BETTER,
        measures=["value"],
        value_note=f"the paper also says: {_BEAT} Both cannot hold",
    ),
    *_ordered(
        "depths-alike",
        "MaxWeight3 is about as good as MaxWeight2",
        "Finally, the two MaxWeight algorithms using d = 2 and d = 3 perform similar, suggesting that using 2 hop "
        "approximation is enough to identify a good seed.",
        [("MaxWeight3", "MaxWeight2")],
        alike(_COVERAGE.least),
    ),
    *_ordered(
        "graph-far-over-heuristics",
        "every graph method beats PageRank and OutDegree significantly",
        "Overall, the results show that the graph-based strategies significantly outperform the heuristic approaches, "
        "demonstrating the advantage of the graph-based seed selection framework.",
        _every(GRAPH_METHODS, HEURISTICS),
        _MUCH,
        place="Evaluation, last paragraph",
        value_note="the paper also says of value that RootSCC is worse than OutDegree: both cannot hold",
    ),
)
"""In the order of the paper, each for pages, value or both."""

MORE_SEEDS = {
    measure: _said(
        f"shrinks-with-seeds-{measure}",
        f"{measure}: the lead over Random is larger with one seed than with the most",
        "As one may expect, the improvement over Random is larger when the number of seeds is small, and it decreases "
        "as the number of seeds grows.",
        _BY_SEEDS,
        _BETTER,
    )
    for measure in _BOTH
}
MORE_HOPS = {
    measure: _said(
        f"grows-with-hops-{measure}",
        f"{measure}: the lead over Random grows slightly from the fewest hops to the most",
        "As once can see, improvement of the algorithms over Random increases slightly with the number of hops "
        "increasing.",
        _BY_HOPS,
        within(_COVERAGE.least, _COVERAGE.much),
    )
    for measure in _BOTH
}
PAGES_MORE = _said(
    "hops-pages-over-value",
    "the lead over Random grows with the hops for pages, and more than for value",
    "The increase is higher for the page coverage, and smaller for the value coverage.",
    _BY_HOPS,
    _BETTER,
)
SMALL_PARTS = _said(
    "small-components",
    "most sites have no strong component with half of their pages",
    "most of web sites tend to consist of many small-size SCCs",
    "Evaluation, on RootSCC",
    greater(_SHARE.least),
    "site share",
)
LARGE_SITES = _said(
    "large-sites-not-strong",
    "many large sites (over a quarter of the largest quarter) have no strong component with 90 % of their pages",
    "Our study shows that many large websites are not strongly connected.",
    "Introduction",
    greater(0.25),
    "site share",
)
DEEPER = _said(
    "deeper-prohibitive",
    "looking deeper than d = 3 takes at least ten times as long as d = 3",
    "We found that using values larger than 3 results in prohibitively long running times.",
    "where MaxWeight is defined",
    greater(_TIME.much),
    "time",
)
