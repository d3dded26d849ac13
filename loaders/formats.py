"""Every format by the word that asks for it."""

from __future__ import annotations

import importlib
import inspect
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from seedrank.core.errors import UsageError, shorten

if TYPE_CHECKING:
    from seedrank.loaders.base import LoadOptions, Source

__all__ = ["AUTO", "FORMATS", "Format", "register", "source_of"]

_URLS = ("url_prefix", "urls", "merge_variants")
_TIME = ("since", "until")
AUTO = (*_URLS, "strict", *_TIME)
"""Options of a load that not every format can use; ``seedrank load auto`` offers them."""


@dataclass(frozen=True)
class Format:
    """A format."""

    about: str
    """What it is, in a few words."""
    source: str | Callable[..., Source]
    """The loader, ``module:class``, imported when it is needed; or a function of a user's that makes one."""
    alone: bool = False
    """Whether it takes one file, not several."""
    given: Mapping[str, str] = field(default_factory=dict)
    """Parameters of the class that make it this format."""
    heeds: Sequence[str] = (*_URLS, "strict")
    """Those of `AUTO` that it can use, as ``seedrank load FORMAT`` offers them."""

    @property
    def own(self) -> bool:
        """Whether a user registered it."""
        return not isinstance(self.source, str)

    def load(self) -> Callable[..., Source]:
        """What makes the loader, imported now."""
        if not isinstance(self.source, str):
            return self.source
        module, _, name = self.source.partition(":")
        made: Callable[..., Source] = getattr(importlib.import_module(module), name)
        return made


FORMATS = {
    "snap": Format("an edge list of numbers", "seedrank.loaders.snap:SnapSource", heeds=()),
    "adjacency": Format("adjacency lists", "seedrank.loaders.adjacency:AdjacencySource", heeds=()),
    "arcs": Format("a list of arcs", "seedrank.loaders.arcs:ArcsSource"),
    "bvgraph": Format("a compressed graph of WebGraph", "seedrank.loaders.bvgraph:BvGraphSource", alone=True),
    "cc-webgraph": Format(
        "a web graph of Common Crawl", "seedrank.loaders.cc_webgraph:CommonCrawlSource", heeds=("strict",)
    ),
    "warc": Format("a web archive", "seedrank.loaders.warc:WarcSource"),
    "wat": Format("metadata of a web archive", "seedrank.loaders.wat:WatSource"),
    "cdx": Format("an index of web archives", "seedrank.loaders.cdx:CdxSource"),
    "cdxj": Format("an index of web archives with JSON", "seedrank.loaders.cdx:CdxSource", given={"form": "cdxj"}),
    "html": Format("a folder of saved pages", "seedrank.loaders.saved_pages:HtmlSource"),
    "nutch-crawldb": Format("Nutch's CrawlDb", "seedrank.loaders.nutch:CrawlDbSource"),
    "nutch-linkdb": Format("Nutch's LinkDb", "seedrank.loaders.nutch:LinkDbSource"),
    "nutch-segment": Format("Nutch's segments", "seedrank.loaders.nutch:SegmentSource"),
    "heritrix-log": Format("Heritrix's crawl.log", "seedrank.loaders.heritrix:HeritrixLogSource"),
    "access-log": Format("a server's access log", "seedrank.loaders.accesslog:AccessLogSource", heeds=AUTO),
    "clickstream": Format("Wikipedia's clickstream", "seedrank.loaders.clickstream:ClickstreamSource"),
    "query-clicks": Format("clicks by query", "seedrank.loaders.queryclicks:QueryClicksSource"),
    "spam-list": Format("a list of spam", "seedrank.loaders.spamlist:SpamListSource"),
}
"""All formats but tables, which are several files of different kinds (`seedrank.loaders.table.TableSource`)."""


def register(name: str, format: Format) -> None:
    """Add a user's format, or put it in the place of the one that was registered under its name."""
    if name in ("auto", "table") or (name in FORMATS and not FORMATS[name].own):
        raise UsageError(f"there is a format {name}", hint="choose another name")
    FORMATS[name] = format


def source_of(format: str, files: Sequence[str | Path], options: LoadOptions | None = None, **given: Any) -> Source:
    """The loader of a format, ready to read.

    Parameters
    ----------
    format
        A word of `FORMATS`.
    given
        Parameters of the loader's class, such as ``names``.
    """
    known = FORMATS.get(format)
    if known is None:
        raise UsageError(f"unknown format {shorten(format)}", hint=f"one of {', '.join(FORMATS)}")
    names = [str(file) for file in files]
    if known.alone and len(names) != 1:
        raise UsageError(f"{format} is one file, not {len(names)}", hint="load them one after the other")
    make = known.load()
    taken = {} if options is None else _taken(format, make, options)
    source: Source = make(names[0] if known.alone else names, **known.given, **{**taken, **given})
    return source


def _taken(format: str, make: Any, options: LoadOptions) -> dict[str, Any]:
    """The options of a load that a loader's class takes itself."""
    from seedrank.loaders.base import LoadOptions

    known, default = FORMATS[format], LoadOptions()
    asked = {name: getattr(options, name) for name in AUTO if getattr(options, name) != getattr(default, name)}
    for name in asked:
        if name not in known.heeds:
            text = f"{{{name}}} does not go with {known.about} ({format})"
            raise UsageError(
                text,
                hint="leave it out",
                fields=("url_prefix", "urls", "merge_variants", "strict", "since", "until"),
            )
    takes = inspect.signature(make).parameters
    whole = {"options": options} if "options" in takes else {}
    return whole | {name: value for name, value in asked.items() if name in takes}
