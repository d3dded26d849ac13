"""The folder that Apache Spark reads: which tables it has, and how they are told from others.

    pages/*.parquet   id, url, source_id, status, host and the columns of pages, by id: 0, 1, 2, …
    links/*.parquet   source, target, weight: each pair of different pages once
    hosts/*.parquet   name, pages and the columns of hosts, by name
    about/*.parquet   one row: format, version, pages, links, hosts, level, source; written last

Ids are int64, weights float64, the rest as in `seedrank.graphdb.store.GraphStore`.
"""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any

from seedrank.core.errors import InputError

if TYPE_CHECKING:
    from seedrank.core.levels import Level

__all__ = ["FORMAT", "SCHEME", "About"]

SCHEME = "spark+parquet:"
"""How the URL of such a store begins."""
FORMAT = "seedrank spark 1"


@dataclass(frozen=True)
class About:
    """What a folder holds."""

    version: str
    """Another for each folder that is written."""
    pages: int
    links: int
    hosts: int
    level: Level
    source: str
    """Where it came from, for people."""
    format: str = FORMAT

    def row(self) -> dict[str, Any]:
        """As it is written."""
        return asdict(self)

    @classmethod
    def of(cls, row: dict[str, Any], where: str) -> About:
        """What a row says; one of another format is refused."""
        if row.get("format") != FORMAT:
            raise InputError(
                f"a folder of the format {FORMAT!r} is wanted", file=where, value=row.get("format"),
                hint="write it again with `seedrank export spark DIR`",
            )  # fmt: skip
        return cls(**{name: row[name] for name in cls.__dataclass_fields__})
