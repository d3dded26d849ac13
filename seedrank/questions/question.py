"""Fields of a question: what each means, its range and its default, said once.

The command line makes an option and its help of a field, a question refuses what is out of range, and a kept run is
asked again from the same fields. Nothing here imports NumPy: `--help` reads it.
"""

from __future__ import annotations

import dataclasses
import functools
import inspect
import math
import numbers
import os
import typing
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING, Any, ClassVar, Literal, TypeVar

from seedrank.core.errors import UsageError, shorten, suggestion
from seedrank.core.numbers import RNG_MOST

if TYPE_CHECKING:
    from seedrank.runs import Answer
    from seedrank.session import Session

__all__ = [
    "WEIGHING",
    "Field",
    "Kind",
    "Levelled",
    "LinkWeights",
    "Linked",
    "Question",
    "Saved",
    "build_question",
    "changed",
    "default_of",
    "field",
    "fields_of",
    "kind_of",
    "rng_field",
]


_Q = TypeVar("_Q", bound="Question")

Kind = Literal["ranking", "table", "experiment"]
"""What an answer is: pages, hosts or domains in an order, a table of another kind, or an experiment with claims."""


@dataclass(frozen=True)
class Field:
    """What is known of a field."""

    help: str
    """One line: what it means, and its unit where it has one."""
    least: float | None = None
    most: float | None = None
    """The range, both ends included."""
    above: float | None = None
    below: float | None = None
    """The range, both ends excluded."""
    choices: tuple[str, ...] = ()
    """The words it may be; any where there are none."""
    panel: str | None = None
    """Heading under which help lists it."""
    metavar: str | None = None
    """What stands for its value in help, where it is not the choices or what completes it."""
    completion: tuple[str, ...] = ()
    """What completes its value: words as they are, and kinds of values in capitals (`seedrank.cli.completion`). Its
    choices where there are some."""
    file: bool = False
    """Whether it may name a file: its letters stay as they are, whatever they mean."""
    names: tuple[str, ...] = ()
    """Names of its option where they are not ``--the-name``."""
    share: bool = False
    """Whether people may write it like ``5%``."""
    time: bool = False
    """Whether it is a point in time, ISO 8601 without a time zone."""
    negatable: bool = False
    """Whether its option has a ``--no-…`` form."""
    argument: bool = False
    """Whether it is an argument of the command, not an option."""
    required: bool = False
    """Whether the command line must have it."""
    takes: Literal["pages", "addresses", "table", "values"] | None = None
    """What Python may give in place of its text (`seedrank.api.page_sets`): a list of pages, one of pages of another
    graph, a table, or a value per page."""
    shown: str | None = None
    """The default as help shows it; nothing where it is empty."""

    @property
    def label(self) -> str | None:
        """What stands for its value in help: ``FILE|COLUMN``; `None` where its type says enough."""
        return self.metavar or "|".join([*["FILE"] * self.file, *(self.choices or self.completion)]) or None


Saved = bool | int | Literal["all"]
"""What of an answer is also written into the database: nothing, its first 1,000 rows, so many, all."""


def field(default: Any, help: str, **more: Any) -> Any:
    """A field of a question with its default and what is known of it (the parameters of `Field`)."""
    return dataclasses.field(default=default, metadata={"field": Field(help, **more)})


def rng_field() -> Any:
    """The field ``rng``: number of the random sequence, 1 by default; a shared option of the command line."""
    return dataclasses.field(default=1, metadata={"shared": Field("Random sequence.", least=0, most=RNG_MOST)})


def fields_of(question: type[Question]) -> dict[str, Field]:
    """What is known of the fields of a question, by name; without those that it keeps at their defaults."""
    known = (one for one in dataclasses.fields(question) if one.name not in question.fixed)
    return {one.name: one.metadata["field"] for one in known if "field" in one.metadata}


def build_question(question: type[_Q], **given: Any) -> _Q:
    """A question from its fields by name; one that it does not have is refused, with the nearest name."""
    return question(**_named(question, given))


def changed(question: _Q, **given: Any) -> _Q:
    """The question with other values of some fields; one that it does not have is refused."""
    return dataclasses.replace(question, **_named(type(question), given))


def _named(question: type[Question], given: Mapping[str, Any]) -> dict[str, Any]:
    """Fields by their own names."""
    known = [one.name for one in dataclasses.fields(question)]
    found: dict[str, Any] = {}
    for name, value in given.items():
        own = question.aliases.get(name, name)
        if own != name and own in given:
            raise UsageError(f"{{{name}}} and {{{own}}} are one field", hint="give one of them", fields=(name, own))
        found[own] = value
    for name in found:
        if name not in known:
            near = suggestion(name, [*known, *question.aliases])
            raise UsageError(f"{question.command} has no field {shorten(name)}", hint=near)
    return found


def default_of(question: type[Question], name: str) -> Any:
    """What a field is when nobody says."""
    return next(one.default for one in dataclasses.fields(question) if one.name == name)


