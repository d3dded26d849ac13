"""Loops of the synthetic web that only tables need: words of pages, URLs, anchors, times of events."""

from __future__ import annotations

from typing import Any

import numba
import numpy as np

from seedrank.engines.kernels.hashing import mix
from seedrank.engines.kernels.synthetic import EVENTS as EVENTS_PURPOSE
from seedrank.engines.kernels.synthetic import WORDS as WORDS_PURPOSE
from seedrank.engines.kernels.synthetic import draw, page_key

__all__ = ["block_words", "event_seconds", "fill_urls", "link_words", "url_lengths"]

_S16, _S32, _S48 = np.uint64(16), np.uint64(32), np.uint64(48)
_LOW16 = np.uint64(0xFFFF)
_TOPIC_WORDS = 10
_OWN_TOPIC = np.uint64(int(0.8 * 65536))  # of the pages are about the host's topic
_DASH, _SLASH, _ZERO = np.uint8(45), np.uint8(47), np.uint8(48)
_SCHEME = np.frombuffer(b"https://", np.uint8)
_MAX_DEPTH = 48  # of a tree of 2³¹ pages with fan-out 2 or more

# Anchors, in 65536ths of the links.
_WITH_ANCHOR = np.uint64(int(0.4 * 65536))
_BOTH_WORDS = np.uint64(int(0.6 * 65536))  # of the anchors; then one word, then words that say nothing
_ONE_WORD = np.uint64(int(0.85 * 65536))
NO_ANCHOR = -1


@numba.njit(cache=True, nogil=True)
def words_of(seed: Any, row: Any, i: Any, count: Any) -> Any:
    """The two words a page is about: one of its topic, one of all `count`; the first of each list are common."""
    bits = draw(page_key(seed, row.number, i), WORDS_PURPOSE)
    u, v = (bits >> _S16) & _LOW16, (bits >> _S32) & _LOW16
    skewed_u, skewed_v = np.int64((u * u) >> _S16), np.int64((v * v) >> _S16)
    other = np.int64(bits >> _S48) % (count // _TOPIC_WORDS)
    topic = row.topic if (bits & _LOW16) < _OWN_TOPIC else other
    one = topic * _TOPIC_WORDS + ((skewed_u * _TOPIC_WORDS) >> 16)
    # The second word comes from a list turned by the topic, so that every word is common somewhere.
    two = (((skewed_v * count) >> 16) + one + 1) % count
    return one, two


@numba.njit(cache=True, nogil=True)
def block_words(web: Any, hosts: np.ndarray, inner: np.ndarray, count: int, one: np.ndarray, two: np.ndarray) -> None:
    """Fill the two words (int16) of the given pages."""
    seed, rows = web.seed, web.hosts
    for k in range(len(hosts)):
        one[k], two[k] = words_of(seed, rows[hosts[k]], inner[k], count)


@numba.njit(cache=True, nogil=True)
def digits_of(number: Any) -> Any:
    """How many decimal digits."""
    count = 1
    while number >= 10:
        number //= 10
        count += 1
    return count


@numba.njit(cache=True, nogil=True)
def url_lengths(web: Any, hosts: Any, inner: Any, name_offsets: Any, word_offsets: Any, offsets: Any) -> Any:
    """Fill `offsets` (int64, pages + 1) of the URLs of the given pages."""
    seed, rows, words = web.seed, web.hosts, len(word_offsets) - 1
    offsets[0] = 0
    for k in range(len(hosts)):
        host, i = hosts[k], inner[k]
        row = rows[host]
        fan_out = row.fan_out
        length = len(_SCHEME) + name_offsets[host + 1] - name_offsets[host] + 1
        while i > 0:
            one, two = words_of(seed, row, i, words)
            length += word_offsets[one + 1] - word_offsets[one] + word_offsets[two + 1] - word_offsets[two]
            length += digits_of((i - 1) % fan_out + 1) + 3
            i = (i - 1) // fan_out
        offsets[k + 1] = offsets[k] + length


@numba.njit(cache=True, nogil=True)
def fill_urls(
    web: Any, hosts: Any, inner: Any, names: Any, name_offsets: Any, text: Any, word_offsets: Any, offsets: Any,
    out: Any,
) -> Any:  # fmt: skip
    """Write the URLs: ``https://host/`` and, for each page from the top down to this one, ``word-word-number/``."""
    seed, rows, words = web.seed, web.hosts, len(word_offsets) - 1
    path = np.empty(_MAX_DEPTH, np.int64)
    for k in range(len(hosts)):
        host, i, at = hosts[k], inner[k], offsets[k]
        row = rows[host]
        fan_out = row.fan_out
        for c in _SCHEME:
            out[at] = c
            at += 1
        for c in names[name_offsets[host] : name_offsets[host + 1]]:
            out[at] = c
            at += 1
        out[at] = _SLASH
        at += 1
        depth = 0
        while i > 0:
            path[depth] = i
            depth += 1
            i = (i - 1) // fan_out
        for level in range(depth - 1, -1, -1):
            one, two = words_of(seed, row, path[level], words)
            for c in text[word_offsets[one] : word_offsets[one + 1]]:
                out[at] = c
                at += 1
            out[at] = _DASH
            at += 1
            for c in text[word_offsets[two] : word_offsets[two + 1]]:
                out[at] = c
                at += 1
            out[at] = _DASH
            number = (path[level] - 1) % fan_out + 1
            width = digits_of(number)
            for d in range(width, 0, -1):
                out[at + d] = _ZERO + np.uint8(number % 10)
                number //= 10
            at += width + 1
            out[at] = _SLASH
            at += 1


@numba.njit(cache=True, nogil=True)
def link_words(
    web: Any, sources: Any, targets: Any, hosts: Any, inner: Any, words: Any, generic: Any, anchors: Any, weights: Any
) -> Any:
    """Fill anchors and weights of links; `hosts` and `inner` are those of the targets.

    An anchor (int32) is -1 for none, one·words + two, or words² + one, or words² + words + one of `generic`.
    """
    seed, rows = web.seed, web.hosts
    for k in range(len(targets)):
        bits = mix(seed ^ mix((np.uint64(sources[k]) << _S32) | np.uint64(targets[k])))
        # Most links stand once on a page, some twice (a menu and the text) or three times.
        often = np.int64((bits >> _S48) & np.uint64(15))
        weights[k] = 3 if often == 0 else (2 if often < 4 else 1)
        anchors[k] = NO_ANCHOR
        if (bits & _LOW16) < _WITH_ANCHOR:
            one, two = words_of(seed, rows[hosts[k]], inner[k], words)
            kind = (bits >> _S16) & _LOW16
            if kind < _BOTH_WORDS:
                anchors[k] = one * words + two
            elif kind < _ONE_WORD:
                anchors[k] = words * words + one
            else:
                anchors[k] = words * words + words + np.int64((bits >> _S32) & _LOW16) % generic


@numba.njit(cache=True, nogil=True)
def event_seconds(web: Any, hosts: Any, inner: Any, pages: Any, numbers: Any, days: Any, out: Any) -> Any:
    """Fill the seconds since the start of each event: one day per event of a page, at any time of it."""
    seed, rows = web.seed, web.hosts
    for k in range(len(pages)):
        key = page_key(seed, rows[hosts[pages[k]]].number, inner[pages[k]])
        first = np.int64(draw(key, EVENTS_PURPOSE) & _LOW16)
        second = np.int64(draw(key + np.uint64(numbers[k] + 1), EVENTS_PURPOSE) >> _S32) % 86_400
        out[k] = (first + numbers[k]) % days * 86_400 + second
