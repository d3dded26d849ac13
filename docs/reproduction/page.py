"""docs/reproduction.md: how to read it, a table and a forest plot per paper, details folded below."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from html import escape

from docs.reproduction.graphs import GRAPHS
from docs.reproduction.pooling import FEWEST_GRAPHS, counts
from docs.reproduction.referee import asked
from docs.reproduction.results import Paper, Results, anchor, mark, measured, unit_of, weakest_part
from seedrank.core.numbers import show_rounded
from seedrank.core.package import VERSION
from seedrank.core.tables import as_markdown, markdown_cell
from seedrank.experiments.claim_specs import MARGINS
from seedrank.experiments.intervals import FEWEST, STUDENTISED
from seedrank.runs.experiment import Claim

__all__ = ["page"]


def page(results: Results, coverage: Mapping[str, float]) -> str:
    """The document.

    Parameters
    ----------
    results
        Of all graphs.
    coverage
        Per cent of simulated intervals that contain the true value, by what was drawn.
    """
    lines = [*_at_a_glance(results), *_reading(coverage), *asked(results), *_graphs(results)]
    for paper in results.papers:
        lines += _paper(results, paper)
    return "\n".join([*lines, *_commands(results), ""])


_HEAD = """\
# Reproduction

The sentences of the papers, judged on recorded graphs. Written by `make reproduction` with seedrank {version}; the
commands are at the end. What follows for a crawl is in [findings.md](findings.md), what can be said against it in
[What a referee would ask](#what-a-referee-would-ask).
"""


def _at_a_glance(results: Results) -> list[str]:
    """Claims of each paper by their pooled verdict."""
    rows = []
    for paper in results.papers:
        keys = results.keys(paper)
        verdicts = [results.pooled[key].claim.verdict for key in keys if key in results.pooled]
        counts = [verdicts.count(one) for one in ("holds", "does not hold", "cannot be judged")]
        place = f"[{paper.title}](#{_heading(paper.title)})"
        rows.append((place, len(keys), *counts, len(keys) - len(verdicts)))
    heads = ("paper", "claims", "hold", "do not hold", "cannot be judged", "not pooled")
    return [*_HEAD.format(version=VERSION).split("\n"), *as_markdown(heads, rows), ""]


def _heading(title: str) -> str:
    """The address that a heading gets."""
    return "".join(c for c in title.lower().replace(" ", "-") if c.isalnum() or c == "-")


_READING = """\
## How to read it

**One rule.** A claim is a sentence of a paper, a quantity, and the region where its estimate must lie. It *holds* where
the whole 95 % interval lies in the region, *does not hold* where the whole interval lies outside, and *cannot be
judged* where it straddles an end; then the details say how many units would settle it. A claim with several parts holds
where all parts hold, and its numbers are those of the weakest. Marks: ✓ holds, ✓+ exceeds what the paper says “up to”,
✗ does not hold, ? cannot be judged, – no room, · one number of a graph without an interval, (✓) holds by construction,
which is no evidence.

**Headroom.** Gains of orders and of coverage are shares of what could be gained: 0 is random, 1 is the order that knows
every PageRank, or the bound of what any seeds could cover. A web or site that has nothing to gain is no evidence and
stands outside the count. The row “headroom” is what could be gained at most, in per cent.

**Two frontiers.** Pages hidden at random and pages that are new in a later recording answer different questions. Each
has its own claims (“hidden”, “new”) and its own pooled line.

**Margins.** “Better” is more than the smallest difference that matters, “similar” is within it either way, so that no
difference is both; “much” and “significantly” have a margin of their own. The margins were committed with their reasons
before the first run under this rule (“Declare margins, units and the rule of headroom before any run under it”).
Results under earlier rules were known by then; the reasons rest on what the papers show. Every claim with its quote,
quantity, form and margin is a record in `seedrank/experiments/claims/`.

<details>
<summary>Margins, their units and reasons</summary>

{margins}

</details>

**Intervals.** Student's t on paired differences below {studentised} units, a studentised bootstrap from there on, none
below {fewest}; they end where the possible ends (a share is not negative). How often they contain the true value,
measured on simulated samples; they promise 95, and few units of skewed data get less:

{coverage}

**Units.** Each interval says what it is over. Sites differ from each other; splits, seed draws, divisions and cores of
one graph are not independent of each other. An interval over splits of a graph says how far the result depends on the
draw, not how it would be on another graph. Only the pooled line speaks of other graphs.

**Pooled.** The verdict in bold is over the recorded graphs that measure a claim, {graphs} or more: random effects,
every graph counting alike, with the interval of Hartung and Knapp, which then is Student's t over the graphs'
estimates. Recordings of one site are averaged first and count once. For coverage a graph weighs by its sites with room,
and is a cluster of them. Ratios are pooled by their logarithms. Over three graphs it is wide. Synthetic webs, graphs
without hosts or room, stand-ins for impact, a second recording of the same web, and what holds by arithmetic are shown
and never pooled.
"""


def _reading(coverage: Mapping[str, float]) -> list[str]:
    margins = [
        (
            markdown_cell(one.quantity),
            markdown_cell(one.unit),
            f"{one.least:g}",
            f"{one.much:g}",
            markdown_cell(one.reason),
        )
        for one in MARGINS.values()
    ]
    shares = [(name, f"{share:.1f}") for name, share in coverage.items()]
    text = _READING.format(
        margins="\n".join(as_markdown(("quantity", "unit", "better, similar", "much", "reason"), margins)),
        studentised=STUDENTISED,
        fewest=FEWEST,
        coverage="\n".join(as_markdown(("drawn from", "contain it, %"), shares)),
        graphs=FEWEST_GRAPHS,
    )
    return text.split("\n")


def _graphs(results: Results) -> list[str]:
    here = {record["of"] for record in results.found}
    said = {record["of"]: record.get("prepared", "") for record in results.found}
    rows = []
    for graph in GRAPHS:
        if graph.name in here:
            shows = f"{graph.shows} Prepared: {said[graph.name]}." if said[graph.name] else graph.shows
            counted = f"yes, as {graph.site}" if graph.site else "yes"
            pooled = "never" if graph.folder is None else f"no: {graph.apart}" if graph.apart else counted
            rows.append((graph.name, markdown_cell(graph.about), markdown_cell(shows), markdown_cell(pooled)))
    lines = [
        "## The graphs, and what each can show",
        "",
        *as_markdown(("graph", "what it is", "what it can show", "pooled"), rows),
        "",
        "Frontiers are of two kinds. Pages *hidden at random* show which method finds pages like those crawled: they "
        "have links from",
        "everywhere, as crawled pages do. Pages *new in a later recording* are what a crawler meets; where the impact "
        "is a stand-in",
        "they are not pooled. A claim that holds on the first kind alone is a claim about the first kind.",
        "",
    ]
    if results.left_out:
        lines += ["Left out:", "", *(f"- {markdown_cell(sentence)}" for sentence in results.left_out), ""]
    return lines


def _paper(results: Results, paper: Paper) -> list[str]:
    keys = results.keys(paper)
    graphs = results.graphs(keys)
    counted = {graph for key in keys if key in results.pooled for graph in _pooled_graphs(results, key)}
    heads = [graph if graph in counted else f"*{graph}*" for graph in graphs]
    rows = []
    for key in keys:
        cells = [_brief(results.claim(key, graph)) for graph in graphs]
        claim = results.any_claim(key)
        name = f"[{markdown_cell(claim.claim)}](#{anchor(key)})"
        rows.append((name, markdown_cell(unit_of(claim)), _pooled(results, key), *cells))
    lines = [
        f"## {paper.title}",
        "",
        _tally(results, keys),
        "",
        *as_markdown(("claim", "unit", "pooled", *heads), [*_headroom(results, keys, graphs), *rows]),
        "",
        "Graphs in *italics* are not in any pooled line of this table. Of a claim with several parts a graph shows "
        "its own weakest one;",
        "the forest plot shows that of the pooled line on all graphs.",
        "",
        f"![Forest plot: {paper.title}](pictures/forest-{paper.name}.svg)",
        "",
        "### Details",
        "",
    ]
    for key in keys:
        lines += _details(results, key, graphs)
    return lines


def _headroom(results: Results, keys: Sequence[str], graphs: Sequence[str]) -> list[tuple[str, ...]]:
    """What could be gained at most on each graph, where claims of the table are about gains."""
    found = {
        graph: next(
            (one.headroom for one in results.claims[graph] if one.key in keys and one.headroom == one.headroom), None
        )
        for graph in graphs
    }
    if not any(value is not None for value in found.values()):
        return []
    cells = ("" if value is None else show_rounded(value) for value in found.values())
    return [("headroom", "% at most", "", *cells)]


def _pooled_graphs(results: Results, key: str) -> set[str]:
    pooled = results.pooled[key]
    return set(pooled.graphs).union(*(one.graphs for one in pooled.parts))


def _tally(results: Results, keys: Sequence[str]) -> str:
    verdicts = [results.pooled[key].claim.outcome for key in keys if key in results.pooled]
    if not verdicts:
        return f"No claim is measured on {FEWEST_GRAPHS} recorded graphs that may be pooled."
    counts = {verdict: verdicts.count(verdict) for verdict in dict.fromkeys(sorted(verdicts))}
    said = ", ".join(f"{verdict} {count}" for verdict, count in counts.items())
    return f"Pooled verdicts of {len(verdicts)} of {len(keys)} claims: {said}."


def _pooled(results: Results, key: str) -> str:
    if key not in results.pooled:
        return markdown_cell(results.why_not_pooled(key))
    one = results.pooled[key]
    part = weakest_part(one)
    weakest = f", weakest: {part}" if part else ""
    return markdown_cell(f"**{one.claim.outcome}** {measured(one.claim)}, {one.claim.n} {one.claim.unit}{weakest}")


def _brief(claim: Claim | None) -> str:
    return "" if claim is None else markdown_cell(f"{mark(claim)} {measured(claim)}".strip())


def _part(claim: Claim | None) -> str:
    """A part on a graph, with what its pooled line is computed from; in italics where it does not enter."""
    if claim is None or not (brief := _brief(claim)):
        return ""
    if MARGINS[claim.quantity].pool and claim.error == claim.error:
        # A graph weighs by its units here.
        brief += f" (n = {claim.n}, error {show_rounded(claim.error)})"
    return brief if counts(claim) else f"*{brief}*"


def _details(results: Results, key: str, graphs: Sequence[str]) -> list[str]:
    claim = results.any_claim(key)
    quote = f"“{escape(claim.quote)}” {escape(claim.place)}." if claim.quote else _unsaid(claim)
    margin = MARGINS[claim.quantity]
    lines = [
        f'<a id="{anchor(key)}"></a>',
        "<details>",
        f"<summary>{escape(claim.claim)}</summary>",
        "",
        f"> {quote}",
        "",
        f"Quantity: {margin.quantity} ({markdown_cell(margin.unit)}). Holds {markdown_cell(claim.region)}; "
        f"margin {margin.least:g}, much {margin.much:g}.",
        "",
    ]
    rows = [("**pooled**", *_row(results.pooled[key].claim))] if key in results.pooled else []
    for graph in graphs:
        one = results.claim(key, graph)
        if one is not None:
            rows.append((markdown_cell(graph), *_row(one, _why_apart(one))))
    heads = ("graph", "estimate [95 % interval]", "standard error", "n, unit", "verdict", "why")
    return [*lines, *as_markdown(heads, rows), *_parts(results, key, graphs), "", "</details>", ""]


def _why_apart(claim: Claim) -> str:
    """That it does not enter the pooled line, and why where that is not said already."""
    if math.isnan(claim.value) or counts(claim):
        return ""
    why = claim.apart or f"by construction: {claim.by_construction}"
    return "not pooled" if why in claim.why else f"not pooled: {why}"


def _unsaid(claim: Claim) -> str:
    where = f" (see {escape(claim.place)})" if claim.place else ""
    return f"Not in the paper as a sentence{where}."


def _row(claim: Claim, more: str = "") -> list[str]:
    why = "; ".join(text for text in (claim.why, more) if text)
    error = "" if claim.error != claim.error else show_rounded(claim.error)
    units = f"{claim.n:,} {claim.unit}" if claim.n else "none"
    return [markdown_cell(text) for text in (measured(claim), error, units, f"{mark(claim)} {claim.outcome}", why)]


def _parts(results: Results, key: str, graphs: Sequence[str]) -> list[str]:
    """The parts of a claim: a row each, over the graphs that have them."""
    parts = results.parts(key)
    here = [graph for graph in graphs if any(results.claim(key, graph, part) for part in parts)]
    if not here:
        return []
    pooled = {one.claim.part: one.claim for one in results.pooled[key].parts} if key in results.pooled else {}
    rows = [
        (markdown_cell(part), _brief(pooled.get(part)), *(_part(results.claim(key, graph, part)) for graph in here))
        for part in parts
    ]
    heads = ("part", "pooled", *map(markdown_cell, here))
    return ["", "Parts; what is in italics does not enter the pooled line:", "", *as_markdown(heads, rows)]


def _commands(results: Results) -> list[str]:
    lines = [
        "## Commands, and how long they took",
        "",
        "Seconds are of one run on the machine that measured, which did other work beside: they are an upper bound.",
        "",
    ]
    lines += ["```text"]
    for record in results.found:
        quick = ", quick: fewer repeats" if record.get("quick") else ""
        lines += [f"# {record['graph']}: {record['seconds']:.0f} s{quick}", record["command"]]
    lines += ["```", "", "What experiments left out, and what they say of themselves:", ""]
    for record in results.found:
        sentences = [*record.get("about", []), *(f"left out: {one}" for one in record.get("left_out", []))]
        lines += [f"- {record['graph']}, {record['experiment']}: {markdown_cell(one)}" for one in sentences]
    return lines
