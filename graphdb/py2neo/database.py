"""`Graph`, the database, and `Transaction`, a unit of work in it."""

from __future__ import annotations

import functools
import os
import weakref
from collections.abc import Callable, Mapping
from types import TracebackType
from typing import Any, Self
from urllib.parse import unquote, urlsplit

import neo4j

from seedrank.core.errors import UsageError
from seedrank.graphdb.py2neo.cursor import Cursor
from seedrank.graphdb.py2neo.data import Relationship
from seedrank.graphdb.py2neo.matching import Ends, NodeMatcher, RelationshipMatch, RelationshipMatcher
from seedrank.graphdb.py2neo.schema import Schema
from seedrank.graphdb.py2neo.writing import Writer

__all__ = ["Graph", "Transaction"]

_SCHEMES = ("bolt", "bolt+s", "bolt+ssc", "neo4j", "neo4j+s", "neo4j+ssc")


def _in_one_transaction(name: str) -> Callable[..., None]:
    """The operation of a transaction, in one that is committed at once."""

    @functools.wraps(getattr(Writer, name))
    def operate(self: Graph, *arguments: Any) -> None:
        with self.begin() as tx:
            getattr(tx, name)(*arguments)

    return operate


class Graph(Writer):
    """A Neo4j database.

    Parameters
    ----------
    profile
        Its address, ``bolt://localhost:7687`` and the like; may hold user and password. By default ``NEO4J_URI`` of
        the environment, else ``bolt://localhost:7687``.
    name
        Name of the database; the user's home database by default.
    auth
        User and password, as a pair or as ``"user:password"``.
    user, password
        The same one by one. By default ``NEO4J_USERNAME`` (else ``neo4j``) and ``NEO4J_PASSWORD`` of the environment.
    scheme, host, port
        Parts of the address, in place of those of `profile`.
    """

    def __init__(
        self,
        profile: str | None = None,
        name: str | None = None,
        *,
        auth: tuple[str, str] | str | None = None,
        user: str | None = None,
        password: str | None = None,
        scheme: str | None = None,
        host: str | None = None,
        port: int | None = None,
    ) -> None:
        given = urlsplit(profile or os.environ.get("NEO4J_URI") or "bolt://localhost:7687")
        scheme = scheme or given.scheme
        if scheme not in _SCHEMES:
            raise UsageError(
                f"{scheme}:// is not an address of a Neo4j database here",
                hint="use bolt:// or neo4j:// with the Bolt port, 7687 by default; HTTP is not spoken",
            )
        host = host or given.hostname or "localhost"
        self.uri = f"{scheme}://{f'[{host}]' if ':' in host else host}:{port or given.port or 7687}"
        self.name = name
        self.__driver = neo4j.GraphDatabase.driver(
            self.uri,
            auth=_credentials(auth, user, password, given),
            notifications_min_severity="OFF",  # scripts from py2neo use what is deprecated today; it never said so
        )
        # py2neo's graphs are never closed by hand.
        self.__close = weakref.finalize(self, self.__driver.close)

    def close(self) -> None:
        """Close all connections; happens by itself when the graph is forgotten."""
        self.__close()

    def __repr__(self) -> str:
        return f"Graph({self.uri!r}{'' if self.name is None else f', name={self.name!r}'})"

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Graph) and (self.uri, self.name) == (other.uri, other.name)

    def __hash__(self) -> int:
        return hash((self.uri, self.name))

    def __len__(self) -> int:
        return len(self.relationships)

    def __bool__(self) -> bool:
        return True

    def _session(self, *, readonly: bool) -> neo4j.Session:
        return self.__driver.session(
            database=self.name,
            default_access_mode=neo4j.READ_ACCESS if readonly else neo4j.WRITE_ACCESS,
            bookmark_manager=self.__driver.execute_query_bookmark_manager,  # to see what was written, in clusters too
        )

    def auto(self, readonly: bool = False) -> Transaction:
        """A transaction in which every statement commits by itself."""
        return Transaction(self, autocommit=True, readonly=readonly)

    def begin(self, readonly: bool = False) -> Transaction:
        """A transaction whose statements are committed together, by `commit`."""
        return Transaction(self, autocommit=False, readonly=readonly)

    def commit(self, tx: Transaction) -> None:
        """Make the changes of a transaction last."""
        tx.commit()

    def rollback(self, tx: Transaction) -> None:
        """Undo the changes of a transaction."""
        tx.rollback()

    def run(self, cypher: str, parameters: Mapping[str, Any] | None = None, **kwparameters: Any) -> Cursor:
        """Run one statement, committed by itself.

        Parameters
        ----------
        cypher
            The statement.
        parameters, kwparameters
            Values of its ``$parameters``.
        """
        return self.auto().run(cypher, parameters, **kwparameters)

    def query(self, cypher: str, parameters: Mapping[str, Any] | None = None, **kwparameters: Any) -> Cursor:
        """As `run`, for statements that only read: one that writes is refused."""
        return self.auto(readonly=True).run(cypher, parameters, **kwparameters)

    @property
    def nodes(self) -> NodeMatcher:
        """Finds nodes: ``graph.nodes.match("Person")``."""
        return NodeMatcher(self)

    @property
    def relationships(self) -> RelationshipMatcher:
        """Finds relationships: ``graph.relationships.match((alice,), "KNOWS")``."""
        return RelationshipMatcher(self)

    @property
    def schema(self) -> Schema:
        """Labels, types, indexes and constraints."""
        return Schema(self)

    def match(
        self,
        nodes: Ends = None,
        r_type: str | type[Relationship] | None = None,
        limit: int | None = None,
    ) -> RelationshipMatch:
        """Relationships between given nodes, as `RelationshipMatcher.match`."""
        found = self.relationships.match(nodes, r_type)
        return found if limit is None else found.limit(limit)

    def match_one(self, nodes: Ends = None, r_type: str | type[Relationship] | None = None) -> Relationship | None:
        """One such relationship, `None` where there is none."""
        return self.match(nodes, r_type).first()

    def delete_all(self) -> None:
        """Delete every node and relationship, 10,000 nodes at a time; indexes and constraints stay."""
        self.update("MATCH (n) CALL (n) { DETACH DELETE n } IN TRANSACTIONS OF 10000 ROWS")

    create, merge, delete, separate, push, pull = map(
        _in_one_transaction, ("create", "merge", "delete", "separate", "push", "pull")
    )


