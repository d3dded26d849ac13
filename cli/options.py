"""Options shared by commands: declared once, and taken before or after the command."""

from __future__ import annotations

import functools
import inspect
import logging
import os
from collections.abc import Callable
from dataclasses import dataclass, fields
from enum import StrEnum
from pathlib import Path
from typing import Annotated, Any

import typer

from seedrank.core.errors import UsageError, shorten
from seedrank.core.numbers import RNG_MOST, whole

__all__ = [
    "LOGGERS",
    "EngineName",
    "Format",
    "Settings",
    "Site",
    "remember",
    "root_signature",
    "shared",
    "shared_default",
]

LOGGERS = ("seedrank",)
PANEL = "Shared options"


class EngineName(StrEnum):
    """Where the primitives run."""

    auto = "auto"
    native = "native"
    gds = "gds"
    spark = "spark"


class Site(StrEnum):
    """What a site is: a host, or all hosts of a registered domain."""

    host = "host"
    domain = "domain"


class Format(StrEnum):
    """How results are written."""

    table = "table"
    json = "json"
    csv = "csv"
    tsv = "tsv"
    parquet = "parquet"


def _option(help_text: str, *names: str, **more: Any) -> Any:
    return typer.Option(*names, help=help_text, rich_help_panel=PANEL, show_default=False, **more)


# Name in Settings -> (type with the option, default). `None` on a command line means: not given there.
_SHARED: dict[str, tuple[Any, Any]] = {
    "store": (
        Annotated[
            str | None,
            _option(
                "The graph: a path (embedded store), neo4j (of `seedrank db up`), neo4j://host:7687, a folder of "
                "arrays, or spark+parquet:DIR. \\[default: $SEEDRANK_STORE, else web.duckdb]",
                "--store",
                metavar="URL",
            ),
        ],
        "web.duckdb",
    ),
    "database": (Annotated[str | None, _option("Database on a Neo4j server.", "--database", metavar="NAME")], None),
    "store_memory": (
        Annotated[
            str | None,
            _option(
                "Memory the embedded store may use, such as 512M or 1G. "
                "\\[default: $SEEDRANK_STORE_MEMORY, else a quarter of the memory, 256M to 768M]",
                "--store-memory",
                metavar="SIZE",
            ),
        ],
        None,
    ),
    "wait": (
        Annotated[
            float | None,
            _option(
                "Seconds to wait where another command writes to the embedded store. \\[default: 0]",
                "--wait",
                metavar="SECONDS",
                min=0,
                max=10_000_000,
            ),
        ],
        0.0,
    ),
    "engine": (
        Annotated[
            EngineName | None,
            _option("Where the primitives run; auto chooses one by one. \\[default: auto]", "--engine"),
        ],
        EngineName.auto,
    ),
    "master": (
        Annotated[
            str | None,
            _option(
                "The cluster that Spark runs on, such as spark://host:7077. \\[default: $SPARK_MASTER, else here]",
                "--master",
                metavar="URL",
            ),
        ],
        None,
    ),
    "site": (Annotated[Site | None, _option("What counts as a site. \\[default: host]", "--site")], Site.host),
    "rng": (
        Annotated[
            int | None,
            _option("Number of the random sequence: same number, same answer. \\[default: 1]", "--rng", min=0),
        ],
        1,
    ),
    "format": (
        Annotated[
            Format | None,
            _option("How results are written. \\[default: table on a terminal, json elsewhere]", "--format"),
        ],
        None,
    ),
    "output": (
        Annotated[
            Path | None,
            _option(
                "Write results to FILE; its suffix names the format, .gz or .zst packs it.",
                "--output",
                "-o",
                metavar="FILE",
            ),
        ],
        None,
    ),
    "top": (
        Annotated[
            int | None,
            _option("Rows to give. \\[default: 20 in a table on a terminal, all elsewhere]", "--top", min=1),
        ],
        None,
    ),
    "refresh": (Annotated[bool | None, _option("Read the graph again after edits by hand.", "--refresh")], False),
    "quiet": (Annotated[bool | None, _option("No progress, no remarks.", "--quiet", "-q")], False),
    "verbose": (
        Annotated[bool | None, _option("Also say what ran where, and how long it took.", "--verbose", "-v")],
        False,
    ),
    "debug": (Annotated[bool | None, _option("Show the trace of an error.", "--debug")], False),
}

