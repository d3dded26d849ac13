"""The databases behind one contract; the only place that imports neo4j or duckdb."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from seedrank.core.changes import Changes, Load
from seedrank.core.errors import StoreError, UsageError
from seedrank.core.progress import Progress, silent
from seedrank.core.spark_folder import SCHEME
from seedrank.graphdb.store import GraphStore, HasDatabases

__all__ = ["LOCAL", "bulk_load", "is_neo4j", "open_store"]

LOCAL = "neo4j"
"""The local server as a store; a file of that name is ``./neo4j``."""

_NEO4J_SCHEMES = frozenset({"neo4j", "neo4j+s", "neo4j+ssc", "bolt", "bolt+s", "bolt+ssc"})


def open_store(
    url: str,
    *,
    database: str | None = None,
    prefix: str | None = None,
    model: str | Path | None = None,
    create: bool = False,
    read_only: bool = False,
    batch_size: int | None = None,
    store_memory: int | str | None = None,
    wait: float = 0.0,
    master: str | None = None,
) -> GraphStore:
    """Open the store a URL names.

    Parameters
    ----------
    url
        ``neo4j`` (the local server that `seedrank db up` started), ``neo4j://host:7687``, ``bolt://…`` (also ``+s``,
        ``+ssc``); a folder of WebGraph arrays; ``spark+parquet:DIR``, a folder that Apache Spark reads; or the path of
        an embedded store (``web.duckdb``).
    database
        Name of the database on a Neo4j server; its default one when `None`.
    prefix
        What labels and types begin with, of a graph that shares its Neo4j database: ``Web`` for ``:WebPage``.
    model
        TOML file that says what pages and links are in a graph of others in Neo4j, which is only read.
    create
        Make an embedded store that is not there, instead of refusing.
    read_only
        Refuse to write to an embedded store.
    batch_size
        Rows per transaction on a Neo4j server; the fastest measured when `None`.
    store_memory
        Memory an embedded store may use, as bytes or as text such as ``512M``.
    wait
        Seconds that a write waits for another writer.
    master
        The cluster that Spark runs on; this machine when `None`.
    """
    if url.startswith(SCHEME):
        return _spark_store(url, master)
    scheme, separator, _ = url.partition("://")
    _refuse_master(master)
    if is_neo4j(url.partition("#")[0]):
        return _neo4j_store(url, model, prefix=prefix, database=database, batch_size=batch_size, wait=wait)
    if separator:
        raise _unknown(urlsplit(url).scheme or scheme)
    if not (database is None and prefix is None and model is None):
        raise _no_databases(url)
    from seedrank.graph import is_graph_folder

    if is_graph_folder(Path(url)):
        from seedrank.graphdb.arrays import ArrayStore

        return ArrayStore.open(url)
    from seedrank.graphdb.duckdb import DuckDBStore

    return DuckDBStore.open(url, create=create, read_only=read_only, memory=store_memory, wait=wait)


def is_neo4j(url: str) -> bool:
    """Whether a store's URL names a Neo4j server."""
    scheme, separator, _ = url.partition("://")
    return url == LOCAL or bool(separator and scheme.lower() in _NEO4J_SCHEMES)


def _neo4j_store(url: str, model: str | Path | None, *, prefix: str | None, **more: Any) -> GraphStore:
    """The graph that seedrank keeps in a database, or one of others where a model is named, after # too."""
    from seedrank.graphdb import neo4j

    address, _, named = url.partition("#")
    address, auth = _login(address)
    if model is None and not named.endswith(".toml"):
        url = f"{address}#{named}" if named else address
        return neo4j.open_store(url, prefix=prefix, auth=auth, **more)
    if prefix is not None:
        raise UsageError("{model} and {prefix} name two graphs", hint="give one", fields=("model", "prefix"))
    return neo4j.attach(address, model or named, database=more["database"], auth=auth)


def _unknown(scheme: str) -> UsageError:
    return UsageError(
        f"unknown store scheme {scheme!r}",
        hint="a store is a path (web.duckdb), a folder of arrays, neo4j (of `seedrank db up`), neo4j://host:7687, "
        "or spark+parquet:DIR",
    )


def _no_databases(url: str) -> UsageError:
    return UsageError(
        "{url} has no databases to choose from",
        hint="{database}, {prefix} and {model} go with a neo4j:// store",
        fields=("database", "prefix", "model"),
        values={"url": url},
    )


def _login(url: str) -> tuple[str, tuple[str, str] | None]:
    """The address of a server, with user and password where it is the local one and the environment names none."""
    from seedrank.graphdb import server

    if url == LOCAL:
        live = server.running()
        return live.url, (server.USER, live.password())
    return url, None if os.environ.get("NEO4J_PASSWORD") else server.login(url)


def _spark_store(url: str, master: str | None) -> GraphStore:
    from seedrank.graphdb.spark import SparkStore

    return SparkStore.open(url, master=master)


def _refuse_master(master: str | None) -> None:
    if master is not None:
        raise UsageError(
            "{master} goes with a store that Spark reads",
            hint="write one with `seedrank export spark DIR`, and name it: {store=spark+parquet:DIR}",
            fields=("master", "store"),
        )


def bulk_load(store: GraphStore, changes: Changes, load: Load, *, progress: Progress = silent) -> None:
    """Fill the Neo4j that `seedrank db up` started by its own importer; refuses every other store.

    The server is stopped for the import and started again, so `store` reconnects by itself.
    """
    from seedrank.graphdb import server

    ours = server.local()
    if isinstance(store, HasDatabases) and store.prefix:
        raise StoreError(
            "a bulk import replaces a whole database, and {prefix} is for one that others use",
            hint="leave out {bulk}, or {prefix}",
            fields=("bulk", "prefix"),
        )
    address = urlsplit(store.url)
    here = address.hostname in ("localhost", server.ADDRESS) and (address.port or 7687) == ours.port
    if not (here and server.is_running(ours)):
        raise StoreError(
            "{url} is not a server that `seedrank db up` started: a bulk import needs its files",
            hint="leave out {bulk}, or start one with `seedrank db up`",
            fields=("bulk",),
            values={"url": store.url},
        )
    from seedrank.graphdb.server.bulk import bulk_load as fill

    fill(ours, changes, load, progress=progress)
