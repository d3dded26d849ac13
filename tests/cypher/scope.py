"""The schema as the generator knows it, and what a statement has in hand at a point."""

from __future__ import annotations

import random
from dataclasses import dataclass, field, replace
from typing import Any

INT, FLOAT, TEXT, BOOL = "int", "float", "text", "bool"
SCALARS = (INT, FLOAT, TEXT, BOOL)
NODES = ("Page", "Host", "Query", "Run")

PROPERTIES: dict[str, dict[str, str]] = {
    "Page": {
        "id": INT,
        "visits": INT,
        "clicks": FLOAT,
        "score": FLOAT,
        "spam": FLOAT,
        "status": TEXT,
        "lang": TEXT,
        "title": TEXT,
        "url": TEXT,
        "good": BOOL,
    },
    "Host": {"name": TEXT, "pages": INT, "importance": FLOAT, "country": TEXT},
    "Query": {"text": TEXT, "freq": FLOAT, "need": FLOAT},
    "Run": {"method": TEXT, "seconds": FLOAT},
    "LINKS_TO": {"weight": FLOAT},
    "CO_CITED": {"weight": FLOAT},
    "RESULT": {"rank": INT, "clicks": FLOAT},
    "RANKED": {"rank": INT, "score": FLOAT},
    "CORE": {"n": INT, "role": TEXT},
    "ON": {},
}
KEYS: dict[str, tuple[str, ...]] = {
    "Page": ("id",),
    "Host": ("name",),
    "Query": ("text",),
    "Run": ("id",),
    "CORE": ("n", "role"),
    "LINKS_TO": (),
    "CO_CITED": (),
    "RESULT": (),
    "RANKED": (),
    "ON": (),
}
"""Properties that tell nodes apart; for links, those that tell links between the same two nodes apart."""

STEPS: dict[str, list[tuple[str, str, str, float]]] = {
    "Page": [
        ("LINKS_TO", ">", "Page", 6),
        ("LINKS_TO", "<", "Page", 3),
        ("LINKS_TO", "-", "Page", 0.7),
        ("ON", ">", "Host", 3),
        ("CO_CITED", ">", "Page", 0.7),
        ("CO_CITED", "-", "Page", 0.2),
        ("RESULT", "<", "Query", 1),
        ("RANKED", "<", "Run", 1),
        ("CORE", "<", "Run", 0.4),
    ],
    "Host": [("ON", "<", "Page", 1)],
    "Query": [("RESULT", ">", "Page", 1)],
    "Run": [("RANKED", ">", "Page", 2), ("CORE", ">", "Page", 1)],
}
"""Link, direction, node at its other end, how often."""

VALUES: dict[str, list[Any]] = {
    "id": [0, 1, 2, 3, 5, 7, 11, 20],
    "visits": [0, 1, 2, 3, 7, -5, 100],
    "clicks": [0.0, 1.0, 2.5, -1.0, 7.0],
    "score": [0.25, 0.0, -0.5],
    "spam": [0.0, 1.0],
    "status": ["crawled", "crawled", "frontier", "missing", "x"],
    "lang": ["de", "fr", "en", "it"],
    "title": ["", "a", "news", "News", "Über uns", "été", "日本"],
    "url": ["http://a.example/0", "http://b.example/3", "http://a.example/1"],
    "good": [True, False],
    "name": ["a.example", "b.example", "c.example", "ü.example", "empty.example"],
    "pages": [0, 1, 3, 8],
    "importance": [0.0, 0.5, -2.0, 3.25],
    "country": ["de", "fr", "ch"],
    "text": ["flu", "chess", "", "été"],
    "freq": [1.0, 10.0, 90.0],
    "need": [0.0, 0.25, 0.5],
    "method": ["seeds greedy", "rank pagerank", "seeds cores"],
    "seconds": [0.0, 1.5, 20.0],
    "weight": [1.0, 1.0, 2.0, 3.0, 0.5, 0.0, -1.0],
    "rank": [1, 2, 3, 5],
    "n": [1, 2],
    "role": ["hub", "authority"],
}


@dataclass
class Scope:
    """Variables at a point of a statement, parameters given so far, and the dice."""

    rng: random.Random
    kinds: dict[str, str] = field(default_factory=dict)
    """By name: a label, a type of link, a kind of value, or ``list <kind>``."""
    ends: dict[str, tuple[str, str]] = field(default_factory=dict)
    """Of links with a name: the names of the nodes at their ends, where both have one."""
    parameters: dict[str, Any] = field(default_factory=dict)
    counts: bool = True
    """Whether COUNT { … } may be used."""
    predicates: bool = True
    """Whether a bare pattern may be a condition: in WHERE, not as a value."""
    used: int = 0

    def child(self) -> Scope:
        """The scope inside braces: sees all, adds nothing outside."""
        return replace(self, kinds=dict(self.kinds), ends=dict(self.ends), used=self.used + 20)

    def name(self, letter: str) -> str:
        self.used += 1
        return f"{letter}{self.used}"

    def of(self, *kinds: str) -> list[str]:
        return [name for name, kind in self.kinds.items() if kind in kinds]

    def nodes(self) -> list[str]:
        return self.of(*NODES)

    def entities(self) -> list[str]:
        return self.of(*PROPERTIES)

    def chance(self, share: float) -> bool:
        return self.rng.random() < share

    def literal(self, value: Any) -> str:
        """A value as text, now and then as a parameter."""
        if self.chance(0.08):
            name = f"p{len(self.parameters)}"
            self.parameters[name] = value
            return f"${name}"
        return write(value)


def write(value: Any) -> str:
    """A value in Cypher."""
    if value is None:
        return "null"
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, list):
        return f"[{', '.join(map(write, value))}]"
    return f"'{value}'" if isinstance(value, str) else str(value)


def quoted(label: str) -> str:
    """A label or type as it is written: some are words of the language."""
    return f"`{label}`" if label in ("ON", "Query") else label
