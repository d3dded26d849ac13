"""Random expressions over what is in scope, of a wanted kind."""

from __future__ import annotations

from dataclasses import replace

from tests.cypher.scope import BOOL, FLOAT, INT, PROPERTIES, SCALARS, TEXT, VALUES, Scope, quoted, write

_SIGNS = ("=", "<>", "<", "<=", ">", ">=")
_ANY = {INT: [0, 1, 2, 3, -1], FLOAT: [0.0, 1.0, 0.5, -2.0], TEXT: ["a", "", "e", "été"], BOOL: [True, False]}
ORDERABLE_FLOATS = frozenset({"clicks", "weight", "spam", "freq", "seconds", "need", "importance"})
"""Whose sums are exact in any order, so that they can be compared and sorted."""


def expression(scope: Scope, kind: str, depth: int = 1) -> str:
    """An expression of `kind`."""
    rng = scope.rng
    if depth <= 0 or rng.random() < 0.55:
        return _leaf(scope, kind)
    if kind == INT:
        return _integer(scope, depth)
    if kind == FLOAT:
        return _float(scope, depth)
    if kind == TEXT:
        return _text(scope, depth)
    return condition(replace(scope, predicates=False), depth)


def condition(scope: Scope, depth: int = 1) -> str:
    """A condition as people write them."""
    rng = scope.rng
    roll = rng.random()
    if depth > 0 and roll < 0.10:
        return f"({condition(scope, depth - 1)} OR {condition(scope, depth - 1)})"
    if depth > 0 and roll < 0.15:
        return f"NOT ({condition(scope, depth - 1)})"
    if depth > 0 and roll < 0.17:
        return f"({condition(scope, depth - 1)} AND {condition(scope, depth - 1)})"
    if depth > 0 and roll < 0.175:
        return f"({condition(scope, 0)} XOR {condition(scope, 0)})"
    if depth > 0 and roll < 0.27 and scope.of("Page", "Host"):
        return _subquery_condition(scope)
    if roll < 0.30 and len(scope.of("Page")) > 1:
        one, other = rng.sample(scope.of("Page"), 2)
        return rng.choice(
            (f"{one}.id <> {other}.id", f"{one} <> {other}", f"{one}.id < {other}.id", f"{one} = {other}")
        )
    return _comparison(scope, depth)


def _comparison(scope: Scope, depth: int) -> str:
    rng = scope.rng
    links = scope.of("LINKS_TO")
    if links and scope.chance(0.06):
        anchors = f"{rng.choice(links)}.anchors"
        return rng.choice(
            (f"{anchors} IS NULL", f"'next' IN {anchors}", f"size({anchors}) > 0", f"NOT 'back' IN {anchors}")
        )
    found = property_of(scope, SCALARS)
    if found is None:
        return _scalar_comparison(scope, depth)
    text, name, kind = found
    roll = rng.random()
    value = scope.literal(rng.choice(VALUES[name]))
    if kind == BOOL:
        return rng.choice((text, f"{text} = {value}", f"NOT {text}", f"{text} IS NULL", f"{text} IS NOT NULL"))
    if roll < 0.12:
        return f"{text} {rng.choice(('IS NULL', 'IS NOT NULL'))}"
    if roll < 0.22:
        several: list[object] = rng.sample(VALUES[name], min(len(VALUES[name]), rng.randint(1, 3)))
        if rng.random() < 0.04:
            several.append(None)
        if rng.random() < 0.2:
            return f"NOT {text} IN {scope.literal(several)}"
        return f"{text} IN {scope.literal(several)}"
    if kind == TEXT and roll < 0.45:
        part = str(rng.choice(VALUES[name]))
        word = rng.choice(("STARTS WITH", "CONTAINS", "CONTAINS", "ENDS WITH"))
        piece = part[:3] if word != "ENDS WITH" else part[-3:]
        return f"{text} {word} {scope.literal(piece)}"
    if roll < 0.52 and depth > 0:
        return f"{expression(scope, kind, depth)} {rng.choice(_SIGNS)} {expression(scope, kind, depth - 1)}"
    if roll < 0.56:
        other = property_of(scope, (kind,))
        if other is not None and other[0] != text:
            return f"{text} {rng.choice(_SIGNS)} {other[0]}"
    sign = rng.choice(_SIGNS if kind != TEXT else ("=", "=", "=", "<>", "<>", "<", ">="))
    return f"{text} {sign} {value}"


