"""Seeds of an older graph on a newer one: every rule by hand, and all of them against a slow reference."""

from __future__ import annotations

import re

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import seedrank
from seedrank.core.errors import GraphError, InputError
from seedrank.graph import WebGraph
from seedrank.graphdb.arrays import ArrayStore
from seedrank.loaders.pagelist import PageList
from seedrank.methods.seeds.transfer import transferred
from seedrank.session import Session

CRAWLED, FRONTIER = 2, 0


def session(urls, links=(), status=None) -> Session:
    """A graph of these URLs; links are pairs of numbers."""
    hosts = [re.sub(r"^https?://([^/:]+).*", r"\1", url) for url in urls]
    names = sorted(set(hosts))
    source, target = (np.array([link[side] for link in links], np.int64) for side in (0, 1))
    graph = WebGraph.from_links(
        len(urls), source, target, urls=urls, host_names=names, host=[names.index(host) for host in hosts],
        status=status,
    )  # fmt: skip
    return Session(ArrayStore(graph, "memory"))


def rows(newer, listed, older=None):
    found = transferred(newer, PageList("list", pa.array(listed, pa.string()), np.ones(len(listed))), older)
    return list(zip(found.pages.tolist(), found.rules.tolist(), found.similarity.tolist(), strict=True))


@pytest.mark.parametrize(
    ("old", "rule"),
    [
        ("http://a.example/x/", "same"),
        ("HTTP://A.example/x/#part", "same"),
        ("https://a.example/x/", "address"),
        ("http://www.a.example/x/", "address"),
        ("http://a.example/x", "address"),
        ("http://a.example/x/Index.HTML", "address"),
        ("https://www.a.example/X/default.aspx", "address"),
        ("http://a.example/x/?page=2", "host"),
        ("http://a.example:8080/x/", "host"),
        ("http://b.example/x/", "dropped"),
        ("ftp://a.example/x/", "dropped"),
        ("nothing", "dropped"),
    ],
)
def test_forms_of_an_address(old, rule):
    newer = session(["http://c.example/", "http://a.example/x/", "http://a.example/y"], [(2, 0)])
    page = {"same": 1, "address": 1, "host": 2, "dropped": -1}[rule]
    assert [one[:2] for one in rows(newer, [old])] == [(page, rule)]


def test_the_closest_form_and_then_the_smallest_id():
    urls = ["https://a.example/X/", "https://www.a.example/x", "https://a.example/x"]
    assert rows(session(urls), ["http://a.example/x"]) == [(1, "address", 1.0)]
    assert rows(session(urls), ["http://a.example/x/"]) == [(1, "address", 1.0)]
    assert rows(session(urls), ["http://a.example/X"]) == [(0, "address", 1.0)]


def test_only_crawled_pages_take_a_place():
    urls = ["http://a.example/x", "https://a.example/x", "http://a.example/y", "http://a.example/z"]
    newer = session(urls, [(2, 0), (2, 1), (2, 3), (3, 2)], [FRONTIER, FRONTIER, CRAWLED, CRAWLED])
    # /z links to one crawled page, /y to one as well: the smaller id.
    assert rows(newer, ["http://a.example/x"]) == [(2, "host", 0.0)]
    lonely = session(urls, [(2, 0), (2, 1)], [FRONTIER, FRONTIER, CRAWLED, FRONTIER])
    assert rows(lonely, ["http://a.example/x"]) == [(-1, "dropped", 0.0)]


def test_the_page_with_the_most_link_targets_in_common():
    targets = [f"http://t{i}.example/" for i in range(5)]
    older = session(["http://a.example/docs/old.html", *targets], [(0, i) for i in (1, 2, 3, 4)])
    new = [
        "http://a.example/",
        "http://a.example/docs/v2/new.html",
        "http://www.a.example/docs/links.html",
        *targets[1:],
    ]
    # 1 and 2 have three of the four targets each; /docs/links.html lies in the old page's own folder.
    newer = session(new, [(0, 3), (1, 3), (1, 4), (1, 5), (2, 3), (2, 4), (2, 5), (2, 6), (0, 1), (0, 2)])
    assert rows(newer, ["http://a.example/docs/old.html"], older) == [(2, "links", 0.75)]
    assert rows(newer, ["http://a.example/docs/old.html"]) == [(2, "host", 0.0)]


