"""Cypher in SQL gives what Neo4j gives: values that are known from its meaning, on a small web."""

from __future__ import annotations

import datetime
import logging

import pytest

from seedrank.graphdb.statements import Refused
from tests.unit.statements.web import Web

VALUES = {
    # integers and floats
    "1 / 2": 0,
    "-7 / 2": -3,
    "-7 % 3": -1,
    "7.0 / 2": 3.5,
    "1 / 2.0": 0.5,
    "2 ^ 3": 8.0,
    "-2 ^ 2": 4.0,
    "1.0 / 0": float("inf"),
    "0.0 / 0.0 = 0.0 / 0.0": False,
    "0.0 / 0.0 > 1": False,
    "0.0 / 0.0 <> 1": True,
    "2147483647 + 1": 2147483648,
    "-9223372036854775808": -(2**63),
    "0.1 + 0.2": 0.1 + 0.2,
    "round(2.5)": 3.0,
    "round(-2.5)": -2.0,
    "round(1.25, 1)": 1.3,
    "round(-1.25, 1)": -1.3,
    "round(1.005, 2)": 1.01,
    "round(0.49999999999999994)": 0.0,
    "round(-0.5)": 0.0,
    "abs(-3)": 3,
    "sign(-2.5)": -1,
    "log(1)": 0.0,
    # three values
    "null = null": None,
    "null <> 1": None,
    "true AND null": None,
    "false AND null": False,
    "true OR null": True,
    "true XOR null": None,
    "NOT null": None,
    "1 = 1.0": True,
    "1 = '1'": False,
    "1 <> '1'": True,
    "1 < 'a'": None,
    "1 < 2 < 3": True,
    "[1, null] = [1, 2]": None,
    "[1, null] = [2, null]": False,
    "[1, 2] = [1]": False,
    "[1, 2] <> [1, 3]": True,
    # IN
    "1 IN [1, 2]": True,
    "3 IN [1, null]": None,
    "1 IN [1, null]": True,
    "null IN []": False,
    "null IN [1]": None,
    "1 IN null": None,
    "1 IN [1.0]": True,
    "'a' IN [1, 2]": False,
    "[1] IN [[1], [2]]": True,
    # texts
    "'a' + 1": "a1",
    "'a' + 1.0": "a1.0",
    "'a' + null": None,
    "size('héllo')": 5,
    "toUpper('straße')": "STRASSE",
    "toLower('ÀB')": "àb",
    "substring('hello', 1)": "ello",
    "substring('hello', 1, 2)": "el",
    "substring('abc', 5)": "",
    "left('hello', 2)": "he",
    "right('hello', 9)": "hello",
    "split('a,b,,c', ',')": ["a", "b", "", "c"],
    "trim('  x ')": "x",
    "reverse('abc')": "cba",
    "reverse('e\u0301x')": "x\u0301e",
    "size('👍')": 1,
    "'abc' STARTS WITH 'ab'": True,
    "'abc' CONTAINS null": None,
    "1 STARTS WITH 'a'": None,
    r"'a\'b\n'": "a'b\n",
    # regular expressions: the whole text, as Java reads them
    "'abc' =~ 'b'": False,
    "'abc' =~ '.b.'": True,
    r"'a\nb' =~ 'a.b'": False,
    r"'a\rb' =~ 'a.b'": False,
    r"'a\nb' =~ '(?s)a.b'": True,
    "'ABC' =~ '(?i)abc'": True,
    "'a.c' =~ 'a[.]c'": True,
    r"'a c' =~ 'a\\sc'": True,
    r"'aé' =~ '\\p{L}+'": True,
    r"'a+' =~ 'a\\+{1,2}'": True,
    # printing
    "toString(1.0)": "1.0",
    "toString(1.5e-5)": "1.5E-5",
    "toString(12345678.5)": "1.23456785E7",
    "toString(1e20)": "1.0E20",
    "toString(-0.00012)": "-1.2E-4",
    "toString(0.001)": "0.001",
    "toString(true)": "true",
    "toString(-1)": "-1",
    "'n' + -1": "n-1",
    "- -1": 1,
    "2 - -1": 3,
    "abs(-3) - 4": -1,
    "[-1, -2][-1]": -2,
    "-1 * 0.5": -0.5,
    "toString(1.0 / 0)": "Infinity",
    # conversions
    "toInteger('12')": 12,
    "toInteger('2.9')": 2,
    "toInteger(-1.9)": -1,
    "toInteger(' 3 ')": None,
    "toInteger('x')": None,
    "toFloat(' 1.5 ')": 1.5,
    "toFloat('x')": None,
    "toBoolean('TRUE')": True,
    # lists
    "[1, 2, 3][0]": 1,
    "[1, 2, 3][-1]": 3,
    "[1, 2, 3][5]": None,
    "[1, 2, 3][1..]": [2, 3],
    "[1, 2, 3][..-1]": [1, 2],
    "[1, 2, 3][null]": None,
    "head([])": None,
    "last([1, 2])": 2,
    "tail([1, 2, 3])": [2, 3],
    "reverse([1, 2])": [2, 1],
    "range(1, 3)": [1, 2, 3],
    "range(3, 1)": [],
    "range(3, 1, -1)": [3, 2, 1],
    "[1] + 2": [1, 2],
    "0 + [1]": [0, 1],
    "[1] + null": None,
    "[x IN range(1, 5) WHERE x % 2 = 1 | x * 10]": [10, 30, 50],
    "[x IN [1, null] WHERE x > 0]": [1],
    "any(x IN [1, null] WHERE x = 2)": None,
    "all(x IN [] WHERE x > 1)": True,
    "none(x IN [null] WHERE x = 1)": None,
    "single(x IN [1, 2] WHERE x > 1)": True,
    "reduce(total = 0, x IN [1, 2, 3] | total + x)": 6,
    "reduce(total = 0, x IN ['a', 'bb'] | total + size(x))": 3,
    "coalesce(null, 1)": 1,
    "coalesce(null, null)": None,
    # CASE and maps
    "CASE 1 WHEN 1 THEN 'a' ELSE 'b' END": "a",
    "CASE null WHEN null THEN 1 ELSE 2 END": 2,
    "CASE WHEN null THEN 1 END": None,
    "CASE WHEN false THEN 1 ELSE 2.5 END": 2.5,
    "{a: 1, b: 'x'}": {"a": 1, "b": "x"},
    "{a: {b: 2}}.a.b": 2,
    "{a: 1}.other": None,
    # dates
    "date('2024-01-31') < date('2024-02-01')": True,
    "date('2024-01-31').month": 1,
    "date('2024-01-31')": datetime.date(2024, 1, 31),
    "datetime('2024-01-31T12:30:00Z') < datetime('2024-01-31T12:30:01')": True,
    "datetime('2024-01-31T12:30:00Z').hour": 12,
    "datetime('2024-01-31') < datetime('2024-01-31T00:00:01Z')": True,
    "toString(datetime('2024-01-31T12:30:00Z'))": "2024-01-31T12:30Z",
    "toString(localdatetime('2024-01-31T12:30:01.5'))": "2024-01-31T12:30:01.500",
}

