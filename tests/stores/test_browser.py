"""Neo4j Browser, driven in a headless Chromium: what docs/explore.md tells people to do works."""

from __future__ import annotations

import urllib.error
import urllib.request
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest

from docs.in_browser import CHROMIUM, PATIENCE, drop, log_in, opened, run
from seedrank import cypher
from seedrank.exporters.browser import pasted, write_favourites, write_style
from seedrank.graphdb.py2neo import Graph
from seedrank.graphdb.py2neo.bulk import create_nodes, create_relationships

sync_api = pytest.importorskip("playwright.sync_api", reason="the package playwright is not installed")

pytestmark = [pytest.mark.browser, pytest.mark.skipif(CHROMIUM is None, reason="no Chromium is installed")]


def browser_address(server: Any) -> str:
    """Where the server's Browser is, as the server itself tells."""
    graph = Graph(server.url, auth=(server.user, server.password))
    advertised = graph.evaluate("SHOW SETTINGS 'server.http.advertised_address' YIELD value RETURN value")
    graph.close()
    return f"http://{urlsplit(server.url).hostname}:{advertised.rpartition(':')[2]}/browser/"


@pytest.fixture
def page(neo4j_server: Any) -> Iterator[Any]:
    """The Browser's page, before the login."""
    address = browser_address(neo4j_server)
    try:
        urllib.request.urlopen(address, timeout=30).close()
    except (urllib.error.URLError, ConnectionError) as error:
        pytest.skip(f"the server has no Browser at {address}: {error}")
    with sync_api.sync_playwright() as playwright:
        page = opened(playwright, address)
        yield page
        page.context.browser.close()


@pytest.fixture
def web(neo4j_server: Any) -> Iterator[None]:
    """Two hosts with two pages each; two pages link to http://a.example/."""
    graph = Graph(neo4j_server.url, auth=(neo4j_server.user, neo4j_server.password))
    graph.delete_all()
    urls = ["http://a.example/", "http://a.example/x", "http://b.example/", "http://b.example/y"]
    create_nodes(graph.auto(), enumerate(urls), labels=["Page"], keys=["id", "url"])
    create_nodes(graph.auto(), [["a.example", 2], ["b.example", 2]], labels=["Host"], keys=["name", "pages"])
    links = [(1, 0), (2, 0), (2, 3)]
    by_id = ("Page", "id")
    create_relationships(graph.auto(), [(a, {"weight": 1.0}, b) for a, b in links], "LINKS_TO", by_id, by_id)
    yield
    graph.delete_all()
    graph.close()


@pytest.mark.usefixtures("web")
def test_explore_queries_show_their_results_in_browser(page: Any, neo4j_server: Any) -> None:
    expect = sync_api.expect
    log_in(page, neo4j_server.user, neo4j_server.password)

    expect(run(page, ":param url => 'http://a.example/'")).to_contain_text("a.example", timeout=PATIENCE)
    expect(run(page, ":param limit => 25")).to_contain_text("25", timeout=PATIENCE)

    drawn = run(page, cypher.statement("explore/what_links_here"))
    expect(drawn).to_contain_text("Displaying 3 nodes, 2 relationships.", timeout=PATIENCE)
    expect(drawn.locator("g.node")).to_have_count(3, timeout=PATIENCE)

    listed = run(page, cypher.statement("explore/biggest_hosts"))
    expect(listed.get_by_role("cell").filter(has_text="a.example")).to_be_visible(timeout=PATIENCE)
    expect(listed.get_by_role("columnheader").filter(has_text="pages")).to_be_visible(timeout=PATIENCE)


@pytest.mark.usefixtures("web")
def test_favourites_and_style_are_taken_and_what_is_printed_can_be_pasted(
    page: Any, neo4j_server: Any, tmp_path: Path
) -> None:
    expect = sync_api.expect
    log_in(page, neo4j_server.user, neo4j_server.password)
    known = [name for name in cypher.names() if name.startswith("explore/")]
    assert write_favourites(tmp_path / "favourites.zip") == len(known)
    drop(page, tmp_path / "favourites.zip")
    page.get_by_test_id("navigationFavorites").click()
    page.get_by_test_id("expandFolder-seedrank").click()
    for name in known:
        expect(page.get_by_text(cypher.header(name).title, exact=True).first).to_be_visible(timeout=PATIENCE)
    page.get_by_test_id("navigationFavorites").click()

    write_style(tmp_path / "style.grass")
    drop(page, tmp_path / "style.grass")
    expect(page.get_by_test_id("frame").first).to_contain_text("node.Frontier", timeout=PATIENCE)

    text = pasted(cypher.statement("explore/what_links_here"), {"url": "http://a.example/", "limit": 5})
    setting, query = text.split("\n\n")
    run(page, setting)
    for _ in range(20):  # Browser says nowhere when it has run several commands
        if '"limit": 5' in run(page, ":params").inner_text():
            break
        page.wait_for_timeout(500)
    drawn = run(page, query)
    expect(drawn).to_contain_text("Displaying 3 nodes, 2 relationships.", timeout=PATIENCE)
    expect(drawn.locator("g.node circle[fill='#4C8EDA']").first).to_be_attached(timeout=PATIENCE)
