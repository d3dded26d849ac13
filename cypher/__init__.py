"""Every statement the project sends, one per file, by purpose.

A statement is named by its path: ``load/change`` is ``cypher/load/change.cypher``. A file opens with its
header and then holds one statement:

    // name: Pages by id
    // params: $lo, $hi = 10        (or: none; what follows = is the default)
    // store: both                  (neo4j, or both: also the embedded store)
    // writes: true                 (of a named query that changes the graph; left out of all others)
    // Further comment lines say why it is written as it is.

Values are always parameters. What cannot be a parameter has a placeholder, filled in by `statement`:

    {{column}}    in small letters: a name, quoted by `quote_identifier`; of a list of names each is quoted and they are
                  joined by commas, with what stands before them: p.{{columns}} becomes p.`url`, p.`status`
    {{TYPE}}      in capitals: a keyword such as DOUBLE, a table such as LINKS_TO or a whole number, taken as it is

Labels and types of relationships stand as they are in a database of our own; `prefixed` gives those of a graph that
shares its database with others.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from importlib.resources.abc import Traversable

from seedrank.core.errors import UsageError, shorten

__all__ = [
    "STORES",
    "Header",
    "Parameter",
    "check_prefix",
    "header",
    "names",
    "prefixed",
    "quote_identifier",
    "statement",
]

STORES = ("neo4j", "both")

_PLACEHOLDER = re.compile(r"(\w+\.)?\{\{(\w+)\}\}")
_LABEL = re.compile(r"\b(Page|Host|Query|Run|Load|Schema|SeedrankSchema)\b")
_RELATIONSHIP = re.compile(r"(?<=[:|`{])(LINKS_TO|ON|RESULT|RANKED|CORE|CO_CITED)\b")
_PREFIX = re.compile("[A-Z][a-z0-9]{0,30}")
_KEYWORD = re.compile(r"[A-Za-z][A-Za-z0-9_]*|[0-9]+")
_PARAMETER = re.compile(r"\$(\w+)(?: = ([0-9]+))?")
_NAME_LINE, _PARAMS_LINE, _STORE_LINE = "// name: ", "// params: ", "// store: "
_WRITES_LINE = "// writes: true"


@dataclass(frozen=True)
class Parameter:
    """A parameter of a statement, as its file names it."""

    name: str
    """Without ``$``."""
    default: int | None = None
    """A whole number; a parameter without one has to be given."""


@dataclass(frozen=True)
class Header:
    """What a file says of its statement."""

    title: str
    parameters: tuple[Parameter, ...]
    """In the order of the file."""
    store: str
    """One of `STORES`."""
    about: str
    """Why it is written as it is; may be empty."""
    writes: bool = False
    """Whether it is a named query that changes the graph."""

    @property
    def params(self) -> frozenset[str]:
        """Names of the parameters."""
        return frozenset(parameter.name for parameter in self.parameters)


def statement(name: str, *, prefix: str = "", **placeholders: str | Sequence[str]) -> str:
    """The text of a statement, without its header.

    Parameters
    ----------
    name
        Path below ``cypher/``, without the suffix.
    prefix
        What labels and types begin with (`prefixed`).
    placeholders
        What to put in place of each ``{{placeholder}}``; exactly those the file has.
    """
    text = prefixed(_parse(name)[1], prefix)
    wanted = {match[2] for match in _PLACEHOLDER.finditer(text)}
    if wanted != placeholders.keys():
        raise ValueError(f"{name}.cypher has the placeholders {sorted(wanted)}, not {sorted(placeholders)}")
    return _PLACEHOLDER.sub(lambda match: _fill(match[1] or "", match[2], placeholders[match[2]]), text)


@cache
def prefixed(text: str, prefix: str) -> str:
    """A text with the labels and types of a graph that shares its database: ``WebPage``, ``WEB_LINKS_TO``."""
    if not prefix:
        return text
    return _RELATIONSHIP.sub(rf"{prefix.upper()}_\1", _LABEL.sub(rf"{prefix}\1", text))


def check_prefix(prefix: str) -> str:
    """`prefix`, refused where two that differ could give the same label or type, or one that is no name.

    With `Seedrank` what 0.2 called Schema would be the SeedrankSchema of a graph without a prefix.
    """
    if not _PREFIX.fullmatch(prefix) or prefix == "Seedrank":
        raise UsageError(
            f"{shorten(prefix)} cannot be a prefix of labels",
            hint="give a capital letter, then small letters and digits, such as Web",
        )
    return prefix


def header(name: str) -> Header:
    """The header of a statement's file."""
    return _parse(name)[0]


def names() -> list[str]:
    """The names of all statements, sorted."""
    return sorted(_walk(files(__name__), ""))


def quote_identifier(identifier: str) -> str:
    r"""A name for use in a statement, in backticks, whatever it holds.

    Backticks in it are doubled. Backslashes and control characters are refused: Neo4j reads ``\u0060`` as a
    backtick wherever it stands.
    """
    if not identifier or not identifier.isprintable() or "\\" in identifier:
        raise UsageError(
            f"{shorten(identifier)} cannot be a name in the database",
            hint="rename the column: any printable characters but the backslash will do",
        )
    return "`" + identifier.replace("`", "``") + "`"


def _fill(before: str, placeholder: str, value: str | Sequence[str]) -> str:
    values = [value] if isinstance(value, str) else value
    if not placeholder.isupper():
        values = [quote_identifier(name) for name in values]
    elif not all(map(_KEYWORD.fullmatch, values)):
        raise ValueError(f"{value!r} is no keyword")
    return ", ".join(before + name for name in values)


@cache
def _parse(name: str) -> tuple[Header, str]:
    lines = files(__name__).joinpath(f"{name}.cypher").read_text(encoding="utf-8").splitlines()
    fields = {}
    for line, start in zip(lines, (_NAME_LINE, _PARAMS_LINE, _STORE_LINE), strict=False):
        if not line.startswith(start):
            raise ValueError(f"{name}.cypher: expected {start!r}, found {line!r}")
        fields[start] = line.removeprefix(start).strip()
    body = next((number for number, line in enumerate(lines) if not line.startswith("//")), len(lines))
    params = [] if fields[_PARAMS_LINE] == "none" else fields[_PARAMS_LINE].split(", ")
    found = [_PARAMETER.fullmatch(param) for param in params]
    if not all(found):
        raise ValueError(f"{name}.cypher: parameters are written $a, $b = 10")
    parameters = tuple(Parameter(one[1], None if one[2] is None else int(one[2])) for one in found if one)
    more = lines[3:body]
    writes = more[:1] == [_WRITES_LINE]
    about = " ".join(line.removeprefix("//").strip() for line in more[writes:])
    named = Header(fields[_NAME_LINE], parameters, fields[_STORE_LINE], about, writes)
    return named, "\n".join(lines[body:]).strip()


def _walk(folder: Traversable, prefix: str) -> list[str]:
    found = []
    for entry in folder.iterdir():
        if entry.is_dir():
            found += _walk(entry, f"{prefix}{entry.name}/")
        elif entry.name.endswith(".cypher"):
            found.append(prefix + entry.name.removesuffix(".cypher"))
    return found