ANSWERS = {
    # patterns
    "MATCH (p:Page)-[:LINKS_TO]->(p) RETURN p.id": [(3,)],
    "MATCH (:Page)--(:Page) RETURN count(*)": [(11,)],
    "MATCH (a)-[:LINKS_TO]->(b)-[:LINKS_TO]->(c) RETURN count(*)": [(8,)],
    "MATCH (a {id: 0})-[:LINKS_TO*1..2]->(b) RETURN count(*), count(DISTINCT b)": [(5, 4)],
    "MATCH (a:Page {id: 0})-[:LINKS_TO*0..1]->(b) RETURN b.id ORDER BY b.id": [(0,), (1,), (2,)],
    "MATCH (a)-[r:LINKS_TO {weight: 2.0}]->(b) RETURN a.id, b.id": [(0, 2)],
    "MATCH (a)-[r:LINKS_TO]->(b) WHERE 'one' IN r.anchors RETURN a.id, b.id": [(0, 1)],
    "MATCH (a)-[r:LINKS_TO WHERE r.weight > 2]->(b:Page WHERE b.id = 0) RETURN a.id": [(2,)],
    "MATCH (a:Page), (b:Page) WHERE a.id + b.id = 1 RETURN a.id, b.id ORDER BY a.id": [(0, 1), (1, 0)],
    "MATCH (a:Page)-[:ON]->(h)<-[:ON]-(b) RETURN h.name, a.id, b.id ORDER BY a.id": [
        ("a.example", 0, 1),
        ("a.example", 1, 0),
        ("b.example", 2, 3),
        ("b.example", 3, 2),
    ],
    "MATCH (a:Page)<-[:LINKS_TO]-(b), (b)-[:ON]->(h {name: 'a.example'}) RETURN count(*)": [(3,)],
    "MATCH (a {id: 0})-[r]->(x) RETURN type(r), labels(x), count(*) ORDER BY type(r)": [
        ("LINKS_TO", ["Page"], 2),
        ("ON", ["Host"], 1),
    ],
    "MATCH (n) RETURN labels(n)[0] AS l, count(*) ORDER BY l": [("Host", 3), ("Page", 6), ("Query", 1), ("Run", 1)],
    "MATCH (n:Host|Query) RETURN coalesce(n.name, n.text) AS x ORDER BY x LIMIT 1": [("a.example",)],
    "MATCH (n:!Page) RETURN count(*)": [(5,)],
    "MATCH (q:Query)-[r:RESULT]->(p) RETURN q.text, r.rank, r.clicks, p.id": [("flu", 1, 2.0, 1)],
    "MATCH ()-[r:LINKS_TO|CORE|RANKED]->() RETURN type(r) AS t, count(*) ORDER BY t": [
        ("CORE", 2),
        ("LINKS_TO", 6),
        ("RANKED", 2),
    ],
    "MATCH (a)-[r:LINKS_TO]->(b) WHERE a.id = 0 AND b.id = 1 WITH r MATCH (x)-[r]->(y) RETURN x.id, y.id": [(0, 1)],
    "MATCH (a {id: 0})-[r:LINKS_TO]->(b {id: 1}) RETURN startNode(r).id, endNode(r).id": [(0, 1)],
    # paths
    "MATCH p = (a {id: 0})-[:LINKS_TO]->(b)-[:ON]->(h) RETURN length(p), [n IN nodes(p) | labels(n)[0]] LIMIT 1": [
        (2, ["Page", "Page", "Host"])
    ],
    "MATCH p = (a {id: 1})-[:LINKS_TO*1..2]->(b) RETURN [n IN nodes(p) | n.id] AS ids, "
    "reduce(w = 0.0, r IN relationships(p) | w + r.weight) AS w ORDER BY w": [
        ([1, 2], 1.0),
        ([1, 2, 3], 2.0),
        ([1, 2, 0], 4.0),
    ],
    # OPTIONAL MATCH
    "MATCH (p:Page) OPTIONAL MATCH (p)-[:LINKS_TO]->(q {status: 'frontier'}) RETURN p.id, q.id ORDER BY p.id": [
        (0, None),
        (1, None),
        (2, 3),
        (3, 3),
        (4, None),
        (5, None),
    ],
    "MATCH (p:Page {id: 4}) OPTIONAL MATCH (p)-[r:LINKS_TO]->(q) RETURN r, q, q.url, type(r), labels(q), count(q)": [
        (None, None, None, None, None, 0)
    ],
    "OPTIONAL MATCH (p:Page {id: 99}) RETURN p.id": [(None,)],
    # conditions
    "MATCH (p:Page) WHERE NOT p.clicks > 1 RETURN p.id": [(2,)],
    "MATCH (p:Page) WHERE p.clicks <> 2.0 RETURN p.id": [(2,)],
    "MATCH (p:Page) WHERE p.nothing IS NULL RETURN count(*)": [(6,)],
    "MATCH (p:Page) WHERE NOT (p)-[:LINKS_TO]->() RETURN p.id ORDER BY p.id": [(4,), (5,)],
    "MATCH (p:Page) WHERE EXISTS { (p)<-[:LINKS_TO]-(q) WHERE q.id > p.id } RETURN p.id": [(0,)],
    "MATCH (p:Page) WHERE COUNT { (p)-[:LINKS_TO]->() } = 2 RETURN p.id ORDER BY p.id": [(0,), (2,)],
    "MATCH (p {id: 0}) RETURN COLLECT { MATCH (p)-[:LINKS_TO]->(q) RETURN q.id ORDER BY q.id DESC }": [([2, 1],)],
    "MATCH (p {id: 0, status: 'crawled'}) RETURN [(p)-[:LINKS_TO]->(q) WHERE q.id > 1 | q.id]": [([2],)],
    "MATCH (p {id: 0, status: 'crawled'}) WHERE EXISTS { MATCH (p)-->(q:Page) WITH q WHERE q.id > p.id RETURN q } "
    "RETURN p.id": [(0,)],
    "MATCH (p:Page) WHERE p.small + p.small = 200 RETURN count(*)": [(2,)],
    "MATCH (p:Page) WHERE p.day < date('2024-02-01') RETURN p.id": [(0,)],
    # projections
    "MATCH (p:Page) RETURN p.status AS s, count(*) AS n ORDER BY n DESC, s": [
        ("crawled", 3),
        ("frontier", 2),
        ("missing", 1),
    ],
    "MATCH (p:Page) WHERE p.id > 9 RETURN p.status, count(*)": [],
    "MATCH (p:Page) WHERE p.id > 9 RETURN count(*), sum(p.clicks), avg(p.clicks), collect(p.id), max(p.id)": [
        (0, 0.0, None, [], None)
    ],
    "MATCH (p:Page) WHERE p.id > 9 RETURN 'x', count(*)": [],
    "MATCH (p:Page) RETURN 100 * count(p.clicks) / count(*)": [(50,)],
    "MATCH (p:Page) RETURN sum(CASE WHEN p.clicks IS NULL THEN 0 ELSE p.clicks END)": [(4.5,)],
    "MATCH (p:Page) RETURN sum(coalesce(p.clicks, 0)) / count(*)": [(0.75,)],
    "MATCH (p:Page) RETURN count(DISTINCT p.status), sum(p.visits), min(p.url), max(p.visits)": [
        (3, 8, "http://a.example/", 4)
    ],
    "UNWIND [1, 2, 2, null, 3] AS x RETURN count(x), count(DISTINCT x), sum(x), avg(x), collect(x)": [
        (4, 3, 8, 2.0, [1, 2, 2, 3])
    ],
    "UNWIND [10, 20, 30, 40] AS x RETURN percentileDisc(x, 0.5), percentileCont(x, 0.5), stDev(x)": [
        (20, 25.0, 12.909944487358056)
    ],
    "UNWIND [3, 1, null, 2] AS x RETURN x ORDER BY x": [(1,), (2,), (3,), (None,)],
    "UNWIND [3, 1, null, 2] AS x RETURN x ORDER BY x DESC LIMIT 2": [(None,), (3,)],
    "WITH [3, 1, 2] AS l UNWIND l AS x WITH x WHERE x > 1 RETURN collect(x)": [([3, 2],)],
    "UNWIND null AS x RETURN count(*)": [(0,)],
    "UNWIND [] AS x RETURN x": [],
    "MATCH (p:Page) RETURN DISTINCT p.lang ORDER BY p.lang": [("de",), ("en",), (None,)],
    "MATCH (p:Page) WITH p.lang AS l, count(*) AS n WHERE n > 1 RETURN l, n ORDER BY n": [("de", 2), (None, 3)],
    "MATCH (p:Page) WITH p ORDER BY p.id DESC LIMIT 3 RETURN collect(p.id)": [([5, 4, 3],)],
    "MATCH (p:Page) WITH p ORDER BY p.id DESC RETURN collect(DISTINCT p.status)": [
        (["frontier", "missing", "crawled"],)
    ],
    "MATCH (p:Page) WITH p ORDER BY p.id LIMIT 2 MATCH (p)-[:LINKS_TO]->(q) RETURN p.id, count(q) ORDER BY p.id": [
        (0, 2),
        (1, 1),
    ],
    "MATCH (p:Page) WITH collect(p) AS ps RETURN [x IN ps WHERE x.clicks > 1 | x.id]": [([0, 3],)],
    "MATCH (p:Page) RETURN 1 AS one, p.id AS id ORDER BY one, id LIMIT 1": [(1, 0)],
    "MATCH (p:Page) WITH count(*) AS total MATCH (q {status: 'crawled'}) WITH total, count(q) AS c "
    "RETURN c * 100 / total": [(50,)],
    "MATCH (p:Page) WITH p.status AS s, count(*) AS n WITH sum(n) AS t, collect({s: s, n: n}) AS rows UNWIND rows AS r "
    "RETURN r.s AS s, 1.0 * r.n / t AS share ORDER BY s": [("crawled", 0.5), ("frontier", 2 / 6), ("missing", 1 / 6)],
    "MATCH (p:Page) WHERE p.id < 2 WITH *, p.id AS i RETURN i ORDER BY i DESC": [(1,), (0,)],
    "MATCH (p {id: 0, status: 'crawled'}) RETURN p {.url, n: 1}": [({"url": "http://a.example/", "n": 1},)],
    "MATCH (a:Page {id: 0}) RETURN a.id AS A, a.url AS a": [(0, "http://a.example/")],
    "MATCH (p:Page) RETURN p.id ORDER BY p.nothing, p.id LIMIT 1": [(0,)],
    "MATCH (p:Page) RETURN p.id ORDER BY p:Page, p.nothing = 1, COUNT { (p)-[:NO]->() }, p.id LIMIT 1": [(0,)],
    "MATCH (p:Page) RETURN p.nothing AS x, p.id AS id ORDER BY id LIMIT 1": [(None, 0)],
    # aggregates and lists of what is outside only
    "MATCH (p:Page {id: 0}) CALL (p) { MATCH (p)-[:LINKS_TO]->(q) RETURN count(p) AS n } RETURN n": [(2,)],
    "MATCH (p:Page {id: 0}) RETURN COLLECT { MATCH (p)-[:LINKS_TO]->(q) RETURN count(p) }": [([2],)],
    "MATCH (p:Page {id: 0}) RETURN COLLECT { MATCH (p)-[:LINKS_TO]->(q) RETURN p.id }": [([0, 0],)],
    "MATCH w = (a:Page {id: 1})-[:LINKS_TO]->(b) RETURN [x IN nodes(w) | a.id], all(x IN nodes(w) WHERE a.id = 1)": [
        ([1, 1], True)
    ],
    # UNION and CALL
    "RETURN 1 AS x UNION RETURN 1 AS x": [(1,)],
    "RETURN 1 AS x UNION ALL RETURN 2 AS x": [(1,), (2,)],
    "MATCH (p:Page) WHERE p.id < 2 CALL (p) { MATCH (p)-[:LINKS_TO]->(q) RETURN q ORDER BY q.id DESC LIMIT 1 } "
    "RETURN p.id, q.id ORDER BY p.id": [(0, 2), (1, 2)],
    "CALL { MATCH (p:Page) RETURN count(*) AS n } RETURN n": [(6,)],
}


