"""The bytes of an input: plain, gzip or Zstandard, from a file or standard input, digested on the way."""

from __future__ import annotations

import contextlib
import errno
import hashlib
import os
import sys
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import BinaryIO

import pyarrow as pa

from seedrank.core.errors import InputError, SeedrankError

__all__ = ["BLOCK", "MAX_ROWS", "STDIN", "Input", "digest"]

BLOCK = 16 << 20
"""Bytes of text per block: bounds the memory of a load."""

MAX_ROWS = 1 << 20
"""Rows per batch at most."""

STDIN = "-"

_CODECS = ((b"\x1f\x8b", "gzip"), (b"\x28\xb5\x2f\xfd", "zstd"))
_SUFFIXES = {".gz": "gzip", ".zst": "zstd"}


class Input:
    """A file of the user's, or standard input."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.position = 0
        self._digest: bytes | None = None

    @property
    def size(self) -> int | None:
        """Bytes on disk; of a pipe nobody knows."""
        if self._pipe:
            return None
        try:
            return Path(self.name).stat().st_size
        except OSError as error:
            raise self._unreadable(error) from error

    @property
    def title(self) -> str:
        """The name as text: bytes of it that are not UTF-8 are shown by their codes."""
        return self.name.encode(errors="backslashreplace").decode()

    def check(self) -> None:
        """Raise `InputError` where the file is missing, a directory or unreadable; a pipe is not touched."""
        path = Path(self.name)
        if self._pipe:
            return
        if path.is_dir():
            raise InputError("is a directory", file=self.name, hint="name the files in it")
        try:
            with path.open("rb") as file:
                file.read(1)
        except OSError as error:
            raise self._unreadable(error) from error

    def digest(self) -> bytes:
        """SHA-256 of the bytes as they lie on disk; of a pipe only once it was read."""
        if self._digest is None:
            if self._pipe:
                raise SeedrankError(f"the digest of {self.name} is known only after it was read")
            self.check()
            with Path(self.name).open("rb") as file:
                self._digest = hashlib.file_digest(file, "sha256").digest()
        return self._digest

    def chunks(self) -> Iterator[bytes]:
        """The uncompressed bytes, about `BLOCK` at a time.

        A file is read and unpacked one block ahead, in a thread of its own. A pipe is not:
        an interrupt could not end a thread that waits for it.
        """
        self.check()
        return self._read() if self._pipe else _ahead(self._read())

    @contextlib.contextmanager
    def raw(self) -> Iterator[BinaryIO]:
        """The bytes as they lie on disk, for readers that unpack by themselves; digested where read to the end."""
        self.check()
        raw = self._open()
        try:
            source = _Digesting(raw, self)
            yield source  # type: ignore[misc]  # has what readers of archives use
            if not source.read(1):
                self._digest = source.sha256.digest()
        finally:
            if self.name != STDIN:
                raw.close()

    def _open(self) -> BinaryIO:
        return sys.stdin.buffer if self.name == STDIN else Path(self.name).open("rb")

    @property
    def _pipe(self) -> bool:
        """Whether it can be read only once: standard input, and the shell's ``<(command)``."""
        path = Path(self.name)
        return self.name == STDIN or path.is_fifo() or path.is_char_device()

    def _read(self) -> Iterator[bytes]:
        raw = self._open()
        source = _Digesting(raw, self)
        codec = None
        try:
            head = source.peek(4)
            codec = next((name for magic, name in _CODECS if head.startswith(magic)), None)
            suffix = _SUFFIXES.get(Path(self.name).suffix)
            if suffix is not None and codec != suffix and head:
                raise InputError(f"is not a {suffix} file", file=self.name, hint="its suffix says so: rename it")
            stream = source if codec is None else pa.CompressedInputStream(pa.PythonFile(source, mode="r"), codec)
            while chunk := stream.read(BLOCK):
                yield chunk
            self._digest = source.sha256.digest()
        except OSError as error:
            if codec is None or error.errno is not None:
                raise self._unreadable(error) from error
            state = "ends too early" if "Truncated" in str(error) else "is corrupt"
            raise InputError(f"the {codec} file {state}", file=self.name, hint="fetch or make it again") from error
        finally:
            if self.name != STDIN:
                raw.close()

    def _unreadable(self, error: OSError) -> InputError:
        if isinstance(error, FileNotFoundError):
            return InputError("file not found", file=self.name, hint="check the path")
        if self.name == STDIN and error.errno == errno.EBADF:
            return InputError("standard input is closed", file=self.name, hint="redirect it, or name a file")
        reason = os.strerror(error.errno) if error.errno else str(error)
        return InputError(f"cannot be read ({reason})", file=self.name, hint="check the file and its permissions")


def digest(inputs: Sequence[tuple[str, Input]]) -> str:
    """One SHA-256 for several inputs: of their kinds and contents, not of their names."""
    whole = hashlib.sha256()
    for kind, source in inputs:
        whole.update(kind.encode() + b"\0" + source.digest())
    return whole.hexdigest()


class _Digesting:
    """A file object that reads ahead for its first bytes, digests what passes and tells the input how far it is."""

    def __init__(self, raw: BinaryIO, owner: Input) -> None:
        self._raw = raw
        self._owner = owner
        self._head = b""
        self.sha256 = hashlib.sha256()
        self.closed = False

    def peek(self, size: int) -> bytes:
        self._head = self._raw.read(size) or b""
        return self._head

    def read(self, size: int = -1) -> bytes:
        data, self._head = self._head, b""
        data += self._raw.read(size if size < 0 else max(0, size - len(data))) or b""
        self.sha256.update(data)
        self._owner.position += len(data)
        return data

    def readable(self) -> bool:
        return True

    def seekable(self) -> bool:
        return False

    def close(self) -> None:
        self.closed = True


def _ahead(chunks: Iterator[bytes]) -> Iterator[bytes]:
    with ThreadPoolExecutor(1, thread_name_prefix="seedrank-read") as pool:
        coming = pool.submit(next, chunks, b"")
        while chunk := coming.result():
            coming = pool.submit(next, chunks, b"")
            yield chunk
