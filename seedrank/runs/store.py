"""RunStore: the answers kept beside a store.

Every answer is a folder ``ID/`` with ``run.json`` and ``ranking.parquet``, and a Parquet file for each further table of
the method (``cores.parquet``: the pages of each core); experiments keep tables, charts and claims instead of a ranking.

Long lists of URLs, frames and arrays that were given as they are stand in ``lists/``, and the records name their files.

Runs are numbered as they are kept, so that their order does not depend on the clock.
"""

from __future__ import annotations

import contextlib
import fcntl
import hashlib
import json
import logging
import os
from collections.abc import Iterator, Mapping
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq

from seedrank.core.errors import InputError, StoreError, UsageError, shorten
from seedrank.core.files import claim_folder, to_disk, whole_file, whole_folder
from seedrank.questions.question import Kind
from seedrank.runs.record import Ranking, Run, Runs, plain, read_record, to_record

__all__ = ["RunStore", "sha256_of"]

log = logging.getLogger(__name__)

_SEQUENCE = ".sequence"
_LOST = "restore it from a copy; the other runs are not affected"
_CALLED: dict[Kind, str] = {
    "ranking": "a ranking",
    "table": "a table",
    "experiment": "an experiment",
}


class RunStore:
    """The answers kept below a folder.

    Parameters
    ----------
    folder
        Where; it need not be there yet.
    """

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    @property
    def lists(self) -> Path:
        """Where lists of pages, tables and values are kept that were given as they are."""
        return self.folder / "lists"

    # -- keeping

    def keep(self, run: Run, ranking: Ranking, tables: Mapping[str, pa.Table] | None = None) -> None:
        """Keep a ranking, with further `tables` by name; it appears whole or not at all."""
        with self.keeping(run) as half:
            for name, table in {"ranking": ranking.table(), **(tables or {})}.items():
                pq.write_table(table, half / f"{name}.parquet")

    @contextlib.contextmanager
    def keeping(self, run: Run) -> Iterator[Path]:
        """A folder for the files of a run; it appears, with the run's record, whole or not at all."""
        with whole_folder(self.folder / run.id) as half:
            yield half
            record = json.loads(json.dumps(to_record(run), default=plain))  # what cannot be kept takes no number
            record["sequence"] = self._next_number()
            files = sorted(path for path in half.rglob("*") if path.is_file())
            record["files"] = {str(path.relative_to(half)): sha256_of(path) for path in files}
            (half / "run.json").write_text(json.dumps(record, indent=2) + "\n", encoding="utf-8")

    def keep_list(self, urls: str) -> str:
        """Keep a long list of URLs in a file of its own, once, and return its path; where that cannot be, the list."""
        try:
            return str(self.keep_data(("\n".join(urls.split()) + "\n").encode(), ".txt"))
        except (OSError, InputError):
            return urls

    def keep_data(self, data: bytes, suffix: str) -> Path:
        """Keep what a question was asked with in a file of `lists`, once, and return its path."""
        path = self.lists / f"{hashlib.sha256(data).hexdigest()[:16]}{suffix}"
        if not path.exists():
            path.parent.mkdir(parents=True, exist_ok=True)
            with whole_file(path) as half:
                half.write_bytes(data)
        return path

    def delete(self, name: str) -> str:
        """Forget a kept run; returns its id."""
        wanted = self.record(name).id if name == "run:latest" else name.removeprefix("run:")
        path = self.folder_of(wanted)
        # It goes in one step: a process killed while it removes the files leaves no half of a run.
        with claim_folder(self.folder, ".deleted") as claim:
            path.rename(claim.path / wanted)
            to_disk(self.folder)
        return wanted

    # -- reading

    def all(self) -> Runs:
        """All runs, oldest first; of a record that cannot be read a line is logged, and the rest given."""
        found = []
        for path in self.folder.glob("*/run.json") if self.folder.is_dir() else ():
            try:
                found.append(_record(path))
            except InputError as error:
                log.warning("left out: %s", error)
        return Runs(sorted(found, key=lambda run: run.order))

    def count(self) -> int:
        """How many runs are kept, without reading them."""
        return sum(1 for _ in self.folder.glob("*/run.json")) if self.folder.is_dir() else 0

    def record(self, name: str) -> Run:
        """The record of a kept run of any kind: ``run:ID``, ``run:latest`` (the newest), or the id alone."""
        wanted = name.removeprefix("run:")
        if wanted != "latest":
            return _record(self.folder_of(wanted) / "run.json")
        runs = self.all()
        if not runs:
            raise StoreError(
                "run:latest does not exist", hint="ask a question first: no run is kept for this store yet"
            )
        return runs[-1]

    def usable(self, name: str, *kinds: Kind) -> Run:
        """The record of a run of one of these kinds; another is refused, with the newest run that could be used."""
        if unknown := [kind for kind in kinds if kind not in _CALLED]:
            raise UsageError(f"no answer is {shorten(unknown[0])}", hint=f"one of {', '.join(_CALLED)}")
        run = self.record(name)
        if run.kind in kinds:
            return run
        others = [one for one in self.all() if one.kind in kinds]
        wanted = " or ".join(_CALLED[kind] for kind in kinds)
        hint = f"the newest run with {wanted} is {others[-1].name}" if others else f"no kept run has {wanted}"
        raise UsageError(f"{run.name} ({run.method}) is {_CALLED[run.kind]}, not {wanted}", hint=hint)

    def ranking(self, run: Run) -> Ranking:
        """Pages (or hosts) of a kept run, in its order."""
        path = self.folder_of(run.id) / "ranking.parquet"
        try:
            self.check_file(run, path.name)
            table = pq.read_table(path)
            _check_ranking(table)
        except (OSError, ValueError, pa.ArrowException) as error:
            raise InputError("the kept ranking cannot be read", file=str(path), hint=_LOST) from error
        columns = {name: table[name].to_numpy() for name in table.column_names if name not in ("rank", "id", "score")}
        return Ranking(table["id"].to_numpy(), table["score"].to_numpy(), columns)

    def table(self, run: Run, name: str) -> pa.Table | None:
        """A further table of a kept run; `None` where it has none of that name."""
        path = self.folder_of(run.id) / f"{name}.parquet"
        if not path.is_file():
            return None
        self.check_file(run, path.name)
        return pq.read_table(path)

    def check_file(self, run: Run, name: str) -> None:
        """Refuse a file of a run that is not as it was written; runs of version 0.2 and older do not say how it was."""
        path = self.folder_of(run.id) / name
        if name in run.files and (not path.is_file() or sha256_of(path) != run.files[name]):
            why = "it differs from its checksum" if path.is_file() else "it is missing"
            raise InputError(f"the kept {path.stem} cannot be read ({why})", file=str(path), hint=_LOST)

    def folder_of(self, run_id: str) -> Path:
        """Where a run is kept."""
        path = self.folder / run_id
        if "/" in run_id or run_id.startswith(".") or not (path / "run.json").is_file():
            raise StoreError(f"run {shorten(run_id)} does not exist", hint="list the runs of this store")
        return path

    def _next_number(self) -> int:
        """The number of the next run: one more than any before, whatever the clock says."""
        with (self.folder / _SEQUENCE).open("a+", encoding="utf-8", errors="replace") as file:
            with contextlib.suppress(OSError):  # a file system without locks
                fcntl.flock(file, fcntl.LOCK_EX)
            file.seek(0)
            text = file.read().strip()
            last = int(text) if text.isdecimal() else max((run.sequence for run in self.all()), default=0)
            file.truncate(0)
            file.write(f"{last + 1}\n")
            file.flush()
            os.fsync(file.fileno())
        return last + 1


def sha256_of(path: Path) -> str:
    """The digest of a file."""
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def _check_ranking(table: pa.Table) -> None:
    """Raise `ValueError` for a table that no method wrote."""
    for name, kind in (("id", pa.int64()), ("score", pa.float64())):
        if table.schema.get_field_index(name) < 0 or table[name].type != kind or table[name].null_count:
            raise ValueError(f"no column {name} of a ranking")
    if len(set(table.column_names)) < table.num_columns or (table["id"].to_numpy() < 0).any():
        raise ValueError("not the columns of a ranking")


def _record(path: Path) -> Run:
    """A record of any version."""
    try:
        return read_record(json.loads(path.read_text(encoding="utf-8")), path.parent.name)
    except (OSError, ValueError, TypeError, AttributeError, RecursionError) as error:
        raise InputError("not a run record that can be read", file=str(path), hint=_LOST) from error
