"""Farms, hosts with one source, traps and mirrors: kernels against slow readings, looks against planted cases."""

from __future__ import annotations

from urllib.parse import urlsplit

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from seedrank.engines.kernels.suspicious import between, likeness, path_hashes, path_shapes, shared_neighbours
from seedrank.graph import WebGraph
from seedrank.graph.levels import level_in_memory
from seedrank.graph.webgraph import url_bytes
from seedrank.methods.suspicious.detect import detect, one_source
from seedrank.methods.suspicious.farms import farms
from seedrank.methods.suspicious.found import members_of, table_of
from seedrank.methods.suspicious.host_links import hosts_of
from seedrank.methods.suspicious.mirrors import mirrors
from seedrank.methods.suspicious.traps import traps
from seedrank.questions.graph import StatsQuestion
from tests.engines.webs import rngs, webs
from tests.few import one_of_each

QUESTION = StatsQuestion(suspicious=True)


def web(urls, links=(), crawled=True) -> WebGraph:
    """A graph of URLs whose links name URLs."""
    names = sorted({urlsplit(url).netloc for url in urls})
    place = {url: number for number, url in enumerate(urls)}
    return WebGraph.from_links(
        len(urls),
        [place[a] for a, _ in links],
        [place[b] for _, b in links],
        host=[names.index(urlsplit(url).netloc) for url in urls],
        host_names=names,
        urls=urls,
        status=np.full(len(urls), 2 if crawled else 0),
    )


# -- kernels


@settings(max_examples=60, deadline=None)
@given(made=webs(), rng=rngs, weighted=st.booleans())
def test_links_between_sites(made, rng, weighted):
    pairs = np.array(sorted(made.links), np.int64).reshape(-1, 2)
    graph = WebGraph.from_links(made.pages, pairs[:, 0], pairs[:, 1])
    site = rng.integers(-1, 4, made.pages).astype(np.int32)
    weights = rng.integers(1, 9, len(pairs)).astype(np.float32) if weighted else np.empty(0, np.float32)
    keys, each = between(graph.out_offsets, graph.out_targets, site, 4, weights)
    expected = [
        (int(site[a]) * 4 + int(site[b]), float(weights[k]) if weighted else 1.0)
        for k, (a, b) in enumerate(pairs.tolist())
        if site[a] >= 0 and site[b] >= 0 and site[a] != site[b]
    ]
    assert list(zip(keys.tolist(), each.tolist(), strict=True)) == expected


@settings(max_examples=60, deadline=None)
@given(made=webs())
def test_neighbours_that_two_ends_share(made):
    both = sorted(made.links | {(b, a) for a, b in made.links})
    around = {page: {b for a, b in both if a == page} for page in range(made.pages)}
    offsets = np.searchsorted([a for a, _ in both], np.arange(made.pages + 1)).astype(np.int64)
    found = shared_neighbours(offsets, np.array([b for _, b in both], np.int64))
    assert found.tolist() == [len(around[a] & around[b]) for a, b in both]


parts = st.lists(st.sampled_from(["a", "b", "ab", "", "2024"]), max_size=8)


@settings(max_examples=100, deadline=None)
@given(paths=st.lists(st.tuples(parts, st.sampled_from(["", "?a=/x/x", "#/x"])), min_size=1, max_size=6))
def test_shapes_and_hashes_of_paths(paths):
    urls = [f"https://h{number}.example/{'/'.join(path)}{end}" for number, (path, end) in enumerate(paths)]
    text, offsets = url_bytes(pa.array(urls, pa.large_string()))
    depth, repeats = path_shapes(text, offsets)
    full = [[part for part in path if part] for path, _ in paths]
    assert depth.tolist() == [len(path) for path in full]
    assert repeats.tolist() == [max(map(path.count, path), default=0) for path in full]
    rest = [url.partition(".example")[2] for url in urls]
    hashes = path_hashes(text, offsets).tolist()
    assert [[a == b for a in hashes] for b in hashes] == [[a == b for a in rest] for b in rest]


