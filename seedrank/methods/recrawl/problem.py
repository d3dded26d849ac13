"""What a recrawl is planned for: pages with what they are worth, how often they change, and their bounds."""

from __future__ import annotations

import logging
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from seedrank.core.errors import GraphError, InputError, UsageError
from seedrank.core.model import Status
from seedrank.graph import WebGraph
from seedrank.graph.filters import allowed
from seedrank.loaders.base import Batch
from seedrank.loaders.table import TableSource
from seedrank.methods.recrawl.methods import POLICIES
from seedrank.methods.recrawl.policies import Sharing
from seedrank.methods.recrawl.rates import Changes, change_rates
from seedrank.methods.recrawl.visits import DAY, Visits, read_visits
from seedrank.questions.recrawl import Returning, Scheduled, days_of, per_day
from seedrank.session import Session

__all__ = ["LONGEST", "Problem", "budget_of", "pose"]

log = logging.getLogger(__name__)

LONGEST = 36_500.0
"""Days: a page that would be fetched more rarely is never fetched again."""
IMPORTANCE = ("views", "clicks")
"""Columns that say what a page is worth where nobody names one, the first that has values; PageRank without them."""
_BOUNDS = ("min_interval", "max_interval", "host_delay")


@dataclass(frozen=True)
class Problem:
    """Pages to come back to; arrays are per page of them."""

    session: Session
    visits: Visits
    changes: Changes
    """Of all pages of the graph."""
    pages: np.ndarray
    """Their ids: those that were crawled or visited."""
    importance: str
    """What says what they are worth."""
    weight: np.ndarray
    """What each is worth, above 0; 1 together."""
    soonest: np.ndarray
    latest: np.ndarray
    """Days from one fetch to the next: no fewer, no more."""
    cap: np.ndarray
    """Fetches a day that each host bears."""

    @property
    def rate(self) -> np.ndarray:
        """Changes a day."""
        return self.changes.rate[self.pages]

    @property
    def host(self) -> np.ndarray:
        """Number of the host, -1 for none."""
        return np.asarray(self.session.graph.host[self.pages])

    @cached_property
    def end(self) -> int:
        """The last visit of the record, seconds since 1970."""
        return int(self.visits.time.max())

    @property
    def last(self) -> np.ndarray:
        """Last visit, seconds since 1970; where there is none, the first of the record."""
        last = self.changes.last[self.pages]
        return np.where(last >= 0, last, self.visits.time.min())

    def share_out(self, budget: float, rate: np.ndarray | None = None) -> dict[str, np.ndarray]:
        """Fetches a day of each page, by policy; `rate` in place of what is known of changes.

        A page that would be fetched less than once in `LONGEST` days is never fetched again.
        """
        with np.errstate(divide="ignore"):
            least, most = np.where(np.isfinite(self.latest), 1 / self.latest, 0.0), 1 / self.soonest
        sharing = Sharing(self.weight, self.rate if rate is None else rate, budget, least, most, self.host, self.cap)
        sharing.check()
        found = {}
        with self.session.progress("sharing fetches out", len(POLICIES)) as advance:
            for policy in POLICIES:
                rates = policy.run(sharing)
                found[policy.name] = np.where(rates * LONGEST >= 1, rates, 0.0)
                advance(1)
        return found


def pose(session: Session, question: Returning) -> Problem:
    """What a question is about."""
    graph = session.graph
    visits = read_visits(session, question)
    changes = change_rates(visits, int(session.sites.max(initial=-1)) + 1)
    known = (graph.status == Status.CRAWLED) | (changes.visits > 0)
    pages = np.flatnonzero(known & allowed(graph, question.only, question.exclude, session.level))
    if not len(pages):
        raise GraphError("no page may be fetched again", hint="check {only} and {exclude}", fields=("only", "exclude"))
    name, weight = _importance(session, question.importance, pages)
    soonest, latest, cap = _bounds(graph, question, pages)
    return Problem(session, visits, changes, pages, name, weight, soonest, latest, cap)


def budget_of(question: Scheduled) -> float:
    """Fetches a day; none given is an error."""
    if question.budget is None:
        raise UsageError(
            "{budget} is missing", hint="say how many fetches there are, such as 5000/day", fields=("budget",)
        )
    return per_day("budget", question.budget)


