"""Functions of one row: texts, numbers, lists, nodes and relationships. Aggregates are `aggregates`."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

from seedrank.core.numbers import counted
from seedrank.graphdb.duckdb.cypher_sql.scope import Stage, Value, Variable, indented, text
from seedrank.graphdb.duckdb.cypher_sql.types import (
    BOOLEAN,
    FLOAT,
    INTEGER,
    NULL,
    NUMBER,
    TEXT,
    Type,
    list_of,
    node_of,
)
from seedrank.graphdb.statements.tree import Call

__all__ = ["AGGREGATES", "call", "is_aggregate"]

AGGREGATES = frozenset(
    {"avg", "collect", "count", "max", "min", "percentilecont", "percentiledisc", "stdev", "stdevp", "sum"}
)
_SPACE = (
    "' \t\n\r\f\v\x1c\x1d\x1e\x1f\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2008\u2009\u200a\u2028\u2029"
    "\u205f\u3000'"
)
"""What Java takes for white space."""
_SPECIAL_UPPER = (
    r"[\x{149}\x{1F0}\x{390}\x{3B0}\x{587}\x{1E96}-\x{1E9A}\x{1F50}-\x{1F56}\x{1F80}-\x{1FFC}\x{FB00}-\x{FB17}]"
)
_SPECIAL_LOWER = r"İ|Σ(\PL|$)"
"""Letters for which Java and the database have other capitals or small letters; ß is put right."""
_NUMBER = "[+-]?([0-9]+[.]?[0-9]*|[.][0-9]+)([eE][+-]?[0-9]+)?"
_LONGEST = 10_000_000
"""Elements of range() at most."""
_ONE_TYPE = "name the type of the relationship"


@dataclass(frozen=True)
class Made:
    """A call on its way: its arguments and where it stands."""

    tree: Call
    values: list[Value]
    stage: Stage

    @property
    def first(self) -> Value:
        """The first argument."""
        return self.values[0]

    @property
    def name(self) -> str:
        """The function's name as written."""
        return _written(self.tree, self.stage)

    def refused(self, hint: str | None = None) -> Exception:
        """The error that refuses it."""
        kinds = ", ".join(str(value.type) for value in self.values)
        return self.stage.state.refuse(self.tree, f"{self.name}() of {kinds or 'nothing'} is not known here", hint)


def _written(tree: Call, stage: Stage) -> str:
    return stage.state.statement[tree.place : tree.place + len(tree.name)]


def is_aggregate(tree: object) -> bool:
    """Whether it is a call of an aggregate."""
    return isinstance(tree, Call) and (tree.name in AGGREGATES)


def call(tree: Call, stage: Stage) -> Value:
    """A call of a function."""
    from seedrank.graphdb.duckdb.cypher_sql.expressions import value_of
    from seedrank.graphdb.duckdb.cypher_sql.temporal import TEMPORAL

    if is_aggregate(tree):
        raise stage.state.refuse(
            tree,
            f"{_written(tree, stage)}() is an aggregate, which stands in WITH or RETURN",
            "compute it in a WITH before",
        )
    table = _FUNCTIONS | TEMPORAL
    if tree.name in _REFUSED:
        values = [value_of(argument, stage) for argument in tree.arguments]
        raise Made(tree, values, stage).refused(_REFUSED[tree.name])
    found = table.get(tree.name)
    if found is None:
        stage.state.schema.warn_of([tree.name], [*table, *AGGREGATES], "function")
        name = _written(tree, stage)
        raise stage.state.refuse(tree, f"the function {name}() is not known here", "do without it, or ask Neo4j")
    least, most, make = found
    if not least <= len(tree.arguments) <= most or tree.distinct or tree.star:
        takes = counted(least, "argument") if least == most else f"{least} to {most} arguments"
        raise stage.state.refuse(tree, f"{_written(tree, stage)}() takes {takes}")
    values = [value_of(argument, stage) for argument in tree.arguments]
    if len(values) == 1 and values[0].type == NULL:
        return values[0]
    result = make(Made(tree, values, stage))
    if values and all(value.constant for value in values) and not result.constant:
        return replace(result, constant=True)
    return replace(result, nan=True) if any(value.may_be_nan for value in values) else result


