"""``seedrank export``: the graph and its answers, for other programs."""

from __future__ import annotations

import functools
import shlex
from dataclasses import replace
from pathlib import Path
from typing import Annotated, Any, Literal

import typer

from seedrank.cli.ask import opened
from seedrank.cli.command import add_command, add_group, command, group_class, option_of
from seedrank.cli.completion import completer
from seedrank.cli.options import Format, Options, Settings, option
from seedrank.cli.output import emit_answer, remark, write_text
from seedrank.core.errors import UsageError, shorten
from seedrank.core.numbers import counted
from seedrank.exporters.targets import TARGETS, Target

__all__ = ["app"]

_LEVELS = ("page", "host", "domain")
_NEW_FOLDER = "A new folder; it appears whole or not at all."


def _run(kind: Any, default: Any, help: str, **more: Any) -> tuple[Any, Any]:
    return option(kind, default, help, metavar="RUN", autocompletion=completer("RUN"), **more)


def _which(kind: Any, default: Any, help: str, *names: str, **more: Any) -> tuple[Any, Any]:
    return option(kind, default, help, *names, panel="Which pages", **more)


def _conditions(help: str) -> tuple[Any, Any]:
    return _which(list[str] | None, None, help, metavar="COND", autocompletion=completer("COND"))


_LEVEL: dict[str, Any] = {"metavar": "|".join(_LEVELS), "autocompletion": completer(*_LEVELS)}
_OPTIONS: Options = {
    "run": _run(str, "run:latest", "The answer: run:ID or run:latest."),
    "harmonic": _run(str | None, None, "The run of rank harmonic.", show_default="the newest"),
    "pagerank": _run(str | None, None, "The run of rank pagerank.", show_default="the newest"),
    "fetch_interval": option(int | None, None, "Time between two fetches.", metavar="SECONDS", show_default="Nutch's"),
    "metadata": option(list[str] | None, None, "Metadata for every page.", metavar="KEY=VALUE"),
    "only": _conditions("Such as host=*.example, url=*/docs/*, status=frontier."),
    "exclude": _conditions("Exclude pages matching COND."),
    "level": _which(str | None, None, "What the answer ranks: the newest such answer where none is named.", **_LEVEL),
    "with_missing": _which(bool, False, "Pages that were missing when fetched, too.", "--with-missing"),
}
"""Options by the parameter of `Workbench.export`."""
_AT_LEVEL = option(
    str | None, None, "The graph of pages, of hosts or of registered domains.", show_default="as stored", **_LEVEL
)
_TABLES: Options = {
    "folder": (Annotated[Path | None, typer.Argument(metavar="[DIR]", show_default=False, help=_NEW_FOLDER)], None),
    "run": _run(str | None, None, "An answer instead of the graph, run:ID or run:latest, to -o FILE."),
    "level": _AT_LEVEL,
}
"""Options of the commands that write the store's tables."""
_NAMES = {"file": "-o"}
"""Options of parameters that are not called like them."""


def _export(kind: Literal["csv", "parquet"], settings: Settings, **given: Any) -> None:
    """Write the graph into a folder, or an answer to a file."""
    from seedrank.output.exporting import tables

    folder, run, level = given["folder"], given["run"], given["level"]
    _check_level(level)
    if folder is not None and run is not None:
        raise UsageError(
            "a folder is for the graph, --run for an answer", hint="write the answer to a file: --run RUN -o FILE"
        )
    if folder is None and run is None:
        raise UsageError("nothing to write", hint="name a new folder for the graph, or --run RUN for an answer")
    if run is not None and level is not None:
        raise UsageError("--level goes with a folder", hint="leave it out: an answer has its level")
    if run is not None:
        with opened(settings, free_form=True) as bench:
            answer = bench.answer(run)
            _ = answer.table
        emit_answer(replace(settings, format=Format(kind)), answer)
        return
    if settings.output is not None:
        raise UsageError("-o goes with --run", hint=f"the tables are written into {folder}")
    with opened(settings) as bench:
        rows = tables(bench.session, folder, kind, level)
    for name, count in rows.items():
        remark(settings, f"{folder / name}.{kind}: {count:,} rows")


def _check_level(level: str | None) -> None:
    if level not in (None, *_LEVELS):
        raise UsageError(f"--level cannot be {shorten(level)}", hint=f"one of {', '.join(_LEVELS)}")


def _hand_over(target: Target, settings: Settings, **said: Any) -> None:
    """Write the pages of a run to a file, or to standard output."""
    _check_level(said.get("level"))
    file = None if settings.output is None or str(settings.output) == "-" else settings.output
    with opened(settings, free_form=True) as bench:
        made = bench.export(target.name, said.pop("run", None), file, top=settings.top, **said)
    for why, count in made.about["left_out"].items():
        remark(settings, f"left out: {counted(count, 'page')} {why}")
    if file is None:
        # The store is closed: a pipe that is read slowly must not keep it open.
        write_text(replace(settings, output=None), made.blocks())
        if not made.target.header:
            remark(settings, str(made.about["score"]) + f": {made.about['scale']}; {made.about['direction']}")
    else:
        remark(settings, f"{file}: {counted(made.about['pages'], 'page')}, best first")


def _build(target: Target) -> typer.Typer:
    """An app with the command of a format."""
    names = (*target.runs, *target.options, "only", "exclude", "with_missing", "level")
    words = [word for name, value in target.example.items() for word in (_NAMES.get(name, option_of(name)), str(value))]
    app = typer.Typer()
    add_command(
        app,
        target.name,
        functools.partial(_hand_over, target),
        *("store", "database", "output", "top", "refresh"),
        options={name: _OPTIONS[name] for name in names},
        help=f"{target.summary}\n\n{target.score}.\n\n"
        f"Example: {shlex.join(['seedrank', 'export', target.name, *words])}",
    )
    return app


app = typer.Typer()
export = add_group(
    app,
    "export",
    "Write the graph and its answers for other programs.",
    group_class({name: functools.partial(_build, target) for name, target in TARGETS.items()}),
)
_FORMATS: dict[Literal["csv", "parquet"], str] = {"csv": "CSV", "parquet": "Parquet"}
for _kind, _title in _FORMATS.items():
    add_command(
        export,
        _kind,
        functools.partial(_export, _kind),
        *("store", "database", "output"),
        options=_TABLES,
        help=f"Write the store's tables (pages, links, hosts, queries, results) as {_title}; `load table` reads them "
        f"back.\n\nExample: seedrank export {_kind} graph && seedrank export {_kind} --run run:latest -o seeds.{_kind}",
    )


@command(export, "spark", "store", "database", options={"level": _AT_LEVEL})
def spark(
    settings: Settings,
    folder: Annotated[Path, typer.Argument(metavar="DIR", show_default=False, help=_NEW_FOLDER)],
    **given: Any,
) -> None:
    """Write pages, links and hosts as the Parquet folder that Apache Spark reads: the store spark+parquet:DIR.

    Example: seedrank export spark web.spark && seedrank --store spark+parquet:web.spark rank pagerank --engine spark
    """
    from seedrank.output.exporting import to_spark_folder

    _check_level(given["level"])
    with opened(settings) as bench:
        rows = to_spark_folder(bench.session, folder, given["level"])
    for name, count in rows.items():
        remark(settings, f"{folder / name}: {count:,} rows")
