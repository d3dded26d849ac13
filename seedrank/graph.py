"""WebGraph: the graph in memory. Links as CSR, pages as columns; immutable and memory-mapped.

On disk it is a folder that opens in milliseconds whatever its size:

    graph.json                 pages, links, version, which columns there are; written last
    out_offsets.npy            int64, pages + 1
    out_targets.npy            int32, links: page i links to the pages at out_offsets[i]:out_offsets[i+1], ascending
    in_offsets.npy in_sources.npy   the same the other way round, made on first use
    status.npy host.npy source_id.npy   int8, int32 (-1 without a host), int64
    weights.npy                float32, per link, only where some weight is not 1
    column-NAME.npy            numbers and booleans of pages
    urls.arrow hosts.arrow text-NAME.arrow   strings
    (host-level columns are columns of hosts.arrow)

Memory: 4 bytes a link and 8 a page for either direction, and what is touched of the rest.
"""

from __future__ import annotations

import json
import os
import shutil
import tempfile
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa

from seedrank.core.errors import GraphError, InputError
from seedrank.core.model import Status

__all__ = ["MAX_PAGES", "GraphWriter", "WebGraph", "frozen", "new_array", "put_column"]

MAX_PAGES = 2**31 - 1
"""Page ids are int32 in link arrays."""

_FORMAT = 1


def frozen(array: np.ndarray) -> np.ndarray:
    """A plain read-only view: a kernel is compiled once, whether an array comes from a file or from memory."""
    view = np.asarray(array).view()
    view.flags.writeable = False
    return view


