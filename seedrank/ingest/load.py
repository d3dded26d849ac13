"""Load a source into the store of a session."""

from __future__ import annotations

import hashlib
import logging
import tempfile
import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from seedrank import graphdb
from seedrank.core.changes import Load
from seedrank.core.errors import InputError, UsageError
from seedrank.core.levels import Level, stored_level
from seedrank.core.numbers import counted
from seedrank.core.progress import Progress
from seedrank.graphdb.store import database
from seedrank.ingest.merge import Merge
from seedrank.loaders.base import LoadOptions, Source, Summary, load_options
from seedrank.loaders.formats import source_of
from seedrank.loaders.frames import FrameSource
from seedrank.loaders.nodes import as_pages, check_level, check_options, remarks_on
from seedrank.loaders.recognise import recognised_source
from seedrank.loaders.table import use_options
from seedrank.runs.record import now
from seedrank.session import Session

__all__ = ["load", "load_record", "load_source", "read_all", "ready_source", "refuse_nothing"]

log = logging.getLogger(__name__)


def load(
    session: Session,
    source: Source | str | Path | Sequence[str | Path] | None = None,
    options: LoadOptions | None = None,
    *,
    format: str | None = None,
    spool: Path | None = None,
    bulk: bool = False,
    **given: Any,
) -> tuple[Summary, float]:
    """Load frames, files or a source; the parameters not named here are those of `load_source`.

    Parameters
    ----------
    session
        The store.
    source
        A file or files, or a loader; `None` for frames.
    format
        Of the files (`seedrank.loaders.formats.FORMATS`); by default it is told by their content.
    given
        Frames by kind of table (``pages=df``), or options of the format (``names="web.urls"``).
    """
    ready = ready_source(source, options, format, given)
    return load_source(session, ready, options, spool=spool, bulk=bulk)


def ready_source(
    source: Source | str | Path | Sequence[str | Path] | None,
    options: LoadOptions | None,
    format: str | None,
    given: Mapping[str, Any],
) -> Source:
    """The loader of frames, files or a source; the parameters are those of `load`."""
    if source is None:
        return FrameSource(given, options)
    if isinstance(source, str | Path | Sequence):
        files = [source] if isinstance(source, str | Path) else source
        if format is None and given:
            raise UsageError(
                "{names} belongs to a format",
                hint="name it: {format}",
                fields=("format",),
                values={"names": ", ".join(given)},
            )
        return recognised_source(files, options) if format is None else source_of(format, files, options, **given)
    if given:
        raise UsageError("a source and frames are two loads", hint="give one of them")
    if not hasattr(source, "broken"):
        kind = type(source).__name__
        raise UsageError(f"a {kind} cannot be loaded as it is", hint="give files, or frames: pages=frame, links=frame")
    return source


def load_source(
    session: Session,
    source: Source,
    options: LoadOptions | None = None,
    *,
    spool: Path | None = None,
    bulk: bool = False,
) -> tuple[Summary, float]:
    """Load a source.

    Everything is parsed, merged and numbered first, so every error of the input comes before the first write. Repeating
    a load changes nothing; repeating one that was cut off completes it.

    Parameters
    ----------
    session
        The store.
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
    options = load_options(options, {})
    use_options(source, options)
    store = database(session.store, "loading")
    started = time.perf_counter()
    store.create_schema()
    # Nobody may write between the comparison with the store and the writing of what differs.
    folder = spool or Path(tempfile.gettempdir())
    with store.writing(), Merge(folder, options, store, session.progress, rejects=source.broken) as merge:
        level = read_all(source, merge, options, session.progress, stored_level(store.loads()), store.url)
        changes, summary = merge.finish()
        refuse_nothing(summary, options, empty=not merge.pages)
        load = load_record(source, options, summary, level)
        done = any(known.id == load.id and known.state == "done" for known in store.loads())
        if changes.empty and done:
            log.info("the store already has all of this: nothing was written")
        elif bulk:
            graphdb.bulk_load(store, changes, load, progress=session.progress)
        else:
            store.apply(changes, load, progress=session.progress)
    session.reset()
    return summary, time.perf_counter() - started


def read_all(
    source: Source,
    merge: Merge,
    options: LoadOptions,
    progress: Progress,
    stored: Level | None = None,
    place: str = "",
) -> Level:
    """Everything the source has into the merge, with progress by bytes; returns the level it was taken at.

    Parameters
    ----------
    source, merge, options, progress
        From where to where.
    stored
        What a node of the store is, `None` where nothing is there yet.
    place
        The store's name, for errors.
    """
    # Tables of hosts, searches and events alone say nothing of pages: they belong to what the store holds.
    level, told = stored or "page", False
    with progress("reading", source.size, in_bytes=True) as advance:
        before = 0
        for batch in source.batches():
            if not told and (batch.kind in ("pages", "links") or stored is None):
                level, told = source.level, True
                check_level(level, stored, place)
                check_options(level, options)
            merge.add(as_pages(batch, level))
            advance(source.position - before)
            before = source.position
    return level


def refuse_nothing(summary: Summary, options: LoadOptions, *, empty: bool) -> None:
    """Refuse a load of which no row counts, and one that leaves the store without pages.

    Raises
    ------
    InputError
        With the reason.
    """
    counts = summary.counts
    rows = sum(count for name, count in counts.items() if name.endswith(" rows"))
    late = counts.get("links dropped: out of time", 0) + counts.get("events dropped: out of time", 0)
    if rows and late == rows:
        span = " to ".join(str(time) if time else "…" for time in (options.since, options.until))
        raise InputError(
            f"all {counted(rows, 'row')} lie outside the span asked for, {span}",
            hint="check {since} and {until} against the times in the files",
            fields=("since", "until"),
        )
    if empty:
        dropped = ", ".join(f"{name}: {count:,}" for name, count in counts.items() if "dropped" in name)
        raise InputError(
            f"{counted(rows, 'row')} read, and none makes a page" + (f" ({dropped})" if dropped else ""),
            hint="a store begins with pages or links: load those first, or check the format",
        )


def load_record(source: Source, options: LoadOptions, summary: Summary, level: Level = "page") -> Load:
    """The record of a load, once all was read: the same files and options have the same id.

    What the source remarked on goes into the summary.
    """
    source.broken.tell(summary)
    source.broken.finish(sum(count for name, count in summary.counts.items() if name.endswith(" rows")))
    summary.notes = [*remarks_on(level), *source.notes]
    # What a source and the options of the load both have is one option.
    own, others = [part for part in source.shape.split("\n") if part], options.parts()
    description = " ".join([source.description, *(part for part in others if part not in own)])
    sha256 = source.sha256()
    shape = " ".join(dict.fromkeys([*others, *own]))
    identity = hashlib.sha256(f"{sha256} {shape}".encode()).hexdigest()[:16]
    return Load(identity, description, sha256, started=now(), counts=dict(summary.counts), level=level)
