"""What completion offers for the value of an option or argument: columns, conditions, runs, orders and methods.

Everything is read, nothing written, and no server is asked: a key is waited for. What cannot be read offers nothing.
"""

from __future__ import annotations

import contextlib
import json
import os
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import typer

from seedrank.core.errors import SeedrankError

__all__ = ["offered"]

Offer = tuple[str, str]
"""A word, and what it is."""

_MOST_RUNS = 50
_MOST_HOSTS = 200
_SEEDS = 160
"""Seeds of a method; the paper's number."""
_FURTHER = ("fpr@20", "windowed-rankmass:10%", "pagerank:partial")
"""Orders with a parameter other than the default in their name."""


def offered(metavar: str | None, choices: tuple[str, ...] = ()) -> Callable[..., list[Offer]] | None:
    """What completes a value, by what help calls it, such as ``uniform|paper|COLUMN``; `None` where nothing is known.

    Parameters
    ----------
    metavar
        Kinds of values, in capitals, and words as they are.
    choices
        All there are, where they are few.
    """
    parts = [part.strip("[].") for part in (metavar or "").split("|")]
    kinds = [_KINDS[part] for part in parts if part in _KINDS]
    words = choices or tuple(part for part in parts if part.islower() and part not in _KINDS) * bool(kinds)
    if not kinds and not words:
        return None

    def complete(ctx: typer.Context, incomplete: str) -> list[Offer]:
        store = _store(ctx)
        found = [(word, "") for word in words]
        for kind in kinds:
            with contextlib.suppress(OSError, ValueError, LookupError, TypeError, SeedrankError):
                found += kind(store)
        return [one for one in found if one[0].startswith(incomplete)]

    return complete


def _store(context: Any) -> str:
    """The store as the words before say, or the environment."""
    while context is not None:
        if given := context.params.get("store"):
            return str(given)
        context = context.parent
    from seedrank.cli.options import shared_default

    return os.environ.get("SEEDRANK_STORE") or str(shared_default("store"))


def _columns(store: str) -> Iterator[Offer]:
    """Page columns with numbers."""
    for name in _known_columns(store)[0]:
        yield name, "page column"


def _conditions(store: str) -> Iterator[Offer]:
    from seedrank.core.model import Status

    for name in ("host=", "url="):
        yield name, "a pattern with * and ?"
    for status in sorted(Status):
        yield f"status={status.label}", "what is known of a page"
    for name in (one for some in _known_columns(store) for one in some):
        yield name, "page column, then = != < <= > >= and a value"


def _known_columns(store: str) -> tuple[list[str], list[str]]:
    """Columns of numbers, and of text: as the arrays of the graph have them, where those are newer than the store."""
    record, path = Path(store, "graph.json"), Path(store)
    if not record.is_file():
        from seedrank.core.paths import cache_folder

        record = cache_folder(store) / "graph" / "graph.json"
        if "://" not in store and not (record.is_file() and record.stat().st_mtime_ns > path.stat().st_mtime_ns):
            return _stored_columns(path)
    found = json.loads(record.read_bytes())
    numbers, texts = (
        [name.removeprefix(start) for name in found[kind] if name.startswith(start)]
        for kind, start in (("arrays", "column-"), ("texts", "text-"))
    )
    return numbers, texts


def _stored_columns(path: Path) -> tuple[list[str], list[str]]:
    """Columns as an embedded store has them."""
    import pyarrow.types as types

    from seedrank.graphdb.duckdb import DuckDBStore

    store = DuckDBStore.open(str(path), read_only=True)
    try:
        found = store.page_columns()
    finally:
        store.close()
    texts = [name for name, kind in found.items() if types.is_string(kind) or types.is_large_string(kind)]
    return [name for name in found if name not in texts], texts


def _hosts(store: str) -> Iterator[Offer]:
    """The biggest hosts of an embedded store."""
    from seedrank.api.cypher_queries import explore
    from seedrank.graphdb.duckdb import DuckDBStore

    if "://" in store:
        return
    held = DuckDBStore.open(store, read_only=True)
    try:
        found = explore(held, "biggest_hosts", {"limit": _MOST_HOSTS}).to_pylist()
    finally:
        held.close()
    for row in found:
        yield row["host"], f"{row['pages']:,} pages"


def _runs(store: str) -> Iterator[Offer]:
    """Runs, newest first, by their names."""
    yield "run:latest", "the newest"
    for name, method in _kept(store):
        yield f"run:{name}", method


def _ids(store: str) -> Iterator[Offer]:
    """The same, and by their ids alone."""
    yield from _runs(store)
    yield from _kept(store)


def _kept(store: str) -> Iterator[Offer]:
    from seedrank.core.paths import runs_folder

    folder = runs_folder(store)
    names = sorted((one.name for one in folder.iterdir() if not one.name.startswith(".")), reverse=True)
    for name in names[:_MOST_RUNS]:
        try:
            yield name, str(json.loads((folder / name / "run.json").read_bytes())["method"])
        except (OSError, ValueError, LookupError, TypeError):
            continue  # not a run, or a damaged one


def _orders(store: str) -> Iterator[Offer]:
    from seedrank.methods.crawl.methods import CRAWL

    for one in CRAWL.methods:
        yield one.name, one.summary
        yield from ((name, one.summary) for name in _FURTHER if name.startswith((f"{one.name}@", f"{one.name}:")))


def _methods(store: str) -> Iterator[Offer]:
    from seedrank.methods.seeds.methods import SEEDS

    for one in SEEDS.methods:
        yield f"{one.name}:{_SEEDS}", one.summary
    yield f"cores:{_SEEDS}", "Seeds in different communities."


_KINDS: dict[str, Callable[[str], Iterator[Offer]]] = {
    "COLUMN": _columns,
    "COND": _conditions,
    "HOST": _hosts,
    "RUN": _ids,
    "run:ID": _runs,
    "ORDER": _orders,
    "METHOD:N": _methods,
}
"""What there is of each kind, in the store that is named."""
