"""MATCH and OPTIONAL MATCH: the forms of their patterns as joins."""

from __future__ import annotations

from seedrank.graphdb.duckdb.cypher_sql.expressions import condition, property_of, value_of
from seedrank.graphdb.duckdb.cypher_sql.operators import compared
from seedrank.graphdb.duckdb.cypher_sql.scope import Stage, Value, Variable, indented, key_of, lifted, path_value
from seedrank.graphdb.duckdb.cypher_sql.shapes import Chain, Hop, Shape, shapes
from seedrank.graphdb.duckdb.cypher_sql.types import (
    NULL,
    Type,
    common,
    list_of,
    node_of,
    path_of,
    relationship_of,
    sql_type,
)
from seedrank.graphdb.duckdb.schema import quote
from seedrank.graphdb.statements.tree import Expression, MapOf, Match, Tree

__all__ = ["match", "matched_in"]


def match(clause: Match, stage: Stage) -> None:
    """Add the rows that a MATCH finds to a stage."""
    from seedrank.graphdb.duckdb.cypher_sql.shortest import shortest_match

    if any(path.shortest for path in clause.paths):
        shortest_match(clause, stage)
        return
    found = shapes(clause.paths, stage.scope, stage.state)
    if len(found) == 1 and not clause.optional:
        _Joins(found[0], stage).add()
        _filter(clause.where, stage)
        return
    branches = [_branch(shape, clause.where, stage) for shape in found]
    names = _new_names(clause, stage)
    if not branches:
        if not clause.optional:
            stage.where.append("FALSE")
        for name in names:
            stage.bind(name, Value("NULL", NULL))
        return
    kinds = [_common(name, branches, stage, clause) for name in names]
    selects = []
    for branch in branches:
        columns = ", ".join(
            f"{lifted(branch.scope[name].value, kind)} AS {quote(name)}"
            for name, kind in zip(names, kinds, strict=True)
        )
        selects.append(branch.select(columns or "1 AS one"))
    alias = stage.state.alias("optional" if clause.optional else "any")
    stage.join(f"{indented(union(selects))} {alias}", left=clause.optional, lateral=bool(stage.sources))
    for name, kind in zip(names, kinds, strict=True):
        stage.bind(name, Value(f"{alias}.{quote(name)}", kind, nullable=clause.optional))


def matched_in(clause: Match, stage: Stage) -> list[Stage]:
    """The rows of a MATCH within a subquery: stages to be put together, with the outer scope."""
    found = shapes(clause.paths, stage.scope, stage.state)
    return [_branch(shape, clause.where, stage) for shape in found]


def union(selects: list[str]) -> str:
    """All rows of several SELECTs."""
    return "\nUNION ALL\n".join(selects)


def _branch(shape: Shape, where: Expression | None, stage: Stage) -> Stage:
    inner = stage.inside()
    _Joins(shape, inner).add()
    _filter(where, inner)
    return inner


def _filter(where: Expression | None, stage: Stage) -> None:
    if where is not None:
        stage.where.append(condition(where, stage))


def _new_names(clause: Match, stage: Stage) -> list[str]:
    names: dict[str, None] = {}
    for path in clause.paths:
        for tree in (path, *path.steps):
            if tree.name is not None and tree.name not in stage.scope:
                names[tree.name] = None
    return list(names)


def _common(name: str, branches: list[Stage], stage: Stage, tree: Tree) -> Type:
    kind = common(branch.scope[name].value.type for branch in branches)
    if kind is None:
        raise stage.state.refuse(tree, f"{name} is not always of one kind", "name labels and types")
    return kind


