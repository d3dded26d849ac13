"""The body of an HTTP response as the browser would see it: chunks joined, unpacked, never more than a page may be."""

from __future__ import annotations

import re
import zlib

import pyarrow as pa

__all__ = ["MAX_PAGE", "BadPayload", "unpacked"]

MAX_PAGE = 16 << 20
"""Bytes of a page, packed or not."""

_PIECE = 1 << 16
_CHUNK = re.compile(rb"[ \t]*([0-9A-Fa-f]{1,8})[ \t]*(?:;[^\r\n]{0,200})?\r?\n")
_GZIP = b"\x1f\x8b"
_ARROW = {"br": "brotli", "zstd": "zstd"}


class BadPayload(ValueError):
    """The body cannot be unpacked, or is too large."""


def unpacked(body: bytes, transfer: str | None, content: str | None) -> bytes:
    """Undo the encodings that a response's headers name.

    Many archives keep the headers and store the body without its encodings: one that does not look encoded is taken
    as it is. One that ends too early is unpacked as far as it goes.

    The encodings are those of ``Transfer-Encoding`` and ``Content-Encoding``.

    Raises
    ------
    BadPayload
        Where it is damaged, or more than `MAX_PAGE`.
    """
    if "chunked" in (transfer or "").lower():
        body = _joined(body)
    for name in reversed([name.strip().lower() for name in (content or "").split(",")]):
        if name in ("gzip", "x-gzip"):
            body = _inflated(body, 31) if body.startswith(_GZIP) else body
        elif name == "deflate":
            body = _deflated(body)
        elif name in _ARROW:
            body = _by_arrow(body, _ARROW[name])
    if len(body) > MAX_PAGE:
        raise BadPayload(f"the page is larger than {MAX_PAGE >> 20} MiB")
    return body


def _joined(body: bytes) -> bytes:
    """A chunked body without the sizes of its chunks."""
    parts = []
    at = 0
    while found := _CHUNK.match(body, at):
        size = int(found[1], 16)
        if not size:
            break
        parts.append(body[found.end() : found.end() + size])
        at = found.end() + size
        at += 2 if body.startswith(b"\r\n", at) else body.startswith(b"\n", at)
    return b"".join(parts) if at else body


def _inflated(body: bytes, format: int) -> bytes:
    unpacker = zlib.decompressobj(format)
    parts, size = [], 0
    try:
        while body and size <= MAX_PAGE and not unpacker.eof:
            parts.append(unpacker.decompress(body, _PIECE))
            size += len(parts[-1])
            body = unpacker.unconsumed_tail
    except zlib.error as error:
        if not size:
            raise BadPayload(f"the page cannot be unpacked ({error})") from error
    return _bounded(parts, size)


def _deflated(body: bytes) -> bytes:
    """Deflate is said of two formats, with a header and without."""
    for format in (zlib.MAX_WBITS, -zlib.MAX_WBITS):
        try:
            zlib.decompressobj(format).decompress(body, 1)
        except zlib.error:
            continue
        return _inflated(body, format)
    return body


def _by_arrow(body: bytes, codec: str) -> bytes:
    stream = pa.CompressedInputStream(pa.BufferReader(body), codec)
    parts, size = [], 0
    try:
        while size <= MAX_PAGE and (part := stream.read(_PIECE)):
            parts.append(part)
            size += len(part)
    except OSError:
        # Stored without its encoding, or cut off.
        return _bounded(parts, size) if size else body
    return _bounded(parts, size)


def _bounded(parts: list[bytes], size: int) -> bytes:
    if size > MAX_PAGE:
        raise BadPayload(f"the page unpacks to more than {MAX_PAGE >> 20} MiB")
    return b"".join(parts)
