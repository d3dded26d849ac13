"""A user's statement on the embedded store: checked, translated into SQL, and run in a process with limits."""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc

from seedrank.core.errors import StoreError
from seedrank.graphdb.duckdb.cypher_sql import GraphSchema, Translation, graph_schema, translate
from seedrank.graphdb.duckdb.worker import Worker
from seedrank.graphdb.statements.guard import EMBEDDED, NO_WRITES, check
from seedrank.graphdb.statements.tokens import Refused

__all__ = ["StatementRunner"]

_COLUMNS = (
    "SELECT table_name, column_name, data_type FROM information_schema.columns "
    "WHERE table_catalog = 'web' ORDER BY table_name, ordinal_position"
)
_OVERFLOW = re.compile(r"Overflow (in|on)|out of range for the destination type INT64|' to INT64")
_FAILED = re.compile(r"(?:\w+ )+Error: (?P<why>.*?)(?: LINE \d+: .*)?")
"""What the database says: a kind of error, why, and the line of SQL, which the user did not write."""


class StatementRunner:
    """Statements on one store's file; a process is started with the first of them.

    Parameters
    ----------
    memory
        Bytes a statement may take.
    temporary
        Folder below which the database spills; the system's by default.
    """

    def __init__(self, path: Path, memory: int, temporary: Path | None = None) -> None:
        self._worker = Worker(path, memory, temporary)
        self._schema: tuple[object, GraphSchema] | None = None

    def query(
        self,
        cypher: str,
        parameters: Mapping[str, Any] | None = None,
        *,
        write: bool = False,
        timeout: float | None = None,
    ) -> pa.Table:
        """The rows of a Cypher statement, as Neo4j would give them; nodes and relationships are maps."""
        made = self._translated(cypher, parameters or {}, write=write)
        try:
            rows = self._worker.table(made.sql, made.parameters, timeout)
        except StoreError as error:
            told = _told(error)
            if told is None:
                raise
            raise told from error
        return plain_integers(rows).rename_columns(list(made.columns))

    def explain(self, cypher: str, parameters: Mapping[str, Any] | None = None, *, write: bool = False) -> str:
        """The SQL of a Cypher statement."""
        return self._translated(cypher, parameters or {}, write=write).sql

    def sql(self, statement: str, timeout: float | None = None) -> pa.Table:
        """The rows of a user's own SQL, which only reads."""
        return plain_integers(self._worker.table(statement, None, timeout))

    def close(self) -> None:
        """End the process; safe to call twice."""
        self._worker.close()

    def _translated(self, cypher: str, parameters: Mapping[str, Any], *, write: bool) -> Translation:
        if write:
            raise Refused("Cypher only reads an embedded store", hint=NO_WRITES, fields=("store",))
        check(cypher, EMBEDDED, write=False)
        return translate(cypher, parameters, self._graph())

    def _graph(self) -> GraphSchema:
        """The columns there are, read again when the file was replaced."""
        file = self._worker.file()
        if self._schema is None or self._schema[0] != file:
            columns: dict[str, dict[str, str]] = {}
            for row in self._worker.table(_COLUMNS).to_pylist():
                columns.setdefault(row["table_name"], {})[row["column_name"]] = row["data_type"]
            self._schema = file, graph_schema(columns)
        return self._schema[1]


def plain_integers(rows: pa.Table) -> pa.Table:
    """Columns of 128-bit integers, which sums are, as integers of 64 bits; a sum that does not fit is an error."""
    for place, field in enumerate(rows.schema):
        if pa.types.is_decimal(field.type) and field.type.scale == 0:
            try:
                column = pc.cast(rows.column(place), pa.int64())
            except pa.ArrowInvalid:
                raise _overflow() from None
            rows = rows.set_column(place, field.name, column)
    return rows


def _told(error: StoreError) -> StoreError | None:
    """A failure of the database in the words of the statement; nothing where it is told so already."""
    text = str(error.values.get("text", ""))
    if _OVERFLOW.search(text):
        return _overflow()
    if "Division by zero" in text:
        return StoreError("a whole number is divided by 0", hint="leave such rows out by WHERE, or divide by a float")
    found = _FAILED.fullmatch(text)
    return None if found is None else StoreError("the statement failed: {why}", values={"why": found["why"]})


def _overflow() -> StoreError:
    return StoreError(
        "integer overflow: 64 bits do not hold a result", hint="compute with floats, by toFloat() in Cypher"
    )
