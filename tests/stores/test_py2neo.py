"""The py2neo-compatible surface, against a live server."""

from __future__ import annotations

import doctest
import gc
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from seedrank.core.errors import UsageError
from seedrank.graphdb import py2neo
from seedrank.graphdb.py2neo import (
    AND,
    CONTAINS,
    ENDS_WITH,
    EQ,
    GE,
    GT,
    IN,
    IS_NOT_NULL,
    IS_NULL,
    LE,
    LIKE,
    LT,
    NE,
    NOT,
    OR,
    STARTS_WITH,
    XOR,
    ClientError,
    Graph,
    Node,
    NodeMatcher,
    Relationship,
    RelationshipMatcher,
    Subgraph,
)
from seedrank.graphdb.py2neo import (
    Path as GraphPath,
)
from seedrank.graphdb.py2neo.bulk import create_nodes, create_relationships, merge_nodes, merge_relationships

PEOPLE = [
    {"name": "Ada", "born": 1815, "town": "London"},
    {"name": "Alan", "born": 1912, "town": "London"},
    {"name": "Grace", "born": 1906, "town": "New York"},
    {"name": "Emmy", "born": 1882},
    {"name": "`; DROP", "born": 1999, "town": "}"},
]
NAMES = {str(person["name"]) for person in PEOPLE}


@pytest.fixture(scope="module")
def connected(neo4j_server: Any) -> Iterator[Graph]:
    graph = Graph(neo4j_server.url, auth=(neo4j_server.user, neo4j_server.password))
    yield graph
    graph.delete_all()
    graph.close()


@pytest.fixture
def graph(connected: Graph) -> Graph:
    connected.delete_all()
    return connected


@pytest.fixture
def people(graph: Graph) -> Graph:
    create_nodes(graph.auto(), PEOPLE, labels={"Person"})
    return graph


def names(matches: Any) -> list[str]:
    return sorted(node["name"] for node in matches)


