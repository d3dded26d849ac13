"""A wrong command line in the words of every other error: what is wrong, then what to do."""

from __future__ import annotations

import difflib
import re
from typing import Any

from seedrank.core.errors import shorten

__all__ = ["told"]

_COMMAND = re.compile(r"No such command '(.*?)'\.?(?: Did you mean (.*)\?)?", re.DOTALL)
_CHOICE = re.compile(r"is not one of (.*?)\.?$", re.DOTALL)
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


def told(error: Any) -> str:
    """What typer finds wrong; nothing where it has shown the help instead."""
    kind, context = type(error).__name__, getattr(error, "ctx", None)
    message = " ".join(error.format_message().split()).removesuffix(".")
    if kind == "NoArgsIsHelpError" or not message:
        return ""
    path = "" if context is None else context.command_path
    what, hint = message[0].lower() + message[1:], ""
    if kind == "NoSuchOption":
        what, hint = _option(error, path)
    elif command := _COMMAND.match(error.format_message()):
        what = f"there is no command {shorten(command[1])}"
        hint = f"did you mean {command[2].replace(chr(39), '')}?" if command[2] else ""
    elif kind == "MissingParameter":
        what = f"{_name(error)} is missing"
    elif kind == "BadParameter" and error.param is not None:
        what = _value(error)
    elif kind == "BadOptionUsage":
        needs = "takes no value" if "not take" in message else "needs a value"
        what = f"{error.option_name} {needs}"
    elif extra := re.fullmatch(r"Got unexpected extra arguments?(?:\(s\))? \((.*)\)", message):
        what = f"{shorten(extra[1])} is more than {path} takes"
    if not hint and path:
        hint = f"see {path} --help"
    return f"{what}; {hint}" if hint else what


def _option(error: Any, path: str) -> tuple[str, str]:
    """An option that the command does not have: who has it, or the nearest that there is."""
    from seedrank.cli.families import users_of

    option = str(error.option_name)
    if users := users_of(option, path.split()):
        return f"{path} does not use {option}", f"it goes with {', '.join(users)}"
    near = difflib.get_close_matches(option, error.possibilities or (), 1, _NEAR)
    return f"{path} has no option {option}", f"did you mean {near[0]}?" if near else ""


def _name(error: Any) -> str:
    """The parameter as help calls it: the last of an option's names, which is the long one."""
    hint = error.param.get_error_hint() if error.param is not None else error.param_hint
    return str(hint).split(" / ")[-1].strip("'").removesuffix("...")


def _value(error: Any) -> str:
    reader = error.__cause__
    found = reader.errors()[0] if hasattr(reader, "errors") else {}
    given = shorten(str(found["input"])) if "input" in found else None
    wanted = _WANTED.get(str(found.get("type")), "")
    if given and "{" in wanted:  # it is a number
        wanted, given = wanted.format_map(found["ctx"]), given.strip("'")
    if choices := _CHOICE.search(error.message):
        wanted = f"one of {choices[1].replace(chr(39), '')}"
    if not wanted or given is None:
        return f"{_name(error)}: {error.message[:1].lower()}{error.message[1:].removesuffix('.')}"
    return f"{_name(error)} must be {wanted}, not {given}"
