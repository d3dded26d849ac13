"""Commands: one signature of a function's own options, a question's fields and the shared options, handed to typer.

Groups build their commands when they are asked for: options take time, and no command needs those of another.
"""

from __future__ import annotations

import contextlib
import difflib
import functools
import importlib
import inspect
import shlex
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import fields as dataclass_fields
from inspect import Parameter
from typing import Annotated, Any, TypeVar

import typer
from typer.core import TyperCommand, TyperGroup

from seedrank.cli.completion import completer
from seedrank.cli.options import (
    FILE,
    Options,
    Settings,
    decode_values,
    parameters_of,
    remember,
    shared_parameters,
)
from seedrank.core.errors import UsageError, shorten
from seedrank.core.numbers import share_of
from seedrank.questions.methods import Family, Method
from seedrank.questions.question import Field, Question, default_of, fields_of, kind_of

__all__ = [
    "Callback",
    "Later",
    "add_command",
    "add_group",
    "command",
    "fields_in_order",
    "group_class",
    "later_from",
    "methods_class",
    "option_of",
    "own_parameters",
    "share_text",
]

_F = TypeVar("_F", bound=Callable[..., Any])
Later = Mapping[str, Callable[[], typer.Typer]]
"""Commands that are built when they are asked for: what gives an app that has the command, by its name."""


class Callback:
    """What typer calls: a function whose parameters are data.

    Parameters
    ----------
    run
        Takes the context and the values by name.
    parameters
        Annotated as typer reads them.
    help
        Of the command.
    """

    def __init__(
        self,
        run: Callable[[typer.Context, dict[str, Any]], Any],
        parameters: Sequence[Parameter],
        help: str | None = None,
    ) -> None:
        context = Parameter("context", Parameter.POSITIONAL_OR_KEYWORD, annotation=typer.Context)
        self.run = run
        self.__doc__ = help
        self.__signature__ = inspect.Signature([context, *parameters])
        self.__annotations__ = {one.name: one.annotation for one in (context, *parameters)}

    def __call__(self, context: typer.Context, **values: Any) -> Any:
        """Run with the values that typer has read."""
        return self.run(context, values)


def add_command(
    app: typer.Typer,
    name: str,
    function: Callable[..., Any],
    *shared: str,
    question: type[Question] | None = None,
    fields: Collection[str] | None = None,
    decided: Mapping[str, Any] | None = None,
    options: Options | None = None,
    help: str | None = None,
    alone: bool = False,
) -> None:
    """Add a command to an app.

    Parameters
    ----------
    app, name
        Where, and what it is called.
    function
        Takes the settings, the question if it asks one, and the values of its own options.
    shared
        Shared options; ``--quiet``, ``--verbose`` and ``--debug`` go with every command.
    question, fields, decided
        The class of the question, its fields that become options (all by default), and fields that the command itself
        decides, such as ``method``; other fields keep their defaults.
    options
        The command's own options and arguments beside those that the function names.
    help
        The docstring of the function by default.
    alone
        Whether the group asks this where no command is named.
    """
    own = [*own_parameters(function), *parameters_of(options or {})]
    asked = [] if question is None else [_parameter(question, one) for one in fields_in_order(question, fields)]
    # `frontier` has a --model of its own: that of a graph then stands before the command.
    names = {one.name for one in (*own, *asked)}
    common = [one for one in shared_parameters(shared) if one.name not in names]
    every = [*own, *asked, *common]
    files = {one.name for one in every if FILE in getattr(one.annotation, "__metadata__", ())}

    def run(context: typer.Context, values: dict[str, Any]) -> Any:
        given = {one.name: values.pop(one.name) for one in common}
        decode_values(context, values, files)
        settings = remember(context, given)
        if question is not None:
            said = {one.name: values.pop(one.name) for one in asked}
            values["question"] = _question(question, said, settings, decided or {})
        return function(settings, **values)

    def run_alone(context: typer.Context, values: dict[str, Any]) -> Any:
        if context.invoked_subcommand is None:
            return run(context, values)
        return remember(context, {one.name: values[one.name] for one in common})

    help = _without_breaks(help or inspect.getdoc(function) or "")
    app.command(name, cls=_Command)(Callback(run, every, help))
    if alone:
        app.callback(invoke_without_command=True)(Callback(run_alone, every, help))


def _without_breaks(text: str) -> str:
    """A line for each paragraph: the terminal breaks it where it ends."""
    return "\n\n".join(" ".join(paragraph.split()) for paragraph in text.split("\n\n"))


def command(app: typer.Typer, name: str, *shared: str, **more: Any) -> Callable[[_F], _F]:
    """Make a command of a function, by `add_command`."""

    def decorate(function: _F) -> _F:
        add_command(app, name, function, *shared, **more)
        return function

    return decorate


