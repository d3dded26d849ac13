"""robots.txt, images and other non-pages are kept and are no seeds unless asked for."""

from __future__ import annotations

import numpy as np
import pytest

import seedrank
from seedrank.core.errors import GraphError
from seedrank.graph.filters import allowed
from seedrank.methods.crawl.starts import best_pages

pytestmark = pytest.mark.slow

LINKS = "source,target\n" + "".join(
    f"http://a.example/{source},http://a.example/{target}\n"
    for source, target in (("robots.txt", "p1"), ("robots.txt", "p2"), ("robots.txt", "i.png"), ("p1", "p2"))
)
PAGES = "url,status\nhttp://a.example/i.png,crawled\nhttp://a.example/p2,crawled\n"


@pytest.fixture
def bench(tmp_path):
    (tmp_path / "links.csv").write_text(LINKS)
    (tmp_path / "pages.csv").write_text(PAGES)
    with seedrank.open(str(tmp_path / "web.duckdb"), create=True) as opened:
        opened.load(seedrank.TableSource(pages=[str(tmp_path / "pages.csv")], links=[str(tmp_path / "links.csv")]))
        yield opened


def names(answer):
    return [url.rpartition("/")[2] for url in answer.table["url"].to_pylist()]


def test_non_pages_are_kept_and_are_no_seeds(bench):
    urls = [url.as_py().rpartition("/")[2] for url in bench.session.graph.urls]
    types = dict(zip(urls, bench.session.graph.text("type").to_pylist(), strict=True))
    assert types == {"robots.txt": "robots", "i.png": "image", "p1": None, "p2": None}
    assert names(bench.seeds("maxweight", k=1)) == ["p1"]
    assert names(bench.seeds("maxweight", k=1, non_pages=True)) == ["robots.txt"]
    assert sorted(names(bench.seeds("random", k=4))) == ["p1", "p2"]
    assert len(names(bench.seeds("random", k=4, non_pages=True))) == 4


def test_crawls_start_where_seeds_are(bench):
    urls = bench.session.graph.urls.to_pylist()
    assert {urls[page].rpartition("/")[2] for page in best_pages(bench.session, 9)} == {"p1", "p2"}


def test_other_questions_see_all_pages(bench):
    assert allowed(bench.session.graph).all()
    assert np.flatnonzero(~allowed(bench.session.graph, non_pages=False)).size == 2


def test_where_only_non_pages_are_left_the_next_step_is_told(bench):
    with pytest.raises(GraphError, match="non_pages"):
        bench.seeds("maxweight", k=1, only=["url=*.png"])
