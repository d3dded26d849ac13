"""Statements in parts, so that they can be made, written out and made smaller."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field, replace


@dataclass(frozen=True)
class Match:
    """``[OPTIONAL] MATCH pattern, … [WHERE condition AND …]``."""

    patterns: tuple[str, ...]
    where: tuple[str, ...] = ()
    optional: bool = False

    def __str__(self) -> str:
        word = "OPTIONAL MATCH" if self.optional else "MATCH"
        return f"{word} {', '.join(self.patterns)}{_where(self.where)}"

    def smaller(self) -> Iterator[Match]:
        yield from (replace(self, where=rest) for rest in _without_one(self.where))
        if len(self.patterns) > 1:
            yield from (replace(self, patterns=rest) for rest in _without_one(self.patterns))


@dataclass(frozen=True)
class Unwind:
    """``UNWIND list AS name``."""

    text: str

    def __str__(self) -> str:
        return f"UNWIND {self.text}"

    def smaller(self) -> Iterator[Unwind]:
        return iter(())


@dataclass(frozen=True)
class Project:
    """``WITH`` or ``RETURN``; `order` is a full order wherever `cut` (SKIP, LIMIT) stands."""

    items: tuple[str, ...]
    word: str = "RETURN"
    distinct: bool = False
    order: tuple[str, ...] = ()
    cut: str = ""
    where: tuple[str, ...] = ()

    def __str__(self) -> str:
        text = f"{self.word} {'DISTINCT ' if self.distinct else ''}{', '.join(self.items)}"
        if self.order:
            text += f" ORDER BY {', '.join(self.order)}"
        return text + (f" {self.cut}" if self.cut else "") + _where(self.where)

    def smaller(self) -> Iterator[Project]:
        yield from (replace(self, where=rest) for rest in _without_one(self.where))
        if self.order:
            yield replace(self, order=(), cut="")
        if len(self.items) > 1 and not self.cut:
            yield from (replace(self, items=rest) for rest in _without_one(self.items))
        if self.distinct:
            yield replace(self, distinct=False)


Clause = Match | Unwind | Project


@dataclass(frozen=True)
class Statement:
    """Branches of clauses, joined by UNION."""

    branches: tuple[tuple[Clause, ...], ...]
    union: str = "UNION"
    parameters: dict[str, object] = field(default_factory=dict)

    def __str__(self) -> str:
        return f" {self.union} ".join(" ".join(map(str, branch)) for branch in self.branches)

    @property
    def ordered(self) -> bool:
        """Whether its rows come in one order."""
        last = self.branches[-1][-1]
        return len(self.branches) == 1 and isinstance(last, Project) and bool(last.cut)

    def smaller(self) -> Iterator[Statement]:
        """Every statement with one part less; many are not valid."""
        if len(self.branches) > 1:
            yield from (replace(self, branches=rest) for rest in _without_one(self.branches))
        for number, branch in enumerate(self.branches):
            for changed in _smaller_branches(branch):
                yield replace(self, branches=(*self.branches[:number], changed, *self.branches[number + 1 :]))


def neo4j_is_wrong(made: Statement) -> bool:
    """Whether a statement is of a form that Neo4j 5.26 itself answers wrongly.

    - COUNT { … } in the WHERE of an OPTIONAL MATCH counts as false, even ``COUNT { … } >= 0``;
    - ``ORDER BY x DESC``, then ``max(x)`` alone gives the first row sorted, which is a null where there is one.
    """
    return any(map(_neo4j_is_wrong, made.branches))


def _neo4j_is_wrong(branch: tuple[Clause, ...]) -> bool:
    descending = False
    for clause in branch:
        if isinstance(clause, Match) and clause.optional and any("COUNT {" in text for text in clause.where):
            return True
        if isinstance(clause, Project):
            if descending and len(clause.items) == 1 and clause.items[0].startswith("max("):
                return True
            descending = descending or any(key.endswith(" DESC") for key in clause.order)
    return False


def _smaller_branches(branch: tuple[Clause, ...]) -> Iterator[tuple[Clause, ...]]:
    yield from _without_one(branch[:-1], branch[-1:])
    for number, clause in enumerate(branch):
        for changed in clause.smaller():
            yield (*branch[:number], changed, *branch[number + 1 :])


def _without_one(items: tuple, end: tuple = ()) -> Iterator[tuple]:
    return ((*items[:number], *items[number + 1 :], *end) for number in range(len(items)))


def _where(conditions: tuple[str, ...]) -> str:
    return f" WHERE {' AND '.join(conditions)}" if conditions else ""
