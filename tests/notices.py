"""What the server remarks on our statements: deprecations, unknown names, Cartesian products; a test fails by them.

Statements that a test or a user writes are theirs; only those of ``cypher/`` are looked at. Names a web may lack are
made known to the server first, so that "unknown property" means a slip in a statement.
"""

from __future__ import annotations

import logging
import re
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache

from seedrank import cypher
from seedrank.graphdb.neo4j import Neo4jStore

LABELS = ("Page", "Host", "Query", "Run", "Load", "Schema", "SeedrankSchema")
TYPES = ("LINKS_TO", "ON", "CO_CITED", "RESULT", "RANKED", "CORE")
PROPERTIES = (
    *("id", "url", "source_id", "status", "clicks", "views", "spam", "unique_rate", "bytes"),
    *(
        "name",
        "pages",
        "hosts",
        "importance",
        "weight",
        "anchors",
        "text",
        "freq",
        "need",
        "rank",
        "score",
        "n",
        "role",
    ),
    *("method", "parameters", "graph", "engine", "version", "created", "seconds"),
    *("source", "sha256", "state", "started", "counts", "level", "load", "changes", "seq"),
    *("owner", "who", "place", "process", "since", "beat", "asked", "transactions", "others", "first"),
    "x",  # a column of the user's own, in statements that are tried out
)

UNKNOWN = frozenset({"01N50", "01N51", "01N52"})
"""A label, a type of relationships or a property that the database does not know."""

_WRITTEN = ("same_group", "written_groups", "written_places", "written_scores")
EXPECTED: dict[str, frozenset[str]] = {
    # IF NOT EXISTS: two may look for the constraints at once, and one of them makes them.
    "schema/unique": frozenset({"00NA0"}),
    "schema/index": frozenset({"00NA0"}),
    # --write names the property as the user likes: no index can know it.
    **{f"explore/{name}": frozenset({"03N95"}) for name in _WRITTEN},
    "attach/in_use": frozenset({"03N95"}),
    # A column of the user's own may have a value on no page.
    "read/pages": frozenset({"01N52"}),
    "read/pages_with_hosts": frozenset({"01N52"}),
}
"""By statement: the statuses (GQL) that it may have, each with the reason."""

_PREFIX = re.compile(r"(?:\s*(?:EXPLAIN|PROFILE|CYPHER\s+\d+)\b)+\s*")
_PLACEHOLDER = re.compile(r"(?:\w+\\\.)?\\\{\\\{\w+\\\}\\\}")


def make_known(store: Neo4jStore) -> None:
    """Make the schema's names known to the server, as the first pages, links and runs would."""
    for procedure, names in (
        ("db.createLabel", LABELS),
        ("db.createRelationshipType", TYPES),
        ("db.createProperty", PROPERTIES),
    ):
        for name in names:
            store.connection.auto_commit(f"CALL {procedure}($name)", name=name)


class Notices(logging.Handler):
    """Collects what the driver logs of the server's remarks on our statements, apart from what is expected."""

    def __init__(self, ignored: frozenset[str]) -> None:
        super().__init__()
        self.ignored = ignored
        self.found: list[str] = []

    def emit(self, record: logging.LogRecord) -> None:
        """Keep a remark."""
        assert isinstance(record.args, tuple)
        printer = record.args[0]
        notice, name = printer.notification, named(printer.query or "")  # type: ignore[attr-defined]
        if name is not None and notice.gql_status not in EXPECTED.get(name, frozenset()) | self.ignored:
            self.found.append(f"{name}: {notice.gql_status} {notice.status_description}")


@contextmanager
def noticed(ignored: frozenset[str] = frozenset()) -> Iterator[list[str]]:
    """The remarks of the server meanwhile, but for some statuses."""
    log, handler = logging.getLogger("neo4j.notifications"), Notices(ignored)
    before = log.handlers, log.level, log.propagate
    log.handlers = [handler]
    # Not to the root: tests look at what is logged there.
    log.setLevel(logging.INFO)
    log.propagate = False
    try:
        yield handler.found
    finally:
        log.handlers, log.propagate = before[0], before[2]
        log.setLevel(before[1])


def named(query: str) -> str | None:
    """The name of the statement in ``cypher/`` that a text is, whatever its placeholders hold."""
    text = _PREFIX.sub("", query, count=1).strip()
    return next((name for name, pattern in _patterns().items() if pattern.fullmatch(text)), None)


@cache
def _patterns() -> dict[str, re.Pattern[str]]:
    texts = {name: cypher._parse(name)[1] for name in cypher.names()}
    return {name: re.compile(_PLACEHOLDER.sub(".+?", re.escape(text)), re.DOTALL) for name, text in texts.items()}
