"""How fast a synthetic web is made, and in how much memory: links per second, peak resident memory.

Each size runs in a process of its own, after one small web that compiles the kernels:

    python benchmarks/generate.py 1_000_000 10_000_000
    python benchmarks/generate.py 105_896_555 --crawled 1 --links 35.3 --inter 0.037 --folder /large/disk
"""

from __future__ import annotations

import argparse
import json
import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import pyarrow.parquet as pq

from seedrank.ingest.synthetic import WebSpec, write_graph, write_tables


def measure(spec: WebSpec, folder: Path, tables: bool) -> dict[str, float]:
    """Make the web once and say what it took."""
    start = time.perf_counter()
    if tables:
        web = write_tables(spec, folder / "web")
        links = sum(pq.read_metadata(file).num_rows for file in web.rglob("links.parquet"))
    else:
        links = write_graph(spec, folder / "web").links
    seconds = time.perf_counter() - start
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024
    return {"pages": spec.pages, "links": links, "seconds": seconds, "cpu": time.process_time(), "peak": peak}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("pages", type=int, nargs="*", default=[1_000_000, 10_000_000])
    parser.add_argument("--links", type=float, default=14.0, help="links per crawled page")
    parser.add_argument("--crawled", type=float, default=0.35)
    parser.add_argument("--inter", type=float, default=0.06, help="share of links between hosts")
    parser.add_argument("--tables", action="store_true", help="tables of both snapshots instead of arrays")
    parser.add_argument("--folder", type=Path, default=None, help="where to write; a temporary folder by default")
    parser.add_argument("--one", action="store_true", help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory(dir=arguments.folder) as folder_name:
        folder = Path(folder_name)
        if arguments.one:
            shape = {"links_per_page": arguments.links, "crawled": arguments.crawled, "inter_host": arguments.inter}
            print(json.dumps(measure(WebSpec(arguments.pages[0], rng=1, **shape), folder, arguments.tables)))
            return
        (write_tables if arguments.tables else write_graph)(WebSpec(1_000), folder / "warm")
    print(f"{'pages':>13} {'links':>14} {'seconds':>8} {'CPU s':>7} {'M links/s':>9} {'peak MiB':>9}")
    for pages in arguments.pages:
        command = [sys.executable, __file__, str(pages), "--one", *_options(arguments)]
        run = subprocess.run(command, check=True, capture_output=True, text=True)
        row = json.loads(run.stdout)
        links, seconds, cpu, peak = row["links"], row["seconds"], row["cpu"], row["peak"] / 2**20
        rate = links / seconds / 1e6
        print(f"{pages:>13,} {links:>14,} {seconds:>8.1f} {cpu:>7.1f} {rate:>9.1f} {peak:>9,.0f}")


def _options(arguments: argparse.Namespace) -> list[str]:
    options = ["--links", str(arguments.links), "--crawled", str(arguments.crawled), "--inter", str(arguments.inter)]
    options += ["--tables"] if arguments.tables else []
    return options + (["--folder", str(arguments.folder)] if arguments.folder else [])


if __name__ == "__main__":
    main()
