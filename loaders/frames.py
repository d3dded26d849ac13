"""Tables in memory, of pandas, polars or Arrow, as a source."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import pyarrow as pa

from seedrank.core.errors import InputError, UsageError, shorten
from seedrank.loaders.base import Batch, Level, LoadOptions, Where
from seedrank.loaders.columns import LinkEnds
from seedrank.loaders.compressed import MAX_ROWS
from seedrank.loaders.layout import Layout, Remarks
from seedrank.loaders.levels import by_level, one_level
from seedrank.loaders.mapping import Reading, shape_of
from seedrank.loaders.parquet import check_types, typed_batch
from seedrank.loaders.rejects import Rejects
from seedrank.loaders.table import ORDER, check_ids, with_ids

__all__ = ["FrameSource", "as_table", "is_frame"]


class FrameSource:
    """Tables in memory, ready to load. Errors name the kind of table and the row, from 1.

    Parameters
    ----------
    frames
        Kind of table (``pages``, ``links``, ``hosts``, ``queries``, ``results``, ``events``) -> frame: anything that
        speaks Arrow (pandas, polars, pyarrow), columns by the names `load table` knows.
    """

    def __init__(self, frames: Mapping[str, Any], options: LoadOptions | None = None) -> None:
        for kind in frames:
            if kind not in ORDER:
                raise UsageError(f"unknown table {shorten(kind)}", hint=f"tables are {', '.join(ORDER)}")
        self._tables = {kind: _arrow(kind, frames[kind]) for kind in ORDER if frames.get(kind) is not None}
        if not self._tables:
            raise UsageError("no table is given", hint=f"give one or more of {', '.join(ORDER)}")
        self.broken = Rejects()
        self._reading = Reading(options or LoadOptions(), self.broken)
        self._layouts = {
            kind: self._reading.layout(kind, table.column_names, file=kind) for kind, table in self._tables.items()
        }
        self._reading.check_used()
        self.files: Sequence[str] = list(self._tables)
        rows = (f"{kind} ({table.num_rows:,} rows)" for kind, table in self._tables.items())
        shape = shape_of(options or LoadOptions())
        self.description, self.shape = " ".join(["frames", *rows, *shape]), "\n".join(shape)
        self.level: Level = one_level((kind, one) for kind, one in self._layouts.items() if kind == "links")
        self.size: int | None = None
        self.position = 0
        remarks = Remarks(self._reading.dated)
        for kind, layout in self._layouts.items():
            remarks.add(kind, layout, self.level)
        self.notes: list[str] = remarks.notes()
        self.reads: list[str] = remarks.reads

    def sha256(self) -> str:
        """Digest of the tables' contents, whichever library they come from."""
        whole = hashlib.sha256()
        for kind, table in self._tables.items():
            whole.update(f"{kind}\0{table.schema.names}\0".encode())
            for rows in table.combine_chunks().to_batches(MAX_ROWS):
                batch = _plain(rows)
                sink = pa.BufferOutputStream()
                with pa.ipc.new_stream(sink, batch.schema) as stream:
                    stream.write_batch(batch)
                whole.update(sink.getvalue())
        return whole.hexdigest()

    def batches(self) -> Iterator[Batch]:
        """All rows, in batches of bounded size."""
        return self._batches(None)

    def first(self, rows: int) -> Iterator[Batch]:
        """The first rows of each table."""
        return self._batches(rows)

    def _batches(self, most: int | None) -> Iterator[Batch]:
        pages = {kind: layout for kind, layout in self._layouts.items() if kind == "pages"}
        prefixed = bool(self._reading.url_prefix) and not with_ids(pages)
        ends = LinkEnds(names_only=self.level != "page" or prefixed)
        for kind, table in by_level(list(self._tables.items()), self.level):
            layout = self._layouts[kind]
            check_types([table.schema.field(name) for name in layout.kept], kind)
            for batch in _batches(table.slice(0, most), layout, ends if kind == "links" else None, self._reading):
                if kind == "links":
                    check_ids(ends, pages)
                yield batch


def _batches(table: pa.Table, layout: Layout, ends: LinkEnds | None, reading: Reading) -> Iterator[Batch]:
    row = 1
    for rows in table.select(list(layout.kept)).combine_chunks().to_batches(MAX_ROWS):
        yield typed_batch(layout, _plain(rows), Where(layout.kind, row), ends, reading)
        row += rows.num_rows


def _plain(rows: pa.RecordBatch) -> pa.RecordBatch:
    """Rows with text of one type: libraries hand out views, long and short strings, and categories of each."""
    return pa.RecordBatch.from_arrays([_decoded(values) for values in rows.columns], rows.schema.names)


def _decoded(values: pa.Array) -> pa.Array:
    if pa.types.is_dictionary(values.type):
        # Codes of categories depend on what else the process has seen, and Arrow cannot take from views.
        return pa.DictionaryArray.from_arrays(values.indices, _long(values.dictionary)).dictionary_decode()
    return _long(values)


def _long(values: pa.Array) -> pa.Array:
    text = pa.types.is_string(values.type) or pa.types.is_string_view(values.type)
    return values.cast(pa.large_string()) if text else values


def is_frame(given: Any) -> bool:
    """Whether something is a table with named columns, of pandas, polars or Arrow."""
    return hasattr(given, "columns") and not callable(given.columns)


def as_table(kind: str, frame: Any) -> pa.Table:
    """A frame as an Arrow table with text of one type, whichever library it comes from; `kind` names it in errors."""
    table = _arrow(kind, frame)
    return pa.table([_decoded(column.combine_chunks()) for column in table.columns], names=table.column_names)


def _arrow(kind: str, frame: Any) -> pa.Table:
    """A frame as Arrow has it; the index of a pandas frame is left out."""
    if isinstance(frame, pa.Table):
        return frame
    try:
        if type(frame).__module__.partition(".")[0] == "pandas":
            return pa.Table.from_pandas(frame, preserve_index=False)
        return pa.table(frame)
    except (TypeError, ValueError, pa.ArrowException) as error:
        reason = str(error).partition("\n")[0]
        raise InputError(
            f"not a table ({reason})", file=kind, hint="give a DataFrame of pandas or polars, or an Arrow table"
        ) from None
