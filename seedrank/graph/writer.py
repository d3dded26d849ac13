"""Making a graph piece by piece: as a folder that appears whole or not at all, or in memory."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol

import numpy as np
import pyarrow as pa

from seedrank.core.files import HalfFolder
from seedrank.graph.folder import RECORD, add, seal, writing
from seedrank.graph.npy import ArrayStream

if TYPE_CHECKING:
    from seedrank.graph.webgraph import WebGraph

__all__ = ["GraphWriter", "MemoryWriter", "Stream", "TextSink", "Writer", "new_array", "put_column", "put_host_column"]


class TextSink(Protocol):
    """Takes strings, a batch at a time."""

    def write(self, batch: pa.RecordBatch) -> None:
        """Add a batch."""

    def close(self) -> None:
        """No more come."""


class Stream(Protocol):
    """Takes an array from front to end."""

    length: int
    """Values that were written."""

    def write(self, values: np.ndarray) -> None:
        """Add values."""


class Writer(Protocol):
    """What a graph is made with. Use as a context manager: on an exception everything written so far is removed."""

    def array(self, name: str, dtype: Any, length: int) -> np.ndarray:
        """A new array to fill: ``out_offsets``, ``out_targets``, ``status``, ``host``, ``column-NAME``."""

    def stream(self, name: str, dtype: Any) -> Stream:
        """A new array to write from front to end, however long it gets."""

    def put(self, name: str, values: np.ndarray) -> None:
        """Take over an array that is there in memory."""

    def text_sink(self, name: str, schema: pa.Schema) -> TextSink:
        """Where to write strings: ``urls`` (url), ``hosts`` (name and columns), ``text-NAME`` (NAME)."""

    def text(self, name: str, batches: Iterable[pa.RecordBatch], schema: pa.Schema) -> None:
        """Write strings that are there."""

    def drop_text(self, name: str) -> None:
        """Forget strings: there were none."""

    @contextmanager
    def room(self, dtype: Any, shape: tuple[int, ...]) -> Iterator[np.ndarray]:
        """An array that is only needed while writing."""

    def close(self, pages: int, links: int, **facts: Any) -> WebGraph:
        """The graph."""

    def __enter__(self) -> Writer:
        """Begin."""

    def __exit__(self, kind: type[BaseException] | None, *rest: object) -> None:
        """End, and remove what was not closed."""


class GraphWriter:
    """Writes a folder of arrays; it appears whole, when the writer is closed, or not at all.

    Parameters
    ----------
    folder
        Where the graph will stand. An older graph there is replaced; any other folder that is not empty is refused.
    version
        Version of the graph (`GraphStore.version`).
    replaces
        A file by which an older graph is known; `ANYTHING` for a cache, whose place is ours; `None` to replace nothing.
    """

    def __init__(self, folder: str | Path, *, version: str, replaces: str | None = RECORD) -> None:
        self.folder = Path(folder)
        self._folder = HalfFolder(self.folder, replaces=replaces)
        self._half = self._folder.path
        self._arrays: list[str] = []
        self._texts: list[str] = []
        self._streams: list[ArrayStream] = []
        self._rooms = 0
        self._version = version

    def __enter__(self) -> GraphWriter:
        return self

    def __exit__(self, kind: type[BaseException] | None, *rest: object) -> None:
        for stream in self._streams:
            stream.discard()
        self._folder.discard()

    def array(self, name: str, dtype: Any, length: int) -> np.ndarray:
        """A new array on disk to fill."""
        self._arrays.append(name)
        return new_array(self._half / f"{name}.npy", dtype, (length,))

    def stream(self, name: str, dtype: Any) -> ArrayStream:
        """A new array on disk to write from front to end, however long it gets."""
        self._arrays.append(name)
        self._streams.append(ArrayStream(self._half / f"{name}.npy", dtype))
        return self._streams[-1]

    def put(self, name: str, values: np.ndarray) -> None:
        """Write an array that is there in memory."""
        self._arrays.append(name)
        np.save(self._half / f"{name}.npy", values)

    def text_sink(self, name: str, schema: pa.Schema) -> TextSink:
        """An Arrow file to write strings to."""
        self._texts.append(name)
        sink: TextSink = pa.ipc.new_file(str(self._half / f"{name}.arrow"), schema)
        return sink

    def text(self, name: str, batches: Iterable[pa.RecordBatch], schema: pa.Schema) -> None:
        """Write strings that are there."""
        _write_all(self, name, batches, schema)

    def drop_text(self, name: str) -> None:
        """Forget strings that were written."""
        self._texts.remove(name)
        (self._half / f"{name}.arrow").unlink()

    @contextmanager
    def room(self, dtype: Any, shape: tuple[int, ...]) -> Iterator[np.ndarray]:
        """An array on the same disk that is only needed while writing."""
        self._rooms += 1
        path = self._half.parent / f"room-{self._rooms}.npy"
        yield new_array(path, dtype, shape)
        path.unlink()

    def close(self, pages: int, links: int, **facts: Any) -> WebGraph:
        """Put the folder in its place and open it."""
        from seedrank.graph.webgraph import WebGraph

        for stream in self._streams:
            stream.close()
        record = {
            "pages": pages,
            "links": links,
            "version": self._version,
            "arrays": self._arrays,
            "texts": self._texts,
            **facts,
        }
        files = {
            **{name: f"{name}.npy" for name in self._arrays},
            **{name: f"{name}.arrow" for name in self._texts},
        }
        seal(self._half, record, files)
        self._folder.finish()
        return WebGraph.open(self.folder)


class MemoryWriter:
    """Makes a graph that is kept nowhere, where no folder can be written.

    Parameters
    ----------
    version
        Version of the graph (`GraphStore.version`).
    """

    def __init__(self, *, version: str) -> None:
        self._arrays: dict[str, np.ndarray] = {}
        self._streams: dict[str, _Parts] = {}
        self._texts: dict[str, _Batches] = {}
        self._version = version

    def __enter__(self) -> MemoryWriter:
        return self

    def __exit__(self, kind: type[BaseException] | None, *rest: object) -> None:
        """Nothing was written."""

    def array(self, name: str, dtype: Any, length: int) -> np.ndarray:
        """A new array to fill."""
        self._arrays[name] = np.zeros(length, dtype)
        return self._arrays[name]

    def stream(self, name: str, dtype: Any) -> Stream:
        """A new array to write from front to end."""
        self._streams[name] = _Parts(dtype)
        return self._streams[name]

    def put(self, name: str, values: np.ndarray) -> None:
        """Take over an array."""
        self._arrays[name] = values

    def text_sink(self, name: str, schema: pa.Schema) -> TextSink:
        """A list to write strings to."""
        self._texts[name] = _Batches(schema)
        return self._texts[name]

    def text(self, name: str, batches: Iterable[pa.RecordBatch], schema: pa.Schema) -> None:
        """Keep strings that are there."""
        _write_all(self, name, batches, schema)

    def drop_text(self, name: str) -> None:
        """Forget strings."""
        del self._texts[name]

    @contextmanager
    def room(self, dtype: Any, shape: tuple[int, ...]) -> Iterator[np.ndarray]:
        """An array that is only needed while writing."""
        yield np.empty(shape, dtype)

    def close(self, pages: int, links: int, **facts: Any) -> WebGraph:
        """The graph."""
        from seedrank.graph.webgraph import WebGraph

        self._arrays |= {name: stream.whole() for name, stream in self._streams.items()}
        texts = {name: pa.Table.from_batches(sink.batches, sink.schema) for name, sink in self._texts.items()}
        record = {"pages": pages, "links": links, "version": self._version, **facts}
        return WebGraph(self._arrays, {**record, "arrays": [*self._arrays], "texts": [*texts]}, texts=texts)


class _Parts:
    """An array in memory that grows."""

    def __init__(self, dtype: Any) -> None:
        self.length = 0
        self._parts = [np.empty(0, dtype)]

    def write(self, values: np.ndarray) -> None:
        self._parts.append(np.asarray(values, self._parts[0].dtype))
        self.length += len(values)

    def whole(self) -> np.ndarray:
        return np.concatenate(self._parts)


class _Batches:
    """Strings in memory."""

    def __init__(self, schema: pa.Schema) -> None:
        self.schema = schema
        self.batches: list[pa.RecordBatch] = []

    def write(self, batch: pa.RecordBatch) -> None:
        self.batches.append(batch)

    def close(self) -> None:
        pass


def new_array(path: Path, dtype: Any, shape: tuple[int, ...]) -> np.ndarray:
    """A memory-mapped array in a new file, its room taken at once: a full disk is an error here, not a signal later."""
    array = np.lib.format.open_memmap(path, "w+", dtype, shape)
    with path.open("r+b") as file:
        os.posix_fallocate(file.fileno(), 0, path.stat().st_size)
    return array


def put_column(folder: Path, name: str, values: np.ndarray) -> None:
    """Add a numeric page column to a folder of arrays, or replace it."""
    with writing(folder, wait=True) as half:
        path = half / f"column-{name}.npy"
        np.save(path, np.asarray(values, np.float64))
        add(folder, {f"column-{name}": path})


def put_host_column(folder: Path, name: str, values: np.ndarray) -> None:
    """Add a numeric column of hosts to a folder of arrays, or replace it."""
    from seedrank.graph.webgraph import WebGraph

    with writing(folder, wait=True) as half:
        hosts = WebGraph.open(folder).hosts
        if name in hosts.column_names:
            hosts = hosts.drop_columns([name])
        hosts = hosts.append_column(name, pa.array(np.asarray(values, np.float64), from_pandas=True))
        path = half / "hosts.arrow"
        with pa.ipc.new_file(str(path), hosts.schema) as sink:
            sink.write_table(hosts)
        add(folder, {"hosts": path})


def _write_all(writer: Writer, name: str, batches: Iterable[pa.RecordBatch], schema: pa.Schema) -> None:
    sink = writer.text_sink(name, schema)
    try:
        for batch in batches:
            sink.write(batch)
    finally:
        sink.close()
