"""Statements in a form that the embedded database answers as Neo4j would, or a refusal that names the place."""

from graphdb.ladybug.rewrite.clauses import Rewritten, rewritten
from graphdb.ladybug.rewrite.scope import Schema

__all__ = ["Rewritten", "Schema", "rewritten"]