@functools.cache
def _types(question: type[Question]) -> dict[str, Any]:
    """Types of the fields. Annotations are text: reading them takes a millisecond, and every field asks."""
    return typing.get_type_hints(question)


def kind_of(question: type[Question], name: str) -> type:
    """What a field holds: `bool`, `int`, `float`, `str`, or `tuple` for several; `None` may stand for each."""
    kind = _types(question)[name]  # type: ignore[arg-type]  # classes can be hashed, whatever their instances can
    kinds = [one for one in typing.get_args(kind) or (kind,) if one is not type(None)]
    if typing.get_origin(kind) is tuple:
        return tuple
    if typing.Literal in (typing.get_origin(kind), typing.get_origin(kinds[0])):
        return str
    found: type = kinds[0]
    return found


@dataclass(frozen=True, kw_only=True)
class Question:
    """What is asked, as data; its fields are checked when it is made.

    Classes of questions say of themselves: ``command``, the words that ask them; ``gives``, the kind of answer;
    ``chooses``, the field that names a method, where there are several; ``aliases``, other names of fields, as a budget
    is called ``k`` and ``limit`` in papers; and ``fixed``, inherited fields that keep their
    defaults, because the answer searches their values or does not use them. `answer` answers them.
    """

    command: ClassVar[str] = ""
    gives: ClassVar[Kind] = "ranking"
    chooses: ClassVar[str | None] = None
    fixed: ClassVar[tuple[str, ...]] = ()
    aliases: ClassVar[Mapping[str, str]] = {}

    def __init_subclass__(cls) -> None:
        super().__init_subclass__()
        _describe(cls)

    def __post_init__(self) -> None:
        for one in dataclasses.fields(self):
            object.__setattr__(self, one.name, _plain(getattr(self, one.name), kind_of(type(self), one.name)))
        for name in self.fixed:
            if getattr(self, name) != default_of(type(self), name):
                raise UsageError(f"{self.words} does not use {{{name}}}", hint="leave it out", fields=(name,))
        for one in dataclasses.fields(self):
            field = one.metadata.get("field") or one.metadata.get("shared")
            if field is not None:
                _check(one.name, getattr(self, one.name), field, *_kind(type(self), one.name))

    @property
    def words(self) -> str:
        """The command and method, as people type them: ``seeds maxweight``."""
        method = "" if self.chooses is None else str(getattr(self, self.chooses))
        return f"{self.command} {method}".strip()

    @property
    def title(self) -> str:
        """What its run is called; the words, unless a class knows a closer name."""
        return self.words

    def answer(self, session: Session) -> Answer:
        """Answer the question; keyword parameters are the options of a class, such as ``save``.

        Each class imports here what answers it: a question itself is light.

        Parameters
        ----------
        session
            The view of the store that the question is about (`Session.ask`).
        """
        raise NotImplementedError(type(self).__name__)

    def options(self, given: dict[str, Any]) -> dict[str, Any]:
        """What of `given` (``save`` and the like) is switched on; what `answer` does not take is refused."""
        taken = inspect.signature(self.answer).parameters.values()
        known = [one.name for one in taken if one.kind is one.KEYWORD_ONLY]
        for name in given:
            if name not in known:
                hint = suggestion(name, known) if known else "leave it out"
                raise UsageError(f"{self.words} has no option {shorten(name)}", hint=hint)
        _check_saved(given.get("save", False))
        return {name: value for name, value in given.items() if value}


_TOLD = ("field", "shared")
"""Where a field keeps what is known of it."""


def _describe(question: type[Question]) -> None:
    """Put the fields with their help below the docstring, for `help()` and editors."""
    known = {
        one.name: one for base in question.__mro__[1:] for one in getattr(base, "__dataclass_fields__", {}).values()
    }
    known |= {name: one for name, one in vars(question).items() if isinstance(one, dataclasses.Field)}
    texts = {name: one.metadata[kind].help for name, one in known.items() for kind in _TOLD if kind in one.metadata}
    lines = [line for name, text in texts.items() if name not in question.fixed for line in (name, f"    {text}")]
    about = inspect.cleandoc(question.__doc__ or "").partition("\n\nParameters\n")[0]
    question.__doc__ = "\n".join([about, "", "Parameters", "----------", *lines]) if lines else about


def _plain(value: Any, kind: type) -> Any:
    """A value as the field keeps it: one of several alone is a tuple of it, a number where text is wanted is text."""
    if isinstance(value, os.PathLike):
        value = os.fspath(value)
    if kind is tuple:
        alone = isinstance(value, str | int | float) and not isinstance(value, bool)
        return (value,) if alone else tuple(value) if isinstance(value, list) else value
    if kind is str and isinstance(value, int | float) and not isinstance(value, bool):
        return str(value)
    return value


_KINDS: dict[type, tuple[type, str]] = {
    bool: (bool, "true or false"),
    int: (numbers.Integral, "a whole number"),
    float: (numbers.Real, "a number"),
    str: (str, "text"),
}


