"""Paper 004 on a graph with clicks or views: hide crawled pages, rank them, see whose impact was found (ALGORITHMS §1).

Every split hides pages anew (or, on a real frontier whose impact became known, splits it anew), tunes and learns on
65 % of the known pages and judges every method on the other 35 %.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from seedrank.core.errors import UsageError
from seedrank.core.progress import Progress
from seedrank.evaluate.experiment import Experiment
from seedrank.evaluate.impact_claims import charts, claims
from seedrank.evaluate.impact_parts import learnt
from seedrank.evaluate.steps import Steps
from seedrank.frontier.ask import FrontierQuestion
from seedrank.frontier.features import feature_names, features
from seedrank.frontier.measures import click_through, data_facts, distances, impact_ratios, impact_shares
from seedrank.frontier.model import KINDS
from seedrank.frontier.scores import METHODS, QUERY_METHODS, Scores, best_first
from seedrank.frontier.trial import Trial, split
from seedrank.frontier.tune import tune
from seedrank.graph import WebGraph

__all__ = ["BUDGETS", "ImpactPlan", "impact_experiment"]

BUDGETS = (0.01, 0.02, 0.05, 0.10)
"""The paper's: 1 and 2 % of its web crawl, 5 and 10 % of Wikipedia."""
CURVE = 40
"""Further budgets of the curves, from one page to all, evenly on a logarithmic axis."""


@dataclass(frozen=True)
class ImpactPlan:
    """What is to be measured.

    Parameters
    ----------
    question
        Impact and options; ``options.rng`` starts the random sequences.
    hide
        Share of the crawled pages to hide, in (0, 1). Default 0.35.
    truth
        A table of frontier pages with their impact: judge by these, and hide nothing.
    splits
        How often pages are hidden (or split) anew. Default 10.
    budgets
        Shares of the judged pages to choose. Default 1, 2, 5 and 10 %.
    resamples
        Of the bootstrap that tunes. Default 100.
    queries_are
        What the store's searches are, where they stand in for real ones; goes into tables and claims.
    """

    question: FrontierQuestion = field(default_factory=FrontierQuestion)
    hide: float = 0.35
    truth: str | None = None
    splits: int = 10
    budgets: tuple[float, ...] = BUDGETS
    resamples: int = 100
    queries_are: str = "searches of the store"

    def __post_init__(self) -> None:
        if self.splits < 1:
            raise UsageError(f"splits must be at least 1, not {self.splits}")
        if not self.budgets or not all(0 < budget <= 1 for budget in self.budgets):
            raise UsageError("budgets are shares above 0 and at most 100 %", hint="such as --budget 5%")
        if not 0 < self.hide < 1:
            raise UsageError(
                f"a share of {100 * self.hide:.6g} % cannot be hidden", hint="give more than 0 % and less than 100 %"
            )


def impact_experiment(
    plan: ImpactPlan,
    graph: WebGraph,
    trial_of: Callable[[int], tuple[Trial, Scores]],
    steps: Steps,
    progress: Progress,
    parameters: Mapping[str, Any],
) -> Experiment:
    """Measure and judge.

    Parameters
    ----------
    plan
        What is to be measured.
    graph
        For the columns ``clicks`` and ``views``.
    trial_of
        A trial and its scores by random sequence.
    steps
        Keeps the parts: one per split.
    progress
        Is told of splits.
    parameters
        Of the record.
    """
    columns: dict[str, np.ndarray] = {
        name: np.nan_to_num(graph.column(name)) for name in ("clicks", "views") if name in graph.column_names
    }
    parts: dict[str, list[pa.Table]] = {name: [] for name in ("shares", "facts", "ratios", "tuning", "importance")}
    with progress("splits", total=plan.splits) as advance:
        for number in range(plan.splits):
            for name, table in _split(number, plan, columns, trial_of, steps).items():
                parts[name].append(table)
            advance(1)
    tables = {name: pa.concat_tables(found) for name, found in parts.items()}
    asked = bool((tables["shares"]["method"].to_numpy(zero_copy_only=False) == "q-overlap").any())
    left_out = []
    if not asked:
        left_out.append("Q-Overlap and Q-Hybrid: the store has no searches; load them with --queries FILE")
    if len(columns) < 2 or plan.truth is not None:
        left_out.append("click-through rate: needs both clicks and views of the judged pages as columns")
    return Experiment(
        "impact",
        tables,
        charts(tables, plan.budgets),
        claims(tables, plan.budgets, plan.queries_are),
        left_out,
        parameters,
    )


