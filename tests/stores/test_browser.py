"""Neo4j Browser, driven in a headless Chromium: what docs/explore.md tells people to do works."""

from __future__ import annotations

import shutil
import urllib.error
import urllib.request
from collections.abc import Iterator
from typing import Any
from urllib.parse import urlsplit

import pytest

import cypher
from graphdb.py2neo import Graph
from graphdb.py2neo.bulk import create_nodes, create_relationships

sync_api = pytest.importorskip("playwright.sync_api", reason="the package playwright is not installed")

CHROMIUM = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)
pytestmark = [pytest.mark.browser, pytest.mark.skipif(CHROMIUM is None, reason="no Chromium is installed")]
FLAGS = [
    "--no-sandbox",  # containers and build machines run as root
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]
PATIENCE = 60_000
"""Milliseconds to wait for anything on the page."""


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
        chromium = playwright.chromium.launch(executable_path=CHROMIUM, args=FLAGS)
        page = chromium.new_page(viewport={"width": 1200, "height": 800})
        page.set_default_timeout(PATIENCE)
        # Browser asks for fonts and news from the internet; nothing here depends on them.
        page.route(lambda url: "localhost" not in url and "127.0.0.1" not in url, lambda route: route.abort())
        page.goto(address)
        yield page
        chromium.close()


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


def log_in(page: Any, user: str, password: str) -> None:
    page.get_by_test_id("username").fill(user)
    page.get_by_test_id("password").fill(password)
    page.get_by_test_id("connect").click()


def run(page: Any, command: str) -> Any:
    """Run a command in the editor; its frame, once it is there."""
    page.get_by_test_id("activeEditor").locator("textarea").first.focus()
    page.keyboard.press("Control+A")
    page.keyboard.press("Delete")
    page.keyboard.insert_text(command)
    page.keyboard.press("Control+Enter")
    named = page.get_by_test_id("frameCommand").filter(has_text=command.split("\n")[0])
    frame = page.get_by_test_id("frame").filter(has=named).first
    sync_api.expect(frame).to_be_visible(timeout=PATIENCE)
    return frame


@pytest.mark.usefixtures("web")
def test_explore_queries_show_their_results_in_browser(page: Any, neo4j_server: Any) -> None:
    expect = sync_api.expect
    log_in(page, neo4j_server.user, neo4j_server.password)
    expect(page.get_by_test_id("stream")).to_contain_text("connected as user", timeout=PATIENCE)

    expect(run(page, ":param url => 'http://a.example/'")).to_contain_text("a.example", timeout=PATIENCE)
    expect(run(page, ":param limit => 25")).to_contain_text("25", timeout=PATIENCE)

    drawn = run(page, cypher.statement("explore/what_links_here"))
    expect(drawn).to_contain_text("Displaying 3 nodes, 2 relationships.", timeout=PATIENCE)
    expect(drawn.locator("g.node")).to_have_count(3, timeout=PATIENCE)

    listed = run(page, cypher.statement("explore/biggest_hosts"))
    expect(listed.get_by_role("cell").filter(has_text="a.example")).to_be_visible(timeout=PATIENCE)
    expect(listed.get_by_role("columnheader").filter(has_text="pages")).to_be_visible(timeout=PATIENCE)
