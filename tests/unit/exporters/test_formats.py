"""Every format by its own rules, on plain and on hostile pages."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from seedrank.core.errors import UsageError
from seedrank.exporters.about import About
from seedrank.exporters.scrapy import STEPS
from seedrank.exporters.targets import TARGETS, target_named
from seedrank.runs import Run
from tests.unit.exporters.made import (
    RUN,
    URLS_OF,
    graph,
    read_nutch,
    read_scrapy,
    read_urlfrontier,
    rows,
    written,
)

URLS = [f"http://{host}.example/{n}" for n, host in enumerate("abcab")]


def test_every_list_of_pages_is_tried():
    """Those of `cc-ranks` are names of hosts, and have tests of their own."""
    assert set(URLS_OF) == set(TARGETS) - {"cc-ranks"}


@pytest.mark.parametrize("target", URLS_OF)
def test_pages_are_read_back_in_their_order(target):
    assert URLS_OF[target](written(target, rows(URLS, order=[3, 0, 4, 1, 2]))) == [URLS[n] for n in (3, 0, 4, 1, 2)]


@pytest.mark.parametrize("target", URLS_OF)
def test_more_pages_than_a_block_has(target, monkeypatch):
    monkeypatch.setattr("seedrank.exporters.text._ROWS", 2)
    links = [(a, b) for a in range(5) for b in range(5) if a != b]
    found = rows(URLS, links=links)
    pieces = written(target, found)
    monkeypatch.undo()
    assert pieces == written(target, found)
    assert URLS_OF[target](pieces) == URLS


HOSTILE = st.text(st.characters(codec="utf-8"), max_size=12) | st.sampled_from(
    ['"', "\\", "\\u000a", "&amp;", "<!--", "]]>", "'", "%0A", "{", "}", ": ", " #", "\t", "\r\n", "\u2028", "\ufffe"]
)


@pytest.mark.slow
@given(st.lists(HOSTILE | st.none(), min_size=1, max_size=6), st.data())
@settings(max_examples=100, derandomize=True)
def test_no_url_breaks_out_of_its_place(tails, data):
    """A page is handed over as it is, or left out and counted; there is no third way."""
    urls = [None if tail is None else f"http://a.example/{tail}" for tail in tails]
    found = rows([*urls, "http://fine.example/"])
    kept = found.column("url").to_pylist()
    assert len(kept) + sum(found.left_out.values()) == len(urls) + 1
    assert [url for url in urls if url in set(kept)] == kept[:-1]
    for target, read in URLS_OF.items():
        assert read(written(target, found)) == kept, target


@pytest.mark.parametrize("target", [name for name in URLS_OF if TARGETS[name].header])
def test_a_header_states_scale_and_direction(target):
    text = written(target, rows(URLS, [1, 2, 3, 4, 5]))
    score = TARGETS[target].by_place or TARGETS[target].score
    assert score.direction in text
    assert score.scale in text
    assert RUN.name in text


@pytest.mark.parametrize("target", URLS_OF)
def test_a_record_that_was_edited_cannot_add_a_line(target):
    found = rows(URLS, run=Run("20260131-142305-k3v9qa", "rank\nhttp://evil.example/\t --> ]]> </desc></description>"))
    assert URLS_OF[target](written(target, found)) == URLS


def test_about_says_what_was_left_out():
    found = rows([*URLS, None, "http://a.example/ b"])
    record = About(TARGETS["scrapy"], (found,)).record()
    assert record["runs"] == [RUN.name]
    assert record["methods"] == ["rank pagerank"]
    assert record["pages"] == 5
    assert (record["score"], record["direction"].partition(";")[0]) == ("priority", "higher is fetched sooner")
    assert sum(record["left_out"].values()) == 2


# -- Nutch


@pytest.mark.parametrize("target", URLS_OF)
@pytest.mark.parametrize("host", ['a\x01\n"b', "a\tb", "a\u2028b", "a\ufffe"])
def test_a_hostile_host_name_changes_no_line(target, host):
    """Columns of hosts come from users' files; a page is then on the host of its URL."""
    plain = [f"{letter}.example" for letter in "abcab"]
    hostile = rows(URLS, hosts=[host, *plain[1:]])
    assert written(target, hostile) == written(target, rows(URLS, hosts=plain))


def test_nutch_scores_are_shares_of_the_best_and_never_one():
    found = read_nutch(written("nutch-seeds", rows(URLS, [8, 8, 4, 2, 0])))
    scores = [np.float32(fields["nutch.score"]) for _, fields in found]
    assert scores == pytest.approx([1, 1, 0.5, 0.25, 0], abs=2e-6)
    assert max(scores) < 1, "inject -update takes a score of 1 for none"


