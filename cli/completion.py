"""Completion for shells: values of options and arguments (columns, conditions, runs, orders, methods), and the answer.

Everything is read, nothing written, and no server is asked: a key is waited for. What cannot be read offers nothing.
typer answers a shell; here it is kept silent, and words that bash broke are put together.
"""

from __future__ import annotations

import contextlib
import io
import json
import logging
import os
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import typer

from seedrank.core.errors import SeedrankError

__all__ = ["VARIABLE", "complete", "completer", "unbroken"]

VARIABLE = "_SEEDRANK_COMPLETE"
"""In which a shell says what it wants."""
_BREAKS = frozenset(":=@")
"""Where bash breaks words that have a meaning here: ``run:latest``, ``status=crawled``, ``fpr@20``."""

Offer = tuple[str, str]
"""A word, and what it is."""

_MOST_RUNS = 50
_MOST_HOSTS = 200
_SEEDS = 160
"""Seeds of a method; the paper's number."""
_FURTHER = ("fpr@20", "windowed-rankmass:10%", "pagerank:partial")
"""Orders with a parameter other than the default in their name."""


def completer(*offers: str) -> Callable[..., list[Offer]] | None:
    """What completes a value; `None` where nothing does.

    Parameters
    ----------
    offers
        Words as they are, and kinds of values in capitals, such as ``COLUMN`` and ``run:ID``.
    """
    if not offers:
        return None

    def complete(ctx: typer.Context, incomplete: str) -> list[Offer]:
        store = _store(ctx)
        found = [(word, "") for word in offers if word not in _KINDS]
        for kind in (_KINDS[word] for word in offers if word in _KINDS):
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
        yield f"status={status.label}", "pages of this status"
    for name in (one for some in _known_columns(store) for one in some):
        yield name, "page column, then = != < <= > >= and a value"


def _known_columns(store: str) -> tuple[list[str], list[str]]:
    """Columns of numbers, and of text: as the arrays of the graph have them, where those are newer than the store."""
    record, path = Path(store, "graph.json"), Path(store)
    if not record.is_file():
        from seedrank.core.files import cache_folder

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
    from seedrank.core.files import runs_folder

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


def _frontier(store: str) -> Iterator[Offer]:
    from seedrank.methods.frontier.methods import FRONTIER

    for one in FRONTIER.methods:
        yield one.name, one.summary


_KINDS: dict[str, Callable[[str], Iterator[Offer]]] = {
    "COLUMN": _columns,
    "COND": _conditions,
    "HOST": _hosts,
    "RUN": _ids,
    "run:ID": _runs,
    "ORDER": _orders,
    "FRONTIER": _frontier,
    "METHOD:N": _methods,
}
"""What there is of each kind, in the store that is named."""


# -- the shell


def complete(command: Any) -> int:
    """Answer the shell that asks by the environment; whatever is wrong, nothing but offers is printed.

    Returns
    -------
    int
        The exit code.
    """
    begun = ""
    if os.environ[VARIABLE] == "complete_bash":
        with contextlib.suppress(LookupError, ValueError):
            begun = _put_together()
    code: object = 0
    logging.disable()  # a remark would end up between the words
    try:
        with contextlib.redirect_stdout(io.StringIO()) as said, contextlib.redirect_stderr(io.StringIO()):
            command(prog_name="seedrank", complete_var=VARIABLE, standalone_mode=False)
    except SystemExit as leaving:
        code = leaving.code
    except Exception:
        return 0
    finally:
        logging.disable(logging.NOTSET)
    for line in said.getvalue().splitlines():
        sys.stdout.write(f"{line.removeprefix(begun)}\n")
    return code if isinstance(code, int) else 0


def _put_together() -> str:
    """Let the environment have the words as they were typed; gives what bash keeps of the last one."""
    words, begun = unbroken(os.environ["COMP_WORDS"].split("\n"), int(os.environ["COMP_CWORD"]))
    os.environ.update(COMP_WORDS="\n".join(words), COMP_CWORD=str(len(words) - 1))
    return begun


def unbroken(words: list[str], place: int) -> tuple[list[str], str]:
    """Words up to the one that is typed, as they were typed.

    Parameters
    ----------
    words
        As bash breaks them: ``run``, ``:``, ``latest``.
    place
        Of the one that is typed.

    Returns
    -------
    words, begun
        ``run:latest``; and what of the last word stays on the line, whatever is offered: ``run:``.
    """
    joined: list[str] = []
    pieces: list[str] = []
    for word in words[: place + 1]:
        if len(joined) > 1 and word and (set(word) <= _BREAKS or (pieces and set(pieces[-1]) <= _BREAKS)):
            pieces.append(word)
            joined[-1] += word
        else:
            pieces = [word]
            joined.append(word)
    if pieces and set(pieces[-1]) <= _BREAKS:
        return joined, joined[-1]
    return joined, "".join(pieces[:-1])
