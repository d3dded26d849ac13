"""What a page is, by its MIME type and its URL: one for people, with links, or an image, a style sheet and so on."""

from __future__ import annotations

import re

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from seedrank.core import urls as addresses
from seedrank.core.model import PAGE_TYPES

__all__ = ["is_html", "types_of"]

_SUFFIXES = {
    "image": "jpg jpeg jpe jfif png gif bmp ico svg svgz webp avif tif tiff heic psd",
    "style": "css",
    "script": "js mjs",
    "font": "woff woff2 ttf otf eot",
    "media": "mp3 mp4 m4a m4v avi mov wmv wma flv swf mpg mpeg ogg oga ogv wav webm mkv aac flac mid midi rm ram 3gp "
    "m3u m3u8",
    "document": "pdf doc docx xls xlsx ppt pptx odt ods odp rtf ps eps epub mobi djvu txt",
    "feed": "rss atom",
    "data": "xml json csv tsv zip gz tgz bz2 xz 7z rar tar zst exe msi dmg iso apk deb rpm jar bin sql dat cab torrent "
    "ics vcf wasm rdf owl ttl",
}
"""Suffixes of names in URLs."""
_NAMES = (
    ("robots", r"(?i)^https?://[^/?#]+/robots\.txt(?:[?#]|$)"),
    ("sitemap", r"(?i)/[^/?#]*sitemap[^/?#]*\.(?:xml|xml\.gz|txt)(?:[?#]|$)"),
    ("feed", r"(?i)/(?:rss|feed|feeds|atom)\.xml(?:[?#]|$)"),
)
"""Whole names, all of which have the suffixes `_NAMED`; the first two are certain, whatever else is known."""
_NAMED = ("txt", "xml", "gz")
_CERTAIN = ("robots", "sitemap")
_MIMES = (
    ("page", r"text/html|application/(?:vnd\.wap\.)?xhtml\+xml"),
    ("image", r"image/.*"),
    ("style", r"text/css"),
    ("script", r"(?:text|application)/(?:x-)?(?:java|ecma|j)script"),
    ("font", r"font/.*|application/(?:x-)?font-.*|application/vnd\.ms-fontobject"),
    ("media", r"(?:audio|video)/.*|application/(?:x-shockwave-flash|ogg|mp4|x-mpegurl|vnd\.apple\.mpegurl)"),
    ("document", r"application/(?:(?:x-)?pdf|msword|postscript|rtf|epub\+zip|vnd\.(?:ms-|openxmlformats|oasis).*)"),
    ("feed", r"application/(?:rss|atom)\+xml"),
)
_VAGUE = (
    ("document", r"text/(?:plain|rtf)"),
    ("data", r"(?:application|text)/.*|binary/.*|model/.*|chemical/.*"),
)
"""MIME types that say less than a suffix does."""
_NUMBERS = {name: number for number, name in enumerate(PAGE_TYPES)}
_LABELS = pa.array(PAGE_TYPES)
_HTML = re.compile(_MIMES[0][1])


_KNOWN = [(suffix, _NUMBERS[name]) for name, of in _SUFFIXES.items() for suffix in of.split()]
_KNOWN_SUFFIXES = pa.array([suffix for suffix, _ in _KNOWN])
_SUFFIX_TYPES = np.array([number for _, number in _KNOWN] + [-1], np.int8)
_NAMED_SUFFIXES = pa.array(_NAMED)
_CERTAIN_NUMBERS = np.array([_NUMBERS[name] for name in _CERTAIN], np.int8)


def is_html(mime: str | None) -> bool:
    """Whether a MIME type, without parameters, is that of HTML."""
    return mime is not None and _HTML.fullmatch(mime.strip().lower()) is not None


def types_of(urls: pa.Array, mimes: pa.Array | None = None, *, linking: np.ndarray | None = None) -> pa.Array:
    """Types of pages (`seedrank.core.model.PAGE_TYPES`), null where nothing is known.

    The names of robots.txt and sitemaps are certain; otherwise a MIME type counts before the suffix of the URL unless
    it is vague (``text/plain``, ``application/octet-stream``, ``text/xml``).

    Parameters
    ----------
    urls
        Addresses, null where there is none.
    mimes
        MIME types, with or without parameters, null where not known.
    linking
        bool per page: whether links from it are known; the suffix of its URL says nothing then.
    """
    named = _by_url(urls)
    certain = np.isin(named, _CERTAIN_NUMBERS)
    if linking is not None:
        named[linking & ~certain] = -1
    if mimes is not None:
        said, vague = _by_mime(mimes)
        named = np.where(certain | ((named >= 0) & (vague | (said < 0))), named, said)
    return _LABELS.take(pa.array(named, mask=named < 0))


def _by_url(urls: pa.Array) -> np.ndarray:
    """int8 per URL: number of its type, -1 where its name says nothing."""
    suffixes = addresses.suffixes(urls)
    at = pc.fill_null(pc.index_in(suffixes, _KNOWN_SUFFIXES.cast(suffixes.type)), -1).to_numpy()
    found: np.ndarray = _SUFFIX_TYPES[at]
    named = pc.is_in(suffixes, _NAMED_SUFFIXES.cast(suffixes.type)).to_numpy(zero_copy_only=False)
    rows = np.flatnonzero(named)
    if len(rows):
        some = urls.take(pa.array(rows))
        for name, pattern in reversed(_NAMES):
            matches = pc.fill_null(pc.match_substring_regex(some, pattern), False).to_numpy(zero_copy_only=False)
            found[rows[matches]] = _NUMBERS[name]
    return found


def _by_mime(mimes: pa.Array) -> tuple[np.ndarray, np.ndarray]:
    """int8 per MIME type: number of the type, -1 where it says nothing; bool: whether it is vague."""
    encoded = mimes.cast(pa.string()).dictionary_encode()
    said = [_of_mime(mime) for mime in encoded.dictionary.to_pylist()]
    numbers = np.array([number for number, _ in said] + [-1], np.int8)
    vague = np.array([unsure for _, unsure in said] + [False])
    at = encoded.indices.fill_null(len(said)).to_numpy()
    return numbers[at], vague[at]


def _of_mime(mime: str) -> tuple[int, bool]:
    mime = mime.partition(";")[0].strip().lower()
    for vague, rules in ((False, _MIMES), (True, _VAGUE)):
        for name, pattern in rules:
            if re.fullmatch(pattern, mime):
                return _NUMBERS[name], vague
    return -1, False
