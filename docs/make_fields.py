"""The keywords of the Python API with their types, from the fields of questions: ``make docs``."""

from __future__ import annotations

import dataclasses
import textwrap
from pathlib import Path

from seedrank.methods.crawl.methods import CRAWL
from seedrank.methods.frontier.methods import FRONTIER
from seedrank.methods.rank.methods import RANK
from seedrank.methods.seeds.methods import SEEDS
from seedrank.questions.commands import QUESTIONS
from seedrank.questions.question import Field, Question, fields_of

FILE = Path(__file__).resolve().parents[1] / "seedrank" / "api" / "fields.py"
FAMILIES = {"SeedMethod": SEEDS, "Order": CRAWL, "FrontierMethod": FRONTIER, "RankMethod": RANK}
TAKES = {"pages": "Pages", "addresses": "Pages", "table": "Table", "values": "Values"}
FIRST = {
    "seeds evaluate": "file",
    "seeds reduce": "file",
    "seeds transfer": "file",
    "crawl compare": "orders",
    "frontier learn": "model",
    "explain": "page",
}
"""Fields that methods of `Workbench` have among their own parameters, beside the method."""
LINE = 120
HEAD = '''"""Fields of questions as keywords of `Workbench`, for editors and type checkers.

Made from `seedrank.questions` by ``python -m docs.make_fields``; do not edit.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from os import PathLike
from typing import Any, Literal, TypedDict

from seedrank.api.page_sets import Pages, Table, Values
'''


def text() -> str:
    """The module."""
    parts = [HEAD]
    for name, family in FAMILIES.items():
        words = textwrap.fill(", ".join(f'"{one.name}"' for one in family.built_in), LINE - 4)
        parts.append(f"{name} = Literal[\n{textwrap.indent(words, '    ')}\n]  # fmt: skip")
    every = dict.fromkeys(one for question in QUESTIONS.values() for one in [*reversed(_shared(question)), question])
    parts += ["\n" * (number == 0) + "\n" + _fields(question) for number, question in enumerate(every)]
    return "\n".join(parts).replace("'", '"')


def _shared(question: type[Question]) -> list[type[Question]]:
    """Classes that a question shares fields with, but for those of which it keeps some at their defaults."""
    above = [one for one in question.__mro__[1:] if issubclass(one, Question) and one is not Question]
    return [one for one in above if not {*question.fixed} & {*fields_of(one)}]


def _fields(question: type[Question]) -> str:
    shared = _shared(question)
    theirs = {field.name for one in shared for field in dataclasses.fields(one)}
    first = FIRST.get(question.command, question.chooses)
    known = {one.name: one for one in dataclasses.fields(question) if one.name not in (*question.fixed, first)}
    types = {name: _type(str(one.type), fields_of(question).get(name)) for name, one in known.items()}
    aliases = {alias for one in shared for alias in one.aliases}
    more = {alias: types[name] for alias, name in question.aliases.items() if name in types and alias not in aliases}
    own = {name: kind for name, kind in types.items() if name not in theirs} | more
    lines = [f"    {name}: {kind}" for name, kind in own.items()]
    about = f"Of ``{question.command}``." if question.command else str(question.__doc__).partition("\n")[0]
    parents = [one for one in shared if not any(one is not other and issubclass(other, one) for other in shared)]
    bases = ", ".join([name_of(one) for one in parents] or ["TypedDict"])
    head = [f"class {name_of(question)}({bases}, total=False):", f'    """{about}"""']
    return "\n".join([*head, *[""] * bool(lines), *lines, ""])


def name_of(question: type[Question]) -> str:
    """What the keywords of a question are called."""
    return f"{question.__name__.removesuffix('Question')}Fields"


def _type(kind: str, about: Field | None) -> str:
    """What Python may give for a field."""
    nothing = " | None" if kind.endswith(" | None") else ""
    plain = kind.removesuffix(" | None")
    if about is None:
        return kind
    if about.takes is not None:
        taken = TAKES[about.takes]
        return f"{taken} | Sequence[{taken}]" if plain.startswith("tuple") else taken + nothing
    own = " | Callable[..., Any]" if {"ORDER", "FRONTIER"} & {*about.completion} else ""
    if plain.startswith("tuple"):
        one = plain.removeprefix("tuple[").partition(",")[0]
        return f"{one}{own} | Sequence[{one}{own}]" if own else f"{one} | Sequence[{one}]"
    if plain == "str" and about.metavar is not None and about.metavar.startswith(("N", "P%")):
        return f"str | float{nothing}"
    if plain == "str" and about.file:
        return f"str | PathLike[str]{nothing}"
    return f"{plain}{own}{nothing}"


if __name__ == "__main__":
    FILE.write_text(text(), encoding="utf-8")
