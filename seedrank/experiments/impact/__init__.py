"""Frontier ranking on a graph with clicks or views (Tran et al. 2015, docs/algorithms.md §5)."""

from __future__ import annotations

from dataclasses import asdict

import numpy as np

from seedrank.experiments.checkpoints import Steps
from seedrank.experiments.copies import remark_on_copies
from seedrank.experiments.impact import charts, claims, measure
from seedrank.experiments.impact.claims import check_methods, own_claims
from seedrank.experiments.impact.split import Plan, contents, setting_of, sized
from seedrank.experiments.perform import perform_in_steps
from seedrank.questions.experiments import ImpactExperiment
from seedrank.runs import Answer
from seedrank.runs.experiment import Experiment
from seedrank.session import Session

__all__ = ["perform"]


def perform(session: Session, question: ImpactExperiment) -> Answer:
    """Perform the experiment and keep it as a run; its parts are kept as they come."""
    check_methods(question)
    plan = sized(question)

    def make(steps: Steps) -> Experiment:
        setting = setting_of(session, plan)
        tables, left_out = measure.measure(session, plan, setting.pages, steps)
        judged = claims.judge(tables, plan.budgets, plan.queries_are, redrawn=plan.truth is None)
        judged += own_claims(tables["shares"], plan)
        drawn = charts.charts(tables, plan.budgets)
        left_out = [*setting.left_out, *left_out]
        about = [*setting.about, *_copies(session, plan)]
        return Experiment("impact", tables, drawn, judged, left_out, asdict(plan), about)

    return perform_in_steps(session, question, make, fresh=bool(question.methods), sha256=contents(question))


def _copies(session: Session, plan: Plan) -> list[str]:
    """A remark where most pages are copies: what is hidden has a copy that is not."""
    graph = session.graph
    if plan.impact not in graph.column_names or not graph.has_links:
        return []
    remark = remark_on_copies(graph, np.asarray(graph.column(plan.impact), np.float64))
    return [remark] if remark else []
