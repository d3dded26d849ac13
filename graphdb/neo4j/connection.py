"""The driver, and the one place that sends statements: managed transactions, tried again for named reasons."""

from __future__ import annotations

import logging
import os
import time
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Literal, TypeVar
from urllib.parse import urlsplit

import neo4j
from neo4j.exceptions import DriverError, Neo4jError

from seedrank import cypher
from seedrank.core.errors import StoreError, UsageError
from seedrank.graphdb.neo4j.errors import commit_unknown, explained, retry_reason

__all__ = ["PATIENCE", "Connection", "checked_url", "retry"]

PATIENCE = 120.0
"""Seconds to keep trying while a server is away: a restart with recovery takes about half a minute."""

NOTIFICATIONS: Literal["OFF", "INFORMATION"] = "OFF"
"""What the server may remark on statements: the tests read it, users need no "no page has this property yet"."""

_FIRST_PAUSE, _LONGEST_PAUSE = 0.25, 4.0
_OLDEST = (5, 26)

_log = logging.getLogger(__name__)
# What the driver logs is told by our errors; without a handler Python would print it as well.
logging.getLogger("neo4j").addHandler(logging.NullHandler())
_Result = TypeVar("_Result")


def retry(work: Callable[[bool], _Result], what: str, *, patience: float = PATIENCE) -> _Result:
    """Do `work`, and again while it fails for a reason that passes.

    Parameters
    ----------
    work
        Called with whether an earlier try may have been committed though its answer was lost.
    what
        What is done, for the log.
    patience
        Seconds after the first failure until the last one is raised.
    """
    pause, unknown, failed_at = _FIRST_PAUSE, False, None
    while True:
        try:
            result = work(unknown)
        except (DriverError, Neo4jError) as error:
            reason = retry_reason(error)
            now = time.monotonic()
            failed_at = failed_at or now
            if reason is None or now + pause - failed_at > patience:
                raise
            unknown = unknown or commit_unknown(error)
            _log.warning("%s: %s, trying again in %.1f s", what, reason, pause)
            time.sleep(pause)
            pause = min(2 * pause, _LONGEST_PAUSE)
        else:
            if failed_at is not None:
                _log.info("%s: went through after %.1f s", what, time.monotonic() - failed_at)
            return result


