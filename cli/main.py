"""The command ``seedrank``."""

from __future__ import annotations

import atexit
import contextlib
import errno
import functools
import gc
import inspect
import logging
import os
import sys
import traceback
from typing import Annotated, Any, NoReturn

import typer

from seedrank import __version__
from seedrank.cli import completion, streams
from seedrank.cli.command import Callback, group_class, later_from
from seedrank.cli.options import LOGGERS, SHARED, remember, shared_parameters
from seedrank.cli.streams import OUTPUT, say
from seedrank.core.errors import SeedrankError, shorten
from seedrank.core.package import check_platform, load_plugins

__all__ = ["app", "command", "main"]

INTERRUPTED = 130
COMMANDS = {
    "demo": "Make a synthetic web, load it into an embedded store, ask it everything, and write a report.",
    "generate": "Make a synthetic web: hosts of all sizes, a bow-tie, spam farms, clicks, queries, a frontier, a later "
    "snapshot.",
    "stats": "Show what the store holds: pages by status, links, hosts, degrees, components, columns, loads and runs.",
    "tour": "Ask the graph everything that it can answer, print what to do, and write a report.",
    "explain": "Show from which pages a frontier page gets its score, by link and by co-citation, and its score by "
    "each method.",
    "report": "Write a report: the graph at a glance, experiments with their claims, seeds and rankings, and how to "
    "repeat them.",
    "query": "Run a Cypher statement; read-only unless --allow-writes.",
    "explore": "Named queries over the graph, and the same for Neo4j Browser.",
    "load": "Load pages, links, hosts, queries and clicks from files.",
    "rank": "Rank pages or hosts by how central they are.",
    "seeds": "Choose pages to start a crawl from, so that what they reach is worth the most.",
    "crawl": "Replay a crawl over the recorded graph, in the order a policy would fetch.",
    "frontier": "Rank uncrawled pages by expected clicks or views (Tran et al. 2015).",
    "recrawl": "When to come back: how often pages change, how often to fetch each, which to fetch now.",
    "experiment": "A paper's figures and claims, measured on the graph in the store.",
    "runs": "The answers kept for this store: list, show, repeat, compare, delete.",
    "export": "Write the graph and its answers for other programs.",
    "check": "Check the store, kept runs, cached arrays and loads; --repair mends what can be mended.",
    "backup": "Write everything in the store, and its kept runs, into one file, which any later version can restore.",
    "restore": "Fill an empty store from a backup: pages with their numbers, links, loads, saved and kept runs.",
    "db": "A local Neo4j server: up, down, status, env; any Neo4j server: remove, projections.",
}
"""What the help lists, in its order, with the first words of each command's own help."""
_MODULES = {
    "demo": "tour",
    "explain": "frontier",
    "report": "runs",
    "check": "upkeep",
    "backup": "upkeep",
    "restore": "upkeep",
}
"""Where a command is that has no module of its name."""


def _show_version(context: typer.Context, wanted: bool) -> None:
    if wanted and not context.resilient_parsing:
        typer.echo(f"seedrank {__version__}")
        raise typer.Exit


_VERSION = Annotated[
    bool | None,
    typer.Option("--version", callback=_show_version, is_eager=True, help="Show the version and exit."),
]


def _root(context: typer.Context, given: dict[str, Any]) -> None:
    given.pop("version")
    remember(context, given)


app = typer.Typer(
    name="seedrank",
    cls=group_class(later_from({name: f"seedrank.cli.{_MODULES.get(name, name)}" for name in COMMANDS}), COMMANDS),
    help="Where to start a web crawl, in which order to fetch, which frontier pages will matter: answers with proof, "
    "from a recorded web graph.",
    epilog="Exit codes: 0 done; 1 failed, also where a store, a run or a file does not exist; 2 a wrong command line; "
    "130 interrupted.",
    no_args_is_help=True,
    add_completion=True,
    rich_markup_mode="rich",
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)
_version = inspect.Parameter("version", inspect.Parameter.KEYWORD_ONLY, default=None, annotation=_VERSION)
app.callback()(Callback(_root, [_version, *shared_parameters(SHARED)]))


