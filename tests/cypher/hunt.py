"""Look for wrong answers: generated statements and the grid on both databases.

    NEO4J_URI=… NEO4J_USERNAME=… NEO4J_PASSWORD=… python -m tests.cypher.hunt --seed 1 --count 1000 [--as-is]

Everything on the Neo4j server is deleted.
"""

from __future__ import annotations

import argparse
import os
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path

import neo4j

from graphdb.neo4j import Neo4jStore
from graphdb.neo4j import open_store as open_neo4j
from tests.cypher.compare import Answer, Outcome, Question
from tests.cypher.graphs import random_web
from tests.cypher.grid import grid
from tests.cypher.pair import pair

WEBS = 5
"""Webs that share the statements of one hunt."""


@contextmanager
def sessions() -> Iterator[tuple[Neo4jStore, neo4j.Session]]:
    """The server the environment names."""
    url = os.environ.get("NEO4J_URI")
    if not url:
        sys.exit("NEO4J_URI names no server: start one with `seedrank db up` and name it")
    auth = (os.environ.get("NEO4J_USERNAME", "neo4j"), os.environ.get("NEO4J_PASSWORD", ""))
    with (
        open_neo4j(url) as server,
        neo4j.GraphDatabase.driver(url, auth=auth, notifications_min_severity="OFF") as driver,
        driver.session() as session,
    ):
        yield server, session
        server.wipe()


def hunt(questions: Iterable[Question], seed: int, *, as_is: bool, webs: int = WEBS) -> Iterator[tuple[int, Answer]]:
    """Ask each question on one of `webs` webs; yields the web's number and the answer."""
    given = list(questions)
    with sessions() as (server, session), tempfile.TemporaryDirectory() as folder:
        for number in range(webs):
            web = random_web(seed * 1000 + number)
            with pair(web, server, session, Path(folder), as_is=as_is) as ask:
                for question in given[number::webs]:
                    yield web.seed, ask(question)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--count", type=int, default=1000, help="generated statements")
    parser.add_argument("--grid", action="store_true", help="the grid instead")
    parser.add_argument("--as-is", action="store_true", help="past our reading of statements")
    parser.add_argument("--webs", type=int, default=WEBS)
    parser.add_argument("--show", default="wrong,failed,invalid", help="outcomes to print")
    given = parser.parse_args()
    questions = grid() if given.grid else []
    shown = {Outcome(word) for word in given.show.split(",") if word}
    counts: Counter[str] = Counter()
    start = time.perf_counter()
    for web, answer in hunt(questions, given.seed, as_is=given.as_is, webs=given.webs):
        counts[answer.outcome.value] += 1
        if answer.outcome in shown:
            print(f"web {web} {answer}", flush=True)
    total = sum(counts.values())
    print(f"{total} statements in {time.perf_counter() - start:.0f} s: {dict(counts)}")


if __name__ == "__main__":
    main()
