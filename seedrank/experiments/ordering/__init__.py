"""Crawl orders: how early important pages come, and what it costs to decide (Alam et al., docs/algorithms.md §4.5)."""

from __future__ import annotations

from dataclasses import asdict, replace

from seedrank.core.numbers import counted
from seedrank.experiments.checkpoints import Steps
from seedrank.experiments.ordering import charts, claims, measure
from seedrank.experiments.ordering.measure import REPEATS, measure_orders, orders_measured, sets_drawn
from seedrank.experiments.ordering.results import results
from seedrank.experiments.perform import perform_in_steps
from seedrank.methods.crawl.answer import Crawls
from seedrank.methods.crawl.methods import orders_of
from seedrank.methods.crawl.starts import start_pages
from seedrank.questions.crawl import CompareQuestion
from seedrank.questions.experiments import OrderingExperiment
from seedrank.runs import Answer
from seedrank.runs.experiment import Experiment
from seedrank.session import Session
from seedrank.session.page_lists import pinned

__all__ = ["compare", "perform"]


def perform(session: Session, question: OrderingExperiment) -> Answer:
    """Perform the experiment and keep it as a run; its parts are kept as they come."""
    shown = {**asdict(question), "orders": orders_measured(question), "sets": sets_drawn(question), "runs": REPEATS}

    def make(steps: Steps) -> Experiment:
        found = measure.measure(session, question, steps)
        judged = claims.judge(found, question.rng)
        tables = results(found, question.rng)
        drawn = [*charts.charts(found.curves), charts.areas(tables["orders"])]
        return Experiment("ordering", tables, drawn, judged, found.left_out, shown, found.about)

    return perform_in_steps(session, question, make, site=session.site)


def compare(session: Session, question: CompareQuestion) -> Answer:
    """Replay several orders from the same seeds, with the same budget, and measure them side by side.

    Tables ``orders`` and ``curves`` and the charts of both figures of Alam et al. are kept as a run.
    """
    orders = orders_of(question)
    question = replace(question, seeds=pinned(session, question.seeds), orders=tuple(one.name for one in orders))
    crawls = Crawls(session, question)
    _, pages = start_pages(session, question.seeds, question.rng)

    about = (f"from {counted(len(pages), 'seed')}",)

    def make(steps: Steps) -> Experiment:
        tables = measure_orders(steps, crawls, orders, pages, "set")
        return Experiment(
            "crawl-compare", tables, charts.charts(tables["curves"], early=True), [], (), asdict(question), about
        )

    return perform_in_steps(session, question, make, site=session.site, pages=pages.tolist())
