"""The files that the commands of 0.1.0's documents name, made of one small synthetic web."""

from __future__ import annotations

import gzip
import shutil
from collections.abc import Iterable
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq

from seedrank.synthetic import WebSpec, write_tables

__all__ = ["FRONTIER_PAGE", "TABLES", "make_files"]

WEB = WebSpec(pages=500, seed=7, hosts=4, crawled=0.6, inter_host=0.2)
TABLES = ("pages", "links", "hosts", "queries", "results")
FRONTIER_PAGE = "https://example.org/new"
ROOT = Path(__file__).resolve().parents[2]


def make_files(folder: Path) -> None:
    """Write them into a folder: `web/`, tables of other names and formats, `DATA/` and `WORK/` of reproduction.md."""
    tables = write_tables(WEB, folder / "web")
    _click_often(tables / "pages.parquet")
    shutil.copytree(ROOT / "cypher" / "explore", folder / "cypher" / "explore")
    (folder / "urls").mkdir()
    data, work = folder / "DATA", folder / "WORK"
    shutil.copytree(tables, work / "made")

    pages, links = pq.read_table(tables / "pages.parquet"), pq.read_table(tables / "links.parquet")
    urls, views = pages["url"].to_pylist(), [value or 0 for value in pages["views"].to_pylist()]
    pairs = list(zip(links["source"].to_pylist(), links["target"].to_pylist(), strict=True))
    by_id = [("id", "url"), *enumerate(urls)]
    ends = [("source", "target"), *pairs]
    for name in ("pages.tsv.gz", "2024-10-31.pages.tsv.gz", "nodes.tsv.gz", "pages.csv"):
        _write(folder / name, by_id)
    for name in ("links.tsv.gz", "2024-10-31.links.tsv.gz", "links.csv"):
        _write(folder / name, ends)
    for date in ("2021-12-31", "2024-10-31"):
        _write(data / "asf-web-2snapshots" / f"{date}.pages.tsv.gz", by_id)
        _write(data / "asf-web-2snapshots" / f"{date}.links.tsv.gz", ends)
    _write(data / "webkb-crawl-1997" / "nodes.tsv.gz", by_id)
    for edges in (folder / "edges.tsv.gz", data / "webkb-crawl-1997" / "edges.tsv.gz"):
        _write(edges, [(source, target, 1) for source, target in pairs])

    # Articles have names, blogs addresses without a scheme; both tables call their columns otherwise.
    named = [(f"Article_{source}", f"Article_{target}") for source, target in pairs]
    seen = [(f"Article_{number}", round(count)) for number, count in enumerate(views)]
    _write(folder / "page_views.tsv", [("article", "seen"), *seen])
    _write(work / "wikispeedia-views.tsv", seen)
    _write(work / "wikispeedia-queries.tsv", [("query", "freq"), *((f"article {number}", 3) for number in range(40))])
    for path in (folder / "links.tsv", data / "wikispeedia" / "links.tsv"):
        _write(path, named)
    blogs = [(number, url.removeprefix("https://"), "left", "a,b") for number, url in enumerate(urls)]
    _write(folder / "nodes.tsv", [("number", "blog", "leaning", "directories"), *blogs])
    _write(work / "polblogs-pages.tsv", by_id)
    for path in (folder / "edges.tsv", data / "polblogs" / "edges.tsv"):
        _write(path, pairs)

    targets: list[list[int]] = [[] for _ in urls]
    for source, target in pairs:
        targets[source].append(target)
    for path in (folder / "cnr-2000.graph-txt.gz", data / "cnr-2000" / "cnr-2000.graph-txt.gz"):
        _write(path, [(len(urls),), *targets], " ")
    for path in (folder / "web-NotreDame.txt.gz", data / "web-NotreDame" / "web-NotreDame.txt.gz"):
        _write(path, [("# FromNodeId", "ToNodeId"), *pairs])

    some = [url for url, status in zip(urls, pages["status"].to_pylist(), strict=True) if status == "crawled"][:20]
    for name in ("seeds.txt", "old-seeds.csv"):
        _write(folder / name, [("url",), *((url,) for url in some)] if name.endswith("csv") else [(u,) for u in some])
    pq.write_table(pa.table({"source": some, "target": [FRONTIER_PAGE] * len(some)}), folder / "new.parquet")


def _click_often(path: Path) -> None:
    """Give most crawled pages clicks: of a small web that is clicked as the large one is, nothing can be learnt."""
    pages = pq.read_table(path)
    clicks = [
        None if clicks is None else float(number % 11) for number, clicks in enumerate(pages["clicks"].to_pylist())
    ]
    place = pages.column_names.index("clicks")
    pq.write_table(pages.set_column(place, "clicks", pa.array(clicks, pa.float64())), path)


def _write(path: Path, rows: Iterable[Iterable[object]], separator: str | None = None) -> None:
    separator = separator or ("," if path.suffix == ".csv" else "\t")
    text = "".join(separator.join(map(str, row)) + "\n" for row in rows).encode()
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(gzip.compress(text) if path.suffix == ".gz" else text)
