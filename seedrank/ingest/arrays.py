"""Files straight to a folder of arrays: a load without a database, with the numbers an embedded store would give.

The load is that of a store (`seedrank.ingest.merge`): everything is parsed, merged and numbered first, links by an
external sort. Merged links then go to the arrays as they come out of the sort, so that memory does not grow with them,
and the disk holds 8 bytes a link row (16 with weights) in temporary files beside the 4 (8) of the arrays.
"""

from __future__ import annotations

import hashlib
import json
import logging
import tempfile
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa

from seedrank.core.changes import Changes, Load
from seedrank.core.errors import InputError, StoreError
from seedrank.core.numbers import show_size
from seedrank.core.progress import Progress, silent
from seedrank.core.resources import free_disk, require_disk
from seedrank.graph import GraphWriter, MemoryWriter, Stream, WebGraph, float32_weights, is_graph_folder
from seedrank.ingest.load import load_record, read_all, ready_source, refuse_nothing
from seedrank.ingest.merge import Merge
from seedrank.ingest.merge.links import Merged
from seedrank.loaders.base import LoadOptions, Source, Summary
from seedrank.loaders.frames import FrameSource
from seedrank.loaders.table import use_options
from seedrank.session.graph_cache import write_pages

__all__ = ["graph_of_frames", "load_graph"]

log = logging.getLogger(__name__)

_ROWS = 1 << 18
_STARTS = 1 << 20
_LONG = 1 << 28
"""Bytes of input from which on it is said what the load will need."""
_PACKED = 3
"""How many times their size packed files may take in the spool."""


def load_graph(
    source: Source | str | Path | Sequence[str | Path] | None,
    folder: str | Path,
    options: LoadOptions | None = None,
    *,
    format: str | None = None,
    spool: Path | None = None,
    progress: Progress = silent,
    **given: Any,
) -> tuple[Summary, float]:
    """Load frames, files or a source into a new folder of arrays, which `seedrank.open` opens; no database is made.

    Pages have the numbers, links the weights and columns the values that an embedded store would have. The folder
    keeps no texts of links, no queries and no results, and takes no second load.

    Parameters
    ----------
    source
        A file or files, or a loader; `None` for frames.
    folder
        Where the graph will be; it appears whole or not at all. One that is there and not empty is refused.
    options
        What shapes the result.
    format
        Of the files (`seedrank.loaders.formats.FORMATS`); by default it is told by their content.
    spool
        Folder for temporary files, about the size of the input; the system's temporary folder by default.
    progress
        Told how far it is.
    given
        Frames by kind of table (``pages=df``), or options of the format (``names="web.urls"``).

    Returns
    -------
    summary, seconds
        What was read, new, merged and dropped; wall time.
    """
    options, place = options or LoadOptions(), Path(folder)
    ready = ready_source(source, options, format, given)
    use_options(ready, options)
    started = time.perf_counter()
    temporary = spool or Path(tempfile.gettempdir())
    _refuse_graph(place)
    with GraphWriter(place, version="", replaces=None) as writer:
        _announce(ready, temporary, place)
        _, summary = _fill(writer, ready, options, place, temporary, progress)
    return summary, time.perf_counter() - started


def graph_of_frames(
    frames: Mapping[str, Any], options: LoadOptions | None = None, *, progress: Progress = silent
) -> tuple[WebGraph, Summary]:
    """The graph that `load_graph` would make of frames, in memory: no folder stays.

    Parameters
    ----------
    frames
        Frames by kind of table.
    """
    options = options or LoadOptions()
    ready = FrameSource(frames, options)
    use_options(ready, options)
    with MemoryWriter(version="") as writer:
        return _fill(writer, ready, options, None, Path(tempfile.gettempdir()), progress)


def _fill(
    writer: GraphWriter | MemoryWriter,
    source: Source,
    options: LoadOptions,
    place: Path | None,
    temporary: Path,
    progress: Progress,
) -> tuple[WebGraph, Summary]:
    """Load a source into a new graph; `place` is its folder, if it has one."""
    with Merge(temporary, options, None, progress, anchors=False, rejects=source.broken) as merge:
        level = read_all(source, merge, options, progress)
        if place is not None:
            _check_room(merge, place)
        links = _Links(writer, place)
        changes, summary = merge.finish(links.add)
        refuse_nothing(summary, options, empty=not merge.pages)
        load = replace(load_record(source, options, summary, level), state="done")
        summary.notes += _left_out(changes, summary)
        with _explained(place):
            return _write_rest(writer, links, _Loaded(changes, str(place)), load, progress), summary


def _write_rest(
    writer: GraphWriter | MemoryWriter, links: _Links, loaded: _Loaded, load: Load, progress: Progress
) -> WebGraph:
    """Write the pages, once the links are written, and complete the graph."""
    pages, hosts = loaded.changes.new_pages.num_rows, loaded.changes.hosts.num_rows
    count = links.close(pages)
    write_pages(loaded, writer, pages, progress)
    version = hashlib.sha256(json.dumps([load.id, pages, count, hosts]).encode()).hexdigest()[:16]
    return writer.close(pages, count, version=version, loads=[asdict(load)])


