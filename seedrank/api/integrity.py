"""Whether a store, its kept runs, its cached arrays and its loads are whole, and the repair of what can be mended."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path

from seedrank.core.errors import InputError, SeedrankError, StoreError
from seedrank.core.files import SUFFIX, sweep
from seedrank.graph import WebGraph
from seedrank.graph.folder import check_contents
from seedrank.graphdb.store import Checked, Finding, GraphStore, Repairable
from seedrank.runs import RunStore
from seedrank.session import Session

__all__ = ["check", "repair"]

_DELETE = "delete the run, or restore it from a backup"


def check(session: Session) -> list[Finding]:
    """Everything that is wrong, what matters most first.

    Parameters
    ----------
    session
        The store, with what is kept beside it.
    """
    store = session.store
    found = [
        *(store.check() if isinstance(store, Checked) else ()),
        *_runs(session.runs, store),
        *_cache(session.cache_folder, store),
    ]
    order = ("error", "warning", "note")
    return sorted(found, key=lambda finding: order.index(finding.severity))


def repair(session: Session) -> None:
    """Mend what `check` calls repairable: the store by its own safe way of writing, then what lies beside it."""
    store = session.store
    if not isinstance(store, Repairable):
        raise StoreError(f"{store.url} cannot be repaired, only checked", hint="restore a backup, or load it again")
    store.repair()
    sweep(session.runs.folder)
    sweep(session.cache_folder)
    for finding in _cache(session.cache_folder, store):
        if finding.repairable:
            shutil.rmtree(session.cache_folder / "graph", ignore_errors=True)


def _runs(runs: RunStore, store: GraphStore) -> Iterator[Finding]:
    if not runs.folder.is_dir():
        return
    pages, version = store.counts().pages, store.version()
    for folder in sorted(runs.folder.iterdir()):
        if folder.name.endswith(SUFFIX):
            yield _left(folder, "runs")
        elif folder.is_dir():
            yield from _run(runs, folder.name, pages, version)


def _run(runs: RunStore, run_id: str, pages: int, version: str) -> Iterator[Finding]:
    try:
        run = runs.record(run_id)
        for name in run.files:
            runs.check_file(run, name)
        if run.kind == "ranking":
            ranking = runs.ranking(run)
            if run.level is None and run.graph == version and (ranking.pages >= pages).any():
                yield Finding("error", "runs", f"run {run_id} names pages that do not exist", _DELETE)
    except SeedrankError as error:
        yield Finding("error", "runs", f"run {run_id}: {error.message}", _DELETE)


def _cache(folder: Path, store: GraphStore) -> Iterator[Finding]:
    for path in sorted(folder.glob(f".*{SUFFIX}")) if folder.is_dir() else ():
        yield _left(path, "cache")
    arrays = folder / "graph"
    if not arrays.exists():
        return
    try:
        graph = WebGraph.open(arrays, cache=True)
        check_contents(arrays)
    except InputError as error:
        what = f"the cached arrays are damaged: {error.message}"
        yield Finding("warning", "cache", what, "remove them: the next question makes them again", repairable=True)
        return
    if graph.version != store.version():
        what = "the cached arrays are of an earlier state of the store"
        yield Finding("note", "cache", what, "the next question makes them again", repairable=True)


def _left(path: Path, part: str) -> Finding:
    return Finding("warning", part, f"{path.name} was left by a command that was killed", "remove it", repairable=True)
