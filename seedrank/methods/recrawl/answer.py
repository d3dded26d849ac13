"""Answer questions about when to come back: change rates, plans, what to fetch now, and simulations."""

from __future__ import annotations

import time
from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Any

import numpy as np
import pyarrow as pa

from seedrank.core.errors import UsageError
from seedrank.core.order import order, rounded
from seedrank.graph.levels import level_names
from seedrank.methods.recrawl.freshness import at_fixed_intervals, at_random_intervals, value_of_fetch
from seedrank.methods.recrawl.problem import Problem, budget_of, pose
from seedrank.methods.recrawl.rates import Changes
from seedrank.methods.recrawl.rates import change_rates as rates_of
from seedrank.methods.recrawl.simulation import simulation
from seedrank.methods.recrawl.visits import DAY, read_visits
from seedrank.questions.question import Saved
from seedrank.questions.recrawl import NextQuestion, PlanQuestion, RecrawlQuestion, SimulateQuestion
from seedrank.runs import Answer, Ranking, experiment_files
from seedrank.runs.facts import NextFacts, PlanFacts, RecrawlFacts
from seedrank.session import Session

__all__ = ["change_rates", "due_now", "plan", "simulate"]


def change_rates(
    session: Session, question: RecrawlQuestion, *, save: Saved = False, write: str | None = None
) -> Answer:
    """How often each visited page changes, most often first; table ``sites`` has each site and its lastmod."""
    session.check_column(write)
    started = time.perf_counter()
    visits = read_visits(session, question)
    found = rates_of(visits, int(session.sites.max(initial=-1)) + 1)
    pages = np.flatnonzero(found.visits > 0)
    pages = pages[order(found.rate[pages])]
    columns: dict[str, np.ndarray] = {
        name: getattr(found, name)[pages] for name in ("visits", "changes", "low", "high", "own", "days")
    }
    columns["last"] = _times(found.last[pages])
    sites = _sites(session, found)
    facts: RecrawlFacts = {
        "pages": len(pages),
        "visits": len(visits),
        "visits_unknown": visits.unknown,
        "changes": int(found.changes.sum()),
        "rate": float(found.prior.mean[-1]),
        "lastmod": {} if sites is None else _counted(sites["lastmod"].to_pylist()),
    }
    ranking = Ranking(pages, found.rate[pages], columns)
    if write is not None:
        session.write_places(write, pages, ranking.scores)
    tables = None if sites is None else {"sites": sites}
    return session.answered(question, started, ranking, facts, save=save, tables=tables, site=session.site)


def plan(session: Session, question: PlanQuestion, *, save: Saved = False, write: str | None = None) -> Answer:
    """How often to fetch each page, most often first; tables ``policies`` and ``hosts`` say what it comes to."""
    session.check_column(write)
    budget = budget_of(question)
    started = time.perf_counter()
    problem = pose(session, question)
    rates = problem.share_out(budget)
    own = rates[question.policy]
    first = order(own)
    fetches = own[first]
    with np.errstate(divide="ignore"):
        interval = np.where(fetches > 0, 1 / fetches, np.nan)
    due = problem.last[first] + np.nan_to_num(interval * DAY, nan=0.0)
    columns = {
        "interval": interval,
        "change_rate": problem.rate[first],
        "importance": problem.weight[first],
        "freshness": at_fixed_intervals(fetches, problem.rate[first]),
        "due": _times(np.where(fetches > 0, due, -1.0)),
    }
    policies = _policies(problem, rates)
    facts: PlanFacts = {
        "pages": len(problem.pages),
        "visited": int((problem.changes.visits[problem.pages] > 0).sum()),
        "visits": len(problem.visits),
        "visits_unknown": problem.visits.unknown,
        "policy": question.policy,
        "importance": problem.importance,
        "budget": budget,
        "compared": {row["policy"]: row for row in policies.to_pylist()},
    }
    ranking = Ranking(problem.pages[first], fetches, columns)
    if write is not None:
        session.write_places(write, ranking.pages, interval)
    tables = {"policies": policies, **_hosts(problem, own)}
    return session.answered(question, started, ranking, facts, save=save, tables=tables, site=session.site)


def due_now(session: Session, question: NextQuestion, *, save: Saved = False, write: str | None = None) -> Answer:
    """The pages whose fetch is worth the most at a time, best first, each with its reason.

    Pages that have waited for their longest interval come first; those fetched less than their shortest one ago wait.
    """
    session.check_column(write)
    started = time.perf_counter()
    problem = pose(session, question)
    at = problem.end + int(DAY) if question.at is None else _seconds(question.at)
    days = (at - problem.last) / DAY
    if (days < 0).all():
        raise UsageError("{at} is before every visit", hint="give a later time", fields=("at",))
    value = value_of_fetch(problem.weight, problem.rate, np.maximum(days, 0.0))
    overdue = days >= problem.latest
    may = (days >= problem.soonest) & (days > 0)
    first = np.lexsort((-rounded(value), ~overdue))
    first = first[may[first]]
    first = first[_within_caps(problem.host[first], problem.cap)][: question.budget]
    columns = {
        "why": _reasons(problem, first, days, overdue),
        "days": days[first],
        "change_rate": problem.rate[first],
        "importance": problem.weight[first],
        "chance": -np.expm1(-problem.rate[first] * days[first]),
    }
    facts: NextFacts = {
        "pages": len(first),
        "candidates": int(may.sum()),
        "visits_unknown": problem.visits.unknown,
        "overdue": int(overdue[first].sum()),
        "at": datetime.fromtimestamp(at, UTC).isoformat(timespec="seconds").removesuffix("+00:00"),
        "importance": problem.importance,
        "value": float(value[first].sum() / max(value[may].sum(), 1e-300)) if may.any() else 0.0,
    }
    ranking = Ranking(problem.pages[first], value[first], columns)
    return session.answered(question, started, ranking, facts, save=save, site=session.site)


