"""WebGraph: links as CSR, pages as columns; immutable, memory-mapped where it comes from a folder."""

from __future__ import annotations

import copy
import hashlib
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import pyarrow as pa

from seedrank.core.errors import GraphError, InputError
from seedrank.core.model import Status
from seedrank.graph.folder import add, open_folder, read_text, writing
from seedrank.graph.writer import new_array

if TYPE_CHECKING:
    import networkx as nx
    from scipy import sparse

__all__ = ["AT_ONCE", "MAX_PAGES", "WebGraph", "float32_weights", "frozen", "url_blocks", "url_bytes"]


_LINK_ARRAYS = frozenset({"out_offsets", "out_targets", "in_offsets", "in_sources"})
_WEIGHT_ARRAYS = frozenset({"weights", "in_weights"})
MAX_PAGES = 2**31 - 1
"""Page ids are int32 in link arrays."""


def frozen(array: np.ndarray) -> np.ndarray:
    """A plain read-only view: a kernel is compiled once, whether an array comes from a file or from memory."""
    view = np.asarray(array).view()
    view.flags.writeable = False
    return view


def float32_weights(weights: np.ndarray) -> np.ndarray:
    """Weights as a graph keeps them: what is above the largest float32 counts as that."""
    return np.minimum(weights, np.finfo(np.float32).max).astype(np.float32)


def _digest(arrays: Mapping[str, np.ndarray], texts: Mapping[str, pa.Table]) -> str:
    """The version of a graph by all it holds."""
    whole = hashlib.sha256()
    for name in sorted(arrays):
        whole.update(f"{name}\0".encode() + np.ascontiguousarray(arrays[name]).view(np.uint8).data)
    for name in sorted(texts):
        for column in texts[name].columns:
            whole.update(f"{name}\0".encode() + "\0".join(map(str, column.to_pylist())).encode())
    return whole.hexdigest()[:16]


