"""What a user's statement may do, decided on its tokens before a database sees it.

A database's read-only mode refuses changes of the graph. That is not all a statement can do: it may end the transaction
(``RETURN 1; COMMIT; CREATE …``), read and write files (``LOAD``, ``COPY … TO``, ``EXPORT DATABASE``, ``LOAD CSV``),
fetch extensions, change settings, administer a server, or crash it. So there is a list of what is allowed, and nothing
else is: clauses by their first word, procedures and functions by name. Files and extensions never are.
"""

from __future__ import annotations

from dataclasses import dataclass
from fnmatch import fnmatchcase

from seedrank.core.errors import shorten
from seedrank.graphdb.statements.cursor import DEEPEST
from seedrank.graphdb.statements.tokens import WRITING, Refused, Token, refuse, tokens, unquoted

__all__ = ["EMBEDDED", "NEO4J", "NO_WRITES", "Policy", "check"]

NO_WRITES = "load what is to change, or use Neo4j ({store=neo4j})"
"""What to do where no statement may write."""

_READING = frozenset({"MATCH", "OPTIONAL", "UNWIND", "WITH", "RETURN", "CALL"})
_MOST_OPERATORS = 2_000
"""Operators of a statement: the databases' own readers recurse on them, and thousands exhaust their stack."""
_OPERATORS = frozenset({"AND", "OR", "XOR", "NOT", "+", "-", "*", "/", "%", "^", "=", "<>", "<", ">", "<=", ">="})
_TESTS = frozenset({"IN", "IS", "STARTS", "ENDS", "CONTAINS", "=~"})
_OPENING, _CLOSING = frozenset({"(", "[", "{", "CASE"}), frozenset({")", "]", "}", "END"})


@dataclass(frozen=True)
class Policy:
    """What a database's statements may name."""

    procedures: tuple[str, ...]
    """Patterns of procedures that only read."""
    writing_procedures: tuple[str, ...] = ()
    """Patterns of further ones for statements that may write."""
    forbidden_procedures: tuple[str, ...] = ()
    """Patterns of those that are never called, whatever else allows them."""
    namespaces: tuple[str, ...] = ()
    """Patterns of functions with a point in their name."""
    schema_words: frozenset[str] = frozenset()
    """What ``CREATE`` and ``DROP`` may be followed by in a statement that may write, beside a pattern."""
    writes: bool = True
    """Whether statements may write at all."""


EMBEDDED = Policy(procedures=(), writes=False)
NEO4J = Policy(
    procedures=(
        "db.labels",
        "db.propertykeys",
        "db.relationshiptypes",
        "db.schema.*",
        "dbms.components",
        "gds.graph.list",
        "gds.list",
        "gds.version",
        "gds.*.stream",
        "gds.*.stats",
        "gds.*.estimate",
    ),
    writing_procedures=("gds.*",),
    forbidden_procedures=("gds.*export*", "gds.*backup*", "gds.*restore*", "gds.*model.store*", "gds.*model.load*"),
    namespaces=(
        "date.*",
        "datetime.*",
        "duration.*",
        "localdatetime.*",
        "localtime.*",
        "point.*",
        "time.*",
        "gds.util.*",
    ),
    schema_words=frozenset({"INDEX", "CONSTRAINT", "RANGE", "TEXT", "POINT", "FULLTEXT", "LOOKUP", "VECTOR"}),
)


def check(statement: str, policy: Policy, *, write: bool) -> list[Token]:
    """Refuse a statement that may not be sent; returns its tokens.

    Parameters
    ----------
    statement
        One statement, without or with a semicolon at its end.
    policy
        What the database's statements may name.
    write
        Whether it may change the graph.
    """
    found = tokens(statement)
    _check_single(statement, found)
    _check_depth(statement, found)
    _check_start(statement, found, policy, write=write)
    for place, token in enumerate(found):
        if token.kind == "word":
            _check_word(statement, found, place, policy, write=write)
        if token.kind in ("word", "quoted") and found[place - 1].upper != ".":
            _check_function(statement, found, place, policy)
    return found


def _check_single(statement: str, found: list[Token]) -> None:
    words = [token for token in found if token.upper != ";" and token.kind != "end"]
    if not words:
        raise Refused("the statement is empty", hint='try "MATCH (p:Page) RETURN p.url LIMIT 10"')
    for token in found:
        if token.upper == ";" and token.start < words[-1].start:
            raise refuse(statement, token.start, "there is more than one statement", "run them one by one")


def _check_depth(statement: str, found: list[Token]) -> None:
    depth = run = operators = 0
    for token in found:
        depth += (token.upper in _OPENING) - (token.upper in _CLOSING)
        run = run + 1 if token.upper in ("NOT", "-", "+") else 0
        operators += token.upper in _OPERATORS or token.upper in _TESTS
        if max(depth, run) > DEEPEST:
            raise refuse(statement, token.start, f"nested more than {DEEPEST} deep", "use IN, or parameters")
        if operators > _MOST_OPERATORS:
            raise refuse(statement, token.start, f"more than {_MOST_OPERATORS:,} operators", "use IN, or parameters")


