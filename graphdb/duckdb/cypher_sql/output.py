"""What a RETURN gives: nodes, relationships and paths as maps of their properties."""

from __future__ import annotations

from typing import Any

from seedrank.graphdb.duckdb.cypher_sql.expressions import property_of
from seedrank.graphdb.duckdb.cypher_sql.lists import listed, unrolled
from seedrank.graphdb.duckdb.cypher_sql.scope import Stage, Value, Variable, text
from seedrank.graphdb.duckdb.cypher_sql.types import NULL, map_of
from seedrank.graphdb.statements.tree import Tree

__all__ = ["fields_of", "properties_of", "shown"]


def shown(value: Value, stage: Stage, tree: Tree, variable: Variable | None = None) -> str:
    """A value as it is returned."""
    if not value.type.has_entity:
        return value.wide
    if value.type.is_entity:
        return _entity(variable or Variable(value, stage), stage, tree)
    if value.type.kind == "list":
        inner, place = unrolled(value, "", stage)
        item = inner.scope[""]
        made = listed(Value(shown(item.value, inner, tree, item), value.type.item), place, inner)
        whole = f"coalesce({made}, [])"
        return f"CASE WHEN {value.sql} IS NOT NULL THEN {whole} END" if value.nullable else whole
    if value.type.kind == "path":
        parts = {name: value.part(name) for name in ("nodes", "relationships")}
    else:
        parts = {
            name: Value(f"{value.sql}[{text(name)}]", kind)
            for name, kind in zip(value.type.names, value.type.items, strict=True)
        }
    made = ", ".join(f"{text(name)}: {shown(part, stage, tree)}" for name, part in parts.items())
    return f"CASE WHEN {value.sql} IS NOT NULL THEN {{{made}}} END" if value.nullable else f"{{{made}}}"


def properties_of(variable: Variable, stage: Stage, tree: Tree) -> Value:
    """All properties of a node or relationship, as a map."""
    fields = fields_of(variable, stage, tree)
    made = ", ".join(f"{text(name)}: {value.sql}" for name, value in fields.items())
    sql = f"CASE WHEN {variable.value.sql} IS NOT NULL THEN {{{made}}} END"
    return Value(sql, map_of({name: value.type for name, value in fields.items()}))


def fields_of(variable: Variable, stage: Stage, tree: Tree) -> dict[str, Value]:
    """Every property of a node or relationship."""
    kind = variable.value.type
    tables: Any = stage.state.schema.nodes if kind.kind == "node" else stage.state.schema.relationships
    keys = dict.fromkeys(key for name in kind.names for key in tables[name].properties)
    found = {key: property_of(variable, key, stage, tree) for key in keys}
    return {key: value for key, value in found.items() if value.type != NULL}


def _entity(variable: Variable, stage: Stage, tree: Tree) -> str:
    value = variable.value
    mixed = len(value.type.names) > 1
    if value.type.kind == "node":
        fields = {"labels": f"[{value.sql}.label]" if mixed else f"[{text(value.type.names[0])}]"}
    else:
        fields = {"type": f"{value.sql}.type" if mixed else text(value.type.names[0])}
    own = fields_of(variable, stage, tree)
    fields = {name: sql for name, sql in fields.items() if name not in map(str.lower, own)}
    fields |= {name: part.sql for name, part in own.items()}
    made = ", ".join(f"{text(name)}: {sql}" for name, sql in fields.items())
    return f"CASE WHEN {value.sql} IS NOT NULL THEN {{{made}}} END" if value.nullable else f"{{{made}}}"
