"""Random read statements, the same for the same number: everyday questions and their mutations.

Each is valid on Neo4j and has one answer: rows cut off by SKIP and LIMIT are ordered by everything that tells them
apart, collected lists are never compared in order or sorted by, and sums that are sorted by are exact.
Left out is what Neo4j itself answers wrongly.
"""

from __future__ import annotations

import random
from dataclasses import replace

from tests.cypher import templates
from tests.cypher.expressions import ORDERABLE_FLOATS, condition, expression, property_of
from tests.cypher.more_templates import MORE_TEMPLATES
from tests.cypher.patterns import pattern
from tests.cypher.scope import BOOL, FLOAT, INT, KEYS, NODES, PROPERTIES, SCALARS, TEXT, Scope
from tests.cypher.statements import Clause, Match, Project, Statement, Unwind, neo4j_is_wrong


def statement(number: int) -> Statement:
    """The statement of a number."""
    rng = random.Random(f"statement {number}")
    while neo4j_is_wrong(made := _statement(Scope(rng))):
        pass
    return made


def _statement(scope: Scope) -> Statement:
    roll = scope.rng.random()
    if roll < 0.25:
        made = templates.any_template(scope)
    elif roll < 0.40:
        made = scope.rng.choice(MORE_TEMPLATES)(scope)
    elif roll < 0.44:
        made = _union(scope)
    else:
        made = Statement((tuple(_clauses(scope)),))
    return replace(made, parameters=scope.parameters)


def _union(scope: Scope) -> Statement:
    branches = []
    kinds = scope.rng.choices(SCALARS, k=scope.rng.randint(1, 2))
    for _ in range(2):
        inner = Scope(scope.rng, parameters=scope.parameters)
        match = _match(inner, scope.rng.randint(0, 2))
        items = tuple(f"{expression(inner, kind, 1)} AS c{number}" for number, kind in enumerate(kinds))
        branches.append((match, Project(items)))
    return Statement(tuple(branches), scope.rng.choice(("UNION", "UNION ALL")))


def _clauses(scope: Scope) -> list[Clause]:
    rng = scope.rng
    clauses: list[Clause] = []
    if scope.chance(0.06):
        clauses.append(_unwind(scope))
    hops = rng.choices((0, 1, 2, 3), (2, 4, 4, 1.5))[0]
    clauses.append(_match(scope, hops))
    budget = 3 - hops
    for _ in range(rng.choices((0, 1, 2), (5, 4, 1.5))[0]):
        roll = rng.random()
        if roll < 0.40:
            clauses.append(_with(scope))
        elif roll < 0.70 and budget > 0 and scope.nodes():
            clauses.append(_match(scope, 1, follow=True, optional=True))
            budget -= 1
        elif budget > 0:
            clauses.append(_match(scope, 1, follow=True))
            budget -= 1
    clauses.append(_return(scope))
    return clauses


def _unwind(scope: Scope) -> Unwind:
    values: list[object] = list(scope.rng.choice(([0, 1, 2], [3, 3, 5], [1, None], [7])))
    name = scope.name("x")
    scope.kinds[name] = INT
    return Unwind(f"{scope.literal(values)} AS {name}" if scope.chance(0.8) else f"range(0, 3) AS {name}")


def _match(scope: Scope, hops: int, *, follow: bool = False, optional: bool = False) -> Match:
    rng = scope.rng
    known = scope.nodes()
    start = rng.choice(known) if known and (follow or scope.chance(0.8)) else None
    if start is not None and hops == 0:
        hops = 1
    patterns = [pattern(scope, hops, start)]
    if scope.chance(0.12) and scope.nodes() and hops < 3:
        patterns.append(pattern(scope, 1, rng.choice(scope.nodes())))
    count = rng.choices((0, 1, 2, 3), (3, 5, 3, 0.8))[0]
    asked = replace(scope, counts=not optional)
    where = tuple(condition(asked, 1) for _ in range(count)) if scope.kinds else ()
    return Match(tuple(patterns), where, optional)


def _with(scope: Scope) -> Project:
    """A WITH; the scope is what it lets through."""
    rng = scope.rng
    roll = rng.random()
    if roll < 0.35 or not scope.kinds:
        return _aggregating(scope, "WITH")
    kept = [name for name in scope.kinds if scope.chance(0.7)]
    kept = _closed(scope, kept) or _closed(scope, list(scope.kinds)[:1]) or list(scope.kinds)
    items, kinds = list(kept), {name: scope.kinds[name] for name in kept}
    distinct = roll < 0.45
    if scope.chance(0.3):
        kind = rng.choice(SCALARS)
        name = scope.name("v")
        items.append(f"{expression(scope, kind, 1)} AS {name}")
        kinds[name] = kind
    if distinct:
        kinds = {name: kind for name, kind in kinds.items() if not kind.startswith("list ")}
        items = [item for item in items if item.split(" AS ")[-1] in kinds] or items
    order, cut = _order(scope, kinds) if scope.chance(0.5) else ((), "")
    if order and scope.chance(0.05):
        cut = ""
    _keep(scope, kinds)
    where = (condition(scope, 1),) if scope.chance(0.25) else ()
    return Project(tuple(items), "WITH", distinct, order, cut, where)


