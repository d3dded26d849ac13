"""Hadoop's SequenceFiles: keys and values as bytes, plain or compressed by record or by block.

A MapFile is a folder whose ``data`` is a SequenceFile. What keys and values mean is the reader's business.
"""

from __future__ import annotations

import bz2
import struct
import zlib
from collections.abc import Callable, Iterator
from dataclasses import dataclass

import numpy as np
import pyarrow as pa

from seedrank.core.errors import InputError, shorten
from seedrank.engines.kernels.hadoop import BAD_SYNC, FINE, find_frames, read_vints, vint_at
from seedrank.loaders.base import Where
from seedrank.loaders.compressed import BLOCK, MAX_ROWS
from seedrank.loaders.rejects import Rejects
from seedrank.loaders.spans import Spans

__all__ = ["CODECS", "MAGIC", "MAX_RECORD", "Corrupt", "Records", "SequenceFile", "Unpack"]

MAGIC = b"SEQ"

_VERSION = 6
_ESCAPE = b"\xff\xff\xff\xff"
_SYNC = 16
_MAX_NAME = 1000
_MAX_METADATA = 1000
_PACKAGE = "org.apache.hadoop.io.compress."


@dataclass(frozen=True)
class Records:
    """Some records."""

    keys: Spans
    values: Spans
    """Their bytes, unpacked."""
    offsets: np.ndarray
    """int64: where each stands in the file, for people; of records that were compressed together, where these begin."""


