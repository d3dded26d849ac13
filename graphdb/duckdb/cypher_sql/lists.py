"""Lists: membership, elements, slices, comprehensions, quantifiers, reduce."""

from __future__ import annotations

from seedrank.graphdb.duckdb.cypher_sql.scope import Stage, Value, Variable, indented
from seedrank.graphdb.duckdb.cypher_sql.types import BOOLEAN, FLOAT, INTEGER, NULL, NUMBER, Type, list_of, sql_type
from seedrank.graphdb.statements.tree import (
    Comprehension,
    Expression,
    Index,
    ListOf,
    MapProjection,
    Operation,
    Property,
    Quantified,
    Reduce,
    Subquery,
    Tree,
    walk,
)
from seedrank.graphdb.statements.tree import PatternComprehension as Patterns
from seedrank.graphdb.statements.tree import Variable as Name

__all__ = ["comprehension", "contained", "elements", "indexed", "listed", "quantified", "reduced"]


def contained(value: Value, of: Value, stage: Stage, tree: Operation) -> Value:
    """``value IN of``: null where it may be among the nulls of the list."""
    from seedrank.graphdb.duckdb.cypher_sql.expressions import value_of
    from seedrank.graphdb.duckdb.cypher_sql.operators import compared

    written = tree.operands[1]
    if isinstance(written, ListOf) and written.items and not any(isinstance(each, ListOf) for each in written.items):
        items = [value_of(item, stage) for item in written.items]
        if value.type.kind not in ("null", "list", "map") and all(
            item.type in (value.type, NULL) or (item.type.is_number and value.type.is_number) for item in items
        ):
            return Value(f"({value.sql} IN ({', '.join(item.sql for item in items)}))", BOOLEAN)
    if of.type == NULL:
        return Value("NULL::BOOLEAN", BOOLEAN)
    if of.type.kind != "list":
        raise stage.state.refuse(tree, f"IN takes a list, this is {of.type}", "such as IN ['a', 'b']")
    empty = f"len({of.sql}) = 0"
    if NULL in (value.type, of.type.item):
        return Value(f"CASE WHEN {empty} THEN FALSE END", BOOLEAN)
    item = of.type.item
    if item.kind == "list" or (item.kind != value.type.kind and not (item.is_number and value.type.is_number)):
        x = stage.state.alias("x")
        test = compared("=", Value(x, item), value, stage, tree).sql
        tests = f"list_transform({of.sql}, lambda {x}: {test})"
        return Value(
            f"CASE WHEN list_contains({tests}, TRUE) THEN TRUE WHEN len({tests}) = list_count({tests}) THEN FALSE END",
            BOOLEAN,
        )
    one, several = value.sql, of.sql
    if item.is_number and INTEGER in (item, value.type) and {item, value.type} & {FLOAT, NUMBER}:
        one, several = f"{one}::DOUBLE", f"{several}::DOUBLE[]"
    if of.constant and not stage.in_lambda and not value.constant:
        return Value(f"({one} IN (SELECT unnest({several})))", BOOLEAN)
    return Value(_membership(one, several, empty), BOOLEAN)


def _any_null(of: str) -> str:
    return f"list_count({of}) < len({of})"


def _membership(one: str, several: str, empty: str) -> str:
    return (
        f"CASE WHEN {empty} THEN FALSE WHEN {one} IS NULL OR {several} IS NULL THEN NULL "
        f"WHEN list_contains({several}, {one}) THEN TRUE WHEN {_any_null(several)} THEN NULL ELSE FALSE END"
    )


def indexed(of: Value, tree: Index, stage: Stage) -> Value:
    """``of[n]``, ``of[a..b]``; positions start at 0, negative ones count from the end."""
    from seedrank.graphdb.duckdb.cypher_sql.expressions import value_of

    if of.type == NULL:
        return of
    if of.type.kind != "list":
        raise stage.state.refuse(tree, f"a list is expected, this is {of.type}", "use substring() for texts")
    if not tree.slice and tree.start is not None:
        place = _whole(value_of(tree.start, stage), stage, tree.start)
        if place.type == NULL:
            return Value("NULL", NULL)
        if place.literal:
            number = place.number
            return Value(f"{of.sql}[{number + (number >= 0)}]", of.type.item)
        return Value(f"{of.sql}[CASE WHEN {place.sql} >= 0 THEN {place.sql} + 1 ELSE {place.sql} END]", of.type.item)
    size = f"len({of.sql})"
    bounds = [
        Value(default, INTEGER, constant=True, nullable=False)
        if part is None
        else _whole(value_of(part, stage), stage, part)
        for part, default in ((tree.start, "0"), (tree.stop, size))
    ]
    if NULL in (bounds[0].type, bounds[1].type):
        return Value("NULL", NULL)
    places = [
        bound.sql
        if bound.sql == size or (bound.literal and bound.number >= 0)
        else f"CASE WHEN {bound.sql} < 0 THEN greatest({size} + {bound.sql}, 0) ELSE {bound.sql} END"
        for bound in bounds
    ]
    cut = f"list_slice({of.sql}, {places[0]} + 1, {places[1]})"
    unsure = [bound.sql for bound in bounds if bound.nullable and not bound.literal]
    if unsure:
        cut = f"CASE WHEN {' AND '.join(f'{each} IS NOT NULL' for each in unsure)} THEN {cut} END"
    return Value(cut, of.type)


