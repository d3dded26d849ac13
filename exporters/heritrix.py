"""For Heritrix 3: a list of seeds, and a recovery journal for the action directory of a running job.

Neither carries a score: Heritrix takes pages of one precedence in the order of the lines.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from seedrank.exporters.rows import Rows
from seedrank.exporters.text import comments, in_blocks, lines

__all__ = ["action", "seeds"]


def seeds(rows: Rows, about: Sequence[str]) -> Iterator[bytes]:
    """One URI a line, best first, for ``TextSeedModule`` or, as ``.seeds``, for the action directory."""
    yield comments(about)
    yield from _lines(rows, "")


def action(rows: Rows, about: Sequence[str]) -> Iterator[bytes]:
    """``F+ URI`` lines, best first, for the action directory.

    Heritrix looks at the first three letters of a line and passes over those that are no tag, so that comments are
    harmless.
    """
    yield comments(about)
    yield from _lines(rows, "F+ ")


def _lines(rows: Rows, tag: str) -> Iterator[bytes]:
    url = rows.column("url")
    return in_blocks(len(rows), lambda part: lines(tag, url[part]))
