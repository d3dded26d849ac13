"""A user's orders side by side, kept as a table with charts."""

from __future__ import annotations

from dataclasses import asdict, replace

from seedrank.core.numbers import counted
from seedrank.experiments.checkpoints import Steps
from seedrank.experiments.ordering.charts import charts
from seedrank.experiments.ordering.measure import measure_orders
from seedrank.experiments.perform import perform_in_steps
from seedrank.methods.crawl.answer import Crawls
from seedrank.methods.crawl.methods import CRAWL, orders_of
from seedrank.methods.crawl.starts import start_pages
from seedrank.questions.crawl import CompareQuestion
from seedrank.runs import Answer
from seedrank.runs.experiment import Experiment
from seedrank.session import Session
from seedrank.session.page_lists import pinned

__all__ = ["compare"]


def compare(session: Session, question: CompareQuestion) -> Answer:
    """Replay several orders from the same seeds, with the same budget, and measure them side by side.

    Tables ``orders`` and ``curves`` and the charts of both figures of Alam et al. are kept as a run.
    """
    orders = orders_of(question)
    session.check_here("crawl compare", "an order is one long queue, worked off page by page")
    question = replace(question, seeds=pinned(session, question.seeds), orders=tuple(one.name for one in orders))
    crawls = Crawls(session, question, duplicates=True)
    start = start_pages(session, question.seeds, question.rng)
    start.refuse_weights("a comparison")
    pages = start.pages

    about = (f"every order begins at the same {counted(len(pages), 'seed')}",)

    def make(steps: Steps) -> Experiment:
        tables = measure_orders(steps, crawls, orders, pages, "set")
        return Experiment(
            "crawl-compare", tables, charts(tables["curves"], early=True), [], (), asdict(question), about
        )

    own = any(CRAWL.is_own(one.order) for one in orders)
    return perform_in_steps(session, question, make, fresh=own, site=session.site, pages=pages.tolist())
