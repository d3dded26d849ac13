"""Crawl orders written as plainly as they can be: dictionaries, sorted lists, one page at a time."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from itertools import pairwise

import numpy as np

CRAWLED = 2


@dataclass
class Plain:
    """A web for the reference."""

    pages: int
    links: set[tuple[int, int]]
    site: list[int]
    status: list[int]
    weights: dict[tuple[int, int], float] = field(default_factory=dict)
    """Of links that do not weigh 1."""
    out: list[list[int]] = field(init=False)

    def __post_init__(self) -> None:
        self.out = [[] for _ in range(self.pages)]
        for a, b in sorted(self.links):
            if self.status[a] == CRAWLED:
                self.out[a].append(b)

    def weight(self, a: int, b: int) -> float:
        return self.weights.get((a, b), 1.0)

    def strength(self, a: int) -> float:
        """What the links of a page weigh together."""
        return sum(self.weight(a, b) for b in self.out[a])

    def differ(self, a: int, b: int) -> bool:
        return self.site[a] < 0 or self.site[a] != self.site[b]


class Frontier:
    """Discovered pages with keys and numbers of discovery."""

    def __init__(self) -> None:
        self.key: dict[int, float] = {}
        self.found: dict[int, int] = {}

    def add(self, page: int, key: float) -> None:
        self.key[page] = key
        self.found[page] = len(self.found)

    def best(self, among: Iterable[int] | None = None) -> int | None:
        pages = self.key if among is None else [page for page in among if page in self.key]
        return min(pages, key=lambda page: (-self.key[page], self.found[page]), default=None)


Follow = Callable[[Frontier, set[int], int, float], None]


def crawl(web: Plain, seeds: list[int], start: list[float], follow: Follow, *, limit=math.inf, cap=math.inf):
    """Pages and keys in the order of fetches; `follow` changes the frontier after a fetch."""
    frontier, fetched, order = Frontier(), set(), []
    taken: dict[int, int] = {}
    refused: set[int] = set()
    for page, key in zip(seeds, start, strict=True):
        frontier.add(page, key)
    while frontier.key and len(order) < limit:
        page = frontier.best()
        key = frontier.key.pop(page)
        if web.site[page] >= 0:
            if taken.get(web.site[page], 0) >= cap:
                refused.add(page)
                fetched.add(page)
                continue
            taken[web.site[page]] = taken.get(web.site[page], 0) + 1
        order.append((page, key))
        fetched.add(page)
        follow(frontier, fetched, page, key)
    return order


def follow_fpr(web: Plain, weight: float, damping: float) -> Follow:
    def follow(frontier: Frontier, fetched: set[int], page: int, key: float) -> None:
        targets = web.out[page]
        inside = sum(web.weight(page, q) for q in targets if not web.differ(page, q))
        outside = sum(web.weight(page, q) for q in targets if web.differ(page, q))
        total = inside + weight * outside if weight != 1 else web.strength(page)
        share = damping * key / total if total else 0.0
        for q in targets:
            if q in fetched:
                continue
            amount = (share * weight if web.differ(page, q) else share) * web.weight(page, q)
            if q in frontier.key:
                frontier.key[q] += amount
            else:
                frontier.add(q, amount)

    return follow


def follow_gain(web: Plain, gain: Callable[[int, int], float]) -> Follow:
    """A link adds something to the key of its target."""

    def follow(frontier: Frontier, fetched: set[int], page: int, key: float) -> None:
        for q in web.out[page]:
            if q in fetched:
                continue
            if q not in frontier.key:
                frontier.add(q, 0.0)
            frontier.key[q] += gain(page, q)

    return follow


def follow_first(web: Plain, first: Callable[[int, float], float | None]) -> Follow:
    """The key is given at discovery, and `None` is no discovery."""

    def follow(frontier: Frontier, fetched: set[int], page: int, key: float) -> None:
        for q in web.out[page]:
            if q not in fetched and q not in frontier.key:
                given = first(q, key)
                if given is not None:
                    frontier.add(q, given)

    return follow


@dataclass
class Pushed:
    order: list[tuple[int, float]]
    mass: float
    pushes: int
    residual: dict[int, float]
    fetched: list[int]
    closest: float
    """The least by which a page was ahead of another when it was taken (`ahead`)."""


def push_again(web: Plain, seeds: list[int], start: float, damping: float, *, epsilon=None, allowance=None) -> Pushed:
    """RankMass (damping < 1) and OPIC (damping 1): the page that holds the most, fetched or not."""
    held = dict.fromkeys(seeds, start)
    found = {page: number for number, page in enumerate(seeds)}
    order: list[tuple[int, float]] = []
    fetched: dict[int, None] = {}
    alike = set(seeds)
    mass, pushes, revisits, closest = 0.0, 0, 0, math.inf
    while True:
        if epsilon is not None and mass >= 1 - epsilon:
            break
        waiting = [p for p in held if p not in fetched]
        if not waiting and epsilon is None:
            break
        among = [p for p in held if held[p] > 0 or p not in fetched]
        if allowance is not None and revisits >= 1000 + allowance * len(fetched):
            among = waiting
        if waiting and not any(held[p] for p in waiting):
            among = waiting  # they hold nothing, and what goes round elsewhere need never reach them
        if not among:
            break
        page = min(among, key=lambda p: (-held[p], found[p]))
        amount = held[page]
        closest = min(closest, ahead(held, page, among, alike))
        held[page] = 0.0
        alike.update({page}.intersection(seeds))
        if page in fetched:
            revisits += 1
        else:
            fetched[page] = None
            order.append((page, amount))
        mass += amount
        pushes += 1
        total = web.strength(page)
        if not total:
            for seed in seeds:
                held[seed] += damping * amount / len(seeds)
        for q in web.out[page]:
            found.setdefault(q, len(found))
            held[q] = held.get(q, 0.0) + (damping * amount / total * web.weight(page, q) if total else 0.0)
        alike.difference_update(q for q in web.out[page] if web.weight(page, q))
    return Pushed(order, mass, pushes, held, list(fetched), closest)


def ahead(held: dict[int, float], page: int, among: list[int], alike: set[int]) -> float:
    """How far a page is ahead of the others, as a share of what it holds.

    `alike` are seeds that received from pages without links only since they were pushed; those may hold the same.
    """
    most = held.get(page, 0.0)
    if not most:
        return math.inf
    others = [p for p in among if p != page and not (held.get(p, 0.0) == most and {p, page} <= alike)]
    return min((1 - held.get(p, 0.0) / most for p in others), default=math.inf)


def windowed(web: Plain, seeds: list[int], window: float, damping: float) -> tuple[list[int], float]:
    """Pages in the order of fetches, and the least by which one was ahead of another."""
    held = dict.fromkeys(seeds, (1 - damping) / len(seeds))
    found = {page: number for number, page in enumerate(seeds)}
    waiting, fetched, alike, closest = list(seeds), [], set(seeds), math.inf
    while waiting:
        count = max(1, math.ceil(window * len(waiting) - 1e-9))
        ranked = sorted(waiting, key=lambda p: (-held.get(p, 0.0), found[p]))
        closest = min([closest, *(ahead(held, a, [b], alike) for a, b in pairwise(ranked[: count + 1]))])
        for page in ranked[:count]:
            waiting.remove(page)
            fetched.append(page)
            for q in web.out[page]:
                if q not in found:
                    found[q] = len(found)
                    waiting.append(q)
        for page in fetched:
            amount, held[page] = held.get(page, 0.0), 0.0
            total = web.strength(page)
            for q in web.out[page]:
                held[q] = held.get(q, 0.0) + (damping * amount / total * web.weight(page, q) if total else 0.0)
            alike.difference_update(q for q in web.out[page] if web.weight(page, q))
            if not total:
                for seed in seeds:
                    held[seed] += damping * amount / len(seeds)
    return fetched, closest


def larger_sites(web: Plain, seeds: list[int]) -> list[int]:
    found = {page: number for number, page in enumerate(seeds)}
    waiting, order = list(seeds), []
    site = [s if s >= 0 else -1 - p for p, s in enumerate(web.site)]
    while waiting:
        sizes: dict[int, list[int]] = {}
        for page in waiting:
            sizes.setdefault(site[page], []).append(page)
        best = min(sizes.values(), key=lambda pages: (-len(pages), min(found[p] for p in pages)))
        page = min(best, key=lambda p: found[p])
        waiting.remove(page)
        order.append(page)
        for q in web.out[page]:
            if q not in found:
                found[q] = len(found)
                waiting.append(q)
    return order


def pagerank_scores(web: Plain, fetched: list[int], discovered: list[int], damping: float) -> list[float]:
    """IR of the discovered pages, over what the fetched ones link to."""
    known = fetched + discovered
    waiting, n = set(discovered), len(known)
    rank = dict.fromkeys(known, 1.0)
    for _ in range(400):
        sink = sum(rank[p] for p in known if p in waiting or not web.strength(p))
        new = dict.fromkeys(known, (1 - damping) + damping * sink / max(n, 1))
        for p in fetched:
            for q in web.out[p] if web.strength(p) else ():
                new[q] += damping * rank[p] * web.weight(p, q) / web.strength(p)
        rank = new
    return [rank[p] for p in discovered]


def batch_pagerank(web: Plain, seeds: list[int], every: int, damping: float, partial: bool, rounded) -> list[int]:
    found = {page: number for number, page in enumerate(seeds)}
    key: dict[int, float] = dict.fromkeys(seeds, 0.0)
    order: list[int] = []
    fresh: set[int] = set()
    while key:
        if len(order) % every == 0:
            pages = list(key)
            key = dict(zip(pages, rounded(pagerank_scores(web, order, pages, damping)), strict=True))
            fresh = set()
        page = min(key, key=lambda p: (-key[p], found[p]))
        amount = key.pop(page)
        order.append(page)
        for q in web.out[page]:
            if q not in found:
                found[q] = len(found)
                key[q] = 0.0
                fresh.add(q)
            if partial and q in fresh and q in key:
                key[q] += amount / web.strength(page) * web.weight(page, q) if web.strength(page) else 0.0
    return order


def impact_scores(web: Plain, fetched: list[int], discovered: list[int], impact: list[float], omega: float):
    """Eq (10) of Tran et al. 2015 solved over what is fetched (D) and what it links to (F); 0 for other pages."""
    linked = {q for p in fetched for q in web.out[p]} - set(fetched)
    known = [*fetched, *sorted(linked)]
    links, virtual = np.zeros((web.pages, web.pages)), np.zeros((web.pages, web.pages))
    for p in fetched:
        links[p, web.out[p]] = [web.weight(p, q) for q in web.out[p]]
        for q in linked:
            virtual[p, q] = sum(p in web.out[x] and q in web.out[x] for x in fetched)
    largest = max((impact[p] for p in fetched), default=0) + 0.001
    factor = np.array([(impact[p] + 0.001) / largest if p in set(fetched) else 0 for p in range(web.pages)])
    m, v = (x / np.where(x.any(1), x.sum(1), 1)[:, None] for x in (links, virtual))
    walk = factor[:, None] * (omega * m + (1 - omega) * v)
    start = np.zeros(web.pages)
    start[known] = 0.15 / max(len(known), 1)
    score = np.linalg.solve(np.eye(web.pages) - 0.85 * walk.T, start)
    return [score[p] if p in linked else 0.0 for p in discovered]


def impact_walk(web: Plain, seeds: list[int], every: int, impact: list[float], omega: float, rounded) -> list[int]:
    """RW-EG in batches."""
    found = {page: number for number, page in enumerate(seeds)}
    key: dict[int, float] = dict.fromkeys(seeds, 0.0)
    order: list[int] = []
    while key:
        if len(order) % every == 0:
            pages = list(key)
            key = dict(zip(pages, rounded(impact_scores(web, order, pages, impact, omega)), strict=True))
        page = min(key, key=lambda p: (-key[p], found[p]))
        del key[page]
        order.append(page)
        for q in web.out[page]:
            if q not in found:
                found[q] = len(found)
                key[q] = 0.0
    return order
