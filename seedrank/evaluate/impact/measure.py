"""Hide crawled pages, rank them, see whose impact was found: the tables of Tran et al. 2015 (docs/algorithms.md §5).

Every split hides pages anew (or, on a real frontier whose impact became known, splits it anew), tunes and learns on
65 % of the known pages and judges every method on the other 35 %.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from functools import cached_property
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from seedrank.evaluate.impact.plan import Plan
from seedrank.evaluate.intervals import mean_interval
from seedrank.evaluate.steps import Steps
from seedrank.frontier.answer import trial_scores
from seedrank.frontier.features import feature_names, features
from seedrank.frontier.learn import learn_from
from seedrank.frontier.methods import QUERY_METHODS, SCORED
from seedrank.frontier.model import KINDS, Model
from seedrank.frontier.quality import click_through, data_facts, distances, impact_ratios, impact_shares
from seedrank.frontier.scores import Scores, best_first
from seedrank.frontier.trial import Trial, split
from seedrank.frontier.tune import tune
from seedrank.session import Session

__all__ = ["measure", "summary"]

CURVE = 40
"""Further budgets of the curves, from one page to all, evenly on a logarithmic axis."""


def measure(session: Session, plan: Plan, steps: Steps) -> tuple[dict[str, pa.Table], list[str]]:
    """Every table of the experiment, the summary first, and what this graph cannot serve; kept split by split."""
    columns: dict[str, np.ndarray] = {}
    if plan.truth is None:
        there = [name for name in ("clicks", "views") if name in session.graph.column_names]
        columns = {name: np.nan_to_num(session.graph.column(name)) for name in there}
    parts: dict[str, list[pa.Table]] = {name: [] for name in ("shares", "facts", "ratios", "tuning", "importance")}
    with session.progress("splits", total=plan.splits) as advance:
        for number in range(plan.splits):
            for name, table in _kept(_Split(session, plan, number, columns), steps).items():
                parts[name].append(table)
            advance(1)
    tables = {name: pa.concat_tables(found) for name, found in parts.items()}
    tables = {"summary": summary(tables["shares"]), **tables}
    left_out = []
    if "q-overlap" not in tables["summary"]["method"].to_pylist():
        left_out.append("Q-Overlap and Q-Hybrid: the store has no searches; load them")
    if len(columns) < 2:
        left_out.append("click-through rate: needs both clicks and views of the judged pages as columns")
    return tables, left_out


def _kept(one: _Split, steps: Steps) -> dict[str, pa.Table]:
    """The tables of a split, as kept or made now."""
    number = one.number
    found = {} if number else {"facts": steps.table("facts", one.facts)}
    found["ratios"] = steps.table(f"ratios-{number}", one.ratios)
    tuning = found["tuning"] = steps.table(f"tuning-{number}", one.tuning)
    tuned = tuning.filter(pc.or_(tuning["rw_eg"], tuning["rw"])).to_pylist()
    found["shares"] = steps.table(f"shares-{number}", lambda: one.shares(tuned))
    found["importance"] = steps.table(f"importance-{number}", one.importance)
    return found


def summary(shares: pa.Table) -> pa.Table:
    """A row per method and budget that was asked for: means over splits, the impact share with its 95 % interval."""
    frame = shares.to_pandas()
    rows: list[dict[str, Any]] = []
    for (budget, method), some in frame[frame["asked"]].groupby(["budget", "method"], sort=False):
        share = mean_interval(np.asarray(some["share"], np.float64))
        rows.append(
            {
                "budget": float(budget),
                "method": str(method),
                "share": share.value,
                "low": share.low,
                "high": share.high,
                "ctr": float(some["ctr"].mean()),
                "mean_pagerank": float(some["mean_pagerank"].mean()),
            }
        )
    for row in rows:
        rates = [other["ctr"] for other in rows if other["budget"] == row["budget"] and other["method"] != "ideal"]
        best = float(np.nanmax(rates)) if np.isfinite(rates).any() else float("nan")
        row["normalised_ctr"] = row["ctr"] / best if best else float("nan")
    rows.sort(key=lambda row: row["budget"])
    return pa.Table.from_pylist(rows)


class _Split:
    """Pages hidden once, split once into a part to learn from and a part to judge by.

    Parameters
    ----------
    session
        The store.
    plan
        What is measured.
    number
        Of the split, from 0.
    columns
        ``clicks`` and ``views`` per page, those that are known of the judged pages.
    """

    def __init__(self, session: Session, plan: Plan, number: int, columns: Mapping[str, np.ndarray]) -> None:
        self.number, self.rng = number, plan.rng + number
        self.impact, self.columns, self.budgets = plan.impact, columns, plan.budgets
        self._session, self._plan = session, plan

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

    def tuning(self) -> pa.Table:
        """The grid at the largest budget; `rw_eg` marks the best of all, `rw` the best with ω = 1."""
        resamples = self._plan.resamples
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
        drawn = replace(self._plan, rng=self.rng)
        return trial_scores(self._session, drawn, self._plan.hide, self._plan.truth)

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
        return {kind: learn_from(self.trial, self.scores, self.train, kind, names, self.rng) for kind in KINDS}

    def _orders(self, tuned: list[dict[str, Any]]) -> dict[str, np.ndarray]:
        """Judged pages by each method, best first."""
        scores, judged = self.scores, self.judged
        there = scores.searches is not None and scores.searches.there
        orders = {}
        for method in SCORED:
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
        """Share of the judged pages that a method of `SCORED` gives more than the least any of them gets."""
        if method not in SCORED:
            return 1.0
        found = self.scores.of(method)[self.judged]
        return float((found > found.min()).mean())
