"""The embedded store: one DuckDB file."""

from seedrank.graphdb.duckdb.store import DuckDBStore

__all__ = ["DuckDBStore"]