class _Links:
    """Links in the order of their keys, written as the arrays of a graph.

    Parameters
    ----------
    writer
        Takes the arrays.
    place
        Their folder, for errors.
    """

    def __init__(self, writer: GraphWriter | MemoryWriter, place: Path | None) -> None:
        self._writer, self._place = writer, place
        with _explained(place):
            self._offsets = writer.stream("out_offsets", np.int64)
            self._targets = writer.stream("out_targets", np.int32)
        self._weights: Stream | None = None

    def add(self, piece: Merged) -> None:
        """Take the next links."""
        with _explained(self._place):
            self._start_rows(piece.source, int(piece.source[-1]) + 1)
            weights = float32_weights(piece.weight)
            if self._weights is None and (weights != 1).any():
                self._weights = self._writer.stream("weights", np.float32)
                for first in range(0, self._targets.length, _STARTS):
                    self._weights.write(np.ones(min(_STARTS, self._targets.length - first), np.float32))
            if self._weights is not None:
                self._weights.write(weights)
            self._targets.write(piece.target)

    def close(self, pages: int) -> int:
        """All links have come: complete the offsets; returns how many links there are."""
        self._start_rows(np.zeros(0, np.int64), pages + 1)
        return self._targets.length

    def _start_rows(self, sources: np.ndarray, end: int) -> None:
        """Write where the links of the pages before `end` start that have no start yet."""
        while (first := self._offsets.length) < end:
            rows = np.arange(first, min(first + _STARTS, end))
            self._offsets.write(self._targets.length + np.searchsorted(sources, rows))


class _Loaded:
    """The pages and hosts that a load into nothing brings, read as those of a store (`PageReader`)."""

    def __init__(self, changes: Changes, url: str) -> None:
        self.changes = changes
        self.url = url

    def page_columns(self) -> dict[str, pa.DataType]:
        """Columns of pages with their types."""
        return self.changes.page_columns

    def read_hosts(self) -> pa.Table:
        """Hosts by name."""
        return self.changes.hosts.sort_by("name")

    def read_pages(self) -> Iterator[pa.RecordBatch]:
        """Pages by ascending id."""
        pages, hosts = self.changes.new_pages, self.changes.page_hosts
        on_host = hosts["id"].to_numpy()
        for first in range(0, pages.num_rows, _ROWS):
            rows = pages.slice(first, _ROWS)
            low, high = np.searchsorted(on_host, (first, first + rows.num_rows))
            at = np.full(rows.num_rows, -1, np.int64)
            at[on_host[low:high] - first] = np.arange(high - low)
            names = hosts["host"].slice(low, high - low).combine_chunks()
            with_hosts = rows.append_column("host", names.take(pa.array(at, mask=at < 0)))
            yield from with_hosts.combine_chunks().to_batches()


# -- what is said and refused


def _refuse_graph(place: Path) -> None:
    if is_graph_folder(place):
        raise InputError(
            "holds a graph already, and a folder of arrays takes no second load",
            file=str(place),
            hint="name a new folder, or remove it first",
        )


def _announce(source: Source, temporary: Path, place: Path) -> None:
    """Say what a long load will need."""
    size = source.size or 0
    if size < _LONG:
        return
    packed = any(str(file).endswith((".gz", ".zst")) for file in source.files)
    log.info(
        "reading %s: temporary files take up to about %s in %s (%s free), the arrays less in %s (%s free); "
        "memory: some 60 bytes a page and its URL",
        show_size(size), show_size(size * (_PACKED if packed else 1)), temporary, show_size(free_disk(temporary)),
        place, show_size(free_disk(place)),
    )  # fmt: skip


def _check_room(merge: Merge, place: Path) -> None:
    """Refuse before the second half of a long load when the disk has less room than the arrays may take."""
    pages, rows = merge.sizes
    needed = 4 * rows + 13 * pages
    if needed >= _LONG:
        require_disk(needed, place, f"a graph of {pages:,} pages and up to {rows:,} links")


def _left_out(changes: Changes, summary: Summary) -> list[str]:
    kinds = [
        name
        for name, there in (
            ("texts of links", "link texts left out" in summary.counts),
            ("queries and their results", changes.queries.num_rows or changes.results.num_rows),
        )
        if there
    ]
    return [f"left out, because a folder of arrays keeps none: {' and '.join(kinds)}"] if kinds else []


@contextmanager
def _explained(place: Path | None) -> Iterator[None]:
    """Say where a file could not be written: inside the merge's guard it would be taken for one of the merge's."""
    try:
        yield
    except OSError as error:
        raise StoreError(
            "{folder} cannot be written ({why})",
            hint="make room on its disk, or name a folder elsewhere",
            values={"folder": place or "the temporary folder", "why": error.strerror or error},
        ) from error