@pytest.mark.slow
def test_every_listed_url_has_a_row_and_every_new_seed_one(tmp_path):
    links = "source,target\nhttp://a.example/1,http://a.example/2\nhttp://a.example/2,http://a.example/1\n"
    (tmp_path / "links.csv").write_text(links)
    (tmp_path / "old.txt").write_text(
        "http://a.example/gone\nhttp://a.example/2\nhttp://a.example/2\nhttp://a.example/away\nhttp://gone.example/\n"
    )
    with seedrank.open(str(tmp_path / "web.duckdb"), create=True) as bench:
        bench.load(seedrank.TableSource(links=[str(tmp_path / "links.csv")]))
        run, table = answer = bench.transfer(str(tmp_path / "old.txt"))
        kept = bench.answer(run.name)
    assert table["url"].to_pylist() == ["http://a.example/1", "http://a.example/2"]
    assert table["old"].to_pylist() == ["http://a.example/gone", "http://a.example/2"]
    assert table["rule"].to_pylist() == ["host", "same"]
    assert answer.tables["transfer"].to_pylist() == [
        {"old": "http://a.example/gone", "new": "http://a.example/1", "rule": "host", "similarity": 0.0},
        {"old": "http://a.example/2", "new": "http://a.example/2", "rule": "same", "similarity": 1.0},
        {"old": "http://a.example/away", "new": "http://a.example/1", "rule": "host", "similarity": 0.0},
        {"old": "http://gone.example/", "new": None, "rule": "dropped", "similarity": 0.0},
    ]
    facts = run.facts
    assert (facts["listed"], facts["repeated"], facts["seeds"]) == (4, 1, 2)
    assert (facts["rules"]["same"], facts["rules"]["host"], facts["rules"]["dropped"]) == (1, 2, 1)
    assert facts["dropped_such_as"] == ["http://gone.example/"]
    assert kept.table.to_pylist() == table.to_pylist()
    assert kept.tables["transfer"].to_pylist() == answer.tables["transfer"].to_pylist()


@pytest.mark.slow
def test_recorded_redirects_are_followed(tmp_path):
    (tmp_path / "pages.csv").write_text(
        "url,status,redirect\n"
        "http://a.example/new,crawled,\n"
        "http://a.example/old,missing,http://a.example/moved\n"
        "http://a.example/moved,missing,http://a.example/new\n"
        "http://a.example/round,missing,http://a.example/about\n"
        "http://a.example/about,missing,http://a.example/round\n"
        "https://a.example/old,crawled,\n"
    )
    with seedrank.open(str(tmp_path / "web.duckdb"), create=True) as bench:
        bench.load(seedrank.TableSource(pages=[str(tmp_path / "pages.csv")]))
        new = bench.session.names.page("http://a.example/new")
        found = rows(bench.session, [f"http://a.example/{name}" for name in ("old", "moved", "round")])
    assert found == [(new, "redirect", 1.0), (new, "redirect", 1.0), (-1, "dropped", 0.0)]


@pytest.mark.slow
def test_lists_that_cannot_be_transferred(tmp_path):
    (tmp_path / "links.csv").write_text("source,target\nhttp://a.example/1,http://a.example/2\n")
    (tmp_path / "numbers.txt").write_text("1\n2\n")
    (tmp_path / "gone.txt").write_text("http://gone.example/\n")
    with seedrank.open(str(tmp_path / "web.duckdb"), create=True) as bench:
        bench.load(seedrank.TableSource(links=[str(tmp_path / "links.csv")]))
        with pytest.raises(InputError, match="by number"):
            bench.transfer(str(tmp_path / "numbers.txt"))
        with pytest.raises(InputError, match="none of its 1 pages is left"):
            bench.transfer(str(tmp_path / "gone.txt"))
    nameless = Session(ArrayStore(WebGraph.from_links(2, np.array([0]), np.array([1])), "memory"))
    with pytest.raises(GraphError, match="no page has a URL"):
        rows(nameless, ["http://a.example/"])
    with pytest.raises(GraphError, match="older graph has a URL"):
        rows(session(["http://a.example/"]), ["http://a.example/x"], nameless)


