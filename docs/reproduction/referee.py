"""What a hostile reader would ask of the verdicts, and the answers: numbers in them are those of this run."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from docs.reproduction import sensitivity
from docs.reproduction.figures import EARLY, READINGS
from docs.reproduction.pooling import FEWEST_GRAPHS
from docs.reproduction.results import Results, anchor, listed
from seedrank.core.numbers import show_interval
from seedrank.core.tables import as_markdown
from seedrank.runs.experiment import SYNTHETIC

__all__ = ["asked"]

WINDOWED, BEST = "windowed-rankmass:5%", "omniscient"
_RAISED = ("fpr", "fpr@2", "fpr@20", "fpr@100")


def asked(results: Results) -> list[str]:
    """The section: a question and an answer each; an answer about what was not measured is left out."""
    lines = ["## What a referee would ask", ""]
    for question, answer in _ANSWERS.items():
        text = answer if isinstance(answer, str) else answer(results)
        if text:
            lines += [f"**{question}** {text}", ""]
    return lines


def _claims(keys: Sequence[str]) -> str:
    return ", ".join(f"[{key}](#{anchor(key)})" for key in keys) or "none"


def _margins(results: Results) -> str:
    half, double = (sensitivity.with_margins(results, factor) for factor in (0.5, 2.0))
    return (
        "They were committed before the first run under this rule, but results under the rule of version 0.1 were "
        "known. Estimates and intervals are printed, so any other margin can be tried. Of the pooled verdicts about "
        f"differences, half of every margin would change {len(half)} ({_claims(half)}), twice of it {len(double)} "
        f"({_claims(double)})."
    )


def _many(results: Results) -> str:
    decided = sensitivity.decided(results)
    every, parts = sensitivity.open_for_every_claim(results), sensitivity.open_for_each_part(results)
    left = [key for key in decided if key not in every]
    return (
        f"{len(results.pooled)} claims have a pooled line, {len(decided)} of them a verdict, and each interval is "
        "wrong in 5 % of the cases: one in twenty of these verdicts may be chance. If all pooled intervals together "
        f"were to be right in 95 % of the cases (Bonferroni), {len(left)} of the {len(decided)} would be left "
        f"({_claims(left)}): three or four graphs seldom make that sure. A claim of many parts fails as soon as one "
        f"part does; with the intervals of its parts right together, {len(decided) - len(parts)} of the "
        f"{len(decided)} stay as they are (open: {_claims(parts)}). Several claims also share parts (every FPR@M and "
        "FPR@100, RW-EG over RW and RW-EG above 6 %), so verdicts are no independent votes."
    )


def _hidden(results: Results) -> str:
    agreed = sensitivity.agreed(results)
    sides = {verdict: [key for key, one in agreed.items() if one == verdict] for verdict in ("holds", "does not hold")}
    said = [f"{verdict} on every graph in the pooled line: {_claims(keys)}" for verdict, keys in sides.items() if keys]
    return (
        "Graphs that agree in direction and differ in size give a wide interval: Student's over three graphs is 4.3 "
        f"errors either way. What is open although each graph by itself is not: {'; '.join(said) or 'nothing'}. "
        "Where a graph cannot judge (too few sites, too short a time) its numbers are printed all the same. How "
        "many graphs, sites or splits would settle it is for the same estimate and spread: a guide, no promise."
    )


def _left_out(results: Results) -> str:
    without = sensitivity.without_a_graph(results)
    said = "; ".join(f"[{key}](#{anchor(key)}) without {' or '.join(graphs)}" for key, graphs in without.items())
    return (
        "All recorded graphs at hand are run, each for what it can show, and all results are printed; what is not "
        "pooled says why. Leaving one graph out of the lines over more than three would change: "
        f"{said or 'no verdict'}. Lines over three graphs have none to spare."
    )


def _early(results: Results) -> str:
    whats = {**{f"{share:g}": f"after {100 * share:g} % of the pages" for share in EARLY}, "area": "area",
             "paper seeds": "area, paper's seeds"}  # fmt: skip
    rows = []
    for graph, one in results.figures.get("ordering", {}).items():
        over = one.get("over windowed", {})
        if all(order in over.get(what, {}) for what in whats for order in _RAISED):
            rows.append((graph, *(_told(over[what][order]) for what in whats for order in _RAISED)))
    if not rows:
        return ""
    heads = [f"{order.upper()}, {what}" for what in whats.values() for order in _RAISED]
    return "\n".join(
        [
            "It weighs all pages alike. Here is the early part, cumulative PageRank after the first pages, in per cent "
            "over 5 % windowed RankMass: means over draws of seeds with their 95 % intervals, and the area from the "
            "paper's own seeds (the pages of the highest PageRank, once, so without an interval):",
            "",
            *as_markdown(("graph", *heads), rows),
        ]
    )


def _told(ends: Sequence[float]) -> str:
    low, high = ends[1:] or (None, None)
    return show_interval(ends[0], low, high, short=True)


def _table_2(results: Results) -> str:
    rows = []
    for graph, one in results.figures.get("impact", {}).items():
        for impact, readings in one.get("table 2", {}).items():
            if not any(reading in readings for reading in READINGS):
                continue  # every crawled page has views: there is nothing to compare
            cells = []
            for reading in (each for one in READINGS for each in (one, f"{one}, same size")):
                value, *ends = readings.get(reading) or [None]
                low, high = ends if len(ends) == 2 else (None, None)
                cells.append("" if value is None else show_interval(value, low, high, short=True))
            rows.append((f"{graph} ({impact})", *cells))
    if not rows:
        return ""
    return "\n".join(
        [
            "Each reading is listed in [algorithms.md](algorithms.md). Where a paper counts iterations and does not "
            "say whether the seeds are the first, both readings are judged. “Many” large sites is more than a "
            "quarter of the largest quarter, “not strongly connected” is no component with 90 % of the pages; how "
            "many have more than one component is printed beside it. Zheng et al. say both that all graph methods "
            "beat OutDegree and that RootSCC is worse: both are judged. That the choice by PageRank has the highest "
            "mean PageRank is arithmetic; whether by more than the margin is judged. The impact ratio of Tran et "
            "al. has three readings, per cent more of pages with impact than of those without (sets of different "
            "sizes, "
            "as in the paper), and than of as many random pages:",
            "",
            *as_markdown(
                ("graph", *(f"{one}{size}" for one in READINGS.values() for size in ("", ", same size"))), rows
            ),
        ]
    )


def _quick(results: Results) -> str:
    quick = [record["graph"] for record in results.found if record.get("quick")]
    made = [
        graph for graph, claims in results.claims.items() if any(one.by_construction == SYNTHETIC for one in claims)
    ]
    if not quick:
        return ""
    return (
        f"Quick runs (fewer repeats, never fewer than the rule allows): {listed(list(dict.fromkeys(quick)))}. None "
        f"of them is pooled. Synthetic: {listed(made)}; what holds there was built in, is marked (✓), and counts for "
        "nothing."
    )


_ANSWERS: dict[str, str | Callable[[Results], str]] = {
    "Were the margins chosen to fit?": _margins,
    "What was changed once results were seen?": (
        "The rule, as a whole: under that of version 0.2 several verdicts followed from a reference, a margin or a "
        "budget "
        "rather than from the webs. Margins, units, headroom and budgets of the amended rule were committed before any "
        "run under it (“Declare margins, units and the rule of headroom before any run under it”), and are unchanged "
        "since. Results under the old rule were known by then. Three things came later, with results known: a claim "
        "of ours (FPR over breadth first, with the margin of every order; its early ratios had been printed), that a "
        "claim of several parts does not hold where a part that too few graphs have fails on one of them, and which "
        "claims and parts make the decisions of the findings."
    ),
    "With so many claims at 95 %, are some verdicts chance?": _many,
    "What does “cannot be judged” hide?": _hidden,
    "Whose is the pooled number of a claim with several parts?": (
        "That of the part that is weakest over all graphs. A graph's own cell shows its own weakest part, which may be "
        "another; the forest plots show one part on all graphs, and the details list every part. Parts that fewer than "
        f"{FEWEST_GRAPHS} graphs have (great depths, searches) are left out of the pooled claim and named there; one "
        "that does not hold on a graph keeps the claim from holding."
    ),
    "Were the graphs picked?": _left_out,
    "Could each graph have shown it?": (
        "Those that could not are outside the count (–): orders where even the one that knows every PageRank gains "
        "less "
        "than 1 % of the area over breadth first, sites where no seeds can cover 2 % more than random ones, budgets "
        "that "
        "buy fewer than 30 pages. Headroom stands in the second row of each table. Gains are shares of it, so graphs "
        "with much and with little room weigh alike."
    ),
    "Does the area under the whole curve hide the early pages?": _early,
    "Are the graphs independent of each other?": (
        "Recordings of one site count once: all of YouTube, both crawls of Wikipedia, both topics of musae. Wikipedia "
        "still stands behind three sites of the frontier (wikispeedia, musae, the crawls). debian-docs and javadoc "
        "share two "
        "libraries (commons-lang3, jsoup). asf holds javadoc of projects that javadoc holds too (kafka, lucene), "
        "but no line pools both. Two recordings of one web count once, and webkb counts once (its small sites)."
    ),
    "Are the units inside a graph independent?": (
        "Sites are, as far as sites are: those of javadoc come from one generator, those of debian-docs were chosen "
        "by hand, none are a random sample of the web as in Zheng et al. Splits of a graph share its links, "
        "divisions of a frontier share the frontier, seed draws and cores share the graph, hubs that last or vanish "
        "share their sites. Such intervals say how far a result depends on the draw, and only the pooled line goes "
        "beyond the graph. Intervals with one long side come from few sites that hold most of what is covered."
    ),
    "What stands in for what the papers had?": (
        "Value has no clicks and no spam on recorded graphs: it is 1 a page plus its links to uncrawled pages. "
        "Views of wikispeedia are of players of a game, and its searches are the targets of their missions; those "
        "of musae are monthly page views, not views in search results. In-links stand in for impact on the "
        "frontiers in time, which are therefore not pooled. webkb's sites have 10 pages or more (100 in the paper); "
        "sites of debian-docs and javadoc need no link from another site. No graph is as large as those of the "
        "papers, and orders fetch pages that were never crawled like pages without links, which is most of webkb "
        "and indie-map."
    ),
    "Whose times are these?": (
        "Of this implementation, on a machine that did other work at the same time. So only ratios are judged, of runs "
        "that take turns and are repeated until the ratio is known to a tenth; a crawl too short to be told from "
        "noise is "
        "repeated within one run. “Prohibitively long” of Zheng et al. is not met here because balls that cannot win "
        "are "
        "not summed: that says nothing of their program."
    ),
    "Are sentences misread?": _table_2,
    "Do hubs “reach more pages” when the crawl is over?": (
        "Counts are cumulative, so where both crawls have found all they can reach, no seeds can be ahead. Depths "
        "at which the whole web is found are left out, but parts of a web that no seed reaches are not known "
        "beforehand: the last depths of polblogs and indie-map are such. The table of parts has every depth; the "
        "first ones tell more."
    ),
    "Do quick runs and synthetic webs count?": _quick,
}