@settings(max_examples=60, deadline=None)
@given(sets=st.lists(st.sets(st.integers(0, 12), min_size=1), min_size=2, max_size=5))
def test_likeness_of_sets(sets):
    starts = np.append(0, np.cumsum([len(one) for one in sets])).astype(np.int64)
    hashes = np.array([value for one in sets for value in sorted(one)], np.uint64)
    pairs = [(a, b) for a in range(len(sets)) for b in range(len(sets))]
    found = likeness(starts, hashes, np.array([a for a, _ in pairs]), np.array([b for _, b in pairs]))
    expected = [len(sets[a] & sets[b]) / len(sets[a] | sets[b]) for a, b in pairs]
    np.testing.assert_allclose(found, expected)


# -- looks


def farm_web() -> WebGraph:
    """Five hosts that all link to each other, ten in a ring, and a popular one that links to those and back."""
    farm = [f"http://f{number}.example/" for number in range(5)]
    ring = [f"http://r{number}.example/" for number in range(10)]
    hub = "http://hub.example/"
    links = [(a, b) for a in farm for b in farm if a != b]
    links += [(ring[k], ring[(k + 1) % 10]) for k in range(10)] + [(a, hub) for a in ring] + [(hub, a) for a in ring]
    links += [(ring[0], farm[0])]
    return web([*farm, *ring, hub], links)


def test_a_farm_is_found_and_a_hub_is_none():
    hosts = hosts_of(farm_web())
    (found,) = farms(hosts, least=3, density=0.5, inside=0.7)
    assert sorted(found.hosts) == [f"f{number}.example" for number in range(5)]
    assert found.why == (
        "5 hosts of 5 domains: 10 of 10 pairs link both ways; 95 % of the 21 links to them come from the group"
    )
    assert farms(hosts, least=6, density=0.5, inside=0.7) == []
    assert farms(hosts, least=3, density=0.5, inside=0.96) == []


def test_a_farm_that_buys_half_of_its_links_is_found():
    """Six hosts that all link to each other have five links each from the group, and five from others."""
    farm = [f"http://f{number}.example/" for number in range(6)]
    bought = [f"http://b{number}.example/" for number in range(30)]
    links = [(a, b) for a in farm for b in farm if a != b]
    links += [(one, farm[number % 6]) for number, one in enumerate(bought)]
    hosts = hosts_of(web([*farm, *bought], links))
    (found,) = farms(hosts, least=3, density=0.5, inside=0.7)
    assert sorted(found.hosts) == [f"f{number}.example" for number in range(6)]
    assert "50 % of the 60 links" in found.why
    assert farms(hosts, least=3, density=0.5, inside=0.9) == []


def test_a_tournament_of_links_in_one_direction_is_found():
    farm = [f"http://f{number}.example/" for number in range(7)]
    links = [(a, b) if (i + j) % 2 else (b, a) for i, a in enumerate(farm) for j, b in enumerate(farm) if i < j]
    hosts = hosts_of(web([*farm, "http://o.example/"], [*links, ("http://o.example/", farm[0])]))
    (found,) = farms(hosts, least=3, density=0.5, inside=0.7)
    assert sorted(found.hosts) == [f"f{number}.example" for number in range(7)]
    assert "21 of 21 pairs are linked" in found.why


@settings(max_examples=5, deadline=None)
@given(rng=rngs)
def test_no_clean_host_is_in_a_farm(rng):
    """1,500 hosts that link by popularity, a tenth of the links answered, and in neighbourhoods of 20."""
    count = 1500
    urls = [f"http://h{number}.example/" for number in range(count)]
    pairs = set()
    for host in range(count):
        near = host // 20 * 20 + rng.integers(0, 20, 3)
        far = (count * rng.random(6) ** 3).astype(int)
        pairs |= {(host, int(other)) for other in (*near, *far) if other != host and other < count}
    pairs |= {(b, a) for a, b in sorted(pairs) if rng.random() < 0.1}
    graph = web(urls, [(urls[a], urls[b]) for a, b in sorted(pairs)])
    assert farms(hosts_of(graph), least=3, density=0.5, inside=0.7) == []