def own_parameters(function: Callable[..., Any], later: Mapping[str, Any] | None = None) -> list[Parameter]:
    """The parameters of a function that are options and arguments of its own.

    Parameters
    ----------
    function
        Its other parameters are ``settings`` and ``question``.
    later
        What stands for names in its annotations that are imported when it runs.
    """
    known = inspect.signature(function, eval_str=True, locals=later).parameters.values()
    return [
        one.replace(kind=Parameter.KEYWORD_ONLY)
        for one in known
        if one.name not in ("settings", "question") and one.kind is not Parameter.VAR_KEYWORD
    ]


# -- from the fields of a question to options, and from options to the question


def fields_in_order(question: type[Question], names: Collection[str] | None = None) -> list[str]:
    """Fields by name, those of the class itself before those that it shares with others."""
    known = fields_of(question)
    own = [name for kind in question.__mro__ for name in inspect.get_annotations(kind) if name in known]
    return [name for name in dict.fromkeys(own) if names is None or name in names]


def option_of(name: str, field: Field | None = None) -> str:
    """The option of a parameter of the Python API: ``-k``, ``--min-pages``."""
    if field is not None and field.names:
        return field.names[0]
    return f"-{name}" if len(name) == 1 else f"--{name.replace('_', '-')}"


def share_text(value: Any, field: Field) -> str:
    """A value as people write it, where that reads back as the same value."""
    if field.share and share_of(percent := f"{100 * value:.12g}%") == value:
        return percent
    return str(value)


def _parameter(question: type[Question], name: str) -> Parameter:
    """A field as an option or argument: a share as text, several values as a list."""
    field, kind, default = fields_of(question)[name], kind_of(question, name), default_of(question, name)
    complete = completer(*(field.choices or field.completion))
    info: Any
    if field.argument:
        info = typer.Argument(metavar=field.label, help=field.help, show_default=False, autocompletion=complete)
    else:
        option = option_of(name, field)
        flags = [f"{option}/--no-{name.replace('_', '-')}"] if field.negatable else field.names or [option]
        info = typer.Option(
            *flags,
            help=field.help,
            rich_help_panel=field.panel,
            metavar=field.label,
            autocompletion=complete,
            show_default=field.shown if field.shown is not None else default not in (None, ()),
        )
    read: Any = list[str] if kind is tuple else str if field.share else kind
    if not field.required and (kind is tuple or (default is None and not field.share)):
        read = read | None
    if field.required:
        default = Parameter.empty
    elif isinstance(default, tuple):
        default = None
    elif field.share:
        default = share_text(default, field)
    annotation = Annotated[read, info, FILE if field.file else None]
    return Parameter(name, Parameter.KEYWORD_ONLY, default=default, annotation=annotation)


def _question(
    question: type[Question], values: Mapping[str, Any], settings: Settings, decided: Mapping[str, Any]
) -> Question:
    """The question that options ask; what is not given keeps its default."""
    known = fields_of(question)
    said = {name: _value(name, value, known[name]) for name, value in values.items() if value is not None}
    if "rng" in {one.name for one in dataclass_fields(question)}:
        said["rng"] = settings.rng
    return question(**said, **decided)


def _value(name: str, value: Any, field: Field) -> Any:
    if isinstance(value, list):
        return tuple(_value(name, one, field) for one in value)
    if not field.share or not isinstance(value, str):
        return value
    try:
        return share_of(value)
    except UsageError:
        raise UsageError(
            f"{{{name}}} {shorten(value)} is not a share", hint="write it like 5%", fields=(name,)
        ) from None


# -- groups


_UsageError: Any = typer.BadParameter.__base__


@contextlib.contextmanager
def _in_context(context: Any) -> Iterator[None]:
    """Let what is wrong know its command: the parser of words does not."""
    try:
        yield
    except _UsageError as error:
        error.ctx = error.ctx or context
        raise


def _with_value_of_save(args: list[str]) -> list[str]:
    """The arguments with ``1000`` after a ``--save`` that has no value: typer knows no option with or without one."""
    said: list[str] = []
    for place, one in enumerate(args):
        follows = args[place + 1] if place + 1 < len(args) else ""
        bare = one == "--save" and not (follows == "all" or follows.isdigit())
        said.append("--save=1000" if bare else one)
    return said


def _with_options_repeated(args: list[str], options: Collection[str]) -> list[str]:
    """The arguments with an option that takes several values before each of them: ``--from-cdx A B`` gives two."""
    said: list[str] = []
    option, filled = "", False
    for one in args:
        if one.startswith("-") and one != "-":
            option, filled = one.partition("=")[0] if one.partition("=")[0] in options else "", "=" in one
        elif option:
            said += [option] * filled
            filled = True
        said.append(one)
    return said