def simulate(session: Session, question: SimulateQuestion) -> Answer:
    """Every policy as expected, simulated with changes that are drawn, and on the changes of the record."""
    budget = budget_of(question)
    started = time.perf_counter()
    experiment = simulation(pose(session, question), question, budget)
    run = session.record(question, started, {"about": list(experiment.about)}, site=session.site)
    with session.keeping():
        experiment_files.save(session.runs, run, experiment)
    return experiment_files.answer_of(run, experiment)


# -- tables


def _policies(problem: Problem, rates: Mapping[str, np.ndarray]) -> pa.Table:
    """What each policy comes to, a row each."""
    rows = []
    for name, fetches in rates.items():
        never = fetches <= 0
        rows.append(
            {
                "policy": name,
                "freshness": float((problem.weight * at_fixed_intervals(fetches, problem.rate)).sum()),
                "at_random": float((problem.weight * at_random_intervals(fetches, problem.rate)).sum()),
                "never": float(never.mean()),
                "never_worth": float(problem.weight[never].sum()),
                "fetches": float(fetches.sum()),
                "longest": float(1 / fetches[~never].min()) if not never.all() else None,
            }
        )
    return pa.Table.from_pylist(rows)


def _hosts(problem: Problem, fetches: np.ndarray) -> dict[str, pa.Table]:
    """Per host: pages, fetches a day, changes a day, and pages never fetched again; nothing where pages have none."""
    names = problem.session.graph.host_names
    if not len(names):
        return {}
    host, count = problem.host, len(names)
    placed = host >= 0
    columns = {
        "pages": np.bincount(host[placed], minlength=count),
        "fetches": np.bincount(host[placed], fetches[placed], count),
        "changes": np.bincount(host[placed], problem.rate[placed], count),
        "importance": np.bincount(host[placed], problem.weight[placed], count),
        "never": np.bincount(host[placed], fetches[placed] <= 0, count).astype(np.int64),
    }
    table = pa.table({"host": names.combine_chunks(), **columns})
    some = np.flatnonzero(columns["pages"])
    return {"hosts": table.take(pa.array(some[np.argsort(-columns["fetches"][some], kind="stable")]))}


def _sites(session: Session, found: Changes) -> pa.Table | None:
    """Per visited site: its visits, its rate of changes, and how far its lastmod can be trusted."""
    names = session.graph.host_names
    if not len(names):
        return None
    called = level_names(names, session.site)[1]
    count, site = len(found.prior.shape) - 1, session.sites
    placed = (site >= 0) & (found.visits > 0)
    of, lastmod = site[placed], found.lastmod
    columns = {
        "pages": np.bincount(of, minlength=count),
        "visits": np.bincount(of, found.visits[placed], count).astype(np.int64),
        "changes": np.bincount(of, found.changes[placed], count).astype(np.int64),
        "rate": found.prior.mean[:-1],
        "lastmod": pa.array(lastmod.verdicts, pa.string()),
        "precision": lastmod.precision,
        "recall": lastmod.recall,
        "with_lastmod": lastmod.given,
    }
    table = pa.table({session.site: called.slice(0, count), **columns})
    some = np.flatnonzero(columns["pages"])
    return table.take(pa.array(some[np.argsort(-columns["visits"][some], kind="stable")]))


def _counted(words: list[str]) -> dict[str, int]:
    return {word: words.count(word) for word in dict.fromkeys(words)}


# -- what to fetch now


def _within_caps(host: np.ndarray, cap: np.ndarray) -> np.ndarray:
    """Boolean per page, in their order: whether its host bears it that day."""
    if not np.isfinite(cap).any():
        return np.ones(len(host), bool)
    order = np.argsort(host, kind="stable")
    starts = np.searchsorted(host[order], host[order])
    place = np.empty(len(host), np.int64)
    place[order] = np.arange(len(host)) - starts
    return np.asarray(place < np.append(np.maximum(cap, 1.0), np.inf)[host])


def _reasons(problem: Problem, first: np.ndarray, days: np.ndarray, overdue: np.ndarray) -> np.ndarray:
    """A sentence for each page, which says why it is fetched now."""
    rate, visits = problem.rate[first], problem.changes.visits[problem.pages[first]]
    mean = problem.weight.mean()
    said = []
    for age, changes, seen, worth, late in zip(
        days[first], rate, visits, problem.weight[first], overdue[first], strict=True
    ):
        when = f"last fetched {_span(age)} ago" if seen else f"no visit in the record, which began {_span(age)} ago"
        how = f"changes every {_span(1 / changes)}, so {100 * -np.expm1(-changes * age):.0f} % that it has"
        longest = "waited for its longest interval; " if late else ""
        said.append(f"{longest}{when}; {how}; worth {worth / mean:.3g} × the mean")
    return np.array(said, dtype=object)


def _span(days: float) -> str:
    """A time for people."""
    if days < 1:
        return f"{24 * days:.3g} hours"
    return f"{days:.3g} days" if days < 1000 else f"{days / 365.25:,.3g} years"


def _seconds(text: str) -> int:
    return int(datetime.fromisoformat(text).replace(tzinfo=UTC).timestamp())


def _times(seconds: np.ndarray) -> np.ndarray:
    """Seconds since 1970 as times, none where they are below 0."""
    found: Any = np.asarray(np.where(seconds >= 0, seconds, 0), np.int64).astype("datetime64[s]")
    return np.where(seconds >= 0, found, np.datetime64("NaT", "s"))
