"""Q-Overlap and Q-Hybrid against loops over pages and searches."""

from __future__ import annotations

import re
from urllib.parse import unquote

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

from seedrank.core.errors import GraphError, InputError
from seedrank.engines.native.engine import NativeEngine
from seedrank.graph import WebGraph
from seedrank.methods.frontier.problem import pose, reveal
from seedrank.methods.frontier.queries import needs, page_words, q_hybrid, q_overlap, query_set, words
from seedrank.methods.frontier.scores import Scores, Searches
from seedrank.questions.frontier import ScoreOptions

WORDS = ["red", "blue", "Tea", "été", "42", "pot"]
RESULT_TYPES = {"query": pa.string(), "id": pa.int64(), "rank": pa.int64(), "clicks": pa.float64()}
NO_RESULTS = pa.table({name: pa.array([], kind) for name, kind in RESULT_TYPES.items()})


def table(queries):
    texts, freq, need = zip(*queries, strict=True)
    return pa.table(
        {"text": pa.array(texts), "freq": pa.array(freq, pa.float64()), "need": pa.array(need, pa.float64())}
    )


def plain_words(text):
    return {word for word in re.split(r"[^\w]|_", unquote(text or "").lower()) if word}


def plain_overlap(frontier, crawled, urls, links, queries, share):
    scores = []
    for page in range(len(urls)):
        shown = plain_words(urls[page])
        for source, target, anchors in links:
            if target == page and crawled[source]:
                for anchor in anchors:
                    shown |= plain_words(anchor)
        total = 0.0
        for text, freq, need in queries:
            wanted = plain_words(text)
            if wanted:
                part = len(wanted & shown) / len(wanted)
                total += freq * need * (part if share else part == 1)
        scores.append(total if frontier[page] else 0.0)
    return scores


@st.composite
def cases(draw):
    text = st.lists(st.sampled_from(WORDS), max_size=3).map(" ".join)
    pages = draw(st.integers(2, 8))
    status = draw(st.lists(st.sampled_from([0, 1, 2]), min_size=pages, max_size=pages))
    status[0], status[1] = 0, 1
    address = text.map(lambda t: f"https://x.example/{t.replace(' ', '-').replace('é', '%C3%A9')}%0Aend")
    urls = draw(st.lists(st.none() | address, min_size=pages, max_size=pages))
    page = st.integers(0, pages - 1)
    links = draw(st.lists(st.tuples(page, page, st.lists(text | st.none(), max_size=3)), max_size=12))
    queries = draw(
        st.dictionaries(text, st.tuples(st.integers(0, 5), st.sampled_from([0.0, 0.5, 1.0])), min_size=1, max_size=8)
    )
    return status, urls, links, [(text, *rest) for text, rest in queries.items()]


def batches(links, size=5):
    for start in range(0, len(links), size):
        source, target, anchors = zip(*links[start : start + size], strict=True)
        yield pa.record_batch(
            {
                "source": pa.array(source, pa.int64()),
                "target": pa.array(target, pa.int64()),
                "anchors": pa.array(anchors, pa.list_(pa.string())),
            }
        )


@pytest.mark.slow
@given(case=cases(), share=st.booleans())
def test_overlap_is_that_of_plain_loops(case, share):
    status, urls, links, queries = case
    crawled, frontier = np.array(status) == 0, np.array(status) == 1
    graph = WebGraph.from_links(len(status), [], [])
    problem = pose(graph, NativeEngine(graph), crawled, frontier, np.zeros(len(status)))
    known = query_set(table(queries), NO_RESULTS, crawled)
    shown = page_words(problem, known, pa.chunked_array([pa.array(urls, pa.large_string())]), batches(links))
    found = q_overlap(problem, known, shown, "share" if share else "all")
    np.testing.assert_allclose(found, plain_overlap(frontier, crawled, urls, links, queries, share))


def test_words_of_urls():
    owner, found = words(pa.array(["https://x.example/A-b_c%20d", None, "", "%C3%89t%C3%A9%0Anow"]))
    assert list(zip(owner.tolist(), found.to_pylist(), strict=True)) == [
        (0, "https"), (0, "x"), (0, "example"), (0, "a"), (0, "b"), (0, "c"), (0, "d"), (3, "été"), (3, "now")
    ]  # fmt: skip