def _of(kinds: tuple[Type, ...], template: str, result: Type | None = None) -> Callable[[Made], Value]:
    """A function of values of these types, null where one is null; `template` has {0}, {1}."""

    def make(made: Made) -> Value:
        for value, kind in zip(made.values, kinds, strict=False):
            fits = value.type in (kind, NULL) or (kind == FLOAT and value.type.is_number)
            if not fits:
                raise made.refused()
        if any(value.type == NULL for value in made.values):
            return Value("NULL", NULL)
        sqls = [
            f"{value.sql}::DOUBLE" if kind == FLOAT and value.type == INTEGER else value.wide
            for value, kind in zip(made.values, kinds, strict=False)
        ]
        return Value(template.format(*sqls), result or made.first.type)

    return make


def _coalesce(made: Made) -> Value:
    from seedrank.graphdb.duckdb.cypher_sql.expressions import unified

    kind, sqls = unified(made.values, made.stage, made.tree, "coalesce()")
    return Value("NULL" if kind == NULL else f"coalesce({', '.join(sqls)})", kind)


def _size(made: Made) -> Value:
    if made.first.type == TEXT:
        return Value(f"length({made.first.sql})", INTEGER)
    if made.first.type.kind == "list":
        return Value(f"len({made.first.sql})", INTEGER)
    raise made.refused("it takes a list or a text; count patterns by COUNT { }")


def _cased(special: str, template: str) -> Callable[[Made], Value]:
    """Capitals or small letters; an error where a text has letters that the database does otherwise than Java."""

    def make(made: Made) -> Value:
        if made.first.constant and made.first.sql.isascii():
            return _of((TEXT,), template)(made)
        braces = special.replace("{", "{{").replace("}", "}}")
        told = f"{made.name}() of ligatures and some Greek letters is not known here"
        guard = f"CASE WHEN regexp_matches({{0}}, '{braces}') THEN error('{told}') ELSE {template} END"
        return _of((TEXT,), guard)(made)

    return make


_upper = _cased(_SPECIAL_UPPER, "upper(replace({0}, 'ß', 'SS'))")
_lower = _cased(_SPECIAL_LOWER, "lower({0})")


def _reverse(made: Made) -> Value:
    if made.first.type.kind == "list":
        return Value(f"list_reverse({made.first.sql})", made.first.type)
    # The database's own reverse keeps accents with their letters, Java's does not.
    return _of((TEXT,), "array_to_string(list_reverse(string_split({0}, '')), '')")(made)


def _substring(made: Made) -> Value:
    checks = _whole_and_positive(made, 1)
    if len(made.values) == 2:
        return _of((TEXT, INTEGER), f"substr({{0}}, {checks[0]} + 1)")(made)
    return _of((TEXT, INTEGER, INTEGER), f"substr({{0}}, {checks[0]} + 1, {checks[1]})")(made)


def _whole_and_positive(made: Made, start: int) -> list[str]:
    """Lengths and positions, an error where one is negative, as in Neo4j."""
    found = []
    for number, value in enumerate(made.values[start:], start):
        if value.literal and value.number >= 0:
            found.append(f"{{{number}}}")
        else:
            found.append(f"CASE WHEN {{{number}}} < 0 THEN error('a negative length') ELSE {{{number}}} END")
    return found


def _side(made: Made) -> Value:
    return _of((TEXT, INTEGER), f"{made.tree.name}({{0}}, {_whole_and_positive(made, 1)[0]})")(made)


def _replace(made: Made) -> Value:
    search = made.values[1]
    if search.constant and search.sql == "''":
        raise made.refused("what is replaced must not be empty")
    plain = "replace({0}, {1}, {2})"
    if not search.constant or search.sql.startswith("$"):
        plain = f"CASE WHEN {{1}} = '' THEN error('replace() of an empty text') ELSE {plain} END"
    return _of((TEXT, TEXT, TEXT), plain)(made)


def _split(made: Made) -> Value:
    return _of((TEXT, TEXT), "CASE WHEN {0} = '' THEN [''] ELSE string_split({0}, {1}) END", list_of(TEXT))(made)


def _to_string(made: Made) -> Value:
    from seedrank.graphdb.duckdb.cypher_sql.operators import printed
    from seedrank.graphdb.duckdb.cypher_sql.temporal import printed_time

    if made.first.type.is_temporal:
        return printed_time(made.first)
    return Value(printed(made.first, made.stage, made.tree), TEXT)


