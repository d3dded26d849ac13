"""Which format a file has, by its content."""

from __future__ import annotations

import itertools
import json
import re
from collections.abc import Sequence
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq

from seedrank.core.errors import InputError, UsageError
from seedrank.core.model import TABLES
from seedrank.loaders.base import LoadOptions, Source
from seedrank.loaders.compressed import STDIN, Input
from seedrank.loaders.formats import FORMATS, source_of
from seedrank.loaders.levels import link_ends
from seedrank.loaders.queryclicks import names_clicks
from seedrank.loaders.table import TableSource

__all__ = ["recognise", "recognised_source"]

_HEAD = 1 << 18
"""Bytes that are looked at."""
_LINES = 50
_NUMBER, _NAME = r"\d+", r"(?=[^\t]*[a-z])[a-z0-9_-]+(?:\.[a-z0-9_-]+)*"
_RULES: tuple[tuple[str, str], ...] = (
    ("heritrix-log", r"\d{4}-\d\d-\d\dT\S+\s+-?\d+\s+(?:-|\d+)\s+\S+:\S+\s+.*#\d+"),
    ("access-log", r"(?:\S+ )?\S+ \S+ \S+ \[\d\d/[A-Z][a-z]{2}/\d{4}:[^\]]+\] \""),
    ("cdxj", r"\S+\)\S* \d{4,14} \{"),
    ("cdx", r"\S+\)\S* \d{4,14} \S+ \S+ (?:\d{3}|-) "),
    ("nutch-crawldb", r"Url,Status code,Status name,|\S+\tVersion: \d+$"),
    ("nutch-linkdb", r"\S+\tInlinks:$"),
    ("nutch-segment", r"Recno:: \d+$"),
    ("clickstream", r"[^\t]+\t[^\t]+\t(?:link|external|other)\t\d+$"),
    ("cc-webgraph", rf"{_NUMBER}\t{_NAME}(?:\t{_NUMBER})?$"),
    ("adjacency", rf"{_NUMBER}$"),
    ("snap", rf"{_NUMBER}[ \t]+{_NUMBER}$"),
)
"""What the first line that is no comment looks like."""
_VALUES = {
    b"nutch.crawl.CrawlDatum": "nutch-crawldb",
    b"nutch.crawl.Inlinks": "nutch-linkdb",
    b"ParseData": "nutch-segment",
}
_MARKS = {
    "links": [{"source", "target"}],
    "events": [{"time", "url"}, {"time", "id"}],
    "results": [{"query", "url"}, {"query", "id"}],
    "queries": [{"query"}],
    "pages": [{"url"}, {"id"}],
    "hosts": [{"host"}],
}
"""Columns that tell the kind of a table, in the order in which they are tried."""


def recognised_source(files: Sequence[str | Path], options: LoadOptions | None = None) -> Source:
    """The loader of files, ready to read; its first note says what they were taken for.

    Tables may be of several kinds; otherwise all files must have one format.
    """
    names = [str(file) for file in files]
    if not names:
        raise UsageError("no file is given", hint="name one")
    found = {name: recognise(name) for name in names}
    formats = set(found.values())
    if "cc-webgraph" in formats and formats <= {"cc-webgraph", "snap"}:
        formats = {"cc-webgraph"}  # its edges alone look like an edge list
    if all(one.startswith("table:") for one in formats):
        tables = {kind: [name for name in names if found[name] == f"table:{kind}"] for kind in _MARKS}
        source: Source = TableSource(
            pages=tables["pages"],
            links=tables["links"],
            hosts=tables["hosts"],
            queries=tables["queries"],
            results=tables["results"],
            events=tables["events"],
            options=options,
        )
        taken = ", ".join(f"{', '.join(some)} as {kind}" for kind, some in tables.items() if some)
        source.notes.insert(0, f"took {taken}, a table")
        return source
    if len(formats) > 1:
        said = ", ".join(f"{name} is {_words(one)}" for name, one in found.items())
        raise UsageError(f"the files have several formats: {said}", hint=_HOW_TO_PART, fields=("pages", "links"))
    (format,) = formats
    source = source_of(format, names, options)
    source.notes.insert(0, f"took {', '.join(names)} for {FORMATS[format].about} ({format})")
    return source


_HOW_TO_PART = "load each by itself; pages and links that name them by id go together as tables ({pages} and {links})"


