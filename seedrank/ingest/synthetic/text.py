"""URLs and anchors of a synthetic web as Arrow strings."""

from __future__ import annotations

from typing import Protocol

import numpy as np
import pyarrow as pa

from seedrank.engines.kernels import synthetic_text as kernel
from seedrank.engines.kernels.synthetic import Web, locate_pages
from seedrank.ingest.synthetic.words import WORDS

__all__ = ["anchor_texts", "link_texts", "page_urls", "page_words"]

GENERIC_ANCHORS = ("home", "more", "read more", "click here", "next", "link")
"""Anchors that say nothing of their page."""


class Pages(Protocol):
    """Pages by host and page of the host."""

    host: np.ndarray
    inner: np.ndarray


def page_words(web: Web, pages: Pages) -> tuple[np.ndarray, np.ndarray]:
    """The two words each page is about: indexes into `WORDS`, int16."""
    one, two = np.empty(len(pages.host), np.int16), np.empty(len(pages.host), np.int16)
    kernel.block_words(web, pages.host, pages.inner, len(WORDS), one, two)
    return one, two


def page_urls(web: Web, names: pa.Array, pages: Pages) -> pa.Array:
    """URL of each page (large_string), as the URL standard spells it."""
    name_offsets, name_text = _buffers(names)
    word_offsets, word_text = _buffers(pa.array(WORDS, pa.large_string()))
    offsets = np.empty(len(pages.host) + 1, np.int64)
    kernel.url_lengths(web, pages.host, pages.inner, name_offsets, word_offsets, offsets)
    out = np.empty(offsets[-1], np.uint8)
    kernel.fill_urls(web, pages.host, pages.inner, name_text, name_offsets, word_text, word_offsets, offsets, out)
    return pa.LargeStringArray.from_buffers(len(pages.host), pa.py_buffer(offsets), pa.py_buffer(out))


def anchor_texts() -> pa.Array:
    """All anchors: two words, one word, and those that say nothing (string)."""
    pairs = [f"{one} {two}" for one in WORDS for two in WORDS]
    return pa.array([*pairs, *WORDS, *GENERIC_ANCHORS], pa.string())


def link_texts(web: Web, texts: pa.Array, source: np.ndarray, target: np.ndarray) -> tuple[np.ndarray, pa.Array]:
    """Weight (float32) and anchor (string, null for most) of each link.

    Parameters
    ----------
    texts
        `anchor_texts`.
    source, target
        Page ids, int32.
    """
    host, inner = locate_pages(web, target)
    weight, anchor = np.empty(len(source), np.float32), np.empty(len(source), np.int32)
    kernel.link_words(web, source, target, host, inner, len(WORDS), len(GENERIC_ANCHORS), anchor, weight)
    return weight, texts.take(pa.array(anchor, mask=anchor < 0))


def _buffers(strings: pa.Array) -> tuple[np.ndarray, np.ndarray]:
    """Offsets (int64) and bytes of large strings."""
    _, offsets, text = strings.buffers()
    return (
        np.frombuffer(offsets, np.int64, len(strings) + 1, strings.offset * 8),
        np.frombuffer(text, np.uint8),
    )
