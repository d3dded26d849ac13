"""The standard streams of the process: there are always three, they take any text, and cannot steer a terminal."""

from __future__ import annotations

import os
import select
import shutil
import stat
import sys
import textwrap
from typing import TextIO

from seedrank.core.sanitize import visible

__all__ = [
    "OUTPUT",
    "abandon_output",
    "folded",
    "input_is_closed",
    "output_is_closed",
    "prepare",
    "printable",
    "reader_left",
    "say",
]

OUTPUT = "standard output"

_INPUT, _OUTPUT, _ERRORS = 0, 1, 2
# Reading a closed input and writing to a closed output must fail; remarks may vanish.
_STAND_INS = {_INPUT: os.O_WRONLY, _OUTPUT: os.O_RDONLY, _ERRORS: os.O_WRONLY}
_LONGEST = 4_000
"""Letters of a line: names and values in it may have any length."""
_closed: set[int] = set()
_piped = False


def prepare() -> None:
    """Put something in the place of closed streams, and let every stream take any text.

    The next file that is opened gets the number of a closed stream. It may be the store's, and what is printed would be
    written into it.
    """
    global _piped
    for number, how in _STAND_INS.items():
        try:
            os.fstat(number)
        except OSError:
            _closed.add(number)
            _put(os.open(os.devnull, how), number)
    _piped = _is_pipe(_OUTPUT)
    if sys.stdin is None:
        sys.stdin = os.fdopen(_INPUT, "r", closefd=False)
    if sys.stdout is None:
        sys.stdout = os.fdopen(_OUTPUT, "w", closefd=False)
    if sys.stderr is None:
        sys.stderr = os.fdopen(_ERRORS, "w", closefd=False)
    for stream in (sys.stdout, sys.stderr):
        # A letter that the terminal does not know, or a name that is not UTF-8, is shown by its code.
        reconfigure = getattr(stream, "reconfigure", None)
        if reconfigure is not None:
            reconfigure(errors="backslashreplace")


def input_is_closed() -> bool:
    """Whether standard input was closed when the process began."""
    return _INPUT in _closed


def output_is_closed() -> bool:
    """Whether standard output was closed when the process began."""
    return _OUTPUT in _closed


def printable(value: object) -> str:
    """Text from the web made safe for a terminal: control characters are shown, not sent."""
    return visible(str(value))


def folded(line: str, stream: TextIO, indent: str = "") -> str:
    """A line as a terminal shows it best, broken between words; for any other `stream` as it is."""
    width = shutil.get_terminal_size().columns - 1
    if width <= 20 or len(line) <= width or not stream.isatty():
        return line
    return textwrap.fill(line, width, subsequent_indent=indent, break_long_words=False, break_on_hyphens=False)


def say(text: object, *, folds: bool = False) -> None:
    """Write a line to standard error, folded where that is asked for; where nobody can read it, the work goes on."""
    line = printable(text)
    if len(line) > _LONGEST:
        line = f"{line[:_LONGEST]} …"
    if folds:
        line = folded(line, sys.stderr)
    try:
        sys.stderr.write(f"{line}\n")
        sys.stderr.flush()
    except OSError:
        # Or the rest of the line would be written, and fail again, when the process ends.
        _put(os.open(os.devnull, os.O_WRONLY), _ERRORS)


def reader_left() -> bool:
    """Whether standard output is, or was, a pipe whose reader (head, less) has seen enough."""
    if not _piped:
        return False
    poll = select.poll()
    poll.register(_OUTPUT, 0)
    # rich puts the null device in the place of a broken pipe.
    return not _is_pipe(_OUTPUT) or any(events & (select.POLLERR | select.POLLHUP) for _, events in poll.poll(0))


def abandon_output() -> None:
    """Drop what could not be written to standard output, or it would fail again when the process ends."""
    _put(os.open(os.devnull, os.O_WRONLY), _OUTPUT)


def _put(opened: int, number: int) -> None:
    if opened != number:
        os.dup2(opened, number)
        os.close(opened)


def _is_pipe(number: int) -> bool:
    mode = os.fstat(number).st_mode
    return stat.S_ISFIFO(mode) or stat.S_ISSOCK(mode)
