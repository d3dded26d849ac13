"""Draw the pictures of docs/explore.md in Neo4j Browser: ``make tour-pictures``. It starts a server of its own.

`python -m docs.make_tour_pictures [--neo4j 2026.01] [--into FOLDER]` draws them on another line.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

from docs.in_browser import CHROMIUM, drop, log_in, opened, run
from seedrank.api.cypher_queries import statement_of, values_of
from seedrank.exporters.browser import pasted, write_style
from seedrank.graphdb.server import Server, down, free_port, up

DOCS = Path(__file__).resolve().parent
TABLES = ("--pages", str(DOCS / "explore" / "pages.csv"), "--links", str(DOCS / "explore" / "links.csv"))
BEFORE = (
    ("load", "table", *TABLES),
    ("frontier", "rw-eg", "--save-links"),
    ("seeds", "cores", "--save"),
    ("seeds", "maxweight", "-k", "3", "--hops", "1", "--save"),
)
"""What the tour does before it draws."""
PICTURES: dict[str, tuple[str, dict[str, Any]]] = {
    "one_host": ("one_host", {"host": "news.example"}),
    "what_links_here": ("what_links_here", {"url": "http://maps.example/world"}),
    "two_hops": ("two_hops", {"url": "http://bees.example/"}),
    "run_picture": ("run_picture", {}),
    "core_picture": ("core_picture", {}),
}
COLOURED = ("two_hops", {"url": "http://bees.example/"})
SETTLED = 4_000
"""Milliseconds that a picture takes to come to rest."""


def main() -> None:
    """Draw every picture of the tour."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--neo4j", default="5.26", help="the line of Neo4j")
    parser.add_argument("--into", type=Path, default=DOCS / "pictures", help="where the pictures go")
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        server = Server(Path(folder), port=free_port(), http_port=free_port(), heap="1g", neo4j=given.neo4j)
        up(server, use_docker=False)
        try:
            for command in BEFORE:
                ask(server, *command)
            draw(server, Path(folder), given.into)
        finally:
            down(server)


def ask(server: Server, *words: str) -> None:
    """Run a command of seedrank on the server."""
    secret = {"NEO4J_USERNAME": "neo4j", "NEO4J_PASSWORD": server.password()}
    command = [sys.executable, "-m", "seedrank.cli.main", "--quiet", "--store", server.url, *words]
    subprocess.run(command, check=True, cwd=DOCS.parent, env={**os.environ, **secret}, stdout=subprocess.DEVNULL)


def draw(server: Server, folder: Path, into: Path) -> None:
    """Drive Browser, and keep what it draws in `into`; `folder` is for what is dropped on it."""
    from playwright.sync_api import sync_playwright

    if CHROMIUM is None:
        raise SystemExit("no Chromium is installed, which the pictures need")
    with sync_playwright() as playwright:
        page = opened(playwright, f"http://127.0.0.1:{server.http_port}/browser/")
        log_in(page, "neo4j", server.password())
        write_style(folder / "style.grass")
        drop(page, folder / "style.grass")
        page.get_by_test_id("frame").first.get_by_text("node.Frontier").first.wait_for()
        run(page, ":config autoComplete: false")  # links that a query did not return are not drawn
        for name, (query, given) in PICTURES.items():
            keep(page, into / f"{name}.png", query, given)
        for query in ("colour_by_status", "colour_by_score"):
            ask(server, "explore", query, "--allow-writes")
        keep(page, into / "colours.png", *COLOURED)
        page.context.browser.close()


def keep(page: Any, file: Path, query: str, given: dict[str, Any]) -> None:
    """Run a query with its parameters and keep its frame as a picture."""
    values = values_of(query, given)
    for parameter, value in values.items():
        run(page, pasted("", {parameter: value}).strip().removesuffix(";"))
    run(page, statement_of(query)).locator("g.node").first.wait_for()
    frame = page.get_by_test_id("frame").first
    folded = frame.get_by_label("Collapse the node properties display")
    if folded.count():
        folded.first.click()  # the overview lies over the picture
    page.wait_for_timeout(SETTLED)
    frame.get_by_label("zoom-to-fit").click()
    page.wait_for_timeout(SETTLED)
    frame.screenshot(path=file)


if __name__ == "__main__":
    main()
