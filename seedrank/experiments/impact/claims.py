"""What Tran et al. 2015 claim of frontier ranking, judged on the splits of one graph (docs/algorithms.md §5.9).

Methods as the paper sets them stand under the paper's names and are judged on all known pages of every split; what is
tuned or learnt, and what it is compared with, on pages that nothing was fitted on. A real frontier is one: what is
measured on all of it is one number, judged over graphs.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np
import pyarrow as pa

from seedrank.core.errors import UsageError, shorten
from seedrank.experiments.claim_specs import RULE, ClaimSpec, better_than, claim_specs
from seedrank.experiments.impact.split import ALL, UNSEEN, Plan
from seedrank.experiments.intervals import (
    Interval,
    mean_interval,
    paired_difference,
    ratio_interval,
    resampled_interval,
)
from seedrank.experiments.verdicts import judge as judge_one
from seedrank.experiments.verdicts import judge_parts, undecided
from seedrank.methods.frontier.methods import FRONTIER, SCORED
from seedrank.methods.frontier.trial import TRAIN_SHARE
from seedrank.questions.experiments import ImpactExperiment
from seedrank.runs.experiment import Claim

if TYPE_CHECKING:
    import pandas as pd

__all__ = ["Budget", "budgets_judged", "check_methods", "judge", "own_claims"]

SAID = claim_specs("impact")
BEST = ("rw", "rw-eg")
"""What the paper proposes and calls its approach; learnt models combine it with the baselines, and are judged apart."""
PLAIN = ("random", "indegree", "pagerank", "q-overlap", "q-hybrid")
QUERIES = ("q-overlap", "q-hybrid")
FIRST, EARLY, LATE = 0.002, 0.05, 0.06
"""Budgets at which, below which and above which the paper sees the query methods and RW-EG in front."""
FEWEST_PAGES: int = RULE["budget"]["pages"]
_NO_SEARCHES = "the store has no searches"
_PICKED = "the best is picked on the other splits, for each split anew, where there are several"


@dataclass(frozen=True)
class Budget:
    """A budget at which claims are judged: its name, the same on graphs with another budget of the paper, and share."""

    name: str
    share: float


def budgets_judged(asked: Sequence[float]) -> list[Budget]:
    """The paper's two budgets where one pair of them was asked for, else every one by its share."""
    pairs = [pair for pair in (RULE["budget"]["wikipedia"], RULE["budget"]["crawl"]) if set(pair) <= set(asked)]
    if len(pairs) == 1:
        return [Budget("the smaller budget", pairs[0][0]), Budget("the larger budget", pairs[0][1])]
    return [Budget(f"{100 * share:.3g} %", share) for share in sorted(asked)]