@functools.cache
def command() -> Any:
    """The command line as click has it, built once."""
    return typer.main.get_command(app)


class _Remarks(logging.Handler):
    """Remarks of the library as plain lines."""

    def emit(self, record: logging.LogRecord) -> None:
        text = record.getMessage()
        say(f"warning: {text}" if record.levelno >= logging.WARNING else text)


def _log_to_stderr() -> None:
    """How much of it `remember` decides, which knows the options."""
    for name in LOGGERS:
        logger = logging.getLogger(name)
        logger.handlers = [_Remarks()]
        logger.propagate = False


def main() -> NoReturn:
    """Run the command line and end the process.

    It ends without taking modules apart, which takes a tenth of a second; meanwhile some print what they find leaked.
    Modules make objects by the hundred thousand and no garbage, so it is looked for more rarely.
    """
    gc.set_threshold(100_000, 50, 50)
    code = run()
    atexit._run_exitfuncs()
    for stream in (sys.stdout, sys.stderr):
        with contextlib.suppress(OSError, ValueError, AttributeError):
            stream.flush()
    os._exit(code)


def run() -> int:
    """Run the command line; one line for what went wrong, the trace only under ``--debug``; returns the exit code."""
    arguments = sys.argv[1:]
    streams.prepare()
    if os.environ.get(completion.VARIABLE):
        load_plugins()
        return completion.complete(command())
    _log_to_stderr()
    code: object
    try:
        check_platform()
        load_plugins()
        # On its own typer would print errors as several lines, with the user's text as it is.
        code = command()(prog_name="seedrank", standalone_mode=False)
        sys.stdout.flush()
    except SystemExit as leaving:
        # typer and rich leave so when a pipe breaks.
        broken = leaving.__context__
        code = _explained(broken) if isinstance(broken, BrokenPipeError) else leaving.code
    except BaseException as error:
        if "--debug" in arguments:
            for line in traceback.format_exc().splitlines():
                say(line)
        code = _explained(error)
    if code == INTERRUPTED:
        say("seedrank: interrupted")
    return code if isinstance(code, int) else int(code is not None)


def _explained(error: BaseException) -> int:
    """Say in one line what went wrong; returns the exit code."""
    try:
        sys.stdout.flush()
    except OSError as unwritten:
        streams.abandon_output()
        if isinstance(error, OSError) and error.errno == unwritten.errno:
            error.filename = OUTPUT
    if isinstance(error, BrokenPipeError) and streams.reader_left():
        return 0
    # Python 3.11 has one that arrives while a class is made as the cause of a RuntimeError.
    if isinstance(error, KeyboardInterrupt) or isinstance(error.__cause__, KeyboardInterrupt):
        return INTERRUPTED
    text, code = _in_words(error)
    if text:
        say(f"seedrank: {text}")
    return code


def _in_words(error: BaseException) -> tuple[str, int]:
    if isinstance(error, SeedrankError):
        from seedrank.cli.command_words import option_named

        return error.format(option_named), error.exit_code
    if isinstance(error, OSError):
        # A full disk, a folder that may not be written: whatever no part has explained better.
        if error.errno == errno.EBADF and streams.output_is_closed():
            return f"{OUTPUT} is closed; redirect it, or give -o FILE where the command takes it", 1
        if error.errno == errno.EBADF and streams.input_is_closed():
            return "standard input is closed; redirect it", 1
        if error.strerror is None:
            return str(error), 1
        return f"{error.filename or 'a file'}: {error.strerror}", 1
    if isinstance(error, MemoryError):
        return "out of memory; use a smaller graph or a machine with more memory", 1
    if isinstance(error, UnicodeError):
        return f"{shorten(error.object) if hasattr(error, 'object') else error} is not UTF-8; give UTF-8", 1
    if hasattr(error, "format_message") and hasattr(error, "exit_code"):
        from seedrank.cli.usage import format_message

        return format_message(error), error.exit_code
    first = str(error).strip().partition("\n")[0]
    return f"a fault of seedrank's own ({type(error).__name__}: {first}); --debug shows the trace: please report it", 1


if __name__ == "__main__":
    main()
