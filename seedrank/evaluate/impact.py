"""The experiment of Tran et al. 2015: hide crawled pages, rank them, see whose impact was found.

Every split hides pages anew (or, on a real frontier whose impact became known, splits it anew), tunes and learns on
65 % of the known pages and judges every method on the other 35 % (docs/algorithms.md §5.9).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from seedrank.core import numbers
from seedrank.core.errors import UsageError
from seedrank.core.progress import Progress
from seedrank.evaluate.experiment import Experiment
from seedrank.evaluate.impact_claims import charts, claims, summary
from seedrank.evaluate.impact_split import Split
from seedrank.evaluate.steps import Steps
from seedrank.frontier.ask import FrontierQuestion
from seedrank.frontier.scores import Scores
from seedrank.frontier.trial import Trial
from seedrank.graph import WebGraph

__all__ = ["BUDGETS", "ImpactPlan", "impact_experiment"]

BUDGETS = (0.01, 0.02, 0.05, 0.10)
"""The paper's: 1 and 2 % of its web crawl, 5 and 10 % of Wikipedia."""


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

    def quick(self) -> ImpactPlan:
        """Fewer splits and resamples."""
        return replace(self, splits=min(self.splits, 3), resamples=20)

    def __post_init__(self) -> None:
        numbers.whole("splits", self.splits, 1, numbers.MOST_TIMES)
        numbers.whole("resamples", self.resamples, 1, numbers.MOST_TIMES)
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
    columns: dict[str, np.ndarray] = {}
    if plan.truth is None:
        there = [name for name in ("clicks", "views") if name in graph.column_names]
        columns = {name: np.nan_to_num(graph.column(name)) for name in there}
    parts: dict[str, list[pa.Table]] = {name: [] for name in ("shares", "facts", "ratios", "tuning", "importance")}
    with progress("splits", total=plan.splits) as advance:
        for number in range(plan.splits):
            rng = plan.question.options.rng + number
            one = Split(number, rng, trial_of, plan.question.impact, columns, plan.budgets)
            for name, table in _tables(one, plan, steps).items():
                parts[name].append(table)
            advance(1)
    tables = {name: pa.concat_tables(found) for name, found in parts.items()}
    tables = {"summary": summary(tables["shares"]), **tables}
    left_out = []
    if "q-overlap" not in tables["summary"]["method"].to_pylist():
        left_out.append("Q-Overlap and Q-Hybrid: the store has no searches; load them with --queries FILE")
    if len(columns) < 2:
        left_out.append("click-through rate: needs both clicks and views of the judged pages as columns")
    found = claims(tables, plan.budgets, plan.queries_are)
    return Experiment("impact", tables, charts(tables, plan.budgets), found, left_out, parameters)


def _tables(one: Split, plan: ImpactPlan, steps: Steps) -> dict[str, pa.Table]:
    """The tables of a split, as kept or made now."""
    number = one.number
    found = {} if number else {"facts": steps.table("facts", one.facts)}
    found["ratios"] = steps.table(f"ratios-{number}", one.ratios)
    tuning = found["tuning"] = steps.table(f"tuning-{number}", lambda: one.tuning(plan.resamples))
    tuned = tuning.filter(pc.or_(tuning["rw_eg"], tuning["rw"])).to_pylist()
    found["shares"] = steps.table(f"shares-{number}", lambda: one.shares(tuned))
    found["importance"] = steps.table(f"importance-{number}", one.importance)
    return found
