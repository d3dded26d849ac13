"""The graph's schema as data: statuses, node labels, tables and their columns.

Loaders make tables of these columns, stores write and read them, exporters write them out again.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import IntEnum
from typing import Literal

import pyarrow as pa

__all__ = [
    "HOST_COLUMNS",
    "KINDS",
    "MAX_ANCHORS",
    "MAX_REDIRECTS",
    "NON_PAGES",
    "PAGE_COLUMNS",
    "PAGE_TYPES",
    "RESERVED_PAGE_COLUMNS",
    "STATUS_CODES",
    "SUMMED_EVENT_COLUMNS",
    "TABLES",
    "Column",
    "Status",
    "Table",
    "Together",
]


class Status(IntEnum):
    """What is known of a page; larger never falls back to smaller.

    A page is `CRAWLED` once its links are known, `MISSING` when a fetch showed that it is not there,
    `FRONTIER` while it has only been seen as the target of a link.
    """

    FRONTIER = 0
    MISSING = 1
    CRAWLED = 2

    @property
    def label(self) -> str:
        """The word in the database and in tables."""
        return self.name.lower()


STATUS_CODES = {status.label: status.value for status in Status}
"""Statuses by their words, in the order of their numbers."""

Together = Literal["sum", "mean", "max"]
"""How values of pages are taken together where their host or domain is asked about."""


@dataclass(frozen=True)
class Column:
    """A column of a table."""

    name: str
    """Its name in tables, and as a property in the database."""
    type: pa.DataType
    """Its Arrow type."""
    about: str
    """What it holds, for documentation."""
    aliases: tuple[str, ...] = ()
    """Other names a header may give it."""
    flag: bool = False
    """Whether tables may also say true and false, which count as 1 and 0."""
    together: Together = "mean"
    """What a host or domain has of the values of its pages; a column of the user's own is averaged too."""


@dataclass(frozen=True)
class Table:
    """A kind of table that loaders read and exporters write."""

    kind: str
    """``pages``, ``links``, ``hosts``, ``queries``, ``results`` or ``events``."""
    columns: tuple[Column, ...]
    """The columns the project knows."""
    needs: tuple[frozenset[str], ...]
    """Alternatives: at least one of these sets of columns must be there."""
    open: bool = False
    """Whether columns of the user's own are kept."""

    def column(self, name: str) -> Column | None:
        """The known column with this name or alias, `None` when it is the user's own."""
        for column in self.columns:
            if name == column.name or name in column.aliases:
                return column
        return None


MAX_ANCHORS = 8
"""Distinct anchor texts kept per link."""

MAX_REDIRECTS = 10
"""Redirects that are followed, one after the other."""

PAGE_TYPES = (
    "page", "robots", "sitemap", "feed", "image", "style", "script", "font", "media", "document", "data"
)  # fmt: skip
"""What a page may be; without type it is an ordinary page."""
NON_PAGES = PAGE_TYPES[1:]
"""Types of what is fetched like a page and links nowhere, or is not for people."""

PAGE_COLUMNS = (
    Column("url", pa.string(), "address, normalised on the way in"),
    Column("id", pa.int64(), "the source's own number of the page; kept as source_id", ("source_id",)),
    Column("host", pa.string(), "host name; derived from the URL where it is not given"),
    Column("status", pa.string(), "crawled, frontier or missing"),
    Column("clicks", pa.float64(), "clicks from search results", together="sum"),
    Column("views", pa.float64(), "views on result pages or visits", together="sum"),
    Column(
        "spam",
        pa.float64(),
        "true, or above 0, where the page is spam; empty where not known",
        flag=True,
        together="max",
    ),
    Column("unique_rate", pa.float64(), "chance that a new page of this page's site is not a duplicate"),
    Column("bytes", pa.float64(), "size of the page", together="sum"),
    Column("type", pa.string(), f"page, or what else it is: {', '.join(NON_PAGES)}; from the URL where not given"),
    Column("redirect", pa.string(), "address that the page redirects to"),
)

HOST_COLUMNS = (
    Column("host", pa.string(), "host name", aliases=("name",)),
    Column("importance", pa.float64(), "the user's own measure of the host"),
    Column("unique_rate", pa.float64(), "chance that a new page of the host is not a duplicate"),
)

RESERVED_PAGE_COLUMNS = frozenset({"source_id", "label", "labels"})
"""Names that a column of the user's own may not take (`id`, `url`, … are known columns)."""

SUMMED_EVENT_COLUMNS = ("clicks", "views")

_DATES = ("date", "crawl_date")

TABLES = {
    table.kind: table
    for table in (
        Table("pages", PAGE_COLUMNS, needs=(frozenset({"url"}), frozenset({"id"})), open=True),
        Table(
            "links",
            (
                Column("source", pa.string(), "URL or id of the page that links", ("src", "from")),
                Column("target", pa.string(), "URL or id of the page linked to", ("dst", "dest", "to")),
                Column("weight", pa.float64(), "how often; 1 where not given", ("count", "links")),
                Column("anchor", pa.string(), "text of the link"),
                Column("time", pa.timestamp("us"), "when it was seen; read where a span is asked", _DATES),
            ),
            needs=(frozenset({"source", "target"}),),
        ),
        Table("hosts", HOST_COLUMNS, needs=(frozenset({"host"}),), open=True),
        Table(
            "queries",
            (
                Column("query", pa.string(), "text of the search", ("text",)),
                Column("freq", pa.float64(), "how often it was asked"),
                Column("need", pa.float64(), "0 (well answered) to 1 (not answered)"),
            ),
            needs=(frozenset({"query"}),),
        ),
        Table(
            "results",
            (
                Column("query", pa.string(), "text of the search"),
                Column("url", pa.string(), "page that was shown"),
                Column("id", pa.int64(), "the same by the source's number"),
                Column("rank", pa.int64(), "1-based position"),
                Column("clicks", pa.float64(), "clicks on it"),
            ),
            needs=(frozenset({"query", "url"}), frozenset({"query", "id"})),
        ),
        Table(
            "events",
            (
                Column("time", pa.timestamp("us"), "when; ISO 8601, 20241031, 202410 or seconds since 1970"),
                Column("url", pa.string(), "page"),
                Column("id", pa.int64(), "the same by the source's number"),
                Column("clicks", pa.float64(), "clicks of this event"),
                Column("views", pa.float64(), "views of this event"),
            ),
            needs=(frozenset({"time", "url"}), frozenset({"time", "id"})),
        ),
    )
}

KINDS = tuple(TABLES)
