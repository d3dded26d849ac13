"""Claims as data: what the files say is what is judged, and a reader finds quote, margin and reason in them."""

from __future__ import annotations

import math

import pytest

from seedrank.experiments.claim_specs import MARGINS, claim_specs

PAPERS = ("coverage", "cores", "ordering", "impact")


@pytest.mark.parametrize("name", PAPERS)
def test_a_claim_quotes_its_paper_or_says_that_it_is_ours(name):
    for spec in claim_specs(name).values():
        assert spec.quantity in MARGINS
        assert (len(spec.quote) > 20 and spec.place) or "(not in the papers)" in spec.claim
        assert "{measure}" not in spec.key + spec.claim
        assert spec.region.least < spec.region.most


def test_forms_become_regions():
    coverage, cores = claim_specs("coverage"), claim_specs("cores")
    least = MARGINS["growth"].least
    assert (cores["linear time"].region.least, cores["linear time"].region.most) == (-math.inf, 1 + least)
    assert cores["hits settled"].region.least == 1 - MARGINS["rank agreement"].least
    assert cores["close iterations"].region.least == -MARGINS["core distance"].least
    assert cores["pagerank, depths 2 to 4"].depths == (2, 4)
    alike = coverage["depths-alike-value"].region
    assert alike.least == -alike.most < 0
    assert coverage["large-sites-not-strong"].region.least == 0.25


def test_pairs_are_every_method_against_every_other():
    spec = claim_specs("coverage")["maxout-best-pages"]
    assert len(spec.pairs) == 7 and all(one == "MaxOut" != other for one, other in spec.pairs)
    assert spec.measure == "pages"


def test_words_in_braces_are_filled_in():
    spec = claim_specs("impact")["table 2 {impact}"].of(impact="views")
    assert spec.key == "table 2 views" and "{" not in spec.claim
