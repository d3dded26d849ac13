"""From the fields of a question to options, from options to the question, and back to the words of a command."""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable, Sequence
from dataclasses import fields
from typing import Annotated, Any

import typer

from seedrank.cli.completions import offered
from seedrank.cli.option_names import plain_option
from seedrank.cli.options import Settings
from seedrank.core.errors import UsageError, shorten
from seedrank.core.numbers import share_of
from seedrank.questions.question import Field, Question, default_of, fields_of, kind_of

__all__ = ["takes", "words_of"]


def takes(
    question: type[Question], names: Sequence[str] | None = None, **given: Any
) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """Give a command options for the fields `names` (all by default); it takes ``question`` in their place.

    Parameters
    ----------
    question
        The class of the question.
    names
        Fields that become options; the others keep their defaults.
    given
        Fields that the command itself decides, such as ``method``.
    """
    known = fields_of(question)
    wanted = [name for name in _in_order(question) if names is None or name in names]

    def decorate(function: Callable[..., Any]) -> Callable[..., Any]:
        own = list(inspect.signature(function, eval_str=True).parameters.values())
        kept = [one for one in own if one.name not in ("settings", "question")]

        @functools.wraps(function)
        def command(settings: Settings, **values: Any) -> Any:
            said = {name: _value(name, values.pop(name), known[name]) for name in wanted}
            said = {name: default_of(question, name) if value is None else value for name, value in said.items()}
            if "rng" in {one.name for one in fields(question)}:
                said["rng"] = settings.rng
            return function(settings, question(**said, **given), **values)

        added = [_parameter(question, name, known[name]) for name in wanted]
        command.__signature__ = inspect.Signature([own[0], *kept, *added])  # type: ignore[attr-defined]
        return command

    return decorate


def words_of(question: Question, names: Sequence[str] | None = None) -> list[str]:
    """The words after the command that ask this question again: arguments, and options that are not the default.

    Parameters
    ----------
    question
        What is asked.
    names
        Fields that the command has; all by default.
    """
    arguments: list[str] = []
    options: list[str] = []
    known = fields_of(type(question))
    for name in _in_order(type(question)):
        field, value = known[name], getattr(question, name)
        if field.argument:
            arguments += [str(one) for one in (value if isinstance(value, tuple) else (value,))]
        elif value != default_of(type(question), name) and (names is None or name in names):
            options += _words(name, value, field)
    return [*arguments, *options]


def _words(name: str, value: Any, field: Field) -> list[str]:
    option = _names(name, field)[0]
    if isinstance(value, bool):
        return [option if value else f"--no-{name.replace('_', '-')}"]
    many = value if isinstance(value, tuple) else (value,)
    return [word for one in many for word in (option, _text(one, field))]


def _text(value: Any, field: Field) -> str:
    """A value as people write it, where that reads back as the same value."""
    if field.share and share_of(percent := f"{100 * value:.12g}%") == value:
        return percent
    return str(value)


def _in_order(question: type[Question]) -> list[str]:
    """The fields of the class itself before those it shares with others."""
    known = fields_of(question)
    own = [name for kind in question.__mro__ for name in inspect.get_annotations(kind) if name in known]
    return list(dict.fromkeys(own))


def _parameter(question: type[Question], name: str, field: Field) -> inspect.Parameter:
    kind, default = _type(question, name, field), default_of(question, name)
    if field.argument:
        info = typer.Argument(
            metavar=field.metavar, help=field.help, show_default=False, autocompletion=offered(field.metavar)
        )
        optional = str(field.metavar).startswith("[")
        return inspect.Parameter(
            name,
            inspect.Parameter.KEYWORD_ONLY,
            default=None if optional else inspect.Parameter.empty,
            annotation=Annotated[kind, info],
        )
    shown: Any = default is not None and default != ()
    names = _names(name, field)
    flags = [f"{names[0]}/--no-{name.replace('_', '-')}"] if field.negatable else list(names)
    option = typer.Option(
        *flags,
        help=field.help,
        rich_help_panel=field.panel,
        metavar=field.metavar or "|".join(field.choices) or None,
        autocompletion=offered(field.metavar, field.choices),
        show_default=field.shown if field.shown is not None else shown,
    )
    if isinstance(default, tuple):
        default = None
    elif field.share:
        default = _text(default, field)
    return inspect.Parameter(name, inspect.Parameter.KEYWORD_ONLY, default=default, annotation=Annotated[kind, option])


def _names(name: str, field: Field) -> tuple[str, ...]:
    return field.names or (plain_option(name),)


def _type(question: type[Question], name: str, field: Field) -> Any:
    """The type as the command line reads it: a share as text, several values as a list."""
    kind = kind_of(question, name)
    if kind is tuple:
        return list[str] if field.argument and not str(field.metavar).startswith("[") else list[str] | None
    if field.share:
        return str
    return kind | None if default_of(question, name) is None else kind


def _value(name: str, value: Any, field: Field) -> Any:
    if isinstance(value, list):
        return tuple(_value(name, one, field) for one in value)
    if not field.share or not isinstance(value, str):
        return value
    try:
        return share_of(value)
    except UsageError:
        raise UsageError(f"{{{name}}} {shorten(value)} is no share", hint="write it like 5%", fields=(name,)) from None
