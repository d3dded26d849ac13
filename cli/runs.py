"""``seedrank runs`` and ``report``: the answers that are kept."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from seedrank.cli.ask import opened
from seedrank.cli.command import add_group, command
from seedrank.cli.command_words import command_of, given_again, words_again
from seedrank.cli.completion import completer
from seedrank.cli.options import READING, Settings
from seedrank.cli.output import emit, emit_answer, for_people, remark
from seedrank.core.errors import UsageError

if TYPE_CHECKING:
    from collections.abc import Sequence

    import pyarrow as pa

    from seedrank.runs import Run

__all__ = ["app"]

app = typer.Typer()
runs = add_group(app, "runs", "The answers kept for this store: list, show, repeat, compare, delete.", alone=True)

_COLUMNS = ("id", "method", "created", "seconds", "engine", "graph", "parameters", "command")
_NAMED = "run:ID, run:latest, or the id alone."
RunName = Annotated[str, typer.Argument(metavar="RUN", help=_NAMED, autocompletion=completer("RUN"))]


@command(runs, "list", *READING, alone=True)
def list_runs(settings: Settings) -> None:
    """List the answers kept for this store, newest first.

    Example: seedrank runs list --top 10
    """
    import pyarrow as pa

    with opened(settings) as bench:
        kept = bench.runs()
    rows = [
        {
            **{name: getattr(run, name) for name in _COLUMNS if name != "command"},
            "parameters": json.dumps(dict(run.parameters)),
            "command": _command(run) + ("  # partial: interrupted" if run.facts.get("partial") else ""),
        }
        for run in reversed(kept)
    ]
    schema = pa.schema([(name, pa.float64() if name == "seconds" else pa.string()) for name in _COLUMNS])
    table = pa.Table.from_pylist(rows, schema)
    emit(settings, _short(kept) if for_people(settings) else table)


def _short(kept: Sequence[Run]) -> pa.Table:
    """What people look for in the list: which run, what was asked, when, and of which graph."""
    import pyarrow as pa

    rows = [
        {
            "id": run.id,
            "asked": _asked(run) + (" (interrupted)" if run.facts.get("partial") else ""),
            "when": run.created[:16].replace("T", " "),
            "graph": run.graph[:8],
        }
        for run in reversed(kept)
    ]
    return pa.Table.from_pylist(rows, pa.schema([(name, pa.string()) for name in ("id", "asked", "when", "graph")]))


@command(runs, "show", *READING)
def show(settings: Settings, name: RunName) -> None:
    """Show a kept answer: its record, the command that makes it again, and its rows.

    Example: seedrank runs show run:latest
    """
    with opened(settings) as bench:
        answer = bench.answer(name)
        _ = answer.table
    _tell(settings, answer.run)
    emit_answer(settings, answer)


@command(runs, "repeat", *READING, "refresh")
def repeat(settings: Settings, name: RunName) -> None:
    """Ask the question of a kept answer again, of the store as it is now.

    Example: seedrank runs repeat run:latest
    """
    from seedrank.cli import main

    with opened(settings) as bench:
        run = bench.session.runs.record(name)
    if run.question is None:
        raise UsageError(
            f"{run.name} ({run.method}) cannot be asked again by this version", hint="ask the question again"
        )
    remark(settings, f"again: {command_of(run)}")
    main.command()(args=[*given_again(settings), *words_again(run)], standalone_mode=False)


@command(runs, "compare", *READING)
def compare(settings: Settings, first: RunName, second: RunName) -> None:
    """Compare two kept answers: which parameters differ, how many pages they share, which pages moved most.

    Rows are the pages, those that moved most first; move is the places won in the second answer.

    Example: seedrank runs compare 20260131-142305-k3v9qa run:latest
    """
    with opened(settings) as bench:
        found = bench.compare_runs(first, second)
    for parameter, (one, other) in found.changed.items():
        remark(settings, f"{parameter}: {_text(one)} -> {_text(other)}")
    if not found.changed:
        remark(settings, "the same was asked of the same graph")
    numbers = (f"{name} {_text(value)}" for name, value in found.facts.items() if value is not None)
    remark(settings, ", ".join(numbers))
    emit(settings, found.moves, title=f"{found.first.name} and {found.second.name}")


@command(runs, "delete", "store", "database")
def delete(
    settings: Settings,
    names: Annotated[list[str], typer.Argument(metavar="RUN...", help=_NAMED, autocompletion=completer("RUN"))],
) -> None:
    """Forget kept answers, also in the database where they were saved.

    Example: seedrank runs delete run:latest
    """
    with opened(settings, write=True) as bench:
        for name in names:
            remark(settings, f"deleted run:{bench.delete_run(name)}")


@command(app, "report", "store", "database", "site", "output", "refresh")
def report(
    settings: Settings,
    runs: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="[RUN]...",
            help="Runs to show; the latest of each method by default.",
            show_default=False,
            autocompletion=completer("RUN"),
        ),
    ] = None,
) -> None:
    """Write a report: the graph at a glance, experiments with their claims, seeds and rankings, and how to repeat them.

    One file (report.html unless -o names another) that needs no network.

    Example: seedrank report -o report.html
    """
    path = settings.output or Path("report.html")
    with opened(settings, free_form=True) as bench:
        bench.report(path, runs or (), command=command_of)
    remark(settings, f"wrote {path}: open it in a browser")


def _tell(settings: Settings, run: Run) -> None:
    remark(
        settings, f"{run.created}, {run.seconds:.3g} s, engine {run.engine}, seedrank {run.version}, graph {run.graph}"
    )
    for name, value in run.facts.items():
        remark(settings, f"{name}: {_text(value)}")
    remark(settings, f"again: {command_of(run)}")


def _command(run: Run) -> str:
    """The command that makes a run again; bytes of names that are not UTF-8 by their codes."""
    return command_of(run).encode(errors="backslashreplace").decode()


def _asked(run: Run) -> str:
    """What was asked, in the words of the command line, without the store."""
    return run.method if run.question is None else " ".join(words_again(run))


def _text(value: Any) -> str:
    if isinstance(value, float):
        return f"{value:.6g}"
    return value if isinstance(value, str) else json.dumps(value, default=str)