def _scalar_comparison(scope: Scope, depth: int) -> str:
    rng = scope.rng
    names = scope.of(*SCALARS)
    if not names:
        return f"{write(rng.choice(_ANY[INT]))} {rng.choice(_SIGNS)} 1"
    name = rng.choice(names)
    kind = scope.kinds[name]
    if kind == BOOL:
        return rng.choice((name, f"NOT {name}", f"{name} IS NOT NULL"))
    if rng.random() < 0.15:
        return f"{name} {rng.choice(('IS NULL', 'IS NOT NULL'))}"
    return f"{name} {rng.choice(_SIGNS)} {scope.literal(rng.choice(_ANY[kind]))}"


def property_of(scope: Scope, kinds: tuple[str, ...], *, exact: bool = False) -> tuple[str, str, str] | None:
    """A property of something in scope: its text, name and kind; `exact` leaves out floats whose sums round."""
    found = []
    for variable in scope.entities():
        for name, kind in PROPERTIES[scope.kinds[variable]].items():
            if kind in kinds and not (exact and kind == FLOAT and name not in ORDERABLE_FLOATS):
                found.append((f"{variable}.{name}", name, kind))
    return scope.rng.choice(found) if found else None


def _leaf(scope: Scope, kind: str) -> str:
    rng = scope.rng
    names = scope.of(kind)
    if names and rng.random() < 0.5:
        return rng.choice(names)
    found = property_of(scope, (kind,))
    if found is not None and rng.random() < 0.85:
        return found[0]
    return scope.literal(rng.choice(_ANY[kind]))


def _integer(scope: Scope, depth: int) -> str:
    rng = scope.rng
    one = lambda: expression(scope, INT, depth - 1)  # noqa: E731
    text = lambda: expression(scope, TEXT, depth - 1)  # noqa: E731
    forms = [
        lambda: f"{one()} + {one()}",
        lambda: f"{one()} - {rng.choice((1, 2))}",
        lambda: f"{one()} * {rng.choice((2, 3, -1))}",
        lambda: f"{_grouped(one())} % {rng.choice((2, 3, 5))}",
        lambda: f"abs({one()})",
        lambda: f"size({text()})",
        lambda: f"coalesce({one()}, {rng.choice((0, 1, -1))})",
        lambda: f"coalesce({one()}, {rng.choice((0, 1, -1))})",
        lambda: case(scope, INT, depth),
        lambda: case(scope, INT, depth),
        lambda: f"{_grouped(one())} / 2",
    ]
    if scope.counts and scope.of("Page", "Host"):
        forms += [lambda: counted(scope)]
    lists = [name for name, kind in scope.kinds.items() if kind.startswith("list ")]
    if lists:
        forms += [lambda: f"size({rng.choice(lists)})"] * 3
    return rng.choice(forms)()


def _float(scope: Scope, depth: int) -> str:
    """Nothing that can be -0.0: Neo4j puts it below 0.0 in some comparisons and not in others."""
    rng = scope.rng
    one = lambda: expression(scope, FLOAT, depth - 1)  # noqa: E731
    forms = [
        lambda: f"{one()} + {one()}",
        lambda: f"{one()} * {rng.choice((2, 0.5, 3))}",
        lambda: f"{_grouped(one())} / 2",
        lambda: f"abs({one()})",
        lambda: f"floor({one()})",
        lambda: f"ceil(abs({one()}))",
        lambda: f"sqrt(abs({one()}))",
        lambda: f"coalesce({one()}, 0.0)",
        lambda: f"coalesce({one()}, 0.0)",
        lambda: case(scope, FLOAT, depth),
        lambda: f"{_grouped(expression(scope, INT, depth - 1))} * 0.5",
    ]
    return rng.choice(forms)()