def test_hosts_with_one_source():
    """Host t has nine links from a and one from b; u has ten from a, and was never crawled."""
    urls = [f"http://{host}.example/{page}" for host in "abtu" for page in range(10)]
    links = [(urls[k], urls[20 + k]) for k in range(9)] + [(urls[10], urls[29])]
    links += [(urls[k], urls[30 + k]) for k in range(10)]
    graph = web(urls, links)
    graph._arrays["status"] = np.where(np.arange(40) < 30, 2, 0).astype(np.int8)
    hosts = hosts_of(graph)
    (found,) = one_source(hosts, share=0.9, links=10)
    assert found.name == "t.example"
    assert found.why == "90.0 % of the 10 links from other hosts come from a.example; 1 more host links to it"
    assert one_source(hosts, share=0.91, links=10) == []
    assert one_source(hosts, share=0.9, links=11) == []


def test_links_count_as_often_as_they_weigh():
    graph = web(["http://a.example/", "http://b.example/", "http://c.example/"], [
        ("http://a.example/", "http://c.example/"), ("http://b.example/", "http://c.example/"),
    ])  # fmt: skip
    graph._arrays["weights"] = np.array([99, 1], np.float32)
    (found,) = one_source(hosts_of(graph), share=0.99, links=100)
    assert "99.0 % of the 100 links" in found.why


def test_traps_are_told_by_their_signs():
    urls = [f"http://shop.example/find?colour={a}&size={b}" for a in range(10) for b in range(10)]
    urls += [f"http://cal.example/day/{year}/{day}" for year in range(10) for day in range(10)]
    urls += [f"http://old.example/app/page{k};jsessionid={k:08x}" for k in range(20)]
    urls += [f"http://loop.example/x/{'a/b/' * k}" for k in range(3, 23)]
    urls += [f"http://deep.example/d/{'/'.join(f'{k}-{i}' for i in range(14))}" for k in range(20)]
    urls += [f"http://days.example/cal/2024/{m}/{d}.html" for m in range(1, 11) for d in range(1, 11)]
    urls += [f"http://iso.example/cal/2024-{m:02}-{d:02}" for m in range(1, 11) for d in range(1, 11)]
    urls += [f"http://ask.example/cal?date=2024-{m:02}-{d:02}" for m in range(1, 11) for d in range(1, 11)]
    urls += [f"http://list.example/all?page={k}" for k in range(100)]
    urls += [f"http://asp.example/(S({k:024x}))/home.aspx" for k in range(20)]
    # None of these is a trap: articles by date, one parameter, and a path with a number.
    urls += [f"http://blog.example/?p={k}" for k in range(200)]
    urls += [f"http://blog.example/2024-{k % 12 + 1:02}-{k % 28 + 1:02}-title-{k}.html" for k in range(200)]
    urls += [f"http://press.example/2024/{k}.html" for k in range(200)]
    urls += [f"http://blog.example/2024/{k % 12}/post-of-{chr(97 + k % 26)}{k}x" for k in range(200)]
    urls += [f"http://wiki.example/index?title={k}" for k in range(200)]
    urls += [f"http://news.example/item/{k}" for k in range(200)]
    found = traps(web(urls), pages=20, fan_out=100, depth=15, repeats=3)
    signs = {one.name: one.why for one in found if "deep" not in one.name}
    assert signs["http://shop.example/find?"] == "100 pages differ in a query of two parameters or more"
    assert signs["http://cal.example/day/*/*"].startswith("100 pages differ in two numbers")
    assert signs["http://old.example/app"] == "20 URLs have a session id"
    assert {one.why for one in found if one.name == "http://loop.example/x"} == {
        "20 paths have the same part 3 times or more"
    }
    assert [one.why for one in found if one.name == "http://deep.example/d"] == ["20 paths have 15 parts or more"]
    assert signs["http://days.example/cal/*/*/*.html"].startswith("100 pages differ in the date of the path")
    assert signs["http://iso.example/cal/*-*-*"].startswith("100 pages differ in the date of the path")
    assert signs["http://ask.example/cal?"] == "100 pages differ in the date of the query only"
    assert signs["http://list.example/all?"] == "100 pages are numbered in the query, and nothing else"
    assert signs["http://asp.example/(S(*))"] == "20 URLs have a session id"
    known = ("shop", "cal", "old", "loop", "deep", "days", "iso", "ask", "list", "asp")
    assert {one.hosts[0] for one in found} == {f"{name}.example" for name in known}
    assert traps(web(urls), pages=21, fan_out=101, depth=60, repeats=80) == []


