"""Names of papers: records keep numbers, people read authors and years."""

from __future__ import annotations

import pytest

import seedrank
from seedrank.core.errors import UsageError
from seedrank.core.references import PAPERS, REFERENCES, called
from seedrank.methods.crawl.methods import CRAWL
from seedrank.methods.frontier.methods import FRONTIER
from seedrank.methods.rank.methods import RANK
from seedrank.methods.recrawl.methods import POLICIES
from seedrank.methods.seeds.methods import SEEDS


@pytest.mark.parametrize(
    ("number", "name"),
    [
        ("000", "Zheng et al. 2009"),
        ("001, 003", "Daneshpajouh et al. 2008"),
        ("002", "Alam et al."),
        ("004", "Tran et al. 2015"),
        ("something else", "something else"),
    ],
)
def test_papers_are_called_by_author(number, name):
    assert called(number) == name


def test_every_paper_that_a_method_names_has_an_entry():
    methods = [one for family in (CRAWL, FRONTIER, RANK, SEEDS) for one in family.built_in]
    sources = {one.source for one in (*methods, *POLICIES) if one.source}
    assert sources | set(PAPERS.values()) == set(REFERENCES)


def test_references_of_methods_are_bibtex():
    text = seedrank.bibtex("maxweight", "fpr@20", "ordering")
    assert text.count("@") == 3
    assert "@inproceedings{zheng2009,\n  author = {Zheng, S. and Dmitriev, P. and Giles, C. L.},\n" in text
    assert "@misc{alam,\n" in text and "@software{seedrank,\n" in text
    assert seedrank.bibtex().count("@") == 1 + len(REFERENCES)
    keys = [line for line in seedrank.bibtex().splitlines() if line.startswith("@")]
    assert len(set(keys)) == len(keys)
    with pytest.raises(UsageError, match="no method is called 'nothing'"):
        seedrank.bibtex("nothing")