def _to_integer(made: Made) -> Value:
    one = made.first
    if one.type == INTEGER:
        return one
    if one.type in (FLOAT, NUMBER):
        return Value(f"trunc({one.sql})::BIGINT", INTEGER)
    if one.type == BOOLEAN:
        return Value(f"{one.sql}::BIGINT", INTEGER)
    if one.type == TEXT:
        whole = f"WHEN regexp_full_match({one.sql}, '[+-]?[0-9]+') THEN {one.sql}::BIGINT"
        number = f"WHEN regexp_full_match({one.sql}, '{_NUMBER}') THEN trunc({one.sql}::DOUBLE)::BIGINT"
        return Value(f"CASE {whole} {number} END", INTEGER)
    raise made.refused()


def _to_float(made: Made) -> Value:
    one = made.first
    if one.type == FLOAT:
        return one
    if one.type in (INTEGER, NUMBER):
        return Value(f"{one.sql}::DOUBLE", FLOAT)
    if one.type == TEXT:
        clean = f"trim({one.sql}, {_SPACE})"
        words = "'NaN', 'Infinity', '+Infinity', '-Infinity'"
        number = f"regexp_full_match({clean}, '{_NUMBER}[dDfF]?')"
        numbers = f"WHEN {number} THEN rtrim({clean}, 'dDfF')::DOUBLE"
        return Value(f"CASE {numbers} WHEN {clean} IN ({words}) THEN {clean}::DOUBLE END", FLOAT, nan=True)
    raise made.refused()


def _to_boolean(made: Made) -> Value:
    one = made.first
    if one.type == BOOLEAN:
        return one
    if one.type == INTEGER:
        return Value(f"({one.sql} <> 0)", BOOLEAN)
    if one.type == TEXT:
        word = f"lower(trim({one.sql}, {_SPACE}))"
        return Value(f"CASE WHEN {word} = 'true' THEN TRUE WHEN {word} = 'false' THEN FALSE END", BOOLEAN)
    raise made.refused()


def _abs(made: Made) -> Value:
    if not made.first.type.is_number:
        raise made.refused()
    return Value(f"abs({made.first.wide})", made.first.type)


def _round(made: Made) -> Value:
    if len(made.values) == 1 or (made.values[1].literal and made.values[1].number == 0 and len(made.values) == 2):
        # Ties go up, also below zero; 0.49999999999999994 + 0.5 would be 1.
        up = "CASE WHEN {0} - floor({0}) >= 0.5 THEN floor({0}) + 1 ELSE floor({0}) END"
        return _of((FLOAT,), up, FLOAT)(made)
    digits = made.values[1]
    if len(made.values) > 2 or not digits.literal or not 0 < digits.number <= 10:
        raise made.refused("round(x) and round(x, 2) are known, with at most 10 digits")
    # Ties go away from zero; the digits as printed decide, as Java's decimal numbers do. Beyond 9e15 all are whole.
    exact = "round({0}::VARCHAR::DECIMAL(38, 22), {1}::INTEGER)::DOUBLE"
    return _of((FLOAT, INTEGER), f"CASE WHEN abs({{0}}) < 9e15 THEN {exact} ELSE {{0}} END", FLOAT)(made)


def _range(made: Made) -> Value:
    if any(value.type == NULL for value in made.values):
        return Value("NULL", NULL)
    if any(value.type != INTEGER for value in made.values):
        raise made.refused()
    start, stop = made.values[0].wide, made.values[1].wide
    if len(made.values) == 2:
        size, made_list = f"({stop} - {start})", f"range({start}, {stop} + 1)"
    else:
        step = made.values[2].wide
        size = f"(({stop} - {start}) // {step})"
        made_list = f"range({start}, {stop} + sign({step})::BIGINT, {step})"
    if all(value.literal for value in made.values):
        numbers = [value.number for value in made.values]
        if len(numbers) > 2 and numbers[2] == 0:
            raise made.stage.state.refuse(made.tree, "the step of range() is 0")
        if (numbers[1] - numbers[0]) // (numbers[2] if len(numbers) > 2 else 1) >= _LONGEST:
            raise made.stage.state.refuse(made.tree, f"range() has more than {_LONGEST:,} numbers", "take a part")
        return Value(made_list, list_of(INTEGER), constant=True)
    text_ = f"range() has more than {_LONGEST:,} numbers"
    return Value(f"CASE WHEN {size} >= {_LONGEST} THEN error('{text_}') ELSE {made_list} END", list_of(INTEGER))


