"""WebGraph's compressed graphs (BVGraph), read directly: ``NAME.graph`` and ``NAME.properties``.

Lists are read one after the other, so no offsets are needed; where ``NAME.offsets`` is there, it must fit the graph.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import BinaryIO

import numpy as np
import pyarrow as pa

from seedrank.core.errors import InputError
from seedrank.engines.kernels import bvgraph as kernel
from seedrank.loaders.base import Batch, Where
from seedrank.loaders.bvproperties import Properties, read_properties
from seedrank.loaders.compressed import BLOCK, MAX_ROWS, Input
from seedrank.loaders.files import FileSource
from seedrank.loaders.names import named_pages, numbered_pages

__all__ = ["BvGraphSource"]

_MOST_KEPT = 1 << 27
"""Lists that later ones may copy from, and their links, at most: about a gigabyte."""

_WRONG = {
    kernel.OUTDEGREE: "more links than there are pages",
    kernel.REFERENCE: "copies from a list outside the window",
    kernel.BLOCKS: "copies more than there is",
    kernel.INTERVALS: "an interval outside the pages",
    kernel.RESIDUALS: "a link to a page that does not exist",
    kernel.ORDER: "links not in ascending order",
}
_AGAIN = "fetch or make the graph again"


class BvGraphSource(FileSource):
    """A compressed graph, ready to read (`seedrank.loaders.base.Source`); pages are numbers from 0.

    Parameters
    ----------
    name
        The name that the files share, or that of the ``.graph`` file.
    names
        A file with the URL of page i on line i, counted from 0; plain, gzip or Zstandard.
    """

    def __init__(self, name: str, *, names: str | None = None) -> None:
        stem = str(name).removesuffix(".graph")
        self._graph, self._properties = Input(f"{stem}.graph"), Input(f"{stem}.properties")
        self._offsets = Input(f"{stem}.offsets") if Path(f"{stem}.offsets").exists() else None
        self._names = None if names is None else Input(str(names))
        inputs = [
            ("graph", self._graph),
            ("properties", self._properties),
            ("offsets", self._offsets),
            ("names", self._names),
        ]
        super().__init__("bvgraph", [(kind, source) for kind, source in inputs if source is not None])

    def batches(self) -> Iterator[Batch]:
        """Read everything once: pages (``id``, with names also ``url``), then links."""
        self.check()
        properties = read_properties(self._properties)
        bits = 8 * (self._graph.size or 0)
        if properties.pages > bits:
            raise InputError(
                f"holds {bits:,} bits, and the properties say {properties.pages:,} pages",
                file=self._graph.name,
                hint="a page takes a bit or more; is the file complete?",
            )
        if self._names is None:
            yield from numbered_pages(properties.pages, self._graph.name)
        else:
            yield from named_pages(self._names, properties.pages)
        with self._graph.raw() as graph:
            yield from self._links(properties, graph)

    def _links(self, properties: Properties, graph: BinaryIO) -> Iterator[Batch]:
        reader = _Lists(properties, graph, self._graph.name)
        if self._offsets is None:
            for page, begins in reader.batches():
                yield from _batches(reader, page, len(begins))
            return
        with self._offsets.raw() as file:
            offsets = _Offsets(properties, file, self._offsets.name)
            for page, begins in reader.batches():
                offsets.check(page, begins)
                yield from _batches(reader, page, len(begins))


class _Bits:
    """The bits of a file, a piece at a time.

    Attributes
    ----------
    data, limit
        The piece, followed by zeros; its bits.
    at
        The bit that comes next, to be moved on by who reads.
    """

    def __init__(self, file: BinaryIO) -> None:
        self._file = file
        self.data = np.zeros(kernel.PADDING, np.uint8)
        self.limit = self.at = 0
        self.before = 0
        """Bits of the file before the piece."""

    def more(self) -> bool:
        """Let go of what was read and add the next bytes of the file; false where it has ended."""
        chunk = self._file.read(BLOCK)
        if not chunk:
            return False
        used = self.at >> 3
        rest = self.data[used : self.limit >> 3]
        data = np.zeros(len(rest) + len(chunk) + kernel.PADDING, np.uint8)
        data[: len(rest)] = rest
        data[len(rest) : len(rest) + len(chunk)] = np.frombuffer(chunk, np.uint8)
        self.data, self.limit = data, 8 * (len(rest) + len(chunk))
        self.before += 8 * used
        self.at -= 8 * used
        return True


class _Lists:
    """Lists in batches, with the lists before them that they may copy from.

    Attributes
    ----------
    known
        Lists before those of the batch.
    starts, targets
        As `seedrank.engines.kernels.bvgraph.read_lists` has them.
    """

    def __init__(self, properties: Properties, file: BinaryIO, name: str) -> None:
        self._properties, self._bits, self.file = properties, _Bits(file), name
        self.known = 0
        self.starts = np.zeros(MAX_ROWS + 1, np.int64)
        self.targets = np.empty(MAX_ROWS, np.int32)
        self._begins = np.empty(MAX_ROWS, np.int64)
        self._copied, self._lefts, self._sizes = (np.empty(MAX_ROWS, np.int32) for _ in range(3))

    def batches(self) -> Iterator[tuple[int, np.ndarray]]:
        """The first page of each batch, and the bit where each of its lists begins."""
        properties, bits = self._properties, self._bits
        page = links = 0
        while page < properties.pages:
            state, read, end, wanted = kernel.read_lists(
                bits.data,
                bits.limit,
                bits.at,
                properties.little,
                properties.codes,
                properties.window,
                properties.shortest,
                page,
                properties.pages,
                self.known,
                self.starts,
                self.targets,
                self._copied,
                self._lefts,
                self._sizes,
                self._begins,
            )
            bits.at = end
            if read:
                links += int(self.starts[self.known + read] - self.starts[self.known])
                self._count(links, page + read, final=page + read == properties.pages)
                yield page, self._begins[:read] + bits.before
                page += read
                self._keep(read)
            if state == kernel.FULL:
                self._widen(wanted)
            elif state == kernel.MORE and not bits.more():
                pages = f"the list of page {page:,} of {properties.pages:,}"
                raise InputError(f"ends too early, in {pages}", file=self.file, hint=_AGAIN)
            elif state in _WRONG:
                raise InputError(
                    f"the list of page {page:,}, at bit {bits.before + bits.at:,}, cannot be read ({_WRONG[state]})",
                    file=self.file,
                    hint=f"{_AGAIN}, or check that the properties are this graph's",
                )

    def _count(self, links: int, pages: int, *, final: bool) -> None:
        declared = self._properties.links
        if links > declared or (final and links < declared):
            raise InputError(
                f"{links:,} links in the lists of {pages:,} pages, and the properties say {declared:,} in all",
                file=self.file,
                hint=f"{_AGAIN}, or check that the properties are this graph's",
            )

    def _keep(self, read: int) -> None:
        """Make room: keep only the lists that later ones may copy from."""
        have = self.known + read
        self.known = min(self._properties.window, have)
        first, end = self.starts[have - self.known], self.starts[have]
        if end - first + self.known > _MOST_KEPT:
            raise InputError(
                f"a list may copy from the {self.known:,} before it, and these have {end - first:,} links",
                file=self.file,
                hint="make the graph again with a smaller window",
            )
        kept = self.targets[first:end].copy()
        if len(kept) > len(self.targets) // 2:
            self.targets = np.empty(2 * len(kept), np.int32)
        self.targets[: len(kept)] = kept
        starts = np.empty(self.known + MAX_ROWS + 1, np.int64)
        starts[: self.known + 1] = self.starts[have - self.known : have + 1] - first
        self.starts = starts

    def _widen(self, wanted: int) -> None:
        """Make room for a list of this length."""
        used = int(self.starts[self.known])
        if wanted > len(self.targets) - used:
            targets = np.empty(used + 2 * wanted, np.int32)
            targets[:used] = self.targets[:used]
            self.targets = targets
        if wanted > len(self._copied):
            self._copied, self._lefts, self._sizes = (np.empty(2 * wanted, np.int32) for _ in range(3))


class _Offsets:
    """Where lists begin, as ``NAME.offsets`` says."""

    def __init__(self, properties: Properties, file: BinaryIO, name: str) -> None:
        self._properties, self._bits, self._file = properties, _Bits(file), name
        self._last = 0

    def check(self, page: int, begins: np.ndarray) -> None:
        """Raise `InputError` where lists from `page` on do not begin where the offsets say."""
        bits = self._bits
        offsets = np.empty(len(begins), np.int64)
        read = 0
        while read < len(offsets):
            # Offsets are big-endian, whatever the graph is.
            state, count, bits.at = kernel.read_offsets(
                bits.data, bits.limit, bits.at, False, self._properties.offset_codes, self._last, offsets[read:]
            )
            read += count
            self._last = int(offsets[read - 1]) if read else self._last
            if state == kernel.ORDER or (state == kernel.MORE and not bits.more()):
                break
        wrong = np.flatnonzero(offsets[:read] != begins[:read])
        at = int(wrong[0]) if len(wrong) else read
        if at < len(begins):
            raise InputError(
                f"does not fit the graph, whose list of page {page + at:,} begins at bit {int(begins[at]):,}",
                file=self._file,
                hint="fetch both again, or move the offsets away: the graph can be read without",
            )


def _batches(lists: _Lists, page: int, count: int) -> Iterator[Batch]:
    """The links of the lists that were just read."""
    starts = lists.starts[lists.known : lists.known + count + 1]
    targets = lists.targets[starts[0] : starts[-1]]
    sources = np.repeat(np.arange(page, page + count), np.diff(starts))
    for start in range(0, len(targets), MAX_ROWS):
        part = slice(start, start + MAX_ROWS)
        links = pa.record_batch({"source": sources[part], "target": targets[part].astype(np.int64)})
        yield Batch("links", links, Where(lists.file, int(sources[start]) + 1, sources[part] + 1))