class _Splits:
    """Numbers of every split, by method and budget; `redrawn` where every split has pages of its own."""

    def __init__(self, tables: Mapping[str, pa.Table], budgets: Sequence[float], redrawn: bool) -> None:
        frame: pd.DataFrame = tables["shares"].to_pandas()
        self.asked = frame[frame["asked"]]
        self.every = sorted(budgets)
        self.budgets = budgets_judged(budgets)
        self.methods = list(dict.fromkeys(frame["method"]))
        self.splits = sorted(frame["split"].unique())
        self.frontier = "hidden" if redrawn else "new"
        self.unit = str(RULE["frontier"][self.frontier]["unit"])

    def said(self, key: str, **names: str) -> ClaimSpec:
        """A claim of the file, on this frontier."""
        spec = SAID[key]
        return (spec.of(**names) if names else spec).on(self.frontier)

    def bought(self, budget: float, part: str) -> float:
        """Pages that a budget buys, mean over splits."""
        some = self.asked[(self.asked["part"] == part) & np.isclose(self.asked["budget"], budget)]
        return float(some["pages"].mean())

    def enough(self, budgets: Sequence[Budget], part: str) -> tuple[list[Budget], str]:
        """The budgets that buy enough pages to judge by, and what is said of the others."""
        few = {one: self.bought(one.share, part) for one in budgets}
        few = {one: pages for one, pages in few.items() if not pages >= FEWEST_PAGES}
        said = [f"{100 * one.share:.3g} % buys {pages:.3g} pages" for one, pages in few.items()]
        note = f"{', '.join(said)}: fewer than {FEWEST_PAGES} are not judged" if said else ""
        return [one for one in budgets if one not in few], note

    def sample(self, method: str, budget: float, part: str, column: str = "share") -> np.ndarray:
        """One number per split, NaN where it has none; shares in per cent of the ideal."""
        some = self.asked[(self.asked["method"] == method) & (self.asked["part"] == part)]
        # On a real frontier all known pages are the same in every split: one number.
        splits = self.splits[:1] if part == ALL and self.frontier == "new" else self.splits
        rows = some[np.isclose(some["budget"], budget)].set_index("split").reindex(splits)
        return np.asarray(rows[column], np.float64) * (100 if column == "share" else 1)

    def more(self, method: str, other: str, budget: float, column: str) -> Interval:
        """In per cent of the other."""
        one, base = (self.sample(name, budget, ALL, column) for name in (method, other))
        return _per_cent_more(ratio_interval(one, base, self.unit))

    def picked(self, methods: Sequence[str], budget: float, part: str) -> np.ndarray:
        """Share of the best of `methods`, split by split, the best being picked on the other splits."""
        shares = np.stack([self.sample(name, budget, part) for name in methods if name in self.methods])
        alone = shares.shape[1] == 1
        others = np.nan_to_num(shares) if alone else np.nansum(shares, axis=1, keepdims=True) - np.nan_to_num(shares)
        return np.asarray(shares[np.argmax(others, axis=0), np.arange(shares.shape[1])])

    def compared(
        self, key: str, pairs: Sequence[tuple[str, str]], part: str, budgets: Sequence[Budget], note: str = ""
    ) -> list[Claim]:
        """A claim that the first of each pair finds more than the second; of a group of methods the best is taken."""
        there = [(one, other) for one, other in pairs if self._known(one) and self._known(other)]
        judged, few = self.enough(budgets, part)
        found = {
            f"{one} - {other} at {budget.name}": paired_difference(
                self._of(one, budget.share, part), self._of(other, budget.share, part), self.unit
            )
            for one, other in there
            for budget in judged
        }
        return judge_parts(self.said(key), found, note="; ".join(text for text in (few, note) if text))

    def _known(self, name: str) -> bool:
        return any(one in self.methods for one in _GROUPS.get(name, (name,))) or (
            name == "the best model" and bool(self.learnt)
        )

    def _of(self, name: str, budget: float, part: str) -> np.ndarray:
        if name == "the best model":
            return self.picked(self.learnt, budget, part)
        return self.picked(_GROUPS[name], budget, part) if name in _GROUPS else self.sample(name, budget, part)

    @cached_property
    def learnt(self) -> list[str]:
        """Models that were learnt."""
        return [method for method in self.methods if method.startswith("learned-")]

    @property
    def searched(self) -> bool:
        """Whether the store has searches."""
        return "q-overlap" in self.methods


_GROUPS = {"the better query method": QUERIES, "the best baseline": PLAIN, "the better walk": BEST}
"""Methods of which the best is taken, by what they are called together."""


def judge(
    tables: Mapping[str, pa.Table], budgets: Sequence[float], queries_are: str, *, redrawn: bool = True
) -> list[Claim]:
    """The claims of docs/algorithms.md §5.9 with their verdicts, in the order of the paper.

    `queries_are` says what the searches are, and `redrawn` whether every split has pages of its own.
    """
    splits = _Splits(tables, budgets, redrawn)
    return [
        *_ratio_claims(splits, tables["ratios"], redrawn),
        *_walk_claims(splits),
        *_query_claims(splits, queries_are),
        *_reach_claims(splits),
        *_choice_claims(splits),
        *_tuned_claims(splits),
    ]


def _walk_claims(splits: _Splits) -> list[Claim]:
    whole, budgets = ALL, splits.budgets
    late = [budget for budget in splits.budgets if budget.share > LATE]
    others = [name for name in (*PLAIN, *BEST) if name in splits.methods]
    over = [(walk, name) for walk in BEST for name in PLAIN]
    learnt = splits.compared(
        "learning over walks", [("the best model", walk) for walk in BEST], UNSEEN, budgets, _PICKED
    )
    if not splits.learnt:
        learnt = [undecided(splits.said("learning over walks"), "every page to learn from has the same impact")]
    return [
        *splits.compared("rw over pagerank", [("rw", "pagerank")], whole, budgets),
        *splits.compared("rw-eg over pagerank", [("rw-eg", "pagerank")], whole, budgets),
        *splits.compared("rw-eg over rw", [("rw-eg", "rw")], whole, budgets),
        *splits.compared("walks over baselines", over, whole, budgets),
        *splits.compared(
            "rw-eg late", [("rw-eg", name) for name in others if name != "rw-eg"], whole, late,
            "" if late else f"no budget above {LATE:.0%} was asked for",
        ),
        *splits.compared("random worst", [(name, "random") for name in others if name != "random"], whole, budgets),
        *learnt,
    ]  # fmt: skip


