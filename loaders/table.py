"""Tables of pages, links, hosts, queries, results and events, as CSV, TSV, JSON lines or Parquet."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import chain, islice
from pathlib import Path

from seedrank.core.errors import InputError, UsageError
from seedrank.core.model import KINDS
from seedrank.loaders.base import Batch, LoadOptions, Source, head
from seedrank.loaders.columns import LinkEnds
from seedrank.loaders.compressed import STDIN, Input
from seedrank.loaders.files import FileSource
from seedrank.loaders.jsonl import read_json
from seedrank.loaders.layout import Layout, Remarks, called
from seedrank.loaders.levels import by_level, one_level
from seedrank.loaders.mapping import Reading, shape_of
from seedrank.loaders.parquet import read_parquet
from seedrank.loaders.records import CSV, TSV
from seedrank.loaders.sniffing import is_json, peek
from seedrank.loaders.text import read_text

__all__ = ["FORMATS", "ORDER", "TableSource", "check_ids", "use_options", "with_ids"]

FORMATS = ("csv", "tsv", "json", "parquet")
_SUFFIXES = {".csv": "csv", ".tsv": "tsv", ".json": "json", ".jsonl": "json", ".ndjson": "json", ".parquet": "parquet"}
_DIALECTS = {"csv": CSV, "tsv": TSV}
ORDER = ("pages", "hosts", "links", "queries", "results", "events")
"""Kinds of tables in the order they are read."""


class TableSource(FileSource):
    """Files of tables, ready to read (`seedrank.loaders.base.Source`).

    The suffix tells the format (``.csv``, ``.tsv``, ``.json`` or ``.jsonl``, ``.parquet``; text perhaps with ``.gz`` or
    ``.zst`` after it); any other text is JSON lines where it begins with a brace. How fields are divided is seen from
    the first lines (`seedrank.loaders.sniffing.sniff`), and file by file whether the first line is a header
    (`seedrank.loaders.sniffing.has_header`). Links name their ends by id where the first of them are integers, else by
    URL.

    Parameters
    ----------
    pages, links, hosts, queries, results, events
        Files of each kind; one of all may be ``-``, standard input.
    columns
        Names of the columns by kind, for those files that have no header line.
    format
        ``csv``, ``tsv``, ``json`` or ``parquet``, for files whose suffix does not tell.
    url_prefix
        As in `seedrank.loaders.base.LoadOptions`, for who gives no `options`: with a prefix and no ids in the pages
        tables, integers are names.
    options
        The options of the load: the names of columns and statuses among them. A load gives its own where there are
        none here.
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
        options: LoadOptions | None = None,
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
        self.options = options
        self._url_prefix = url_prefix
        self._check_usage()
        self.description = " ".join(["table", *(f"{kind}={source.title}" for kind, source in self.inputs)])
        self.shaped_by(*self._shape())

    def _check_usage(self) -> None:
        reading = Reading(self.options)
        if self._format is not None and self._format not in FORMATS:
            raise UsageError(f"unknown format {self._format!r}", hint=f"one of {', '.join(FORMATS)}")
        for kind, names in self._columns.items():
            if kind not in KINDS:
                raise UsageError(f"unknown kind of table {kind!r}", hint=f"one of {', '.join(KINDS)}")
            reading.layout(kind, names)

    def _shape(self) -> list[str]:
        options = self.options or LoadOptions()
        parts = shape_of(replace(options, url_prefix=self._url_prefix or options.url_prefix))
        parts += [f"columns[{kind}]={','.join(names)}" for kind, names in sorted(self._columns.items())]
        return parts if self._format is None else [*parts, f"format={self._format}"]

    def batches(self) -> Iterator[Batch]:
        """Read everything once, in batches of bounded size."""
        return self._batches(None)

    def first(self, rows: int) -> Iterator[Batch]:
        """The first rows of each file."""
        return self._batches(rows)

    def _batches(self, most: int | None) -> Iterator[Batch]:
        self.check()
        reading = Reading(self.options, self.broken)
        remarks = Remarks(reading.dated)
        ends = LinkEnds(names_only=False)
        # The columns of links tell what a node is.
        begun = self._begin_links(reading, ends)
        pages: dict[str, Layout] = {}
        links: dict[str, Layout] = {}
        named: dict[str, bool] = {}
        for kind, source in by_level(self.inputs, self.level):
            if kind == "links":
                prefixed = bool(self._url_prefix or reading.url_prefix)
                ends.names_only = self.level != "page" or (prefixed and not with_ids(pages))
            layouts: list[Layout] = []
            items = begun.pop(source, None) or self._read(kind, source, reading, ends if kind == "links" else None)
            batches = _rows(items, layouts)
            for batch in batches if most is None else head(batches, most):
                if kind == "pages":
                    pages[source.name] = layouts[-1]
                if kind == "links":
                    links[source.name] = layouts[-1]
                    one_level(links.items())
                    check_ids(ends, pages)
                yield batch
            remarks.add(source.title, layouts[-1], self.level)
            named[kind] = named.get(kind, False) or _takes(layouts[-1], self._columns.get(kind))
        self._check_columns(named)
        reading.check_used()
        self.reads, said = remarks.reads, remarks.notes()
        self.notes = [*(note for note in self.notes if note not in said), *said]

    def _begin_links(self, reading: Reading, ends: LinkEnds) -> dict[Input, Iterator[Layout | Batch]]:
        """Read the columns of the first table of links; gives all of it, by its file."""
        source = next((source for kind, source in self.inputs if kind == "links"), None)
        if source is None:
            return {}
        items = self._read("links", source, reading, ends)
        first = list(islice(items, 1))
        self.level = one_level((source.name, item) for item in first if isinstance(item, Layout))
        return {source: chain(first, items)}

    def _read(self, kind: str, source: Input, reading: Reading, ends: LinkEnds | None) -> Iterator[Layout | Batch]:
        form = _suffix(source.name) or self._format
        if form == "parquet":
            if source.name == STDIN:
                raise InputError("Parquet cannot be read from standard input", file=STDIN, hint="put it into a file")
            return read_parquet(source, kind, reading, ends=ends)
        begin, chunks = peek(source.chunks())
        if begin.startswith(b"PAR1"):
            raise InputError("is Parquet, not text", file=source.name, hint="give the file the suffix .parquet")
        if form == "json" or (form is None and is_json(begin)):
            return read_json(chunks, source.name, kind, reading, ends=ends)
        likely, columns = _DIALECTS.get(form or ""), self._columns.get(kind)
        return read_text(begin, chunks, source.name, kind, reading, likely=likely, columns=columns, ends=ends)

    def _check_columns(self, named: Mapping[str, bool]) -> None:
        """Refuse names of columns that no file takes: they would be ignored without a word."""
        for kind in self._columns:
            if not named.get(kind, True):
                raise UsageError(
                    f"{{columns[{kind}]}}: all files of {kind} name their columns themselves",
                    hint="leave it out; other names are given with {map}",
                    fields=("columns", "map"),
                )