def _importance(session: Session, name: str | None, pages: np.ndarray) -> tuple[str, np.ndarray]:
    """What says what pages are worth, and what each is, 1 together.

    Pages without a value, or of value 0, are worth half of the least that any other is.
    """
    graph = session.graph
    if name is None:
        known = (one for one in IMPORTANCE if one in graph.column_names and np.nansum(graph.column(one)) > 0)
        name = next(known, "pagerank")
    if name in graph.column_names:
        values = np.asarray(graph.column(name), np.float64)[pages]
    elif name == "pagerank":
        values = np.asarray(session.pagerank, np.float64)[pages]
    elif name == "uniform":
        values = np.ones(len(pages))
    else:
        there = ", ".join(sorted(graph.column_names)) or "none"
        raise GraphError(
            "pages have no column {name} to tell what they are worth",
            hint="name another with {importance} (there are: {there}), pagerank or uniform",
            fields=("importance",),
            values={"name": repr(name), "there": there},
        )
    values = np.nan_to_num(values, nan=0.0, posinf=np.inf)
    if (values < 0).any() or np.isinf(values).any():
        raise GraphError(f"column {name!r} has values below 0 or without end", hint="mend the column")
    if not values.any():
        raise GraphError(f"every page is worth 0 by {name!r}", hint="name another column with {importance}",
                         fields=("importance",))  # fmt: skip
    values = np.where(values > 0, values, values[values > 0].min() / 2)
    return name, values / values.sum()


def _bounds(graph: WebGraph, question: Returning, pages: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Shortest and longest interval per page, and the fetches a day that each host bears."""
    hosts = len(graph.host_names)
    usual = {
        "min_interval": days_of("min_interval", question.min_interval or "0"),
        "max_interval": np.inf if question.max_interval is None else days_of("max_interval", question.max_interval),
        "host_delay": question.host_delay,
    }
    of_host = {name: np.full(hosts + 1, value, np.float64) for name, value in usual.items()}
    if question.bounds is not None:
        _read_bounds(graph, question.bounds, of_host)
    soonest, latest = (of_host[name][graph.host[pages]] for name in ("min_interval", "max_interval"))
    wrong = np.flatnonzero(soonest > latest)
    if len(wrong):
        host = graph.host_names[int(graph.host[pages[wrong[0]]])].as_py()
        raise UsageError(
            f"{host} may be fetched again after {soonest[wrong[0]]:g} days, and must be after {latest[wrong[0]]:g}",
            hint="change one of them",
        )
    with np.errstate(divide="ignore"):
        return soonest, latest, DAY / of_host["host_delay"][:hosts]


def _read_bounds(graph: WebGraph, file: str, of_host: Mapping[str, np.ndarray]) -> None:
    """Put the bounds that a table gives to hosts in the place of the usual ones; empty fields change nothing."""
    used = False
    for batch in TableSource(hosts=[file]).batches():
        names = batch.rows.schema.names
        used |= bool(set(_BOUNDS) & set(names))
        index = pc.index_in(batch.rows.column("host").cast(graph.host_names.type), value_set=graph.host_names)
        known = np.flatnonzero(index.is_valid().to_numpy(zero_copy_only=False))
        if len(known) < len(index):
            log.warning("%s: %s hosts are not in the graph", file, f"{len(index) - len(known):,}")
        for name in (one for one in _BOUNDS if one in names):
            texts = batch.rows.column(name).cast(pa.string()).to_pylist()
            for row in known:
                if texts[row] not in (None, ""):
                    of_host[name][index[int(row)].as_py()] = _bound(batch, name, int(row), texts[row])
    if not used:
        raise InputError("has no bounds", file=file, hint=f"give it columns of {', '.join(_BOUNDS)}")


def _bound(batch: Batch, name: str, row: int, text: str) -> float:
    """Days, or seconds of a delay."""
    try:
        value = days_of(name, text) if name != "host_delay" else float(text)
    except (UsageError, ValueError):
        value = -1.0
    if not 0 <= value < np.inf or (name == "max_interval" and value == 0):
        raise InputError(
            "is not a time", file=batch.where.file, line=batch.where.line(row), column=name, value=text,
            hint="write seconds" if name == "host_delay" else "write it like 6h, 30d or 2w",
        )  # fmt: skip
    return value
