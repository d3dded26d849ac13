"""Seeds from HITS cores: the worked checks, and random webs against the plain loops."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from seedrank.core import order
from seedrank.core.errors import GraphError, UsageError
from seedrank.engines.kernels import core_growth as kernel
from seedrank.engines.native.engine import NativeEngine
from seedrank.graph import WebGraph
from seedrank.methods.seeds import cores, find_cores
from seedrank.questions.seeds import CoreQuestion
from tests.unit.seeds import core_reference as reference

CHECK = {
    *((hub, authority) for hub in (1, 2, 3, 4) for authority in (11, 12, 13)),
    *((5, 13), (5, 14)),
    *((hub, authority) for hub in (21, 22, 23) for authority in (31, 32)),
}
CLOSING = {*((1, authority) for authority in (11, 12, 13)), *((hub, a) for hub in (2, 3, 4) for a in (11, 12))}


def graph_of(pages, links, **more):
    source, target = np.array(sorted(links), np.int64).reshape(-1, 2).T
    return WebGraph.from_links(pages, source, target, **more)


def found(pages, links, question=None, sites=None, **rule):
    graph = graph_of(pages, links)
    question = question or grown(k=pages, **rule)
    return list(cores.find(question, *cores.prune(NativeEngine(graph), graph, sites)))


def grown(violator="close", **fields):
    """A question with the rule for pages that make a core too thin, by name."""
    flag = {} if violator == "close" else {violator.replace("-", "_"): True}
    question = CoreQuestion(**fields, **flag)
    assert question.violator == violator
    return question


def sets(some):
    return [(set(core.hubs.tolist()), set(core.authorities.tolist())) for core in some]


def test_the_cores_of_the_check():
    some = found(33, CHECK)
    assert sets(some) == [({1, 2, 3, 4}, {11, 12, 13}), ({21, 22, 23}, {31, 32}), ({5}, {14})]
    assert [core.density for core in some] == [100, 100, 100]
    assert [core.seed for core in some] == [1, 21, 5]


def test_the_printed_loop_ends_at_density_70():
    core = found(33, CHECK, violator="literal")[0]
    assert sets([core]) == [({1, 2, 3, 4, 5}, {11, 12, 13, 14})]
    assert core.density == 70


@pytest.mark.parametrize(("violator", "hubs"), [("close", {1, 2, 3, 4}), ("stop-first", {1, 2})])
def test_closing_a_side(violator, hubs):
    assert sets(found(14, CLOSING, violator=violator))[0] == (hubs, {11, 12})


def test_a_lower_density_takes_more():
    assert sets(found(14, CLOSING, density=70))[0] == ({1, 2, 3, 4}, {11, 12, 13})


def test_a_cap_closes_the_hubs_alone():
    some = found(33, CHECK, cap=2)
    assert sets(some)[0] == ({1, 2}, {11, 12, 13})


def test_size_overshoots_by_less_than_a_round():
    core = found(33, CHECK, core="size", size=6, step=2)[0]
    assert sets([core]) == [({1, 2, 3, 4}, {11, 12, 13})]


@st.composite
def webs(draw):
    pages = draw(st.integers(2, 14))
    page = st.integers(0, pages - 1)
    links = draw(st.sets(st.tuples(page, page), min_size=1, max_size=4 * pages))
    return pages, {(a, b) for a, b in links if a != b}


RULES = st.one_of(
    st.fixed_dictionaries(
        {
            "density": st.sampled_from([100.0, 80.0, 66.7, 50.0, 1.0]),
            "cap": st.sampled_from([None, None, 1, 2, 3]),
            "violator": st.sampled_from(["close", "stop-first", "skip-violators", "literal"]),
        }
    ),
    st.fixed_dictionaries({"core": st.just("size"), "size": st.integers(2, 12), "step": st.integers(1, 3)}),
)


def plain(rule: CoreQuestion):
    if rule.core == "size":
        return lambda links, h, a: reference.sized(links, h, a, rule.size, rule.step)
    return lambda links, h, a: reference.dense(links, h, a, rule.density, rule.cap, rule.violator)


@pytest.mark.slow
@settings(max_examples=400)
@given(web=webs(), rule=RULES, k=st.integers(1, 5))
def test_random_webs_against_plain_loops(web, rule, k):
    pages, links = web
    asked = grown(k=k, iterations=7, **rule)
    expected = reference.seeds(pages, links, k, plain(asked), 7)
    some = found(pages, links, asked)
    assert [(core.hubs.tolist(), core.authorities.tolist(), core.seed) for core in some] == expected
    left = links
    for core in some:
        assert core.density == pytest.approx(reference.density(left, core.hubs.tolist(), core.authorities.tolist()))
        out = {*core.hubs.tolist(), *core.authorities.tolist()}
        left = {(a, b) for a, b in left if a not in out and b not in out}


@pytest.mark.slow
@given(web=webs(), data=st.data())
def test_links_within_a_site_are_left_out(web, data):
    pages, links = web
    sites = np.array(data.draw(st.lists(st.integers(-1, 2), min_size=pages, max_size=pages)), np.int32)
    if (sites < 0).all():
        return
    between = {(a, b) for a, b in links if sites[a] < 0 or sites[a] != sites[b]}
    expected = reference.seeds(pages, between, pages, plain(CoreQuestion()), 7)
    some = found(pages, links, CoreQuestion(k=pages, iterations=7), sites)
    assert [(core.hubs.tolist(), core.authorities.tolist(), core.seed) for core in some] == expected


@pytest.mark.slow
@given(st.floats(allow_nan=False, allow_infinity=False))
def test_the_kernel_rounds_by_the_tie_rule(value):
    assert kernel.rounded(value, kernel.POWERS) == order.rounded(np.array([value]))[0]


def test_random_seeds_are_hubs_and_repeat():
    some = [found(33, CHECK, CoreQuestion(k=3, pick="random", rng=rng)) for rng in (1, 1, 2, 3, 4, 5)]
    assert all(core.seed in core.hubs for run in some for core in run)
    picks = [[core.seed for core in run] for run in some]
    assert picks[0] == picks[1]
    assert len(set(map(tuple, picks))) > 1


def test_no_host_at_all():
    graph = graph_of(33, CHECK)
    with pytest.raises(GraphError, match=r"no page has a host.*keep_same_site=True"):
        cores.prune(NativeEngine(graph), graph, graph.host)


@pytest.mark.parametrize(
    "options", [{"density": 0.5}, {"density": 101}, {"cap": 0}, {"size": 1}, {"step": 0}, {"core": "x"}]
)
def test_rules_that_cannot_be(options):
    with pytest.raises(UsageError):
        CoreQuestion(**options)


def named(pages, links, hosts):
    names = sorted(set(hosts))
    return graph_of(pages, links, host=np.array([names.index(host) for host in hosts]), host_names=names)


def test_an_answer_has_members_hosts_and_a_name():
    hosts = ["www.hubs.example.co.uk"] * 3 + ["news-of-hubs.org"] * 2
    graph = named(5, {(0, 3), (1, 3), (2, 3), (0, 4), (1, 4), (2, 4)}, hosts)
    answer = find_cores.cores_of(CoreQuestion(k=1), NativeEngine(graph), graph, graph.host)
    assert answer.hosts == [[("www.hubs.example.co.uk", 3), ("news-of-hubs.org", 2)]]
    assert answer.ranking.columns["name"].tolist() == ["hubs example news"]
    assert answer.members.to_pydict()["role"] == ["hub"] * 3 + ["authority"] * 2
    assert find_cores.name_of([]) == ""


def test_no_link_between_sites_gives_no_core(caplog):
    graph = named(3, {(0, 1), (1, 2)}, ["a.example"] * 3)
    answer = find_cores.cores_of(CoreQuestion(), NativeEngine(graph), graph, graph.host)
    assert len(answer.ranking.pages) == 0
    assert answer.members.num_rows == 0
    assert "no link is left between sites" in caplog.text


def test_fewer_cores_than_asked_for(caplog):
    graph = graph_of(33, CHECK)
    answer = find_cores.cores_of(CoreQuestion(k=9, keep_same_site=True), NativeEngine(graph), graph, graph.host)
    assert len(answer.ranking.pages) == 3
    assert "9 cores were asked for, and there are 3" in caplog.text
