"""Weights, trust and levels together: hosts are asked about by the weights of the links between them."""

from __future__ import annotations

from collections import defaultdict

import numpy as np
import pytest

import seedrank
from seedrank.core.errors import UsageError
from seedrank.loaders.table import TableSource
from seedrank.methods.crawl import push_orders
from seedrank.methods.crawl.simulate import simulate
from tests.engines import reference

NAMES = [f"h{number}.example" for number in range(7)]
PAGES, FRONTIER = 60, range(50, 60)


def url(page: int) -> str:
    return f"http://{NAMES[page % 7]}/{page}"


@pytest.fixture(scope="module")
def links() -> reference.Weights:
    rng = np.random.default_rng(5)
    pairs = {(int(a), int(b)) for a, b in rng.integers(0, PAGES, (90, 2)) if a != b and a not in FRONTIER}
    return {pair: float(rng.choice([0.0, 0.5, 1.0, 8.0, 100.0])) for pair in sorted(pairs)}


@pytest.fixture
def bench(tmp_path, links):
    rows = [f"{url(a)},{url(b)},{weight if weight != 1 else ''}" for (a, b), weight in links.items()]
    (tmp_path / "links.csv").write_text("\n".join(["source,target,weight", *rows, ""]))
    pages = [f"{url(page)},{'frontier' if page in FRONTIER else 'crawled'},{page == 3:d}" for page in range(PAGES)]
    (tmp_path / "pages.csv").write_text("\n".join(["url,status,spam", *pages, ""]))
    (tmp_path / "trusted.txt").write_text("h1.example\nh4.example\n")
    with seedrank.open(str(tmp_path / "web.duckdb"), create=True) as bench:
        bench.load(TableSource(pages=[str(tmp_path / "pages.csv")], links=[str(tmp_path / "links.csv")]))
        yield bench


def between(links: reference.Weights, host_weights: str = "links") -> reference.Weights:
    """The links of hosts, made by hand."""
    sums: dict[tuple[int, int], float] = defaultdict(float)
    pages = set()
    for (a, b), weight in links.items():
        ends = a % 7, b % 7
        if ends[0] != ends[1]:
            if host_weights == "links":
                sums[ends] += weight
            elif (a, ends) not in pages:
                pages.add((a, ends))
                sums[ends] += 1
    return dict(sums)


def scores(answer) -> list[float]:
    found = dict(zip(answer.table["host"].to_pylist(), answer.table["score"].to_pylist(), strict=True))
    return [found[name] for name in NAMES]


def walked(links: reference.Weights | reference.Links, teleport=None) -> list[float]:
    return list(reference.walk(len(NAMES), links, [(1, None, None)], 0.85, teleport, "teleport"))


def chosen(*hosts: str) -> np.ndarray:
    return np.isin(NAMES, hosts).astype(float)


@pytest.mark.parametrize("host_weights", ["links", "pages"])
def test_walks_and_hits(bench, links, host_weights):
    of_hosts = between(links, host_weights)
    asked = {"level": "host", "host_weights": host_weights}
    assert len(set(of_hosts.values())) > 2
    assert scores(bench.rank("pagerank", weights="links", **asked)) == pytest.approx(walked(of_hosts), abs=1e-9)
    assert scores(bench.rank("pagerank", **asked)) == pytest.approx(walked(set(of_hosts)), abs=1e-9)
    hits = reference.hits(len(NAMES), of_hosts, 9)[1]
    assert scores(bench.rank("hits", weights="links", iterations=9, **asked)) == pytest.approx(list(hits), abs=1e-9)


def test_trust_and_distrust(bench, links, tmp_path):
    of_hosts, file = between(links), str(tmp_path / "trusted.txt")
    trusted = walked(of_hosts, chosen("h1.example", "h4.example"))
    for named in (file, ["h1.example", "http://h4.example/whatever"]):
        found = bench.rank("trust", trusted=named, weights="links", level="host")
        assert scores(found) == pytest.approx(trusted, abs=1e-9)
    assert found.run.parameters["level"] == "host" and found.run.parameters["weights"] == "links"
    # A host is spam where any of its pages is.
    spam = chosen("h3.example")
    turned = {(b, a): weight for (a, b), weight in of_hosts.items()}
    found = bench.rank("distrust", bad="spam", weights="links", level="host")
    assert scores(found) == pytest.approx(walked(turned, spam), abs=1e-9)
    plain = bench.rank("trust", trusted=file, level="host")
    assert scores(plain) == pytest.approx(walked(set(of_hosts), chosen("h1.example", "h4.example")), abs=1e-9)
    mass = bench.rank("spam-mass", trusted=file, weights="links", level="host", min_pagerank=0)
    assert mass.table.num_rows == len(NAMES)
    with pytest.raises(UsageError, match="ranks hosts, and pages are asked about"):
        bench.rank("trust", trusted=mass)


def test_a_cap_is_one_of_hosts(bench, links):
    of_hosts = between(links)
    heaviest = {
        pair: weight if weight == max(w for (a, _), w in of_hosts.items() if a == pair[0]) else 0.0
        for pair, weight in of_hosts.items()
    }
    for source in range(len(NAMES)):
        of_source = [weight for (a, _), weight in heaviest.items() if a == source and weight]
        assert len(of_source) <= 1, "no ties, so that the rule for them does not matter here"
    found = bench.rank("pagerank", weights="links", cap_links=1, level="host")
    assert scores(found) == pytest.approx(walked(heaviest), abs=1e-9)


def test_crawls_and_the_frontier(bench):
    graph = bench.session.view(level="host").stored_graph
    seeds = np.array([graph.host_names.to_pylist().index("h1.example")])
    for fields, expected in (({}, graph.unweighted()), ({"weights": "links"}, graph)):
        order = simulate(expected, push_orders.fpr(seeds), seeds)
        found = bench.crawl("fpr", seeds="h1.example", trusted="h1.example", level="host", **fields)
        assert found.table["id"].to_pylist() == order.pages.tolist()
        assert found.table["score"].to_pylist() == order.scores.tolist()
        assert found.facts["trusted_labelled"] == len(order.pages)
    assert bench.seeds("pagerank", k=2, level="host", weights="links").table.num_rows == 2
    assert bench.cores(k=1, level="host", weights="links").table.num_rows == 1


def test_what_looks_wrong_counts_the_links_of_pages(bench):
    asked = {"source_links": 1, "source_share": 0.5}
    of_pages, of_hosts = (bench.suspicious(level=level, **asked).table.to_pylist() for level in ("page", "host"))
    wanted = [row for row in of_pages if row["kind"] in ("farm", "one source")]
    assert wanted and of_hosts == wanted


def test_sessions_of_levels_and_weights_are_made_once_and_closed(bench):
    at = bench.session.view(level="host")
    linked = at.view(level="host", weights="links")
    assert linked is bench.session.view(level="host", weights="links") and linked.unweighted is at
    assert linked.view(weights="links") is bench.session.view(weights="links"), "views are of the store"
    assert linked.stored_graph is at.stored_graph and at.graph.weights is None and linked.graph.weights is not None
    assert linked.engine.pages == len(NAMES) and "engine" in vars(linked)
    bench.rank("pagerank", weights="links", level="host", write="heavy")
    assert linked.graph.column("heavy").sum() == pytest.approx(1)
    assert at.graph.column("heavy").sum() == pytest.approx(1)
    bench.close()
    assert "engine" not in vars(linked)
