"""``seedrank load`` of web archives and their indexes, and of what crawlers keep themselves."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from seedrank.cli.load.common import URLS, Files, loads

if TYPE_CHECKING:
    from seedrank.loaders.base import Source

_Paths = Annotated[list[str], typer.Argument(metavar="PATH...", help="Folders or files.")]


@loads("warc", "urls", "strict")
def warc(files: Files, strict: bool = False) -> Source:
    """WARC and ARC archives, plain or .gz: pages, status, types, redirects, and links with their texts from HTML.

    Example: seedrank load warc crawl-00000.warc.gz crawl-00001.warc.gz
    """
    from seedrank.loaders.warc import WarcSource

    return WarcSource(files, strict=strict)


@loads("wat", "urls", "strict")
def wat(files: Files, strict: bool = False) -> Source:
    """Common Crawl's metadata (WAT): pages, status, types, redirects, and links with their texts.

    Example: seedrank load wat CC-MAIN-20240518-00000.warc.wat.gz
    """
    from seedrank.loaders.wat import WatSource

    return WatSource(files, strict=strict)


@loads("cdx", "urls", "strict")
def cdx(files: Files, strict: bool = False) -> Source:
    """CDX indexes of web archives: pages, status and types, no links.

    Example: seedrank load cdx index.cdx.gz
    """
    from seedrank.loaders.cdx import CdxSource

    return CdxSource(files, strict=strict)


@loads("cdxj", "urls", "strict")
def cdxj(files: Files, strict: bool = False) -> Source:
    """CDXJ indexes of web archives (pywb, Common Crawl): pages, status, types and redirects, no links.

    Example: seedrank load cdxj index.cdxj
    """
    from seedrank.loaders.cdx import CdxSource

    return CdxSource(files, form="cdxj", strict=strict)


@loads("html", "urls", "strict")
def html(
    folders: Annotated[list[str], typer.Argument(metavar="FOLDER...", help="Folders of saved pages.")],
    strict: bool,
    base_url: Annotated[
        str | None,
        typer.Option(
            metavar="URL", rich_help_panel=URLS, help="Where the one folder comes from.", show_default="http://NAME/"
        ),
    ] = None,
) -> Source:
    """Saved pages: a mirror by wget or HTTrack, documentation by Sphinx or javadoc.

    Folders in it that are named like hosts are hosts; a folder without such is one site. Links to pages of these sites
    that were not saved are missing pages, links to other sites frontier.

    Example: seedrank load html build/html --base-url https://docs.example.org/
    """
    from seedrank.loaders.saved_pages import HtmlSource

    return HtmlSource(folders, base_url=base_url, strict=strict)


@loads("nutch-crawldb", "urls", "strict")
def nutch_crawldb(paths: _Paths, strict: bool) -> Source:
    """Pages of Apache Nutch's CrawlDb: the folder itself, or what `readdb -dump` wrote (csv, json or text).

    Example: seedrank load nutch-crawldb crawl/crawldb
    """
    from seedrank.loaders.nutch import CrawlDbSource

    return CrawlDbSource(paths, strict=strict)


@loads("nutch-linkdb", "urls", "strict")
def nutch_linkdb(paths: _Paths, strict: bool) -> Source:
    """Links of Apache Nutch's LinkDb: the folder itself, or what `readlinkdb -dump` wrote.

    Example: seedrank load nutch-linkdb crawl/linkdb
    """
    from seedrank.loaders.nutch import LinkDbSource

    return LinkDbSource(paths, strict=strict)


@loads("nutch-segment", "urls", "strict")
def nutch_segment(paths: _Paths, strict: bool) -> Source:
    """Pages and links of Apache Nutch's segments: one, a folder of them, or what `readseg -dump` wrote.

    Example: seedrank load nutch-segment crawl/segments
    """
    from seedrank.loaders.nutch import SegmentSource

    return SegmentSource(paths, strict=strict)


@loads("heritrix-log", "urls", "strict")
def heritrix_log(files: Files, strict: bool) -> Source:
    """Heritrix's crawl.log: pages with how their fetch ended, and the link that each was found by.

    It is a tree of discovery, not the link graph: take all links from the crawl's WARC files.

    Example: seedrank load heritrix-log crawl.log.gz
    """
    from seedrank.loaders.heritrix import HeritrixLogSource

    return HeritrixLogSource(files, strict=strict)
