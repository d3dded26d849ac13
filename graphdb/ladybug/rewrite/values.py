"""Expressions that the embedded database reads differently from Neo4j, or gets wrong, in a form that it gets right."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

from graphdb.ladybug.rewrite.scope import AGGREGATES, Bound, Schema, Scope, aggregates, of_parameters, type_of
from graphdb.statements.tokens import Refused, refuse
from graphdb.statements.tree import (
    Call,
    Case,
    Expression,
    Index,
    Label,
    ListOf,
    Literal,
    NullTest,
    Operation,
    Parameter,
    Property,
    Variable,
    rebuilt,
    walk,
)

__all__ = ["Values", "conjuncts", "is_solid", "joined"]

_NULL = Literal("null", "null")
_ZERO = Literal("0", "integer")
_MOST_ALTERNATIVES = 100
_NUMBERS = frozenset({"integer", "float"})

_SAME = frozenset({
    "abs", "acos", "asin", "atan", "atan2", "avg", "ceil", "coalesce", "collect", "cos", "cot", "count", "degrees",
    "floor", "left", "length", "log10", "lower", "ltrim", "max", "min", "nodes", "nullif", "pi", "radians",
    "range", "relationships", "right", "rtrim", "sign", "sin", "size", "sqrt", "tan", "tolower", "toupper", "trim",
    "upper",
})  # fmt: skip
"""Functions that both databases know and that give the same."""
_OWN = frozenset({
    "cast", "concat_ws", "contains", "date", "date_part", "date_trunc", "ends_with", "epoch_ms", "ifnull",
    "interval", "label", "last_day", "levenshtein", "list_any_value", "list_append", "list_concat", "list_contains",
    "list_distinct", "list_prepend", "list_product", "list_reverse", "list_reverse_sort", "list_slice", "list_sort",
    "list_sum", "list_to_string", "list_unique", "ln", "log2", "lpad", "md5", "offset", "regexp_extract",
    "regexp_full_match", "regexp_matches", "regexp_replace", "rels", "repeat", "rpad", "sha256", "split_part",
    "starts_with", "string_split", "timestamp", "to_timestamp", "typeof",
})  # fmt: skip
"""Functions of the embedded database alone: there is no other answer to compare with."""


class Values:
    """Rewrites the expressions of one clause.

    Parameters
    ----------
    source
        The statement, for the places in messages.
    scope
        What names stand for.
    schema
        The columns there are.
    parameters
        Values of the statement's parameters.
    open
        Whether there may be names that are not in `scope`.
    """

    def __init__(
        self, source: str, scope: Scope, schema: Schema, parameters: Mapping[str, Any], *, open: bool = False
    ) -> None:
        self._source = source
        self._open = open
        self._scope = {**scope, **of_parameters(parameters)}
        self._schema = schema
        self._parameters = parameters

    def __call__(self, expression: Expression) -> Expression:
        """The expression in a form that is answered rightly; refuses what has none."""
        return rebuilt(expression, self._changed)

    def type_of(self, expression: Expression | None) -> str:
        """The type of an expression, empty where it is not known."""
        return type_of(expression, self._scope, self._schema)

    def _changed(self, part: Any) -> Any:
        match part:
            case Variable(name=name) if name not in self._scope and not self._open:
                raise self._refuse(part, f"{name} is not bound here", "name it in a MATCH, WITH or UNWIND before")
            case Property():
                return self._property(part)
            case Index():
                return self._index(part)
            case Label():
                return self._label(part)
            case Case():
                return self._case(part)
            case Operation():
                return self._operation(part)
            case Call():
                return self._call(part)
        return part

    def _refuse(self, part: Expression, what: str, hint: str) -> Refused:
        return refuse(self._source, part.place, what, hint)

    # -- names

    def _property(self, part: Property) -> Property:
        """A column that is not there is null to Neo4j; here capitals do not count and other names are an error."""
        if not isinstance(part.of, Variable) or part.of.name not in self._scope:
            return part
        bound = self._scope[part.of.name]
        if bound.kind not in ("node", "relationship"):
            return part
        columns = self._schema.columns(bound)
        if part.key not in columns:
            what = "/".join(bound.labels) or ("nodes" if bound.kind == "node" else "links")
            known = ", ".join(sorted(columns)) or "none"
            raise self._refuse(part, f"{what} has no property {part.key!r}", f"properties there are: {known}")
        if len(self._schema.types(bound, part.key)) > 1:
            raise self._refuse(
                part, f"{part.key!r} is of several types, which are mixed up here", "name the label of the node"
            )
        return part

    def _label(self, part: Label) -> Expression:
        if len(part.labels) > 1:
            raise self._refuse(part, "a node has one label here", "test for one")
        label = Literal(_string(part.labels[0]), "string")
        return Operation("=", (Call("label", (part.of,)), label), place=part.place)

    def _index(self, part: Index) -> Expression:
        if part.slice:
            raise self._refuse(part, "[a..b] counts from 1 here", "use list_slice(list, from, to), which counts from 1")
        kind = self.type_of(part.of)
        if kind == "map" or (isinstance(part.start, Literal) and part.start.kind == "string"):
            raise self._refuse(part, "a property by a computed name is not known here", "write it out: a.b")
        place = part.start
        if isinstance(place, Literal) and place.kind == "integer":
            return _element(part.of, int(place.text) + 1)
        if isinstance(place, Operation) and place.operator == "-" and len(place.operands) == 1:
            (back,) = place.operands
            if isinstance(back, Literal) and back.kind == "integer" and int(back.text) > 0:
                return _element(part.of, -int(back.text))
        raise self._refuse(part, "[n] counts from 1 here", "use list_slice(list, n + 1, n + 1)")

    # -- operators

    def _operation(self, part: Operation) -> Expression:
        if part.operator in ("+", "||") and len(part.operands) == 2:
            return self._sum(part)
        if part.operator == "IN":
            return self._in(part)
        if part.operator == "CONTAINS":
            return self._contains(part)
        if part.operator == "NOT" and isinstance(part.operands[0], Variable):
            # The negation of a named value cannot be evaluated after some plans.
            return Operation("=", (part.operands[0], Literal("false", "boolean")), place=part.place)
        if part.operator in ("=", "<>", "<", "<=", ">", ">="):
            left, right = map(self.type_of, part.operands)
            for one, other in ((left, right), (right, left)):
                if (one == "string" and other in (*_NUMBERS, "boolean")) or (one == "boolean" and other in _NUMBERS):
                    raise self._refuse(
                        part,
                        f"compares {one} with {other}, which the embedded store would convert",
                        "compare like with like",
                    )
            if "list" in (left, right) or "map" in (left, right):
                raise self._refuse(part, "lists and maps cannot be compared here", "compare their elements")
        return part

    def _sum(self, part: Operation) -> Expression:
        types = [self.type_of(one) for one in part.operands]
        if part.operator == "+" and "string" not in types and any(kind in _NUMBERS for kind in types):
            return part
        if "list" in types:
            if types == ["list", "list"]:
                return _unless_null(Call("list_concat", part.operands), part.operands)
            raise self._refuse(part, "a list and an element cannot be added here", "use list_append(list, element)")
        if "string" not in types and part.operator == "+":
            raise self._refuse(part, "a sum of values of unknown type", "use cast(… AS DOUBLE) or cast(… AS STRING)")
        operands = []
        for kind, one in zip(types, part.operands, strict=True):
            if kind == "integer" and "string" in types:
                one = Call("cast", (one,), type_name="STRING")
            elif kind in ("float", "boolean") and "string" in types:
                raise self._refuse(part, f"a {kind} cannot be added to text here", "use cast(… AS STRING)")
            operands.append(one)
        # The sum of text and null is the text here.
        return _text_sum(operands, part.place)

    def _in(self, part: Operation) -> Expression:
        """A null in the list makes a value that is not found unknown; here it makes it false."""
        value, among = part.operands
        if isinstance(among, Parameter):
            held = self._parameters.get(among.name)
            if isinstance(held, list | tuple) and any(one is None for one in held):
                raise self._refuse(part, f"${among.name} holds a null, with which IN is wrong here", "leave it out")
            return part
        if not isinstance(among, ListOf):
            if not self._without_nulls(among):
                raise self._refuse(
                    part, "IN a list that may hold nulls is wrong here", "collect() it, or pass a parameter"
                )
            return part
        if not among.items:
            return Literal("false", "boolean", place=part.place)
        if all(isinstance(one, Literal) and one.kind != "null" for one in among.items):
            kinds = {_family(self.type_of(one)) for one in among.items}
            own = _family(self.type_of(value))
            if len(kinds) > 1 or (own and kinds and own not in kinds):
                raise self._refuse(part, "the list holds values of other types", "compare like with like")
            return part
        if len(among.items) > _MOST_ALTERNATIVES:
            raise self._refuse(part, f"a list of more than {_MOST_ALTERNATIVES} computed values", "pass one parameter")
        tests = tuple(Operation("=", (value, one), place=part.place) for one in among.items)
        return tests[0] if len(tests) == 1 else Operation("OR", tests, place=part.place)

    def _without_nulls(self, among: Expression) -> bool:
        """Whether a list is known to hold no null: collected, a range, or a stored list."""
        if isinstance(among, Variable):
            return self._scope.get(among.name, Bound("value")).solid
        return is_solid(among)

    def _contains(self, part: Operation) -> Expression:
        """Every text contains the empty text; here none does."""
        text, piece = part.operands
        if isinstance(piece, Literal) and piece.text not in ("''", '""'):
            return part
        empty = Operation("=", (piece, Literal("''", "string")))
        return Operation("OR", (part, Operation("AND", (empty, Operation("=", (text, text))))), place=part.place)

    def _case(self, part: Case) -> Expression:
        """``CASE x WHEN null`` never holds; here it always does."""
        whens = part.whens
        if part.operand is not None:
            whens = tuple(
                (Operation("=", (part.operand, when), place=part.place), then)
                for when, then in whens
                if not (isinstance(when, Literal) and when.kind == "null")
            )
            if not whens:
                return part.otherwise or _NULL
        for when, _ in whens:
            if any(isinstance(inner, Case) for inner in walk(when)):
                raise self._refuse(
                    part, "a CASE in the condition of a CASE is wrong here", "compute it in a WITH before"
                )
        return Case(None, whens, part.otherwise, place=part.place)

    # -- functions

    def _call(self, part: Call) -> Expression:
        least, most = _ARGUMENTS.get(part.name, (0, None))
        if not part.star and (len(part.arguments) < least or (most is not None and len(part.arguments) > most)):
            many = f"{least}" if least == most else f"{least} to {most}"
            raise self._refuse(part, f"{part.name}() takes {many} arguments, not {len(part.arguments)}", "check them")
        if part.name in ("left", "right", "substring") and any(map(_is_negative, part.arguments[1:])):
            raise self._refuse(part, f"{part.name}() takes no negative numbers", "count from the start of the text")
        if part.name in AGGREGATES:
            return self._aggregate(part)
        special = _SPECIAL.get(part.name)
        if special is not None:
            return special(self, part)
        if part.name in _SAME or part.name in _OWN:
            return part
        raise self._refuse(
            part, f"the function {part.name}() is not known to the embedded store, or differs", "see docs/explore.md"
        )

    def _aggregate(self, part: Call) -> Expression:
        if any(aggregates(one) for one in part.arguments):
            raise self._refuse(part, "an aggregate of an aggregate", "compute the inner one in a WITH before")
        if part.name == "sum":
            kind = self.type_of(part.arguments[0])
            if kind == "integer":
                # The database sums whole numbers in 128 bits, which nothing else understands.
                return Call("cast", (Call("coalesce", (part, _ZERO)),), type_name="INT64")
            return Call("coalesce", (part, Literal("0.0", "float") if kind == "float" else _ZERO))
        if part.name in ("min", "max") and self.type_of(part.arguments[0]) in ("list", "map", "node", "relationship"):
            raise self._refuse(part, f"{part.name}() takes numbers, text and dates here", "use a property")
        return part

    def _reverse(self, part: Call) -> Expression:
        kind = self.type_of(part.arguments[0])
        if kind == "list":
            return replace(part, name="list_reverse")
        if kind != "string":
            raise self._refuse(part, "reverse() of a value of unknown type", "use list_reverse() for lists")
        return part

    def _to_string(self, part: Call) -> Expression:
        kind = self.type_of(part.arguments[0])
        if kind == "string":
            return part.arguments[0]
        if kind == "integer":
            return Call("cast", part.arguments, type_name="STRING")
        raise self._refuse(
            part,
            f"toString() of {kind or 'a value of unknown type'} is written differently here",
            "use cast(… AS STRING)",
        )

    def _to_integer(self, part: Call) -> Expression:
        (value,) = part.arguments
        kind = self.type_of(value)
        if kind == "integer":
            return value
        if kind == "float":
            whole = Operation("*", (Call("sign", (value,)), Call("floor", (Call("abs", (value,)),))))
            return Call("cast", (whole,), type_name="INT64")
        raise self._refuse(
            part, f"toInteger() of {kind or 'a value of unknown type'} is not known here", "use cast(… AS INT64)"
        )

    def _to_float(self, part: Call) -> Expression:
        kind = self.type_of(part.arguments[0])
        if kind == "float":
            return part.arguments[0]
        if kind == "integer":
            return Call("cast", part.arguments, type_name="DOUBLE")
        raise self._refuse(
            part, f"toFloat() of {kind or 'a value of unknown type'} is not known here", "use cast(… AS DOUBLE)"
        )

    def _id(self, part: Call) -> Expression:
        raise self._refuse(part, "id() gives the database's own number, which means nothing outside", "use p.id")

    def _to_boolean(self, part: Call) -> Expression:
        raise self._refuse(part, "toBoolean() is not known here", "use cast(… AS BOOL)")

    def _of_missing(self, part: Call) -> Expression:
        """Text functions that forget that a value is missing where an OPTIONAL MATCH found nothing."""
        return _unless_null(part, part.arguments)

    def _substring(self, part: Call) -> Expression:
        """Positions start at 1 here, and text with accents is cut wrongly past its end: cut from both sides."""
        text, start, *length = part.arguments
        rest = Operation("-", (Call("size", (text,)), start))
        cut: Expression = Call("right", (text, Case(None, ((Operation(">", (rest, _ZERO)), rest),), _ZERO)))
        if length:
            cut = Call("left", (cut, length[0]))
        return _unless_null(cut, part.arguments)

    def _round(self, part: Call) -> Expression:
        if len(part.arguments) > 1:
            return part
        half = Operation("+", (part.arguments[0], Literal("0.5", "float")))
        return Call("floor", (half,))

    def _labels(self, part: Call) -> Expression:
        return _unless_null(ListOf((Call("label", part.arguments),)), part.arguments)


def conjuncts(condition: Expression | None) -> list[Expression]:
    """The conditions that must all hold."""
    if condition is None:
        return []
    if isinstance(condition, Operation) and condition.operator == "AND":
        return [one for operand in condition.operands for one in conjuncts(operand)]
    return [condition]


def joined(conditions: list[Expression]) -> Expression | None:
    """One condition that holds when all do."""
    if len(conditions) < 2:
        return conditions[0] if conditions else None
    return Operation("AND", tuple(conditions))


def _element(of: Expression, place: int) -> Expression:
    """An element by its place from 1, or from -1 at the end; null where there is none, which list_extract refuses."""
    size = Call("size", (of,))
    at: Expression = Literal(str(place), "integer")
    if place < 0:
        at = Operation("+", (size, Literal(str(place + 1), "integer")))
    there = Operation(">=", (size, Literal(str(abs(place)), "integer")))
    return Case(None, ((there, Call("list_any_value", (Call("list_slice", (of, at, at)),))),), None)


def _unless_null(value: Expression, operands: tuple[Expression, ...]) -> Expression:
    """`value`, or null where one of the operands is."""
    tests = [NullTest(one, negated=True) for one in operands if not isinstance(one, Literal) or one.kind == "null"]
    condition = joined(list(tests))
    return value if condition is None else Case(None, ((condition, value),), None)


def _text_sum(operands: list[Expression], place: int) -> Expression:
    """A sum of text; sums within it were turned into a CASE already and are opened again."""
    parts: list[Expression] = []
    for one in operands:
        inner = one.whens[0][1] if isinstance(one, Case) and len(one.whens) == 1 else one
        parts.extend(inner.arguments if isinstance(inner, Call) and inner.name == "concat" else [one])
    return _unless_null(Call("concat", tuple(parts), place=place), tuple(parts))


def is_solid(expression: Expression) -> bool:
    """Whether an expression is a list that holds no null."""
    return isinstance(expression, Call) and expression.name in ("collect", "range", "nodes", "relationships", "rels")


def _is_negative(expression: Expression) -> bool:
    return isinstance(expression, Operation) and expression.operator == "-" and len(expression.operands) == 1


def _string(text: str) -> str:
    return "'" + text.replace("\\", "\\\\").replace("'", "\\'") + "'"


def _family(kind: str) -> str:
    return "number" if kind in _NUMBERS else kind


_ARGUMENTS: dict[str, tuple[int, int | None]] = {
    **dict.fromkeys(("count", "sum", "avg", "min", "max", "collect"), (1, 1)),
    **dict.fromkeys(("exists", "exp", "head", "isempty", "labels", "last", "log", "reverse", "type"), (1, 1)),
    **dict.fromkeys(("toboolean", "tofloat", "tointeger", "tostring"), (1, 1)),
    **dict.fromkeys(("left", "right", "nullif"), (2, 2)),
    "rand": (0, 0),
    "replace": (3, 3),
    "round": (1, 2),
    "substring": (2, 3),
}
"""Least and most arguments of the functions that are looked into here."""

_SPECIAL: dict[str, Callable[[Values, Call], Expression]] = {
    "exists": lambda values, part: NullTest(part.arguments[0], negated=True, place=part.place),
    "exp": lambda values, part: Operation("^", (Literal("2.718281828459045", "float"), part.arguments[0])),
    "id": Values._id,
    "head": lambda values, part: _element(part.arguments[0], 1),
    "isempty": lambda values, part: Operation("=", (Call("size", part.arguments), _ZERO)),
    "labels": Values._labels,
    "last": lambda values, part: _element(part.arguments[0], -1),
    "log": lambda values, part: replace(part, name="ln"),
    "rand": lambda values, part: replace(part, name="random"),
    "replace": Values._of_missing,
    "reverse": Values._reverse,
    "round": Values._round,
    "substring": Values._substring,
    "toboolean": Values._to_boolean,
    "tofloat": Values._to_float,
    "tointeger": Values._to_integer,
    "tostring": Values._to_string,
    "type": lambda values, part: replace(part, name="label"),
}
