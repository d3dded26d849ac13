"""Crawl orders: how early important pages come, and what it costs to decide (Alam et al., docs/algorithms.md §4.5)."""

from __future__ import annotations

from dataclasses import asdict
from functools import partial

from seedrank.experiments.checkpoints import Steps
from seedrank.experiments.ordering import charts, claims, measure
from seedrank.experiments.ordering.by_measure import by_measure
from seedrank.experiments.ordering.measure import REPEATS, orders_measured, sets_drawn
from seedrank.experiments.ordering.results import results
from seedrank.experiments.perform import perform_in_steps
from seedrank.methods.crawl.methods import CRAWL
from seedrank.questions.crawl import CrawlQuestion, named
from seedrank.questions.experiments import OrderingExperiment
from seedrank.runs import Answer
from seedrank.runs.experiment import Experiment
from seedrank.session import Session

__all__ = ["perform"]


def perform(session: Session, question: OrderingExperiment) -> Answer:
    """Perform the experiment and keep it as a run; its parts are kept as they come."""
    own = any(CRAWL.is_own(named(name, CrawlQuestion()).order) for name in question.orders)
    if question.measure is not None or question.baseline is not None:
        make_own = partial(by_measure, session, question)
        return perform_in_steps(session, question, make_own, fresh=own, site=session.site)
    names = [named(name, CrawlQuestion()).order for name in orders_measured(question)]
    CRAWL.refuse_unused(CrawlQuestion(impact=question.impact), dict.fromkeys(names))
    shown = {**asdict(question), "orders": orders_measured(question), "sets": sets_drawn(question), "runs": REPEATS}

    def make(steps: Steps) -> Experiment:
        found = measure.measure(session, question, steps)
        judged = claims.judge(found, question.rng)
        tables = results(found, question.rng)
        drawn = [*charts.charts(found.curves), charts.areas(tables["orders"])]
        return Experiment("ordering", tables, drawn, judged, found.left_out, shown, found.about)

    return perform_in_steps(session, question, make, fresh=own, site=session.site)
