"""The graph of hosts or domains against a slow one, made of dictionaries."""

from __future__ import annotations

import math
from collections import defaultdict
from dataclasses import dataclass

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from seedrank.core.errors import GraphError
from seedrank.core.model import Status
from seedrank.graph import GraphWriter, WebGraph
from seedrank.graph.levels import level_graph, level_in_memory, level_names
from seedrank.session.graph_cache import open_level

HOSTS = ["a.example.com", "b.co.uk", "c.example.com", "d.b.co.uk", "e.org"]
DOMAINS = {"a.example.com": "example.com", "c.example.com": "example.com", "b.co.uk": "b.co.uk", "d.b.co.uk": "b.co.uk",
           "e.org": "e.org"}  # fmt: skip
COLUMNS = {"clicks": "sum", "views": "sum", "bytes": "sum", "spam": "max", "unique_rate": "mean", "mine": "mean"}


@dataclass
class Web:
    """A small web: host, status and columns of each page (None: none), links with weights."""

    hosts: list[str | None]
    status: list[int]
    links: dict[tuple[int, int], float]
    columns: dict[str, list[float]]
    of_hosts: dict[str, float]

    def graph(self, *, weighted: bool = True) -> WebGraph:
        pages = len(self.hosts)
        ends = sorted(self.links)
        offsets = np.zeros(pages + 1, np.int64)
        for source, _ in ends:
            offsets[source + 1] += 1
        arrays = {
            "out_offsets": np.cumsum(offsets),
            "out_targets": np.array([target for _, target in ends], np.int32),
            "status": np.array(self.status, np.int8),
            "host": np.array([-1 if host is None else HOSTS.index(host) for host in self.hosts], np.int32),
            **{f"column-{name}": np.array(values) for name, values in self.columns.items()},
        }
        if weighted:
            arrays["weights"] = np.array([self.links[end] for end in ends], np.float32)
        hosts = pa.table(
            {
                "name": pa.array(HOSTS, pa.large_string()),
                "unique_rate": [self.of_hosts.get(host, math.nan) for host in HOSTS],
                "said": pa.array(["a text"] * len(HOSTS)),
            }
        )
        return WebGraph(arrays, {"pages": pages, "links": len(ends), "version": "1"}, texts={"hosts": hosts})


@st.composite
def webs(draw):
    pages = draw(st.integers(1, 12))
    number = st.one_of(st.just(math.nan), st.integers(-5, 1000).map(float))
    links = draw(
        st.dictionaries(
            st.tuples(st.integers(0, pages - 1), st.integers(0, pages - 1)).filter(lambda ends: ends[0] != ends[1]),
            st.one_of(st.integers(0, 40).map(float), st.just(0.5)),
            max_size=40,
        )
    )
    return Web(
        draw(st.lists(st.sampled_from([*HOSTS, None]), min_size=pages, max_size=pages)),
        draw(st.lists(st.sampled_from([0, 1, 2]), min_size=pages, max_size=pages)),
        links,
        {name: draw(st.lists(number, min_size=pages, max_size=pages)) for name in COLUMNS},
        draw(st.dictionaries(st.sampled_from(HOSTS), st.floats(0, 1))),
    )


def named(web: Web, page: int, level: str) -> str | None:
    host = web.hosts[page]
    return host if level == "host" or host is None else DOMAINS[host]


def slow_links(web: Web, level: str, host_weights: str, weighted: bool) -> dict[tuple[str, str], float]:
    found: dict[tuple[str, str], float] = defaultdict(float)
    linking: dict[tuple[str, str], set[int]] = defaultdict(set)
    for (source, target), weight in web.links.items():
        pair = named(web, source, level), named(web, target, level)
        if None not in pair and pair[0] != pair[1]:
            found[pair] += weight if weighted else 1
            linking[pair].add(source)
    return {pair: len(linking[pair]) for pair in found} if host_weights == "pages" else dict(found)


def slow_status(web: Web, name: str, level: str) -> int:
    here = [status for page, status in enumerate(web.status) if named(web, page, level) == name]
    return next((one for one in (Status.CRAWLED, Status.FRONTIER) if one in here), Status.MISSING)


def taken_together(values: list[float], how: str) -> float:
    there = [value for value in values if not math.isnan(value)]
    if not there:
        return math.nan
    return {"sum": sum(there), "max": max(there), "mean": sum(there) / len(there)}[how]


