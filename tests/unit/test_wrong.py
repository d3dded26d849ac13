"""What looks wrong in a graph and its answers, in counts and in sentences."""

from __future__ import annotations

import numpy as np

from seedrank.core.model import Status
from seedrank.graph import WebGraph
from seedrank.graphdb.arrays import ArrayStore
from seedrank.methods.seeds.choose import choose
from seedrank.output.report.findings import findings, wrongs
from seedrank.questions.seeds import SeedQuestion
from seedrank.session import Session

DAYS = [f"https://a.example/cal/{number // 28 + 2000}/01/{number % 28 + 1:02}" for number in range(120)]


def session_of(urls: list[str], status: list[int], tmp_path, **columns: list[float]) -> Session:
    """Page 0 links to every other page of its host, and no page to another host."""
    hosts = [url.split("/")[2] for url in urls]
    names = sorted(set(hosts))
    targets = np.array([page for page in range(1, len(urls)) if hosts[page] == hosts[0]])
    graph = WebGraph.from_links(
        len(urls), np.zeros(len(targets), np.int64), targets, urls=urls, status=status,
        host=[names.index(host) for host in hosts], host_names=names,
        columns={name: np.array(values) for name, values in columns.items()},
    )  # fmt: skip
    return Session(ArrayStore(graph, str(tmp_path / "graph")), engine="native")


def test_counts_and_sentences(tmp_path):
    urls = ["https://a.example/", *DAYS, *(f"https://b.example/{number}" for number in range(60))]
    status = [Status.CRAWLED] + [Status.FRONTIER] * 120 + [Status.CRAWLED] * 60
    session = session_of(urls, status, tmp_path, spam=[1.0, 0.0] + [np.nan] * 179)
    seeds = choose(session, SeedQuestion(method="greedy", k=1)).run
    found = {one.name: (one.count, one.of) for one in wrongs(session, seeds)}
    assert found == {"spam": (1, 2), "duplicates": (0, 61), "in traps": (120, 181), "hosts starve": (0, 2)}
    said = findings(session, [seeds])
    assert "What looks wrong: 1 of 2 labelled pages are spam; 120 of 181 pages look like traps." in said
    assert any(one.startswith("120 frontier pages (100 %) look like traps, addresses without end:") for one in said)
    without = choose(session, SeedQuestion(method="greedy", k=1, no_traps=True)).run
    assert not any("--no-traps" in one for one in findings(session, [without]))


def test_a_host_that_starves_is_named(tmp_path):
    urls = [f"https://a.example/{number}" for number in range(60)] + [f"https://b.example/{n}" for n in range(60)]
    session = session_of(urls, [Status.CRAWLED] * 120, tmp_path)
    seeds = choose(session, SeedQuestion(method="greedy", k=1)).run
    assert wrongs(session, seeds)[-1].said.endswith("what the seeds reach, such as b.example")
    assert findings(session, [seeds])[-1] == (
        "What looks wrong: 1 of 2 crawled hosts get less than a tenth of their share of what the seeds reach, such as "
        "b.example."
    )


def test_where_nothing_is_found_it_says_what_was_looked_at(tmp_path):
    session = session_of([f"https://a.example/{number}" for number in range(5)], [Status.CRAWLED] * 5, tmp_path)
    seeds = choose(session, SeedQuestion(method="greedy", k=1)).run
    assert findings(session, [seeds])[-1] == (
        "Nothing looks wrong: 0 crawled pages repeat others of their host, 0 pages look like traps, "
        "0 crawled hosts get less than a tenth of their share of what the seeds reach."
    )
