"""Which row is which page, and the number each page gets.

A page is known by its URL, or by its id where no row gives a URL with it. What the SQL makes:

    id_first   every id of the load: since when it stands for a page, and that page's key
    address    every key (URL) of the load: its page, since when it is there
    id_page    every id of the load: its page; -2 where its rows were left out, -3 where the store does not know it
    code_page  every code of a block of links: the same
    row_page   every row: the same; -1 where no page is found. ``part`` and ``since`` tell apart rows that were taken
               for different pages before another row showed that they are one
    page_out   pages of the load: whether links lead from them, and to them
"""

from __future__ import annotations

from seedrank.core.errors import InputError
from seedrank.graphdb.duckdb.connection import Connection
from seedrank.ingest.merge.positions import Positions
from seedrank.ingest.merge.rows import Kind, Rows
from seedrank.ingest.merge.stored import Stored
from seedrank.loaders.base import Summary

__all__ = ["number_pages"]

MOST = 2**31 - 1

_ID_FIRST = """
CREATE TABLE id_first AS
WITH seen AS (
    SELECT id, pos, bad, {key} IS NOT NULL AS has_url, true AS listed, false AS must
    FROM named WHERE kind = 0 AND id IS NOT NULL
    UNION ALL SELECT id, pos, false, false, false, must FROM id_name
), first AS (
    SELECT id, min(pos) AS first, min(pos) FILTER (bad) AS first_bad, min(pos) FILTER (has_url) AS first_url,
        count(*) FILTER (has_url) AS urls, bool_or(listed) AS listed, min(pos) FILTER (must) AS must
    FROM seen GROUP BY id
)
SELECT f.id, f.first, f.first_url, f.urls, f.listed, f.must, r.{key} AS key,
    CASE WHEN f.first_bad = f.first THEN f.first_url ELSE f.first END AS born
FROM first f LEFT JOIN named r ON r.pos = f.first_url
"""
_CONFLICT = """
SELECT min(r.pos) FROM named r JOIN id_first i USING (id) WHERE r.kind = 0 AND i.urls > 1 AND r.{key} <> i.key
"""
_URL_FIRST = """
CREATE TABLE url_first AS
SELECT key, min(pos) AS pos, min(id_pos) AS id_pos, bool_or(outgoing) AS outgoing, bool_or(incoming) AS incoming FROM (
    SELECT {key} AS key, pos, CASE WHEN id IS NOT NULL THEN pos END AS id_pos, false AS outgoing, false AS incoming
    FROM named WHERE kind = 0 AND {key} IS NOT NULL
    UNION ALL SELECT {key}, pos, NULL, coalesce(outgoing, false), coalesce(incoming, false) FROM url_name
) GROUP BY key
"""
_STORED_ID = """
CREATE TABLE stored_id AS
SELECT source_id AS id, min(id) AS page, count(*) AS n, bool_and(url IS NULL) AS bare
FROM stored_page WHERE source_id IS NOT NULL GROUP BY source_id
"""
_NODE = """
CREATE TABLE node AS
SELECT u.pos, coalesce(b.born, u.pos) AS born, s.id AS sid, k.id IS NOT NULL AS known,
    coalesce(k.id, j.page) AS stored, u.outgoing, u.incoming
FROM url_first u
LEFT JOIN (SELECT r.pos, i.born FROM named r JOIN id_first i USING (id) WHERE r.kind = 0) b ON b.pos = u.pos
LEFT JOIN named s ON s.pos = u.id_pos
LEFT JOIN stored_key k ON k.key = u.key
LEFT JOIN (FROM stored_id WHERE n = 1 AND bare) j ON j.id = s.id AND k.id IS NULL
"""
_PLAIN_NODE = """
CREATE TABLE node AS
SELECT u.pos, u.pos AS born, NULL::BIGINT AS sid, k.id IS NOT NULL AS known, k.id AS stored, u.outgoing, u.incoming
FROM url_first u LEFT JOIN stored_key k ON k.key = u.key
"""
"""The same where the load has no ids."""
_ID_NODE = """
CREATE TABLE id_node AS
SELECT i.id, i.first, i.listed, s.n, s.page AS stored,
    CASE WHEN i.born IS NULL THEN -2 WHEN s.page IS NULL AND NOT i.listed AND {addressed} THEN -3 END AS lost, i.born
FROM id_first i LEFT JOIN stored_id s USING (id) WHERE i.key IS NULL
"""
_FRESH = """
CREATE TABLE fresh AS
SELECT born, {count} - 1 + row_number() OVER (ORDER BY born) AS page FROM (
    SELECT born FROM node WHERE stored IS NULL
    UNION ALL SELECT born FROM id_node WHERE stored IS NULL AND lost IS NULL
)
"""
_ADDRESS = """
CREATE TABLE address AS
SELECT u.key, {url}, n.born, n.sid, n.known, n.stored IS NULL AS fresh, n.outgoing, n.incoming,
    coalesce(n.stored, f.page) AS page
FROM url_first u JOIN node n USING (pos) LEFT JOIN fresh f ON f.born = n.born {join}
"""
_FIRST_URL = (
    "JOIN (SELECT pos, url FROM named WHERE kind = 0 UNION ALL SELECT pos, url FROM url_name) a ON a.pos = u.pos"
)
_ID_PAGE = """
CREATE TABLE id_page AS
SELECT i.id, a.page, i.born, false AS bare FROM id_first i JOIN address a ON a.key = i.key
UNION ALL
SELECT i.id, coalesce(i.lost, i.stored, f.page), i.born, i.lost IS NULL AND i.stored IS NULL
FROM id_node i LEFT JOIN fresh f ON f.born = i.born
"""
_CODE_PAGE = """
CREATE TABLE code_page AS
SELECT n.code, a.page FROM url_name n JOIN address a ON a.key = n.{key} WHERE n.code IS NOT NULL
UNION ALL SELECT n.code, i.page FROM id_name n JOIN id_page i USING (id)
"""
_ROW_PAGE = """
CREATE TABLE row_page AS
SELECT r.pos, r.kind, a.page, NULL::BIGINT AS part, a.born AS since
FROM named r JOIN address a ON a.key = r.{key} WHERE r.kind = 0
UNION ALL
SELECT r.pos, r.kind, CASE WHEN r.pos >= i.born THEN p.page ELSE -2 END,
    CASE WHEN r.pos < i.first_url AND (a.known OR a.born <> i.born) THEN r.id END,
    CASE WHEN r.pos < i.first_url THEN i.born ELSE coalesce(a.born, i.born) END
FROM named r JOIN id_first i USING (id) JOIN id_page p USING (id) LEFT JOIN address a ON a.key = i.key
WHERE r.kind = 0 AND r.{key} IS NULL AND NOT r.bad
UNION ALL
SELECT r.pos, r.kind, coalesce(CASE WHEN a.born < r.pos THEN a.page END, k.id, -1), NULL, NULL
FROM named r LEFT JOIN address a ON a.key = r.{key} LEFT JOIN stored_key k ON k.key = r.{key}
WHERE r.kind > 0 AND r.{key} IS NOT NULL
UNION ALL
SELECT r.pos, r.kind, CASE WHEN i.born IS NULL OR i.born < r.pos THEN i.page END, NULL, NULL
FROM named r JOIN id_page i USING (id) WHERE r.kind > 0 AND r.{key} IS NULL AND NOT r.bad
UNION ALL
SELECT r.pos, r.kind, CASE WHEN r.must THEN -1 ELSE coalesce(s.page, -1) END, NULL, NULL
FROM named r LEFT JOIN stored_id s USING (id)
WHERE r.kind > 0 AND r.{key} IS NULL AND NOT r.bad AND NOT EXISTS (FROM id_page i WHERE i.id = r.id)
UNION ALL SELECT pos, kind, -2, NULL, NULL FROM named WHERE bad
"""
_PAGE_OUT = """
CREATE TABLE page_out AS SELECT page, bool_or(outgoing) AS outgoing, bool_or(incoming) AS incoming FROM (
    SELECT page, outgoing, incoming FROM address
    UNION ALL SELECT i.page, n.outgoing, n.incoming FROM id_name n JOIN id_page i USING (id) WHERE i.page >= 0
) GROUP BY page
"""
_COUNTS = {
    Kind.PAGE: ("page rows dropped: unparsable URL", ""),
    Kind.KNOWN: ("column rows dropped: unparsable URL", "column rows dropped: not in the graph"),
    Kind.EVENT: ("events dropped: unparsable URL", "events dropped: unknown page"),
    Kind.RESULT: ("results dropped: unparsable URL", "results dropped: unknown page"),
    Kind.LABEL: ("labels dropped: unparsable URL", "labels dropped: unknown page"),
}


