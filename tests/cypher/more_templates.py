"""Everyday questions with paths, CASE in sums, regular expressions, large numbers, paging, lists and subqueries."""

from __future__ import annotations

from collections.abc import Callable

from tests.cypher.expressions import condition, expression
from tests.cypher.scope import BOOL, FLOAT, INT, TEXT, Scope
from tests.cypher.statements import Match, Project, Statement, Unwind

_NUMBERS = ("p.clicks", "p.visits", "p.id", "p.score", "p.spam")
_KEYS = ("p.status", "p.lang", "p.good", "p.visits", "p.clicks", "p.title")


def _one(*clauses: Match | Unwind | Project) -> Statement:
    return Statement((clauses,))


def shortest(scope: Scope) -> Statement:
    """The shortest paths from one page to others."""
    rng = scope.rng
    start, end = rng.sample(range(5), 2)  # every web has five pages
    hops = rng.choice(("*..3", "*1..3", "*..2", "*1..4"))
    arrow = rng.choice((f"-[:LINKS_TO{hops}]->", f"<-[:LINKS_TO{hops}]-", f"-[:LINKS_TO{hops}]->"))
    word = rng.choice(("shortestPath", "shortestPath", "allShortestPaths"))
    far = f"(b:Page {{id: {end}}})" if scope.chance(0.3) else "(b:Page)"
    pattern = f"path = {word}((a:Page {{id: {start}}}){arrow}{far})"
    returned = rng.choice(
        (
            ("b.id AS id", "length(path) AS n"),
            ("length(path) AS n", "count(*) AS pages"),
            ("max(length(path)) AS n", "count(b) AS pages"),
            ("b.id AS id", "size(nodes(path)) AS n", "nodes(path)[0].id AS first"),
            ("b.status AS s", "min(length(path)) AS n"),
        )
    )
    return _one(Match((pattern,), ("a <> b", *_maybe(scope, {"b": "Page"}))), Project(returned))


def walked(scope: Scope) -> Statement:
    """Paths with a name, and what is on them."""
    rng = scope.rng
    far = rng.choice(("*1..2", "*0..1", "*0..2", "*2", "*1..3"))
    arrow = rng.choice((f"-[rs:LINKS_TO{far}]->", f"<-[rs:LINKS_TO{far}]-", f"-[rs:LINKS_TO{far}]-"))
    asked = Match(
        (f"path = (a:Page {{id: {rng.randint(0, 8)}}}){arrow}(b:Page)",),
        rng.choice(
            (
                (),
                ("all(r IN relationships(path) WHERE r.weight > 0)",),
                ("none(n IN nodes(path) WHERE n.status = 'missing')",),
                ("any(r IN rs WHERE r.weight > 1)",),
                ("a <> b",),
            )
        ),
    )
    returned = rng.choice(
        (
            ("length(path) AS n", "count(*) AS k"),
            ("b.id AS id", "count(*) AS k", "min(length(path)) AS n"),
            ("[n IN nodes(path) | n.id] AS ids",),
            ("[r IN rs | r.weight] AS weights", "b.id AS id"),
            ("size(rs) AS n", "b.id AS id"),
            ("length(path) AS n", "nodes(path)[-1].status AS s"),
            ("reduce(w = 0.0, r IN rs | w + r.weight) AS w", "b.id AS id"),
            ("path",),
        )
    )
    return _one(asked, Project(returned))


def case_sums(scope: Scope) -> Statement:
    """Sums of CASE, with whole numbers beside floats."""
    rng = scope.rng
    scope.kinds |= {"p": "Page"}
    number = rng.choice(_NUMBERS)
    test = rng.choice((f"{number} IS NULL", f"{number} > 0", "p.status = 'crawled'", condition(scope, 1)))
    other = rng.choice(("0", "1", "0.5", "null", rng.choice(_NUMBERS)))
    word = rng.choice(("sum", "sum", "avg", "max", "count", "min"))
    first, second = rng.sample((number, other), 2)
    item = f"{word}(CASE WHEN {test} THEN {first} ELSE {second} END) AS m"
    keys = () if scope.chance(0.5) else (f"{rng.choice(_KEYS)} AS k",)
    return _one(Match(("(p:Page)",)), Project((*keys, item)))


