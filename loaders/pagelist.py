"""Lists of pages: seeds, trusted pages, seeds in use.

One URL or source id a line, ``#`` comments, text after a TAB ignored; or CSV, TSV, JSON lines or Parquet with a column
``url`` or ``id`` and perhaps ``weight``. The first of the columns ``url``, ``source_id`` and ``id`` counts, so that
what a method wrote out is read back as the same pages. Lists for crawlers are read as well
(`seedrank.loaders.crawler_lists`), whatever their files are called. In lists for a graph of hosts or domains names
stand for URLs, and the columns ``host`` and ``domain`` count too.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

from seedrank.core.errors import InputError
from seedrank.core.levels import Level
from seedrank.loaders.base import Where
from seedrank.loaders.columns import convert
from seedrank.loaders.compressed import Input
from seedrank.loaders.crawler_lists import address, is_yaml, item, yaml_seeds
from seedrank.loaders.records import CSV, TSV, Dialect, fields_of, records

__all__ = ["PageList", "list_of_columns", "read_name_list", "read_page_list", "url_list"]

_NAMES: dict[Level, tuple[str, ...]] = {
    "page": ("url", "source_id", "id"),
    "host": ("host", "url", "source_id", "id"),
    "domain": ("domain", "url", "host", "source_id", "id"),
}
"""Columns that name a page, a host or a domain, the first of them that holds anything."""
_IDS = ("source_id", "id")
Names = tuple[str, ...]
_WEIGHT = "weight"
_NEXT = "give one URL or id a line, or a table with a column url or id"
_JSON_NEXT = 'give one JSON object a line, such as {"url": "http://a.example/"}'
_LONGEST = 1 << 20
"""Bytes of a line; no URL is longer."""


@dataclass(frozen=True)
class PageList:
    """Pages as a file names them, in its order."""

    file: str
    """The file, for messages."""
    keys: pa.Array
    """URLs (string) or source ids (int64)."""
    weights: np.ndarray
    """float64, 1 where the file gives none."""

    @property
    def by_url(self) -> bool:
        """Whether pages are named by URL."""
        return bool(pa.types.is_string(self.keys.type))


def url_list(text: str) -> PageList:
    """A list of URLs, or names of hosts, between spaces, as people give a few of them."""
    urls = text.split()
    return PageList("URLs", pa.array(urls, pa.string()), np.ones(len(urls)))


def list_of_columns(columns: Mapping[str, pa.Array], name: str, level: Level = "page") -> PageList:
    """A list of pages from the columns of a table in memory; `name` is what errors call it."""
    known = _NAMES[level]
    wanted = {one: column for one, column in columns.items() if one in (*known, _WEIGHT)}
    for one, column in wanted.items():
        _check_type(pa.field(one, column.type), name)
    return _from_columns({one: _whole(column) for one, column in wanted.items()}, known, Where(name))


def _whole(column: pa.Array | pa.ChunkedArray) -> pa.Array:
    return column.combine_chunks() if isinstance(column, pa.ChunkedArray) else column


def read_page_list(file: str, level: Level = "page") -> PageList:
    """Read a list of pages, or of hosts or domains; URLs and names are as the file has them, not yet normalised."""
    return _read(file, _NAMES[level])


def read_name_list(file: str) -> PageList:
    """Read a list of pages, hosts or domains of any graph by their URLs or names; ids do not count in tables."""
    return _read(file, ("url", "host", "domain"))


def _read(file: str, known: Names) -> PageList:
    source = Input(file)
    source.check()
    suffixes = [suffix.lower() for suffix in Path(file).suffixes]
    for suffix, read in _READERS.items():
        if suffix in suffixes:
            return read(source, known)
    return _from_lines(source, known)


def _lines(source: Input) -> Iterator[tuple[int, str]]:
    return ((line, text) for line, text, _ in _records(source, TSV))


def _records(source: Input, dialect: Dialect) -> Iterator[tuple[int, str, Dialect]]:
    """Line number, text and dialect of each record; blank lines and comments are left out."""
    for block in records(source.chunks(), dialect, source.name):
        for row in range(len(block)):
            line, raw = block.where.line(row), block.line(row)
            if len(raw) > _LONGEST:
                raise InputError(f"a line of {len(raw):,} bytes names no page", file=source.name, line=line, hint=_NEXT)
            try:
                yield line, raw.decode(), block.dialect
            except UnicodeDecodeError as error:
                raise InputError("is not UTF-8", file=source.name, line=line, hint="save it as UTF-8") from error


def _from_lines(source: Input, known: Names) -> PageList:
    lines = list(_lines(source))
    if lines and lines[0][1].lstrip().startswith("{"):
        return _from_objects(source.name, known, lines)
    named = yaml_seeds(lines, source.name) if is_yaml(lines) else ((line, address(text)) for line, text in lines)
    found = [(line, text) for line, text in named if text is not None]
    if not found:
        raise InputError("names no page", file=source.name, hint=_NEXT)
    keys = pa.array([text for _, text in found])
    if all(text.isdecimal() for _, text in found):
        where = Where(source.name, lines=np.array([line for line, _ in found]))
        keys = convert(keys, pa.int64(), column="id", where=where)
    return PageList(source.name, keys, np.ones(len(found)))


def _from_text(source: Input, known: Names, dialect: Dialect) -> PageList:
    rows = _records(source, dialect)
    line, header, dialect = next(rows, (0, "", dialect))
    names = [name.strip() for name in fields_of(header, dialect)]
    _check_names(names, known, source.name, line or None)
    columns: dict[str, list[str | None]] = {name: [] for name in names if name in (*known, _WEIGHT)}
    lines = []
    for line, text, dialect in rows:
        fields = fields_of(text, dialect)
        if len(fields) != len(names):
            raise InputError(
                f"{len(fields)} fields instead of {len(names)}", file=source.name, line=line, hint="check the line"
            )
        for name, field in zip(names, fields, strict=True):
            if name in columns:
                columns[name].append(field.strip() or None)
        lines.append(line)
    return _from_columns(
        {name: pa.array(values, pa.string()) for name, values in columns.items()},
        known,
        Where(source.name, lines=np.array(lines, np.int64)),
    )


def _from_objects(file: str, known: Names, rows: Iterable[tuple[int, str]]) -> PageList:
    """A list of JSON objects, one a line."""
    columns: dict[str, list[str | None]] = {name: [] for name in (*known, _WEIGHT)}
    lines = []
    for line, text in rows:
        try:
            row = json.loads(text)
        except (ValueError, RecursionError) as error:
            raise InputError("cannot be read as JSON", file=file, line=line, hint=_JSON_NEXT) from error
        if not isinstance(row, dict):
            kind = "null" if row is None else "an array" if isinstance(row, list) else "no object"
            raise InputError(f"a line is {kind}", file=file, line=line, hint=_JSON_NEXT)
        row = item(row)
        for name, values in columns.items():
            values.append(_json_field(row.get(name), name, file, line))
        lines.append(line)
    arrays = {name: pa.array(values, pa.string()) for name, values in columns.items()}
    return _from_columns(arrays, known, Where(file, lines=np.array(lines, np.int64)))


def _json_field(value: Any, name: str, file: str, line: int) -> str | None:
    """A URL, id or weight as text, as it would stand in a CSV file."""
    if value is None:
        return None
    fits = isinstance(value, str | int | float) if name in (*_IDS, _WEIGHT) else isinstance(value, str)
    if not fits or isinstance(value, bool):
        raise InputError(
            f"is not {'an' if name == 'id' else 'a'} {name}",
            file=file,
            line=line,
            column=name,
            value=json.dumps(value)[:100],
            hint=_JSON_NEXT,
        )
    if isinstance(value, float) and name != _WEIGHT and value.is_integer():
        value = int(value)  # as programs write ids of a column with gaps
    text = str(value)
    try:
        text.encode()
    except UnicodeEncodeError as error:
        raise InputError(
            "is not Unicode text", file=file, line=line, column=name, value=text, hint=_JSON_NEXT
        ) from error
    return text or None


def _from_parquet(source: Input, known: Names) -> PageList:
    # Opened here: Arrow takes no name that is not UTF-8.
    try:
        with Path(source.name).open("rb") as raw, pq.ParquetFile(raw) as file:
            schema = file.schema_arrow
            _check_names(schema.names, known, source.name, None)
            wanted = [name for name in (*known, _WEIGHT) if name in schema.names]
            for name in wanted:
                _check_type(schema.field(name), source.name)
            table = file.read(columns=wanted)
    except (pa.ArrowException, OSError) as error:
        reason = str(error).partition("\n")[0] or type(error).__name__
        raise InputError(f"cannot be read as parquet ({reason})", file=source.name, hint=_NEXT) from error
    return _from_columns({name: table[name].combine_chunks() for name in wanted}, known, Where(source.name))


def _check_names(names: list[str], known: Names, file: str, line: int | None) -> None:
    if names in ([], [""]):
        raise InputError("names no page", file=file, hint=_NEXT)
    for name in (*known, _WEIGHT):
        if names.count(name) > 1:
            raise InputError(f"two columns are {name}", file=file, line=line, hint="rename one")


def _check_type(field: pa.Field, file: str) -> None:
    kind = field.type.value_type if pa.types.is_dictionary(field.type) else field.type
    tests = (
        pa.types.is_string, pa.types.is_large_string, pa.types.is_binary, pa.types.is_large_binary,
        pa.types.is_integer, pa.types.is_floating, pa.types.is_null,
    )  # fmt: skip
    if not any(test(kind) for test in tests):
        raise InputError(f"holds {field.type}", file=file, column=field.name, hint="give text or numbers")


def _from_columns(columns: dict[str, pa.Array], known: Names, where: Where) -> PageList:
    rows = len(next(iter(columns.values()), ()))
    held = [name for name in known if name in columns and columns[name].null_count < rows]
    if not held and (rows or not any(name in columns for name in known)):
        raise InputError(f"has neither a column {known[0]} nor id", file=where.file, hint=_NEXT)
    if not rows:
        raise InputError("names no page", file=where.file, hint=_NEXT)
    name = held[0]
    keys = convert(columns[name], pa.int64() if name in _IDS else pa.string(), column=name, where=where)
    if keys.null_count:
        row = int(np.argmin(keys.is_valid().to_numpy(zero_copy_only=False)))
        raise where.error(row, f"a row has no {name}", "fill it")
    weights = np.ones(len(keys))
    if _WEIGHT in columns:
        weights = convert(columns[_WEIGHT], pa.float64(), column=_WEIGHT, where=where).fill_null(1.0).to_numpy()
        wrong = np.flatnonzero(~(np.isfinite(weights) & (weights >= 0)))
        if len(wrong):
            row = int(wrong[0])
            raise where.error(row, "is not a weight", "give 0 or more", column=_WEIGHT, value=float(weights[row]))
    return PageList(where.file, keys, weights)


_READERS: dict[str, Callable[[Input, Names], PageList]] = {
    ".csv": lambda source, known: _from_text(source, known, CSV),
    ".tsv": lambda source, known: _from_text(source, known, TSV),
    ".parquet": _from_parquet,
    ".json": lambda source, known: _from_objects(source.name, known, _lines(source)),
    ".jsonl": lambda source, known: _from_objects(source.name, known, _lines(source)),
}