def _split(
    number: int,
    plan: ImpactPlan,
    columns: Mapping[str, np.ndarray],
    trial_of: Callable[[int], tuple[Trial, Scores]],
    steps: Steps,
) -> dict[str, pa.Table]:
    """The tables of one split; the trial is made when the first part that is not kept needs it."""
    known: list[tuple[Trial, Scores]] = []

    def trial() -> tuple[Trial, Scores]:
        if not known:
            known.append(trial_of(plan.question.options.rng + number))
        return known[0]

    found = {} if number else {"facts": steps.table("facts", lambda: _facts(trial()[0]))}
    found["ratios"] = steps.table(f"ratios-{number}", lambda: _ratios(number, *trial(), plan, columns))
    tuning = steps.table(f"tuning-{number}", lambda: _tuned(number, *trial(), plan))
    best = tuning.filter(pc.or_(tuning["rw_eg"], tuning["rw"])).to_pylist()
    found["tuning"] = tuning
    found["shares"] = steps.table(f"shares-{number}", lambda: _shares(number, *trial(), plan, best, columns))
    found["importance"] = steps.table(f"importance-{number}", lambda: _importance(number, *trial(), plan))
    return found


def _facts(trial: Trial) -> pa.Table:
    facts = data_facts(trial)
    facts |= {f"clicked frontier pages {hops} hops from high impact": share for hops, share in distances(trial).items()}
    return pa.table({"fact": list(facts), "value": list(facts.values())})


def _ratios(number: int, trial: Trial, scores: Scores, plan: ImpactPlan, columns: Mapping[str, np.ndarray]) -> pa.Table:
    """The three readings for crawled pages with and without clicks or views, over links and the enriched graph."""
    crawled = trial.problem.crawled
    kinds: dict[str, tuple[np.ndarray, np.ndarray]] = {plan.question.impact: (trial.problem.impact, trial.truth)}
    if plan.truth is None:
        kinds |= {name: (values, values[trial.pages]) for name, values in columns.items() if name not in kinds}
    rows = []
    for name, (values, truth) in kinds.items():
        for group, sources in (("with", crawled & (values > 0)), ("without", crawled & (values <= 0))):
            for over, virtual in (("links", None), ("enriched", scores.virtual_links)):
                row = {"split": number, "impact": name, "crawled_pages": group, "over": over}
                rows.append(row | vars(impact_ratios(trial, truth, sources, virtual)))
    return pa.Table.from_pylist(rows)


def _tuned(number: int, trial: Trial, scores: Scores, plan: ImpactPlan) -> pa.Table:
    """The grid at the largest budget; `rw_eg` marks the best of all, `rw` the best with ω = 1."""
    rng = plan.question.options.rng + number
    train = split(len(trial.pages), rng)
    found = tune(trial, scores, train, max(plan.budgets), resamples=plan.resamples, rng=rng)
    rows = found.table.to_pylist()
    only_links = max((row for row in rows if row["omega"] == 1.0), key=lambda row: row["score"])
    for row in rows:
        best = row["omega"] == found.omega and row["beta"] == found.beta
        row |= {"split": number, "rw_eg": best, "rw": row is only_links}
    return pa.Table.from_pylist(rows)


