"""From a loaded store to a report in one command."""

from __future__ import annotations

import re

import pytest

pytestmark = pytest.mark.slow


def test_it_asks_what_the_graph_can_answer_and_says_what_to_do(seedrank, tmp_path):
    assert seedrank("--quiet", "generate", "web", "--pages", 2000).code == 0
    tables = ("--pages", "web/pages.parquet", "--links", "web/links.parquet")
    assert seedrank("--quiet", "load", "table", *tables).code == 0
    outcome = seedrank("tour", "-o", "out.html")
    assert outcome.code == 0, outcome.err
    said = [line for line in outcome.out.splitlines() if line.startswith("- ")]
    assert 5 <= len(said) <= 8
    assert re.search(
        r"Start from the 10 seeds of exact greedy: within 5 links they reach [\d,]+ crawled pages", said[1]
    )
    assert "the front pages of the largest hosts reach" in said[1]
    assert "\n  greedy: picks one seed after the other" in outcome.out
    assert any("breadth first" in line for line in said)
    assert any(
        re.search(r"`frontier [\w-]+` puts first, of [\d,]+ on the frontier .*it finds \d+ % of", line) for line in said
    )
    assert re.fullmatch(
        r"- What looks wrong: [\d,]+ of [\d,]+ labelled pages are spam; [\d,]+ of [\d,]+ crawled hosts get less .*",
        said[-1],
    )
    page = (tmp_path / "out.html").read_text()
    assert page.index("Start from the 10 seeds of exact greedy") < page.index("The graph at a glance")
    cards = re.findall(r'<article class="card"><h3>(.*?)</h3>\s*<p class="figure"><strong>(.*?)</strong>', page)
    assert [title for title, _ in cards] == ["Start from", "Fetch first", "Fetch next", "What looks wrong"]
    assert all(re.fullmatch(r"\d+ %", figure) for _, figure in cards)
    first = page[page.index('<div class="cards">') : page.index('<ul class="findings">')]
    assert first.count("<svg") == 4
    assert first.count("<code>seedrank") == 4
    assert "seeds best -k 10 --by host</code>" in first
    assert seedrank("--quiet", "seeds", "greedy", "-k", 30, "-o", "more.csv").code == 0
    assert seedrank("report", "-o", "again.html").code == 0
    assert "<h3>Start from</h3>" in (tmp_path / "again.html").read_text()
    runs = seedrank("runs", "--format", "json").out
    for method in ("seeds best", "crawl compare", "crawl (fpr|bfs)", "frontier (rw|rw-eg|learned|pagerank)"):
        assert re.search(f'"{method}"', runs)


def test_what_is_missing_is_said_in_a_sentence(seedrank, tmp_path):
    (tmp_path / "links.tsv").write_text("0\t1\n1\t2\n2\t0\n0\t3\n")
    assert seedrank("--quiet", "load", "snap", "links.tsv").code == 0
    outcome = seedrank("tour")
    assert outcome.code == 0, outcome.err
    assert "- No page has clicks or views: load them to rank the frontier" in outcome.out
    assert (
        "Fetch next the 1 page that `frontier trust` puts first, of 1 on the frontier (known, not crawled): "
        "that 100 % holds 100 % of the score of all" in outcome.out
    )
    page = (tmp_path / "report.html").read_text()
    assert '<article class="card"><h3>Start from</h3>' in page
    assert "<strong>100 %</strong> of the score of the whole frontier is on its first 1 page" in page
    assert (tmp_path / "report.html").is_file()


def test_a_store_without_links_has_nothing_to_ask(seedrank, tmp_path):
    (tmp_path / "pages.csv").write_text("url\nhttp://a.example/\n")
    assert seedrank("--quiet", "load", "table", "--pages", "pages.csv").code == 0
    outcome = seedrank("tour")
    assert outcome.code == 1
    assert "no page is crawled, so there is nothing to ask; load links first" in outcome.err
