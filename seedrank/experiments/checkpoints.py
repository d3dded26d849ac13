"""Parts of an experiment, kept as they come: an interrupted experiment goes on where it stopped."""

from __future__ import annotations

import contextlib
import hashlib
import json
import shutil
import time
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, TypeVar

import pyarrow as pa
import pyarrow.parquet as pq

from seedrank.core.errors import InputError
from seedrank.core.files import last_change, sweep, whole_file
from seedrank.core.package import VERSION

__all__ = ["Steps"]

_T = TypeVar("_T")

_KEY = "of.json"
"""Which version of the graph and of seedrank the parts beside it are of."""
_DAY = 86_400.0


class Steps:
    """Tables of the parts of one experiment.

    Parameters
    ----------
    folder
        Where parts are kept; one folder below it per key.
    key
        Everything the parts depend on: experiment, graph version, parameters, rng. With other values nothing of the
        earlier parts is used; the same holds for another version of seedrank.
    fresh
        Make every part anew.
    """

    def __init__(self, folder: Path, key: Mapping[str, Any], *, fresh: bool = False) -> None:
        self._fresh = fresh
        self.reused = 0
        """Parts that were there."""
        text = json.dumps({"seedrank": VERSION, **key}, sort_keys=True, default=str)
        self.folder = folder / hashlib.sha256(text.encode()).hexdigest()[:16]
        self._of = {"seedrank": VERSION, "graph": key.get("graph")}
        self._sweep()

    def table(self, name: str, make: Callable[[], pa.Table]) -> pa.Table:
        """The table of a part: as kept, or made and kept now.

        The name has letters, digits, ``-`` and ``_``, and is unique within the experiment.
        """
        return self._step(self.folder / f"{name}.parquet", make, pq.read_table, pq.write_table)

    def tables(self, name: str, make: Callable[[], dict[str, pa.Table]]) -> dict[str, pa.Table]:
        """Several tables of one part, by name: kept in one file, so all of them are there or none."""
        return self._step(self.folder / f"{name}-tables.parquet", make, _read_tables, _write_tables)

    def _step(
        self, path: Path, make: Callable[[], _T], read: Callable[[Path], _T], write: Callable[[_T, Path], None]
    ) -> _T:
        if path.is_file() and not self._fresh:
            try:
                kept = read(path)
                self.reused += 1
                return kept
            except (OSError, KeyError, pa.ArrowException):
                path.unlink()
        made = make()
        # Where nothing can be written the experiment begins anew each time.
        with contextlib.suppress(OSError, InputError):
            self._make_folder()
            with whole_file(path) as half:
                write(made, half)
        return made

    def _make_folder(self) -> None:
        if not (self.folder / _KEY).is_file():
            self.folder.mkdir(parents=True, exist_ok=True)
            with whole_file(self.folder / _KEY) as half:
                half.write_text(json.dumps(self._of) + "\n", encoding="utf-8")

    def _sweep(self) -> None:
        """Remove what killed experiments left: halves of parts, and a day later parts no experiment can go on from."""
        for other in self.folder.parent.glob("*/"):
            sweep(other)
            if other == self.folder or last_change(other) > time.time() - _DAY:
                continue
            try:
                of = json.loads((other / _KEY).read_text(encoding="utf-8"))
            except (OSError, ValueError):
                of = None
            if of != self._of:
                shutil.rmtree(other, ignore_errors=True)


def _write_tables(tables: Mapping[str, pa.Table], path: Path) -> None:
    """A row per table: its name, and the table itself as an Arrow stream."""
    streams = []
    for table in tables.values():
        sink = pa.BufferOutputStream()
        with pa.ipc.new_stream(sink, table.schema) as writer:
            writer.write_table(table)
        streams.append(sink.getvalue().to_pybytes())
    pq.write_table(pa.table({"name": pa.array(list(tables)), "table": pa.array(streams, pa.large_binary())}), path)


def _read_tables(path: Path) -> dict[str, pa.Table]:
    kept = pq.read_table(path)
    return {
        name: pa.ipc.open_stream(stream).read_all()
        for name, stream in zip(kept["name"].to_pylist(), kept["table"].to_pylist(), strict=True)
    }
