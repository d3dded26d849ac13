"""Orders by a measure of the user's, each against one baseline: any page column, over draws of seeds."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, replace

import numpy as np
import pandas as pd
import pyarrow as pa

from seedrank.core.errors import GraphError, UsageError
from seedrank.experiments.checkpoints import Steps
from seedrank.experiments.claim_specs import MARGINS, RULE, better_than
from seedrank.experiments.copies import remark_on_copies
from seedrank.experiments.intervals import Interval, resampled_interval
from seedrank.experiments.ordering.measure import (
    BREADTH_FIRST,
    POOL,
    SHARES,
    measure_orders,
    seeds_of_a_set,
    sets_drawn,
)
from seedrank.experiments.perform import as_evidence
from seedrank.experiments.verdicts import judge, undecided
from seedrank.methods.crawl.answer import Crawls
from seedrank.methods.crawl.methods import CRAWL
from seedrank.methods.crawl.starts import best_pages
from seedrank.output.charts.chart import Chart, Series
from seedrank.questions.crawl import Crawling, CrawlQuestion, named
from seedrank.questions.experiments import OrderingExperiment
from seedrank.runs.experiment import Claim, Experiment
from seedrank.session import Session

__all__ = ["by_measure"]

ORDERS = ("fpr", "fpr@20", BREADTH_FIRST, "random")
"""Where nobody names any."""
PAGERANK = "pagerank"
UNIT = "seed draws of this graph"
QUANTITY = "measured gain"
POINTS = np.array([*SHARES, 0.3, 0.4, 0.6, 0.7, 0.8, 0.9, 1.0])
"""Shares of the crawl at which curves are read off."""


@dataclass(frozen=True)
class _Drawn:
    """What was gathered from the drawn seeds."""

    areas: Mapping[str, np.ndarray]
    """Area under the curve of each order, one number a draw."""
    reached: pd.DataFrame
    """``set``, ``order``, ``share`` of the crawl, ``pages`` and ``gathered``, the share of the measure until then."""
    sets: pa.Table
    overlap: float
    """Part of the pool of seeds that a draw takes."""


def by_measure(session: Session, question: OrderingExperiment, steps: Steps) -> Experiment:
    """Replay orders from the same drawn seeds, and judge each against the baseline by what it gathers of a measure."""
    measure, baseline = question.measure or PAGERANK, question.baseline or BREADTH_FIRST
    questions = _questions(question, baseline)
    names = [one.name for one in questions]
    if measure != PAGERANK and measure not in session.graph.column_names:
        session.graph.column(measure)  # says what columns there are
    held = measure if measure in (PAGERANK, "clicks", "views") else "value"
    crawls = Crawls(session, Crawling(value=measure if held == "value" else None), tell=False)
    worth = crawls.metrics.worth[held]
    if not (worth > 0).any():
        raise GraphError(
            f"no page has {measure} above 0, so there is nothing to gather", hint="name another column by {measure}",
            fields=("measure",),
        )  # fmt: skip
    drawn = _drawn(session, question, steps, crawls, questions, held)
    gains = {one: _gain(drawn, one, baseline) for one in names if one != baseline}
    claims = as_evidence(session.graph, [_claim(one, baseline, measure, found) for one, found in gains.items()])
    by_pages = _by_pages(drawn)
    tables = {
        "orders": _orders(drawn, names, gains, claims, baseline),
        "by-pages": by_pages,
        "seed-sets": drawn.sets,
    }
    about = [
        f"{drawn.sets.num_rows // len(names)} draws of seeds; each takes {100 * drawn.overlap:.3g} % of one pool, and "
        "intervals are widened for that (Nadeau and Bengio 2003)"
    ]
    if copies := remark_on_copies(session.graph, np.where(worth > 0, worth, np.nan)):
        about.append(copies)
    shown = {**asdict(question), "orders": names, "measure": measure, "baseline": baseline}
    return Experiment("ordering", tables, _charts(by_pages, gains, measure, baseline), claims, [], shown, about)


def _questions(question: OrderingExperiment, baseline: str) -> list[CrawlQuestion]:
    """A question per order, the baseline among them; ``impact`` is refused where no order looks at it."""
    base = CrawlQuestion(rng=question.rng, impact=question.impact)
    names = list(question.orders or ORDERS)
    questions = [named(name, base) for name in dict.fromkeys([*names, baseline])]
    if len(set(names)) < len(names):
        raise UsageError("an order is named twice", hint="name each order once")
    if len(questions) < 2:
        raise UsageError("{orders} has nothing beside {baseline}", hint="name another", fields=("orders", "baseline"))
    CRAWL.refuse_unused(base, dict.fromkeys(one.order for one in questions))
    return questions


def _drawn(
    session: Session,
    question: OrderingExperiment,
    steps: Steps,
    crawls: Crawls,
    questions: Sequence[CrawlQuestion],
    held: str,
) -> _Drawn:
    count = seeds_of_a_set(session, question)
    pool = best_pages(session, POOL * count)
    stop = max(1, round(RULE["ordering"]["stop"] * session.graph.pages))
    stopped = [replace(one, limit=stop) for one in questions]
    draw = np.random.default_rng(question.rng)
    chosen = [np.sort(draw.permutation(len(pool))[:count]) for _ in range(sets_drawn(question))]
    rows, points = [], []
    with session.progress("seed draws", total=len(chosen)) as advance:
        for number, some in enumerate(chosen):
            found = measure_orders(steps, crawls, stopped, pool[some], f"set-{number}")
            rows.append(found["orders"].add_column(0, "set", pa.array([number] * len(stopped))))
            points.append(_read_off(found["curves"], number, held, stop))
            advance(1)
    sets = pa.concat_tables(rows, promote_options="default")
    frame = sets.to_pandas().pivot(index="set", columns="order", values=f"{held}_area")
    areas = {str(name): frame[name].to_numpy() for name in frame}
    return _Drawn(areas, pd.concat(points, ignore_index=True), sets, min(count / len(pool), 0.5))


def _read_off(curves: pa.Table, number: int, held: str, stop: int) -> pd.DataFrame:
    """What each order has gathered at `POINTS` of the crawl; one that ended earlier stays there."""
    frame = curves.select(["order", "pages", held]).to_pandas()
    pages = np.unique(np.maximum(np.round(POINTS * stop), 1))
    parts = [
        pd.DataFrame(
            {
                "set": number,
                "order": name,
                "share": pages / stop,
                "pages": pages.astype(np.int64),
                "gathered": np.interp(pages, some["pages"], some[held]),
            }
        )
        for name, some in frame.groupby("order", sort=False)
    ]
    return pd.concat(parts, ignore_index=True)


def _gain(drawn: _Drawn, order: str, baseline: str) -> Interval:
    """How much larger the area is than that of the baseline, in per cent of it, paired by draw."""
    one, base = drawn.areas[order], drawn.areas[baseline]
    whole = float(base.mean())
    if not whole > 0:
        return Interval(float("nan"), float("nan"), float("nan"), len(base), UNIT)
    ratio = float((one - base).mean()) / whole
    found = resampled_interval(ratio + (one - base - ratio * base) / whole, drawn.overlap, UNIT)
    return found.scaled(100)


def _claim(order: str, baseline: str, measure: str, found: Interval) -> Claim:
    spec = better_than(baseline, order, f"{order} gathers more of {measure} than {baseline}", QUANTITY)
    return undecided(spec, f"{baseline} gathers nothing") if found.value != found.value else judge(spec, found)


def _orders(
    drawn: _Drawn, names: Sequence[str], gains: Mapping[str, Interval], claims: Sequence[Claim], baseline: str
) -> pa.Table:
    """A row per order: its area, what it gains over the baseline, the margin, and the verdict."""
    verdicts = {claim.key.removesuffix(f" over {baseline}"): claim for claim in claims}
    rows = []
    for name in names:
        area = resampled_interval(drawn.areas[name], drawn.overlap)
        row = {"order": name, "area": area.value, "area_low": area.low, "area_high": area.high}
        if name in gains:
            gain, claim = gains[name], verdicts[name]
            row |= {"gain": gain.value, "gain_low": gain.low, "gain_high": gain.high}
            row |= {"holds_if": claim.region, "verdict": claim.outcome, "draws": gain.n}
        else:
            row |= {"verdict": "baseline", "draws": area.n}
        rows.append({key: None if value != value else value for key, value in row.items()})
    names_of = ("area", "area_low", "area_high", "gain", "gain_low", "gain_high")
    kinds = {"order": pa.string(), **dict.fromkeys(names_of, pa.float64())}
    kinds |= {"holds_if": pa.string(), "verdict": pa.string(), "draws": pa.int64()}
    return pa.Table.from_pylist(rows, pa.schema(list(kinds.items())))


def _by_pages(drawn: _Drawn) -> pa.Table:
    rows = []
    for (order, share, pages), some in drawn.reached.groupby(["order", "share", "pages"], sort=False):
        found = resampled_interval(some["gathered"].to_numpy(), drawn.overlap)
        row = {"order": order, "share": share, "pages": pages, "gathered": found.value, "low": found.low}
        rows.append({**row, "high": found.high, "draws": found.n})
    return pa.Table.from_pylist(rows)


def _charts(by_pages: pa.Table, gains: Mapping[str, Interval], measure: str, baseline: str) -> list[Chart]:
    curves = [
        Series(str(name), *(part.to_numpy(np.float64) for part in (some["pages"], 100 * some["gathered"])),
               *(part.to_numpy(np.float64) for part in (100 * some["low"], 100 * some["high"])))
        for name, some in by_pages.to_pandas().groupby("order", sort=False)
    ]  # fmt: skip
    value, low, high = (np.array([getattr(one, end) for one in gains.values()]) for end in ("value", "low", "high"))
    return [
        Chart(
            "gathered", f"Share of {measure} among the pages fetched so far", "pages fetched",
            f"share of all {measure}, %", curves, caption="Means over draws of seeds, with 95 % intervals.",
            palette=[one.name for one in curves], baselines=(baseline, "random"),
        ),
        Chart(
            "gain", f"Gain over {baseline}", "order", f"% of the area of {baseline}",
            [Series("gain", np.arange(len(gains), dtype=np.float64), value, low, high)], kind="bar", ticks=list(gains),
            caption=f"Paired by draw; better is more than {MARGINS[QUANTITY].least:g} %.",
        ),
    ]  # fmt: skip