def use_options(source: Source, options: LoadOptions) -> None:
    """Give the options of a load to tables that were made without; say which rows may be bad."""
    source.broken.use(options.tolerant, options.rejects, strict=options.strict)
    if isinstance(source, TableSource) and source.options is None:
        source.options = options


def _rows(items: Iterator[Layout | Batch], layouts: list[Layout]) -> Iterator[Batch]:
    """The rows of a file; its layouts are put into `layouts` as they come."""
    for item in items:
        if isinstance(item, Layout):
            layouts.append(item)
        else:
            yield item


def _takes(layout: Layout, columns: Sequence[str] | None) -> bool:
    """Whether a file has its names from the user, or names of its own that are the same."""
    if columns is None or not layout.header:
        return True
    same = [called(layout.kind, name) for name in columns]
    return [called(layout.kind, name) for name in layout.names] == same


def _suffix(name: str) -> str | None:
    suffixes = [suffix for suffix in Path(name).suffixes if suffix not in (".gz", ".zst")]
    return _SUFFIXES.get(suffixes[-1].lower()) if suffixes else None


def with_ids(pages: Mapping[str, Layout]) -> bool:
    """Whether a table of pages has ids."""
    return any("id" in layout.kept.values() for layout in pages.values())


def check_ids(ends: LinkEnds, pages: Mapping[str, Layout]) -> None:
    """Refuse links by id beside pages without ids; pages are given by file."""
    if ends.ids and pages and not with_ids(pages):
        raise InputError(
            "the links name pages by id, and the pages have no column id",
            file=next(iter(pages)),
            hint="add it, or give the links' ends as URLs",
        )
