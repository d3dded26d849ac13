"""A grid of everyday statements: filters on any part of patterns of one to three hops, in every usual shape.

All are plain Cypher that means the same on both databases; rows cut off by a LIMIT are ordered fully.
"""

from __future__ import annotations

import itertools
import random
from collections.abc import Iterator
from dataclasses import dataclass

from tests.cypher.compare import Question

Filter = tuple[str, str, str]
"""A property, a comparison, a value."""


@dataclass(frozen=True)
class Element:
    """A node or a link of a pattern: its variable, its label or type, and the way a link points."""

    name: str
    label: str
    arrow: str = ""

    def text(self, filters: list[Filter], *, bare: bool = False) -> str:
        inside = self.name if bare else f"{self.name}:{self.label}"
        if filters:
            inside += " {" + ", ".join(f"{name}: {value}" for name, _, value in filters) + "}"
        if not self.arrow:
            return f"({inside})"
        return f"-[{inside}]->" if self.arrow == ">" else f"<-[{inside}]-"


def _elements(text: str) -> list[Element]:
    """Elements from words: ``a:Page r:LINKS_TO> b:Page``."""
    found = []
    for word in text.split():
        name, label = word.split(":")
        arrow = label[-1] if label[-1] in "<>" else ""
        found.append(Element(name, label.rstrip("<>"), arrow))
    return found


PATTERNS = [
    _elements(text)
    for text in (
        "a:Page r:LINKS_TO> b:Page",
        "a:Page r:LINKS_TO< b:Page",
        "q:`Query` e:RESULT> p:Page",
        "run:Run k:RANKED> p:Page",
        "a:Page r:LINKS_TO> b:Page s:LINKS_TO> c:Page",
        "a:Page r:LINKS_TO< b:Page s:LINKS_TO> c:Page",
        "a:Page r:LINKS_TO> b:Page s:LINKS_TO< c:Page",
        "a:Page r:LINKS_TO> b:Page o:`ON`> h:Host",
        "h:Host o:`ON`< a:Page r:LINKS_TO> b:Page",
        "q:`Query` e:RESULT> p:Page o:`ON`> h:Host",
        "q:`Query` e:RESULT> p:Page r:LINKS_TO> b:Page",
        "run:Run k:RANKED> p:Page r:LINKS_TO> b:Page",
        "run:Run k:RANKED> p:Page e:RESULT< q:`Query`",
        "a:Page v:CO_CITED> b:Page r:LINKS_TO< c:Page",
        "h:Host o:`ON`< a:Page r:LINKS_TO> b:Page n:`ON`> i:Host",
        "a:Page r:LINKS_TO> b:Page s:LINKS_TO> c:Page t:LINKS_TO> d:Page",
        "a:Page r:LINKS_TO> b:Page s:LINKS_TO> c:Page o:`ON`> h:Host",
        "a:Page r:LINKS_TO< b:Page s:LINKS_TO> c:Page o:`ON`> h:Host",
        "q:`Query` e:RESULT> p:Page r:LINKS_TO> b:Page o:`ON`> h:Host",
        "run:Run k:CORE> p:Page r:LINKS_TO> b:Page m:CORE< run2:Run",
    )
]

_COMPARED: dict[str, list[Filter]] = {
    "Page": [
        ("status", "=", "'crawled'"),
        ("clicks", ">", "0"),
        ("visits", "<=", "2"),
        ("lang", "IN", "['de', 'en']"),
        ("title", "<>", "''"),
        ("good", "=", "true"),
        ("id", "<", "20"),
    ],
    "Host": [("country", "=", "'fr'"), ("pages", ">", "1"), ("importance", ">=", "0.0")],
    "`Query`": [("freq", ">", "1.0"), ("text", "<>", "'flu'")],
    "Run": [("method", "STARTS WITH", "'seeds'"), ("seconds", ">", "1")],
    "LINKS_TO": [("weight", "=", "1.0"), ("weight", ">", "1"), ("weight", "<>", "2.0")],
    "CO_CITED": [("weight", ">", "2")],
    "RESULT": [("rank", "<=", "2"), ("clicks", ">=", "0.0")],
    "RANKED": [("rank", "<", "4"), ("score", ">", "0")],
    "CORE": [("n", "=", "1"), ("role", "=", "'hub'")],
    "`ON`": [],
}
_MAPPED: dict[str, list[Filter]] = {
    "Page": [("status", "=", "'crawled'"), ("lang", "=", "'de'"), ("good", "=", "true"), ("clicks", "=", "0.0")],
    "Host": [("country", "=", "'fr'"), ("name", "=", "'a.example'")],
    "`Query`": [("freq", "=", "1.0")],
    "Run": [("seconds", "=", "1.5")],
    "LINKS_TO": [("weight", "=", "1.0"), ("weight", "=", "2.0")],
    "CO_CITED": [("weight", "=", "2.0")],
    "RESULT": [("rank", "=", "1"), ("rank", "=", "2")],
    "RANKED": [("rank", "=", "1")],
    "CORE": [("n", "=", "1")],
    "`ON`": [],
}
_KEY = {"Page": "id", "Host": "name", "`Query`": "text", "Run": "id"}
_VALUE = {"LINKS_TO": "weight", "CO_CITED": "weight", "RESULT": "rank", "RANKED": "rank", "CORE": "n"}
_NUMBER = {"Page": "visits", "Host": "pages", "`Query`": "freq", "Run": "seconds"} | _VALUE


