"""Polite crawls as plainly as they can be written: time goes from event to event, links are known when a fetch ends."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import NamedTuple

from tests.unit.crawl.crawl_reference import Follow, Frontier, Plain, ahead


@dataclass
class Pace:
    delay: float
    parallel: int
    seconds: float


@dataclass
class Batch:
    """Keys of the waiting pages, after the pages whose fetch has ended and those that are being fetched; how many next.

    `mark` is the number of discoveries when keys were last given.
    """

    score: Callable[[list[int], list[int], list[int]], list[float]]
    every: Callable[[list[int]], int]
    mark: int = 0


def own_site(web: Plain) -> list[int]:
    return [site if site >= 0 else -1 - page for page, site in enumerate(web.site)]


def polite(web: Plain, seeds, start, follow: Follow, pace: Pace, *, hours=math.inf, cap=math.inf, batch=None):
    """Pages and start times; `follow` changes the frontier when a fetch has ended."""
    frontier, fetched = Frontier(), set()
    for page, key in zip(seeds, start, strict=True):
        frontier.add(page, key)
    site, free_at, taken = own_site(web), {}, {}
    running: list[tuple[float, int, float]] = []
    ended: list[int] = []
    now, order, next_batch = 0.0, [], 0
    while True:
        while running and (running[0][0] <= now or len(running) >= pace.parallel):
            end, page, key = running.pop(0)
            now = max(now, end)
            ended.append(page)
            follow(frontier, fetched, page, key)
        if batch is not None and len(order) >= next_batch:
            waiting = sorted(frontier.key, key=lambda page: frontier.found[page])
            keys = batch.score(ended, waiting, [page for _, page, _ in running])
            frontier.key = dict(zip(waiting, keys, strict=True))
            batch.mark = len(frontier.found)
            next_batch = len(order) + max(1, batch.every(waiting))
        ready = [page for page in frontier.key if free_at.get(site[page], 0.0) <= now]
        page = frontier.best(ready)
        if page is not None:
            if now >= hours * 3600:
                break
            key = frontier.key.pop(page)
            fetched.add(page)
            if web.site[page] >= 0:
                if taken.get(web.site[page], 0) >= cap:
                    continue
                taken[web.site[page]] = taken.get(web.site[page], 0) + 1
            free_at[site[page]] = now + pace.delay
            order.append((page, now))
            running.append((now + pace.seconds, page, key))
            continue
        events = [free_at[site[page]] for page in frontier.key] + [end for end, _, _ in running[:1]]
        if not events:
            break
        now = min(events)
    return order


class Pushed(NamedTuple):
    """Pages, keys and start times; the mass pushed, the pushes, and how close decisions were (`ahead`)."""

    order: list[tuple[int, float, float]]
    mass: float
    pushes: int
    closest: float


def push_again(web: Plain, seeds: list[int], start: float, damping: float, pace: Pace, *, allowance=None) -> Pushed:
    """RankMass (damping < 1) and OPIC (damping 1).

    A page that is being fetched receives, and is pushed again at the earliest when its fetch has ended.
    """
    held = dict.fromkeys(seeds, start)
    found = {page: number for number, page in enumerate(seeds)}
    site, free_at = own_site(web), {}
    fetched, ended = set(), set()
    running: list[tuple[float, int, float]] = []
    now, order, mass, revisits, closest = 0.0, [], 0.0, 0, math.inf
    alike = set(seeds)

    def push(page: int, amount: float) -> None:
        alike.difference_update(q for q in web.out[page] if web.weight(page, q))
        total = web.strength(page)
        for q in web.out[page]:
            found.setdefault(q, len(found))
            held[q] = held.get(q, 0.0) + (damping * amount / total * web.weight(page, q) if total else 0.0)
        if not total:
            for seed in seeds:
                held[seed] += damping * amount / len(seeds)

    def most(pages: list[int]) -> int | None:
        return min(pages, key=lambda page: (-held[page], found[page]), default=None)

    while True:
        while running and (running[0][0] <= now or len(running) >= pace.parallel):
            end, page, key = running.pop(0)
            now = max(now, end)
            ended.add(page)
            push(page, key)
        waiting = [page for page in held if page not in fetched]
        ready = [page for page in waiting if free_at.get(site[page], 0.0) <= now]
        page = most(ready)
        if page is None:
            events = [free_at[site[p]] for p in waiting] + [end for end, _, _ in running[:1]]
            if not events:
                break
            now = min(events)
            continue
        others = [p for p in ended if held[p] > 0]
        if allowance is not None and revisits >= 1000 + allowance * len(order):
            others = []
        if not held[page]:
            others = []  # it holds nothing, and what goes round elsewhere need never reach it
        taken = most([page, *others])
        closest = min(closest, ahead(held, taken, [*ready, *others], alike))
        alike.update({taken}.intersection(seeds))
        key, held[taken] = held[taken], 0.0
        mass += key
        if taken != page:
            revisits += 1
            push(taken, key)
            continue
        fetched.add(page)
        free_at[site[page]] = now + pace.delay
        order.append((page, key, now))
        running.append((now + pace.seconds, page, key))
    return Pushed(order, mass, len(order) + revisits, closest)
