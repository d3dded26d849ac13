"""Tables as JSON lines: one flat object a line, plain, gzip or Zstandard, in batches of bounded size.

Fields that a line does not have are empty there. Columns of the user's own have the type their values have; a column
that holds strings and numbers is an error, unless the strings are marks of missing values or the column is kept as
text.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from seedrank.core.errors import InputError
from seedrank.engines.kernels.json import ESCAPED, FALSE, NESTED, NULL, NUMBER, STRING, TRUE, find_fields
from seedrank.engines.kernels.text import compact
from seedrank.loaders.base import Batch
from seedrank.loaders.columns import LinkEnds, failures, first_failure
from seedrank.loaders.compressed import MAX_ROWS
from seedrank.loaders.layout import Layout
from seedrank.loaders.mapping import Reading
from seedrank.loaders.parquet import typed_batch
from seedrank.loaders.records import TSV, Records, records
from seedrank.loaders.rejects import Rejects, Sieve

__all__ = ["read_json"]

_NEXT = 'give one object a line, such as {"url": "http://a.example/"}'
_NOT_UTF8 = ("is not UTF-8", "convert the file")
_NOT_UNICODE = ("is not Unicode text", "check its escapes")
_FLAT = "columns hold numbers, true or false, or text"
_CLASSES = np.zeros(NESTED + 1, np.int8)
_CLASSES[[STRING, ESCAPED]], _CLASSES[[TRUE, FALSE]] = 1, 2
_WORDS = (("a number", "numbers"), ("a string", "strings"), ("true or false", "true or false"))


def read_json(
    chunks: Iterator[bytes], file: str, kind: str, reading: Reading, *, ends: LinkEnds | None = None
) -> Iterator[Layout | Batch]:
    """Read a table: a `Layout` before the first rows, and another wherever a column comes that no line had before.

    Parameters
    ----------
    chunks
        The file's bytes in pieces of any size.
    reading
        What the user says about columns and values.
    ends
        For links: whether their ends are ids.

    Raises
    ------
    InputError
        For whatever is wrong with the file, with line, column and value.
    """
    names: dict[str, None] = {}
    layout: Layout | None = None
    for whole in records(chunks, TSV, file):
        for start in range(0, len(whole), MAX_ROWS):
            block = _objects(whole[start : start + MAX_ROWS], reading.rejects)
            if not len(block):
                continue
            fields = _fields(block)
            sieve = Sieve(reading.rejects, block.where, block.line)
            if layout is None or not fields.names.keys() <= names.keys():
                names.update(dict.fromkeys(fields.names))
                layout = reading.layout(kind, list(names), file=file, line=fields.block.where.line(0))
                yield replace(layout, how="JSON lines")
            rows = pa.RecordBatch.from_pydict(
                {name: _column(fields, name, layout, reading, sieve) for name in layout.kept}
            )
            yield typed_batch(layout, rows, fields.block.where, ends, reading, sieve)
    if layout is None:
        raise InputError("holds no object", file=file, hint=_NEXT)


@dataclass(frozen=True)
class _Fields:
    """The fields of a block: number of each name, and per field its record, name, value and kind."""

    block: Records
    names: dict[str, int]
    row: np.ndarray
    name: np.ndarray
    value: np.ndarray
    kind: np.ndarray


def _objects(block: Records, rejects: Rejects) -> Records:
    """The records that are objects; the others are rejected, where that is tolerated."""
    wrong: list[int] = []
    at = 0 if rejects.tolerant else len(block)
    while at < len(block):
        at += _scan(block[at:])[-1]
        if at < len(block):
            wrong.append(at)
            at += 1
    for row in wrong:
        rejects.refuse(_no_object(block, row), block.where, row, block.line)
    return block.without(np.array(wrong)) if wrong else block


def _scan(block: Records) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray, int]:
    """Record, key, value and kind of every field before the first record that is no object, and which that is."""
    room = int(np.count_nonzero(block.data == ord(":")))
    row, kind = np.empty(room, np.int32), np.empty(room, np.int8)
    key, value = np.empty((room, 2), np.int64), np.empty((room, 2), np.int64)
    count, wrong = find_fields(block.data, block.bounds, row, key, value, kind)
    return row[:count], key[:count], value[:count], kind[:count], wrong if wrong >= 0 else len(block)


def _fields(block: Records) -> _Fields:
    row, key, value, kind, wrong = _scan(block)
    if wrong < len(block):
        raise _no_object(block, wrong)
    encoded = _strings(block.data, key, np.arange(len(row)), len(row), pa.binary()).dictionary_encode()
    names: dict[str, int] = {}
    number = np.empty(len(encoded.dictionary), np.int32)
    for place, raw in enumerate(encoded.dictionary.to_pylist()):
        try:
            name = str(json.loads(b'"' + raw + b'"'))
            name.encode()
        except (ValueError, UnicodeError):
            first = int(row[np.flatnonzero(encoded.indices.to_numpy() == place)[0]])
            raise block.where.error(first, "the name of a field is not text", _NEXT, value=raw) from None
        number[place] = names.setdefault(name, len(names))
    return _Fields(block, names, row, number[encoded.indices.to_numpy()], value, kind)


def _column(fields: _Fields, name: str, layout: Layout, reading: Reading, sieve: Sieve) -> pa.Array:
    """A column with a row per record: text where its type is known or asked for, else as its values are."""
    mine = np.flatnonzero(fields.name == fields.names.get(name, -1))
    if (again := np.flatnonzero(np.diff(fields.row[mine]) == 0)).size:
        twice = mine[again + 1]
        _refuse(
            sieve, fields, twice, lambda at: _refused(fields, at, name, "is given twice in one object", "give it once")
        )
        mine = np.delete(mine, again + 1)
    mine = mine[fields.kind[mine] != NULL]
    kinds, owners = fields.kind[mine], fields.row[mine]
    if (nested := np.flatnonzero(kinds == NESTED)).size:
        hint = f"{_FLAT}; leave the column out"
        _refuse(sieve, fields, mine[nested], lambda at: _refused(fields, at, name, "is a list or an object", hint))
        mine = np.delete(mine, nested)
        kinds, owners = fields.kind[mine], fields.row[mine]
    text = _text(fields, mine, name, sieve)
    known, shown = layout.type_of(name), layout.kept[name]
    if known is not None or reading.is_text(shown):
        names_page = shown in ("id", "source", "target")
        # Programs write ids of a column with gaps as 7.0.
        return pc.replace_substring_regex(text, r"\.0+$", "") if names_page and (kinds == NUMBER).all() else text
    text = reading.without_missing(text)
    present = text.is_valid().to_numpy(zero_copy_only=False)[owners]
    classes = _CLASSES[kinds[present]]
    if not len(classes):
        return pa.nulls(len(fields.block))
    count = np.bincount(classes, minlength=len(_WORDS))
    most = int(count.argmax())
    if count[most] < len(classes):
        odd = np.flatnonzero(classes != most)
        word = _WORDS[classes[odd[0]]][0]
        places = mine[present][odd]
        _refuse(sieve, fields, places, lambda at: _mixed(fields, at, name, word, _WORDS[most][1], reading))
        text = pc.if_else(_marked(fields, places), None, text)
    if most == _CLASSES[NUMBER]:
        return _numbers(text)
    return pc.equal(text, "true") if most == _CLASSES[TRUE] else text


def _numbers(text: pa.Array) -> pa.Array:
    try:
        return text.cast(pa.int64())
    except pa.ArrowInvalid:
        return text.cast(pa.float64())


def _marked(fields: _Fields, places: np.ndarray) -> pa.Array:
    """Boolean per record: whether one of the fields is its."""
    marked = np.zeros(len(fields.block), np.bool_)
    marked[fields.row[places]] = True
    return pa.array(marked)


def _refuse(sieve: Sieve, fields: _Fields, places: np.ndarray, error: Callable[[int], InputError]) -> None:
    """Refuse the records of some fields; `error` says what is wrong with a field."""
    at = dict(zip(fields.row[places].tolist(), places.tolist(), strict=True)) if sieve.tolerant else {}
    bad = _marked(fields, places).to_numpy(zero_copy_only=False)
    sieve.refuse(bad, lambda row: error(at.get(row, int(places[0]))))


def _text(fields: _Fields, mine: np.ndarray, name: str, sieve: Sieve) -> pa.Array:
    """The values as text: numbers, true and false as they are written, strings without quotes and escapes."""
    block = fields.block
    text = _strings(block.data, fields.value[mine], fields.row[mine], len(block), pa.string())

    def fine(start: int, stop: int) -> bool:
        try:
            text[start:stop].validate(full=True)
        except pa.ArrowInvalid:
            return False
        return True

    bad = failures(len(text), fine) if sieve.tolerant else np.arange(len(text)) == first_failure(len(text), fine)
    if bad.any():
        _refuse(sieve, fields, mine[bad[fields.row[mine]]], lambda at: _refused(fields, at, name, *_NOT_UTF8))
        text = pc.if_else(pa.array(bad), None, text)
    escaped = mine[(fields.kind[mine] == ESCAPED) & ~bad[fields.row[mine]]]
    if not len(escaped):
        return text
    decoded: list[str | None] = []
    wrong: list[int] = []
    for place in escaped:
        start, stop = fields.value[place]
        try:
            found = str(json.loads(b'"' + block.data[start:stop].tobytes() + b'"'))
            found.encode()
            decoded.append(found)
        except (ValueError, UnicodeError):
            decoded.append(None)
            wrong.append(place)
    if wrong:
        _refuse(sieve, fields, np.array(wrong), lambda at: _refused(fields, at, name, *_NOT_UNICODE))
    mask = np.zeros(len(text), np.bool_)
    mask[fields.row[escaped]] = True
    return pc.replace_with_mask(text, pa.array(mask), pa.array(decoded, pa.string()))


def _strings(data: np.ndarray, spans: np.ndarray, owners: np.ndarray, rows: int, kind: pa.DataType) -> pa.Array:
    """Spans of the data as an array of `rows`, ascending `owners` having one each and the others none."""
    lengths = np.zeros(rows + 1, np.int32)
    lengths[owners + 1] = spans[:, 1] - spans[:, 0]
    has = np.zeros(rows, np.bool_)
    has[owners] = True
    found = compact(data, spans[:, 0], spans[:, 1])
    offsets = np.cumsum(lengths, dtype=np.int32)
    buffers = [pa.array(has).buffers()[1], pa.py_buffer(offsets), pa.py_buffer(found)]
    return pa.Array.from_buffers(kind, rows, buffers)


def _refused(fields: _Fields, place: int, name: str, message: str, hint: str) -> InputError:
    start, stop = fields.value[place]
    value = fields.block.data[start:stop].tobytes().decode(errors="backslashreplace")
    return fields.block.where.error(int(fields.row[place]), message, hint, column=name, value=value)


def _mixed(fields: _Fields, place: int, name: str, odd: str, most: str, reading: Reading) -> InputError:
    error = _refused(fields, place, name, f"is {odd}, and other rows have {most}", "make them alike")
    if not reading.mappable:
        return error
    way = "name what stands for no value with {missing}, or keep the column as text with {text}"
    return error.advising(way, joined=", ", fields=("missing", "text"))


def _no_object(block: Records, row: int) -> InputError:
    """What is wrong with a line, as Python's parser sees it."""
    raw, hint = block.line(row), _NEXT
    try:
        found = json.loads(raw)
        message = f"the line is {'a list' if isinstance(found, list) else 'no object'}"
        if isinstance(found, dict):
            message, hint = "is not strict JSON", "write numbers, not NaN"
    except (ValueError, RecursionError):
        message = "cannot be read as JSON"
    return block.where.error(row, message, hint, value=raw)
