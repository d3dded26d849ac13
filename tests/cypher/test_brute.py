"""The embedded store and a slow evaluator with a parser of its own give the same rows; no server is needed."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import pytest

from seedrank.core.errors import StoreError
from tests.cypher import brute
from tests.cypher.compare import Answer, Ask, Outcome, Question, is_refusal, judged
from tests.cypher.everyday import FAILING, everyday, everyday_web
from tests.cypher.generator import statement
from tests.cypher.graphs import Web, random_web
from tests.cypher.pair import embedded

SOME, MANY = 300, 20_000
MOST_REFUSED = 0.05
MOST_LEFT_OUT = 0.02


def answers(web: Web, questions: Sequence[Question], folder: Path) -> Iterator[Answer | None]:
    """What the embedded store says to each, held against the evaluator; `None` where that takes too long."""
    graph = brute.graph_of(web)
    with embedded(web, folder) as ask:
        for question in questions:
            try:
                yield _answer(question, graph, ask)
            except brute.Huge:
                yield None


def _answer(question: Question, graph: brute.Graph, ask: Ask) -> Answer:
    try:
        right = brute.answer(graph, question.text, question.parameters)
    except brute.Failed as failure:
        right, error = None, str(failure)
    try:
        found = ask(question.text, question.parameters)
    except StoreError as failure:
        if right is None:
            return Answer(Outcome.SAME, question, error=str(failure))
        return Answer(Outcome.REFUSED if is_refusal(failure) else Outcome.FAILED, question, right, error=str(failure))
    return Answer(Outcome.WRONG, question, None, found, error) if right is None else judged(question, right, found)


def check(found: Sequence[Answer | None]) -> None:
    """Nothing wrong, little refused, little left out."""
    given = [answer for answer in found if answer is not None]
    bad = [answer for answer in given if answer.outcome not in (Outcome.SAME, Outcome.REFUSED)]
    if bad:
        pytest.fail(f"{len(bad)} of {len(found)}:\n" + "\n".join(map(str, bad)), pytrace=False)
    counts = Counter(answer.outcome for answer in given)
    assert counts[Outcome.REFUSED] <= MOST_REFUSED * len(found)
    assert len(found) - len(given) <= MOST_LEFT_OUT * len(found)


def generated(first: int, count: int, webs: int, folder: Path) -> list[Answer | None]:
    """Answers to generated statements."""
    made = [statement(first + number) for number in range(count)]
    asked = [Question(str(one), one.parameters, one.ordered) for one in made]
    return [answer for web in range(webs) for answer in answers(random_web(first + web), asked[web::webs], folder)]


def test_generated_statements(tmp_path: Path) -> None:
    check(generated(2_000_000, SOME, 3, tmp_path))


@pytest.mark.deep
@pytest.mark.timeout(7200)
def test_many_generated_statements(tmp_path: Path) -> None:
    check(generated(3_000_000, MANY, 50, tmp_path))


@pytest.mark.long  # make test compares them with Neo4j
def test_everyday_statements(tmp_path: Path) -> None:
    check(list(answers(everyday_web(), everyday(), tmp_path)))


def test_what_fails(tmp_path: Path) -> None:
    for answer in answers(everyday_web(), [Question(text) for text in FAILING], tmp_path):
        assert answer is not None
        assert answer.outcome is Outcome.SAME, str(answer)
        assert answer.error


@pytest.mark.parametrize(
    ("text", "rows"),
    [
        ("RETURN 1 + 2 * 3 ^ 2 AS a, -7 / 2 AS b, -7 % 3 AS c", [(19.0, -3, -1)]),
        ("RETURN null = null AS a, NOT null AS b, null OR true AS c", [(None, None, True)]),
        ("UNWIND [3, null, 1] AS x RETURN x ORDER BY x DESC", [(None,), (3,), (1,)]),
        ("UNWIND [] AS x RETURN count(x) AS n, sum(x) AS s, max(x) AS m", [(0, 0, None)]),
        ("RETURN CASE WHEN null THEN 1 ELSE 2 END AS a", [(2,)]),
        ("MATCH (a:Page)-[:LINKS_TO]-(b:Page) RETURN a.id AS a, sum(b.id) AS b ORDER BY a", [(0, 1), (1, 2), (2, 1)]),
        ("MATCH (a:Page {id: 0})-[:LINKS_TO*0..2]->(b) RETURN b.id AS b ORDER BY b", [(0,), (1,), (2,)]),
        ("MATCH (a:Page {id: 0})-[:LINKS_TO*1..3]-(b) RETURN b.id AS b", [(1,), (2,)]),
        ("MATCH p = shortestPath((a {id: 0})-[:LINKS_TO*]-(b:Page {id: 2})) RETURN length(p) AS n", [(2,)]),
        ("MATCH (a:Page) OPTIONAL MATCH (a)-[r]->() RETURN a.id AS a, count(r) AS n ORDER BY a DESC LIMIT 1", [(2, 0)]),
        ("MATCH (a:Page) WHERE NOT (a)-->() RETURN a.id AS a", [(2,)]),
        ("MATCH (a:Page) RETURN COUNT { (a)--() } AS n, collect(a.id) AS l ORDER BY n DESC", [(2, (1,)), (1, (0, 2))]),
        ("RETURN 'a1' =~ '[a-z]' AS a, toString(1e10) AS b, round(-2.5) AS c", [(False, "1.0E10", -2.0)]),
    ],
)  # fmt: skip
def test_the_evaluator_by_hand(text: str, rows: list[tuple[Any, ...]]) -> None:
    graph = brute.Graph()
    pages = [graph.add("Page", {"id": number}) for number in range(3)]
    graph.join("LINKS_TO", pages[0], pages[1], {})
    graph.join("LINKS_TO", pages[1], pages[2], {})
    assert brute.answer(graph, text, {}) == rows