def grid() -> list[Question]:
    """All statements, some 1,300, always the same."""
    dice = random.Random("grid")
    found: dict[str, Question] = {}
    for pattern in PATTERNS:
        for placed in _placements(pattern):
            for question in _shapes(pattern, placed, dice):
                found.setdefault(question.text, question)
    return list(found.values())


def _placements(pattern: list[Element]) -> Iterator[list[Element]]:
    """On which elements filters stand: none, one, two, all."""
    able = [element for element in pattern if _COMPARED[element.label]]
    yield []
    for count in (1, 2):
        yield from (list(chosen) for chosen in itertools.combinations(able, count))
    if len(able) > 2:
        yield able


def _shapes(pattern: list[Element], placed: list[Element], dice: random.Random) -> Iterator[Question]:
    compared = [(element, dice.choice(_COMPARED[element.label])) for element in placed]
    mapped = [(element, dice.choice(_MAPPED[element.label])) for element in placed]
    where = " AND ".join(f"{element.name}.{name} {sign} {value}" for element, (name, sign, value) in compared)
    maps = {element.name: [chosen] for element, chosen in mapped}
    plain = f"MATCH {_pattern(pattern, {})}" + (f" WHERE {where}" if where else "")
    any_shape = lambda: dice.randrange(len(_RETURNS))  # noqa: E731
    yield _returning(plain, pattern, any_shape())
    if len(placed) < 2 or dice.random() < 0.5:
        yield _returning(plain, pattern, 0)
    if not placed:
        yield from (_returning(plain, pattern, number) for number in range(len(_RETURNS)))
        return
    if len(placed) == 1 or dice.random() < 0.75:
        yield _returning(f"MATCH {_pattern(pattern, maps)}", pattern, any_shape() if dice.random() < 0.66 else 0)
    first = dice.choice((pattern[0], pattern[-1]))
    key = f"{first.name}.{_KEY[first.label]}"
    few = f"MATCH ({first.name}:{first.label}) WITH {first.name} ORDER BY {key} LIMIT 5"
    rest = {name: filters for name, filters in maps.items() if name != first.name}
    if len(placed) == 1 or dice.random() < 0.75:
        hop = f"{few} MATCH {_pattern(pattern, rest, bare=first)}"
        yield _returning(hop, pattern, any_shape() if dice.random() < 0.5 else 0)
    if dice.random() < 0.25:
        yield _returning(f"{few} MATCH {_pattern(pattern, {}, bare=first)} WHERE {where}", pattern, any_shape())
    if dice.random() < 0.25:
        element, chosen = mapped[0]
        others = " AND ".join(f"{e.name}.{name} {sign} {value}" for e, (name, sign, value) in compared[1:])
        both = f"MATCH {_pattern(pattern, {element.name: [chosen]})}" + (f" WHERE {others}" if others else "")
        yield _returning(both, pattern, any_shape())


def _pattern(pattern: list[Element], maps: dict[str, list[Filter]], bare: Element | None = None) -> str:
    return "".join(element.text(maps.get(element.name, []), bare=element is bare) for element in pattern)


_RETURNS = ("count", "rows", "aggregate", "grouped", "distinct", "top", "ordered", "collected")


def _returning(asked: str, pattern: list[Element], number: int) -> Question:
    """The statement with the rows it returns; `number` chooses their shape."""
    nodes = [element for element in pattern if not element.arrow]
    links = [element for element in pattern if element.label in _VALUE]
    keys = [f"{node.name}.{_KEY[node.label]}" for node in nodes]
    values = [f"{link.name}.{_VALUE[link.label]}" for link in links]
    first, last = nodes[0], nodes[-1]
    number_of_last = f"{last.name}.{_NUMBER[last.label]}"
    value = values[0] if values else number_of_last
    kind = _RETURNS[number % len(_RETURNS)]
    if kind == "count":
        return Question(f"{asked} RETURN count(*) AS n")
    if kind == "rows":
        return Question(f"{asked} RETURN {', '.join([*keys, *values])}")
    if kind == "aggregate":
        return Question(f"{asked} RETURN sum({value}) AS total, avg({number_of_last}) AS mean, max({keys[0]}) AS top")
    if kind == "grouped":
        key = f"{last.name}.{_KEY[last.label]}"
        return Question(f"{asked} RETURN {key} AS key, count(*) AS n ORDER BY n DESC, key LIMIT 7", ordered=True)
    if kind == "distinct":
        return Question(f"{asked} RETURN DISTINCT {first.name}.{_KEY[first.label]}, {number_of_last}")
    if kind == "top":
        order = ", ".join([f"{value} DESC", *keys, *values])
        return Question(f"{asked} RETURN {', '.join([*keys, *values])} ORDER BY {order} LIMIT 5", ordered=True)
    if kind == "ordered":
        order = ", ".join([*keys, *values])
        return Question(f"{asked} RETURN {order} ORDER BY {order} SKIP 1 LIMIT 6", ordered=True)
    key = f"{first.name}.{_KEY[first.label]}"
    return Question(
        f"{asked} RETURN {key} AS key, collect({last.name}.{_KEY[last.label]}) AS found, min({value}) AS least"
    )
