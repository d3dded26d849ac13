"""Indexes of web archives: CDX (columns) and CDXJ (JSON), which know pages and their status, and no links."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, ClassVar, Literal

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.json as pa_json

from seedrank.core.errors import InputError
from seedrank.core.model import Status
from seedrank.loaders.base import Batch, Where
from seedrank.loaders.charsets import sound
from seedrank.loaders.compressed import MAX_ROWS, Input
from seedrank.loaders.files import FileSource
from seedrank.loaders.lines import truth
from seedrank.loaders.page_types import types_of
from seedrank.loaders.records import cut

__all__ = ["CdxSource"]

_FORMS = {
    7: "N b a m s k S",
    9: "N b a m s k r V g",
    10: "N b a m s k r M V g",
    11: "N b a m s k r M S V g",
}
"""Letters of the fields by their number, for files that do not begin with them."""
_TEXT = pa.large_string()
_NONE = pa.scalar(None, _TEXT)
_NO_STATUS = pa.scalar(None, pa.string())
_HINT = "its first line names fields, ` CDX N b a m s k r M S V g`, or lines have 7, 9, 10 or 11 of them"


class CdxSource(FileSource):
    """CDX or CDXJ files, ready to read (`seedrank.loaders.base.Source`).

    A line is a capture of a page. A status 2xx makes the page crawled, 404 and 410 make it missing; a redirect is
    followed where the line says where it leads. Captures of one page are merged: the best status stands. Lines that
    are not of http or https are left out.

    Parameters
    ----------
    form
        ``cdx``: fields divided by spaces, named by the letters of a first line `` CDX N b a …`` or known by their
        number (7, 9, 10 or 11). ``cdxj``: key, time and a JSON object.
    strict
        Stop at the first line that cannot be read; otherwise such lines are counted and left out.
    """

    letters: ClassVar[Mapping[str, str]] = {"a": "url", "m": "mime", "s": "status", "r": "redirect"}
    """Fields that are read of a CDX file, by their letters."""
    keys: ClassVar[Mapping[str, tuple[str, ...]]] = {
        "url": ("url", "uri"),
        "mime": ("mime", "mct"),
        "status": ("status", "hsc"),
        "redirect": ("redirect",),
    }
    """What the JSON of an index calls them: as pywb and Common Crawl do, and as OpenWayback does."""

    def __init__(self, files: Sequence[str], *, form: Literal["cdx", "cdxj"] = "cdx", strict: bool = False) -> None:
        super().__init__(form, [(form, Input(str(file))) for file in files], strict=strict)
        self._form = form
        self._letters: list[str] = []
        self._others = 0

    def batches(self) -> Iterator[Batch]:
        """Read everything once, in batches of pages."""
        self.check()
        read = self._columns if self._form == "cdx" else self._objects
        for _, source in self.inputs:
            self._letters, seen = [], False
            for first, lines in _lines_of(source):
                rows = np.flatnonzero(pc.greater(pc.binary_length(lines), 0).to_numpy(zero_copy_only=False))
                if len(rows):
                    seen = True
                    yield from self._pages(*read(lines.take(pa.array(rows)), rows + first, source.name), source.name)
            if not seen:
                raise InputError("is empty", file=source.name, hint="a line is a capture of a page")
        self.notes.append("an index knows pages and their status, not their links: load its archives for links")
        if self._others:
            self.notes.append(f"lines of no web page left out (DNS, FTP): {self._others:,}")

    def _columns(self, lines: pa.Array, numbers: np.ndarray, file: str) -> tuple[dict[str, pa.Array], np.ndarray]:
        """Fields of lines of a CDX file, and the numbers of those lines that have them."""
        named = truth(pc.starts_with(lines, "CDX "))
        if not self._letters:
            first = lines[0].as_py()
            count = first.count(" ") + 1
            self._letters = first.split(" ")[1:] if named[0] else _FORMS.get(count, "").split()
            if "a" not in self._letters:
                wrong = f"{count} fields" if not named[0] else "no field a, the URL"
                raise InputError(
                    f"is not a CDX file ({wrong})", file=file, line=int(numbers[0]), value=first, hint=_HINT
                )
        # A file that was put together of several has the line of letters several times.
        lines, numbers = lines.filter(pa.array(~named)), numbers[~named]
        fields = pc.split_pattern(lines, " ")
        whole = truth(pc.equal(pc.list_value_length(fields), len(self._letters)))
        self._leave_out(f"not {len(self._letters)} fields", ~whole, lines, numbers, file)
        fields, numbers = fields.filter(pa.array(whole)), numbers[whole]
        found = {}
        for place, letter in enumerate(self._letters):
            if letter in self.letters:
                texts = pc.list_element(fields, place)
                found[self.letters[letter]] = pc.if_else(pc.equal(texts, "-"), _NONE, texts)
        return found, numbers

    def _objects(self, lines: pa.Array, numbers: np.ndarray, file: str) -> tuple[dict[str, pa.Array], np.ndarray]:
        """Fields of lines of a CDXJ file, and the numbers of those lines that have them."""
        comments = truth(pc.match_substring_regex(lines, "^[!@#]"))
        lines, numbers = lines.filter(pa.array(~comments)), numbers[~comments]
        parts = pc.split_pattern(lines, "{", max_splits=1)
        whole = truth(pc.equal(pc.list_value_length(parts), 2))
        parts = parts.filter(pa.array(whole))
        before, rest = pc.list_element(parts, 0), pc.list_element(parts, 1)
        brace, end, nothing = (pa.scalar(text, _TEXT) for text in ("{", "\n", ""))
        objects = pc.binary_join_element_wise(brace, rest, end, nothing)
        self._leave_out("no JSON object", ~whole, lines, numbers, file)
        numbers = numbers[whole]
        found = _by_arrow(objects, self.keys)
        if found is None:
            found, wrong = _one_by_one(objects, self.keys)
            self._leave_out("the JSON object cannot be read", wrong, objects, numbers, file)
            before, numbers = before.filter(pa.array(~wrong)), numbers[~wrong]
        return self._with_time(found, before), numbers

    def _with_time(self, found: dict[str, pa.Array], before: pa.Array) -> dict[str, pa.Array]:
        """The fields of lines; `before` has what stands before their objects."""
        return found

    def _leave_out(
        self, reason: str, wrong: np.ndarray, lines: pa.Array | None, numbers: np.ndarray, file: str
    ) -> None:
        text = None if lines is None else lambda row: lines[row].as_py().rstrip("\n")
        self.broken.add(reason, Where(file, lines=numbers), np.flatnonzero(wrong), text)

    def _pages(self, fields: dict[str, pa.Array], numbers: np.ndarray, file: str) -> Iterator[Batch]:
        """Rows of pages."""
        urls = fields["url"]
        self._leave_out("no URL", urls.is_null().to_numpy(zero_copy_only=False), None, numbers, file)
        web = truth(pc.match_substring_regex(urls, "(?i)^https?://"))
        self._others += len(urls) - urls.null_count - int(web.sum())
        kept = pa.array(web)
        empty = pa.nulls(len(urls), _TEXT)
        urls, codes, mimes, leads = (
            fields.get(name, empty).filter(kept) for name in ("url", "status", "mime", "redirect")
        )
        if not len(urls):
            return
        there = pc.fill_null(pc.match_substring_regex(codes, "^2[0-9][0-9]$"), False)
        gone = pc.fill_null(pc.is_in(codes, pa.array(["404", "410"], _TEXT)), False)
        leading = pc.and_(pc.match_substring_regex(codes, "^30[012378]$"), pc.match_substring_regex(leads, "^https?:"))
        rows = {
            "url": urls,
            "status": pc.if_else(there, Status.CRAWLED.label, pc.if_else(gone, Status.MISSING.label, _NO_STATUS)),
            "type": types_of(urls, pc.if_else(there, mimes, _NONE)),
            "redirect": pc.if_else(pc.fill_null(leading, False), leads, _NONE),
        }
        yield Batch("pages", pa.record_batch(rows), Where(file, lines=numbers[web]), typed=True)


def _by_arrow(objects: pa.Array, keys: Mapping[str, tuple[str, ...]]) -> dict[str, pa.Array] | None:
    """Fields of JSON objects, a line each; `None` where one of them cannot be read so."""
    if not len(objects):
        return dict.fromkeys(keys, objects)
    text = objects.buffers()[2]
    schema = pa.schema([(key, pa.string()) for names in keys.values() for key in names])
    options = pa_json.ParseOptions(explicit_schema=schema, unexpected_field_behavior="ignore")
    try:
        table = pa_json.read_json(pa.BufferReader(text), pa_json.ReadOptions(block_size=len(text) + 1), options)
    except pa.ArrowInvalid:
        return None
    if table.num_rows != len(objects):
        return None
    return {
        name: pc.coalesce(*(table[key].cast(_TEXT).combine_chunks() for key in names)) for name, names in keys.items()
    }


def _one_by_one(objects: pa.Array, keys: Mapping[str, tuple[str, ...]]) -> tuple[dict[str, pa.Array], np.ndarray]:
    """The same where Arrow gives up: a line is broken, or has numbers in the place of texts."""
    rows: list[dict[str, str | None]] = []
    wrong = np.zeros(len(objects), np.bool_)
    for row, text in enumerate(objects.to_pylist()):
        try:
            found = json.loads(text)
        except (ValueError, RecursionError):
            wrong[row] = True
            continue
        rows.append({name: _said(found, names) for name, names in keys.items()})
    return {name: pa.array([row[name] for row in rows], _TEXT) for name in keys}, wrong


def _said(found: dict[str, Any], keys: tuple[str, ...]) -> str | None:
    for key in keys:
        value = found.get(key)
        if isinstance(value, (str, int)):
            return sound(str(value))
    return None


_NOT_ASCII = re.compile(rb"[\x80-\xff]")


def _lines_of(source: Input) -> Iterator[tuple[int, pa.Array]]:
    """The lines of a file, without white space around them, some at a time.

    Bytes that are no UTF-8 are written as URLs write them (``%E9``), and so is all that is not ASCII in their block.

    Yields
    ------
    tuple
        1-based number of the first line, and the lines (large_string).
    """
    number = 1
    for block in cut(source.chunks(), source.name):
        data = np.frombuffer(_as_utf8(block), np.uint8)
        ends = np.flatnonzero(data == ord("\n")) + 1
        if not len(ends) or ends[-1] < len(data):
            ends = np.append(ends, len(data))
        bounds = np.append(0, ends)
        buffers = [None, pa.py_buffer(bounds), pa.py_buffer(data)]
        lines = pa.Array.from_buffers(pa.large_string(), len(ends), buffers)
        for start in range(0, len(lines), MAX_ROWS):
            some = lines[start : start + MAX_ROWS]
            yield number, pc.ascii_trim_whitespace(some)
            number += len(some)


def _as_utf8(block: bytes) -> bytes:
    try:
        block.decode()
    except UnicodeDecodeError:
        return _NOT_ASCII.sub(lambda byte: b"%%%02X" % byte[0][0], block)
    return block
