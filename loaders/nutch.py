"""Apache Nutch's CrawlDb, LinkDb and segments, as Nutch stores them or as its tools print them, told apart by content.

Nutch stores each as SequenceFiles in folders: ``crawldb/current/part-r-00000/data``, ``linkdb/current/…``,
``segments/20260101120000/parse_data/part-r-00000/data``.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from functools import partial
from itertools import chain
from pathlib import Path

import numpy as np
import pyarrow as pa

from seedrank.core.errors import InputError
from seedrank.loaders.base import Batch, Where
from seedrank.loaders.compressed import MAX_ROWS, Input
from seedrank.loaders.files import FileSource
from seedrank.loaders.hadoop import MAGIC, Records, SequenceFile
from seedrank.loaders.nutch_dumps import CSV_HEADER, crawldb_csv, crawldb_json, crawldb_text, linkdb_text, segment_text
from seedrank.loaders.nutch_records import datum_pages, inlinks, parse_links
from seedrank.loaders.nutch_rows import Report, Rows
from seedrank.loaders.records import cut_before
from seedrank.loaders.spans import lines_of

__all__ = ["CrawlDbSource", "LinkDbSource", "SegmentSource"]

_TEXT_KEY = "org.apache.hadoop.io.Text"
_DATUM, _PARSE, _INLINKS = (
    f"org.apache.nutch.{name}" for name in ("crawl.CrawlDatum", "parse.ParseData", "crawl.Inlinks")
)
_PARTS = ("crawl_generate", "crawl_fetch", "parse_data")
"""Folders of a segment that are read; what was fetched comes after what was chosen."""
_HEAD = 4096

_Records = Callable[[Records, Report], Iterator[Rows]]
_Lines = Callable[[pa.Array, Report], Iterator[Rows]]

_NAMES = {"crawldb": "CrawlDb", "linkdb": "LinkDb", "segment": "segment"}
_DUMPS: tuple[tuple[str, bytes, bytes, _Lines], ...] = (
    ("crawldb", rb"\A" + re.escape(CSV_HEADER), b'\n"', crawldb_csv),
    ("crawldb", rb"\A\s*\{", b"\n", crawldb_json),
    ("crawldb", rb"\A\s*[^\t\n]+\tVersion: ", b"\tVersion: ", crawldb_text),
    ("linkdb", rb"\A\s*[^\t\n]+\tInlinks:", b"\tInlinks:", linkdb_text),
    ("segment", rb"\A\s*Recno:: ", b"\nRecno:: ", segment_text),
)
"""What a dump is of, how it begins, what its records begin with, and who reads it."""


class _NutchSource(FileSource):
    """Files of one of Nutch's databases."""

    def __init__(self, kind: str, files: Sequence[str], readers: dict[str, _Records], *, strict: bool) -> None:
        super().__init__(f"nutch-{kind}", [(kind, Input(file)) for file in files], strict=strict)
        self._kind, self._readers = kind, readers

    def batches(self) -> Iterator[Batch]:
        """Read everything once."""
        self.check()
        empty = True
        for _, source in self.inputs:
            chunks = source.chunks()
            head = b""
            while len(head) < _HEAD and (chunk := next(chunks, b"")):
                head += chunk
            if head:
                empty = False
                read = self._sequence if head.startswith(MAGIC) else partial(self._dump, head[:_HEAD])
                yield from read(chain([head], chunks), source.name)
        if empty:
            raise InputError("is empty", file=self.files[0], hint="give a file or folder that holds something")

    def _sequence(self, chunks: Iterator[bytes], file: str) -> Iterator[Batch]:
        sequence = SequenceFile(chunks, file, self.broken)
        read = self._readers.get(sequence.value_class)
        if sequence.key_class != _TEXT_KEY or read is None:
            raise InputError(
                f"is not part of a {_NAMES[self._kind]}: it holds {sequence.key_class} and {sequence.value_class}",
                file=file,
                hint="a CrawlDb holds Text and CrawlDatum, a LinkDb Text and Inlinks, "
                "parse_data of a segment Text and ParseData",
            )
        for records in sequence.records():

            def report(row: int, reason: str, offsets: np.ndarray = records.offsets) -> None:
                self.broken.add(reason, Where(file, int(offsets[row]), unit="byte"))

            for rows in read(records, report):
                yield from _batches(rows, Where(file, lines=records.offsets[rows.of], unit="byte"))

    def _dump(self, head: bytes, chunks: Iterator[bytes], file: str) -> Iterator[Batch]:
        kind, mark, read = _recognised(head, file)
        if kind != self._kind:
            raise InputError(f"is a dump of a {_NAMES[kind]}", file=file, hint=f"load it as nutch-{kind}")
        line = 1
        for piece in cut_before(chunks, file, mark):

            def report(row: int, reason: str, first: int = line) -> None:
                self.broken.add(reason, Where(file, first + row))

            for rows in read(lines_of(piece), report):
                yield from _batches(rows, Where(file, lines=rows.of + line))
            line += piece.count(b"\n")