class Transaction(Writer):
    """A unit of work, made by `Graph.auto` and `Graph.begin`.

    As a context manager it commits at the end of the block, or rolls back when the block fails.

    Parameters
    ----------
    graph
        The database.
    autocommit
        Whether every statement commits by itself.
    readonly
        Whether statements that write are refused.
    """

    def __init__(self, graph: Graph, *, autocommit: bool, readonly: bool) -> None:
        self.graph = graph
        self.readonly = readonly
        self._cursors: list[weakref.ref[Cursor]] = []
        self._session: neo4j.Session | None = None
        self._transaction: neo4j.Transaction | None = None
        if not autocommit:
            self._session = graph._session(readonly=readonly)
            # A transaction that is forgotten is rolled back.
            self._release = weakref.finalize(self, self._session.close)
            self._transaction = self._session.begin_transaction()

    @property
    def closed(self) -> bool:
        """Whether it was committed or rolled back."""
        return self._transaction is not None and self._transaction.closed()

    def run(self, cypher: str, parameters: Mapping[str, Any] | None = None, **kwparameters: Any) -> Cursor:
        """Run a statement; see `Graph.run`."""
        values = {**(parameters or {}), **kwparameters}
        if self._transaction is not None:
            cursor = Cursor(self._transaction.run(cypher, values), self.graph, None)
            self._cursors.append(weakref.ref(cursor))
            return cursor
        session = self.graph._session(readonly=self.readonly)
        try:
            return Cursor(session.run(cypher, values), self.graph, session)
        except BaseException:
            session.close()
            raise

    def commit(self) -> None:
        """Make the changes last; cursors of this transaction can still be read afterwards."""
        transaction = self._open()
        for reference in self._cursors:
            if (cursor := reference()) is not None:
                cursor._fill(None)
        try:
            transaction.commit()
        finally:
            self._release()

    def rollback(self) -> None:
        """Undo the changes."""
        try:
            self._open().rollback()
        finally:
            self._release()

    def _open(self) -> neo4j.Transaction:
        if self._transaction is None:
            raise TypeError("statements of graph.auto() commit by themselves: use graph.begin()")
        if self._transaction.closed():
            raise TypeError("this transaction is over: begin another")
        return self._transaction

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._transaction is None or self.closed:
            return
        if kind is None:
            self.commit()
        else:
            self.rollback()


def _credentials(
    auth: tuple[str, str] | str | None, user: str | None, password: str | None, given: Any
) -> tuple[str, str] | None:
    """User and password: an argument before the address before the environment; `None` without a password."""
    if isinstance(auth, str):
        left, _, right = auth.partition(":")
        auth = (left, right)
    if auth is not None:
        user, password = user or auth[0], password or auth[1]
    user = user or unquote(given.username or "") or os.environ.get("NEO4J_USERNAME") or "neo4j"
    password = password or unquote(given.password or "") or os.environ.get("NEO4J_PASSWORD")
    return (user, password) if password else None
