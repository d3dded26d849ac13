"""Open graphs that are in memory as workbenches: frames, a graph of networkx, a matrix of SciPy. No file is made.

Answers are kept until the workbench is closed. Cypher and SQL need a store: load the frames into one for those.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from seedrank.api.progress import shown
from seedrank.api.workbench import Workbench
from seedrank.core.errors import UsageError, shorten
from seedrank.core.progress import Progress
from seedrank.graph import MAX_PAGES, WebGraph
from seedrank.graph.networkx import graph_of_networkx
from seedrank.graphdb.arrays import MemoryStore
from seedrank.ingest.arrays import graph_of_frames
from seedrank.loaders.base import LoadOptions, load_options

if TYPE_CHECKING:
    import networkx as nx

    from seedrank.engines.choose import EngineName

__all__ = ["from_frames", "from_networkx", "from_scipy"]


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
    frames = {"pages": pages, "links": links, "hosts": hosts, "events": events}
    given = {kind: frame for kind, frame in frames.items() if frame is not None}
    progress = shown(progress)
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
    made = graph_of_networkx(graph, weight)
    return _bench(made, engine=engine, site=site, progress=shown(progress))


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
    return _bench(graph, engine=engine, progress=shown(progress))


def _bench(graph: WebGraph, **options: Any) -> Workbench:
    if graph.weights is not None and (graph.weights == 1).all():
        graph = graph.unweighted()
    return Workbench(MemoryStore(graph), **options)
