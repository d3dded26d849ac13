"""Both databases for the comparison."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager
from pathlib import Path

import neo4j
import pytest

from seedrank.graphdb.neo4j import Neo4jStore
from tests.conftest import Neo4jServer
from tests.cypher.everyday import EVERYDAY, everyday_web
from tests.cypher.graphs import random_web
from tests.cypher.pair import Asked, pair

Paired = Callable[[int], AbstractContextManager[Asked]]


@pytest.fixture
def paired(neo4j_server: Neo4jServer, neo4j_store: Neo4jStore, tmp_path: Path) -> Iterator[Paired]:
    """Questions to both databases filled with the web of a number."""
    auth = (neo4j_server.user, neo4j_server.password)
    with (
        neo4j.GraphDatabase.driver(neo4j_server.url, auth=auth, notifications_min_severity="OFF") as driver,
        driver.session() as session,
    ):

        def open_pair(seed: int) -> AbstractContextManager[Asked]:
            return pair(everyday_web() if seed == EVERYDAY else random_web(seed), neo4j_store, session, tmp_path)

        yield open_pair
