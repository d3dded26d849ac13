"""Fields of a question: what each means, its range and its default, said once.

The command line makes an option and its help of a field, a question refuses what is out of range, and a kept run is
asked again from the same fields. Nothing here imports NumPy: `--help` reads it.
"""

from __future__ import annotations

import dataclasses
import math
from dataclasses import dataclass
from typing import Any, ClassVar

from seedrank.core.errors import UsageError, shorten

__all__ = ["Asked", "Question", "asked", "asked_fields", "default_of"]


@dataclass(frozen=True)
class Asked:
    """What is known of a field.

    Parameters
    ----------
    help
        One line: what it means, and its unit where it has one.
    least, most
        The range, both ends included.
    above, below
        The range, both ends excluded.
    choices
        The words it may be; any where there are none.
    panel
        Heading under which help lists it.
    metavar
        What stands for its value in help.
    names
        Names of its option where they are not ``--the-name``.
    share
        Whether people may write it like ``5%``.
    negatable
        Whether its option has a ``--no-…`` form.
    argument
        Whether it is an argument of the command, not an option.
    shown
        The default as help shows it; nothing where it is empty.
    """

    help: str
    least: float | None = None
    most: float | None = None
    above: float | None = None
    below: float | None = None
    choices: tuple[str, ...] = ()
    panel: str | None = None
    metavar: str | None = None
    names: tuple[str, ...] = ()
    share: bool = False
    negatable: bool = False
    argument: bool = False
    shown: str | None = None


def asked(default: Any, help: str, **more: Any) -> Any:
    """A field of a question with its default and what is known of it (the parameters of `Asked`)."""
    return dataclasses.field(default=default, metadata={"asked": Asked(help, **more)})


def asked_fields(question: type[Question]) -> dict[str, Asked]:
    """What is known of the fields of a question, by name."""
    return {one.name: one.metadata["asked"] for one in dataclasses.fields(question) if "asked" in one.metadata}


def default_of(question: type[Question], name: str) -> Any:
    """What a field is when nobody says."""
    return next(one.default for one in dataclasses.fields(question) if one.name == name)


@dataclass(frozen=True)
class Question:
    """What is asked, as data; its fields are checked when it is made."""

    family: ClassVar[str]

    def __post_init__(self) -> None:
        for name, field in asked_fields(type(self)).items():
            _check(name, getattr(self, name), field)

    @property
    def words(self) -> str:
        """The family and method, as a command says them: ``seeds maxweight``."""
        return f"{self.family} {getattr(self, 'method', '')}".strip()


def _check(name: str, value: Any, field: Asked) -> None:
    if value is None:
        return
    if field.choices and value not in field.choices:
        raise UsageError(
            f"{{{name}}} cannot be {shorten(value)}", hint=f"one of {', '.join(field.choices)}", fields=(name,)
        )
    if isinstance(value, bool) or not isinstance(value, int | float):
        return
    number = f"{value:,}" if isinstance(value, int) and abs(value) < 10**15 else shorten(value)
    if field.least is not None and not value >= field.least:
        raise UsageError(f"{{{name}}} must be at least {field.least:g}, not {number}", fields=(name,))
    if field.most is not None and not value <= field.most:
        raise UsageError(f"{{{name}}} must be at most {field.most:,.15g}, not {number}", fields=(name,))
    if field.above is not None and not value > field.above:
        raise UsageError(f"{{{name}}} must be above {field.above:g}, not {number}", fields=(name,))
    if field.below is not None and not value < field.below:
        raise UsageError(f"{{{name}}} must be below {field.below:g}, not {number}", fields=(name,))
    if isinstance(value, float) and not math.isfinite(value):
        raise UsageError(f"{{{name}}} must be a number, not {number}", fields=(name,))
