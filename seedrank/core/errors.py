"""Errors that are explained to the user in one line.

    SeedrankError        a failure with a next step; exit code 1
    ├── InputError       something in a user's file is wrong: file, line, column, value
    ├── UsageError       an option or argument is wrong; exit code 2
    ├── GraphError       the graph lacks what the method needs
    │   └── TooLarge     the graph needs more memory than there is
    └── StoreError       the store or a run kept for it is missing, or the database refused or cannot do what was asked
        └── StoreBusy    another process holds the store

Raise them with what is wrong first and the next step last; the command line prints them as they are
and shows the trace only under ``--debug``.

A parameter is called differently in Python and on the command line, so a text names it as ``{name}``, with a value as
``{name=value}``, or an entry of a mapping as ``{name[key]}``, and lists it in `fields`::

    raise StoreError("{url} has no GDS", hint="use {engine=native}", fields=("engine",), values={"url": url})

reads ``use engine="native"`` in Python and ``use --engine native`` on the command line. What comes from outside goes
into `values`, never into the text of an error with `fields`: a value is shown as it is, whatever braces it has. No text
outside ``cli/`` names an option itself (``tests/unit/test_messages.py``).
"""

from __future__ import annotations

import copy
import difflib
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Self

__all__ = [
    "GraphError",
    "InputError",
    "SeedrankError",
    "StoreBusy",
    "StoreError",
    "TooLarge",
    "UsageError",
    "nearest",
    "suggestion",
]


_SHOWN = 80
_NAMED = re.compile(r"\{(\w+)(?:=([^{}]*)|\[([^{}]*)\])?\}")
_PLAIN_VALUE = re.compile(r"True|False|None|-?\d+(\.\d+)?")

Named = Callable[..., str]
"""What a parameter is called: takes its name, the value where the text gives one, or the key of an entry."""


def _in_python(name: str, value: str | None = None, key: str | None = None) -> str:
    if key is not None:
        return f'{name}["{key}"]'
    if value is None:
        return name
    return f"{name}={value}" if _PLAIN_VALUE.fullmatch(value) else f'{name}="{value}"'


class SeedrankError(Exception):
    """A failure that was foreseen.

    Parameters
    ----------
    message
        What is wrong, in one line.
    hint
        What to do next, in one line.
    fields
        Parameters that they name as ``{name}``, ``{name=value}`` or ``{name[key]}``: Python sees their names, the
        command line its options (`format`).
    values
        What else they contain as ``{name}``.
    """

    exit_code = 1

    def __init__(
        self,
        message: str,
        *,
        hint: str | None = None,
        fields: Sequence[str] = (),
        values: Mapping[str, object] | None = None,
    ) -> None:
        super().__init__(message)
        self.fields, self.values = tuple(fields), dict(values or {})
        self._message, self._hint = message, hint

    @property
    def message(self) -> str:
        """What is wrong, as Python sees it."""
        return self._what(_in_python)

    @property
    def hint(self) -> str | None:
        """What to do next, as Python sees it."""
        return None if self._hint is None else self._filled(self._hint, _in_python)

    def __str__(self) -> str:
        return self.format(_in_python)

    def format(self, named: Named) -> str:
        """The text with every parameter as `named` calls it."""
        text = self._what(named)
        if self._hint is not None:
            text = f"{text}; {self._filled(self._hint, named)}"
        return " ".join(text.split())

    def advising(self, step: str, *, joined: str, fields: Sequence[str] = ()) -> Self:
        """The same error with a further step, `joined` to its hint where it has one."""
        error = copy.copy(self)
        error._hint = step if self._hint is None else f"{self._hint}{joined}{step}"
        error.fields = (*self.fields, *fields)
        return error

    def _what(self, named: Named) -> str:
        return self._filled(self._message, named)

    def _filled(self, text: str, named: Named) -> str:
        # In one pass, so that what a value brings is not filled in turn.
        def fill(found: re.Match[str]) -> str:
            name, value, key = found.groups()
            if name in self.fields:
                return named(name, value, key)
            return str(self.values[name]) if found[0] == f"{{{name}}}" and name in self.values else found[0]

        return _NAMED.sub(fill, text)


class UsageError(SeedrankError):
    """An option or argument is wrong."""

    exit_code = 2


class GraphError(SeedrankError):
    """The graph lacks what the method needs."""


class TooLarge(GraphError):
    """The graph needs more memory than there is."""


class StoreError(SeedrankError):
    """The store or a run kept for it is not there, or the database refused or cannot do what was asked."""


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
    hint, fields, values
        As for every error.
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
        fields: Sequence[str] = (),
        values: Mapping[str, object] | None = None,
    ) -> None:
        super().__init__(message, hint=hint, fields=fields, values=values)
        self.file, self.line, self.column, self.value = file, line, column, value

    @property
    def reason(self) -> str:
        """The column and what is wrong with it, without place and value."""
        text = super()._what(_in_python)
        return text if self.column is None else f"{self.column} {text}"

    def _what(self, named: Named) -> str:
        line = None if self.line is None else f"line {self.line}"
        column = None if self.column is None else f"column {self.column}"
        where = ", ".join(part for part in (self.file, line, column) if part is not None)
        text = super()._what(named)
        text = f"{where}: {text}" if where else text
        return text if self.value is None else f"{text}: {shorten(self.value)}"


def shorten(value: object) -> str:
    """``repr`` of a hostile value: control characters escaped, at most 80 characters."""
    text = repr(value if isinstance(value, (str, bytes, int, float)) else str(value))
    return text if len(text) <= _SHOWN else f"{text[: _SHOWN - 2]}…{text[-1]}"


_ALIKE = 0.61
"""How alike two names are at least: `finest` is not meant for `best`."""
_LISTED = 40
"""Names that are all told; of more, the first of them."""


def nearest(name: str, known: Iterable[str]) -> str | None:
    """The name that was probably meant, `None` where none is near."""
    plain = {_plain(one): one for one in known}
    near = difflib.get_close_matches(_plain(str(name)), plain, 1, _ALIKE)
    return plain[near[0]] if near else None


def suggestion(name: str, known: Iterable[str]) -> str:
    """What to do about an unknown name: the one that was meant, else all there are."""
    known = list(known)
    near = nearest(name, known)
    more = ", …" if len(known) > _LISTED else ""
    return f"did you mean {near}?" if near else f"one of {', '.join(known[:_LISTED])}{more}"


def _plain(name: str) -> str:
    return name.lower().replace("_", "-")
