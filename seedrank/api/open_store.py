"""Open a store as a workbench."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Literal

from seedrank import graphdb
from seedrank.api.progress import shown
from seedrank.api.workbench import Workbench
from seedrank.core.progress import Progress
from seedrank.graphdb.store import Database

if TYPE_CHECKING:
    from seedrank.engines.choose import EngineName

__all__ = ["open"]


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
    url = f"./{store}" if store == Path(graphdb.LOCAL) else str(store)  # as a path it is a file, whatever its name
    opened = graphdb.open_store(
        url,
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
        return Workbench(opened, engine=engine, site=site, refresh=refresh, progress=shown(progress))
    except BaseException:
        opened.close()
        raise
