"""docs/findings.md: the decisions of a crawl operator, each with its effect, ordered by how much they move."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from docs.reproduction.forest import forest
from docs.reproduction.graphs import GRAPHS, MACHINE, PEOPLE
from docs.reproduction.results import Results, anchor, listed, measured, unit_of
from seedrank.core.numbers import show_rounded
from seedrank.experiments.claim_specs import MARGINS, ClaimSpec
from seedrank.experiments.decisions import decided, deciding
from seedrank.experiments.pooling import FEWEST_GRAPHS, counts
from seedrank.runs.experiment import Claim

__all__ = ["MOST", "charts", "decisive", "findings"]

MOST = 10
"""Decisions on the page."""
_HEAD = """\
# Findings

What to decide, ordered by how much it moves. Every line is measured on recorded webs: the estimate with its 95 %
interval, and on how many sites it is so (several recordings of a site count once). “Of the headroom” is a share of
all that could be gained, from random pages to knowing everything; “of the ideal” is a share of what the
best choice finds. How it was judged stands in [reproduction.md](reproduction.md). Written by `make reproduction`.
"""
_WALK, _PART = "rw over pagerank", "rw - pagerank at the larger budget"
"""The claim by which kinds of links, and of frontiers, are told apart."""


@dataclass(frozen=True)
class _Line:
    """A decision as printed: its size, by which lines are ordered, its text, and the claim of its chart."""

    size: float
    lead: str
    text: str
    key: str
    part: str = ""

    @property
    def chart(self) -> str:
        """Name of its chart."""
        return "finding-" + "-".join("".join(c if c.isalnum() else " " for c in self.lead.lower()).split())


def findings(results: Results) -> str:
    """The document; decisions about what was not measured are left out."""
    items = [
        f"{n}. {line.text}\n\n   ![{line.lead}: the sites one by one](pictures/{line.chart}.svg)\n"
        for n, line in enumerate(_lines(results), 1)
    ]
    return "\n".join([*_HEAD.splitlines(), "", *items])


def charts(results: Results) -> dict[str, str]:
    """The chart beside each decision, by name: its claim on every graph."""
    return {line.chart: forest(results, line.lead, [line.key], line.part) for line in _lines(results)}


def _lines(results: Results) -> list[_Line]:
    """The decisions, those that move most first."""
    lines = [*_by_coverage(results), *_by_kind_of_links(results), *_hidden_flatters(results)]
    lines += [line for one in decisive().values() for line in _decided(results, one)]
    return sorted(lines, key=lambda line: -line.size)[:MOST]


def decisive() -> dict[str, ClaimSpec]:
    """The claims that decide, by key; of the two frontiers pages hidden at random, which more webs have."""
    return {key: spec for key, spec in deciding().items() if not key.endswith(", new")}


def _decided(results: Results, spec: ClaimSpec) -> list[_Line]:
    """A decision by the pooled line of its claim; without one, what would settle it."""
    decision = spec.decision
    if decision is None or not results.recorded(spec.key):
        return []
    pooled = results.pooled.get(spec.key)
    if pooled is None:
        k = len({results.sites.get(g, g) for g, one in results.recorded(spec.key).items() if counts(one)})
        why = f"{k} of the {FEWEST_GRAPHS} sites that it takes have measured it"
        return [_line(0.0, decision.lead, decision.open, why, decision.check, spec.key)]
    one = next((part for part in pooled.parts if part.claim.part == decision.part), pooled)
    claim = one.claim
    by_site = _site_means(results, one.graphs)
    beyond = sum(1 for value in by_site.values() if claim.least <= value <= claim.most)
    sentence, settle = decided(decision, claim)
    effect = f"{measured(claim, unit_of(claim))}, {beyond} of {len(by_site)} sites" + (f"; {settle}" if settle else "")
    return [_line(_size(claim), decision.lead, sentence, effect, decision.check, spec.key, one.claim.part)]


def _site_means(results: Results, graphs: Mapping[str, Claim]) -> dict[str, float]:
    found: dict[str, list[float]] = {}
    for graph, claim in graphs.items():
        found.setdefault(results.sites.get(graph, graph), []).append(claim.value)
    return {site: float(np.mean(values)) for site, values in found.items()}


def _size(claim: Claim) -> float:
    """How much it moves: the estimate as a multiple of what counts as much; nothing where it is open."""
    margin = MARGINS[claim.quantity]
    if claim.verdict == "cannot be judged" or np.isnan(claim.value):
        return 0.0
    if margin.ratio and margin.lowest == 0:
        return float(abs(np.log(max(claim.value, 1e-9))) / np.log(margin.much))
    return abs(claim.value) / margin.much


def _line(size: float, lead: str, sentence: str, effect: str, command: str, key: str, part: str = "") -> _Line:
    text = (
        f"**{lead}.** {sentence} {effect[0].upper()}{effect[1:]}. On your graph: `{command}`. "
        f"([Table](reproduction.md#{anchor(key)}))"
    )
    return _Line(size, lead, text, key, part)


def _by_coverage(results: Results) -> list[_Line]:
    """How many times the pages one seed chosen by coverage reaches, over a random one."""
    found = {
        graph: one["one seed"] for graph, one in results.figures.get("coverage", {}).items() if one.get("one seed")
    }
    found = {graph: one for graph, one in found.items() if graph in _recorded()}
    if not found:
        return []
    times = sorted(1 + one[0] / 100 for one in found.values())
    sure = sum(1 for one in found.values() if len(one) > 1 and one[1] > 0)
    sentence = (
        f"Choose seeds by coverage instead of at random: one seed a site then reaches {show_rounded(times[0])} to "
        f"{show_rounded(times[-1])} times the pages."
    )
    return [
        _line(
            float(np.mean(times)),
            "How to choose seeds",
            sentence,
            f"the whole interval is above 1 on {sure} of {len(found)} webs",
            "seedrank experiment coverage --quick",
            "random-worst-pages",
        )
    ]


def _recorded() -> set[str]:
    return {graph.name for graph in GRAPHS if graph.folder}


def _by_kind_of_links(results: Results) -> list[_Line]:
    """What the walk gains where a machine recommends links, and where people set them; a site counts once."""
    key = f"{_WALK}, hidden"
    by_kind = {kind: _by_site(results, key, kind) for kind in (MACHINE, PEOPLE)}
    if not all(by_kind.values()):
        return []

    def told(kind: str) -> str:
        gains = by_kind[kind]
        ends = sorted({show_rounded(value) for value in (min(gains.values()), max(gains.values()))}, key=float)
        return f"{' to '.join(ends)} points of the ideal ({listed(list(gains))})"

    sentence = (
        f"Where {MACHINE} recommends the links RW finds {told(MACHINE)} more than PageRank; where {PEOPLE} set them, "
        f"{told(PEOPLE)}. Which is yours, `frontier tune` measures on your own pages."
    )
    lead = np.mean(list(by_kind[MACHINE].values())) - np.mean(list(by_kind[PEOPLE].values()))
    effect = f"{show_rounded(float(lead))} points lie between the two kinds, {len(by_kind[MACHINE])} and " + (
        f"{len(by_kind[PEOPLE])} sites: too few for an interval"
    )
    size = abs(float(lead)) / MARGINS["impact share"].much
    return [_line(size, "What your links are", sentence, effect, "seedrank frontier tune", key, _PART)]


def _by_site(results: Results, key: str, kind: str) -> Mapping[str, float]:
    claims = {graph.name: results.claim(key, graph.name, _PART) for graph in GRAPHS if graph.links == kind}
    return _site_means(results, {name: one for name, one in claims.items() if one is not None and counts(one)})


def _hidden_flatters(results: Results) -> list[_Line]:
    """The same claim on pages hidden at random and on pages that are new, where a graph has both."""
    pairs: list[tuple[str, float, float]] = []
    for graph in (one.name for one in GRAPHS):
        hidden = results.claim(f"{_WALK}, hidden", graph, _PART)
        new = results.claim(f"{_WALK}, new", f"{graph} in time", _PART)
        if hidden is not None and new is not None and hidden.value == hidden.value and new.value == new.value:
            pairs.append((graph, hidden.value, new.value))
    if not pairs:
        return []
    by_site: dict[str, list[tuple[float, float]]] = {}
    for graph, one, other in pairs:
        by_site.setdefault(results.sites.get(graph, graph), []).append((one, other))
    means = {site: np.mean(values, axis=0) for site, values in by_site.items()}
    said = ", ".join(
        f"{site} {show_rounded(float(one))} and {show_rounded(float(new))}" for site, (one, new) in means.items()
    )
    change = float(np.mean([one - new for one, new in means.values()]))
    word = "flatters" if change > 0 else "does not flatter here"
    sentence = (
        f"Judge by pages that are new, where you can: hiding known pages at random {word}. RW over PageRank in points "
        f"of the ideal, hidden and new: {said}."
    )
    sites = f"{len(means)} {'site' if len(means) == 1 else 'sites'}"
    effect = f"{show_rounded(change)} points between the two, mean of {sites}: too few for an interval"
    command = "seedrank experiment impact --truth later.tsv"
    size = abs(change) / MARGINS["impact share"].much
    return [_line(size, "How to judge", sentence, effect, command, f"{_WALK}, new", _PART)]