_ALWAYS = ("quiet", "verbose", "debug")


@dataclass(frozen=True)
class Settings:
    """The shared options as given, before or after the command; the later one holds."""

    store: str
    database: str | None
    store_memory: str | None
    wait: float
    engine: EngineName
    master: str | None
    site: Site
    rng: int
    format: Format | None
    output: Path | None
    top: int | None
    refresh: bool
    quiet: bool
    verbose: bool
    debug: bool


def _parameters(names: tuple[str, ...]) -> list[inspect.Parameter]:
    return [
        inspect.Parameter(name, inspect.Parameter.KEYWORD_ONLY, default=None, annotation=_SHARED[name][0])
        for name in names
    ]


def remember(context: typer.Context, given: dict[str, Any]) -> Settings:
    """Merge options given at this level into those given before, and keep the result for the levels below.

    Loggers say from now on as much as they ask for.
    """
    _read_text(context, given)
    outer: dict[str, Any] = context.obj if isinstance(context.obj, dict) else {}
    merged = {**outer, **{name: value for name, value in given.items() if value is not None}}
    context.obj = merged
    # Not by the option itself: given before the command, it would lose to the variable seen again after it.
    merged = {"store": os.environ.get("SEEDRANK_STORE") or _SHARED["store"][1], **merged}
    whole("--rng", merged.get("rng", 0), 0, RNG_MOST)
    settings = Settings(**{field.name: merged.get(field.name, _SHARED[field.name][1]) for field in fields(Settings)})
    for name in LOGGERS:
        level = logging.ERROR if settings.quiet else logging.DEBUG if settings.verbose else logging.INFO
        logging.getLogger(name).setLevel(level)
    return settings


def shared_default(name: str) -> Any:
    """What a shared option is when nobody gives it; `None` for other names."""
    return _SHARED[name][1] if name in _SHARED else None


def _read_text(context: typer.Context, values: dict[str, Any]) -> None:
    """Make text of what was given as bytes, whatever the locale; names of files stay bytes in disguise."""

    def text(value: str, option: str) -> str:
        try:
            return os.fsencode(value).decode()
        except UnicodeError:
            raise UsageError(f"{option} {shorten(value)} is not UTF-8", hint="give UTF-8") from None

    for parameter in context.command.params:
        value, option = values.get(parameter.name or ""), parameter.opts[0]
        if "FILE" in str(parameter.metavar):
            continue
        if isinstance(value, str) and not isinstance(value, StrEnum):
            values[str(parameter.name)] = text(value, option)
        elif isinstance(value, list):
            values[str(parameter.name)] = [text(one, option) if isinstance(one, str) else one for one in value]


def shared(*names: str) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """Give a command the shared options `names`, ``--quiet`` and ``--debug``.

    With a store, ``--store-memory`` and ``--wait`` too. The decorated function takes ``settings: Settings`` first;
    typer sees the options in its place.
    """
    with_store = ("store_memory", "wait") if "store" in names else ()
    wanted = (*names, *(name for name in (*with_store, *_ALWAYS) if name not in names))

    def decorate(function: Callable[..., Any]) -> Callable[..., Any]:
        own = list(inspect.signature(function, eval_str=True).parameters.values())
        assert own[0].name == "settings"

        @functools.wraps(function)
        def command(context: typer.Context, **values: Any) -> Any:
            given = {name: values.pop(name) for name in wanted}
            _read_text(context, values)
            return function(remember(context, given), **values)

        keyword = [parameter.replace(kind=inspect.Parameter.KEYWORD_ONLY) for parameter in own[1:]]
        command.__signature__ = inspect.Signature(  # type: ignore[attr-defined]
            [
                inspect.Parameter("context", inspect.Parameter.POSITIONAL_OR_KEYWORD, annotation=typer.Context),
                *keyword,
                *_parameters(wanted),
            ]
        )
        command.__annotations__ = {}
        return command

    return decorate


def root_signature(version: Any) -> inspect.Signature:
    """Signature of the command group itself: every shared option, and ``--version``."""
    context = inspect.Parameter("context", inspect.Parameter.POSITIONAL_OR_KEYWORD, annotation=typer.Context)
    flag = inspect.Parameter("version", inspect.Parameter.KEYWORD_ONLY, default=None, annotation=version)
    return inspect.Signature([context, flag, *_parameters(tuple(_SHARED))])
