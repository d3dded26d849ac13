"""What Tran et al. 2015 claim of frontier ranking, judged on the splits of one graph (docs/algorithms.md §5.9)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np
import pyarrow as pa

from seedrank.experiments.claim_specs import claim_specs
from seedrank.experiments.experiment import Claim
from seedrank.experiments.impact.split import ALL, UNSEEN
from seedrank.experiments.intervals import Interval, mean_interval, paired_difference, ratio_interval
from seedrank.experiments.verdicts import judge as judged
from seedrank.experiments.verdicts import judge_parts, undecided

if TYPE_CHECKING:
    import pandas as pd

__all__ = ["judge"]

SAID = claim_specs("impact")
BEST = ("rw-tuned", "rw-eg-tuned")
"""What the paper proposes and calls its approach; learnt models combine it with the baselines, and are judged apart."""
PLAIN = ("random", "indegree", "pagerank", "q-overlap", "q-hybrid")
QUERIES = ("q-overlap", "q-hybrid")
EARLY, LATE = 0.05, 0.06
"""Budgets below and above which the paper sees the query methods and RW-EG in front."""
_NO_SEARCHES = "the store has no searches"
_PICKED = "the best is picked on the other splits, for each split anew"


class _Splits:
    """Numbers of every split, by method and budget.

    Parameters
    ----------
    tables
        Of the experiment.
    budgets
        Shares of the judged pages that were asked for.
    redrawn
        Whether every split has pages of its own; otherwise one frontier is divided anew.
    """

    def __init__(self, tables: Mapping[str, pa.Table], budgets: Sequence[float], redrawn: bool) -> None:
        frame: pd.DataFrame = tables["shares"].to_pandas()
        self.asked = frame[frame["asked"]]
        self.budgets = sorted(budgets)
        self.methods = list(dict.fromkeys(frame["method"]))
        self.splits = sorted(frame["split"].unique())
        self.unit = "splits of this graph" if redrawn else "divisions of this frontier"
        self.whole = ALL if redrawn else UNSEEN
        """Pages that judge methods without training: all, where every split has its own."""

    def sample(self, method: str, budget: float, column: str = "share", part: str = UNSEEN) -> np.ndarray:
        """One number per split, NaN where it has none; shares in per cent of the ideal."""
        some = self.asked[(self.asked["method"] == method) & (self.asked["part"] == part)]
        rows = some[np.isclose(some["budget"], budget)].set_index("split").reindex(self.splits)
        return np.asarray(rows[column], np.float64) * (100 if column == "share" else 1)

    def difference(self, method: str, other: str, budget: float) -> Interval:
        """In points, on pages that nothing was fitted on."""
        return paired_difference(self.sample(method, budget), self.sample(other, budget), self.unit)

    def more(self, method: str, other: str, budget: float, column: str) -> Interval:
        """In per cent of the other."""
        found = ratio_interval(self.sample(method, budget, column), self.sample(other, budget, column), self.unit)
        return _per_cent_more(found)

    def by_budget(self, method: str, other: str, budgets: Sequence[float]) -> dict[str, Interval]:
        """Differences at every budget."""
        return {f"{method} - {other} at {budget:.3g}": self.difference(method, other, budget) for budget in budgets}

    def picked(self, methods: Sequence[str], budget: float) -> np.ndarray:
        """Share of the best of `methods`, split by split, the best being picked on the other splits."""
        shares = np.stack([self.sample(name, budget) for name in methods if name in self.methods])
        others = np.nansum(shares, axis=1, keepdims=True) - np.nan_to_num(shares)
        return np.asarray(shares[np.argmax(others, axis=0), np.arange(shares.shape[1])])

    @cached_property
    def learnt(self) -> list[str]:
        """Models that were learnt."""
        return [method for method in self.methods if method.startswith("learned-")]

    @property
    def searched(self) -> bool:
        """Whether the store has searches."""
        return "q-overlap" in self.methods


def judge(
    tables: Mapping[str, pa.Table], budgets: Sequence[float], queries_are: str, *, redrawn: bool = True
) -> list[Claim]:
    """The claims of docs/algorithms.md §5.9 with their verdicts, in the order of the paper.

    Parameters
    ----------
    tables
        Of the experiment.
    budgets
        Shares of the judged pages that were asked for.
    queries_are
        What the searches are.
    redrawn
        Whether every split has pages of its own.
    """
    splits = _Splits(tables, budgets, redrawn)
    return [
        *_ratio_claims(tables["ratios"], splits.unit, redrawn),
        *_walk_claims(splits),
        *_query_claims(splits, queries_are),
        *_reach_claims(splits),
        *_choice_claims(splits),
    ]


def _walk_claims(splits: _Splits) -> list[Claim]:
    found = []
    for walk in BEST:
        spec = SAID[f"{walk.removesuffix('-tuned')} over pagerank"]
        found += judge_parts(spec, splits.by_budget(walk, "pagerank", splits.budgets))
    found += judge_parts(SAID["rw-eg over rw"], splits.by_budget("rw-eg-tuned", "rw-tuned", splits.budgets))
    if not splits.learnt:
        return [*found, undecided(SAID["learning over walks"], "every page to learn from has the same impact")]
    shares = {
        f"the best model - {walk} at {budget:.3g}": paired_difference(
            splits.picked(splits.learnt, budget), splits.sample(walk, budget), splits.unit
        )
        for walk in BEST
        for budget in splits.budgets
    }
    return [*found, *judge_parts(SAID["learning over walks"], shares, note=_PICKED)]


def _query_claims(splits: _Splits, queries_are: str) -> list[Claim]:
    early = [budget for budget in splits.budgets if budget < EARLY]
    late = [budget for budget in splits.budgets if budget > LATE]
    others = [name for name in (*PLAIN, "rw-tuned") if name in splits.methods]
    best = {part: one for name in others for part, one in splits.by_budget("rw-eg-tuned", name, late).items()}
    last = judge_parts(SAID["rw-eg late"], best, note="" if late else f"no budget above {LATE:.0%} was asked for")
    if not splits.searched:
        return [
            undecided(SAID["queries early"], _NO_SEARCHES),
            *last,
            undecided(SAID["q-overlap dries up"], _NO_SEARCHES),
        ]
    about = f"searches are: {queries_are}"
    first = {
        f"the better query method - {walk} at {budget:.3g}": paired_difference(
            splits.picked(QUERIES, budget), splits.sample(walk, budget), splits.unit
        )
        for walk in BEST
        for budget in early
    }
    note = f"{about}; {_PICKED}" if early else f"no budget below {EARLY:.0%} was asked for"
    return [
        *judge_parts(SAID["queries early"], first, note=note),
        *last,
        judged(SAID["q-overlap dries up"], _second_half(splits), note=about),
    ]


def _second_half(splits: _Splits) -> Interval:
    """Impact Q-Overlap finds in the second half of the largest budget, in per cent of that in the first half."""
    return ratio_interval(
        splits.sample("q-overlap", splits.budgets[-1], "second_half", splits.whole),
        splits.sample("q-overlap", splits.budgets[-1], "first_half", splits.whole),
        splits.unit,
    ).scaled(100)


def _reach_claims(splits: _Splits) -> list[Claim]:
    at = splits.budgets[-1]
    best, baseline = splits.picked(BEST, at), splits.picked(PLAIN, at)
    note = f"at a budget of {at:.0%}; {_PICKED}"
    return [
        judged(
            SAID["random"],
            mean_interval(splits.sample("random", at, part=splits.whole), splits.unit),
            note=f"at {at:.0%}",
        ),
        judged(SAID["reach"], mean_interval(best, splits.unit), note=note),
        judged(SAID["gain"], paired_difference(best, baseline, splits.unit), note=note),
    ]


def _choice_claims(splits: _Splits) -> list[Claim]:
    at = splits.budgets[-1]
    middle = [name for name in (*BEST, "q-hybrid") if name in splits.methods]
    order = [("pagerank", name) for name in middle]
    order += [(name, "q-overlap") for name in middle] if splits.searched else []
    ranks = {f"{one} over {other}": splits.more(one, other, at, "mean_pagerank") for one, other in order}
    found = judge_parts(
        SAID["mean pagerank"], ranks, note="" if splits.searched else f"{_NO_SEARCHES}: without Q-Overlap"
    )
    rates = splits.asked["ctr"]
    if not (rates.notna().any() and rates.max() > 0):
        return [*found, undecided(SAID["click-through"], "needs clicks and views of the judged pages")]
    over = {f"{walk} over pagerank": splits.more(walk, "pagerank", at, "ctr") for walk in BEST}
    return [*found, *judge_parts(SAID["click-through"], over)]


def _ratio_claims(ratios: pa.Table, unit: str, redrawn: bool) -> list[Claim]:
    """Tables 2 and 3. Of the three readings of eqs (1) and (2) the mean impact of the pages linked to is judged."""
    frame = ratios.to_pandas().sort_values("split")
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
        with_, without = (sample(impact, group, "links", "mean_impact") for group in ("with", "without"))
        spec = SAID["table 2 {impact}"].of(impact=impact)
        if not len(without) or np.isnan(without).all():
            none = f"no crawled page is without {impact}, or none of them links to the frontier"
            found.append(undecided(spec, none))
        else:
            more = _per_cent_more(ratio_interval(with_, without, unit))
            found.append(judged(spec, more, note=note))
        rich, plain = (sample(impact, "with", over, "per_source") for over in ("enriched", "links"))
        more = _per_cent_more(ratio_interval(rich, plain, unit))
        found.append(judged(SAID["table 3 {impact}"].of(impact=impact), more, note="the enriched graph has more links"))
    return found


def _per_cent_more(ratio: Interval) -> Interval:
    """A ratio as per cent more."""
    return Interval(
        100 * (ratio.value - 1), 100 * (ratio.low - 1), 100 * (ratio.high - 1), ratio.n, ratio.unit, 100 * ratio.error
    )