def _check_start(statement: str, found: list[Token], policy: Policy, *, write: bool) -> None:
    place = 0
    if found[0].upper in ("EXPLAIN", "PROFILE"):
        place = 1
    first, following = found[place], found[min(place + 1, len(found) - 1)]
    if first.upper in _READING:
        return
    if first.upper not in WRITING and not (first.upper == "DROP" and policy.schema_words):
        words = ", ".join(sorted(_READING | (WRITING if write else frozenset())))
        raise refuse(
            statement,
            first.start,
            f"{shorten(first.text)} begins no statement that is sent",
            f"begin with one of {words}",
        )
    if not write:
        raise _refuse_write(statement, first, policy)
    if first.upper == "DETACH" and following.upper != "DELETE":
        raise refuse(statement, following.start, f"DETACH {following.upper} is not allowed")
    if first.upper in ("CREATE", "DROP"):
        _check_schema(statement, first, following, policy)


def _check_schema(statement: str, first: Token, following: Token, policy: Policy) -> None:
    pattern = first.upper == "CREATE" and (following.upper == "(" or following.kind == "quoted")
    named = following.kind == "word" and statement[following.stop :].lstrip().startswith("=")
    if not pattern and not named and following.upper not in policy.schema_words:
        raise refuse(
            statement,
            following.start,
            f"{first.upper} {following.upper} is not allowed",
            "files, users and tables stay",
        )


def _check_word(statement: str, found: list[Token], place: int, policy: Policy, *, write: bool) -> None:
    """Refuse clauses that stand within a statement."""
    token, following = found[place], found[place + 1]
    if found[place - 1].upper in (".", ":") and place:
        return
    named = place > 0 and found[place - 1].upper == "AS"
    if token.upper == "LOAD" and not named and following.kind in ("word", "quoted", "string"):
        raise refuse(
            statement,
            token.start,
            "LOAD reads files, which a statement may not",
            "load files outside of statements; quote `load` where it is a name",
        )
    if token.upper == "CALL" and following.upper not in ("{", "(", "}", ")", ",", ".", ":", "="):
        _check_procedure(statement, found, place + 1, policy, write=write)
    if token.upper == "CALL" and following.upper == "=":
        raise refuse(statement, token.start, "settings are not changed by statements")
    if not write and token.upper in WRITING and _begins_clause(found, place):
        raise _refuse_write(statement, token, policy)


def _begins_clause(found: list[Token], place: int) -> bool:
    """Whether a word can open a clause here: it follows a value, and something follows that a clause begins with."""
    before, following = found[place - 1], found[place + 1]
    after_value = place == 0 or before.kind != "sign" or before.upper in (")", "]", "}")
    opens = following.kind in ("word", "quoted") or following.upper == "("
    return (
        after_value
        and opens
        and before.upper not in ("AS", "ON", "BY", "IN", "AND", "OR", "XOR", "NOT", "YIELD", "UNWIND")
    )


def _check_procedure(statement: str, found: list[Token], place: int, policy: Policy, *, write: bool) -> None:
    name, stop = _dotted(found, place)
    if found[stop].upper == "=":
        raise refuse(statement, found[place].start, "settings are not changed by statements")
    allowed = policy.procedures + (policy.writing_procedures if write else ())
    if not _fits(name, allowed) or _fits(name, policy.forbidden_procedures):
        hint = f"allowed are {', '.join(allowed)}" if allowed else "procedures are Neo4j's"
        raise refuse(statement, found[place].start, f"the procedure {name} is not allowed", hint)


def _check_function(statement: str, found: list[Token], place: int, policy: Policy) -> None:
    name, stop = _dotted(found, place)
    if (
        "." in name
        and found[stop].upper == "("
        and found[place - 1].upper != "CALL"
        and not _fits(name, policy.namespaces)
    ):
        raise refuse(statement, found[place].start, f"the function {name} is not allowed")


def _dotted(found: list[Token], place: int) -> tuple[str, int]:
    """A name of words joined by points, in small letters, and the place after it."""
    words = []
    while found[place].kind in ("word", "quoted"):
        words.append(unquoted(found[place]).lower())
        place += 1
        if found[place].upper != ".":
            break
        place += 1
    return ".".join(words), place


def _fits(name: str, patterns: tuple[str, ...]) -> bool:
    return any(fnmatchcase(name, pattern) for pattern in patterns)


def _refuse_write(statement: str, token: Token, policy: Policy) -> Refused:
    what = f"a query only reads, and {token.upper} does more"
    if policy.writes:
        return refuse(statement, token.start, what, "allow it with {write=True}", fields=("write",))
    return refuse(statement, token.start, what, NO_WRITES, fields=("store",))
