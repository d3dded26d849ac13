"""Options shared by commands: declared once, and taken before or after the command."""

from __future__ import annotations

import inspect
import logging
import os
from collections.abc import Collection
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from typing import Annotated, Any

import typer

from seedrank.cli.completion import completer
from seedrank.core.errors import UsageError, shorten
from seedrank.core.numbers import RNG_MOST, whole
from seedrank.questions.question import Saved

__all__ = [
    "ASKING",
    "FILE",
    "LOGGERS",
    "READING",
    "SHARED",
    "EngineName",
    "Format",
    "Options",
    "Save",
    "Settings",
    "Site",
    "column_for",
    "decode_values",
    "option",
    "parameters_of",
    "remember",
    "saved",
    "shared_default",
    "shared_parameters",
]


FILE = object()
"""In an annotation: the text names a file, so that its bytes stay as they are."""
LOGGERS = ("seedrank",)
Options = dict[str, tuple[Any, Any]]
"""Options declared as data: type, with the option, and default by name."""


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


def option(kind: Any, default: Any, help: str, *names: str, panel: str | None = None, **more: Any) -> tuple[Any, Any]:
    """Type, with the option, and default of an option that is declared as data; `more` as `typer.Option` takes it."""
    shown = {"show_default": default not in (None, ""), **more}
    return Annotated[kind, typer.Option(*names, help=help, rich_help_panel=panel, **shown)], default


def _shared(kind: Any, default: Any, help: str, *names: str, **more: Any) -> tuple[Any, Any]:
    return option(kind | None, None, help, *names, panel="Shared options", **more)[0], default


ASKING = ("store", "database", "engine", "master", "site", "rng", "format", "output", "top", "refresh")
"""Shared options of commands that ask a question."""
READING = ("store", "database", "format", "output", "top")
"""Shared options of commands that read rows."""
# Name in Settings -> (type with the option, default). `None` on a command line means: not given there.
SHARED: Options = {
    "store": _shared(
        str,
        "web.duckdb",
        "The graph: a path (embedded store), neo4j (of `seedrank db up`), neo4j://host:7687, a folder of "
        "arrays, or spark+parquet:DIR. \\[default: $SEEDRANK_STORE, else web.duckdb]",
        metavar="URL",
    ),
    "database": _shared(str, None, "Database on a Neo4j server.", metavar="NAME"),
    "prefix": _shared(
        str, None, "Prefix of labels in a shared Neo4j database: Web makes :WebPage, :WEB_LINKS_TO.", metavar="Web"
    ),
    "model": _shared(
        Path,
        None,
        "TOML file: what pages and links are in a Neo4j graph of others, to be ranked as it is.",
        metavar="FILE",
    ),
    "store_memory": _shared(
        str,
        None,
        "Memory the embedded store may use, such as 512M or 1G. "
        "\\[default: $SEEDRANK_STORE_MEMORY, else a quarter of the memory, 256M to 768M]",
        metavar="SIZE",
    ),
    "wait": _shared(
        float,
        0.0,
        "Seconds to wait where another command writes to the store. \\[default: 0]",
        metavar="SECONDS",
        min=0,
        max=10_000_000,
    ),
    "engine": _shared(
        EngineName, EngineName.auto, "Where the primitives run; auto chooses one by one. \\[default: auto]"
    ),
    "master": _shared(
        str,
        None,
        "The cluster that Spark runs on, such as spark://host:7077. \\[default: $SPARK_MASTER, else local]",
        metavar="URL",
    ),
    "site": _shared(Site, Site.host, "Sites are hosts or registered domains. \\[default: host]"),
    "rng": _shared(int, 1, "Number of the random sequence: same number, same answer. \\[default: 1]", min=0),
    "format": _shared(Format, None, "How results are written. \\[default: table on a terminal, json elsewhere]"),
    "output": _shared(
        Path,
        None,
        "Write results to FILE; its suffix names the format, .gz or .zst packs it.",
        "--output",
        "-o",
        metavar="FILE",
    ),
    "top": _shared(int, None, "Rows to give. \\[default: 20 in a table on a terminal, all elsewhere]", min=1),
    "refresh": _shared(bool, False, "Read the graph again after edits by hand.", "--refresh"),
    "quiet": _shared(bool, False, "No progress, no remarks.", "--quiet", "-q"),
    "verbose": _shared(bool, False, "Also say what ran where, and how long it took.", "--verbose", "-v"),
    "debug": _shared(bool, False, "Show the trace of an error.", "--debug"),
}