def _query_claims(splits: _Splits, queries_are: str) -> list[Claim]:
    keys = ("queries first", "queries early", "q-overlap dries up")
    if not splits.searched:
        return [undecided(splits.said(key), _NO_SEARCHES) for key in keys]
    about = f"searches are: {queries_are}"
    first = [Budget("0.2 %", share) for share in splits.every if np.isclose(share, FIRST)]
    early = [Budget(f"{100 * share:.3g} %", share) for share in splits.every if share < EARLY]
    pairs = [(name, other) for name in QUERIES for other in ("pagerank", "indegree")]
    return [
        *splits.compared(
            "queries first", pairs, ALL, first, about if first else "no budget of 0.2 % was asked for"
        ),
        *splits.compared(
            "queries early", [("the better query method", walk) for walk in BEST], ALL, early,
            f"{about}; {_PICKED}" if early else f"no budget below {EARLY:.0%} was asked for",
        ),
        judge_one(splits.said("q-overlap dries up"), _second_half(splits), note=about),
    ]  # fmt: skip


def _second_half(splits: _Splits) -> Interval:
    """Impact Q-Overlap finds in the second half of the largest budget, in per cent of that in the first half."""
    second, first = (splits.sample("q-overlap", splits.every[-1], ALL, f"{half}_half") for half in ("second", "first"))
    return ratio_interval(second, first, splits.unit).scaled(100)


def _reach_claims(splits: _Splits) -> list[Claim]:
    """At the largest budget: what Random and the better walk find, and the gain over the best baseline."""
    keys = ("random", "reach at least", "reach at most", "gain at least", "gain at most")
    budgets, few = splits.enough(splits.budgets[-1:], ALL)
    if not budgets:
        return [undecided(splits.said(key), few) for key in keys]
    at, part = budgets[0].share, ALL
    best, baseline = (splits.picked(methods, at, part) for methods in (BEST, PLAIN))
    plain = mean_interval(splits.sample("random", at, part), splits.unit)
    reached, gained = mean_interval(best, splits.unit), paired_difference(best, baseline, splits.unit)
    note = f"at a budget of {at:.0%}"
    found = dict(zip(keys, (plain, reached, reached, gained, gained), strict=True))
    return [
        judge_one(splits.said(key), interval, note=note if key == "random" else f"{note}; {_PICKED}")
        for key, interval in found.items()
    ]


def _choice_claims(splits: _Splits) -> list[Claim]:
    budgets, few = splits.enough(splits.budgets[-1:], ALL)
    if not budgets:
        return [undecided(splits.said(key), few) for key in ("mean pagerank", "click-through")]
    at = budgets[0].share
    middle = [name for name in (*BEST, "q-hybrid") if name in splits.methods]
    order = [("pagerank", name) for name in middle]
    order += [(name, "q-overlap") for name in middle] if splits.searched else []
    ranks = {f"{one} over {other}": splits.more(one, other, at, "mean_pagerank") for one, other in order}
    note = "" if splits.searched else f"{_NO_SEARCHES}: without Q-Overlap"
    found = judge_parts(splits.said("mean pagerank"), ranks, note=note)
    rates = splits.asked["ctr"]
    if not (rates.notna().any() and rates.max() > 0):
        return [*found, undecided(splits.said("click-through"), "needs clicks and views of the judged pages")]
    over = {f"{walk} over pagerank": splits.more(walk, "pagerank", at, "ctr") for walk in BEST}
    return [*found, *judge_parts(splits.said("click-through"), over)]


