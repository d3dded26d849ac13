"""From the fields of a question to options, from options to the question, and back to the words of a command."""

from __future__ import annotations

import functools
import inspect
import shlex
import typing
from collections.abc import Callable, Sequence
from dataclasses import fields
from typing import Annotated, Any

import typer

from cli.options import Settings
from seedrank.core.shares import share_of
from seedrank.questions.asked import Asked, Question, asked_fields, default_of

__all__ = ["asks", "option_named", "words_of"]


def asks(
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
    known = asked_fields(question)
    wanted = [name for name in _in_order(question) if names is None or name in names]

    def decorate(function: Callable[..., Any]) -> Callable[..., Any]:
        own = list(inspect.signature(function, eval_str=True).parameters.values())
        kept = [one for one in own if one.name not in ("settings", "question")]

        @functools.wraps(function)
        def command(settings: Settings, **values: Any) -> Any:
            said = {name: _value(values.pop(name), known[name]) for name in wanted}
            said = {name: default_of(question, name) if value is None else value for name, value in said.items()}
            if "rng" in {one.name for one in fields(question)}:
                said["rng"] = settings.rng
            return function(settings, question(**said, **given), **values)

        added = [_parameter(question, name, known[name]) for name in wanted]
        command.__signature__ = inspect.Signature([own[0], *kept, *added])  # type: ignore[attr-defined]
        return command

    return decorate


def option_named(name: str) -> str:
    """The option of a field, for messages: ``--min-pages``, ``-k``."""
    return f"-{name}" if len(name) == 1 else f"--{name.replace('_', '-')}"


def words_of(question: Question) -> list[str]:
    """The words after the command that ask this question again: arguments, and options that are not the default."""
    arguments, options = [], []
    for name, field in asked_fields(type(question)).items():
        value = getattr(question, name)
        if field.argument:
            arguments.append(shlex.quote(str(value)))
        elif value != default_of(type(question), name):
            options += _words(name, value, field)
    return [*arguments, *options]


def _words(name: str, value: Any, field: Asked) -> list[str]:
    option = _names(name, field)[0]
    if isinstance(value, bool):
        return [option if value else f"--no-{name.replace('_', '-')}"]
    many = value if isinstance(value, tuple) else (value,)
    return [word for one in many for word in (option, shlex.quote(_text(one, field)))]


def _text(value: Any, field: Asked) -> str:
    """A value as people write it, where that reads back as the same value."""
    if field.share and share_of(percent := f"{100 * value:.12g}%") == value:
        return percent
    return str(value)


def _in_order(question: type[Question]) -> list[str]:
    """The fields of the class itself before those it shares with others."""
    known = asked_fields(question)
    own = [name for name in inspect.get_annotations(question) if name in known]
    return [*own, *(name for name in known if name not in own)]


def _parameter(question: type[Question], name: str, field: Asked) -> inspect.Parameter:
    kind, default = _type(question, name, field), default_of(question, name)
    if field.argument:
        annotation: Any = Annotated[kind, typer.Argument(metavar=field.metavar, help=field.help)]
        return inspect.Parameter(name, inspect.Parameter.KEYWORD_ONLY, annotation=annotation)
    shown: Any = default is not None and default != ()
    names = _names(name, field)
    flags = [f"{names[0]}/--no-{name.replace('_', '-')}"] if field.negatable else list(names)
    option = typer.Option(
        *flags,
        help=field.help,
        rich_help_panel=field.panel,
        metavar=field.metavar,
        show_default=field.shown if field.shown is not None else shown,
    )
    if field.share:
        default = _text(default, field)
    elif default == ():
        default = None
    return inspect.Parameter(name, inspect.Parameter.KEYWORD_ONLY, default=default, annotation=Annotated[kind, option])


def _names(name: str, field: Asked) -> tuple[str, ...]:
    return field.names or (option_named(name),)


def _type(question: type[Question], name: str, field: Asked) -> Any:
    """The type as the command line reads it: a share as text, several values as a list."""
    if field.share:
        return str
    kind = typing.get_type_hints(question)[name]
    if typing.get_origin(kind) is tuple:
        return list[str] | None
    return kind


def _value(value: Any, field: Asked) -> Any:
    if field.share and isinstance(value, str):
        return share_of(value)
    return tuple(value) if isinstance(value, list) else value
