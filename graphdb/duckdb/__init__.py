"""The embedded store: one DuckDB file."""

from graphdb.duckdb.store import DuckDBStore

__all__ = ["DuckDBStore"]