def _tuned_claims(splits: _Splits) -> list[Claim]:
    """What tuning adds, which the paper does not do: β with ω, on the training part."""
    pairs = {
        "tuned rw over pagerank": ("rw-tuned", "pagerank"),
        "tuned rw over rw": ("rw-tuned", "rw"),
        "tuned rw-eg over rw-eg": ("rw-eg-tuned", "rw-eg"),
    }
    return [one for key, pair in pairs.items() for one in splits.compared(key, [pair], UNSEEN, splits.budgets)]


def _ratio_claims(splits: _Splits, ratios: pa.Table, redrawn: bool) -> list[Claim]:
    """Tables 2 and 3. Of the three readings of eqs (1) and (2) the mean impact of the pages linked to is judged."""
    frame, unit = ratios.to_pandas().sort_values("split"), splits.unit
    if not redrawn:  # one frontier: the same in every split
        frame, unit = frame[frame["split"] == frame["split"].min()], "frontier"
    found = []
    note = (
        "judged: mean impact of the pages linked to, as the text calls it an average; hit rate and yield per source "
        "are in the table ratios"
    )

    def sample(impact: str, group: str, over: str, column: str) -> np.ndarray:
        rows = frame[(frame["impact"] == impact) & (frame["crawled_pages"] == group) & (frame["over"] == over)]
        return np.asarray(rows[column], np.float64)

    for impact in dict.fromkeys(frame["impact"]):
        with_, without, random = (
            sample(impact, group, "links", "mean_impact") for group in ("with", "without", "random")
        )
        for key, other, about in (
            ("table 2 {impact}", without, f"sets of different sizes, as in the paper; {note}"),
            ("table 2 same size {impact}", random, note),
        ):
            spec = splits.said(key, impact=impact)
            if not len(other) or np.isnan(other).all() or np.isnan(without).all():
                none = f"no crawled page is without {impact}, or none of them links to the frontier"
                found.append(undecided(spec, none))
            else:
                found.append(judge_one(spec, _per_cent_more(ratio_interval(with_, other, unit)), note=about))
        rich, plain = (sample(impact, "with", over, "per_source") for over in ("enriched", "links"))
        more = _per_cent_more(ratio_interval(rich, plain, unit))
        spec = splits.said("table 3 {impact}", impact=impact)
        found.append(judge_one(spec, more, note="the enriched graph has more links"))
    return found


def _per_cent_more(ratio: Interval) -> Interval:
    """A ratio as per cent more."""
    return Interval(
        100 * (ratio.value - 1), 100 * (ratio.low - 1), 100 * (ratio.high - 1), ratio.n, ratio.unit, 100 * ratio.error
    )


QUANTITY = "impact share"


def check_methods(question: ImpactExperiment) -> None:
    """Refuse methods that do not exist or stand there anyway, and a baseline that is not judged."""
    for name in question.methods:
        if not FRONTIER.is_own(FRONTIER.method(name).name):
            raise UsageError(f"{name} is judged anyway", hint="name methods that you registered")
    if question.baseline not in (*SCORED, *question.methods):
        known = ", ".join((*SCORED, *question.methods))
        raise UsageError(f"{{baseline}} cannot be {shorten(question.baseline)}", hint=f"one of {known}",
                         fields=("baseline",))  # fmt: skip


def own_claims(shares: pa.Table, plan: Plan) -> list[Claim]:
    """Whether each of the user's methods finds more of the impact than the baseline, at every budget.

    Hidden pages are a part of all crawled ones, so splits overlap: their intervals are those of Nadeau and Bengio. On a
    real frontier the pages that nothing was fitted on are judged, a part of it too.
    """
    part, overlap = (ALL, plan.hide) if plan.truth is None else (UNSEEN, 1 - TRAIN_SHARE)
    frame = shares.to_pandas()
    frame = frame[frame["asked"] & (frame["part"] == part)]
    by_split = frame.pivot_table(index="split", columns=["method", "budget"], values="share", sort=False) * 100
    claims = []
    for method in plan.methods:
        if method == plan.baseline or method not in by_split or plan.baseline not in by_split:
            continue
        differences = by_split[method] - by_split[plan.baseline]
        found = {
            f"{100 * budget:.3g} %": resampled_interval(differences[budget].to_numpy(), overlap, "splits of this graph")
            for budget in sorted(differences)
        }
        claim = f"{method} finds more of {plan.impact} than {plan.baseline}"
        claims += judge_parts(better_than(plan.baseline, method, claim, QUANTITY), found)
    return claims
