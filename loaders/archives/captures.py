"""What a crawler saw of pages, as rows: pages with status, type and redirect, and links."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np
import pyarrow as pa

from seedrank.core.model import Status
from seedrank.loaders.base import Batch, Where
from seedrank.loaders.html_links import resolve
from seedrank.loaders.page_types import types_of

__all__ = ["Captures", "is_web", "status_of"]

_ROWS = 1 << 16
_BYTES = 16 << 20
"""Rows, and bytes of text, that are collected before they are handed on."""
_GONE = (404, 410)
_MOVED = (300, 301, 302, 303, 307, 308)


def is_web(url: str) -> bool:
    """Whether a URL is of http or https."""
    return url[:8].lower().startswith(("http://", "https://"))


def status_of(code: int) -> Status | None:
    """What an HTTP status says of a page: crawled (2xx), missing (404, 410), otherwise nothing."""
    if 200 <= code < 300:
        return Status.CRAWLED
    return Status.MISSING if code in _GONE else None


class Captures:
    """Rows of one file on their way into batches.

    Parameters
    ----------
    unit
        What the places of pages count.
    """

    def __init__(self, file: str, *, unit: str = "byte") -> None:
        self._file, self._unit = file, unit
        self._pages: list[tuple[Any, ...]] = []
        self._links: list[tuple[Any, ...]] = []
        self._bytes = 0

    @property
    def full(self) -> bool:
        """Whether to take the batches now."""
        return max(len(self._pages), len(self._links)) >= _ROWS or self._bytes >= _BYTES

    def page(
        self,
        url: str,
        offset: int,
        code: int,
        *,
        mime: str | None = None,
        size: int | None = None,
        location: str | None = None,
    ) -> None:
        """Add a page.

        Parameters
        ----------
        offset
            Of its record.
        code
            HTTP status, 0 where it says nothing.
        mime
            MIME type; counts where the page is crawled.
        size
            Bytes of the page.
        location
            Where a redirect leads, as the response says it.
        """
        status = status_of(code)
        redirect = resolve(location, url) if location and code in _MOVED else None
        label = None if status is None else status.label
        self._pages.append((offset, url, label, mime if status is Status.CRAWLED else None, redirect, size))
        self._bytes += len(url) + len(redirect or "")

    def links(self, url: str, offset: int, links: Sequence[tuple[str, str]]) -> None:
        """Add the links of a page, each with its text."""
        for target, anchor in links:
            self._links.append((offset, url, target, anchor))
            self._bytes += len(target) + len(anchor)

    def batches(self) -> Iterator[Batch]:
        """What was collected, pages before links; it is not kept."""
        pages, links = self._pages, self._links
        self._pages, self._links, self._bytes = [], [], 0
        if pages:
            offsets, urls, statuses, mimes, redirects, sizes = zip(*pages, strict=True)
            named = pa.array(urls, pa.string())
            rows = {
                "url": named,
                "status": pa.array(statuses, pa.string()),
                "type": types_of(named, pa.array(mimes, pa.string())),
                "redirect": pa.array(redirects, pa.string()),
                "bytes": pa.array(sizes, pa.float64()),
            }
            yield Batch("pages", pa.record_batch(rows), self._where(offsets), typed=True)
        for start in range(0, len(links), _ROWS):
            offsets, sources, targets, anchors = zip(*links[start : start + _ROWS], strict=True)
            ends = {"source": sources, "target": targets, "anchor": anchors}
            rows = {name: pa.array(texts, pa.string()) for name, texts in ends.items()}
            yield Batch("links", pa.record_batch(rows), self._where(offsets), typed=True)

    def _where(self, offsets: Sequence[int]) -> Where:
        return Where(self._file, lines=np.array(offsets, np.int64), unit=self._unit)
