"""Text of a page by the encoding it says it has."""

from __future__ import annotations

import codecs
import re

__all__ = ["sound", "text_of"]

_MARKS = ((codecs.BOM_UTF8, "utf-8"), (codecs.BOM_UTF16_LE, "utf-16-le"), (codecs.BOM_UTF16_BE, "utf-16-be"))
_DECLARED = re.compile(rb"<meta[^>]{0,500}?charset\s*=\s*[\"']?\s*([\w:.-]{1,40})", re.IGNORECASE)
_HEAD = 1024
"""Bytes in which a page names its encoding."""
_DEFAULT = "cp1252"
_BROWSERS = {
    "ascii": "cp1252", "iso8859-1": "cp1252", "iso8859-9": "cp1254", "iso8859-11": "cp874", "tis-620": "cp874",
    "gb2312": "gb18030", "gbk": "gb18030", "shift_jis": "cp932", "euc_kr": "cp949", "big5": "big5hkscs",
}  # fmt: skip
"""Encodings that browsers read as a larger one."""
# Python knows codecs that unpack, quote or encrypt: a page does not choose among those.
_KNOWN = {
    *("utf-8", "utf-16-le", "utf-16-be", "utf-16", "cp866", "cp874", "koi8-r", "koi8-u", "mac-roman", "mac-cyrillic"),
    *("gb18030", "big5hkscs", "euc_jp", "iso2022_jp", "cp932", "cp949"),
    *(f"iso8859-{number}" for number in (2, 3, 4, 5, 6, 7, 8, 10, 13, 14, 15, 16)),
    *(f"cp125{number}" for number in range(9)),
}


def text_of(page: bytes, charset: str | None = None) -> str:
    """The text of a page; what its encoding does not know becomes U+FFFD.

    The first of these that names a known encoding counts: the page's byte order mark, `charset` (of the HTTP header),
    a ``meta`` tag in its first 1,024 bytes. Otherwise it is UTF-8 where it can be, else Windows-1252.
    """
    for mark, encoding in _MARKS:
        if page.startswith(mark):
            return page[len(mark) :].decode(encoding, "replace")
    named = _codec(charset) or _declared(page)
    if named is None:
        try:
            return page.decode()
        except UnicodeDecodeError:
            named = _DEFAULT
    return page.decode(named, "replace")


def _declared(page: bytes) -> str | None:
    found = _DECLARED.search(page[:_HEAD])
    encoding = None if found is None else _codec(found[1].decode("ascii", "replace"))
    # The tag itself was read as ASCII.
    return "utf-8" if encoding is not None and encoding.startswith("utf-16") else encoding


def _codec(label: str | None) -> str | None:
    """The codec of a label, `None` where it is none that pages are written in."""
    try:
        name = codecs.lookup((label or "").strip(" \t\"'").lower()).name
    except (LookupError, ValueError):
        return None
    name = _BROWSERS.get(name, name)
    return name if name in _KNOWN else None


def sound(text: str) -> str:
    """The text with U+FFFD for halves of characters, which JSON may have and UTF-8 does not."""
    return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
