"""Pages by number, with or without a file that names them: the name of page i on line i, counted from 0."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import pyarrow as pa

from seedrank.core.errors import InputError
from seedrank.engines.kernels.lines import TEXT
from seedrank.loaders.base import Batch, Where
from seedrank.loaders.compressed import MAX_ROWS, Input
from seedrank.loaders.lines import REASONS, blocks

__all__ = ["named_pages", "numbered_pages"]


def numbered_pages(count: int, file: str) -> Iterator[Batch]:
    """Pages 0 to `count` - 1 (column ``id``)."""
    for start in range(0, count, MAX_ROWS):
        ids = np.arange(start, min(start + MAX_ROWS, count), dtype=np.int64)
        yield Batch("pages", pa.record_batch({"id": ids}), Where(file, start + 1))


def named_pages(source: Input, count: int | None = None) -> Iterator[Batch]:
    """Pages with ``id`` and ``url``, one a line; a blank line is a page without URL.

    `count` is how many there must be, where that is known.

    Raises
    ------
    InputError
        For too few or too many names, and for a line that is no text.
    """
    page = 0
    for some, states in blocks(source):
        if (states != TEXT).any():
            row = int((states != TEXT).argmax())
            reason = REASONS[int(states[row])]
            raise InputError(reason, file=source.name, line=page + row + 1, hint="names are text, one a line")
        ids = some.numbers - 1
        page += len(ids)
        if count is not None and page > count:
            raise InputError(
                f"more names than the {count:,} pages of the graph",
                file=source.name,
                line=count + 1,
                hint="does the file belong to this graph?",
            )
        yield Batch("pages", pa.record_batch({"id": ids, "url": some.text(some.starts, some.ends)}), some.where())
    if count is not None and page < count:
        raise InputError(
            f"{page:,} names, and the graph has {count:,} pages",
            file=source.name,
            hint="does the file belong to this graph, and is it complete?",
        )
