"""Statements that the embedded database answers wrongly as they are: counted here in Python, on its own data."""

from __future__ import annotations

import json
import random
import re
from collections.abc import Iterator

import pytest

from graphdb.ladybug import LadybugStore
from graphdb.statements import Refused
from graphdb.statements.tokens import tokens
from seedrank.core.errors import StoreError
from tests.cypher.generator import statement as generated
from tests.cypher.graphs import Web, random_web, write

CLAUSES = {"HINT", "JOIN", "TRAIL", "MATCH", "WITH", "AS", "UNWIND", "WHERE", "ORDER", "BY", "LIMIT", "EXISTS"}
VALUES = {
    "AND",
    "OR",
    "NOT",
    "IS",
    "NULL",
    "CASE",
    "WHEN",
    "THEN",
    "ELSE",
    "END",
    "FALSE",
    "TRUE",
    "STRING",
    "INT64",
    "DOUBLE",
}
CALLS = {
    "COALESCE",
    "CAST",
    "SUM",
    "ID",
    "RELS",
    "LIST_CONTAINS",
    "LABEL",
    "LN",
    "CONCAT",
    "LIST_ANY_VALUE",
    "LIST_SLICE",
}
OURS = (
    CLAUSES
    | VALUES
    | CALLS
    | {"SIZE", "LEFT", "RIGHT", "SIGN", "FLOOR", "ABS", "RANDOM", "LIST_REVERSE", "ALL", "UNION"}
)
"""Words that a rewritten statement may have and the user's had not."""


@pytest.fixture(scope="module")
def web() -> Web:
    return random_web(7)


@pytest.fixture(scope="module")
def store(web, tmp_path_factory) -> Iterator[LadybugStore]:
    made = LadybugStore.open(str(tmp_path_factory.mktemp("rewrite") / "web.lbug"), create=True)
    write(web, made)
    yield made
    made.close()


def value(store, cypher, **parameters):
    (row,) = store.query(cypher, parameters).to_pylist()
    (found,) = row.values()
    return found


@pytest.mark.slow
def test_a_filter_on_a_page_and_a_link_then_a_hop(store, web):
    pages, links = web.graph.pages, web.graph.links
    right = sum(
        pages[link["source"]]["status"] == "crawled"
        and link["weight"] == 1.0
        and pages[link["target"]]["host"] is not None
        for link in links
    )
    cypher = (
        "MATCH (a:Page)-[r:LINKS_TO]->(b:Page)-[:ON]->(h:Host) "
        "WHERE a.status = 'crawled' AND r.weight = 1.0 RETURN count(*)"
    )
    assert right > 5
    assert value(store, cypher) == right
    assert (
        value(store, cypher.replace(" AND r.weight = 1.0", "").replace("[r:LINKS_TO]", "[:LINKS_TO {weight: 1.0}]"))
        == right
    )


def test_an_aggregate_after_order_and_limit(store, web):
    most = sorted(
        (row for row in web.graph.pages if row["visits"] is not None), key=lambda row: (-row["visits"], row["id"])
    )
    cypher = "MATCH (p:Page) WHERE p.visits IS NOT NULL WITH p ORDER BY p.visits DESC, p.id LIMIT 5 RETURN {0}"
    assert value(store, cypher.format("sum(p.visits)")) == sum(row["visits"] for row in most[:5])
    assert value(store, cypher.format("collect(p.id)")) == [row["id"] for row in most[:5]]
    assert value(store, cypher.format("max(p.id)").replace("IS NOT NULL", "> 10000")) is None
    assert value(store, cypher.format("count(*)").replace("IS NOT NULL", "> 10000")) == 0


@pytest.mark.slow
def test_a_link_matches_once_within_a_match(store, web):
    links = web.graph.links
    pairs = sum(a["source"] == b["source"] and a is not b for a in links for b in links)
    assert value(store, "MATCH (a:Page)<-[:LINKS_TO]-(b:Page)-[:LINKS_TO]->(c:Page) RETURN count(*)") == pairs
    repeated = sum(a["source"] == b["source"] for a in links for b in links)
    assert (
        value(store, "MATCH (a:Page)<-[:LINKS_TO]-(b:Page) MATCH (b)-[:LINKS_TO]->(c:Page) RETURN count(*)") == repeated
    )


def test_counts_of_links_keep_their_zeros(store, web):
    degree = [sum(link["source"] == row["id"] for link in web.graph.links) for row in web.graph.pages]
    count = "COUNT { MATCH (p)-[:LINKS_TO]->(:Page) }"
    assert 0 in degree
    assert value(store, f"MATCH (p:Page) WHERE {count} = 0 RETURN count(*)") == degree.count(0)
    found = store.query(f"MATCH (p:Page) RETURN {count} AS d, count(*) AS n").to_pydict()
    assert dict(zip(found["d"], found["n"], strict=True)) == {d: degree.count(d) for d in degree}


