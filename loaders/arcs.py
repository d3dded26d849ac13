"""Lists of arcs as WebGraph writes and reads them: ``from<TAB>to``, pages by number or by name."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import pyarrow as pa

from seedrank.core.errors import UsageError
from seedrank.loaders.base import Batch, LoadOptions
from seedrank.loaders.columns import LinkEnds
from seedrank.loaders.compressed import Input
from seedrank.loaders.files import FileSource
from seedrank.loaders.names import named_pages
from seedrank.loaders.records import Dialect
from seedrank.loaders.text import read_rows

__all__ = ["ArcsSource"]

_COLUMNS = ("source", "target")
_MARKS = {"\t": "tabs", ",": "commas", " ": "spaces"}


class ArcsSource(FileSource):
    """Files of arcs, ready to read (`seedrank.loaders.base.Source`); all share their numbers.

    The ends are numbers where those of the first arc are, else URLs or names. Blank lines and lines that begin with
    ``#`` are skipped.

    Parameters
    ----------
    names
        A file with the URL or name of page i on line i, counted from 0 (``NAME.nodes``).
    separator
        What stands between the two ends: one character.
    url_prefix
        As in `seedrank.loaders.base.LoadOptions`: with a prefix and no names, numbers are names.
    """

    def __init__(
        self, files: Sequence[str], *, names: str | None = None, separator: str = "\t", url_prefix: str = ""
    ) -> None:
        if len(separator) != 1 or not separator.isascii() or separator in '\r\n\0"#' or separator.isalnum():
            raise UsageError(
                "{separator} is not a separator: {given}",
                hint="give one character, such as a comma; a tab is the default",
                fields=("separator",),
                values={"given": repr(separator)},
            )
        self._names = None if names is None else Input(str(names))
        self._dialect = Dialect(_MARKS.get(separator, repr(separator)), separator, quotes=False)
        self._url_prefix = url_prefix
        inputs = [] if self._names is None else [("names", self._names)]
        super().__init__("arcs", inputs + [("links", Input(str(file))) for file in files])
        divided = [] if separator == "\t" else [f"separator={separator!r}"]
        self.shaped_by(*LoadOptions(url_prefix=url_prefix).parts(), *divided)

    def batches(self) -> Iterator[Batch]:
        """Read everything once: pages (``id`` and ``url``) where there are names, then links."""
        self.check()
        if self._names is not None:
            yield from named_pages(self._names)
        ends = _Ends(names_only=bool(self._url_prefix) and self._names is None)
        for kind, source in self.inputs:
            if kind == "links":
                yield from read_rows(
                    source, "links", dialect=self._dialect, columns=_COLUMNS, ends=ends, rejects=self.broken
                )


class _Ends(LinkEnds):
    """The first arc decides, so that a number that is none is an error in its line."""

    def decide(self, rows: pa.RecordBatch) -> pa.DataType:
        return super().decide(rows.slice(0, 1))
