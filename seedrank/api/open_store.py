"""Open a store as a workbench, or a graph in memory: frames, a graph of networkx, a matrix of SciPy.

Answers about a graph in memory are kept until the workbench is closed. Cypher and SQL need a store: load the frames
into one for those.
"""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from seedrank import graphdb
from seedrank.api.workbench import Workbench
from seedrank.core.errors import UsageError, shorten
from seedrank.core.numbers import show_size
from seedrank.core.progress import Advance, Progress, silent
from seedrank.graph import MAX_PAGES, WebGraph
from seedrank.graphdb.arrays import MemoryStore
from seedrank.graphdb.store import Database
from seedrank.loaders.base import LoadOptions, load_options

if TYPE_CHECKING:
    import networkx as nx

    from seedrank.engines.choose import EngineName

__all__ = ["from_frames", "from_networkx", "from_scipy", "open"]


def open(
    store: str | Path,
    *,
    database: str | None = None,
    prefix: str | None = None,
    model: str | Path | None = None,
    create: bool = False,
    read_only: bool = False,
    engine: EngineName = "auto",
    site: Literal["host", "domain"] = "host",
    refresh: bool = False,
    batch_size: int | None = None,
    store_memory: int | str | None = None,
    wait: float = 0.0,
    master: str | None = None,
    progress: Progress | None = None,
) -> Workbench:
    """Open a store.

    Parameters
    ----------
    store
        A path (embedded store), ``"neo4j"`` (of `seedrank db up`), a URL of Neo4j, arrays, or ``spark+parquet:DIR``.
    database, prefix, model
        On a Neo4j server: the database (its default when `None`); what labels begin with where others use it too; a
        TOML file that says what pages and links are in a graph of others.
    create, read_only
        Make an embedded store where there is none; refuse to write to one.
    engine
        Where the primitives run: ``native`` (in memory), ``gds`` (inside Neo4j), ``spark``, or ``auto``, one by one.
    site, refresh
        What a site is: the ``host``, or all hosts of a registered ``domain``; whether to read an unchanged graph again.
    batch_size
        Rows per transaction of a Neo4j store; the fastest measured by default.
    store_memory, wait
        Memory an embedded store may use, such as ``"512M"``, and seconds that a write to it waits for another writer.
    master, progress
        The cluster that Spark runs on, such as ``spark://host:7077``; ``SPARK_MASTER``, else this machine when `None`.
        Told how far long work is; by default notebooks show a line.
    """
    opened = graphdb.open_store(
        _url(store),
        database=database,
        prefix=prefix,
        model=model,
        create=create,
        read_only=read_only,
        batch_size=batch_size,
        store_memory=store_memory,
        wait=wait,
        master=master,
    )
    try:
        if create and isinstance(opened, Database):
            opened.create_schema()  # an empty store can be asked, and says that it is empty
        return Workbench(opened, engine=engine, site=site, refresh=refresh, progress=_shown(progress))
    except BaseException:
        opened.close()
        raise


def _url(store: str | Path) -> str:
    """What a store is called; a path is a file, whatever its name."""
    if not isinstance(store, str | os.PathLike) or not str(store):
        raise UsageError(
            f"{type(store).__name__} {shorten(store)} is no store",
            hint="give a path or URL; from_frames, from_networkx and from_scipy open what is in memory",
        )
    return f"./{store}" if store == Path(graphdb.LOCAL) else str(store)


def from_frames(
    pages: Any = None,
    links: Any = None,
    *,
    hosts: Any = None,
    events: Any = None,
    options: LoadOptions | None = None,
    engine: EngineName = "auto",
    site: Literal["host", "domain"] = "host",
    progress: Progress | None = None,
    **shape: Any,
) -> Workbench:
    """Open frames of pandas, polars or Arrow as a graph in memory.

    Parameters
    ----------
    pages, links, hosts, events
        The tables, with the columns of ``seedrank load table``: pages need ``url`` or ``id``, links ``source`` and
        ``target``.
    options
        What shapes the graph.
    engine, site, progress
        As of `seedrank.open`.
    shape
        The same as `options`, one by one: ``status_map={"external": "frontier"}``, ``map={"url": "page"}``.
    """
    from seedrank.ingest.arrays import graph_of_frames

    frames = {"pages": pages, "links": links, "hosts": hosts, "events": events}
    given = {kind: frame for kind, frame in frames.items() if frame is not None}
    progress = _shown(progress)
    graph, _ = graph_of_frames(given, load_options(options, shape), progress=progress)
    return _bench(graph, engine=engine, site=site, progress=progress)