def test_null_tests_inside_and_outside_of_subqueries(store, web):
    sources = {link["source"] for link in web.graph.links}
    right = sorted(row["id"] for row in web.graph.pages if row["clicks"] is None and row["id"] in sources)
    cypher = "MATCH (p:Page) WHERE EXISTS { MATCH (p)-[:LINKS_TO]->(:Page) WHERE p.clicks IS NULL } RETURN p.id AS id"
    assert right
    assert sorted(store.query(cypher)["id"].to_pylist()) == right


def test_columns_are_named_as_they_are_written(store):
    found = store.query("MATCH (p:Page) RETURN p.id, p.id + 1, count(*) AS `a b`, 'x\\\\y' LIMIT 1")
    assert found.column_names == ["p.id", "p.id + 1", "a b", "'x\\\\y'"]
    every = store.query("MATCH (h:Host) RETURN h.* LIMIT 1").column_names
    assert every == ["h.name", "h.pages", "h.importance", "h.country"]
    assert store.query("MATCH (p:Page)-[:ON]->(h:Host) RETURN * LIMIT 1").column_names == ["h", "p"]


def test_whole_numbers_stay_whole(store, web):
    found = store.query("MATCH (p:Page) RETURN sum(p.id) AS s")["s"].to_pylist()
    assert found == [sum(row["id"] for row in web.graph.pages)]
    assert type(found[0]) is int
    assert value(store, "UNWIND [1, 2] AS x RETURN sum(x)") == 3
    assert value(store, "MATCH (p:Page) WHERE p.id < 0 RETURN sum(p.visits)") == 0


def test_nulls_of_many_rows_stay_at_their_end(tmp_path):
    rng = random.Random(3)
    store = LadybugStore.open(str(tmp_path / "many.lbug"), create=True)
    store.create_schema()
    values = [None if rng.random() < 0.6 else float(rng.randrange(10**6)) for _ in range(120_000)]
    with store._writing() as session:
        session.run("ALTER TABLE Page ADD clicks DOUBLE")
        import pyarrow as pa

        rows = pa.table({"id": pa.array(range(len(values))), "clicks": pa.array(values, pa.float64())})
        session.run("COPY Page(id, clicks) FROM $rows", {"rows": rows})
    known = sorted(value for value in values if value is not None)
    ask = "MATCH (p:Page) RETURN p.clicks AS c ORDER BY c{0} LIMIT 4"
    assert store.query(ask.format(""))["c"].to_pylist() == known[:4]
    assert store.query(ask.format(" DESC"))["c"].to_pylist() == [None] * 4
    store.close()


@pytest.mark.slow
@pytest.mark.parametrize(
    ("cypher", "why"),
    [
        ("MATCH (p:Page) RETURN p.Clicks", "Page has no property 'Clicks'"),
        ("MATCH (p:page) RETURN count(*)", "there is no label page"),
        ("MATCH (p:Page)-[:links_to]->() RETURN count(*)", "there is no type of link links_to"),
        ("MATCH (a:Page)-[:LINKS_TO]->(A:Page) RETURN count(*)", "are one name here"),
        ("MATCH (_1:Page) RETURN count(*)", "_1 is a name that the store gives itself"),
        ("RETURN 1 AS a, 2 AS a", "two columns are called a"),
        ("WITH [1, null] AS l RETURN 3 IN l", "may hold nulls"),
        ("MATCH (p:Page) RETURN pp.id", "pp is not bound here"),
        ("MATCH (p:Page) RETURN id(p)", "use p.id"),
        ("MATCH (p:Page) RETURN left(p.url, -1)", "no negative numbers"),
        ("RETURN substring('a')", "takes 2 to 3 arguments"),
        ("MATCH (p:Page) WHERE p.id IN [" + "p.visits, " * 200 + "1] RETURN p.id", "more than 100 computed values"),
        (
            "MATCH w = shortestPath((a:Page {id: 0})-[:LINKS_TO*1..6]->(b:Page)) "
            "WHERE all(n IN nodes(w) WHERE n.id % 3 <> 1) RETURN count(*)",
            "a condition on a shortest path",
        ),
        ("MATCH (p:Page)-[:LINKS_TO*]->(q:Page) RETURN count(*)", "needs an end"),
        ("MATCH (p:Page) WHERE p.id = '1' RETURN p", "compares string with integer"),
        ("MATCH (p:Page) RETURN split(p.url, '/')", "split()"),
        ("MATCH (p:Page) RETURN p.id + count(*)", "mixes an aggregate"),
        ("MATCH (n) RETURN n", "name the label"),
        ("MATCH (p:Page) RETURN CASE WHEN CASE WHEN p.good THEN 1 END = 1 THEN 2 END", "a CASE in the condition"),
        ("MATCH (p:Page) WHERE p.id IN $ids RETURN p.id", "$ids holds a null"),
    ],
)  # fmt: skip
def test_what_has_no_right_form_is_refused_and_can_be_sent_as_it_is(store, caplog, cypher, why):
    parameters = {"ids": [1, None]} if "$ids" in cypher else {}
    with pytest.raises(Refused) as caught:
        store.query(cypher, parameters)
    assert why in str(caught.value)
    assert "as_is=True" in str(caught.value)
    with caplog.at_level("WARNING"):
        try:
            store.query(cypher, parameters, as_is=True, timeout=2)
        except StoreError as error:
            assert not isinstance(error, Refused)
    assert "the answer may be wrong" in caplog.text