def _labels(made: Made) -> Value:
    return Value(_where_there(made.first, f"[{_kind_name(made.first, 'label')}]"), list_of(TEXT))


def _type(made: Made) -> Value:
    return Value(_where_there(made.first, _kind_name(made.first, "type")), TEXT)


def _kind_name(of: Value, word: str) -> str:
    """The label of a node or the type of a relationship."""
    return f"{of.sql}.{word}" if len(of.type.names) > 1 else text(of.type.names[0])


def _where_there(of: Value, sql: str) -> str:
    return f"CASE WHEN {of.sql} IS NOT NULL THEN {sql} END" if of.nullable else sql


def _end(made: Made) -> Value:
    one = made.first
    if len(one.type.names) > 1:
        raise made.refused(_ONE_TYPE)
    table = made.stage.state.schema.relationships[one.type.names[0]]
    label, key = (table.start, table.start_key) if made.tree.name == "startnode" else (table.end, table.end_key)
    alias = made.stage.state.alias("ends")
    found = indented(f"SELECT {alias}.{key}\nFROM {table.table} {alias}\nWHERE {alias}.rowid = {one.sql}")
    return Value(found, node_of([label]))


def _keys(made: Made) -> Value:
    one = made.first
    if one.type.kind == "map":
        return Value(f"[{', '.join(map(text, one.type.names))}]", list_of(TEXT))
    if not one.type.is_entity:
        raise made.refused()
    from seedrank.graphdb.duckdb.cypher_sql.output import fields_of

    fields = fields_of(_variable(made), made.stage, made.tree)
    named = ", ".join(f"CASE WHEN {value.sql} IS NOT NULL THEN {text(name)} END" for name, value in fields.items())
    found = f"list_filter([{named}]::VARCHAR[], lambda k: k IS NOT NULL)"
    return Value(_where_there(one, found), list_of(TEXT))


def _properties(made: Made) -> Value:
    from seedrank.graphdb.duckdb.cypher_sql.output import properties_of

    if made.first.type.kind == "map":
        return made.first
    if made.first.type.is_entity:
        return properties_of(_variable(made), made.stage, made.tree)
    raise made.refused()


def _variable(made: Made) -> Variable:
    from seedrank.graphdb.statements.tree import Variable as Name

    argument = made.tree.arguments[0]
    if isinstance(argument, Name) and argument.name in made.stage.scope:
        return made.stage.scope[argument.name]
    return Variable(made.first, made.stage)


def _null_if(made: Made) -> Value:
    from seedrank.graphdb.duckdb.cypher_sql.operators import compared

    one, other = made.values
    same = compared("=", one, other, made.stage, made.tree)
    return Value(f"CASE WHEN {same.sql} THEN NULL ELSE {one.wide} END", one.type)


def _is_empty(made: Made) -> Value:
    if made.first.type == TEXT:
        return Value(f"({made.first.sql} = '')", BOOLEAN)
    if made.first.type.kind == "list":
        return Value(f"(len({made.first.sql}) = 0)", BOOLEAN)
    raise made.refused()


def _constant(sql: str) -> tuple[int, int, Callable[[Made], Value]]:
    return 0, 0, lambda made: Value(sql, FLOAT, constant=True, nullable=False)


def _takes(
    kind: str, make: Callable[[Made], Value], hint: str | None = None
) -> tuple[int, int, Callable[[Made], Value]]:
    """A function of a list, path, node or relationship."""

    def checked(made: Made) -> Value:
        if made.first.type.kind != kind:
            raise made.refused(hint)
        return make(made)

    return 1, 1, checked


def _one(
    kinds: tuple[Type, ...], template: str, result: Type | None = None
) -> tuple[int, int, Callable[[Made], Value]]:
    return len(kinds), len(kinds), _of(kinds, template, result)


