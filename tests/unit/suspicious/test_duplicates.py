"""Mirrors inside a host: the same paths below two folders, with the same links."""

from __future__ import annotations

import numpy as np
import pytest

from seedrank.core.model import Status
from seedrank.graph import WebGraph
from seedrank.graphdb.arrays import ArrayStore
from seedrank.methods.crawl.answer import Crawls
from seedrank.methods.frontier.answer import rank
from seedrank.methods.seeds.choose import choose
from seedrank.methods.suspicious.duplicates import duplicates
from seedrank.methods.suspicious.traps import traps, traps_of
from seedrank.methods.worthless import worthless
from seedrank.questions.crawl import Crawling
from seedrank.questions.frontier import FrontierQuestion
from seedrank.questions.seeds import SeedQuestion
from seedrank.session import Session

NAMES = ["alpha", "beta", "gamma", "delta", "epsilon", "zeta", "eta", "theta", "iota", "kappa", "lambda", "mu"]


def web(*folders: str, pages: int = 12, links: dict[str, int] | None = None) -> WebGraph:
    """Folders of one host with the same pages; each page links to the next two of its folder, and one leads home.

    `links` shifts the links of a folder: its pages then link to others.
    """
    names = ["https://w.example/"]
    source, target = [], []
    for folder in folders:
        first, shift = len(names), 1 + (links or {}).get(folder, 0)
        names += [f"https://w.example/{folder}/part/{NAMES[number]}.html" for number in range(pages)]
        for number in range(pages):
            source += [first + number] * 3
            target += [first + (number + shift) % pages, first + (number + 2 * shift) % pages, 0]
    return WebGraph.from_links(
        len(names), np.array(source), np.array(target), urls=names, status=[Status.CRAWLED] * len(names),
        host=[0] * len(names), host_names=["w.example"],
    )  # fmt: skip


def test_the_longer_folder_repeats_the_shorter():
    found = duplicates(web("releases", "releases-of-content/all"))
    assert found.of.tolist() == [-1] * 13 + list(range(1, 13))
    assert found.flags.sum() == 12
    (one,) = found.folders
    assert (one.original, one.pages) == ("https://w.example/releases/", 12)
    assert one.folder == "https://w.example/releases-of-content/all/"


def test_numbered_pages_are_in_many_folders(monkeypatch):
    monkeypatch.setattr(f"{__name__}.NAMES", [f"p{number}" for number in range(12)])
    assert not duplicates(web("releases", "content")).flags.any()


def test_a_folder_beside_itself_with_one_more_part():
    found = duplicates(web("releases", "releases/content"))
    assert found.of.tolist() == [-1] * 13 + list(range(1, 13))


def test_pages_that_link_elsewhere_are_no_duplicates():
    assert not duplicates(web("releases", "content", links={"content": 2})).flags.any()


@pytest.mark.parametrize("other", ["v2", "2024", "de", "pt-BR"])
def test_versions_and_translations_stay(other):
    assert not duplicates(web("docs", other)).flags.any()


def test_few_pages_are_left_alone():
    assert not duplicates(web("releases", "content", pages=9)).flags.any()


def test_three_folders_repeat_one():
    found = duplicates(web("one", "other", "another"))
    assert found.of[13:].tolist() == [*range(1, 13), *range(1, 13)]


def test_no_page_repeats_one_that_repeats_another():
    found = duplicates(web("another", "one", "other", "another/one"))
    originals = found.of[found.of >= 0]
    assert (found.of[originals] == -1).all()


def test_pages_that_are_not_crawled_or_have_no_url_are_left_alone():
    graph = web("releases", "content")
    frontier = WebGraph.from_links(
        graph.pages, np.empty(0, np.int64), np.empty(0, np.int64), urls=graph.urls.to_pylist(),
        status=[Status.FRONTIER] * graph.pages,
    )  # fmt: skip
    assert not duplicates(frontier).flags.any()
    assert not duplicates(WebGraph.from_links(3, np.array([0]), np.array([1]))).flags.any()


def with_frontier() -> WebGraph:
    """Two folders that are alike, each with a page that is not crawled; the second has one that the first lacks."""
    graph = web("releases", "content/all")
    urls = [f"https://w.example/{path}" for path in ("releases/part/new", "content/all/part/new", "content/all/part/x")]
    source = np.append(np.repeat(np.arange(graph.pages), graph.out_degree), [0, 0, 0])
    return WebGraph.from_links(
        graph.pages + 3, source, np.append(graph.out_targets, [25, 26, 27]), urls=graph.urls.to_pylist() + urls,
        status=[Status.CRAWLED] * graph.pages + [Status.FRONTIER] * 3, host=[0] * (graph.pages + 3),
        host_names=["w.example"],
    )  # fmt: skip


def test_pages_of_a_mirror_that_are_not_crawled_repeat_those_that_are_known():
    found = duplicates(with_frontier())
    assert found.of[25:].tolist() == [-1, 25, -1]
    (one,) = found.folders
    assert one.pages == 12


def test_the_frontier_without_pages_of_mirrors(tmp_path):
    session = Session(ArrayStore(with_frontier(), str(tmp_path / "memory")), engine="native")
    plain, folded = (rank(session, FrontierQuestion(method="trust", fold=fold)).ranking.pages for fold in (False, True))
    assert sorted(plain.tolist()) == [25, 26, 27]
    assert sorted(folded.tolist()) == [25, 27]


def test_folded_pages_are_worth_nothing_and_no_seeds(tmp_path):
    session = Session(ArrayStore(web("releases", "content/all"), str(tmp_path / "memory")), engine="native")
    copies = duplicates(session.graph).flags
    plain = choose(session, SeedQuestion(method="greedy", k=26, hops=1, prefer="none"))
    folded = choose(session, SeedQuestion(method="greedy", k=26, hops=1, prefer="none", fold=True))
    assert copies[plain.ranking.pages].any()
    assert not copies[folded.ranking.pages].any()
    assert plain.facts["value"] == len(copies)
    assert folded.facts["value"] == folded.facts["bound"] == (~copies).sum()


def test_pages_in_traps_are_told_one_by_one():
    pages = 130
    urls = [f"https://w.example/cal?year={number}&month=1" for number in range(120)]
    urls += [f"https://w.example/page/{number}" for number in range(10)]
    empty = np.empty(0, np.int64)
    graph = WebGraph.from_links(pages, empty, empty, urls=urls, status=[Status.CRAWLED] * pages, host=[0] * pages,
                                host_names=["w.example"])  # fmt: skip
    assert traps_of(graph).tolist() == [True] * 120 + [False] * 10
    (listed,) = traps(graph, pages=20, fan_out=100, depth=15, repeats=3)
    assert listed.pages == 120
    session = Session(ArrayStore(graph, "memory"), engine="native")
    assert worthless(session, fold=True, no_traps=False).sum() == 0
    assert worthless(session, fold=False, no_traps=True).sum() == 120


def test_a_crawl_gathers_nothing_from_duplicates():
    session = Session(ArrayStore(web("releases", "content/all"), "memory"), engine="native")
    copies = duplicates(session.graph).flags
    plain, folded = (Crawls(session, Crawling(fold=fold)).metrics.worth["pagerank"] for fold in (False, True))
    assert (plain[copies] > 0).all()
    assert (folded[copies] == 0).all()
    assert (folded[~copies] == plain[~copies]).all()