def regular(scope: Scope) -> Statement:
    """Regular expressions over addresses, titles and hosts."""
    rng = scope.rng
    pattern = rng.choice(
        (
            ".*[0-9]", "http://[a-c]\\\\..*", ".*/1?[0-9]", "(?i)NEWS", ".*é.*", "[a-z]*", ".", "", "x y z|a",
            "http://(a|b)\\\\.example/\\\\d+", ".*\\\\d{2}", "[^a]*", ".+", "(?i).*ÜBER.*", "\\\\w+",
            "\\\\S+",
            "^http.*$", "n.w?s", "(a|ne)(ws)?",
        )
    )  # fmt: skip
    value = rng.choice(("p.url", "p.title", "p.lang", "p.status"))
    test = f"{value} =~ '{pattern}'"
    where = rng.choice((test, f"NOT {test}", f"({test} OR p.id = 1)"))
    returned = rng.choice((("count(*) AS n",), ("p.id",), (f"{value} AS v", "count(*) AS n")))
    if scope.chance(0.2):
        return _one(Match(("(p:Page)",)), Project(("p.id", f"{test} AS m")))
    return _one(Match(("(p:Page)",), (where,)), Project(returned))


def large(scope: Scope) -> Statement:
    """Whole numbers near the end of 64 bits: right, or a failure on both."""
    rng = scope.rng
    value = rng.choice(
        (
            "p.id + 9223372036854775800",
            "p.visits * 4611686018427387904",
            "p.visits + 9223372036854775805",
            "9223372036854775807 - p.id",
            "-9223372036854775807 - p.visits",
            "9007199254740993 + p.id",
            "p.id * 1000000007 * 1000000009",
            "p.id / (p.id - 2)",
            "p.id % (p.visits - 1)",
            "toInteger(p.clicks) * 9223372036854775",
        )
    )
    test = rng.choice((f"p.id < {rng.randint(1, 12)}", "p.visits IS NOT NULL", "p.visits > 2"))
    word = rng.choice(("", "", "sum", "max", "min", "count"))
    returned = (f"{word}({value}) AS n",) if word else ("p.id AS id", f"{value} AS n")
    return _one(Match(("(p:Page)",), (test,)), Project(returned))


def paged(scope: Scope) -> Statement:
    """Pages of rows whose keys tie: what is shown of them is the key itself."""
    rng = scope.rng
    key = rng.choice((*_KEYS, "p.score", "toLower(p.title)", "p.id % 3"))
    way = rng.choice(("", " DESC"))
    cut = rng.choice((f"SKIP {rng.randint(0, 20)} LIMIT {rng.randint(1, 9)}", f"LIMIT {rng.randint(0, 9)}", "SKIP 3"))
    scope.kinds |= {"p": "Page"}
    where = _maybe(scope, {"p": "Page"})
    if scope.chance(0.4):
        return _one(
            Match(("(p:Page)",), where),
            Project((f"{key} AS k",), "WITH", scope.chance(0.3), (f"k{way}",), cut),
            Project(rng.choice((("count(*) AS n",), ("collect(k) AS l",), ("k", "count(*) AS n"), ("count(k) AS n",)))),
        )
    return _one(
        Match(("(p:Page)",), where), Project((f"{key} AS k",), distinct=scope.chance(0.3), order=(f"k{way}",), cut=cut)
    )


def listed(scope: Scope) -> Statement:
    """Lists: comprehensions, quantifiers, parts; collected in an order."""
    rng = scope.rng
    roll = rng.random()
    if roll < 0.35:
        by = rng.choice(("p.clicks DESC", "p.visits", "p.title", "p.score DESC"))
        ordered = Project(("p",), "WITH", order=(by, "p.id"))
        grouped = Project((f"{rng.choice(_KEYS)} AS k", "collect(p.id) AS l"), "WITH")
        part = rng.choice(("l[0] AS x", "l[-1] AS x", "head(l) AS x, last(l) AS y", "size(l[1..3]) AS x", "l[1] AS x"))
        return _one(Match(("(p:Page)",)), ordered, grouped, Project(("k", part)))
    if roll < 0.7:
        item = rng.choice(
            (
                "[x IN [1, 2, 3, null] WHERE x > p.visits | x * 2] AS l",
                "any(x IN [0, p.visits, 7] WHERE x > 2) AS b",
                "all(x IN [p.visits, 1] WHERE x >= 0) AS b",
                "none(x IN [p.visits, p.id] WHERE x = 2) AS b",
                "single(x IN [1, 2, p.visits] WHERE x = 2) AS b",
                "[p.id, p.visits] AS l",
                "[p.id, p.visits][p.id % 3] AS x",
                "range(0, p.id % 5) AS l",
                "size(split(p.url, '/')) AS n",
                "split(p.url, '/')[2] AS h",
                "tail([p.id, 1, 2]) AS l",
                "reverse([p.id, 1]) + 5 AS l",
                "p.visits IN [1, 2, null] AS b",
                "[1, 2] = [p.id, p.visits] AS b",
                "p {.id, .status, v: p.visits} AS m",
                "{id: p.id, t: p.title} AS m",
                "reduce(s = 0, x IN [1, 2, p.id] | s + x) AS n",
            )
        )
        return _one(Match(("(p:Page)",)), Project(("p.id AS id", item)))
    if roll < 0.85:
        made = rng.choice(
            (
                "[(p)-[:LINKS_TO]->(q:Page) | q.id]",
                "[(p)<-[:LINKS_TO]-(q:Page) WHERE q.visits > 0 | q.id]",
                "[(p)-[:`ON`]->(h:Host) | h.name]",
                "COLLECT { MATCH (p)-[:LINKS_TO]->(q:Page) RETURN q.id }",
            )
        )
        return _one(
            Match(("(p:Page)",)), Project(rng.choice((("p.id AS id", f"{made} AS l"), (f"size({made}) AS n",))))
        )
    scope.parameters["rows"] = [{"id": rng.randint(0, 9), "name": name} for name in rng.sample("abcdef", 3)]
    return _one(
        Unwind("$rows AS row"),
        Match(("(p:Page {id: row.id})",), optional=scope.chance(0.5)),
        Project(("row.name AS name", "p.status AS s")),
    )


