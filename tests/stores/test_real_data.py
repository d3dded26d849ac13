"""Real graphs, each from one documented command: rows as their source says, every difference accounted for."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

SEEDRANK = Path(sys.executable).parent / "seedrank"
ASF = ["table", "--pages", "{data}/{year}.pages.tsv.gz", "--links", "{data}/{year}.links.tsv.gz"]

CASES = {
    "asf-2024": (
        "asf-web-2snapshots",
        [part.replace("{year}", "2024-10-31") for part in ASF],
        {
            "page rows": 202_266, "pages new": 202_240, "pages merged": 4, "page rows dropped: unparsable URL": 22,
            "link rows": 3_018_980, "links new": 3_018_946, "links merged": 1, "links dropped: unparsable URL": 33,
        },
        {"crawled": 95_852, "frontier": 89_581, "missing": 16_807, "largest_component": 45_058},
    ),
    "asf-2024-verbatim": (
        "asf-web-2snapshots",
        [*(part.replace("{year}", "2024-10-31") for part in ASF), "--urls", "verbatim"],
        {"page rows": 202_266, "pages new": 202_266, "link rows": 3_018_980, "links new": 3_018_980},
        {"crawled": 95_852, "frontier": 89_606, "missing": 16_808, "largest_component": 45_058},
    ),
    "notredame": (
        "web-NotreDame",
        ["snap", "{data}/web-NotreDame.txt.gz"],
        {
            "link rows": 1_497_134, "pages new": 325_729, "links new": 1_469_679,
            "links dropped: to themselves": 27_455,
        },
        {"pages": 325_729, "largest_component": 53_968},
    ),
    "webkb": (
        "webkb-crawl-1997",
        ["table", "--pages", "{data}/nodes.tsv.gz", "--links", "{data}/edges.tsv.gz", "--link-columns",
         "source,target,weight", "--urls", "verbatim"],
        {"page rows": 83_000, "pages new": 83_000, "link rows": 107_595, "links new": 107_595},
        {"crawled": 8_206, "frontier": 74_794, "hosts": 10_877, "inter_site_links": 44_529},
    ),
    "debian-docs": (
        "debian-docs",
        ["table", "--pages", "{data}/pages.tsv.gz", "--links", "{data}/links.tsv.gz"],
        {"page rows": 137_415, "pages new": 137_415, "link rows": 2_155_232, "links new": 2_155_232},
        {"crawled": 73_647, "frontier": 55_542, "missing": 8_226, "hosts": 7_115},
    ),
    "indie-map": (
        "indie-map-2017",
        ["table", "--pages", "{data}/nodes.tsv.gz", "--links", "{data}/edges.tsv.gz"],
        {"page rows": 557_328, "pages new": 557_328, "link rows": 871_407, "links new": 871_407},
        {"crawled": 2_344, "frontier": 554_984},
    ),
    "musae": (
        "musae-wikipedia",
        ["table", "--pages", "{data}/squirrel.pages.tsv.gz", "--links", "{data}/squirrel.links.tsv.gz", "--assume",
         "crawled"],
        {
            "page rows": 5_201, "pages new": 5_201, "link rows": 217_073, "links new": 216_933,
            "links dropped: to themselves": 140,
        },
        {"crawled": 5_201, "frontier": 0, "largest_component": 2_154},
    ),
    # SOURCE.txt counts links that a pattern finds, in error pages and comments too: see test_real_archives.
    "warc": (
        "warc-samples",
        ["warc", "{data}/aut-example.warc.gz"],
        {
            "page rows": 261, "pages new": 18_214, "link rows": 37_560, "links new": 20_025, "links merged": 9_403,
            "links dropped: to themselves": 8_132,
        },
        {"crawled": 214, "missing": 47, "frontier": 17_953},
    ),
    "arc": (
        "warc-samples",
        ["warc", "{data}/aut-example.arc.gz"],
        {
            "page rows": 261, "pages new": 18_214, "link rows": 37_560, "links new": 20_025, "links merged": 9_403,
            "links dropped: to themselves": 8_132,
        },
        {"crawled": 214, "missing": 47, "frontier": 17_953},
    ),
    "warc-revisits": (
        "warc-samples",
        ["warc", "{data}/pywb-iana.warc.gz"],
        {
            "page rows": 48 + 123, "pages new": 2_319, "pages merged": 128, "link rows": 5_170, "links new": 2_637,
            "links merged": 2_499, "links dropped: to themselves": 34,
        },
        {"crawled": 30, "missing": 4, "frontier": 2_285},
    ),
    "cdx": (
        "warc-samples",
        ["cdx", "{data}/pywb-iana.cdx"],
        {"page rows": 48 + 123, "pages new": 43, "pages merged": 128},
        {"crawled": 30, "frontier": 13, "links": 0},
    ),
    "cdxj": (
        "warc-samples",
        ["cdxj", "{data}/pywb-iana.cdxj"],
        {"page rows": 48 + 123, "pages new": 43, "pages merged": 128},
        {"crawled": 30, "frontier": 13, "links": 0},
    ),
    "sogouq": (
        "sogouq-sample",
        ["table", "--pages", "{data}/clicks_by_url.tsv", "--url-prefix", "http://", "--assume", "crawled"],
        {"page rows": 7_691, "pages new": 7_691},
        {"crawled": 7_691, "hosts": 4_417},
    ),
    "sogouq-clicks": (
        "sogouq-sample",
        ["query-clicks", "{data}/sogouq_sample_clicks.tsv.gz", "--url-prefix", "http://"],
        {
            "query rows": 4_077, "queries new or changed": 4_077, "result rows": 7_895,
            "results new or changed": 7_895,
        },
        {"pages": 7_691, "queries": 4_077, "results": 7_895},
    ),
    "polblogs": (
        "polblogs",
        ["table", "--pages", "{data}/nodes.tsv", "--map", "url=host_or_url", "--links", "{data}/edges.tsv",
         "--link-columns", "source,target", "--url-prefix", "http://"],
        {
            "page rows": 1_490, "pages new": 1_489, "pages merged": 1, "link rows": 19_015, "links new": 18_924,
            "links merged": 87, "links dropped: to themselves": 4,
        },
        {"pages": 1_489},
    ),
    "wikispeedia": (
        "wikispeedia",
        ["table", "--pages", "{data}/page_views.tsv", "--map", "url=article", "--links", "{data}/links.tsv",
         "--link-columns", "source,target", "--url-prefix", "https://en.wikipedia.org/wiki/"],
        {
            "page rows": 4_604, "pages new": 4_604, "link rows": 119_882, "links new": 119_772,
            "links dropped: to themselves": 110,
        },
        {"pages": 4_604, "crawled": 4_587},
    ),
    "wikispeedia-clicks": (
        "wikispeedia",
        ["table", "--links", "{data}/edge_clicks.tsv", "--map", "links.weight=clicks", "--url-prefix",
         "https://en.wikipedia.org/wiki/"],
        {"link rows": 57_474, "links new": 57_474},
        {"links": 57_474},
    ),
    "cnr": (
        "cnr-2000",
        ["adjacency", "{data}/cnr-2000.graph-txt.gz"],
        {"page rows": 325_557, "link rows": 3_216_152, "pages new": 325_557, "links new": 3_128_710},
        {"pages": 325_557, "components": 100_977, "largest_component": 112_023},
    ),
    "cnr-compressed": (
        "cnr-2000",
        ["bvgraph", "{data}/cnr-2000"],
        {
            "page rows": 325_557, "link rows": 3_216_152, "pages new": 325_557, "links new": 3_128_710,
            "links dropped: to themselves": 87_442,
        },
        {"pages": 325_557, "components": 100_977, "largest_component": 112_023},
    ),
}  # fmt: skip
BEFORE = {"sogouq-clicks": "sogouq"}
"""A case that is loaded first."""


def check(url: str, case: str, shared_data, cwd: Path) -> None:
    name, words, counts, stats = CASES[case]
    data = shared_data(name)
    command = [str(SEEDRANK), "--quiet", "--store", url]
    for some in (*([CASES[BEFORE[case]][1]] if case in BEFORE else []), words):
        load = [*command, "load", *(word.replace("{data}", str(data)) for word in some)]
        done = subprocess.run(
            load, cwd=cwd, capture_output=True, text=True, env={**os.environ, "XDG_CACHE_HOME": str(cwd)}
        )
        assert done.returncode == 0, done.stderr
    found = json.loads(done.stdout)
    told = {key: value for key, value in found.items() if key.split(":")[0].split()[-1] in
            ("rows", "new", "merged", "dropped", "changed")}  # fmt: skip
    for key, value in counts.items():
        assert found[key] == value, key
    lost = sum(value for key, value in told.items() if key.startswith(("links dropped", "links merged")))
    assert found.get("links new", 0) + lost == counts.get("link rows", 0), told
    shown = subprocess.run(
        [*command, "stats"], cwd=cwd, capture_output=True, text=True, env={**os.environ, "XDG_CACHE_HOME": str(cwd)}
    )
    measured = json.loads(shown.stdout)
    for key, value in stats.items():
        assert measured[key] == value, key


@pytest.mark.parametrize("case", CASES)
def test_embedded(case, shared_data, tmp_path):
    check("web.duckdb", case, shared_data, tmp_path)


@pytest.mark.parametrize("case", ["webkb", *(pytest.param(c, marks=pytest.mark.deep) for c in CASES if c != "webkb")])
def test_neo4j(case, shared_data, tmp_path, neo4j_store):
    check(neo4j_store.url, case, shared_data, tmp_path)
