"""``seedrank load`` of web archives and their indexes."""

from __future__ import annotations

from typing import TYPE_CHECKING

import typer

from seedrank.cli.load.common import Files, loads

if TYPE_CHECKING:
    from seedrank.loaders.base import Source

__all__ = ["register"]


@loads("urls", "strict")
def warc(files: Files, strict: bool = False) -> Source:
    """WARC and ARC archives, plain or .gz: pages, status, types, redirects, and links with their texts from HTML.

    Example: seedrank load warc crawl-00000.warc.gz crawl-00001.warc.gz
    """
    from seedrank.loaders.warc import WarcSource

    return WarcSource(files, strict=strict)


@loads("urls", "strict")
def wat(files: Files, strict: bool = False) -> Source:
    """Common Crawl's metadata (WAT): pages, status, types, redirects, and links with their texts.

    Example: seedrank load wat CC-MAIN-20240518-00000.warc.wat.gz
    """
    from seedrank.loaders.wat import WatSource

    return WatSource(files, strict=strict)


@loads("urls", "strict")
def cdx(files: Files, strict: bool = False) -> Source:
    """CDX indexes of web archives: pages, status and types, no links.

    Example: seedrank load cdx index.cdx.gz
    """
    from seedrank.loaders.cdx import CdxSource

    return CdxSource(files, strict=strict)


@loads("urls", "strict")
def cdxj(files: Files, strict: bool = False) -> Source:
    """CDXJ indexes of web archives (pywb, Common Crawl): pages, status, types and redirects, no links.

    Example: seedrank load cdxj index.cdxj
    """
    from seedrank.loaders.cdx import CdxSource

    return CdxSource(files, form="cdxj", strict=strict)


def register(app: typer.Typer) -> None:
    """Add the commands."""
    app.command("warc")(warc)
    app.command("wat")(wat)
    app.command("cdx")(cdx)
    app.command("cdxj")(cdxj)
