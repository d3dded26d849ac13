"""A statement is answered as Neo4j answers it, or refused: never wrongly."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from seedrank import cypher
from tests.cypher.compare import Answer, Outcome, Question
from tests.cypher.conftest import Paired
from tests.cypher.everyday import EVERYDAY, FAILING, everyday
from tests.cypher.generator import statement
from tests.cypher.graphs import random_web
from tests.cypher.grid import grid
from tests.few import one_of_each

GENERATED, DEEP = 3_000, 20_000
MOST_REFUSED = 0.05
WEBS = 5
NOT_THE_SAME = [outcome for outcome in Outcome if outcome is not Outcome.SAME]
FIXED = [name for name in cypher.names() if cypher.header(name).store == "both"]

_ONE_OF_SEVERAL = "RETURN length(path) AS hops, seed.id AS seed\nORDER BY"
"""In place of a shortest path, of which there may be several."""


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
    """Nothing wrong, nothing that the database stumbles over, little refused."""
    expect_none(answers, Outcome.INVALID, Outcome.WRONG, Outcome.FAILED)
    if sum(answer.outcome is Outcome.REFUSED for answer in answers) > MOST_REFUSED * len(answers):
        expect_none(answers, Outcome.REFUSED)


@pytest.mark.cypher
@pytest.mark.timeout(3600)
def test_the_grid(paired: Paired) -> None:
    answers = ask_all(grid(), paired, 100)
    expect_none(answers, *NOT_THE_SAME)


@pytest.mark.cypher
@pytest.mark.timeout(3600)
def test_generated_statements(paired: Paired) -> None:
    check(ask_all(generated(GENERATED), paired, 200))


@pytest.mark.deep
@pytest.mark.timeout(7200)
def test_many_generated_statements(paired: Paired) -> None:
    check(ask_all(generated(DEEP, first=1_000_000), paired, 300, webs=40))


def test_everyday_statements(paired: Paired) -> None:
    check(ask_all(everyday(), paired, EVERYDAY, webs=1))


def test_what_fails_on_neo4j_fails(paired: Paired) -> None:
    with paired(EVERYDAY) as ask:
        answers = [ask(Question(text)) for text in FAILING]
    assert all(answer.error for answer in answers), "Neo4j answers one of them"
    expect_none(answers, *NOT_THE_SAME)


@pytest.mark.parametrize("seed", one_of_each([401, 402, 403]))
def test_fixed_statements(paired: Paired, seed: int) -> None:
    asked = []
    for name in FIXED:
        text = cypher.statement(name).replace("RETURN path\nORDER BY", _ONE_OF_SEVERAL)
        # Without an order all rows are compared.
        ordered = "ORDER BY" in text
        limits = (3, 1000) if ordered else (1000,)
        asked += [Question(text, values, ordered) for limit in limits for values in _values(name, seed, limit)]
    with paired(seed) as ask:
        answers = [ask(question) for question in asked]
    expect_none(answers, *NOT_THE_SAME)


def _values(name: str, seed: int, limit: int) -> list[dict[str, object]]:
    """Values for a statement's parameters: the first, some and an unknown page."""
    params = cypher.header(name).params
    pages = random_web(seed).graph.pages
    urls = [page["url"] for page in pages if page["url"]]
    hosts = sorted({page["host"] for page in pages if page["host"]})
    found = []
    for url, host, core in zip([*urls[:4], "http://nowhere"], [*hosts, *[hosts[0]] * 5], [1, 2, 1, 2, 9], strict=False):
        every: dict[str, object] = {
            "url": url,
            "source": urls[-1],  # not among the targets: Neo4j knows no shortest path from a page to itself
            "target": url,
            "host": host,
            "core": core,
            "limit": limit,
        }
        found.append({key: every[key] for key in params})
    unique = {str(values): values for values in found}
    return list(unique.values())