@dataclass(frozen=True)
class Settings:
    """The shared options as given, before or after the command; the later one holds."""

    store: str
    database: str | None
    prefix: str | None
    model: Path | None
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


def parameters_of(options: Options) -> list[inspect.Parameter]:
    """Parameters from options by name."""
    return [
        inspect.Parameter(name, inspect.Parameter.KEYWORD_ONLY, default=default, annotation=kind)
        for name, (kind, default) in options.items()
    ]


def shared_parameters(names: Collection[str]) -> list[inspect.Parameter]:
    """Parameters of the shared options `names`, ``--quiet``, ``--verbose`` and ``--debug``.

    With a store, ``--store-memory`` and ``--wait`` too; with a database ``--prefix`` and ``--model``.
    """
    which = ("prefix", "model") if "database" in names else ()
    how = ("store_memory", "wait") if "store" in names else ()
    wanted = dict.fromkeys((*names, *which, *how, "quiet", "verbose", "debug"))
    return parameters_of({name: (SHARED[name][0], None) for name in wanted})


def remember(context: typer.Context, given: dict[str, Any]) -> Settings:
    """Merge options given at this level into those given before, and keep the result for the levels below.

    Loggers say from now on as much as they ask for.
    """
    decode_values(context, given)
    outer: dict[str, Any] = context.obj if isinstance(context.obj, dict) else {}
    merged: dict[str, Any] = {**outer, **{name: value for name, value in given.items() if value is not None}}
    context.obj = merged
    # Not by the option itself: given before the command, it would lose to the variable seen again after it.
    defaults = {name: default for name, (_, default) in SHARED.items()}
    defaults["store"] = os.environ.get("SEEDRANK_STORE") or defaults["store"]
    settings = Settings(**{**defaults, **merged})
    whole("--rng", settings.rng, 0, RNG_MOST)
    for name in LOGGERS:
        level = logging.ERROR if settings.quiet else logging.DEBUG if settings.verbose else logging.INFO
        logging.getLogger(name).setLevel(level)
    return settings


def shared_default(name: str) -> Any:
    """What a shared option is when nobody gives it; `None` for other names."""
    return SHARED[name][1] if name in SHARED else None


def decode_values(context: typer.Context, values: dict[str, Any], files: Collection[str] = ()) -> None:
    """Make text of what was given as bytes, whatever the locale; names of `files` stay bytes in disguise."""

    def text(value: Any, option: str) -> Any:
        if not isinstance(value, str) or isinstance(value, StrEnum):
            return value
        try:
            return os.fsencode(value).decode()
        except UnicodeError:
            raise UsageError(f"{option} {shorten(value)} is not UTF-8", hint="give UTF-8") from None

    for parameter in context.command.params:
        name, option = str(parameter.name), parameter.opts[0]
        if name not in values or name in files:
            continue
        value = values[name]
        values[name] = [text(one, option) for one in value] if isinstance(value, list) else text(value, option)


Save = Annotated[
    str | None,
    typer.Option(
        "--save",
        metavar="[all|N]",
        help="Also write the first 1,000 pages of the answer into the database, N of them, or all.",
        show_default=False,
    ),
]


def column_for(what: str) -> Any:
    """The option ``--write`` of a command that writes `what`."""
    return typer.Option(
        "--write",
        metavar="COLUMN",
        help=f"Also write {what} as this property.",
        show_default=False,
        autocompletion=completer("COLUMN"),
    )


def saved(text: str | None) -> Saved:
    """How many rows are to be saved."""
    if text is None:
        return False
    if text == "all":
        return "all"
    if not text.isascii() or not text.isdigit() or int(text) == 0:
        raise UsageError(f"{{save}} takes all or a number above 0, not {shorten(text)}", fields=("save",))
    return int(text)