class WebGraph:
    """A web graph of `pages` pages, numbered from 0, and `links` links.

    Open a folder with `WebGraph.open`; build one from links in memory with `WebGraph.from_links`.
    """

    def __init__(self, arrays: Mapping[str, Any], meta: Mapping[str, Any], folder: Path | None = None) -> None:
        self._arrays = dict(arrays)
        self.meta = dict(meta)
        self.folder = folder
        self.pages: int = int(meta["pages"])
        self.links: int = int(meta["links"])
        self.version: str = str(meta["version"])

    def __repr__(self) -> str:
        return f"WebGraph(pages={self.pages:,}, links={self.links:,})"

    # -- making one

    @classmethod
    def open(cls, folder: str | Path) -> WebGraph:
        """Open a folder of arrays; nothing is read until it is touched."""
        folder = Path(folder)
        try:
            meta = json.loads((folder / "graph.json").read_text(encoding="utf-8"))
            if meta["format"] != _FORMAT:
                raise KeyError("format")
            arrays = {name: np.load(folder / f"{name}.npy", mmap_mode="r") for name in meta["arrays"]}
            graph = cls(arrays, meta, folder)
            graph._check()
        except (OSError, ValueError, KeyError, TypeError) as error:
            raise InputError(
                "not a folder of WebGraph arrays",
                file=str(folder),
                hint="make one with `seedrank generate --graph DIR`",
            ) from error
        return graph

    @classmethod
    def from_links(
        cls,
        pages: int,
        source: np.ndarray,
        target: np.ndarray,
        *,
        status: np.ndarray | None = None,
        host: np.ndarray | None = None,
        host_names: Iterable[str] = (),
        urls: Iterable[str] | None = None,
        columns: Mapping[str, np.ndarray] | None = None,
        version: str = "memory",
    ) -> WebGraph:
        """A graph in memory from two arrays of page ids.

        Self-links are dropped and repeated links count once. Without `status` every page is crawled.
        """
        source = np.asarray(source, np.int64)
        target = np.asarray(target, np.int64)
        if len(source) and (min(source.min(), target.min()) < 0 or max(source.max(), target.max()) >= pages):
            raise GraphError(f"a link names a page outside 0..{pages - 1}")
        keep = source != target
        keys = np.unique(source[keep] * max(pages, 1) + target[keep])
        offsets = np.zeros(pages + 1, np.int64)
        np.cumsum(np.bincount(keys // max(pages, 1), minlength=pages), out=offsets[1:])
        arrays: dict[str, Any] = {
            "out_offsets": offsets,
            "out_targets": (keys % max(pages, 1)).astype(np.int32),
            "status": np.full(pages, Status.CRAWLED, np.int8) if status is None else np.asarray(status, np.int8),
            "host": np.full(pages, -1, np.int32) if host is None else np.asarray(host, np.int32),
        }
        for name, values in (columns or {}).items():
            arrays[f"column-{name}"] = np.asarray(values)
        texts: dict[str, pa.Table] = {"hosts": pa.table({"name": pa.array(list(host_names), pa.large_string())})}
        if urls is not None:
            texts["urls"] = pa.table({"url": pa.array(list(urls), pa.large_string())})
        meta = {"pages": pages, "links": len(keys), "version": version, "texts": sorted(texts)}
        graph = cls(arrays, meta)
        graph.__dict__["_texts"] = texts
        return graph

    # -- links

    @property
    def out_offsets(self) -> np.ndarray:
        """int64, pages + 1: where each page's targets start."""
        return self._array("out_offsets")

    @property
    def out_targets(self) -> np.ndarray:
        """int32: targets of all links, by source, ascending within a source."""
        return self._array("out_targets")

    @property
    def in_offsets(self) -> np.ndarray:
        """int64, pages + 1: where the sources of the links to each page start."""
        self._transpose()
        return self._array("in_offsets")

    @property
    def in_sources(self) -> np.ndarray:
        """int32: sources of all links, by target, ascending within a target."""
        self._transpose()
        return self._array("in_sources")

    @property
    def weights(self) -> np.ndarray | None:
        """float32, one per link in the order of `out_targets`; `None` when every weight is 1."""
        return self._arrays.get("weights")

    @cached_property
    def out_degree(self) -> np.ndarray:
        """int32: distinct pages each page links to."""
        return np.diff(self.out_offsets).astype(np.int32)

    @cached_property
    def in_degree(self) -> np.ndarray:
        """int32: distinct pages that link to each page; needs no transpose."""
        if self.transposed:
            return np.diff(self._array("in_offsets")).astype(np.int32)
        from seedrank.kernels.csr import count_targets

        return count_targets(self.out_targets, self.pages)

    @property
    def transposed(self) -> bool:
        """Whether the links into pages are there already."""
        return "in_offsets" in self._arrays

    # -- pages

    @property
    def status(self) -> np.ndarray:
        """int8 per page: values of `Status`."""
        return self._array("status")

    @property
    def host(self) -> np.ndarray:
        """int32 per page: index into `host_names`, -1 without a host."""
        return self._array("host")

    @property
    def source_id(self) -> np.ndarray | None:
        """int64 per page: the number the source gave it; `None` where no page has one."""
        return self._arrays.get("source_id")

    @property
    def column_names(self) -> list[str]:
        """Names of the page columns: numbers, booleans and texts."""
        numbers = [name.removeprefix("column-") for name in self._arrays if name.startswith("column-")]
        return numbers + self.text_names

    @property
    def text_names(self) -> list[str]:
        """Names of the page columns that hold strings."""
        return [name.removeprefix("text-") for name in self._texts if name.startswith("text-")]

    def column(self, name: str) -> np.ndarray:
        """A numeric or boolean page column, NaN where a page has no value."""
        try:
            return self._array(f"column-{name}")
        except KeyError:
            if f"text-{name}" in self._texts:
                raise GraphError(f"column {name!r} holds text, not numbers") from None
            known = ", ".join(sorted(self.column_names)) or "none"
            raise GraphError(
                f"pages have no column {name!r}", hint=f"columns there are: {known}; --refresh after edits by hand"
            ) from None

    def text(self, name: str) -> pa.ChunkedArray:
        """A page column of strings."""
        return self._texts[f"text-{name}"][name]

    @property
    def urls(self) -> pa.ChunkedArray | None:
        """URL per page (large_string, null where unknown); `None` where no page has one."""
        table = self._texts.get("urls")
        return None if table is None else table["url"]

    @property
    def host_names(self) -> pa.ChunkedArray:
        """Host name per host index."""
        return self.hosts["name"]

    @property
    def hosts(self) -> pa.Table:
        """``name`` and the host columns, by host index."""
        return self._texts["hosts"]

    # -- inside

    @cached_property
    def _texts(self) -> dict[str, pa.Table]:
        assert self.folder is not None
        tables = {}
        for name in self.meta["texts"]:
            with pa.memory_map(str(self.folder / f"{name}.arrow")) as source:
                tables[name] = pa.ipc.open_file(source).read_all()
        return tables

    def _array(self, name: str) -> np.ndarray:
        array: np.ndarray = self._arrays[name]
        return array

    def _check(self) -> None:
        offsets, targets = self._array("out_offsets"), self._array("out_targets")
        sizes = {len(offsets) - 1, len(self.status), len(self.host)}
        if sizes != {self.pages} or len(targets) != self.links or offsets[-1] != self.links:
            raise ValueError("lengths differ")

    def _transpose(self) -> None:
        if "in_sources" in self._arrays:
            return
        from seedrank.kernels.csr import transpose

        folder = self.folder
        if folder is not None and (folder / "in_sources.npy").is_file():
            self._adopt_in_links(folder)
        elif folder is not None and os.access(folder, os.W_OK):
            # in_sources.npy appears last, so its presence says that both files are whole.
            with tempfile.TemporaryDirectory(prefix=".in-links-", dir=folder) as half_name:
                half = Path(half_name)
                sources = new_array(half / "s.npy", np.int32, (self.links,))
                offsets = transpose(self.out_offsets, self.out_targets, self.pages, sources)
                np.save(half / "o.npy", offsets)
                (half / "o.npy").replace(folder / "in_offsets.npy")
                (half / "s.npy").replace(folder / "in_sources.npy")
            self._adopt_in_links(folder)
        else:
            in_memory = np.empty(self.links, np.int32)
            self._arrays["in_offsets"] = transpose(self.out_offsets, self.out_targets, self.pages, in_memory)
            self._arrays["in_sources"] = in_memory

    def _adopt_in_links(self, folder: Path) -> None:
        self._arrays["in_offsets"] = np.load(folder / "in_offsets.npy", mmap_mode="r")
        self._arrays["in_sources"] = np.load(folder / "in_sources.npy", mmap_mode="r")


def put_column(folder: Path, name: str, values: np.ndarray) -> None:
    """Add a numeric page column to a folder of arrays, or replace it."""
    meta = json.loads((folder / "graph.json").read_text(encoding="utf-8"))
    half = folder / f".column-{name}.npy"
    np.save(half, np.asarray(values, np.float64))
    half.replace(folder / f"column-{name}.npy")
    if f"column-{name}" not in meta["arrays"]:
        meta["arrays"].append(f"column-{name}")
        half = folder / ".graph.json"
        half.write_text(json.dumps(meta, indent=2) + "\n", encoding="utf-8")
        half.replace(folder / "graph.json")


def new_array(path: Path, dtype: Any, shape: tuple[int, ...]) -> np.ndarray:
    """A memory-mapped array in a new file, its room taken at once: a full disk is an error here, not a signal later."""
    array = np.lib.format.open_memmap(path, "w+", dtype, shape)
    with path.open("r+b") as file:
        os.posix_fallocate(file.fileno(), 0, path.stat().st_size)
    return array


class GraphWriter:
    """Writes a folder of arrays piece by piece; the folder appears whole, at the end, or not at all.

    Use as a context manager: on an exception everything written so far is removed.

    Parameters
    ----------
    folder
        Where the graph will stand. An older graph there is replaced; any other folder that is not empty is refused.
    version
        Version of the graph (`GraphStore.version`).
    """

    def __init__(self, folder: str | Path, *, version: str) -> None:
        self.folder = Path(folder)
        if self.folder.exists() and not (self.folder / "graph.json").exists() and any(self.folder.iterdir()):
            raise InputError("is there and holds no graph", file=str(self.folder), hint="name another folder")
        self.folder.parent.mkdir(parents=True, exist_ok=True)
        self._half = Path(tempfile.mkdtemp(prefix=f".{self.folder.name}-", dir=self.folder.parent))
        self._arrays: list[str] = []
        self._texts: list[str] = []
        self._version = version

    def __enter__(self) -> GraphWriter:
        return self

    def __exit__(self, kind: type[BaseException] | None, *rest: object) -> None:
        if self._half.exists():
            shutil.rmtree(self._half)

    def array(self, name: str, dtype: Any, length: int) -> np.ndarray:
        """A new array on disk to fill: ``out_offsets``, ``out_targets``, ``status``, ``host``, ``column-NAME``."""
        self._arrays.append(name)
        return new_array(self._half / f"{name}.npy", dtype, (length,))

    def put(self, name: str, values: np.ndarray) -> None:
        """Write an array that is there in memory."""
        self._arrays.append(name)
        np.save(self._half / f"{name}.npy", values)

    def text(self, name: str, batches: Iterable[pa.RecordBatch], schema: pa.Schema) -> None:
        """Write strings: ``urls`` (url), ``hosts`` (name and columns), ``text-NAME`` (NAME)."""
        self._texts.append(name)
        with pa.OSFile(str(self._half / f"{name}.arrow"), "wb") as sink, pa.ipc.new_file(sink, schema) as writer:
            for batch in batches:
                writer.write(batch)

    @contextmanager
    def scratch(self) -> Iterator[Path]:
        """A folder for what is only needed while writing, on the same disk."""
        with tempfile.TemporaryDirectory(prefix="scratch-", dir=self._half) as name:
            yield Path(name)

    def adopt_text(self, name: str, path: Path) -> None:
        """Take over strings that were already written as an Arrow file."""
        self._texts.append(name)
        shutil.move(path, self._half / f"{name}.arrow")

    def close(self, pages: int, links: int, **facts: Any) -> WebGraph:
        """Put the folder in its place and open it."""
        meta = {
            "format": _FORMAT,
            "pages": pages,
            "links": links,
            "version": self._version,
            "arrays": self._arrays,
            "texts": self._texts,
            **facts,
        }
        (self._half / "graph.json").write_text(json.dumps(meta, indent=2) + "\n", encoding="utf-8")
        if self.folder.exists():
            # A folder cannot be swapped for another in one step: the old one goes aside first.
            old = Path(tempfile.mkdtemp(prefix=f".{self.folder.name}-old-", dir=self.folder.parent))
            self.folder.rename(old / "graph")
            self._half.rename(self.folder)
            shutil.rmtree(old)
        else:
            self._half.rename(self.folder)
        return WebGraph.open(self.folder)
