"""Codecs of Hadoop's SequenceFiles: each unpacks one record or buffer, of bounded size."""

from __future__ import annotations

import bz2
import zlib
from collections.abc import Callable

import pyarrow as pa

from seedrank.core.errors import shorten
from seedrank.loaders.compressed import BLOCK

__all__ = ["CODECS", "MAX_RECORD", "Corrupt", "Unpack"]

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
