"""The part of py2neo's interface that scripts use, over the official driver.

py2neo is at the end of its life. Its users find here, under the names they know::

    from seedrank.graphdb.py2neo import Graph, Node, Relationship, NodeMatcher, RelationshipMatcher
    from seedrank.graphdb.py2neo.bulk import create_nodes, merge_nodes, create_relationships, merge_relationships

What is there
    `Graph` with run, query, update, evaluate, auto, begin, commit, rollback, nodes, relationships, match, match_one,
    schema, delete_all, and create, merge, delete, separate, push, pull, exists on nodes, relationships and subgraphs;
    `Transaction`; `Cursor` and `Record`; `NodeMatcher`, `RelationshipMatcher` and the predicates; the bulk functions.

What differs
    Bolt only. Identities are the server's element ids, texts; matchers also take the integers of old. Errors are the
    driver's (`Neo4jError` and below), times and points the driver's types. `Cursor.stats` is a plain dictionary.
    ``delete`` removes all relationships of a node with it. ``where`` takes values for raw conditions:
    ``("_.born > $year", {"year": 1960})``. Environment: ``NEO4J_URI``, ``NEO4J_USERNAME``, ``NEO4J_PASSWORD``.

What is left out
    The object mapper (``py2neo.ogm``), ``GraphService``, ``SystemGraph`` and ``Graph.call`` (run
    ``CALL dbms.components()`` instead), ``Graph.play``, the HTTP interface, walks built with ``+`` and set operations
    on subgraphs other than ``|``, ``Cursor.to_matrix``, writers on `Table`, PEP 249, the command line, the lexer.
"""

from neo4j.exceptions import ClientError, DatabaseError, Neo4jError, ServiceUnavailable, TransientError

from seedrank.graphdb.py2neo.cursor import Cursor, Record, Table
from seedrank.graphdb.py2neo.data import Node, Path, Relationship, Subgraph
from seedrank.graphdb.py2neo.database import Graph, Transaction
from seedrank.graphdb.py2neo.matching import NodeMatch, NodeMatcher, RelationshipMatch, RelationshipMatcher
from seedrank.graphdb.py2neo.predicates import (
    ALL,
    AND,
    ANY,
    CONTAINS,
    ENDS_WITH,
    EQ,
    GE,
    GT,
    IN,
    IS_NOT_NULL,
    IS_NULL,
    LE,
    LIKE,
    LT,
    NE,
    NOT,
    OR,
    STARTS_WITH,
    XOR,
)
from seedrank.graphdb.py2neo.schema import Schema

__all__ = [
    "ALL", "AND", "ANY", "CONTAINS", "ENDS_WITH", "EQ", "GE", "GT", "IN", "IS_NOT_NULL", "IS_NULL", "LE", "LIKE", "LT",
    "NE", "NOT", "OR", "STARTS_WITH", "XOR", "ClientError", "Cursor", "DatabaseError", "Graph", "Neo4jError", "Node",
    "NodeMatch", "NodeMatcher", "Path", "Record", "Relationship", "RelationshipMatch", "RelationshipMatcher", "Schema",
    "ServiceUnavailable", "Subgraph", "Table", "Transaction", "TransientError",
]  # fmt: skip
