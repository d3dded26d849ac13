"""Commands that are built when they are asked for: options take time, and no command needs those of another."""

from __future__ import annotations

import contextlib
import functools
import shlex
from collections.abc import Callable, Iterator, Mapping
from typing import Any

import typer
from typer.core import TyperCommand, TyperGroup

from seedrank.cli.options import shared
from seedrank.cli.question_options import takes, words_of
from seedrank.questions.methods import Family, Method

__all__ = ["group_of", "methods_group"]

Register = Callable[[typer.Typer], None]
"""Adds a command to an app."""


def group_of(later: Mapping[str, Register], summaries: Mapping[str, str] | None = None) -> type[TyperGroup]:
    """A kind of group that has, after its own commands, those of `later`: each is built when it is asked for.

    Parameters
    ----------
    later
        What adds a command, by its name.
    summaries
        The first lines of the commands' help: the help of the group lists those and builds no command.
    """
    listed = {name: TyperCommand(name, help=summary) for name, summary in (summaries or {}).items()}

    class Group(TyperGroup):
        def __init__(self, *, commands: Mapping[str, Any] | None = None, **given: Any) -> None:
            every = _Commands(commands or {}, later)
            super().__init__(commands=every, **given)  # type: ignore[arg-type]  # typer reads it as a mapping
            self._listing = False

        def list_commands(self, ctx: Any) -> list[str]:
            return list(self.commands)

        def get_command(self, ctx: Any, cmd_name: str) -> Any:
            if self._listing and cmd_name in listed:
                return listed[cmd_name]
            return super().get_command(ctx, cmd_name)

        def format_help(self, ctx: Any, formatter: Any) -> None:
            with self._listed():
                super().format_help(ctx, formatter)

        def shell_complete(self, ctx: Any, incomplete: str) -> Any:
            with self._listed():
                return super().shell_complete(ctx, incomplete)

        @contextlib.contextmanager
        def _listed(self) -> Iterator[None]:
            self._listing = True
            try:
                yield
            finally:
                self._listing = False

    return Group


def methods_group(
    family: Family, function: Callable[..., Any], *names: str, default: str | None = None
) -> type[TyperGroup]:
    """A kind of group with a command for each method of a family, after its own.

    Parameters
    ----------
    family
        The methods.
    function
        Takes the settings and the question, and options of its own.
    names
        Shared options.
    default
        The method that answers where none is named; without it, help is shown.
    """

    def register(method: Method, app: typer.Typer) -> None:
        chosen = {str(family.question.chooses): method.name}
        command = takes(family.question, family.fields(method.name), **chosen)(function)
        asked = family.example(method.name)
        example = shlex.join(["seedrank", *asked.words.split(), *words_of(asked)])
        app.command(method.name, help=f"{method.help}\n\nExample: {example}")(shared(*names)(command))

    later = {one.name: functools.partial(register, one) for one in family.methods}
    group = group_of(later, {one.name: one.help for one in family.methods})
    return group if default is None else _with_default(group, default)


def _with_default(group: type[TyperGroup], default: str) -> type[TyperGroup]:
    """The same group, where options without a command are those of the command `default`."""

    class Group(group):  # type: ignore[valid-type,misc]  # a class made by a function
        def parse_args(self, ctx: Any, args: list[str]) -> Any:
            if not args or (args[0].startswith("-") and args[0] not in ("--help", "-h")):
                args = [default, *args]
            return super().parse_args(ctx, args)

    return Group


class _Commands(Mapping[str, Any]):
    """Commands by name: those that are built, then those that are built later."""

    def __init__(self, built: Mapping[str, Any], later: Mapping[str, Register]) -> None:
        self._built, self._later = dict(built), later
        self._names = (*built, *later)

    def __getitem__(self, name: str) -> Any:
        if name not in self._built:
            alone = typer.Typer(rich_markup_mode="rich")
            self._later[name](alone)
            self._built[name] = typer.main.get_group(alone).commands[name]
        return self._built[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._names)

    def __len__(self) -> int:
        return len(self._names)
