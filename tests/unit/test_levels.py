"""Hosts and domains: their addresses and names, in whole arrays, against one at a time."""

from __future__ import annotations

import re

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from seedrank.core.changes import Load
from seedrank.core.levels import addresses, guesses, name_column, names, stored_level
from seedrank.core.urls import hosts, normalise_one, registered_domain, turned
from seedrank.engines.kernels.marks import are_marked, mark, spread_marks

LABELS = st.lists(st.text("abz09-_", min_size=1, max_size=4), min_size=1, max_size=4).map(".".join)
NAMED = st.one_of(
    st.none(),
    LABELS,
    LABELS.map(lambda name: f"http://{name}/"),
    LABELS.map(lambda name: f"https://www.{name}.co.uk:8443/a/b?c#d"),
    st.text("a.:/?#@\\ \t9é", max_size=8),
)


def reference(named: str | None, level: str) -> str | None:
    if named is None:
        return None
    named = named.strip()
    if re.fullmatch(r"[^\s/?#@\\]+", named) and not re.fullmatch(r"[0-9]+", named):
        return f"http://{named}/"
    if re.fullmatch(r"http://[^\s/?#@\\]+/", named):
        return named
    if re.match(r"[A-Za-z][A-Za-z0-9+.-]*://", named):
        normal = normalise_one(named)
        if normal is None:
            return named
        if level == "host":
            return f"http://{normal.split('/')[2].split('?')[0]}/"
        return f"http://{registered_domain(hosts(pa.array([normal])))[0].as_py()}/"
    return named


@pytest.mark.slow
@settings(max_examples=150, derandomize=True)
@given(named=st.lists(NAMED, max_size=8), level=st.sampled_from(["host", "domain"]))
def test_addresses(named, level):
    found = addresses(pa.array(named, pa.string()), level).to_pylist()
    assert found == [reference(one, level) for one in named]


@settings(max_examples=100, derandomize=True)
@given(named=st.lists(LABELS.filter(lambda name: not name.isdigit()), max_size=8))
def test_an_address_has_its_name_and_stays_what_it_is(named):
    found = addresses(pa.array(named, pa.string()), "host")
    assert names(found).to_pylist() == named
    assert addresses(found, "host").equals(found) and addresses(found, "domain").equals(found)


def test_numbers_and_paths_are_no_names():
    named = pa.array(["12", "a.example/b", "a b", "", "u@a.example"])
    assert addresses(named, "host").equals(named)


@pytest.mark.parametrize(
    ("given", "level", "meant"),
    [
        ("Example.ORG", "host", "http://example.org/"),
        ("https://example.org/about", "host", "http://example.org/"),
        ("https://example.org:8443/about", "host", "http://example.org/"),
        ("www.example.org", "host", "http://example.org/"),
        ("bücher.example", "host", "http://xn--bcher-kva.example/"),
        ("news.bbc.co.uk", "domain", "http://bbc.co.uk/"),
        ("http://news.bbc.co.uk/1", "domain", "http://bbc.co.uk/"),
        ("HTTP://a.example/b", "page", "http://a.example/b"),
    ],
)
def test_what_people_may_mean(given, level, meant):
    assert meant in [one[0].as_py() for one in guesses(pa.array([given]), level)]


def test_a_page_is_not_meant_by_the_name_of_its_host():
    assert all(one[0].as_py() != "http://example.org/" for one in guesses(pa.array(["example.org"]), "page"))


@settings(max_examples=100, derandomize=True)
@given(texts=st.lists(st.none() | st.text("ab.é", max_size=8), max_size=8), skip=st.integers(0, 3))
def test_names_turned_round(texts, skip):
    array = pa.array(texts, pa.string()).slice(min(skip, len(texts)))
    wanted = [None if text is None else ".".join(reversed(text.split("."))) for text in texts[skip:]]
    assert turned(array).to_pylist() == wanted
    assert turned(turned(array)).equals(array)


def test_tables_of_names():
    assert name_column(["id", "url", "host"]) == "url"
    assert name_column(["id", "domain"]) == "domain"


def test_the_level_of_a_store():
    assert stored_level([]) is None
    assert stored_level([Load("a", "", ""), Load("b", "", "", level="page")]) == "page"
    assert stored_level([Load("a", "", "", level="domain")]) == "domain"


@settings(max_examples=100, derandomize=True)
@given(
    numbers=st.lists(st.integers(0, 60), max_size=20),
    links=st.lists(st.tuples(st.integers(0, 60), st.integers(0, 60)), max_size=30),
)
def test_marks_are_sets(numbers, links):
    marks = np.zeros(8, np.uint8)
    mark(marks, np.array(numbers, np.int64))
    asked = np.arange(80)
    assert are_marked(marks, asked).tolist() == [number in numbers for number in asked]
    ends = np.array(links, np.int64).reshape(-1, 2)
    near = marks.copy()
    spread_marks(marks, ends[:, 0].copy(), ends[:, 1].copy(), near)
    wanted = {*numbers, *(t for s, t in links if s in numbers), *(s for s, t in links if t in numbers)}
    assert set(np.flatnonzero(are_marked(near, asked)).tolist()) == wanted
