"""A wrong command line in the words of every other error: what is wrong, then what to do."""

from __future__ import annotations

import difflib
import importlib
import typing
from enum import StrEnum
from functools import singledispatch
from typing import Any

import typer

from seedrank.core.errors import shorten

__all__ = ["format_message"]

_click: Any = importlib.import_module(typer.BadParameter.__module__)
"""The exceptions of the click that typer uses: its own, or the package where typer is older."""
_NEAR = 0.75
"""How alike two options are, for one to be meant by the other."""
_WANTED = {
    "int_parsing": "a whole number",
    "int_from_float": "a whole number",
    "float_parsing": "a number",
    "datetime_from_date_parsing": "a time such as 2024-01-31 or 2024-01-31T12:00:00",
    "datetime_parsing": "a time such as 2024-01-31 or 2024-01-31T12:00:00",
    "greater_than_equal": "at least {ge}",
    "less_than_equal": "at most {le}",
}
"""What a value must be, by what its reader objects to."""


def format_message(error: Any) -> str:
    """What typer finds wrong, with what to do; nothing where it has shown the help instead."""
    what, hint = _words(error)
    path = _path(error)
    if what and not hint and path:
        hint = f"see {path} --help"
    return f"{what}; {hint}" if hint else what


@singledispatch
def _words(error: Any) -> tuple[str, str]:
    """What is wrong, and what to do where that is not to read the help."""
    return _lower(" ".join(error.format_message().split())), ""


@_words.register(_click.NoArgsIsHelpError)
def _help_was_shown(error: Any) -> tuple[str, str]:
    return "", ""


@_words.register(_click.NoSuchOption)
def _unknown_option(error: Any) -> tuple[str, str]:
    """An option that the command does not have: who has it, or the nearest that there is."""
    from seedrank.cli.command_words import users_of

    option, path = str(error.option_name), _path(error)
    if users := users_of(option, path.split()):
        return f"{path} does not use {option}", f"it goes with {', '.join(users)}"
    near = difflib.get_close_matches(option, error.possibilities or (), 1, _NEAR)
    return f"{path} has no option {option}", f"did you mean {near[0]}?" if near else ""


@_words.register(_click.BadOptionUsage)
def _misused_option(error: Any) -> tuple[str, str]:
    """An option without its value, or a switch with one."""
    known = error.ctx.command.params if error.ctx is not None else ()
    is_switch = any(one.is_flag for one in known if error.option_name in (*one.opts, *one.secondary_opts))
    return f"{error.option_name} {'takes no' if is_switch else 'needs a'} value", ""


@_words.register(_click.MissingParameter)
def _missing(error: Any) -> tuple[str, str]:
    return f"{_name(error)} is missing", ""


@_words.register(_click.BadParameter)
def _bad_value(error: Any) -> tuple[str, str]:
    if error.param is None:
        return _lower(error.format_message()), ""
    reader = error.__cause__
    found = reader.errors()[0] if hasattr(reader, "errors") else {}
    given = shorten(str(found["input"])) if "input" in found else None
    wanted = _WANTED.get(str(found.get("type")), "")
    if given and "{" in wanted:  # it is a number
        wanted, given = wanted.format_map(found["ctx"]), given.strip("'")
    if choices := _choices(error):
        wanted = f"one of {', '.join(choices)}"
    if not wanted or given is None:
        return f"{_name(error)}: {_lower(error.message)}", ""
    return f"{_name(error)} must be {wanted}, not {given}", ""


def _choices(error: Any) -> list[str]:
    """The words that a parameter may be, from its type in the signature of the command."""
    kind = error.ctx.command.callback.__annotations__.get(error.param.name) if error.ctx is not None else None
    kinds = [one for outer in (kind, *typing.get_args(kind)) for one in (outer, *typing.get_args(outer))]
    return [str(word) for one in kinds if isinstance(one, type) and issubclass(one, StrEnum) for word in one]


def _name(error: Any) -> str:
    """The parameter as help calls it: the last of an option's names, which is the long one."""
    hint = error.param.get_error_hint() if error.param is not None else error.param_hint
    return str(hint).split(" / ")[-1].strip("'").removesuffix("...")


def _path(error: Any) -> str:
    context = getattr(error, "ctx", None)
    return "" if context is None else str(context.command_path)


def _lower(text: str) -> str:
    return f"{text[:1].lower()}{text[1:].removesuffix('.')}"
