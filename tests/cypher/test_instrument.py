"""The instrument itself: webs, statements and the comparison, without a server."""

from __future__ import annotations

import re
from decimal import Decimal
from pathlib import Path

import pytest

from seedrank.graphdb import open_store
from seedrank.graphdb.store import Database
from tests.cypher.compare import same_rows
from tests.cypher.generator import statement
from tests.cypher.graphs import random_web, write
from tests.cypher.grid import grid
from tests.cypher.statements import Match, Project, Statement, neo4j_is_wrong
from tests.stores import graphs as plain

SOME = [statement(number) for number in range(3_000)]

FORMS = {
    "a filter on a page and a link, then a hop": r"WHERE .*a\.status = .* AND r\.weight .*",
    "a map on a link after LIMIT": r"LIMIT \d+ MATCH \(p\)<?-\[r:LINKS_TO \{weight",
    "an aggregate of the top": r"WITH p ORDER BY [^R]* LIMIT \d+ RETURN (max|avg|sum|count|min|collect)\(",
    "SKIP, then an aggregate": r"SKIP \d+ RETURN (max|avg|sum|count|min|collect)\(",
    "ORDER BY with nulls and LIMIT": r"ORDER BY \w+\.(clicks|visits|score|title)( DESC)?, .* LIMIT",
    "COUNT compared with 0": r"WHERE .*COUNT \{ [^}]* \} = 0",
    "an aggregate of COUNT": r"(sum|max|min|avg)\(COUNT \{",
    "a null test in an aggregate of COUNT": r"sum\(COUNT \{ [^}]* IS NULL \}\)",
    "a null test of an outer variable in EXISTS": r"EXISTS \{ MATCH \(p\)[^}]* WHERE p\.\w+ IS (NOT )?NULL",
    "a null test of an outer variable in CASE": r"EXISTS \{ [^}]*CASE WHEN p\.\w+ IS",
    "a null test of an outer variable in OPTIONAL MATCH": r"OPTIONAL MATCH [^R]* WHERE p\.\w+ IS NULL RETURN",
    "a function of a missing value": r"OPTIONAL MATCH .* RETURN count\(replace\(q\.status",
    "a CASE in a CASE": r"CASE (?:(?!END).)*CASE",
    "substring past the end": r"substring\(\w+\.title, (0, 20|2)\)",
    "NOT IN with a null": r"NOT [\w.]+ IN \[[^]]*null\]",
    "a link of several hops": r"\*1\.\.2\]",
    "several types": r"LINKS_TO\|CO_CITED",
    "an undirected link": r"\w?\)-\[\w*:LINKS_TO\]-\(",
    "UNION": r" UNION MATCH",
    "UNION ALL": r" UNION ALL ",
    "UNWIND": r"^UNWIND \[",
    "a parameter": r"\$p0",
    "DISTINCT": r"RETURN DISTINCT",
    "WHERE after WITH": r"WITH [^M]* WHERE",
    "a collected list": r"collect\(DISTINCT",
    "a shortest path": r"shortestPath\(",
    "all shortest paths": r"allShortestPaths\(",
    "a path with a name": r"path = \(a:Page \{id: \d\}\)-\[",
    "no hop, or some": r"\*0\.\.2\]",
    "a sum of CASE": r"sum\(CASE WHEN",
    "a regular expression": r"=~ '",
    "an integer near the end of 64 bits": r"92233720368547758\d\d",
    "a page of rows with ties": r"RETURN p\.\w+ AS k ORDER BY k( DESC)? SKIP \d+ LIMIT",
    "a list comprehension": r"\[x IN ",
    "a pattern comprehension": r"\[\(p\)-\[",
    "a subquery": r"CALL \{ WITH p",
    "a date": r"date\('",
    "a triangle": r"\(p:Page\)-\[r:LINKS_TO\]->\(q:Page\)-\[s:LINKS_TO\]->\(p\)",
}


@pytest.mark.parametrize("form", FORMS)
def test_every_form_occurs(form: str) -> None:
    assert any(re.search(FORMS[form], str(made)) for made in SOME)