def nested(scope: Scope) -> Statement:
    """CALL { }, and totals beside parts."""
    rng = scope.rng
    scope.kinds |= {"p": "Page"}
    roll = rng.random()
    if roll < 0.5:
        inner = rng.choice(
            (
                "WITH p MATCH (p)-[:LINKS_TO]->(q:Page) RETURN count(q) AS n",
                "WITH p MATCH (p)<-[r:LINKS_TO]-(q:Page) RETURN sum(r.weight) AS n",
                "WITH p OPTIONAL MATCH (p)-[:LINKS_TO]->(q:Page) RETURN max(q.visits) AS n",
                "WITH p MATCH (p)-[:LINKS_TO]->(q:Page) RETURN q.id AS n ORDER BY n LIMIT 2",
            )
        )
        returned = rng.choice((("p.id AS id", "n"), ("sum(n) AS s", "count(*) AS k"), ("n", "count(*) AS k")))
        return _one(Match((f"(p:Page) CALL {{ {inner} }}",)), Project(returned))
    value = expression(scope, rng.choice((INT, FLOAT, TEXT, BOOL)), 1)
    return _one(
        Match(("(p:Page)",)),
        Project((f"{value} AS k", "count(*) AS n"), "WITH"),
        Project(("sum(n) AS total", "collect(n) AS parts", "max(n) AS top"), "WITH"),
        Project(("total", "top", "size(parts) AS kinds", "1.0 * top / total AS share")),
    )


def kinds(scope: Scope) -> Statement:
    """Nodes and links whose kind is not said."""
    rng = scope.rng
    pattern, items = rng.choice(
        (
            ("(p:Page)-[r]->(x)", ("type(r) AS t", "labels(x) AS l", "count(*) AS n")),
            ("(p:Page)<-[r]-(x)", ("type(r) AS t", "labels(x) AS l", "count(*) AS n")),
            ("(p:Page)-->(x)", ("labels(x)[0] AS l", "count(*) AS n")),
            ("(p:Page)--(x)", ("labels(x)[0] AS l", "count(DISTINCT p) AS n")),
            ("()-[r:LINKS_TO|CO_CITED]->(q)", ("type(r) AS t", "sum(r.weight) AS w", "count(q) AS n")),
            ("(r:Run)-[k]->(p)", ("type(k) AS t", "r.id AS run", "count(p) AS n")),
            ("(x)-[:`ON`|RESULT]-(p:Page)", ("labels(x) AS l", "p.id AS id", "count(*) AS n")),
            ("(x:Host|Query)", ("labels(x) AS l", "count(*) AS n")),
        )
    )
    return _one(Match((pattern,)), Project(items))


def dated(scope: Scope) -> Statement:
    """Times of runs."""
    rng = scope.rng
    day = "date(r.created)"
    since = rng.choice(("2026-01-01", "2026-02-01", "2026-02-02"))
    sign = rng.choice((">=", "<", "=", "<>"))
    returned = rng.choice(
        (
            ("r.id AS id", f"{day} AS d"),
            ("count(*) AS n",),
            (f"{day}.month AS m", "count(*) AS n"),
            (f"max({day}) AS d",),
        )
    )
    return _one(Match(("(r:Run)",), (f"{day} {sign} date('{since}')",)), Project(returned))


def _maybe(scope: Scope, names: dict[str, str]) -> tuple[str, ...]:
    scope.kinds |= names
    return (condition(scope, 0),) if scope.chance(0.3) else ()


MORE_TEMPLATES: list[Callable[[Scope], Statement]] = [
    shortest, walked, case_sums, regular, large, paged, paged, listed, listed, nested, kinds, dated,
]  # fmt: skip
