"""docs/findings.md: what a crawl operator should take from the tables, worded by their verdicts."""

from __future__ import annotations

from collections.abc import Iterable
from typing import get_args

from docs.reproduction.figures import EARLY
from docs.reproduction.in_short import IN_SHORT
from docs.reproduction.results import Results, anchor, listed, measured, unit_of, weakest_part
from docs.reproduction.sentences import SECTIONS, Finding
from seedrank.core.numbers import show_rounded
from seedrank.experiments.claim_specs import MARGINS
from seedrank.runs.experiment import Claim, Verdict

__all__ = ["findings"]

_FEW_PARTS = 8
"""Parts of a claim that a sentence names one by one."""
_M = ("higher-m", "m-above-100", "m-100-best")
"""Claims whose parts compare one M with another, or with none."""
_HEAD = """\
# Findings

What a crawl operator should take from [reproduction.md](reproduction.md), which also says what [a referee would
ask](reproduction.md#what-a-referee-would-ask). Written by `make reproduction` from the verdicts. “Noticeably” is more
than the margin of the quantity, “open” is a claim whose interval straddles it.
"""


def findings(results: Results) -> str:
    """The document; sentences of claims that no graph has measured are left out."""
    lines = [*_HEAD.splitlines(), *_in_short(results)]
    lines += [
        "",
        "## In detail",
        "",
        "A sentence in bold is the verdict pooled over three or more recorded graphs; then come the estimate with "
        "its 95 % interval, and",
        "what the recorded graphs show one by one.",
    ]
    for title, some in SECTIONS.items():
        here = [one for one in some if results.recorded(one.key)]
        if here:
            lines += ["", f"### {title}", "", *(_sentence(results, one) for one in here)]
    return "\n".join([*lines, ""])


def _in_short(results: Results) -> list[str]:
    """A few sentences, the parts of each linked to their tables."""
    lines = []
    for lead, some in IN_SHORT.items():
        parts = [_part(results, one) for one in some if results.recorded(one.key)]
        if lead == "Which M.":
            parts += [*_largest_step(results), *_at_first(results)]
        if parts:
            lines.append(f"- **{lead}** {'; '.join(parts)}.")
    if not lines:
        return []
    counts = {
        verdict: sum(1 for one in results.pooled.values() if one.claim.verdict == verdict)
        for verdict in get_args(Verdict)
    }
    lines.append(
        f"- **How sure.** Of {len(results.pooled)} claims with a pooled verdict [{counts['holds']} hold, "
        f"{counts['does not hold']} do not, and {counts['cannot be judged']} are open](reproduction.md): on a web of "
        "your own, `seedrank experiment` says what holds there."
    )
    return ["", "## In short", "", *lines]


def _part(results: Results, finding: Finding) -> str:
    """A part of a sentence, linked; where there is no pooled verdict, what all graphs say that could be judged."""
    where = f"reproduction.md#{anchor(finding.key)}"
    pooled = results.pooled.get(finding.key)
    if pooled is not None:
        return f"[{_worded(finding, pooled.claim)}]({where})"
    judged = {graph: one for graph, one in results.recorded(finding.key).items() if one.verdict in _DECIDED}
    if len({one.verdict for one in judged.values()}) != 1:
        return f"[{finding.opens}]({where})"
    words = {_worded(finding, one) for one in judged.values()}
    said = words.pop() if len(words) == 1 else finding.fails
    return f"[{said}]({where}) on {listed(list(judged))}, too few to pool"


_DECIDED = ("holds", "does not hold")


def _largest_step(results: Results) -> list[str]:
    """What the largest change of M made on a recorded graph."""
    found = [
        (abs(one.value), graph, one)
        for key in _M
        for graph, claims in results.claims.items()
        if graph in results.recorded(key)
        for one in claims
        if one.key == key and one.value == one.value and "windowed" not in one.part
        if one.part or not results.parts(key)
    ]
    if not found:
        return []
    _, graph, claim = max(found, key=lambda one: one[0])
    return [
        f"the most that a change of M made on a recorded graph is [{measured(claim, unit_of(claim))}]"
        f"(reproduction.md#{anchor(claim.key)}) ({graph})"
    ]


