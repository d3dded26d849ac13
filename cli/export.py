"""``seedrank export``: the graph and its answers, for other programs."""

from __future__ import annotations

import functools
import inspect
import shlex
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Annotated, Any, Literal, cast

import typer

from seedrank.cli.completions import offered
from seedrank.cli.lazy_group import group_of
from seedrank.cli.open import opened
from seedrank.cli.option_names import plain_option
from seedrank.cli.options import Format, Settings, shared
from seedrank.cli.output import emit_answer, remark, write_text
from seedrank.core.errors import UsageError, shorten
from seedrank.core.numbers import counted
from seedrank.exporters.targets import TARGETS, Target

__all__ = ["register"]

app = typer.Typer(no_args_is_help=True, rich_markup_mode="rich")

WHICH = "Which pages"

Folder = Annotated[
    Path | None,
    typer.Argument(metavar="[DIR]", show_default=False, help="A new folder; it appears whole or not at all."),
]
OneRun = Annotated[
    str | None,
    typer.Option(
        "--run",
        metavar="RUN",
        show_default=False,
        help="An answer instead of the graph, run:ID or run:latest, to -o FILE.",
        autocompletion=offered("RUN"),
    ),
]


AtLevel = Annotated[
    str | None,
    typer.Option(
        "--level",
        metavar="page|host|domain",
        autocompletion=lambda: list(_LEVELS),
        show_default="as stored",
        help="The graph of pages, of hosts or of registered domains.",
    ),
]
_LEVELS = ("page", "host", "domain")


def _option(kind: Any, default: Any, *names: str, **more: Any) -> tuple[Any, Any]:
    return Annotated[kind, typer.Option(*names, **{"autocompletion": offered(more.get("metavar")), **more})], default


_OPTIONS: dict[str, tuple[Any, Any]] = {
    "run": _option(str, "run:latest", "--run", metavar="RUN", help="The answer: run:ID or run:latest."),
    "harmonic": _option(
        str | None, None, "--harmonic", metavar="RUN", help="Of rank harmonic.", show_default="the newest"
    ),
    "pagerank": _option(
        str | None, None, "--pagerank", metavar="RUN", help="Of rank pagerank.", show_default="the newest"
    ),
    "fetch_interval": _option(
        int | None, None, "--fetch-interval", metavar="SECONDS", help="Between two fetches.", show_default="Nutch's"
    ),
    "metadata": _option(
        list[str] | None, None, "--metadata", metavar="KEY=VALUE", help="For every page.", show_default=False
    ),
    "only": _option(
        list[str] | None,
        None,
        "--only",
        metavar="COND",
        help="Such as host=*.example, url=*/docs/*, status=frontier.",
        rich_help_panel=WHICH,
        show_default=False,
    ),
    "exclude": _option(
        list[str] | None, None, "--exclude", metavar="COND", help="The same.", rich_help_panel=WHICH, show_default=False
    ),
    "level": _option(
        str | None,
        None,
        "--level",
        metavar="page|host|domain",
        autocompletion=lambda: list(_LEVELS),
        help="What the answer ranks: the newest such answer where none is named.",
        rich_help_panel=WHICH,
        show_default=False,
    ),
    "with_missing": _option(
        bool, False, "--with-missing", help="Pages that were missing when fetched, too.", rich_help_panel=WHICH
    ),
}
"""Options by the parameter of `Workbench.export`: type with the option, default."""
_NAMES = {"file": "-o"}
"""Options of parameters that are not called like them."""


@app.command("csv")
@shared("store", "database", "output")
def csv(settings: Settings, folder: Folder = None, run: OneRun = None, level: AtLevel = None) -> None:
    """Write the store's tables (pages, links, hosts, queries, results) as CSV; `load table` reads them back.

    Example: seedrank export csv graph && seedrank export csv --run run:latest -o seeds.csv
    """
    _export(settings, folder, run, level, "csv")


