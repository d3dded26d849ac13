"""Pages of a list that are not in the graph, and the form of their URL that is."""

from __future__ import annotations

import numpy as np
import pytest

from seedrank.core.errors import InputError
from seedrank.graph import WebGraph
from seedrank.graphdb.arrays import ArrayStore
from seedrank.session import Session
from seedrank.session.page_lists import known_pages, other_forms, unknown_pages

URLS = [
    *("http://a.example/", "https://www.b.example/x", "https://c.example/folder/", "https://d.example/?q=1"),
    *("https://e.example/index.html", "https://f.example/docs/"),
]


def session() -> Session:
    empty = np.empty(0, np.int64)
    return Session(ArrayStore(WebGraph.from_links(len(URLS), empty, empty, urls=URLS), "memory"), engine="native")


def test_the_other_scheme_host_slash_and_index_file_are_found(tmp_path):
    listed = ["https://a.example/", "http://b.example/x", "https://c.example/folder", "http://d.example/?q=1"]
    listed += ["http://www.e.example/", "https://f.example/docs/index.php"]
    file = tmp_path / "seeds.txt"
    file.write_text("\n".join([*listed, *URLS, "https://nowhere.example/"]))
    assert unknown_pages(session(), str(file)).to_pylist() == [
        *({"page": page, "known_as": known} for page, known in zip(listed, URLS, strict=True)),
        {"page": "https://nowhere.example/", "known_as": None},
    ]


def test_a_list_of_unknown_urls_alone_is_refused_with_a_form_that_is_known(tmp_path):
    file = tmp_path / "seeds.txt"
    file.write_text("https://nowhere.example/\nhttps://a.example/\nhttps://c.example/folder\n")
    with pytest.raises(InputError) as refused:
        known_pages(session(), str(file))
    assert refused.value.hint.startswith("https://a.example/ is known as http://a.example/")


def test_a_list_that_is_known_and_a_run_have_none():
    assert unknown_pages(session(), " ".join(URLS)).num_rows == 0
    assert unknown_pages(session(), "run:latest").num_rows == 0


def test_forms_begin_with_the_closest_and_leave_queries_alone():
    assert other_forms("https://a.example/x")[0] == "http://a.example/x"
    assert other_forms("https://a.example/?x")[:1] == ["http://a.example/?x"]
    assert len(other_forms("https://a.example/?x")) == 3
    assert other_forms("not a URL") == []
