"""Cores, slow and obvious: sets, lists sorted anew every step, HITS by plain sums (docs/algorithms.md §3)."""

from __future__ import annotations

import math

Links = set[tuple[int, int]]


def digits(score: float) -> float:
    return float(f"{score:.9e}")


def hits(pages: int, links: Links, iterations: int = 60) -> tuple[list[float], list[float]]:
    hubs, authorities = [1.0] * pages, [0.0] * pages
    for _ in range(iterations):
        authorities = normal([math.fsum(hubs[a] for a, b in links if b == page) for page in range(pages)])
        hubs = normal([math.fsum(authorities[b] for a, b in links if a == page) for page in range(pages)])
    return hubs, authorities


def normal(scores: list[float]) -> list[float]:
    norm = math.sqrt(math.fsum(score * score for score in scores))
    return [score / norm for score in scores] if norm else scores


def best(candidates, scores) -> list[int]:
    return sorted(candidates, key=lambda page: (-digits(scores[page]), page))


def density(links: Links, hubs, authorities) -> float:
    there = sum((hub, authority) in links for hub in hubs for authority in authorities)
    return 100 * there / (len(hubs) * len(authorities))


def dense(links: Links, h, a, limit=100.0, cap=None, violator="close"):
    first = best(range(len(a)), a)[0]
    hubs, authorities = [], [first]
    aside: dict[str, set[int]] = {"hub": set(), "authority": set()}
    is_open = {"hub": True, "authority": True}
    while True:
        added = False
        for side in ("hub", "authority"):
            if not is_open[side]:
                continue
            if side == "hub":
                near, scores = {u for u, v in links if v in authorities}, h
            else:
                near, scores = {v for u, v in links if u in hubs}, a
            candidates = best(near - set(hubs) - set(authorities) - aside[side], scores)
            if side == "hub" and cap is not None and len(hubs) == cap:
                is_open["hub"] = False
                continue
            for page in candidates:
                more = ([*hubs, page], authorities) if side == "hub" else (hubs, [*authorities, page])
                thin = density(links, *more) < limit
                if not thin or violator == "literal":
                    hubs, authorities = more
                    added = True
                    break
                if violator == "skip-violators":
                    aside[side].add(page)
                    continue
                is_open[side] = False
                if violator == "stop-first":
                    return hubs, authorities
                break
        if not added or (violator == "literal" and density(links, hubs, authorities) < limit):
            return hubs, authorities


def sized(links: Links, h, a, size, step):
    hubs, authorities = [], [best(range(len(a)), a)[0]]
    while len(hubs) + len(authorities) < size:
        more = best({u for u, v in links if v in authorities} - set(hubs), h)[:step]
        hubs = hubs + more
        others = best({v for u, v in links if u in hubs} - set(authorities), a)[:step]
        authorities = authorities + others
        if not more and not others:
            break
    return hubs, authorities


def seeds(pages: int, links: Links, k: int, grow, iterations: int = 60):
    """(hubs, authorities, seed) of every core."""
    found = []
    while links and len(found) < k:
        h, a = hits(pages, links, iterations)
        hubs, authorities = grow(links, h, a)
        found.append((hubs, authorities, best(hubs, h)[0]))
        out = {*hubs, *authorities}
        links = {(u, v) for u, v in links if u not in out and v not in out}
    return found