def number_pages(
    connection: Connection, rows: Rows, stored: Stored, positions: Positions, summary: Summary, *, folds: bool
) -> int:
    """Number the pages of a load after those of the store, in the order they first appear; returns all pages."""
    key = "key" if folds else "url"
    ids = bool(connection.value("SELECT EXISTS (FROM named WHERE id IS NOT NULL) OR EXISTS (FROM id_name)"))
    connection.run(_ID_FIRST.format(key=key))
    connection.run(_STORED_ID if ids else f"{_STORED_ID} LIMIT 0")
    if ids:
        _refuse_conflicts(connection, positions, key)
    connection.run(_URL_FIRST.format(key=key))
    connection.run(_NODE if ids else _PLAIN_NODE)
    addressed = ids and bool(
        connection.value(
            "SELECT coalesce(bool_and(url IS NOT NULL), false) FROM stored_page WHERE source_id IS NOT NULL"
        )
    )
    connection.run(_ID_NODE.format(addressed=addressed))
    _refuse_ambiguous(connection, positions, "id_node", "n > 1 AND lost IS NULL")
    connection.run(_FRESH.format(count=stored.count))
    count = stored.count + int(connection.value("SELECT count(*) FROM fresh"))
    if count > MOST:
        raise InputError(
            f"more than {MOST:,} pages", hint="a graph has at most 2^31 - 1: load a part of it, or its hosts"
        )
    connection.run(_ADDRESS.format(url="a.url" if folds else "u.key AS url", join=_FIRST_URL if folds else ""))
    connection.run("DROP TABLE url_first")
    for statement in (_ID_PAGE, _CODE_PAGE, _ROW_PAGE, _PAGE_OUT):
        connection.run(statement.format(key=key))
    connection.run("DELETE FROM url_name WHERE code IS NOT NULL")
    if ids:
        _refuse_ambiguous(
            connection,
            positions,
            "(SELECT r.id, r.pos AS first, s.n FROM named r JOIN stored_id s USING (id) WHERE r.kind > 0 AND NOT r.bad "
            f"AND NOT r.must AND r.{key} IS NULL AND NOT EXISTS (FROM id_page i WHERE i.id = r.id))",
            "n > 1",
        )
    _count(connection, summary)
    return count


