"""The store that Spark reads, from the command line: the same answers as in memory, and refusals with the reason."""

from __future__ import annotations

import json

import pytest

import seedrank as api

ASKED = [
    ("rank", "pagerank"),
    ("rank", "pagerank", "--weights", "links"),
    ("rank", "hits", "--iterations", "3"),
    ("rank", "indegree"),
    ("seeds", "maxout", "-k", "3"),
    ("seeds", "outdegree", "-k", "3"),
    ("seeds", "pagerank", "-k", "3"),
    ("seeds", "maxscc", "-k", "2", "--depth", "2"),
    ("seeds", "rootscc", "-k", "2", "--depth", "2"),
    ("seeds", "maxweight", "-k", "2", "--hops", "2"),
    ("seeds", "cores", "-k", "1", "--iterations", "3"),
    ("frontier", "rw", "--impact", "clicks"),
    ("frontier", "rw-eg", "--impact", "clicks"),
]


@pytest.fixture(scope="module")
def web(tmp_path_factory):
    """A synthetic web with clicks and a frontier, as the folder that Spark reads."""
    from seedrank.exporters.spark import export_spark
    from seedrank.ingest.synthetic import WebSpec, write_tables
    from seedrank.loaders.table import TableSource

    folder = tmp_path_factory.mktemp("web")
    tables = write_tables(WebSpec(pages=300), folder / "tables")
    with api.open(folder / "web.duckdb", create=True) as bench:
        bench.load(TableSource(pages=[str(tables / "pages.parquet")], links=[str(tables / "links.parquet")]))
        export_spark(bench.session.store, folder / "web.spark")
    return folder


def rows(outcome):
    assert outcome.code == 0, outcome.err
    return [json.loads(line) for line in outcome.out.splitlines()]


@pytest.mark.parametrize("asked", ASKED, ids=lambda asked: " ".join(asked[:3]))
def test_the_same_answer_as_in_memory(spark, seedrank, web, asked):
    in_spark, here = (
        rows(seedrank("--store", f"spark+parquet:{web}/web.spark", "--engine", engine, *asked, "--format", "json"))
        for engine in ("spark", "native")
    )
    assert len(in_spark) == len(here) > 0
    for ours, expected in zip(in_spark, here, strict=True):
        assert ours.keys() == expected.keys()
        for name, value in expected.items():
            assert ours[name] == (pytest.approx(value, rel=1e-7, abs=1e-9) if isinstance(value, float) else value)


@pytest.mark.parametrize(
    ("asked", "reason"),
    [
        (("seeds", "greedy", "-k", "2"), "greedy does not run in Spark: it needs the balls of all pages"),
        *(
            (("crawl", order, "--seeds", "pagerank:2"), f"crawl {order} does not run in Spark: an order is one long")
            for order in ("fpr", "rankmass", "opic")
        ),
        (("crawl", "compare", "fpr", "bfs"), "crawl compare does not run in Spark: an order is one long"),
        *(
            (("experiment", name), f"experiment {name} does not run in Spark: it repeatedly goes through the links")
            for name in ("coverage", "cores", "ordering", "impact")
        ),
        (("experiment", "ordering", "--measure", "clicks"), "experiment ordering does not run in Spark"),
    ],
    ids=lambda one: " ".join(one) if isinstance(one, tuple) else "",
)
def test_what_spark_cannot_do_names_the_engine_that_can(seedrank, web, asked, reason):
    """Known before Spark is started."""
    outcome = seedrank("--store", f"spark+parquet:{web}/web.spark", "--engine", "spark", *asked)
    assert outcome.code == 1
    assert reason in outcome.err
    assert "use --engine native" in outcome.err


def test_auto_asks_a_graph_that_fits_in_memory_and_says_from_when_on_it_would_not(seedrank, web):
    outcome = seedrank("--store", f"spark+parquet:{web}/web.spark", "rank", "indegree", "-v")
    assert outcome.code == 0
    assert "the graph fits into memory: it is asked here, not in Spark; that would begin at about" in outcome.err


def test_a_folder_that_is_none(seedrank, tmp_path):
    outcome = seedrank("--store", f"spark+parquet:{tmp_path}", "rank", "indegree")
    assert (outcome.code, "is not a folder that Spark reads" in outcome.err) == (1, True)


def test_a_master_goes_with_a_store_that_spark_reads(seedrank, web):
    outcome = seedrank("--store", web / "web.duckdb", "--master", "local[1]", "rank", "indegree")
    assert (outcome.code, "--master goes with a store that Spark reads" in outcome.err) == (2, True)


def test_coverage_of_given_seeds(spark, seedrank, web):
    store = f"spark+parquet:{web}/web.spark"
    seeds = rows(seedrank("--store", store, "--engine", "native", "seeds", "maxout", "-k", "3", "--format", "json"))
    (web / "seeds.txt").write_text("\n".join(row["url"] for row in seeds))
    in_spark, here = (
        rows(seedrank("--store", store, "--engine", engine, "seeds", "evaluate", web / "seeds.txt", "--format", "json"))
        for engine in ("spark", "native")
    )
    assert in_spark == here
