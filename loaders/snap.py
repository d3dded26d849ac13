"""Edge lists as SNAP publishes them: ``# comment`` lines and ``from<TAB>to`` lines of integers."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np
import pyarrow as pa

from seedrank.core.errors import InputError
from seedrank.engines.kernels.text import FINE, NEGATIVE, NOT_A_NUMBER, TOO_FEW, TOO_LARGE, TOO_MANY, read_pairs
from seedrank.loaders.base import Batch, Where
from seedrank.loaders.compressed import MAX_ROWS, Input
from seedrank.loaders.files import FileSource
from seedrank.loaders.records import cut

__all__ = ["SnapSource", "read_links"]

_WRONG = {
    NOT_A_NUMBER: ("is not an id", "ids are whole numbers; load links between URLs as a table"),
    NEGATIVE: ("is negative", "ids are 0 or more"),
    TOO_LARGE: ("does not fit in 64 bits", "ids go to 9223372036854775807"),
    TOO_FEW: ("one id instead of two", "a line is `from to`"),
    TOO_MANY: ("a third column", "load it as a table of links with the columns source, target and weight"),
}


class SnapSource(FileSource):
    """Edge lists, ready to read (`seedrank.loaders.base.Source`); all files share their ids.

    Ids may be divided by tabs or spaces; blank lines and lines that begin with ``#`` are skipped anywhere.
    """

    def __init__(self, files: Sequence[str]) -> None:
        super().__init__("snap", [("links", Input(str(file))) for file in files])

    def batches(self) -> Iterator[Batch]:
        """Read everything once, in batches of links."""
        self.check()
        for _, source in self.inputs:
            yield from read_links(source)


def read_links(source: Input) -> Iterator[Batch]:
    """The links of one file: two ids a line."""
    line = 1
    rows = 0
    for text in cut(source.chunks(), source.name):
        data = np.frombuffer(text, np.uint8)
        room = text.count(b"\n") + 1
        sources, targets, lines = (np.empty(room, np.int64) for _ in range(3))
        count, used, wrong, at = read_pairs(data, sources, targets, lines)
        if wrong != FINE:
            message, hint = _WRONG[wrong]
            value = _line(text, at) if wrong in (TOO_FEW, TOO_MANY) else _line(text, at).split()[_field(text, at)]
            raise InputError(message, file=source.name, line=line + used, value=value, hint=hint)
        for start in range(0, count, MAX_ROWS):
            part = slice(start, min(start + MAX_ROWS, count))
            links = pa.record_batch({"source": sources[part], "target": targets[part]})
            yield Batch("links", links, _where(source.name, lines[part] + line))
        rows += count
        line += used
    if not rows:
        state = "is empty" if line == 1 else "holds only comments and blank lines"
        raise InputError(state, file=source.name, hint="an edge list has lines `from to`")


def _where(file: str, lines: np.ndarray) -> Where:
    consecutive = lines[-1] - lines[0] == len(lines) - 1
    return Where(file, int(lines[0]), None if consecutive else lines)


def _line(text: bytes, at: int) -> str:
    start = text.rfind(b"\n", 0, at) + 1
    end = text.find(b"\n", at)
    return text[start : end if end >= 0 else len(text)].decode(errors="backslashreplace").strip()


def _field(text: bytes, at: int) -> int:
    """Which field of its line a byte belongs to."""
    return len(text[text.rfind(b"\n", 0, at) + 1 : at].split())
