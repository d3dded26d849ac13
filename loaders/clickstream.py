"""Wikipedia's clickstream as Wikimedia publishes it each month: four columns, ``prev curr type n``."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from pathlib import Path

import pyarrow as pa
import pyarrow.compute as pc

from seedrank.core.errors import InputError, UsageError
from seedrank.loaders.base import Batch, LoadOptions, Where
from seedrank.loaders.compressed import Input
from seedrank.loaders.files import FileSource
from seedrank.loaders.lines import Lines, first_rows, leave_out, lines, truth

__all__ = ["ClickstreamSource"]

_FIELDS = 4
_PREV, _CURR, _TYPE, _N = range(_FIELDS)
_TYPES = pa.array(["link", "external", "other"])
_NUMBER = "^[0-9]{1,15}$"
_NAMED = re.compile(r"clickstream-([a-z_]+)wiki-")
_ESCAPES = {"%": "%25", "?": "%3F", "#": "%23", "\\": "%5C"}
"""What may stand in a title and would mean something else in a URL."""


class ClickstreamSource(FileSource):
    """Clickstreams, ready to read (`seedrank.loaders.base.Source`): pages with views, and links weighted by clicks.

    The views of a page are all clicks that led to it. A row of type ``link`` is a link; ``other`` is a way between two
    pages that no link is on; ``external`` comes from outside, of which ``other-search`` counts as clicks from search
    results (``clicks``).

    Parameters
    ----------
    url_prefix
        As in `seedrank.loaders.base.LoadOptions`: what comes before a title. By default the name of the file tells, as
        published: ``clickstream-enwiki-2024-01.tsv.gz`` is ``https://en.wikipedia.org/wiki/``.
    """

    def __init__(self, files: Sequence[str], *, url_prefix: str = "", strict: bool = False) -> None:
        super().__init__("clickstream", [("clicks", Input(str(file))) for file in files], strict=strict)
        self.shaped_by(*LoadOptions(url_prefix=url_prefix).parts())
        # A prefix that is given is put on by the merge.
        self._prefixes = ["" if url_prefix else _prefix(file) for file in self.files]

    def batches(self) -> Iterator[Batch]:
        """Read everything once, in batches of pages, events and links."""
        self.check()
        for (_, source), prefix in zip(self.inputs, self._prefixes, strict=True):
            read = False
            for some in lines(source, self.broken):
                for batch in self._read(some, prefix):
                    read = True
                    yield batch
            if not read:
                raise InputError(
                    "no row of a clickstream",
                    file=source.name,
                    hint="its columns are prev, curr, type and n, with tabs",
                )
        self.notes.append("Wikimedia leaves out pairs with fewer than ten clicks, so real views are somewhat higher.")

    def _read(self, some: Lines, prefix: str) -> Iterator[Batch]:
        begins, stops, counts = some.split("\t", _FIELDS)
        types, numbers = (some.text(begins[field], stops[field]) for field in (_TYPE, _N))
        header = truth(pc.and_(pc.equal(types, "type"), pc.equal(numbers, "n")))
        empty = (begins[:2] == stops[:2]).any(axis=0)
        wrong = {
            "does not have four fields": counts != _FIELDS,
            "has no page": empty,
            "has an unknown type": ~truth(pc.is_in(types, _TYPES)),
            "has no number": ~truth(pc.match_substring_regex(numbers, _NUMBER)),
        }
        good = leave_out(some, {reason: rows & ~header for reason, rows in wrong.items()}, self.broken) & ~header
        if not good.any():
            return
        some, mask = some.take(good), pa.array(good)
        previous, current = (some.text(begins[field][good], stops[field][good]) for field in (_PREV, _CURR))
        clicks = numbers.filter(mask).cast(pa.float64())
        yield from _batches(some, previous, _urls(current, prefix), types.filter(mask), clicks, prefix)


def _batches(
    some: Lines, previous: pa.Array, targets: pa.Array, types: pa.Array, clicks: pa.Array, prefix: str
) -> Iterator[Batch]:
    first = first_rows(targets)
    yield Batch("pages", pa.record_batch({"url": targets.take(pa.array(first))}), some.take(first).where())
    times = pa.nulls(len(some), pa.timestamp("us"))
    views = pa.record_batch({"time": times, "url": targets, "views": clicks})
    yield Batch("events", views, some.where())
    search = pc.equal(previous, "other-search")
    if pc.any(search).as_py():
        yield Batch("events", views.rename_columns(["time", "url", "clicks"]).filter(search), _where(some, search))
    linked = pc.equal(types, "link")
    if pc.any(linked).as_py():
        sources = _urls(previous.filter(linked), prefix)
        found = {"source": sources, "target": targets.filter(linked), "weight": clicks.filter(linked)}
        yield Batch("links", pa.record_batch(found), _where(some, linked), followed=True)


def _where(some: Lines, rows: pa.Array) -> Where:
    return some.take(truth(rows)).where()


def _urls(titles: pa.Array, prefix: str) -> pa.Array:
    encoded = titles.dictionary_encode()
    names = encoded.dictionary
    for mark, escape in _ESCAPES.items():
        names = pc.replace_substring(names, mark, escape)
    return pc.binary_join_element_wise(prefix, names, "").take(encoded.indices)


def _prefix(file: str) -> str:
    found = _NAMED.match(Path(file).name)
    if found is None:
        raise UsageError(
            "the name of {file} does not say of which Wikipedia it is",
            hint="give {url_prefix=https://en.wikipedia.org/wiki/}",
            fields=("url_prefix",),
            values={"file": file},
        )
    return f"https://{found[1].replace('_', '-')}.wikipedia.org/wiki/"
