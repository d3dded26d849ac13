"""The hosts of a synthetic web: sizes, roles, popularity. All that is kept in memory, some 250 bytes a host."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from enum import IntEnum

import numpy as np
from scipy.special import betaincinv, ndtri

from seedrank.core.errors import UsageError
from seedrank.engines.kernels import synthetic as kernel
from seedrank.engines.kernels.hashing import GOLDEN, mix
from seedrank.engines.kernels.synthetic import Hosting, Role, Web, uniforms
from seedrank.graph import MAX_PAGES
from seedrank.ingest.synthetic.host_links import extra_links, inter_links, link_order, running, set_pools, sponsors
from seedrank.ingest.synthetic.spec import WebSpec
from seedrank.ingest.synthetic.words import TOPICS

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
MEASURING_ERROR = 0.4  # of the popularity, as it is measured

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


class Purpose(IntEnum):
    """What the random numbers of the hosts decide; another number of a purpose makes another web."""

    ROLE = 0
    SHUFFLE = 1
    SIZE = 2
    QUALITY = 3
    POPULARITY = 4
    FAN_OUT = 5
    HOSTING = 6
    TOPIC = 7
    DEATH = 8
    OPENING = 9
    GROWTH = 10
    GROWTH_ROUNDING = 11
    LINK_ORDER = 12
    CRAWLED = 13
    TEMPLATE = 14
    TEMPLATE_LINKS = 15
    TURN = 16
    SPONSOR = 17
    SPONSOR_PAGE = 18
    COPIES = 19
    UNIQUE_RATE = 20
    MEASURED = 21


Noise = Callable[[Purpose], np.ndarray]
"""A number in [0, 1) for each host."""


@dataclass(frozen=True)
class _Hosts:
    """What the hosts are, by host number; those from `first` on exist in the later snapshot only."""

    first: int
    largest: int
    """Number of the largest host."""
    role: np.ndarray
    size: np.ndarray
    """Pages in the snapshot a host first appears in."""
    farm: np.ndarray
    """Number of the farm of a spam host, 0 for the others."""
    quality: np.ndarray
    popularity: np.ndarray
    topic: np.ndarray

    @property
    def before(self) -> np.ndarray:
        """Pages in the first snapshot."""
        return np.where(np.arange(len(self.size)) < self.first, self.size, 0)


@dataclass(frozen=True)
class _Fate:
    """What becomes of the hosts in the later snapshot, by host number."""

    dies: np.ndarray
    opened: np.ndarray
    """Frontier hosts that are crawled by then."""
    grown: np.ndarray
    """Pages that are added."""


def make_web(spec: WebSpec, *, later: bool = False) -> tuple[Web, HostTable]:
    """Everything about the web that does not belong to a single page.

    Hosts are numbered alike in both snapshots; those that come later stand at the end.
    """
    seed = np.uint64(mix(np.uint64(spec.rng) ^ GOLDEN))  # numba gives a plain int back
    late = int(np.ceil(spec.host_count * LATE_HOSTS)) if spec.host_count > 1 else 0

    def noise(purpose: Purpose) -> np.ndarray:
        return uniforms(seed, int(purpose), spec.host_count + late)

    hosts = _draw_hosts(spec, noise)
    fate = _draw_fate(hosts, noise)
    start, added = running(hosts.before, np.int64), running(fate.grown, np.int64) + spec.pages
    if later and added[-1] > MAX_PAGES:
        raise UsageError(f"the later web of {added[-1]} pages cannot be made", hint="ask for a tenth fewer pages")
    rows = _rows(spec, hosts, fate, noise, later=later)
    rows["start"], rows["added"] = start[:-1], added[:-1]
    order, spans = link_order(hosts.role, hosts.topic, hosts.farm, noise(Purpose.LINK_ORDER))
    set_pools(rows, hosts.farm, order, spans)
    rows["template"], inter = inter_links(spec, rows, noise(Purpose.TEMPLATE), noise(Purpose.TEMPLATE_LINKS))
    web = Web(
        seed=seed,
        pages=spec.pages,
        later=later,
        hosts=rows,
        start=start,
        added=added,
        order=order.astype(np.int32),
        popularity=running(hosts.popularity[order], np.float64),
        sponsor=np.empty(0, np.int64),
        sponsored=np.empty(0, np.int32),
        extra=extra_links(spec, hosts.before),
        inter=inter,
    )
    able = ~fate.dies & np.isin(hosts.role, (Role.CORE, Role.IN, Role.OUT))
    sponsor, sponsored = sponsors(web, able, noise(Purpose.SPONSOR), noise(Purpose.SPONSOR_PAGE))
    return web._replace(sponsor=sponsor, sponsored=sponsored), _host_table(hosts, noise)


def _draw_hosts(spec: WebSpec, noise: Noise) -> _Hosts:
    """Roles, sizes, quality, popularity and topics."""
    first = spec.host_count
    frontier = int(first * FRONTIER_HOSTS) if spec.crawled < 1.0 else 0
    role = _pick(noise(Purpose.ROLE), ROLES)
    shuffled = np.argsort(noise(Purpose.SHUFFLE)[:first], kind="stable")
    role[shuffled[:frontier]] = Role.FRONTIER
    role[first:] = Role.LATE
    size = _sizes(spec, role, noise(Purpose.SIZE))
    largest = int(np.argmax(size))
    role[largest] = Role.CORE
    spam = _spam_hosts(spec, size, shuffled[frontier:], largest)
    role[spam] = Role.SPAM
    farm = np.zeros(len(role), np.int64)
    farm[spam] = np.arange(len(spam)) // FARM_HOSTS

    quality = _normal(noise(Purpose.QUALITY)) * HOST_SPREAD
    quality[spam] += SPAM_QUALITY
    popularity = np.exp(
        POPULARITY_OF_QUALITY * quality
        + POPULARITY_OF_SIZE * np.log(np.maximum(size, 1))
        + POPULARITY_NOISE * _normal(noise(Purpose.POPULARITY))
    )
    for which, factor in UNPOPULAR.items():
        popularity[role == which] *= factor
    topic = (noise(Purpose.TOPIC) ** 1.5 * TOPICS).astype(np.int64)  # some topics are larger than others
    return _Hosts(first, largest, role, size, farm, quality, popularity, topic)


def _draw_fate(hosts: _Hosts, noise: Noise) -> _Fate:
    """Which hosts die, which are crawled at last, and how much each grows."""
    count, role = len(hosts.role), hosts.role
    standing = np.empty(count)  # 0 for the least popular host, 1 for the most popular
    standing[np.argsort(hosts.popularity, kind="stable")] = np.arange(count) / max(1, count - 1)
    can_die = np.isin(role, (Role.CORE, Role.IN, Role.OUT, Role.TENDRIL, Role.ISLAND, Role.SPAM))
    can_die[hosts.largest] = False
    dies = can_die & (noise(Purpose.DEATH) < DEAD_HOSTS * (1.0 - standing))
    opened = (role == Role.FRONTIER) & (noise(Purpose.OPENING) < OPENED_HOSTS)
    grows = ~dies & ((role != Role.FRONTIER) | opened)
    growth = np.floor(hosts.size * noise(Purpose.GROWTH) * GROWTH + noise(Purpose.GROWTH_ROUNDING))
    grown = np.where(grows, growth, 0).astype(np.int64)
    grown[hosts.first :] = hosts.size[hosts.first :]
    return _Fate(dies, opened, grown)


def _rows(spec: WebSpec, hosts: _Hosts, fate: _Fate, noise: Noise, *, later: bool) -> np.ndarray:
    """The table of hosts for the kernels, but for ids of pages and links to other hosts."""
    role = hosts.role
    fan_out = MIN_FAN_OUT + (noise(Purpose.FAN_OUT) * (MAX_FAN_OUT - MIN_FAN_OUT + 1)).astype(np.int64)
    hosting = _pick(noise(Purpose.HOSTING), HOSTINGS)
    hosting[hosts.largest] = Hosting.MENU
    rows = np.zeros(len(role), kernel.HOST)
    rows["number"] = np.arange(len(role))
    rows["before"], rows["grown"] = hosts.before, fate.grown if later else 0
    rows["turn"] = noise(Purpose.TURN) * 2**31
    rows["fan_out"] = np.maximum(fan_out, int(np.ceil(2.0 / spec.crawled)))
    rows["hosting"], rows["role"], rows["topic"] = hosting, role, hosts.topic
    rows["dead"] = fate.dies & later
    rows["closed"] = (fate.dies & later) | ((role == Role.FRONTIER) & ~(fate.opened & later))
    rows["quality"] = hosts.quality
    # The crawled share is as asked for on average, but not on every host.
    swing = 0.5 * spec.crawled * (1.0 - spec.crawled)
    rows["crawled"] = spec.crawled + swing * (2.0 * noise(Purpose.CRAWLED) - 1.0)
    rows["inter_factor"] = np.where(role == Role.SPAM, FARM_LINKS, 1)
    return rows


def _host_table(hosts: _Hosts, noise: Noise) -> HostTable:
    copies, u = noise(Purpose.COPIES) < COPY_HOSTS, noise(Purpose.UNIQUE_RATE)
    unique = np.where(copies, betaincinv(*COPY_UNIQUE_RATE, u), betaincinv(*UNIQUE_RATE, u))
    measured = hosts.popularity * np.exp(MEASURING_ERROR * _normal(noise(Purpose.MEASURED)))
    return HostTable(measured, unique)


def _normal(u: np.ndarray) -> np.ndarray:
    """Standard normal numbers from numbers in [0, 1)."""
    values: np.ndarray = ndtri(np.clip(u, 1e-9, 1 - 1e-9))
    return values


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


def _spam_hosts(spec: WebSpec, size: np.ndarray, candidates: np.ndarray, largest: int) -> np.ndarray:
    """Hosts of the spam farms: none of the large ones, together as many pages as asked for."""
    limit = max(int(spec.pages * LARGEST_SPAM_HOST), int(np.median(size[candidates])))
    fit = candidates[(size[candidates] <= limit) & (candidates != largest)]
    if spec.spam == 0.0 or not len(fit):
        return fit[:0]
    needed = int(np.searchsorted(np.cumsum(size[fit]), spec.spam * spec.pages)) + 1
    return fit[:needed]