class Connection:
    """An open driver for one database of one server.

    Parameters
    ----------
    url
        ``neo4j://`` or ``bolt://``, also ``+s`` and ``+ssc``.
    database
        Name of the database; the server's own when `None`.
    auth
        User and password; from ``NEO4J_USERNAME`` and ``NEO4J_PASSWORD`` when `None`.
    patience
        Seconds to keep trying while the server is away.
    prefix
        What labels and types begin with in `statement`.
    """

    def __init__(
        self,
        url: str,
        database: str | None = None,
        *,
        auth: tuple[str, str] | None = None,
        patience: float = PATIENCE,
        prefix: str = "",
    ) -> None:
        self.url = checked_url(url)
        self.database = database
        self.prefix = prefix
        self.patience = patience
        self.turn: str | None = None
        """The load that is being written: its transactions keep the database's turn to themselves."""
        self.counted = True
        """Whether the load changes the graph, and so its version."""
        self.owner: str | None = None
        """Who has the right to write, where that is this connection (`writer_lock`): its loads make sure of it."""
        self.agent = ""
        """The server and its version, such as ``Neo4j/5.26.30``; known after `check`."""
        try:
            self._driver = neo4j.GraphDatabase.driver(
                url,
                auth=auth or credentials(url),
                user_agent="seedrank",
                connection_timeout=15.0,
                # `retry` decides, not the driver.
                max_transaction_retry_time=0.0,
                notifications_min_severity=NOTIFICATIONS,
                telemetry_disabled=True,
            )
        except (DriverError, ValueError) as error:
            raise explained(error, self.url, database) from error

    def statement(self, name: str, **placeholders: str | Sequence[str]) -> str:
        """A statement by its name, for this graph (`seedrank.cypher.statement`)."""
        return cypher.statement(name, prefix=self.prefix, **placeholders)

    def check(self) -> None:
        """Connect, log in and look at the version, once and without patience."""
        try:
            with self._session(neo4j.READ_ACCESS) as session:
                session.run("RETURN 1").consume()
            self.agent = agent = self._driver.get_server_info().agent
        except (DriverError, Neo4jError) as error:
            self.close()
            raise explained(error, self.url, self.database) from error
        number = tuple(int(part) for part in agent.partition("/")[2].split("-")[0].split(".")[:2] if part.isdigit())
        if number and number < _OLDEST:
            self.close()
            raise StoreError(
                f"{self.url} runs {agent.replace('/', ' ')}",
                hint="seedrank needs Neo4j 5.26 or newer (`seedrank db up`)",
            )

    def read(self, statement: str, /, **parameters: Any) -> list[neo4j.Record]:
        """All records of a statement that only reads."""
        return self._explain(lambda: retry(lambda _: self.read_once(statement, parameters), "read", **self._patience))

    def read_once(self, statement: str, parameters: Mapping[str, Any]) -> list[neo4j.Record]:
        """The same without a second try and with the driver's own errors."""

        def work(tx: neo4j.ManagedTransaction) -> list[neo4j.Record]:
            return list(tx.run(statement, dict(parameters)))

        with self._session(neo4j.READ_ACCESS) as session:
            return session.execute_read(work)

    def last_transaction(self) -> str:
        """The server's own mark of the last transaction that wrote, its bookmark; empty where it gives none."""

        def once(_: bool) -> str:
            with self._session(neo4j.READ_ACCESS) as session:
                session.execute_read(lambda tx: tx.run("RETURN 1").consume())
                return " ".join(sorted(session.last_bookmarks().raw_values))

        return self._explain(lambda: retry(once, "read", **self._patience))

    def write(
        self,
        statement: str,
        /,
        *,
        again: str | None = None,
        lane: str = "turn",
        transactions: int = 1,
        **parameters: Any,
    ) -> list[neo4j.Record]:
        """Run a statement that writes, in a transaction of its own that counts itself; returns its records.

        Parameters
        ----------
        statement
            The statement; it must be safe to repeat unless `again` is given.
        again
            The statement to send after a try that may have been committed.
        lane
            Whose turn a load's transaction takes: those of one lane come one after the other.
        transactions
            As how many it counts, outside of loads: new names are transactions of the server's own.
        parameters
            Its parameters.
        """

        def once(unknown: bool) -> list[neo4j.Record]:
            text = again if unknown and again is not None else statement

            def work(tx: neo4j.ManagedTransaction) -> list[neo4j.Record]:
                if self.turn is not None:
                    taken = self.statement(f"load/{'change' if self.counted else 'turn'}")
                    tx.run(taken, load=self.turn, name=lane).consume()
                    self._check_owner(tx)
                else:
                    self._count(tx, transactions)
                return list(tx.run(text, parameters))

            with self._session() as session:
                return session.execute_write(work)

        return self._explain(lambda: retry(once, "write", **self._patience))

    def write_once(self, statement: str, /, **parameters: Any) -> list[neo4j.Record]:
        """Run a statement that writes, in a transaction of its own, without a second try."""

        def work(tx: neo4j.ManagedTransaction) -> list[neo4j.Record]:
            self._count(tx)
            return list(tx.run(statement, parameters))

        def once() -> list[neo4j.Record]:
            with self._session() as session:
                return session.execute_write(work)

        return self._explain(once)

    def write_plain(self, statement: str, /, **parameters: Any) -> None:
        """Run a statement that writes to a graph of others, safe to repeat, and count nothing there."""

        def once(_: bool) -> None:
            with self._session() as session:
                session.execute_write(lambda tx: tx.run(statement, parameters).consume())

        self._explain(lambda: retry(once, "write", **self._patience))

    def _count(self, tx: neo4j.ManagedTransaction, transactions: int = 1) -> None:
        # First, so that those who wait for it hold nothing yet.
        tx.run(self.statement("load/count"), transactions=transactions).consume()

    def _check_owner(self, tx: neo4j.ManagedTransaction) -> None:
        if self.owner is None:
            return
        record = tx.run(self.statement("load/still_writer"), owner=self.owner).single(strict=True)
        if not record["held"]:
            raise StoreError(
                f"another writer took over {self.url}, because this one gave no sign of life for too long",
                hint="repeat the command when that one is done",
            )

    def auto_commit(self, statement: str, /, **parameters: Any) -> None:
        """Run a statement that commits on its way (``CALL … IN TRANSACTIONS``) or changes the schema."""

        def once(_: bool) -> None:
            with self._session() as session:
                session.run(statement, parameters).consume()

        self._explain(lambda: retry(once, "write", **self._patience))

    def rows(
        self,
        statement: str,
        parameters: Mapping[str, Any],
        *,
        write: bool,
        auto: bool = False,
        timeout: float | None = None,
    ) -> tuple[list[str], list[list[Any]]]:
        """Column names and rows of a user's statement; tried once, and ended after `timeout` seconds."""

        def fetch(tx: neo4j.ManagedTransaction | neo4j.Session) -> tuple[list[str], list[list[Any]]]:
            text = neo4j.Query(statement, timeout=timeout) if auto else statement
            result = tx.run(text, dict(parameters))  # type: ignore[arg-type]
            return list(result.keys()), [record.values() for record in result]

        work = neo4j.unit_of_work(timeout=timeout)(fetch)

        def once() -> tuple[list[str], list[list[Any]]]:
            with self._session(neo4j.WRITE_ACCESS if write else neo4j.READ_ACCESS) as session:
                if auto:
                    return fetch(session)
                return session.execute_write(work) if write else session.execute_read(work)

        return self._explain(once)

    def close(self) -> None:
        """Close all connections; safe to call twice."""
        self._driver.close()

    @property
    def driver(self) -> neo4j.Driver:
        """The open driver, for programs that send statements of their own."""
        return self._driver

    @property
    def _patience(self) -> dict[str, float]:
        return {"patience": self.patience}

    def _session(self, mode: str = neo4j.WRITE_ACCESS) -> neo4j.Session:
        # fetch_size -1: results are lists of columns, few and wide; asking for them in parts only costs round trips.
        return self._driver.session(database=self.database, default_access_mode=mode, fetch_size=-1)

    def _explain(self, call: Callable[[], _Result]) -> _Result:
        try:
            return call()
        except (DriverError, Neo4jError) as error:
            raise explained(error, self.url, self.database) from error


def checked_url(url: str) -> str:
    """`url`, refused where it holds a user or a password."""
    parts = urlsplit(url)
    if "@" in parts.netloc:
        raise UsageError(
            f"{parts.scheme}://{parts.netloc.rpartition('@')[2]}: a store's URL has no user or password in it",
            hint="set NEO4J_USERNAME and NEO4J_PASSWORD in the environment",
        )
    return url


def credentials(url: str) -> tuple[str, str]:
    """User and password from the environment."""
    password = os.environ.get("NEO4J_PASSWORD")
    if not password:
        raise StoreError(
            f"{url} needs a password",
            hint="set NEO4J_PASSWORD (and NEO4J_USERNAME where it is not neo4j), "
            "or start a server that needs none with `seedrank db up`",
        )
    return os.environ.get("NEO4J_USERNAME") or "neo4j", password