def test_statements_are_the_same_for_the_same_number() -> None:
    assert [str(statement(number)) for number in range(50)] == [str(made) for made in SOME[:50]]
    assert len({str(made) for made in SOME}) > 2_800


@pytest.mark.parametrize(
    ("clauses", "wrong"),
    [
        ([Match(("(p)-->(q)",), ("COUNT { MATCH (p) } >= 0",), optional=True), Project(("p",))], True),
        ([Match(("(p)-->(q)",), ("COUNT { MATCH (p) } >= 0",)), Project(("p",))], False),
        ([Project(("x",), "WITH", order=("x DESC",), cut="LIMIT 5"), Project(("max(x) AS m",))], True),
        ([Project(("x",), "WITH", order=("x DESC",), cut="LIMIT 5"), Project(("max(x) AS m", "count(*) AS n"))], False),
        ([Project(("x",), "WITH", order=("x",), cut="LIMIT 5"), Project(("max(x) AS m",))], False),
    ],
)
def test_what_neo4j_answers_wrongly_is_known(clauses: list[Match | Project], wrong: bool) -> None:
    assert neo4j_is_wrong(Statement((tuple(clauses),))) is wrong


def test_what_neo4j_answers_wrongly_is_left_out() -> None:
    assert not any(map(neo4j_is_wrong, SOME))


def test_the_grid_is_large_and_without_repeats() -> None:
    texts = [question.text for question in grid()]
    assert 1_250 <= len(texts) <= 1_400
    assert len(set(texts)) == len(texts)
    for hops in (1, 2, 3):
        assert sum(text.rpartition("MATCH")[2].count("]-") == hops for text in texts) > 100


def test_a_smaller_statement_has_less() -> None:
    for made in SOME[:200]:
        assert all(len(str(part)) < len(str(made)) for part in made.smaller())


def test_webs_have_what_breaks_engines(tmp_path: Path) -> None:
    webs = [random_web(seed) for seed in range(30)]
    pages = [page for web in webs for page in web.graph.pages]
    for column in ("clicks", "visits", "title", "good"):
        values = {page[column] for page in pages}
        assert None in values
        assert len(values) < len(pages) / 2
    assert min(page["visits"] or 0 for page in pages) < 0
    for web in webs:
        ends = [(link["source"], link["target"]) for link in web.graph.links]
        assert len(set(ends)) == len(ends)
        assert all(source != target for source, target in ends)
    store = open_store(str(tmp_path / "web.duckdb"), create=True)
    assert isinstance(store, Database)
    write(webs[0], store)
    assert plain.read(store).pages == plain.plain(webs[0].graph).pages
    store.close()


@pytest.mark.parametrize(
    ("right", "found", "same"),
    [
        ([(1,), (2,)], [(2,), (1,)], True),
        ([(1,), (1,), (2,)], [(1,), (2,), (2,)], False),
        ([(0.1 + 0.2,)], [(0.3,)], True),
        ([(1,)], [(1.0,)], True),
        ([(1,)], [(True,)], False),
        ([(1,)], [("1",)], False),
        ([(0,)], [(None,)], False),
        ([(None, 1)], [(None, 1)], True),
        ([], [(None,)], False),
        ([(2**60,)], [(2**60 + 1,)], False),
        ([("é",)], [("e",)], False),
    ],
)
def test_same_rows(right: list[tuple[object, ...]], found: list[tuple[object, ...]], same: bool) -> None:
    assert same_rows(right, found, ordered=False, collects=False) is same


def test_order_and_lists_count_where_they_are_given() -> None:
    assert not same_rows([(1,), (2,)], [(2,), (1,)], ordered=True, collects=False)
    assert not same_rows([((1, 2),)], [((2, 1),)], ordered=False, collects=False)
    assert same_rows([((1, 2),)], [((2, 1),)], ordered=False, collects=True)
    assert not same_rows([((1, 2, 2),)], [((2, 1, 1),)], ordered=False, collects=True)


def test_decimals_are_numbers() -> None:
    from tests.cypher.compare import _plain

    assert (_plain(Decimal("24")), _plain(Decimal("0.5"))) == (24, 0.5)
