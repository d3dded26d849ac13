"""Pages as the store will hold them: status, host, values, redirects; once they have their numbers."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from seedrank.core.model import MAX_REDIRECTS, Status
from seedrank.core.progress import Advance
from seedrank.core.urls import fold_variants, hosts
from seedrank.graphdb.duckdb.connection import Connection
from seedrank.graphdb.duckdb.schema import quote
from seedrank.ingest.merge.columns import Columns, append
from seedrank.ingest.merge.folder import write_table
from seedrank.ingest.merge.links import Links
from seedrank.ingest.merge.positions import Positions
from seedrank.ingest.merge.rows import REDIRECT
from seedrank.ingest.merge.stored import Stored
from seedrank.loaders.base import LoadOptions, Summary, Where
from seedrank.loaders.page_types import types_of

__all__ = ["Pages", "ends_of_redirects"]

PART = 1 << 20
"""Pages that are put together at a time."""
_TYPE = "type"
_LABELS = "['frontier', 'missing', 'crawled']"
_TOLD = """
CREATE TABLE told AS
SELECT p.page, max(r.status) AS status, bool_or(p.kind = 0) AS listed
FROM row_page p JOIN named r USING (pos) WHERE p.page >= 0 AND p.kind <= 1 GROUP BY p.page
"""
_GIVEN_HOST = """
CREATE TABLE given_host AS SELECT page, host FROM (
    SELECT p.page, r.host, row_number() OVER (
        PARTITION BY p.page ORDER BY p.kind DESC, p.part IS NOT NULL AND j.page IS NULL, p.since, p.pos DESC
    ) AS n
    FROM row_page p JOIN named r USING (pos)
    LEFT JOIN (SELECT page FROM address WHERE NOT known AND NOT fresh) j ON j.page = p.page
    WHERE r.host IS NOT NULL AND p.page >= 0
) WHERE n = 1
"""
"""The last row that gives one stands; of rows taken for two pages at first, those of the page that stays."""
_WITHOUT_HOST = """
SELECT o.page, g.host, CASE WHEN g.host IS NULL THEN o.url END AS url FROM (
    SELECT page, url FROM address WHERE fresh
    UNION ALL SELECT page, NULL FROM id_page WHERE bare
    UNION ALL SELECT p.id, coalesce(p.url, a.url)
    FROM stored_page p LEFT JOIN (FROM address WHERE NOT fresh) a ON a.page = p.id WHERE p.host IS NULL
) o LEFT JOIN given_host g USING (page) WHERE g.host IS NOT NULL OR o.url IS NOT NULL
"""
"""Pages that have no host in the store: what the load's tables give, else the URL that tells it."""
_STATE = """
CREATE TABLE state AS
SELECT page, outgoing, incoming, listed, old,
    greatest(old, coalesce(given, CASE WHEN {fetched} THEN 2 ELSE 0 END)) AS status
FROM (
    SELECT o.page, coalesce(l.outgoing, false) AS outgoing, coalesce(l.incoming, false) AS incoming,
        coalesce(t.listed, false) AS listed, t.status AS given, list_position({labels}, p.status) - 1 AS old
    FROM (SELECT page FROM page_out UNION SELECT page FROM told{more}) o
    LEFT JOIN page_out l USING (page) LEFT JOIN told t USING (page) LEFT JOIN stored_page p ON p.id = o.page
)
"""
_LABELLED = """
CREATE TABLE labelled AS
WITH label AS (
    SELECT name, arg_max(spam, pos) AS spam, arg_max(below, pos) AS below
    FROM host_label WHERE name IS NOT NULL GROUP BY name
), page AS (
    SELECT id AS page, host FROM stored_page WHERE host IS NOT NULL UNION ALL SELECT page, host FROM page_host
), step AS (
    SELECT host, unnest(range(len(string_split(host, '.')))) AS depth FROM (SELECT DISTINCT host FROM page)
), found AS (
    SELECT s.host, arg_min(l.name, s.depth) AS name, arg_min(l.spam, s.depth) AS spam FROM step s
    JOIN label l ON l.name = array_to_string(string_split(s.host, '.')[s.depth + 1:], '.')
    WHERE s.depth = 0 OR l.below GROUP BY s.host
)
SELECT page.page, found.name, found.spam FROM page JOIN found USING (host)
"""
"""Of the names above a host's own, the most specific that speaks for its subdomains."""


