"""The queries of cypher/explore on a small web, on every database they are meant for.

The web, by page id (host, status):

    0 a.example/        crawled   -> 1, 2, 4
    1 a.example/about   crawled   -> 0 (weight 3)
    2 a.example/doc     crawled   -> nothing
    3 b.example/        crawled   -> 0, 4, 5
    4 b.example/news    frontier
    5 c.example/        crawled   -> 6                      clicks 7
    6 c.example/pills   crawled   -> 5                      spam, clicks 9
    7 d.example/        frontier, alone
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from datetime import datetime
from importlib.resources import files
from pathlib import Path
from typing import Any

import duckdb
import neo4j
import neo4j.graph
import neo4j.time
import pytest

from seedrank import cypher
from seedrank.exporters.browser import pasted
from seedrank.graphdb.duckdb import DuckDBStore
from seedrank.graphdb.duckdb.connection import Connection
from seedrank.graphdb.duckdb.schema import SCHEMA_VERSION, create_tables
from seedrank.graphdb.neo4j import open_store as open_neo4j

EXPLORE = [name for name in cypher.names() if name.startswith("explore/")]

PAGES = [
    (0, "http://a.example/", "crawled", "a.example", None, None),
    (1, "http://a.example/about", "crawled", "a.example", None, None),
    (2, "http://a.example/doc", "crawled", "a.example", 0.0, None),
    (3, "http://b.example/", "crawled", "b.example", None, None),
    (4, "http://b.example/news", "frontier", "b.example", None, None),
    (5, "http://c.example/", "crawled", "c.example", 7.0, 0.0),
    (6, "http://c.example/pills", "crawled", "c.example", 9.0, 1.0),
    (7, "http://d.example/", "frontier", "d.example", None, None),
]
URL = {page[0]: page[1] for page in PAGES}
HOSTS = {"a.example": 3, "b.example": 2, "c.example": 2, "d.example": 1}
LINKS = [
    (0, 1, 1.0),
    (0, 2, 1.0),
    (0, 4, 1.0),
    (1, 0, 3.0),
    (3, 0, 1.0),
    (3, 4, 1.0),
    (3, 5, 1.0),
    (5, 6, 1.0),
    (6, 5, 1.0),
]
VIRTUAL = [(1, 2, 2.0), (4, 5, 5.0)]
RUNS = [
    ("1-old", "seeds maxweight", "2026-01-01T00:00:00Z", [(1, 3, 0.5)]),
    ("2-seeds", "seeds greedy", "2026-02-01T00:00:00Z", [(1, 3, 5.0), (2, 6, 2.0)]),
    ("3-rank", "rank pagerank", "2026-03-01T00:00:00Z", [(1, 0, 0.4), (2, 4, 0.3), (3, 5, 0.1)]),
    ("4-cores", "seeds cores", "2026-04-01T00:00:00Z", []),
]
CORES = [("1-old", 5, 1, "hub"), ("1-old", 6, 1, "authority")] + [
    ("4-cores", page, n, role)
    for n, role, pages in [(1, "hub", (0, 3)), (1, "authority", (0, 4, 5)), (2, "hub", (5,)), (2, "authority", (6,))]
    for page in pages
]
RESULTS = [("flu", 4, 1, 3.0), ("flu", 0, 2, 1.0), ("chess", 5, 1, 0.0)]
LOADS = [("l1", "snap web.txt", "done"), ("l2", "table pages.csv", "running")]

Run = Callable[..., list[dict[str, Any]]]


def fill(run: Run) -> None:
    """The web, in statements."""
    run(
        "UNWIND $rows AS row "
        "CREATE (:Page {id: row.id, url: row.url, status: row.status, clicks: row.clicks, spam: row.spam})",
        rows=[{"id": i, "url": u, "status": s, "clicks": c, "spam": m} for i, u, s, _, c, m in PAGES],
    )
    run(
        "UNWIND $rows AS row CREATE (h:Host {name: row.name, pages: row.pages})",
        rows=[{"name": name, "pages": pages} for name, pages in HOSTS.items()],
    )
    run(
        "UNWIND $rows AS row MATCH (p:Page), (h:Host) WHERE p.id = row.id AND h.name = row.host "
        "CREATE (p)-[:`ON`]->(h)",
        rows=[{"id": page[0], "host": page[3]} for page in PAGES],
    )
    for kind, links in (("LINKS_TO", LINKS), ("CO_CITED", VIRTUAL)):
        run(
            f"UNWIND $rows AS row MATCH (a:Page), (b:Page) WHERE a.id = row.a AND b.id = row.b "
            f"CREATE (a)-[:{kind} {{weight: row.weight}}]->(b)",
            rows=[{"a": a, "b": b, "weight": weight} for a, b, weight in links],
        )
    run(
        "UNWIND $rows AS row "
        "CREATE (r:Run {id: row.id, method: row.method, created: datetime(row.created)}) "
        "SET r.engine = 'native', r.seconds = 1.5",
        rows=[{"id": i, "method": method, "created": created} for i, method, created, _ in RUNS],
    )
    run(
        "UNWIND $rows AS row MATCH (r:Run), (p:Page) WHERE r.id = row.run AND p.id = row.page "
        "CREATE (r)-[:RANKED {rank: row.rank, score: row.score}]->(p)",
        rows=[{"run": i, "rank": k, "page": p, "score": s} for i, _, _, ranking in RUNS for k, p, s in ranking],
    )
    run(
        "UNWIND $rows AS row MATCH (r:Run), (p:Page) WHERE r.id = row.run AND p.id = row.page "
        "CREATE (r)-[:CORE {n: row.n, role: row.role}]->(p)",
        rows=[{"run": r, "page": p, "n": n, "role": role} for r, p, n, role in CORES],
    )
    run(
        "UNWIND $rows AS row CREATE (:`Query` {text: row.text, freq: row.freq, need: row.need})",
        rows=[{"text": "flu", "freq": 90.0, "need": 0.25}, {"text": "chess", "freq": 10.0, "need": 0.5}],
    )
    run(
        "UNWIND $rows AS row MATCH (q:`Query`), (p:Page) WHERE q.text = row.query AND p.id = row.page "
        "CREATE (q)-[:RESULT {rank: row.rank, clicks: row.clicks}]->(p)",
        rows=[{"query": q, "page": p, "rank": rank, "clicks": clicks} for q, p, rank, clicks in RESULTS],
    )
    run(
        "UNWIND $rows AS row "
        "CREATE (:`Load` {id: row.id, source: row.source, state: row.state, started: datetime('2026-01-01')})",
        rows=[{"id": i, "source": source, "state": state} for i, source, state in LOADS],
    )


@pytest.fixture(scope="module")
def on_neo4j(neo4j_server: Any) -> Iterator[Run]:
    auth = (neo4j_server.user, neo4j_server.password)
    store = open_neo4j(neo4j_server.url, auth=auth)
    store.wipe()
    store.create_schema()  # constraints change plans, and once changed an answer
    with neo4j.GraphDatabase.driver(neo4j_server.url, auth=auth, notifications_min_severity="OFF") as driver:

        def run(statement: str, **parameters: Any) -> list[dict[str, Any]]:
            records = driver.execute_query(statement, parameters).records
            return [{key: plain(value) for key, value in record.items()} for record in records]

        fill(run)
        yield run
    store.wipe()
    store.close()


@pytest.fixture(scope="module")
def on_duckdb(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Run]:
    path = tmp_path_factory.mktemp("explore") / "web.duckdb"
    fill_file(path)
    store = DuckDBStore.open(str(path), read_only=True)

    def run(statement: str, **parameters: Any) -> list[dict[str, Any]]:
        found = store.query(statement, parameters).to_pylist()
        return [{key: plain(value) for key, value in row.items()} for row in found]

    yield run
    store.close()


def fill_file(path: Path) -> None:
    """The web, in the tables of the embedded store."""
    tables: dict[str, list[tuple[Any, ...]]] = {
        "page": [(i, u, None, s, h, c, m) for i, u, s, h, c, m in PAGES],
        "host": list(HOSTS.items()),
        "link": [(*link, None) for link in LINKS],
        "co_cited": VIRTUAL,
        "run": [(i, method, None, None, "native", None, created, 1.5) for i, method, created, _ in RUNS],
        "ranked": [(i, p, k, s) for i, _, _, ranking in RUNS for k, p, s in ranking],
        "core": CORES,
        "query": [("flu", 90.0, 0.25), ("chess", 10.0, 0.5)],
        "result": RESULTS,
        "load": [(i, source, None, state, "2026-01-01", "{}", "page", n) for n, (i, source, state) in enumerate(LOADS)],
        "store": [(SCHEMA_VERSION, 1, "by hand")],
    }
    with duckdb.connect(path) as raw:
        create_tables(Connection(raw))
        for column in ("clicks", "spam"):
            raw.execute(f"ALTER TABLE page ADD COLUMN {column} DOUBLE")
        for table, found in tables.items():
            raw.executemany(f"INSERT INTO {table} VALUES ({', '.join('?' * len(found[0]))})", found)


@pytest.fixture(params=["neo4j", "duckdb"])
def explore(request: pytest.FixtureRequest) -> Run:
    """Runs a query of cypher/explore by name, on a database it is meant for."""
    store = request.param

    def ask(name: str, **parameters: Any) -> list[dict[str, Any]]:
        header = cypher.header(f"explore/{name}")
        if header.store not in (store, "both"):
            pytest.skip(f"{name} is for {header.store} only")
        assert parameters.keys() == header.params
        run: Run = request.getfixturevalue(f"on_{store}")
        return run(cypher.statement(f"explore/{name}"), **parameters)

    return ask


def plain(value: Any) -> Any:
    """Nodes as page id or name, relationships as (type, weight), paths as lists of nodes: alike for both databases."""
    match value:
        case neo4j.graph.Node():
            return _node(dict(value))
        case neo4j.graph.Relationship():
            return (value.type, value.get("weight"))
        case neo4j.graph.Path():
            return [plain(node) for node in value.nodes]
        case {"nodes": nodes, "relationships": _}:
            return [plain(node) for node in nodes]
        case {"labels": _}:
            return _node(value)
        case {"type": kind}:
            return (kind, value.get("weight"))
        case neo4j.time.DateTime() | datetime():
            return value.isoformat()[:19]
        case _:
            return value


def _node(properties: dict[str, Any]) -> Any:
    return properties["name"] if properties.get("name") else properties["id"]


def rows(found: list[dict[str, Any]]) -> list[tuple[Any, ...]]:
    return [tuple(row.values()) for row in found]


def ends(found: list[dict[str, Any]]) -> list[tuple[Any, Any]]:
    """First and last column of a picture."""
    return [(values[0], values[-1]) for values in rows(found)]


def test_there_are_enough_and_each_is_tested() -> None:
    assert len(EXPLORE) >= 12
    text = Path(__file__).read_text(encoding="utf-8")
    assert [name for name in EXPLORE if f'explore("{name.removeprefix("explore/")}"' not in text] == []


@pytest.mark.parametrize("name", EXPLORE)
def test_headers_and_limits(name: str) -> None:
    header, text = cypher.header(name), cypher.statement(name)
    assert header.title and header.about and header.store in cypher.STORES
    assert set(re.findall(r"\$(\w+)", text)) == header.params
    assert re.search(r"LIMIT (\$limit|\d+)\Z", text), "a query that is pasted must not draw the whole web"
    assert all(parameter.default is None for parameter in header.parameters if parameter.name not in ("limit", "core"))
    assert "{{" not in text


def facts(name: str) -> str:
    """What the tour says of a query beside its title and text."""
    header = cypher.header(name)
    named = [f"`${one.name}`" + (f" = {one.default}" if one.default is not None else "") for one in header.parameters]
    where = "every database" if header.store == "both" else "Neo4j only"
    return f"parameters: {', '.join(named) or 'none'} · {where}"


def test_every_query_is_in_the_tour_as_it_is() -> None:
    docs = Path(__file__).parents[2] / "docs"
    tour = (docs / "explore.md").read_text(encoding="utf-8")
    for name in EXPLORE:
        assert f"(../cypher/{name}.cypher)" in tour, name
        assert f"### {cypher.header(name).title}\n" in tour, name
        assert f"```cypher\n{cypher.statement(name)}\n```" in tour, name
        assert f"(../cypher/{name}.cypher) · {facts(name)}\n" in tour, name
        assert f"seedrank explore {name.removeprefix('explore/')}" in tour, name
    pictures = re.findall(r"\]\((pictures/[^)]+)\)", tour)
    assert len(pictures) >= 2
    for picture in pictures:
        assert 0 < (docs / picture).stat().st_size < 300_000


def test_biggest_hosts(explore: Run) -> None:
    assert rows(explore("biggest_hosts", limit=3)) == [("a.example", 3), ("b.example", 2), ("c.example", 2)]


def test_one_host(explore: Run) -> None:
    found = explore("one_host", host="a.example", limit=50)
    assert [(row["host"], row["page"], row["other"]) for row in found] == [
        ("a.example", 0, 1),
        ("a.example", 0, 2),
        ("a.example", 1, 0),
        ("a.example", 2, None),
    ]


def test_two_hops(explore: Run) -> None:
    found = explore("two_hops", url=URL[3], limit=50)
    assert sorted(row["path"] for row in found) == [[3, 0], [3, 0, 1], [3, 0, 2], [3, 0, 4], [3, 4], [3, 5], [3, 5, 6]]
    assert sorted(row["path"] for row in explore("two_hops", url=URL[1], limit=50)) == [[1, 0], [1, 0, 2], [1, 0, 4]]
    assert len(explore("two_hops", url=URL[3], limit=2)) == 2


def test_what_links_here(explore: Run) -> None:
    found = explore("what_links_here", url=URL[0], limit=50)
    assert rows(found) == [(1, ("LINKS_TO", 3.0), 0), (3, ("LINKS_TO", 1.0), 0)]
    assert explore("what_links_here", url=URL[7], limit=50) == []


def test_co_cited(explore: Run) -> None:
    # 4 is cited by 0 (with 1 and 2) and by 3 (with 0 and 5)
    assert rows(explore("co_cited", url=URL[4], limit=50)) == [(i, URL[i], 1) for i in (0, 1, 2, 5)]
    # counted against all pairs of links by brute force
    for page in URL:
        expected: dict[int, int] = {}
        for citing, cited, _ in LINKS:
            for other_citing, other, _ in LINKS:
                if citing == other_citing and cited == page and other != page:
                    expected[other] = expected.get(other, 0) + 1
        found = explore("co_cited", url=URL[page], limit=50)
        assert {row["id"]: row["cited_together"] for row in found} == expected


def test_virtual_links(explore: Run) -> None:
    assert ends(explore("virtual_links", limit=50)) == [(4, 5), (1, 2)]


def test_runs(explore: Run) -> None:
    found = explore("runs", limit=50)
    assert [(row["run"], row["pages"]) for row in found] == [
        ("4-cores", 0),
        ("3-rank", 3),
        ("2-seeds", 2),
        ("1-old", 1),
    ]
    assert rows(found)[1] == ("3-rank", "rank pagerank", "native", "2026-03-01T00:00:00", 1.5, 3)


def test_latest_run(explore: Run) -> None:
    found = explore("latest_run", limit=2)
    assert rows(found) == [("rank pagerank", 1, 0.4, 0, URL[0]), ("rank pagerank", 2, 0.3, 4, URL[4])]


def test_run_picture(explore: Run) -> None:
    assert [(row["run"], row["ranked"][0], row["page"]) for row in explore("run_picture", limit=2)] == [
        ("3-rank", "RANKED", 0),
        ("3-rank", "RANKED", 4),
    ]


def labels(run: Run) -> dict[int, set[str]]:
    found = run("MATCH (p:Page) WHERE size(labels(p)) > 1 RETURN p.id AS id, labels(p) AS labels")
    return {row["id"]: set(row["labels"]) - {"Page"} for row in found}


@pytest.mark.parametrize("explore", ["neo4j"], indirect=True)
def test_colours_are_given_and_taken_away(explore: Run, on_neo4j: Run) -> None:
    assert rows(explore("colour_by_status")) == [("frontier", 2)]
    assert labels(on_neo4j) == {4: {"Frontier"}, 7: {"Frontier"}}
    on_neo4j("MATCH (p:Page {id: 7}) SET p.status = 'missing'")
    assert rows(explore("colour_by_status")) == [("frontier", 1), ("missing", 1)]
    on_neo4j("MATCH (p:Page {id: 7}) SET p.status = 'frontier'")
    assert sorted(rows(explore("colour_by_score"))) == [("high", 2), ("middle", 1)]
    assert labels(on_neo4j) == {0: {"ScoreHigh"}, 4: {"Frontier", "ScoreHigh"}, 5: {"ScoreMiddle"}, 7: {"Missing"}}
    assert rows(explore("remove_colours")) == [(4,)]
    assert labels(on_neo4j) == {}


def test_every_label_that_colours_give_has_a_colour() -> None:
    style = files("seedrank.exporters").joinpath("browser.grass").read_text(encoding="utf-8")
    given = re.findall(r"SET page:(\w+)", cypher.statement("explore/colour_by_status"))
    given += re.findall(r"SET page:(\w+)", cypher.statement("explore/colour_by_score"))
    assert len(given) == 5
    for label in (*given, "Page", "Host", "Run", "Query"):
        assert f"node.{label} {{" in style
    for kind in ("LINKS_TO", "ON", "RANKED", "CORE", "CO_CITED", "RESULT"):
        assert kind == "LINKS_TO" or f"relationship.{kind} {{" in style
    removed = re.findall(r":(\w+)", cypher.statement("explore/remove_colours").partition("REMOVE")[2])
    assert sorted(removed) == sorted(given)


@pytest.mark.parametrize(
    "value", ["plain", "'", '"', "\\", "a\nb", "ü 語", "\u2028", "\x7f", "$url", "`", "\U0001f41d\n", 7]
)
def test_a_value_that_is_printed_is_the_value(on_neo4j: Run, value: Any) -> None:
    line, statement = pasted("RETURN $x AS x", {"x": value}).split("\n\n")
    literal = line.removeprefix(":param x => ").removesuffix(";")
    assert "\n" not in line
    assert rows(on_neo4j(statement.replace("$x", literal))) == [(value,)]


def test_core_picture(explore: Run) -> None:
    assert ends(explore("core_picture", core=1, limit=50)) == [(0, 4), (3, 0), (3, 4), (3, 5)]
    assert ends(explore("core_picture", core=2, limit=50)) == [(5, 6)]
    assert explore("core_picture", core=3, limit=50) == []


def test_hosts_linking(explore: Run) -> None:
    assert rows(explore("hosts_linking", limit=50)) == [
        ("a.example", "b.example", 1, 1, 2),
        ("b.example", "c.example", 1, 0, 1),
    ]


def test_frontier_by_in_links(explore: Run) -> None:
    assert rows(explore("frontier_by_in_links", limit=50)) == [(4, URL[4], 2)]


def test_dangling_pages(explore: Run) -> None:
    assert rows(explore("dangling_pages", limit=50)) == [(2, URL[2], 1)]


def test_spam_neighbourhood(explore: Run) -> None:
    assert ends(explore("spam_neighbourhood", limit=50)) == [(5, 6)]


def test_path_between(explore: Run) -> None:
    ask = {"limit": 50}
    assert [row["path"] for row in explore("path_between", source=URL[1], target=URL[4], **ask)] == [[1, 0, 4]]
    assert [row["path"] for row in explore("path_between", source=URL[3], target=URL[6], **ask)] == [[3, 5, 6]]
    assert explore("path_between", source=URL[5], target=URL[0], **ask) == []


def test_path_from_seed(explore: Run) -> None:
    assert [row["path"] for row in explore("path_from_seed", url=URL[5])] == [[3, 5]], "rank 1 before rank 2"
    assert [row["path"] for row in explore("path_from_seed", url=URL[6])] == [[6]]
    assert [row["path"] for row in explore("path_from_seed", url=URL[2])] == [[3, 0, 2]]
    assert explore("path_from_seed", url=URL[7]) == []


def test_most_clicked(explore: Run) -> None:
    assert ends(explore("most_clicked", limit=1)) == [(6, 5)]
    assert ends(explore("most_clicked", limit=50)) == [(6, 5), (5, 3), (5, 6)]


def test_most_viewed_where_no_clicks_are_known(on_neo4j: Run) -> None:
    on_neo4j("MATCH (p:Page) SET p.views = CASE p.id WHEN 2 THEN 9 ELSE null END REMOVE p.clicks")
    found = on_neo4j(cypher.statement("explore/most_clicked"), limit=5)
    assert {row["page"] for row in found} == {2}


@pytest.mark.parametrize("explore", ["neo4j"], indirect=True)
def test_what_write_wrote(explore: Run, on_neo4j: Run) -> None:
    on_neo4j("MATCH (p:Page) WHERE p.id < 4 SET p.place = 4 - p.id, p.part = p.id % 2")
    assert [(row["value"], row["id"]) for row in explore("written_places", column="place", limit=2)] == [(1, 3), (2, 2)]
    assert [(row["value"], row["id"]) for row in explore("written_scores", column="place", limit=2)] == [(4, 0), (3, 1)]
    assert [(row["value"], row["pages"]) for row in explore("written_groups", column="part", limit=5)] == [
        (0, 2),
        (1, 2),
    ]
    found = explore("same_group", url=URL[0], column="part", limit=5)
    assert {(row["a"], row["b"]) for row in found} <= {(0, 2), (2, 0)} and found


def test_query_results(explore: Run) -> None:
    assert rows(explore("query_results", limit=50)) == [
        ("flu", 90.0, 0.25, 1, 3.0, URL[4]),
        ("flu", 90.0, 0.25, 2, 1.0, URL[0]),
        ("chess", 10.0, 0.5, 1, 0.0, URL[5]),
    ]


def test_interrupted_loads(explore: Run) -> None:
    assert rows(explore("interrupted_loads", limit=50)) == [("table pages.csv", "running", "2026-01-01T00:00:00")]
