"""A workbench that goes on after its store changed."""

from __future__ import annotations

import pytest

import seedrank
from seedrank.core.errors import UsageError
from seedrank.loaders.pagelist import read_page_list
from seedrank.loaders.table import TableSource
from seedrank.methods.frontier.answer import searches_of
from seedrank.questions.seeds import SeedQuestion


def test_what_was_read_before_a_load_is_read_again(tmp_path):
    for name, links in (("a", "http://a.example/,http://b.example/"), ("b", "http://b.example/,http://c.example/")):
        (tmp_path / f"{name}.csv").write_text(f"source,target\n{links}\n")
    (tmp_path / "mine.txt").write_text("http://c.example/\n")
    with seedrank.open(str(tmp_path / "web.duckdb"), create=True) as bench:
        bench.load(TableSource(links=[str(tmp_path / "a.csv")]))
        listed = read_page_list(str(tmp_path / "mine.txt"))
        assert (bench.graph.pages, len(bench.session.sites), bench.engine.pages) == (2, 2, 2)
        assert bench.session.names.find(listed)[0].tolist() == [-1]

        bench.load(TableSource(links=[str(tmp_path / "b.csv")]))

        assert (bench.graph.pages, len(bench.session.sites), bench.engine.pages) == (3, 3, 3)
        assert bench.session.names.find(listed)[0].tolist() == [2]


def test_what_is_remembered_is_forgotten_by_a_load(tmp_path):
    for name in ("a", "b"):
        (tmp_path / f"{name}.csv").write_text(f"source,target\nhttp://{name}.example/,http://x.example/\n")
    with seedrank.open(str(tmp_path / "web.duckdb"), create=True) as bench:
        bench.load(TableSource(links=[str(tmp_path / "a.csv")]))
        made = []

        def mine(session):
            made.append(session.stored_graph.pages)
            return len(made)

        for _ in range(2):
            assert bench.session.once(mine) == 1
        searches = searches_of(bench.session)
        assert searches_of(bench.session) is searches

        bench.load(TableSource(links=[str(tmp_path / "b.csv")]))

        assert searches_of(bench.session) is not searches
        assert bench.session.once(mine) == 2
        assert made == [2, 3]


def test_a_view_that_is_held_shows_what_was_loaded_since(tmp_path):
    for name, links in (("a", "http://a.example/,http://b.example/"), ("b", "http://b.example/,http://c.example/")):
        (tmp_path / f"{name}.csv").write_text(f"source,target\n{links}\n")
    with seedrank.open(str(tmp_path / "web.duckdb"), create=True) as bench:
        bench.load(TableSource(links=[str(tmp_path / "a.csv")]))
        held = bench.session.view(level="host", weights="links", cap=1)
        assert (held.level, held.graph.pages, held.engine.pages, len(held.pagerank)) == ("host", 2, 2, 2)

        bench.load(TableSource(links=[str(tmp_path / "b.csv")]))

        assert bench.session.view(level="host", weights="links", cap=1) is held
        assert (held.level, held.graph.pages, held.engine.pages, len(held.pagerank)) == ("host", 3, 3, 3)


def test_a_view_is_of_the_store_from_wherever_it_is_asked(tmp_path):
    (tmp_path / "a.csv").write_text("source,target\nhttp://a.example/,http://b.example/\n")
    with seedrank.open(str(tmp_path / "web.duckdb"), create=True) as bench:
        bench.load(TableSource(links=[str(tmp_path / "a.csv")]))
        hosts = bench.session.view(level="host", host_weights="pages", weights="links")
        assert hosts.view() is bench.session
        assert hosts.view(weights="links") is bench.session.view(weights="links")
        assert hosts.unweighted is bench.session.view(level="host", host_weights="pages")
        assert hosts.stored_graph is hosts.unweighted.stored_graph
        assert hosts.view_of(SeedQuestion(level="domain")) is bench.session.view(level="domain")
        with pytest.raises(UsageError, match="links between pages weigh what is stored"):
            hosts.view(host_weights="pages")