class Pages:
    """Makes `Changes.new_pages`, `changed_pages` and `page_hosts`.

    Parameters
    ----------
    stored, columns, positions
        What the store has; columns of pages; where rows stand.
    options, summary
        What shapes the graph; takes the counts.
    links
        Tell which pages have links.
    """

    def __init__(
        self,
        connection: Connection,
        folder: Path,
        stored: Stored,
        columns: Columns,
        positions: Positions,
        options: LoadOptions,
        summary: Summary,
        links: Links,
    ) -> None:
        self._connection, self._folder, self._stored = connection, folder, stored
        self._columns, self._positions, self._summary, self._links = columns, positions, summary, links
        self._folds, self._assume = options.merge_variants, options.assume == "crawled"
        self.types: dict[str, pa.DataType] = {}
        """Types of the columns the load brings."""

    def settle(self) -> tuple[np.ndarray, np.ndarray]:
        """Decide hosts, values and statuses; gives the pages that redirect, ascending, and where links to them lead."""
        run = self._connection.run
        if self._connection.value("SELECT EXISTS (FROM id_page WHERE page < 0)"):
            self._mend_out()
        run(_TOLD)
        run(_GIVEN_HOST)
        self._find_hosts()
        self._sum_events()
        self._label()
        self.types = self._columns.finish()
        run("CREATE VIEW owner AS SELECT pos, page AS owner FROM row_page WHERE page >= 0 AND kind <= 1")
        run(f"CREATE TABLE val AS {self._columns.values('owner') or 'SELECT 0 AS owner LIMIT 0'}")
        self._states(self._links.followed)
        return self._redirects()

    def new_pages(self, advance: Advance) -> pa.Table:
        """Pages that the store does not have."""
        rows = self._new_rows()
        fields = [("id", pa.int64()), ("url", pa.string()), ("source_id", pa.int64()), ("status", pa.string())]
        schema = pa.schema([*fields, *self.types.items()])
        if self._stored.columns.get(_TYPE, pa.string()) != pa.string():
            return write_table(self._folder / "new.arrow", schema, (_without_last(batch, advance) for batch in rows))
        given = schema.get_field_index(_TYPE)
        typed = schema if given >= 0 else schema.append(pa.field(_TYPE, pa.string()))
        table = write_table(self._folder / "new.arrow", typed, (_with_types(batch, given, advance) for batch in rows))
        if given < 0 and table[_TYPE].null_count == table.num_rows:
            return table.drop_columns([_TYPE])
        self.types[_TYPE] = pa.string()
        return table

    def _new_rows(self) -> Iterator[pa.RecordBatch]:
        """New pages in order, a range of them at a time: two joins and a sort of all would not fit in memory."""
        chosen = "".join(f", v.{self._columns.sql_name(name)}" for name in self.types)
        last = self._connection.value("SELECT coalesce(max(page), -1) FROM state")
        for first in range(self._stored.count, last + 1, PART):
            within = f"BETWEEN {first} AND {first + PART - 1}"
            yield from self._connection.batches(
                f"SELECT s.page::BIGINT, o.url, o.sid, {_LABELS}[s.status + 1]{chosen}, s.outgoing FROM state s JOIN ("
                f"  SELECT page, url, sid FROM address WHERE fresh AND page {within}"
                f"  UNION ALL SELECT page, NULL, id FROM id_page WHERE bare AND page {within}"
                f") o USING (page) LEFT JOIN (FROM val WHERE owner {within}) v ON v.owner = s.page "
                f"WHERE s.page {within} ORDER BY s.page",
                rows=1 << 16,
            )

    def changed_pages(self) -> pa.Table:
        """Pages of the store that the load knows more of."""
        schema = pa.schema([("id", pa.int64())])
        if not self._stored.count:
            return schema.empty_table()
        brought = {name: kind for name, kind in self.types.items() if name in self._columns}
        there = [name for name in brought if name in self._stored.columns]
        values = self._stored.read_columns(there)
        chosen = {
            "url": "CASE WHEN p.url IS NULL THEN a.url END",
            "source_id": "CASE WHEN p.source_id IS NULL THEN a.sid END",
            "status": "CASE WHEN s.status > coalesce(s.old, -1) AND (s.old IS NOT NULL OR s.listed OR s.outgoing) "
            f"THEN {_LABELS}[s.status + 1] END",
        }
        for name in brought:
            new = f"v.{self._columns.sql_name(name)}"
            chosen[name] = f"CASE WHEN {new} IS DISTINCT FROM w.{quote(name)} THEN {new} END" if name in there else new
        listed = ", ".join(f"{sql} AS {quote(name)}" for name, sql in chosen.items())
        kinds = {"url": pa.string(), "source_id": pa.int64(), "status": pa.string(), **brought}
        schema = pa.schema([("id", pa.int64()), *kinds.items()])
        changed = " OR ".join(f"{quote(name)} IS NOT NULL" for name in kinds)
        table = write_table(
            self._folder / "changed.arrow",
            schema,
            self._connection.batches(
                f"SELECT * FROM (SELECT o.page::BIGINT AS id, {listed} FROM ("
                f"  SELECT page FROM state UNION SELECT owner FROM val) o JOIN stored_page p ON p.id = o.page "
                "LEFT JOIN (FROM address WHERE NOT fresh) a ON a.page = o.page LEFT JOIN state s ON s.page = o.page "
                f"LEFT JOIN val v ON v.owner = o.page {f'LEFT JOIN {values} w ON w.id = o.page' if there else ''}"
                f") WHERE {changed} ORDER BY id"
            ),
        )
        return table.drop_columns([name for name in kinds if table[name].null_count == table.num_rows])

    def page_hosts(self) -> pa.Table:
        """Pages whose host is new to the store."""
        schema = pa.schema([("id", pa.int64()), ("host", pa.string())])
        rows = self._connection.batches("SELECT page::BIGINT, host FROM page_host ORDER BY page")
        return write_table(self._folder / "page_hosts.arrow", schema, rows)

    def known(self) -> int:
        """Pages of the store that the load has rows of."""
        return int(self._connection.value(f"SELECT count(*) FROM told WHERE listed AND page < {self._stored.count}"))

    def _find_hosts(self) -> None:
        self._connection.run("CREATE TABLE page_host (page INTEGER, host VARCHAR)")
        for batch in self._connection.batches(_WITHOUT_HOST):
            found = pc.coalesce(batch.column("host"), hosts(batch.column("url")))
            there = found.is_valid()
            append(
                self._connection, "page_host", {"page": batch.column("page").filter(there), "host": found.filter(there)}
            )

    def _mend_out(self) -> None:
        """A link to a page that was left out is none, so that it does not make its source crawled."""
        sources = pa.table({"page": self._links.sources()})
        with self._connection.registered("linking", sources):
            self._connection.run("UPDATE page_out SET outgoing = page IN (SELECT page FROM linking)")

    def _sum_events(self) -> None:
        """Sums of events as the last, and so the standing, values of their columns."""
        # A sum of whole numbers is the same in any order; of others the order is that of the rows.
        whole = self._connection.value("SELECT coalesce(bool_and(clicks % 1 = 0 AND views % 1 = 0), true) FROM event")
        order = "" if whole else " ORDER BY e.pos"
        sums = self._connection.table(
            f"SELECT p.page, sum(e.clicks{order}) AS clicks, sum(e.views{order}) AS views "
            "FROM event e JOIN row_page p USING (pos) WHERE p.page >= 0 GROUP BY p.page"
        )
        self._give(sums, "events")

    def _label(self) -> None:
        """Labels as values of pages; those of URLs last, so that they stand."""
        names = self._connection.value("SELECT count(DISTINCT name) FROM host_label")
        if names:
            self._connection.run(_LABELLED)
            used = self._connection.value("SELECT count(DISTINCT name) FROM labelled")
            self._summary.add("labels dropped: unknown host", names - used)
            self._give(self._connection.table("SELECT page, spam FROM labelled"), "labels")
        of_pages = (
            "SELECT p.page, arg_max(l.spam, l.pos) AS spam FROM page_label l JOIN row_page p USING (pos) "
            "WHERE p.page >= 0 GROUP BY p.page"
        )
        self._give(self._connection.table(of_pages), "labels")

    def _give(self, values: pa.Table, name: str) -> None:
        if not values.num_rows:
            return
        where = Where(name)
        positions = self._positions.take(where, values.num_rows)
        owners = {
            "pos": pa.array(positions),
            "page": values["page"],
            "kind": pa.array(np.ones(len(positions), np.int8)),
        }
        append(self._connection, "row_page", owners)
        rows = values.drop_columns(["page"]).combine_chunks().to_batches()[0]
        self._columns.add(positions, rows, where, True)

    def _states(self, followed: bool) -> None:
        fetched = "(outgoing AND old IS NULL)" if followed else "outgoing"
        if self._assume:
            listed = self._connection.value("SELECT EXISTS (FROM told WHERE listed)")
            fetched = f"({fetched} OR {'listed' if listed else f'incoming OR page >= {self._stored.count}'})"
        more = f" UNION SELECT id FROM stored_page WHERE {REDIRECT} IS NOT NULL" if self._stored.redirects else ""
        self._connection.run(_STATE.format(fetched=fetched, labels=_LABELS, more=more))

    def _redirects(self) -> tuple[np.ndarray, np.ndarray]:
        """The redirects of load and store; the load's stand before the store's, and a crawled page has none."""
        nowhere = np.zeros(0, np.int64), np.zeros(0, np.int64)
        parts = []
        if REDIRECT in self._columns:
            parts.append(self._leads())
        if self._stored.redirects:
            parts.append(self._stored_leads())
        if not parts:
            return nowhere
        found = self._connection.table(
            f"SELECT l.page, arg_min(l.target, l.rank) AS target FROM ({' UNION ALL '.join(parts)}) l "
            "JOIN state s USING (page) WHERE s.status < 2 GROUP BY l.page ORDER BY l.page"
        )
        pages, targets = (found[name].to_numpy().astype(np.int64) for name in ("page", "target"))
        leaves = pages != targets
        pages, targets = pages[leaves], targets[leaves]
        if not len(pages):
            return nowhere
        with self._connection.registered("redirecting", pa.table({"page": pages})):
            self._connection.run(
                f"UPDATE state SET status = {int(Status.MISSING)} WHERE page IN (SELECT page FROM redirecting)"
            )
        return pages, ends_of_redirects(pages, targets, MAX_REDIRECTS)

    def _leads(self) -> str:
        """Redirects of the load; from now on they name the URL of the page they lead to."""
        name = self._columns.sql_name(REDIRECT)
        key = "(SELECT DISTINCT url, key FROM url_name WHERE code IS NULL)" if self._folds else "address"
        same = "n.url" if self._folds else "n.key"
        self._connection.run(
            "CREATE TABLE lead AS SELECT v.owner AS page, a.page AS target, coalesce(k.url, a.url) AS url FROM val v "
            f"JOIN {key} n ON {same} = v.{name} JOIN address a ON a.key = n.key LEFT JOIN stored_key k ON k.key = a.key"
        )
        if self._folds:
            self._connection.run(f"UPDATE val SET {name} = lead.url FROM lead WHERE lead.page = val.owner")
        return "SELECT page, target, 0 AS rank FROM lead"

    def _stored_leads(self) -> str:
        self._connection.run("CREATE TABLE stored_lead (page INTEGER, key VARCHAR)")
        sql = f"SELECT id, {REDIRECT} AS url FROM stored_page WHERE {REDIRECT} IS NOT NULL"
        for batch in self._connection.batches(sql):
            urls = batch.column("url")
            key = fold_variants(urls) if self._folds else urls
            append(self._connection, "stored_lead", {"page": batch.column("id"), "key": key})
        return (
            "SELECT r.page, coalesce(a.page, k.id) AS target, 1 AS rank FROM stored_lead r "
            "LEFT JOIN address a ON a.key = r.key "
            "LEFT JOIN stored_key k ON k.key = r.key WHERE coalesce(a.page, k.id) IS NOT NULL"
        )


def ends_of_redirects(pages: np.ndarray, targets: np.ndarray, most: int) -> np.ndarray:
    """int64 per page: the page at the end of its redirects; itself where there are more than `most`.

    `pages` is ascending; each redirects to the page in `targets`.
    """
    ends = pages.copy()
    for _ in range(most):
        at = np.minimum(np.searchsorted(pages, ends), len(pages) - 1)
        ends = np.where(pages[at] == ends, targets[at], ends)
    return np.where(np.isin(ends, pages), pages, ends)


def _without_last(batch: pa.RecordBatch, advance: Advance) -> pa.RecordBatch:
    advance(batch.num_rows)
    return batch.select(range(batch.num_columns - 1))


def _with_types(batch: pa.RecordBatch, given: int, advance: Advance) -> pa.RecordBatch:
    """Pages with their types, as given, else by the URL; the last column says whether links lead from them."""
    linking = batch.column(batch.num_columns - 1).to_numpy(zero_copy_only=False)
    types = types_of(batch.column(1), linking=linking)
    batch = _without_last(batch, advance)
    if given >= 0:
        return batch.set_column(given, _TYPE, pc.coalesce(batch.column(given), types))
    return batch.append_column(_TYPE, types)
