"""docs/findings.md: the decisions of a crawl operator, each with its effect and chart; what moves most comes first."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from docs.reproduction.beside import Mark, beside
from docs.reproduction.graphs import GRAPHS, MACHINE, PEOPLE
from docs.reproduction.pooling import FEWEST_GRAPHS, counts
from docs.reproduction.results import Results, anchor, listed
from seedrank.experiments.claim_specs import MARGINS, ClaimSpec
from seedrank.experiments.decisions import decided, deciding, difference, effect_of, hardly_matters, plain
from seedrank.runs.experiment import Claim

__all__ = ["MOST", "charts", "decisive", "findings"]

MOST = 10
"""Decisions on the page."""
_HEAD = """\
# Findings

What to do for a crawl, as measured on {webs} recorded webs; what moves most comes first. Square brackets hold 95 %
intervals, and several recordings of one site count as one web. In the charts a square is a web with its interval and
the diamond is their mean; in the grey band there is no difference that matters.

* *Of 100 clicks*: of the clicks or views that the best choice of as many pages would find.
* *Of what seeds or an order can gain*: of the way from a random choice to the best that anybody who knew the whole web
  could make.

[reproduction.md](reproduction.md) has every table, how each is judged, and what was not measured anew; `make
reproduction` writes both pages. Which claims make these decisions, and that less than “much” either way hardly matters,
was settled with results known; all other claims are there.
"""
_DO, _LITTLE, _OPEN = "Do this", "Hardly matters", "Open: what to do meanwhile"
_WALK, _PART = "rw over pagerank", "rw - pagerank at the larger budget"
"""The claim that tells kinds of links and of frontiers apart."""


@dataclass(frozen=True)
class _Item:
    """A decision as printed.

    Parameters
    ----------
    lead
        What it is about.
    heading
        The section it is in: what to do, what hardly matters, what is open.
    size
        How much it moves, by which items are ordered: as a multiple of what counts as much.
    do
        What to do.
    short
        The largest effect, in a few words.
    effects
        By how much it moves; joined in one sentence.
    check
        The command that checks it.
    keys
        The claims it rests on.
    chart
        As an SVG document.
    """

    lead: str
    heading: str
    size: float
    do: str
    short: str
    effects: Sequence[str]
    check: str
    keys: Sequence[str]
    chart: str

    @property
    def picture(self) -> str:
        """Name of its chart."""
        return "finding-" + "-".join("".join(c if c.isalnum() else " " for c in self.lead.lower()).split())

    def text(self, number: int) -> str:
        """As it is printed."""
        said = "; ".join(self.effects)
        tables = ", ".join(f"[table](reproduction.md#{anchor(key)})" for key in dict.fromkeys(self.keys))
        return (
            f"### {number}. {self.do.rstrip('.')} ({self.short})\n\n"
            "| by how much | web by web |\n| :-- | :-- |\n"
            f"| {said[0].upper()}{said[1:]}. | ![{self.lead}: the webs one by one](pictures/{self.picture}.svg) |\n\n"
            f"On your own graph: `{self.check}` ({tables})\n"
        )


def findings(results: Results) -> str:
    """The document; decisions about what was not measured are left out."""
    here = {record["of"] for record in results.found}
    sites = {graph.folder: graph.site or graph.folder for graph in GRAPHS if graph.name in here and not graph.apart}
    apart = {graph.folder: graph.folder for graph in GRAPHS if graph.name in here and graph.folder}
    webs = set({**apart, **sites}.values()) - {None}
    lines, items = [_HEAD.format(webs=len(webs))], list(enumerate(_items(results), 1))
    for heading in (_DO, _LITTLE, _OPEN):
        some = [item.text(number) for number, item in items if item.heading == heading]
        lines += [f"## {heading}\n", *some] if some else []
    return "\n".join(lines)


def charts(results: Results) -> dict[str, str]:
    """The chart beside each decision, by name."""
    return {item.picture: item.chart for item in _items(results)}


def decisive() -> dict[str, ClaimSpec]:
    """The claims that decide, by key; of the two frontiers pages hidden at random, which more webs have."""
    return {key: spec for key, spec in deciding().items() if not key.endswith(", new")}


def _items(results: Results) -> list[_Item]:
    """The decisions, those that move most first; what is said of one thing is one item."""
    found: dict[str, _Item] = {}
    for item in [*_by_kind_of_links(results), *_hidden_flatters(results), *_by_claims(results)]:
        before = found.get(item.lead)
        found[item.lead] = item if before is None else _joined(before, item)
    order = (_DO, _LITTLE, _OPEN)
    return sorted(found.values(), key=lambda item: (order.index(item.heading), -item.size))[:MOST]


def _joined(one: _Item, other: _Item) -> _Item:
    """Two decisions about one thing: what to do is by the one that is surer, and of two alike by the larger."""
    order = (_DO, _LITTLE, _OPEN)
    both = (one, other)
    first = min(both, key=lambda item: (order.index(item.heading), -item.size))
    return replace(
        first,
        effects=[text for item in both for text in item.effects],
        keys=[key for item in both for key in item.keys],
    )


def _by_claims(results: Results) -> list[_Item]:
    """Decisions by the pooled lines of their claims, but for the one that goes with the kind of links."""
    apart = {_leads(results).get(f"{_WALK}, hidden")} if _by_kind_of_links(results) else set()
    some = [item for spec in decisive().values() for item in _by_claim(results, spec)]
    return [item for item in some if item.lead not in apart]


def _leads(results: Results) -> dict[str, str]:
    return {key: spec.decision.lead for key, spec in decisive().items() if spec.decision}


def _by_claim(results: Results, spec: ClaimSpec) -> list[_Item]:
    """A decision by the pooled line of its claim; without one, what would settle it."""
    decision = spec.decision
    if decision is None:
        return []
    graphs = _counted(results, spec.key, decision.part)
    if not graphs:
        return []
    pooled = results.pooled.get(spec.key)
    one = next((some for some in pooled.parts if some.claim.part == decision.part), pooled) if pooled else None
    by_site = _site_means(results, graphs)
    marks = _marks(graphs)
    if one is None or (decision.part and one.claim.part != decision.part and pooled and pooled.parts):
        mean = replace(next(iter(graphs.values())), value=float(np.mean(list(by_site.values()))), low=math.nan)
        said = f"{effect_of(decision, mean)} on {_webs(len(by_site))}; {_more_webs(len(by_site))}"
        drawn = beside(decision.lead, marks, None, mean.quantity)
        short = f"measured on {len(by_site)} of {FEWEST_GRAPHS} webs"
        return [_Item(decision.lead, _OPEN, 0.0, decision.open, short, [said], decision.check, [spec.key], drawn)]
    claim = one.claim
    do, settle = decided(decision, claim)
    heading = _LITTLE if do == decision.little and hardly_matters(claim) else _OPEN if _is_open(claim) else _DO
    said = f"{effect_of(decision, claim)}{_in_times(results, spec.key)}: {_ahead(by_site, claim)}"
    said += f"; {settle}" if settle else ""
    high = min(claim.high, 1.0) if "{share}" in decision.effect else claim.high  # nothing exceeds what could be gained
    drawn = beside(decision.lead, marks, Mark("mean", claim.value, claim.low, high), claim.quantity)
    short = ("" if do == decision.then and heading == _DO else "otherwise ") + difference(
        claim.quantity, claim.value, of=True
    )
    if "{share}" in decision.effect:
        short = short.replace(" more ", " ")  # than random seeds, which gain nothing
    return [_Item(decision.lead, heading, _size(claim), do, short, [said], decision.check, [spec.key], drawn)]


def _counted(results: Results, key: str, part: str) -> dict[str, Claim]:
    """The claim, or a part of it, on the graphs that count in its pooled line."""
    claims = {graph: results.claim(key, graph, part) for graph in results.graphs([key])}
    return {graph: claim for graph, claim in claims.items() if claim is not None and counts(claim)}


def _is_open(claim: Claim) -> bool:
    return claim.verdict in ("cannot be judged", "figure")


def _ahead(by_site: Mapping[str, float], claim: Claim) -> str:
    """``ahead on 6 of 6 webs``: by more than what matters; where two are to be alike, alike."""
    if math.isfinite(claim.least) and math.isfinite(claim.most):
        alike = sum(claim.least <= value <= claim.most for value in by_site.values())
        return f"alike on {alike} of {_webs(len(by_site))}"
    ahead = sum(value >= MARGINS[claim.quantity].least for value in by_site.values())
    return f"{'so' if claim.quantity == 'time' else 'ahead'} on {ahead} of {_webs(len(by_site))}"


def _webs(number: int) -> str:
    return f"{number} web" if number == 1 else f"{number} webs"


def _more_webs(number: int) -> str:
    missing = FEWEST_GRAPHS - number
    return f"{missing} more {'web' if missing == 1 else 'webs'} would settle it"


def _site_means(results: Results, graphs: Mapping[str, Claim]) -> dict[str, float]:
    found: dict[str, list[float]] = {}
    for graph, claim in graphs.items():
        found.setdefault(results.sites.get(graph, graph), []).append(claim.value)
    return {site: float(np.mean(values)) for site, values in found.items()}


def _marks(graphs: Mapping[str, Claim]) -> list[Mark]:
    return [Mark(name, claim.value, claim.low, claim.high) for name, claim in graphs.items()]


def _size(claim: Claim) -> float:
    """How much it moves: the estimate as a multiple of what counts as much."""
    margin = MARGINS[claim.quantity]
    if margin.ratio and margin.lowest == 0:
        return float(abs(np.log(max(claim.value, 1e-9))) / np.log(margin.much))
    return abs(claim.value) / margin.much


_TIMES = {
    "random-worst-pages": ("coverage", ", and a single one reaches {times} times the pages of a random one"),
    "fpr over bfs": ("ordering", ", and {times} times its PageRank after 5 % of the pages"),
}
"""Effects that are told as times too: the experiment whose figures they are, and the words after the effect."""


def _in_times(results: Results, key: str) -> str:
    """The same effect as a ratio that everybody knows, from the least to the most of the webs that count."""
    experiment, words = _TIMES.get(key, ("", ""))
    apart = {graph.name for graph in GRAPHS if graph.apart or not graph.folder}
    figures = results.figures.get(experiment, {})
    times = [one["times"][0] for graph, one in figures.items() if one.get("times") and graph not in apart]
    return words.format(times=_range(times)) if times else ""


def _range(values: Sequence[float]) -> str:
    return " to ".join(dict.fromkeys(plain(value) for value in (min(values), max(values))))


def _clicks(by_site: Mapping[str, float]) -> str:
    """From the least to the most of the sites: ``18 to 56 more``, ``15 fewer to 2.5 more``."""
    ends = [difference("impact share", end(by_site.values())) for end in (min, max)]
    if {end.rpartition(" ")[2] for end in ends} == {"more"}:
        ends[0] = ends[0].removesuffix(" more")
    return " to ".join(ends if min(by_site.values()) < max(by_site.values()) else ends[1:])


def _by_kind_of_links(results: Results) -> list[_Item]:
    """What the walk gains where a machine recommends links, and where people set them; a site counts once."""
    key = f"{_WALK}, hidden"
    graphs = _counted(results, key, _PART)
    by_kind = {
        kind: {name: graphs[name] for name in (graph.name for graph in GRAPHS if graph.links == kind) if name in graphs}
        for kind in (MACHINE, PEOPLE)
    }
    if not all(by_kind.values()):
        return []
    means = {kind: _site_means(results, some) for kind, some in by_kind.items()}
    said = (
        f"RW finds {_clicks(means[MACHINE])} of 100 clicks that could be found than PageRank where {MACHINE} "
        f"recommends the links ({_listed_ahead(means[MACHINE])}), and {_clicks(means[PEOPLE])} where {PEOPLE} set them "
        f"({_listed_ahead(means[PEOPLE])}); too few webs of either kind for an interval, so try both"
    )
    do = "Rank by RW where a machine recommends the links, by PageRank where people set them"
    lead = float(np.mean(list(means[MACHINE].values())))
    one = decisive()[key].decision
    assert one is not None
    marks = [mark for kind in (MACHINE, PEOPLE) for mark in _marks(by_kind[kind])]
    drawn = beside(one.lead, marks, None, "impact share")
    short, size = f"{_clicks(means[MACHINE])} of 100 clicks", abs(lead) / MARGINS["impact share"].much
    return [_Item(one.lead, _DO, size, do, short, [said], one.check, [key], drawn)]


def _listed_ahead(by_site: Mapping[str, float]) -> str:
    """``ted and youtube: ahead on 2 of 2 webs``."""
    ahead = sum(value >= MARGINS["impact share"].least for value in by_site.values())
    return f"{listed(list(by_site))}: ahead on {ahead} of {_webs(len(by_site))}"


def _hidden_flatters(results: Results) -> list[_Item]:
    """The same claim on pages hidden at random and on pages that are new, where a graph has both."""
    pairs: dict[str, tuple[Claim, Claim]] = {}
    for graph in (one.name for one in GRAPHS):
        hidden = results.claim(f"{_WALK}, hidden", graph, _PART)
        new = results.claim(f"{_WALK}, new", f"{graph} in time", _PART)
        if hidden is not None and new is not None and counts(hidden) and counts(new):
            pairs[graph] = (hidden, new)
    if not pairs:
        return []
    means = [_site_means(results, {graph: pair[n] for graph, pair in pairs.items()}) for n in (0, 1)]
    told = ", ".join(
        f"{plain(means[0][site])} of 100 clicks among hidden pages and {plain(means[1][site])} among new ones ({site})"
        for site in means[0]
    )
    change = float(np.mean([means[0][site] - means[1][site] for site in means[0]]))
    word = "pages hidden at random flatter" if change > 0 else "pages hidden at random did not flatter here"
    said = f"{word}: RW leads PageRank by {told}"
    said += f"; {_more_webs(len(means[0]))}" if len(means[0]) < FEWEST_GRAPHS else ""
    marks = [
        Mark(f"{graph}, {kind}", claim.value, claim.low, claim.high)
        for graph, pair in pairs.items()
        for kind, claim in zip(("hidden", "new"), pair, strict=True)
    ]
    margin, lead = MARGINS["impact share"], "How to judge a frontier"
    drawn = beside(lead, marks, None, "impact share")
    heading = _DO if len(means[0]) >= FEWEST_GRAPHS else _OPEN
    do, check = "Judge by pages that a later crawl adds", "seedrank experiment impact --truth later.tsv"
    keys = [f"{_WALK}, hidden", f"{_WALK}, new"]
    short = (
        f"measured on {len(means[0])} of {FEWEST_GRAPHS} webs" if heading == _OPEN else f"{plain(change)} of 100 clicks"
    )
    return [_Item(lead, heading, abs(change) / margin.much, do, short, [said], check, keys, drawn)]
