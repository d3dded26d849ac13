"""A statement is answered as Neo4j answers it, or refused: never wrongly."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

import cypher
from tests.cypher.compare import Answer, Outcome, Question
from tests.cypher.conftest import Paired
from tests.cypher.generator import statement
from tests.cypher.graphs import random_web
from tests.cypher.grid import grid

GENERATED, DEEP = 1_000, 20_000
MOST_REFUSED = 0.15
WEBS = 5
NOT_THE_SAME = [outcome for outcome in Outcome if outcome is not Outcome.SAME]
FIXED = [
    name for name in cypher.names() if name.startswith(("explore/", "read/")) and cypher.header(name).store == "both"
]
ON_LADYBUG = {
    "read/ladybug/host_names": "MATCH (h:Host) RETURN h.name AS name",
    "read/ladybug/loads": "MATCH (l:`Load`) RETURN l.id AS id, l.source AS source, l.sha256 AS sha256, "
    "l.state AS state, l.started AS started, l.counts AS counts, l.level AS level ORDER BY l.seq",
    "read/ladybug/pages": "MATCH (p:Page) WHERE p.id >= $lo AND p.id < $hi "
    "RETURN p.id, p.url, p.clicks, p.title ORDER BY p.id",
    "read/ladybug/pages_with_hosts": "MATCH (p:Page) WHERE p.id >= $lo AND p.id < $hi "
    "OPTIONAL MATCH (p)-[:ON]->(h:Host) RETURN p.id, p.url, p.clicks, p.title, h.name ORDER BY p.id",
    "read/ladybug/hosts": "MATCH (h:Host) RETURN h.name, h.pages, h.importance ORDER BY h.name",
}
"""Statements of the embedded store alone, and what says the same on Neo4j."""


def ask_all(questions: Sequence[Question], paired: Paired, first: int, webs: int = WEBS) -> list[Answer]:
    """Each question on one of `webs` webs."""
    answers = []
    for number in range(webs):
        with paired(first + number) as ask:
            answers += [ask(question) for question in questions[number::webs]]
    return answers


def expect_none(answers: Sequence[Answer], *outcomes: Outcome) -> None:
    """Fail with all answers of these outcomes."""
    found = [answer for answer in answers if answer.outcome in outcomes]
    if found:
        pytest.fail(f"{len(found)} of {len(answers)}:\n" + "\n".join(map(str, found)), pytrace=False)


def generated(count: int, first: int = 0) -> list[Question]:
    """Questions from generated statements."""
    made = [statement(first + number) for number in range(count)]
    return [Question(str(one), one.parameters, one.ordered) for one in made]


def check(answers: Sequence[Answer]) -> None:
    """Nothing wrong, nothing that the engine stumbles over, little refused."""
    expect_none(answers, Outcome.INVALID, Outcome.WRONG, Outcome.FAILED)
    if sum(answer.outcome is Outcome.REFUSED for answer in answers) > MOST_REFUSED * len(answers):
        expect_none(answers, Outcome.REFUSED)


@pytest.mark.cypher
def test_the_grid(paired: Paired) -> None:
    answers = ask_all(grid(), paired, 100)
    expect_none(answers, *NOT_THE_SAME)


@pytest.mark.cypher
def test_generated_statements(paired: Paired) -> None:
    check(ask_all(generated(GENERATED), paired, 200))


@pytest.mark.deep
@pytest.mark.timeout(7200)
def test_many_generated_statements(paired: Paired) -> None:
    check(ask_all(generated(DEEP, first=1_000_000), paired, 300, webs=40))


@pytest.mark.parametrize("seed", [401, 402, 403])
def test_fixed_statements(paired: Paired, seed: int) -> None:
    asked = []
    for name in FIXED:
        text = cypher.statement(name)
        # Two hops without an order: all of its rows are compared.
        ordered = "ORDER BY" in text
        limits = (3, 1000) if ordered else (1000,)
        asked += [Question(text, values, ordered) for limit in limits for values in _values(name, seed, limit)]
    with paired(seed) as ask:
        answers = [ask(question) for question in asked]
    expect_none(answers, *NOT_THE_SAME)


@pytest.mark.parametrize("name", ON_LADYBUG)
def test_statements_of_the_embedded_store(paired: Paired, name: str) -> None:
    columns = {"hosts": ["name", "pages", "importance"]}.get(name.rpartition("/")[2], ["id", "url", "clicks", "title"])
    placed = {"columns": columns} if "{{columns}}" in _body(name) else {}
    values = {"lo": 2, "hi": 9} if "lo" in cypher.header(name).params else {}
    question = Question(cypher.statement(name, **placed), values, ordered="ORDER BY" in ON_LADYBUG[name])
    with paired(404) as ask:
        answer = ask(question, on_neo4j=ON_LADYBUG[name])
    assert answer.outcome is Outcome.SAME, str(answer)


def _values(name: str, seed: int, limit: int) -> list[dict[str, object]]:
    """Values for a statement's parameters: the first, some and an unknown page."""
    params = cypher.header(name).params
    pages = random_web(seed).graph.pages
    urls = [page["url"] for page in pages if page["url"]]
    hosts = sorted({page["host"] for page in pages if page["host"]})
    found = []
    for url, host, core in zip([*urls[:4], "http://nowhere"], [*hosts, *[hosts[0]] * 5], [1, 2, 1, 2, 9], strict=False):
        every: dict[str, object] = {"url": url, "host": host, "core": core, "limit": limit}
        found.append({key: every[key] for key in params})
    unique = {str(values): values for values in found}
    return list(unique.values())


def _body(name: str) -> str:
    return (cypher.files("cypher") / f"{name}.cypher").read_text(encoding="utf-8")
