"""Every statement's file: its header, its parameters, and that Neo4j accepts it."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from seedrank import cypher
from seedrank.core.errors import StoreError, UsageError
from seedrank.graphdb.neo4j import Neo4jStore
from tests.notices import EXPECTED, named, noticed

NAMES = cypher.names()
NOT_CODE = re.compile(r"//[^\n]*|/\*.*?\*/|'(?:[^'\\]|\\.)*'|\"(?:[^\"\\]|\\.)*\"|`(?:[^`]|``)*`", re.DOTALL)

# What the placeholders of a statement stand for when it is tried out.
EXAMPLES = {
    "TABLE": "LINKS_TO",
    "TYPE": "DOUBLE",
    "LO": "0",
    "HI": "10",
    "VERSION": "1",
    "HOPS": "2",
    "label": "Page",
    "type": "LINKS_TO",
}


def source(name: str) -> str:
    return (Path(cypher.__file__).parent / f"{name}.cypher").read_text(encoding="utf-8")


def tried(name: str) -> str:
    """The statement with something in place of its placeholders."""
    wanted = set(re.findall(r"\{\{(\w+)\}\}", source(name)))
    return cypher.statement(name, **{one: EXAMPLES.get(one, "x") for one in wanted})


def test_headers() -> None:
    for name in NAMES:
        header = cypher.header(name)
        assert header.title, name
        assert header.store in cypher.STORES, name
        assert header.store == "neo4j" or name.startswith("explore/"), name


def test_named_queries_say_whether_they_write() -> None:
    for name in NAMES:
        if name.startswith("explore/"):
            clauses = re.findall(r"\b(?:CREATE|DELETE|MERGE|REMOVE|SET)\b", NOT_CODE.sub("", source(name)))
            assert cypher.header(name).writes == bool(clauses), name
            assert not cypher.header(name).about.startswith("writes:"), name


def test_declared_parameters_are_those_used() -> None:
    for name in NAMES:
        code = NOT_CODE.sub("", source(name))
        assert set(re.findall(r"\$(\w+)", code)) == cypher.header(name).params, name


def test_one_statement_a_file() -> None:
    assert not [name for name in NAMES if ";" in NOT_CODE.sub("", source(name)).rstrip().removesuffix(";")]


def test_a_prefix_is_before_every_label_and_type() -> None:
    place = re.compile(r"(?<=[:|{])`?(?:[A-Z][A-Za-z]+|[A-Z_]{2,})\b")
    others = {"Frontier", "Missing", "ScoreHigh", "ScoreMiddle", "ScoreLow", "DELETE", "SET", "MATCH", "DETACH"}
    for name in NAMES:
        code = re.sub(r"//[^\n]*|\{\{\w+\}\}", "", cypher.prefixed(source(name), "Web"))
        labels = {one.strip("`") for one in place.findall(code)}
        assert not {one for one in labels - others if not one.startswith(("Web", "WEB_"))}, name


def explain_all(store: Neo4jStore, language: str) -> None:
    """Let the server plan every statement; what it refuses is named."""
    refused = []
    for name in NAMES:
        try:
            text = f"{language}EXPLAIN {tried(name)}"
            store.connection.rows(text, dict.fromkeys(cypher.header(name).params), write=True)
        except StoreError as error:
            refused.append(f"{name}: {error}")
    assert not refused, "\n".join(refused)


def test_neo4j_accepts_them(neo4j_store: Neo4jStore) -> None:
    explain_all(neo4j_store, "")


def test_neo4j_accepts_them_as_cypher_25(neo4j_store: Neo4jStore) -> None:
    """The language that new databases speak; a deprecation fails the test, as everywhere."""
    if neo4j_store.connection.agent.startswith("Neo4j/5."):
        pytest.skip("Neo4j 5 has no Cypher 25")
    explain_all(neo4j_store, "CYPHER 25 ")


def test_names_are_quoted() -> None:
    assert cypher.quote_identifier("a `b`") == "`a ``b```"
    text = cypher.statement("read/pages", columns=["x` = 1 //", "my col"])
    assert "p.`x`` = 1 //`, p.`my col`" in text


@pytest.mark.parametrize("name", ["", "a\nb", "a\\u0060b", "\0"])
def test_names_that_cannot_be_quoted(name: str) -> None:
    with pytest.raises(UsageError, match="cannot be a name"):
        cypher.quote_identifier(name)


def test_placeholders_must_match() -> None:
    with pytest.raises(ValueError, match="placeholders"):
        cypher.statement("read/pages")
    with pytest.raises(ValueError, match="keyword"):
        cypher.statement("gds/balls", HOPS="1]->() DETACH DELETE s //")


def test_a_statement_is_known_by_its_text() -> None:
    """So that what the server remarks on it is laid to it."""
    for name in NAMES:
        assert named(f"EXPLAIN {tried(name)}") == named(f"CYPHER 25 EXPLAIN {tried(name)}") == name


def test_what_the_server_remarks_is_seen(neo4j_store: Neo4jStore, monkeypatch: pytest.MonkeyPatch) -> None:
    text = cypher.statement("read/pages", columns=["no_page_has_it"])
    with noticed() as found:
        neo4j_store.connection.read(text, lo=0, hi=1)
        assert found == []
        with monkeypatch.context() as strict:
            strict.delitem(EXPECTED, "read/pages")
            neo4j_store.connection.read(text, lo=0, hi=1)
            neo4j_store.connection.read("MATCH (p:Nobody) RETURN p.nothing")
    assert len(found) == 1 and "no_page_has_it" in found[0]
