"""Rows that cannot be read: left out, counted by reason, the first of each in full, all of them in a file if asked."""

from __future__ import annotations

import csv
import json
import re
import tempfile
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import islice
from pathlib import Path
from typing import IO

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

from seedrank.core.errors import InputError, UsageError
from seedrank.core.files import whole_file
from seedrank.loaders.base import Summary, Where

__all__ = ["Rejects", "Sieve"]

_LISTED = 5
"""Records shown where none but those that a format leaves out anyway are tolerated."""
_SHOWN = 10
"""Rows shown of each reason."""
_CHUNK = 10_000
_SCHEMA = pa.schema([("file", pa.string()), ("line", pa.int64()), ("reason", pa.string()), ("text", pa.string())])
_AMOUNT = re.compile(r"([0-9]+)|([0-9]+(?:\.[0-9]+)?)%")


Text = Callable[[int], object]
"""Gives the text of a row of a batch."""


class Rejects:
    """Rows and records that are left out because they cannot be read.

    Parameters
    ----------
    strict
        Stop at the first instead.

    Attributes
    ----------
    count
        How many they are.
    counts
        The same by reason.
    tolerant
        Whether rows of tables may be among them (`use`); otherwise only records that a format leaves out anyway.
    """

    def __init__(self, strict: bool = False) -> None:
        self.strict, self.tolerant = strict, False
        self.count = 0
        self.counts: dict[str, int] = {}
        self._given = ""
        self._most: int | None = None
        self._percent = 100.0
        self._files: dict[str, int] = {}
        self._first: dict[str, list[tuple[int, int, str]]] = {}
        self._file: Path | None = None
        self._kept: IO[str] | None = None

    def use(self, tolerant: int | str | None, file: str | Path | None, *, strict: bool = False) -> None:
        """Let this number of rows be bad, or this share (``1%``), and keep them in a file.

        Raises
        ------
        UsageError
            If it is neither, or the source or the load is strict.
        """
        self._file = None if file is None else Path(file)
        if tolerant is None:
            if file is not None:
                raise UsageError("{rejects} needs {tolerant}", hint="{tolerant=1%}", fields=("rejects", "tolerant"))
            return
        found = _AMOUNT.fullmatch(str(tolerant).strip())
        if found is None or float(found[2] or 0) > 100:
            raise UsageError(
                "{tolerant} is neither a number nor a share: {given}",
                hint="give a number of rows, or a share such as 1%",
                fields=("tolerant",),
                values={"given": repr(tolerant)},
            )
        if self.strict or strict:
            raise UsageError("{strict} tolerates nothing", hint="leave {tolerant} out", fields=("strict", "tolerant"))
        self.tolerant, self._given = True, found[0]
        if found[1]:
            self._most = int(found[1])
        else:
            self._percent = float(found[2])

    @property
    def first(self) -> list[str]:
        """The first few, each with file, place and reason; with the row's text where rows are tolerated."""
        shown = [row for rows in self._first.values() for row in rows]
        return [line for _, _, line in (shown if self.tolerant else sorted(shown)[:_LISTED])]

    def add(self, reason: str, where: Where, rows: Sequence[int] | np.ndarray = (0,), text: Text | None = None) -> None:
        """Count rows.

        `reason` says what is wrong with all these rows of the batch.

        Raises
        ------
        InputError
            If strict, or where more rows are bad than are tolerated.
        """
        if not len(rows):
            return
        if self.strict:
            raise _refused(reason, where, int(rows[0]))
        self.count += len(rows)
        self.counts[reason] = self.counts.get(reason, 0) + len(rows)
        shown, file = self._first.setdefault(reason, []), self._files.setdefault(where.file, len(self._files))
        for row in islice(map(int, rows), max(0, (_SHOWN if self.tolerant else _LISTED) - len(shown))):
            place = where.file if where.unit == "file" else f"{where.file}: {where.unit} {where.line(row)}"
            told = f": {_text(text, row)}" if self.tolerant and text is not None else ""
            shown.append((file, where.line(row), f"{place}: {reason}{told}"))
        if self._file is not None:
            self._keep((where.file, _line(where, row), reason, _text(text, row)) for row in map(int, rows))
        if self._most is not None and self.count > self._most:
            raise self._too_many(f"{self.count:,}")

    def refuse(self, error: InputError, where: Where, row: int, text: Text) -> None:
        """Count a row by what is wrong with it, or raise the error where rows are not tolerated."""
        if not self.tolerant:
            raise error
        self.add(error.reason, where, (row,), text)

    def tell(self, summary: Summary) -> None:
        """Put the counts and the first into the summary of a load."""
        counts = self.counts if self.tolerant else {"broken": self.count}
        for reason, count in counts.items():
            summary.add(f"{'rows' if self.tolerant else 'records'} left out: {reason}", count)
        summary.broken = list(self.first)

    def finish(self, rows: int) -> None:
        """Write the file, once all of a load was read: this many good rows.

        Raises
        ------
        InputError
            Where a larger share of the rows is bad than is tolerated.
        """
        if self.tolerant and 100 * self.count > self._percent * (rows + self.count):
            raise self._too_many(f"{self.count:,} of {rows + self.count:,}")
        if self._file is None:
            return
        with whole_file(self._file) as half:
            _write(half, self._file.suffix.lower(), self._read())

    def __del__(self) -> None:
        if self._kept is not None:
            self._kept.close()

    def _too_many(self, bad: str) -> InputError:
        reasons = sorted(self.counts.items(), key=lambda item: -item[1])
        return InputError(
            f"{{bad}} rows are bad, and {{tolerant={self._given}}} allows fewer ({{reasons}}), such as {{such}}",
            hint="repair them, or allow more",
            fields=("tolerant",),
            values={
                "bad": bad,
                "reasons": ", ".join(f"{count:,} × {reason}" for reason, count in reasons),
                "such": next(iter(self._first.values()))[0][-1],
            },
        )

    def _keep(self, rows: Iterable[tuple[str, int | None, str, str]]) -> None:
        if self._kept is None:
            self._kept = tempfile.TemporaryFile("w+", encoding="utf-8", errors="backslashreplace")  # noqa: SIM115
        self._kept.writelines(f"{json.dumps(row)}\n" for row in rows)

    def _read(self) -> Iterator[list[object]]:
        if self._kept is not None:
            self._kept.seek(0)
            yield from map(json.loads, self._kept)
            self._kept.close()


