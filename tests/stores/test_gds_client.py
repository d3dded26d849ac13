"""`Workbench.to_gds`: Neo4j's own client on the open connection, with a projection that is dropped."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import pandas as pd
import pytest

import seedrank
from seedrank.core.errors import GraphError
from seedrank.graphdb.neo4j import Neo4jStore

pytest.importorskip("graphdatascience", reason="the package graphdatascience is not installed")

URLS = [f"http://{name}.example/" for name in "abcd"]
LINKS = [(0, 1, 2.0), (1, 2, 1.0), (2, 0, 1.0), (3, 0, 5.0), (0, 3, 1.0)]


@pytest.fixture
def bench(neo4j_store: Neo4jStore) -> Iterator[seedrank.Workbench]:
    with seedrank.open(neo4j_store.url, create=True) as bench:
        links = pd.DataFrame([(URLS[a], URLS[b], w) for a, b, w in LINKS], columns=["source", "target", "weight"])
        bench.load(pages=pd.DataFrame({"url": URLS}), links=links)
        yield bench


def projections(store: Neo4jStore) -> list[str]:
    """Those of graphs in hand; engines keep theirs a while."""
    found = store.query("CALL gds.graph.list() YIELD graphName RETURN graphName").to_pylist()
    return [row["graphName"] for row in found if not row["graphName"].startswith("seedrank-kept-")]


def test_pagerank_and_an_embedding(bench, neo4j_store, capsys):
    gds, web = bench.to_gds()
    assert (web.node_count(), web.relationship_count()) == (4, 5)
    gds.page_rank.mutate(web, mutate_property="rank", max_iterations=500, tolerance=1e-12)
    gds.fast_rp.mutate(web, mutate_property="embedding", embedding_dimension=8, random_seed=1)
    pages = gds.graph.node_properties.stream(web, ["id", "rank", "embedding"], db_node_properties=["url"])
    pages = pages.sort_values("id")
    assert pages["url"].tolist() == URLS
    ours = bench.engine.walk().scores
    rank = pages["rank"].astype(float)
    np.testing.assert_allclose(rank / rank.sum(), ours, atol=1e-9)
    assert {len(one) for one in pages["embedding"]} == {8}
    weighted = gds.page_rank.stream(web, relationship_weight_property="weight")
    assert len(weighted) == 4
    # The user's properties are in a projection of the user's own.
    assert bench.engine.walk().scores.tolist() == ours.tolist()
    told = capsys.readouterr()
    assert (told.out, told.err) == ("", "")


def test_the_password_is_not_handed_over(bench, neo4j_server):
    gds, _ = bench.to_gds()
    seen = [repr(gds), repr(vars(gds)), repr(vars(gds._query_runner))]
    assert not any(neo4j_server.password in text for text in seen)


def test_what_is_not_dropped_is_dropped_in_the_end(bench, neo4j_store):
    gds, first = bench.to_gds()
    _, second = bench.to_gds()
    assert sorted(projections(neo4j_store)) == sorted([first.name(), second.name()])
    first.drop()
    gds.close()
    assert bench.query("RETURN 1 AS one").to_pylist() == [{"one": 1}], "closing the client leaves the workbench open"
    assert projections(neo4j_store) == [second.name()]
    bench.close()
    assert projections(neo4j_store) == []


def test_a_load_drops_them_and_the_next_has_what_is_new(bench, neo4j_store):
    bench.to_gds()
    bench.load(links=pd.DataFrame({"source": [URLS[1]], "target": [URLS[3]]}))
    assert projections(neo4j_store) == []
    assert bench.to_gds()[1].relationship_count() == 6


def test_a_graph_without_links_is_refused(neo4j_store):
    with seedrank.open(neo4j_store.url, create=True) as bench:
        bench.load(pages=pd.DataFrame({"url": URLS}))
        with pytest.raises(GraphError, match="has no links to project"):
            bench.to_gds()
