"""How early important pages come in each order, and how long deciding takes (docs/algorithms.md §4.5)."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import partial

import numpy as np
import pyarrow as pa

from seedrank.core.errors import GraphError
from seedrank.core.model import Status
from seedrank.engines.kernels.assemble import count_inter
from seedrank.experiments.checkpoints import Steps
from seedrank.experiments.claim_specs import RULE
from seedrank.experiments.intervals import FEWEST, ratio_interval
from seedrank.methods.crawl.answer import Crawls
from seedrank.methods.crawl.metrics import join
from seedrank.methods.crawl.starts import best_pages
from seedrank.questions.crawl import CrawlQuestion, named
from seedrank.questions.experiments import OrderingExperiment
from seedrank.session import Session

__all__ = [
    "BREADTH_FIRST", "OMNISCIENT", "RAISED", "RANDOM", "REPEATS", "WINDOWED", "Measured", "measure", "measure_orders",
    "orders_measured", "seeds_of_a_set", "sets_drawn",
]  # fmt: skip

WINDOWED = "windowed-rankmass:5%"
RAISED = ("fpr@2", "fpr@20", "fpr@100")
"""FPR@M as the paper runs it."""
TIMED = ("fpr", *RAISED, WINDOWED)
"""The paper's orders: those whose time its figure 3 shows."""
OMNISCIENT, BREADTH_FIRST, RANDOM = "omniscient", "bfs", "random"
"""What gains are shares of: the way from random to omniscient; and the order that must leave room."""
ORDERS = (
    "fpr", *RAISED, "fpr@1000", WINDOWED, "windowed-rankmass:10%", "windowed-rankmass:20%", "windowed-rankmass:100%",
    "backlink", "bfs", "random", "omniscient",
)  # fmt: skip
"""The paper's orders, then others for scale."""
QUICK = ("fpr", *RAISED, "fpr@1000", WINDOWED, "windowed-rankmass:100%", "bfs", "random", "omniscient")
SETS, QUICK_SETS = 10, FEWEST
QUICK_SECONDS = 45.0
"""Work of a quick experiment: it follows orders no farther than this allows."""
POOL = 10
"""Seeds are drawn from this many times as many pages of the highest PageRank."""
REPEATS = FEWEST
"""Timed runs of an order from the paper's seeds, at least."""
MOST_AT_ONCE = 50
"""Crawls of one timed run, where one is too short to be told from noise."""
SHARES = (0.01, 0.02, 0.05, 0.1, 0.2, 0.5)
"""Of the graph's pages: where the curves are read off."""


def orders_measured(question: OrderingExperiment) -> list[str]:
    """Orders by their short names."""
    return list(question.orders or (QUICK if question.quick else ORDERS))


def sets_drawn(question: OrderingExperiment) -> int:
    """How many seed sets are drawn."""
    return question.seed_sets or (QUICK_SETS if question.quick else SETS)


