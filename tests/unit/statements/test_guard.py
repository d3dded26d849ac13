"""What a statement may do: attacks that must be refused, and everyday statements that must not."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from seedrank.graphdb.statements import EMBEDDED, NEO4J, Refused, check

BOTH = (EMBEDDED, NEO4J)
READS = [
    "MATCH (p:Page) RETURN p.url LIMIT 10",
    "  // a comment\n RETURN 1;",
    "EXPLAIN MATCH (p:Page) RETURN count(*)",
    "MATCH (p:Page) WHERE p.load > 1 AND p.call = 'CREATE; LOAD FROM x' RETURN p.set AS delete",
    "MATCH (l:Load) RETURN l.source",
    "UNWIND [1, 2] AS x RETURN {load: x, call: 2} AS m",
    "OPTIONAL MATCH (p)-[:`LOAD`]->() RETURN p",
    "WITH 1 AS x RETURN x UNION RETURN 2 AS x",
]
NEVER = [
    "UNWIND [1] AS x LOAD WITH HEADERS (a STRING) FROM '/etc/passwd' (file_format='csv', header=false) RETURN a",
    "LOAD FROM '/etc/passwd' RETURN *",
    "LOAD CSV FROM 'file:///etc/passwd' AS line RETURN line",
    "MATCH (p:Page) load /* quietly */ csv FROM 'x' AS l RETURN l",
    'CALL `read_csv_serial`("x") RETURN *',
    "CALL read_parquet('x') RETURN *",
    "MATCH (p) CALL READ_CSV_PARALLEL('x') RETURN *",
    "CALL threads = 1",
    "CALL enable_semi_mask=false",
    "COPY Page FROM 'x.csv'",
    "COPY (MATCH (p:Page) RETURN p.*) TO 'x.csv'",
    "EXPLAIN COPY Page FROM 'x.csv'",
    "INSTALL httpfs",
    "LOAD EXTENSION httpfs",
    "ATTACH 'x.db' AS x (dbtype duckdb)",
    "DETACH DATABASE x",
    "EXPORT DATABASE 'folder'",
    "IMPORT DATABASE 'folder'",
    "USE system RETURN 1",
    "DROP TABLE Page",
    "ALTER TABLE Page DROP url",
    "CREATE NODE TABLE T(id INT64 PRIMARY KEY)",
    "CREATE USER x SET PASSWORD 'y'",
    "SHOW USERS",
    "TERMINATE TRANSACTIONS 'x'",
    "BEGIN TRANSACTION",
    "COMMIT",
    "CHECKPOINT",
    "CALL apoc.load.json('x') YIELD value RETURN value",
    "CALL `apoc`.`load`.`json`('x') YIELD value RETURN value",
    "RETURN apoc.cypher.runFirstColumnSingle('LOAD CSV …', {})",
    "CALL dbms.listConfig() YIELD name RETURN name",
    "CALL gds.graph.export.csv('g', {exportName: 'x'})",
    "CALL { LOAD CSV FROM 'x' AS l RETURN l } RETURN l",
    "RETURN 1; DROP TABLE Page",
    "RETURN '\\u0027 LOAD CSV'",
    "\\u004cOAD CSV FROM 'x' AS l RETURN l",
    "RETURN 'not closed",
    "RETURN 1 /* not closed",
    "",
    " ; ",
]
WRITES = [
    "CREATE (:Page {id: 99})",
    "MATCH (p:Page {id: 0}) SET p.status = 'x'",
    "MATCH (p:Page {id: 0}) DETACH DELETE p",
    "MERGE (p:Page {id: 99})",
    "MATCH (p:Page) WITH p CREATE (:Host {name: 'x'}) RETURN p.id",
    "PROFILE CREATE (:Page {id: 99})",
]


@pytest.mark.parametrize("policy", BOTH)
@pytest.mark.parametrize("statement", READS)
def test_questions_are_let_through(statement, policy):
    assert check(statement, policy, write=False)
    assert check(statement, policy, write=True)


@pytest.mark.parametrize("write", [False, True])
@pytest.mark.parametrize("policy", BOTH)
@pytest.mark.parametrize("statement", NEVER)
def test_files_extensions_and_administration_are_refused_always(statement, policy, write):
    with pytest.raises(Refused) as caught:
        check(statement, policy, write=write)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize("policy", BOTH)
@pytest.mark.parametrize("statement", WRITES)
def test_writes_are_let_through_when_asked(statement, policy):
    with pytest.raises(Refused, match="only reads"):
        check(statement, policy, write=False)
    assert check(statement, policy, write=True)


@pytest.mark.parametrize(
    ("statement", "reads", "writes"),
    [
        ("CALL gds.pageRank.stream('g') YIELD nodeId RETURN nodeId", True, True),
        ("CALL gds.graph.list() YIELD graphName RETURN graphName", True, True),
        ("CALL db.labels() YIELD label RETURN label", True, True),
        ("CALL gds.graph.project('g', 'Page', 'LINKS_TO')", False, True),
        ("CALL gds.pageRank.write('g', {writeProperty: 'x'})", False, True),
        ("CREATE INDEX title FOR (p:Page) ON (p.title)", False, True),
    ],
)
def test_procedures_of_neo4j(statement, reads, writes):
    for write, allowed in ((False, reads), (True, writes)):
        if allowed:
            assert check(statement, NEO4J, write=write)
        else:
            with pytest.raises(Refused):
                check(statement, NEO4J, write=write)


def test_the_embedded_store_has_no_procedures():
    with pytest.raises(Refused, match=r"the procedure db\.labels is not allowed; procedures are Neo4j's"):
        check("CALL db.labels()", EMBEDDED, write=False)


@pytest.mark.slow
@pytest.mark.parametrize(
    "statement",
    [
        f"RETURN {'NOT ' * 20_000}true",
        f"RETURN {'(' * 20_000}1{')' * 20_000}",
        f"RETURN {'-' * 20_000}1",
        f"RETURN {'[' * 20_000}1{']' * 20_000}",
        f"RETURN 1{' + 1' * 20_000}",
        f"RETURN true{' AND true' * 20_000}",
        f"RETURN {'CASE WHEN true THEN ' * 20_000}1{' END' * 20_000}",
        f"RETURN [{'1,' * 200_000}1]",
    ],
)
def test_what_is_nested_too_deeply_is_refused(statement):
    for policy in BOTH:
        with pytest.raises(Refused, match=r"nested|operators|words"):
            check(statement, policy, write=False)


def test_places_are_named():
    with pytest.raises(Refused, match=r"^line 2, column 3: LOAD reads files"):
        check("MATCH (p)\n  LOAD FROM 'x' RETURN p", EMBEDDED, write=False)


names = [
    "LOAD",
    "load",
    "COPY",
    "CALL",
    "FROM",
    "CSV",
    "read_csv_serial",
    "`read_csv_serial`",
    "INSTALL",
    "RETURN",
    "MATCH",
]
signs = ["(", ")", "[", "]", "{", "}", ",", ".", ":", ";", "=", "'x'", "`y`", "$z", "1", "AS", "x", "/* y */"]
words = st.sampled_from(names) | st.sampled_from(signs)


@pytest.mark.slow
@given(st.lists(words, max_size=12).map(" ".join))
def test_no_file_is_read_whatever_the_order_of_words(statement):
    try:
        found = check(statement, EMBEDDED, write=True)
    except Refused:
        return
    assert found[0].upper in {"RETURN", "MATCH", "CALL"}
    for before, token, following in zip([*found[-1:], *found], found, found[1:], strict=False):
        clause = before.upper not in (".", ":")
        assert not (clause and token.upper == "LOAD" and following.upper in ("FROM", "CSV"))
        assert not (clause and token.upper == "CALL" and "read_csv_serial" in following.text)
