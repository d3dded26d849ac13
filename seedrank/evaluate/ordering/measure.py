"""How early important pages come in each order, from the best seeds and from sets of them (docs/algorithms.md §4.5)."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

import numpy as np
import pyarrow as pa

from seedrank.core.errors import GraphError
from seedrank.core.model import Status
from seedrank.crawl.answer import Crawls
from seedrank.crawl.side_by_side import join
from seedrank.crawl.starts import best_pages
from seedrank.evaluate.ordering.plan import POOL, orders_measured, sets_drawn
from seedrank.evaluate.steps import Steps
from seedrank.questions.crawl import CrawlQuestion, named
from seedrank.questions.experiments import OrderingExperiment
from seedrank.session import Session

__all__ = ["measure", "measure_orders"]


def measure(session: Session, plan: OrderingExperiment, steps: Steps) -> tuple[dict[str, pa.Table], list[str]]:
    """Every table of the experiment, and what this graph cannot serve.

    The figures begin from the pages with the highest PageRank, as the paper does; the claims are judged over seed sets
    drawn from the ten times as many best pages, each order from the same ones, with paired intervals.
    """
    crawls = Crawls(session, tell=False)
    left_out = []
    names = orders_measured(plan)
    if (session.sites < 0).all():
        names = [name for name in names if "@" not in name]
        left_out.append("FPR@M and its claims: no page has a host; load URLs or a host column")
    crawled = int((session.graph.status == Status.CRAWLED).sum())
    if not crawled:
        raise GraphError("no page is crawled", hint="load pages with their links")
    count = max(1, min(plan.seeds, crawled // 100))
    questions = [named(name, CrawlQuestion(rng=plan.rng)) for name in names]
    best = best_pages(session, POOL * count)
    tables = measure_orders(steps, crawls, questions, best[:count], "best")
    random = np.random.default_rng(plan.rng)
    drawn = [np.sort(random.permutation(len(best))[:count]) for _ in range(sets_drawn(plan))]
    rows = []
    for number, chosen in enumerate(drawn):
        some = measure_orders(steps, crawls, questions, best[chosen], f"set-{number}")
        rows.append(some["orders"].add_column(0, "set", pa.array([number] * len(questions))))
    tables["seed-sets"] = join(rows)
    if crawls.yardstick.spam is None:
        left_out.append("the spam share: no page has a value in column `spam`")
    return tables, left_out


def measure_orders(
    steps: Steps, crawls: Crawls, questions: Sequence[CrawlQuestion], seeds: np.ndarray, label: str
) -> dict[str, pa.Table]:
    """Rows (``orders``) and ``curves`` of each order; kept one by one, an order that is there is not run again.

    Parameters
    ----------
    steps
        Keeps the parts.
    crawls
        Of the store.
    questions
        The orders.
    seeds
        Where all of them begin.
    label
        Of the seeds, for the names of the parts.
    """
    rows, curves = [], []
    for question in questions:
        name = question.name.replace("%", "").replace("@", "-at-").replace(":", "-").replace(".", "_")
        found = steps.tables(f"{label}-{name}", partial(_one, crawls, question, seeds))
        rows.append(found["row"])
        curves.append(found["curve"])
    return {"orders": join(rows), "curves": pa.concat_tables(curves, promote_options="default")}


def _one(crawls: Crawls, question: CrawlQuestion, seeds: np.ndarray) -> dict[str, pa.Table]:
    row, curve = crawls.measure(question, seeds, question.limit or crawls.session.graph.pages)
    return {"row": row, "curve": curve}