def seeds_of_a_set(session: Session, question: OrderingExperiment) -> int:
    """How many seeds a set has: as many as asked for, and no more than a hundredth of the crawled pages."""
    crawled = int((session.graph.status == Status.CRAWLED).sum())
    if not crawled:
        raise GraphError("no page is crawled", hint="load pages with their links")
    return max(1, min(question.seeds, crawled // 100))


@dataclass(frozen=True)
class Measured:
    """What was measured on a graph."""

    sets: pa.Table
    """A row of numbers per drawn seed set and order, up to the paper's stop."""
    reached: pa.Table
    """Cumulative PageRank per drawn seed set, order and share of the graph's pages."""
    best: pa.Table
    curves: pa.Table
    """Numbers and curve of each order from the paper's seeds, once."""
    times: pa.Table
    """Seconds of repeated runs: ``order``, ``run``, ``tenth``, ``half``, ``whole`` of the pages fetched; each is the
    mean of ``crawls`` crawls."""
    left_out: Sequence[str]
    """What this graph cannot serve, a sentence each."""
    apart: str
    """Why the graph must not enter the pooled line; empty where it may."""
    same: str = ""
    """Why FPR@M is FPR there, and was not run; empty where it is not."""
    about: Sequence[str] = ()
    """How far orders were followed, where that is not the paper's stop."""


def measure(session: Session, plan: OrderingExperiment, steps: Steps) -> Measured:
    """Replay every order: from the paper's seeds, from drawn seed sets, and for the time until ratios have settled.

    The paper's seeds are the pages with the highest PageRank. Seed sets are drawn from ten times as many best pages,
    and every order begins from the same sets. Timed runs take turns, so that a machine that slows down slows all.
    """
    crawls = Crawls(session, tell=False)
    left_out = []
    names = orders_measured(plan)
    same = _same_orders(session)
    if same:
        names = [name for name in names if "@" not in name]
        left_out.append(f"FPR@M and its claims: {same}")
    count = seeds_of_a_set(session, plan)
    questions = [named(name, CrawlQuestion(rng=plan.rng, impact=plan.impact)) for name in names]
    best = best_pages(session, POOL * count)
    share = RULE["ordering"]["stop"]
    about = []
    if plan.quick:
        share = _affordable(steps, crawls, questions, best[:count])
        if share < RULE["ordering"]["stop"]:
            about.append(
                f"quick: orders are followed over the first {100 * share:g} % of the pages, as {QUICK_SECONDS:.0f} s "
                f"allow; the whole experiment follows them over {100 * RULE['ordering']['stop']:g} %"
            )
    stop = max(1, round(share * session.graph.pages))
    stopped = [replace(question, limit=stop) for question in questions]
    once = measure_orders(steps, crawls, stopped if about else questions, best[:count], "best")
    random = np.random.default_rng(plan.rng)
    drawn = [np.sort(random.permutation(len(best))[:count]) for _ in range(sets_drawn(plan))]
    rows, points = [], []
    for number, chosen in enumerate(drawn):
        some = measure_orders(steps, crawls, stopped, best[chosen], f"set-{number}")
        rows.append(some["orders"].add_column(0, "set", pa.array([number] * len(questions))))
        points.append(_reached(some["curves"], number, session.graph.pages, share))
    timed = [question for question in (stopped if about else questions) if question.name in TIMED]
    times = _settled(steps, crawls, timed, best[:count], quick=plan.quick)
    if "spam" not in crawls.metrics.labels:
        left_out.append("the spam share: no page has a value in column `spam`")
    return Measured(
        sets=join(rows),
        reached=pa.concat_tables(points),
        best=once["orders"],
        curves=once["curves"],
        times=times,
        left_out=left_out,
        apart=same if (session.sites < 0).all() else "",
        same=same,
        about=about,
    )


def _affordable(steps: Steps, crawls: Crawls, questions: Sequence[CrawlQuestion], seeds: np.ndarray) -> float:
    """How far orders can be followed in `QUICK_SECONDS`, as a share of the pages: estimated from their first pages.

    Each order is timed over few pages and twice as many; its time grows by a power of the pages. The estimate is kept,
    so that an experiment that goes on goes as far.
    """

    def estimated() -> pa.Table:
        pages = crawls.session.graph.pages
        few = max(200, pages // 200)
        crawls.run(replace(questions[0], limit=few), seeds)  # reads the links and loads kernels
        taken = []
        for question in questions:
            seconds = []
            for limit in (few, 2 * few):
                started = time.perf_counter()
                crawls.run(replace(question, limit=limit), seeds)
                seconds.append(max(time.perf_counter() - started, 1e-4))
            power = float(np.clip(np.log2(seconds[1] / seconds[0]), 1.0, 2.5))
            runs = 1 + QUICK_SETS + (REPEATS if question.name in TIMED else 0)
            taken.append((runs, seconds[1], power))
        shares = [RULE["ordering"]["stop"], *sorted(SHARES, reverse=True)]
        times = [sum(n * s * max(share * pages / (2 * few), 1.0) ** p for n, s, p in taken) for share in shares]
        affordable = [share for share, whole in zip(shares, times, strict=True) if whole <= QUICK_SECONDS]
        return pa.table({"share": [max(affordable, default=min(shares))]})

    return float(steps.table("affordable", estimated)["share"][0].as_py())


def measure_orders(
    steps: Steps, crawls: Crawls, questions: Sequence[CrawlQuestion], seeds: np.ndarray, label: str
) -> dict[str, pa.Table]:
    """Rows (``orders``) and ``curves`` of each order; kept one by one, an order that is there is not run again.

    All orders begin at `seeds`; `label` names these in the names of the parts.
    """
    rows, curves = [], []
    for question in questions:
        found = steps.tables(f"{label}-{_part(question)}", partial(_one, crawls, question, seeds))
        rows.append(found["row"])
        curves.append(found["curve"])
    return {"orders": join(rows), "curves": pa.concat_tables(curves, promote_options="default")}


def _one(crawls: Crawls, question: CrawlQuestion, seeds: np.ndarray) -> dict[str, pa.Table]:
    row, curve = crawls.measure(question, seeds, question.limit or crawls.session.graph.pages)
    return {"row": row, "curve": curve}


_TIMES = pa.schema(
    [
        ("order", pa.string()), ("run", pa.int64()), ("crawls", pa.int64()),
        *((part, pa.float64()) for part in ("tenth", "half", "whole")),
    ]
)  # fmt: skip


def _settled(
    steps: Steps, crawls: Crawls, timed: Sequence[CrawlQuestion], seeds: np.ndarray, *, quick: bool
) -> pa.Table:
    """Timed runs that take turns, until their ratios have settled or the time for them is spent."""
    rule = RULE["time"]
    left, most = rule["seconds_in_all"] / (8 if quick else 1), rule["seconds"] * (3 if quick else 10)
    tables: list[pa.Table] = [_TIMES.empty_table()]
    for run in range(rule["runs"] if timed else 0):
        turn = pa.concat_tables(
            [steps.table(f"run-{run}-{_part(one)}", partial(_timed, crawls, one, seeds, run, most)) for one in timed]
        )
        tables.append(turn)
        left -= float((turn["whole"].to_numpy() * turn["crawls"].to_numpy()).sum())
        if run + 1 >= REPEATS and (left <= 0 or _narrow(pa.concat_tables(tables), rule["settled"])):
            break
    return pa.concat_tables(tables)


def _narrow(times: pa.Table, settled: float) -> bool:
    """Whether every ratio to windowed RankMass is known to within `settled` of itself."""
    frame = times.to_pandas()
    for part in ("tenth", "whole"):
        seconds = frame.pivot(index="run", columns="order", values=part)
        if WINDOWED not in seconds:
            return True
        for order in seconds.columns.drop(WINDOWED):
            found = ratio_interval(seconds[order].to_numpy(), seconds[WINDOWED].to_numpy())
            if not found.high - found.low <= 2 * settled * found.value:
                return False
    return True


def _timed(crawls: Crawls, question: CrawlQuestion, seeds: np.ndarray, run: int, most: float) -> pa.Table:
    """Scheduling time after a tenth, a half and all fetches; a short crawl is repeated up to `most` seconds."""
    least = RULE["time"]["seconds"]
    seconds = np.zeros(3)
    number = 0
    while number < MOST_AT_ONCE and seconds[0] < least and seconds[2] < most:
        crawl = crawls.run(question, seeds)
        at = np.array([0.1, 0.5, 1.0]) * len(crawl.pages)
        seconds += np.interp(at, np.append(0, crawl.marks[:, 0]), np.append(0, crawl.marks[:, 1]))
        number += 1
    tenth, half, whole = (seconds / number).tolist()
    row = {"order": question.name, "run": run, "crawls": number, "tenth": tenth, "half": half, "whole": whole}
    return pa.Table.from_pylist([row], _TIMES)


def _reached(curves: pa.Table, number: int, pages: int, most: float) -> pa.Table:
    """Cumulative PageRank of each order at `SHARES` of the pages up to `most`; one that ended earlier stays there."""
    shares = [share for share in SHARES if share <= most]
    frame = curves.select(["order", "pages", "pagerank"]).to_pandas()
    at = np.maximum(np.round(np.array(shares) * pages), 1)
    tables = [
        pa.table(
            {
                "set": [number] * len(at),
                "order": [str(name)] * len(at),
                "share": shares,
                "pages": at.astype(np.int64),
                "pagerank": np.interp(at, some["pages"], some["pagerank"]),
            }
        )
        for name, some in frame.groupby("order", sort=False)
    ]
    return pa.concat_tables(tables)


def _same_orders(session: Session) -> str:
    """Why FPR@M is FPR on this graph, whatever M; empty where it is not."""
    if (session.sites < 0).all():
        return "the graph has no hosts: FPR@M is FPR there"
    graph = session.graph
    between = int(count_inter(graph.out_offsets, graph.out_targets, session.sites))
    if 0 < between < graph.links:
        return ""
    return f"{'every' if between else 'no'} link leads to another host: FPR@M is FPR there"


def _part(question: CrawlQuestion) -> str:
    """The order as the name of a part."""
    return question.name.replace("%", "").replace("@", "-at-").replace(":", "-").replace(".", "_")
