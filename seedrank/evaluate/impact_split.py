"""One split of the experiment ``impact``: every method on the same hidden pages, as tables."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import cached_property
from typing import Any

import numpy as np
import pyarrow as pa

from seedrank.evaluate.impact_parts import learnt
from seedrank.frontier.features import feature_names, features
from seedrank.frontier.measures import click_through, data_facts, distances, impact_ratios, impact_shares
from seedrank.frontier.model import KINDS, Model
from seedrank.frontier.scores import METHODS, QUERY_METHODS, Scores, best_first
from seedrank.frontier.trial import Trial, split
from seedrank.frontier.tune import tune

__all__ = ["Split"]

CURVE = 40
"""Further budgets of the curves, from one page to all, evenly on a logarithmic axis."""


class Split:
    """Pages hidden once, split once into a part to learn from and a part to judge by.

    Parameters
    ----------
    number
        Of the split, from 0.
    rng
        Random sequence of everything in it.
    make
        Makes the trial and its scores by random sequence; called when something is first measured.
    impact
        Name of the impact.
    columns
        ``clicks`` and ``views`` per page, those that are known of the judged pages.
    budgets
        Shares of the judged pages that are asked for.
    """

    def __init__(
        self,
        number: int,
        rng: int,
        make: Callable[[int], tuple[Trial, Scores]],
        impact: str,
        columns: Mapping[str, np.ndarray],
        budgets: Sequence[float],
    ) -> None:
        self.number, self.rng = number, rng
        self.impact, self.columns, self.budgets = impact, columns, budgets
        self._make = make

    def facts(self) -> pa.Table:
        """Facts of Table 1, and how far clicked frontier pages are from high impact."""
        facts = data_facts(self.trial)
        far = distances(self.trial)
        facts |= {f"clicked frontier pages {hops} hops from high impact": share for hops, share in far.items()}
        return pa.table({"fact": list(facts), "value": list(facts.values())})

    def ratios(self) -> pa.Table:
        """The three readings of eqs (1) and (2) for crawled pages with and without impact, over links and enriched."""
        trial = self.trial
        crawled = trial.problem.crawled
        kinds: dict[str, tuple[np.ndarray, np.ndarray]] = {self.impact: (trial.problem.impact, trial.truth)}
        kinds |= {name: (values, values[trial.pages]) for name, values in self.columns.items() if name not in kinds}
        rows = []
        for name, (values, truth) in kinds.items():
            for group, sources in (("with", crawled & (values > 0)), ("without", crawled & (values <= 0))):
                for over, virtual in (("links", None), ("enriched", self.scores.virtual_links)):
                    row = {"split": self.number, "impact": name, "crawled_pages": group, "over": over}
                    rows.append(row | vars(impact_ratios(trial, truth, sources, virtual)))
        return pa.Table.from_pylist(rows)

    def tuning(self, resamples: int) -> pa.Table:
        """The grid at the largest budget; `rw_eg` marks the best of all, `rw` the best with ω = 1."""
        found = tune(self.trial, self.scores, self.train, max(self.budgets), resamples=resamples, rng=self.rng)
        rows = found.table.to_pylist()
        only_links = max((row for row in rows if row["omega"] == 1.0), key=lambda row: row["score"])
        for row in rows:
            best = row["omega"] == found.omega and row["beta"] == found.beta
            row |= {"split": self.number, "rw_eg": best, "rw": row is only_links}
        return pa.Table.from_pylist(rows)

    def shares(self, tuned: list[dict[str, Any]]) -> pa.Table:
        """Every method on the judged part: impact share, click-through rate and mean PageRank by budget.

        Parameters
        ----------
        tuned
            Rows of `tuning` that are marked.
        """
        judged, count = self.judged, len(self.judged)
        curve = np.unique(np.round(np.geomspace(1, count, CURVE)).astype(np.int64))
        asked = np.array([max(1, int(np.ceil(share * count))) for share in self.budgets])
        budgets = np.concatenate((curve, asked))
        truth = np.full(self.trial.problem.engine.pages, np.nan)
        truth[self.trial.pages] = self.trial.truth
        orders = {**self._orders(tuned), "ideal": best_first(truth, judged)}
        pagerank = self.scores.of("pagerank")
        parts = []
        for method, order in orders.items():
            ctr = np.full(len(budgets), np.nan)
            if len(self.columns) == 2:
                ctr = click_through(self.columns["clicks"][order], self.columns["views"][order], budgets)
            parts.append(
                pa.table(
                    {
                        "split": np.full(len(budgets), self.number),
                        "method": [method] * len(budgets),
                        "pages": budgets,
                        "budget": np.concatenate((curve / count, self.budgets)),
                        "asked": np.arange(len(budgets)) >= len(curve),
                        "share": impact_shares(truth[order], budgets),
                        "ctr": ctr,
                        "mean_pagerank": np.cumsum(pagerank[order])[budgets - 1] / budgets,
                        "scored": np.full(len(budgets), self._scored(method)),
                    }
                )
            )
        return pa.concat_tables(parts)

    def importance(self) -> pa.Table:
        """What each model looks at."""
        rows = [
            {"split": self.number, "model": kind, "feature": name, "importance": float(value)}
            for kind, model in self.models.items()
            for name, value in zip(model.features, model.importance, strict=True)
        ]
        types = {"split": pa.int64(), "model": pa.string(), "feature": pa.string(), "importance": pa.float64()}
        return pa.Table.from_pylist(rows, pa.schema(list(types.items())))

    # -- made when first needed

    @cached_property
    def _made(self) -> tuple[Trial, Scores]:
        return self._make(self.rng)

    @property
    def trial(self) -> Trial:
        """What is hidden."""
        return self._made[0]

    @property
    def scores(self) -> Scores:
        """Of the trial's problem."""
        return self._made[1]

    @cached_property
    def train(self) -> np.ndarray:
        """Boolean per known page: the part to learn from."""
        return split(len(self.trial.pages), self.rng)

    @cached_property
    def judged(self) -> np.ndarray:
        """Ids of the part to judge by."""
        return self.trial.pages[~self.train]

    @cached_property
    def models(self) -> dict[str, Model]:
        """A model of each kind, of the part to learn from; none where its pages all have the same impact."""
        if not np.ptp(self.trial.truth[self.train]) > 0:
            return {}
        names = feature_names(self.scores)
        return {kind: learnt(self.trial, self.scores, self.train, kind, names, self.rng) for kind in KINDS}

    def _orders(self, tuned: list[dict[str, Any]]) -> dict[str, np.ndarray]:
        """Judged pages by each method, best first."""
        scores, judged = self.scores, self.judged
        there = scores.searches is not None and scores.searches.there
        orders = {}
        for method in METHODS:
            if there or method not in QUERY_METHODS:
                ties = np.random.default_rng(self.rng) if method == "q-overlap" else None
                orders[method] = best_first(scores.of(method), judged, ties)
        for row in tuned:
            values = np.full(scores.problem.engine.pages, np.nan)
            values[scores.problem.pages] = scores.rw_eg_grid([row["omega"]], row["beta"])[0]
            for name in ("rw", "rw_eg"):
                if row[name]:
                    orders[f"{name.replace('_', '-')}-tuned"] = best_first(values, judged)
        for kind, model in self.models.items():
            values = np.full(scores.problem.engine.pages, np.nan)
            values[judged] = model.predict(features(scores, judged, model.features))
            orders[f"learned-{kind}"] = best_first(values, judged)
        return orders

    def _scored(self, method: str) -> float:
        """Share of the judged pages that a method of `METHODS` gives more than the least any of them gets."""
        if method not in METHODS:
            return 1.0
        found = self.scores.of(method)[self.judged]
        return float((found > found.min()).mean())
