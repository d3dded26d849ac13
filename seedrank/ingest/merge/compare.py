"""Links, hosts, queries and results against what the store has."""

from __future__ import annotations

from pathlib import Path

import pyarrow as pa

from seedrank.core.model import MAX_ANCHORS
from seedrank.graphdb.duckdb.connection import Connection
from seedrank.graphdb.duckdb.schema import quote
from seedrank.ingest.merge.columns import Columns, append
from seedrank.ingest.merge.folder import write_table
from seedrank.ingest.merge.links import Links, Merged
from seedrank.ingest.merge.stored import Stored
from seedrank.loaders.base import Summary

__all__ = ["LINKS", "changed_hosts", "changed_links", "changed_queries", "changed_results"]

LINKS = pa.schema([("source", pa.int64()), ("target", pa.int64()), ("weight", pa.float64())])
_ANCHORED = LINKS.append(pa.field("anchors", pa.list_(pa.string())))

_TEXTS = f"""
CREATE TABLE link_text AS SELECT key, list(anchor ORDER BY first)[:{MAX_ANCHORS}] AS anchors FROM (
    SELECT key, anchor, min(rowid) AS first FROM pair WHERE anchor IS NOT NULL GROUP BY key, anchor
) GROUP BY key
"""
"""Distinct texts in the order they came."""
_UNITED = f"""
list_concat(coalesce(o.anchors, []), list_filter(m.anchors, lambda x: NOT list_contains(coalesce(o.anchors, []), x)))
[:{MAX_ANCHORS}]
"""
_QUERIES = """
CREATE TABLE found_query AS
SELECT text, min(pos) AS pos, arg_max(freq, pos) AS freq, arg_max(need, pos) AS need FROM (
    SELECT text, pos, freq, need FROM query_row UNION ALL SELECT query, pos, NULL, NULL FROM result_row
) GROUP BY text
"""
_CHANGED_QUERIES = """
SELECT q.text, coalesce(q.freq, s.freq) AS freq, coalesce(q.need, s.need) AS need
FROM found_query q LEFT JOIN stored_query s USING (text)
WHERE s.text IS NULL OR q.freq IS NOT NULL AND q.freq IS DISTINCT FROM s.freq
    OR q.need IS NOT NULL AND q.need IS DISTINCT FROM s.need
ORDER BY q.pos
"""
_RESULTS = """
CREATE TABLE found_result AS
SELECT r.query, p.page, arg_max(r.rank, r.pos) AS rank, arg_max(r.clicks, r.pos) AS clicks, count(*) AS n
FROM result_row r JOIN row_page p USING (pos) WHERE p.page >= 0 GROUP BY r.query, p.page
"""
_CHANGED_RESULTS = """
SELECT r.query, r.page::BIGINT AS id, coalesce(r.rank, s.rank) AS rank, coalesce(r.clicks, s.clicks) AS clicks
FROM found_result r JOIN found_query q ON q.text = r.query
LEFT JOIN stored_result s ON s.query = r.query AND s.page = r.page
WHERE s.query IS NULL OR r.rank IS NOT NULL AND r.rank IS DISTINCT FROM s.rank
    OR r.clicks IS NOT NULL AND r.clicks IS DISTINCT FROM s.clicks
ORDER BY q.pos, r.page
"""


