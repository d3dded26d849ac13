"""Adjacency lists as WebGraph writes them (ASCIIGraph): a first line n, then line i = the targets of page i, from 0."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np
import pyarrow as pa

from seedrank.core.errors import InputError, UsageError
from seedrank.engines.kernels.text import FINE, NEGATIVE, NOT_A_NUMBER, TOO_LARGE, TOO_MANY, read_lists
from seedrank.graph import MAX_PAGES
from seedrank.loaders.base import Batch, Where
from seedrank.loaders.compressed import MAX_ROWS, Input
from seedrank.loaders.files import FileSource
from seedrank.loaders.records import cut

__all__ = ["AdjacencySource"]

_HEADER = 2
"""1-based line of page 0."""


class AdjacencySource(FileSource):
    """A file of adjacency lists, ready to read (`seedrank.loaders.base.Source`).

    Targets are divided by spaces; a blank line is a page without links. There are no comments: every line is a page.

    Parameters
    ----------
    files
        One file, plain, gzip or Zstandard, or ``-``, standard input.
    """

    def __init__(self, files: Sequence[str]) -> None:
        if len(files) != 1:
            raise UsageError("adjacency lists are one file", hint="name one: every file numbers its pages from 0")
        super().__init__("adjacency", [("adjacency", Input(str(files[0])))])

    def batches(self) -> Iterator[Batch]:
        """Read everything once: pages 0 to n - 1 (column ``id``), then links."""
        source = self.inputs[0][1]
        file = source.name
        pieces = cut(source.chunks(), file, b" \n")
        first = next(pieces, b"")
        header, _, rest = first.partition(b"\n")
        pages = _page_count(header, file, empty=not first.strip())
        following = next(pieces, b"")
        if not following:
            _check_lists(rest.count(b"\n") + (not rest.endswith(b"\n") and bool(rest)), pages, file)
        elif source.size is not None and pages > source.size:
            # Only a file that packs lists well holds so many: count them before pages are made.
            _check_lists(_count_lists(source), pages, file)
        for start in range(0, pages, MAX_ROWS):
            ids = np.arange(start, min(start + MAX_ROWS, pages), dtype=np.int64)
            yield Batch("pages", pa.record_batch({"id": ids}), Where(file, _HEADER + start))
        page = 0
        last = b"\n"
        while rest:
            sources, targets, page = _lists(rest, page, pages, file)
            for start in range(0, len(sources), MAX_ROWS):
                part = slice(start, start + MAX_ROWS)
                links = pa.record_batch({"source": sources[part], "target": targets[part]})
                yield Batch("links", links, Where(file, int(sources[start]) + _HEADER, sources[part] + _HEADER))
            last = rest[-1:]
            rest, following = following, next(pieces, b"")
        _check_lists(page + (last != b"\n"), pages, file)


def _count_lists(source: Input) -> int:
    """How many lines there are below the first."""
    lines, last = -1, b"\n"
    for chunk in source.chunks():
        lines, last = lines + chunk.count(b"\n"), chunk[-1:]
    return lines + (last != b"\n")


def _check_lists(lines: int, pages: int, file: str) -> None:
    if lines < pages:
        raise InputError(
            f"{lines:,} lists, and the first line says {pages:,} pages",
            file=file,
            line=lines + _HEADER - 1,
            hint="a page without links has a blank line; is the file complete?",
        )


def _page_count(header: bytes, file: str, *, empty: bool) -> int:
    if empty:
        raise InputError("is empty", file=file, hint="the first line is the number of pages")
    digits = header.strip()
    if not digits.isdigit():
        raise InputError(
            "is not a number of pages",
            file=file,
            line=1,
            value=header[:100],
            hint="the first line holds it, and no more",
        )
    if len(digits) > 10 or int(digits) > MAX_PAGES:
        raise InputError("too many pages", file=file, line=1, value=header[:100], hint=f"at most {MAX_PAGES}")
    return int(digits)


def _lists(text: bytes, page: int, pages: int, file: str) -> tuple[np.ndarray, np.ndarray, int]:
    """Sources and targets of the links in a piece of the file, and the page that the next byte belongs to."""
    room = len(text) // 2 + 1
    sources, targets = np.empty(room, np.int64), np.empty(room, np.int64)
    count, page, wrong, at = read_lists(np.frombuffer(text, np.uint8), page, pages, sources, targets)
    if wrong == FINE:
        return sources[:count], targets[:count], page
    line = page + _HEADER
    if wrong == TOO_MANY:
        raise InputError(f"a line too many: the first line says {pages:,} pages", file=file, line=line)
    message, hint = {
        NOT_A_NUMBER: ("is not a page", "targets are whole numbers divided by spaces"),
        NEGATIVE: ("is negative", f"pages are 0 to {pages - 1}"),
        TOO_LARGE: ("is not a page", f"pages are 0 to {pages - 1}"),
    }[wrong]
    value = text[at : at + 100].split()[0].decode(errors="backslashreplace")
    raise InputError(message, file=file, line=line, value=value, hint=hint)
