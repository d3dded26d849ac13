"""Common Crawl's metadata of pages (WAT): what their WARC files say, as JSON, with the links of HTML."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from typing import Any

from seedrank.core.errors import InputError
from seedrank.core.urls import normalise_one
from seedrank.loaders.archives.captures import Captures, is_web
from seedrank.loaders.archives.records import WARC, BrokenRecord, Record, opened, past_breaks, warc_records
from seedrank.loaders.base import Batch, Where
from seedrank.loaders.charsets import sound
from seedrank.loaders.compressed import Input
from seedrank.loaders.files import FileSource
from seedrank.loaders.html_links import one_text, refresh_target, resolve
from seedrank.loaders.page_types import is_html

__all__ = ["WatSource"]

_LARGEST = 32 << 20
"""Bytes of the JSON of a page."""
_LINKING = ("A@/href", "AREA@/href", "FRAME@/src", "IFRAME@/src")
"""Where in a page a link counts, as WAT names it."""


class WatSource(FileSource):
    """WAT files, ready to read (`seedrank.loaders.base.Source`).

    Pages, status, types, redirects and links as `seedrank.loaders.warc.WarcSource` takes them from the pages
    themselves; of the links of a page those in ``a``, ``area``, ``frame`` and ``iframe`` count, and its ``meta``
    refresh.
    """

    def __init__(self, files: Sequence[str], *, strict: bool = False) -> None:
        super().__init__("wat", [("wat", Input(str(file))) for file in files], strict=strict)
        self._pages = self._with_links = 0

    def batches(self) -> Iterator[Batch]:
        """Read everything once: batches of pages and of links."""
        self.check()
        for _, source in self.inputs:
            with opened(source) as window:
                if not WARC.match(window.head()):
                    raise InputError("is not a WAT file", file=source.name, hint="WAT files are WARC files of metadata")
                captures = Captures(source.name)
                for record in past_breaks(window, WARC, warc_records, self.broken):
                    try:
                        self._take(record, captures)
                    except BrokenRecord as error:
                        self.broken.add(f"{error}", Where(source.name, record.offset, unit="byte"))
                    if captures.full:
                        yield from captures.batches()
                yield from captures.batches()
        if not self._pages:
            self.notes.append("no record describes a response: there is no page in it")
        elif not self._with_links:
            self.notes.append("no page has links in it")

    def _take(self, record: Record, captures: Captures) -> None:
        if record.kind != "metadata" or not is_web(record.url):
            return
        envelope = _part(_json(record), "Envelope")
        about, payload = _part(envelope, "WARC-Header-Metadata"), _part(envelope, "Payload-Metadata")
        response = _part(payload, "HTTP-Response-Metadata")
        url = about.get("WARC-Target-URI")
        if about.get("WARC-Type") != "response" or not isinstance(url, str) or not is_web(url):
            return
        headers = {str(name).lower(): value for name, value in _part(response, "Headers").items()}
        mime, location = (_text(headers.get(name)) for name in ("content-type", "location"))
        mime = mime.partition(";")[0].strip()
        code = _text(_part(response, "Response-Message").get("Status"))
        status = int(code) if code.isdecimal() and len(code) == 3 else 0
        captures.page(url, record.offset, status, mime=mime, location=location)
        self._pages += 1
        if 200 <= status < 300 and (not mime or is_html(mime)):
            links = _links(_part(response, "HTML-Metadata"), url)
            self._with_links += bool(links)
            captures.links(url, record.offset, links)


def _json(record: Record) -> Any:
    data = record.read(_LARGEST + 1)
    if len(data) > _LARGEST:
        raise BrokenRecord(f"its JSON is larger than {_LARGEST >> 20} MiB")
    try:
        return json.loads(data)
    except (ValueError, RecursionError) as error:
        raise BrokenRecord(f"it is not JSON ({error})") from error


def _links(page: dict[str, Any], url: str) -> list[tuple[str, str]]:
    head = _part(page, "Head")
    own = normalise_one(url) or url
    base = normalise_one(resolve(_text(head.get("Base")), own) or "") or own
    found = [
        (_text(link.get("url")), _text(link.get("text")))
        for link in _parts(page, "Links")
        if link.get("path") in _LINKING
    ]
    found += [
        (refresh_target(_text(meta.get("content"))), "")
        for meta in _parts(head, "Metas")
        if _text(meta.get("http-equiv")).strip().lower() == "refresh"
    ]
    resolved = ((resolve(address, base, own), text) for address, text in found)
    return [(target, one_text(text)) for target, text in resolved if target is not None]


def _part(value: Any, name: str) -> dict[str, Any]:
    part = value.get(name) if isinstance(value, dict) else None
    return part if isinstance(part, dict) else {}


def _parts(value: dict[str, Any], name: str) -> list[dict[str, Any]]:
    parts = value.get(name)
    return [part for part in parts if isinstance(part, dict)] if isinstance(parts, list) else []


def _text(value: Any) -> str:
    return sound(value) if isinstance(value, str) else ""
