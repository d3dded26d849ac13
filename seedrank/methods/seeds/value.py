"""What a page is worth (Zheng et al. 2009, section 3; docs/algorithms.md §2.1)."""

from __future__ import annotations

import logging
from dataclasses import dataclass

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from seedrank.core import numbers
from seedrank.core.errors import GraphError, InputError
from seedrank.core.model import Status
from seedrank.engines.base import Engine
from seedrank.graph import WebGraph
from seedrank.questions.seeds import Worth

__all__ = [
    "PaperRules", "array_value", "column_value", "paper_value", "read_history", "uniform_value", "unique_rates",
    "worth_of",
]  # fmt: skip

log = logging.getLogger(__name__)

_HISTORY = "a table with columns host, fetched (new pages) and unique (those that were no duplicates)"
_EXACT = 2.0**53
"""From this total on, in units of the smallest value, a sum of float64 can lose that value."""


@dataclass(frozen=True)
class PaperRules:
    """The paper's rules, applied in this order: base, spam, clicked, then the bonus for uncrawled links."""

    base: float = 1.0
    """Worth of a crawled page. Default 1."""
    spam: float = -10.0
    """Worth of a spam page. Default -10."""
    clicked: float = 10.0
    """Worth of a page that was clicked, spam or not. Default 10."""
    spam_bonus: bool = False
    """The literal reading: spam pages too get the bonus for their uncrawled links, which lifts a page with more than
    ten of them above 0. Default off."""

    def __post_init__(self) -> None:
        for name in ("base", "spam", "clicked"):
            numbers.finite(f"value_{name}", getattr(self, name), -numbers.MOST_WORTH, numbers.MOST_WORTH)


def worth_of(question: Worth, graph: WebGraph, engine: Engine, site: np.ndarray) -> np.ndarray:
    """What each page is worth as a question says, float64.

    Values of one sign may span any range: their sums are right in the ten digits that are compared. Of values of both
    signs, sums are exact for whole numbers whose sizes sum to less than 2^53, and for multiples of a power of two with
    that as unit; where the sizes sum to 2^53 times the smallest or more a sum can lose it, and a warning says so.
    """
    worth = _worth_of(question, graph, engine, site)
    _warn_of_range(worth)
    return worth


def _worth_of(question: Worth, graph: WebGraph, engine: Engine, site: np.ndarray) -> np.ndarray:
    if question.value == "uniform":
        return uniform_value(graph)
    if question.value == "paper":
        history = None if question.history is None else read_history(question.history)
        rates = unique_rates(graph, site, history)
        rules = PaperRules(question.value_base, question.value_spam, question.value_clicked, question.spam_bonus)
        return paper_value(graph, engine.links_into(graph.status == Status.FRONTIER), rates, rules)
    if question.value.endswith(".npy"):
        return array_value(graph, question.value)
    return column_value(graph, question.value)


def _warn_of_range(worth: np.ndarray) -> None:
    """Say so where values of both signs are too far apart to be summed without losing the smallest."""
    if not ((worth < 0).any() and (worth > 0).any()):
        return
    sizes = np.abs(worth[worth != 0])
    with np.errstate(over="ignore"):
        smallest, total = float(sizes.min()), float(sizes.sum())
    if total >= _EXACT * smallest:
        log.warning(
            "pages are worth as little as %g beside %g in all: where values of both signs cancel out, the smallest are "
            "lost in a sum; round them to a larger unit",
            smallest,
            total,
        )


def uniform_value(graph: WebGraph) -> np.ndarray:
    """1 per crawled page, 0 for the others."""
    return (graph.status == Status.CRAWLED).astype(np.float64)


def column_value(graph: WebGraph, name: str) -> np.ndarray:
    """A page column as it is, for every page; a page without a value is worth 0."""
    values = np.array(graph.column(name), np.float64)
    if np.isinf(values).any():
        page = int(np.flatnonzero(np.isinf(values))[0])
        raise GraphError(f"column {name!r} of page {page} is infinite", hint="give finite values")
    if np.isnan(values).all():
        raise GraphError(f"no page has a value in column {name!r}")
    return np.nan_to_num(values, nan=0.0)


def array_value(graph: WebGraph, file: str) -> np.ndarray:
    """Worth from a file of NumPy with a number per page, in the order of their ids; a page with NaN is worth 0."""
    try:
        values = np.load(file, allow_pickle=False)
    except (OSError, ValueError, EOFError) as error:
        reason = getattr(error, "strerror", None) or "no array of numbers"
        raise InputError(f"cannot be read ({reason})", file=file, hint="give a file of numpy.save") from error
    if not isinstance(values, np.ndarray) or values.dtype.kind not in "biuf" or values.shape != (graph.pages,):
        raise InputError(
            f"is no array of {graph.pages:,} numbers, one per page", file=file, hint="give one for every page, by id"
        )
    values = values.astype(np.float64)
    if np.isinf(values).any() or np.isnan(values).all():
        raise InputError("values of pages are infinite, or none is known", file=file, hint="give finite values")
    return np.nan_to_num(values, nan=0.0)


