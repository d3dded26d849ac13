"""``seedrank load`` of what crawlers keep themselves."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from seedrank.cli.load.common import URLS, Files, loads

if TYPE_CHECKING:
    from seedrank.loaders.base import Source

__all__ = ["register"]

_Paths = Annotated[list[str], typer.Argument(metavar="PATH...", help="Folders or files.")]


@loads("urls", "strict")
def nutch_crawldb(paths: _Paths, strict: bool) -> Source:
    """Pages of Apache Nutch's CrawlDb: the folder itself, or what `readdb -dump` wrote (csv, json or text).

    Example: seedrank load nutch-crawldb crawl/crawldb
    """
    from seedrank.loaders.nutch import CrawlDbSource

    return CrawlDbSource(paths, strict=strict)


@loads("urls", "strict")
def nutch_linkdb(paths: _Paths, strict: bool) -> Source:
    """Links of Apache Nutch's LinkDb: the folder itself, or what `readlinkdb -dump` wrote.

    Example: seedrank load nutch-linkdb crawl/linkdb
    """
    from seedrank.loaders.nutch import LinkDbSource

    return LinkDbSource(paths, strict=strict)


@loads("urls", "strict")
def nutch_segment(paths: _Paths, strict: bool) -> Source:
    """Pages and links of Apache Nutch's segments: one, a folder of them, or what `readseg -dump` wrote.

    Example: seedrank load nutch-segment crawl/segments
    """
    from seedrank.loaders.nutch import SegmentSource

    return SegmentSource(paths, strict=strict)


@loads("urls", "strict")
def heritrix_log(files: Files, strict: bool) -> Source:
    """Heritrix's crawl.log: pages with how their fetch ended, and the link that each was found by.

    It is a tree of discovery, not the link graph: take all links from the crawl's WARC files.

    Example: seedrank load heritrix-log crawl.log.gz
    """
    from seedrank.loaders.heritrix import HeritrixLogSource

    return HeritrixLogSource(files, strict=strict)


@loads("urls", "strict")
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


def register(app: typer.Typer) -> None:
    """Add the commands."""
    app.command("html")(html)
    app.command("nutch-crawldb")(nutch_crawldb)
    app.command("nutch-linkdb")(nutch_linkdb)
    app.command("nutch-segment")(nutch_segment)
    app.command("heritrix-log")(heritrix_log)