def _refuse_conflicts(connection: Connection, positions: Positions, key: str) -> None:
    """Refuse an id that stands for two URLs, and one that no page has where pages tables give ids."""
    position = connection.value(_CONFLICT.format(key=key))
    if position is not None:
        where = positions.where(position)
        raise InputError(
            "this id stands for another URL already",
            file=where.file,
            line=where.line(0),
            column="id",
            value=connection.value(f"SELECT id FROM named WHERE pos = {position}"),
            hint="load sources with ids of their own one after the other",
        )
    found = connection.table(
        "SELECT id, must FROM id_first WHERE NOT listed AND must IS NOT NULL ORDER BY must LIMIT 1"
    )
    for unknown in found.to_pylist():
        where = positions.where(unknown["must"])
        raise InputError(
            "no page has this id",
            file=where.file,
            line=where.line(0),
            column=positions.end(unknown["must"]),
            value=unknown["id"],
            hint="the pages table must have every page that links name",
        )


def _refuse_ambiguous(connection: Connection, positions: Positions, table: str, condition: str) -> None:
    found = connection.table(f"SELECT id, first FROM {table} WHERE {condition} ORDER BY first LIMIT 1").to_pylist()
    for several in found:
        where = positions.where(several["first"])
        raise InputError(
            "several pages of the store have this source id",
            file=where.file,
            line=where.line(0),
            column="id",
            value=several["id"],
            hint="give URLs, or load the pages table (id and url) along with it",
        )


def _count(connection: Connection, summary: Summary) -> None:
    lost = connection.table("SELECT kind, page, count(*) AS n FROM row_page WHERE page < 0 GROUP BY ALL").to_pylist()
    for row in lost:
        unparsable, unknown = _COUNTS[Kind(row["kind"])]
        summary.add(unknown if row["page"] == -1 else unparsable, row["n"])
    merged = """
        SELECT count(*) FROM (
            SELECT r.file = lag(r.file) OVER (PARTITION BY p.page, p.part ORDER BY p.pos) AS again
            FROM row_page p JOIN named r USING (pos)
            WHERE p.kind = 0 AND p.page IN (
                SELECT page FROM row_page WHERE kind = 0 AND page >= 0 GROUP BY page HAVING count(*) > 1
            )
        ) WHERE again
    """
    summary.add("pages merged", connection.value(merged))