class _Command(TyperCommand):
    """A command that says itself what it was given too much."""

    allow_extra_args = True

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        with _in_context(ctx):
            rest = super().parse_args(ctx, self._as_given(args))
        if rest and not ctx.resilient_parsing:
            what = f"{shorten(' '.join(rest))} is more than {ctx.command_path} takes"
            raise UsageError(what, hint=f"see {ctx.command_path} --help")
        return rest

    def _as_given(self, args: list[str]) -> list[str]:
        """The arguments as typer takes them; where there are no others, words behind an option are its values."""
        args = _with_value_of_save(args)
        if any(one.param_type_name == "argument" for one in self.params):
            return args
        return _with_options_repeated(args, {name for one in self.params if one.multiple for name in one.opts})


def add_group(
    app: typer.Typer, name: str, help: str, cls: type[TyperGroup] = TyperGroup, *, alone: bool = False
) -> typer.Typer:
    """Add a group of commands to an app; `alone` says that one of them is asked where no command is named."""
    group = typer.Typer(name=name, cls=cls, help=help, no_args_is_help=not alone)
    app.add_typer(group)
    return group


def group_class(
    later: Later, summaries: Mapping[str, str] | None = None, default: str | None = None
) -> type[TyperGroup]:
    """A class of groups that have, after their own commands, those of `later`.

    Parameters
    ----------
    later
        Builds a command when it is asked for.
    summaries
        The first lines of the commands' help: the help of the group lists those and builds no command.
    default
        The command that options without a command are of; help is shown without it.
    """
    listed = {name: TyperCommand(name, help=summary) for name, summary in (summaries or {}).items()}

    class Group(TyperGroup):
        def __init__(self, *, commands: Mapping[str, Any] | None = None, **given: Any) -> None:
            every: Any = _Commands(commands or {}, later)  # typer reads it as a mapping
            super().__init__(commands=every, **given)
            self._listing = False

        def get_command(self, ctx: Any, cmd_name: str) -> Any:
            if self._listing and cmd_name in listed:
                return listed[cmd_name]
            return super().get_command(ctx, cmd_name)

        def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
            # A shell that asks what may follow is offered the methods, not what may follow the one left out.
            missing = args[0].startswith("-") and args[0] not in ("--help", "-h") if args else not ctx.resilient_parsing
            if default and missing:
                args = [default, *args]
            with _in_context(ctx):
                return super().parse_args(ctx, args)

        def resolve_command(self, ctx: Any, args: list[str]) -> Any:
            if args[0] not in self.commands and not args[0].startswith("-") and not ctx.resilient_parsing:
                near = ", ".join(difflib.get_close_matches(args[0], list(self.commands)))
                hint = f"did you mean {near}?" if near else f"see {ctx.command_path} --help"
                raise UsageError(f"unknown command {shorten(args[0])}", hint=hint)
            return super().resolve_command(ctx, args)

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


def later_from(modules: Mapping[str, str]) -> Later:
    """Commands by the modules that have them in their ``app``."""

    def load(module: str) -> typer.Typer:
        app: typer.Typer = importlib.import_module(module).app
        return app

    return {name: functools.partial(load, module) for name, module in modules.items()}


def methods_class(
    family: Family, function: Callable[..., Any], *shared: str, default: str | None = None
) -> type[TyperGroup]:
    """A class of groups that have, after their own commands, one for each method of a family.

    Parameters
    ----------
    function
        Takes the settings and the question, and options of its own.
    default
        The method that answers where none is named; help is shown without it.
    """

    def build(method: Method) -> typer.Typer:
        from seedrank.cli.command_words import words_of

        app, kind, asked = typer.Typer(), family.question, family.example(method.name)
        example = shlex.join(["seedrank", *asked.words.split(), *words_of(asked)])
        add_command(
            app,
            method.name,
            function,
            *shared,
            question=kind,
            fields=family.fields(method.name),
            decided={str(kind.chooses): method.name},
            help=f"{method.help}\n\nExample: {example}",
        )
        return app

    later = {one.name: functools.partial(build, one) for one in family.methods}
    return group_class(later, {one.name: one.help for one in family.methods}, default)


class _Commands(Mapping[str, Any]):
    """Commands by name: those that are built, then those that are built later."""

    def __init__(self, built: Mapping[str, Any], later: Later) -> None:
        self._built, self._later = dict(built), later
        self._names = (*built, *later)

    def __getitem__(self, name: str) -> Any:
        if name not in self._built:
            self._built[name] = typer.main.get_group(self._later[name]()).commands[name]
        return self._built[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._names)

    def __len__(self) -> int:
        return len(self._names)
