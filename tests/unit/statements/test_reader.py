"""Reading statements: what is read means the same when it is written out; what is not is refused with its place."""

from __future__ import annotations

from dataclasses import replace

import pytest

from graphdb.statements import Refused, read, statement_text
from graphdb.statements.cursor import Cursor
from graphdb.statements.expressions import expression
from graphdb.statements.text import expression_text
from graphdb.statements.tokens import tokens
from graphdb.statements.tree import Projection, ProjectionItem, Statement, rebuilt
from tests.cypher.generator import statement as generated


def tree(text: str) -> Statement:
    """A statement without what only its writing decides."""

    def bare(part):
        return replace(part, text="") if isinstance(part, ProjectionItem) else part

    return replace(rebuilt(read(text, tokens(text)), bare), source="")


def written(text: str) -> str:
    return expression_text(expression(Cursor(text, tokens(text))))


@pytest.mark.parametrize(
    ("text", "meaning"),
    [
        ("1 + 2 * 3", "(1 + (2 * 3))"),
        ("1 - 2 - 3", "((1 - 2) - 3)"),
        ("-2 ^ 2", "((- 2) ^ 2)"),
        ("2 ^ 3 ^ 2", "((2 ^ 3) ^ 2)"),
        ("NOT a = b AND c OR d XOR e", "(((NOT (`a` = `b`)) AND `c`) OR (`d` XOR `e`))"),
        ("a < b <= c", "((`a` < `b`) AND (`b` <= `c`))"),
        ("NOT x IN [1, 2]", "(NOT (`x` IN [1, 2]))"),
        ("a.b IS NOT NULL", "(`a`.`b` IS NOT NULL)"),
        ("a.b STARTS WITH 'x' + 'y'", "(`a`.`b` STARTS WITH ('x' + 'y'))"),
        ("a<-1", "(`a` < (- 1))"),
        ("(a) - (b)", "(`a` - `b`)"),
        ("CASE a WHEN 1 THEN 'x' ELSE 'y' END", "(CASE `a` WHEN 1 THEN 'x' ELSE 'y' END)"),
        ("count(DISTINCT a.b)", "count(DISTINCT `a`.`b`)"),
        ("0x1F + $p", "(31 + $p)"),
        ("(a)-[:L]->(b)", "EXISTS { MATCH (`a`)-[:`L`]->(`b`) }"),
        ("exists((a)--(b))", "EXISTS { MATCH (`a`)-[]-(`b`) }"),
        ("COUNT { (a)<-[r:X|Y*1..2 {w: 1}]-(:B) WHERE r.w > 2 }",
         "COUNT { MATCH (`a`)<-[`r`:`X`|`Y`* TRAIL 1..2 {`w`: 1}]-(:`B`) WHERE (`r`.`w` > 2) }"),
        ("`a b`.`c``d`", "`a b`.`c``d`"),
        ("cast(a AS INT64)", "cast(`a` AS INT64)"),
        ("[1, 2][0] + {k: 1}.k", "([1, 2][0] + {`k`: 1}.`k`)"),
        ("any(x IN list WHERE x > 1)", "any(`x` IN `list` WHERE (`x` > 1))"),
    ],
)  # fmt: skip
def test_expressions(text, meaning):
    assert written(text) == meaning
    assert written(meaning) == meaning


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(400))
def test_what_is_read_is_the_same_when_it_is_written_and_read_again(seed):
    text = str(generated(seed))
    try:
        first = tree(text)
    except Refused:
        return
    assert tree(statement_text(first)) == first


@pytest.mark.parametrize(
    ("text", "place"),
    [
        (
            "MATCH (p:Page) RETRUN p",
            "line 1, column 16: a clause such as MATCH, WITH or RETURN is expected, found 'RETRUN'",
        ),
        ("MATCH (p:Page\nRETURN p", "line 2, column 1: ) is expected, found 'RETURN'"),
        ("MATCH (p) RETURN", "line 1, column 17: a value is expected, found the end"),
        ("RETURN [x IN [1] | x]", "line 1, column 18: list comprehensions"),
        ("MATCH (p) RETURN p {.id}", "line 1, column 20: list comprehensions, map projections"),
        ("CALL { RETURN 1 AS x } RETURN x", "line 1, column 6: CALL { } is not known"),
        ("MATCH (p:A|B) RETURN p", "line 1, column 11: a node has one label here"),
        ("RETURN 1 RETURN 2 UNION RETURN 3 UNION ALL RETURN 4", "UNION and UNION ALL cannot be mixed"),
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
