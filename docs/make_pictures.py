"""Draw the pictures of the documents: ``make docs``."""

from __future__ import annotations

import contextlib
import fcntl
import io
import os
import pty
import re
import shutil
import struct
import subprocess
import sys
import tempfile
import termios
from pathlib import Path

from rich.console import Console

import seedrank
from seedrank.ingest.synthetic import demo_web, write_tables
from seedrank.loaders.table import TableSource

PICTURES = Path(__file__).parent / "pictures"

# Rich's own template loads a font from the web; a picture here must not.
TEMPLATE = """<svg viewBox="0 0 {width} {height}" xmlns="http://www.w3.org/2000/svg">
<style>
.{unique_id}-matrix {{ font-family: ui-monospace, Menlo, Consolas, monospace; font-size: {char_height}px;
  line-height: {line_height}px; font-variant-east-asian: full-width; }}
{styles}
</style>
<defs><clipPath id="{unique_id}-clip-terminal"><rect x="0" y="0" width="{terminal_width}" height="{terminal_height}" />
</clipPath>{lines}</defs>
<rect fill="#1b1f27" width="{width}" height="{height}" rx="8"/>
<g transform="translate({terminal_x}, 4)" clip-path="url(#{unique_id}-clip-terminal)">
{backgrounds}<g class="{unique_id}-matrix">{matrix}</g></g>
</svg>
"""


# A curve each for docs/methods.md: the others are in the report of the experiment.
SHOWN = ("random", "indegree", "pagerank", "q-hybrid", "rw-eg")


WIDTH = 80
"""Columns of the terminal in which the demo's ending is shown."""
SCREENS = {
    "report-light": ({"width": 1280, "height": 800}, "light", "#findings"),
    "report-dark": ({"width": 1280, "height": 800}, "dark", "#frontier"),
    "report-phone": ({"width": 390, "height": 844}, "light", "#findings"),
}
"""Screenshots of the report: the screen, its colours, and the part at its top (of the findings: the first screen)."""
CHROMIUM = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)
TIMELESS = (
    (r"\b\d{8}-\d{6}-[a-z0-9]{6}\b", "20260131-142305-k3v9qa"),
    (r"\b\d{4}-\d\d-\d\d([ T])\d\d:\d\d(:\d\d)?", "2026-01-31$114:23$2"),
    (r"(graph version )[0-9a-f]{16}", "$1167ca175a1d104fd"),
)
"""What differs each time a report is made, and what pictures show in its place: runs, times, versions of graphs."""
MADE_TIMELESS = """rules => {
  const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (texts.nextNode())
    for (const [pattern, shown] of rules)
      texts.currentNode.data = texts.currentNode.data.replace(new RegExp(pattern, "g"), shown);
}"""
STEERING = re.compile(r"\x1b\[[0-9;?]*[A-Za-z]")


def main() -> None:
    """Draw ``demo.svg``, ``impact.svg`` and the screenshots of the report from a synthetic web."""
    PICTURES.mkdir(exist_ok=True)
    with tempfile.TemporaryDirectory() as name:
        os.chdir(name)
        write_tables(demo_web(), "web")
        files = {kind: [f"web/{kind}.parquet"] for kind in ("pages", "links", "hosts", "queries", "results")}
        draw_demo()
        with seedrank.open("web.duckdb", create=True) as bench:
            bench.load(TableSource(**files))
            chart = bench.experiment("impact", truth="web/truth.parquet")[1].figure
        [drawn] = chart.save("impact.svg", series=SHOWN)
        keep("impact.svg", drawn.read_bytes())


def draw_demo() -> None:
    """Run the demo in this folder, and draw how it ends and the first screens of its report."""
    write_terminal("demo", in_terminal("--quiet demo", after="- The graph has"))
    write_screenshots(Path("demo/report.html").resolve())


def in_terminal(command: str, after: str = "") -> Console:
    """What a command without progress bars shows in a terminal of 80 columns, from a text on."""
    ours, theirs = pty.openpty()
    fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", 50, WIDTH, 0, 0))
    words = [sys.executable, "-m", "seedrank.cli.main", *command.split()]
    path = os.pathsep.join([str(PICTURES.parents[1]), os.environ.get("PYTHONPATH", "")])
    environment = {**os.environ, "PYTHONPATH": path, "TERM": "xterm", "COLUMNS": str(WIDTH)}
    process = subprocess.Popen(words, stdin=theirs, stdout=theirs, stderr=theirs, env=environment)
    os.close(theirs)
    said = b""
    with contextlib.suppress(OSError):  # so Linux ends the reading when the last writer has left
        while some := os.read(ours, 1 << 16):
            said += some
    os.close(ours)
    if process.wait():
        raise SystemExit(said.decode())
    shown = STEERING.sub("", said.decode()).replace("\r\n", "\n").rstrip()
    shown = shown[max(shown.find(after), 0) :]
    console = Console(record=True, width=WIDTH, file=io.StringIO())
    console.print(f"$ seedrank {command.removeprefix('--quiet ')}", style="bold green", highlight=False)
    console.print(shown, highlight=False, markup=False)
    return console


def write_terminal(name: str, console: Console) -> None:
    """Write what a console shows as a picture."""
    drawn = console.export_svg(title=f"seedrank {name}", code_format=TEMPLATE, unique_id=name)
    keep(f"{name}.svg", drawn.encode())


def keep(name: str, picture: bytes) -> None:
    """Write a picture, where it is not the one that is there."""
    path = PICTURES / name
    if not path.is_file() or path.read_bytes() != picture:
        path.write_bytes(picture)


def write_screenshots(report: Path) -> None:
    """Write what a browser shows of the report."""
    from playwright.sync_api import sync_playwright

    if CHROMIUM is None:
        raise SystemExit("no Chromium is installed, which the screenshots need")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox", "--disable-gpu"])
        for name, (screen, scheme, part) in SCREENS.items():
            page = browser.new_context(viewport=screen, color_scheme=scheme).new_page()
            page.goto(report.as_uri())
            page.evaluate(MADE_TIMELESS, [list(one) for one in TIMELESS])
            if part != "#findings":
                page.locator(part).evaluate("part => part.scrollIntoView()")
            keep(f"{name}.png", page.screenshot())
        browser.close()


if __name__ == "__main__":
    main()