def test_need_is_given_or_told_by_clicked_results_or_one():
    queries = pa.table(
        {"text": ["a", "b", "c"], "freq": [1.0, 1, 1], "need": pa.array([0.25, None, None], pa.float64())}
    )
    results = pa.table(
        {
            "query": ["a", "b", "b", "b", "b"],
            "id": [1, 1, 2, 3, 4],
            "rank": [1, 1, 2, 3, 11],
            "clicks": [5.0, 2, 0, 1, 9],
        }
    )
    every = np.ones(5, bool)
    np.testing.assert_allclose(needs(queries, results, every), [0.25, 0.8, 1])
    np.testing.assert_allclose(needs(queries, NO_RESULTS, every), [0.25, 1, 1])
    # Page 3 is not in the index: the click on it answers nobody.
    np.testing.assert_allclose(needs(queries, results, np.arange(5) != 3), [0.25, 0.9, 1])


def test_a_search_that_only_hidden_pages_answer_is_not_answered():
    """Pages 1 and 2 answer a search each; with 2 hidden its search is in need, and 2 is the page that meets it."""
    graph = WebGraph.from_links(4, [0, 0, 1, 1], [1, 2, 2, 3])
    urls = pa.chunked_array([pa.array([f"https://x.example/{name}" for name in ("home", "tea", "pot", "cup")])])
    results = pa.table({"query": ["tea", "pot"], "id": [1, 2], "rank": [1, 1], "clicks": [5.0, 5.0]})
    searches = Searches(lambda: table([("tea", 1, None), ("pot", 1, None)]), lambda: results, lambda: urls, lambda: [])
    clicks = np.array([1, 2, 3, 4.0])
    of_pages = []
    for crawled in ([1, 1, 0, 0], [1, 0, 0, 0], [1, 1, 1, 0]):
        seen = np.array(crawled, bool)
        known = reveal(graph, seen)
        problem = pose(known, NativeEngine(known), seen, ~seen, clicks)
        of_pages.append(Scores(problem, None, searches).of("q-overlap"))
    np.testing.assert_allclose(of_pages[0], [0, 0, 1, 0])
    np.testing.assert_allclose(of_pages[1], [0, 1, 1, 0])
    assert not of_pages[2].any()


def test_hybrid_by_hand_and_without_overlap_it_is_pagerank():
    frontier = np.array([0, 1, 1, 1], bool)
    overlap, pagerank = np.array([0, 4.0, 0, 2]), np.array([9, 0.1, 0.2, 0.4])
    np.testing.assert_allclose(q_hybrid(overlap, pagerank, frontier, 0.5), [0, 0.625, 0.25, 0.75])
    np.testing.assert_allclose(q_hybrid(0 * overlap, pagerank, frontier, 0.5)[1:], pagerank[1:] / 0.8)


def test_no_searches_and_wrong_ones():
    with pytest.raises(GraphError, match="no searches"):
        query_set(table([("a", 1, 1)]).slice(1), NO_RESULTS, np.ones(1, bool))
    with pytest.raises(InputError, match=r"need of a search is 1\.5: 'b'"):
        query_set(table([("a", 1, 1), ("b", 1, 1.5)]), NO_RESULTS, np.ones(1, bool))


def test_ties_of_overlap_are_broken_at_random_and_by_the_number_alone():
    graph = WebGraph.from_links(30, np.zeros(29, int), np.arange(1, 30))
    frontier = np.arange(30) > 0
    problem = pose(graph, NativeEngine(graph), ~frontier, frontier, np.zeros(30))
    searches = Searches(lambda: table([("nothing", 1, 1)]), lambda: NO_RESULTS, lambda: None, lambda: [])
    orders = [tuple(Scores(problem, ScoreOptions(rng=rng), searches).ranked("q-overlap")) for rng in (1, 1, 2)]
    assert orders[0] == orders[1] != orders[2]
    assert set(orders[0]) == set(range(1, 30))
