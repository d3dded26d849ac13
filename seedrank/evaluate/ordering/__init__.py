"""Crawl orders: how early important pages come, and what it costs to decide (Alam et al., docs/algorithms.md §4.1)."""

from __future__ import annotations

from seedrank.evaluate.experiment import Experiment
from seedrank.evaluate.ordering import charts, claims, measure
from seedrank.evaluate.ordering.plan import OrderingPlan as Plan
from seedrank.evaluate.perform import perform_in_steps
from seedrank.evaluate.steps import Steps
from seedrank.runs import Run
from seedrank.session import Session

__all__ = ["Plan", "perform"]


def perform(session: Session, plan: Plan) -> tuple[Run, Experiment]:
    """Perform the experiment and keep it as a run; its parts are kept as they come."""
    parameters = plan.parameters(session.site)

    def make(steps: Steps) -> Experiment:
        tables, left_out = measure.measure(session, plan, steps)
        judged = claims.judge(tables, plan.rng)
        return Experiment("ordering", tables, charts.charts(tables["curves"]), judged, left_out, parameters)

    return perform_in_steps(session, "ordering", parameters, make)
