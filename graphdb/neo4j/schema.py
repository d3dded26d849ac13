"""The constraints of a graph, by what they cover, and what others keep under its labels."""

from __future__ import annotations

import json
from typing import Any

from seedrank.core.errors import StoreError, shorten
from seedrank.cypher import prefixed
from seedrank.graphdb.neo4j import reading
from seedrank.graphdb.neo4j.connection import Connection
from seedrank.graphdb.neo4j.transactions import make_known

__all__ = ["create", "create_records", "forget", "make_names", "missing", "others", "refuse_foreign", "remove"]

UNIQUE = {
    "seedrank_schema_name": ("SeedrankSchema", "name"),
    "page_id": ("Page", "id"),
    "page_url": ("Page", "url"),
    "host_name": ("Host", "name"),
    "query_text": ("Query", "text"),
    "run_id": ("Run", "id"),
    "load_id": ("Load", "id"),
}
"""Constraints by name: label and the property that is unique in it."""
INDEXED = {"page_status": ("Page", "status")}
"""Other indexes by name: label and property."""
_INDEX_SECONDS = 3_600
_TYPES = ("LINKS_TO", "ON", "RESULT", "RANKED", "CORE", "CO_CITED")
_PROPERTIES = (
    *("rank", "score", "n", "role", "weight"),
    *("method", "parameters", "graph", "engine", "version", "created", "seconds"),
    *("owner", "who", "place", "process", "since", "beat", "asked"),
    *("load", "changes", "transactions", "others", "first"),
)
_OWN_PROPERTY = {"Page": "id", "Host": "pages", "Query": "text"}
"""What each of our nodes has, by label."""


def missing(connection: Connection) -> dict[str, tuple[str, str]]:
    """Constraints that are not there under any name: label and property by our name for them."""
    rows = connection.read(connection.statement("schema/unique_properties"))
    there = {(row["label"], row["property"]) for row in rows}
    return {name: covered for name, covered in _wanted(connection).items() if covered not in there}


def create(connection: Connection) -> None:
    """Make the constraints that are missing and wait for their indexes; changes nothing where they are there."""
    _make(connection, missing(connection))
    for name, (label, key) in _named(INDEXED, connection).items():
        cypher = connection.statement("schema/index", index=name, label=label, property=key)
        connection.auto_commit(cypher)
    connection.auto_commit(connection.statement("schema/await_indexes"), seconds=_INDEX_SECONDS)


def create_records(connection: Connection) -> None:
    """Make the constraint of our own records alone: without it two writers that note something at once make two."""
    records = prefixed("SeedrankSchema", connection.prefix)
    _make(connection, {name: covered for name, covered in missing(connection).items() if covered[0] == records})


def _make(connection: Connection, lacking: dict[str, tuple[str, str]]) -> None:
    if not lacking:
        return
    taken = {row["name"] for row in connection.read(connection.statement("schema/taken_names"))}
    for name, (label, key) in lacking.items():
        free = f"seedrank_{name}" if name in taken else name
        connection.auto_commit(connection.statement("schema/unique", constraint=free, label=label, property=key))


def make_names(connection: Connection) -> None:
    """Make names known that answers and the lock bring, so that they move no version later (`transactions`)."""
    types = [prefixed(f":{name}", connection.prefix).removeprefix(":") for name in _TYPES]
    connection.auto_commit(connection.statement("schema/types"), names=types)
    make_known(connection, list(_PROPERTIES))


def others(connection: Connection) -> list[str]:
    """Names of indexes and constraints of other programs."""
    wanted = _wanted(connection)
    ours = {*wanted, *(f"seedrank_{name}" for name in wanted), *_named(INDEXED, connection)}
    rows = connection.read(connection.statement("schema/taken_names"))
    return sorted(row["name"] for row in rows if row["type"] != "LOOKUP" and row["name"] not in ours)


