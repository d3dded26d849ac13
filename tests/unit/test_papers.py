"""Names of papers: records keep numbers, people read authors and years."""

from __future__ import annotations

import pytest

from seedrank.runs.experiment import called


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
