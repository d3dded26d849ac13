"""Clauses, patterns and expressions, one row after the other."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping
from typing import Any

from tests.cypher.brute import values
from tests.cypher.brute.aggregates import aggregate
from tests.cypher.brute.graph import Graph, Link, Node, Path
from tests.cypher.brute.parser import (
    Call,
    Clause,
    Expression,
    LinkPattern,
    Match,
    NodePattern,
    Pattern,
    Project,
    Query,
    Unwind,
    has_aggregate,
    parse,
)  # fmt: skip

Row = dict[str, Any]

_STEPS = 300_000
_LONGEST = 12
"""Links of a path whose pattern names no end."""


class Huge(Exception):
    """The statement takes more steps than a slow evaluator should."""


def answer(graph: Graph, text: str, parameters: Mapping[str, Any]) -> list[tuple[Any, ...]]:
    """Rows of a statement, their values plain as in `tests.cypher.compare`."""
    columns, rows = _Run(graph, parameters).query(parse(text), {})
    return [tuple(plain(row[name]) for name in columns) for row in rows]


def plain(value: Any) -> Any:
    """A value as the comparison has it."""
    if isinstance(value, Node):
        return ("node", value.label, _pairs(value.properties))
    if isinstance(value, Link):
        return ("link", value.type, _pairs(value.properties))
    if isinstance(value, Path):
        return ("path", *map(plain, value.nodes))
    if isinstance(value, list):
        return tuple(map(plain, value))
    return ("map", *((name, plain(item)) for name, item in sorted(value.items()))) if isinstance(value, dict) else value


def _pairs(properties: Mapping[str, Any]) -> tuple[Any, ...]:
    return tuple((name, plain(item)) for name, item in sorted(properties.items()))


class _Run:
    def __init__(self, graph: Graph, parameters: Mapping[str, Any]) -> None:
        self.graph = graph
        self.parameters = parameters
        self.steps = 0

    # -- clauses

    def query(self, query: Query, outer: Row) -> tuple[list[str], list[Row]]:
        columns: list[str] = []
        rows: list[Row] = []
        for branch in query.branches:
            columns, found = self.branch(branch, outer)
            rows += found
        return columns, rows if query.union_all else _distinct(rows, columns)

    def branch(self, clauses: tuple[Clause, ...], outer: Row) -> tuple[list[str], list[Row]]:
        rows = [dict(outer)]
        columns: list[str] = []
        names = list(outer)
        for clause in clauses:
            if isinstance(clause, Match):
                names += [name for name in _named(clause.patterns) if name not in names]
                rows = [found for row in rows for found in self.match(clause, row)]
            elif isinstance(clause, Unwind):
                names.append(clause.name)
                rows = [row | {clause.name: one} for row in rows for one in self.unwound(clause, row)]
            elif isinstance(clause, Call):
                rows = [row | found for row in rows for found in self.call(clause, row)]
                names = list(rows[0]) if rows else names
            else:
                columns = _columns(clause, names)
                rows = self.project(clause, rows, names)
                names = list(columns)
        return columns, rows

    def unwound(self, clause: Unwind, row: Row) -> list[Any]:
        found = self.value(clause.values, row)
        return [] if found is None else found if isinstance(found, list) else [found]

    def call(self, clause: Call, row: Row) -> list[Row]:
        seen = row if clause.imported is None else {name: row[name] for name in clause.imported}
        columns, rows = self.query(clause.query, seen)
        return [{name: found[name] for name in columns} for found in rows]

    def project(self, clause: Project, rows: list[Row], names: list[str]) -> list[Row]:
        items = [
            item
            for name, value in clause.items
            for item in ([(each, ("variable", each)) for each in sorted(names)] if name == "*" else [(name, value)])
        ]
        made = self.grouped(items, rows) if any(has_aggregate(value) for _, value in items) else self.plain(items, rows)
        if clause.distinct:
            made = _distinct_pairs(made)
        for expression, descending in reversed(clause.order):
            made.sort(key=self.sort_key(expression, items), reverse=descending)
        found = [row for row, _, _ in made]
        found = found[0 if clause.skip is None else self.value(clause.skip, {}) :]
        found = found if clause.limit is None else found[: self.value(clause.limit, {})]
        return [row for row in found if clause.where is None or self.value(clause.where, row) is True]

    def plain(self, items: list[tuple[str, Expression]], rows: list[Row]) -> list[_Made]:
        found = [{name: self.value(value, row) for name, value in items} for row in rows]
        return [(made, row | made, None) for made, row in zip(found, rows, strict=True)]

    def grouped(self, items: list[tuple[str, Expression]], rows: list[Row]) -> list[_Made]:
        keys = [value for _, value in items if not has_aggregate(value)]
        groups: dict[Any, list[Row]] = {}
        for row in rows:
            groups.setdefault(tuple(values.group_key(self.value(key, row)) for key in keys), []).append(row)
        if not keys and not groups:
            groups[()] = []
        found = []
        for group in groups.values():
            first = group[0] if group else {}
            made = {name: self.value(value, first, group) for name, value in items}
            found.append((made, first | made, group))
        return found

    def sort_key(self, expression: Expression, items: list[tuple[str, Expression]]) -> Callable[[_Made], values.Key]:
        """Of what was projected, where the expression stands there; else of the row before."""
        for name, value in items:
            if value == expression:
                return lambda made: values.Key(made[0][name])
        return lambda made: values.Key(self.value(expression, made[1], made[2]))

    # -- patterns

    def match(self, clause: Match, row: Row) -> list[Row]:
        found = [
            one
            for one in self.patterns(clause.patterns, row, frozenset())
            if clause.where is None or self.value(clause.where, one) is True
        ]
        if clause.optional and not found:
            return [dict.fromkeys(_named(clause.patterns)) | row]
        return found

    def patterns(self, patterns: tuple[Pattern, ...], row: Row, used: frozenset[Link]) -> Iterator[Row]:
        """All ways to fit the patterns, no link twice."""
        if not patterns:
            yield row
            return
        pattern, rest = patterns[0], patterns[1:]
        fits = self.shortest(pattern, row) if pattern.shortest else self.chain(pattern, row, used)
        for found, nodes, links in fits:
            named = found | {pattern.name: Path(nodes, links)} if pattern.name else found
            yield from self.patterns(rest, named, used | frozenset(links))

    def chain(self, pattern: Pattern, row: Row, used: frozenset[Link]) -> Iterator[_Fit]:
        first = pattern.parts[0]
        assert isinstance(first, NodePattern)
        for node in [row[first.name]] if first.name in row else self.graph.nodes:
            for found in self.node(first, node, row):
                yield from self.along(pattern, 1, found, (node,), (), used)

    def along(
        self, pattern: Pattern, place: int, row: Row, nodes: tuple[Node, ...], links: tuple[Link, ...],
        used: frozenset[Link],
    ) -> Iterator[_Fit]:  # fmt: skip
        if place == len(pattern.parts):
            yield row, nodes, links
            return
        link, node = pattern.parts[place], pattern.parts[place + 1]
        assert isinstance(link, LinkPattern)
        assert isinstance(node, NodePattern)
        for more, through in self.walks(link, nodes[-1], row, used | frozenset(links)):
            bound = row
            if link.name:
                value: Any = more[0] if link.least is None else list(more)
                if link.name in row and row[link.name] is not value:
                    continue
                bound = row | {link.name: value}
            if link.where is not None and self.value(link.where, bound) is not True:
                continue
            end = through[-1] if through else nodes[-1]
            for found in self.node(node, end, bound):
                yield from self.along(pattern, place + 2, found, nodes + through, links + more, used)

    def walks(
        self, link: LinkPattern, start: Node, row: Row, used: frozenset[Link]
    ) -> Iterator[tuple[tuple[Link, ...], tuple[Node, ...]]]:
        """Links that a pattern's arrow stands for, and the nodes they lead to."""
        least, most = (1, 1) if link.least is None else (link.least, link.most or (0 if link.most == 0 else _LONGEST))
        under_way: list[tuple[tuple[Link, ...], tuple[Node, ...]]] = [((), ())]
        while under_way:
            links, nodes = under_way.pop()
            if len(links) >= least:
                yield links, nodes
            if len(links) == most:
                if link.least is not None and link.most is None:
                    raise Huge
                continue
            for step, end in self.steps_from(nodes[-1] if nodes else start, link.way):
                if step in used or step in links or (link.types and step.type not in link.types):
                    continue
                if self.has(step.properties, link.properties, row):
                    under_way.append(((*links, step), (*nodes, end)))

    def steps_from(self, node: Node, way: str) -> Iterator[tuple[Link, Node]]:
        self.steps += 1
        if self.steps > _STEPS:
            raise Huge
        if way in (">", "-"):
            for link in self.graph.out.get(node, []):
                yield link, link.end
        if way in ("<", "-"):
            for link in self.graph.into.get(node, []):
                if way == "<" or link.start is not link.end:
                    yield link, link.start

    def node(self, pattern: NodePattern, node: Node | None, row: Row) -> Iterator[Row]:
        """The row with the node, where it fits."""
        if node is None or (pattern.labels and node.label not in pattern.labels):
            return
        if pattern.name in row and row[pattern.name] is not node:
            return
        found = row | {pattern.name: node} if pattern.name else row
        if not self.has(node.properties, pattern.properties, found):
            return
        if pattern.where is None or self.value(pattern.where, found) is True:
            yield found

    def has(self, properties: Mapping[str, Any], wanted: tuple[tuple[str, Expression], ...], row: Row) -> bool:
        return all(values.equal(properties.get(name), self.value(value, row)) is True for name, value in wanted)

    def shortest(self, pattern: Pattern, row: Row) -> Iterator[_Fit]:
        """Of all fits between the same two nodes the shortest: one, or all."""
        best: dict[tuple[Node, Node], list[_Fit]] = {}
        for fit in self.chain(pattern, row, frozenset()):
            _, nodes, links = fit
            there = best.setdefault((nodes[0], nodes[-1]), [])
            if there and len(links) < len(there[0][2]):
                there.clear()
            if not there or len(links) == len(there[0][2]):
                there.append(fit)
        for there in best.values():
            yield from there[:1] if pattern.shortest == "one" else there

    # -- expressions

    def value(self, expression: Expression, row: Row, group: list[Row] | None = None) -> Any:
        """An expression's value; `group` are the rows that its aggregates sum up."""
        operation, *parts = expression
        own = (
            getattr(self, f"_{operation.replace(' ', '_').lower()}", None)
            if operation.isidentifier() or (" " in operation)
            else None
        )
        if own is not None:
            return own(parts, row, group)
        one, other = (self.value(part, row, group) for part in parts)
        if operation == "+" or operation == "||":
            return values.add(one, other)
        if operation in ("=", "<>"):
            same = values.equal(one, other)
            return same if operation == "=" or same is None else not same
        if operation in ("<", "<=", ">", ">="):
            if operation[0] == ">":
                one, other = other, one
            return values.less(one, other, or_equal=operation.endswith("="))
        if operation == "=~":
            return values.matches(one, other)
        return None if one is None or other is None else values.ARITHMETIC[operation](one, other)

    def _literal(self, parts: list[Any], row: Row, group: Any) -> Any:
        return parts[0]

    def _parameter(self, parts: list[Any], row: Row, group: Any) -> Any:
        return self.parameters[parts[0]]

    def _variable(self, parts: list[Any], row: Row, group: Any) -> Any:
        return row[parts[0]]

    def _property(self, parts: list[Any], row: Row, group: Any) -> Any:
        return values.property_of(self.value(parts[0], row, group), parts[1])

    def _list(self, parts: list[Any], row: Row, group: Any) -> Any:
        return [self.value(part, row, group) for part in parts[0]]

    def _map(self, parts: list[Any], row: Row, group: Any) -> Any:
        return {name: self.value(value, row, group) for name, value in parts[0]}

    def _projection(self, parts: list[Any], row: Row, group: Any) -> Any:
        subject = self.value(parts[0], row, group)
        if subject is None:
            return None
        found: dict[str, Any] = {}
        for name, value in parts[1]:
            if name == "*":
                found |= subject.properties
            else:
                own = value[0] == "own"
                found[name] = values.property_of(subject, name) if own else self.value(value, row, group)
        return found

    def _at(self, parts: list[Any], row: Row, group: Any) -> Any:
        return values.item_of(self.value(parts[0], row, group), self.value(parts[1], row, group))

    def _slice(self, parts: list[Any], row: Row, group: Any) -> Any:
        items = self.value(parts[0], row, group)
        ends = [None if part is None else self.value(part, row, group) for part in parts[1:]]
        if items is None or any(part is not None and end is None for part, end in zip(parts[1:], ends, strict=True)):
            return None
        return items[ends[0] : ends[1]]

    def _negative(self, parts: list[Any], row: Row, group: Any) -> Any:
        found = self.value(parts[0], row, group)
        return None if found is None else values.whole(-found)

    def _is_null(self, parts: list[Any], row: Row, group: Any) -> bool:
        return self.value(parts[0], row, group) is None

    def _not(self, parts: list[Any], row: Row, group: Any) -> bool | None:
        found = self.value(parts[0], row, group)
        return None if found is None else not found

    def _and(self, parts: list[Any], row: Row, group: Any) -> bool | None:
        found = [self.value(part, row, group) for part in parts]
        return False if False in found else None if None in found else True

    def _or(self, parts: list[Any], row: Row, group: Any) -> bool | None:
        found = [self.value(part, row, group) for part in parts]
        return True if True in found else None if None in found else False

    def _xor(self, parts: list[Any], row: Row, group: Any) -> bool | None:
        one, other = (self.value(part, row, group) for part in parts)
        return None if one is None or other is None else one != other

    def _in(self, parts: list[Any], row: Row, group: Any) -> bool | None:
        one, items = (self.value(part, row, group) for part in parts)
        if items is None:
            return None
        return values.quantified("any", [values.equal(one, item) for item in items])

    def _texts(self, parts: list[Any], row: Row, group: Any, test: Callable[[str, str], bool]) -> bool | None:
        one, other = (self.value(part, row, group) for part in parts)
        return test(one, other) if isinstance(one, str) and isinstance(other, str) else None

    def _starts_with(self, parts: list[Any], row: Row, group: Any) -> bool | None:
        return self._texts(parts, row, group, str.startswith)

    def _ends_with(self, parts: list[Any], row: Row, group: Any) -> bool | None:
        return self._texts(parts, row, group, str.endswith)

    def _contains(self, parts: list[Any], row: Row, group: Any) -> bool | None:
        return self._texts(parts, row, group, str.__contains__)

    def _has_label(self, parts: list[Any], row: Row, group: Any) -> bool | None:
        found = self.value(parts[0], row, group)
        return None if found is None else found.label in parts[1]

    def _case(self, parts: list[Any], row: Row, group: Any) -> Any:
        subject, branches, other = parts
        for condition, made in branches:
            holds = self.value(condition, row, group)
            if subject is not None:
                holds = values.equal(self.value(subject, row, group), holds)
            if holds is True:
                return self.value(made, row, group)
        return self.value(other, row, group)

    def _comprehension(self, parts: list[Any], row: Row, group: Any) -> Any:
        name, items, where, made = parts
        found = self.value(items, row, group)
        if found is None:
            return None
        rows = [row | {name: item} for item in found]
        rows = [one for one in rows if where is None or self.value(where, one, group) is True]
        return [one[name] if made is None else self.value(made, one, group) for one in rows]

    def _quantifier(self, parts: list[Any], row: Row, group: Any) -> bool | None:
        word, name, items, condition = parts
        found = self.value(items, row, group)
        if found is None:
            return None
        return values.quantified(word, [self.value(condition, row | {name: item}, group) for item in found])

    def _reduce(self, parts: list[Any], row: Row, group: Any) -> Any:
        total, first, name, items, step = parts
        found = self.value(items, row, group)
        if found is None:
            return None
        made = self.value(first, row, group)
        for item in found:
            made = self.value(step, row | {total: made, name: item}, group)
        return made

    def _exists(self, parts: list[Any], row: Row, group: Any) -> bool:
        return bool(self.query(parts[0], row)[1])

    def _count_in(self, parts: list[Any], row: Row, group: Any) -> int:
        return len(self.query(parts[0], row)[1])

    def _collect_in(self, parts: list[Any], row: Row, group: Any) -> list[Any]:
        columns, rows = self.query(parts[0], row)
        return [found[columns[0]] for found in rows]

    def _count_star(self, parts: list[Any], row: Row, group: list[Row]) -> int:
        return len(group)

    def _aggregate(self, parts: list[Any], row: Row, group: list[Row]) -> Any:
        name, distinct, arguments = parts
        found = [self.value(arguments[0], one) for one in group]
        found = [value for value in found if value is not None]
        if distinct:
            found = list({values.group_key(value): value for value in reversed(found)}.values())[::-1]
        return aggregate(name, found, self.value(arguments[1], {}) if len(arguments) > 1 else None)

    def _function(self, parts: list[Any], row: Row, group: Any) -> Any:
        name, arguments = parts
        given = [self.value(argument, row, group) for argument in arguments]
        if name == "coalesce":
            return next((value for value in given if value is not None), None)
        if name in ("pi", "e"):
            return math.pi if name == "pi" else math.e
        return None if None in given else values.FUNCTIONS[name](*given)


_Made = tuple[Row, Row, list[Row] | None]
"""What is projected, with what it was made of: the row that ORDER BY sees, and the group."""
_Fit = tuple[Row, tuple[Node, ...], tuple[Link, ...]]


def _named(patterns: tuple[Pattern, ...]) -> list[str]:
    found = [pattern.name for pattern in patterns] + [part.name for pattern in patterns for part in pattern.parts]
    return [name for name in dict.fromkeys(found) if name]


def _columns(clause: Project, names: list[str]) -> list[str]:
    return [each for name, _ in clause.items for each in (sorted(names) if name == "*" else [name])]


def _distinct(rows: list[Row], columns: list[str]) -> list[Row]:
    found = {tuple(values.group_key(row[name]) for name in columns): row for row in reversed(rows)}
    return list(found.values())[::-1]


def _distinct_pairs(made: list[_Made]) -> list[_Made]:
    found = {tuple(map(values.group_key, one[0].values())): one for one in reversed(made)}
    return list(found.values())[::-1]