def changed_links(
    connection: Connection, folder: Path, links: Links, stored: Stored, summary: Summary
) -> tuple[pa.Table, pa.Table]:
    """New and changed links (`Changes`)."""
    if not stored.count and not links.have_anchors:
        new = write_table(folder / "new_links.arrow", LINKS, (_batch(piece) for piece in links.merged()))
        summary.add("links new", new.num_rows)
        return new, LINKS.empty_table()
    connection.run("CREATE TABLE merged_pair (source BIGINT, target BIGINT, weight DOUBLE)")
    for piece in links.merged():
        append(connection, "merged_pair", _batch(piece))
    sources = connection.table("SELECT DISTINCT source FROM merged_pair WHERE source < $1", [stored.count])
    stored.read_links(sources["source"].to_numpy(), anchors=links.have_anchors)
    schema, anchors, united, more = LINKS, "", "", "false"
    if links.have_anchors:
        connection.run(_TEXTS)
        schema, anchors, united = _ANCHORED, ", m.anchors", f", {_UNITED}"
        more = f"len({_UNITED}) > len(coalesce(o.anchors, []))"
        connection.run(
            "CREATE VIEW merged AS SELECT p.*, t.anchors FROM merged_pair p "
            "LEFT JOIN link_text t ON t.key = (p.source << 32) | p.target"
        )
    else:
        connection.run("CREATE VIEW merged AS FROM merged_pair")
    connection.run(
        "CREATE TABLE changed AS "
        f"SELECT m.source, m.target, greatest(m.weight, coalesce(o.weight, 1)) AS weight{united}, "
        f"m.weight > coalesce(o.weight, 1) OR coalesce({more}, false) AS differs "
        "FROM merged m JOIN stored_link o USING (source, target)"
    )
    new = write_table(
        folder / "new_links.arrow",
        schema,
        connection.batches(
            f"SELECT m.source, m.target, m.weight{anchors} FROM merged m "
            "ANTI JOIN changed o USING (source, target) ORDER BY m.source, m.target"
        ),
    )
    changed = write_table(
        folder / "changed_links.arrow",
        schema,
        connection.batches("SELECT * EXCLUDE (differs) FROM changed WHERE differs ORDER BY source, target"),
    )
    summary.add("links new", new.num_rows)
    summary.add("links known", connection.value("SELECT count(*) FROM changed"))
    summary.add("links changed", changed.num_rows)
    return new, changed


def _batch(piece: Merged) -> pa.RecordBatch:
    columns = [pa.array(values) for values in (piece.source, piece.target, piece.weight)]
    return pa.RecordBatch.from_arrays(columns, schema=LINKS)


def changed_hosts(connection: Connection, columns: Columns, stored: Stored) -> tuple[pa.Table, dict[str, pa.DataType]]:
    """Hosts that are new or changed (`Changes.hosts`), and the types of their columns."""
    types = columns.finish()
    connection.run("CREATE VIEW host_owner AS SELECT pos, name AS owner FROM host_row")
    connection.run(
        f"CREATE TABLE host_val AS {columns.values('host_owner') or 'SELECT NULL::VARCHAR AS owner LIMIT 0'}"
    )
    chosen, changed = "", "o.pages IS DISTINCT FROM s.pages"
    for name in types:
        new = f"v.{columns.sql_name(name)}"
        if name in stored.host_columns:
            new = f"CASE WHEN {new} IS DISTINCT FROM s.{quote(name)} THEN {new} END"
        chosen += f", {new} AS {quote(name)}"
        changed += f" OR ({new}) IS NOT NULL"
    table = connection.table(
        "WITH counted AS (SELECT host, count(*) AS pages FROM ("
        "  SELECT host FROM stored_page UNION ALL SELECT host FROM page_host) WHERE host IS NOT NULL GROUP BY host"
        "), o AS (SELECT name, coalesce(c.pages, 0) AS pages FROM ("
        "  SELECT host AS name FROM counted UNION SELECT name FROM host_row UNION SELECT name FROM stored_host"
        ") LEFT JOIN counted c ON c.host = name) "
        f"SELECT o.name, o.pages{chosen} FROM o LEFT JOIN stored_host s ON s.name = o.name "
        f"LEFT JOIN host_val v ON v.owner = o.name WHERE {changed} ORDER BY o.name"
    )
    return table, types


def changed_queries(connection: Connection, stored: Stored) -> pa.Table:
    """Queries, known by their text, that are new or changed; one that only results name is made, without frequency."""
    stored.read_queries()
    connection.run(_QUERIES)
    return connection.table(_CHANGED_QUERIES)


def changed_results(connection: Connection, summary: Summary) -> pa.Table:
    """Results, known by query and page, that are new or changed; after `changed_queries`."""
    connection.run(_RESULTS)
    summary.add("results merged", connection.value("SELECT coalesce(sum(n) - count(*), 0) FROM found_result"))
    return connection.table(_CHANGED_RESULTS)
