"""``seedrank load`` of logs and lists that tell more of pages: views, clicks, searches, spam."""

from __future__ import annotations

from datetime import datetime
from typing import TYPE_CHECKING, Annotated

import typer

from seedrank.cli.load.common import Files, loads

if TYPE_CHECKING:
    from seedrank.loaders.base import Source

Site = Annotated[
    str,
    typer.Option(
        metavar="URL", help="Scheme and host of the pages, where lines do not begin with one.", show_default=False
    ),
]
Robots = Annotated[bool, typer.Option("--robots", help="Count requests of robots too.")]
Assets = Annotated[bool, typer.Option("--assets", help="Count requests of images, styles and other files too.")]

Subdomains = Annotated[bool, typer.Option("--subdomains", help="Take a host's label for all hosts below it.")]


@loads("access-log", "urls", "strict", "time", "assume")
def access_log(
    files: Files,
    site: Site = "",
    robots: Robots = False,
    assets: Assets = False,
    since: datetime | None = None,
    until: datetime | None = None,
    strict: bool = False,
) -> Source:
    """Access logs of Apache, nginx and others, common or combined format: views of pages, clicks from page to page.

    Successful GETs of pages count (2xx, 304). Left out are requests of robots (user agents that say bot, crawl, spider,
    curl, python and the like, give an address, or say nothing) and of images, styles, scripts, fonts, media, documents
    and archives. Referers of the same registered domain make links, weighted by clicks; those of search engines count
    as clicks of the page. No client address, user or user agent is stored. Give all logs of a time to one load: what it
    counts replaces what an earlier load counted.

    Example: seedrank load access-log access.log.1 access.log --site https://www.example.org
    """
    from seedrank.loaders.accesslog import AccessLogSource

    return AccessLogSource(files, site=site, robots=robots, assets=assets, since=since, until=until, strict=strict)


@loads("clickstream", "urls", "strict", "assume")
def clickstream(files: Files, url_prefix: str = "", strict: bool = False) -> Source:
    """Wikipedia's clickstream (prev, curr, type, n): views of pages, and links weighted by clicks.

    Views are all clicks that led to a page, those from other-search also its clicks. The name of the file tells the
    Wikipedia (clickstream-enwiki-…), else --url-prefix does.

    Example: seedrank load clickstream clickstream-enwiki-2024-01.tsv.gz
    """
    from seedrank.loaders.clickstream import ClickstreamSource

    return ClickstreamSource(files, url_prefix=url_prefix, strict=strict)


@loads("query-clicks", "urls", "strict")
def query_clicks(files: Files, strict: bool = False) -> Source:
    """Clicks on search results: query, URL and clicks, with tabs; or a row per click, with a header line.

    A header may name query, url (clickurl), clicks (count) and rank (result_rank, itemrank), as the logs of Sogou and
    AOL have them. Clicks on pages that the store does not have are counted and left out: load the pages first.

    Example: seedrank load query-clicks clicks.tsv.gz --url-prefix http://
    """
    from seedrank.loaders.queryclicks import QueryClicksSource

    return QueryClicksSource(files, strict=strict)


@loads("spam-list", "urls", "strict")
def spam_list(files: Files, subdomains: Subdomains = False, strict: bool = False) -> Source:
    """Lists of spam: a host or URL a line, perhaps with a label (spam, nonspam, true, 0.8); # begins a comment.

    Sets spam on all pages of a host, or on the page of a URL. Hosts and pages that the store does not have are counted
    and left out: load the pages first.

    Example: seedrank load spam-list hosts.txt --subdomains
    """
    from seedrank.loaders.spamlist import SpamListSource

    return SpamListSource(files, subdomains=subdomains, strict=strict)
