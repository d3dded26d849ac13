"""What Zheng et al. 2009 claim of their methods, judged on the sites at hand (docs/algorithms.md §2.5)."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

import numpy as np

from seedrank.evaluate.coverage.measure import Measured, over_random
from seedrank.evaluate.coverage.plan import GRAPH_METHODS, HEURISTICS
from seedrank.evaluate.experiment import Claim, Verdict
from seedrank.evaluate.intervals import Interval, interval_of, mean_interval

__all__ = ["MIN_SITES", "judge"]

MIN_SITES = 30
"""With fewer sites an interval over sites says little: nothing is judged."""
_ALIKE = 5.0
"""Per cent of Random within which two methods count as alike."""
_TIMED = 1.0
"""Seconds below which times are noise."""
_PAGES, _VALUE = 0, 1


def judge(measured: Measured) -> list[Claim]:
    """Every claim with what was measured and its verdict."""
    lifts = _Lifts(measured)
    return [
        *_claims_on_both(measured, lifts),
        *_claims_on_either(measured, lifts),
        *_claims_on_steps(measured),
        *_claims_on_graph(measured),
    ]


class _Lifts:
    """What methods cover over Random in per cent, at the usual number of seeds: (1 + resamples, 2) each."""

    def __init__(self, measured: Measured) -> None:
        at = min(measured.at_seeds, measured.seeds) - 1
        names = (*HEURISTICS, *GRAPH_METHODS)
        self.of = {name: over_random(measured.means_by_k, name)[:, at] for name in names}

    def best(self, names: Iterable[str], measure: int) -> np.ndarray:
        return np.asarray(np.max([self.of[name][:, measure] for name in names], axis=0))

    def worst(self, names: Iterable[str], measure: int) -> np.ndarray:
        return np.asarray(np.min([self.of[name][:, measure] for name in names], axis=0))


def _claims_on_both(measured: Measured, lifts: _Lifts) -> Iterable[Claim]:
    """Claims on pages and value alike."""
    for measure, word in ((_PAGES, "pages"), (_VALUE, "value")):
        yield _positive(
            measured,
            f"{word}: Random is worst, every other method beats it",
            "all other strategies outperform it significantly",
            lifts.worst(lifts.of, measure),
            "the weakest method is over Random by {} %",
        )
        yield _positive(
            measured,
            f"{word}: PageRank is worse than OutDegree",
            "much worse than the other heuristic approach",
            lifts.of["OutDegree"][:, measure] - lifts.of["PageRank"][:, measure],
            "OutDegree - PageRank = {} % of Random",
        )
        yield _positive(
            measured,
            f"{word}: all graph methods beat the heuristics",
            "outperform the heuristic approaches"
            if measure == _PAGES
            else "claimed, though RootSCC is also said to lose to OutDegree",
            lifts.worst(GRAPH_METHODS, measure) - lifts.best(HEURISTICS, measure),
            "weakest graph method - best heuristic = {} % of Random",
        )


def _claims_on_either(measured: Measured, lifts: _Lifts) -> Iterable[Claim]:
    """Claims on pages or on value alone."""
    others = [name for name in lifts.of if name != "MaxOut"]
    yield _positive(
        measured,
        "pages: MaxOut is best",
        "performs best in terms of the coverage of pages",
        lifts.of["MaxOut"][:, _PAGES] - lifts.best(others, _PAGES),
        "MaxOut - best other = {} % of Random",
    )
    weighty = ("MaxWeight2", "MaxWeight3")
    yield _positive(
        measured,
        "value: MaxWeight is best",
        "better than the algorithms that use strong components",
        lifts.best(weighty, _VALUE) - lifts.best([name for name in lifts.of if name not in weighty], _VALUE),
        "MaxWeight - best other = {} % of Random",
    )
    yield _alike(measured, lifts.of["MaxWeight3"][:, _VALUE] - lifts.of["MaxWeight2"][:, _VALUE])
    yield _positive(
        measured,
        "value: MaxWeight beats MaxSCC",
        "simple depth-d approximation performs better",
        lifts.worst(weighty, _VALUE) - lifts.of["MaxSCC"][:, _VALUE],
        "weaker MaxWeight - MaxSCC = {} % of Random",
    )
    yield _positive(
        measured,
        "value: RootSCC is worse than OutDegree",
        "very poorly, worse than the heuristic OutDegree",
        lifts.of["OutDegree"][:, _VALUE] - lifts.of["RootSCC"][:, _VALUE],
        "OutDegree - RootSCC = {} % of Random",
    )
    yield _positive(
        measured,
        "value: MaxOut is much weaker than MaxWeight",
        "much worse than most of the graph-based strategies",
        lifts.worst(weighty, _VALUE) - lifts.of["MaxOut"][:, _VALUE],
        "weaker MaxWeight - MaxOut = {} % of Random",
        level=_ALIKE,
    )


def _claims_on_steps(measured: Measured) -> Iterable[Claim]:
    names = (*HEURISTICS, *GRAPH_METHODS)
    by_k = np.mean([over_random(measured.means_by_k, name) for name in names], axis=0)
    by_h = np.mean([over_random(measured.means_by_h, name) for name in names], axis=0)
    growth = by_h[:, -1] - by_h[:, 0]
    first, last = measured.hops[0], measured.hops[-1]
    for measure, word in ((_PAGES, "pages"), (_VALUE, "value")):
        yield _positive(
            measured,
            f"{word}: the gap to Random shrinks as seeds are added",
            "larger when the number of seeds is small",
            by_k[:, 0, measure] - by_k[:, -1, measure],
            f"mean of all methods at k = 1, minus that at k = {measured.seeds}: {{}} % of Random",
        )
    for measure, word in ((_PAGES, "pages"), (_VALUE, "value")):
        yield _positive(
            measured,
            f"{word}: the gap to Random grows with the hops",
            "increases slightly with the number of hops",
            growth[:, measure],
            f"mean of all methods at h = {last}, minus that at h = {first}: {{}} % of Random",
        )
    more = _positive(
        measured,
        "the gap grows more with the hops for pages than for value",
        "higher for the page coverage, and smaller for the value coverage",
        growth[:, _PAGES] - growth[:, _VALUE],
        "growth for pages - growth for value = {} % of Random",
    )
    if more.verdict == "holds" and growth[0, _PAGES] <= 0:
        more = replace(more, verdict="does not hold", why="it shrinks for both, for pages less")
    yield more


def _claims_on_graph(measured: Measured) -> Iterable[Claim]:
    share = measured.structure["largest_share"].to_numpy()
    pages = measured.structure["pages"].to_numpy()
    small = mean_interval((share < 0.5).astype(np.float64), rng=measured.rng)
    yield _judged(
        measured.sites,
        Claim(
            "000",
            "most sites are many small strong components",
            "most of web sites tend to consist of many small-size SCCs",
            f"{_percent(small)} of sites have no component with half of their pages",
            _above(small, 0.5),
        ),
    )
    large = share[pages >= np.quantile(pages, 0.75)]
    loose = mean_interval((large < 0.9).astype(np.float64), rng=measured.rng)
    yield _judged(
        len(large),
        Claim(
            "000",
            "many large sites are not strongly connected",
            "",
            f"{_percent(loose)} of the largest quarter of sites have no component with 90 % of their pages",
            _above(loose, 0.25),
            "many is read as more than a quarter",
        ),
    )
    deepest, base = max(measured.depths), 2
    if deepest > 3 and base in measured.depths:
        seconds = measured.seconds[f"MaxWeight{deepest}"]
        times = seconds / max(measured.seconds[f"MaxWeight{base}"], 1e-9)
        made = Claim(
            "000",
            "looking deeper than d = 3 takes prohibitively long",
            "prohibitively long running times",
            f"d = {deepest} takes {times:.3g} times the seconds of d = {base}",
            "holds" if times >= 10 else "does not hold",
            "prohibitive is read as ten times; here balls are summed lazily, the fewest that settle a choice",
        )
        if seconds < _TIMED:
            why = f"d = {deepest} takes {seconds:.2g} s in all: a graph this small says nothing of time"
            made = replace(made, verdict="cannot be judged", why=why)
        yield made


def _positive(
    measured: Measured, claim: str, reported: str, found: np.ndarray, sentence: str, *, level: float = 0.0
) -> Claim:
    """A claim that a difference is above `level`."""
    # Sums of the same numbers in another order differ in the last bits.
    interval = interval_of(np.round(found, 9))
    if not np.isfinite(interval.value):
        why = "Random covers nothing of positive worth, so nothing can be compared with it"
        return Claim("000", claim, reported, "nothing", "cannot be judged", why)
    made = Claim("000", claim, reported, sentence.format(interval), _above(interval, level))
    if level:
        made = replace(made, why=f"much is read as at least {level:.0f} % of Random")
    elif made.verdict == "cannot be judged":
        made = replace(made, why=_more_sites(measured.sites, interval))
    return _judged(measured.sites, made)


def _alike(measured: Measured, found: np.ndarray) -> Claim:
    interval = interval_of(np.round(found, 9))
    claim = "value: MaxWeight3 is about as good as MaxWeight2"
    reported = "perform similar, 2 hops are enough"
    if not np.isfinite(interval.value):
        return Claim("000", claim, reported, "nothing", "cannot be judged", "Random covers nothing of positive worth")
    verdict: Verdict = "cannot be judged"
    if interval.low > -_ALIKE and interval.high < _ALIKE:
        verdict = "holds"
    elif interval.low > _ALIKE or interval.high < -_ALIKE:
        verdict = "does not hold"
    why = f"similar is read as within {_ALIKE:.0f} % of Random"
    return _judged(
        measured.sites,
        Claim("000", claim, reported, f"MaxWeight3 - MaxWeight2 = {interval} % of Random", verdict, why),
    )


def _judged(sites: int, claim: Claim) -> Claim:
    """The claim, unless there are too few sites to judge it."""
    if sites >= MIN_SITES:
        return claim
    have = "1 site" if sites == 1 else f"{sites} sites"
    return replace(claim, verdict="cannot be judged", why=f"{have}: an interval over sites needs at least {MIN_SITES}")


def _above(interval: Interval, level: float) -> Verdict:
    if interval.low > level:
        return "holds"
    return "does not hold" if interval.high < level else "cannot be judged"


def _more_sites(sites: int, interval: Interval) -> str:
    """How many sites would settle a difference of this size."""
    if interval.value == 0 or interval.low == interval.high:
        return "the methods cover the same"
    needed = sites * (max(interval.high - interval.value, interval.value - interval.low) / abs(interval.value)) ** 2
    if needed > 1e6:
        return f"no difference is seen in {sites:,} sites"
    return f"the interval holds 0; a difference of this size would show in about {int(np.ceil(needed)):,} sites"


def _percent(interval: Interval) -> str:
    return f"{100 * interval.value:.3g} % [{100 * interval.low:.3g}, {100 * interval.high:.3g}]"
