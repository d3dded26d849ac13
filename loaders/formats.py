"""Every format by the word that asks for it."""

from __future__ import annotations

import importlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from loaders.base import Source
from seedrank.core.errors import UsageError, shorten

__all__ = ["FORMATS", "Format", "source_of"]


@dataclass(frozen=True)
class Format:
    """A format.

    Parameters
    ----------
    about
        What it is, in a few words.
    source
        The loader, ``module:class``; imported when it is needed.
    alone
        Whether it takes one file, not several.
    given
        Parameters of the class that make it this format.
    """

    about: str
    source: str
    alone: bool = False
    given: Mapping[str, str] = field(default_factory=dict)


FORMATS = {
    "snap": Format("an edge list of numbers", "loaders.snap:SnapSource"),
    "adjacency": Format("adjacency lists", "loaders.adjacency:AdjacencySource"),
    "arcs": Format("a list of arcs", "loaders.arcs:ArcsSource"),
    "bvgraph": Format("a compressed graph of WebGraph", "loaders.bvgraph:BvGraphSource", alone=True),
    "cc-webgraph": Format("a web graph of Common Crawl", "loaders.cc_webgraph:CommonCrawlSource"),
    "warc": Format("a web archive", "loaders.warc:WarcSource"),
    "wat": Format("metadata of a web archive", "loaders.wat:WatSource"),
    "cdx": Format("an index of web archives", "loaders.cdx:CdxSource"),
    "cdxj": Format("an index of web archives with JSON", "loaders.cdx:CdxSource", given={"form": "cdxj"}),
    "html": Format("a folder of saved pages", "loaders.saved_pages:HtmlSource"),
    "nutch-crawldb": Format("Nutch's CrawlDb", "loaders.nutch:CrawlDbSource"),
    "nutch-linkdb": Format("Nutch's LinkDb", "loaders.nutch:LinkDbSource"),
    "nutch-segment": Format("Nutch's segments", "loaders.nutch:SegmentSource"),
    "heritrix-log": Format("Heritrix's crawl.log", "loaders.heritrix:HeritrixLogSource"),
    "access-log": Format("a server's access log", "loaders.accesslog:AccessLogSource"),
    "clickstream": Format("Wikipedia's clickstream", "loaders.clickstream:ClickstreamSource"),
    "query-clicks": Format("clicks by query", "loaders.queryclicks:QueryClicksSource"),
    "spam-list": Format("a list of spam", "loaders.spamlist:SpamListSource"),
}
"""All formats but tables, which are several files of different kinds (`loaders.table.TableSource`)."""


def source_of(format: str, files: Sequence[str | Path], **options: Any) -> Source:
    """The loader of a format, ready to read.

    Parameters
    ----------
    format
        A word of `FORMATS`.
    files
        What to read.
    options
        Parameters of the loader's class, such as ``strict``.
    """
    known = FORMATS.get(format)
    if known is None:
        raise UsageError(f"unknown format {shorten(format)}", hint=f"one of {', '.join(FORMATS)}")
    names = [str(file) for file in files]
    if known.alone and len(names) != 1:
        raise UsageError(f"{format} is one file, not {len(names)}", hint="load them one after the other")
    module, _, name = known.source.partition(":")
    make = getattr(importlib.import_module(module), name)
    source: Source = make(names[0] if known.alone else names, **known.given, **options)
    return source
