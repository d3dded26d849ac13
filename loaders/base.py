"""What a format's loader gives: batches of tables, each with the place its rows come from."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, fields, replace
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, Protocol

import numpy as np
import pyarrow as pa

from seedrank.core.errors import InputError, UsageError, shorten, suggestion
from seedrank.core.levels import Level

if TYPE_CHECKING:
    from seedrank.loaders.rejects import Rejects

__all__ = ["Batch", "Level", "LoadOptions", "Source", "Summary", "Where", "head", "load_options", "several"]


@dataclass(frozen=True)
class Where:
    """Where the rows of a batch stand in their file."""

    file: str
    """The file as the user named it, ``-`` for standard input."""
    first: int = 1
    """1-based line of the first row."""
    lines: np.ndarray | None = None
    """1-based line per row, where rows do not stand on consecutive lines (comments or blank lines between them)."""
    unit: str = "line"
    """What the numbers count: ``line``, ``byte`` for files without lines, from 0, or nothing: ``file``."""

    def line(self, row: int) -> int:
        """1-based line of a row of the batch."""
        return self.first + row if self.lines is None else int(self.lines[row])

    def place(self, row: int) -> str:
        """File and line, or byte, of a row of the batch."""
        return f"{self.file}, {self.unit} {self.line(row)}"

    def error(self, row: int, message: str, hint: str, **more: Any) -> InputError:
        """What is wrong with a row of the batch; `more` (``column``, ``value`` …) is as of `InputError`."""
        return InputError(message, file=self.file, line=self.line(row), hint=hint, **more)


@dataclass(frozen=True)
class Batch:
    """Some rows of one kind of table (`seedrank.core.model.TABLES`), columns by the names there.

    Labels are a kind beside these: ``host`` and ``below`` (whether its subdomains too), or ``url``, and ``spam``.
    The ends of links are both strings (URLs or names) or both int64 (the source's ids).
    Columns of the user's own come as they were read: text columns as strings, typed columns (Parquet) as typed.
    """

    kind: str
    rows: pa.RecordBatch
    where: Where
    """The place they come from."""
    typed: bool = False
    """Whether the file knows the types of its columns (Parquet): its strings stay strings, even if all are numbers."""
    known: bool = False
    """For pages: rows of pages that neither the store nor the load has by now are left out and counted."""
    guarded: bool = False
    """Whether a word in a column of numbers of the user's own is an error, as in tables, not what makes it text."""
    followed: bool = False
    """For links: people followed them, which does not make a page of the store crawled; then all links of the load are
    such."""

    def filter(self, keep: np.ndarray) -> Batch:
        """The rows where `keep`, with their lines."""
        if keep.all():
            return self
        rows, where = np.flatnonzero(keep), self.where
        lines = rows + where.first if where.lines is None else where.lines[rows]
        first = int(lines[0]) if len(lines) else where.first
        return replace(self, rows=self.rows.filter(pa.array(keep)), where=replace(where, first=first, lines=lines))


class Source(Protocol):
    """A loader ready to read; `seedrank.loaders.files.FileSource` has all but `batches` for loaders that read files.

    It gives pages without URL before all links, and raises `InputError` for whatever is wrong with a file.
    """

    files: Sequence[str]
    description: str
    """Format, files and options, for the record of the load."""
    level: Level
    """What a node is, known before the first batch. Hosts and domains are given by name or by ``http://name/``."""
    shape: str
    """Options that shape what is read, a line each: another shape is another load. `description` has them too; those
    that `LoadOptions` has as well are written as its `parts` writes them."""
    broken: Rejects
    """What could not be read so far."""
    notes: list[str]
    """What a person should know of the format or of these files, in sentences; complete once everything was read."""
    reads: list[str]
    """How each file is read (format, columns by our names), for who tries a load; complete once everything was read."""

    @property
    def size(self) -> int | None:
        """Bytes on disk, `None` where nobody knows."""

    @property
    def position(self) -> int:
        """Bytes on disk that were read so far."""

    def sha256(self) -> str:
        """Digest of the files' contents; known once everything was read, where standard input is among them."""

    def batches(self) -> Iterator[Batch]:
        """Read everything once, in batches of bounded size."""

    def first(self, rows: int) -> Iterator[Batch]:
        """The first rows, in place of `batches`: of each file where files hold different things, else of each kind."""


def head(batches: Iterator[Batch], rows: int, *, further: int = 0) -> Iterator[Batch]:
    """The first rows of each kind.

    Reading ends when all kinds that came have their rows: with two kinds at once, with one after `further` batches that
    brought no other.
    """
    room: dict[str, int] = {}
    for batch in batches:
        left = room.setdefault(batch.kind, rows)
        if left > 0:
            yield replace(batch, rows=batch.rows.slice(0, left))
            room[batch.kind] = left - batch.rows.num_rows
        else:
            further -= 1
        if max(room.values()) <= 0 and (len(room) > 1 or further <= 0):
            return


@dataclass(frozen=True)
class LoadOptions:
    """What shapes the graph that comes out of a load.

    Parameters
    ----------
    urls
        ``normalise`` by the WHATWG rules, fragment dropped, or take them ``verbatim``.
    merge_variants
        Fold http/https and a leading ``www.`` of the host into one page.
    strict
        Stop at the first URL that cannot be parsed, instead of leaving it out and counting it.
    url_prefix
        Put before every URL or name that is read (``https://en.wikipedia.org/wiki/``).
    since, until
        Events, and links that have a date, from this time (included) to that time (excluded) count; all by default.
    map
        Columns of tables that have other names: ours to theirs (``{"views": "popularity"}``), for all kinds of tables
        whose files have that column or, as ``links.weight``, for one; several of theirs as a list.
    status_map
        Statuses that have other names: theirs to ours (``{"page": "crawled", "external": "frontier"}``).
    assume
        ``crawled``: pages of the pages tables (of a load without any: all its pages) that have neither a status nor
        links were fetched all the same; `None` leaves them in the frontier.
    missing
        Values that mean no value (``n/a``), beside the empty field.
    text
        Columns of the user's own that are text, whatever their values look like.
    tolerant
        So many rows (``10``), or this share of them (``"1%"``), may be bad: they are left out and counted by reason.
        By default the first is an error.
    rejects
        File that takes all rows that are left out (`seedrank.loaders.rejects.Rejects`): CSV, or as its suffix says.
    """

    urls: Literal["normalise", "verbatim"] = "normalise"
    merge_variants: bool = False
    strict: bool = False
    url_prefix: str = ""
    since: datetime | None = None
    until: datetime | None = None
    map: Mapping[str, str | Sequence[str]] = field(default_factory=dict)
    status_map: Mapping[str, str] = field(default_factory=dict)
    assume: Literal["crawled"] | None = None
    missing: str | Sequence[str] = ()
    text: str | Sequence[str] = ()
    tolerant: int | str | None = None
    rejects: str | Path | None = None

    def parts(self) -> list[str]:
        """The options that differ from the defaults, ``name=value`` each, but for those on bad rows."""
        default = LoadOptions(tolerant=self.tolerant, rejects=self.rejects)
        given = {name: value for name, value in vars(self).items() if value != getattr(default, name)}
        return [f"{name}={_shown(value)}" for name, value in given.items()]


def load_options(options: LoadOptions | None, given: Mapping[str, Any]) -> LoadOptions:
    """The options with those that are given by name; a name that is none of them is refused, with the nearest."""
    known = [one.name for one in fields(LoadOptions)]
    for name in given:
        if name not in known:
            raise UsageError(f"a load has no option {shorten(name)}", hint=suggestion(name, known))
    if not all(isinstance(given.get(name, {}), Mapping) for name in ("map", "status_map")):
        raise UsageError("map and status_map are mappings of names", hint="give a dictionary, from name to name")
    if not isinstance(options, LoadOptions | None):
        raise UsageError(f"{shorten(options)} are no options of a load", hint="write LoadOptions(assume=…)")
    return replace(options or LoadOptions(), **given)


def _shown(value: object) -> str:
    """An option's value on one line: the same however it was given."""
    if isinstance(value, Mapping):
        return ",".join(sorted(f"{key}={_shown(one)}" for key, one in value.items()))
    if isinstance(value, Sequence) and not isinstance(value, str):
        return ",".join(map(str, value))
    return str(value)


def several(given: str | Sequence[str]) -> tuple[str, ...]:
    """One or several strings, as several."""
    return (given,) if isinstance(given, str) else tuple(given)


@dataclass
class Summary:
    """What a load did, for a person to check."""

    counts: dict[str, int] = field(default_factory=dict)
    """Such as ``page rows``, ``pages new``, ``pages merged``, ``links dropped: to themselves``."""
    unparsable: list[str] = field(default_factory=list)
    """The first URLs that could not be parsed, with file and line."""
    broken: list[str] = field(default_factory=list)
    """The first records that could not be read, with file, place and reason."""
    notes: list[str] = field(default_factory=list)
    """What a person should know of the format or of these files."""

    def add(self, name: str, count: int) -> None:
        """Count `count` more of `name`."""
        if count:
            self.counts[name] = self.counts.get(name, 0) + int(count)
