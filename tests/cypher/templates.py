"""Everyday questions with places to fill, most of them of the forms the embedded engine answers wrongly as they are."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from tests.cypher.expressions import braces, condition, expression
from tests.cypher.scope import FLOAT, INT, TEXT, Scope
from tests.cypher.statements import Clause, Match, Project, Statement, Unwind

_PAGE_NUMBERS = ("p.clicks", "p.visits", "p.id", "p.spam")


def any_template(scope: Scope) -> Statement:
    """One of all."""
    return scope.rng.choice(TEMPLATES)(scope)


def _one(*clauses: Clause) -> Statement:
    return Statement((clauses,))


def _where(scope: Scope, most: int = 2, depth: int = 1, *, optional: bool = False) -> tuple[str, ...]:
    scope = replace(scope, counts=not optional)
    return tuple(condition(scope, depth) for _ in range(scope.rng.randint(0, most)))


def _filters_and_hops(scope: Scope) -> Statement:
    """A filter on a page and on a link, then another hop."""
    scope.kinds |= {"a": "Page", "r": "LINKS_TO", "b": "Page"}
    last = scope.rng.choice(
        ("-[:`ON`]->(h:Host)", "-[s:LINKS_TO]->(c:Page)", "<-[s:LINKS_TO]-(c:Page)", "<-[:RESULT]-(q:`Query`)")
    )
    status = f"a.status = {scope.literal('crawled')}"
    weight = f"r.weight {scope.rng.choice(('=', '>', '<='))} {scope.literal(1.0)}"
    more = _where(scope, 1, 0)
    returned = scope.rng.choice(
        ("count(*) AS n", "a.id, b.id, r.weight", "a.id AS id, count(*) AS n", "sum(r.weight) AS w")
    )
    return _one(Match((f"(a:Page)-[r:LINKS_TO]->(b:Page){last}",), (status, weight, *more)), Project((returned,)))


def _map_after_limit(scope: Scope) -> Statement:
    """A property map on a link after WITH … LIMIT."""
    rng = scope.rng
    few = Project(("p",), "WITH", False, (f"{rng.choice(_PAGE_NUMBERS)} DESC", "p.id"), f"LIMIT {rng.randint(1, 9)}")
    scope.kinds |= {"p": "Page"}
    first = Match(("(p:Page)",), _where(scope, 1, 0))
    scope.kinds |= {"q": "Page", "r": "LINKS_TO"}
    way = rng.choice(
        (
            "(p)-[r:LINKS_TO {weight: 1.0}]->(q:Page)",
            "(p)<-[r:LINKS_TO {weight: 2.0}]-(q:Page)",
            "(p)-[r:LINKS_TO]->(q:Page {status: 'crawled'})",
        )
    )
    return _one(
        first,
        few,
        Match((way,), _where(scope, 1)),
        Project((rng.choice(("count(*) AS n", "p.id, q.id", "p.id AS id, count(q) AS n")),)),
    )


def _aggregate_of_the_top(scope: Scope) -> Statement:
    """WITH p ORDER BY … LIMIT n, then an aggregate or DISTINCT."""
    rng = scope.rng
    scope.kinds |= {"p": "Page"}
    clauses: list[Clause] = [Match(("(p:Page)",), _where(scope, 1))]
    cut = rng.choice((f"LIMIT {rng.randint(1, 9)}", f"SKIP {rng.randint(1, 5)}", f"SKIP 1 LIMIT {rng.randint(1, 5)}"))
    kept = rng.choice((("p",), ("p.clicks AS clicks", "p.id AS id"), ("p", "p.visits AS visits")))
    by, key = (rng.choice(_PAGE_NUMBERS), "p.id") if kept[0] == "p" else ("clicks", "id")
    clauses.append(Project(kept, "WITH", False, (f"{by}{rng.choice((' DESC', ''))}", key), cut))
    if kept[0] != "p":
        returned = rng.choice(
            (
                "max(clicks) AS m",
                "avg(clicks) AS m",
                "sum(id) AS m, count(*) AS n",
                "DISTINCT clicks",
                "collect(id) AS ids",
            )
        )
    else:
        returned = rng.choice(
            (
                "max(p.clicks) AS m",
                "avg(p.clicks) AS m",
                "sum(p.visits) AS m",
                "count(p.title) AS m",
                "min(p.id) AS m, max(p.id) AS n",
                "DISTINCT p.status",
                "DISTINCT p.lang AS lang",
                "count(DISTINCT p.lang) AS n",
                "p.status, count(*) AS n",
                "collect(p.id) AS ids",
            )
        )
    return _one(*clauses, Project((returned,)))


def _counted(scope: Scope) -> Statement:
    """COUNT { … } compared, summed, with a null test inside."""
    rng = scope.rng
    scope.kinds |= {"p": "Page"}
    counted = f"COUNT {braces(scope)}"
    roll = rng.random()
    if roll < 0.4:
        where = (f"{counted} {rng.choice(('=', '>', '<', '>='))} {rng.choice((0, 0, 1, 2))}",)
        returned = rng.choice(("count(*) AS n", "p.id", "p.status, count(*) AS n"))
        return _one(Match(("(p:Page)",), (*where, *_where(scope, 1, 0))), Project((returned,)))
    if roll < 0.7:
        word = rng.choice(("sum", "max", "min", "avg"))
        return _one(Match(("(p:Page)",), _where(scope, 1, 0)), Project((f"{word}({counted}) AS m",)))
    if roll < 0.85:
        inside = rng.choice(("p.score IS NULL", "q.score IS NULL", "p.clicks IS NOT NULL", "q.lang IS NULL"))
        text = f"COUNT {{ MATCH (p)-[:LINKS_TO]->(q:Page) WHERE {inside} }}"
        return _one(Match(("(p:Page)",)), Project((rng.choice((f"sum({text}) AS m", f"p.id, {text} AS n")),)))
    items = ("p.id AS id", f"{counted} AS n")
    return _one(Match(("(p:Page)",), _where(scope, 1, 0)), Project(items, order=("n DESC", "id"), cut="LIMIT 5"))


def _null_test_outside(scope: Scope) -> Statement:
    """EXISTS, COUNT or OPTIONAL MATCH with a null test of an outer variable."""
    rng = scope.rng
    scope.kinds |= {"p": "Page"}
    test = f"p.{rng.choice(('clicks', 'title', 'score', 'good', 'url'))} IS {rng.choice(('', 'NOT '))}NULL"
    inner = f"(p){rng.choice(('-[:LINKS_TO]->', '<-[:LINKS_TO]-'))}(q:Page)"
    roll = rng.random()
    if roll < 0.3:
        return _one(
            Match(("(p:Page)",), (f"{rng.choice(('', 'NOT '))}EXISTS {{ MATCH {inner} WHERE {test} }}",)),
            Project(("p.id",)),
        )
    if roll < 0.45:
        case = f"CASE WHEN {test} THEN 1 ELSE 0 END = 1"
        return _one(Match(("(p:Page)",), (f"EXISTS {{ MATCH {inner} WHERE {case} }}",)), Project(("count(*) AS n",)))
    if roll < 0.75:
        returned = rng.choice((("p.id", "q.id"), ("p.id AS id", "count(q) AS n"), ("count(q) AS n",)))
        return _one(Match(("(p:Page)",)), Match((inner,), (test,), optional=True), Project(returned))
    return _one(Match(("(p:Page)",)), Project(("p.id", f"COUNT {{ MATCH {inner} WHERE {test} }} AS n")))


def _functions_of_missing(scope: Scope) -> Statement:
    """Functions of a value that may be missing, after OPTIONAL MATCH."""
    rng = scope.rng
    call = rng.choice(
        (
            "replace(q.status, 'a', 'o')",
            "substring(q.status, 0, 3)",
            "toUpper(q.status)",
            "left(q.title, 2)",
            "size(q.title)",
            "trim(q.lang)",
            "coalesce(q.visits, 0)",
            "q.visits + 1",
            "q.title + 'x'",
            "reverse(q.lang)",
            "abs(q.visits)",
            "q.weight",
        )
    )
    if call == "q.weight":
        call = "r.weight"
    word = rng.choice(("count", "count", "count(DISTINCT", "collect", "min", ""))
    item = f"{word} {call})" if word.endswith("DISTINCT") else f"{word}({call})"
    returned = (f"{item} AS m",) if word else ("p.id", f"{call} AS m")
    scope.kinds |= {"p": "Page"}
    first = Match((rng.choice(("(p:Page)", "(p:Page {status: 'crawled'})")),), _where(scope, 1, 0))
    scope.kinds |= {"q": "Page", "r": "LINKS_TO"}
    then = Match(
        (f"(p){rng.choice(('-[r:LINKS_TO]->', '<-[r:LINKS_TO]-'))}(q:Page)",),
        _where(scope, 1, 0, optional=True),
        optional=True,
    )
    return _one(first, then, Project(returned))


def _nested_case(scope: Scope) -> Statement:
    """A CASE in a CASE, substring past the end, NOT … IN with a null."""
    rng = scope.rng
    roll = rng.random()
    if roll < 0.4:
        inner = "CASE WHEN p.visits > 1 THEN 'many' ELSE 'few' END"
        outer = f"CASE WHEN p.clicks > 0 THEN {inner} ELSE 'none' END"
        return _one(Match(("(p:Page)",)), Project((f"{outer} AS size", "count(*) AS n")))
    if roll < 0.7:
        call = rng.choice(
            ("substring(p.title, 0, 20)", "substring(p.title, 2)", "substring(p.title, 1, 3)", "right(p.title, 30)")
        )
        return _one(
            Match(("(p:Page)",), (rng.choice(("p.title IS NOT NULL", "p.id >= 0")),)),
            Project(("p.id", f"{call} AS part")),
        )
    values = scope.rng.choice(("[1, null]", "[null]", "[0, 2, null]"))
    return _one(
        Match(("(p:Page)",), (f"{rng.choice(('NOT ', ''))}p.visits IN {values}",)),
        Project((rng.choice(("p.id", "count(*) AS n")),)),
    )


def _by_degree(scope: Scope) -> Statement:
    """Pages or hosts by how many links they have."""
    rng = scope.rng
    scope.kinds |= {"p": "Page", "q": "Page", "r": "LINKS_TO"}
    way = rng.choice(
        ("(p:Page)-[r:LINKS_TO]->(q:Page)", "(p:Page)<-[r:LINKS_TO]-(q:Page)", "(p:Page)-[r:LINKS_TO]-(q:Page)")
    )
    measured = rng.choice(("count(*)", "count(DISTINCT q.lang)", "sum(r.weight)", "max(r.weight)", "min(r.weight)"))
    clauses: list[Clause] = [Match((way,), _where(scope))]
    if rng.random() < 0.5:
        clauses.append(Project(("p", f"{measured} AS m"), "WITH", where=(f"m > {rng.choice((0, 1, 2))}",)))
        return _one(*clauses, Project(("p.id AS id", "m"), order=("m DESC", "id"), cut="LIMIT 6"))
    return _one(
        *clauses, Project(("p.id AS id", f"{measured} AS m"), order=("m DESC", "id"), cut=f"LIMIT {rng.randint(1, 9)}")
    )


def _hosts(scope: Scope) -> Statement:
    """Links between hosts."""
    rng = scope.rng
    scope.kinds |= {"h": "Host", "p": "Page", "r": "LINKS_TO", "q": "Page", "i": "Host"}
    asked = Match(("(h:Host)<-[:`ON`]-(p:Page)-[r:LINKS_TO]->(q:Page)-[:`ON`]->(i:Host)",), _where(scope))
    items = rng.choice(
        (("h.name AS a", "i.name AS b", "count(*) AS n"), ("h.name AS a", "i.name AS b", "sum(r.weight) AS n"))
    )
    return _one(asked, Project(items, order=("n DESC", "a", "b"), cut=f"LIMIT {rng.randint(2, 9)}"))


def _missing(scope: Scope) -> Statement:
    """Pages without something."""
    rng = scope.rng
    scope.kinds |= {"p": "Page"}
    gone = rng.choice(
        ("(p)-[:LINKS_TO]->(:Page)", "(:Page)-[:LINKS_TO]->(p)", "(p)-[:`ON`]->(:Host)", "(:`Query`)-[:RESULT]->(p)")
    )
    without = rng.choice(
        (f"NOT EXISTS {{ MATCH {gone} }}", f"NOT {gone}", f"NOT EXISTS {{ {gone} }}", f"COUNT {{ {gone} }} = 0")
    )
    where = [*_where(scope, 1), without]
    rng.shuffle(where)
    return _one(
        Match(("(p:Page)",), tuple(where)),
        Project((rng.choice(("p.id", "count(*) AS n", "p.status, count(*) AS n", "p")),)),
    )


def _unwound(scope: Scope) -> Statement:
    """Pages from a list of ids."""
    rng = scope.rng
    ids = scope.literal([rng.randint(0, 20) for _ in range(rng.randint(1, 5))])
    scope.kinds |= {"p": "Page", "x": INT}
    clauses: list[Clause] = [Unwind(f"{ids} AS x"), Match(("(p:Page {id: x})",))]
    if rng.random() < 0.6:
        scope.kinds |= {"q": "Page", "r": "LINKS_TO"}
        optional = rng.random() < 0.5
        clauses.append(Match(("(p)-[r:LINKS_TO]->(q:Page)",), _where(scope, optional=optional), optional))
        return _one(*clauses, Project(rng.choice((("x", "count(q) AS n"), ("x", "q.id"), ("x", "sum(r.weight) AS w")))))
    return _one(*clauses, Project(("x", f"{expression(scope, rng.choice((INT, FLOAT, TEXT)), 2)} AS v")))


def _optional_filters(scope: Scope) -> Statement:
    """OPTIONAL MATCH with filters on both sides, counted."""
    rng = scope.rng
    scope.kinds |= {"p": "Page"}
    first = Match(("(p:Page)",), _where(scope, 2))
    scope.kinds |= {"q": "Page", "r": "LINKS_TO"}
    tail = rng.choice(("", "", "-[:`ON`]->(h:Host)", "-[s:LINKS_TO]->(c:Page)"))
    then = Match((f"(p)-[r:LINKS_TO]->(q:Page){tail}",), _where(scope, 2, optional=True), optional=True)
    items = rng.choice(
        (("p.id AS id", "count(q) AS n"), ("p.id AS id", "sum(r.weight) AS n"), ("p.id AS id", "q.id AS n"))
    )
    if items[1] == "q.id AS n":
        return _one(first, then, Project(items))
    return _one(first, then, Project(items, order=("n DESC", "id"), cut="LIMIT 8"))


def _paths(scope: Scope) -> Statement:
    """Neighbourhoods by variable length, and paths."""
    rng = scope.rng
    start = rng.randint(0, 8)
    far = rng.choice(("*1..2", "*1..2", "*1..3", "*2..2", "*0..2"))
    scope.kinds |= {"b": "Page"}
    where = _where(scope, 1, 0)
    if rng.random() < 0.4:
        asked = Match((f"path = (a:Page {{id: {start}}})-[:LINKS_TO{far}]->(b:Page)",), where)
        return _one(
            asked,
            Project(
                (
                    rng.choice(
                        (
                            "length(path) AS n, count(*) AS k",
                            "b.id, length(path) AS n",
                            "path",
                            "[x IN nodes(path) | x.id] AS ids",
                        )
                    ),
                )
            ),
        )
    asked = Match((f"(a:Page {{id: {start}}})-[:LINKS_TO{far}]->(b:Page)",), where)
    return _one(
        asked,
        Project(
            (rng.choice(("count(*) AS n", "DISTINCT b.id", "b.id AS id, count(*) AS n", "count(DISTINCT b) AS n")),)
        ),
    )


def _odds(scope: Scope) -> Statement:
    """What people write that the embedded engine spells otherwise."""
    rng = scope.rng
    items = rng.choice(
        (
            ("labels(p) AS l", "count(*) AS n"),
            ("toString(p.id) AS t",),
            ("p.id", "p.title + '!' AS t"),
            ("p {.id, .status} AS m",),
            ("toInteger(p.clicks) AS n",),
            ("toFloat(p.visits) AS n",),
            ("p.id", "split(p.url, '/') AS parts"),
            ("p.id", "round(p.score) AS r"),
            ("p.id", "size([x IN [1, 2, 3] WHERE x > p.visits]) AS n"),
            ("head(collect(p.id)) IS NULL AS e",),
            ("p.id", "[p.id, p.visits][0] AS v"),
            ("p.id", "sign(p.visits) AS s"),
            ("p.id", "p.visits ^ 2 AS s"),
            ("p.id", "log(p.id + 1) AS s"),
            ("p.id", "exp(p.spam) AS s"),
        )
    )
    return _one(Match(("(p:Page)",)), Project(items))


def _anchors(scope: Scope) -> Statement:
    """Texts of links, also in a triangle."""
    rng = scope.rng
    scope.kinds |= {"p": "Page", "q": "Page", "r": "LINKS_TO"}
    way = rng.choice(
        (
            "(p:Page)-[r:LINKS_TO]->(q:Page)",
            "(p:Page)-[r:LINKS_TO]->(q:Page)-[:`ON`]->(h:Host)",
            "(p:Page)-[r:LINKS_TO]->(q:Page)-[:`ON`]->(h:Host)<-[:`ON`]-(p)",
            "(p:Page)-[r:LINKS_TO]->(q:Page)-[s:LINKS_TO]->(p)",
        )
    )
    items = rng.choice((("p.id", "q.id", "r.anchors"), ("p.id", "r"), ("size(r.anchors) AS n", "count(*) AS k")))
    return _one(Match((way,), _where(scope, 2, 0)), Project(items))


def _one_host(scope: Scope) -> Statement:
    """A host, its pages and the links among them."""
    rng = scope.rng
    scope.kinds |= {"h": "Host", "p": "Page"}
    first = Match(("(h:Host)<-[o:`ON`]-(p:Page)",), _where(scope, 1, 0))
    scope.kinds |= {"q": "Page", "r": "LINKS_TO"}
    then = Match(
        ("(p)-[r:LINKS_TO]->(q:Page)-[:`ON`]->(h)",), _where(scope, 1, 0, optional=True), optional=rng.random() < 0.6
    )
    return _one(
        first,
        then,
        Project(rng.choice((("h.name", "p.id", "q.id"), ("h.name", "count(q) AS n"), ("p.id", "r", "q.id")))),
    )


TEMPLATES: list[Callable[[Scope], Statement]] = [
    *[_filters_and_hops, _map_after_limit, _aggregate_of_the_top, _counted, _null_test_outside, _functions_of_missing]
    * 2,
    *[_by_degree, _hosts, _missing, _optional_filters] * 2,
    *[_nested_case, _unwound, _paths, _odds, _anchors, _one_host],
]