_FUNCTIONS: dict[str, tuple[int, int, Callable[[Made], Value]]] = {
    "coalesce": (1, 50, _coalesce),
    "size": (1, 1, _size),
    "length": _takes(
        "path",
        lambda made: Value(f"len({made.first.part('relationships').sql})", INTEGER),
        "length() takes a path; use size()",
    ),
    "tolower": (1, 1, _lower),
    "lower": (1, 1, _lower),
    "toupper": (1, 1, _upper),
    "upper": (1, 1, _upper),
    "trim": _one((TEXT,), f"trim({{0}}, {_SPACE})"),
    "ltrim": _one((TEXT,), f"ltrim({{0}}, {_SPACE})"),
    "rtrim": _one((TEXT,), f"rtrim({{0}}, {_SPACE})"),
    "btrim": _one((TEXT,), f"trim({{0}}, {_SPACE})"),
    "reverse": (1, 1, _reverse),
    "substring": (2, 3, _substring),
    "left": (2, 2, _side),
    "right": (2, 2, _side),
    "replace": (3, 3, _replace),
    "split": (2, 2, _split),
    "tostring": (1, 1, _to_string),
    "tointeger": (1, 1, _to_integer),
    "tofloat": (1, 1, _to_float),
    "toboolean": (1, 1, _to_boolean),
    "abs": (1, 1, _abs),
    "sign": _one((FLOAT,), "sign({0})::BIGINT", INTEGER),
    "floor": _one((FLOAT,), "floor({0})", FLOAT),
    "ceil": _one((FLOAT,), "ceil({0})", FLOAT),
    "round": (1, 3, _round),
    "sqrt": _one((FLOAT,), "sqrt({0})", FLOAT),
    "exp": _one((FLOAT,), "exp({0})", FLOAT),
    "log": _one((FLOAT,), "ln({0})", FLOAT),
    "log10": _one((FLOAT,), "log10({0})", FLOAT),
    "sin": _one((FLOAT,), "sin({0})", FLOAT),
    "cos": _one((FLOAT,), "cos({0})", FLOAT),
    "tan": _one((FLOAT,), "tan({0})", FLOAT),
    "asin": _one((FLOAT,), "asin({0})", FLOAT),
    "acos": _one((FLOAT,), "acos({0})", FLOAT),
    "atan": _one((FLOAT,), "atan({0})", FLOAT),
    "atan2": _one((FLOAT, FLOAT), "atan2({0}, {1})", FLOAT),
    "degrees": _one((FLOAT,), "degrees({0})", FLOAT),
    "radians": _one((FLOAT,), "radians({0})", FLOAT),
    "isnan": _one((FLOAT,), "isnan({0})", BOOLEAN),
    "pi": _constant("pi()"),
    "e": _constant("exp(1)"),
    "range": (2, 3, _range),
    "head": _takes("list", lambda made: Value(f"{made.first.sql}[1]", made.first.type.item)),
    "last": _takes("list", lambda made: Value(f"{made.first.sql}[-1]", made.first.type.item)),
    "tail": _takes(
        "list", lambda made: Value(f"list_slice({made.first.sql}, 2, len({made.first.sql}))", made.first.type)
    ),
    "labels": _takes("node", _labels),
    "type": _takes("relationship", _type),
    "nodes": _takes("path", lambda made: made.first.part("nodes")),
    "relationships": _takes("path", lambda made: made.first.part("relationships")),
    "startnode": _takes("relationship", _end, _ONE_TYPE),
    "endnode": _takes("relationship", _end, _ONE_TYPE),
    "keys": (1, 1, _keys),
    "properties": (1, 1, _properties),
    "nullif": (2, 2, _null_if),
    "isempty": (1, 1, _is_empty),
}
_REFUSED = {
    "shortestpath": "use MATCH p = shortestPath((a)-[:LINKS_TO*]->(b))",
    "allshortestpaths": "use MATCH p = allShortestPaths((a)-[:LINKS_TO*]->(b))",
    "exists": "use p.url IS NOT NULL, or EXISTS { (p)-->() }",
    "time": "use date() or localdatetime()",
    "localtime": "use date() or localdatetime()",
    "duration": "compare dates themselves",
    "timestamp": "pass the time as a parameter",
    "id": "use p.id, h.name: the database's own numbers mean nothing",
    "elementid": "use p.id, h.name: the database's own numbers mean nothing",
    "rand": "rows are the same each time here",
}
"""What to do without a function that has no translation."""
