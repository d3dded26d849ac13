"""The command that makes a kept answer again: from its record and the options its command has."""

from __future__ import annotations

import shlex
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from cli.options import default_of

if TYPE_CHECKING:
    from seedrank.runs import Run

__all__ = ["command_of"]


def command_of(run: Run) -> str:
    """The command line of a run, with every parameter that is not the default.

    Parameters that the command has no option for are left out, so that the line can always be run.
    """
    import typer

    from cli.main import app

    command: Any = typer.main.get_command(app)
    given_as_argument = 0
    for word in run.method.split():
        if not hasattr(command, "commands"):
            # The method is an argument of its command: rank pagerank.
            given_as_argument += 1
        elif word in command.commands:
            command = command.commands[word]
        else:
            return f"seedrank --store {shlex.quote(run.store)} {run.method}"
    given = _flat(run.parameters)
    # Elsewhere than on a server there is one engine only.
    if "://" in run.store and run.engine in ("native", "gds"):
        given["engine"] = run.engine
    words: list[str] = []
    arguments = [parameter for parameter in command.params if parameter.param_type_name == "argument"]
    for parameter in command.params:
        if parameter.name not in given or parameter in arguments[:given_as_argument]:
            continue
        value = given[parameter.name]
        default = default_of(parameter.name) if parameter.default is None else parameter.default
        if value is None or value == [] or value == default or str(value) == str(default):
            continue
        if parameter in arguments:
            words[:0] = [shlex.quote(str(value))]
        elif isinstance(value, bool):
            words += (parameter.opts if value else parameter.secondary_opts)[:1]
        elif isinstance(value, Mapping):
            # A table that was read from a file: its name is not kept.
            words += [parameter.opts[0], str(parameter.metavar or "FILE")]
        else:
            for one in value if isinstance(value, list) else [value]:
                words += [parameter.opts[0], shlex.quote(str(one))]
    return " ".join(["seedrank", "--store", shlex.quote(run.store), run.method, *words])


def _flat(parameters: Mapping[str, Any]) -> dict[str, Any]:
    """Parameters by the names options have: the rules of a value are options of their own."""
    flat = dict(parameters)
    rules = flat.pop("rules", None)
    if isinstance(rules, Mapping):
        flat |= {name if name == "spam_bonus" else f"value_{name}": value for name, value in rules.items()}
    return flat