def _whole(value: Value, stage: Stage, tree: Tree) -> Value:
    if value.type not in (INTEGER, NULL):
        raise stage.state.refuse(tree, f"a whole number is expected, this is {value.type}")
    return value


def elements(tree: Expression, stage: Stage) -> Value:
    """A list to go through."""
    from seedrank.graphdb.duckdb.cypher_sql.expressions import value_of

    of = value_of(tree, stage)
    if of.type == NULL:
        return Value("NULL::BIGINT[]", list_of(NULL))
    if of.type.kind != "list":
        raise stage.state.refuse(tree, f"a list is expected, this is {of.type}")
    return of


def comprehension(tree: Comprehension, stage: Stage) -> Value:
    """``[x IN list WHERE … | …]``."""
    from seedrank.graphdb.duckdb.cypher_sql.expressions import condition, value_of

    of = elements(tree.of, stage)
    if _needs_rows(of.type.item, tree.condition, tree.value):
        return _by_rows(tree, of, stage)
    inner, x = _inside(stage, tree.name, of.type.item)
    made, kind = of.sql, of.type
    if tree.condition is not None:
        made = f"list_filter({made}, lambda {x}: {condition(tree.condition, inner)})"
    if tree.value is not None:
        value = value_of(tree.value, inner)
        made, kind = f"list_transform({made}, lambda {x}: {value.wide})", list_of(value.type)
    return Value(made, kind)


def _needs_rows(item: Type, *parts: Expression | None) -> bool:
    """Whether a lambda cannot do it: it has no tables."""
    return item.has_entity or any(isinstance(each, (Subquery, Patterns)) for part in parts for each in walk(part))


def _inside(stage: Stage, name: str, item: Type) -> tuple[Stage, str]:
    """The scope of a lambda: what is outside, and its variable."""
    inner = Stage(stage.state, stage)
    inner.replaced = {tree: value for tree, value in stage.replaced.items() if not _names(tree, name)}
    x = stage.state.alias(name)
    inner.scope[name] = Variable(Value(x, item), None)
    inner.in_lambda = True
    return inner, x


def _names(tree: Tree, name: str) -> bool:
    return any(isinstance(each, Name) and each.name == name for each in walk(tree))


def unrolled(of: Value, name: str, stage: Stage) -> tuple[Stage, str]:
    """A stage with a row for each element of a list, bound to a name, and its position."""
    inner = Stage(stage.state, stage)
    inner.replaced = {tree: value for tree, value in stage.replaced.items() if not _names(tree, name)}
    rows = stage.state.alias("each")
    inner.join(f"unnest({of.sql}) WITH ORDINALITY {rows}(x, place)")
    inner.bind(name, Value(f"{rows}.x", of.type.item))
    return inner, f"{rows}.place"


def listed(value: Value, place: str, stage: Stage) -> str:
    """A list of a value in each row of a stage, by place.

    The value is a column first: an aggregate of columns that are all from around a subquery would belong there.
    """
    rows = stage.state.alias("items")
    source = indented(stage.select(f"{value.wide} AS item, {place} AS place"))
    return f"(SELECT list({rows}.item ORDER BY {rows}.place) FROM {source} {rows})"


def _by_rows(tree: Comprehension, of: Value, stage: Stage) -> Value:
    from seedrank.graphdb.duckdb.cypher_sql.expressions import condition, value_of

    inner, place = unrolled(of, tree.name, stage)
    if tree.condition is not None:
        inner.where.append(condition(tree.condition, inner))
    value = inner.scope[tree.name].value if tree.value is None else value_of(tree.value, inner)
    sql = listed(value, place, inner)
    kind = list_of(value.type)
    whole = f"coalesce({sql}, []::{sql_type(kind)})"
    return Value(f"CASE WHEN {of.sql} IS NOT NULL THEN {whole} END" if of.nullable else whole, kind)


