"""Seeds split over sites, beside seeds in use: none is lost while a site can use it."""

from __future__ import annotations

import itertools
from fractions import Fraction

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from seedrank.core.model import Status
from seedrank.methods.seeds.choose import choose
from seedrank.questions.seeds import SeedQuestion
from tests import seed_reference as reference
from tests.seed_reference import Plain
from tests.unit.seeds.problems import cases, named, session_of

C, F, M = Status.CRAWLED, Status.FRONTIER, Status.MISSING
ONE_AND_THREE = Plain(4, [(1, 2)], [1.0] * 4)
"""Page 0 is a site; so are 1 → 2 and 3."""


def chosen(plain, hosts, **question):
    found = choose(session_of(plain, hosts), SeedQuestion(**{"value": "worth", "allocate": "equal", **question}))
    return found.ranking.pages.tolist(), found.facts


@pytest.mark.parametrize("method", ["greedy", "maxweight", "maxout", "maxscc", "rootscc", "outdegree"])
def test_the_part_of_a_site_whose_pages_are_in_use_goes_to_the_others(method):
    seeds, _ = chosen(ONE_AND_THREE, [0, 1, 1, 1], method=method, k=2, hops=1, keep=named([0]))
    assert sorted(seeds) == ([1, 2] if method == "outdegree" else [1, 3])


def test_the_part_of_a_site_that_seeds_in_use_cover_goes_to_the_others():
    plain = Plain(5, [(0, 4), (1, 2)], [1.0] * 5)
    seeds, facts = chosen(plain, [0, 1, 1, 1, 0], method="greedy", k=2, hops=1, keep=named([0]))
    assert seeds == [1, 3]
    assert facts["bound"] == facts["value"] == 5
    assert "stopped" not in facts


def test_fewer_seeds_only_where_no_site_can_use_more():
    seeds, facts = chosen(ONE_AND_THREE, [0, 1, 1, 1], method="greedy", k=3, hops=1, keep=named([0]))
    assert seeds == [1, 3]
    assert facts["stopped"]


def test_pages_of_a_site_are_its_crawled_ones():
    """Site 0 has four crawled pages, site 1 two and ten others: two of three seeds go to site 0."""
    plain = Plain(16, [], [1.0] * 16, [C] * 6 + [F, M] * 5)
    seeds, _ = chosen(plain, [0] * 4 + [1] * 12, method="greedy", k=3, hops=1, allocate="pages")
    assert seeds == [0, 4, 1]


# -- against plain loops


def split(k: int, importance: list[int], room: list[int]) -> list[int]:
    """Largest remainder over the sites that have room; a site whose share is all it has takes that and is done."""
    quota = [0] * len(room)
    open_sites = {site for site in range(len(room)) if importance[site] and room[site]}
    while k and open_sites:
        whole = sum(importance[site] for site in open_sites)
        share = {site: Fraction(k * importance[site], whole) for site in open_sites}
        full = {site for site in open_sites if share[site] >= room[site]}
        if not full:
            for site in open_sites:
                quota[site] = share[site].numerator // share[site].denominator
            over = sorted(open_sites, key=lambda site: (quota[site] - share[site], site))
            for site in over[: k - sum(quota[site] for site in open_sites)]:
                quota[site] += 1
            break
        for site in full:
            quota[site] = room[site]
            k -= room[site]
        open_sites -= full
    return quota


def plain_sites(plain: Plain, hosts: list[int]) -> tuple[list[tuple[Plain, list[int]]], list[int]]:
    """Each host with a crawled page as a graph of its own, with the ids of its pages; and its crawled pages."""
    sites = []
    for host in sorted(set(hosts)):
        ids = [page for page in range(plain.pages) if hosts[page] == host]
        if plain.crawled.isdisjoint(ids):
            continue
        links = [(ids.index(s), ids.index(t)) for s, t in plain.links if s in ids and t in ids]
        site = Plain(len(ids), links, [plain.value[p] for p in ids], [plain.status[p] for p in ids])
        sites.append((site, ids))
    return sites, [len(site.crawled) for site, _ in sites]


@st.composite
def webs(draw):
    """Pages of every status in up to four sites, and pages in use."""
    plain = draw(cases(mixed=True))
    assume(plain.crawled)
    hosts = draw(st.lists(st.integers(0, 3), min_size=plain.pages, max_size=plain.pages))
    keep = draw(st.lists(st.integers(0, plain.pages - 1), min_size=1, max_size=3, unique=True))
    return plain, hosts, keep


@pytest.mark.slow
@settings(max_examples=400)
@given(webs(), st.sampled_from(["equal", "pages"]), st.integers(1, 6), st.integers(0, 2), st.booleans())
def test_sites_that_can_use_a_seed_get_it(web, by, k, hops, always):
    """Every site by the plain loop; what one cannot use is split over the others, until nobody can."""
    plain, hosts, keep = web
    sites, crawled = plain_sites(plain, hosts)
    importance = [1] * len(sites) if by == "equal" else crawled
    in_use = [[ids.index(page) for page in keep if page in ids] for _, ids in sites]
    room = [len(site.crawled - set(kept)) for (site, _), kept in zip(sites, in_use, strict=True)]
    useful = [
        reference.run(site, hops, site.pages, reference.maxweight(hops), always=always, keep=kept)
        for (site, _), kept in zip(sites, in_use, strict=True)
    ]
    taken, quota, ended = [0] * len(sites), split(k, importance, room), set()
    while sum(quota):
        left = 0
        for site, most in enumerate(quota):
            now = min(most, len(useful[site]) - taken[site])
            taken[site] += now
            left += most - now
            if now < most:
                ended.add(site)
        free = [0 if site in ended else room[site] - taken[site] for site in range(len(sites))]
        quota = split(left, importance, free)
    expected = {ids[p] for (_, ids), picks, some in zip(sites, useful, taken, strict=True) for p in picks[:some]}
    seeds, facts = chosen(plain, hosts, method="greedy", k=k, hops=hops, allocate=by, always_k=always, keep=named(keep))
    assert set(seeds) == expected
    assert len(seeds) == min(k, sum(map(len, useful)))
    within = [(page, target) for page, target in plain.links if hosts[page] == hosts[target]]
    inside = Plain(plain.pages, within, plain.value, plain.status)
    assert facts["value"] == pytest.approx(inside.worth([*keep, *seeds], hops))
    best = 0.0
    for (site, _), kept, some in zip(sites, in_use, taken, strict=True):
        choices = (seeds for size in range(some + 1) for seeds in itertools.combinations(site.crawled, size))
        best += max(site.worth([*kept, *seeds], hops) for seeds in choices)
    assert best <= facts["bound"] + 1e-9


@pytest.mark.slow
@settings(max_examples=200)
@given(webs(), st.sampled_from(["equal", "pages"]), st.integers(1, 9), st.sampled_from(["random", "outdegree"]))
def test_static_methods_fill_every_place(web, by, k, method):
    plain, hosts, keep = web
    seeds, _ = chosen(plain, hosts, method=method, k=k, hops=1, allocate=by, keep=named(keep))
    candidates = plain.crawled - set(keep)
    assert set(seeds) <= candidates
    assert len(set(seeds)) == len(seeds) == min(k, len(candidates))