class WebGraph:
    """A web graph of `pages` pages, numbered from 0, and `links` links.

    Open a folder with `WebGraph.open`; build one from links in memory with `WebGraph.from_links`.
    """

    def __init__(
        self,
        arrays: Mapping[str, Any],
        meta: Mapping[str, Any],
        folder: Path | None = None,
        texts: Mapping[str, pa.Table | Path] | None = None,
    ) -> None:
        self._fetch: Callable[[], WebGraph] | None = None
        self._arrays = dict(arrays)
        self._weighing: dict[str, Any] = self._arrays
        """Where the weights are; another dictionary in the twins that `unweighted` and `capped` give."""
        self._text_sources = dict(texts or {})
        self.meta = dict(meta)
        self.folder = folder
        self.pages: int = int(meta["pages"])
        self.links: int = int(meta["links"])
        self.version: str = str(meta["version"])

    def __repr__(self) -> str:
        columns = f", columns {', '.join(sorted(self.column_names))}" if self.column_names else ""
        return f"WebGraph(pages={self.pages:,}, links={self.links:,}{columns})"

    # -- making one

    @classmethod
    def open(cls, folder: str | Path, *, cache: bool = False) -> WebGraph:
        """Open a folder of arrays; nothing is read until it is touched.

        Parameters
        ----------
        folder
            Of arrays; what is verified stands in `seedrank.graph.folder`.
        cache
            It can be made again at any time, so nothing but a whole folder of today's format will do.

        Raises
        ------
        InputError
            Names the file that is damaged.
        """
        folder = Path(folder)
        record, arrays, texts = open_folder(folder, cache=cache)
        return cls(arrays, record, folder, texts)

    @classmethod
    def from_links(
        cls,
        pages: int,
        source: np.ndarray,
        target: np.ndarray,
        *,
        weights: np.ndarray | None = None,
        status: np.ndarray | None = None,
        host: np.ndarray | None = None,
        host_names: Iterable[str] = (),
        urls: Iterable[str] | None = None,
        source_id: np.ndarray | None = None,
        columns: Mapping[str, np.ndarray | pa.Array] | None = None,
        version: str | None = None,
    ) -> WebGraph:
        """A graph in memory from two arrays of page ids.

        Self-links are dropped and repeated links count once; their weights add up. Without `status` every page is
        crawled. Columns that are Arrow arrays are text. The version is a digest of what is given.
        """
        source = np.asarray(source, np.int64)
        target = np.asarray(target, np.int64)
        if len(source) and (min(source.min(), target.min()) < 0 or max(source.max(), target.max()) >= pages):
            raise GraphError(f"a link names a page outside 0..{pages - 1}")
        keep = source != target
        every_key = source[keep] * max(pages, 1) + target[keep]
        keys = np.sort(every_key)  # np.unique hashes, which takes many times as long
        keys = keys[np.diff(keys, prepend=-1) > 0]
        offsets = np.zeros(pages + 1, np.int64)
        np.cumsum(np.bincount(keys // max(pages, 1), minlength=pages), out=offsets[1:])
        arrays: dict[str, Any] = {
            "out_offsets": offsets,
            "out_targets": (keys % max(pages, 1)).astype(np.int32),
            "status": np.full(pages, Status.CRAWLED, np.int8) if status is None else np.asarray(status, np.int8),
            "host": np.full(pages, -1, np.int32) if host is None else np.asarray(host, np.int32),
        }
        if weights is not None:
            sums = np.bincount(
                np.searchsorted(keys, every_key), np.asarray(weights, np.float64)[keep], minlength=len(keys)
            )
            arrays["weights"] = float32_weights(sums)
        if source_id is not None:
            arrays["source_id"] = np.asarray(source_id, np.int64)
        texts: dict[str, pa.Table] = {"hosts": pa.table({"name": pa.array(list(host_names), pa.large_string())})}
        if urls is not None:
            texts["urls"] = pa.table({"url": pa.array(list(urls), pa.large_string())})
        for name, values in (columns or {}).items():
            if isinstance(values, pa.Array):
                texts[f"text-{name}"] = pa.table({name: values.cast(pa.large_string())})
            else:
                arrays[f"column-{name}"] = np.asarray(values)
        version = _digest(arrays, texts) if version is None else version
        meta = {"pages": pages, "links": len(keys), "version": version, "texts": sorted(texts)}
        return cls(arrays, meta, texts=texts)

    def fetching(self, fetch: Callable[[], WebGraph]) -> WebGraph:
        """The same pages; the links are those of the graph that `fetch` gives once something asks for them."""
        arrays = {name: array for name, array in self._arrays.items() if name not in (*_LINK_ARRAYS, *_WEIGHT_ARRAYS)}
        pages = WebGraph(arrays, self.meta, None, self._text_sources)
        pages._fetch = fetch
        return pages

    def with_links(self) -> WebGraph:
        """The graph that the links come from, where they are fetched; this one otherwise."""
        return self if self._fetch is None else self._fetched

    # -- as others have it

    def to_scipy(self) -> sparse.csr_array:
        """The links as a sparse matrix: entry ``[i, j]`` is the weight of the link from page i to page j."""
        from scipy import sparse

        data = np.ones(self.links, np.float32) if self.weights is None else np.array(self.weights)
        return sparse.csr_array((data, np.array(self.out_targets), np.array(self.out_offsets)), shape=(self.pages,) * 2)

    def to_networkx(self) -> nx.DiGraph:
        """The graph as networkx has it: ids as nodes, with names, ``status`` and columns, and links with weights."""
        from seedrank.graph.networkx import graph_to_networkx

        return graph_to_networkx(self)

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
        if self._weighing is self._arrays:
            self._bring_links()
        return self._weighing.get("weights")

    @property
    def in_weights(self) -> np.ndarray | None:
        """float32, one per link in the order of `in_sources`; `None` when every weight is 1."""
        if self.weights is None:
            return None
        self._transpose()
        if "in_weights" not in self._weighing:
            self._transpose_weights()
        found: np.ndarray = self._weighing["in_weights"]
        return found

    @cached_property
    def strength(self) -> np.ndarray:
        """float64 per page: sum of the weights of its links; the out-degree when every weight is 1."""
        weights = self.weights
        if weights is None:
            return self.out_degree.astype(np.float64)
        from seedrank.engines.kernels.csr import row_sums

        sums = np.empty(self.pages)
        row_sums(frozen(self.out_offsets), frozen(weights), sums)
        return sums

    def unweighted(self) -> WebGraph:
        """The same graph with every weight 1: the arrays are shared, also those that either makes later."""
        away = self._fetch is not None and not self.links_here
        return self._unweighted if away or self.weights is not None else self

    def capped(self, most: int) -> WebGraph:
        """The same links, of which at most `most` of each page carry weight; the others weigh 0.

        The heaviest stay. Links of the same weight go by a hash of both page ids, so that no page is preferred for
        its number. Takes 4 bytes a link, and as much again for `in_weights`; the other arrays are shared.
        """
        from seedrank.engines.kernels.csr import cap_rows

        if most < 1:
            raise GraphError(f"at most {most} links of a page: that is none", hint="give 1 or more")
        held = self.weights
        weights = np.ones(self.links, np.float32) if held is None else np.array(held)
        cap_rows(frozen(self.out_offsets), frozen(self.out_targets), min(most, self.pages), weights)
        return self._weighed(weights)

    @cached_property
    def out_degree(self) -> np.ndarray:
        """int32: distinct pages each page links to."""
        return np.diff(self.out_offsets).astype(np.int32)

    @cached_property
    def in_degree(self) -> np.ndarray:
        """int32: distinct pages that link to each page; needs no transpose."""
        self._bring_links()
        if self.transposed:
            return np.diff(self._array("in_offsets")).astype(np.int32)
        from seedrank.engines.kernels.csr import count_targets

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
                raise GraphError(f"column {name!r} holds text, not numbers", hint="name a column of numbers") from None
            known = ", ".join(sorted(self.column_names)) or "none"
            raise GraphError(
                "pages have no column {name}",
                hint="the columns are: {known}; use {refresh=True} after edits by hand",
                fields=("refresh",),
                values={"name": repr(name), "known": known},
            ) from None

    def text(self, name: str) -> pa.ChunkedArray:
        """A page column of strings."""
        if name not in self.text_names:
            known = ", ".join(self.text_names) or "none"
            raise GraphError(f"pages have no column {name!r} of text", hint=f"the columns of text are: {known}")
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
        return {
            name: read_text(source) if isinstance(source, Path) else source
            for name, source in self._text_sources.items()
        }

    @cached_property
    def _fetched(self) -> WebGraph:
        assert self._fetch is not None
        return self._fetch()

    @property
    def has_links(self) -> bool:
        """Whether the links are here, or will be when they are asked for; those of a graph in Spark stay there."""
        return self.links_here or self._fetch is not None

    @property
    def links_here(self) -> bool:
        """Whether the links are here already."""
        return "out_offsets" in self._arrays

    def _bring_links(self) -> None:
        if self._fetch is None or self.links_here:
            return
        fetched = self.with_links()
        # Into the dictionary that twins share.
        for name in (*_LINK_ARRAYS, *_WEIGHT_ARRAYS):
            if name in fetched._arrays:
                self._arrays[name] = fetched._arrays[name]

    def _array(self, name: str) -> np.ndarray:
        if name in _LINK_ARRAYS:
            self._bring_links()
        if name in _LINK_ARRAYS and not self.links_here:
            raise GraphError(
                "the links of this graph stay in Spark, and what was asked goes through them page by page",
                hint="use {engine=native} where they fit into memory",
                fields=("engine",),
            )
        array: np.ndarray = self._arrays[name]
        return array

    @cached_property
    def _unweighted(self) -> WebGraph:
        return self._weighed(None)

    def _weighed(self, weights: np.ndarray | None) -> WebGraph:
        """A twin with other weights; it shares everything else."""
        twin = copy.copy(self)
        for name in ("strength", "_unweighted"):
            twin.__dict__.pop(name, None)
        twin._weighing = {} if weights is None else {"weights": frozen(weights)}
        return twin

    def _transpose(self) -> None:
        self._bring_links()
        if "in_sources" in self._arrays or self._transposed_in_blocks("in_sources", 4 * self.links + 24 * self.pages):
            return
        self._array("out_offsets")
        try:
            self._transpose_on_disk()
        except (OSError, InputError):
            # The folder cannot be written, is full, or another process writes there.
            self._transpose_into(np.empty(self.links, np.int32))

    def _transpose_on_disk(self) -> None:
        if self.folder is None:
            raise FileNotFoundError
        with writing(self.folder) as half:
            in_offsets, in_sources = half / "in_offsets.npy", half / "in_sources.npy"
            self._transpose_into(new_array(in_sources, np.int32, (self.links,)))
            np.save(in_offsets, self._arrays["in_offsets"])
            add(self.folder, {"in_offsets": in_offsets, "in_sources": in_sources})
        for name in ("in_offsets", "in_sources"):
            self._arrays[name] = np.load(self.folder / f"{name}.npy", mmap_mode="r")

    def _transpose_into(self, sources: np.ndarray) -> None:
        from seedrank.engines.kernels.csr import transpose

        self._arrays["in_offsets"] = transpose(self.out_offsets, self.out_targets, self.pages, sources)
        self._arrays["in_sources"] = frozen(sources)

    def _transposed_in_blocks(self, name: str, needed: int) -> bool:
        """Make links or weights the other way round on disk where they are large; whether that was done."""
        if self.folder is None:
            return False
        from seedrank.graph import transpose

        if transpose.fits_memory(needed):
            return False
        try:
            if name == "in_sources":
                self._arrays |= transpose.transpose_links(self.folder, self._arrays, self.meta)
            else:
                self._arrays[name] = transpose.transpose_weights(self.folder, self._arrays, self.meta)
        except OSError as error:
            transpose.refuse_in_memory(needed, self.folder, error)
            return False
        return True

    def _transpose_weights(self) -> None:
        if self._weighing is self._arrays and self._transposed_in_blocks("in_weights", 4 * self.links + 8 * self.pages):
            return
        try:
            self._transpose_weights_on_disk()
        except (OSError, InputError):
            self._weighing["in_weights"] = self._transposed_weights(np.empty(self.links, np.float32))

    def _transpose_weights_on_disk(self) -> None:
        if self.folder is None or self._weighing is not self._arrays:
            raise FileNotFoundError
        with writing(self.folder) as half:
            path = half / "in_weights.npy"
            self._transposed_weights(new_array(path, np.float32, (self.links,)))
            add(self.folder, {"in_weights": path})
        self._arrays["in_weights"] = np.load(self.folder / "in_weights.npy", mmap_mode="r")

    def _transposed_weights(self, weights: np.ndarray) -> np.ndarray:
        from seedrank.engines.kernels.csr import transpose_weights

        held = self.weights
        assert held is not None
        offsets, targets, in_offsets = self.out_offsets, self.out_targets, self.in_offsets
        transpose_weights(frozen(offsets), frozen(targets), frozen(in_offsets), frozen(held), weights)
        return frozen(weights)


AT_ONCE = 1 << 18
"""URLs that are looked at together."""


def url_blocks(graph: WebGraph) -> Iterator[tuple[int, pa.Array]]:
    """The URLs, some at a time, with the id of the first page; nothing where no page has one."""
    if graph.urls is None:
        return
    for first in range(0, graph.pages, AT_ONCE):
        block = graph.urls.slice(first, AT_ONCE).cast(pa.large_string()).combine_chunks()
        yield first, block.chunk(0) if isinstance(block, pa.ChunkedArray) else block


def url_bytes(urls: pa.Array) -> tuple[np.ndarray, np.ndarray]:
    """Bytes of large strings, and where each begins; a null is empty."""
    _, offsets, data = urls.buffers()
    bounds = np.frombuffer(offsets, np.int64)[urls.offset : urls.offset + len(urls) + 1]
    text = np.empty(0, np.uint8) if data is None else np.frombuffer(data, np.uint8)
    return frozen(text), frozen(bounds)
