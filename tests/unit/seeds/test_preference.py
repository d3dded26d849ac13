"""Readable seeds: which address is taken among pages worth the same, against plain loops."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from seedrank.core.errors import UsageError
from seedrank.graph import WebGraph
from seedrank.methods.seeds import graph_methods
from seedrank.methods.seeds.choose import choose
from seedrank.methods.seeds.preference import Preference, front_pages, preference_of
from seedrank.questions.seeds import SeedQuestion
from tests import seed_reference as reference
from tests.seed_reference import Plain
from tests.unit.seeds.problems import cases, problem_of, session_of

SHUNNED = 1 << 25
METHODS = {
    "maxout": (lambda problem, depth: graph_methods.maxout(problem), lambda depth, prefer: _maxout(prefer)),
    "maxweight": (graph_methods.maxweight, reference.maxweight),
    "maxscc": (graph_methods.maxscc, reference.maxscc),
    "rootscc": (graph_methods.rootscc, reference.rootscc),
}


def _maxout(prefer):
    return lambda *given: reference.maxout(*given, prefer)


def keys_of(*urls: str | None) -> list[int]:
    graph = WebGraph.from_links(len(urls), np.empty(0, np.int64), np.empty(0, np.int64), urls=list(urls))
    found = preference_of(graph, 0.001)
    assert found is not None
    return found.key.tolist()


def test_front_page_then_fewer_parts_then_shorter_then_error_pages():
    urls = [
        "https://a.example/",
        "https://a.example/index.html",
        "https://a.example/ab",
        "https://a.example/abc",
        "https://a.example/a/b",
        "https://a.example/404.html",
    ]
    keys = keys_of(*urls)
    assert keys == sorted(keys)
    assert len(set(keys)) == len(keys)


@pytest.mark.parametrize(
    "path",
    ["404.html", "x/error.html", "errors/", "error/500", "not-found", "calendar/2024/1", "feed/", "x/rss.xml",
     "x.atom", "news.ics", "?feed=rss2", "404"],
)  # fmt: skip
def test_error_pages_calendars_and_feeds_come_last(path):
    assert keys_of(f"https://a.example/{path}")[0] >= SHUNNED


@pytest.mark.parametrize(
    "path", ["error-handling.html", "feedback", "issues/404", "atom/editor", "docs/errors.py", "terror", "?q=feed"]
)
def test_other_pages_do_not(path):
    assert keys_of(f"https://a.example/{path}")[0] < SHUNNED


def test_a_page_without_an_address_comes_before_error_pages_alone():
    nothing, error, long = keys_of(None, "https://a.example/404.html", f"https://a.example/{'a/' * 300}")
    assert long < nothing < error


def test_front_pages():
    urls = ["http://a.example/", "http://a.example/index.php", "http://a.example/a", "http://b.example:8080/?x", None]
    empty = np.empty(0, np.int64)
    assert front_pages(WebGraph.from_links(5, empty, empty, urls=urls)).tolist() == [True, True, False, False, False]


@pytest.mark.slow
@pytest.mark.parametrize("method", METHODS)
@settings(max_examples=500)
@given(
    cases(mixed=True),
    st.integers(0, 3),
    st.integers(0, 3),
    st.integers(1, 4),
    st.sampled_from([0.0, 0.001, 0.3, 0.6]),
    st.data(),
)
def test_equal_to_the_plain_loop(method, plain, hops, depth, k, share, data):
    ours, theirs = METHODS[method]
    key = data.draw(
        st.lists(st.sampled_from([0, 1, 2, 7, SHUNNED, SHUNNED + 3]), min_size=plain.pages, max_size=plain.pages)
    )
    problem = problem_of(plain, hops, k, preference=Preference(np.array(key, np.int32), share))
    by_pages = method == "maxout"
    prefer = reference.readable(hops, share, key, SHUNNED, by_pages=by_pages)
    assert ours(problem, depth).pages.tolist() == reference.run(
        plain, hops, k, theirs(depth, prefer), by_pages=by_pages
    )


def test_the_certificate_says_what_the_address_cost():
    """Page 1000 reaches one page more than page 1, whose address is shorter."""
    links = [(1000, page) for page in range(1000)] + [(1, page) for page in range(2, 1001)]
    session = session_of(Plain(1001, links, [1.0] * 1001))
    answer = choose(session, SeedQuestion(method="greedy", k=1, hops=1))
    assert answer.ranking.pages.tolist() == [1]
    assert answer.facts["preferred"] == 1
    assert answer.facts["preference_cost"] == 1.0
    old = choose(session, SeedQuestion(method="greedy", k=1, hops=1, prefer="none"))
    assert old.ranking.pages.tolist() == [1000]
    assert "preferred" not in old.facts


def test_a_readable_address_is_taken_while_another_site_has_no_page_left():
    """Pages 10 and 11 give way to 0 and 2; the second site has one page, and two seeds are asked for in each."""
    links = [(10, 0), (10, 1), (0, 1), (11, 2), (11, 3), (2, 3)]
    session = session_of(Plain(13, links, [1.0] * 13), hosts=[0] * 12 + [1])
    answer = choose(session, SeedQuestion(method="greedy", k=2, hops=1, per_site=True, prefer="50%"))
    assert sorted(answer.ranking.pages.tolist()) == [0, 2, 12]
    assert answer.facts["preference_cost"] == 2.0


def test_what_is_no_share_is_refused():
    with pytest.raises(UsageError, match="nothing"):
        SeedQuestion(prefer="nothing")
    with pytest.raises(UsageError, match="200%"):
        SeedQuestion(prefer="200%")


def test_without_addresses_the_smaller_id_stands():
    empty = np.empty(0, np.int64)
    assert preference_of(WebGraph.from_links(2, empty, empty), 0.1) is None
