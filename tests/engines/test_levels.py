"""Hosts and domains of a store of pages: made in memory and inside Neo4j, they are one graph with the same answers."""

from __future__ import annotations

import numpy as np
import pytest

import seedrank
from seedrank.engines.gds import GdsEngine
from seedrank.graphdb.neo4j import Neo4jGdsStore
from seedrank.loaders.table import TableSource
from tests.cli.test_levels import LINKS, PAGES
from tests.engines.stored import projections

WEIGHTS = """
CALL gds.graph.relationshipProperty.stream($name, 'weight') YIELD sourceNodeId, targetNodeId, propertyValue
RETURN sourceNodeId AS a, targetNodeId AS b, propertyValue AS w
"""
LEVELS = [(level, weights) for level in ("host", "domain") for weights in ("links", "pages")]


@pytest.fixture
def store(neo4j_store, tmp_path, monkeypatch):
    if not isinstance(neo4j_store, Neo4jGdsStore):
        pytest.skip("the Neo4j server has no Graph Data Science library")
    for variable in ("XDG_DATA_HOME", "XDG_CACHE_HOME"):
        monkeypatch.setenv(variable, str(tmp_path / variable))
    for name, text in (("pages.csv", PAGES), ("links.csv", LINKS)):
        (tmp_path / name).write_text(text)
    with seedrank.open(neo4j_store.url) as bench:
        bench.load(TableSource(pages=[str(tmp_path / "pages.csv")], links=[str(tmp_path / "links.csv")]))
        # A link without a weight weighs 1.
        bench.query("MATCH ({url: 'http://e.org/'})-[r:LINKS_TO]->() REMOVE r.weight", write=True)
    return neo4j_store


@pytest.mark.parametrize(("level", "host_weights"), LEVELS)
def test_links_and_weights_are_those_in_memory(store, level, host_weights):
    with seedrank.open(store.url) as bench:
        graph = bench.session.view(level=level, host_weights=host_weights).stored_graph
        weights = np.ones(graph.links) if graph.weights is None else graph.weights
        sources = np.repeat(np.arange(graph.pages), graph.out_degree)
        in_memory = set(zip(sources.tolist(), graph.out_targets.tolist(), weights.tolist(), strict=True))
    before = projections(store)
    with GdsEngine(store, level=(level, host_weights)) as engine:
        assert (engine.pages, engine.links) == (graph.pages, graph.links)
        (name,) = {*projections(store)} - {*before}
        rows = store.query(WEIGHTS, {"name": name}).to_pylist()
        assert {(row["a"], row["b"], row["w"]) for row in rows} == in_memory
    assert projections(store) == before


def test_every_family_gives_the_same_answers(store):
    def answers(engine):
        found = {}
        with seedrank.open(store.url, engine=engine) as bench:
            for level in ("host", "domain"):
                found |= {
                    (level, "rank"): bench.rank("pagerank", level=level),
                    (level, "rank by weights"): bench.rank("pagerank", level=level, weights="links"),
                    (level, "hits"): bench.rank("hits", level=level),
                    (level, "hits by weights"): bench.rank("hits", level=level, weights="links"),
                    (level, "trust"): bench.rank("trust", trusted="e.org", level=level),
                    (level, "trust by weights"): bench.rank("trust", trusted="e.org", level=level, weights="links"),
                    (level, "distrust"): bench.rank("distrust", bad="b.org", level=level, weights="links"),
                    (level, "spam mass"): bench.rank("spam-mass", trusted="e.org", level=level, weights="links"),
                    (level, "harmonic"): bench.rank("harmonic", level=level),
                    (level, "seeds"): bench.seeds("maxweight", k=2, level=level, value="clicks"),
                    (level, "cores"): bench.cores(k=1, level=level),
                    (level, "crawl"): bench.crawl("fpr", seeds="maxweight:1", level=level),
                    (level, "frontier"): bench.frontier("rw-eg", level=level),
                }
            return {key: answer.table for key, answer in found.items()}

    native, gds = answers("native"), answers("gds")
    for key, table in native.items():
        assert gds[key].column_names == table.column_names
        names = table[key[0]].to_pylist()
        assert gds[key][key[0]].to_pylist() == names, key
        np.testing.assert_allclose(gds[key]["score"].to_numpy(), table["score"].to_numpy(), rtol=1e-9, atol=1e-9)


def test_scores_go_to_hosts(store):
    with seedrank.open(store.url) as bench:
        scores = bench.rank("pagerank", level="host", write="pr").table
        found = bench.query("MATCH (h:Host) RETURN h.name AS host, h.pr AS pr").to_pylist()
        assert {row["host"]: row["pr"] for row in found} == pytest.approx(
            dict(zip(scores["host"].to_pylist(), scores["score"].to_pylist(), strict=True))
        )
        assert "pr" in bench.session.view(level="host").graph.column_names
