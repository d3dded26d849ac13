"""A tree as a statement for the database: names quoted, operators in brackets, nothing left to precedence."""

from __future__ import annotations

from cypher import quote_identifier
from graphdb.statements.tree import (
    Call,
    Case,
    Clause,
    Create,
    Delete,
    Expression,
    Index,
    Label,
    ListOf,
    Literal,
    MapOf,
    Match,
    Merge,
    Node,
    NullTest,
    Operation,
    Parameter,
    Path,
    Procedure,
    Projection,
    ProjectionItem,
    Property,
    Quantified,
    Relationship,
    Remove,
    Set,
    SetItem,
    Statement,
    Subquery,
    Unwind,
    Variable,
)

__all__ = ["clause_text", "expression_text", "statement_text"]

_quoted = quote_identifier


def statement_text(statement: Statement) -> str:
    """The whole statement."""
    union = " UNION ALL " if statement.union_all else " UNION "
    looking = f"{statement.looking} " if statement.looking else ""
    return looking + union.join(" ".join(map(clause_text, query.clauses)) for query in statement.queries)


def clause_text(clause: Clause) -> str:
    """One clause."""
    match clause:
        case Match():
            return _match(clause)
        case Projection():
            return _projection(clause)
        case Unwind():
            return f"UNWIND {expression_text(clause.of)} AS {_quoted(clause.name)}"
        case Procedure():
            yields = ", ".join(_quoted(name) + (f" AS {_quoted(new)}" if new else "") for name, new in clause.yields)
            arguments = ", ".join(map(expression_text, clause.arguments))
            return f"CALL {clause.name}({arguments})" + (f" YIELD {yields}" if yields else "") + _where(clause.where)
        case Create():
            return "CREATE " + ", ".join(map(_path, clause.paths))
        case Merge():
            on = "".join(f" ON {word} {clause_text(what)}" for word, what in clause.on)
            return f"MERGE {_path(clause.path)}{on}"
        case Set():
            return "SET " + ", ".join(map(_set_item, clause.items))
        case Delete():
            return ("DETACH " if clause.detach else "") + "DELETE " + ", ".join(map(expression_text, clause.values))
        case Remove():
            return "REMOVE " + ", ".join(map(expression_text, clause.values))
    raise TypeError(type(clause).__name__)


def expression_text(expression: Expression) -> str:
    """One expression."""
    match expression:
        case Literal(text=text):
            return text
        case Parameter(name=name):
            return f"${name}"
        case Variable(name=name):
            return _quoted(name)
        case Property(of=of, key=key):
            return f"{expression_text(of)}.{_quoted(key)}"
        case Index():
            return _index(expression)
        case Label(of=of, labels=labels):
            return f"({expression_text(of)}:{':'.join(map(_quoted, labels))})"
        case ListOf(items=items):
            return f"[{', '.join(map(expression_text, items))}]"
        case MapOf():
            return _map(expression)
        case Call():
            return _call(expression)
        case Operation():
            return _operation(expression)
        case NullTest(of=of, negated=negated):
            return f"({expression_text(of)} IS {'NOT ' if negated else ''}NULL)"
        case Case():
            return _case(expression)
        case Quantified(word=word, name=name, of=of, condition=condition):
            return f"{word}({_quoted(name)} IN {expression_text(of)} WHERE {expression_text(condition)})"
        case Subquery(word=word, match=inner):
            return f"{word} {{ {clause_text(inner)} }}"
    raise TypeError(type(expression).__name__)


def _match(clause: Match) -> str:
    paths = ", ".join(map(_path, clause.paths))
    hint = f" HINT {clause.hint}" if clause.hint else ""
    return f"{'OPTIONAL ' if clause.optional else ''}MATCH {paths}{_where(clause.where)}{hint}"


def _where(condition: Expression | None) -> str:
    return "" if condition is None else f" WHERE {expression_text(condition)}"


def _projection(clause: Projection) -> str:
    items = [*(["*"] if clause.star else []), *map(_item, clause.items)]
    parts = [clause.word + (" DISTINCT" if clause.distinct else ""), ", ".join(items)]
    if clause.order:
        keys = (expression_text(key.value) + (" DESC" if key.descending else "") for key in clause.order)
        parts.append("ORDER BY " + ", ".join(keys))
    if clause.skip is not None:
        parts.append(f"SKIP {expression_text(clause.skip)}")
    if clause.limit is not None:
        parts.append(f"LIMIT {expression_text(clause.limit)}")
    return " ".join(parts) + _where(clause.where)


def _item(item: ProjectionItem) -> str:
    value = expression_text(item.value)
    return value if item.name is None else f"{value} AS {_quoted(item.name)}"


def _set_item(item: SetItem) -> str:
    return f"{expression_text(item.target)} {item.operator} {expression_text(item.value)}"


def _path(path: Path) -> str:
    steps = "".join(_node(step) if isinstance(step, Node) else _relationship(step) for step in path.steps)
    if path.shortest:
        steps = f"{path.shortest}({steps})"
    return steps if path.name is None else f"{_quoted(path.name)} = {steps}"


def _node(node: Node) -> str:
    labels = "".join(f":{_quoted(label)}" for label in node.labels)
    return f"({_named(node.name)}{labels}{_properties(node.properties)})"


def _relationship(step: Relationship) -> str:
    types = ":" + "|".join(map(_quoted, step.types)) if step.types else ""
    hops = ""
    if step.hops is not None:
        low, high = step.hops
        hops = f"* {step.mode} {1 if low is None else low}..{'' if high is None else high}"
    inner = f"[{_named(step.name)}{types}{hops}{_properties(step.properties)}]"
    return f"{'<' if step.direction == '<-' else ''}-{inner}-{'>' if step.direction == '->' else ''}"


def _named(name: str | None) -> str:
    return "" if name is None else _quoted(name)


def _properties(properties: MapOf | None) -> str:
    return "" if properties is None else f" {_map(properties)}"


def _map(expression: MapOf) -> str:
    return "{" + ", ".join(f"{_quoted(key)}: {expression_text(value)}" for key, value in expression.items) + "}"


def _index(expression: Index) -> str:
    start = "" if expression.start is None else expression_text(expression.start)
    stop = "" if expression.stop is None else expression_text(expression.stop)
    return f"{expression_text(expression.of)}[{start}{'..' + stop if expression.slice else ''}]"


def _call(call: Call) -> str:
    if call.star:
        return f"{call.name}(*)"
    arguments = ", ".join(map(expression_text, call.arguments))
    if call.type_name is not None:
        return f"{call.name}({arguments} AS {call.type_name})"
    return f"{call.name}({'DISTINCT ' if call.distinct else ''}{arguments})"


def _operation(operation: Operation) -> str:
    if len(operation.operands) == 1:
        return f"({operation.operator} {expression_text(operation.operands[0])})"
    return "(" + f" {operation.operator} ".join(map(expression_text, operation.operands)) + ")"


def _case(expression: Case) -> str:
    parts = ["CASE"]
    if expression.operand is not None:
        parts.append(expression_text(expression.operand))
    for when, then in expression.whens:
        parts += ["WHEN", expression_text(when), "THEN", expression_text(then)]
    if expression.otherwise is not None:
        parts += ["ELSE", expression_text(expression.otherwise)]
    return f"({' '.join([*parts, 'END'])})"
