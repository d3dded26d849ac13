"""The Python API: `open` a store and ask it.

    >>> bench = seedrank.open("web.lbug")
    >>> bench.graph
    WebGraph(pages=50,000, links=240,113)

The command line is a thin skin over `Workbench`.
"""

from __future__ import annotations

import hashlib
import logging
import os
import tempfile
import time
from collections.abc import Mapping
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

import graphdb
from graphdb.store import GraphStore, IsGraph, database
from seedrank import runs
from seedrank.core.changes import Load
from seedrank.core.progress import Progress, silent

if TYPE_CHECKING:
    from types import TracebackType

    import pyarrow as pa

    from loaders.base import LoadOptions, Source, Summary
    from seedrank.graph import WebGraph
    from seedrank.stats import Stats

__all__ = ["Workbench", "open"]

log = logging.getLogger(__name__)


def open(
    store: str,
    *,
    database: str | None = None,
    create: bool = False,
    read_only: bool = False,
    site: Literal["host", "domain"] = "host",
    refresh: bool = False,
    batch_size: int | None = None,
    progress: Progress = silent,
) -> Workbench:
    """Open a store.

    Parameters
    ----------
    store
        A path (embedded store), ``neo4j://host:7687``, or a folder of arrays.
    database
        Database on a Neo4j server; the server's default when `None`.
    create
        Make an embedded store where there is none.
    read_only
        Do not write; several processes may then read an embedded store at once.
    site
        What a site is: the ``host``, or all hosts of a registered ``domain``.
    refresh
        Read the graph again even if its version is unchanged.
    batch_size
        Rows per transaction of a Neo4j store; the fastest measured by default.
    progress
        Told how far long work is.
    """
    opened = graphdb.open_store(store, database=database, create=create, read_only=read_only, batch_size=batch_size)
    return Workbench(opened, site=site, refresh=refresh, progress=progress)


class Workbench:
    """A store with everything that can be asked of it. Close it, or use it as a context manager."""

    def __init__(
        self,
        store: GraphStore,
        *,
        site: Literal["host", "domain"] = "host",
        refresh: bool = False,
        progress: Progress = silent,
    ) -> None:
        self.store = store
        self.site = site
        self.progress = progress
        self._refresh = refresh

    def __enter__(self) -> Workbench:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        """Close the store."""
        self.store.close()

    # -- the graph

    @cached_property
    def graph(self) -> WebGraph:
        """The graph in memory, read from the store when its version changed.

        Says so when a load was cut off.
        """
        from seedrank.cache import open_graph

        for load in self.unfinished_loads():
            log.warning("%s", unfinished(load))
        if isinstance(self.store, IsGraph):
            return self.store.graph
        return open_graph(self.store, self.cache_folder / "graph", refresh=self._refresh, progress=self.progress)

    def unfinished_loads(self) -> list[Load]:
        """Loads that were cut off, or are under way in another process."""
        return [load for load in self.store.loads() if load.state != "done"]

    def stats(self) -> Stats:
        """What there is: pages by status, links, hosts, degrees, components, columns, loads, runs."""
        from seedrank.stats import measure

        return measure(self.store, self.graph, site=self.site, runs=len(self.runs()))

    # -- filling it

    def load(
        self,
        source: Source,
        options: LoadOptions | None = None,
        *,
        spool: Path | None = None,
        bulk: bool = False,
    ) -> tuple[Summary, float]:
        """Load a source into the store.

        Everything is parsed, merged and numbered in a spool first, so every error of the input comes before the
        first write. Repeating a load changes nothing; repeating one that was cut off completes it.

        Parameters
        ----------
        source
            A loader from `loaders`.
        options
            What shapes the result.
        spool
            Folder for temporary files, about the size of the input; the system's temporary folder by default.
        bulk
            Fill an empty Neo4j made by ``seedrank db up`` with its own importer.

        Returns
        -------
        summary, seconds
            What was read, new, merged and dropped; wall time.
        """
        from loaders.base import LoadOptions
        from loaders.spool import Spool

        options = options or LoadOptions()
        store = database(self.store, "loading")
        started = time.perf_counter()
        store.create_schema()
        with Spool(spool or Path(tempfile.gettempdir()), options, store, self.progress) as spooled:
            for batch in source.batches():
                spooled.add(batch)
            changes, summary = spooled.finish()
            load = _record(source, options, summary)
            if changes.empty and not self._is_unfinished(load):
                log.info("the store already has all of this: nothing was written")
            elif bulk:
                graphdb.bulk_load(store, changes, load, progress=self.progress)
            else:
                store.apply(changes, load, progress=self.progress)
        self.__dict__.pop("graph", None)
        return summary, time.perf_counter() - started

    def _is_unfinished(self, load: Load) -> bool:
        return all(known.id != load.id or known.state != "done" for known in self.store.loads())

    # -- asking it

    def query(self, cypher: str, parameters: Mapping[str, Any] | None = None, *, write: bool = False) -> pa.Table:
        """Run a Cypher statement; read-only unless `write`."""
        return database(self.store, "running Cypher").query(cypher, parameters, write=write)

    # -- answers

    def runs(self) -> list[runs.Run]:
        """Every kept answer, oldest first."""
        return runs.kept(self.runs_folder)

    @property
    def runs_folder(self) -> Path:
        """Where answers are kept."""
        return self._folder("XDG_DATA_HOME", ".local/share") / "runs"

    @property
    def cache_folder(self) -> Path:
        """Where the arrays of the graph are kept."""
        return self._folder("XDG_CACHE_HOME", ".cache")

    def _folder(self, variable: str, default: str) -> Path:
        """Beside a store that is a path; for a server, in the user's folder, by a digest of its URL."""
        if "://" not in self.store.url:
            return Path(f"{self.store.url}.seedrank")
        base = Path(os.environ.get(variable) or Path.home() / default)
        return base / "seedrank" / hashlib.sha256(self.store.url.encode()).hexdigest()[:16]


def unfinished(load: Load) -> str:
    """One line on a load that was cut off, and how to finish it."""
    return (
        f"the load of {load.source} ({load.started}) did not finish: parts of the graph are missing; "
        "repeat the same load command to complete it"
    )


def _record(source: Source, options: LoadOptions, summary: Summary) -> Load:
    description = " ".join(part for part in (source.description, options.description()) if part)
    sha256 = source.sha256()
    identity = hashlib.sha256(f"{sha256} {options.description()}".encode()).hexdigest()[:16]
    return Load(identity, description, sha256, started=runs.now(), counts=dict(summary.counts))
