"""The SQL itself: what people see when they ask for it."""

from __future__ import annotations

import textwrap

import pytest

from tests.unit.statements.web import Web

TEXTS = {
    "MATCH (p:Page {id: 1}) RETURN p.url AS url": """
        SELECT page1."url" AS "url"
        FROM "page" page1
        WHERE (page1."id"::BIGINT = 1)
        """,
    "MATCH (p:Page)-[:LINKS_TO]->(q) WHERE q.status = $status RETURN p.id AS id ORDER BY id LIMIT 5": """
        SELECT link1."source"::BIGINT AS "id"
        FROM "link" link1
          JOIN "page" page2 ON page2."id" = link1."target"
        WHERE (page2."status" = $status::VARCHAR)
        ORDER BY link1."source"::BIGINT ASC NULLS LAST
        LIMIT 5
        """,
    "MATCH (p:Page) RETURN p.status AS status, count(*) AS n": """
        SELECT grouped4.key2 AS "status", grouped4.count3 AS "n"
        FROM (
            SELECT page1."status" AS key2, count(*) AS count3
            FROM "page" page1
            GROUP BY key2
          ) grouped4
        """,
    "MATCH (h:Host) OPTIONAL MATCH (h)<-[:ON]-(p) RETURN h.name AS name, p.id AS id": """
        SELECT host1."name" AS "name", optional3."p"::BIGINT AS "id"
        FROM "host" host1
          LEFT JOIN LATERAL (
            SELECT on2."id" AS "p"
            FROM "page" on2
            WHERE on2."host" = host1."name"
              AND on2."host" IS NOT NULL
          ) optional3 ON TRUE
        """,
}


@pytest.mark.parametrize("cypher", TEXTS)
def test_sql_reads_like_the_statement(web: Web, cypher: str):
    made = web.translated(cypher, {"status": "crawled"})
    assert made.sql == textwrap.dedent(TEXTS[cypher]).strip()


def test_columns_keep_their_names_where_sql_needs_others(web: Web):
    made = web.translated("MATCH (p:Page) RETURN p.id AS a, p.url AS A, p.status")
    assert made.columns == ("a", "A", "p.status")
    assert [str(kind) for kind in made.types] == ["an integer", "a text", "a text"]