def _at_first(results: Results) -> list[str]:
    """When M matters: the largest difference that FPR@100 made to the first pages of a recorded graph."""
    share = f"{EARLY[0]:g}"
    found = [
        (graph, 100 * (one["reached"][share]["fpr@100"] / one["reached"][share]["fpr"] - 1))
        for graph, one in results.figures.get("ordering", {}).items()
        if graph in results.recorded("higher-m") and "fpr@100" in one["reached"][share]
    ]
    if not found:
        return []
    graph, change = max(found, key=lambda one: abs(one[1]))
    return [
        f"it matters at first, if at all: after {100 * EARLY[0]:g} % of the pages FPR@100 has reached "
        f"[{show_rounded(abs(change))} % {'more' if change > 0 else 'less'} "
        f"PageRank](reproduction.md#what-a-referee-would-ask) than FPR ({graph})"
    ]


def _sentence(results: Results, finding: Finding) -> str:
    table = f"([table](reproduction.md#{anchor(finding.key)}))"
    pooled = results.pooled.get(finding.key)
    graphs = _by_graph(results, finding.key, numbers=pooled is None)
    if pooled is None:
        claim = results.any_claim(finding.key).claim
        few = f"“{claim}” is measured on fewer than three graphs that may be pooled, so there is no pooled verdict."
        return " ".join(["-", few, *graphs, table])
    part = weakest_part(pooled)
    weakest = f", the weakest part being “{part}”" if part else ""
    over = next((one.graphs for one in pooled.parts if one.claim.part == part), pooled.graphs)
    numbers = f"{measured(pooled.claim, unit_of(pooled.claim))}, pooled over {listed(list(over))}{weakest}."
    differ = len({one.claim.verdict for one in pooled.parts}) > 1
    named = pooled.parts if differ and len(pooled.parts) <= _FEW_PARTS else ()
    said = _by_verdict((f"“{one.claim.part}”", one.claim) for one in named)
    parts = [f"By parts, pooled: {said}."] if said else []
    return " ".join(["-", f"**{_worded(finding, pooled.claim)}**", numbers, *parts, *graphs, table])


def _worded(finding: Finding, claim: Claim) -> str:
    if claim.verdict == "holds":
        return finding.holds
    if claim.verdict != "does not hold":
        return finding.opens
    return finding.worse if finding.worse and claim.high < -MARGINS[claim.quantity].least else finding.fails


def _by_graph(results: Results, key: str, *, numbers: bool) -> list[str]:
    """On which recorded graphs it holds, does not, is open; and what those show that have one number each."""
    some = results.recorded(key)

    def named(graph: str, claim: Claim) -> str:
        return f"{graph} ({measured(claim, unit_of(claim))})" if numbers and claim.value == claim.value else graph

    said = _by_verdict((named(graph, one), one) for graph, one in some.items())
    figures = [
        f"{graph} {measured(one, unit_of(one))}"
        for graph, one in some.items()
        if one.verdict == "figure" and one.value == one.value
    ]
    return [
        *([f"One by one: {said}."] if said else []),
        *([f"One number each, without an interval: {', '.join(figures)}."] if figures else []),
    ]


def _by_verdict(claims: Iterable[tuple[str, Claim]]) -> str:
    by_verdict: dict[str, list[str]] = {}
    for name, claim in claims:
        if claim.value != claim.value:
            by_verdict.setdefault("could not be measured", []).append(name)
        elif claim.verdict != "figure":
            by_verdict.setdefault(claim.outcome, []).append(name)
    words = {"cannot be judged": "is open"}
    return "; ".join(f"{words.get(verdict, verdict)} on {', '.join(some)}" for verdict, some in by_verdict.items())
