"""What is known while the clauses of a query are written anew, from top to bottom."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from itertools import count
from typing import Any

from graphdb.ladybug.rewrite.scope import Bound, Schema, Scope, names_in
from graphdb.ladybug.rewrite.values import Values
from graphdb.statements.tokens import Refused, refuse
from graphdb.statements.tree import Clause, Expression, Projection, ProjectionItem, Variable

__all__ = ["State"]


@dataclass
class State:
    """A query under way.

    Parameters
    ----------
    source
        The statement, for the places in messages.
    schema
        The columns there are.
    parameters
        Values of the statement's parameters.
    in_union
        Whether other queries are joined to this one.
    sent
        The clauses written so far.
    scope
        What names stand for after them.
    hidden
        Names that are not the user's: ``*`` leaves them out.
    open
        Whether a procedure bound names that are not known here.
    projected
        Whether a WITH or UNWIND came already.
    hoists
        Expressions to compute before the clause under way, by the names that stand for them in it.
    touched
        Nodes bound by the clause under way whose keys must be read.
    columns
        What the columns of the result are called; `None` where the database names them.
    """

    source: str
    schema: Schema
    parameters: Mapping[str, Any]
    in_union: bool = False
    sent: list[Clause] = field(default_factory=list)
    scope: Scope = field(default_factory=dict)
    hidden: set[str] = field(default_factory=set)
    open: bool = False
    projected: bool = False
    hoists: dict[str, Expression] = field(default_factory=dict)
    touched: set[str] = field(default_factory=set)
    columns: tuple[str, ...] | None = None
    fresh: Iterator[str] = field(default_factory=lambda: (f"_{number}" for number in count()))

    def refuse(self, place: int, what: str, hint: str) -> Refused:
        """The error that refuses the statement."""
        return refuse(self.source, place, what, hint)

    def values(self, scope: Scope) -> Values:
        """What rewrites expressions in a scope."""
        return Values(self.source, scope, self.schema, self.parameters, open=self.open)

    def carry(self, tests: Mapping[str, Expression], where: Expression | None = None) -> None:
        """Send a WITH that keeps every name, adds `tests`, and filters; one WITH more for tests that use others."""
        waiting = dict(tests)
        while True:
            ready = {name: test for name, test in waiting.items() if not names_in(test) & waiting.keys()}
            waiting = {name: test for name, test in waiting.items() if name not in ready}
            items = [ProjectionItem(Variable(name), name, name) for name in self.scope]
            items += [ProjectionItem(test, name, name) for name, test in ready.items()]
            self.sent.append(Projection("WITH", tuple(items), where=None if waiting else where))
            kinds = {name: self.values(self.scope).type_of(test) for name, test in ready.items()}
            self.scope.update({name: Bound("value", type=kind) for name, kind in kinds.items()})
            self.hidden |= ready.keys()
            if not waiting:
                return

    def hoist(self, test: Expression) -> Variable:
        """A name for an expression that is computed before the clause."""
        for name, known in self.hoists.items():
            if known == test:
                return Variable(name)
        name = next(self.fresh)
        self.hoists[name] = test
        return Variable(name)

    def carry_hoists(self) -> None:
        """Send what must be computed before the clause under way."""
        if self.hoists:
            tests, self.hoists = self.hoists, {}
            self.carry(tests)