def recognise(file: str) -> str:
    """The format of a file or folder: a word of `seedrank.loaders.formats.FORMATS`, or ``table:KIND``.

    Raises
    ------
    InputError
        Where it looks like nothing that is known.
    """
    path = Path(file)
    if path.is_dir():
        return _folder(path)
    if path.suffix == ".graph" or (not path.exists() and path.with_name(f"{path.name}.properties").is_file()):
        return "bvgraph"
    if file == STDIN:
        raise UsageError("standard input can be read only once", hint="name its format, or put it into a file")
    head = _head(file)
    found = _parquet(file) if head.startswith(b"PAR1") else _sequence(head) or _archive(head) or _text(head)
    if found is None:
        raise InputError(
            "looks like no format that is known", file=file, hint=f"name its format: table, {', '.join(FORMATS)}"
        )
    return found


def _words(format: str) -> str:
    return f"a table of {format.removeprefix('table:')}" if format.startswith("table:") else FORMATS[format].about


def _head(file: str) -> bytes:
    chunks = Input(file).chunks()
    head = b""
    for chunk in chunks:
        head += chunk[:_HEAD]
        if len(head) >= _HEAD:
            break
    if not head:
        raise InputError("is empty", file=file, hint="check the path")
    return head


def _folder(path: Path) -> str:
    """What a folder holds: one of Nutch's, or saved pages."""
    for part in ("", "*/", "*/*/"):
        if any(path.glob(f"{part}parse_data")) or any(path.glob(f"{part}crawl_parse")):
            return "nutch-segment"
    for data in itertools.islice(path.glob("**/part-*/data"), 1):
        if (found := _sequence(_head(str(data)))) is not None:
            return found
    if any(path.glob("**/*.htm*")):
        return "html"
    raise InputError("holds nothing that is known", file=str(path), hint="name the format of its files")


def _sequence(head: bytes) -> str | None:
    """What a SequenceFile of Hadoop holds, by the class of its values."""
    if not head.startswith(b"SEQ"):
        return None
    return next((format for name, format in _VALUES.items() if name in head[:400]), None)


def _parquet(file: str) -> str | None:
    try:
        names = pq.read_schema(file).names
    except (OSError, pa.ArrowInvalid):
        return None
    kind = _table([name.lower() for name in names])
    return None if kind is None else f"table:{kind}"


def _archive(head: bytes) -> str | None:
    if head.startswith(b"WARC/"):
        return "wat" if b'"Envelope"' in head and b"WARC-Type: metadata" in head else "warc"
    if head.startswith(b"filedesc://"):
        return "warc"
    if re.match(rb".?CDX(?: [A-Za-z])+\s", head):
        return "cdx"
    return None


def _text(head: bytes) -> str | None:
    text = head.decode("utf-8", errors="replace").removeprefix("\ufeff")
    whole = text.splitlines()[: -1 if len(head) >= _HEAD else None]
    lines = [line for line in whole if line.strip() and not line.startswith("#")][:_LINES]
    if not lines:
        return None
    if lines[0].startswith("{"):
        return _json_table(lines[0])
    header = _header(lines[0])
    kind = _table(header)
    if kind in ("events", "queries") and "\t" in lines[0] and names_clicks(header):
        return "query-clicks"
    for format, pattern in _RULES:
        # The header of a CrawlDb's dump would do for a table of pages too.
        if re.match(pattern, lines[0]) and (kind is None or format == "nutch-crawldb"):
            return format
    if kind is not None:
        return f"table:{kind}"
    return "query-clicks" if all(re.fullmatch(r"[^\t]+\t\S+\t\d+", line) for line in lines) else None


def _header(line: str) -> list[str]:
    separator = max("\t,;|", key=line.count)
    return [name.strip().strip('"').lower() for name in line.split(separator)]


def _json_table(line: str) -> str | None:
    try:
        row = json.loads(line)
    except ValueError:
        return None
    kind = _table([str(name).lower() for name in row]) if isinstance(row, dict) else None
    return None if kind is None else f"table:{kind}"


def _table(names: Sequence[str]) -> str | None:
    """The kind of table that has these columns, by their names and aliases; `None` where no kind does."""
    ends = link_ends("links", names)
    for kind, marks in _MARKS.items():
        names = [ends.get(name, name) for name in names] if kind == "links" else names
        columns = {column.name for name in names if (column := TABLES[kind].column(name)) is not None}
        if any(mark <= columns for mark in marks):
            return kind
    return None
