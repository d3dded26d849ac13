"""A page that is not crawled is worth nothing as a seed, whichever question it is part of; by brute force."""

from __future__ import annotations

import itertools

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from seedrank.methods.seeds import judge
from seedrank.methods.seeds.choose import choose
from seedrank.questions.seeds import EvaluateQuestion, ReduceQuestion, SeedQuestion
from tests import seed_reference as reference
from tests.unit.seeds.problems import cases, named, session_of

METHODS = {
    "maxout": reference.maxout,
    "maxweight": reference.maxweight(2),
    "maxscc": reference.maxscc(2),
    "rootscc": reference.rootscc(2),
    "greedy": None,
}


@st.composite
def lists(draw):
    """A graph with some crawled page, and pages of any status as a list."""
    plain = draw(cases(mixed=True))
    assume(plain.crawled)
    pages = draw(st.lists(st.integers(0, plain.pages - 1), min_size=1, max_size=4, unique=True))
    return plain, pages


def best_worth(plain, k, hops, beside=()) -> float:
    """The most that k crawled pages can be worth, beside pages in use."""
    choices = itertools.chain.from_iterable(itertools.combinations(plain.crawled, size) for size in range(k + 1))
    return max(plain.worth([*beside, *seeds], hops) for seeds in choices)


@pytest.mark.slow
@settings(max_examples=300)
@given(lists(), st.integers(0, 3), st.booleans())
def test_evaluate(case, hops, certify):
    plain, pages = case
    question = EvaluateQuestion(file=named(pages), value="worth", hops=hops, certify=certify)
    found = judge.evaluate(session_of(plain), question)
    columns = found.ranking.columns
    assert found.ranking.pages.tolist() == pages
    worth = [plain.worth(pages[:place], hops) for place in range(len(pages) + 1)]
    assert columns["covered_value"].tolist() == pytest.approx(worth[1:])
    assert columns["gain"].tolist() == pytest.approx(np.diff(worth).tolist())
    assert columns["status"].tolist() == [plain.status[page].label for page in pages]
    assert found.facts["value"] == pytest.approx(worth[-1])
    assert found.facts["not_crawled"] == len(set(pages) - plain.crawled)
    assert found.facts["pages"] == len(plain.covered(pages, hops) & plain.crawled)
    assert best_worth(plain, len(pages), hops) <= found.facts["bound"] + 1e-9


@pytest.mark.slow
@settings(max_examples=300)
@given(lists(), st.integers(0, 3), st.sampled_from([0.5, 0.9, 1.0]))
def test_reduce(case, hops, share):
    plain, pages = case
    found = judge.reduce(
        session_of(plain), ReduceQuestion(file=named(pages), value="worth", hops=hops, keep_share=share)
    )
    seeds = found.ranking.pages.tolist()
    assert set(seeds) <= set(pages) & plain.crawled
    assert found.facts["value_of_all"] == pytest.approx(plain.worth(pages, hops))
    assert found.facts["value"] == pytest.approx(plain.worth(seeds, hops))
    assert found.facts["not_crawled"] == len(set(pages) - plain.crawled)
    if min(plain.value) >= 0:
        assert found.facts["value"] >= share * found.facts["value_of_all"] - 1e-9


@pytest.mark.slow
@pytest.mark.parametrize("method", METHODS)
@settings(max_examples=150)
@given(lists(), st.integers(0, 3), st.integers(1, 3), st.booleans())
def test_choose_beside_seeds_in_use(method, case, hops, k, certify):
    plain, keep = case
    question = SeedQuestion(method=method, value="worth", hops=hops, k=k, keep=named(keep), certify=certify)
    found = choose(session_of(plain), question)
    seeds = found.ranking.pages.tolist()
    pick = METHODS[method] or reference.maxweight(hops)
    assert seeds == reference.run(plain, hops, k, pick, by_pages=method == "maxout", keep=keep)
    assert found.facts["value"] == pytest.approx(plain.worth([*keep, *seeds], hops))
    assert found.facts["pages"] == len(plain.covered([*keep, *seeds], hops) & plain.crawled)
    assert max(best_worth(plain, k, hops, keep), found.facts["value"]) <= found.facts["bound"] + 1e-9