def paper_value(
    graph: WebGraph, uncrawled_links: np.ndarray, unique_rate: np.ndarray, rules: PaperRules | None = None
) -> np.ndarray:
    """Worth of each page by the paper's rules, float64.

    Only crawled pages are worth something; uncrawled ones count through the pages that link to them.

    Parameters
    ----------
    graph
        With columns ``spam`` and ``clicks`` where they are known; a page without a value (NaN) is taken as neither spam
        nor clicked.
    uncrawled_links
        Per page: how many frontier pages it links to (missing pages do not count).
    unique_rate
        Per page: chance that a newly fetched page of its site is no duplicate (`unique_rates`).
    rules
        The constants; the paper's by default.
    """
    rules = rules or PaperRules()
    value = np.full(graph.pages, rules.base, np.float64)
    spam = _above_zero(graph, "spam")
    clicked = _above_zero(graph, "clicks")
    value[spam] = rules.spam
    value[clicked] = rules.clicked
    bonus = uncrawled_links * unique_rate
    if not rules.spam_bonus:
        bonus[spam & ~clicked] = 0
    value += bonus
    value[graph.status != Status.CRAWLED] = 0
    return value


def read_history(file: str) -> dict[str, tuple[float, float]]:
    """Past crawls, a table ``host``, ``fetched``, ``unique``: host -> (new pages fetched, unique among them).

    Rows of one host add up.
    """
    from seedrank.loaders.columns import convert  # few questions need loaders
    from seedrank.loaders.table import TableSource

    history: dict[str, tuple[float, float]] = {}
    for batch in TableSource(hosts=[file]).batches():
        columns = [batch.rows.column("host").to_pylist()]
        for name in ("fetched", "unique"):
            if name not in batch.rows.schema.names:
                raise InputError(f"has no column {name}", file=file, hint=_HISTORY)
            numbers = convert(batch.rows.column(name), pa.float64(), column=name, where=batch.where)
            columns.append(numbers.fill_null(0.0).to_pylist())
        for row, (host, fetched, unique) in enumerate(zip(*columns, strict=True)):
            if not 0 <= unique <= fetched:
                message = "more unique pages than were fetched"
                raise batch.where.error(row, message, _HISTORY, column="unique", value=unique)
            before = history.get(host, (0.0, 0.0))
            history[host] = (before[0] + fetched, before[1] + unique)
    return history


def unique_rates(
    graph: WebGraph, site: np.ndarray, history: dict[str, tuple[float, float]] | None = None
) -> np.ndarray:
    """Chance, per page, that a newly fetched page of its site is not a duplicate.

    From the page column ``unique_rate``, else the host column, else the history of past crawls: unique new pages
    by new pages fetched, per site; a site without history takes the rate pooled over all sites; 1 when nothing
    is known.
    """
    rate = np.full(graph.pages, np.nan)
    if "unique_rate" in graph.column_names:
        rate = np.array(graph.column("unique_rate"), np.float64)
    if "unique_rate" in graph.hosts.column_names:
        of_host = graph.hosts["unique_rate"].to_numpy().astype(np.float64)
        rate = np.where(np.isnan(rate), np.append(of_host, np.nan)[graph.host], rate)
    if history:
        rate = np.where(np.isnan(rate), _from_history(graph, site, history), rate)
    outside = np.flatnonzero((rate < 0) | (rate > 1))
    if len(outside):
        raise GraphError(f"unique_rate of page {outside[0]} is {rate[outside[0]]}", hint="give a share from 0 to 1")
    return np.nan_to_num(rate, nan=1.0)


def _from_history(graph: WebGraph, site: np.ndarray, history: dict[str, tuple[float, float]]) -> np.ndarray:
    index = pc.index_in(graph.host_names, value_set=_names(history)).to_numpy(zero_copy_only=False)
    numbers = np.array(list(history.values()), np.float64).reshape(-1, 2)
    known = ~np.isnan(index.astype(np.float64))
    host_counts = np.zeros((len(graph.host_names), 2))
    host_counts[known] = numbers[index[known].astype(np.int64)]
    # A page of each host says which site the host belongs to.
    with_host = np.flatnonzero(graph.host >= 0)
    site_of_host = np.full(len(graph.host_names), -1, np.int64)
    site_of_host[graph.host[with_host]] = site[with_host]
    sites = int(site.max(initial=-1)) + 1
    placed = site_of_host >= 0
    fetched, unique = (
        np.bincount(site_of_host[placed], weights=host_counts[placed, k], minlength=sites) for k in (0, 1)
    )
    pooled = numbers[:, 1].sum() / numbers[:, 0].sum() if numbers[:, 0].sum() > 0 else 1.0
    of_site = np.where(fetched > 0, unique / np.maximum(fetched, 1e-300), pooled)
    picked: np.ndarray = np.append(of_site, pooled)[site]
    return picked


def _names(history: dict[str, tuple[float, float]]) -> pa.Array:
    return pa.array(list(history), pa.large_string())


def _above_zero(graph: WebGraph, name: str) -> np.ndarray:
    if name not in graph.column_names:
        return np.zeros(graph.pages, bool)
    above: np.ndarray = graph.column(name) > 0
    return above
