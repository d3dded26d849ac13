"""Lists of pages: seeds, trusted pages, seeds in use.

One URL or source id a line, ``#`` comments, text after a TAB ignored; or CSV, TSV, JSON lines or Parquet with a column
``url`` or ``id`` and perhaps ``weight``. The first of the columns ``url``, ``source_id`` and ``id`` counts, so that
what a method wrote out is read back as the same pages.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.csv
import pyarrow.json
import pyarrow.parquet

from loaders.base import Where
from loaders.columns import convert
from loaders.compressed import Input
from loaders.records import TSV, records
from seedrank.core.errors import InputError

__all__ = ["PageList", "read_page_list"]

_TSV = pyarrow.csv.ParseOptions(delimiter="\t", quote_char=False)
_READERS: dict[str, Callable[[str], pa.Table]] = {
    ".csv": pyarrow.csv.read_csv,
    ".tsv": lambda file: pyarrow.csv.read_csv(file, parse_options=_TSV),
    ".parquet": pyarrow.parquet.read_table,
    ".json": pyarrow.json.read_json,
    ".jsonl": pyarrow.json.read_json,
}
_NEXT = "give one URL or id a line, or a table with a column url or id"


@dataclass(frozen=True)
class PageList:
    """Pages as a file names them, in its order.

    Parameters
    ----------
    file
        The file, for messages.
    keys
        URLs (string) or source ids (int64).
    weights
        float64, 1 where the file gives none.
    """

    file: str
    keys: pa.Array
    weights: np.ndarray

    @property
    def by_url(self) -> bool:
        """Whether pages are named by URL."""
        return bool(pa.types.is_string(self.keys.type))


def read_page_list(file: str) -> PageList:
    """Read a list of pages; URLs are as the file has them, not yet normalised."""
    Input(file).check()
    suffixes = [suffix.lower() for suffix in Path(file).suffixes]
    for suffix, read in _READERS.items():
        if suffix in suffixes:
            try:
                return _from_table(read(file), file)
            except (pa.ArrowException, OSError) as error:
                reason = str(error).splitlines()[0]
                raise InputError(f"cannot be read as {suffix[1:]} ({reason})", file=file, hint=_NEXT) from error
    return _from_lines(file)


def _from_lines(file: str) -> PageList:
    source = Input(file)
    source.check()
    lines: list[str] = []
    for block in records(source.chunks(), TSV, file):
        for row in range(len(block)):
            try:
                lines.append(block.line(row).decode().partition("\t")[0].strip())
            except UnicodeDecodeError as error:
                raise InputError(
                    "is not UTF-8", file=file, line=block.where.line(row), hint="save it as UTF-8"
                ) from error
    if not lines:
        raise InputError("names no page", file=file, hint=_NEXT)
    if all(line.isdecimal() for line in lines):
        keys = convert(pa.array(lines), pa.int64(), column="id", where=Where(file))
    else:
        keys = pa.array(lines)
    return PageList(file, keys, np.ones(len(lines)))


def _from_table(table: pa.Table, file: str) -> PageList:
    held = [name for name in ("url", "source_id", "id") if name in table.column_names and len(table[name].drop_null())]
    if table.num_rows and not held:
        raise InputError("has neither a column url nor id", file=file, hint=_NEXT)
    if not table.num_rows:
        raise InputError("names no page", file=file, hint=_NEXT)
    name = held[0]
    kind = pa.string() if name == "url" else pa.int64()
    keys = convert(table[name].combine_chunks(), kind, column=name, where=Where(file))
    weights = np.ones(len(keys))
    if "weight" in table.column_names:
        given = convert(table["weight"].combine_chunks(), pa.float64(), column="weight", where=Where(file))
        weights = given.fill_null(1.0).to_numpy()
    if keys.null_count:
        raise InputError(f"a row has no {name}", file=file, hint="fill it")
    return PageList(file, keys, weights)