def test_nutch_scores_follow_the_order_of_a_run_whose_scores_do_not():
    found = read_nutch(written("nutch-seeds", rows(URLS, [1, 5, 3, -np.inf, np.nan])))
    scores = [float(fields["nutch.score"]) for _, fields in found]
    assert scores == sorted(scores, reverse=True)
    assert len(set(scores)) == 5
    assert all(0 < score < 1 for score in scores)


def test_nutch_fetch_interval_and_metadata():
    text = written("nutch-seeds", rows(URLS), fetch_interval=86_400, metadata=["_maxdepth_=3", "by=a = b"])
    found = read_nutch(text)
    assert len(found) == len(URLS)
    for _, fields in found:
        assert set(fields) == {"nutch.score", "nutch.fetchInterval", "_maxdepth_", "by"}
        assert fields["nutch.fetchInterval"] == "86400"
        assert fields["_maxdepth_"] == "3"
        assert fields["by"] == "a = b"


@pytest.mark.parametrize(
    "options",
    [
        {"fetch_interval": 0}, {"fetch_interval": 2**31}, {"fetch_interval": 1.5}, {"fetch_interval": True},
        {"metadata": ["alone"]}, {"metadata": ["=x"]}, {"metadata": ["a b=x"]}, {"metadata": ["a=x\ty=z"]},
        {"metadata": ["a=x\nhttp://evil.example/"]}, {"metadata": ["nutch.score=7"]}, {"metadata": ["#a=x"]},
        {"metadata": ["nutch.fetchInterval=1"]},
    ],
)  # fmt: skip
def test_nutch_options_that_cannot_be(options):
    with pytest.raises(UsageError, match="is no"):
        written("nutch-seeds", rows(URLS), **options)


# -- URLFrontier


def test_urlfrontier_dates_give_the_order_within_a_queue():
    """The service takes pages of a queue by date, then by URL (InternalURL.compareTo)."""
    found = read_urlfrontier(written("urlfrontier", rows(URLS, [9, 5, 7, 1, 1], order=[4, 2, 0, 3, 1])))
    dates = [date for _, _, date, _ in found]
    assert len(set(dates)) == 5
    assert 0 < min(dates) < max(dates) < 1_700_000_000, "in the past, and not 0, which is never"
    for queue in {key for _, key, _, _ in found}:
        of_queue = [(date, url) for url, key, date, _ in found if key == queue]
        assert of_queue == sorted(of_queue)
    assert [score for *_, score in found] == [9, 5, 7, 1, 1]
    assert [key for _, key, _, _ in found] == ["b.example", "c.example", "a.example", "a.example", "b.example"]


# -- Scrapy


def test_scrapy_priorities_are_places_from_the_end():
    found = read_scrapy(written("scrapy", rows(URLS, [5, 4, np.nan, np.inf, 1])))
    assert [request["priority"] for request in found] == [5, 4, 3, 2, 1]
    assert [request["meta"] for request in found] == [
        {"rank": 1, "score": 5}, {"rank": 2, "score": 4}, {"rank": 3, "score": None}, {"rank": 4, "score": None},
        {"rank": 5, "score": 1},
    ]  # fmt: skip


@pytest.mark.parametrize("count", [1, STEPS - 1, STEPS, STEPS + 1, 3 * STEPS + 7])
def test_scrapy_has_a_bounded_number_of_queues(count):
    found = read_scrapy(written("scrapy", rows([f"http://a.example/{n}" for n in range(count)])))
    priorities = [request["priority"] for request in found]
    assert priorities == sorted(priorities, reverse=True)
    assert set(priorities) == set(range(1, min(count, STEPS) + 1))
    _, sizes = np.unique(priorities, return_counts=True)
    assert sizes.max() - sizes.min() <= 1


# -- the registry


def test_an_unknown_target_is_refused_with_the_nearest():
    with pytest.raises(UsageError, match="unknown target 'nutch'; did you mean nutch-seeds"):
        target_named("nutch")
    with pytest.raises(UsageError, match="one of urls, nutch-seeds"):
        target_named("!")


def test_every_target_says_what_its_score_means():
    for target in TARGETS.values():
        for score in (target.score, target.by_place or target.score):
            assert score.name and score.scale and score.direction
        assert callable(target.load())


def test_a_graph_without_hosts_is_written():
    found = rows(["http://a.example/"], web=graph(["http://a.example/"]))
    assert read_urlfrontier(written("urlfrontier", found))[0][1] == "a.example"
