"""What all loaders of files have in common."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator, Sequence

from seedrank.core.errors import UsageError
from seedrank.loaders.base import Batch, Level, head
from seedrank.loaders.compressed import STDIN, Input, digest
from seedrank.loaders.rejects import Rejects

__all__ = ["FileSource"]

_FURTHER = 4
"""Batches that a trial reads on for links, once it has its pages."""


class FileSource(ABC):
    """A loader of files (`seedrank.loaders.base.Source`) but for `batches`, which each format writes for itself.

    Parameters
    ----------
    format
        The word that asks for it: ``seedrank load FORMAT``.
    inputs
        The files, each with the kind of thing it holds: plain, gzip or Zstandard; one may be ``-``, standard input.
    strict
        Stop at the first record that cannot be read.
    level
        What a node is.
    """

    def __init__(
        self, format: str, inputs: Sequence[tuple[str, Input]], *, strict: bool = False, level: Level = "page"
    ) -> None:
        if not inputs:
            raise UsageError("no file is given", hint="name one")
        self.inputs = list(inputs)
        self.files: Sequence[str] = [source.name for _, source in self.inputs]
        if self.files.count(STDIN) > 1:
            raise UsageError("standard input (-) is given twice", hint="put one of the files on disk")
        self.description = " ".join([format, *(source.title for _, source in self.inputs)])
        self.level: Level = level
        self.shape = ""
        self.notes: list[str] = []
        self.reads: list[str] = []
        self.broken = Rejects(strict)

    def shaped_by(self, *options: str) -> None:
        """Say which options shape what is read, ``name=value`` each; none where all are the defaults."""
        self.shape = "\n".join(options)
        self.description = " ".join([self.description, *options])

    @property
    def size(self) -> int | None:
        """Bytes on disk, `None` where standard input is among the files."""
        sizes = [source.size for _, source in self.inputs]
        return None if None in sizes else sum(size or 0 for size in sizes)

    @property
    def position(self) -> int:
        """Bytes on disk that were read so far."""
        return sum(source.position for _, source in self.inputs)

    def sha256(self) -> str:
        """Digest of the files' contents; known once everything was read, where standard input is among them."""
        return digest(self.inputs)

    @abstractmethod
    def batches(self) -> Iterator[Batch]:
        """Read everything once, in batches of bounded size."""

    def first(self, rows: int) -> Iterator[Batch]:
        """The first rows of each kind, over all files."""
        return head(self.batches(), rows, further=_FURTHER)

    def check(self) -> None:
        """Raise `InputError` where a file is missing or cannot be read."""
        for _, source in self.inputs:
            source.check()
