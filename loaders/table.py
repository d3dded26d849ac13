"""Tables of pages, links, hosts, queries, results and events, as CSV, TSV or Parquet."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import islice
from pathlib import Path

from loaders.base import Batch
from loaders.columns import Layout, LinkEnds
from loaders.compressed import STDIN, Input
from loaders.files import FileSource
from loaders.levels import by_level, one_level
from loaders.parquet import read_parquet
from loaders.records import CSV, TSV
from loaders.text import read_text
from seedrank.core.errors import InputError, UsageError
from seedrank.core.model import KINDS

__all__ = ["FORMATS", "ORDER", "TableSource", "check_ids", "with_ids"]

FORMATS = ("csv", "tsv", "parquet")
_DIALECTS = {"csv": CSV, "tsv": TSV}
ORDER = ("pages", "hosts", "links", "queries", "results", "events")
"""Kinds of tables in the order they are read."""


class TableSource(FileSource):
    """Files of tables, ready to read (`loaders.base.Source`).

    The suffix tells the format (``.csv``, ``.tsv``, ``.parquet``; text perhaps with ``.gz`` or ``.zst`` after it);
    any other text is TSV where its first line has a tab, CSV where it has a comma.
    Links name their ends by id where the first of them are integers, else by URL.

    Parameters
    ----------
    pages, links, hosts, queries, results, events
        Files of each kind; one of all may be ``-``, standard input.
    columns
        Names of the columns by kind, for files without a header line.
    format
        ``csv``, ``tsv`` or ``parquet``, for files whose suffix does not tell.
    url_prefix
        As in `loaders.base.LoadOptions`: with a prefix and no ids in the pages tables, integers are names.
    """

    def __init__(
        self,
        *,
        pages: Sequence[str] = (),
        links: Sequence[str] = (),
        hosts: Sequence[str] = (),
        queries: Sequence[str] = (),
        results: Sequence[str] = (),
        events: Sequence[str] = (),
        columns: Mapping[str, Sequence[str]] | None = None,
        format: str | None = None,
        url_prefix: str = "",
    ) -> None:
        given = {
            "pages": pages, "hosts": hosts, "links": links, "queries": queries, "results": results, "events": events
        }  # fmt: skip
        inputs = [(kind, Input(str(file))) for kind in ORDER for file in given[kind]]
        if not inputs:
            raise UsageError(
                "no file is given",
                hint="name one with {pages}, {links}, {hosts}, {queries}, {results} or {events}",
                fields=("pages", "links", "hosts", "queries", "results", "events"),
            )
        super().__init__("table", inputs)
        self._columns = {kind: list(names) for kind, names in (columns or {}).items()}
        self._format = format
        self._url_prefix = url_prefix
        self.description = self._describe()
        self._check_usage()

    def _check_usage(self) -> None:
        if self._format is not None and self._format not in FORMATS:
            raise UsageError(f"unknown format {self._format!r}", hint=f"one of {', '.join(FORMATS)}")
        for kind, names in self._columns.items():
            if kind not in KINDS:
                raise UsageError(f"unknown kind of table {kind!r}", hint=f"one of {', '.join(KINDS)}")
            Layout.of(kind, names)

    def _describe(self) -> str:
        parts = [f"{kind}={source.title}" for kind, source in self.inputs]
        parts += [f"columns[{kind}]={','.join(names)}" for kind, names in self._columns.items()]
        return " ".join(["table", *parts])

    def batches(self) -> Iterator[Batch]:
        """Read everything once, in batches of bounded size."""
        self.check()
        pages: list[tuple[str, Layout]] = []
        links: list[tuple[str, Layout]] = []
        ends = LinkEnds(names_only=False)
        # The columns of links tell what a node is.
        begun = self._begin_links(ends, links)
        for kind, source in by_level(self.inputs, self.level):
            if kind == "links":
                ends.names_only = self.level != "page" or (bool(self._url_prefix) and not with_ids(pages))
            items = begun.pop(source, None) or self._read(kind, source, ends if kind == "links" else None)
            for item in items:
                if isinstance(item, Layout):
                    if kind in ("pages", "links"):
                        (pages if kind == "pages" else links).append((source.name, item))
                        one_level(links)
                    continue
                if kind == "links":
                    check_ids(ends, pages)
                yield item

    def _begin_links(self, ends: LinkEnds, links: list[tuple[str, Layout]]) -> dict[Input, Iterator[Layout | Batch]]:
        """Read the columns of the first table of links: the rest of it, by its file."""
        source = next((source for kind, source in self.inputs if kind == "links"), None)
        if source is None:
            return {}
        items = self._read("links", source, ends)
        links += [(source.name, item) for item in islice(items, 1) if isinstance(item, Layout)]
        self.level = one_level(links)
        return {source: items}

    def _read(self, kind: str, source: Input, ends: LinkEnds | None) -> Iterator[Layout | Batch]:
        form = _suffix(source.name) or self._format
        if form == "parquet":
            if source.name == STDIN:
                raise InputError("Parquet cannot be read from standard input", file=STDIN, hint="put it into a file")
            return read_parquet(source, kind, ends=ends)
        dialect = _DIALECTS.get(form or "")
        return read_text(source, kind, dialect=dialect, columns=self._columns.get(kind), ends=ends)


def _suffix(name: str) -> str | None:
    suffixes = [suffix for suffix in Path(name).suffixes if suffix not in (".gz", ".zst")]
    last = suffixes[-1].removeprefix(".").lower() if suffixes else ""
    return last if last in FORMATS else None


def with_ids(pages: Sequence[tuple[str, Layout]]) -> bool:
    """Whether a table of pages has ids."""
    return any("id" in layout.kept.values() for _, layout in pages)


def check_ids(ends: LinkEnds, pages: Sequence[tuple[str, Layout]]) -> None:
    """Refuse links by id beside pages without ids."""
    if ends.ids and pages and not with_ids(pages):
        raise InputError(
            "the links name pages by id, and the pages have no column id",
            file=pages[0][0],
            hint="add it, or give the links' ends as URLs",
        )
