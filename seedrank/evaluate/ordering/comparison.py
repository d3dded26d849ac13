"""Orders of the user's own side by side, kept as an experiment without claims."""

from __future__ import annotations

from collections.abc import Sequence

from seedrank.core.errors import UsageError
from seedrank.crawl.question import CrawlQuestion, named
from seedrank.crawl.replay import Crawls, parameters_of
from seedrank.crawl.starts import named_run, start_pages
from seedrank.evaluate.experiment import Experiment
from seedrank.evaluate.ordering.charts import charts
from seedrank.evaluate.ordering.measure import measure_orders
from seedrank.evaluate.perform import perform_in_steps
from seedrank.evaluate.steps import Steps
from seedrank.runs import Run
from seedrank.session import Session

__all__ = ["compare_orders"]


def compare_orders(
    session: Session, names: Sequence[str], question: CrawlQuestion, seeds: str, *, value: str | None
) -> tuple[Run, Experiment]:
    """Several orders from the same seeds with the same budget; arguments as of `Workbench.compare_orders`."""
    seeds = named_run(session, seeds)
    crawls = Crawls(session, value)
    _, pages = start_pages(session, seeds, question.rng)
    if len(set(names)) < len(names):
        raise UsageError("an order is named twice", hint="name each order once")
    questions = [named(name, question) for name in names]
    parameters = parameters_of(
        question, seeds, order=None, orders=[one.name for one in questions], site=session.site, value=value,
        pages=pages.tolist(),
    )  # fmt: skip

    def make(steps: Steps) -> Experiment:
        tables = measure_orders(steps, crawls, questions, pages, "set")
        return Experiment("crawl-compare", tables, charts(tables["curves"]), [], (), parameters)

    return perform_in_steps(session, "crawl-compare", parameters, make)
