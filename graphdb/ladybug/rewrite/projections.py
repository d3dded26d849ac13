"""WITH and RETURN: columns under names of our own, and an order that an aggregate does not lose."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from graphdb.ladybug.rewrite.scope import AGGREGATES, Bound, aggregates, names_in
from graphdb.ladybug.rewrite.state import State
from graphdb.ladybug.rewrite.subqueries import sent_value
from graphdb.ladybug.rewrite.values import is_solid
from graphdb.statements.tree import (
    Call,
    Clause,
    Expression,
    ListOf,
    Literal,
    NullTest,
    Operation,
    Order,
    Projection,
    ProjectionItem,
    Property,
    Unwind,
    Variable,
    rebuilt,
    walk,
)

__all__ = ["send_projection"]

_ALL = Literal("9223372036854775807", "integer")


def send_projection(state: State, clause: Projection, rest: tuple[Clause, ...]) -> None:
    """Write a WITH or RETURN anew; `rest` are the clauses after it."""
    items = _items(state, clause)
    values = _values(state, clause, items)
    names = [_name(state, item, place, clause) for place, item in enumerate(items)]
    _check_names(state, items)
    for item in items:
        _check_aggregate(state, item)
        _check_whole(state, item)
    keyed = clause.distinct or any(aggregates(item.value) for item in items)
    order = [_order(state, key, items, names, keyed=keyed) for key in clause.order]
    state.carry_hoists()
    limit = clause.limit
    if order and clause.word == "WITH" and clause.skip is None and limit is None:
        limit = _ALL  # without one the database takes no ORDER BY
    cut = limit is not None or clause.skip is not None
    if cut:
        order = [one for key in order for one in _nulls_told(key)]
    if clause.word == "WITH" and (cut or clause.distinct) and state.sent and not any(map(names_in, values)):
        raise state.refuse(
            clause.place, "DISTINCT, SKIP or LIMIT of a constant is wrong here", "keep a name in the WITH"
        )
    bounds = [_bound(state, value, item, keyed=keyed) for value, item in zip(values, items, strict=True)]
    made = tuple(ProjectionItem(value, name, name) for value, name in zip(values, names, strict=True))
    star = clause.star and state.open
    state.sent.append(Projection(clause.word, made, clause.distinct, star, tuple(order), clause.skip, limit))
    if clause.word == "RETURN":
        state.columns = None if star else tuple(item.column for item in items)
        return
    state.scope = dict(zip(names, bounds, strict=True))
    state.hidden = set()
    state.projected = True
    if clause.where is not None:
        where = sent_value(state, clause.where, state.scope)
        state.carry_hoists()
        state.carry({}, where)
    if order and _summed_up(rest):
        # Keeps the optimiser from dropping the order before an aggregate.
        state.sent.append(Unwind(ListOf((Literal("1", "integer"),)), next(state.fresh)))


def _values(state: State, clause: Projection, items: list[ProjectionItem]) -> list[Expression]:
    values = [sent_value(state, item.value, state.scope) for item in items]
    if not state.in_union or clause.word == "WITH":
        return values
    # The sides of a UNION are not joined where one has whole numbers of another kind.
    kinds = [state.values(state.scope).type_of(item.value) for item in items]
    return [
        Call("cast", (value,), type_name="INT64") if kind == "integer" else value
        for value, kind in zip(values, kinds, strict=True)
    ]


def _items(state: State, clause: Projection) -> list[ProjectionItem]:
    """The items, with ``*`` and ``p.*`` written out."""
    items = [one for item in clause.items for one in _every_property(state, item)]
    if not clause.star or state.open:
        return items
    visible = sorted(name for name in state.scope if name not in state.hidden)
    if not visible and not items:
        raise state.refuse(clause.place, "* stands for no name here", "name what to return")
    return [*(ProjectionItem(Variable(name), name, name) for name in visible), *items]


def _every_property(state: State, item: ProjectionItem) -> list[ProjectionItem]:
    match item.value:
        case Property(of=Variable(name=name), key="*") if name in state.scope:
            keys = state.schema.columns(state.scope[name])
            made = [Property(Variable(name), key, place=item.place) for key in keys]
            return [ProjectionItem(one, None, f"{name}.{one.key}", place=item.place) for one in made]
    return [item]


def _name(state: State, item: ProjectionItem, place: int, clause: Projection) -> str:
    if clause.word == "RETURN" and not state.open:
        return f"_c{place}"
    if item.name is not None:
        return item.name
    if isinstance(item.value, Variable):
        return item.value.name
    if clause.word == "WITH":
        raise state.refuse(item.place, f"{item.text} needs a name in WITH", f"such as {item.text} AS name")
    return f"_c{place}"


def _check_names(state: State, items: list[ProjectionItem]) -> None:
    """Refuse two columns of one name, as Neo4j does."""
    seen: set[str] = set()
    for item in items:
        if item.column in seen:
            raise state.refuse(item.place, f"two columns are called {item.column}", "name one of them with AS")
        seen.add(item.column)


def _check_aggregate(state: State, item: ProjectionItem) -> None:
    """Refuse ``p.x + count(*)``: what is summed and what is a key must be apart."""
    if not aggregates(item.value):
        return
    inside = {id(part) for call in walk(item.value) if _is_aggregate(call) for part in walk(call)}
    loose = [part for part in walk(item.value) if isinstance(part, Variable) and id(part) not in inside]
    if loose:
        raise state.refuse(
            item.place, f"{item.text} mixes an aggregate with {loose[0].name}", "compute one in a WITH before"
        )


def _check_whole(state: State, item: ProjectionItem) -> None:
    """Refuse a node of any label as a whole: properties of one name and several types become text here."""
    bound = state.scope.get(item.value.name) if isinstance(item.value, Variable) else None
    if bound is None or bound.kind not in ("node", "relationship"):
        return
    mixed = [key for key in state.schema.columns(bound) if len(state.schema.types(bound, key)) > 1]
    if mixed:
        raise state.refuse(
            item.place, f"{item.text} may have any label, and {mixed[0]} several types", "name the label"
        )


def _order(state: State, key: Order, items: list[ProjectionItem], names: list[str], *, keyed: bool) -> Order:
    """A key of ORDER BY in terms of what is projected, where it is."""
    shown = {item.column: (item, name) for item, name in zip(items, names, strict=True)}
    whole = key.value

    def projected(part: Any) -> Any:
        for item, name in zip(items, names, strict=True):
            if part == item.value and not isinstance(part, Literal):
                return Variable(name)
        return Variable(shown[part.name][1]) if isinstance(part, Variable) and part.name in shown else part

    kind = state.values(state.scope).type_of(whole)
    if isinstance(whole, Variable) and whole.name in shown:
        kind = state.values(state.scope).type_of(shown[whole.name][0].value)
    value = projected(whole)
    if value is whole:
        scope = {**{name: Bound("value") for name in names}, **state.scope}
        value = sent_value(state, rebuilt(whole, projected), scope)
    if keyed and not names_in(value) <= set(names):
        raise state.refuse(
            key.place, "after an aggregate or DISTINCT, ORDER BY takes what is returned", "return it too"
        )
    if kind == "float":
        # -0.0 comes before every number here; the sum is 0.0.
        value = Operation("+", (value, Literal("0.0", "float")))
    return replace(key, value=value)


def _bound(state: State, value: Expression, item: ProjectionItem, *, keyed: bool) -> Bound:
    if isinstance(item.value, Variable) and item.value.name in state.scope:
        bound = state.scope[item.value.name]
        return replace(bound, origin=None) if keyed else bound
    kind = state.values(state.scope).type_of(item.value)
    return Bound("value", type=kind, solid=is_solid(item.value), optional=_may_be_missing(state, value))


def _may_be_missing(state: State, value: Expression) -> bool:
    return any(state.scope[name].optional for name in names_in(value) if name in state.scope)


def _summed_up(rest: tuple[Clause, ...]) -> bool:
    """Whether rows go into an aggregate or DISTINCT before anything but WITH and RETURN."""
    for clause in rest:
        if not isinstance(clause, Projection):
            return False
        if clause.distinct or any(aggregates(item.value) for item in clause.items):
            return True
    return False


def _nulls_told(key: Order) -> list[Order]:
    """Nulls last, or first when descending, said outright: over 100,000 rows a LIMIT mixes them up."""
    return (
        [Order(NullTest(key.value, negated=key.descending), descending=False), key]
        if not isinstance(key.value, Literal)
        else [key]
    )


def _is_aggregate(part: object) -> bool:
    return isinstance(part, Call) and part.name in AGGREGATES
