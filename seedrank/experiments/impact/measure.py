"""Hide crawled pages, rank them, see whose impact was found: the tables of Tran et al. 2015 (docs/algorithms.md §5).

Every split hides pages anew (or, on a real frontier whose impact became known, divides it anew) and tunes and learns on
65 % of the known pages. Methods that need no training are judged on all known pages; all methods side by side on the
35 % that nothing was fitted on.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from seedrank.experiments.checkpoints import Steps
from seedrank.experiments.impact.split import ALL, UNSEEN, Plan, Split
from seedrank.experiments.intervals import mean_interval
from seedrank.methods.frontier.features import feature_names, features
from seedrank.methods.frontier.methods import QUERY_METHODS, SCORED
from seedrank.methods.frontier.model import KINDS
from seedrank.methods.frontier.quality import (
    click_through,
    data_facts,
    distances,
    impact_ratios,
    impact_shares,
    means_of_first,
    sums_of_first,
)
from seedrank.methods.frontier.scores import best_first
from seedrank.methods.frontier.trial import TRAIN_SHARE
from seedrank.methods.frontier.tune import tune
from seedrank.session import Session

__all__ = ["curve", "measure", "summary"]

CURVE = 40
"""Budgets of the curves."""
RANDOM_SETS = 20
"""Sets of random pages that a set of pages with impact is compared with."""


def measure(session: Session, plan: Plan, pages: int, steps: Steps) -> tuple[dict[str, pa.Table], list[str]]:
    """Every table of the experiment, the summary first, and what this graph cannot serve; kept split by split.

    `pages` is how many pages of known impact a split has at most.
    """
    columns: dict[str, np.ndarray] = {}
    if plan.truth is None:
        there = [name for name in ("clicks", "views") if name in session.graph.column_names]
        columns = {name: np.asarray(session.graph.column(name), np.float64) for name in there}
    parts: dict[str, list[pa.Table]] = {name: [] for name in ("shares", "facts", "ratios", "tuning", "importance")}
    grid = curve(round((1 - TRAIN_SHARE) * pages))
    with session.progress("splits", total=plan.splits) as advance:
        for number in range(plan.splits):
            for name, table in _kept(Split(session, plan, number), plan, grid, columns, steps).items():
                parts[name].append(table)
            advance(1)
    tables = {name: pa.concat_tables(found) for name, found in parts.items()}
    tables = {"summary": summary(tables["shares"], redrawn=plan.truth is None), **tables}
    left_out = []
    if "q-overlap" not in tables["summary"]["method"].to_pylist():
        left_out.append("Q-Overlap and Q-Hybrid: the store has no searches; load them")
    if len(columns) < 2:
        left_out.append("click-through rate: needs both clicks and views of the judged pages as columns")
    return tables, left_out


def _kept(
    split: Split, plan: Plan, grid: np.ndarray, columns: Mapping[str, np.ndarray], steps: Steps
) -> dict[str, pa.Table]:
    """The tables of a split, as kept or made now."""
    number = split.number
    found = {} if number else {"facts": steps.table("facts", lambda: _facts(split, plan.impact))}
    found["ratios"] = steps.table(f"ratios-{number}", lambda: _ratios(split, plan.impact, columns))
    tuning = found["tuning"] = steps.table(f"tuning-{number}", lambda: _tuning(split, plan))
    tuned = tuning.filter(pc.or_(tuning["rw_eg"], tuning["rw"])).to_pylist()
    found["shares"] = steps.table(f"shares-{number}", lambda: _shares(split, plan.budgets, grid, columns, tuned))
    found["importance"] = steps.table(f"importance-{number}", lambda: _importance(split))
    return found


def curve(pages: int) -> np.ndarray:
    """Budgets of the curves, shares of the pages that judge: from one of `pages` to all, evenly on a logarithmic axis.

    The same for every split, whose numbers of pages differ a little, so that the mean over splits is one at every
    point. Between whole pages a curve is read off linearly: rounded to whole pages, splits of different size would
    jump at different budgets, and their mean with them.
    """
    return np.unique(np.geomspace(1 / max(pages, 1), 1, CURVE))


def summary(shares: pa.Table, *, redrawn: bool = True) -> pa.Table:
    """A row per part, budget that was asked for and method: means over splits, the share with its 95 % interval.

    Parameters
    ----------
    shares
        A row per split, part, method and budget.
    redrawn
        Whether every split has pages of its own. Otherwise all known pages are the same in every split, and what is
        measured on them has no interval.
    """
    frame = shares.to_pandas()
    rows: list[dict[str, Any]] = []
    for (part, budget, method), some in frame[frame["asked"]].groupby(["part", "budget", "method"], sort=False):
        share = mean_interval(np.asarray(some["share"], np.float64))
        known = redrawn or part == UNSEEN
        rows.append(
            {
                "part": str(part),
                "budget": float(budget),
                "method": str(method),
                "share": share.value,
                "low": share.low if known else float("nan"),
                "high": share.high if known else float("nan"),
                "ctr": float(some["ctr"].mean()),
                "mean_pagerank": float(some["mean_pagerank"].mean()),
            }
        )
    for row in rows:
        beside = [other for other in rows if (other["part"], other["budget"]) == (row["part"], row["budget"])]
        rates = [other["ctr"] for other in beside if other["method"] != "ideal"]
        best = float(np.nanmax(rates)) if np.isfinite(rates).any() else float("nan")
        row["normalised_ctr"] = row["ctr"] / best if best else float("nan")
    rows.sort(key=lambda row: (row["part"], row["budget"]))
    return pa.Table.from_pylist(rows)


# -- the tables of a split


def _facts(split: Split, impact: str) -> pa.Table:
    """Facts of Table 1, and how far frontier pages with impact are from high impact."""
    facts = data_facts(split.trial)
    far = distances(split.trial)
    facts |= {f"frontier pages with {impact} {hops} hops from high {impact}": share for hops, share in far.items()}
    return pa.table({"fact": list(facts), "value": list(facts.values())})


def _ratios(split: Split, impact: str, columns: Mapping[str, np.ndarray]) -> pa.Table:
    """The three readings of eqs (1) and (2) for crawled pages with and without impact, over links and enriched."""
    trial = split.trial
    crawled = trial.problem.crawled
    kinds: dict[str, tuple[np.ndarray, np.ndarray]] = {impact: (trial.problem.impact, trial.truth)}
    kinds |= {
        name: (values, np.nan_to_num(values[trial.pages])) for name, values in columns.items() if name not in kinds
    }
    known = crawled & ~trial.problem.unknown
    rows = []
    for name, (values, truth) in kinds.items():
        for group, sources in (("with", known & (values > 0)), ("without", known & (values <= 0))):
            for over, virtual in (("links", None), ("enriched", split.scores.virtual_links)):
                row = {"split": split.number, "impact": name, "crawled_pages": group, "over": over}
                rows.append(row | vars(impact_ratios(trial, truth, sources, virtual)))
        row = {"split": split.number, "impact": name, "crawled_pages": "random", "over": "links"}
        rows.append(row | _of_random_sets(split, truth, known, int((known & (values > 0)).sum())))
    return pa.Table.from_pylist(rows)


def _of_random_sets(split: Split, truth: np.ndarray, known: np.ndarray, size: int) -> dict[str, float]:
    """The same of as many random crawled pages as have impact, the mean of `RANDOM_SETS` draws."""
    draw, pages = np.random.default_rng(split.rng), np.flatnonzero(known)
    found = []
    for _ in range(RANDOM_SETS):
        sources = np.zeros(len(known), bool)
        sources[draw.choice(pages, size, replace=False)] = True
        found.append(vars(impact_ratios(split.trial, truth, sources)))
    means = {name: float(np.mean([one[name] for one in found])) for name in found[0]}
    return {**means, "sources": size, "reached": round(means["reached"])}


def _tuning(split: Split, plan: Plan) -> pa.Table:
    """The grid at the largest budget; `rw_eg` marks the best of all, `rw` the best with ω = 1."""
    budget = max(plan.budgets)
    found = tune(split.trial, split.scores, split.train, budget, resamples=plan.resamples, rng=split.rng)
    rows = found.table.to_pylist()
    only_links = max((row for row in rows if row["omega"] == 1.0), key=lambda row: row["score"])
    for row in rows:
        best = row["omega"] == found.omega and row["beta"] == found.beta
        row |= {"split": split.number, "rw_eg": best, "rw": row is only_links}
    return pa.Table.from_pylist(rows)


def _shares(
    split: Split,
    asked: Sequence[float],
    grid: np.ndarray,
    columns: Mapping[str, np.ndarray],
    tuned: list[dict[str, Any]],
) -> pa.Table:
    """Impact share, click-through rate, mean PageRank and impact of either half by part, method and budget.

    `asked` are budgets that were asked for, rounded up to whole pages, `grid` those of the curves; `tuned` are rows of
    `_tuning`.
    """
    plain = {**_plain_orders(split), "ideal": best_first(split.truth, split.trial.pages)}
    unseen = np.zeros(len(split.truth), bool)
    unseen[split.judging[UNSEEN]] = True
    orders = {
        ALL: plain,
        UNSEEN: {**{name: order[unseen[order]] for name, order in plain.items()}, **_fitted_orders(split, tuned)},
    }
    parts = []
    for part, pages in split.judging.items():
        whole = [max(1, int(np.ceil(share * len(pages)))) for share in asked]
        budgets = np.concatenate((grid * len(pages), whole))
        for method, order in orders[part].items():
            ctr = np.full(len(budgets), np.nan)
            if len(columns) == 2:
                clicks, views = (np.nan_to_num(columns[name][order]) for name in ("clicks", "views"))
                ctr = click_through(clicks, views, budgets)
            parts.append(
                pa.table(
                    {
                        "split": np.full(len(budgets), split.number),
                        "part": [part] * len(budgets),
                        "method": [method] * len(budgets),
                        "pages": budgets,
                        "budget": np.concatenate((grid, asked)),
                        "asked": np.arange(len(budgets)) >= len(grid),
                        "share": impact_shares(split.truth[order], budgets),
                        "ctr": ctr,
                        "mean_pagerank": means_of_first(split.scores.of("pagerank")[order], budgets),
                        "first_half": sums_of_first(split.truth[order], budgets / 2),
                        "second_half": sums_of_first(split.truth[order], budgets)
                        - sums_of_first(split.truth[order], budgets / 2),
                    }
                )
            )
    return pa.concat_tables(parts)


def _importance(split: Split) -> pa.Table:
    """What each model looks at."""
    rows = []
    for kind in _kinds(split):
        model = split.learnt(kind, feature_names(split.scores))
        rows += [
            {"split": split.number, "model": kind, "feature": name, "importance": float(value)}
            for name, value in zip(model.features, model.importance, strict=True)
        ]
    types = {"split": pa.int64(), "model": pa.string(), "feature": pa.string(), "importance": pa.float64()}
    return pa.Table.from_pylist(rows, pa.schema(list(types.items())))


# -- inside


def _kinds(split: Split) -> tuple[str, ...]:
    """Models that can be learnt: none where the pages to learn from all have the same impact."""
    return KINDS if np.ptp(split.trial.truth[split.train]) > 0 else ()


def _plain_orders(split: Split) -> dict[str, np.ndarray]:
    """All known pages by each method that needs no training, best first."""
    scores, pages = split.scores, split.trial.pages
    there = scores.searches is not None and scores.searches.there
    orders = {}
    for method in (*SCORED, *split.own):
        if there or method not in QUERY_METHODS:
            ties = np.random.default_rng(split.rng) if method == "q-overlap" else None
            orders[method] = best_first(scores.of(method), pages, ties)
    return orders


def _fitted_orders(split: Split, tuned: list[dict[str, Any]]) -> dict[str, np.ndarray]:
    """The pages that nothing was fitted on by each method that was, best first."""
    scores, pages = split.scores, split.judging[UNSEEN]
    orders = {}
    for row in tuned:
        values = np.full(scores.problem.engine.pages, np.nan)
        values[scores.problem.pages] = scores.rw_eg_grid([row["omega"]], row["beta"])[0]
        for name in ("rw", "rw_eg"):
            if row[name]:
                orders[f"{name.replace('_', '-')}-tuned"] = best_first(values, pages)
    for kind in _kinds(split):
        model = split.learnt(kind, feature_names(scores))
        values = np.full(scores.problem.engine.pages, np.nan)
        values[pages] = model.predict(features(scores, pages, model.features))
        orders[f"learned-{kind}"] = best_first(values, pages)
    return orders