def quantified(tree: Quantified, stage: Stage) -> Value:
    """``any(x IN list WHERE …)``, ``all``, ``none``, ``single``."""
    from seedrank.graphdb.duckdb.cypher_sql.expressions import condition

    of = elements(tree.of, stage)
    if _needs_rows(of.type.item, tree.condition):
        inner, place = unrolled(of, tree.name, stage)
        test = condition(tree.condition, inner)
        tests = f"coalesce({listed(Value(test, BOOLEAN), place, inner)}, []::BOOLEAN[])"
        if of.nullable:
            tests = f"CASE WHEN {of.sql} IS NOT NULL THEN {tests} END"
    else:
        inner, x = _inside(stage, tree.name, of.type.item)
        tests = f"list_transform({of.sql}, lambda {x}: {condition(tree.condition, inner)})"
    word = stage.state.alias("tests")
    true, false = f"len(list_filter({word}, lambda t: t))", f"len(list_filter({word}, lambda t: NOT t))"
    unknown = f"list_count({word}) < len({word})"
    decided = {
        "any": f"WHEN {true} > 0 THEN TRUE WHEN {unknown} THEN NULL ELSE FALSE",
        "all": f"WHEN {false} > 0 THEN FALSE WHEN {unknown} THEN NULL ELSE TRUE",
        "none": f"WHEN {true} > 0 THEN FALSE WHEN {unknown} THEN NULL ELSE TRUE",
        "single": f"WHEN {true} > 1 THEN FALSE WHEN {unknown} THEN NULL ELSE {true} = 1",
    }[tree.word]
    # The tests are bound to a name by a list of one, so that they are computed once.
    return Value(
        f"list_transform([{tests}], lambda {word}: CASE WHEN {word} IS NULL THEN NULL {decided} END)[1]", BOOLEAN
    )


def reduced(tree: Reduce, stage: Stage) -> Value:
    """``reduce(total = start, x IN list | …)``."""
    from seedrank.graphdb.duckdb.cypher_sql.expressions import value_of

    of, start = elements(tree.of, stage), value_of(tree.start, stage)
    if of.type.item.is_entity:
        of = _by_rows(_with_properties(tree, stage), of, stage)
    if _needs_rows(of.type.item, tree.value):
        raise stage.state.refuse(tree, "reduce() with a subquery is not known here", "use UNWIND and an aggregate")
    inner, step = _inside(stage, tree.name, of.type.item)
    total = stage.state.alias(tree.total)
    inner.scope[tree.name] = Variable(Value(f"{step}.x", of.type.item), None)
    inner.scope[tree.total] = Variable(Value(f"{total}.total", start.type), None)
    value = value_of(tree.value, inner)
    if value.type not in (start.type, NULL):
        raise stage.state.refuse(
            tree, f"reduce() starts as {start.type} and becomes {value.type}", "begin with a value of that type: 0.0"
        )
    # The database's own reduce has one type for both: so both go in a pair.
    kind, item = sql_type(start.type), sql_type(of.type.item)
    first = f"{{'total': {start.wide}, 'x': NULL::{item}}}"
    pairs = f"list_transform({of.sql}, lambda x: {{'total': NULL::{kind}, 'x': x}})"
    folded = f"lambda {total}, {step}: {{'total': {value.wide}::{kind}, 'x': {step}.x}}"
    made = f"list_reduce(list_prepend({first}, {pairs}), {folded}).total"
    return Value(f"CASE WHEN {of.sql} IS NOT NULL THEN {made} END", start.type)


def _with_properties(tree: Reduce, stage: Stage) -> Comprehension:
    """The elements of a reduce over nodes or relationships, with the properties that it uses."""
    name = Name(tree.name)
    used = {each.key for each in walk(tree.value) if isinstance(each, Property) and each.of == name}
    others = sum(each == name for each in walk(tree.value))
    if others != sum(isinstance(each, Property) and each.of == name for each in walk(tree.value)) or not used:
        raise stage.state.refuse(tree, "reduce() over nodes takes their properties here", "use UNWIND and collect()")
    projection = MapProjection(Name(tree.name, place=tree.place), tuple((key, None) for key in sorted(used)))
    return Comprehension(tree.name, tree.of, None, projection, place=tree.place)