def from_networkx(
    graph: nx.Graph,
    *,
    weight: str = "weight",
    engine: EngineName = "auto",
    site: Literal["host", "domain"] = "host",
    progress: Progress | None = None,
) -> Workbench:
    """Open a graph of networkx.

    Nodes that are whole numbers are ids of the source, nodes that are text are URLs; of others the order counts. Node
    attributes are page columns; without ``status`` among them every page is crawled. An edge without a direction is a
    link both ways.

    Parameters
    ----------
    weight
        Edge attribute that is the weight of a link.
    engine, site, progress
        As of `seedrank.open`.
    """
    from seedrank.graph.networkx import graph_of_networkx

    made = graph_of_networkx(graph, weight)
    return _bench(made, engine=engine, site=site, progress=_shown(progress))


def from_scipy(
    matrix: Any,
    *,
    engine: EngineName = "auto",
    progress: Progress | None = None,
) -> Workbench:
    """Open a square sparse matrix: entry ``[i, j]`` is the weight of the link from page i to page j.

    Every page is crawled. Entries on the diagonal and zeros are no links.

    Parameters
    ----------
    matrix
        A sparse matrix or array of SciPy, or a dense array.
    engine, progress
        As of `seedrank.open`.
    """
    from scipy import sparse

    try:
        links = sparse.coo_array(matrix)
    except (TypeError, ValueError) as error:
        raise UsageError(f"{shorten(matrix)} is no matrix", hint="give a square sparse matrix of SciPy") from error
    if links.ndim != 2 or links.shape[0] != links.shape[1] or not 0 < links.shape[0] <= MAX_PAGES:
        raise UsageError(f"the matrix has shape {links.shape}", hint="give a square one: a row and a column per page")
    if links.data.dtype.kind not in "biuf":
        raise UsageError(f"the matrix holds {links.data.dtype}", hint="give weights of links: numbers of 0 or more")
    weights = links.data.astype(np.float64)
    if not (np.isfinite(weights) & (weights >= 0)).all():
        raise UsageError("an entry of the matrix is below 0 or not finite", hint="weights of links are 0 or more")
    there = weights != 0
    graph = WebGraph.from_links(links.shape[0], links.row[there], links.col[there], weights=weights[there])
    return _bench(graph, engine=engine, progress=_shown(progress))


def _bench(graph: WebGraph, **options: Any) -> Workbench:
    if graph.weights is not None and (graph.weights == 1).all():
        graph = graph.unweighted()
    return Workbench(MemoryStore(graph), **options)


# -- progress in notebooks

_FIRST, _EVERY = 1.0, 0.3
"""Seconds until a stage is shown, and between two looks at it."""


def _shown(progress: Progress | None) -> Progress:
    """The progress that was given; by default a line where the process is the kernel of a notebook."""
    if progress is not None:
        if not callable(progress):
            raise UsageError(f"progress is {shorten(progress)}", hint="leave it out: notebooks show a line by default")
        return progress
    return _line if _in_notebook() else silent


def _in_notebook() -> bool:
    ipython = sys.modules.get("IPython")
    shell = None if ipython is None else ipython.get_ipython()
    return shell is not None and hasattr(shell, "kernel")


@contextmanager
def _line(title: str, total: int | None = None, *, in_bytes: bool = False) -> Iterator[Advance]:
    from IPython.display import display

    amount = show_size if in_bytes else "{:,}".format
    done, last, handle = 0, time.monotonic() - _EVERY + _FIRST, None

    def advance(units: int) -> None:
        nonlocal done, last, handle
        done += units
        if time.monotonic() - last < _EVERY:
            return
        last = time.monotonic()
        text = {"text/plain": f"{title}: {amount(done)}" + (f" of {amount(total)}" if total else "")}
        if handle is None:
            handle = display(text, raw=True, display_id=True)  # type: ignore[no-untyped-call]
        else:
            handle.update(text, raw=True)

    try:
        yield advance
    finally:
        if handle is not None:
            handle.update({"text/plain": ""}, raw=True)
