"""Paths of several hops and shortest paths, against a walk that is right at sight."""

from __future__ import annotations

import random
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.unit.statements.web import linked_web

Links = list[tuple[int, int]]


def random_links(seed: int) -> tuple[int, Links]:
    dice = random.Random(seed)
    pages = dice.randint(2, 9)
    pairs = {(dice.randrange(pages), dice.randrange(pages)) for _ in range(dice.randint(1, 16))}
    return pages, sorted(pairs)


def trails(links: Links, start: int, most: int, *, both: bool) -> Iterator[list[int]]:
    """The pages of every walk that takes no link twice."""

    def further(page: int, taken: frozenset[int], way: list[int]) -> Iterator[list[int]]:
        yield way
        if len(taken) == most:
            return
        for number, (source, target) in enumerate(links):
            if number in taken:
                continue
            if source == page:
                yield from further(target, taken | {number}, [*way, target])
            if both and target == page and source != target:
                yield from further(source, taken | {number}, [*way, source])

    yield from further(start, frozenset(), [start])


@pytest.mark.parametrize("seed", range(12))
@pytest.mark.parametrize(("arrow", "both"), [("-[:LINKS_TO*0..3]->", False), ("-[:LINKS_TO*0..3]-", True)])
def test_paths_take_no_link_twice(tmp_path: Path, seed: int, arrow: str, both: bool):
    pages, links = random_links(seed)
    with linked_web(tmp_path, pages, links) as web:
        found = web.ask(f"MATCH path = (a:Page){arrow}(b) RETURN [n IN nodes(path) | n.id]")
    wanted = [way for page in range(pages) for way in trails(links, page, 3, both=both)]
    assert sorted(row[0] for row in found) == sorted(wanted)


@pytest.mark.parametrize("seed", range(12))
@pytest.mark.parametrize(("arrow", "both"), [("-[:LINKS_TO*]->", False), ("-[:LINKS_TO*]-", True)])
def test_shortest_paths_are_the_shortest(tmp_path: Path, seed: int, arrow: str, both: bool):
    pages, links = random_links(seed)
    ways: dict[tuple[int, int], list[list[int]]] = {}
    for page in range(pages):
        for way in trails(links, page, pages, both=both):
            ways.setdefault((way[0], way[-1]), []).append(way)
    wanted = []
    for (start, end), all_ways in ways.items():
        if start != end:
            shortest = min(map(len, all_ways))
            wanted += [way for way in all_ways if len(way) == shortest]
    with linked_web(tmp_path, pages, links) as web:
        every = web.ask(
            f"MATCH path = allShortestPaths((a:Page){arrow}(b:Page)) WHERE a <> b RETURN [n IN nodes(path) | n.id]"
        )
        one = web.ask(
            f"MATCH path = shortestPath((a:Page){arrow}(b:Page)) WHERE a <> b RETURN [n IN nodes(path) | n.id]"
        )
        backwards = web.ask(
            f"MATCH path = shortestPath((a:Page){arrow}(b:Page {{id: 0}})) WHERE a <> b "
            "RETURN [n IN nodes(path) | n.id], length(path)"
        )
    assert sorted(row[0] for row in every) == sorted(wanted)
    assert {(row[0][0], row[0][-1]) for row in one} == {(way[0], way[-1]) for way in wanted}
    assert len(one) == len({(way[0], way[-1]) for way in wanted})
    assert all(row[0] in wanted for row in one)
    assert {row[0][0] for row in backwards} == {way[0] for way in wanted if way[-1] == 0}
    assert all(row[0] in wanted and row[1] == len(row[0]) - 1 for row in backwards)


def test_a_shortest_path_may_have_no_links_and_an_end(tmp_path: Path):
    with linked_web(tmp_path, 4, [(0, 1), (1, 2), (2, 3)]) as web:
        asked = "MATCH (a:Page {id: 0}), (b:Page) MATCH p = SHORTEST 1 (a)-[:LINKS_TO]->{0,2}(b) RETURN b.id, length(p)"
        assert sorted(web.ask(asked)) == [(0, 0), (1, 1), (2, 2)]
        longest = "MATCH p = shortestPath((a:Page {id: 0})-[:LINKS_TO*..2]->(b:Page {id: 3})) RETURN p"
        assert web.ask(longest) == []
