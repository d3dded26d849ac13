"""The bytes of an archive with a memory, so that reading goes on behind a record that is broken."""

from __future__ import annotations

import re
import zlib
from collections import deque
from typing import BinaryIO

from seedrank.core.errors import InputError

__all__ = ["Window"]

_KEPT = 1 << 20
"""Bytes of what was read that are kept, at least."""
_BLOCK = 1 << 18
_HEAD = 1 << 12
"""Bytes in which the beginning of a record is recognised."""
_GZIP = re.compile(rb"\x1f\x8b\x08[\x00-\x1f]")


class Window:
    """A file that is read from the front, and from anywhere in what was read last."""

    def __init__(self, raw: BinaryIO, name: str) -> None:
        self._raw, self.name = raw, name
        self._blocks: deque[bytes] = deque()
        self._size = 0
        self._end = 0
        self._at = 0

    def tell(self) -> int:
        """Where the next byte comes from."""
        return self._at

    def read(self, size: int = -1) -> bytes:
        """At most `size` bytes, none at the end of the file."""
        size = size if size >= 0 else _BLOCK
        data = self._piece(self._at, size) or self._more(size)
        self._at += len(data)
        return data

    def head(self, *, packed: bool = False) -> bytes:
        """The first bytes from here, unpacked where they are packed, unless asked for `packed`."""
        while self._end - self._at < _HEAD and self._more(_HEAD):
            pass
        head = self._piece(self._at, _HEAD)
        return head if packed else _opened(head)

    def resume(self, after: int, record: re.Pattern[bytes], *, packed: bool) -> int | None:
        """Go to the next place where a record begins.

        Parameters
        ----------
        after
            Look from here, or from the first byte that is kept.
        record
            Matches the beginning of a record.
        packed
            Whether records are gzip members; otherwise they begin on a line of their own.

        Returns
        -------
        int
            The place; `None` where no record follows.
        """
        pattern = _GZIP if packed else re.compile(rb"(?<=\n)" + record.pattern)
        at, data, ended = max(after, self._end - self._size), b"", False
        while not ended:
            more = self._piece(at + len(data), _BLOCK) or self._more(_BLOCK)
            data, ended = data + more, not more
            for found in pattern.finditer(data):
                if not ended and found.start() > len(data) - _HEAD:
                    break
                if not packed or record.match(_opened(data[found.start() : found.start() + _HEAD])):
                    self._at = at + found.start()
                    return self._at
            # A beginning may lie across the edge.
            at, data = at + max(len(data) - _HEAD, 0), data[-_HEAD:]
        return None

    def _more(self, size: int) -> bytes:
        """The next bytes of the file."""
        try:
            data = self._raw.read(size)
        except OSError as error:
            raise InputError(f"cannot be read ({error.strerror})", file=self.name, hint="check the disk") from error
        if data:
            self._blocks.append(data)
            self._size += len(data)
            self._end += len(data)
            while self._size - len(self._blocks[0]) >= _KEPT:
                self._size -= len(self._blocks.popleft())
        return data

    def _piece(self, start: int, size: int) -> bytes:
        """At most `size` bytes of what is kept, from a place on; none where it was not read yet."""
        parts = []
        at = self._end - self._size
        for block in self._blocks:
            if at + len(block) > start and size > 0:
                parts.append(block[max(start - at, 0) :][:size])
                size -= len(parts[-1])
            at += len(block)
        return b"".join(parts)


def _opened(head: bytes) -> bytes:
    """The first bytes of a record, unpacked where it is packed."""
    if not head.startswith(b"\x1f\x8b"):
        return head
    try:
        return zlib.decompressobj(31).decompress(head, _HEAD)
    except zlib.error:
        return b""