def _text(scope: Scope, depth: int) -> str:
    rng = scope.rng
    one = lambda: expression(scope, TEXT, depth - 1)  # noqa: E731
    forms = [
        lambda: f"toUpper({one()})",
        lambda: f"toLower({one()})",
        lambda: f"trim({one()})",
        lambda: f"left({one()}, {rng.randint(0, 4)})",
        lambda: f"right({one()}, {rng.randint(0, 4)})",
        lambda: f"reverse({one()})",
        lambda: f"coalesce({one()}, {rng.choice(_QUOTED)})",
        lambda: f"coalesce({one()}, {rng.choice(_QUOTED)})",
        lambda: case(scope, TEXT, depth),
    ]
    if rng.random() < 0.3:
        forms = [
            lambda: f"substring({one()}, {rng.randint(0, 2)}, {rng.randint(1, 5)})",
            lambda: f"replace({one()}, {rng.choice(_QUOTED)}, 'o')",
            lambda: f"{one()} + {rng.choice(_QUOTED)}",
            lambda: f"toString({expression(scope, INT, 0)})",
        ]
    return rng.choice(forms)()


_QUOTED = ("'a'", "'e'", "'x'", "'?'")


def _grouped(text: str) -> str:
    return text if text.replace(".", "").replace("$", "").isalnum() else f"({text})"


def case(scope: Scope, kind: str, depth: int) -> str:
    """A CASE; now and then one in another."""
    rng = scope.rng
    inner = 1 if rng.random() < 0.06 else 0
    other = expression(scope, kind, inner)
    if rng.random() < 0.2:
        found = property_of(scope, (TEXT, INT))
        if found is not None:
            text, name, _ = found
            first = scope.literal(rng.choice(VALUES[name]))
            return f"CASE {text} WHEN {first} THEN {expression(scope, kind, 0)} ELSE {other} END"
    ending = "" if rng.random() < 0.15 else f" ELSE {other}"
    return f"CASE WHEN {condition(scope, min(depth - 1, 0))} THEN {expression(scope, kind, inner)}{ending} END"


def subpattern(scope: Scope) -> tuple[str, Scope]:
    """A pattern that starts at something in scope, and the scope inside the braces."""
    rng = scope.rng
    inside = scope.child()
    start = rng.choice(scope.of("Page", "Host"))
    if scope.kinds[start] == "Host":
        page = inside.name("s")
        inside.kinds[page] = "Page"
        return f"({start})<-[:`ON`]-({page}:Page)", inside
    link = rng.choice(("LINKS_TO", "LINKS_TO", "LINKS_TO", "ON", "RESULT", "CO_CITED"))
    label = {"ON": "Host", "RESULT": "Query"}.get(link, "Page")
    name, variable = "", ""
    if rng.random() < 0.6:
        name = inside.name("s")
        inside.kinds[name] = label
    if rng.random() < 0.25 and PROPERTIES[link]:
        variable = inside.name("t")
        inside.kinds[variable] = link
    node, middle = f"({name}:{quoted(label)})", f"[{variable}:{quoted(link)}]"
    backwards = link == "RESULT" or (link != "ON" and rng.random() < 0.35)
    text = f"({start})<-{middle}-{node}" if backwards else f"({start})-{middle}->{node}"
    if link == "LINKS_TO" and name and rng.random() < 0.1:
        text += "-[:`ON`]->(:Host)"
    return text, inside


def braces(scope: Scope) -> str:
    """``{ MATCH … [WHERE …] }``."""
    text, inside = subpattern(scope)
    short = "" if scope.chance(0.2) else "MATCH "
    where = f" WHERE {condition(inside, 0)}" if scope.chance(0.45) else ""
    return f"{{ {short}{text}{where} }}"


def counted(scope: Scope) -> str:
    """``COUNT { … }``."""
    return f"COUNT {braces(scope)}"


def _subquery_condition(scope: Scope) -> str:
    rng = scope.rng
    roll = rng.random() if scope.counts else rng.uniform(0, 0.6)
    if roll < 0.3:
        return f"EXISTS {braces(scope)}"
    if roll < 0.6:
        return f"NOT EXISTS {braces(scope)}"
    if roll < 0.7 and scope.predicates and scope.of("Page"):
        page = rng.choice(scope.of("Page"))
        return rng.choice(("", "NOT ")) + rng.choice(
            (f"({page})-[:LINKS_TO]->(:Page)", f"({page})<-[:LINKS_TO]-(:Page)")
        )
    return f"{counted(scope)} {rng.choice(_SIGNS)} {rng.choice((0, 0, 1, 2, 3))}"