@pytest.mark.parametrize("weighted", [True, False])
@pytest.mark.parametrize("host_weights", ["links", "pages"])
@pytest.mark.parametrize("level", ["host", "domain"])
def test_it_is_the_slow_one(level, host_weights, weighted):
    @settings(max_examples=60, deadline=None)
    @given(webs())
    def check(web):
        found = level_in_memory(web.graph(weighted=weighted), level, host_weights)
        names = list(dict.fromkeys(HOSTS if level == "host" else DOMAINS.values()))
        order = found.host_names.to_pylist()
        assert sorted(order) == sorted(names) and (level == "domain" or order == HOSTS)
        assert found.urls.to_pylist() == [f"http://{name}/" for name in order]
        assert found.host.tolist() == list(range(len(order)))
        weights = np.ones(found.links) if found.weights is None else found.weights
        links = {}
        for source in range(found.pages):
            row = slice(found.out_offsets[source], found.out_offsets[source + 1])
            assert (np.diff(found.out_targets[row]) > 0).all()
            links |= {(order[source], order[t]): w for t, w in zip(found.out_targets[row], weights[row], strict=True)}
        assert links == slow_links(web, level, host_weights, weighted)
        assert found.weights is None or (found.weights != 1).any()
        assert found.status.tolist() == [slow_status(web, name, level) for name in order]
        assert found.meta["left_out"] == web.hosts.count(None)
        for name, how in COLUMNS.items():
            for place, node in enumerate(order):
                mine = [page for page in range(len(web.hosts)) if named(web, page, level) == node]
                wanted = taken_together([web.columns[name][page] for page in mine], how)
                if name == "unique_rate":
                    own = [web.of_hosts[h] for h in HOSTS if h in web.of_hosts and node in (h, DOMAINS[h])]
                    own = own if level == "domain" else [rate for h, rate in web.of_hosts.items() if h == node]
                    wanted = taken_together(own, "mean") if own else wanted
                assert found.column(name)[place] == pytest.approx(wanted, nan_ok=True, abs=1e-12), (name, node)
        assert found.column("pages").tolist() == [
            sum(named(web, page, level) == node for page in range(len(web.hosts))) for node in order
        ]

    check()


def some() -> Web:
    return Web(
        ["a.example.com", "a.example.com", "c.example.com", None],
        [0, 2, 1, 2],
        {(0, 2): 3.0, (1, 2): 4.0, (2, 0): 1.0, (3, 0): 9.0, (0, 1): 2.0},
        {"clicks": [1.0, 2.0, math.nan, 8.0]},
        {},
    )


def test_a_level_is_kept_and_made_again_when_its_pages_are_others(tmp_path):
    web = some()
    kept = _written(web, tmp_path / "graph")
    first = open_level(kept, tmp_path / "host", "host")
    assert first.folder == tmp_path / "host" and first.weights.tolist() == [7.0, 1.0]
    stamp = (tmp_path / "host" / "graph.json").stat().st_mtime_ns
    open_level(WebGraph.open(tmp_path / "graph"), tmp_path / "host", "host")
    assert (tmp_path / "host" / "graph.json").stat().st_mtime_ns == stamp
    # Links the other way round say nothing new.
    assert len(kept.in_sources) == 5
    open_level(WebGraph.open(tmp_path / "graph"), tmp_path / "host", "host")
    assert (tmp_path / "host" / "graph.json").stat().st_mtime_ns == stamp
    web.columns["clicks"] = [5.0, 5.0, 5.0, 5.0]
    again = open_level(_written(web, tmp_path / "graph"), tmp_path / "host", "host")
    assert again.column("clicks").tolist()[:1] == [10.0] and again.version == "1"


def test_where_nothing_can_be_written_it_is_made_in_memory(tmp_path, caplog):
    kept = _written(some(), tmp_path / "graph")
    (tmp_path / "file").write_text("")
    found = open_level(kept, tmp_path / "file" / "host", "host")
    assert found.folder is None and found.links == 2
    assert "cannot be kept" in caplog.text
    assert open_level(some().graph(), tmp_path / "host", "host").folder is None
    assert not (tmp_path / "host").exists()


def test_domains_of_a_graph_of_hosts(tmp_path):
    hosts = level_in_memory(some().graph(), "host")
    writer = GraphWriter(tmp_path / "domain", version="1")
    found = level_graph(hosts, "domain", "links", writer, stored="host")
    assert found.host_names.to_pylist() == ["example.com", "b.co.uk", "e.org"]
    assert found.links == 0 and found.column("clicks").tolist()[:1] == [3.0]
    assert found.column("pages").tolist() == [3, 0, 0]
    assert found.column("hosts").tolist() == [2, 2, 1]


def test_weights_beyond_float32_count_as_the_largest():
    web = some()
    web.links = {(0, 2): 3e38, (1, 2): 3e38}
    found = level_in_memory(web.graph(), "host")
    assert found.weights.tolist() == [float(np.finfo(np.float32).max)]


@pytest.mark.parametrize("level", ["host", "domain"])
def test_a_graph_without_hosts_says_what_to_load(level):
    graph = WebGraph.from_links(2, np.array([0]), np.array([1]))
    with pytest.raises(GraphError, match=f"no page has a host, so there are no {level}s; load URLs or a host column"):
        level_in_memory(graph, level)
    with pytest.raises(GraphError):
        level_names(pa.chunked_array([pa.array([], pa.string())]), level)


def _written(web: Web, folder) -> WebGraph:
    graph = web.graph()
    with GraphWriter(folder, version="1") as writer:
        for name in ("out_offsets", "out_targets", "weights", "status", "host"):
            writer.put(name, getattr(graph, name))
        for name in web.columns:
            writer.put(f"column-{name}", graph.column(name))
        writer.text("hosts", graph.hosts.to_batches(), graph.hosts.schema)
        return writer.close(graph.pages, graph.links)
