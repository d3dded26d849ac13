"""The columns of one file: which it has, how they are called in the table, which are read; and what is said of them."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass

import pyarrow as pa

from seedrank.core.errors import InputError, UsageError
from seedrank.core.levels import Level
from seedrank.core.model import RESERVED_PAGE_COLUMNS, TABLES
from seedrank.loaders.levels import link_ends

__all__ = ["FEWER_COLUMNS", "MAX_COLUMNS", "Layout", "Remarks", "called", "has_needed", "with_ends"]

MAX_COLUMNS = 256
"""Columns of a table, and of the pages or hosts of a store: each takes an open file and 1 to 2 MB during a load."""

FEWER_COLUMNS = "keep those you need: `cut -f1,2,5` takes columns of a TSV file, pyarrow's `select` of a Parquet file"

_RENAME = ("rename it", "give it another name with {map}")
_CHOOSE = ("rename one", "say which counts with {map}")
_ASSIGN = ("rename them", "say which is which with {map}")
"""What to do where names cannot be mapped, and where they can."""
_SOURCE_ID = "source_id"
"""What answers call the number that a page came with; their ``id`` is the store's."""


@dataclass(frozen=True)
class Layout:
    """The columns of one file."""

    kind: str
    names: tuple[str, ...]
    """All columns, as the file has them."""
    kept: dict[str, str]
    """Those that are read: name in the file to name in the table. Columns of the user's own are kept where the kind of
    table is open."""
    header: bool = True
    """Whether the file names its columns itself."""
    how: str = ""
    """How the file is read, for people: format, separator, header."""
    remark: str = ""
    """What of it people should know even if they do not ask."""

    @classmethod
    def of(
        cls,
        kind: str,
        names: Sequence[str],
        *,
        file: str | None = None,
        line: int | None = None,
        renamed: Mapping[str, str] | None = None,
        unread: Collection[str] = (),
        otherwise: str | None = None,
    ) -> Layout:
        """Match a header (or, without `file`, the names a user gives) with the known columns.

        Parameters
        ----------
        file, line
            Where the header is.
        renamed
            Name in the file to name in the table, as the user maps them; `None` where users cannot. Such a column takes
            the place of one that has the name by itself, as ``source_id`` does of ``id``.
        unread
            Known columns that are left out.
        otherwise
            What else to do where needed columns are absent.
        """
        table = TABLES[kind]
        wrong = _Wrong(kind, file, line, renamed is not None)
        if len(names) > MAX_COLUMNS:
            raise wrong(f"{len(names):,} columns, and a table may have {MAX_COLUMNS}", (FEWER_COLUMNS,))
        renamed = with_ends(kind, names, _with_source_id(kind, names, renamed or {}))
        taken = {called(kind, renamed[name]) for name in names if name in renamed}
        kept: dict[str, str] = {}
        for name in names:
            shown = called(kind, renamed.get(name, name))
            known = table.column(shown)
            if shown in unread or (name not in renamed and shown in taken):
                continue
            if known is None and table.open:
                if not name:
                    raise wrong("a column has no name", ("name every column",))
                if kind == "pages" and shown.lower() in RESERVED_PAGE_COLUMNS:
                    raise wrong("a column may not be called {name}", _RENAME, name=shown)
            if shown in kept.values() or name in kept:
                twice = [other for other in names if other == name or kept.get(other) == shown]
                raise wrong("two columns are {shown} ({twice})", _CHOOSE, shown=shown, twice=", ".join(twice))
            if known is not None or table.open:
                kept[name] = shown
        if not has_needed(kind, kept.values()):
            needed = " or ".join(" and ".join(c.name for c in table.columns if c.name in need) for need in table.needs)
            message = f"{kind} need {needed}; the columns are {{names}}"
            raise wrong(message, _ASSIGN, otherwise, names=", ".join(names))
        return cls(kind, tuple(names), kept)

    @property
    def unused(self) -> list[str]:
        """Columns of the file that are not read."""
        return [name for name in self.names if name not in self.kept]

    def type_of(self, name: str) -> pa.DataType | None:
        """Type of a kept column of the file; `None` for the user's own."""
        known = TABLES[self.kind].column(self.kept[name])
        return None if known is None else known.type

    def is_flag(self, name: str) -> bool:
        """Whether a kept column of the file may say true and false for 1 and 0."""
        known = TABLES[self.kind].column(self.kept[name])
        return known is not None and known.flag


