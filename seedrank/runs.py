"""Run and Ranking: what was asked, of which graph, by which version, and what came out.

Every answer is kept as a folder ``ID/`` with ``run.json`` and ``ranking.parquet`` beside the store, and a Parquet file
for each further table of the method (``cores.parquet``: the pages of each core).

Records of every version are read: what a record lacks is left empty, and what a later version wrote into it is kept.
Runs are numbered as they are kept, so that their order does not hang on the clock; those of version 0.1 have no number
and come first, by their time.
"""

from __future__ import annotations

import contextlib
import fcntl
import json
import logging
import os
import re
import secrets
from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass, field, fields, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

from seedrank.core.errors import InputError, UsageError
from seedrank.core.files import whole_folder
from seedrank.core.leftovers import claim_folder

__all__ = [
    "Ranking",
    "Run",
    "count",
    "delete",
    "engine_text",
    "folder_of",
    "keeping",
    "new_id",
    "now",
    "plain",
    "read",
    "read_all",
    "read_table",
    "record",
    "save",
]

log = logging.getLogger(__name__)

FORMAT = 2
"""Of run records. Format 1, of version 0.1, has neither this number nor a sequence."""

_LETTERS = "23456789abcdefghjkmnpqrstuvwxyz"
_SEQUENCE = ".sequence"
_OLD_HALVES = re.compile(rf"\.\d{{8}}-\d{{6}}-[{_LETTERS}]{{6}}-[a-z0-9_]{{8}}")
_LOST = "restore it from a copy; the other runs are not affected"


@dataclass(frozen=True)
class Run:
    """The record of an answer.

    Parameters
    ----------
    id
        Time (to some 30 µs) and three random letters: sorts by time, is unique.
    method
        The command and method, such as ``seeds maxweight``.
    parameters
        Every parameter the answer depends on, defaults included; never a password.
    graph
        Version of the graph (`GraphStore.version`).
    store
        The store's URL, without credentials.
    engine
        Where it ran, for people: ``native``, ``gds``, or both with the primitives of each (`engine_text`).
    version
        Version of seedrank.
    created
        ISO 8601, UTC.
    seconds
        Wall time of the method.
    facts
        What the method says of the whole answer: value, bound, warnings.
    engines
        Primitives that ran for it, in the order of first use, and the engine of each: ``{"walk": "gds"}``, or
        ``gds+native`` for one that ran on both. Parts an experiment took over from an earlier run are not counted.
    asked_engine
        What the user asked for: ``auto``, ``native`` or ``gds``; empty for runs of version 0.1.
    sequence
        Numbers the runs of a store in the order they were kept; 0 before it is kept, and for runs of version 0.1.
    extra
        What a later version wrote into the record.
    """

    id: str
    method: str
    parameters: Mapping[str, Any] = field(default_factory=dict)
    graph: str = ""
    store: str = ""
    engine: str = ""
    version: str = ""
    created: str = ""
    seconds: float = 0.0
    facts: Mapping[str, Any] = field(default_factory=dict)
    engines: Mapping[str, str] = field(default_factory=dict)
    asked_engine: str = ""
    sequence: int = field(default=0, compare=False)
    extra: Mapping[str, Any] = field(default_factory=dict, compare=False, repr=False)

    @property
    def order(self) -> tuple[int, str, str]:
        """Sorts runs by when they were made."""
        return self.sequence, self.created, self.id


@dataclass(frozen=True)
class Ranking:
    """Pages in the order of an answer, best first.

    Parameters
    ----------
    pages
        Page ids, int64.
    scores
        float64, one per page.
    columns
        The method's own columns, such as ``gain`` and ``covered``, one value per page.
    """

    pages: np.ndarray
    scores: np.ndarray
    columns: Mapping[str, np.ndarray] = field(default_factory=dict)

    def table(self) -> pa.Table:
        """``rank`` from 1, ``id``, ``score``, then the method's columns."""
        return pa.table(
            {
                "rank": pa.array(np.arange(1, len(self.pages) + 1)),
                "id": pa.array(np.asarray(self.pages, np.int64)),
                "score": pa.array(np.asarray(self.scores, np.float64)),
                **{name: pa.array(values) for name, values in self.columns.items()},
            }
        )


