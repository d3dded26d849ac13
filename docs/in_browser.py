"""Neo4j Browser, driven by a program: log in, drop files, run commands; for the tests and the pictures of the tour."""

from __future__ import annotations

import base64
import shutil
from pathlib import Path
from typing import Any

CHROMIUM = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)
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
_TRANSFER = """([name, data]) => {
  const transfer = new DataTransfer();
  transfer.items.add(new File([Uint8Array.from(atob(data), letter => letter.charCodeAt(0))], name));
  return transfer;
}"""


def opened(playwright: Any, address: str) -> Any:
    """Browser's page, before the login; nothing but this machine is asked for anything."""
    chromium = playwright.chromium.launch(executable_path=CHROMIUM, args=FLAGS)
    page = chromium.new_page(viewport={"width": 1200, "height": 800})
    page.set_default_timeout(PATIENCE)
    # Browser asks for fonts and news from the internet; nothing here depends on them.
    page.route(lambda url: "localhost" not in url and "127.0.0.1" not in url, lambda route: route.abort())
    page.goto(address)
    return page


def log_in(page: Any, user: str, password: str) -> None:
    """Fill in the form and connect."""
    page.get_by_test_id("username").fill(user)
    page.get_by_test_id("password").fill(password)
    page.get_by_test_id("connect").click()
    page.get_by_test_id("stream").get_by_text("connected as user").first.wait_for()


def drop(page: Any, file: Path) -> None:
    """Drop a file on the window, as people do with the mouse."""
    data = base64.b64encode(file.read_bytes()).decode()
    transfer = page.evaluate_handle(_TRANSFER, [file.name, data])
    page.get_by_test_id("stream").dispatch_event("drop", {"dataTransfer": transfer})


def run(page: Any, command: str) -> Any:
    """Run a command in the editor; its frame, once it is there."""
    page.get_by_test_id("activeEditor").locator("textarea").first.focus()
    page.keyboard.press("Control+A")
    page.keyboard.press("Delete")
    page.keyboard.insert_text(command)
    page.keyboard.press("Control+Enter")
    named = page.get_by_test_id("frameCommand").filter(has_text=command.split("\n")[0])
    frame = page.get_by_test_id("frame").filter(has=named).first
    frame.wait_for()
    return frame
