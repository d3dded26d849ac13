"""Whether plans do what is expected: simulated with changes that are drawn, and on the changes of the record."""

from __future__ import annotations

from dataclasses import asdict
from typing import Any

import numpy as np
import pyarrow as pa

from seedrank.core.errors import UsageError
from seedrank.engines.kernels.recrawl import UNKNOWN, drawn_freshness, recorded_freshness
from seedrank.graph import frozen
from seedrank.methods.recrawl.freshness import at_fixed_intervals, value_of_fetch
from seedrank.methods.recrawl.problem import Problem
from seedrank.methods.recrawl.rates import change_rates
from seedrank.methods.recrawl.visits import DAY, evidence
from seedrank.output.charts.chart import Chart, Series
from seedrank.questions.recrawl import SimulateQuestion
from seedrank.runs.experiment import Experiment

__all__ = ["drawn", "greedy", "simulation"]

GREEDY = "next"
"""The row of what `recrawl next` does, hour by hour."""
_MOST = 10_000_000
"""Pages times days that it is simulated for at most: some seconds."""
_LONGEST = 1e9
"""Fetches of a simulation at most: those of a repeat take some seconds."""
_FEWEST = 10
"""Pages with visits in the second half of the record from which on it is replayed."""
_MEASURES = ("expected", "simulated", "recorded")


def simulation(problem: Problem, question: SimulateQuestion, budget: float) -> Experiment:
    """Every policy side by side, as a table and a chart."""
    span = max(question.days, float(np.ptp(problem.visits.time)) / DAY)
    if budget * span > _LONGEST:
        raise UsageError(
            f"{{budget}} and {span:,.6g} days make {budget * span:.3g} fetches, more than can be followed one by one",
            hint="give fewer, or leave pages out by {only}: freshness depends on fetches a page",
            fields=("budget", "only"),
        )
    rates = problem.share_out(budget)
    rows: list[dict[str, Any]] = []
    with problem.session.progress("simulating recrawls", len(rates) + 1) as advance:
        for name, fetches in rates.items():
            expected = float((problem.weight * at_fixed_intervals(fetches, problem.rate)).sum())
            simulated, error = drawn(fetches, problem.rate, problem.weight, question)
            never = float((fetches <= 0).mean())
            rows.append({"policy": name, "expected": expected, "simulated": simulated, "error": error, "never": never})
            advance(1)
        if _is_free(problem) and len(problem.pages) * question.days <= _MOST:
            fresh, error = greedy(problem.rate, problem.weight, budget, question)
            rows.append({"policy": GREEDY, "expected": None, "simulated": fresh, "error": error, "never": None})
        advance(1)
    left_out = _replay(problem, question, budget, rows)
    order = ("policy", "expected", "simulated", "error", "recorded", "recorded_error", "never")
    types = [(name, pa.string() if name == "policy" else pa.float64()) for name in order]
    table = pa.Table.from_pylist(rows, pa.schema(types))
    about = [_verdict(rows), f"{len(problem.pages):,} pages, {budget:,.6g} fetches a day, {question.days:g} days"]
    return Experiment("recrawl-simulate", {"policies": table}, [_chart(rows)], [], left_out, asdict(question), about)


def drawn(
    fetches: np.ndarray, changes: np.ndarray, weight: np.ndarray, question: SimulateQuestion
) -> tuple[float, float]:
    """Freshness by what pages are worth, and its standard error: fetches at fixed intervals, changes drawn.

    Parameters
    ----------
    fetches, changes
        A day, per page.
    weight
        What each is worth, 1 together.
    """
    rates, changing, repeats = frozen(fetches), frozen(changes), question.repeats
    sums, squares = np.zeros(len(fetches)), np.zeros(len(fetches))
    for repeat in range(repeats):  # one by one, so that an interrupt is heard in between
        drawn_freshness(rates, changing, question.days, repeat, question.rng, sums, squares)
    mean = sums / repeats
    variance = weight**2 * np.maximum(squares - repeats * mean**2, 0.0) / (repeats - 1) / repeats
    return float((weight * mean).sum()), float(np.sqrt(variance.sum()))


