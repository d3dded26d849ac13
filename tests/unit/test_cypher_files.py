"""Every statement's file: its header, its parameters, and that the database it is for accepts it."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pyarrow as pa
import pytest

import cypher
from graphdb.ladybug import LadybugStore
from graphdb.neo4j import Neo4jStore
from seedrank.core.errors import UsageError
from tests.notices import EXPECTED, named, noticed

NAMES = cypher.names()
FOR_LADYBUG = [name for name in NAMES if cypher.header(name).store in ("ladybug", "both")]
FOR_NEO4J = [name for name in NAMES if cypher.header(name).store in ("neo4j", "both")]
NOT_CODE = re.compile(r"//[^\n]*|/\*.*?\*/|'(?:[^'\\]|\\.)*'|\"(?:[^\"\\]|\\.)*\"|`(?:[^`]|``)*`", re.DOTALL)

# What the placeholders of a statement stand for when it is tried out.
EXAMPLES = {"TABLE": "LINKS_TO", "TYPE": "DOUBLE", "LO": "0", "HI": "10", "VERSION": "1", "HOPS": "2"}
WHOLE_NUMBERS = frozenset({"core", "hi", "limit", "lo", "n", "seconds", "seq"})
# The tables that `$rows` stands for: their columns are named in the statement.
ROWS = {
    "load/ladybug/copy_pages": {"id": pa.int64()},
    "load/ladybug/copy_hosts": {"name": pa.string()},
    "load/ladybug/copy_on": {"id": pa.int64(), "host": pa.string()},
    "load/ladybug/copy_links": {"source": pa.int64(), "target": pa.int64(), "weight": pa.float64()},
    "load/ladybug/copy_queries": {"text": pa.string(), "freq": pa.float64(), "need": pa.float64()},
    "load/ladybug/copy_results": {"query": pa.string(), "id": pa.int64(), "rank": pa.int64(), "clicks": pa.float64()},
    "load/ladybug/leave_hosts": {"id": pa.int64()},
    "load/ladybug/set_page_column": {"key": pa.int64(), "value": pa.string()},
    "load/ladybug/set_host_column": {"key": pa.string(), "value": pa.int64()},
    "load/ladybug/set_links": {"source": pa.int64(), "target": pa.int64(), "weight": pa.float64()},
    "load/ladybug/set_links_anchors": {
        "source": pa.int64(),
        "target": pa.int64(),
        "weight": pa.float64(),
        "anchors": pa.list_(pa.string()),
    },
    "load/ladybug/set_queries": {"text": pa.string(), "freq": pa.float64(), "need": pa.float64()},
    "load/ladybug/set_results": {"query": pa.string(), "id": pa.int64(), "rank": pa.int64(), "clicks": pa.float64()},
    "write/ladybug/copy_ranked": {"run": pa.string(), "page": pa.int64(), "rank": pa.int64(), "score": pa.float64()},
    "write/ladybug/copy_cores": {"run": pa.string(), "page": pa.int64(), "n": pa.int64(), "role": pa.string()},
    "write/ladybug/copy_co_cited": {"source": pa.int64(), "target": pa.int64(), "weight": pa.float64()},
}
NAMED = {
    "load/ladybug/copy_pages": "id",
    "load/ladybug/copy_hosts": "name",
    "load/ladybug/copy_links": "weight",
    "load/ladybug/set_page_column": "status",
    "load/ladybug/set_host_column": "pages",
    "read/ladybug/hosts": "name",
    "read/ladybug/links_with": "weight",
    "read/ladybug/pages": "url",
    "read/ladybug/pages_with_hosts": "url",
}


def source(name: str) -> str:
    return (Path(cypher.__file__).parent / f"{name}.cypher").read_text(encoding="utf-8")


def tried(name: str) -> str:
    """The statement with something in place of its placeholders."""
    wanted = set(re.findall(r"\{\{(\w+)\}\}", source(name)))
    tables = {"TABLE": "Page"} if name == "read/ladybug/node_columns" else {}
    return cypher.statement(name, **{one: (EXAMPLES | tables).get(one, NAMED.get(name, "x")) for one in wanted})


@pytest.mark.parametrize("name", NAMES)
def test_header(name: str) -> None:
    header = cypher.header(name)
    assert header.title
    assert header.store in cypher.STORES
    folder = name.split("/")[1] if name.count("/") == 2 else "both"
    assert folder == header.store or name.startswith(("gds/", "explore/"))


@pytest.mark.parametrize("name", NAMES)
def test_declared_parameters_are_those_used(name: str) -> None:
    code = NOT_CODE.sub("", source(name))
    assert set(re.findall(r"\$(\w+)", code)) == cypher.header(name).params


@pytest.mark.parametrize("name", NAMES)
def test_one_statement_a_file(name: str) -> None:
    assert ";" not in NOT_CODE.sub("", source(name)).rstrip().removesuffix(";")


@pytest.fixture(scope="module")
def ladybug_store(tmp_path_factory: pytest.TempPathFactory) -> Iterator[LadybugStore]:
    store = LadybugStore.open(str(tmp_path_factory.mktemp("ladybug") / "web.lbug"), create=True)
    store.create_schema()
    # Columns the project knows, which a graph may lack.
    for column in ("clicks", "views", "spam"):
        store.write_scores(column, np.zeros(0))
    with store._writing() as session:
        session.run(cypher.statement("schema/ladybug/add_anchors"))
    yield store
    store.close()


@pytest.mark.slow
@pytest.mark.parametrize("name", FOR_LADYBUG)
def test_ladybug_accepts_it(ladybug_store: LadybugStore, name: str) -> None:
    parameters = {param: 1 if param in WHOLE_NUMBERS else "x" for param in cypher.header(name).params}
    if "rows" in parameters:
        parameters["rows"] = pa.schema(ROWS[name].items()).empty_table()
    with ladybug_store._connection() as connection:
        connection.run(f"EXPLAIN {tried(name)}", parameters)


@pytest.mark.parametrize("name", FOR_NEO4J)
def test_neo4j_accepts_it(neo4j_store: Neo4jStore, name: str) -> None:
    neo4j_store.connection.rows(f"EXPLAIN {tried(name)}", dict.fromkeys(cypher.header(name).params), write=True)


@pytest.mark.parametrize("name", FOR_NEO4J)
def test_neo4j_accepts_it_as_cypher_25(neo4j_store: Neo4jStore, name: str) -> None:
    """The language that new databases speak; a deprecation fails the test, as everywhere."""
    if neo4j_store.connection.agent.startswith("Neo4j/5."):
        pytest.skip("Neo4j 5 has no Cypher 25")
    text = f"CYPHER 25 EXPLAIN {tried(name)}"
    neo4j_store.connection.rows(text, dict.fromkeys(cypher.header(name).params), write=True)


def test_names_are_quoted() -> None:
    assert cypher.quote_identifier("a `b`") == "`a ``b```"
    text = cypher.statement("load/ladybug/set_page_column", column="x` = 1 //")
    assert "SET p.`x`` = 1 //` = value" in text
    assert "p.`url`, p.`my col`" in cypher.statement("read/ladybug/pages", columns=["url", "my col"])


@pytest.mark.parametrize("name", ["", "a\nb", "a\\u0060b", "\0"])
def test_names_that_cannot_be_quoted(name: str) -> None:
    with pytest.raises(UsageError, match="cannot be a name"):
        cypher.quote_identifier(name)


def test_placeholders_must_match() -> None:
    with pytest.raises(ValueError, match="placeholders"):
        cypher.statement("read/ladybug/pages")
    with pytest.raises(ValueError, match="keyword"):
        cypher.statement("schema/ladybug/add_page_column", column="x", TYPE="DOUBLE; DROP TABLE Page")


@pytest.mark.parametrize("name", FOR_NEO4J)
def test_a_statement_is_known_by_its_text(name: str) -> None:
    """So that what the server remarks on it is laid to it."""
    assert named(f"EXPLAIN {tried(name)}") == named(f"CYPHER 25 EXPLAIN {tried(name)}") == name


def test_what_the_server_remarks_is_seen(neo4j_store: Neo4jStore, monkeypatch: pytest.MonkeyPatch) -> None:
    text = cypher.statement("read/neo4j/pages", columns=["no_page_has_it"])
    with noticed() as found:
        neo4j_store.connection.read(text, lo=0, hi=1)
        assert found == []
        with monkeypatch.context() as strict:
            strict.delitem(EXPECTED, "read/neo4j/pages")
            neo4j_store.connection.read(text, lo=0, hi=1)
            neo4j_store.connection.read("MATCH (p:Nobody) RETURN p.nothing")
    assert len(found) == 1 and "no_page_has_it" in found[0]
