"""Cypher as nested tuples: ``(operation, part, …)`` for expressions, dataclasses for clauses and patterns."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import Any

Expression = tuple[Any, ...]

_TOKEN = re.compile(
    r"""\s+|//[^\n]*|/\*.*?\*/
    |(?P<string>'(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*")
    |(?P<float>\d+\.\d+(?:[eE][+-]?\d+)?|\d+[eE][+-]?\d+|\.\d+(?:[eE][+-]?\d+)?)
    |(?P<integer>\d+)
    |(?P<parameter>\$\w+)
    |(?P<quoted>`[^`]*`)
    |(?P<word>[^\W\d]\w*)
    |(?P<sign><>|<=|>=|=~|\.\.|\|\||[-+*/%^=<>()\[\]{},.:;|&!])""",
    re.VERBOSE | re.DOTALL,
)
_ESCAPES = {"n": "\n", "t": "\t", "r": "\r", "b": "\b", "f": "\f"}
_AGGREGATES = {"count", "sum", "avg", "min", "max", "collect", "stdev", "stdevp", "percentilecont", "percentiledisc"}
_QUANTIFIERS = {"any", "all", "none", "single"}
_CLAUSES = {"MATCH", "OPTIONAL", "UNWIND", "WITH", "RETURN", "CALL", "UNION", "ORDER", "SKIP", "LIMIT", "WHERE"}


@dataclass(frozen=True)
class NodePattern:
    """``(name:Label {key: value} WHERE condition)``."""

    name: str
    labels: frozenset[str]
    properties: tuple[tuple[str, Expression], ...]
    where: Expression | None


@dataclass(frozen=True)
class LinkPattern:
    """``-[name:TYPE*1..2 {key: value}]->``; `least` is `None` for one link, `way` is ``>``, ``<`` or ``-``."""

    name: str
    types: frozenset[str]
    properties: tuple[tuple[str, Expression], ...]
    where: Expression | None
    way: str
    least: int | None = None
    most: int | None = None


@dataclass(frozen=True)
class Pattern:
    """A chain of nodes and links; `shortest` is "", "one" or "all"."""

    name: str
    parts: tuple[NodePattern | LinkPattern, ...]
    shortest: str = ""


@dataclass(frozen=True)
class Match:
    patterns: tuple[Pattern, ...]
    where: Expression | None
    optional: bool = False


@dataclass(frozen=True)
class Unwind:
    values: Expression
    name: str


@dataclass(frozen=True)
class Call:
    query: Query
    imported: tuple[str, ...] | None


@dataclass(frozen=True)
class Project:
    """WITH or RETURN; an item named ``*`` stands for all variables."""

    items: tuple[tuple[str, Expression], ...]
    final: bool
    distinct: bool = False
    order: tuple[tuple[Expression, bool], ...] = ()
    skip: Expression | None = None
    limit: Expression | None = None
    where: Expression | None = None


Clause = Match | Unwind | Call | Project


@dataclass(frozen=True)
class Query:
    branches: tuple[tuple[Clause, ...], ...]
    union_all: bool = field(default=True)


def parse(text: str) -> Query:
    """A whole statement."""
    parser = _Parser(text)
    query = parser.query()
    parser.take(";")
    if parser.peek()[0] != "end":
        raise SyntaxError(f"{text}: {parser.peek()[1]!r} is left over")
    return query


def has_aggregate(expression: Any) -> bool:
    """Whether an aggregate is in an expression, not counting those inside braces."""
    if not isinstance(expression, tuple) or not expression:
        return False
    if expression[0] in ("aggregate", "count star"):
        return True
    return expression[0] not in ("exists", "count in", "collect in") and any(map(has_aggregate, expression))


class _Parser:
    def __init__(self, text: str) -> None:
        self.text = text
        self.tokens: list[tuple[str, str, int, int]] = []
        place = 0
        while place < len(text):
            found = _TOKEN.match(text, place)
            if found is None:
                raise SyntaxError(f"{text[place : place + 10]!r}")
            if found.lastgroup:
                self.tokens.append((found.lastgroup, found[0], found.start(), found.end()))
            place = found.end()
        self.tokens.append(("end", "", len(text), len(text)))
        self.place = 0

    # -- tokens

    def peek(self, ahead: int = 0) -> tuple[str, str]:
        kind, text, _, _ = self.tokens[min(self.place + ahead, len(self.tokens) - 1)]
        return kind, text

    def is_next(self, *words: str, ahead: int = 0) -> bool:
        kind, text = self.peek(ahead)
        return kind in ("word", "sign") and text.upper() in words

    def take(self, *words: str) -> bool:
        """Take these tokens where all of them come next."""
        if all(self.is_next(word, ahead=number) for number, word in enumerate(words)):
            self.place += len(words)
            return True
        return False

    def expect(self, word: str) -> None:
        if not self.take(word):
            raise SyntaxError(f"{self.text}: {word} expected, not {self.peek()[1]!r}")

    def name(self) -> str:
        kind, text = self.peek()
        if kind not in ("word", "quoted"):
            raise SyntaxError(f"{self.text}: a name expected, not {text!r}")
        self.place += 1
        return text.strip("`")

    def is_name(self) -> bool:
        return self.peek()[0] in ("word", "quoted")

    def listed(self, one: Any) -> list[Any]:
        found = [one()]
        while self.take(","):
            found.append(one())
        return found

    # -- clauses

    def query(self) -> Query:
        branches = [self.branch()]
        everything = True
        while self.take("UNION"):
            everything = self.take("ALL")
            branches.append(self.branch())
        return Query(tuple(branches), everything)

    def branch(self) -> tuple[Clause, ...]:
        clauses: list[Clause] = []
        while True:
            if self.take("OPTIONAL", "MATCH"):
                clauses.append(self.match(optional=True))
            elif self.take("MATCH"):
                clauses.append(self.match())
            elif self.take("UNWIND"):
                values = self.expression()
                self.expect("AS")
                clauses.append(Unwind(values, self.name()))
            elif self.take("CALL"):
                clauses.append(self.call())
            elif self.take("WITH"):
                clauses.append(self.project(final=False))
            elif self.take("RETURN"):
                clauses.append(self.project(final=True))
            else:
                return tuple(clauses)

    def match(self, *, optional: bool = False) -> Match:
        patterns = tuple(self.listed(self.pattern))
        return Match(patterns, self.where(), optional)

    def call(self) -> Call:
        imported: tuple[str, ...] | None = None
        if self.take("("):
            imported = () if self.is_next(")") else tuple(self.listed(self.name))
            self.expect(")")
        self.expect("{")
        query = self.query()
        self.expect("}")
        return Call(query, imported)

    def where(self) -> Expression | None:
        return self.expression() if self.take("WHERE") else None

    def project(self, *, final: bool) -> Project:
        distinct = self.take("DISTINCT")
        items = tuple(self.listed(self.item))
        order = tuple(self.listed(self.key)) if self.take("ORDER", "BY") else ()
        skip = self.expression() if self.take("SKIP") or self.take("OFFSET") else None
        limit = self.expression() if self.take("LIMIT") else None
        return Project(items, final, distinct, order, skip, limit, None if final else self.where())

    def item(self) -> tuple[str, Expression]:
        if self.take("*"):
            return "*", ("all",)
        start = self.tokens[self.place][2]
        value = self.expression()
        stop = self.tokens[self.place - 1][3]
        if self.take("AS"):
            return self.name(), value
        return (value[1] if value[0] == "variable" else self.text[start:stop]), value

    def key(self) -> tuple[Expression, bool]:
        value = self.expression()
        if self.take("DESC") or self.take("DESCENDING"):
            return value, True
        _ = self.take("ASC") or self.take("ASCENDING")
        return value, False

    # -- patterns

    def pattern(self) -> Pattern:
        name = ""
        if self.is_name() and self.is_next("=", ahead=1):
            name = self.name()
            self.expect("=")
        for word, shortest in (("SHORTESTPATH", "one"), ("ALLSHORTESTPATHS", "all")):
            if self.take(word, "("):
                parts = self.chain()
                self.expect(")")
                return Pattern(name, parts, shortest)
        return Pattern(name, self.chain())

    def chain(self) -> tuple[NodePattern | LinkPattern, ...]:
        parts: list[NodePattern | LinkPattern] = [self.node()]
        while self.is_next("-", "<"):
            parts.append(self.link())
            parts.append(self.node())
        return tuple(parts)

    def node(self) -> NodePattern:
        self.expect("(")
        name = self.name() if self.is_name() and not self.is_next("WHERE") else ""
        labels = self.labels()
        properties = self.properties()
        where = self.where()
        self.expect(")")
        return NodePattern(name, labels, properties, where)

    def link(self) -> LinkPattern:
        left = self.take("<")
        self.expect("-")
        name, types, properties, where, least, most = "", frozenset[str](), (), None, None, None
        if self.take("["):
            name = self.name() if self.is_name() and not self.is_next("WHERE") else ""
            types = self.labels()
            if self.take("*"):
                least, most = self.lengths()
            properties = self.properties()
            where = self.where()
            self.expect("]")
        self.expect("-")
        right = self.take(">")
        way = "-" if left == right else "<" if left else ">"
        return LinkPattern(name, types, properties, where, way, least, most)

    def lengths(self) -> tuple[int, int | None]:
        """What follows ``*``: ``n``, ``n..m``, ``..m``, ``n..`` or nothing."""
        first = self.integer()
        if self.take(".."):
            return (1 if first is None else first), self.integer()
        return (1, None) if first is None else (first, first)

    def integer(self) -> int | None:
        kind, text = self.peek()
        if kind != "integer":
            return None
        self.place += 1
        return int(text)

    def labels(self) -> frozenset[str]:
        found = set()
        if self.take(":"):
            found.add(self.name())
            while self.take("|"):
                self.take(":")
                found.add(self.name())
        return frozenset(found)

    def properties(self) -> tuple[tuple[str, Expression], ...]:
        return tuple(self.map_entries()) if self.is_next("{") else ()

    def map_entries(self) -> list[tuple[str, Expression]]:
        self.expect("{")
        found = []
        while not self.take("}"):
            key = self.name()
            self.expect(":")
            found.append((key, self.expression()))
            self.take(",")
        return found

    # -- expressions, from the loosest operator to the tightest

    def expression(self) -> Expression:
        return self.chained("OR", lambda: self.chained("XOR", lambda: self.chained("AND", self.negation)))

    def chained(self, word: str, one: Any) -> Expression:
        value: Expression = one()
        while self.take(word):
            value = (word, value, one())
        return value

    def negation(self) -> Expression:
        return ("NOT", self.negation()) if self.take("NOT") else self.comparison()

    def comparison(self) -> Expression:
        """``a < b <= c`` is ``a < b AND b <= c``."""
        left = self.predicate()
        found: list[Expression] = []
        while self.is_next("=", "<>", "<", "<=", ">", ">="):
            sign = self.peek()[1]
            self.place += 1
            right = self.predicate()
            found.append((sign, left, right))
            left = right
        if not found:
            return left
        whole = found[0]
        for one in found[1:]:
            whole = ("AND", whole, one)
        return whole

    def predicate(self) -> Expression:
        value = self.sum()
        while True:
            if self.take("IS", "NULL"):
                value = ("is null", value)
            elif self.take("IS", "NOT", "NULL"):
                value = ("NOT", ("is null", value))
            elif self.take("IN"):
                value = ("IN", value, self.sum())
            elif self.take("STARTS", "WITH"):
                value = ("STARTS WITH", value, self.sum())
            elif self.take("ENDS", "WITH"):
                value = ("ENDS WITH", value, self.sum())
            elif self.take("CONTAINS"):
                value = ("CONTAINS", value, self.sum())
            elif self.take("=~"):
                value = ("=~", value, self.sum())
            elif self.is_next(":") and value[0] == "variable":
                value = ("has label", value, self.labels())
            else:
                return value

    def left_to_right(self, signs: tuple[str, ...], one: Any) -> Expression:
        value: Expression = one()
        while self.is_next(*signs):
            sign = self.peek()[1]
            self.place += 1
            value = (sign, value, one())
        return value

    def sum(self) -> Expression:
        return self.left_to_right(("+", "-", "||"), self.product)

    def product(self) -> Expression:
        return self.left_to_right(("*", "/", "%"), lambda: self.left_to_right(("^",), self.unary))

    def unary(self) -> Expression:
        if self.take("-"):
            return ("negative", self.unary())
        return self.unary() if self.take("+") else self.postfix()

    def postfix(self) -> Expression:
        value = self.atom()
        while True:
            if self.take("."):
                value = ("property", value, self.name())
            elif self.take("["):
                value = self.subscript(value)
            elif value[0] == "variable" and self.is_next("{"):
                value = ("projection", value, tuple(self.map_projection()))
            else:
                return value

    def subscript(self, value: Expression) -> Expression:
        first = None if self.is_next("..") else self.expression()
        if not self.take(".."):
            self.expect("]")
            return ("at", value, first)
        last = None if self.is_next("]") else self.expression()
        self.expect("]")
        return ("slice", value, first, last)

    def map_projection(self) -> list[tuple[str, Expression]]:
        self.expect("{")
        found: list[tuple[str, Expression]] = []
        while not self.take("}"):
            if self.take(".", "*"):
                found.append(("*", ("all",)))
            elif self.take("."):
                key = self.name()
                found.append((key, ("own", key)))
            else:
                key = self.name()
                found.append((key, self.expression() if self.take(":") else ("variable", key)))
            self.take(",")
        return found

    def atom(self) -> Expression:
        kind, text = self.peek()
        if kind in ("integer", "float"):
            self.place += 1
            return ("literal", int(text) if kind == "integer" else float(text))
        if kind == "string":
            self.place += 1
            return ("literal", _unescaped(text[1:-1]))
        if kind == "parameter":
            self.place += 1
            return ("parameter", text[1:])
        if kind == "sign":
            return self.bracketed()
        if kind == "word" and text.upper() in ("TRUE", "FALSE", "NULL"):
            self.place += 1
            return ("literal", {"TRUE": True, "FALSE": False, "NULL": None}[text.upper()])
        if self.take("CASE"):
            return self.case()
        if kind == "word" and text.upper() in ("EXISTS", "COUNT", "COLLECT") and self.is_next("{", ahead=1):
            return self.braces()
        if self.is_next("(", ahead=1) or (kind == "word" and self.is_next(".", ahead=1) and self._dotted_call()):
            return self.call_of_function()
        return ("variable", self.name())

    def _dotted_call(self) -> bool:
        return self.peek()[1].lower() in ("date", "datetime", "duration") and self.is_next("(", ahead=3)

    def bracketed(self) -> Expression:
        if self.is_next("("):
            found = self.attempted(self.pattern_value)
            if found is not None:
                return found
            self.expect("(")
            value = self.expression()
            self.expect(")")
            return value
        if self.is_next("{"):
            return ("map", tuple(self.map_entries()))
        self.expect("[")
        found = self.attempted(self.comprehension) or self.attempted(self.pattern_comprehension)
        if found is not None:
            return found
        values = [] if self.is_next("]") else self.listed(self.expression)
        self.expect("]")
        return ("list", tuple(values))

    def attempted(self, one: Any) -> Expression | None:
        """What `one` reads, or nothing, and then nothing is taken."""
        place = self.place
        try:
            value: Expression = one()
        except SyntaxError:
            self.place = place
            return None
        return value

    def pattern_value(self) -> Expression:
        """A pattern as a condition; a single node in brackets is an expression."""
        parts = self.chain()
        if len(parts) == 1:
            raise SyntaxError("no pattern")
        return ("exists", Query(((Match((Pattern("", parts),), None),),)))

    def comprehension(self) -> Expression:
        name = self.name()
        self.expect("IN")
        values = self.expression()
        where = self.where()
        made = self.expression() if self.take("|") else None
        self.expect("]")
        return ("comprehension", name, values, where, made)

    def pattern_comprehension(self) -> Expression:
        pattern = self.pattern()
        if len(pattern.parts) == 1:
            raise SyntaxError("no pattern")
        where = self.where()
        self.expect("|")
        made = self.expression()
        self.expect("]")
        clauses = (Match((pattern,), where), Project((("made", made),), final=True))
        return ("collect in", Query((clauses,)))

    def case(self) -> Expression:
        subject = None if self.is_next("WHEN") else self.expression()
        branches = []
        while self.take("WHEN"):
            conditions = self.listed(self.expression)
            self.expect("THEN")
            made = self.expression()
            branches += [(condition, made) for condition in conditions]
        other = self.expression() if self.take("ELSE") else ("literal", None)
        self.expect("END")
        return ("case", subject, tuple(branches), other)

    def braces(self) -> Expression:
        word = self.peek()[1].lower()
        self.place += 1
        self.expect("{")
        query = self.query() if self.is_next(*_CLAUSES) else Query(((self.match(),),))
        self.expect("}")
        return ("exists" if word == "exists" else f"{word} in", query)

    def call_of_function(self) -> Expression:
        name = self.name().lower()
        while self.take("."):
            name += "." + self.name().lower()
        self.expect("(")
        if name == "count" and self.take("*"):
            self.expect(")")
            return ("count star",)
        if name in _QUANTIFIERS and self.is_name() and self.is_next("IN", ahead=1):
            variable = self.name()
            self.expect("IN")
            values = self.expression()
            self.expect("WHERE")
            condition = self.expression()
            self.expect(")")
            return ("quantifier", name, variable, values, condition)
        if name == "reduce":
            return self.reduction()
        distinct = self.take("DISTINCT")
        arguments = [] if self.is_next(")") else self.listed(self.expression)
        self.expect(")")
        if name in _AGGREGATES:
            return ("aggregate", name, distinct, tuple(arguments))
        return ("function", name, tuple(arguments))

    def reduction(self) -> Expression:
        total = self.name()
        self.expect("=")
        first = self.expression()
        self.expect(",")
        variable = self.name()
        self.expect("IN")
        values = self.expression()
        self.expect("|")
        step = self.expression()
        self.expect(")")
        return ("reduce", total, first, variable, values, step)


def _unescaped(text: str) -> str:
    def one(found: re.Match[str]) -> str:
        if found[1]:
            return chr(int(found[1], 16))
        return _ESCAPES.get(found[2], found[2])

    return re.sub(r"\\(?:u([0-9a-fA-F]{4})|(.))", one, text, flags=re.DOTALL)
