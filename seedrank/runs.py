"""Run and Ranking: what was asked, of which graph, by which version, and what came out.

Every answer is kept as a folder ``ID/`` with ``run.json`` and ``ranking.parquet`` beside the store, and a Parquet file
for each further table of the method (``cores.parquet``: the pages of each core).
"""

from __future__ import annotations

import json
import logging
import secrets
import shutil
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

from seedrank.core.errors import InputError, UsageError
from seedrank.core.files import whole_folder

__all__ = [
    "Ranking",
    "Run",
    "count",
    "delete",
    "folder_of",
    "kept",
    "new_id",
    "now",
    "plain",
    "read",
    "read_table",
    "record",
    "save",
    "write_record",
]

log = logging.getLogger(__name__)

_LETTERS = "23456789abcdefghjkmnpqrstuvwxyz"


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
        ``native``, ``gds`` or both, as it ran.
    version
        Version of seedrank.
    created
        ISO 8601, UTC.
    seconds
        Wall time of the method.
    facts
        What the method says of the whole answer: value, bound, warnings.
    """

    id: str
    method: str
    parameters: Mapping[str, Any]
    graph: str
    store: str
    engine: str
    version: str
    created: str
    seconds: float
    facts: Mapping[str, Any] = field(default_factory=dict)


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
    with whole_folder(folder / run.id) as half:
        write_record(half, run)
        for name, table in {"ranking": ranking.table(), **(tables or {})}.items():
            pq.write_table(table, half / f"{name}.parquet")


def read_table(folder: Path, run: Run, name: str) -> pa.Table | None:
    """A further table of a kept run; `None` where it has none of that name."""
    path = folder_of(folder, run.id) / f"{name}.parquet"
    return pq.read_table(path) if path.is_file() else None


def write_record(folder: Path, run: Run) -> None:
    """Write the record of a run into its own folder."""
    (folder / "run.json").write_text(json.dumps(asdict(run), indent=2, default=plain) + "\n", encoding="utf-8")


def kept(folder: Path) -> list[Run]:
    """All runs below `folder`, oldest first; of a record that cannot be read a line is logged, and the rest given."""
    found = []
    for path in sorted(folder.glob("*/run.json")) if folder.is_dir() else []:
        try:
            found.append(_record(path))
        except InputError as error:
            log.warning("left out: %s", error)
    return found


def count(folder: Path) -> int:
    """How many runs are kept below `folder`, without reading them."""
    return sum(1 for _ in folder.glob("*/run.json")) if folder.is_dir() else 0


def record(folder: Path, name: str) -> Run:
    """The record of a kept run, experiments included: ``run:ID``, ``run:latest``, or the id alone."""
    wanted = name.removeprefix("run:")
    if wanted == "latest":
        there = kept(folder)
        if not there:
            raise UsageError("no run is kept for this store yet", hint="run a method first, then ask for run:latest")
        return max(there, key=lambda run: (run.created, run.id))
    return _record(folder_of(folder, wanted) / "run.json")


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
        runs = [run for run in kept(folder) if not run.method.startswith("experiment ")]
        if not runs:
            raise UsageError("no run is kept for this store yet", hint="run a method first, then ask for run:latest")
        wanted = max(runs, key=lambda run: (run.created, run.id)).id
    path = folder_of(folder, wanted)
    run = _record(path / "run.json")
    if run.method.startswith("experiment "):
        raise UsageError(f"run:{run.id} is an experiment and ranks no pages", hint="name another run")
    try:
        table = pq.read_table(path / "ranking.parquet")
    except (OSError, pa.ArrowException) as error:
        raise InputError(
            "the kept ranking cannot be read",
            file=str(path / "ranking.parquet"),
            hint=f"delete the run (seedrank runs delete {run.id}) and make it again",
        ) from error
    columns = {name: table[name].to_numpy() for name in table.column_names if name not in ("rank", "id", "score")}
    return run, Ranking(table["id"].to_numpy(), table["score"].to_numpy(), columns)


def delete(folder: Path, name: str) -> str:
    """Forget a kept run; returns its id."""
    wanted = name.removeprefix("run:")
    shutil.rmtree(folder_of(folder, wanted))
    return wanted


def folder_of(folder: Path, run_id: str) -> Path:
    """Where a run is kept."""
    path = folder / run_id
    if "/" in run_id or run_id.startswith(".") or not (path / "run.json").is_file():
        raise UsageError(f"there is no run {run_id!r}", hint="`seedrank runs` lists the runs of this store")
    return path


def _record(path: Path) -> Run:
    try:
        run = Run(**json.loads(path.read_text(encoding="utf-8")))
        texts = (run.method, run.graph, run.store, run.engine, run.version, run.created)
        if run.id != path.parent.name or not all(isinstance(text, str) for text in texts):
            raise ValueError("another run, or none")
        if not isinstance(run.seconds, int | float) or not all(
            isinstance(d, dict) for d in (run.parameters, run.facts)
        ):
            raise ValueError("fields of another kind")
    except (OSError, ValueError, TypeError) as error:
        raise InputError(
            "not a run record of this version of seedrank", file=str(path), hint="remove its folder"
        ) from error
    return run


def plain(value: object) -> object:
    """NumPy scalars and arrays as JSON has them; for `json.dumps`."""
    if isinstance(value, np.generic):
        return value.item()
    if isinstance(value, np.ndarray):
        return value.tolist()
    raise TypeError(f"{type(value).__name__} does not belong in a record")
