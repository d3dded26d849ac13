"""What Tran et al. 2015 claim of frontier ranking, judged on the splits of one graph."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING

import numpy as np
import pyarrow as pa

from seedrank.evaluate.experiment import Claim, Verdict
from seedrank.evaluate.impact.split import ALL, UNSEEN
from seedrank.evaluate.intervals import Interval, mean_interval, paired_difference

if TYPE_CHECKING:
    import pandas as pd

__all__ = ["judge"]

PAPER = "004"
WALKS = ("rw-tuned", "rw-eg-tuned")
PLAIN = ("random", "indegree", "pagerank", "q-overlap", "q-hybrid")
_FEW = "fewer than two splits with impact to find"


class _Measured:
    """Shares of the splits by method and budget, on the pages that nothing was fitted on: methods side by side."""

    def __init__(self, tables: Mapping[str, pa.Table], budgets: Sequence[float], part: str = UNSEEN) -> None:
        shares: pd.DataFrame = tables["shares"].to_pandas()
        self.frame = shares[shares["part"] == part]
        self.asked = self.frame[self.frame["asked"]]
        self.budgets = sorted(budgets)
        self.methods = list(dict.fromkeys(self.frame["method"]))
        self.numbers = sorted(set(self.frame["split"]))
        # Where no judged page has impact there is nothing to find a share of.
        self.splits = self.frame.loc[self.frame["share"].notna(), "split"].nunique()

    def sample(self, method: str, budget: float, column: str = "share") -> np.ndarray:
        """One number per split; NaN where it has none: no impact to find, or nothing a model could learn from."""
        rows = self.asked[(self.asked["method"] == method) & np.isclose(self.asked["budget"], budget)]
        return np.asarray(rows.groupby("split")[column].first().reindex(self.numbers), np.float64)

    def mean(self, method: str, budget: float, column: str = "share") -> float:
        return mean_interval(self.sample(method, budget, column)).value

    def difference(self, method: str, other: str, budget: float, column: str = "share") -> Interval:
        return paired_difference(self.sample(method, budget, column), self.sample(other, budget, column))

    def best(self, methods: Sequence[str], budget: float, column: str = "share") -> str:
        there = [method for method in methods if method in self.methods]
        return max(there, key=lambda method: np.nan_to_num(self.mean(method, budget, column), nan=-1.0))


def judge(tables: Mapping[str, pa.Table], budgets: Sequence[float], queries_are: str) -> list[Claim]:
    """The claims of docs/algorithms.md §5.9 with their verdicts, in the order of the paper.

    Parameters
    ----------
    tables
        Of the experiment.
    budgets
        Shares of the judged pages that were asked for.
    queries_are
        What the searches are.
    """
    measured, untrained = _Measured(tables, budgets), _Measured(tables, budgets, ALL)
    found = [*_ratio_claims(tables["ratios"]), *(_beats(measured, walk, "pagerank") for walk in WALKS)]
    found.append(_enrichment_helps(measured))
    found += _query_claims(measured, untrained, queries_are)
    low, high = measured.budgets[0], measured.budgets[-1]
    chance = mean_interval(untrained.sample("random", high))
    found.append(
        _claim(
            "Random reaches about 20 % of the ideal (Wikipedia) or about nothing (web crawl)",
            "≈ 20 %, ≈ 0",
            f"{chance} at {high:.0%}",
            _by_value(untrained, chance.value <= 0.25),
            "judged: at most a quarter of the ideal",
        )
    )
    best = measured.best([m for m in measured.methods if m not in (*PLAIN, "ideal")], high)
    reach = mean_interval(measured.sample(best, high))
    found.append(
        _claim(
            "The best method reaches 60 to 70 % of the ideal",
            "60–70 %",
            f"{best} {reach} at {high:.0%}",
            _by_value(measured, reach.high >= 0.6 and reach.low <= 0.7),
            "judged: the interval meets 60–70 %; the best was picked on these splits",
        )
    )
    baseline = measured.best(PLAIN, high)
    gain = measured.difference(best, baseline, high)
    found.append(
        _claim(
            "The best method is 5 to 10 points of impact share over the best baseline",
            "5–10 %",
            f"{best} over {baseline}: {gain} at {high:.0%}",
            _by_interval(measured, gain.low >= 0.05 or (gain.above_zero and gain.high >= 0.05)),
            "judged: significantly above, 5 points within or below the interval; the best was picked on these splits",
        )
    )
    found.append(_learning_beats(measured, low, high))
    found += _selection_claims(measured, high)
    return found


def _claim(claim: str, reported: str, measured: str, verdict: Verdict, why: str = "") -> Claim:
    return Claim(PAPER, claim, reported, measured, verdict, why)


def _by_value(measured: _Measured, holds: bool) -> Verdict:
    if not measured.splits:
        return "cannot be judged"
    return "holds" if holds else "does not hold"


def _by_interval(measured: _Measured, holds: bool) -> Verdict:
    if measured.splits < 2:
        return "cannot be judged"
    return "holds" if holds else "does not hold"


def _all_budgets(measured: _Measured, test: Callable[[float], Interval]) -> tuple[str, list[Interval]]:
    intervals = [test(budget) for budget in measured.budgets]
    text = "; ".join(f"{budget:.3g}: {one}" for budget, one in zip(measured.budgets, intervals, strict=True))
    return text, intervals


def _beats(measured: _Measured, method: str, other: str) -> Claim:
    text, intervals = _all_budgets(measured, lambda budget: measured.difference(method, other, budget))
    verdict = _by_interval(measured, all(one.above_zero for one in intervals))
    why = _FEW if measured.splits < 2 else "judged: above zero at every budget"
    return _claim(f"{method} finds more impact than {other} at every budget", "", f"difference {text}", verdict, why)


def _enrichment_helps(measured: _Measured) -> Claim:
    text, intervals = _all_budgets(measured, lambda budget: measured.difference("rw-eg-tuned", "rw-tuned", budget))
    verdict = _by_interval(measured, not any(one.below_zero for one in intervals))
    why = _FEW if measured.splits < 2 else "judged: at no budget significantly below RW, which does not say above"
    return _claim("RW-EG is at least as good as RW", "", f"difference {text}", verdict, why)


def _query_claims(measured: _Measured, untrained: _Measured, queries_are: str) -> list[Claim]:
    wins = "Q-Overlap or Q-Hybrid win at small budgets, RW-EG at large ones (Wikipedia: below 5 %, above 6 %)"
    dry = "Q-Overlap says nothing of most frontier pages and dries up"
    if "q-overlap" not in measured.methods:
        why = "the store has no searches"
        return [_claim(name, "", "", "cannot be judged", why) for name in (wins, dry)]
    low, high = measured.budgets[0], measured.budgets[-1]
    first = measured.best(("q-overlap", "q-hybrid"), low)
    early = measured.difference(first, "rw-eg-tuned", low)
    late = measured.difference("rw-eg-tuned", measured.best(("q-overlap", "q-hybrid"), high), high)
    scored = mean_interval(untrained.sample("q-overlap", high, "scored"))
    about = f"searches are: {queries_are}"
    return [
        _claim(
            wins,
            "",
            f"{first} − rw-eg {early} at {low:.3g}; rw-eg − best of them {late} at {high:.3g}",
            _by_interval(measured, early.above_zero and late.above_zero),
            about,
        ),
        _claim(
            dry,
            "",
            f"share of the judged pages it lifts above the rest: {scored}",
            "holds" if scored.value < 0.5 else "does not hold",
            about,
        ),
    ]


def _learning_beats(measured: _Measured, low: float, high: float) -> Claim:
    name = "A learnt model beats RW-EG (the paper: on Wikipedia, not on its web crawl)"
    learnt = [method for method in measured.methods if method.startswith("learned-")]
    if not any(np.isfinite(measured.mean(method, high)) for method in learnt):
        why = "in no split the pages to learn from differ in impact and those to judge by have any"
        return _claim(name, "", "", "cannot be judged", why)
    best = measured.best(learnt, high)
    text, intervals = _all_budgets(measured, lambda budget: measured.difference(best, "rw-eg-tuned", budget))
    verdict = _by_interval(measured, intervals[-1].above_zero)
    return _claim(name, "", f"{best} − rw-eg: {text}", verdict, f"judged at {high:.3g}")


def _selection_claims(measured: _Measured, budget: float) -> list[Claim]:
    means = {
        method: measured.mean(method, budget, "mean_pagerank")
        for method in ("pagerank", *WALKS, "q-hybrid", "q-overlap")
        if method in measured.methods
    }
    text = ", ".join(f"{method} {value:.3g}" for method, value in means.items())
    middle = [means[method] for method in (*WALKS, "q-hybrid") if method in means]
    holds = means["pagerank"] > max(middle) and ("q-overlap" not in means or min(middle) > means["q-overlap"])
    found = [
        _claim(
            "Mean PageRank of the choice: PageRank > RW, RW-EG, Q-Hybrid > Q-Overlap",
            "",
            f"{text} at {budget:.3g}",
            "holds" if holds else "does not hold",
        )
    ]
    rates = measured.asked[(measured.asked["budget"] == budget) & (measured.asked["method"] != "ideal")]
    rates = rates.groupby("method")["ctr"].mean().dropna()
    name = "Click-through rate of the choice: the query methods highest (Wikipedia), RW and RW-EG highest (web crawl)"
    if rates.empty or rates.max() <= 0:
        found.append(_claim(name, "", "", "cannot be judged", "needs clicks and views of the judged pages"))
    else:
        best = str(rates.idxmax())
        text = ", ".join(f"{method} {value / rates.max():.3g}" for method, value in rates.items())
        holds = best.startswith(("rw", "q-"))
        found.append(
            _claim(name, "", f"{text}, of the best", "holds" if holds else "does not hold", f"highest: {best}")
        )
    return found


def _ratio_claims(ratios: pa.Table) -> list[Claim]:
    frame = ratios.to_pandas()
    found = []
    readings = {"mean_impact": "mean impact", "hit_rate": "hit rate", "per_source": "yield per source"}
    for impact in dict.fromkeys(frame["impact"]):
        some = frame[frame["impact"] == impact].sort_values("split")
        parts, results = [], []
        for column, label in readings.items():
            with_, without = (
                np.asarray(some[(some["crawled_pages"] == group) & (some["over"] == "links")][column], np.float64)
                for group in ("with", "without")
            )
            if np.isnan(without).any() or np.isnan(with_).any():
                continue
            parts.append(f"{label} {with_.mean():.4g} against {without.mean():.4g}")
            results.append(bool(with_.mean() > without.mean()))
        verdict: Verdict = "cannot be judged" if not results else "holds" if all(results) else "does not hold"
        found.append(
            _claim(
                f"Crawled pages with {impact} lead to frontier pages with more of it than those without (Table 2)",
                "",
                "; ".join(parts),
                verdict,
                "" if results else "crawled pages with or without it link to no judged page",
            )
        )
        plain, rich = (
            np.asarray(some[(some["crawled_pages"] == "with") & (some["over"] == over)]["per_source"], np.float64)
            for over in ("links", "enriched")
        )
        proper = not (np.isnan(plain).any() or np.isnan(rich).any())
        found.append(
            _claim(
                f"Virtual links raise the {impact} that such pages lead to, per source (Table 3)",
                "",
                f"{rich.mean():.4g} against {plain.mean():.4g}" if proper else "",
                ("holds" if rich.mean() > plain.mean() else "does not hold") if proper else "cannot be judged",
                "automatic in this reading: the enriched graph has more links" if proper else "no crawled page has it",
            )
        )
    return found
