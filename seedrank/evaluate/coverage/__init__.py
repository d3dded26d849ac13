"""Seed selection by coverage, on the sites of a graph (Zheng et al. 2009, docs/algorithms.md §2.5)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from seedrank.evaluate.coverage import charts, claims, later, measure
from seedrank.evaluate.coverage.choosing import sample_of
from seedrank.evaluate.coverage.plan import METHODS, Grid
from seedrank.evaluate.coverage.plan import CoveragePlan as Plan
from seedrank.evaluate.experiment import Experiment
from seedrank.evaluate.perform import perform_in_steps
from seedrank.evaluate.steps import Steps
from seedrank.runs import Run
from seedrank.session import Session

__all__ = ["Plan", "perform"]


def perform(session: Session, plan: Plan) -> tuple[Run, Experiment]:
    """Perform the experiment and keep it as a run; its parts are kept as they come."""
    parameters: dict[str, Any] = {
        "quick": plan.quick,
        "newer": plan.newer,
        "min_pages": plan.min_pages,
        "site": session.site,
        "rng": plan.rng,
    }
    with later.opened(session, plan.newer) as newer:
        key = parameters if newer is None else {**parameters, "newer version": newer.store.version()}
        return perform_in_steps(
            session, "coverage", key, lambda steps: _experiment(session, newer, plan.grid, plan.rng, steps, parameters)
        )


def _experiment(
    session: Session, newer: Session | None, grid: Grid, rng: int, steps: Steps, parameters: Mapping[str, Any]
) -> Experiment:
    sample = sample_of(session, grid, rng)
    measured = measure.measure(session, sample, grid, rng, steps)
    tables = measure.tables_of(sample, measured)
    drawn = charts.charts(tables["coverage"], measured)
    left_out = list(sample.left_out)
    if newer is None:
        left_out.append("how seeds hold over time: name a store of the same web at a later time with --newer URL")
    else:
        chosen = {name: measured.chosen[name] for name in METHODS}
        found = later.measure_later(session, newer, sample, grid, rng, chosen, steps)
        if isinstance(found, str):
            left_out.append(found)
        else:
            tables["transfer"] = found
            drawn.append(charts.later_chart(found))
    return Experiment("coverage", tables, drawn, claims.judge(measured), left_out, parameters)
