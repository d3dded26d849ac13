"""Where the links between the hosts of a synthetic web go, and how many links a page has."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from scipy.special import ndtri

from seedrank.engines.kernels import synthetic as kernel
from seedrank.engines.kernels.synthetic import Role, Web
from seedrank.ingest.synthetic.spec import WebSpec
from seedrank.ingest.synthetic.words import TOPICS

__all__ = ["extra_links", "inter_links", "link_order", "running", "set_pools", "sponsors"]

# Links to other hosts that stand on every page of a host, such as a blogroll
TEMPLATE_HOSTS = 0.3
TEMPLATE_SHARE = 0.4  # of the links between hosts
EXTRA_SPREAD, INTER_SPREAD = 0.7, 1.7  # log spread of links inside a host, of links to other hosts
MOST_LINKS = 2_000  # of one kind, of one page


def running(values: np.ndarray, dtype: type) -> np.ndarray:
    """Sums of the first 0, 1, 2, … values."""
    out: np.ndarray = np.zeros(len(values) + 1, dtype)
    np.cumsum(values, out=out[1:])
    return out


def link_order(
    role: np.ndarray, topic: np.ndarray, farm: np.ndarray, u: np.ndarray
) -> tuple[np.ndarray, dict[int, tuple[int, int]]]:
    """Hosts so that every set links are drawn from stands together, and the span of each role.

    Core hosts stand by topic, spam hosts by farm. Core hosts link to the roles behind them, up to the spam;
    hosts that come later stand behind those, for the links that are drawn anew.
    """
    sequence = (Role.CORE, Role.OUT, Role.FRONTIER, Role.SPAM, Role.LATE, Role.TENDRIL, Role.IN, Role.ISLAND)
    rank = np.empty(len(sequence), np.int64)
    rank[list(sequence)] = np.arange(len(sequence))
    group = np.where(role == Role.CORE, topic, np.where(role == Role.SPAM, farm, 0))
    order = np.lexsort((u, group, rank[role]))
    bounds = np.searchsorted(rank[role][order], np.arange(len(sequence) + 1))
    return order, {which: (int(bounds[k]), int(bounds[k + 1])) for k, which in enumerate(sequence)}


def set_pools(rows: np.ndarray, farm: np.ndarray, order: np.ndarray, spans: dict[int, tuple[int, int]]) -> None:
    """Set where the links of each host to other hosts go, and how many other hosts its pool holds."""
    role, topic = rows["role"], rows["topic"]
    core = spans[Role.CORE]
    to_core = np.isin(role, (Role.CORE, Role.IN, Role.FRONTIER, Role.LATE))
    topics = np.searchsorted(topic[order[slice(*core)]], np.arange(TOPICS + 1))
    _set_range(rows, to_core, "pool", *core)
    _set_range(rows, to_core, "topical", topics[topic[to_core]], topics[topic[to_core] + 1])
    _set_range(rows, role == Role.CORE, "side", core[1], spans[Role.SPAM][1])
    _set_range(rows, role == Role.IN, "side", *spans[Role.TENDRIL])
    # Each host of OUT links only to those behind it: no second giant component.
    position = np.empty(len(order), np.int64)
    position[order] = np.arange(len(order))
    out = role == Role.OUT
    _set_range(rows, out, "pool", position[out] + 1, spans[Role.OUT][1])
    # A farm links to itself, its most popular hosts get most; a little goes to the core, as camouflage.
    spam = role == Role.SPAM
    farms = np.searchsorted(farm[order[slice(*spans[Role.SPAM])]], np.arange(farm.max() + 2)) + spans[Role.SPAM][0]
    _set_range(rows, spam, "pool", farms[farm[spam]], farms[farm[spam] + 1])
    _set_range(rows, spam, "side", *core)
    rows["new_side_end"] = np.where(role == Role.CORE, spans[Role.LATE][1], rows["side_end"])
    inside = (position >= rows["pool"]) & (position < rows["pool_end"])
    rows["room"] = rows["pool_end"] - rows["pool"] - inside


def _set_range(rows: np.ndarray, which: np.ndarray, name: str, low: np.ndarray | int, high: np.ndarray | int) -> None:
    rows[name][which] = low
    rows[f"{name}_end"][which] = high


def inter_links(spec: WebSpec, rows: np.ndarray, u: np.ndarray, v: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Links on every page of a host, and quantiles of a page's own links to other hosts."""
    size, room = rows["before"], rows["room"]
    has = room > 0
    pages = float((size * has).sum())
    if pages == 0.0:
        return np.zeros(len(size), np.int64), _quantiles(0.0, INTER_SPREAD, least=0)
    wanted = spec.links_per_page * spec.inter_host * spec.pages / pages
    mean = wanted * TEMPLATE_SHARE / TEMPLATE_HOSTS
    template = np.where(has & (u < TEMPLATE_HOSTS), np.floor(2.0 * mean * v + 0.5), 0).astype(np.int64)
    own = wanted - float((size * np.minimum(template, room)).sum()) / pages
    own = max(own, 0.2 * wanted) * pages / float((size * has * rows["inter_factor"]).sum())
    return template, _quantiles(own, INTER_SPREAD, least=0)


def extra_links(spec: WebSpec, size: np.ndarray) -> np.ndarray:
    """Quantiles of the links inside a host, more of them to make up for hosts that are too small to hold them."""

    def mean(table: np.ndarray) -> float:
        room = size // 2
        fits = np.searchsorted(table, room)
        return float(size @ ((running(table, np.float64)[fits] + room * (len(table) - fits)) / len(table)) / size.sum())

    return _quantiles(spec.mean_extra, EXTRA_SPREAD, least=2, mean_of=mean)


def _quantiles(
    mean: float,
    spread: float,
    *,
    least: int,
    mean_of: Callable[[np.ndarray], float] = lambda table: float(table.mean()),
) -> np.ndarray:
    """int16, 4096: a log-normal number of links in whole numbers, so that `mean_of` it is `mean`, if it can be."""
    if mean <= 0.0:
        return np.zeros(4096, np.int16)
    shape = np.exp(spread * ndtri((np.arange(4096) + 0.5) / 4096))

    def table(scale: float) -> np.ndarray:
        return np.clip(np.floor(scale * shape + 0.5), least, MOST_LINKS)

    low, high = 0.0, 2.0 * mean
    for _ in range(40):
        middle = (low + high) / 2
        low, high = (middle, high) if mean_of(table(middle)) < mean else (low, middle)
    return table(high).astype(np.int16)


def sponsors(web: Web, able: np.ndarray, u: np.ndarray, v: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """The crawled page that links to each frontier host: a front page, or one of the sections below it."""
    guests = np.flatnonzero(web.hosts["role"] == Role.FRONTIER)
    able_hosts = np.flatnonzero(able)
    host = able_hosts[(u[guests] * len(able_hosts)).astype(np.int64)]
    size, fan_out = web.hosts["before"][host], web.hosts["fan_out"][host]
    with_pages_below = np.maximum(1, (size - 2 + fan_out) // fan_out)
    inner = (v[guests] * with_pages_below).astype(np.int64)
    inner[kernel.gone_pages(web, host, inner)] = 0
    page = kernel.page_ids(web, host, inner)
    order = np.lexsort((guests, page))
    return page[order], guests[order].astype(np.int32)
