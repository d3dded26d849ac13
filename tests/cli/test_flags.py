"""Flags such as ``spam``: true, false, 1, 0 and nothing, from the file to what a page is worth."""

from __future__ import annotations

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import seedrank as package
from tests.cli.conftest import made_once
from tests.cli.outcomes import rows

pytestmark = pytest.mark.slow

FLAGS = {"a": "true", "b": "false", "c": "", "d": "1", "e": "0"}
URLS = [f"http://w.example/{name}" for name in FLAGS]
AS_READ = [1.0, 0.0, np.nan, 1.0, 0.0]


@pytest.fixture(params=["csv", "parquet", "frame"])
@made_once
def web(request, seedrank, tmp_path):
    """Five crawled pages with a flag of the project's and one of the user's own; c has none."""
    truth = pa.array([True, False, None, True, False])
    pages = pa.table({"url": URLS, "status": ["crawled"] * 5, "spam": truth, "good": truth})
    if request.param == "csv":
        own = ["True", "false", "", "true", "FALSE"]
        rows = zip(URLS, FLAGS.values(), own, strict=True)
        text = "".join(f"{url},crawled,{spam},{good}\n" for url, spam, good in rows)
        (tmp_path / "pages.csv").write_text("url,status,spam,good\n" + text)
    elif request.param == "parquet":
        pq.write_table(pages, tmp_path / "pages.parquet")
    if request.param == "frame":
        with package.open(str(tmp_path / "web.duckdb"), create=True) as bench:
            bench.load(pages=pages)
    else:
        assert seedrank("load", "table", "--pages", f"pages.{request.param}").code == 0
    return tmp_path


def test_what_is_unlabelled_stays_so(web):
    with package.open(str(web / "web.duckdb")) as bench:
        for name in ("spam", "good"):
            np.testing.assert_array_equal(bench.graph.column(name), AS_READ)


def test_spam_in_the_papers_rules(seedrank, web):
    """A page without a label is worth as much as one that is known to be clean."""
    (web / "all.txt").write_text("\n".join(URLS))
    found = rows(seedrank("seeds", "evaluate", "all.txt", "--value", "paper"))
    assert [row["gain"] for row in found] == [-10, 1, 1, -10, 1]


@pytest.mark.parametrize("name", ["spam", "good"])
@pytest.mark.parametrize(
    ("condition", "pages"), [("=true", "ad"), ("=False", "be"), ("!=true", "be"), ("=1", "ad"), (">0", "ad")]
)
def test_pages_are_limited_by_a_flag(seedrank, web, name, condition, pages):
    found = rows(seedrank("seeds", "greedy", "-k", "5", "--only", f"{name}{condition}"))
    assert sorted(row["url"][-1] for row in found) == list(pages)


def test_a_flag_as_worth(seedrank, web):
    found = rows(seedrank("seeds", "greedy", "-k", "5", "--value", "good"))
    assert [(row["url"][-1], row["gain"]) for row in found] == [("a", 1), ("d", 1)]


def test_what_is_exported_is_read_again(seedrank, web):
    for kind in ("csv", "parquet"):
        assert seedrank("export", kind, kind).code == 0
        store = ("--store", f"{kind}.duckdb")
        assert seedrank("load", "table", "--pages", f"{kind}/pages.{kind}", *store).code == 0
        with package.open(str(web / f"{kind}.duckdb")) as bench:
            for name in ("spam", "good"):
                np.testing.assert_array_equal(bench.graph.column(name), AS_READ)
