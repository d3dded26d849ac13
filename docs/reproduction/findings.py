"""docs/findings.md: the decisions of a crawl operator, each with its effect and chart; what moves most comes first."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from docs.reproduction.forest import forest
from docs.reproduction.graphs import GRAPHS, MACHINE, PEOPLE
from docs.reproduction.results import Results, anchor, listed, measured, unit_of, weakest_part
from seedrank.core.numbers import show_rounded
from seedrank.experiments.claim_specs import MARGINS, ClaimSpec
from seedrank.experiments.decisions import decided, deciding
from seedrank.experiments.pooling import FEWEST_GRAPHS, counts
from seedrank.runs.experiment import Claim

__all__ = ["MOST", "charts", "decisive", "findings"]

MOST = 10
"""Decisions on the page."""
_HEAD = f"""\
# Findings

What to decide for a crawl, measured on recorded webs; what moves most comes first. A figure is the mean over sites (of
ratios the geometric one) with its 95 % interval in brackets; several recordings of a site count once.

* *Of the headroom*: 0 is what random pages get, 1 the best that anybody who knew the whole web could. Below
  {MARGINS["order gain"].least:g} there is no difference; “much” is {MARGINS["order gain"].much:g}.
* *Points of the ideal*: of 100 clicks or views that the best choice of as many pages brings. Below
  {MARGINS["impact share"].least:g} there is no difference; “much” is {MARGINS["impact share"].much:g}.
* In a chart the shaded part is where its heading holds: beyond no difference, or beyond “much” where the paper says
  so. “Holds on 4 of 5 sites” counts those whose estimate lies there. ✓ holds on that web, ✗ does not, ? is open (also
  where a web has too few sites to tell), – had nothing to gain, (✓) holds by construction; hollow squares do not enter
  the mean.