def greedy(changes: np.ndarray, weight: np.ndarray, budget: float, question: SimulateQuestion) -> tuple[float, float]:
    """The same of fetching, hour by hour, the pages whose fetch is worth the most.

    As many days go before those that are measured. Where there is less than a fetch an hour, one is made as often as
    there is.
    """
    step = max(1 / 24, 1 / budget)
    begin = question.days
    rng = np.random.default_rng(question.rng)
    fetched = -rng.exponential(1 / changes)
    ends = np.full((question.repeats, len(changes)), -np.inf)
    fresh = np.zeros(question.repeats)

    def add(pages: np.ndarray, now: float) -> np.ndarray:
        """How long the copies of pages were fresh until now, by what they are worth, per repeat."""
        since, until = np.maximum(fetched[pages], begin), np.minimum(ends[:, pages], now)
        return np.asarray(np.maximum(until - since, 0.0) @ weight[pages])

    for turn in range(int(np.ceil(2 * begin / step))):
        now = turn * step
        # Parts of a fetch are carried over, so that all of them are the budget.
        count = min(int((turn + 1) * budget * step + 1e-9) - int(turn * budget * step + 1e-9), len(weight))
        if not count:
            continue
        value = value_of_fetch(weight, changes, now - fetched)
        chosen = np.argpartition(-value, count - 1)[:count]
        fresh += add(chosen, now)
        fetched[chosen] = now
        ends[:, chosen] = now + rng.exponential(1 / changes[chosen], (question.repeats, count))
    shares = (fresh + add(np.arange(len(weight)), 2 * begin)) / begin
    return float(shares.mean()), float(shares.std(ddof=1) / np.sqrt(question.repeats))


def _replay(problem: Problem, question: SimulateQuestion, budget: float, rows: list[dict[str, Any]]) -> list[str]:
    """Add what policies that know the first half of the record come to on the changes of the second; or say why not."""
    visits = problem.visits
    middle = (int(visits.time.min()) + int(visits.time.max())) / 2
    learnt = change_rates(visits.until(middle), len(problem.changes.prior.shape) - 1)
    kind, days, _ = evidence(visits, problem.changes.lastmod)
    later = (visits.time > middle) & (kind != UNKNOWN) & np.isfinite(days)
    at = np.empty(len(visits.pages), np.int64)
    at[visits.pages] = np.arange(len(at))
    counts = np.diff(visits.offsets_of(later))[at][problem.pages]
    if (counts > 0).sum() < _FEWEST:
        return [f"the record: fewer than {_FEWEST} pages have visits in its second half"]
    some = np.flatnonzero(counts)
    keep = np.zeros(len(visits.pages), bool)
    keep[at[problem.pages[some]]] = True
    chosen = later & np.repeat(keep, np.diff(visits.offsets))
    order = np.argsort(at[problem.pages[some]])
    some = some[order]
    offsets = frozen(np.append(0, np.cumsum(counts[some])))
    kinds, spans = frozen(kind[chosen]), frozen(days[chosen])
    covered = np.add.reduceat(spans, offsets[:-1])
    for name, fetches in problem.share_out(budget, learnt.rate[problem.pages]).items():
        fresh, part = np.zeros(len(some)), np.empty(len(some))
        for repeat in range(question.repeats):
            seed = question.rng + repeat
            recorded_freshness(frozen(fetches[some]), frozen(problem.rate[some]), offsets, kinds, spans, seed, part)
            fresh += part / question.repeats
        weight = problem.weight[some]
        share = (weight * fresh).sum() / (weight * covered).sum()
        rest = weight * (fresh - share * covered)
        row = next(one for one in rows if one["policy"] == name)
        row |= {"recorded": share, "recorded_error": float(np.sqrt((rest**2).sum()) / (weight * covered).sum())}
    return []


def _is_free(problem: Problem) -> bool:
    """Whether neither pages nor hosts have bounds."""
    return not (problem.soonest.any() or np.isfinite(problem.latest).any() or np.isfinite(problem.cap).any())


def _verdict(rows: list[dict[str, Any]]) -> str:
    """Whether the optimum is below another policy by more than two standard errors of the difference."""
    best = next(row for row in rows if row["policy"] == "optimum")
    above = [
        row["policy"]
        for row in rows
        if row["simulated"] - best["simulated"] > 2 * np.hypot(row["error"], best["error"]) and row is not best
    ]
    if above:
        return f"the optimum is below {' and '.join(above)} by more than two standard errors"
    return "the optimum is below no other policy by more than two standard errors"


def _chart(rows: list[dict[str, Any]]) -> Chart:
    places = np.arange(len(rows), dtype=np.float64)
    series = []
    for name in _MEASURES:
        values = np.array([np.nan if row.get(name) is None else 100 * row[name] for row in rows])
        if not np.isnan(values).all():
            series.append(Series(name, places, values))
    return Chart(
        "freshness",
        "How fresh copies are",
        "",
        "fresh, by what pages are worth, %",
        series,
        kind="bar",
        ticks=[row["policy"] for row in rows],
        caption="Expected at fixed intervals, simulated with changes drawn at the estimated rates, and replayed on the "
        "changes of the record's second half by plans that know its first.",
    )