def refuse_foreign(connection: Connection) -> None:
    """Refuse a database that has nodes of another program under our labels, before the first write.

    Raises
    ------
    StoreError
        With how many there are, one of them, and the ways out.
    """
    known = _is_known(connection)
    for name, key in _OWN_PROPERTY.items():
        # Ids are dense: where the last one fits the number of pages, all pages have one.
        if known and name == "Page" and reading.counts(connection).pages == reading.last_page(connection) + 1:
            continue
        label = prefixed(name, connection.prefix)
        cypher = connection.statement("check/foreign", label=label, property=key)
        row = connection.read(cypher, known=known)[0]
        if row["found"] and not known and _is_known(connection):
            refuse_foreign(connection)  # the first load of another process has begun in between
            return
        if row["found"]:
            raise _foreign(connection, label, "that seedrank did not write", row)
    told_apart = {prefixed(name, connection.prefix) for name in ("Run", "Load")}
    for label, key in missing(connection).values():
        if label in told_apart:  # by a property: others may have such nodes, but no two with one id
            for row in connection.read(connection.statement("check/shared_ids", label=label, property=key)):
                raise _foreign(connection, label, f"with one {key}", row)


def _foreign(connection: Connection, label: str, what: str, row: Any) -> StoreError:
    return StoreError(
        "{url} has {found} :{label} nodes " + what + ", such as {example}",
        hint="load into labels of their own ({prefix=Web}) or another database ({database}), or rank what is "
        "there ({model=FILE})",
        fields=("prefix", "database", "model"),
        values={
            "url": connection.url,
            "found": f"{row['found']:,}",
            "label": label,
            "example": _shown(row["example"]),
        },
    )


def remove(connection: Connection) -> None:
    """Delete our nodes and relationships; refuse where a relationship of others leads to one of them."""
    if not _is_known(connection):
        return
    held = connection.read(connection.statement("schema/held"))[0]
    if held["found"]:
        raise StoreError(
            "{url} has {found} relationships of others that lead to our nodes, such as {types}",
            hint="delete those first, then repeat the command",
            values={"url": connection.url, "found": f"{held['found']:,}", "types": ", ".join(held["types"])},
        )
    for name in ("remove_relationships", "remove_nodes"):
        connection.auto_commit(connection.statement(f"schema/{name}"))


def forget(connection: Connection) -> None:
    """Delete our records and constraints, once nobody writes any more."""
    connection.auto_commit(connection.statement("schema/remove_records"))
    wanted = _wanted(connection)
    ours = {**wanted, **{f"seedrank_{name}": covered for name, covered in wanted.items()}}
    for name, label, key in connection.read(connection.statement("schema/unique_properties")):
        if ours.get(name) == (label, key):
            connection.auto_commit(connection.statement("schema/drop_constraint", constraint=name))
    indexed = _named(INDEXED, connection)
    for row in connection.read(connection.statement("schema/taken_names")):
        if row["name"] in indexed and [row["labels"], row["properties"]] == [[one] for one in indexed[row["name"]]]:
            connection.auto_commit(connection.statement("schema/drop_index", index=row["name"]))


def _is_known(connection: Connection) -> bool:
    """Whether seedrank loaded anything into the database."""
    return bool(connection.read(connection.statement("check/is_known"))[0]["known"])


def _wanted(connection: Connection) -> dict[str, tuple[str, str]]:
    return _named(UNIQUE, connection)


def _named(covered: dict[str, tuple[str, str]], connection: Connection) -> dict[str, tuple[str, str]]:
    """The same with the names and labels of a graph that shares its database."""
    prefix = connection.prefix
    before = f"{prefix.lower()}_" if prefix else ""
    return {f"{before}{name}": (prefixed(label, prefix), key) for name, (label, key) in covered.items()}


def _shown(properties: dict[str, Any]) -> str:
    return shorten(json.dumps(properties, default=str, ensure_ascii=False))
