"""The command ``seedrank``."""

from __future__ import annotations

import logging
import os
import sys
from typing import Annotated, Any

import typer

from cli import options
from cli.options import remember
from seedrank import __version__
from seedrank.core.errors import SeedrankError

__all__ = ["app", "main"]

INTERRUPTED = 130

app = typer.Typer(
    name="seedrank",
    help="Where to start a web crawl, in which order to fetch, which frontier pages will matter: answers with proof, "
    "from a recorded web graph.",
    no_args_is_help=True,
    add_completion=True,
    rich_markup_mode="rich",
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)


def _show_version(wanted: bool) -> None:
    if wanted:
        typer.echo(f"seedrank {__version__}")
        raise typer.Exit


def _root(context: typer.Context, **given: Any) -> None:
    given.pop("version", None)
    remember(context, given)


_root.__signature__ = options.root_signature(  # type: ignore[attr-defined]
    Annotated[
        bool | None,
        typer.Option("--version", callback=_show_version, is_eager=True, help="Show the version and leave."),
    ]
)
_root.__annotations__ = {}
app.callback()(_root)


def _register() -> None:
    from cli import (
        crawl,
        db,
        demo,
        experiment,
        explain,
        export,
        frontier,
        generate,
        load,
        query,
        rank,
        report,
        runs,
        seeds,
        stats,
    )

    asking = (rank, seeds, crawl, frontier, explain, experiment, report)
    for module in (demo, generate, load, stats, *asking, query, runs, export, db):
        module.register(app)


_register()


class _Plain(logging.Formatter):
    """Remarks of the library as plain lines."""

    def format(self, record: logging.LogRecord) -> str:
        text = record.getMessage()
        return f"warning: {text}" if record.levelno >= logging.WARNING else text


def _log_to_stderr(arguments: list[str]) -> None:
    quiet = any(argument in ("-q", "--quiet") for argument in arguments)
    handler = logging.StreamHandler()
    handler.setFormatter(_Plain())
    for name in ("seedrank", "graphdb", "loaders"):
        logger = logging.getLogger(name)
        logger.handlers = [handler]
        logger.setLevel(logging.ERROR if quiet else logging.INFO)
        logger.propagate = False


def main() -> None:
    """Run the command line; one line for what went wrong, the trace only under ``--debug``."""
    arguments = sys.argv[1:]
    _log_to_stderr(arguments)
    debug = "--debug" in arguments
    try:
        app()
    except SeedrankError as error:
        if debug:
            raise
        sys.stderr.write(f"seedrank: {error}\n")
        raise SystemExit(error.exit_code) from None
    except SystemExit as leaving:
        # typer turns Ctrl-C into this exit code and says nothing.
        if leaving.code == INTERRUPTED:
            sys.stderr.write("seedrank: interrupted\n")
        raise
    except BrokenPipeError:
        # The reader of a pipe (head, less) has seen enough.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        raise SystemExit(0) from None
    except OSError as error:
        # A full disk, a folder that may not be written: whatever no part has explained better.
        if debug:
            raise
        sys.stderr.write(f"seedrank: {error.filename or 'a file'}: {error.strerror or error}\n")
        raise SystemExit(1) from None
    except MemoryError:
        if debug:
            raise
        sys.stderr.write("seedrank: out of memory; use a smaller graph or a machine with more memory\n")
        raise SystemExit(1) from None


if __name__ == "__main__":
    main()
