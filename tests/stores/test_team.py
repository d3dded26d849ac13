"""A team at work: two that load, ten that ask, and another program that writes, all in one Neo4j database."""

from __future__ import annotations

import logging
import os
import random
import time
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import neo4j
import numpy as np
import pytest

from seedrank.core.errors import StoreError
from seedrank.graphdb.neo4j import Neo4jStore
from seedrank.graphdb.store import HasGds
from seedrank.ingest.load import load
from seedrank.session import Session
from tests.stores.test_one_writer import opened, tables

PAGES = 20_000
READERS = 10


@pytest.mark.timeout(2_400)
@pytest.mark.parametrize(
    "seconds", [pytest.param(20, marks=pytest.mark.long), pytest.param(600, marks=pytest.mark.deep)]
)
def test_a_team_leaves_an_exact_graph(
    neo4j_store: Neo4jStore, seconds: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Every link of every load is there once, whatever the others did, and nobody was given a torn graph."""
    for folder in ("XDG_CACHE_HOME", "XDG_DATA_HOME"):
        monkeypatch.setenv(folder, str(tmp_path))
    load(Session(neo4j_store), **tables(0, 100))
    loaded = [(0, 100)]
    end, done = time.monotonic() + seconds, Counter[str]()

    def loads(seed: int) -> None:
        rng = random.Random(seed)
        while time.monotonic() < end:
            first = rng.randrange(PAGES)
            last = first + rng.randrange(1, 1_000)
            with Session(opened(neo4j_store, batch_size=200, wait=300.0)) as session:
                load(session, **tables(first, last))
            loaded.append((first, last))
            done["loads"] += 1

    def asks(number: int) -> None:
        engine = "gds" if number % 2 and isinstance(neo4j_store, HasGds) else "native"
        while time.monotonic() < end:
            try:
                with Session(opened(neo4j_store), engine=engine) as session:  # type: ignore[arg-type]
                    if engine == "native":
                        whole(session.graph.out_offsets, session.graph.out_targets)
                    else:
                        assert session.engine.walk().converged
                done["answers"] += 1
            except StoreError as error:
                # A graph that changes under the reader is refused, and never given torn.
                if not any(said in str(error) for said in ("meanwhile", "changed while it was read", " gave ")):
                    raise
                done["refused"] += 1

    def writes() -> None:
        rng = random.Random(0)
        auth = os.environ["NEO4J_USERNAME"], os.environ["NEO4J_PASSWORD"]
        with neo4j.GraphDatabase.driver(neo4j_store.url, auth=auth) as driver, driver.session() as session:
            while time.monotonic() < end:
                # The driver tries it again where a load and it each lock what the other waits for.
                session.execute_write(
                    lambda tx: tx.run(
                        "MERGE (t:Truck {n: $n}) WITH t MATCH (p:Page {id: $n}) SET p.note = $n MERGE (t)-[:AT]->(p)",
                        n=rng.randrange(PAGES),
                    ).consume()
                )
                done["edits"] += 1
                time.sleep(0.05)

    with ThreadPoolExecutor(READERS + 3) as pool:
        work = [pool.submit(loads, seed) for seed in (1, 2)]
        work += [pool.submit(asks, number) for number in range(READERS)] + [pool.submit(writes)]
        for one in work:
            one.result()
    logging.getLogger(__name__).info("%s s: %s", seconds, dict(done))
    # On a busy machine every answer of so short a time may have been refused.
    assert done["loads"] and done["edits"] and done["answers"] + done["refused"]
    assert neo4j_store.check() == []
    ids = np.unique(np.concatenate([np.arange(first, last) for first, last in loaded]))
    wanted = {(int(a), int(a) + step) for a in ids for step in (1, 2, 9)}
    urls = [int(url.rsplit("/", 1)[1]) for batch in neo4j_store.read_pages(["url"]) for url in batch["url"].to_pylist()]
    found = [
        (urls[row["source"]], urls[row["target"]], row["weight"])
        for batch in neo4j_store.read_links()
        for row in batch.to_pylist()
    ]
    assert Counter(found) == Counter((a, b, 1.0) for a, b in wanted)
    assert sorted(urls) == sorted({page for pair in wanted for page in pair})


def whole(offsets: np.ndarray, targets: np.ndarray) -> None:
    """No page links twice to one, and every link leads to a page."""
    pages = len(offsets) - 1
    assert len(targets) == offsets[-1]
    sources = np.repeat(np.arange(pages), np.diff(offsets))
    keys = sources * np.int64(max(pages, 1)) + targets
    assert (np.diff(keys) > 0).all()
    assert not len(targets) or targets.max() < pages