def test_mirrors_are_hosts_with_the_same_paths():
    paths = [f"{k}/p?q={k}" for k in range(20)]
    urls = [f"http://{host}.example/{path}" for host in ("one", "two") for path in paths]
    urls += [f"http://part.example/{path}" for path in paths[:6]] + [f"http://part.example/x{k}" for k in range(14)]
    urls += [f"http://other.example/y{k}" for k in range(20)]
    urls += [f"http://few.example/{path}" for path in paths[:9]]
    graph = web(urls)
    (found,) = mirrors(graph, hosts_of(graph), share=0.5, paths=10)
    assert (found.name, found.pages, sorted(found.hosts)) == ("one.example", 40, ["one.example", "two.example"])
    assert found.why.startswith("2 hosts have the same paths: at least 100 %")


@pytest.mark.parametrize("share", one_of_each([0.5, 0.3, 0.7, 0.9]))
def test_nearly_all_mirrors_at_the_threshold_are_found(share):
    """200 pairs of hosts that are just alike enough, and 5 paths that every host has."""
    rng, union, common = np.random.default_rng(7), 40, 5
    both = round(share * union)
    urls = []
    for pair in range(200):
        own = [f"/{value}" for value in rng.permutation(10**6)[: union - common]]
        shared, rest = own[: both - common], own[both - common :]
        for half, name in enumerate("ab"):
            paths = [f"/c{k}" for k in range(common)] + shared + rest[half::2]
            urls += [f"http://{name}{pair}.example{path}" for path in paths]
    graph = web(urls)
    found = mirrors(graph, hosts_of(graph), share=share, paths=10)
    assert all({one[1:] for one in row.hosts} == {row.hosts[0][1:]} for row in found)
    assert len(found) >= 190
    assert mirrors(graph, hosts_of(graph), share=min(share + 0.03, 1), paths=10) == []


@settings(max_examples=30, deadline=None)
@given(rng=rngs, count=st.integers(2, 12))
def test_groups_of_mirrors_of_any_size_are_found_whole(rng, count):
    names = rng.permutation(40)[:count]
    paths = [f"/{value}" for value in rng.permutation(1000)[:30]]
    urls = [f"http://m{name}.example{path}" for name in names for path in paths]
    urls += [f"http://z.example/z{k}" for k in range(30)]
    graph = web(urls)
    (found,) = mirrors(graph, hosts_of(graph), share=0.9, paths=10)
    assert sorted(found.hosts) == sorted(f"m{name}.example" for name in names)


def test_one_table_and_its_members():
    found, left_out = detect(farm_web(), QUESTION)
    assert left_out == []
    table = table_of(found)
    assert table.column_names == ["kind", "name", "hosts", "pages", "why"]
    assert table["kind"].to_pylist() == ["farm"]
    assert members_of(found)["row"].to_pylist() == [1] * 5


def test_hosts_of_a_level_are_those_of_its_pages():
    web = farm_web()
    wanted = [one for one in detect(web, QUESTION)[0] if one.kind in ("farm", "one source")]
    assert wanted
    assert detect(level_in_memory(web, "host"), QUESTION, level="host")[0] == wanted


def test_what_cannot_be_looked_for_is_said():
    bare = WebGraph.from_links(3, [0, 1], [1, 2])
    found, left_out = detect(bare, QUESTION)
    assert found == []
    assert len(left_out) == 2
    hosts = WebGraph.from_links(2, [0], [1], urls=["http://a.example/", "http://b.example/"])
    assert len(detect(hosts, QUESTION, level="host")[1]) == 1
    assert hosts_of(hosts, level="host").names.to_pylist() == ["a.example", "b.example"]
