"""How many transactions of a database are of other programs, by the number that the server gives to each.

Every transaction of seedrank that writes counts itself (`Connection.write`); the server numbers all that write, and its
bookmark has the number of the last one. The difference moves when another program writes, whatever it writes: arrays
of the graph are then read again. The end of a load keeps the difference of that moment.
"""

from __future__ import annotations

import base64
import binascii
import hashlib
import re
from dataclasses import dataclass

from seedrank.graphdb.neo4j.connection import Connection

__all__ = ["Written", "make_known", "settle", "written"]

_TRIES = 5
# A list of the database's id, 16 bytes, and the number of the transaction, in MessagePack's manner; then an empty list.
_BOOKMARK = re.compile(rb"\x91\xcc\x10.{16}(?:([\x00-\x7f])|\xc8(.)|\xc9(..)|\xca(.{4})|\xcb(.{8}))\x90", re.DOTALL)


@dataclass(frozen=True)
class Written:
    """What was written to a database."""

    changes: int
    """Changes of the graph that were counted."""
    settled: bool
    """Whether a load kept how many transactions were of others."""
    others: int | str
    """Transactions of others since then; where the server's bookmark cannot be read, a digest of it."""


def written(connection: Connection) -> Written:
    """What was written, as of one moment."""
    row, number, bookmark = _read(connection)
    settled = row["others"] is not None
    if number is None:
        others: int | str = hashlib.sha256(bookmark.encode()).hexdigest()[:16] if bookmark else 0
    else:
        # A database of an earlier version has kept no number: its version stays what it was.
        others = number - row["own"] - row["others"] if settled else 0
    return Written(int(row["changes"]), settled, others)


def settle(connection: Connection) -> None:
    """Keep how many transactions were of others until now."""
    row, number, _ = _read(connection)
    if number is not None:
        connection.write(connection.statement("load/settle"), others=number - row["own"])


def make_known(connection: Connection, names: list[str]) -> None:
    """Make names of properties known to the server: each new one is a transaction of its own, counted as seedrank's."""
    new = connection.read(connection.statement("schema/unknown_properties"), names=names)[0]["names"]
    if new:
        cypher = connection.statement("schema/properties")
        connection.write(cypher, transactions=1 + len(new), names=new)


def _read(connection: Connection) -> tuple[dict[str, int], int | None, str]:
    """Our counts, and the number of the last transaction (or `None`) with the bookmark that has it."""
    cypher = connection.statement("read/changes")
    before = connection.read(cypher)[0].data()
    for _ in range(_TRIES):
        bookmark = connection.last_transaction()
        after = connection.read(cypher)[0].data()
        if after == before:
            break
        before = after  # seedrank wrote in between: its number may be in the one and not in the other
    return before, _number(bookmark), bookmark


def _number(bookmark: str) -> int | None:
    kind, _, text = bookmark.partition(":")
    try:
        data = base64.b64decode(text + "=" * (-len(text) % 4), validate=True)
    except (binascii.Error, ValueError):
        return None
    found = _BOOKMARK.fullmatch(data) if kind == "FB" else None
    return (
        None if found is None else int.from_bytes(next(one for one in found.groups() if one is not None), signed=True)
    )