def _kind(question: type[Question], name: str) -> tuple[type, bool]:
    """What a field holds, and whether it may hold nothing."""
    kind = _types(question)[name]  # type: ignore[arg-type]  # classes can be hashed, whatever their instances can
    return kind_of(question, name), type(None) in typing.get_args(kind)


def _check(name: str, value: Any, field: Field, kind: type, may_be_none: bool) -> None:
    if value is None and may_be_none:
        return
    if kind is tuple:
        if isinstance(value, str) or not isinstance(value, tuple | list):
            raise _wrong(name, "must be several values, not {given}", value)
        for one in value:
            accepted, words = _KINDS[float if field.share else str]
            if not isinstance(one, accepted):
                raise _wrong(name, f"must be {words} each, not {{given}}", one)
            _check_range(name, one, field)
        return
    accepted, words = _KINDS[kind]
    if not isinstance(value, accepted) or (isinstance(value, bool) and kind is not bool):
        raise _wrong(name, f"must be {words}, not {{given}}", value)
    _check_range(name, value, field)


def _check_range(name: str, value: Any, field: Field) -> None:
    if field.choices and value not in field.choices:
        raise _wrong(name, "cannot be {given}", value, f"one of {', '.join(field.choices)}")
    if field.time:
        _check_time(name, value)
    if isinstance(value, bool) or not isinstance(value, int | float):
        return
    number = _number(value, field)
    if field.least is not None and not value >= field.least:
        raise UsageError(f"{{{name}}} must be at least {_number(field.least, field)}, not {number}", fields=(name,))
    if field.most is not None and not value <= field.most:
        raise UsageError(f"{{{name}}} must be at most {_number(field.most, field)}, not {number}", fields=(name,))
    if field.above is not None and not value > field.above:
        raise UsageError(f"{{{name}}} must be above {_number(field.above, field)}, not {number}", fields=(name,))
    if field.below is not None and not value < field.below:
        raise UsageError(f"{{{name}}} must be below {_number(field.below, field)}, not {number}", fields=(name,))
    if isinstance(value, float) and not math.isfinite(value):
        raise UsageError(f"{{{name}}} must be a number, not {number}", fields=(name,))


def _number(value: float, field: Field) -> str:
    """A number as people write it: a share in per cent, a count with commas."""
    if field.share and math.isfinite(value):
        return f"{100 * value:.12g}%"
    if isinstance(value, int) and abs(value) < 10**15:
        return f"{value:,}"
    return shorten(value) if isinstance(value, int) else f"{value:,.15g}"


def _check_saved(save: Any) -> None:
    if save != "all" and not (isinstance(save, int) and save >= 0):
        raise UsageError(f"save cannot be {shorten(save)}", hint='give true, a number of rows, or "all"')


def _check_time(name: str, value: str) -> None:
    try:
        aware = datetime.fromisoformat(value).tzinfo is not None
    except (ValueError, TypeError):
        raise _wrong(name, "is not a time: {given}", value, "write it like 2024-01-31 or 2024-01-31T12:00:00") from None
    if aware:
        raise _wrong(name, "has a time zone: {given}", value, "give the time as the events have it")


def _wrong(name: str, what: str, value: Any, hint: str | None = None) -> UsageError:
    """What is wrong with the value of a field; `what` shows it as ``{given}``, whatever braces it has."""
    return UsageError(f"{{{name}}} {what}", hint=hint, fields=(name,), values={"given": shorten(value)})


@dataclass(frozen=True, kw_only=True)
class Levelled(Question):
    """A question about pages, or about hosts or domains and the links between them."""

    level: Literal["page", "host", "domain"] | None = field(
        None,
        "Ask about pages, hosts or registered domains.",
        choices=("page", "host", "domain"),
        shown="as stored",
    )
    host_weights: Literal["links", "pages"] = field(
        "links",
        "A link between hosts weighs what the links between their pages do, or each page counts once.",
        choices=("links", "pages"),
    )

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.host_weights != "links" and self.level in (None, "page"):
            raise UsageError(
                "{host_weights} goes with hosts or domains",
                hint="add {level=host} or {level=domain}",
                fields=("host_weights", "level"),
            )


LinkWeights = Literal["none", "links"]
"""What a link counts: 1, or its stored weight."""

LINKS = "Links"
WEIGHING = ("weights", "cap_links")
"""Fields of `Linked`: methods that go by weights use them."""


@dataclass(frozen=True, kw_only=True)
class Linked(Question):
    """How much each link of a page counts."""

    weights: Literal["none", "links"] = field(
        "none",
        "links: a link counts as much as its stored weight (a missing one 1, one of 0 nothing); none: each counts 1.",
        panel=LINKS,
        choices=("none", "links"),
    )
    cap_links: int | None = field(
        None,
        "A page hands its score on over its N heaviest links; ties by a hash of both ids.",
        panel=LINKS,
        metavar="N",
        least=1,
        shown="all",
    )
