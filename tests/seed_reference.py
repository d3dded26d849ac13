"""The methods of Zheng et al. 2009 as plainly as they can be written: sets, loops, no laziness."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

import networkx as nx

from seedrank.core.model import Status


def tenth(x: float | Fraction) -> float:
    """Ten significant digits."""
    return float(f"{float(x):.9e}")


@dataclass
class Plain:
    """A graph with worth per page; pages 0 … n-1, all crawled unless `status` says otherwise."""

    pages: int
    links: list[tuple[int, int]]
    value: list[float]
    status: list[Status] | None = None

    def __post_init__(self) -> None:
        self.crawled = {p for p in range(self.pages) if self.status is None or self.status[p] == Status.CRAWLED}
        self.out = {page: set() for page in range(self.pages)}
        for source, target in self.links:
            if source != target:
                self.out[source].add(target)

    def ball(self, page: int, hops: int) -> set[int]:
        seen = {page}
        edge = {page}
        for _ in range(hops):
            edge = {target for source in edge for target in self.out[source]} - seen
            seen |= edge
        return seen

    def covered(self, seeds: list[int], hops: int) -> set[int]:
        """What seeds reach: nothing from a page that is not crawled."""
        return set().union(*(self.ball(seed, hops) for seed in seeds if seed in self.crawled))

    def worth(self, seeds: list[int], hops: int) -> float:
        return sum(self.value[page] for page in self.covered(seeds, hops))

    def components(self) -> list[set[int]]:
        graph = nx.DiGraph()
        graph.add_nodes_from(range(self.pages))
        graph.add_edges_from((s, t) for s in self.out for t in self.out[s])
        return sorted(nx.strongly_connected_components(graph), key=min)


def run(
    graph: Plain, hops: int, k: int, pick, *, by_pages: bool = False, always: bool = False, keep: list[int] = ()
) -> list[int]:
    """Algorithm 1 with a given PICK; the pages in use are covered first, and are never picked."""
    covered = graph.covered(keep, hops)
    weight = [0 if page in covered else value for page, value in enumerate(graph.value)]
    seeds: list[int] = []
    while len(seeds) < k and any(weight):
        page = pick(graph, weight, covered, [*keep, *seeds])
        if page is None:
            break
        new = graph.ball(page, hops) - covered
        gain = len(new & graph.crawled) if by_pages else tenth(sum(weight[p] for p in new))
        if gain <= 0 and not always:
            break
        covered |= new
        for p in new:
            weight[p] = 0  # not 0.0: values may be fractions
        seeds.append(page)
    return seeds


def ball_weight(graph: Plain, weight: list[float], page: int, depth: int) -> float:
    return tenth(sum(weight[p] for p in graph.ball(page, depth)))


def best(scores: dict[int, float]) -> int | None:
    """Largest score, smaller id."""
    return min(scores, key=lambda page: (-scores[page], page)) if scores else None


def readable(hops: int, share: float, key: list[int], shunned: int, *, by_pages: bool = False):
    """The best by score, or a page with a smaller key that scores and adds nearly as much."""

    def choose(graph, weight, covered, scores):
        def gain(page: int) -> float:
            if by_pages:
                return len((graph.ball(page, hops) - covered) & graph.crawled)
            return ball_weight(graph, weight, page, hops)

        page = best(scores)
        if page is None:
            return None
        if key[page] >= shunned and gain(page) > 0:
            other = best({one: score for one, score in scores.items() if key[one] < shunned})
            if other is not None and scores[other] > 0 and gain(other) > 0:
                page = other
        if scores[page] <= 0 or gain(page) <= 0:
            return page
        same = [
            one
            for one in scores
            if key[one] < key[page]
            and scores[one] >= scores[page] * (1 - share)
            and gain(one) >= gain(page) * (1 - share)
        ]
        return min(same, key=lambda one: (key[one], one), default=page)

    return choose


def _best_of(prefer, graph, weight, covered, scores):
    return best(scores) if prefer is None else prefer(graph, weight, covered, scores)


def maxout(graph, weight, covered, seeds, prefer=None):
    open_pages = graph.crawled - covered
    scores = {p: len(graph.out[p] & open_pages) for p in open_pages - set(seeds)}
    return _best_of(prefer, graph, weight, covered, scores)


def maxweight(depth, prefer=None):
    def pick(graph, weight, covered, seeds):
        scores = {p: ball_weight(graph, weight, p, depth) for p in graph.crawled - set(seeds)}
        return _best_of(prefer, graph, weight, covered, scores)

    return pick


def maxscc(depth, prefer=None):
    def pick(graph, weight, covered, seeds):
        parts = [part for part in graph.components() if (part & graph.crawled) - set(seeds)]
        if not parts:
            return None
        heavy = min(parts, key=lambda part: (-tenth(sum(weight[p] for p in part)), min(part)))
        scores = {p: ball_weight(graph, weight, p, depth) for p in (heavy & graph.crawled) - set(seeds)}
        return _best_of(prefer, graph, weight, covered, scores)

    return pick


def rootscc(depth, prefer=None):
    def pick(graph, weight, covered, seeds):
        parts = graph.components()
        number = {page: index for index, part in enumerate(parts) for page in part}
        parents = {index: set() for index in range(len(parts))}
        for source, targets in graph.out.items():
            for target in targets:
                if number[source] != number[target]:
                    parents[number[target]].add(number[source])
        heavy = [tenth(sum(weight[p] for p in part)) for part in parts]
        ranked = sorted(range(len(parts)), key=lambda part: (-heavy[part], part))
        for part in ranked:
            above, stack = {part}, [part]
            while stack:
                for parent in parents[stack.pop()] - above:
                    above.add(parent)
                    stack.append(parent)
            roots = [p for p in ranked if p in above and not parents[p]]
            for choice in [*roots, part]:
                may = (parts[choice] & graph.crawled) - set(seeds)
                scores = {p: ball_weight(graph, weight, p, depth) for p in may}
                page = _best_of(prefer, graph, weight, covered, scores)
                if page is not None and scores[page] > 0:
                    return page
        return None

    return pick
