"""Errors that are explained to the user in one line.

    SeedrankError        a failure with a next step; exit code 1
    ├── InputError       something in a file of the user's is wrong: file, line, column, value
    ├── UsageError       an option or argument is wrong; exit code 2
    ├── GraphError       the graph lacks what the method needs
    │   └── TooLarge     the graph needs more memory than there is
    └── StoreError       the database refused, is missing, or cannot do what was asked
        └── StoreBusy    another process holds the store

Raise them with what is wrong first and the next step last; the command line prints them as they are
and shows the trace only under ``--debug``.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

__all__ = ["GraphError", "InputError", "SeedrankError", "StoreBusy", "StoreError", "TooLarge", "UsageError"]

_SHOWN = 80


class SeedrankError(Exception):
    """A failure that was foreseen.

    Parameters
    ----------
    message
        What is wrong, in one line.
    hint
        What to do next, in one line.
    """

    exit_code = 1

    def __init__(self, message: str, *, hint: str | None = None) -> None:
        super().__init__(message)
        self.message = message
        self.hint = hint

    def __str__(self) -> str:
        text = self.message if self.hint is None else f"{self.message}; {self.hint}"
        return " ".join(text.split())


class UsageError(SeedrankError):
    """An option or argument is wrong.

    Parameters
    ----------
    message, hint
        As for every error. A field of a question stands in them as ``{name}``.
    fields
        The fields they name: Python sees their names, the command line its options (`told`).
    """

    exit_code = 2

    def __init__(self, message: str, *, hint: str | None = None, fields: Sequence[str] = ()) -> None:
        super().__init__(message, hint=hint)
        self.fields = tuple(fields)

    def __str__(self) -> str:
        return self.told(lambda name: name)

    def told(self, named: Callable[[str], str]) -> str:
        """The text with every field as `named` calls it."""
        text = super().__str__()
        for name in self.fields:
            text = text.replace(f"{{{name}}}", named(name))
        return text


class GraphError(SeedrankError):
    """The graph lacks what the method needs."""


class TooLarge(GraphError):
    """The graph needs more memory than there is."""


class StoreError(SeedrankError):
    """The database refused, is not there, or cannot do what was asked."""


class StoreBusy(StoreError):
    """Another process holds the store."""


class InputError(SeedrankError):
    """Something in an input file is wrong.

    Parameters
    ----------
    message
        What is wrong.
    file
        The file, ``-`` for standard input.
    line
        1-based line in the file as it lies on disk (comments and blank lines counted);
        for Parquet the 1-based row.
    column
        Name of the column.
    value
        The offending value; shown shortened and quoted.
    hint
        What to do next.
    """

    def __init__(
        self,
        message: str,
        *,
        file: str | None = None,
        line: int | None = None,
        column: str | None = None,
        value: object | None = None,
        hint: str | None = None,
    ) -> None:
        where = [
            part
            for part in (
                file,
                None if line is None else f"line {line}",
                None if column is None else f"column {column}",
            )
            if part is not None
        ]
        text = f"{', '.join(where)}: {message}" if where else message
        if value is not None:
            text = f"{text}: {shorten(value)}"
        super().__init__(text, hint=hint)
        self.file, self.line, self.column, self.value = file, line, column, value


def shorten(value: object) -> str:
    """``repr`` of a hostile value: control characters escaped, at most 80 characters."""
    text = repr(value if isinstance(value, (str, bytes, int, float)) else str(value))
    return text if len(text) <= _SHOWN else f"{text[: _SHOWN - 2]}…{text[-1]}"