def test_the_tutorial_runs(neo4j_server: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NEO4J_URI", neo4j_server.url)
    monkeypatch.setenv("NEO4J_USERNAME", neo4j_server.user)
    monkeypatch.setenv("NEO4J_PASSWORD", neo4j_server.password)
    text = (Path(__file__).parents[2] / "docs" / "py2neo.md").read_text(encoding="utf-8")
    blocks = re.findall(r"```pycon\n(.*?)```", text, re.DOTALL)
    assert blocks and not re.search(r"```(?!pycon\n|\n)\w", text), "every block of the tutorial is run"
    namespace: dict[str, Any] = {}
    for number, block in enumerate(blocks, 1):
        example = doctest.DocTestParser().get_doctest(block, namespace, f"docs/py2neo.md block {number}", None, None)
        out: list[str] = []
        result = doctest.DocTestRunner(verbose=False).run(example, out=out.append, clear_globs=False)
        assert result.failed == 0, "".join(out)
        namespace = example.globs
    namespace["graph"].close()


def test_run_takes_parameters_both_ways(graph: Graph) -> None:
    assert graph.evaluate("RETURN $a + $b", {"a": 1}, b=2) == 3
    assert graph.run("RETURN $a AS x", a=[1, {"k": None}]).data() == [{"x": [1, {"k": None}]}]
    assert graph.evaluate("UNWIND [] AS x RETURN x") is None


def test_query_refuses_to_write_and_bad_cypher_is_the_drivers_error(graph: Graph) -> None:
    with pytest.raises(ClientError, match=r"[Ww]rit"):
        graph.query("CREATE (n:Person)")
    with pytest.raises(ClientError) as caught:
        graph.run("MATCH (n RETURN n")
    assert caught.value.code == "Neo.ClientError.Statement.SyntaxError"
    assert len(graph.nodes) == 0


@pytest.mark.parametrize("rows", [0, 1, 999, 1000, 1001, 2500])
def test_cursor_moves_through_every_record_once(graph: Graph, rows: int) -> None:
    cursor = graph.run("UNWIND range(1, $rows) AS n RETURN n, n * n AS square", rows=rows)
    assert cursor.keys() == ["n", "square"]
    assert cursor.current is None
    assert [record["n"] for record in cursor.preview(2)] == [1, 2][:rows]
    seen = []
    while cursor.forward():
        assert cursor.current is not None
        seen.append(cursor.current["square"])
    assert seen == [n * n for n in range(1, rows + 1)]
    assert cursor.current is None and cursor.forward() == 0
    assert cursor.evaluate() is None


def test_cursor_jumps_and_evaluates_by_field(graph: Graph) -> None:
    cursor = graph.run("UNWIND range(1, 10) AS n RETURN n, -n AS minus")
    assert cursor.forward(4) == 4 and cursor.current == (4, -4)
    assert cursor.evaluate("minus") == -5
    assert cursor.evaluate(7) is None and cursor.evaluate("nothing") is None
    assert cursor.data("n") == [{"n": 8}, {"n": 9}, {"n": 10}]
    with pytest.raises(ValueError, match="forward"):
        cursor.forward(-1)


def test_record_is_tuple_and_mapping(graph: Graph) -> None:
    record = next(graph.run("RETURN 1 AS one, 'two' AS two, null AS three"))
    assert tuple(record) == (1, "two", None)
    assert record["two"] == record[1] == "two"
    assert dict(record) == record.data() == {"one": 1, "two": "two", "three": None}
    assert list(record.keys()) == ["one", "two", "three"] and list(record.values("two", 0)) == ["two", 1]
    assert record.get("four", 4) == 4 and record.index("three") == 2
    assert list(record.items("two")) == [("two", "two")]
    assert record.to_subgraph() is None


def test_conversions_to_pandas_and_numpy(people: Graph) -> None:
    cypher = "MATCH (p:Person) WHERE p.town IS NOT NULL RETURN p.name AS name, p.born AS born ORDER BY born"
    frame = people.run(cypher).to_data_frame()
    assert list(frame.columns) == ["name", "born"] and list(frame["born"]) == [1815, 1906, 1912, 1999]
    assert list(people.run(cypher).to_data_frame(columns=["born"], dtype="float64")["born"]) == [1815, 1906, 1912, 1999]
    assert list(people.run(cypher).to_series("name"))[:2] == ["Ada", "Grace"]
    assert people.run(cypher).to_series(1, dtype="int32").dtype == "int32"
    array = people.run("MATCH (p:Person) RETURN p.born, 1 ORDER BY p.born").to_ndarray(dtype="int64")
    assert array.dtype == np.int64 and array.shape == (5, 2)
    none = "MATCH (p:Nobody) RETURN p.a AS a, p.b AS b"
    assert list(people.run(none).to_data_frame().columns) == ["a", "b"]
    assert people.run(none).to_ndarray().shape == (0, 2)
    assert repr(people.run(none)) == "a | b\n--|--"
    table = people.run(cypher).to_table()
    assert table.keys() == ["name", "born"] and repr(table).splitlines()[2] == "Ada     | 1815"


def test_stats_do_not_move_the_cursor(graph: Graph) -> None:
    cursor = graph.run("UNWIND range(1, 3) AS n CREATE (p:Person {n: n}) RETURN n ORDER BY n")
    stats = cursor.stats()
    assert stats["nodes_created"] == stats["labels_added"] == stats["properties_set"] == 3
    assert stats["relationships_deleted"] == 0 and stats["contained_updates"] is True
    assert [record["n"] for record in cursor] == [1, 2, 3]
    assert cursor.summary().counters.nodes_created == 3 and cursor.plan() is None
    plan = graph.query("EXPLAIN MATCH (p:Person) RETURN p").plan()
    assert plan is not None and plan["operatorType"].startswith("ProduceResults")


def test_a_short_write_is_there_for_the_next_statement_though_nobody_read_it(graph: Graph) -> None:
    for expected in range(100, 600, 100):
        graph.run("UNWIND range(1, 100) AS n CREATE (p:Person) RETURN p")
        assert graph.evaluate("MATCH (p:Person) RETURN count(p)") == expected


def test_a_long_write_commits_when_its_cursor_is_forgotten(graph: Graph) -> None:
    cursor = graph.run("UNWIND range(1, 3000) AS n CREATE (p:Person) RETURN n")
    assert cursor.forward()
    del cursor
    gc.collect()
    assert len(graph.nodes) == 3000


def test_statements_may_run_while_a_long_result_is_read(graph: Graph) -> None:
    for (n,) in graph.run("UNWIND range(1, 1500) AS n RETURN n"):
        if n % 500 == 0:
            graph.run("CREATE (:Person {n: $n})", n=n)
    assert sorted(node["n"] for node in graph.nodes.match("Person")) == [500, 1000, 1500]


def test_transactions_commit_roll_back_and_keep_their_cursors(graph: Graph) -> None:
    tx = graph.begin()
    cursor = tx.run("UNWIND range(1, 2000) AS n CREATE (p:Person {n: n}) RETURN n")
    assert tx.evaluate("MATCH (p:Person) RETURN count(p)") == 2000
    assert len(graph.nodes) == 0
    graph.commit(tx)
    assert tx.closed and len(graph.nodes) == 2000
    assert len(cursor.data()) == 2000
    with pytest.raises(TypeError, match="over"):
        graph.commit(tx)
    tx = graph.begin()
    tx.update("MATCH (n) DETACH DELETE n")
    graph.rollback(tx)
    assert len(graph.nodes) == 2000
    with pytest.raises(RuntimeError, match="undo"), graph.begin() as tx:
        tx.update("MATCH (n) DETACH DELETE n")
        raise RuntimeError("undo")
    assert len(graph.nodes) == 2000
    with pytest.raises(TypeError, match="begin"):
        graph.auto().commit()


def test_a_forgotten_transaction_leaves_nothing(graph: Graph) -> None:
    tx = graph.begin()
    tx.update("CREATE (:Person)")
    del tx
    gc.collect()
    assert len(graph.nodes) == 0


@pytest.mark.parametrize(
    ("predicate", "expected"),
    [
        (EQ("London"), {"Ada", "Alan"}),
        ("London", {"Ada", "Alan"}),
        (NE("London"), {"Grace", "`; DROP"}),
        (STARTS_WITH("New"), {"Grace"}),
        (ENDS_WITH("don"), {"Ada", "Alan"}),
        (CONTAINS("o"), {"Ada", "Alan", "Grace"}),
        (LIKE("L.*n|}"), {"Ada", "Alan", "`; DROP"}),
        (IN(["London", "}"]), {"Ada", "Alan", "`; DROP"}),
        (("London", "Paris"), {"Ada", "Alan"}),
        ({"New York"}, {"Grace"}),
        (IS_NULL(), {"Emmy"}),
        (None, {"Emmy"}),
        (IS_NOT_NULL(), NAMES - {"Emmy"}),
        (OR(EQ("London"), IS_NULL()), {"Ada", "Alan", "Emmy"}),
        (AND(STARTS_WITH("L"), ENDS_WITH("n")), {"Ada", "Alan"}),
        (XOR(CONTAINS("o"), "London"), {"Grace"}),
        (NOT(EQ("London")), {"Grace", "`; DROP"}),
        (NOT(IS_NULL()), NAMES - {"Emmy"}),
        (py2neo.ANY("London", "}"), {"Ada", "Alan", "`; DROP"}),
        (py2neo.ALL(NE("London"), NE("}")), {"Grace"}),
    ],
)
def test_predicates(people: Graph, predicate: Any, expected: set[str]) -> None:
    assert set(names(people.nodes.match("Person", town=predicate))) == expected
    assert people.nodes.match("Person").where(town=predicate).count() == len(expected)


ORDERS = {"<": LT, "<=": LE, ">": GT, ">=": GE, "=": EQ, "<>": NE}


@given(st.lists(st.tuples(st.sampled_from(sorted(ORDERS)), st.integers(1800, 2000)), min_size=1, max_size=3))
@settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_orderings_agree_with_python(born: Graph, tests: list[tuple[str, int]]) -> None:
    operators = {
        "<": int.__lt__,
        "<=": int.__le__,
        ">": int.__gt__,
        ">=": int.__ge__,
        "=": int.__eq__,
        "<>": int.__ne__,
    }
    expected = [str(p["name"]) for p in PEOPLE if all(operators[o](int(str(p["born"])), v) for o, v in tests)]
    found = born.nodes.match("Person", born=AND(*(ORDERS[operator](value) for operator, value in tests)))
    assert names(found) == sorted(expected)
    assert len(found) == len(expected) and found.exists() is bool(expected)


@pytest.fixture(scope="module")
def born(connected: Graph) -> Graph:
    connected.delete_all()
    create_nodes(connected.auto(), PEOPLE, labels={"Person"})
    return connected


def test_node_matches_are_refined_ordered_and_cut(people: Graph) -> None:
    nodes = NodeMatcher(people)
    match = nodes.match("Person").where("_.born % 2 = 0", ("_.born > $year", {"year": 1890})).order_by("_.born DESC")
    assert [node["name"] for node in match] == ["Alan", "Grace"]
    assert [node["name"] for node in nodes.match("Person").order_by("_.born").skip(1).limit(2)] == ["Emmy", "Grace"]
    assert nodes.match("Person").skip(1).limit(2).count() == 2 and nodes.match("Person").skip(4).count() == 1
    assert nodes.match("Person").order_by("_.born DESC").first() == nodes.match(born=1999).first()
    assert nodes.match("Person", "Nobody").first() is None and not nodes.match("Nobody").exists()
    first = nodes.match("Person").limit(0)
    assert first.first() is None and first.all() == []
    people.delete(nodes.match("Person", name="Ada").first())  # type: ignore[arg-type]
    assert match.count() == 2 and nodes.match("Person").count() == 4, "a match runs anew each time"
    with pytest.raises(ValueError, match="year"):
        nodes.match().where(("_.a > $year", {"year": 1}), ("_.b > $year", {"year": 2})).all()


def test_a_property_name_can_be_anything_and_a_value_is_never_cypher(graph: Graph) -> None:
    key, label = "family name`}) DETACH DELETE n //", "Odd `label"
    create_nodes(graph.auto(), [{key: "x' OR true"}, {key: "other", "self": 1, "cls": 2}], labels=[label])
    assert graph.nodes.match(label, self=1).where(self=1, cls=2).count() == 1
    assert graph.nodes.match(label, **{key: "x' OR true"}).count() == 1
    node = graph.nodes.match(label).where(**{key: STARTS_WITH("o")}).first()
    assert node is not None and node[key] == "other" and node.labels == {label}
    merge_nodes(graph.auto(), [{key: "other", "n": 1}], (label, key))
    assert len(graph.nodes) == 2


def test_matchers_look_up_by_identity(people: Graph) -> None:
    ada = people.nodes.match(name="Ada").first()
    assert ada is not None and ada.identity is not None
    assert people.nodes.get(ada.identity) == people.nodes[ada.identity] == ada
    assert ada.identity in people.nodes and "4:no:1" not in people.nodes
    number = people.evaluate("MATCH (p {name: 'Ada'}) RETURN toInteger(split(elementId(p), ':')[2])")
    assert people.nodes.get(number) == ada
    assert sorted(people.nodes) == sorted(str(node.identity) for node in people.nodes.match())
    with pytest.raises(KeyError):
        people.nodes["4:no:1"]


@pytest.fixture
def friends(graph: Graph) -> tuple[Graph, dict[str, Node]]:
    """a knows b and c, b knows c, c likes a, c likes c."""
    nodes = {name: Node("Person", name=name) for name in "abc"}
    rows = [("a", "KNOWS", "b", 1), ("a", "KNOWS", "c", 2), ("b", "KNOWS", "c", 3), ("c", "LIKES", "a", 4)]
    links = [Relationship(nodes[s], kind, nodes[t], n=n) for s, kind, t, n in [*rows, ("c", "LIKES", "c", 5)]]
    graph.create(Subgraph(nodes.values(), links))
    return graph, nodes


def test_relationship_matches(friends: tuple[Graph, dict[str, Node]]) -> None:
    graph, node = friends
    a, b, c = node["a"], node["b"], node["c"]

    def found(*arguments: Any, **options: Any) -> list[int]:
        return sorted(r["n"] for r in RelationshipMatcher(graph).match(*arguments, **options))

    assert found() == found((None, None)) == [1, 2, 3, 4, 5]
    assert found((a,)) == found(a) == found((a, None)) == [1, 2]
    assert found((None, c)) == [2, 3, 5] and found((None, c), "KNOWS") == [2, 3]
    assert found((a, c)) == [2] and found({a, c}) == [2, 4] and found({c}) == [2, 3, 4, 5]
    assert found(r_type=Relationship.type("LIKES")) == [4, 5] and found(None, ["LIKES", "KNOWS"]) == [1, 2, 3, 4, 5]
    assert found((c, c)) == [5] and found((b, a)) == []
    assert found(n=GE(3)) == [3, 4, 5]
    match = graph.relationships.match().where("a.name = 'a'", ("_.n < $n", {"n": 2}))
    assert [r["n"] for r in match] == [1]
    assert graph.match(r_type="KNOWS", limit=2).count() == 2
    one = graph.match_one((b,), "KNOWS")
    assert one is not None and one.nodes == (b, c) and one.end_node["name"] == "c"
    assert [r["n"] for r in graph.relationships.match().order_by("_.n DESC").skip(1).limit(2)] == [4, 3]
    assert one.identity in graph.relationships and len(graph.relationships) == 5 and len(graph) == 5
    with pytest.raises(ValueError, match="two ends"):
        graph.match((a, b, c))
    with pytest.raises(ValueError, match="not in the database"):
        graph.match((Node("Person"),))


def test_run_gives_nodes_relationships_and_paths(friends: tuple[Graph, dict[str, Node]]) -> None:
    graph, node = friends
    record = next(graph.run("MATCH p = ({name: 'a'})-[:KNOWS]->({name: 'b'})-[:KNOWS]->() RETURN p, nodes(p) AS n"))
    path = record["p"]
    assert isinstance(path, GraphPath) and len(path) == 2
    assert path.nodes == tuple(record["n"]) == (node["a"], node["b"], node["c"])
    assert path.start_node["name"] == "a" and path.end_node.labels == {"Person"}
    assert [r["n"] for r in path] == [1, 3]
    bare = graph.evaluate("MATCH ()-[r {n: 4}]->() RETURN r")
    assert type(bare).__name__ == "LIKES" and dict(bare) == {"n": 4}
    assert bare.start_node["name"] == "c", "the ends are read when they are asked for"
    whole = graph.run("MATCH p = ()-[:LIKES]->() RETURN p").to_subgraph()
    assert whole is not None and set(whole.nodes) == {node["a"], node["c"]}
    assert whole.types() == {"LIKES"} and whole.labels() == {"Person"}


def test_create_merge_push_pull_separate_delete(graph: Graph) -> None:
    a, b = Node("Person", name="a", none=None), Node("Person", "Old", name="b")
    ab = Relationship(a, "KNOWS", b, since=1999)
    assert a.identity is None and not graph.exists(ab) and "none" not in a and a["missing"] is None
    graph.create(ab)
    graph.create(ab)
    assert (len(graph.nodes), len(graph.relationships)) == (2, 1) and graph.exists(ab)
    again = Relationship(Node("Person", "New", name="a", x=1), "KNOWS", Node("Person", name="b"), since=2000)
    graph.merge(again, "Person", "name")
    assert (len(graph.nodes), len(graph.relationships)) == (2, 1)
    assert again.start_node == a and hash(again.start_node) == hash(a) and again == ab
    graph.pull(ab)
    graph.pull(a)
    assert ab["since"] == 2000 and dict(a) == {"name": "a", "x": 1} and a.labels == {"Person", "New"}
    b["x"], b["name"] = 2, None
    b.clear_labels()
    b.update_labels(["Young"])
    ab["since"] = None
    graph.push(ab)
    assert graph.run("MATCH ()-[r]->(n) RETURN labels(n) AS l, properties(n) AS n, properties(r) AS r").data() == [
        {"l": ["Young"], "n": {"x": 2}, "r": {}}
    ]
    graph.separate(ab)
    assert ab.identity is None and not graph.exists(ab) and graph.exists(a | b)
    graph.delete(a | b)
    assert len(graph.nodes) == 0 and a.identity is None
    with pytest.raises(ValueError, match="label and a key"):
        graph.merge(Node("Person", name="x"))
    own = Node("Person", name="x")
    own.__primarylabel__, own.__primarykey__ = "Person", "name"  # type: ignore[attr-defined]
    graph.merge(own)
    assert len(graph.nodes) == 1


def test_labels_and_properties_of_a_node_are_changed_here_and_pushed(graph: Graph) -> None:
    node = Node("Person", "Old", name="a")
    graph.create(node)
    node.add_label("Young")
    node.remove_label("Old")
    node.remove_label("Nobody")
    assert node.has_label("Young") and not node.has_label("Old")
    node.clear()
    graph.push(node)
    assert graph.evaluate("MATCH (n) RETURN [labels(n), properties(n)]") == [["Person", "Young"], {}]
    link = Relationship(node, "KNOWS", node, since=1999)
    graph.create(link)
    link.clear()
    graph.push(link)
    assert graph.evaluate("MATCH ()-[r]->() RETURN properties(r)") == {}


def test_a_transaction_that_only_reads(graph: Graph) -> None:
    with pytest.raises(py2neo.Neo4jError, match="read access mode"), graph.begin(readonly=True) as tx:
        assert isinstance(tx, py2neo.Transaction) and tx.readonly and not graph.begin().readonly
        tx.update("CREATE ()")
    assert len(graph.nodes) == 0


def test_create_in_a_transaction_is_undone_by_rollback(graph: Graph) -> None:
    tx = graph.begin()
    tx.create(Relationship(Node("Person", name="a"), Node("Person", name="b")))
    assert tx.evaluate("MATCH ()-[r:TO]->() RETURN count(r)") == 1
    tx.rollback()
    assert len(graph.nodes) == 0


def test_equality_of_nodes_and_relationships() -> None:
    a, b = Node("Person", name="a"), Node("Person", name="a")
    assert a != b and a == a and a and Node()
    knows = Relationship.type("KNOWS")
    assert knows(a, b) == Relationship(a, "KNOWS", b) != Relationship(b, "KNOWS", a)
    assert type(Relationship(a, b)).__name__ == "TO" and isinstance(knows(a, b), Relationship)
    assert repr(a) == "Node('Person', name='a')"
    assert len((a | b | knows(a, b)).nodes) == 2
    for wrong in [(a,), (a, "KNOWS"), (a, "KNOWS", b, a), (a, "KNOWS", 3)]:
        with pytest.raises(ValueError, match="start node"):
            Relationship(*wrong)


def test_bulk_nodes(graph: Graph) -> None:
    create_nodes(graph.auto(), ((n, n * n) for n in range(50)), labels=["Number", "Small"], keys=["n", "square"])
    assert graph.nodes.match("Number", "Small").count() == 50
    with pytest.raises(ValueError, match="keys"):
        create_nodes(graph.auto(), [[1, 2]])
    with pytest.raises(ValueError, match=r"shorter|longer"):
        create_nodes(graph.auto(), [[1, 2]], keys=["n"])
    create_nodes(graph.auto(), [])
    data = [{"n": 3, "square": -1, "first": True}, {"n": 77, "square": 5929}]
    merge_nodes(graph.auto(), data, (("Number", "Small"), "n"), labels={"Seen"}, preserve=["square"])
    assert len(graph.nodes) == 51
    rows = graph.run("MATCH (n:Seen) RETURN n.n, n.square, n.first, size(labels(n)) ORDER BY n.n")
    assert [tuple(row) for row in rows] == [(3, 9, True, 3), (77, 5929, None, 3)]
    merge_nodes(graph.auto(), [[3, 0]], ("Number", "n", "square"), keys=["n", "square"])
    assert len(graph.nodes) == 52, "both properties are the key"


def test_bulk_relationships(graph: Graph) -> None:
    create_nodes(graph.auto(), [["Ada", "L"], ["Alan", "T"]], labels=["Person"], keys=["name", "family"])
    create_nodes(graph.auto(), [["Engine"]], labels=["Thing"], keys=["name"])
    data = [(("Ada", "L"), [1843], "Engine"), (("Alan", "T"), [1936], "Engine"), (("Nobody", "X"), [0], "Engine")]
    keys: dict[str, Any] = {"start_node_key": ("Person", "name", "family"), "end_node_key": ("Thing", "name")}
    create_relationships(graph.auto(), data, "KNOWS", keys=["year"], **keys)
    created = graph.run("MATCH (p)-[r:KNOWS]->(t) RETURN p.name, r.year, t.name ORDER BY r.year")
    assert [tuple(row) for row in created] == [("Ada", 1843, "Engine"), ("Alan", 1936, "Engine")]
    more = [(("Ada", "L"), {"year": 9, "x": 1}, "Engine"), (("Alan", "T"), None, "Engine")]
    merge_relationships(graph.auto(), more, "KNOWS", preserve={"year"}, **keys)
    assert len(graph.relationships) == 2
    assert graph.evaluate("MATCH ({name: 'Ada'})-[r:KNOWS]->() RETURN [r.year, r.x]") == [1843, 1]
    merge_relationships(graph.auto(), more[:1], ("KNOWS", "year"), **keys)
    assert len(graph.relationships) == 3, "another year, another relationship"
    ids = graph.evaluate("MATCH (p:Person) WITH p ORDER BY p.name RETURN collect(elementId(p))")
    create_relationships(graph.auto(), [(ids[0], {}, ids[1])], "MET")
    met = graph.match_one(r_type="MET")
    assert met is not None and (met.start_node["name"], met.end_node["name"]) == ("Ada", "Alan")
    with pytest.raises(ValueError, match="names no property"):
        create_relationships(graph.auto(), [], "MET", start_node_key="Person")


def test_bulk_in_a_transaction_is_all_or_nothing(graph: Graph) -> None:
    tx = graph.begin()
    create_nodes(tx, [{"n": 1}], labels=["Number"])
    tx.rollback()
    assert len(graph.nodes) == 0


def test_schema(graph: Graph) -> None:
    schema = graph.schema
    schema.create_index("Py2neoTest", "a")
    schema.create_index("Py2neoTest", "a", "b")
    schema.create_uniqueness_constraint("Py2neoTest", "key")
    try:
        assert schema.get_indexes("Py2neoTest") == [("a",), ("a", "b")]
        assert schema.get_uniqueness_constraints("Py2neoTest") == ["key"]
        graph.create(Node("Py2neoTest", key=1) | Relationship(Node("Py2neoTest"), "PY2NEO_TEST", Node("Py2neoTest")))
        assert "Py2neoTest" in schema.node_labels and "PY2NEO_TEST" in schema.relationship_types
        with pytest.raises(ClientError, match="already exists"):
            graph.create(Node("Py2neoTest", key=1))
        with pytest.raises(ValueError, match="no such index"):
            schema.drop_index("Py2neoTest", "b")
    finally:
        schema.drop_index("Py2neoTest", "a")
        schema.drop_index("Py2neoTest", "a", "b")
        schema.drop_uniqueness_constraint("Py2neoTest", "key")
    assert schema.get_indexes("Py2neoTest") == [] == schema.get_uniqueness_constraints("Py2neoTest")


def test_delete_all_empties_more_than_one_batch(graph: Graph) -> None:
    graph.update("UNWIND range(1, 25000) AS n CREATE (:Person {n: n})")
    graph.delete_all()
    assert len(graph.nodes) == 0


def test_connecting(neo4j_server: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    scheme, address = neo4j_server.url.split("://")
    user, password = neo4j_server.user, neo4j_server.password
    host, port = address.rsplit(":", 1)
    for name in ("NEO4J_URI", "NEO4J_USERNAME", "NEO4J_PASSWORD"):
        monkeypatch.delenv(name, raising=False)
    graphs = [
        Graph(neo4j_server.url, auth=f"{user}:{password}"),
        Graph(f"{scheme}://{user}:{password}@{address}", name="neo4j"),
        Graph(scheme=scheme, host=host, port=int(port), user=user, password=password),
    ]
    assert [graph.evaluate("RETURN 1") for graph in graphs] == [1, 1, 1]
    assert graphs[0] == graphs[2] != graphs[1] and password not in repr(graphs)
    with pytest.raises(ClientError, match=r"[Uu]nauthorized|authentication"):
        Graph(neo4j_server.url, auth=(user, "wrong-password")).run("RETURN 1")
    with pytest.raises(UsageError, match="HTTP"):
        Graph("http://localhost:7474")
    for graph in graphs:
        graph.close()