def test_what_is_sent_can_be_seen(store):
    sent = store.asked("MATCH (a:Page)-[:LINKS_TO]->(b:Page)-[:ON]->(h:Host {name: 'x'}) RETURN count(*)")
    assert "HINT (((`h` JOIN `_1`) JOIN `b`) JOIN `_0`) JOIN `a`" in sent.text
    assert sent.columns == ("count(*)",)


@pytest.mark.parametrize(
    "cypher",
    [
        'UNWIND $`a AS x LOAD WITH HEADERS (l STRING) FROM "/etc/passwd" RETURN l //` AS y RETURN y',
        'WITH cast(1 AS `INT64) AS x LOAD WITH HEADERS (l STRING) FROM "/etc/passwd" RETURN l //`) AS y RETURN y',
        'WITH cast(1 AS `INT64) AS x RETURN x; COMMIT; COPY (RETURN 1) TO "out.csv"; //`) AS y RETURN y',
        "RETURN 1 AS `a`, 2 AS `b` //` ; LOAD FROM 'x'\n LOAD FROM 'y' RETURN 1",
    ],
)
@pytest.mark.parametrize("more", [{}, {"as_is": True}, {"write": True}])
def test_no_name_smuggles_a_clause(store, cypher, more, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    with pytest.raises(StoreError):
        store.query(cypher, {"a": [1]}, **more)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(150))
def test_what_is_sent_does_no_more_than_what_was_asked(store, seed):
    asked = generated(seed)
    words = {token.upper for token in tokens(str(asked)) if token.kind == "word"}
    try:
        sent = store.asked(str(asked), asked.parameters)
    except Refused:
        return
    added = {token.upper for token in tokens(sent.text) if token.kind == "word"} - words
    assert added <= OURS, sent.text


@pytest.mark.parametrize(
    ("parameters", "why"),
    [
        ({}, "no value for $x"),
        ({"x": 10**33}, "64 bits"),
        ({"x": [1, "a"]}, "several types"),
        ({"x": json.loads("[" * 60 + "]" * 60)}, "nested"),
    ],
)
def test_parameters_are_checked(store, parameters, why):
    with pytest.raises(Refused, match=re.escape(why)):
        store.query("RETURN $x AS x", parameters)


@pytest.mark.slow
def test_pages_made_by_hand_far_away_are_read(tmp_path):
    store = LadybugStore.open(str(tmp_path / "far.lbug"), create=True)
    write(random_web(3), store)
    store.query("CREATE (:Page {id: 1000000000000})", write=True)
    store.query("CREATE (:Page {id: -5})", write=True)
    assert sum(batch.num_rows for batch in store.read_pages()) == store.counts().pages
    store.close()


def test_a_statement_is_ended_when_its_time_is_up(store):
    with pytest.raises(StoreError, match=r"took longer than 0.2 s"):
        store.query("UNWIND range(1, 100000) AS x UNWIND range(1, 100000) AS y RETURN sum(x % y)", timeout=0.2)
    assert value(store, "RETURN 1") == 1


def test_writes_are_read_and_rewritten_too(store, web):
    touched = "MATCH (a:Page)-[r:LINKS_TO]->(b:Page)-[:ON]->(h:Host) WHERE a.status = 'crawled' AND r.weight = 1.0 {0}"
    right = value(store, touched.format("RETURN count(DISTINCT b)"))
    store.query(touched.format("SET b.lang = 'xx'"), write=True)
    assert value(store, "MATCH (p:Page) WHERE p.lang = 'xx' RETURN count(*)") == right
