"""Parts of an experiment, kept as they come: an interrupted experiment goes on where it stopped."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

from seedrank.core.files import whole_file
from seedrank.core.version import VERSION

__all__ = ["Steps"]


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

    def table(self, name: str, make: Callable[[], pa.Table]) -> pa.Table:
        """The table of a part: as kept, or made and kept now.

        Parameters
        ----------
        name
            Letters, digits, ``-`` and ``_``; unique within the experiment.
        make
            Makes it.
        """
        path = self.folder / f"{name}.parquet"
        if path.is_file() and not self._fresh:
            try:
                table = pq.read_table(path)
                self.reused += 1
                return table
            except (OSError, pa.ArrowException):
                path.unlink()
        table = make()
        self.folder.mkdir(parents=True, exist_ok=True)
        with whole_file(path) as half:
            pq.write_table(table, half)
        return table
