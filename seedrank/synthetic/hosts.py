"""The hosts of a synthetic web: sizes, roles, popularity. All that is kept in memory, some 250 bytes a host."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from scipy.special import betaincinv, ndtri

from seedrank.core.errors import UsageError
from seedrank.graph import MAX_PAGES
from seedrank.kernels import synthetic as kernel
from seedrank.kernels.synthetic import Hosting, Role, Web, uniforms
from seedrank.synthetic.spec import WebSpec
from seedrank.synthetic.words import TOPICS

__all__ = ["HostTable", "make_web"]

# Sizes
SIZE_EXPONENT = 1.1  # of the Pareto tail of host sizes; measured crawls lie between 1 and 1.3
LARGEST_SHARE = 0.05  # no host holds more of the pages, unless there are few hosts
FRONTIER_HOSTS = 0.15  # of the hosts are known by a few links only
FRONTIER_HOST_PAGES = 6
MIN_FAN_OUT, MAX_FAN_OUT = 12, 48  # pages below a page

# Roles of crawled hosts that are not spam: the bow tie of the web
ROLES = ((Role.CORE, 0.55), (Role.OUT, 0.22), (Role.IN, 0.12), (Role.TENDRIL, 0.06), (Role.ISLAND, 0.05))
HOSTINGS = ((Hosting.MENU, 0.60), (Hosting.TRAIL, 0.15), (Hosting.FEED, 0.25))
FARM_HOSTS = 6  # hosts of a spam farm
FARM_LINKS = 3  # a spam page has so many times the usual links to other hosts
SPAM_QUALITY = -3.0  # searchers see little of spam
LARGEST_SPAM_HOST = 0.01  # of the pages

# Quality and popularity, as logs
HOST_SPREAD = 1.3
POPULARITY_OF_QUALITY, POPULARITY_OF_SIZE, POPULARITY_NOISE = 0.9, 0.5, 0.8
UNPOPULAR = {Role.FRONTIER: 0.3, Role.LATE: 0.5}  # factors

# Links to other hosts that stand on every page of a host, such as a blogroll
TEMPLATE_HOSTS = 0.3
TEMPLATE_SHARE = 0.4  # of the links between hosts
EXTRA_SPREAD, INTER_SPREAD = 0.7, 1.7  # log spread of links inside a host, of links to other hosts
MOST_LINKS = 2_000  # of one kind, of one page

# Duplicates: most hosts have few, some mostly copies
COPY_HOSTS = 0.2
UNIQUE_RATE, COPY_UNIQUE_RATE = (8.0, 1.5), (1.5, 4.0)  # of beta distributions

# The later snapshot
DEAD_HOSTS = 0.16  # of the least popular hosts are gone, none of the most popular
OPENED_HOSTS = 0.5  # of the frontier hosts are crawled
GROWTH = 0.24  # at most, of a host
LATE_HOSTS = 0.06  # new hosts, as a share of the hosts
LATE_HOST_PAGES = 0.03  # and their pages, as a share of the pages


@dataclass(frozen=True)
class HostTable:
    """Columns of the hosts of a snapshot, by host number."""

    importance: np.ndarray
    """The popularity as somebody might measure it: with an error."""
    unique_rate: np.ndarray


def make_web(spec: WebSpec, *, later: bool = False) -> tuple[Web, HostTable]:
    """Everything about the web that does not belong to a single page.

    Hosts are numbered alike in both snapshots; those that come later stand at the end.
    """
    seed = np.uint64(kernel.mix(np.uint64(spec.seed) ^ kernel.GOLDEN))  # numba gives a plain int back
    first = spec.host_count
    frontier = int(first * FRONTIER_HOSTS) if spec.crawled < 1.0 else 0
    late = int(np.ceil(first * LATE_HOSTS)) if first > 1 else 0
    count = first + late

    def noise(purpose: int) -> np.ndarray:
        return uniforms(seed, purpose, count)

    role = _pick(noise(0), ROLES)
    shuffled = np.argsort(noise(1)[:first], kind="stable")
    role[shuffled[:frontier]] = Role.FRONTIER
    role[first:] = Role.LATE
    size = _sizes(spec, role, noise(2))
    largest = int(np.argmax(size))
    role[largest] = Role.CORE
    spam = _spam_hosts(spec, role, size, shuffled[frontier:], largest)
    role[spam] = Role.SPAM
    farm = np.zeros(count, np.int64)
    farm[spam] = np.arange(len(spam)) // FARM_HOSTS

    quality = ndtri(np.clip(noise(3), 1e-9, 1 - 1e-9)) * HOST_SPREAD
    quality[spam] += SPAM_QUALITY
    popularity = np.exp(
        POPULARITY_OF_QUALITY * quality
        + POPULARITY_OF_SIZE * np.log(np.maximum(size, 1))
        + POPULARITY_NOISE * ndtri(np.clip(noise(4), 1e-9, 1 - 1e-9))
    )
    for which, factor in UNPOPULAR.items():
        popularity[role == which] *= factor

    fan_out = MIN_FAN_OUT + (noise(5) * (MAX_FAN_OUT - MIN_FAN_OUT + 1)).astype(np.int64)
    fan_out = np.maximum(fan_out, int(np.ceil(2.0 / spec.crawled)))
    hosting = _pick(noise(6), HOSTINGS)
    hosting[largest] = Hosting.MENU
    topic = (noise(7) ** 1.5 * TOPICS).astype(np.int64)  # some topics are larger than others

    standing = np.empty(count)  # 0 for the least popular host, 1 for the most popular
    standing[np.argsort(popularity, kind="stable")] = np.arange(count) / max(1, count - 1)
    can_die = np.isin(role, (Role.CORE, Role.IN, Role.OUT, Role.TENDRIL, Role.ISLAND, Role.SPAM))
    can_die[largest] = False
    dies = can_die & (noise(8) < DEAD_HOSTS * (1.0 - standing))
    opened = (role == Role.FRONTIER) & (noise(9) < OPENED_HOSTS)
    grows = ~dies & ((role != Role.FRONTIER) | opened)
    grown = np.where(grows, np.floor(size * noise(10) * GROWTH + noise(11)), 0).astype(np.int64)
    grown[first:] = size[first:]
    size[first:] = 0

    start, added = _running(size, np.int64), _running(grown, np.int64) + spec.pages
    if later and added[-1] > MAX_PAGES:
        raise UsageError(f"the later web of {added[-1]} pages cannot be made", hint="ask for a tenth fewer pages")
    order, spans = _order(role, topic, farm, noise(12))
    rows = np.zeros(count, kernel.HOST)
    rows["number"] = np.arange(count)
    rows["start"], rows["before"] = start[:-1], size
    rows["added"], rows["grown"] = added[:-1], grown if later else 0
    rows["turn"] = noise(16) * 2**31
    rows["fan_out"], rows["hosting"], rows["role"], rows["topic"] = fan_out, hosting, role, topic
    rows["dead"] = dies & later
    rows["closed"] = (dies & later) | ((role == Role.FRONTIER) & ~(opened & later))
    rows["quality"] = quality
    # The crawled share is as asked for on average, but not on every host.
    rows["crawled"] = spec.crawled + 0.5 * spec.crawled * (1.0 - spec.crawled) * (2.0 * noise(13) - 1.0)
    rows["inter_factor"] = np.where(role == Role.SPAM, FARM_LINKS, 1)
    _set_pools(rows, farm, order, spans)
    rows["template"], mean_inter = _inter_links(spec, rows, noise(14), noise(15))
    web = Web(
        seed=seed,
        pages=spec.pages,
        later=later,
        hosts=rows,
        start=start,
        added=added,
        order=order.astype(np.int32),
        popularity=_running(popularity[order], np.float64),
        sponsor=np.empty(0, np.int64),
        sponsored=np.empty(0, np.int32),
        extra=_extra_links(spec, size),
        inter=_quantiles(mean_inter, INTER_SPREAD, least=0),
    )
    sponsor, sponsored = _sponsors(web, ~dies & np.isin(role, (Role.CORE, Role.IN, Role.OUT)), noise(17), noise(18))
    copies = noise(19) < COPY_HOSTS
    unique = np.where(copies, betaincinv(*COPY_UNIQUE_RATE, noise(20)), betaincinv(*UNIQUE_RATE, noise(20)))
    measured = popularity * np.exp(0.4 * ndtri(np.clip(noise(21), 1e-9, 1 - 1e-9)))
    return web._replace(sponsor=sponsor, sponsored=sponsored), HostTable(measured, unique)


def _running(values: np.ndarray, dtype: type) -> np.ndarray:
    out: np.ndarray = np.zeros(len(values) + 1, dtype)
    np.cumsum(values, out=out[1:])
    return out


def _pick(u: np.ndarray, shares: tuple[tuple[int, float], ...]) -> np.ndarray:
    """The kind each number in [0, 1) falls on."""
    bounds = np.cumsum([share for _, share in shares])[:-1]
    return np.array([kind for kind, _ in shares])[np.searchsorted(bounds, u, side="right")]


def _sizes(spec: WebSpec, role: np.ndarray, u: np.ndarray) -> np.ndarray:
    """Pages per host: sum to the pages of the spec, and to the pages of new hosts."""
    size = np.zeros(len(role), np.int64)
    frontier = role == Role.FRONTIER
    size[frontier] = 1 + (u[frontier] ** 2 * FRONTIER_HOST_PAGES).astype(np.int64)
    crawled = np.flatnonzero((role != Role.FRONTIER) & (role != Role.LATE))
    late = np.flatnonzero(role == Role.LATE)
    size[crawled] = _pareto(spec.pages - int(size.sum()), u[crawled])
    if len(late):
        size[late] = _pareto(max(len(late), int(spec.pages * LATE_HOST_PAGES)), u[late])
    return size


def _pareto(total: int, u: np.ndarray) -> np.ndarray:
    """`total` pages over hosts with a Pareto tail, at least one each."""
    weight = (1.0 - u) ** (-1.0 / SIZE_EXPONENT)
    weight = np.minimum(weight, weight.sum() * max(LARGEST_SHARE, 4.0 / len(u)))
    exact = weight / weight.sum() * (total - len(u))
    size = np.floor(exact).astype(np.int64)
    missing = total - len(u) - int(size.sum())
    size[np.argsort(size - exact, kind="stable")[:missing]] += 1
    return size + 1


def _spam_hosts(spec: WebSpec, role: np.ndarray, size: np.ndarray, candidates: np.ndarray, largest: int) -> np.ndarray:
    """Hosts of the spam farms: none of the large ones, together as many pages as asked for."""
    limit = max(int(spec.pages * LARGEST_SPAM_HOST), int(np.median(size[candidates])))
    fit = candidates[(size[candidates] <= limit) & (candidates != largest)]
    if spec.spam == 0.0 or not len(fit):
        return fit[:0]
    needed = int(np.searchsorted(np.cumsum(size[fit]), spec.spam * spec.pages)) + 1
    return fit[:needed]


def _order(
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


def _set_pools(rows: np.ndarray, farm: np.ndarray, order: np.ndarray, spans: dict[int, tuple[int, int]]) -> None:
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


def _inter_links(spec: WebSpec, rows: np.ndarray, u: np.ndarray, v: np.ndarray) -> tuple[np.ndarray, float]:
    """Links on every page of a host, and the mean of a page's own links to other hosts."""
    size, room = rows["before"], rows["room"]
    has = room > 0
    pages = float((size * has).sum())
    if pages == 0.0:
        return np.zeros(len(size), np.int64), 0.0
    wanted = spec.links_per_page * spec.inter_host * spec.pages / pages
    mean = wanted * TEMPLATE_SHARE / TEMPLATE_HOSTS
    template = np.where(has & (u < TEMPLATE_HOSTS), np.floor(2.0 * mean * v + 0.5), 0).astype(np.int64)
    own = wanted - float((size * np.minimum(template, room)).sum()) / pages
    return template, max(own, 0.2 * wanted) * pages / float((size * has * rows["inter_factor"]).sum())


def _extra_links(spec: WebSpec, size: np.ndarray) -> np.ndarray:
    """Quantiles of the links inside a host, more of them to make up for hosts that are too small to hold them."""

    def mean(table: np.ndarray) -> float:
        room = size // 2
        fits = np.searchsorted(table, room)
        return float(
            size @ ((_running(table, np.float64)[fits] + room * (len(table) - fits)) / len(table)) / size.sum()
        )

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


def _sponsors(web: Web, able: np.ndarray, u: np.ndarray, v: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
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
