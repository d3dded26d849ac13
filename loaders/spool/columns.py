"""Columns of pages, hosts and queries on their way through the spool.

Values lie on disk as they came, each with its owner (a page, a host, a query); the last that is not null stands.
The type of a text column of the user's own is known only when all of it was seen.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from loaders.base import Where
from loaders.columns import convert
from loaders.layout import FEWER_COLUMNS, MAX_COLUMNS
from loaders.spool.files import ArrowFile, map_table
from loaders.spool.interning import valid_rows
from loaders.spool.text_types import BOOL, FLOAT, INT, TEXT, TextType, trimmed
from seedrank.core.errors import InputError

__all__ = ["ColumnSpool", "Values", "changes"]

_NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_]*\Z")
_KINDS = {FLOAT: "a number", BOOL: "true or false"}


@dataclass
class Values:
    """The values of one column, one per owner.

    Parameters
    ----------
    values
        All values there were.
    at
        int64 per owner: which of them stands, -1 for none.
    """

    values: pa.Array
    at: np.ndarray

    def take(self, owners: np.ndarray | slice) -> pa.Array:
        """Values of some owners, null where there is none."""
        at = self.at[owners]
        return self.values.take(pa.array(at, mask=at < 0))


class ColumnSpool:
    """The columns of one kind of table.

    Parameters
    ----------
    folder
        Where the files go; `kind` begins their names.
    kind
        ``pages``, ``hosts`` or ``queries``.
    known
        Types of the columns the model knows.
    stored
        Types of the columns the store has.
    reserved
        Names that columns may not take.
    text
        Columns of the user's own that are text, whatever their values are.
    """

    def __init__(
        self,
        folder: Path,
        kind: str,
        *,
        known: Mapping[str, pa.DataType],
        stored: Mapping[str, pa.DataType],
        reserved: Iterable[str] = (),
        text: Iterable[str] = (),
    ) -> None:
        self._folder, self._kind = folder, kind
        self._known, self.stored = known, stored
        self._reserved, self._text = frozenset(reserved), frozenset(text)
        self._columns: dict[str, _Column] = {}

    def add(self, owners: np.ndarray, rows: pa.RecordBatch, where: Where, typed: bool, guarded: bool = False) -> None:
        """Keep values.

        Parameters
        ----------
        owners
            int32 per row, negative where the row is left out.
        rows
            The columns to keep.
        where
            The place the rows come from.
        typed
            Whether strings are strings, not text yet to be typed.
        guarded
            Whether a word in a column of numbers is an error.
        """
        owners = owners.astype(np.int32, copy=False)
        for field, values in zip(rows.schema, rows.columns, strict=True):
            if values.null_count == len(values):
                continue
            self._column(field.name, where).add(owners, values, where, typed, guarded)

    @property
    def names(self) -> Collection[str]:
        """The columns that hold anything so far."""
        return self._columns.keys()

    def finish(self) -> dict[str, pa.DataType]:
        """The columns that hold anything, with the types they have now that all was seen."""
        for column in self._columns.values():
            column.close(self.stored.get(column.name))
        return {column.name: column.type for column in self._columns.values()}

    def values(self, name: str, owners: int) -> Values:
        """The values of a column for owners 0 to `owners` - 1; after `finish`."""
        return self._columns[name].values(owners)

    def renumber(self, final: np.ndarray) -> None:
        """Owner i is `final[i]` from now on."""
        # Columns of one batch share their owners; the old arrays are held so that no id is used twice.
        done: dict[int, tuple[np.ndarray, np.ndarray]] = {}
        for column in self._columns.values():
            for owners in column.owners:
                if id(owners) not in done:
                    done[id(owners)] = (owners, np.where(owners >= 0, final[owners], -1).astype(np.int32))
            column.owners = [done[id(owners)][1] for owners in column.owners]

    def discard(self) -> None:
        """Let go of the files."""
        for column in self._columns.values():
            column.discard()

    def _column(self, given: str, where: Where) -> _Column:
        name = given if _NAME.match(given) else re.sub(r"\A(?=[0-9])|[^A-Za-z0-9_]", "_", given) or "_"
        if name.lower() in self._reserved:
            raise InputError(f"a column may not be called {name}", file=where.file, column=given, hint="rename it")
        column = self._columns.get(name)
        if column is None:
            count = len({*self._columns, *self.stored, name})
            if name not in self.stored and count > MAX_COLUMNS:
                raise InputError(
                    f"with it {self._kind} would have {count} columns, and may have {MAX_COLUMNS}",
                    file=where.file,
                    column=given,
                    hint=FEWER_COLUMNS,
                )
            path = self._folder / f"{self._kind}-{len(self._columns)}"
            column = self._columns[name] = _Column(name, given, path, self._known.get(name), given in self._text)
        elif column.given != given:
            raise InputError(
                f"would be column {name}, as {column.given} is",
                file=where.file,
                column=given,
                hint="rename one of them",
            )
        return column


class _Column:
    def __init__(self, name: str, given: str, path: Path, known: pa.DataType | None, as_text: bool) -> None:
        self.name, self.given, self._path, self._known = name, given, path, known
        self._as_text, self._guarded = as_text, False
        self.type: pa.DataType = known or TEXT
        self.owners: list[np.ndarray] = []
        self._files: dict[pa.DataType, ArrowFile] = {}
        self._places: list[tuple[pa.DataType, int]] = []
        self._typed: dict[pa.DataType, Where] = {}
        self._text = TextType()

    def add(self, owners: np.ndarray, values: pa.Array, where: Where, typed: bool, guarded: bool) -> None:
        self._guarded |= guarded
        if self._known is not None:
            values = convert(values, self._known, column=self.given, where=where)
        else:
            given = values.type
            values = _plain(values, self.given, where)
            if self._as_text:
                values, typed = convert(values, TEXT, column=self.given, where=where), True
            if typed or not (pa.types.is_string(given) or pa.types.is_large_string(given)):
                self._typed.setdefault(values.type, where)
            else:
                self._text.see(values, where)
        file = self._files.get(values.type)
        if file is None:
            path = self._path.with_name(f"{self._path.name}-{values.type}.arrow")
            file = self._files[values.type] = ArrowFile(path, pa.schema([("value", values.type)]))
        self._places.append((values.type, file.write(pa.RecordBatch.from_arrays([values], ["value"]))))
        self.owners.append(owners)

    def close(self, stored: pa.DataType | None) -> None:
        for file in self._files.values():
            file.close()
        self.type = self._known or self._decide(stored)

    def discard(self) -> None:
        for file in self._files.values():
            file.discard()

    def values(self, owners: int) -> Values:
        chunks = {kind: map_table(file.path)["value"].chunks for kind, file in self._files.items()}
        kind = pa.large_string() if self.type == TEXT else self.type
        at = np.full(owners, -1, np.int64)
        parts = []
        seen = 0
        for (written, batch), of in zip(self._places, self.owners, strict=True):
            part = chunks[written][batch]
            parts.append(_as(part, kind))
            stands = valid_rows(parts[-1]) & (of >= 0)
            # Where an owner stands twice in one assignment, the later row wins.
            at[of[stands]] = np.flatnonzero(stands) + seen
            seen += len(part)
        return Values(pa.concat_arrays(parts), at)

    def _decide(self, stored: pa.DataType | None) -> pa.DataType:
        if stored is not None:
            wanted = stored
        elif not self._typed:
            self._refuse_stray()
            wanted = self._text.type
        elif set(self._typed) == {INT, FLOAT}:
            wanted = FLOAT
        else:
            wanted = next(iter(self._typed))
        who = f"{stored} in the store" if stored is not None else f"{wanted} in {self._first_file()}"
        for kind, where in self._typed.items():
            if kind != wanted and not (kind == INT and wanted == FLOAT):
                raise InputError(
                    f"is {kind} here and {who}", file=where.file, column=self.given, hint="convert it or rename it"
                )
        misfit = self._text.misfit(wanted)
        if misfit is not None:
            where, line, value = misfit
            raise InputError(
                f"is {self._text.type} here and {who}",
                file=where.file,
                line=line,
                column=self.given,
                value=value,
                hint="convert it or rename it",
            )
        return wanted

    def _refuse_stray(self) -> None:
        stray = self._text.stray() if self._guarded else None
        if stray is not None:
            kind, (where, line, value) = stray
            raise InputError(
                f"is not {_KINDS[kind]}, as the others are",
                file=where.file,
                line=line,
                column=self.given,
                value=value,
                hint="name what stands for no value with {missing}, or keep the column as text with {text}",
                fields=("missing", "text"),
            )

    def _first_file(self) -> str:
        return next((where.file for where in self._typed.values()), "the other rows")


def _plain(values: pa.Array, column: str, where: Where) -> pa.Array:
    """Values in one of the four types columns have."""
    kind = values.type
    if pa.types.is_dictionary(kind):
        values = values.dictionary_decode()
        kind = values.type
    if pa.types.is_nested(kind):
        raise InputError(f"holds {kind}", file=where.file, column=column, hint="columns hold numbers, booleans or text")
    if pa.types.is_boolean(kind) or kind in (INT, FLOAT, TEXT):
        return values
    if pa.types.is_integer(kind):
        wanted = INT
    elif pa.types.is_floating(kind) or pa.types.is_decimal(kind):
        wanted = FLOAT
    else:
        wanted = TEXT
    return convert(values, wanted, column=column, where=where)


def _as(values: pa.Array, kind: pa.DataType) -> pa.Array:
    if pa.types.is_string(values.type) and not pa.types.is_large_string(kind):
        values = trimmed(values)
        if kind == BOOL:
            return pc.equal(pc.ascii_lower(values), "true")
    return values.cast(kind, safe=False)


def changes(
    values: Values, stored: Iterable[tuple[np.ndarray, pa.Array | None]], kind: pa.DataType
) -> Iterator[tuple[np.ndarray, pa.Array]]:
    """Where a column differs from what the store holds.

    Parameters
    ----------
    values
        What the load brings.
    stored
        Owners and what the store has of them, piece by piece; `None` where it has no such column.
    kind
        Type of the column.

    Yields
    ------
    tuple
        Owners whose value differs, and the new values.
    """
    for owners, old in stored:
        given = values.at[owners] >= 0
        if not given.any():
            continue
        owners = owners[given]
        new = values.take(owners).cast(kind)
        if old is not None:
            differs = _differ(new, old.filter(pa.array(given)).cast(kind))
            owners, new = owners[differs], new.filter(pa.array(differs))
        if len(owners):
            yield owners, new


def _differ(new: pa.Array, old: pa.Array) -> np.ndarray:
    differs = pc.fill_null(pc.not_equal(new, old), True)
    if pa.types.is_floating(new.type):
        differs = pc.and_not(differs, pc.fill_null(pc.and_(pc.is_nan(new), pc.is_nan(old)), False))
    result: np.ndarray = differs.to_numpy(zero_copy_only=False)
    return result