@app.command("parquet")
@shared("store", "database", "output")
def parquet(settings: Settings, folder: Folder = None, run: OneRun = None, level: AtLevel = None) -> None:
    """Write the store's tables (pages, links, hosts, queries, results) as Parquet; `load table` reads them back.

    Example: seedrank export parquet graph && seedrank export parquet --run run:latest -o seeds.parquet
    """
    _export(settings, folder, run, level, "parquet")


@app.command("spark")
@shared("store", "database")
def spark(
    settings: Settings,
    folder: Annotated[
        Path, typer.Argument(metavar="DIR", show_default=False, help="A new folder; it appears whole or not at all.")
    ],
    level: AtLevel = None,
) -> None:
    """Write pages, links and hosts as the Parquet folder that Apache Spark reads: the store spark+parquet:DIR.

    Example: seedrank export spark web.spark && seedrank --store spark+parquet:web.spark rank pagerank --engine spark
    """
    from seedrank.output.exporting import to_spark_folder

    _check_level(level)
    with opened(settings) as bench:
        rows = to_spark_folder(bench.session, folder, cast("Any", level))
    for name, count in rows.items():
        remark(settings, f"{folder / name}: {count:,} rows")


def _export(
    settings: Settings, folder: Path | None, run: str | None, level: str | None, kind: Literal["csv", "parquet"]
) -> None:
    from seedrank.output.exporting import tables

    _check_level(level)
    if folder is not None and run is not None:
        raise UsageError(
            "a folder is for the graph, --run for an answer", hint="write the answer to a file: --run RUN -o FILE"
        )
    if folder is None and run is None:
        raise UsageError("what is to be written?", hint="name a new folder for the graph, or --run RUN for an answer")
    if run is not None and level is not None:
        raise UsageError("--level goes with a folder", hint="leave it out: an answer has its level")
    if run is not None:
        with opened(settings, free_form=True) as bench:
            answer = bench.answer(run)
            _ = answer.table
        emit_answer(replace(settings, format=Format(kind)), answer)
        return
    assert folder is not None
    if settings.output is not None:
        raise UsageError("-o goes with --run", hint=f"the tables are written into {folder}")
    with opened(settings) as bench:
        rows = tables(bench.session, folder, kind, cast("Any", level))
    for name, count in rows.items():
        remark(settings, f"{folder / name}.{kind}: {count:,} rows")


def _check_level(level: str | None) -> None:
    if level not in (None, *_LEVELS):
        raise UsageError(f"--level cannot be {shorten(level)}", hint=f"one of {', '.join(_LEVELS)}")


def _hand_over(settings: Settings, target: Target, said: dict[str, Any]) -> None:
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


def _command(target: Target) -> Callable[..., Any]:
    names = (*target.runs, *target.options, "only", "exclude", "with_missing", "level")

    def command(settings: Settings, **said: Any) -> None:
        _hand_over(settings, target, said)

    first = inspect.Parameter("settings", inspect.Parameter.POSITIONAL_OR_KEYWORD, annotation=Settings)
    options = [
        inspect.Parameter(name, inspect.Parameter.KEYWORD_ONLY, default=default, annotation=kind)
        for name, (kind, default) in ((name, _OPTIONS[name]) for name in names)
    ]
    command.__signature__ = inspect.Signature([first, *options])  # type: ignore[attr-defined]
    return shared("store", "database", "output", "top", "refresh")(command)


def _register(target: Target, root: typer.Typer) -> None:
    words = [
        word for name, value in target.example.items() for word in (_NAMES.get(name, plain_option(name)), str(value))
    ]
    example = shlex.join(["seedrank", "export", target.name, *words])
    text = f"{target.summary}\n\n{target.score}.\n\nExample: {example}"
    root.command(target.name, help=text)(_command(target))


def register(root: typer.Typer) -> None:
    """Add the command."""
    later = {name: functools.partial(_register, target) for name, target in TARGETS.items()}
    root.add_typer(app, name="export", cls=group_of(later), help="Write the graph and its answers for other programs.")