@pytest.mark.parametrize("expression", VALUES)
def test_expressions_have_the_values_of_neo4j(web: Web, expression: str):
    ((value,),) = web.ask(f"RETURN {expression} AS value")
    wanted = VALUES[expression]
    assert value == wanted
    assert isinstance(value, bool) == isinstance(wanted, bool)


@pytest.mark.parametrize("cypher", ANSWERS)
def test_statements_have_the_rows_of_neo4j(web: Web, cypher: str):
    rows = web.ask(cypher)
    assert rows == ANSWERS[cypher] if "ORDER BY" in cypher else sorted(rows, key=str) == ANSWERS[cypher]


def test_nodes_and_relationships_come_out_as_maps_of_their_properties(web: Web):
    ((page, link, host),) = web.ask(
        "MATCH (p:Page {id: 1})-[r:LINKS_TO]->(), (p)-[:ON]->(h) RETURN p, r, h",
    )
    assert page["labels"] == ["Page"]
    assert page["id"] == 1
    assert page["url"] == "http://a.example/one"
    assert "host" not in page
    assert link == {"type": "LINKS_TO", "weight": 1.0, "anchors": None}
    assert host == {"labels": ["Host"], "name": "a.example", "pages": 2}


def test_paths_come_out_as_their_nodes_and_relationships(web: Web):
    ((path,),) = web.ask("MATCH path = (:Page {id: 1})-[:LINKS_TO]->() RETURN path")
    assert [node["id"] for node in path["nodes"]] == [1, 2]
    assert [link["type"] for link in path["relationships"]] == ["LINKS_TO"]