class CrawlDbSource(_NutchSource):
    """Pages of CrawlDbs, ready to read (`seedrank.loaders.base.Source`).

    Parameters
    ----------
    paths
        Folders that Nutch keeps, or that ``readdb -dump`` wrote (CSV, JSON, text or another CrawlDb), or files of them.
    """

    def __init__(self, paths: Sequence[str], *, strict: bool = False) -> None:
        files = [file for path in paths for file in _database(path)]
        super().__init__("crawldb", files, {_DATUM: partial(datum_pages, segment=False)}, strict=strict)
        self.notes.append("a CrawlDb has pages and no links: load the segments or the LinkDb too")


class LinkDbSource(_NutchSource):
    """Links of LinkDbs, ready to read (`seedrank.loaders.base.Source`).

    Parameters
    ----------
    paths
        Folders that Nutch keeps, or that ``readlinkdb -dump`` wrote, or files of them.
    """

    def __init__(self, paths: Sequence[str], *, strict: bool = False) -> None:
        files = [file for path in paths for file in _database(path)]
        super().__init__("linkdb", files, {_INLINKS: inlinks}, strict=strict)
        self.notes.append(
            "a LinkDb has no links inside a host and at most 10,000 links to a page, unless Nutch was configured "
            "otherwise"
        )


class SegmentSource(_NutchSource):
    """Pages and links of segments, ready to read (`seedrank.loaders.base.Source`).

    Parameters
    ----------
    paths
        Segments, folders of segments, what ``readseg -dump`` wrote, or files of them.
    """

    def __init__(self, paths: Sequence[str], *, strict: bool = False) -> None:
        files = [file for path in paths for file in _segments(path)]
        readers: dict[str, _Records] = {_DATUM: partial(datum_pages, segment=True), _PARSE: parse_links}
        super().__init__("segment", files, readers, strict=strict)
        self.notes.append("a segment has at most 100 links of a page, unless Nutch was configured otherwise")


def _recognised(head: bytes, file: str) -> tuple[str, bytes, _Lines]:
    for kind, begin, mark, read in _DUMPS:
        if re.match(begin, head):
            return kind, mark, read
    raise InputError(
        "is nothing that Nutch writes",
        file=file,
        hint="give a folder of Nutch's, or a dump by readdb, readlinkdb or readseg",
    )


def _batches(rows: Rows, where: Where) -> Iterator[Batch]:
    assert where.lines is not None
    for start in range(0, rows.table.num_rows, MAX_ROWS):
        part = replace(where, lines=where.lines[start : start + MAX_ROWS])
        yield Batch(rows.kind, rows.table.slice(start, MAX_ROWS), part, typed=True)


def _database(path: str) -> list[str]:
    """Files of a CrawlDb or LinkDb, or of its dump; a file stands for itself."""
    folder = Path(path)
    if not folder.is_dir():
        return [path]
    if (folder / "current").is_dir():
        folder = folder / "current"
    files = _data_files(folder)
    if not files:
        raise InputError("holds no file of Nutch's", file=path, hint="such a folder has current/part-r-00000/data")
    return files


def _segments(path: str) -> list[str]:
    """Files of a segment, of a folder of segments, or of a dump; a file stands for itself."""
    folder = Path(path)
    if not folder.is_dir():
        return [path]
    if (folder / "segments").is_dir():
        folder = folder / "segments"
    segments = [one for one in (folder, *_entries(folder)) if any((one / part).is_dir() for part in _PARTS)]
    files = [file for one in segments for part in _PARTS if (one / part).is_dir() for file in _data_files(one / part)]
    files = files or _data_files(folder)
    if not files:
        raise InputError("holds no segment", file=path, hint=f"a segment has the folders {', '.join(_PARTS)}")
    return files


def _data_files(folder: Path) -> list[str]:
    """The parts of Hadoop's output: files, or folders (MapFiles) with a file ``data``."""
    files = [one / "data" if (one / "data").is_file() else one for one in _entries(folder) if one.name != "index"]
    return [str(file) for file in files if file.is_file()]


def _entries(folder: Path) -> list[Path]:
    try:
        return sorted(one for one in folder.iterdir() if not one.name.startswith((".", "_")))
    except OSError as error:
        raise InputError(
            f"cannot be read ({error.strerror})", file=str(folder), hint="check the folder and its permissions"
        ) from error
