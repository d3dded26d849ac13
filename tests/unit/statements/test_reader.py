"""Reading statements: expressions bind as openCypher has them; what cannot be read is refused with its place."""

from __future__ import annotations

import pytest

from seedrank.graphdb.statements import Refused, read
from seedrank.graphdb.statements.cursor import Cursor
from seedrank.graphdb.statements.expressions import expression
from seedrank.graphdb.statements.tokens import tokens
from seedrank.graphdb.statements.tree import Projection, Tree


def tree(text: str) -> Tree:
    return expression(Cursor(text, tokens(text)))


@pytest.mark.parametrize(
    ("text", "meaning"),
    [
        ("1 + 2 * 3", "1 + (2 * 3)"),
        ("1 - 2 - 3", "(1 - 2) - 3"),
        ("-2 ^ 2", "(-2) ^ 2"),
        ("2 ^ 3 ^ 2", "(2 ^ 3) ^ 2"),
        ("NOT a = b AND c OR d XOR e", "((NOT (a = b)) AND c) OR (d XOR e)"),
        ("a < b <= c", "(a < b) AND (b <= c)"),
        ("NOT x IN [1, 2]", "NOT (x IN [1, 2])"),
        ("NOT a.b IS NOT NULL", "NOT (a.b IS NOT NULL)"),
        ("a.b STARTS WITH 'x' + 'y'", "a.b STARTS WITH ('x' + 'y')"),
        ("a<-1", "a < (-1)"),
        ("(a) - (b)", "a - b"),
        ("0x1F + $p", "31 + $p"),
        ("(a)-[:L]->(b)", "EXISTS { (a)-[:L]->(b) }"),
        ("exists((a)--(b))", "EXISTS { MATCH (a)--(b) }"),
        ("`a b`.`c``d`", "(`a b`).`c``d`"),
        ("[x IN xs WHERE x > 1]", "[x IN (xs) WHERE (x > 1)]"),
        ("[(a)-->(b) | b.c]", "[(a)-->(b) | (b.c)]"),
        ("a:B|C", "a:(B|C)"),
        ("a:B:C", "a:B&C"),
        ("p {.a, .*, b: 1, c}", "p {.a, .*, b: (1), c: c}"),
    ],
)
def test_expressions_bind_as_they_should(text, meaning):
    assert tree(text) == tree(meaning)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("a - b", "b - a"),
        ("a:B|C", "a:B&C"),
        ("[x IN xs | x]", "[x IN xs]"),
        ("count(a)", "count(DISTINCT a)"),
        ("a[1]", "a[1..]"),
        ("(a)-->(b)", "(a)<--(b)"),
    ],
)
def test_what_means_something_else_is_another_tree(one, other):
    assert tree(one) != tree(other)


@pytest.mark.parametrize(
    ("text", "place"),
    [
        (
            "MATCH (p:Page) RETRUN p",
            "line 1, column 16: a clause such as MATCH, WITH or RETURN is expected, found 'RETRUN'",
        ),
        ("MATCH (p:Page\nRETURN p", "line 2, column 1: ) is expected, found 'RETURN'"),
        ("MATCH (p) RETURN", "line 1, column 17: a value is expected, found the end"),
        ("MATCH (p)\nSET p.x = 1", "line 2, column 1: SET changes the graph, and Cypher only reads an embedded store"),
        ("MATCH ((a)-->(b)){1,2} RETURN a", "line 1, column 8: a quantified path"),
        ("MATCH p = SHORTEST 2 (a)-->+(b) RETURN p", "several shortest paths"),
        ("RETURN 1 RETURN 2 UNION RETURN 3 UNION ALL RETURN 4", "UNION and UNION ALL cannot be mixed"),
        ("RETURN 9223372036854775808", "beyond 64 bits"),
        (f"RETURN {'(' * 60}1{')' * 60}", "nested more than 40 deep"),
        ("RETURN $", "'$' does not belong in a statement"),
    ],
)
def test_what_cannot_be_read_is_refused_with_its_place(text, place):
    with pytest.raises(Refused) as caught:
        read(text, tokens(text))
    assert place in str(caught.value)


def test_columns_keep_the_text_they_were_written_with():
    statement = read("RETURN a.b  + 1, count( * ) AS n", tokens("RETURN a.b  + 1, count( * ) AS n"))
    (projection,) = statement.queries[0].clauses
    assert isinstance(projection, Projection)
    assert [item.column for item in projection.items] == ["a.b  + 1", "n"]
