"""Every primitive, slow and obvious: dense matrices and plain loops.

Graphs are (pages, set of (source, target)), or with weights (pages, weight by (source, target)).
"""

from __future__ import annotations

from collections import Counter, deque

import numpy as np

Links = set[tuple[int, int]]
Weights = dict[tuple[int, int], float]


def matrix(pages: int, links: Links | Weights) -> np.ndarray:
    a = np.zeros((pages, pages))
    for source, target in links:
        a[source, target] = links[source, target] if isinstance(links, dict) else 1
    return a


def degrees(pages: int, links: Links) -> tuple[np.ndarray, np.ndarray]:
    a = matrix(pages, links)
    return a.sum(0).astype(int), a.sum(1).astype(int)


def walk(pages, links, sets, damping, teleport, dangling):
    """Solves the linear system. `sets` are (share, factor or None, weight matrix or None)."""
    v = np.ones(pages) if teleport is None else np.asarray(teleport, float)
    v = v / v.sum()
    transfer = np.zeros((pages, pages))
    sends = np.zeros(pages, bool)
    for share, factor, weights in sets:
        m = matrix(pages, links) if weights is None else weights
        row = m.sum(1)
        sends |= row > 0
        m = np.divide(m, row[:, None], out=np.zeros_like(m), where=row[:, None] > 0)
        transfer += share * (m * (np.ones(pages) if factor is None else factor)[:, None]).T
    if dangling != "drop":
        goes_to = v if dangling == "teleport" else np.full(pages, 1 / pages)
        transfer += np.outer(goes_to, ~sends)
    return np.linalg.solve(np.eye(pages) - damping * transfer, (1 - damping) * v)


def hits(pages, links, iterations):
    a = matrix(pages, links)
    hubs = np.ones(pages)
    authorities = np.zeros(pages)
    for _ in range(iterations):
        authorities = a.T @ hubs
        authorities = authorities / (np.linalg.norm(authorities) or 1)
        hubs = a @ authorities
        hubs = hubs / (np.linalg.norm(hubs) or 1)
    return hubs, authorities


def distances(pages: int, links: Links, sources) -> list[int]:
    out = {page: [] for page in range(pages)}
    for source, target in links:
        out[source].append(target)
    level = [-1] * pages
    queue = deque()
    for source in sources:
        level[source] = 0
        queue.append(source)
    while queue:
        page = queue.popleft()
        for target in out[page]:
            if level[target] < 0:
                level[target] = level[page] + 1
                queue.append(target)
    return level


def levels(pages, links, sources, max_hops):
    found = distances(pages, links, sources)
    return [-1 if max_hops is not None and level > max_hops else level for level in found]


def components(pages, links):
    """Component of each page by mutual reach, and the arcs."""
    reach = [[level >= 0 for level in distances(pages, links, [page])] for page in range(pages)]
    component = [-1] * pages
    count = 0
    for page in range(pages):
        if component[page] < 0:
            for other in range(pages):
                if reach[page][other] and reach[other][page]:
                    component[other] = count
            count += 1
    arcs = sorted({(component[a], component[b]) for a, b in links if component[a] != component[b]})
    return component, arcs


def ball_weight(pages, links, weight, hops, of):
    balls = [[p for p, level in enumerate(distances(pages, links, [page])) if 0 <= level <= hops] for page in of]
    return np.array([sum(weight[p] for p in ball) for ball in balls], float)


def walk_bound(pages, links, weight, hops):
    a = matrix(pages, links)
    own = np.maximum(weight, 0)
    bound = own
    for _ in range(hops):
        bound = own + a @ bound
    return bound


def cocitation(pages, links, left, right, cap):
    out = {page: sorted(t for s, t in links if s == page) for page in range(pages)}
    counts: Counter[tuple[int, int]] = Counter()
    capped_pages = capped_pairs = 0
    for targets in out.values():
        pairs = [(i, j) for i in targets for j in targets if i != j and left[i] and right[j]]
        if cap is not None and len(targets) > cap:
            capped_pages += 1
            capped_pairs += len(pairs)
        else:
            counts.update(pairs)
    return sorted((i, j, n) for (i, j), n in counts.items()), capped_pages, capped_pairs


def harmonic(pages, links):
    back = {(target, source) for source, target in links}
    return np.array([sum(1 / level for level in distances(pages, back, [page]) if level > 0) for page in range(pages)])


def without(links, left_out, site) -> Links | Weights:
    stay = {
        (a, b)
        for a, b in links
        if not (left_out is not None and (left_out[a] or left_out[b]))
        and not (site is not None and site[a] >= 0 and site[a] == site[b])
    }
    return {link: links[link] for link in stay} if isinstance(links, dict) else stay