def test_parameters_are_typed_by_their_values_and_never_part_of_the_sql(web: Web):
    rows = [{"id": 1, "note": "it's"}, {"id": 2}]
    found = web.ask("UNWIND $rows AS r MATCH (p:Page {id: r.id}) RETURN p.id, r.note ORDER BY p.id", {"rows": rows})
    assert found == [(1, "it's"), (2, None)]
    made = web.translated("MATCH (p:Page) WHERE p.url = $url RETURN p.id", {"url": "'; DROP", "unused": object()})
    assert "DROP" not in made.sql
    assert made.parameters == {"url": "'; DROP"}
    assert web.ask("MATCH (p:Page) WHERE p.id IN $ids RETURN p.id ORDER BY p.id", {"ids": [2, 0]}) == [(0,), (2,)]
    assert web.ask("RETURN 3 IN $some, 3 IN $none", {"some": [1, None], "none": []}) == [(None, False)]
    assert web.ask("MATCH (p:Page) WHERE p.url =~ $re RETURN count(*)", {"re": ".*[.]example/"}) == [(3,)]


@pytest.mark.parametrize(
    "cypher",
    [
        "RETURN 9223372036854775807 + 1",
        "RETURN 4611686018427387904 * 2",
        "UNWIND [9223372036854775807, 1] AS x RETURN sum(x)",
        "RETURN 1 / 0",
        "RETURN 1 % 0",
        "RETURN substring('abc', -1)",
        "RETURN date('2024-13-01')",
        "RETURN date('yesterday')",
        "UNWIND ['ﬁ'] AS x RETURN toUpper(x)",
        "UNWIND ['ΟΔΟΣ'] AS x RETURN toLower(x)",
        "UNWIND [100000000] AS n RETURN size(range(1, n))",
        "MATCH p = shortestPath((a:Page {id: 0})-[:LINKS_TO*]->(b:Page {id: 0})) RETURN p",
    ],
)
def test_what_has_no_answer_is_an_error_and_no_other_value(web: Web, cypher: str):
    with pytest.raises(Exception, match=r"Overflow|out of range|zero|negative|date|not known|more than|itself"):
        web.ask(cypher)