Written by `make reproduction`; [reproduction.md](reproduction.md) says how each is judged and has every table.
"""
_SEEDS = ("random-worst-pages", "MaxWeight2 - Random")
_WALK, _PART = "rw over pagerank", "rw - pagerank at the larger budget"
"""The claims that tell seeds by coverage from random ones, and kinds of links and of frontiers apart."""
_OPEN = ("cannot be judged", "figure")


@dataclass(frozen=True)
class _Item:
    """A decision as printed.

    Parameters
    ----------
    size
        How much it moves, by which items are ordered.
    lead, sentences, check
        What it is about, what to do and by how much it moves, and the command that checks it.
    claims
        The claims of its chart: key and part of each.
    sure
        Whether it is decided.
    """

    size: float
    lead: str
    sentences: Sequence[str]
    check: str
    claims: Sequence[tuple[str, str]]
    sure: bool

    @property
    def chart(self) -> str:
        """Name of its chart."""
        return "finding-" + "-".join("".join(c if c.isalnum() else " " for c in self.lead.lower()).split())

    @property
    def text(self) -> str:
        """As it is printed, without its number."""
        keys = dict.fromkeys(key for key, _ in self.claims)
        tables = ", ".join(f"[table](reproduction.md#{anchor(key)})" for key in keys)
        picture = f"![{self.lead}: the webs one by one](pictures/{self.chart}.svg)"
        return (
            f"**{self.lead}.** {' '.join(self.sentences)} On your graph: `{self.check}` ({tables}).\n\n   {picture}\n"
        )


def findings(results: Results) -> str:
    """The document; decisions about what was not measured are left out."""
    lines, items = [_HEAD], list(enumerate(_items(results), 1))
    for heading, sure in (("Do this", True), ("Open: what to do meanwhile", False)):
        some = [f"{number}. {item.text}" for number, item in items if item.sure == sure]
        lines += [f"## {heading}\n", *some] if some else []
    return "\n".join(lines)


def charts(results: Results) -> dict[str, str]:
    """The chart beside each decision, by name: its claims on every graph."""
    return {item.chart: forest(results, item.lead, item.claims) for item in _items(results)}


def decisive() -> dict[str, ClaimSpec]:
    """The claims that decide, by key; of the two frontiers pages hidden at random, which more webs have."""
    return {key: spec for key, spec in deciding().items() if not key.endswith(", new")}


def _items(results: Results) -> list[_Item]:
    """The decisions, those that move most first; what is said of one thing is one item."""
    found: dict[str, _Item] = {}
    measured_so = [*_by_coverage(results), *_by_kind_of_links(results), *_early(results), *_hidden_flatters(results)]
    for item in [*measured_so, *(item for one in decisive().values() for item in _by_claim(results, one))]:
        before = found.get(item.lead)
        found[item.lead] = item if before is None else _joined(before, item)
    return sorted(found.values(), key=lambda item: (-item.sure, -item.size))[:MOST]


def _joined(one: _Item, other: _Item) -> _Item:
    return replace(
        one,
        size=max(one.size, other.size),
        sentences=[*one.sentences, *other.sentences],
        claims=list(dict.fromkeys([*one.claims, *other.claims])),
        sure=one.sure or other.sure,
    )


def _by_claim(results: Results, spec: ClaimSpec) -> list[_Item]:
    """A decision by the pooled line of its claim; without one, what would settle it."""
    decision = spec.decision
    if decision is None or not results.recorded(spec.key):
        return []
    pooled = results.pooled.get(spec.key)
    if pooled is None:
        k = len({results.sites.get(g, g) for g, one in results.recorded(spec.key).items() if counts(one)})
        why = f"Measured on {k} of the {FEWEST_GRAPHS} sites that it takes."
        return [_Item(0.0, decision.lead, [decision.open, why], decision.check, [(spec.key, "")], False)]
    part = decision.part or weakest_part(pooled)
    one = next((some for some in pooled.parts if some.claim.part == part), pooled)
    claim = one.claim if decision.part else pooled.claim
    by_site = _site_means(results, one.graphs)
    so = sum(1 for value in by_site.values() if claim.least <= value <= claim.most)
    so = len(by_site) - so if claim.verdict == "does not hold" else so
    sentence, settle = decided(decision, claim)
    effect = f"{measured(claim, unit_of(claim))}{f' ({part})' if part else ''}, holds on {so} of {len(by_site)} sites"
    said = [sentence, f"{effect}; {settle}." if settle else f"{effect}."]
    return [_Item(_size(claim), decision.lead, said, decision.check, [(spec.key, part)], claim.verdict not in _OPEN)]


def _site_means(results: Results, graphs: Mapping[str, Claim]) -> dict[str, float]:
    found: dict[str, list[float]] = {}
    for graph, claim in graphs.items():
        found.setdefault(results.sites.get(graph, graph), []).append(claim.value)
    return {site: float(np.mean(values)) for site, values in found.items()}


def _size(claim: Claim) -> float:
    """How much it moves: the estimate as a multiple of what counts as much; nothing where it is open."""
    margin = MARGINS[claim.quantity]
    if claim.verdict in _OPEN or np.isnan(claim.value):
        return 0.0
    if margin.ratio and margin.lowest == 0:
        return float(abs(np.log(max(claim.value, 1e-9))) / np.log(margin.much))
    return abs(claim.value) / margin.much


def _by_coverage(results: Results) -> list[_Item]:
    """What a seed chosen by coverage reaches beside a random one."""
    figures = results.figures.get("coverage", {})
    times = sorted(
        1 + one["one seed"][0] / 100 for graph, one in figures.items() if one.get("one seed") and graph in _recorded()
    )
    key, part = _SEEDS
    pooled = results.pooled.get(key)
    one = next((some for some in pooled.parts if some.claim.part == part), None) if pooled else None
    if not times:
        return []
    said = [
        "Choose them by coverage, not at random: MaxWeight takes the page with the most pages within two links, then "
        f"the next best; `seedrank seeds` does so, or searches exactly where that fits. One such seed a site reaches "
        f"{show_rounded(times[0])} to {show_rounded(times[-1])} times the pages of a random one ({len(times)} webs; 1 "
        "where nearly every page reaches all)."
    ]
    if one is not None:
        by_site = _site_means(results, one.graphs)
        so = sum(1 for value in by_site.values() if value >= one.claim.least)
        said.append(
            f"{measured(one.claim, unit_of(one.claim))} over one to ten seeds, holds on the sites of "
            f"{so} of {len(by_site)} webs."
        )
    size = float(np.mean(times))
    return [_Item(size, "How to choose seeds", said, "seedrank seeds", [_SEEDS], True)]


def _recorded() -> set[str]:
    return {graph.name for graph in GRAPHS if graph.folder}


def _early(results: Results) -> list[_Item]:
    """What FPR has gathered of the PageRank after the first 5 % of the pages, over breadth first."""
    times = []
    for graph, one in results.figures.get("ordering", {}).items():
        early = one.get("over windowed", {}).get("0.05", {})
        if graph in _recorded() and "fpr" in early and "bfs" in early:
            times.append((100 + early["fpr"][0]) / (100 + early["bfs"][0]))
    if not times:
        return []
    said = (
        f"Fetch by FPR: after the first 5 % of the pages it has gathered {show_rounded(min(times))} to "
        f"{show_rounded(max(times))} "
        f"times the PageRank that breadth first has ({len(times)} webs)."
    )
    spec = decisive()["fpr-alike"].decision
    return [_Item(float(np.mean(times)), spec.lead, [said], spec.check, [], True)]


def _by_kind_of_links(results: Results) -> list[_Item]:
    """What the walk gains where a machine recommends links, and where people set them; a site counts once."""
    key = f"{_WALK}, hidden"
    by_kind = {kind: _by_site(results, key, kind) for kind in (MACHINE, PEOPLE)}
    if not all(by_kind.values()):
        return []

    def told(kind: str) -> str:
        gains = by_kind[kind]
        ends = sorted({show_rounded(value) for value in (min(gains.values()), max(gains.values()))}, key=float)
        return f"{' to '.join(ends)} points of the ideal ({listed(list(gains))})"

    lead = np.mean(list(by_kind[MACHINE].values())) - np.mean(list(by_kind[PEOPLE].values()))
    said = [
        f"Where {MACHINE} recommends the links (related videos, talks), rank the pages that wait by RW, a walk that "
        f"starts from the clicks or views of crawled pages: it finds {told(MACHINE)} more than PageRank. Where "
        f"{PEOPLE} set the links use PageRank: RW is {told(PEOPLE)} ahead there.",
        f"{show_rounded(float(lead))} points lie between the two kinds, {len(by_kind[MACHINE])} and "
        f"{len(by_kind[PEOPLE])} sites: too few for an interval.",
    ]
    size = abs(float(lead)) / MARGINS["impact share"].much
    spec = decisive()[key].decision
    return [_Item(size, spec.lead, said, spec.check, [(key, _PART)], True)]


def _by_site(results: Results, key: str, kind: str) -> Mapping[str, float]:
    claims = {graph.name: results.claim(key, graph.name, _PART) for graph in GRAPHS if graph.links == kind}
    return _site_means(results, {name: one for name, one in claims.items() if one is not None and counts(one)})


def _hidden_flatters(results: Results) -> list[_Item]:
    """The same claim on pages hidden at random and on pages that are new, where a graph has both."""
    by_site: dict[str, list[tuple[float, float]]] = {}
    for graph in (one.name for one in GRAPHS):
        hidden = results.claim(f"{_WALK}, hidden", graph, _PART)
        new = results.claim(f"{_WALK}, new", f"{graph} in time", _PART)
        if hidden is not None and new is not None and hidden.value == hidden.value and new.value == new.value:
            by_site.setdefault(results.sites.get(graph, graph), []).append((hidden.value, new.value))
    if not by_site:
        return []
    means = {site: np.mean(values, axis=0) for site, values in by_site.items()}
    pairs = ", ".join(
        f"{site} {show_rounded(float(one))} on hidden and {show_rounded(float(new))} on new pages"
        for site, (one, new) in means.items()
    )
    change = float(np.mean([one - new for one, new in means.values()]))
    word = "flatters" if change > 0 else "does not flatter here"
    said = [
        f"Judge by pages that a later crawl adds, where you have one: hiding known pages at random {word}.",
        f"RW over PageRank in points of the ideal: {pairs}; measured on {len(means)} of the {FEWEST_GRAPHS} sites that "
        "it takes.",
    ]
    size, check = abs(change) / MARGINS["impact share"].much, "seedrank experiment impact --truth later.tsv"
    key = f"{_WALK}, new"
    return [_Item(size, "How to judge a frontier", said, check, [(key, _PART)], len(means) >= FEWEST_GRAPHS)]