def engine_text(engines: Mapping[str, str]) -> str:
    """The engines of primitives in a few words: ``native``, or ``gds (walk), native (levels)``.

    An answer that used no primitive was worked out in memory: ``native``.
    """
    primitives: dict[str, list[str]] = {}
    for primitive, names in engines.items():
        for name in names.split("+"):
            primitives.setdefault(name, []).append(primitive)
    if len(primitives) < 2:
        return next(iter(primitives), "native")
    return ", ".join(f"{name} ({', '.join(those)})" for name, those in primitives.items())


def new_id() -> str:
    """A fresh run id, such as ``20260131-142305-k3v9qa``."""
    time = datetime.now(UTC)
    # Three letters for the part of the second, so that runs of one second sort by time too; three by chance.
    part, fine = time.microsecond * len(_LETTERS) ** 3 // 1_000_000, ""
    for _ in range(3):
        part, letter = divmod(part, len(_LETTERS))
        fine = _LETTERS[letter] + fine
    return f"{time:%Y%m%d-%H%M%S}-{fine}" + "".join(secrets.choice(_LETTERS) for _ in range(3))


def now() -> str:
    """The time as kept in records: ISO 8601, UTC, seconds."""
    return datetime.now(UTC).isoformat(timespec="seconds")


def save(folder: Path, run: Run, ranking: Ranking, tables: Mapping[str, pa.Table] | None = None) -> None:
    """Keep a run below `folder`, with further `tables` by name; it appears whole or not at all."""
    with keeping(folder, run) as half:
        for name, table in {"ranking": ranking.table(), **(tables or {})}.items():
            pq.write_table(table, half / f"{name}.parquet")


@contextlib.contextmanager
def keeping(folder: Path, run: Run) -> Iterator[Path]:
    """A folder for the files of a run; it appears below `folder`, with the run's record, whole or not at all."""
    with whole_folder(folder / run.id, old=(_OLD_HALVES,)) as half:
        yield half
        record = json.loads(json.dumps(asdict(run), default=plain))
        extra = record.pop("extra")
        record = {"format": FORMAT, **record, **extra, "sequence": _next_number(folder)}
        (half / "run.json").write_text(json.dumps(record, indent=2) + "\n", encoding="utf-8")


def read_table(folder: Path, run: Run, name: str) -> pa.Table | None:
    """A further table of a kept run; `None` where it has none of that name."""
    path = folder_of(folder, run.id) / f"{name}.parquet"
    return pq.read_table(path) if path.is_file() else None


def read_all(folder: Path) -> list[Run]:
    """All runs below `folder`, oldest first; of a record that cannot be read a line is logged, and the rest given."""
    found = []
    for path in folder.glob("*/run.json") if folder.is_dir() else ():
        try:
            found.append(_record(path))
        except InputError as error:
            log.warning("left out: %s", error)
    return sorted(found, key=lambda run: run.order)


def count(folder: Path) -> int:
    """How many runs are kept below `folder`, without reading them."""
    return sum(1 for _ in folder.glob("*/run.json")) if folder.is_dir() else 0


def record(folder: Path, name: str) -> Run:
    """The record of a kept run, experiments included: ``run:ID``, ``run:latest``, or the id alone."""
    wanted = name.removeprefix("run:")
    return _latest(read_all(folder)) if wanted == "latest" else _record(folder_of(folder, wanted) / "run.json")