class Sieve:
    """The bad rows of one batch.

    Parameters
    ----------
    rejects
        Takes them, or is not tolerant: then the first is raised.
    where
        The place of the batch.
    text
        Gives the text of a row.
    """

    def __init__(self, rejects: Rejects, where: Where, text: Text) -> None:
        self.tolerant = rejects.tolerant
        self._rejects, self._where, self._text = rejects, where, text
        self._bad: np.ndarray | None = None

    def refuse(self, bad: np.ndarray, error: Callable[[int], InputError]) -> None:
        """Leave rows out, each once; `error` says what is wrong with a row."""
        if not bad.any():
            return
        first = error(int(np.argmax(bad)))
        if not self.tolerant:
            raise first
        new = bad if self._bad is None else bad & ~self._bad
        self._rejects.add(first.reason, self._where, np.flatnonzero(new), self._text)
        self._bad = bad if self._bad is None else self._bad | bad

    def keep(self, rows: int) -> np.ndarray:
        """Boolean per row: whether it is good."""
        good: np.ndarray = np.ones(rows, np.bool_) if self._bad is None else ~self._bad
        return good


def _line(where: Where, row: int) -> int | None:
    return where.line(row) if where.unit != "file" else None


def _text(text: Text | None, row: int) -> str:
    found = "" if text is None else text(row)
    return found.decode(errors="backslashreplace") if isinstance(found, bytes) else str(found)


def _refused(reason: str, where: Where, row: int) -> InputError:
    place = f"byte {where.line(row)}: " if where.unit == "byte" else ""
    return InputError(
        "{what}",
        file=where.file,
        line=where.line(row) if where.unit == "line" else None,
        hint="repair the file, or leave such records out: without {strict}",
        fields=("strict",),
        values={"what": f"{place}{reason}"},
    )


def _write(path: Path, suffix: str, rows: Iterator[list[object]]) -> None:
    """Rows as a table in the format of the suffix; CSV where it names none."""
    if suffix == ".parquet":
        with pq.ParquetWriter(path, _SCHEMA) as writer:
            while some := list(islice(rows, _CHUNK)):
                writer.write_table(pa.Table.from_pylist([_named(row) for row in some], _SCHEMA))
        return
    with path.open("w", encoding="utf-8", errors="backslashreplace", newline="") as file:
        if suffix in (".json", ".jsonl", ".ndjson"):
            file.writelines(f"{json.dumps(_named(row), ensure_ascii=False)}\n" for row in rows)
            return
        writer_of_rows = csv.writer(file, delimiter="\t" if suffix == ".tsv" else ",", lineterminator="\n")
        writer_of_rows.writerow(_SCHEMA.names)
        writer_of_rows.writerows(rows)


def _named(row: list[object]) -> dict[str, object]:
    return dict(zip(_SCHEMA.names, row, strict=True))
