"""Formats of your own beside the built-in ones: decorators that register a loader or an exporter."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any, TypeVar

from seedrank.api.own_functions import Columns, call, check_function, failure, first_line
from seedrank.core.errors import SeedrankError, shorten
from seedrank.exporters import targets
from seedrank.loaders import formats

if TYPE_CHECKING:
    from seedrank.exporters.rows import Rows
    from seedrank.loaders.base import LoadOptions
    from seedrank.loaders.frames import FrameSource

__all__ = ["exporter", "loader"]

_F = TypeVar("_F", bound=Callable[..., Any])


def loader(name: str, *, about: str = "") -> Callable[[_F], _F]:
    """Register a format that goes in: ``read(files)`` gives frames by kind of table, such as ``pages`` and ``links``.

    `files` is a list of names. Frames are what `Workbench.load` takes: pandas, polars or Arrow. Other parameters of the
    function are options, given to `Workbench.load` by name.

    Parameters
    ----------
    name
        As it is asked for: small letters, digits and hyphens.
    about
        What the format is, in a few words; the first line of the docstring by default.
    """

    def register(function: _F) -> _F:
        check_function(name, function)
        said = about or first_line(function, "a format of your own")
        formats.register(name, formats.Format(said, partial(_source, name, function), heeds=formats.AUTO))
        return function

    return register


def exporter(name: str, *, about: str = "") -> Callable[[_F], _F]:
    """Register a format that goes out: ``write(url, score, …)`` gives the text of the file, in one piece or several.

    It gets what it declares, an array with an entry per page in the order of the answer: ``rank``, ``id``, ``url``,
    ``host``, ``status``, ``score``, or a page column.

    Parameters
    ----------
    name, about
        As for `loader`.
    """

    def register(function: _F) -> _F:
        check_function(name, function)
        said = about or first_line(function, "A format of your own.")
        targets.register(name, said, partial(_blocks, name, function))
        return function

    return register


def _source(
    name: str, function: Callable[..., Any], files: Sequence[str], *, options: LoadOptions | None = None, **given: Any
) -> FrameSource:
    from seedrank.loaders.frames import FrameSource

    try:
        tables = function(list(files), **given)
    except SeedrankError:
        raise
    except Exception as error:
        raise failure(name, error) from error
    if not isinstance(tables, Mapping):
        raise SeedrankError(f"{name} gives {shorten(tables)}", hint='give frames by kind, such as {"links": frame}')
    source = FrameSource(tables, options)
    source.files = list(files)
    source.description = " ".join([name, *files, *source.shape.split("\n")]).rstrip()
    return source


def _blocks(name: str, function: Callable[..., Any], rows: Rows, about: Sequence[str]) -> Iterator[bytes]:
    known = {one: partial(_column, rows, one) for one in rows.table.column_names}
    given = call(name, function, known, _OfRows(rows))

    def blocks() -> Iterator[bytes]:
        try:
            for part in [given] if isinstance(given, str | bytes) else given:
                yield part if isinstance(part, bytes) else part.encode()
        except Exception as error:
            raise failure(name, error) from error

    return blocks()


def _column(rows: Rows, name: str) -> Any:
    return rows.table[name].to_numpy()


class _OfRows(Columns):
    """Page columns of the pages of an answer, in its order."""

    def __init__(self, rows: Rows) -> None:
        super().__init__(rows.graph)
        self._ids = rows.table["id"].to_numpy()

    def _read(self, name: str) -> Any:
        return super()._read(name)[self._ids]
