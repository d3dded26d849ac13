"""For Browsertrix Crawler: seeds as YAML, for ``crawl --config FILE``."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from seedrank.exporters.rows import Rows
from seedrank.exporters.text import comments, in_blocks, json_text, lines

__all__ = ["config"]


def config(rows: Rows, about: Sequence[str]) -> Iterator[bytes]:
    """``seeds:`` with a URL each, best first; scope and limits are left to the user's own options."""
    url = rows.column("url")
    yield comments(about)
    yield b"seeds:\n"
    yield from in_blocks(len(rows), lambda part: lines("  - url: ", json_text(url[part])))
