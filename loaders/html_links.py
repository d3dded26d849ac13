"""Links of an HTML page, as absolute URLs with their texts."""

from __future__ import annotations

import re
from dataclasses import dataclass

import ada_url
import numpy as np
from selectolax.lexbor import LexborHTMLParser

from seedrank.core.urls import normalise_one
from seedrank.engines.kernels.html import skeleton
from seedrank.loaders.charsets import text_of

__all__ = ["PageLinks", "one_text", "page_links", "refresh_target", "resolve"]

_TAGS = "a[href], area[href], img[src], meta[http-equiv][content]"
_REFRESH = re.compile(r"\s*[\d.]*\s*[;,\s]\s*(?:url\s*=\s*)?(?:'([^']*)|\"([^\"]*)|(.*))", re.IGNORECASE | re.DOTALL)
_SCHEMES = ("http://", "https://")
_LONGEST_ANCHOR = 512


@dataclass(frozen=True)
class PageLinks:
    """What a page links to."""

    base: str
    """URL that its links are relative to: of its ``base`` tag, else its own."""
    links: list[tuple[str, str]]
    """Absolute URL without fragment, and text with single spaces, at most 512 characters, in the page's order."""
    cut: bool = False
    """Whether the page has more tags than are read (131,072); the rest of its links is missing."""


def page_links(html: bytes, url: str, charset: str | None = None) -> PageLinks:
    """Links of a page: ``a``, ``area``, ``frame``, ``iframe`` and the target of a ``meta`` refresh.

    Left out are links to a place in the page itself, and what is neither http nor https; an address that cannot be
    parsed is given as it is. Links marked ``nofollow`` count: the page links all the same.
    """
    data = np.frombuffer(text_of(html, charset).encode(), np.uint8)
    room = np.empty(4 * len(data), np.uint8)
    size, cut = skeleton(data, room)
    # What is left has no deep nesting and few elements, so the parser is safe from hostile pages.
    tree = LexborHTMLParser(room[:size].tobytes())
    own = normalise_one(url) or url
    first = tree.css_first("base[href]")
    said = None if first is None else resolve(first.attributes.get("href") or "", own)
    base = normalise_one(said or "") or own
    links = []
    for node in tree.css(_TAGS):
        target = resolve(_address(node.tag, node.attributes), base, own)
        if target is not None:
            links.append((target, one_text(node.text()) if node.tag == "a" else ""))
    return PageLinks(base, links, cut)


def resolve(address: str, base: str, page: str | None = None) -> str | None:
    """An address on a page as an absolute URL without fragment, as it is where it cannot be parsed.

    Addresses that are absolute, or absolute on their host, need no parser here; their normal form is made later.

    Parameters
    ----------
    address
        As the page has it.
    base
        Absolute http or https URL in normal form.
    page
        URL of the page in normal form, where links to places in the page itself are to be left out.

    Returns
    -------
    str
        `None` where it is empty, neither http nor https, or leads to a place in the page itself.
    """
    address = address.strip()
    if address.startswith(_SCHEMES):
        joined = address
    elif address[:1] == "/" and address[1:2] not in ("/", "\\"):
        joined = base[: base.find("/", 8)] + address
    elif address:
        try:
            joined = ada_url.join_url(base, address)
        except ValueError:
            return address
    else:
        return None
    target, hash_, _ = joined.partition("#")
    return None if not target.startswith(_SCHEMES) or (hash_ and target == page) else target


def refresh_target(content: str) -> str:
    """The address in the ``content`` of a ``meta`` refresh, such as ``5; url=next.html``; empty where there is none."""
    found = _REFRESH.match(content)
    return "" if found is None else (found[1] or found[2] or found[3] or "").strip()


def one_text(text: str) -> str:
    """The text of a link with single spaces, cut to what is kept of it."""
    return " ".join(text.split())[:_LONGEST_ANCHOR]


def _address(tag: str | None, attributes: dict[str, str | None]) -> str:
    if tag != "meta":
        return attributes.get("src" if tag == "img" else "href") or ""
    if (attributes.get("http-equiv") or "").strip().lower() != "refresh":
        return ""
    return refresh_target(attributes.get("content") or "")
