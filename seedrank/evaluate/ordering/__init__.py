"""Crawl orders: how early important pages come, and what it costs to decide (Alam et al., docs/algorithms.md §4.1)."""

from __future__ import annotations

from dataclasses import asdict

from seedrank.evaluate.experiment import Experiment
from seedrank.evaluate.ordering import charts, claims, measure
from seedrank.evaluate.ordering.plan import orders_measured, sets_drawn
from seedrank.evaluate.perform import perform_in_steps
from seedrank.evaluate.steps import Steps
from seedrank.questions.experiments import OrderingExperiment
from seedrank.runs import Answer
from seedrank.session import Session

__all__ = ["perform"]


def perform(session: Session, question: OrderingExperiment) -> Answer:
    """Perform the experiment and keep it as a run; its parts are kept as they come."""
    shown = {**asdict(question), "orders": orders_measured(question), "sets": sets_drawn(question)}

    def make(steps: Steps) -> Experiment:
        tables, left_out = measure.measure(session, question, steps)
        judged = claims.judge(tables, question.rng)
        return Experiment("ordering", tables, charts.charts(tables["curves"]), judged, left_out, shown)

    return perform_in_steps(session, question, make, site=session.site)