class _Joins:
    """A form of a pattern, joined into a stage."""

    def __init__(self, shape: Shape, stage: Stage) -> None:
        self.shape = shape
        self.stage = stage
        self.schema = stage.state.schema
        self.slots: dict[str, Variable] = {}
        self.used: dict[str, list[str]] = {}
        """The relationships that were matched, by type: none is matched twice."""

    def add(self) -> None:
        """Add tables, conditions and variables."""
        for slot, node in self.shape.nodes:
            bound = self.stage.scope.get(node.name or "")
            if bound is not None:
                self._bound(self.shape.slot(slot), bound)
        hops = [[self._hop(hop) for hop in chain.hops] for chain in self.shape.chains]
        for slot, _ in self.shape.nodes:
            self._lone(self.shape.slot(slot))
        for slot, node in self.shape.nodes:
            if node.name is not None:
                self.stage.scope[node.name] = self.slots[self.shape.slot(slot)]
        for chain, found in zip(self.shape.chains, hops, strict=True):
            self._bind_relationships(chain, found)
            if chain.path.name is not None:
                self._bind_path(chain, found)
        for slot, node in self.shape.nodes:
            self._properties(self.slots[self.shape.slot(slot)], node.properties)
            _filter(node.where, self.stage)
        for chain, found in zip(self.shape.chains, hops, strict=True):
            for hop, variable in zip(chain.hops, found, strict=True):
                self._properties(variable, hop.tree.properties)
            for step in chain.path.relationships:
                _filter(step.where, self.stage)

    def _bound(self, slot: str, bound: Variable) -> None:
        label = self.shape.labels[slot]
        if bound.value.type.names == (label,):
            narrowed = bound
        else:
            narrowed = Variable(Value(key_of(bound.value, label), node_of([label])), bound.stage)
        known = self.slots.get(slot)
        if known is not None and known is not narrowed:
            self.stage.where.append(f"{known.value.sql} = {narrowed.value.sql}")
        self.slots[slot] = narrowed

    def _hop(self, hop: Hop) -> Variable:
        table = self.schema.relationships[hop.type]
        left, right = self.shape.slot(hop.left), self.shape.slot(hop.right)
        alias = self.stage.state.alias(table.type if table.type == "ON" else table.table.strip('"'))
        starts, ends = (right, left) if hop.direction == "<-" else (left, right)
        identity = f"{alias}.rowid"
        source = f"{table.table} {alias}"
        conditions: list[str] = []
        if hop.direction == "--":
            columns = "".join(f", {quote(name)}" for name in table.properties)
            identity = f"{alias}.rid"
            source = (
                f"(SELECT rowid AS rid, {table.start_key}, {table.end_key}{columns} FROM {table.table} "
                f"UNION ALL SELECT rowid, {table.end_key}, {table.start_key}{columns} FROM {table.table} "
                f"WHERE {table.start_key} <> {table.end_key}) {alias}"
            )
        pages = {"Page": alias} if table.type == "ON" else {}
        self._end(starts, f"{alias}.{table.start_key}", conditions, pages)
        self._end(ends, f"{alias}.{table.end_key}", conditions, {})
        if table.type == "ON":
            conditions.append(f"{alias}.{table.end_key} IS NOT NULL")
        conditions.extend(f"{other} - {identity} <> 0" for other in self.used.setdefault(hop.type, []))
        self.used[hop.type].append(identity)
        own = f"{alias}."
        self.stage.join(source, [each for each in conditions if each.count(own) < 2 or " - " in each])
        self.stage.where.extend(each for each in conditions if each.count(own) >= 2 and " - " not in each)
        value = Value(identity, relationship_of([hop.type]), nullable=False)
        return Variable(value, self.stage, {hop.type: alias})

    def _end(self, slot: str, key: str, conditions: list[str], rows: dict[str, str]) -> None:
        """One end of a hop: what is known there has to be the same, else it is known now."""
        known = self.slots.get(slot)
        if known is not None:
            conditions.append(f"{key} = {known.value.sql}")
        else:
            value = Value(key, node_of([self.shape.labels[slot]]), nullable=False)
            self.slots[slot] = Variable(value, self.stage, rows)

    def _lone(self, slot: str) -> None:
        """A node that no hop reaches."""
        known = self.slots.get(slot)
        if known is None:
            table = self.schema.nodes[self.shape.labels[slot]]
            alias = self.stage.state.alias(table.table.strip('"'))
            self.stage.join(f"{table.table} {alias}")
            value = Value(f"{alias}.{table.key}", node_of([table.label]), nullable=False)
            self.slots[slot] = Variable(value, self.stage, {table.label: alias})
        elif known.value.nullable:
            self.stage.where.append(f"{known.value.sql} IS NOT NULL")

    def _bind_relationships(self, chain: Chain, found: list[Variable]) -> None:
        for step in chain.path.relationships:
            if step.name is None:
                continue
            own = [variable for hop, variable in zip(chain.hops, found, strict=True) if hop.tree is step]
            bound = self.stage.scope.get(step.name)
            if bound is not None:
                if bound.value.type.kind != "relationship" or step.hops is not None or len(own) != 1:
                    raise self.stage.state.refuse(step, f"{step.name} is bound already", "choose another name")
                kind = own[0].value.type
                self.stage.where.append(f"{own[0].value.sql} = {key_of(bound.value, kind.names[0])}")
            elif step.hops is None:
                self.stage.scope[step.name] = own[0]
            else:
                kind = common(variable.value.type for variable in own) or NULL
                self.stage.bind(step.name, _listed([variable.value for variable in own], kind))

    def _bind_path(self, chain: Chain, found: list[Variable]) -> None:
        nodes = [self.slots[self.shape.slot(slot)].value for slot in chain.slots]
        links = [variable.value for variable in found]
        node = common(value.type for value in nodes) or NULL
        link = common(value.type for value in links) or NULL
        made = path_value(_listed(nodes, node).sql, _listed(links, link).sql, path_of(node, link))
        assert chain.path.name is not None
        if chain.path.name in self.stage.scope:
            raise self.stage.state.refuse(chain.path, f"{chain.path.name} is bound already", "choose another name")
        self.stage.bind(chain.path.name, made)

    def _properties(self, variable: Variable, wanted: MapOf | None) -> None:
        if wanted is None:
            return
        for key, item in wanted.items:
            found = property_of(variable, key, self.stage, wanted)
            self.stage.where.append(compared("=", found, value_of(item, self.stage), self.stage, wanted).sql)


def _listed(values: list[Value], kind: Type) -> Value:
    items = ", ".join(lifted(value, kind) for value in values)
    return Value(f"[{items}]" if values else f"[]::{sql_type(kind)}[]", list_of(kind), nullable=False)