class SequenceFile:
    """A SequenceFile, ready to read.

    Parameters
    ----------
    chunks
        The file's bytes in pieces of any size.
    broken
        Takes what cannot be read: reading goes on at the next sync mark.

    Attributes
    ----------
    key_class, value_class
        Java's names of what keys and values are.

    Raises
    ------
    InputError
        Where it is no SequenceFile, or one of a version or codec that is not known.
    """

    def __init__(self, chunks: Iterator[bytes], file: str, broken: Rejects) -> None:
        self._bytes, self._file, self._broken = _Bytes(chunks), file, broken
        try:
            self._read_header()
        except _TooShort:
            raise InputError("ends inside its header", file=file, hint="fetch it again") from None

    def _read_header(self) -> None:
        source = self._bytes
        if source.take(3) != MAGIC:
            raise InputError("is not a SequenceFile", file=self._file, hint="such a file begins with SEQ")
        version = source.take(1)[0]
        if version != _VERSION:
            raise InputError(
                f"is a SequenceFile of version {version}",
                file=self._file,
                hint=f"version {_VERSION}, of every Hadoop since 2007, can be read: copy it with a newer Hadoop",
            )
        self.key_class, self.value_class = self._name(), self._name()
        packed, self._by_block = source.take(1) != b"\0", source.take(1) != b"\0"
        self._unpack = self._codec(self._name()) if packed else None
        (pairs,) = struct.unpack(">i", source.take(4))
        if not 0 <= pairs <= _MAX_METADATA:
            raise self._wrong(f"its header says {pairs} pairs of metadata")
        for _ in range(2 * pairs):
            self._name()
        self._sync = source.take(_SYNC)

    def _name(self) -> str:
        length = self._bytes.vint()
        if not 0 <= length <= _MAX_NAME:
            raise self._wrong(f"a name in its header is {length} bytes long")
        return self._bytes.take(length).decode(errors="backslashreplace")

    def _codec(self, name: str) -> Unpack:
        unpack = CODECS.get(name.removeprefix(_PACKAGE))
        if unpack is None:
            known = ", ".join(CODECS)
            raise InputError("its codec is not known", file=self._file, value=name, hint=f"copy it with one of {known}")
        return unpack

    def _wrong(self, reason: str) -> InputError:
        return InputError(reason, file=self._file, hint="is it damaged? fetch or make it again")

    def records(self) -> Iterator[Records]:
        """All records, once, in groups of bounded size."""
        if self._by_block:
            yield from self._blocks()
        elif self._unpack is None:
            yield from self._frames()
        else:
            for group in self._frames():
                yield from self._unpacked(group, self._unpack)

    def _frames(self) -> Iterator[Records]:
        source = self._bytes
        sync = np.frombuffer(self._sync, np.uint8)
        while True:
            data = np.frombuffer(source.data, np.uint8)[source.at :]
            room = min(len(data) // 8 + 1, MAX_ROWS)
            starts, keys, ends = (np.empty(room, np.int64) for _ in range(3))
            count, used, wrong = find_frames(data, sync, MAX_RECORD, starts, keys, ends)
            offset = source.offset
            source.at += used
            if count:
                starts, keys, ends = starts[:count], keys[:count], ends[:count]
                yield Records(Spans(data, starts, keys), Spans(data, keys, ends), starts - 8 + offset)
            if wrong != FINE:
                self._lost("the sync mark is not the file's" if wrong == BAD_SYNC else "impossible length of a record")
            elif not count and not source.more():
                if len(source.data) > source.at:
                    self._add("the file ends inside a record", source.offset)
                return

    def _unpacked(self, group: Records, unpack: Unpack) -> Iterator[Records]:
        view = group.values.data.data
        parts: list[bytes] = []
        rows: list[int] = []
        size = 0
        bounds = zip(group.values.starts.tolist(), group.values.ends.tolist(), strict=True)
        for row, (start, end) in enumerate(bounds):
            try:
                value = unpack(view[start:end])
            except Corrupt as error:
                self._add(str(error), int(group.offsets[row]))
                continue
            parts.append(value)
            rows.append(row)
            size += len(value)
            if size > BLOCK:
                yield _joined(group, parts, rows)
                parts, rows, size = [], [], 0
        if rows:
            yield _joined(group, parts, rows)

    def _blocks(self) -> Iterator[Records]:
        source = self._bytes
        while source.more_than(0):
            offset = source.offset
            try:
                if source.take(4) != _ESCAPE or source.take(_SYNC) != self._sync:
                    raise Corrupt("the sync mark is not the file's")
                yield self._block(offset)
            except _TooShort:
                self._add("the file ends inside a block of records", offset)
                return
            except Corrupt as error:
                source.at -= source.offset - offset
                self._lost(str(error))

    def _block(self, offset: int) -> Records:
        count = self._bytes.vint()
        if not 0 <= count <= MAX_ROWS:
            raise Corrupt(f"a block of {count} records")
        key_lengths, keys, value_lengths, values = (self._buffer() for _ in range(4))
        return Records(_cut(keys, key_lengths, count), _cut(values, value_lengths, count), np.full(count, offset))

    def _buffer(self) -> bytes:
        length = self._bytes.vint()
        if not 0 <= length <= MAX_RECORD:
            raise Corrupt(f"a block of {length} bytes")
        packed = self._bytes.take(length)
        return packed if self._unpack is None else self._unpack(packed)

    def _lost(self, reason: str) -> None:
        """Count what is broken and go on at the next sync mark."""
        self._add(reason, self._bytes.offset)
        self._bytes.seek(_ESCAPE + self._sync)

    def _add(self, reason: str, offset: int) -> None:
        self._broken.add(reason, Where(self._file, offset, unit="byte"))


def _joined(group: Records, parts: list[bytes], rows: list[int]) -> Records:
    ends = np.cumsum([len(part) for part in parts], dtype=np.int64)
    starts = np.append(0, ends[:-1])
    kept = np.array(rows)
    values = Spans(np.frombuffer(b"".join(parts), np.uint8), starts, ends)
    return Records(group.keys.take(kept), values, group.offsets[kept])


def _cut(data: bytes, lengths: bytes, count: int) -> Spans:
    numbers = np.empty(count, np.int64)
    if not read_vints(np.frombuffer(lengths, np.uint8), numbers) or (numbers > len(data)).any():
        raise Corrupt("impossible lengths of records in a block")
    ends = np.cumsum(numbers)
    if (ends[-1] if count else 0) != len(data):
        raise Corrupt("impossible lengths of records in a block")
    return Spans(np.frombuffer(data, np.uint8), ends - numbers, ends)


class _TooShort(Exception):
    """The bytes end too early."""


class _Bytes:
    """The bytes of a file, as many at a time as are asked for."""

    def __init__(self, chunks: Iterator[bytes]) -> None:
        self._chunks = chunks
        self.data = b""
        self.at = 0
        self._before = 0

    @property
    def offset(self) -> int:
        """Where the next byte stands in the file."""
        return self._before + self.at

    def more(self) -> bool:
        """Read on; `False` at the end of the file."""
        chunk = next(self._chunks, b"")
        if not chunk:
            return False
        self._before += self.at
        self.data = self.data[self.at :] + chunk
        self.at = 0
        return True

    def more_than(self, count: int) -> bool:
        """Whether more than `count` bytes follow."""
        while len(self.data) - self.at <= count:
            if not self.more():
                return False
        return True

    def take(self, count: int) -> bytes:
        """The next bytes."""
        if count and not self.more_than(count - 1):
            raise _TooShort
        self.at += count
        return self.data[self.at - count : self.at]

    def vint(self) -> int:
        """The next number of variable size."""
        self.more_than(8)
        head = np.frombuffer(self.data[self.at : self.at + 9], np.uint8)
        value, used = vint_at(head, 0, len(head))
        if used < 0:
            raise _TooShort
        self.at += int(used)
        return int(value)

    def seek(self, mark: bytes) -> None:
        """Go on to the next `mark` after the next byte, or to the end."""
        self.at += 1
        while (found := self.data.find(mark, self.at)) < 0:
            self.at = max(self.at, len(self.data) - len(mark) + 1)
            if not self.more():
                self.at = len(self.data)
                return
        self.at = found


MAX_RECORD = 4 * BLOCK
"""A longer record, packed or unpacked, is taken for a broken one."""

Unpack = Callable[[bytes | memoryview], bytes]
"""Unpacks bytes, or raises `Corrupt`."""


class Corrupt(Exception):
    """A record or block cannot be unpacked."""


def _inflate(packed: bytes | memoryview) -> bytes:
    unpacker = zlib.decompressobj(wbits=47)  # zlib or gzip, as the bytes say
    try:
        data = unpacker.decompress(packed, MAX_RECORD + 1)
    except zlib.error as error:
        raise Corrupt(f"cannot be unpacked ({error})") from None
    return _whole(data, unpacker.eof)


def _unpack_bzip2(packed: bytes | memoryview) -> bytes:
    unpacker = bz2.BZ2Decompressor()
    try:
        data = unpacker.decompress(packed, MAX_RECORD + 1)
    except OSError as error:
        raise Corrupt(f"cannot be unpacked ({error})") from None
    return _whole(data, unpacker.eof)


def _unpack_zstandard(packed: bytes | memoryview) -> bytes:
    try:
        with pa.CompressedInputStream(pa.BufferReader(packed), "zstd") as stream:
            data: bytes = stream.read(MAX_RECORD + 1)
    except OSError as error:
        raise Corrupt(f"cannot be unpacked ({shorten(str(error))})") from None
    return _whole(data, True)


def _whole(data: bytes, ended: bool) -> bytes:
    if len(data) > MAX_RECORD:
        raise Corrupt(f"longer than {MAX_RECORD >> 20} MiB unpacked")
    if not ended:
        raise Corrupt("ends too early")
    return data


CODECS: dict[str, Unpack] = {
    "DefaultCodec": _inflate,
    "DeflateCodec": _inflate,
    "GzipCodec": _inflate,
    "BZip2Codec": _unpack_bzip2,
    "ZStandardCodec": _unpack_zstandard,
}
"""By the last part of Java's name."""
