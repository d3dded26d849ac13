"""Whether a server's Graph Data Science library works, found out by using it."""

from __future__ import annotations

import contextlib
import secrets

from neo4j.exceptions import ClientError, DatabaseError, DriverError, Neo4jError

from seedrank.cypher import statement
from seedrank.graphdb.neo4j.connection import Connection
from seedrank.graphdb.neo4j.errors import explained, is_missing_procedure

__all__ = ["gds_problem"]

_ABSENT = (
    "the server has no GDS: the official image fetches it at every start and goes on without it where that fails; "
    "docker/neo4j.Dockerfile makes an image that has it"
)

_works: set[tuple[str, str]] = set()
"""Versions of Neo4j and GDS that were seen to work together, by this process."""


def gds_problem(connection: Connection) -> str:
    """Why the library cannot be used, in a few words; empty where it can.

    A version that was not made for the server may answer some calls and fail the others. So a small graph is projected
    too, once for a pair of versions, since that takes some ten times as long as all the rest of opening a store.
    """
    try:
        versions = connection.agent, _version(connection)
        if versions not in _works:
            _project(connection)
            _works.add(versions)
    except (ClientError, DatabaseError) as error:
        if ".Security." in (error.code or ""):
            raise explained(error, connection.url, connection.database) from error
        if is_missing_procedure(error):
            return _ABSENT
        said = (error.message or type(error).__name__).splitlines()[0]
        return f"the server's GDS does not work, most likely because it is for another version of Neo4j: {said}"
    except (DriverError, Neo4jError) as error:
        raise explained(error, connection.url, connection.database) from error
    return ""


def _version(connection: Connection) -> str:
    return str(connection.read_once(statement("gds/version"), {})[0]["version"])


def _project(connection: Connection) -> None:
    name = f"seedrank-probe-{secrets.token_hex(8)}"
    try:
        connection.read_once(statement("gds/probe"), {"name": name})
    finally:
        with contextlib.suppress(DriverError, Neo4jError):
            connection.read_once(statement("gds/drop"), {"name": name})
