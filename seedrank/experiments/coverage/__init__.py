"""Seed selection by coverage, on the sites of a graph (Zheng et al. 2009, docs/algorithms.md §2.5)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict
from typing import Any

from seedrank.experiments.checkpoints import Steps
from seedrank.experiments.coverage import charts, claims, later, measure
from seedrank.experiments.coverage.choosing import METHODS, Grid, grid_of, sample_of
from seedrank.experiments.perform import as_evidence, perform_in_steps
from seedrank.methods.seeds.transfer import open_other
from seedrank.questions.experiments import CoverageExperiment
from seedrank.runs import Answer
from seedrank.runs.experiment import Experiment
from seedrank.session import Session

__all__ = ["perform"]


def perform(session: Session, question: CoverageExperiment) -> Answer:
    """Perform the experiment and keep it as a run; its parts are kept as they come."""
    with open_other(session, question.newer) as newer:
        more: dict[str, Any] = {} if newer is None else {"newer_version": newer.store.version()}

        def make(steps: Steps) -> Experiment:
            return _experiment(session, newer, grid_of(question), question.rng, steps, asdict(question))

        return perform_in_steps(session, question, make, site=session.site, **more)


def _experiment(
    session: Session, newer: Session | None, grid: Grid, rng: int, steps: Steps, parameters: Mapping[str, Any]
) -> Experiment:
    sample = sample_of(session, grid, rng)
    measured = measure.measure(session, sample, grid, rng, steps)
    budgets = {at: as_evidence(session.graph, some) for at, some in claims.claims_by_budget(measured).items()}
    tables = {**measure.tables_of(sample, measured), "budgets": claims.budget_table(measured, budgets)}
    drawn = charts.charts(tables["coverage"], measured)
    left_out = list(sample.left_out)
    if newer is None:
        left_out.append("how seeds hold over time: name a store of the same web at a later time as `newer`")
    else:
        chosen = {name: measured.chosen[name] for name in METHODS}
        found = later.measure_later(session, newer, sample, grid, rng, chosen, steps)
        if isinstance(found, str):
            left_out.append(found)
        else:
            tables["transfer"] = found
            drawn.append(charts.later_chart(found))
    return Experiment("coverage", tables, drawn, claims.claims_of(measured), left_out, parameters)
