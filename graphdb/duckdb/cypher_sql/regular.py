"""Regular expressions of Java that mean the same in the database's RE2."""

from __future__ import annotations

import re

from seedrank.graphdb.duckdb.cypher_sql.scope import Stage
from seedrank.graphdb.statements.tree import Tree

__all__ = ["checked_pattern"]

_PART = re.compile(
    r"\\(?:Q.*?(?:\\E|$)|[pP](?:\{[^}]*\}|.)|x[0-9a-fA-F]{2}|u[0-9a-fA-F]{4}|.)|\[|\]|\(\?|[.]|&&|.", re.S
)
_SAME_ESCAPES = frozenset("dDwWtnrfa")
_SCRIPTS = frozenset({"L", "Lu", "Ll", "N", "Nd", "P", "S", "Z", "M"})
_GROUP = re.compile(r"\(\?(?:[ism]*\)|[ism]*:)")
_LINE_ENDS = r"\n\r\x{85}\x{2028}\x{2029}"
_POSSESSIVE = re.compile(r"(?<!\\)(?:[*+?]|\{\d+,?\d*\})\+")


def checked_pattern(pattern: str, stage: Stage, tree: Tree) -> str:
    """The pattern in RE2's syntax; refused where RE2 has no such thing."""

    def refused(what: str) -> Exception:
        return stage.state.refuse(
            tree, f"{what} in a regular expression is not known here", "use STARTS WITH, CONTAINS, NOT or two tests"
        )

    if _POSSESSIVE.search(pattern):
        raise refused("a possessive quantifier")
    made, inside, dotall = [], 0, re.match(r"\(\?[im]*s", pattern) is not None
    for match in _PART.finditer(pattern):
        part = match[0]
        if part == "(?" and not inside:
            group = _GROUP.match(pattern, match.start())
            if group is None:
                raise refused(f"the group {pattern[match.start() : match.start() + 4]}")
            if "i" in group[0] and not pattern.isascii():
                raise refused("(?i) with letters beyond ASCII")
            if ("s" in group[0] and match.start()) or "m" in group[0]:
                raise refused(f"the flag {group[0]}")
        elif part.startswith("\\"):
            part = _escape(part, bool(inside), refused)
        elif part == "[":
            if inside:
                raise refused("a class within a class")
            inside = match.start() + 1
        elif part == "]" and inside:
            inside = 0
        elif part == "&&" and inside:
            raise refused("&& within a class")
        elif part == "." and not inside and not dotall:
            part = f"[^{_LINE_ENDS}]"
        made.append(part)
    return "".join(made)


def _escape(part: str, inside: bool, refused: object) -> str:
    letter = part[1]
    if letter == "Q":
        return re.escape(part[2:].removesuffix("\\E"))
    if letter == "s":
        return r"\t\n\x0B\f\r " if inside else r"[\t\n\x0B\f\r ]"
    if letter == "S" and not inside:
        return r"[^\t\n\x0B\f\r ]"
    if letter in "pP" and part[2:].strip("{}") in _SCRIPTS:
        return part
    if letter == "u":
        return f"\\x{{{part[2:]}}}"
    if letter == "x" or letter in _SAME_ESCAPES or not letter.isalnum():
        return part
    raise refused(f"\\{letter}")  # type: ignore[operator]
