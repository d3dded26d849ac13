"""The command that makes a kept answer again: from its record and the options its command has."""

from __future__ import annotations

import shlex
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from cli.asking import words_of
from cli.options import default_of
from seedrank.core.shares import share_of
from seedrank.questions.records import question_of

if TYPE_CHECKING:
    from seedrank.runs import Run

__all__ = ["command_of"]

_COMMANDS = {
    "experiment frontier-tune": "frontier tune",
    "experiment frontier-learn": "frontier learn",
    "experiment crawl-compare": "crawl compare",
}
"""Kept as experiments, because they rank no pages, and asked for by commands of their own."""
_RENAMED = {"page": "url"}
"""Parameters that options call otherwise."""


def command_of(run: Run) -> str:
    """The command line of a run, with every parameter that is not the default.

    Parameters that the command has no option for are left out, so that the line can always be run.
    """
    question = question_of(run.method, run.parameters)
    if question is not None:
        again = [*question.words.split(), *words_of(question), *_shared_words(run)]
        return " ".join(["seedrank", "--store", shlex.quote(run.store), *again])
    from cli.main import command as root

    command = root()
    given_as_argument = 0
    path: list[str] = []
    for word in _COMMANDS.get(run.method, run.method).split():
        if not hasattr(command, "commands"):
            # The method is an argument of its command: rank pagerank.
            given_as_argument += 1
            path.append(word)
        elif (name := _command_name(word, command.commands)) is not None:
            command = command.commands[name]
            path.append(name)
        else:
            return f"seedrank --store {shlex.quote(run.store)} {run.method}"
    given = _flat(run.parameters)
    given |= {option: given[name] for name, option in _RENAMED.items() if name in given}
    if run.method == "experiment frontier-learn":
        given["model"] = given.get("file")
    given |= {"engine": engine} if (engine := _engine(run)) else {}
    words: list[str] = []
    arguments = [parameter for parameter in command.params if parameter.param_type_name == "argument"]
    for parameter in command.params:
        if parameter.name not in given or parameter in arguments[:given_as_argument]:
            continue
        value = given[parameter.name]
        default = default_of(parameter.name) if parameter.default is None else parameter.default
        if value is None or value == [] or _same(value, default):
            continue
        if parameter in arguments:
            words[:0] = [shlex.quote(str(one)) for one in (value if isinstance(value, list) else [value])]
        elif isinstance(value, bool):
            words += (parameter.opts if value else parameter.secondary_opts)[:1]
        elif isinstance(value, Mapping):
            # A table that was read from a file: its name is not kept.
            words += [parameter.opts[0], str(parameter.metavar or "FILE")]
        elif isinstance(value, float) and str(default).endswith("%"):
            words += [parameter.opts[0], f"{100 * value:.12g}%"]
        else:
            for one in value if isinstance(value, list) else [value]:
                words += [parameter.opts[0], shlex.quote(str(one))]
    return " ".join(["seedrank", "--store", shlex.quote(run.store), *path, *words])


def _engine(run: Run) -> str | None:
    """The engine to name: elsewhere than on a server there is one only."""
    asked = run.asked_engine or run.engine  # version 0.1 kept what was asked for as the engine
    return asked if "://" in run.store and asked in ("native", "gds") else None


def _shared_words(run: Run) -> list[str]:
    """Options shared by commands, where they are not the default."""
    given = {"site": run.parameters.get("site"), "rng": run.parameters.get("rng"), "engine": _engine(run)}
    return [
        word
        for name, value in given.items()
        if value is not None and value != default_of(name)
        for word in (f"--{name}", str(value))
    ]


def _command_name(word: str, commands: Mapping[str, Any]) -> str | None:
    """The command of a word: itself, or without the parameter that follows it (``fpr@20``, ``pagerank:partial``)."""
    names = (word, word.split("@")[0].split(":")[0])
    return next((name for name in names if name in commands), None)


def _same(value: Any, default: Any) -> bool:
    """Whether a value is the default, which may be a share as people write it."""
    if value == default or str(value) == str(default):
        return True
    if isinstance(default, str) and default.endswith("%") and isinstance(value, float):
        return share_of(default) == value
    return False


def _flat(parameters: Mapping[str, Any]) -> dict[str, Any]:
    """Parameters by the names options have: the rules of a value, a question and its options are options themselves."""
    flat: dict[str, Any] = {}
    for name, value in parameters.items():
        if name == "rule" and isinstance(value, Mapping):
            flat |= _core_options(value)
        elif name in ("question", "options") and isinstance(value, Mapping):
            flat |= _flat(value)
        else:
            flat[name] = value
    return flat


def _core_options(rule: Mapping[str, Any]) -> dict[str, Any]:
    """How cores grow, as options: what is not the default, and the reading of the papers as a flag."""
    from dataclasses import asdict

    from seedrank.seeds.cores import CoreRule

    default = asdict(CoreRule())
    given = {name: value for name, value in rule.items() if value != default.get(name)}
    violator = given.pop("violator", None)
    return given if violator is None else {**given, violator.replace("-", "_"): True}
