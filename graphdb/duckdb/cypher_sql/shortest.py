"""shortestPath, allShortestPaths, SHORTEST 1 and ALL SHORTEST: a search by breadth from the nodes it starts at.

Four tables come before the statement's SELECT:

    rows     what is known before the search: one row for each pair of ends
    wanted   the pairs
    reach    every page within reach of a start, once, with its distance; it ends when all pairs are reached
    trail    from the ends of the pairs back to their starts
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from seedrank.graphdb.duckdb.cypher_sql.expressions import condition, property_of, value_of
from seedrank.graphdb.duckdb.cypher_sql.operators import compared
from seedrank.graphdb.duckdb.cypher_sql.scope import Stage, Value, Variable, indented, lifted, path_value
from seedrank.graphdb.duckdb.cypher_sql.types import Type, list_of, node_of, path_of, relationship_of, sql_type
from seedrank.graphdb.statements.tree import (
    Expression,
    Literal,
    Match,
    Node,
    Operation,
    Parameter,
    Path,
    Property,
    walk,
)
from seedrank.graphdb.statements.tree import Variable as Name

__all__ = ["shortest_match"]

_SAME_ENDS = "shortestPath from a page to itself: add WHERE a <> b, or begin with *0"


@dataclass(frozen=True)
class _Search:
    """A path to search for: its ends by name, fewest and most hops, and whether it is searched from its end."""

    path: Path
    start: str
    end: str
    low: int
    high: int | None
    backwards: bool


def shortest_match(clause: Match, stage: Stage) -> None:
    """Add the rows of a MATCH with a shortest path to a stage."""
    from seedrank.graphdb.duckdb.cypher_sql.matches import match

    state = stage.state
    path = next(path for path in clause.paths if path.shortest)
    others = [each for each in clause.paths if each is not path]
    if stage.nested or clause.optional:
        raise state.refuse(path, "a shortest path stands in a MATCH of its own, outside of subqueries", "move it there")
    if any(each.relationships for each in others):
        raise state.refuse(path, "a shortest path beside other relationships", "use two MATCH")
    search = _searched(path, clause, stage)
    ends = [
        Path(None, (replace(node, name=name),), place=node.place)
        for node, name in zip(path.nodes, (search.start, search.end), strict=True)
    ]
    before, after = _split(clause.where, path, stage)
    match(Match((*others, *ends), before, place=clause.place), stage)
    for name in (search.start, search.end):
        if stage.scope[name].value.type != node_of(["Page"]):
            raise state.refuse(path, "shortest paths go from page to page here", "name the label: (a:Page)")
    _freeze(stage)
    _add(search, stage)
    if after is not None:
        stage.where.append(condition(after, stage))


def _searched(path: Path, clause: Match, stage: Stage) -> _Search:
    state = stage.state
    if len(path.relationships) != 1:
        raise state.refuse(path, "a shortest path has one relationship here", "such as (a)-[:LINKS_TO*]->(b)")
    step = path.relationships[0]
    low, high = step.hops if step.hops is not None else (1, 1)
    low = 1 if low is None else low
    if low > 1:
        raise state.refuse(step, "a shortest path has no fewest number of hops but 0 or 1", "such as *1..10")
    start, end = (node.name or state.alias("end") for node in path.nodes)
    narrow = [_is_narrow(node, clause, stage) for node in path.nodes]
    return _Search(path, start, end, low, high, backwards=narrow[1] and not narrow[0])


def _is_narrow(node: Node, clause: Match, stage: Stage) -> bool:
    """Whether few nodes can stand here: it is known already, or a property of it is."""
    if node.properties is not None or node.name in stage.scope:
        return True
    for tree in walk(clause.where):
        if isinstance(tree, Operation) and tree.operator == "=":
            sides = [isinstance(side, Property) and side.of == Name(node.name or "") for side in tree.operands]
            if any(sides) and any(isinstance(side, (Literal, Parameter)) for side in tree.operands):
                return True
    return False


def _split(where: Expression | None, path: Path, stage: Stage) -> tuple[Expression | None, Expression | None]:
    """What can be tested before the search, and what is tested on the path that was found."""
    if where is None:
        return None, None
    parts = where.operands if isinstance(where, Operation) and where.operator == "AND" else (where,)
    own = {name for name in (path.name, path.relationships[0].name) if name is not None}
    after = [part for part in parts if any(isinstance(each, Name) and each.name in own for each in walk(part))]
    if after and path.shortest in ("shortestPath", "allShortestPaths"):
        raise stage.state.refuse(
            after[0], "a condition on a shortest path changes what is searched for", "test it after WITH"
        )
    return _all(tuple(part for part in parts if part not in after)), _all(tuple(after))


def _all(parts: tuple[Expression, ...]) -> Expression | None:
    if len(parts) < 2:
        return parts[0] if parts else None
    return Operation("AND", parts, place=parts[0].place)


def _freeze(stage: Stage) -> None:
    """Make a named table of the rows so far, and go on from it."""
    state = stage.state
    rows = state.alias("rows_")
    names = {name: f"c{number}" for number, name in enumerate(stage.scope)}
    columns = [f"{stage.scope[name].value.wide} AS {column}" for name, column in names.items()]
    order = [(f"{rows}.o{number}", descending) for number, (_, descending) in enumerate(stage.order)]
    columns += [f"{column} AS o{number}" for number, (column, _) in enumerate(stage.order)]
    state.tables.append((rows, f"MATERIALIZED {indented(stage.select(', '.join(columns)))}"))
    known = {name: stage.scope[name].value for name in names}
    stage.sources, stage.where, stage.order, stage.scope = [rows], [], order, {}
    for name, value in known.items():
        stage.bind(name, Value(f"{rows}.{names[name]}", value.type, nullable=value.nullable))


def _steps(search: _Search, stage: Stage) -> tuple[str, Type]:
    """A SELECT of all steps that may be taken: from (a) to (b) by a link (key)."""
    state = stage.state
    step = search.path.relationships[0]
    tables = [
        table
        for name, table in state.schema.relationships.items()
        if (step.types is None and name == "LINKS_TO") or (step.types is not None and step.types.fits(name))
    ]
    known = step.types is not None and all(table.start == table.end == "Page" for table in tables) and tables
    if not known or step.where is not None:
        raise state.refuse(step, "a shortest path goes along links between pages here", "such as [:LINKS_TO*..10]")
    kind = relationship_of(table.type for table in tables)
    ways = {"->": [False], "<-": [True], "--": [False, True]}[step.direction]
    selects = []
    for table in tables:
        for turned in ways:
            alias = state.alias("step")
            inner = Stage(state)
            inner.join(f"{table.table} {alias}")
            own = Value(f"{alias}.rowid", relationship_of([table.type]), nullable=False)
            link = Variable(own, inner, {table.type: alias})
            for key, item in step.properties.items if step.properties is not None else ():
                wanted = value_of(item, Stage(state))
                inner.where.append(compared("=", property_of(link, key, inner, step), wanted, inner, step).sql)
            ends = (table.end_key, table.start_key) if turned != search.backwards else (table.start_key, table.end_key)
            selects.append(
                inner.select(f"{alias}.{ends[0]} AS a, {alias}.{ends[1]} AS b, {lifted(link.value, kind)} AS key")
            )
    return "\nUNION ALL\n".join(selects), kind


def _add(search: _Search, stage: Stage) -> None:
    state = stage.state
    first, last = stage.scope[search.start].value.sql, stage.scope[search.end].value.sql
    if search.backwards:
        first, last = last, first
    steps, kind = _steps(search, stage)
    step, wanted, reach, trail = (state.alias(name) for name in ("steps", "wanted", "reach", "trail"))
    state.tables.append((step, indented(steps)))
    target = last if search.low == 0 else f"CASE WHEN {first} = {last} THEN error('{_SAME_ENDS}') ELSE {last} END"
    pairs = f"SELECT DISTINCT {first} AS a, {target} AS b\nFROM {stage.sources[0]}"
    state.tables.append((wanted, f"MATERIALIZED {indented(pairs)}"))
    state.tables.append(
        (
            f"{reach}(a, b, depth, parent, key) USING KEY (a, b)",
            indented(_reach(search, step, wanted, reach, kind)),
        )
    )
    every = search.path.shortest in ("allShortestPaths", "ALL SHORTEST")
    state.tables.append(
        (
            f"{trail}(a, b, node, depth, nodes, links)",
            indented(_trail(search, step, wanted, reach, trail, kind, every=every)),
        )
    )
    stage.join(f"{trail}", [f"{trail}.a = {first}", f"{trail}.b = {last}", f"{trail}.depth = 0"])
    if search.path.name is not None:
        path = path_value(f"{trail}.nodes", f"{trail}.links", path_of(node_of(["Page"]), kind))
        stage.bind(search.path.name, path)
    name = search.path.relationships[0].name
    if name is not None:
        stage.bind(name, Value(f"{trail}.links", list_of(kind), nullable=False))


def _reach(search: _Search, step: str, wanted: str, reach: str, kind: Type) -> str:
    deepest = "" if search.high is None else f"{reach}.depth < {search.high}\n  AND "
    return (
        f"SELECT DISTINCT a, a, 0, NULL::INTEGER, NULL::{sql_type(kind)}\nFROM {wanted}\n"
        f"UNION\n"
        f"SELECT {reach}.a, s.b, min({reach}.depth) + 1, min(s.a), arg_min(s.key, s.a)\n"
        f"FROM {reach}\n"
        f"  JOIN {step} s ON s.a = {reach}.b\n"
        f"  ANTI JOIN recurring.{reach} known ON known.a = {reach}.a AND known.b = s.b\n"
        f"WHERE {deepest}EXISTS (SELECT 1 FROM {wanted} w "
        f"ANTI JOIN recurring.{reach} r ON r.a = w.a AND r.b = w.b)\n"
        f"GROUP BY {reach}.a, s.b"
    )


def _trail(search: _Search, step: str, wanted: str, reach: str, trail: str, kind: Type, *, every: bool) -> str:
    nodes, links = (
        ("t.nodes || [p.b]", "t.links || [{key}]")
        if search.backwards
        else (
            "[p.b] || t.nodes",
            "[{key}] || t.links",
        )
    )
    if every:
        key = "s.key"
        joins = (
            f"  JOIN {step} s ON s.b = t.node\n  JOIN {reach} p ON p.a = t.a AND p.b = s.a AND p.depth = t.depth - 1"
        )
    else:
        key = "own.key"
        joins = (
            f"  JOIN {reach} own ON own.a = t.a AND own.b = t.node\n  JOIN {reach} p ON p.a = t.a AND p.b = own.parent"
        )
    return (
        f"SELECT r.a, r.b, r.b, r.depth, [r.b], []::{sql_type(kind)}[]\nFROM {reach} r\n"
        f"  SEMI JOIN {wanted} w ON w.a = r.a AND w.b = r.b\n"
        f"UNION ALL\n"
        f"SELECT t.a, t.b, p.b, p.depth, {nodes}, {links.format(key=key)}\nFROM {trail} t\n{joins}\nWHERE t.depth > 0"
    )