def _aggregating(scope: Scope, word: str) -> Project:
    """Keys and aggregates of the rest; every column has a name."""
    rng = scope.rng
    kinds: dict[str, str] = {}
    items: list[str] = []
    firm: set[str] = set()  # columns that may be sorted by
    for _ in range(rng.choices((0, 1, 2), (3 if word == "RETURN" else 1, 5, 1.5))[0]):
        nodes = scope.nodes()
        if nodes and scope.chance(0.45):
            name = rng.choice(nodes)
            if name not in kinds:
                items.append(name)
                kinds[name] = scope.kinds[name]
                firm.add(name)
            continue
        kind = rng.choice(SCALARS)
        name = scope.name("k")
        items.append(f"{expression(scope, kind, 1)} AS {name}")
        kinds[name] = kind
        firm.add(name)
    for _ in range(rng.choices((1, 2, 3), (5, 3, 1))[0]):
        text, kind, sure = _aggregate(scope)
        name = scope.name("g")
        items.append(f"{text} AS {name}")
        kinds[name] = kind
        if sure:
            firm.add(name)
    order: tuple[str, ...] = ()
    cut = ""
    if scope.chance(0.4):
        sortable = {name: kind for name, kind in kinds.items() if name in firm}
        order, cut = _order(Scope(rng, sortable), sortable)
    where: tuple[str, ...] = ()
    if word == "WITH":
        _keep(scope, kinds)
        if scope.chance(0.4):
            sure_scope = replace(scope, kinds={name: kind for name, kind in kinds.items() if name in firm})
            if sure_scope.kinds:
                where = (condition(sure_scope, 0),)
    return Project(tuple(items), word, False, order, cut, where)


def _aggregate(scope: Scope) -> tuple[str, str, bool]:
    """An aggregate, the kind of its value, and whether it is exact."""
    rng = scope.rng
    roll = rng.random()
    names = list(scope.entities())
    if roll < 0.25 or not scope.kinds:
        return "count(*)", INT, True
    distinct = "DISTINCT " if scope.chance(0.2) else ""
    if roll < 0.40 and names:
        return f"count({distinct}{rng.choice(names)})", INT, True
    if roll < 0.50:
        return f"count({distinct}{expression(scope, rng.choice(SCALARS), 1)})", INT, True
    if roll < 0.60:
        kind = rng.choice((INT, FLOAT, TEXT))
        return f"{rng.choice(('min', 'max'))}({expression(scope, kind, 1)})", kind, True
    if roll < 0.70:
        kind = rng.choice((INT, TEXT, BOOL))
        return f"collect({distinct}{expression(scope, kind, 0)})", f"list {kind}", False
    word = rng.choice(("sum", "sum", "avg"))
    found = property_of(scope, (INT, FLOAT), exact=True)
    if found is not None and scope.chance(0.7):
        text, name, kind = found
        return f"{word}({distinct}{text})", kind if word == "sum" else FLOAT, kind == INT or name in ORDERABLE_FLOATS
    kind = rng.choice((INT, FLOAT))
    return f"{word}({expression(scope, kind, 1)})", kind if word == "sum" else FLOAT, False


def _order(scope: Scope, kinds: dict[str, str]) -> tuple[tuple[str, ...], str]:
    """An order by something, then by all that tells rows apart, and a cut."""
    rng = scope.rng
    if any(kind.startswith("list ") or KEYS.get(kind) == () for kind in kinds.values()):
        return (), ""  # a link that is kept has nothing that tells it apart
    keys: list[str] = []
    for name, kind in kinds.items():
        keys += [f"{name}.{key}" for key in KEYS[kind]] if kind in KEYS else [name]
    if not keys:
        return (), ""
    firsts = [
        f"{name}.{own}"
        for name, kind in kinds.items()
        if kind in PROPERTIES
        for own in PROPERTIES[kind]
        if f"{name}.{own}" not in keys
    ]
    rng.shuffle(keys)
    if firsts and scope.chance(0.75):
        keys.insert(0, rng.choice(firsts))
    order = tuple(f"{key} DESC" if scope.chance(0.35) else key for key in keys)
    cut = rng.choice(
        (f"LIMIT {rng.randint(1, 8)}",) * 4 + (f"SKIP {rng.randint(1, 3)} LIMIT {rng.randint(1, 6)}", "SKIP 2")
    )
    return order, cut


def _return(scope: Scope) -> Project:
    rng = scope.rng
    if scope.chance(0.5):
        return _aggregating(scope, "RETURN")
    items: list[str] = []
    kinds: dict[str, str] = {}
    for _ in range(rng.randint(1, 4)):
        roll = rng.random()
        known = [name for name in scope.kinds if name not in kinds]
        if roll < 0.25 and known:
            name = rng.choice(known)
            items.append(name)
            kinds[name] = scope.kinds[name]
            continue
        kind = rng.choice((INT, INT, FLOAT, TEXT, TEXT, BOOL))
        name = scope.name("c")
        found = property_of(scope, SCALARS)
        if found is not None and roll < 0.75:
            items.append(f"{found[0]} AS {name}")
            kinds[name] = found[2]
        else:
            items.append(f"{expression(scope, kind, 2)} AS {name}")
            kinds[name] = kind
    distinct = scope.chance(0.2) and not any(kind.startswith("list ") for kind in kinds.values())
    order, cut = (), ""
    if scope.chance(0.4) and all(kind in SCALARS or kind in NODES for kind in kinds.values()):
        order, cut = _order(scope, kinds)
    return Project(tuple(items), "RETURN", distinct, order, cut)


def _closed(scope: Scope, names: list[str]) -> list[str]:
    """Without links whose ends are not both kept: nothing would tell them apart."""
    return [
        name
        for name in names
        if scope.kinds[name] in (*NODES, *SCALARS)
        or scope.kinds[name].startswith("list ")
        or set(scope.ends.get(name, ("-",))) <= set(names)
    ]


def _keep(scope: Scope, kinds: dict[str, str]) -> None:
    scope.kinds = dict(kinds)
    scope.ends = {name: ends for name, ends in scope.ends.items() if name in kinds}
