"""Draw the pictures of the documents: ``make docs``."""

from __future__ import annotations

import io
import os
import tempfile
from pathlib import Path

from rich.console import Console

import seedrank
from cli.stats import draw
from loaders.table import TableSource
from seedrank.synthetic import WebSpec, write_tables

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


# A curve each for the README: the others are in the report of the demo.
SHOWN = ("random", "indegree", "pagerank", "q-hybrid", "rw-eg")


def main() -> None:
    """Draw ``stats.svg`` and ``impact.svg`` from a synthetic web."""
    PICTURES.mkdir(exist_ok=True)
    with tempfile.TemporaryDirectory() as name:
        os.chdir(name)
        write_tables(WebSpec(50_000), "web")
        files = {kind: [f"web/{kind}.parquet"] for kind in ("pages", "links", "hosts", "queries", "results")}
        with seedrank.open("web.lbug", create=True) as bench:
            bench.load(TableSource(**files))
            console = Console(record=True, width=110, file=io.StringIO())
            draw(console, bench.stats())
            chart = bench.experiment("impact", truth="web/truth.parquet")[1].figure
    chart.save(PICTURES / "impact.svg", series=SHOWN)
    (PICTURES / "stats.svg").write_text(
        console.export_svg(title="seedrank stats", code_format=TEMPLATE, unique_id="stats")
    )


if __name__ == "__main__":
    main()
