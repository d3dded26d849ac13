"""Look for wrong answers: generated statements and the grid on both databases.

    NEO4J_URI=… NEO4J_USERNAME=… NEO4J_PASSWORD=… python -m tests.cypher.hunt --seed 1 --count 1000

Everything on the Neo4j server is deleted.
"""

from __future__ import annotations

import argparse
import os
import re
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import neo4j

from seedrank.graphdb.neo4j import Neo4jStore
from seedrank.graphdb.neo4j import open_store as open_neo4j
from tests.cypher.compare import Answer, Outcome, Question
from tests.cypher.everyday import everyday, everyday_web
from tests.cypher.generator import statement
from tests.cypher.graphs import random_web
from tests.cypher.grid import grid
from tests.cypher.pair import Asked, pair
from tests.cypher.statements import Statement, neo4j_is_wrong

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


@dataclass(frozen=True)
class Found:
    """An answer, the web it was given on, and for a wrong one the smallest statement that is wrong as well."""

    web: int
    answer: Answer
    smallest: Answer | None = None


def hunt(
    asked: Sequence[Question | Statement], seed: int, *, webs: int = WEBS, asked_of_everyday: bool = False
) -> Iterator[Found]:
    """Ask each on one of `webs` webs.

    What was asked last stands in ``.hunt-last`` in the folder of temporary files: the engine can crash the process.
    """
    last = Path(tempfile.gettempdir()) / ".hunt-last"
    with sessions() as (server, session), tempfile.TemporaryDirectory() as folder:
        for number in range(webs):
            web = everyday_web() if asked_of_everyday else random_web(seed * 1000 + number)
            with pair(web, server, session, Path(folder)) as ask:
                for one in asked[number::webs]:
                    last.write_text(f"web {web.seed}: {one}\n")
                    answer = ask(question(one))
                    wrong = answer.outcome is Outcome.WRONG and isinstance(one, Statement)
                    yield Found(web.seed, answer, shrunk(one, ask) if wrong else None)


def question(asked: Question | Statement) -> Question:
    """A generated statement as a question."""
    return asked if isinstance(asked, Question) else Question(str(asked), asked.parameters, asked.ordered)


def shrunk(made: Statement, ask: Asked) -> Answer | None:
    """The answer to the smallest part of a statement that is still wrong, or None if no part is."""
    smallest = None
    while True:
        for part in made.smaller():
            if neo4j_is_wrong(part) or _unlabelled(str(part)) - _unlabelled(str(made)):
                continue  # nodes without their label are another question
            answer = ask(question(part))
            if answer.outcome is Outcome.WRONG:
                made, smallest = part, answer
                break
        else:
            return smallest


def _unlabelled(text: str) -> set[str]:
    return set(re.findall(r"\((\w+)[ )]", text)) - set(re.findall(r"\((\w+):", text))


def say(text: str) -> None:
    """A line, at once."""
    sys.stdout.write(f"{text}\n")
    sys.stdout.flush()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--count", type=int, default=1000, help="generated statements")
    parser.add_argument("--grid", action="store_true", help="the grid instead")
    parser.add_argument("--everyday", action="store_true", help="everyday statements instead")
    parser.add_argument("--webs", type=int, default=WEBS)
    parser.add_argument("--show", default="wrong,failed,invalid", help="outcomes to print")
    given = parser.parse_args()
    asked = (
        grid()
        if given.grid
        else everyday()
        if given.everyday
        else [statement(given.seed * 1_000_000 + number) for number in range(given.count)]
    )
    shown = {Outcome(word) for word in given.show.split(",") if word}
    counts: Counter[str] = Counter()
    start = time.perf_counter()
    for found in hunt(asked, given.seed, webs=1 if given.everyday else given.webs, asked_of_everyday=given.everyday):
        counts[found.answer.outcome.value] += 1
        if found.answer.outcome in shown:
            say(f"web {found.web} {found.answer}")
            if found.smallest is not None:
                say(f"  smaller {found.smallest}")
    say(f"{sum(counts.values())} statements in {time.perf_counter() - start:.0f} s: {dict(counts)}")


if __name__ == "__main__":
    main()