def test_a_name_that_exists_nowhere_matches_nothing_and_says_so(web: Web, caplog: pytest.LogCaptureFixture):
    with caplog.at_level(logging.WARNING):
        assert web.ask("MATCH (p:Pages) RETURN count(*)") == [(0,)]
        assert web.ask("MATCH (p:Page)-[:LINK_TO]->(q) RETURN p.url, q.url") == []
        assert web.ask("MATCH (p:Page {id: 0}) RETURN p.Status") == [(None,)]
    assert "no label is called Pages; do you mean Page?" in caplog.text
    assert "no relationship type is called LINK_TO; do you mean LINKS_TO?" in caplog.text
    assert "no property of Page is called Status; do you mean status?" in caplog.text


def test_rows_that_tie_have_one_order_from_page_to_page(web: Web):
    pages = [
        web.ask("MATCH (p:Page) RETURN p.status AS s, p.id AS id ORDER BY s SKIP $n LIMIT 2", {"n": n})
        for n in (0, 2, 4)
    ]
    assert [row[1] for page in pages for row in page] == [0, 1, 2, 3, 5, 4]


REFUSED = {
    "CREATE (:Page)": "only reads",
    "MATCH (p:Page) SET p.x = 1": "only reads",
    "MATCH (p:Page) DETACH DELETE p": "only reads",
    "MATCH (p:Page) REMOVE p.x RETURN p": "only reads",
    "MATCH (p:Page) FOREACH (x IN [1] | SET p.x = x)": "only reads",
    "MATCH (a)-[:LINKS_TO*]->(b) RETURN b": "without an end",
    "MATCH (a:Page)-[:LINKS_TO*1..40]->(b) RETURN b": "at most",
    "RETURN 'a' =~ '(?!b)a'": "the group",
    "RETURN 'a' =~ 'a++'": "possessive",
    "RETURN 'a' =~ 'a{1,2}+'": "possessive",
    r"RETURN 'a b' =~ '.*\\bb'": r"\\b",
    "RETURN replace('abc', '', 'x')": "empty",
    "RETURN round(2.5, -1)": "at most 10",
    r"RETURN 'a' =~ '(a)\\1'": r"\\1",
    "MATCH (p:Page) WHERE p.url =~ p.lang RETURN p": "written out",
    "RETURN [1, 'a']": "different types",
    "RETURN CASE WHEN true THEN 1 ELSE 'a' END": "different types",
    "MATCH (p:Page) RETURN CASE WHEN p.id > 1 THEN 1 ELSE 2.5 END / 2": "integers and of floats",
    "RETURN toString(CASE WHEN true THEN 1 ELSE 2.5 END)": "not printed",
    "MATCH (p:Page) RETURN p ORDER BY p": "no order",
    "MATCH (p:Page) RETURN p.id AS a, p.url AS a": "two columns",
    "MATCH (p:Page) WITH p.id RETURN 1": "needs a name",
    "MATCH (p:Page) RETURN q": "no variable q",
    "MATCH (p:Page) RETURN p.status, p.id + count(*)": "neither grouped",
    "MATCH (p:Page) WHERE count(p) > 1 RETURN p": "aggregate",
    "MATCH (p:Page) RETURN sum(count(*))": "aggregate of an aggregate",
    "MATCH (p:Page) RETURN exists(p.url)": "IS NOT NULL",
    "MATCH (p:Page) RETURN id(p)": "p.id",
    "RETURN foo(1)": "not known",
    "RETURN $missing": "no value",
    "RETURN 1 + true": "numbers",
    "RETURN - -9223372036854775808": "64 bits",
    "RETURN range(1, 100000000)": "more than",
    "RETURN 1 AS a UNION RETURN 2 AS b": "other columns",
    "MATCH (p:Page) RETURN p LIMIT -1": "negative",
    "MATCH p = shortestPath((a:Page {id: 0})-[:LINKS_TO*]->(b:Page)) WHERE length(p) > 1 RETURN p": "after WITH",
    "MATCH (p:Page)": "ends with RETURN",
    "MATCH (a)-[r]->(b), (c)-[r]->(d) RETURN count(*)": "names two relationships",
    "MATCH (a) WHERE EXISTS { (a)-[r]->(b)-[r]->(c) } RETURN a": "names two relationships",
    "MATCH (p:Page) RETURN p.status AS s, count(*) AS n ORDER BY p.id": "p is neither grouped",
    "MATCH (p:Page) RETURN DISTINCT p.status AS s ORDER BY p.id": "p is neither grouped",
    "RETURN date()": "takes 1 argument$",
    "EXPLAIN MATCH (p:Page) RETURN p": "EXPLAIN",
    "CALL db.labels()": "procedure",
}


@pytest.mark.parametrize("cypher", REFUSED)
def test_what_is_refused_names_its_place(web: Web, cypher: str):
    with pytest.raises(Refused, match=REFUSED[cypher]) as refusal:
        web.ask(cypher)
    assert str(refusal.value).startswith("line 1, column ")