def read(folder: Path, name: str) -> tuple[Run, Ranking]:
    """A kept run by name.

    Parameters
    ----------
    folder
        Where the store's runs are kept.
    name
        ``run:ID``, ``run:latest``, or the id alone.
    """
    wanted = name.removeprefix("run:")
    if wanted == "latest":
        wanted = _latest([run for run in read_all(folder) if not run.method.startswith("experiment ")]).id
    path = folder_of(folder, wanted)
    run = _record(path / "run.json")
    if run.method.startswith("experiment "):
        raise UsageError(f"run:{run.id} is an experiment and ranks no pages", hint="name another run")
    try:
        table = pq.read_table(path / "ranking.parquet")
        _check_ranking(table)
    except (OSError, ValueError, pa.ArrowException) as error:
        raise InputError("the kept ranking cannot be read", file=str(path / "ranking.parquet"), hint=_LOST) from error
    columns = {name: table[name].to_numpy() for name in table.column_names if name not in ("rank", "id", "score")}
    return run, Ranking(table["id"].to_numpy(), table["score"].to_numpy(), columns)


def _check_ranking(table: pa.Table) -> None:
    """Raise `ValueError` for a table that no method wrote."""
    for name, kind in (("id", pa.int64()), ("score", pa.float64())):
        if table.schema.get_field_index(name) < 0 or table[name].type != kind or table[name].null_count:
            raise ValueError(f"no column {name} of a ranking")
    if len(set(table.column_names)) < table.num_columns or (table["id"].to_numpy() < 0).any():
        raise ValueError("not the columns of a ranking")


def delete(folder: Path, name: str) -> str:
    """Forget a kept run; returns its id."""
    wanted = name.removeprefix("run:")
    path = folder_of(folder, wanted)
    # It goes in one step: a process killed while it removes the files leaves no half of a run.
    with claim_folder(folder, ".deleted") as claim:
        path.rename(claim.path / wanted)
    return wanted


def folder_of(folder: Path, run_id: str) -> Path:
    """Where a run is kept."""
    path = folder / run_id
    if "/" in run_id or run_id.startswith(".") or not (path / "run.json").is_file():
        raise UsageError(f"there is no run {run_id!r}", hint="`seedrank runs` lists the runs of this store")
    return path


def _latest(runs: list[Run]) -> Run:
    if not runs:
        raise UsageError("no run is kept for this store yet", hint="run a method first, then ask for run:latest")
    return runs[-1]


def _record(path: Path) -> Run:
    """A record of any version."""
    try:
        record = json.loads(path.read_text(encoding="utf-8"))
        known = {one.name for one in fields(Run)} - {"extra"}
        run = Run(**{name: value for name, value in record.items() if name in known})
        texts = (run.method, run.graph, run.store, run.engine, run.asked_engine, run.version, run.created)
        if run.id != path.parent.name or not all(isinstance(text, str) for text in texts):
            raise ValueError("another run, or none")
        numbers = isinstance(run.seconds, int | float) and isinstance(run.sequence, int)
        if not numbers or not all(isinstance(one, dict) for one in (run.parameters, run.facts, run.engines)):
            raise ValueError("fields of another kind")
    except (OSError, ValueError, TypeError, AttributeError, RecursionError) as error:
        raise InputError("not a run record that can be read", file=str(path), hint=_LOST) from error
    return replace(run, extra={name: value for name, value in record.items() if name not in {*known, "format"}})


def _next_number(folder: Path) -> int:
    """The number of the next run: one more than any before, whatever the clock says."""
    with (folder / _SEQUENCE).open("a+", encoding="utf-8", errors="replace") as file:
        with contextlib.suppress(OSError):  # a file system without locks
            fcntl.flock(file, fcntl.LOCK_EX)
        file.seek(0)
        text = file.read().strip()
        last = int(text) if text.isdecimal() else max((run.sequence for run in read_all(folder)), default=0)
        file.truncate(0)
        file.write(f"{last + 1}\n")
        file.flush()
        os.fsync(file.fileno())
    return last + 1


def plain(value: object) -> object:
    """NumPy scalars and arrays as JSON has them; for `json.dumps`."""
    if isinstance(value, np.generic):
        return value.item()
    if isinstance(value, np.ndarray):
        return value.tolist()
    raise TypeError(f"{type(value).__name__} does not belong in a record")