def _shares(
    number: int,
    trial: Trial,
    scores: Scores,
    plan: ImpactPlan,
    best: list[dict[str, Any]],
    columns: Mapping[str, np.ndarray],
) -> pa.Table:
    """Every method on the judged part: impact share, click-through rate and mean PageRank by budget."""
    rng = plan.question.options.rng + number
    train = split(len(trial.pages), rng)
    judged = trial.pages[~train]
    truth = np.full(trial.problem.engine.pages, np.nan)
    truth[trial.pages] = trial.truth
    orders = _orders(trial, scores, plan, train, best, rng)
    orders["ideal"] = best_first(truth, judged)
    count = len(judged)
    asked = {max(1, int(np.ceil(share * count))): share for share in plan.budgets}
    curve = np.unique(np.round(np.geomspace(1, count, CURVE)).astype(np.int64))
    budgets = np.unique(np.concatenate((curve, np.fromiter(asked, np.int64))))
    pagerank = scores.of("pagerank")
    rates = plan.truth is None and len(columns) == 2
    parts = []
    for method, order in orders.items():
        ctr = [np.nan] * len(budgets)
        if rates:
            clicks, views = columns["clicks"][order], columns["views"][order]
            ctr = [click_through(clicks[:most], views[:most]) for most in budgets]
        parts.append(
            pa.table(
                {
                    "split": np.full(len(budgets), number),
                    "method": [method] * len(budgets),
                    "pages": budgets,
                    "budget": [asked.get(int(most), most / count) for most in budgets],
                    "asked": [int(most) in asked for most in budgets],
                    "share": impact_shares(truth[order], budgets),
                    "ctr": np.asarray(ctr, np.float64),
                    "mean_pagerank": np.cumsum(pagerank[order])[budgets - 1] / budgets,
                    "scored": np.full(len(budgets), _scored(scores, method, judged)),
                }
            )
        )
    return pa.concat_tables(parts)


def _orders(
    trial: Trial, scores: Scores, plan: ImpactPlan, train: np.ndarray, best: list[dict[str, Any]], rng: int
) -> dict[str, np.ndarray]:
    """Judged pages by each method, best first."""
    judged = trial.pages[~train]
    there = scores.searches is not None and scores.searches.there
    orders = {}
    for method in METHODS:
        if there or method not in QUERY_METHODS:
            ties = np.random.default_rng(rng) if method == "q-overlap" else None
            orders[method] = best_first(scores.of(method), judged, ties)
    for row in best:
        values = np.full(trial.problem.engine.pages, np.nan)
        values[trial.problem.pages] = scores.rw_eg_grid([row["omega"]], row["beta"])[0]
        for name in ("rw", "rw_eg"):
            if row[name]:
                orders[f"{name.replace('_', '-')}-tuned"] = best_first(values, judged)
    names = feature_names(scores)
    for kind in KINDS:
        if np.ptp(trial.truth[train]) > 0:
            values = np.full(trial.problem.engine.pages, np.nan)
            values[judged] = learnt(trial, scores, train, kind, names, rng).predict(features(scores, judged, names))
            orders[f"learned-{kind}"] = best_first(values, judged)
    return orders


def _scored(scores: Scores, method: str, judged: np.ndarray) -> float:
    """Share of the judged pages that a method of `METHODS` gives more than the least any of them gets."""
    if method not in METHODS:
        return 1.0
    found = scores.of(method)[judged]
    return float((found > found.min()).mean())


def _importance(number: int, trial: Trial, scores: Scores, plan: ImpactPlan) -> pa.Table:
    rng = plan.question.options.rng + number
    train = split(len(trial.pages), rng)
    names = feature_names(scores)
    rows: list[dict[str, Any]] = []
    if np.ptp(trial.truth[train]) > 0:
        for kind in KINDS:
            model = learnt(trial, scores, train, kind, names, rng)
            rows += [
                {"split": number, "model": kind, "feature": name, "importance": float(value)}
                for name, value in zip(names, model.importance, strict=True)
            ]
    types = {"split": pa.int64(), "model": pa.string(), "feature": pa.string(), "importance": pa.float64()}
    return pa.Table.from_pylist(rows, pa.schema(list(types.items())))