# -- against a slow reference

ADDRESSES = [
    f"{scheme}://{host}.example/{path}"
    for scheme in ("http", "https")
    for host in ("a", "www.a", "b")
    for path in ("", "x", "X", "x/", "x/index.html", "d/e/y", "d/y", "d/e/w", "d/v", "e/v", "d/e/f/z?q=1/2")
]


def forms(url):
    """Keys of an address, the closest first."""
    address = re.sub(r"^https?://(www\.)?", "", url)
    place, mark, query = address.partition("?")
    short = re.sub(r"/(index\.html)?$", "", place) + mark + query
    return address, short, short.lower()


def host_of(url):
    return forms(url)[0].partition("/")[0]


def steps(one, other):
    """Steps between two pages in the tree of folders."""
    one, other = (forms(url)[0].partition("?")[0].split("/")[1:] for url in (one, other))
    shared = 0
    for a, b in zip(one[:-1], other[:-1], strict=False):
        if a != b:
            break
        shared += 1
    return len(one) + len(other) - 2 * shared


def reference(url, newer, older):
    """What becomes of a seed; a web is a dictionary of URLs to whether they are crawled, and a set of links."""
    (pages, links), ids = newer, list(newer[0])
    if pages.get(url):
        return ids.index(url), "same", 1.0
    here = [page for page in ids if pages[page] and host_of(page) == host_of(url)]
    for level in range(3):
        for page in here:
            if forms(page)[level] == forms(url)[level]:
                return ids.index(page), "address", 1.0
    had = {b for a, b in older[1] if a == url} if older else set()
    if had:
        shared = {page: len(had & {b for a, b in links if a == page}) for page in here}
        if max(shared.values(), default=0):
            best = min(here, key=lambda page: (-shared[page], steps(page, url), ids.index(page)))
            return ids.index(best), "links", shared[best] / len(had)
    out = {page: sum(a == page and pages[b] for a, b in links) for page in here}
    if max(out.values(), default=0):
        best = min(here, key=lambda page: (-out[page], ids.index(page)))
        return ids.index(best), "host", 0.0
    return -1, "dropped", 0.0


TARGETS = [f"http://{host}.example/" for host in ("a", "c", "d")]


def web(random):
    """Pages that link to a few places, so that several share as many of them."""
    urls = [*random.choice(ADDRESSES, random.integers(1, 14), replace=False).tolist(), *TARGETS]
    pages = {url: bool(random.random() < 0.7) for url in random.permutation(list(dict.fromkeys(urls))).tolist()}
    chance = {page: 0.5 if page in TARGETS else 0.1 * random.integers(2) for page in pages}
    links = {(a, b) for a in pages for b in pages if a != b and pages[a] and random.random() < chance[b]}
    return pages, links


def opened(web):
    pages, links = web
    ids = list(pages)
    return session(
        ids, [(ids.index(a), ids.index(b)) for a, b in links], [CRAWLED if one else FRONTIER for one in pages.values()]
    )


@pytest.mark.slow
@settings(max_examples=300)
@given(st.integers(0, 2**32 - 1))
def test_against_a_slow_reference(seed):
    random = np.random.default_rng(seed)
    newer, older = web(random), web(random) if random.random() < 0.8 else None
    listed = random.choice(list(older[0]) if older else ADDRESSES, random.integers(1, 9)).tolist()
    listed = list(dict.fromkeys(listed))  # repeated URLs have one row
    expected = [reference(url, newer, older) for url in listed]
    found = rows(opened(newer), listed, None if older is None else opened(older))
    assert [one[:2] for one in found] == [one[:2] for one in expected]
    assert [one[2] for one in found] == pytest.approx([one[2] for one in expected])