def called(kind: str, name: str) -> str:
    """What a column is called in the table: the known name of an alias, in any case of letters; others stay."""
    known = TABLES[kind].column(name) or TABLES[kind].column(name.lower())
    return name if known is None else known.name


def has_needed(kind: str, columns: Collection[str]) -> bool:
    """Whether a kind of table can be made of these columns, by their names in the table."""
    return any(need <= set(columns) for need in TABLES[kind].needs)


def with_ends(kind: str, names: Sequence[str], renamed: Mapping[str, str]) -> Mapping[str, str]:
    """The user's names, and the ends of links between hosts or domains where the user names no ends."""
    mapped = any(called(kind, renamed[name]) in ("source", "target") for name in names if name in renamed)
    return renamed if mapped else {**renamed, **link_ends(kind, names)}


def _with_source_id(kind: str, names: Sequence[str], renamed: Mapping[str, str]) -> Mapping[str, str]:
    """The user's names, and ``source_id`` in the place of ``id`` in what a method wrote out."""
    theirs = next((name for name in names if name.lower() == _SOURCE_ID), None)
    mapped = any(called(kind, renamed[name]) == "id" for name in names if name in renamed)
    return renamed if kind != "pages" or theirs is None or mapped else {**renamed, theirs: "id"}


@dataclass(frozen=True)
class _Wrong:
    """Makes the errors about one file's columns, or about the names a user gives for those of a kind of table."""

    kind: str
    file: str | None
    line: int | None
    mappable: bool

    def __call__(
        self, message: str, ways: Sequence[str], otherwise: str | None = None, **values: str
    ) -> InputError | UsageError:
        """An error; of what to do, the first of `ways` holds anyway, the others where names can be mapped."""
        hint = ", or ".join([*(ways if self.mappable else ways[:1]), *([] if otherwise is None else [otherwise])])
        if self.file is None:
            message = f"{{columns[{self.kind}]}}: {message}"
            return UsageError(message, hint=hint, fields=("columns", "map"), values=values)
        return InputError(message, file=self.file, line=self.line, hint=hint, fields=("columns", "map"), values=values)


class Remarks:
    """Collects remarks file by file; the same remark on several files is one."""

    def __init__(self, dated: bool) -> None:
        self._dated = dated
        self._files: dict[str, list[str]] = {}
        self.reads: list[str] = []
        """How each file is read."""

    def add(self, file: str, layout: Layout, level: Level) -> None:
        """Take a file that was read, of an input of this level."""
        columns = (_column(layout, theirs, ours) for theirs, ours in layout.kept.items())
        how = f", {layout.how}" if layout.how else ""
        self.reads.append(f"{file}: {layout.kind}{how}; columns: {', '.join(columns)}")
        told = [layout.remark] if layout.remark else []
        if unused := [*layout.unused, *_counted(layout, level)]:
            told.append(f"columns not used: {', '.join(unused)}")
        if self._dated and layout.kind == "links" and "time" not in layout.kept.values():
            told.append("has no date, so all its links count")
        for remark in told:
            self._files.setdefault(remark, []).append(file)

    def notes(self) -> list[str]:
        """The remarks, each with its files."""
        return [f"{_named(files)}: {remark}" for remark, files in self._files.items()]


def _counted(layout: Layout, level: Level) -> list[str]:
    """Columns that say what is counted anyway: the pages of hosts."""
    return [name for name, ours in layout.kept.items() if (layout.kind, level, ours) == ("hosts", "page", "pages")]


def _column(layout: Layout, theirs: str, ours: str) -> str:
    shown = theirs if theirs == ours else f"{theirs} → {ours}"
    return shown if TABLES[layout.kind].column(ours) else f"{shown} (your own)"


def _named(files: list[str]) -> str:
    return files[0] if len(files) == 1 else f"{files[0]} and {len(files) - 1:,} more"
